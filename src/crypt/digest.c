/* digest.c - sum of the hashes of a document's parts */
#include "crypt/digest.h"

#include <stdlib.h>

#include "crypt/suite_impl.h"

#define HASH_BYTES 32u

struct pp_digest {
    const EVP_MD *sha256;
    EVP_MD_CTX *ctx;
    bool begun;
};

enum pdfpipe_status
pp_digest_new(const struct pp_suite *suite, struct pp_digest **out,
              struct pdfpipe_error *err)
{
    struct pp_digest *d = calloc(1, sizeof *d);

    if (!d)
        return pp_fail_memory(err);
    d->sha256 = suite->sha256;
    d->ctx = EVP_MD_CTX_new();
    if (!d->ctx) {
        free(d);
        return pp_fail_memory(err);
    }
    *out = d;
    return PDFPIPE_OK;
}

void
pp_digest_free(struct pp_digest *d)
{
    if (!d)
        return;
    EVP_MD_CTX_free(d->ctx);
    free(d);
}

/* The same bytes on every machine, whatever its byte order. */
static void
put_le(uint8_t *to, uint64_t v, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        to[i] = (uint8_t)(v >> (8 * i));
}

static uint64_t
take_le64(const uint8_t *p)
{
    uint64_t v = 0;

    for (unsigned i = 0; i < 8; i++)
        v |= (uint64_t)p[i] << (8 * i);
    return v;
}

enum pdfpipe_status
pp_digest_begin(struct pp_digest *d, uint32_t object, uint32_t generation,
                uint64_t part, struct pdfpipe_error *err)
{
    uint8_t name[16]; /* fixed width: no two names and contents run together */

    d->begun = false;
    put_le(name, object, 4);
    put_le(name + 4, generation, 4);
    put_le(name + 8, part, 8);
    if (EVP_DigestInit_ex2(d->ctx, d->sha256, NULL) != 1 ||
        EVP_DigestUpdate(d->ctx, name, sizeof name) != 1)
        return pp_fail_crypto(err, "SHA-256");
    d->begun = true;
    return PDFPIPE_OK;
}

enum pdfpipe_status
pp_digest_update(struct pp_digest *d, const void *p, size_t n,
                 struct pdfpipe_error *err)
{
    PP_ASSERT(d->begun);
    if (EVP_DigestUpdate(d->ctx, p, n) != 1) {
        d->begun = false;
        return pp_fail_crypto(err, "SHA-256");
    }
    return PDFPIPE_OK;
}

enum pdfpipe_status
pp_digest_end(struct pp_digest *d, struct pp_tally *tally,
              struct pdfpipe_error *err)
{
    uint8_t hash[HASH_BYTES];

    PP_ASSERT(d->begun);
    d->begun = false;
    if (EVP_DigestFinal_ex(d->ctx, hash, NULL) != 1)
        return pp_fail_crypto(err, "SHA-256");
    for (unsigned i = 0; i < 4; i++)
        tally->sum[i] += take_le64(hash + (size_t)8 * i);
    tally->parts++;
    return PDFPIPE_OK;
}

void
pp_tally_add(struct pp_tally *to, const struct pp_tally *from)
{
    for (unsigned i = 0; i < 4; i++)
        to->sum[i] += from->sum[i];
    to->parts += from->parts;
}

bool
pp_tally_equal(const struct pp_tally *a, const struct pp_tally *b)
{
    bool equal = a->parts == b->parts;

    for (unsigned i = 0; i < 4; i++)
        equal = equal && a->sum[i] == b->sum[i];
    return equal;
}
