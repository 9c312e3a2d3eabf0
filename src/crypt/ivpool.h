/*
 * ivpool.h - initialisation vectors, 4,096 at a time
 *
 * One RAND_bytes(16) costs 2 to 6 us with OpenSSL 3, an IV out of a pool that
 * one call filled about 10 ns; a string costs less to encrypt than that call.
 * An IV is handed out once and forgotten.  One pool per worker.
 */
#ifndef PP_CRYPT_IVPOOL_H
#define PP_CRYPT_IVPOOL_H

#include "crypt/random.h"

#define PP_IV_BYTES  16u
#define PP_IV_POOLED 4096u

struct pp_ivpool {
    size_t left; /* IVs not handed out yet */
    uint8_t iv[PP_IV_POOLED][PP_IV_BYTES];
};

/* An empty pool; it fills itself at the first take. */
void pp_ivpool_init(struct pp_ivpool *pool);

/*
 * Writes IV number `index` of a document to out[16].
 * Errors: E_CRYPTO when the random source failed.
 */
enum pdfpipe_status pp_ivpool_take(struct pp_ivpool *pool, uint64_t document,
                                   uint64_t index, uint8_t out[PP_IV_BYTES],
                                   struct pdfpipe_error *err);

/* Wipes what is left. */
void pp_ivpool_fini(struct pp_ivpool *pool);

#endif
