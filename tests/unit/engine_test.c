/* engine_test.c - does every engine give the bytes that AES-256-CBC gives?
 *
 * Each test runs over all kinds of engine that suit this machine.  The judge
 * is EVP used in the plainest way: one context per message, its own padding. */
#include "crypt/engine.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include "check.h"
#include "crypt/engine_impl.h"
#include "crypt/suite_impl.h"
#include "crypt_vectors.h"
#include "dies.h"
#include "guarded.h"

#define LENGTHS 301u /* 0 to 300 bytes */

static struct pp_suite *suite;
static uint8_t key[32];

static void
fill(uint8_t *p, size_t n, uint32_t seed)
{
    for (size_t i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        p[i] = (uint8_t)(seed >> 24);
    }
}

static size_t
padded(size_t n)
{
    return (n / 16 + 1) * 16;
}

/* The judge.  Returns the length of out. */
static size_t
one_shot(bool encrypt, bool padding, const uint8_t iv[16], const uint8_t *in,
         size_t n, uint8_t *out)
{
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    int a = 0, b = 0;
    bool ok = ctx &&
              EVP_CipherInit_ex(ctx, EVP_aes_256_cbc(), NULL, key, iv,
                                encrypt) == 1 &&
              EVP_CIPHER_CTX_set_padding(ctx, padding) == 1 &&
              EVP_CipherUpdate(ctx, out, &a, in, (int)n) == 1 &&
              EVP_CipherFinal_ex(ctx, out + a, &b) == 1;

    EVP_CIPHER_CTX_free(ctx);
    if (!ok)
        abort();
    return (size_t)a + (size_t)b;
}

static struct pp_lane
lane_of(const uint8_t *src, uint8_t *dst, size_t n, const uint8_t iv[16],
        bool final)
{
    struct pp_lane lane = { src, dst, n, { 0 }, final };

    memcpy(lane.chain, iv, 16);
    return lane;
}

static void
encrypt_one(struct pp_engine *e, struct pp_lane *lane)
{
    CHECK(pp_engine_encrypt(e, lane, 1, NULL) == PDFPIPE_OK, "len %zu",
          lane->len);
}

static void
decrypt_one(struct pp_engine *e, struct pp_lane *lane)
{
    CHECK(pp_engine_decrypt(e, lane, 1, NULL) == PDFPIPE_OK, "len %zu",
          lane->len);
}

/* NIST SP 800-38A, F.2.5 and F.2.6 */
static void
nist_vectors_hold(struct pp_engine *e)
{
    static const char plain_hex[] = "6bc1bee22e409f96e93d7e117393172a"
                                    "ae2d8a571e03ac9c9eb76fac45af8e51"
                                    "30c81c46a35ce411e5fbc1191a0a52ef"
                                    "f69f2445df4f9b17ad2b417be66c3710";
    static const char cipher_hex[] = "f58c4c04d6e5f1ba779eabfb5f7bfbd6"
                                     "9cfc4e967edb808d679f777bc6702c7d"
                                     "39f23369a9d9bacfa530e26304231461"
                                     "b2eb05e2c39be9fcda6c19078c6a9d1b";
    uint8_t nist_key[32], iv[16], plain[64], out[64];
    struct pp_lane lane;

    vector_bytes("603deb1015ca71be2b73aef0857d7781"
                 "1f352c073b6108d72d9810a30914dff4",
                 nist_key, 32);
    vector_bytes("000102030405060708090a0b0c0d0e0f", iv, 16);
    vector_bytes(plain_hex, plain, 64);
    CHECK(pp_engine_set_key(e, nist_key, NULL) == PDFPIPE_OK, "key");
    lane = lane_of(plain, out, 64, iv, false);
    encrypt_one(e, &lane);
    CHECK(vector_is(cipher_hex, out, 64), "F.2.5");
    CHECK(memcmp(lane.chain, out + 48, 16) == 0, "chain of F.2.5");
    lane = lane_of(out, out, 64, iv, false);
    decrypt_one(e, &lane);
    CHECK(vector_is(plain_hex, out, 64), "F.2.6");
    CHECK(vector_is("b2eb05e2c39be9fcda6c19078c6a9d1b", lane.chain, 16),
          "chain of F.2.6");
    CHECK(pp_engine_set_key(e, key, NULL) == PDFPIPE_OK, "key back");
}

