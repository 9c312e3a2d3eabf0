/*
 * secrets_ct.c - does a branch or an address depend on a key or a plaintext?
 *
 * For valgrind's memcheck: secrets are called undefined, and it follows them
 * and complains when one decides where the program goes or what it reads.
 * Each step checks that no complaint came up, and that the secret did arrive
 * in the result (else nothing was checked).
 *
 * Left out, because they cannot be constant in time: algorithm 2.B, where the
 * standard lets secret data choose the hash and the number of rounds (a
 * stand-in takes its place here), and the preparation of password text.
 * Public: whether a password fits, and the content of /Perms.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>

#include "check.h"
#include "crypt/engine_impl.h"
#include "crypt/handler_job.h"
#include "crypt/suite_impl.h"

#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>

static struct pp_suite *suite;
static unsigned long seen; /* complaints before this step */

static void
step(const char *what)
{
    unsigned long now = VALGRIND_COUNT_ERRORS;

    CHECK(now == seen, "%s: %lu complaints", what, now - seen);
    seen = now;
}

static void
classify(void *p, size_t n)
{
    VALGRIND_MAKE_MEM_UNDEFINED(p, n);
}

static void
declassify(void *p, size_t n)
{
    VALGRIND_MAKE_MEM_DEFINED(p, n);
}

/* True when each of the n bytes (up to 256) depends on a secret. */
static bool
is_secret(const void *p, size_t n)
{
    unsigned char bits[256], none = 0;

    if (n > sizeof bits || VALGRIND_GET_VBITS(p, bits, n) != 1)
        return false;
    for (size_t i = 0; i < n; i++)
        none |= bits[i] == 0;
    return !none;
}

/* Stands before libcrypto's: the verdict of a comparison is public. */
int
CRYPTO_memcmp(const void *a, const void *b, size_t n)
{
    int (*real)(const void *, const void *, size_t);
    void *found = dlsym(RTLD_NEXT, "CRYPTO_memcmp");
    int result;

    if (!found)
        abort();
    memcpy(&real, &found, sizeof real);
    result = real(a, b, n);
    declassify(&result, sizeof result);
    return result;
}

/* Stand before kdf.c: a secret hash in no time.  `hash_byte` fills it. */
static uint8_t hash_byte;

const struct pp_suite *
pp_kdf_suite(const struct pp_kdf *k)
{
    (void)k;
    return suite;
}

enum pdfpipe_status
pp_kdf_hash(struct pp_kdf *k, struct pp_view password,
            const uint8_t salt[PP_SALT_BYTES], const uint8_t u[PP_U_BYTES],
            uint8_t out[PP_HASH_BYTES], unsigned *rounds,
            struct pdfpipe_error *err)
{
    (void)k;
    (void)password;
    (void)salt;
    (void)u;
    (void)rounds;
    (void)err;
    memset(out, hash_byte, PP_HASH_BYTES);
    classify(out, PP_HASH_BYTES);
    return PDFPIPE_OK;
}

/* Answers what a job asks for. */
static void
answer(struct pp_handler_job *j)
{
    for (size_t i = 0; i < PP_HANDLER_HASHES; i++)
        (void)pp_kdf_hash(NULL, j->request[i].password, j->request[i].salt,
                          j->request[i].u, j->request[i].out, NULL, NULL);
}

static void
engine_keeps_keys_and_texts_secret(const struct pp_engine_kind *kind)
{
    /* Lengths of all kinds, so that lanes end and are filled again. */
    uint8_t key[32] = { 7 }, text[20][100], out[20][112], back[20][112];
    struct pp_lane lane[20];
    struct pp_engine *e = NULL;

    if (!CHECK(pp_engine_new_kind(kind, suite, &e, NULL) == PDFPIPE_OK, "%s",
               kind->name))
        return;
    memset(text, 1, sizeof text);
    for (size_t i = 0; i < 20; i++)
        lane[i] = (struct pp_lane){ text[i], out[i], 100 - 5 * i, { 9 }, true };
    classify(key, sizeof key);
    classify(text, sizeof text);
    CHECK(pp_engine_set_key(e, key, NULL) == PDFPIPE_OK, "key");
    step("set_key");
    CHECK(pp_engine_encrypt(e, lane, 20, NULL) == PDFPIPE_OK, "encrypt");
    step("encrypt");
    for (size_t i = 0; i < 20; i++) {
        size_t n = (lane[i].len / 16 + 1) * 16;

        CHECK(is_secret(out[i], n), "%s: ciphertext %zu", kind->name, i);
        declassify(out[i], n);
        lane[i] = (struct pp_lane){ out[i], back[i], n, { 9 }, true };
    }
    CHECK(pp_engine_decrypt(e, lane, 20, NULL) == PDFPIPE_OK, "decrypt");
    step("decrypt");
    for (size_t i = 0; i < 20; i++)
        CHECK(is_secret(back[i], lane[i].len), "%s: plaintext %zu", kind->name,
              i);
    pp_engine_free(e);
    step("free");
}

