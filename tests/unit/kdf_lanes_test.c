/* kdf_lanes_test.c - are many password hashes at once the same as one after
 * the other, in each way of doing them? */
#include "crypt/kdf_lanes.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include "check.h"
#include "crypt/kdf_lanes_impl.h"
#include "crypt/secret.h"
#include "crypt/suite.h"
#include "crypt_vectors.h"
#include "dies.h"
#include "guarded.h"

#define VAULT_BYTES (PP_KDF_LANES_VAULT + (size_t)24576)
#define MIX_MAX     100u
#define POOL        120u
#define SHA_LANES   16u

static struct pp_suite *suite;
static struct pp_vault *vault;
static struct pp_kdf *kdf;

/* How much is tried: less where each step takes ten times as long. */
static size_t pool_n = POOL, mix_max = MIX_MAX, step = 1;

static uint32_t seed = 1;

static uint8_t
any_byte(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (uint8_t)(seed >> 24);
}

static size_t
any_below(size_t n)
{
    return ((size_t)any_byte() << 8 | any_byte()) % n;
}

static void
any_bytes(uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        p[i] = any_byte();
}

/* A hash function over lanes, and its judge. */
struct sha {
    const char *name;
    pp_sha2_run *run;
    unsigned width;
    const uint64_t *start;
    size_t block, word, result;
    const EVP_MD *judge;
};

/* Pads a message of n bytes at p; returns its blocks. */
static size_t
pad(const struct sha *s, uint8_t *p, size_t n)
{
    size_t blocks = (n + 2 * s->word) / s->block + 1;

    memset(p + n, 0, blocks * s->block - n);
    p[n] = 0x80;
    for (size_t i = 0; i < 4; i++)
        p[blocks * s->block - 1 - i] = (uint8_t)(n * 8 >> (8 * i));
    return blocks;
}

static bool
lane_equals(const struct sha *s, const struct pp_sha2_lane *lane,
            const uint8_t want[64])
{
    uint8_t got[64] = { 0 };

    for (size_t i = 0; i < s->result; i++)
        got[i] = (uint8_t)(lane->h[i / s->word] >>
                           (8 * (s->word - 1 - i % s->word)));
    return memcmp(got, want, s->result) == 0;
}

/* `lanes` different messages of n bytes, in two calls. */
static void
check_sha(const struct sha *s, size_t n, unsigned lanes)
{
    struct pp_sha2_lane lane[SHA_LANES], *all[SHA_LANES] = { NULL };
    uint8_t *text[SHA_LANES], want[SHA_LANES][64];
    size_t room = ((n + 2 * s->word) / s->block + 1) * s->block, blocks = 0;

    for (unsigned i = 0; i < lanes; i++) {
        text[i] = guarded_new(room);
        any_bytes(text[i], n);
        if (EVP_Digest(text[i], n, want[i], NULL, s->judge, NULL) != 1)
            abort();
        blocks = pad(s, text[i], n);
        memcpy(lane[i].h, s->start, sizeof lane[i].h);
        lane[i].src = text[i];
        all[i] = &lane[i];
    }
    s->run(all, lanes, blocks / 2);
    s->run(all, lanes, blocks - blocks / 2);
    for (unsigned i = 0; i < lanes; i++) {
        CHECK(lane_equals(s, &lane[i], want[i]) &&
                  lane[i].src == text[i] + room,
              "%s: %zu bytes, lane %u of %u", s->name, n, i, lanes);
        guarded_free(text[i], room);
    }
}

static void
check_sha_function(const struct sha *s)
{
    for (size_t n = 0; n <= 300; n += step)
        check_sha(s, n, (unsigned)(1 + n % s->width));
    for (size_t n = 301; n <= 16384; n += 1 + any_below(700 * step))
        check_sha(s, n, (unsigned)(1 + any_below(s->width)));
    check_sha(s, 16384, s->width);
}

