/*
 * kdf.c - the revision 6 password hash (ISO 32000-2, algorithm 2.B)
 *
 * Nearly all of the time is spent inside libcrypto: one CBC encryption and one
 * hash of 2 to 15 KiB per round.  What can be avoided around them is avoided:
 * contexts are kept, a round is one call of each, and it works in place.
 *
 * The choice of the hash and the number of rounds depend on secret data.  That
 * is the standard's doing; no implementation can run in constant time.
 */
#include "crypt/kdf.h"

#include <stdlib.h>
#include <string.h>

#include "crypt/secret.h"
#include "crypt/suite_impl.h"

#define REPEATS    64u
#define ROUNDS_MIN 64u
#define ROUNDS_MAX 287u /* the last byte of E is at most 255 = 287 - 32 */
#define K_MAX      64u

enum { SHA_256, SHA_384, SHA_512, HASHES };

struct scratch {
    uint8_t k[K_MAX];
    uint8_t text[REPEATS * (PP_PASSWORD_MAX + K_MAX + PP_U_BYTES)];
};

struct pp_kdf {
    const struct pp_suite *suite;
    struct pp_vault *vault;
    struct scratch *scratch; /* in the vault */
    EVP_CIPHER_CTX *aes;
    EVP_MD_CTX *md[HASHES];
};

/* What goes into a hash besides its salt. */
struct secret_input {
    struct pp_view password;
    struct pp_view u; /* 48 bytes or none */
};

enum pdfpipe_status
pp_kdf_new(const struct pp_suite *suite, struct pp_vault *vault,
           struct pp_kdf **out, struct pdfpipe_error *err)
{
    struct pp_kdf *k = calloc(1, sizeof *k);
    bool complete;

    if (!k)
        return pp_fail_memory(err);
    k->suite = suite;
    k->vault = vault;
    k->scratch = pp_secret_new(vault, sizeof *k->scratch);
    k->aes = EVP_CIPHER_CTX_new();
    complete = k->scratch && k->aes;
    for (int i = 0; i < HASHES; i++) {
        k->md[i] = EVP_MD_CTX_new();
        complete = complete && k->md[i];
    }
    if (!complete) {
        pp_kdf_free(k);
        return pp_fail_memory(err);
    }
    *out = k;
    return PDFPIPE_OK;
}

void
pp_kdf_free(struct pp_kdf *k)
{
    if (!k)
        return;
    for (int i = 0; i < HASHES; i++)
        EVP_MD_CTX_free(k->md[i]);
    EVP_CIPHER_CTX_free(k->aes);
    pp_secret_free(k->vault, k->scratch, sizeof *k->scratch);
    free(k);
}

const struct pp_suite *
pp_kdf_suite(const struct pp_kdf *k)
{
    return k->suite;
}

/* Makes the contexts ready for the rounds; K is set in each of them. */
static bool
prepare(struct pp_kdf *k)
{
    const struct pp_suite *s = k->suite;

    return EVP_EncryptInit_ex2(k->aes, s->aes_128_cbc, NULL, NULL, NULL) == 1 &&
           EVP_CIPHER_CTX_set_padding(k->aes, 0) == 1 &&
           EVP_DigestInit_ex2(k->md[SHA_256], s->sha256, NULL) == 1 &&
           EVP_DigestInit_ex2(k->md[SHA_384], s->sha384, NULL) == 1 &&
           EVP_DigestInit_ex2(k->md[SHA_512], s->sha512, NULL) == 1;
}

/* Nothing of the password stays: contexts hold the last key and block. */
static void
forget(struct pp_kdf *k)
{
    /* Both only free memory here and cannot fail. */
    (void)EVP_CIPHER_CTX_reset(k->aes);
    for (int i = 0; i < HASHES; i++)
        (void)EVP_MD_CTX_reset(k->md[i]);
    pp_wipe(k->scratch, sizeof *k->scratch);
}

