/*
 * dead.h - entries of the cross-reference behind which no object stands
 *
 * Files have them: left over from an edit, they mean nothing as long as
 * nobody refers to the number.  If somebody does, content would be lost, and
 * the document is refused.  References are only looked for in a document that
 * has such entries, by reading it a second time.
 *
 * The reader meets offsets at which the object does not stand; which members
 * their object streams do not hold is known to the writer, at the end, and to
 * the reader when nothing is written.
 */
#ifndef PP_PIPE_DEAD_H
#define PP_PIPE_DEAD_H

#include "pipe/referred.h"

struct pp_dead {
    struct pp_numbers numbers;
    struct pdfpipe_error first; /* why the first of them is dead   */
};

void pp_dead_fini(struct pp_dead *dead);

/* Adds a number; why says what stands at its offset.  Errors: E_NO_MEMORY. */
enum pdfpipe_status pp_dead_add(struct pp_dead *dead, uint32_t number,
                                const struct pdfpipe_error *why,
                                struct pdfpipe_error *err);

/* Adds a member that is not in its object stream, and notes it.  Errors:
 * E_NO_MEMORY. */
enum pdfpipe_status pp_dead_add_member(struct pp_dead *dead, uint32_t number,
                                       uint32_t stream, struct pp_notes *notes,
                                       struct pdfpipe_error *err);

/*
 * OK when no live object, nor the trailer, refers to a dead number.  In *q
 * everything but among is set, and found is freed.
 * Errors: dead->first when one does, those of reading.
 */
enum pdfpipe_status pp_dead_unreferenced(const struct pp_dead *dead,
                                         struct pp_referred *q,
                                         struct pdfpipe_error *err);

#endif
