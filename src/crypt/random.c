/* random.c - the one source of randomness: libcrypto's DRBG */
#include "crypt/random.h"

#include <limits.h>

#include <openssl/rand.h>

#include "crypt/suite_impl.h"

/*
 * What stays secret for ever comes from a generator of its own, so that the
 * many public bytes (IVs, salts) say nothing about the state behind it.
 */
static bool
is_secret(uint64_t draw)
{
    return draw == PP_DRAW_FILE_KEY || draw == PP_DRAW_OWNER_PASSWORD;
}

enum pdfpipe_status
pp_random_fill(struct pp_place place, void *p, size_t n,
               struct pdfpipe_error *err)
{
    int (*fill)(unsigned char *, int) =
        is_secret(place.draw) ? RAND_priv_bytes : RAND_bytes;
    unsigned char *to = p;

    while (n > 0) {
        int piece = n < INT_MAX ? (int)n : INT_MAX;

        if (fill(to, piece) != 1)
            return pp_fail_crypto(err, "random bytes");
        to += piece;
        n -= (size_t)piece;
    }
    return PDFPIPE_OK;
}

bool
pp_random_pools(void)
{
    return true;
}
