/*
 * crypt_fault_test.c - what if the n-th call of libcrypto fails, for all n?
 *
 * The functions below stand before those of libcrypto.  A scenario runs with
 * call 0 failing, then call 1, and so on until it comes through: each failure
 * must be reported as one, leave no error in libcrypto's queue and no part in
 * the vault (pp_vault_free() looks), and, under a sanitizer, no memory.
 */
#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include "check.h"
#include "crypt/digest.h"
#include "crypt/engine_impl.h"
#include "crypt/handler_job.h"
#include "crypt/ivpool.h"
#include "crypt/secret.h"
#include "crypt/suite_impl.h"

static long fuse = -1; /* calls until one fails; negative: none does */
static bool blown;
static bool rare_only; /* calls that a password hash makes do not count */

/* With pretend, EVP_CipherUpdate does nothing but count. */
static bool pretend;
static uint64_t pretended_bytes;
static unsigned pretended_calls, pretended_badly;

static bool
blow(void)
{
    if (fuse < 0 || fuse-- > 0)
        return false;
    blown = true;
    ERR_raise(ERR_LIB_EVP, ERR_R_INTERNAL_ERROR);
    return true;
}

/* For the calls of which a password hash makes hundreds. */
static bool
blow_often(void)
{
    return !rare_only && blow();
}

/* Sets *fn to the function of libcrypto with this name. */
static void
find_real(void *fn, const char *name)
{
    void *p = dlsym(RTLD_NEXT, name);

    if (!p)
        abort();
    memcpy(fn, &p, sizeof p);
}

