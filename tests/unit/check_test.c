/* check_test.c - does verification accept what was sealed, and nothing else? */
#include "seal/sealer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include "base/num.h"
#include "check.h"
#include "crypt/suite.h"
#include "set_random.h"
#include "stretches.h"

static const uint8_t key[32] = { 9, 8, 7, 6, 5 };

struct bench {
    struct pp_suite *suite;
    struct pp_sealer sealer;  /* the one that seals ...             */
    struct pp_sealer checker; /* ... shares nothing with this one   */
    struct pp_seal_context context;
    struct pp_seal_context check_context;
};

static void
bench_init(struct bench *b)
{
    struct pp_seal_context c = { .document = 2,
                                 .file_key = key,
                                 .tally = true };

    *b = (struct bench){ .context = c, .check_context = c };
    b->check_context.document = 3;
    if (pp_suite_new(&b->suite, NULL) ||
        pp_sealer_init(&b->sealer, b->suite, PDFPIPE_ENGINE_AUTO, NULL) ||
        pp_sealer_init(&b->checker, b->suite, PDFPIPE_ENGINE_AUTO, NULL))
        abort();
}

static void
bench_fini(struct bench *b)
{
    pp_sealer_fini(&b->checker);
    pp_sealer_fini(&b->sealer);
    pp_suite_free(b->suite);
}

/* Seals the parts; the caller frees *s. */
static void
seal(struct bench *b, struct pp_stretch *s, const struct part *parts, size_t n,
     uint8_t chain[16])
{
    uint8_t none[16] = { 0 };

    stretch_lay(s, parts, n);
    if (pp_seal(&b->sealer, &b->context, s, chain ? chain : none, NULL))
        abort();
}

static enum pdfpipe_status
check(struct bench *b, struct pp_stretch *s, struct pdfpipe_error *err)
{
    return pp_check(&b->checker, &b->check_context, s, err);
}

/* ---- what was sealed is accepted ---- */

static const uint8_t bytes[48] = "a stream of a few bytes, forty-seven of them";

static const struct part document[] = {
    { .kind = PART_OBJECT, .number = 4, .generation = 2 },
    { .kind = PART_TEXT, .text = "<</A" },
    { .kind = PART_STRING, .text = "(first)" },
    { .kind = PART_TEXT, .text = "/B" },
    { .kind = PART_STRING, .text = "<41 42>" },
    { .kind = PART_STRING, .text = "()" },
    { .kind = PART_TEXT, .text = ">>\nendobj\n" },
    { .kind = PART_OBJECT, .number = 5 },
    { .kind = PART_TEXT, .text = "<</T" },
    { .kind = PART_STRING, .text = "(0123456789abcdef)" },
    { .kind = PART_TEXT, .text = ">>\nstream\n" },
    { .kind = PART_STREAM, .number = 5, .bytes = bytes, .n = 47 },
};
#define PARTS (sizeof document / sizeof document[0])

static void
is_what_was_sealed_accepted(void)
{
    struct part parts[PARTS];
    struct bench b;

    bench_init(&b);
    memcpy(parts, document, sizeof parts);
    for (int i = 0; i < 8; i++) {
        struct pp_stretch a, c;
        struct pdfpipe_error err;

        parts[PARTS - 1].clear = i & 1;
        parts[PARTS - 1].in_text = i & 2;
        parts[PARTS - 1].n = i & 4 ? 0 : 47;
        seal(&b, &a, parts, PARTS, NULL);
        CHECK(stretch_lay_sealed(&c, parts, PARTS, &a, NULL), "laid %d", i);
        CHECK(check(&b, &c, &err) == PDFPIPE_OK, "%d: %s", i, err.message);
        CHECK(pp_tally_equal(&a.tally, &c.tally), "tally %d", i);
        CHECK(a.tally.parts == (i & 4 ? 2u : 3u), "%llu parts",
              (unsigned long long)a.tally.parts);
        CHECK(a.strings == c.strings && a.streams == c.streams &&
                  a.payload_bytes == c.payload_bytes,
              "counters %d", i);
        stretch_free(&a);
        stretch_free(&c);
    }
    bench_fini(&b);
}