/* Of those that this machine can run; valgrind knows no AVX-512. */
static void
engines_keep_keys_and_texts_secret(void)
{
    for (size_t i = 0; i < pp_engine_kind_count; i++)
        if (pp_engine_kinds[i].suits())
            engine_keeps_keys_and_texts_secret(&pp_engine_kinds[i]);
        else
            check_skip("%s", pp_engine_kinds[i].name);
}

static void
padding_is_not_told_by_time(void)
{
    static const uint8_t lasts[] = { 0, 1, 5, 16, 17, 255 };
    static const unsigned want[] = { 0, 1, 5, 16, 0, 0 };

    for (size_t i = 0; i < sizeof lasts; i++) {
        uint8_t text[32];
        unsigned padding;

        memset(text, lasts[i], sizeof text);
        classify(text, sizeof text);
        padding = pp_padding(text, sizeof text);
        step("padding");
        CHECK(is_secret(&padding, 1), "it depends on the text");
        declassify(&padding, sizeof padding);
        CHECK(padding == want[i], "row %zu: %u", i, padding);
    }
}

static void
handlers_compare_in_constant_time(void)
{
    static const struct pp_handler_seed seed = { { { 4 } }, { 5 } };
    struct pp_handler h = { .p = pp_handler_p(0) };
    struct pp_view none = { NULL, 0 };
    uint8_t key[32] = { 3 }, out[32];
    struct pp_opened opened[2];
    struct pp_handler_job j;
    enum pp_role role;

    classify(key, sizeof key);
    hash_byte = 1;
    pp_handler_job_make(&j, &h, none, none, &seed);
    answer(&j);
    CHECK(pp_handler_job_made(&j, suite, key, NULL) == PDFPIPE_OK, "make");
    step("make");
    CHECK(is_secret(h.ue, 32) && is_secret(h.oe, 32) && is_secret(h.perms, 16),
          "values depend on the key");
    declassify(&h, sizeof h);

    for (hash_byte = 1; hash_byte <= 2; hash_byte++) {
        CHECK(pp_handler_open(NULL, &h, none, out, &role, NULL) == PDFPIPE_OK,
              "open");
        step("open");
        CHECK(role == (hash_byte == 1 ? PP_ROLE_OWNER : PP_ROLE_NONE), "%d",
              role);
        pp_handler_job_open(&j, &h, none, none);
        answer(&j);
        CHECK(pp_handler_job_opened(&j, suite, opened, NULL) == PDFPIPE_OK,
              "job");
        step("job");
        CHECK(opened[0].fits == (hash_byte == 1) &&
                  opened[1].fits == (hash_byte == 1),
              "%u", hash_byte);
        CHECK(hash_byte != 1 || is_secret(opened[0].file_key, 32),
              "the file key is one");
    }
    CHECK(is_secret(out, 32), "the file key is one");
}

int
main(void)
{
    if (!RUNNING_ON_VALGRIND) {
        check_skip("not run by valgrind");
        return check_report("secrets_ct");
    }
    if (!CHECK(pp_suite_new(&suite, NULL) == PDFPIPE_OK, "suite"))
        return check_report("secrets_ct");
    seen = VALGRIND_COUNT_ERRORS;
    engines_keep_keys_and_texts_secret();
    padding_is_not_told_by_time();
    handlers_compare_in_constant_time();
    pp_suite_free(suite);
    return check_report("secrets_ct");
}

#else

int
main(void)
{
    check_skip("built without the headers of valgrind");
    return check_report("secrets_ct");
}

#endif