#define REAL(name)                                                             \
    static __typeof__(&(name)) real;                                           \
    if (!real)                                                                 \
    find_real(&real, #name)

EVP_CIPHER *
EVP_CIPHER_fetch(OSSL_LIB_CTX *lib, const char *name, const char *properties)
{
    REAL(EVP_CIPHER_fetch);
    return blow() ? NULL : real(lib, name, properties);
}

EVP_MD *
EVP_MD_fetch(OSSL_LIB_CTX *lib, const char *name, const char *properties)
{
    REAL(EVP_MD_fetch);
    return blow() ? NULL : real(lib, name, properties);
}

EVP_CIPHER_CTX *
EVP_CIPHER_CTX_new(void)
{
    REAL(EVP_CIPHER_CTX_new);
    return blow() ? NULL : real();
}

EVP_MD_CTX *
EVP_MD_CTX_new(void)
{
    REAL(EVP_MD_CTX_new);
    return blow() ? NULL : real();
}

int
EVP_EncryptInit_ex2(EVP_CIPHER_CTX *ctx, const EVP_CIPHER *cipher,
                    const unsigned char *key, const unsigned char *iv,
                    const OSSL_PARAM params[])
{
    REAL(EVP_EncryptInit_ex2);
    return blow_often() ? 0 : real(ctx, cipher, key, iv, params);
}

int
EVP_DecryptInit_ex2(EVP_CIPHER_CTX *ctx, const EVP_CIPHER *cipher,
                    const unsigned char *key, const unsigned char *iv,
                    const OSSL_PARAM params[])
{
    REAL(EVP_DecryptInit_ex2);
    return blow() ? 0 : real(ctx, cipher, key, iv, params);
}

int
EVP_CipherInit_ex2(EVP_CIPHER_CTX *ctx, const EVP_CIPHER *cipher,
                   const unsigned char *key, const unsigned char *iv,
                   int encrypt, const OSSL_PARAM params[])
{
    REAL(EVP_CipherInit_ex2);
    return blow() ? 0 : real(ctx, cipher, key, iv, encrypt, params);
}

int
EVP_CIPHER_CTX_set_padding(EVP_CIPHER_CTX *ctx, int padding)
{
    REAL(EVP_CIPHER_CTX_set_padding);
    return blow() ? 0 : real(ctx, padding);
}

int
EVP_EncryptUpdate(EVP_CIPHER_CTX *ctx, unsigned char *out, int *out_len,
                  const unsigned char *in, int n)
{
    REAL(EVP_EncryptUpdate);
    return blow_often() ? 0 : real(ctx, out, out_len, in, n);
}

int
EVP_CipherUpdate(EVP_CIPHER_CTX *ctx, unsigned char *out, int *out_len,
                 const unsigned char *in, int n)
{
    REAL(EVP_CipherUpdate);
    if (!pretend)
        return blow() ? 0 : real(ctx, out, out_len, in, n);
    pretended_calls++;
    if (n <= 0 || n % 16 != 0)
        pretended_badly++;
    else
        pretended_bytes += (uint64_t)n;
    *out_len = n;
    return 1;
}

int
EVP_DigestInit_ex2(EVP_MD_CTX *ctx, const EVP_MD *md, const OSSL_PARAM params[])
{
    REAL(EVP_DigestInit_ex2);
    return blow_often() ? 0 : real(ctx, md, params);
}

int
EVP_DigestUpdate(EVP_MD_CTX *ctx, const void *p, size_t n)
{
    REAL(EVP_DigestUpdate);
    return blow_often() ? 0 : real(ctx, p, n);
}

int
EVP_DigestFinal_ex(EVP_MD_CTX *ctx, unsigned char *out, unsigned *n)
{
    REAL(EVP_DigestFinal_ex);
    return blow_often() ? 0 : real(ctx, out, n);
}

int
RAND_bytes(unsigned char *p, int n)
{
    REAL(RAND_bytes);
    return blow() ? 0 : real(p, n);
}

int
RAND_priv_bytes(unsigned char *p, int n)
{
    REAL(RAND_priv_bytes);
    return blow() ? -1 : real(p, n);
}

/* What the scenarios need and does not fail in them. */
static struct pp_suite *suite;

static enum pdfpipe_status
make_suite(struct pdfpipe_error *err)
{
    struct pp_suite *s = NULL;
    enum pdfpipe_status st = pp_suite_new(&s, err);

    pp_suite_free(s);
    return st;
}

/* The engine that does its work with libcrypto: the last kind. */
static enum pdfpipe_status
evp_new(struct pp_engine **e, struct pdfpipe_error *err)
{
    return pp_engine_new_kind(&pp_engine_kinds[pp_engine_kind_count - 1], suite,
                              e, err);
}

static enum pdfpipe_status
use_engine(struct pdfpipe_error *err)
{
    static const uint8_t key[32] = { 1 };
    uint8_t text[64] = { 2 };
    struct pp_lane lanes[2] = { { text, text, 17, { 0 }, true },
                                { text + 32, text + 32, 16, { 0 }, false } };
    struct pp_engine *e = NULL;
    enum pdfpipe_status st = evp_new(&e, err);

    if (!st)
        st = pp_engine_set_key(e, key, err);
    if (!st)
        st = pp_engine_encrypt(e, lanes, 2, err);
    lanes[0].len = 32;
    if (!st)
        st = pp_engine_decrypt(e, lanes, 2, err);
    pp_engine_free(e);
    return st;
}

/* A failed call leaves the engine usable with its key. */
static enum pdfpipe_status
use_engine_again(struct pdfpipe_error *err)
{
    static const uint8_t key[32] = { 1 };
    uint8_t text[16] = { 2 }, first[16], second[16];
    struct pp_lane lane = { text, first, 16, { 0 }, false }, again = lane;
    struct pp_engine *e = NULL;
    enum pdfpipe_status st;
    long saved = fuse;

    fuse = -1;
    if (evp_new(&e, NULL) || pp_engine_set_key(e, key, NULL))
        abort();
    fuse = saved;
    st = pp_engine_encrypt(e, &lane, 1, err);
    saved = fuse;
    fuse = -1;
    again.dst = second;
    CHECK(pp_engine_encrypt(e, &again, 1, NULL) == PDFPIPE_OK, "again");
    CHECK(st || memcmp(first, second, 16) == 0, "the same bytes");
    fuse = saved;
    pp_engine_free(e);
    return st;
}

static enum pdfpipe_status
hash(struct pp_kdf *k, struct pp_handler_job *j, struct pdfpipe_error *err)
{
    enum pdfpipe_status st = PDFPIPE_OK;

    for (size_t i = 0; !st && i < PP_HANDLER_HASHES; i++) {
        struct pp_kdf_request *r = &j->request[i];

        st = pp_kdf_hash(k, r->password, r->salt, r->u, r->out, NULL, err);
    }
    return st;
}

/* Makes and opens a handler, and hashes a password again after a failure. */
static enum pdfpipe_status
use_handler(struct pdfpipe_error *err)
{
    static const uint8_t key[32] = { 3 };
    static const struct pp_handler_seed seed = { { { 4 } }, { 5 } };
    struct pp_handler h = { .p = pp_handler_p(0), .encrypt_metadata = true };
    struct pp_view user = { (const uint8_t *)"u", 1 };
    struct pp_view owner = { (const uint8_t *)"o", 1 };
    enum pp_role role = PP_ROLE_OWNER;
    struct pp_opened opened[2];
    struct pp_handler_job j;
    bool sound = true;
    uint8_t out[32] = { 0 };
    struct pp_vault *v = NULL;
    struct pp_kdf *k = NULL;
    enum pdfpipe_status st = pp_vault_new(16384, &v, err);

    if (!st)
        st = pp_kdf_new(suite, v, &k, err);
    pp_handler_job_make(&j, &h, user, owner, &seed);
    if (!st)
        st = hash(k, &j, err);
    if (!st)
        st = pp_handler_job_made(&j, suite, key, err);
    if (!st) {
        st = pp_handler_open(k, &h, user, out, &role, err);
        CHECK(st ? role == PP_ROLE_NONE : role == PP_ROLE_USER, "%d", role);
    }
    pp_handler_job_open(&j, &h, user, owner);
    if (!st)
        st = hash(k, &j, err);
    if (!st) {
        st = pp_handler_job_opened(&j, suite, opened, err);
        CHECK(opened[0].fits == !st && opened[1].fits == !st, "opened");
    }
    if (!st) {
        st = pp_handler_check_perms(suite, &h, key, &sound, err);
        CHECK(sound == !st, "sound");
    }
    pp_kdf_free(k);
    pp_vault_free(v);
    return st;
}

static enum pdfpipe_status
use_digest(struct pdfpipe_error *err)
{
    struct pp_digest *d = NULL;
    struct pp_tally tally = { 0 };
    enum pdfpipe_status st = pp_digest_new(suite, &d, err);

    if (!st)
        st = pp_digest_begin(d, 1, 0, 0, err);
    if (!st)
        st = pp_digest_update(d, "text", 4, err);
    if (!st)
        st = pp_digest_end(d, &tally, err);
    CHECK(tally.parts == !st, "a failed part is not counted");
    pp_digest_free(d);
    return st;
}

static enum pdfpipe_status
use_random(struct pdfpipe_error *err)
{
    static struct pp_ivpool pool;
    uint8_t out[32];
    enum pdfpipe_status st = pp_random_fill(
        (struct pp_place){ 0, PP_DRAW_FILE_KEY }, out, sizeof out, err);

    pp_ivpool_init(&pool);
    if (!st)
        st = pp_ivpool_take(&pool, 0, 0, out, err);
    pp_ivpool_fini(&pool);
    return st;
}

struct scenario {
    const char *what;
    enum pdfpipe_status (*run)(struct pdfpipe_error *err);
    bool rare_only;
    long limit;    /* calls to try at most */
    long at_least; /* so many can fail */
};

/* Lets one call fail.  Returns false when there are not so many calls. */
static bool
fail_call(const struct scenario *s, long n)
{
    struct pdfpipe_error err = { 0 };
    enum pdfpipe_status st;

    rare_only = s->rare_only;
    blown = false;
    fuse = n;
    st = s->run(&err);
    fuse = -1;
    CHECK(blown ? st == PDFPIPE_E_CRYPTO || st == PDFPIPE_E_NO_MEMORY
                : st == PDFPIPE_OK,
          "%s, call %ld: status %d", s->what, n, st);
    CHECK(st == err.code && (!st || err.message[0]), "%s, call %ld: %s",
          s->what, n, err.message);
    CHECK(st == PDFPIPE_E_NO_MEMORY || ERR_peek_error() == 0,
          "%s, call %ld: queue is empty", s->what, n);
    ERR_clear_error();
    return blown;
}

static void
every_failing_call_is_reported(void)
{
    static const struct scenario rows[] = {
        { "suite", make_suite, false, LONG_MAX, 6 },
        { "engine", use_engine, false, LONG_MAX, 13 },
        { "engine again", use_engine_again, false, LONG_MAX, 2 },
        { "digest", use_digest, false, LONG_MAX, 5 },
        { "random", use_random, false, LONG_MAX, 2 },
        /* One hash makes 330 calls or more; the rest are like the first. */
        { "handler, first hash", use_handler, false, 400, 400 },
        { "handler, beside its hashes", use_handler, true, LONG_MAX, 33 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        long n = 0;

        while (n < rows[i].limit && fail_call(&rows[i], n))
            n++;
        CHECK(n >= rows[i].at_least, "%s: only %ld calls", rows[i].what, n);
    }
    rare_only = false;
}

static void
missing_algorithms_are_named(void)
{
    static const char *const names[] = { "AES-256-CBC", "AES-256-ECB",
                                         "AES-128-CBC", "SHA2-256",
                                         "SHA2-384",    "SHA2-512" };

    for (long i = 0; i < 6; i++) {
        struct pdfpipe_error err = { 0 };

        fuse = i;
        CHECK(make_suite(&err) == PDFPIPE_E_CRYPTO, "%s", names[i]);
        CHECK(strncmp(err.message, names[i], strlen(names[i])) == 0, "%s",
              err.message);
    }
    fuse = -1;
}

static void
a_failing_set_key_leaves_no_key(void)
{
    static const uint8_t key[32] = { 1 };

    for (long i = 0; i < 4; i++) {
        struct pp_engine *e = NULL;

        if (!CHECK(evp_new(&e, NULL) == PDFPIPE_OK, "new"))
            return;
        fuse = i;
        CHECK(pp_engine_set_key(e, key, NULL) == PDFPIPE_E_CRYPTO, "%ld", i);
        fuse = -1;
        CHECK(pp_engine_set_key(e, key, NULL) == PDFPIPE_OK, "%ld", i);
        pp_engine_free(e);
    }
}

/* EVP counts in int: more than 4 GiB must arrive in pieces that fit. */
static void
lengths_beyond_int_are_cut(void)
{
    static const uint8_t key[32] = { 1 };
    size_t n = 2 * (size_t)INT_MAX + 18; /* 4 GiB and a block */
    uint8_t *p = mmap(NULL, n + 16, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    struct pp_lane lane = { p, p, n, { 0 }, true };
    struct pp_engine *e = NULL;

    if (p == MAP_FAILED) {
        check_skip("no 4 GiB of addresses");
        return;
    }
    CHECK(n % 16 == 0, "%zu", n);
    if (!CHECK(evp_new(&e, NULL) == PDFPIPE_OK, "new") ||
        !CHECK(pp_engine_set_key(e, key, NULL) == PDFPIPE_OK, "key"))
        return;
    pretend = true;
    CHECK(pp_engine_encrypt(e, &lane, 1, NULL) == PDFPIPE_OK, "encrypt");
    CHECK(pretended_bytes == (uint64_t)n + 16 && pretended_badly == 0 &&
              pretended_calls > 2,
          "%u calls", pretended_calls);
    pretended_bytes = 0;
    CHECK(pp_engine_decrypt(e, &lane, 1, NULL) == PDFPIPE_OK, "decrypt");
    CHECK(pretended_bytes == n && pretended_badly == 0, "%u calls",
          pretended_calls);
    pretend = false;
    pp_engine_free(e);
    CHECK(munmap(p, n + 16) == 0, "unmapped");
}

int
main(void)
{
    if (!CHECK(pp_suite_new(&suite, NULL) == PDFPIPE_OK, "suite"))
        return check_report("crypt_fault");
    every_failing_call_is_reported();
    missing_algorithms_are_named();
    a_failing_set_key_leaves_no_key();
    lengths_beyond_int_are_cut();
    pp_suite_free(suite);
    return check_report("crypt_fault");
}