static void
stored_forms_hold(struct pp_engine *e)
{
    for (size_t i = 0; i < aesv3_vector_count; i++) {
        const struct aesv3_vector *v = &aesv3_vectors[i];
        uint8_t k[32], stored[400], plain[400], out[400];
        size_t n = vector_bytes(v->plain, plain, sizeof plain);
        size_t m = vector_bytes(v->stored, stored, sizeof stored) - 16;
        struct pp_lane lane = lane_of(plain, out, n, stored, true);

        vector_bytes(v->key, k, sizeof k);
        CHECK(pp_engine_set_key(e, k, NULL) == PDFPIPE_OK, "row %zu", i);
        encrypt_one(e, &lane);
        CHECK(m == padded(n) && memcmp(out, stored + 16, m) == 0, "row %zu", i);
        lane = lane_of(stored + 16, out, m, stored, false);
        decrypt_one(e, &lane);
        CHECK(pp_padding(out, m) == m - n && memcmp(out, plain, n) == 0,
              "row %zu", i);
    }
    CHECK(pp_engine_set_key(e, key, NULL) == PDFPIPE_OK, "key back");
}

/* Whole messages, in buffers of exactly their size before an unmapped page,
 * and again at every alignment within a block. */
static void
every_length_equals_one_shot(struct pp_engine *e)
{
    uint8_t iv[16], want[320], data[300 + 16], back[320];

    for (size_t n = 0; n < LENGTHS; n++) {
        size_t m = padded(n);
        uint8_t *src = guarded_new(n), *dst = guarded_new(m);
        struct pp_lane lane;

        fill(iv, sizeof iv, (uint32_t)n);
        fill(src, n, (uint32_t)n + 1000);
        CHECK(one_shot(true, true, iv, src, n, want) == m, "len %zu", n);

        lane = lane_of(src, dst, n, iv, true);
        encrypt_one(e, &lane);
        CHECK(memcmp(dst, want, m) == 0, "len %zu", n);
        CHECK(memcmp(lane.chain, want + m - 16, 16) == 0, "chain, len %zu", n);
        CHECK(lane.len == n && lane.src == src && lane.dst == dst,
              "len %zu: only the chain changes", n);

        lane = lane_of(dst, dst, m, iv, false);
        decrypt_one(e, &lane);
        CHECK(memcmp(dst, src, n) == 0, "back, len %zu", n);
        CHECK(pp_padding(dst, m) == m - n, "padding, len %zu", n);
        CHECK(memcmp(lane.chain, want + m - 16, 16) == 0, "chain, len %zu", n);

        for (size_t shift = 1; shift < 16; shift++) {
            memcpy(data + shift, src, n);
            lane = lane_of(data + shift, back + 16 - shift, n, iv, true);
            /* back has 304 bytes behind any shift */
            encrypt_one(e, &lane);
            CHECK(memcmp(back + 16 - shift, want, m) == 0, "len %zu shift %zu",
                  n, shift);
        }
        guarded_free(src, n);
        guarded_free(dst, m);
    }
}

static void
in_place_equals_separate(struct pp_engine *e)
{
    uint8_t iv[16], want[320];

    for (size_t n = 0; n < LENGTHS; n++) {
        size_t m = padded(n);
        uint8_t *p = guarded_new(m), plain[300];
        struct pp_lane lane;

        fill(iv, sizeof iv, (uint32_t)n * 3);
        fill(p, n, (uint32_t)n + 7);
        memcpy(plain, p, n);
        one_shot(true, true, iv, p, n, want);
        lane = lane_of(p, p, n, iv, true);
        encrypt_one(e, &lane);
        CHECK(memcmp(p, want, m) == 0, "len %zu", n);
        CHECK(memcmp(lane.chain, want + m - 16, 16) == 0, "len %zu", n);
        lane = lane_of(p, p, m, iv, false);
        decrypt_one(e, &lane);
        CHECK(memcmp(p, plain, n) == 0, "len %zu", n);
        guarded_free(p, m);
    }
}