static void
hashes_over_lanes_equal_libcrypto(const struct pp_kdf_kind *kind)
{
    const unsigned *width = kind->width;
    const struct sha rows[] = {
        { "SHA-256", kind->sha256, width[PP_KDF_SHA256], pp_sha256_start, 64, 4,
          32, EVP_sha256() },
        { "SHA-384", kind->sha512, width[PP_KDF_SHA512], pp_sha384_start, 128,
          8, 48, EVP_sha384() },
        { "SHA-512", kind->sha512, width[PP_KDF_SHA512], pp_sha512_start, 128,
          8, 64, EVP_sha512() },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check_sha_function(&rows[i]);
}

/* A text that repeats, in an AES lane. */
struct cbc {
    struct pp_aes128_lane lane;
    uint8_t key[16], iv[16];
    uint8_t *text, *dst;
    size_t tail; /* bytes of the text behind its period */
};

static void
cbc_init(const struct pp_kdf_kind *kind, struct cbc *c, size_t blocks)
{
    size_t period = 64 + any_below(200);

    c->tail = 16 * PP_AES128_STRIDE - 1;
    c->text = guarded_new(period + c->tail);
    c->dst = guarded_new(16 * blocks);
    any_bytes(c->key, 16);
    any_bytes(c->iv, 16);
    any_bytes(c->text, period);
    memcpy(c->text + period, c->text, c->tail);
    c->lane.text = c->text;
    c->lane.period = period;
    c->lane.at = 0;
    c->lane.dst = c->dst;
    memcpy(c->lane.chain, c->iv, 16);
    kind->expand(&c->lane, c->key);
}

static void
cbc_check(const struct cbc *c, size_t blocks, const char *name)
{
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    uint8_t *want = malloc(16 * blocks);
    int done = 0;

    if (!ctx || !want)
        abort();
    for (size_t i = 0; i < 16 * blocks; i++)
        want[i] = c->text[i % c->lane.period];
    if (EVP_EncryptInit_ex(ctx, EVP_aes_128_cbc(), NULL, c->key, c->iv) != 1 ||
        EVP_CIPHER_CTX_set_padding(ctx, 0) != 1 ||
        EVP_EncryptUpdate(ctx, want, &done, want, (int)(16 * blocks)) != 1)
        abort();
    CHECK(memcmp(want, c->dst, 16 * blocks) == 0 &&
              memcmp(c->lane.chain, want + 16 * blocks - 16, 16) == 0 &&
              c->lane.dst == c->dst + 16 * blocks,
          "%s: %zu blocks, period %zu", name, blocks, c->lane.period);
    free(want);
    EVP_CIPHER_CTX_free(ctx);
}

static void
aes_over_lanes_equals_libcrypto(const struct pp_kdf_kind *kind)
{
    static struct cbc cbc[PP_AES128_LANES];
    static struct pp_aes128_keys keys;
    struct pp_aes128_lane *all[PP_AES128_LANES];

    for (size_t n = 1; n <= kind->width[PP_KDF_ENCRYPT]; n += step)
        for (size_t blocks = 8; blocks <= 512; blocks *= 2) {
            for (size_t i = 0; i < n; i++) {
                cbc_init(kind, &cbc[i], blocks);
                all[i] = &cbc[i].lane;
            }
            kind->aes(all, (unsigned)n, PP_AES128_STRIDE, &keys);
            kind->aes(all, (unsigned)n, blocks - PP_AES128_STRIDE, &keys);
            for (size_t i = 0; i < n; i++) {
                cbc_check(&cbc[i], blocks, kind->name);
                guarded_free(cbc[i].text, cbc[i].lane.period + cbc[i].tail);
                guarded_free(cbc[i].dst, 16 * blocks);
            }
        }
}

static struct pp_kdf_lanes *
lanes_of(const struct pp_kdf_kind *kind)
{
    struct pp_kdf_lanes *k = NULL;

    if (!CHECK(pp_kdf_lanes_new_kind(kind, kdf, vault, &k, NULL) == PDFPIPE_OK,
               "%s", kind->name))
        exit(check_report("kdf_lanes"));
    return k;
}

/* A request and all that it points to. */
struct wish {
    uint8_t password[PP_PASSWORD_MAX], salt[8], u[48];
    size_t n;
    bool owner;
    uint8_t want[32];
    unsigned rounds;
    uint8_t out[32];
};

static struct pp_kdf_request
request_of(struct wish *w)
{
    memset(w->out, 0, sizeof w->out);
    return (struct pp_kdf_request){ .password = { w->password, w->n },
                                    .salt = w->salt,
                                    .u = w->owner ? w->u : NULL,
                                    .out = w->out };
}

static void
check_wishes(struct pp_kdf_lanes *k, struct wish *const *wish, size_t n,
             const char *name)
{
    static struct pp_kdf_request r[MIX_MAX];

    for (size_t i = 0; i < n; i++)
        r[i] = request_of(wish[i]);
    CHECK(pp_kdf_hash_many(k, r, n, NULL) == PDFPIPE_OK, "%s, %zu", name, n);
    for (size_t i = 0; i < n; i++)
        CHECK(memcmp(wish[i]->out, wish[i]->want, 32) == 0 &&
                  r[i].rounds == wish[i]->rounds,
              "%s: %zu of %zu, %zu bytes, %u rounds for %u", name, i, n,
              wish[i]->n, r[i].rounds, wish[i]->rounds);
}

static void
known_answers_hold(struct pp_kdf_lanes *k, const char *name)
{
    static struct wish all[MIX_MAX];
    struct wish *order[MIX_MAX] = { NULL };
    size_t n = kdf_vector_count;

    if (n > MIX_MAX)
        abort();
    for (size_t i = 0; i < n; i++) {
        const struct kdf_vector *v = &kdf_vectors[i];
        struct wish *w = &all[i];

        w->n = vector_bytes(v->password, w->password, sizeof w->password);
        vector_bytes(v->salt, w->salt, sizeof w->salt);
        w->owner = v->u != NULL;
        if (v->u)
            vector_bytes(v->u, w->u, sizeof w->u);
        vector_bytes(v->hash, w->want, sizeof w->want);
        w->rounds = v->rounds;
        order[i] = w;
        check_wishes(k, &order[i], 1, v->name);
    }
    check_wishes(k, order, n, name);
    for (size_t i = 0; i < n; i++)
        order[i] = &all[n - 1 - i];
    check_wishes(k, order, n, name);
}

/* Wishes of all lengths, answered one by one. */
static struct wish *
answered(void)
{
    static struct wish pool[POOL];

    for (size_t i = 0; i < pool_n; i++) {
        struct wish *w = &pool[i];

        w->n = any_below(PP_PASSWORD_MAX + 1);
        w->owner = any_byte() % 2;
        any_bytes(w->password, w->n);
        any_bytes(w->salt, sizeof w->salt);
        any_bytes(w->u, sizeof w->u);
        CHECK(pp_kdf_hash(kdf, (struct pp_view){ w->password, w->n }, w->salt,
                          w->owner ? w->u : NULL, w->want, &w->rounds,
                          NULL) == PDFPIPE_OK,
              "%zu", i);
    }
    return pool;
}

/* Each mix is another stretch of the pool. */
static void
mixes_equal_one_by_one(struct pp_kdf_lanes *k, struct wish *pool,
                       const char *name)
{
    struct wish *mix[MIX_MAX];
    size_t first = 0;

    for (size_t n = 1; n <= mix_max; n += n < 20 || n >= 98 ? step : 13) {
        for (size_t i = 0; i < n; i++)
            mix[i] = &pool[(first + i) % pool_n];
        first += n;
        check_wishes(k, mix, n, name);
    }
}

/* Owner hashes that wait for the user hash in the same call. */
static void
owners_wait_for_their_users(struct pp_kdf_lanes *k, struct wish *pool,
                            const char *name)
{
    enum { FILES = 30 };
    static uint8_t u[FILES][48], out[FILES][32];
    struct pp_kdf_request r[2 * FILES];

    for (size_t i = 0; i < FILES; i++) {
        r[i] = request_of(&pool[i]);
        r[i].out = u[i];
        any_bytes(u[i], sizeof u[i]);
        r[FILES + i] = request_of(&pool[FILES + i]);
        r[FILES + i].u = u[i];
        r[FILES + i].out = out[i];
        r[FILES + i].after = &r[i];
    }
    CHECK(pp_kdf_hash_many(k, r, 2 * (size_t)FILES, NULL) == PDFPIPE_OK, "%s",
          name);
    for (size_t i = 0; i < FILES; i++) {
        struct wish *owner = &pool[FILES + i];
        uint8_t want[32];

        CHECK(memcmp(u[i], pool[i].want, 32) == 0, "%s: user %zu", name, i);
        CHECK(pp_kdf_hash(kdf, (struct pp_view){ owner->password, owner->n },
                          owner->salt, u[i], want, NULL, NULL) == PDFPIPE_OK &&
                  memcmp(out[i], want, 32) == 0,
              "%s: owner %zu", name, i);
    }
}

/* Requests that come one after the other, while others are on their way:
 * `flight` of them at a time. */
static void
requests_may_come_at_any_time(struct pp_kdf_lanes *k, struct wish *pool,
                              size_t flight, const char *name)
{
    static struct pp_kdf_request r[POOL];
    size_t added = 0, answered = 0;

    while (answered < pool_n) {
        size_t now = 0;

        for (; added < pool_n && added - answered < flight; added++) {
            memset(pool[added].out, 0, sizeof pool[added].out);
            r[added] = request_of(&pool[added]);
            pp_kdf_lanes_add(k, &r[added]);
        }
        CHECK(pp_kdf_lanes_left(k) == added - answered, "%s", name);
        CHECK(pp_kdf_lanes_run(k, NULL) == PDFPIPE_OK, "%s", name);
        for (size_t i = 0; i < added; i++)
            now += r[i].rounds > 0;
        CHECK(now > answered, "%s: %zu of %zu", name, now, added);
        answered = now;
    }
    CHECK(pp_kdf_lanes_left(k) == 0, "%s", name);
    for (size_t i = 0; i < pool_n; i++)
        CHECK(memcmp(pool[i].out, pool[i].want, 32) == 0 &&
                  r[i].rounds == pool[i].rounds,
              "%s: %zu of %zu at a time", name, i, flight);
}

static void
run_with_nothing_to_do(void *arg)
{
    (void)pp_kdf_lanes_run(arg, NULL);
}

static void
add_twice(void *arg)
{
    static struct wish w;
    struct pp_kdf_request r = request_of(&w);

    pp_kdf_lanes_add(arg, &r);
    pp_kdf_lanes_add(arg, &r);
}

static void
wait_for_a_later_one(void *arg)
{
    static struct wish w[2];
    struct pp_kdf_request r[2] = { request_of(&w[0]), request_of(&w[1]) };

    r[0].after = &r[1];
    (void)pp_kdf_hash_many(arg, r, 2, NULL);
}

static void
hash_128_bytes(void *arg)
{
    static uint8_t password[PP_PASSWORD_MAX + 1];
    static struct wish w;
    struct pp_kdf_request r = request_of(&w);

    r.password = (struct pp_view){ password, sizeof password };
    (void)pp_kdf_hash_many(arg, &r, 1, NULL);
}

static void
promises_are_checked(struct pp_kdf_lanes *k, const char *name)
{
    CHECK(pp_kdf_hash_many(k, NULL, 0, NULL) == PDFPIPE_OK, "%s", name);
    CHECK(dies_of(hash_128_bytes, k) == SIGABRT, "%s: too long", name);
    CHECK(dies_of(wait_for_a_later_one, k) == SIGABRT, "%s: a later one", name);
    CHECK(dies_of(run_with_nothing_to_do, k) == SIGABRT, "%s: nothing", name);
    CHECK(dies_of(add_twice, k) == SIGABRT, "%s: twice", name);
}

static bool
all_zero(const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i])
            return false;
    return true;
}

