/*
 * set_random.h - random.h for one test program: bytes that the test chooses
 *
 * Included in one file of the program; it stands before the library, so
 * random.o stays in the archive.  IV number i of document d is
 *     d, i, 0xa5, 0xa5, ...   (the numbers as 4 bytes each, lowest first)
 * unless the test sets another, and a draw can be made to fail.
 */
#ifndef TESTS_SET_RANDOM_H
#define TESTS_SET_RANDOM_H

#include <string.h>

#include "crypt/random.h"

static const unsigned char *set_random_bytes; /* given out, if not NULL */
static bool set_random_fails;

static void
set_random_iv(uint64_t document, uint64_t number, unsigned char out[16])
{
    memset(out, 0xa5, 16);
    for (unsigned i = 0; i < 4; i++) {
        out[i] = (unsigned char)(document >> 8 * i);
        out[4 + i] = (unsigned char)(number >> 8 * i);
    }
}

enum pdfpipe_status
pp_random_fill(struct pp_place place, void *p, size_t n,
               struct pdfpipe_error *err)
{
    unsigned char iv[16];

    if (set_random_fails)
        return pp_fail(err, PDFPIPE_E_CRYPTO, "no random bytes");
    set_random_iv(place.document, place.draw - PP_DRAW_IV, iv);
    for (size_t i = 0; i < n; i += sizeof iv)
        memcpy((unsigned char *)p + i, set_random_bytes ? set_random_bytes : iv,
               n - i < sizeof iv ? n - i : sizeof iv);
    return PDFPIPE_OK;
}

bool
pp_random_pools(void)
{
    return false;
}

#endif