/* Every way to cut a message into two pieces, and into single blocks. */
static void
pieces_equal_the_whole(struct pp_engine *e)
{
    enum { N = 150 };
    uint8_t iv[16], src[N], want[N + 16], dst[N + 16], back[N + 16];
    size_t m = padded(N);

    fill(iv, sizeof iv, 1);
    fill(src, N, 2);
    one_shot(true, true, iv, src, N, want);
    for (size_t cut = 0; cut <= N; cut += 16) {
        struct pp_lane lane = lane_of(src, dst, cut, iv, false);

        encrypt_one(e, &lane);
        lane = lane_of(src + cut, dst + cut, N - cut, lane.chain, true);
        encrypt_one(e, &lane);
        CHECK(memcmp(dst, want, m) == 0, "cut at %zu", cut);

        lane = lane_of(want, back, cut, iv, false);
        decrypt_one(e, &lane);
        lane = lane_of(want + cut, back + cut, m - cut, lane.chain, true);
        decrypt_one(e, &lane);
        CHECK(memcmp(back, src, N) == 0, "cut at %zu", cut);
    }
    for (size_t step = 16; step <= 64; step += 16) {
        uint8_t chain[16];

        memcpy(chain, iv, 16);
        for (size_t at = 0; at < N; at += step) {
            bool last = N - at < step;
            struct pp_lane lane =
                lane_of(src + at, dst + at, last ? N - at : step, chain, last);

            encrypt_one(e, &lane);
            memcpy(chain, lane.chain, 16);
        }
        CHECK(memcmp(dst, want, m) == 0, "steps of %zu", step);
    }
}

static void
an_empty_piece_changes_nothing(struct pp_engine *e)
{
    uint8_t iv[16];
    struct pp_lane lane;

    fill(iv, sizeof iv, 5);
    lane = lane_of(NULL, NULL, 0, iv, false);
    encrypt_one(e, &lane);
    CHECK(memcmp(lane.chain, iv, 16) == 0, "encrypt");
    decrypt_one(e, &lane);
    CHECK(memcmp(lane.chain, iv, 16) == 0, "decrypt");
    CHECK(pp_engine_encrypt(e, NULL, 0, NULL) == PDFPIPE_OK, "no lanes");
    CHECK(pp_engine_decrypt(e, NULL, 0, NULL) == PDFPIPE_OK, "no lanes");
}

static void
an_empty_plaintext_needs_no_source(struct pp_engine *e)
{
    uint8_t iv[16], want[16], out[16];
    struct pp_lane lane;

    fill(iv, sizeof iv, 6);
    one_shot(true, true, iv, out, 0, want);
    lane = lane_of(NULL, out, 0, iv, true);
    encrypt_one(e, &lane);
    CHECK(memcmp(out, want, 16) == 0, "a block of padding");
}

/* Any number of lanes of mixed lengths in one call, final and not. */
static void
many_lanes_equal_one_by_one(struct pp_engine *e)
{
    enum { LANES = 70, ROOM = 320 };
    static uint8_t src[LANES][ROOM], dst[LANES][ROOM], want[LANES][ROOM];
    uint8_t iv[LANES][16];

    for (size_t count = 1; count <= LANES; count++) {
        struct pp_lane lanes[LANES];
        size_t written[LANES];

        for (size_t i = 0; i < count; i++) {
            size_t n = (i * 53 + count * 17) % LENGTHS;
            bool final = (i + count) % 3 != 0;

            n = final ? n : n / 16 * 16;
            fill(iv[i], 16, (uint32_t)(i * count));
            fill(src[i], n, (uint32_t)(i + count));
            written[i] = one_shot(true, final, iv[i], src[i], n, want[i]);
            lanes[i] = lane_of(src[i], dst[i], n, iv[i], final);
        }
        CHECK(pp_engine_encrypt(e, lanes, count, NULL) == PDFPIPE_OK, "%zu",
              count);
        for (size_t i = 0; i < count; i++) {
            CHECK(memcmp(dst[i], want[i], written[i]) == 0, "lane %zu of %zu",
                  i, count);
            lanes[i] = lane_of(dst[i], dst[i], written[i], iv[i], false);
        }
        CHECK(pp_engine_decrypt(e, lanes, count, NULL) == PDFPIPE_OK, "%zu",
              count);
        for (size_t i = 0; i < count; i++)
            CHECK(written[i] == 0 ||
                      memcmp(dst[i], src[i],
                             written[i] < 16 ? 0 : written[i] - 16) == 0,
                  "lane %zu of %zu", i, count);
    }
}

