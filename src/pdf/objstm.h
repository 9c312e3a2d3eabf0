/*
 * objstm.h - the members of an object stream (ISO 32000-2, 7.5.7)
 *
 * The decoded data begin with N pairs "number offset"; the offsets count from
 * byte First, where the objects stand one after the other.
 */
#ifndef PP_PDF_OBJSTM_H
#define PP_PDF_OBJSTM_H

#include "base/buf.h"
#include "base/fail.h"
#include "pdf/words.h"

struct pp_member {
    uint32_t number;
    uint32_t at; /* offset in the decoded data, below their size */
};

/* The pairs of data that come in pieces. */
struct pp_pairs {
    struct pp_words words;
    uint64_t left;         /* pairs that are not told               */
    uint64_t first;        /* bytes in which they stand ...         */
    uint64_t fed;          /* ... of which were shown               */
    uint64_t size;         /* of the decoded data                   */
    struct pp_word number; /* of the pair whose offset has not come */
    bool half;             /* ... if there is one                   */
};

/*
 * dict is the stream's dictionary (/N and /First), size that of the decoded
 * data.  Errors: E_DAMAGED_STREAM when they do not fit each other.
 */
enum pdfpipe_status pp_pairs_init(struct pp_pairs *p, struct pp_view dict,
                                  uint64_t size, struct pdfpipe_error *err);

/* The next piece of the decoded data, from their first byte on; borrowed. */
void pp_pairs_feed(struct pp_pairs *p, struct pp_view piece);

/*
 * The next pair; false: no more in this piece.  There are /N, or less when
 * fewer stand there.  One whose number or offset cannot be has number 0.
 */
bool pp_pairs_next(struct pp_pairs *p, struct pp_member *member);

/* Can no more pairs come, whatever is shown? */
static inline bool
pp_pairs_over(const struct pp_pairs *p)
{
    return p->left == 0 || p->fed == p->first;
}

/*
 * All pairs of decoded data.  *out is malloc'ed and the caller's, *count what
 * it holds.
 * Errors: E_DAMAGED_STREAM, E_NO_MEMORY; then *out is not set.
 */
enum pdfpipe_status pp_objstm_members(struct pp_view dict, struct pp_view data,
                                      struct pp_member **out, size_t *count,
                                      struct pdfpipe_error *err);

/* The value of one member, from its first token to its last; empty when it is
 * not closed. */
struct pp_view pp_objstm_value(struct pp_view data,
                               const struct pp_member *member);

#endif