/* A long stream is checked in other pieces than it was sealed in. */
static void
are_pieces_accepted(size_t total, size_t sealed_in, size_t checked_in)
{
    uint8_t *plain = malloc(total), *stored = malloc(total + 64);
    struct pp_tally sealed = { 0 }, checked = { 0 };
    uint8_t chain[16];
    struct bench b;
    size_t n = 0;

    if (!plain || !stored)
        abort();
    for (size_t i = 0; i < total; i++)
        plain[i] = (uint8_t)(i * i >> 3);
    bench_init(&b);
    for (size_t at = 0; at < total || at == 0; at += sealed_in) {
        size_t left = total - at;
        struct part p = { .kind = PART_STREAM,
                          .number = 1,
                          .bytes = plain + at,
                          .n = left < sealed_in ? left : sealed_in,
                          .not_first = at > 0,
                          .not_last = left > sealed_in,
                          .at = at };
        struct pp_stretch s;

        seal(&b, &s, &p, 1, chain);
        memcpy(stored + n, s.out, s.out_n);
        n += s.out_n;
        pp_tally_add(&sealed, &s.tally);
        stretch_free(&s);
    }
    CHECK(n == pp_stored_len(total), "%zu", n);
    for (size_t at = 16; at < n; at += checked_in) {
        size_t left = n - at, piece = left < checked_in ? left : checked_in;
        struct pp_span span = { .kind = PP_SPAN_STREAM,
                                .first = at == 16,
                                .last = left <= checked_in,
                                .number = 1,
                                .plain = (uint32_t)piece,
                                .at = at - 16 };
        struct pp_stretch s = { .out = malloc(piece + 16),
                                .out_n = piece + 16,
                                .span = &span,
                                .spans = 1,
                                .text = (uint8_t[1]){ 0 } };

        if (!s.out)
            abort();
        memcpy(s.out, stored + at - 16, piece + 16);
        CHECK(check(&b, &s, NULL) == PDFPIPE_OK, "piece at %zu", at);
        pp_tally_add(&checked, &s.tally);
        free(s.out);
    }
    CHECK(pp_tally_equal(&sealed, &checked), "%zu bytes, %zu and %zu", total,
          sealed_in, checked_in);
    bench_fini(&b);
    free(plain);
    free(stored);
}

/* ---- everything else is not ---- */

/* Upper and lower case of a hexadecimal digit mean the same. */
static bool
is_same_digit(uint8_t a, uint8_t b)
{
    return (a ^ b) == 0x20 && ((a | 0x20) >= 'a' && (a | 0x20) <= 'f');
}

static bool
in_token(const struct pp_stretch *s, size_t at)
{
    for (size_t i = 0; i < s->spans; i++)
        if (s->span[i].kind == PP_SPAN_STRING && at >= s->span[i].out &&
            at < s->span[i].out + 2 + 2 * pp_stored_len(s->span[i].plain))
            return true;
    return false;
}

static void
is_every_flipped_bit_noticed(void)
{
    struct pp_stretch a;
    struct bench b;
    unsigned flipped = 0;

    bench_init(&b);
    seal(&b, &a, document, PARTS, NULL);
    for (size_t at = 0; at < a.out_n; at++)
        for (unsigned bit = 0; bit < 8; bit++) {
            struct pdfpipe_error err = { .code = PDFPIPE_OK };
            uint8_t was = a.out[at];
            struct pp_stretch c;
            bool noticed = true;

            a.out[at] ^= (uint8_t)(1u << bit);
            if (stretch_lay_sealed(&c, document, PARTS, &a, NULL)) {
                enum pdfpipe_status st = check(&b, &c, &err);

                CHECK(st == PDFPIPE_OK || st == PDFPIPE_E_VERIFY, "%d", st);
                noticed = st || !pp_tally_equal(&a.tally, &c.tally);
                CHECK(!st || err.object == 4 || err.object == 5,
                      "%s: names object %u", err.message, err.object);
                stretch_free(&c);
            }
            if (noticed == (in_token(&a, at) && is_same_digit(was, a.out[at])))
                CHECK(false, "byte %zu, bit %u", at, bit);
            a.out[at] = was;
            flipped++;
        }
    CHECK(flipped > 3000, "%u", flipped);
    stretch_free(&a);
    bench_fini(&b);
}