/* K = SHA-256(password, salt, u) */
static bool
first_k(struct pp_kdf *k, const struct secret_input *in,
        const uint8_t salt[PP_SALT_BYTES])
{
    EVP_MD_CTX *md = k->md[SHA_256];

    return EVP_DigestUpdate(md, in->password.p, in->password.n) == 1 &&
           EVP_DigestUpdate(md, salt, PP_SALT_BYTES) == 1 &&
           EVP_DigestUpdate(md, in->u.p, in->u.n) == 1 &&
           EVP_DigestFinal_ex(md, k->scratch->k, NULL) == 1;
}

static uint8_t *
append(uint8_t *to, struct pp_view v)
{
    if (v.n > 0)
        memcpy(to, v.p, v.n);
    return to + v.n;
}

/* Fills scratch->text with 64 times (password, K, u); returns its length. */
static size_t
fill_text(struct scratch *s, const struct secret_input *in, size_t k_len)
{
    uint8_t *end = s->text;
    size_t once, all;

    end = append(end, in->password);
    end = append(end, (struct pp_view){ s->k, k_len });
    end = append(end, in->u);
    once = (size_t)(end - s->text);
    all = once * REPEATS;
    PP_ASSERT(all <= sizeof s->text);
    for (size_t n = once; n < all; n *= 2)
        memcpy(s->text + n, s->text, n);
    return all;
}

/* E[0..15] as a number mod 3; 256 mod 3 is 1, so the sum of bytes does. */
static unsigned
choose_hash(const uint8_t e[16])
{
    unsigned sum = 0;

    for (int i = 0; i < 16; i++)
        sum += e[i];
    return sum % 3;
}

/* One round: K of *k_len bytes becomes the next one; *last = last byte of E. */
static bool
run_round(struct pp_kdf *k, const struct secret_input *in, size_t *k_len,
          uint8_t *last)
{
    struct scratch *s = k->scratch;
    size_t n = fill_text(s, in, *k_len);
    int done = 0;
    unsigned hash, hash_len = 0;

    if (EVP_EncryptInit_ex2(k->aes, NULL, s->k, s->k + 16, NULL) != 1 ||
        EVP_EncryptUpdate(k->aes, s->text, &done, s->text, (int)n) != 1)
        return false;
    PP_ASSERT((size_t)done == n);
    *last = s->text[n - 1];

    hash = choose_hash(s->text);
    if (EVP_DigestInit_ex2(k->md[hash], NULL, NULL) != 1 ||
        EVP_DigestUpdate(k->md[hash], s->text, n) != 1 ||
        EVP_DigestFinal_ex(k->md[hash], s->k, &hash_len) != 1)
        return false;
    *k_len = hash_len;
    return true;
}

enum pdfpipe_status
pp_kdf_hash(struct pp_kdf *k, struct pp_view password,
            const uint8_t salt[PP_SALT_BYTES], const uint8_t u[PP_U_BYTES],
            uint8_t out[PP_HASH_BYTES], unsigned *rounds,
            struct pdfpipe_error *err)
{
    const struct secret_input in = { password, { u, u ? PP_U_BYTES : 0 } };
    enum pdfpipe_status st = PDFPIPE_OK;
    size_t k_len = PP_HASH_BYTES;
    unsigned n = 0;
    uint8_t last = 0;

    PP_ASSERT(password.n <= PP_PASSWORD_MAX);
    if (!prepare(k) || !first_k(k, &in, salt)) {
        st = pp_fail_crypto(err, "password hash");
        goto out_forget;
    }
    do {
        PP_ASSERT(n < ROUNDS_MAX);
        if (!run_round(k, &in, &k_len, &last)) {
            st = pp_fail_crypto(err, "password hash");
            goto out_forget;
        }
        n++;
    } while (n < ROUNDS_MIN || last > n - 32);

    memcpy(out, k->scratch->k, PP_HASH_BYTES);
    if (rounds)
        *rounds = n;
out_forget:
    forget(k);
    return st;
}