static void
a_new_key_replaces_the_old(struct pp_engine *e)
{
    uint8_t other[32], iv[16] = { 0 }, src[33] = { 1 }, a[48], b[48], want[48];
    struct pp_lane lane;

    memset(other, 0x77, sizeof other);
    one_shot(true, true, iv, src, sizeof src, want);
    CHECK(pp_engine_set_key(e, other, NULL) == PDFPIPE_OK, "other");
    lane = lane_of(src, a, sizeof src, iv, true);
    encrypt_one(e, &lane);
    CHECK(memcmp(a, want, sizeof want) != 0, "another key, other bytes");
    CHECK(pp_engine_set_key(e, key, NULL) == PDFPIPE_OK, "back");
    lane = lane_of(src, b, sizeof src, iv, true);
    encrypt_one(e, &lane);
    CHECK(memcmp(b, want, sizeof want) == 0, "the same key, the same bytes");
}

/* Misuse stops the program. */
struct misuse {
    struct pp_engine *e;
    bool encrypt;
    size_t len;
    bool final;
};

static void
do_misuse(void *arg)
{
    struct misuse *m = arg;
    uint8_t buf[64] = { 0 }, iv[16] = { 0 };
    struct pp_lane lane = lane_of(buf, buf, m->len, iv, m->final);

    if (m->encrypt)
        (void)pp_engine_encrypt(m->e, &lane, 1, NULL);
    else
        (void)pp_engine_decrypt(m->e, &lane, 1, NULL);
}

static void
misuse_stops_the_program(struct pp_engine *e, struct pp_engine *keyless)
{
    const struct {
        const char *what;
        struct misuse m;
        int signal;
    } rows[] = {
        { "final, any length", { e, true, 15, true }, 0 },
        { "a piece of 15 bytes", { e, true, 15, false }, SIGABRT },
        { "decrypt 15 bytes", { e, false, 15, true }, SIGABRT },
        { "decrypt 17 bytes", { e, false, 17, false }, SIGABRT },
        { "encrypt without a key", { keyless, true, 16, true }, SIGABRT },
        { "decrypt without a key", { keyless, false, 16, true }, SIGABRT },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct misuse m = rows[i].m;

        CHECK(dies_of(do_misuse, &m) == rows[i].signal, "%s", rows[i].what);
    }
}

static void
try_kind(const struct pp_engine_kind *kind)
{
    struct pp_engine *e = NULL, *keyless = NULL;

    if (!CHECK(pp_engine_new_kind(kind, suite, &e, NULL) == PDFPIPE_OK, "%s",
               kind->name) ||
        !CHECK(pp_engine_new_kind(kind, suite, &keyless, NULL) == PDFPIPE_OK,
               "%s", kind->name))
        return;
    CHECK(strcmp(pp_engine_name(e), kind->name) == 0, "%s", kind->name);
    CHECK(pp_engine_set_key(e, key, NULL) == PDFPIPE_OK, "%s", kind->name);
    nist_vectors_hold(e);
    stored_forms_hold(e);
    every_length_equals_one_shot(e);
    in_place_equals_separate(e);
    pieces_equal_the_whole(e);
    an_empty_piece_changes_nothing(e);
    an_empty_plaintext_needs_no_source(e);
    many_lanes_equal_one_by_one(e);
    a_new_key_replaces_the_old(e);
    misuse_stops_the_program(e, keyless);
    pp_engine_free(e);
    pp_engine_free(keyless);
}

static void
the_first_kind_that_suits_is_chosen(void)
{
    struct pp_engine *e = NULL;
    size_t i = 0;

    CHECK(pp_engine_kinds[pp_engine_kind_count - 1].suits(),
          "the last kind suits every machine");
    while (!pp_engine_kinds[i].suits())
        i++;
    CHECK(pp_engine_new(suite, PDFPIPE_ENGINE_AUTO, &e, NULL) == PDFPIPE_OK,
          "new");
    CHECK(strcmp(pp_engine_name(e), pp_engine_kinds[i].name) == 0, "%s",
          pp_engine_name(e));
    pp_engine_free(e);
    pp_engine_free(NULL);
}