/* `step` of a job that is done is the only thing that may be there. */
static void
nothing_is_left_behind(const struct pp_kdf_kind *kind, struct wish *pool)
{
    struct pp_kdf_lanes *k;
    struct wish *mix[MIX_MAX];
    uint8_t *p = pp_secret_new(vault, PP_KDF_LANES_VAULT);
    size_t lit = 0;

    pp_secret_free(vault, p, PP_KDF_LANES_VAULT);
    k = lanes_of(kind); /* in the place of p */
    for (size_t i = 0; i < mix_max; i++)
        mix[i] = &pool[i];
    check_wishes(k, mix, mix_max, kind->name);
    for (size_t i = 0; p && i < PP_KDF_LANES_VAULT; i++)
        lit += p[i] != 0;
    CHECK(p && lit <= PP_KDF_JOBS, "%s: %zu bytes", kind->name, lit);
    pp_kdf_lanes_free(k);
    CHECK(p && all_zero(p, PP_KDF_LANES_VAULT), "%s: freed", kind->name);
}

static void
a_full_vault_is_an_error(const struct pp_kdf_kind *kind)
{
    struct pp_vault *small = NULL;
    struct pdfpipe_error err = { 0 };
    struct pp_kdf_lanes *k = NULL;

    CHECK(pp_vault_new(4096, &small, NULL) == PDFPIPE_OK, "vault");
    if (kind->aes)
        CHECK(pp_kdf_lanes_new_kind(kind, kdf, small, &k, &err) ==
                      PDFPIPE_E_NO_MEMORY &&
                  !k,
              "%s: %s", kind->name, err.message);
    pp_vault_free(small);
}

