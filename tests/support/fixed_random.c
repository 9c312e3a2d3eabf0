/*
 * fixed_random.c - random.h for golden tests: bytes follow from the place
 *
 * Stands before the library on the linker's command line and defines what
 * random.c defines, so that random.o stays in the archive.  The bytes of a
 * draw are SHA-256(document, draw, 0), SHA-256(document, draw, 1), ..., each
 * number as 8 bytes, lowest first.  Nothing made with it is secret.
 */
#include "crypt/random.h"

#include <string.h>

#include <openssl/sha.h>

static void
put_le64(uint8_t to[8], uint64_t v)
{
    for (unsigned i = 0; i < 8; i++)
        to[i] = (uint8_t)(v >> (8 * i));
}

enum pdfpipe_status
pp_random_fill(struct pp_place place, void *p, size_t n,
               struct pdfpipe_error *err)
{
    uint8_t text[24], block[SHA256_DIGEST_LENGTH], *to = p;

    put_le64(text, place.document);
    put_le64(text + 8, place.draw);
    for (uint64_t counter = 0; n > 0; counter++) {
        size_t piece = n < sizeof block ? n : sizeof block;

        put_le64(text + 16, counter);
        if (!SHA256(text, sizeof text, block))
            return pp_fail(err, PDFPIPE_E_CRYPTO, "SHA-256 failed");
        memcpy(to, block, piece);
        to += piece;
        n -= piece;
    }
    return PDFPIPE_OK;
}

bool
pp_random_pools(void)
{
    return false;
}