static void
is_wrong_content_in_right_form_noticed(void)
{
    static const uint8_t one[] = "0123456789", two[] = "0123456780";
    static const struct {
        const char *name;
        struct part a[4], b[4];
    } rows[] = {
        { "another string",
          { { .kind = PART_OBJECT, .number = 1 },
            { .kind = PART_STRING, .text = "(a)" } },
          { { .kind = PART_OBJECT, .number = 1 },
            { .kind = PART_STRING, .text = "(b)" } } },
        { "two strings swapped",
          { { .kind = PART_OBJECT, .number = 1 },
            { .kind = PART_STRING, .text = "(a)" },
            { .kind = PART_STRING, .text = "(b)" } },
          { { .kind = PART_OBJECT, .number = 1 },
            { .kind = PART_STRING, .text = "(b)" },
            { .kind = PART_STRING, .text = "(a)" } } },
        { "a byte over the border of two strings",
          { { .kind = PART_OBJECT, .number = 1 },
            { .kind = PART_STRING, .text = "(ab)" },
            { .kind = PART_STRING, .text = "(c)" } },
          { { .kind = PART_OBJECT, .number = 1 },
            { .kind = PART_STRING, .text = "(a)" },
            { .kind = PART_STRING, .text = "(bc)" } } },
        { "a string where text was",
          { { .kind = PART_OBJECT, .number = 1 },
            { .kind = PART_TEXT, .text = "abc" } },
          { { .kind = PART_OBJECT, .number = 1 },
            { .kind = PART_STRING, .text = "(abc)" } } },
        { "two objects' strings swapped",
          { { .kind = PART_OBJECT, .number = 1 },
            { .kind = PART_STRING, .text = "(a)" },
            { .kind = PART_OBJECT, .number = 2 },
            { .kind = PART_STRING, .text = "(b)" } },
          { { .kind = PART_OBJECT, .number = 1 },
            { .kind = PART_STRING, .text = "(b)" },
            { .kind = PART_OBJECT, .number = 2 },
            { .kind = PART_STRING, .text = "(a)" } } },
        { "another stream",
          { { .kind = PART_STREAM, .number = 1, .bytes = one, .n = 10 } },
          { { .kind = PART_STREAM, .number = 1, .bytes = two, .n = 10 } } },
        { "a shorter stream",
          { { .kind = PART_STREAM, .number = 1, .bytes = one, .n = 10 } },
          { { .kind = PART_STREAM, .number = 1, .bytes = one, .n = 9 } } },
        { "the stream of another object",
          { { .kind = PART_STREAM, .number = 1, .bytes = one, .n = 10 } },
          { { .kind = PART_STREAM, .number = 2, .bytes = one, .n = 10 } } },
        { "another generation",
          { { .kind = PART_OBJECT, .number = 1, .generation = 0 } },
          { { .kind = PART_OBJECT, .number = 1, .generation = 1 } } },
        { "an object twice",
          { { .kind = PART_OBJECT, .number = 1 } },
          { { .kind = PART_OBJECT, .number = 1 },
            { .kind = PART_OBJECT, .number = 1 } } },
        { "another block of the stream",
          { { .kind = PART_STREAM, .number = 1, .bytes = one, .n = 10 } },
          { { .kind = PART_STREAM,
              .number = 1,
              .bytes = one,
              .n = 10,
              .not_first = true,
              .at = PP_DIGEST_BLOCK } } },
    };
    struct bench b;

    bench_init(&b);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_stretch x, y;

        seal(&b, &x, rows[i].a, 4, NULL);
        seal(&b, &y, rows[i].b, 4, NULL);
        CHECK(!pp_tally_equal(&x.tally, &y.tally), "%s", rows[i].name);
        stretch_free(&x);
        stretch_free(&y);
    }
    bench_fini(&b);
}

