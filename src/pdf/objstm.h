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

struct pp_member {
    uint32_t number;
    uint32_t at; /* offset in the decoded data, below their size */
};

/*
 * Reads the pairs of decoded data.  dict is the stream's dictionary (/N and
 * /First).  *out is malloc'ed and the caller's, *count what it holds: /N, or
 * less when there are fewer pairs.  Members whose number or offset cannot be
 * are left in with number 0.
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