static void
every_choice_hashes(struct wish *pool)
{
    struct wish *mix[30];

    for (size_t i = 0; i < 30; i++)
        mix[i] = &pool[i];
    for (int e = PDFPIPE_ENGINE_AUTO; e <= PDFPIPE_ENGINE_VAES; e++) {
        struct pp_kdf_lanes *k = NULL;

        CHECK(pp_kdf_lanes_new(kdf, vault, (enum pdfpipe_engine)e, &k, NULL) ==
                  PDFPIPE_OK,
              "engine %d", e);
        check_wishes(k, mix, 3, "few");
        check_wishes(k, mix, 30, "many");
        for (size_t flight = 3; flight <= 90; flight += step > 1 ? 87 : 29)
            requests_may_come_at_any_time(k, pool, flight, "any time");
        pp_kdf_lanes_free(k);
    }
    pp_kdf_lanes_free(NULL);
}

static void
check_kind(const struct pp_kdf_kind *kind, struct wish *pool)
{
    struct pp_kdf_lanes *k;

    if (!kind->suits()) {
        check_skip("this machine cannot run %s", kind->name);
        return;
    }
    if (kind->aes) {
        hashes_over_lanes_equal_libcrypto(kind);
        aes_over_lanes_equals_libcrypto(kind);
    }
    k = lanes_of(kind);
    known_answers_hold(k, kind->name);
    mixes_equal_one_by_one(k, pool, kind->name);
    owners_wait_for_their_users(k, pool, kind->name);
    requests_may_come_at_any_time(k, pool, 48, kind->name);
    promises_are_checked(k, kind->name);
    pp_kdf_lanes_free(k);
    nothing_is_left_behind(kind, pool);
    a_full_vault_is_an_error(kind);
}

int
main(void)
{
    struct wish *pool;

    if (!check_runs_bare())
        pool_n = mix_max = 64, step = 11;
    if (!CHECK(pp_suite_new(&suite, NULL) == PDFPIPE_OK, "suite") ||
        !CHECK(pp_vault_new(VAULT_BYTES, &vault, NULL) == PDFPIPE_OK,
               "vault") ||
        !CHECK(pp_kdf_new(suite, vault, &kdf, NULL) == PDFPIPE_OK, "kdf"))
        return check_report("kdf_lanes");
    pool = answered();
    for (size_t i = 0; i < pp_kdf_kind_count; i++)
        check_kind(&pp_kdf_kinds[i], pool);
    every_choice_hashes(pool);
    pp_kdf_free(kdf);
    pp_vault_free(vault);
    pp_suite_free(suite);
    return check_report("kdf_lanes");
}
