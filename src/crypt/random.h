/*
 * random.h - the one source of randomness
 *
 * Salts, file keys, IVs and document identifiers all come from here.  The
 * programs link random.c (the DRBG of libcrypto, seeded by the kernel); the
 * golden tests link a source whose bytes follow from `place` alone, so that
 * their output can be compared.
 */
#ifndef PP_CRYPT_RANDOM_H
#define PP_CRYPT_RANDOM_H

#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"

/*
 * A place names one draw of a run and is never used twice in it: the document
 * (sequence number in the run) and what is drawn.  The real source ignores it.
 */
struct pp_place {
    uint64_t document;
    uint64_t draw;
};

/* Draws other than IVs; IV i of a document has draw PP_DRAW_IV + i. */
enum {
    PP_DRAW_FILE_KEY,
    PP_DRAW_SALTS,
    PP_DRAW_PERMS,
    PP_DRAW_ID,
    PP_DRAW_OWNER_PASSWORD,
    PP_DRAW_IV = 16,
};

/* Errors: E_CRYPTO; the bytes must not be used then. */
enum pdfpipe_status pp_random_fill(struct pp_place place, void *p, size_t n,
                                   struct pdfpipe_error *err);

/*
 * True when bytes do not depend on the place, so that many draws may be made
 * by one call and handed out in any order (see ivpool.h).
 */
bool pp_random_pools(void);

#endif
