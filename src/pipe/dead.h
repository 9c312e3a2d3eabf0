/*
 * dead.h - entries of the cross-reference behind which no object stands
 *
 * Files have them: left over from an edit, they mean nothing as long as
 * nobody refers to the number.  If somebody does, content would be lost, and
 * the document is refused.  References are only looked for in a document that
 * has such entries, by reading it a second time.
 *
 * The reader meets offsets at which the object does not stand; which members
 * their object streams do not hold is known to the writer, at the end.
 */
#ifndef PP_PIPE_DEAD_H
#define PP_PIPE_DEAD_H

#include "pipe/document.h"

struct pp_dead {
    struct pp_lazy numbers;     /* bit per object number           */
    struct pdfpipe_error first; /* why the first of them is dead   */
    size_t n;
};

void pp_dead_reset(struct pp_dead *dead);
void pp_dead_fini(struct pp_dead *dead);

/* Adds a number; why says what stands at its offset.  Errors: E_NO_MEMORY. */
enum pdfpipe_status pp_dead_add(struct pp_dead *dead, uint32_t number,
                                const struct pdfpipe_error *why,
                                struct pdfpipe_error *err);

/* What the caller lends. */
struct pp_dead_tools {
    struct pp_peek *peek;
    struct pp_scanner *scanner;
    struct pp_buf *scratch;
    size_t text_max;
    uint64_t inflate_max;
};

/*
 * OK when no live object, nor the trailer, refers to a dead number.  Of the
 * objects of r, those that have an offset in live are looked at.
 * Errors: dead->first when one does, those of reading.
 */
enum pdfpipe_status pp_dead_unreferenced(const struct pp_dead *dead,
                                         struct pp_reading *r,
                                         const struct pp_xref *live,
                                         const struct pp_dead_tools *tools,
                                         struct pdfpipe_error *err);

#endif
