/* kdf_test.c - is the password hash the one of the standard, and leaves it
 * nothing behind? */
#include "crypt/kdf.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include "check.h"
#include "crypt/secret.h"
#include "crypt/suite_impl.h"
#include "crypt_vectors.h"
#include "dies.h"
#include "guarded.h"

static struct pp_suite *suite;

static struct pp_kdf *
kdf_in(struct pp_vault *v)
{
    struct pp_kdf *k = NULL;

    if (!CHECK(pp_kdf_new(suite, v, &k, NULL) == PDFPIPE_OK, "kdf"))
        exit(check_report("kdf"));
    return k;
}

static struct pp_vault *
vault_of(size_t bytes)
{
    struct pp_vault *v = NULL;

    if (!CHECK(pp_vault_new(bytes, &v, NULL) == PDFPIPE_OK, "vault"))
        exit(check_report("kdf"));
    return v;
}

/* Arguments stand in buffers of their exact size before unmapped pages. */
static void
check_vector(struct pp_kdf *k, const struct kdf_vector *v)
{
    size_t n = strlen(v->password) / 2;
    uint8_t *password = guarded_new(n), *salt = guarded_new(PP_SALT_BYTES);
    uint8_t *u = v->u ? guarded_new(PP_U_BYTES) : NULL;
    uint8_t *out = guarded_new(PP_HASH_BYTES);
    struct pp_view view = { password, n };
    unsigned rounds = 0;

    vector_bytes(v->password, password, n);
    vector_bytes(v->salt, salt, PP_SALT_BYTES);
    if (u)
        vector_bytes(v->u, u, PP_U_BYTES);
    CHECK(pp_kdf_hash(k, view, salt, u, out, &rounds, NULL) == PDFPIPE_OK, "%s",
          v->name);
    CHECK(vector_is(v->hash, out, PP_HASH_BYTES), "%s", v->name);
    CHECK(rounds == v->rounds, "%s: %u rounds", v->name, rounds);
    memset(out, 0, PP_HASH_BYTES);
    CHECK(pp_kdf_hash(k, view, salt, u, out, NULL, NULL) == PDFPIPE_OK &&
              vector_is(v->hash, out, PP_HASH_BYTES),
          "%s, again and without rounds", v->name);
    guarded_free(password, n);
    guarded_free(salt, PP_SALT_BYTES);
    if (u)
        guarded_free(u, PP_U_BYTES);
    guarded_free(out, PP_HASH_BYTES);
}

/* One object, both ways round: no hash depends on the one before. */
static void
known_answers_hold(struct pp_kdf *k)
{
    for (size_t i = 0; i < kdf_vector_count; i++)
        check_vector(k, &kdf_vectors[i]);
    for (size_t i = kdf_vector_count; i-- > 0;)
        check_vector(k, &kdf_vectors[i]);
}

/* Algorithm 2.B as the standard writes it, one-shot calls and the remainder
 * of a 128-bit number by long division.  Returns the number of rounds. */
static unsigned
plain_hash(const uint8_t *pw, size_t pw_len, const uint8_t salt[8],
           const uint8_t *u, uint8_t out[32])
{
    const EVP_MD *mds[] = { EVP_sha256(), EVP_sha384(), EVP_sha512() };
    static uint8_t k1[64 * 239], e[64 * 239];
    uint8_t k[64], first[183];
    size_t u_len = u ? 48 : 0, k1_len, n = 0;
    unsigned rounds = 0, md_len = 32;

    memcpy(first, pw, pw_len);
    memcpy(first + pw_len, salt, 8);
    if (u)
        memcpy(first + pw_len + 8, u, 48);
    if (EVP_Digest(first, pw_len + 8 + u_len, k, &md_len, mds[0], NULL) != 1)
        abort();
    do {
        EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
        unsigned rest = 0;
        int done = 0;

        k1_len = 0;
        for (unsigned i = 0; i < 64; i++) {
            memcpy(k1 + k1_len, pw, pw_len);
            memcpy(k1 + k1_len + pw_len, k, md_len);
            if (u)
                memcpy(k1 + k1_len + pw_len + md_len, u, 48);
            k1_len += pw_len + md_len + u_len;
        }
        if (!ctx ||
            EVP_EncryptInit_ex(ctx, EVP_aes_128_cbc(), NULL, k, k + 16) != 1 ||
            EVP_CIPHER_CTX_set_padding(ctx, 0) != 1 ||
            EVP_EncryptUpdate(ctx, e, &done, k1, (int)k1_len) != 1)
            abort();
        EVP_CIPHER_CTX_free(ctx);
        n = (size_t)done;
        for (unsigned i = 0; i < 16; i++)
            rest = (rest * 256 + e[i]) % 3;
        if (EVP_Digest(e, n, k, &md_len, mds[rest], NULL) != 1)
            abort();
        rounds++;
    } while (rounds < 64 || e[n - 1] > rounds - 32);
    memcpy(out, k, 32);
    return rounds;
}