/* ---- lengths and padding ---- */

static void
raw_encrypt(const uint8_t *plain, size_t n, uint8_t *stored)
{
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    int got = 0;

    memset(stored, 0x11, 16);
    if (!ctx ||
        !EVP_EncryptInit_ex(ctx, EVP_aes_256_cbc(), NULL, key, stored) ||
        !EVP_CIPHER_CTX_set_padding(ctx, 0) ||
        !EVP_EncryptUpdate(ctx, stored + 16, &got, plain, (int)n) ||
        got != (int)n)
        abort();
    EVP_CIPHER_CTX_free(ctx);
}

/* What check says of these n stored bytes, as a string and as a stream. */
static void
try_stored(struct bench *b, const char *name, const uint8_t *stored, size_t n,
           bool good)
{
    struct pp_placed placed = { .number = 6, .generation = 1 };
    char token[2 * 64 + 3] = "<";
    struct pp_span span = { .number = 6, .generation = 1 };
    struct pdfpipe_error err = { .code = PDFPIPE_OK };
    uint8_t *out = malloc(n ? n : 1);
    struct pp_stretch s = { .out = out,
                            .out_n = n,
                            .span = &span,
                            .spans = 1,
                            .placed = &placed,
                            .placed_n = 1 };
    enum pdfpipe_status st;

    if (!out)
        abort();
    for (size_t i = 0; i < n; i++)
        (void)snprintf(token + 1 + 2 * i, 3, "%02x", stored[i]);
    token[1 + 2 * n] = '>';
    span.kind = PP_SPAN_STRING;
    span.in_len = (uint32_t)(2 + 2 * n);
    span.plain = (uint32_t)n;
    s.text = (uint8_t *)token;
    s.text_n = 2 + 2 * n;
    st = check(b, &s, &err);
    CHECK(st == (good ? PDFPIPE_OK : PDFPIPE_E_VERIFY), "string, %s: %d", name,
          st);
    CHECK(good || (err.object == 6 && err.generation == 1 && err.message[0]),
          "string, %s: object %u", name, err.object);
    /* A stream shorter than its IV is met when it is laid out. */
    if (n >= 16) {
        err = (struct pdfpipe_error){ .code = PDFPIPE_OK };
        pp_stretch_reset(&s);
        memcpy(out, stored, n);
        span = (struct pp_span){ .kind = PP_SPAN_STREAM,
                                 .first = true,
                                 .last = true,
                                 .number = 6,
                                 .generation = 1,
                                 .plain = (uint32_t)(n - 16) };
        s.out_n = n;
        s.spans = 1;
        st = check(b, &s, &err);
        CHECK(st == (good ? PDFPIPE_OK : PDFPIPE_E_VERIFY), "stream, %s: %d",
              name, st);
        CHECK(good || (err.object == 6 && err.generation == 1),
              "stream, %s: object %u", name, err.object);
    }
    free(out);
}

static void
which_lengths_can_be(void)
{
    uint8_t stored[80] = { 0 };
    uint8_t plain[64];
    struct bench b;

    bench_init(&b);
    memset(plain, 16, sizeof plain);
    for (size_t n = 0; n <= 64; n++) {
        char name[32];

        (void)snprintf(name, sizeof name, "%zu bytes", n);
        if (n >= 32 && n % 16 == 0)
            raw_encrypt(plain, n - 16, stored);
        try_stored(&b, name, stored, n, n >= 32 && n % 16 == 0);
    }
    bench_fini(&b);
}

static void
which_paddings_can_be(void)
{
    struct bench b;

    bench_init(&b);
    for (unsigned last = 0; last < 256; last++) {
        uint8_t plain[32], stored[48];
        char name[32];

        (void)snprintf(name, sizeof name, "padding %u", last);
        memset(plain, 0xee, sizeof plain);
        for (unsigned i = 0; i < last && i < 32; i++)
            plain[31 - i] = (uint8_t)last;
        plain[31] = (uint8_t)last;
        raw_encrypt(plain, 32, stored);
        try_stored(&b, name, stored, 48, last >= 1 && last <= 16);
        if (last >= 2 && last <= 16) {
            plain[32 - last] ^= 1; /* the first of them */
            raw_encrypt(plain, 32, stored);
            try_stored(&b, name, stored, 48, false);
        }
    }
    bench_fini(&b);
}

