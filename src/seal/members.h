/*
 * members.h - what is learnt from an object stream, which itself stays whole
 */
#ifndef PP_SEAL_MEMBERS_H
#define PP_SEAL_MEMBERS_H

#include "base/input.h"
#include "seal/sealer.h"

/* An object stream, in memory or in the source. */
struct pp_objstm {
    uint32_t number;
    struct pp_view dict;
    const struct pp_input *input;
    uint64_t offset; /* of its data in the input */
    uint64_t length;
};

/*
 * Decodes it and adds to the stretch a row for each live member, the highest
 * reference in it, and a warning for each member whose index is wrong.  One
 * that cannot be decoded is noted as opaque: its entries are taken from the
 * source as they are.
 * window is scratch for a piece of the decoded data; memory does not grow with
 * them, but with the live members only.
 * Errors: E_LIMIT, E_NO_MEMORY, those of the input.
 */
enum pdfpipe_status pp_members_read(struct pp_stretch *t,
                                    const struct pp_objstm *o,
                                    const struct pp_seal_context *c,
                                    struct pp_buf *window,
                                    struct pdfpipe_error *err);

#endif