/* Every length of password, as user and as owner. */
static void
every_length_equals_the_plain_form(struct pp_kdf *k)
{
    uint8_t pw[PP_PASSWORD_MAX], u[48], salt[8], want[32], out[32];
    uint32_t seed = 1;

    for (size_t n = 0; n <= PP_PASSWORD_MAX; n++) {
        const uint8_t *with = n % 2 ? u : NULL;
        unsigned rounds = 0, plain;

        for (size_t i = 0; i < n + 56; i++) {
            seed = seed * 1664525u + 1013904223u;
            if (i < n)
                pw[i] = (uint8_t)(seed >> 24);
            else if (i < n + 48)
                u[i - n] = (uint8_t)(seed >> 24);
            else
                salt[i - n - 48] = (uint8_t)(seed >> 24);
        }
        plain = plain_hash(pw, n, salt, with, want);
        CHECK(pp_kdf_hash(k, (struct pp_view){ pw, n }, salt, with, out,
                          &rounds, NULL) == PDFPIPE_OK,
              "%zu bytes", n);
        CHECK(memcmp(out, want, 32) == 0 && rounds == plain,
              "%zu bytes, %u rounds for %u", n, rounds, plain);
    }
}

static void
an_empty_view_is_an_empty_password(struct pp_kdf *k)
{
    const struct kdf_vector *v = &kdf_vectors[0];
    uint8_t salt[8], out[32];

    vector_bytes(v->salt, salt, sizeof salt);
    CHECK(pp_kdf_hash(k, (struct pp_view){ NULL, 0 }, salt, NULL, out, NULL,
                      NULL) == PDFPIPE_OK &&
              vector_is(v->hash, out, 32),
          "%s", v->name);
}

static bool
all_zero(const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i])
            return false;
    return true;
}

static void
scratch_is_wiped_after_each_hash(void)
{
    enum { BYTES = 16384 };
    struct pp_vault *v = vault_of(BYTES);
    uint8_t *first = pp_secret_new(v, 1), out[32], salt[8] = { 0 };
    struct pp_kdf *k;

    pp_secret_free(v, first, 1);
    k = kdf_in(v); /* its scratch begins at `first` */
    CHECK(pp_kdf_hash(k, (struct pp_view){ (const uint8_t *)"secret", 6 }, salt,
                      NULL, out, NULL, NULL) == PDFPIPE_OK,
          "hash");
    CHECK(all_zero(first, BYTES), "nothing is left in the vault");
    pp_kdf_free(k);
    pp_vault_free(v);
    pp_kdf_free(NULL);
}

static void
a_full_vault_is_an_error(void)
{
    struct pp_vault *v = vault_of(4096);
    struct pdfpipe_error err = { 0 };
    struct pp_kdf *k = NULL;

    CHECK(pp_kdf_new(suite, v, &k, &err) == PDFPIPE_E_NO_MEMORY && !k, "%s",
          err.message);
    pp_vault_free(v); /* and nothing of it is taken */
}

static void
hash_128_bytes(void *arg)
{
    uint8_t pw[PP_PASSWORD_MAX + 1] = { 0 }, salt[8] = { 0 }, out[32];

    (void)pp_kdf_hash(arg, (struct pp_view){ pw, sizeof pw }, salt, NULL, out,
                      NULL, NULL);
}

int
main(void)
{
    struct pp_vault *v;
    struct pp_kdf *k;

    if (!CHECK(pp_suite_new(&suite, NULL) == PDFPIPE_OK, "suite"))
        return check_report("kdf");
    v = vault_of(16384);
    k = kdf_in(v);
    CHECK(pp_kdf_suite(k) == suite, "suite is handed back");
    known_answers_hold(k);
    every_length_equals_the_plain_form(k);
    an_empty_view_is_an_empty_password(k);
    scratch_is_wiped_after_each_hash();
    a_full_vault_is_an_error();
    CHECK(dies_of(hash_128_bytes, k) == SIGABRT, "a password too long");
    pp_kdf_free(k);
    pp_vault_free(v);
    pp_suite_free(suite);
    return check_report("kdf");
}