static void
a_kind_is_made_by_choice_or_refused(void)
{
    static const enum pdfpipe_engine all[] = { PDFPIPE_ENGINE_EVP,
                                               PDFPIPE_ENGINE_AESNI,
                                               PDFPIPE_ENGINE_VAES,
                                               PDFPIPE_ENGINE_ARMV8 };
    unsigned made = 0;

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        const char *name = pp_engine_chosen(all[i]);
        struct pdfpipe_error err = { 0 };
        struct pp_engine *e = NULL;

        if (!name) {
            CHECK(pp_engine_new(suite, all[i], &e, &err) == PDFPIPE_E_USAGE &&
                      err.message[0] && !e,
                  "%zu", i);
            continue;
        }
        CHECK(pp_engine_new(suite, all[i], &e, &err) == PDFPIPE_OK &&
                  strcmp(pp_engine_name(e), name) == 0,
              "%s", name);
        pp_engine_free(e);
        made++;
    }
    for (size_t i = 0; i < pp_engine_kind_count; i++)
        made -= pp_engine_kinds[i].suits();
    CHECK(made == 0, "as many as suit");
}

/* What pp_padding() must say, written the obvious way. */
static unsigned
plain_padding(const uint8_t *p, size_t n)
{
    unsigned length = p[n - 1];

    if (length < 1 || length > 16)
        return 0;
    for (unsigned i = 1; i <= length; i++)
        if (p[n - i] != length)
            return 0;
    return length;
}

static void
padding_is_told_from_data(void)
{
    uint8_t *p = guarded_new(32);

    /* Every last byte, with every length of a run of it before. */
    for (unsigned value = 0; value < 256; value++)
        for (unsigned run = 1; run <= 16; run++) {
            unsigned got;

            memset(p, (int)(value ^ 0x80), 32);
            memset(p + 32 - run, (int)value, run);
            got = pp_padding(p, 32);
            CHECK(got == plain_padding(p, 32), "value %u run %u: %u", value,
                  run, got);
            CHECK(got == (value >= 1 && value <= run ? value : 0),
                  "value %u run %u: %u", value, run, got);
        }
    /* Every single wrong byte in every length of padding, by every bit. */
    for (unsigned length = 1; length <= 16; length++)
        for (unsigned at = 1; at <= 16; at++)
            for (unsigned bit = 0; bit < 8; bit++) {
                memset(p, 0xee, 32);
                memset(p + 32 - length, (int)length, length);
                p[32 - at] ^= (uint8_t)(1u << bit);
                CHECK(pp_padding(p, 32) == plain_padding(p, 32),
                      "length %u, byte %u, bit %u", length, at, bit);
                CHECK((pp_padding(p, 32) == length) == (at > length),
                      "length %u, byte %u, bit %u", length, at, bit);
            }
    memset(p, 16, 32);
    CHECK(pp_padding(p + 16, 16) == 16, "one block of padding only");
    guarded_free(p, 32);
}

static void
padding_of_nothing(void *arg)
{
    (void)pp_padding(arg, 0);
}

static void
padding_of_15_bytes(void *arg)
{
    (void)pp_padding(arg, 15);
}

int
main(void)
{
    uint8_t block[16] = { 1 };

    if (!CHECK(pp_suite_new(&suite, NULL) == PDFPIPE_OK, "suite"))
        return check_report("engine");
    fill(key, sizeof key, 42);
    for (size_t i = 0; i < pp_engine_kind_count; i++)
        if (pp_engine_kinds[i].suits())
            try_kind(&pp_engine_kinds[i]);
        else
            check_skip("engine %s does not suit", pp_engine_kinds[i].name);
    the_first_kind_that_suits_is_chosen();
    a_kind_is_made_by_choice_or_refused();
    padding_is_told_from_data();
    CHECK(dies_of(padding_of_nothing, block) == SIGABRT, "0 bytes");
    CHECK(dies_of(padding_of_15_bytes, block) == SIGABRT, "15 bytes");
    pp_suite_free(suite);
    return check_report("engine");
}