/* ---- the tally ---- */

/* Any order, any cut into stretches: the sum is the same. */
static void
does_order_not_matter(void)
{
    enum { OBJECTS = 7 };
    struct part parts[OBJECTS][4];
    struct pp_tally at_once, backward = { 0 }, pairs = { 0 };
    struct pp_stretch s;
    struct bench b;

    bench_init(&b);
    for (unsigned i = 0; i < OBJECTS; i++) {
        parts[i][0] = (struct part){ .kind = PART_OBJECT, .number = i + 1 };
        parts[i][1] = (struct part){ .kind = PART_STRING, .text = "(same)" };
        parts[i][2] = (struct part){ .kind = PART_TEXT, .text = "\nstream\n" };
        parts[i][3] = (struct part){
            .kind = PART_STREAM, .number = i + 1, .bytes = bytes, .n = 10 + i
        };
    }
    seal(&b, &s, parts[0], 4u * OBJECTS, NULL);
    at_once = s.tally;
    stretch_free(&s);
    for (unsigned i = OBJECTS; i > 0; i--) {
        seal(&b, &s, parts[i - 1], 4, NULL);
        pp_tally_add(&backward, &s.tally);
        stretch_free(&s);
    }
    /* The text of an object in one stretch, its stream in the next. */
    for (unsigned i = 0; i < OBJECTS; i++) {
        seal(&b, &s, parts[i], 3, NULL);
        pp_tally_add(&pairs, &s.tally);
        stretch_free(&s);
        seal(&b, &s, &parts[i][3], 1, NULL);
        pp_tally_add(&pairs, &s.tally);
        stretch_free(&s);
    }
    CHECK(at_once.parts == 2u * OBJECTS, "%llu parts",
          (unsigned long long)at_once.parts);
    CHECK(pp_tally_equal(&at_once, &backward), "backward");
    CHECK(pp_tally_equal(&at_once, &pairs), "text and streams apart");
    bench_fini(&b);
}

static void
is_there_no_tally_unless_wanted(void)
{
    struct pp_stretch s;
    struct bench b;

    bench_init(&b);
    b.context.tally = false;
    seal(&b, &s, document, PARTS, NULL);
    CHECK(s.tally.parts == 0, "%llu parts", (unsigned long long)s.tally.parts);
    stretch_free(&s);
    bench_fini(&b);
}

static void
is_the_wrong_key_noticed(void)
{
    static const uint8_t wrong[32] = { 9, 8, 7, 6, 4 };
    struct pp_stretch a, c;
    struct bench b;
    enum pdfpipe_status st;

    bench_init(&b);
    b.check_context.file_key = wrong;
    seal(&b, &a, document, PARTS, NULL);
    if (stretch_lay_sealed(&c, document, PARTS, &a, NULL)) {
        st = check(&b, &c, NULL);
        CHECK(st == PDFPIPE_E_VERIFY || !pp_tally_equal(&a.tally, &c.tally),
              "%d", st);
        stretch_free(&c);
    }
    stretch_free(&a);
    bench_fini(&b);
}

int
main(void)
{
    is_what_was_sealed_accepted();
    are_pieces_accepted(300000, 65536, 131072);
    are_pieces_accepted(262144, 131072, 65536);
    are_pieces_accepted(65536, 65536, 65536);
    are_pieces_accepted(65535, 65536, 65536);
    are_pieces_accepted(16, 65536, 65536);
    is_every_flipped_bit_noticed();
    is_wrong_content_in_right_form_noticed();
    which_lengths_can_be();
    which_paddings_can_be();
    does_order_not_matter();
    is_there_no_tally_unless_wanted();
    is_the_wrong_key_noticed();
    return check_report("check_test");
}
