/* seal_test.c - is what a stretch becomes what the standard asks for? */
#include "seal/sealer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include "base/num.h"
#include "check.h"
#include "crypt/suite.h"
#include "crypt_vectors.h"
#include "pdf/string.h"
#include "set_random.h"
#include "stretches.h"

static const uint8_t key[32] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 };

struct bench {
    struct pp_suite *suite;
    struct pp_sealer sealer;
    struct pp_seal_context context;
    uint8_t chain[16];
};

static void
bench_init(struct bench *b)
{
    *b = (struct bench){ .context = { .document = 2, .file_key = key } };
    if (pp_suite_new(&b->suite, NULL) ||
        pp_sealer_init(&b->sealer, b->suite, PDFPIPE_ENGINE_AUTO, NULL))
        abort();
}

static void
bench_fini(struct bench *b)
{
    pp_sealer_fini(&b->sealer);
    pp_suite_free(b->suite);
}

static enum pdfpipe_status
seal(struct bench *b, struct pp_stretch *s)
{
    return pp_seal(&b->sealer, &b->context, s, b->chain, NULL);
}

/* ---- the judge: libcrypto, and nothing of ours ---- */

/* Decrypts n stored bytes (IV, ciphertext); returns the plaintext's length, or
 * SIZE_MAX when it is not well formed. */
static size_t
decrypt(const uint8_t *with, const uint8_t *stored, size_t n, uint8_t *plain)
{
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    int first = 0, last = 0;
    bool good;

    if (!ctx || n < 32)
        abort();
    good = EVP_DecryptInit_ex(ctx, EVP_aes_256_cbc(), NULL, with, stored) &&
           EVP_DecryptUpdate(ctx, plain, &first, stored + 16, (int)n - 16) &&
           EVP_DecryptFinal_ex(ctx, plain + first, &last);
    EVP_CIPHER_CTX_free(ctx);
    return good ? (size_t)(first + last) : SIZE_MAX;
}

static size_t
encrypt(const uint8_t iv[16], const uint8_t *plain, size_t n, uint8_t *stored)
{
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    int first = 0, last = 0;

    memcpy(stored, iv, 16);
    if (!ctx || !EVP_EncryptInit_ex(ctx, EVP_aes_256_cbc(), NULL, key, iv) ||
        !EVP_EncryptUpdate(ctx, stored + 16, &first, plain, (int)n) ||
        !EVP_EncryptFinal_ex(ctx, stored + 16 + first, &last))
        abort();
    EVP_CIPHER_CTX_free(ctx);
    return 16 + (size_t)(first + last);
}

/* A hexadecimal token of n characters: "<", pairs of lower-case digits, ">".
 * Returns the bytes, SIZE_MAX when it is not exactly that. */
static size_t
plain_hex(const uint8_t *token, size_t n, uint8_t *bytes)
{
    static const char digits[] = "0123456789abcdef";

    if (n < 2 || n % 2 || token[0] != '<' || token[n - 1] != '>')
        return SIZE_MAX;
    for (size_t i = 1; i + 2 < n; i += 2) {
        const char *high = memchr(digits, token[i], 16);
        const char *low = memchr(digits, token[i + 1], 16);

        if (!high || !low)
            return SIZE_MAX;
        *bytes++ = (uint8_t)((high - digits) << 4 | (low - digits));
    }
    return n / 2 - 1;
}

static void
fill(uint8_t *p, size_t n, unsigned seed)
{
    for (size_t i = 0; i < n; i++)
        p[i] = (uint8_t)(seed = seed * 1103515245u + 12345u, seed >> 16);
}

/* ---- strings ---- */

static void
is_a_string_of_any_length_right(void)
{
    struct bench b;

    bench_init(&b);
    for (size_t n = 0; n <= 40; n++) {
        uint8_t value[40], stored[80], plain[80];
        char token[3 + 80];
        struct part parts[] = {
            { .kind = PART_OBJECT, .number = 1 },
            { .kind = PART_TEXT, .text = "[" },
            { .kind = PART_STRING, .text = token },
            { .kind = PART_TEXT, .text = "]\nendobj\n" },
        };
        struct pp_stretch s;
        size_t got, at = strlen("1 0 obj\n[");

        fill(value, n, (unsigned)n);
        token[0] = '<';
        for (size_t i = 0; i < n; i++)
            (void)snprintf(token + 1 + 2 * i, 3, "%02X", value[i]);
        memcpy(token + 1 + 2 * n, ">", 2);
        stretch_lay(&s, parts, 4);
        CHECK(seal(&b, &s) == PDFPIPE_OK, "%zu bytes", n);
        CHECK(s.out_n == at + 2 + 2 * pp_stored_len(n) + strlen("]\nendobj\n"),
              "%zu bytes", n);
        got = plain_hex(s.out + at, 2 + 2 * (size_t)pp_stored_len(n), stored);
        CHECK(got == pp_stored_len(n), "%zu bytes: %zu", n, got);
        got = decrypt(key, stored, got, plain);
        CHECK(got == n && !memcmp(plain, value, n), "%zu bytes: %zu", n, got);
        CHECK(!memcmp(s.out, "1 0 obj\n[", at) &&
                  !memcmp(s.out + s.out_n - 9, "]\nendobj\n", 9),
              "%zu bytes: text around", n);
        CHECK(s.strings == 1 && s.streams == 0 && s.payload_bytes == n,
              "%zu bytes: counted", n);
        stretch_free(&s);
    }
    bench_fini(&b);
}

static void
is_the_value_encrypted_and_not_the_token(void)
{
    static const struct {
        const char *token;
        const char *value;
    } rows[] = {
        { "(abc)", "abc" },     { "(a\\(b)", "a(b" },
        { "(a(b)c)", "a(b)c" }, { "(a\\\nb)", "ab" },
        { "(a\r\nb)", "a\nb" }, { "(\\053x)", "+x" },
        { "<4>", "@" },         { "< 4 1\n42 >", "AB" },
        { "()", "" },           { "<>", "" },
        { "(\\))", ")" },       { "(%no comment)", "%no comment" },
    };
    struct bench b;

    bench_init(&b);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct part part = { .kind = PART_STRING, .text = rows[i].token };
        uint8_t stored[64], plain[64];
        struct pp_stretch s;
        size_t n;

        stretch_lay(&s, &part, 1);
        CHECK(seal(&b, &s) == PDFPIPE_OK, "%s", rows[i].token);
        n = plain_hex(s.out, s.out_n, stored);
        n = n == SIZE_MAX ? n : decrypt(key, stored, n, plain);
        CHECK(n == strlen(rows[i].value) && !memcmp(plain, rows[i].value, n),
              "%s: %zu bytes", rows[i].token, n);
        stretch_free(&s);
    }
    bench_fini(&b);
}

static void
are_the_known_answers_met(void)
{
    struct bench b;

    bench_init(&b);
    for (size_t i = 0; i < aesv3_vector_count; i++) {
        const struct aesv3_vector *v = &aesv3_vectors[i];
        uint8_t vector_key[32], stored[512], plain[512], got[512];
        char token[1024 + 3];
        struct part parts[2];
        struct pp_stretch s;
        size_t n, stored_n;

        (void)vector_bytes(v->key, vector_key, sizeof vector_key);
        n = vector_bytes(v->plain, plain, sizeof plain);
        stored_n = vector_bytes(v->stored, stored, sizeof stored);
        b.context.document = 100 + i;
        b.context.file_key = vector_key;
        set_random_bytes = stored;
        (void)snprintf(token, sizeof token, "<%s>", v->plain);
        parts[0] = (struct part){ .kind = PART_STRING, .text = token };
        parts[1] = (struct part){ .kind = PART_STREAM, .bytes = plain, .n = n };
        stretch_lay(&s, parts, 2);
        CHECK(seal(&b, &s) == PDFPIPE_OK, "row %zu", i);
        CHECK(plain_hex(s.out, 2 + 2 * stored_n, got) == stored_n &&
                  !memcmp(got, stored, stored_n),
              "row %zu: string", i);
        CHECK(s.out_n == 2 + 3 * stored_n &&
                  !memcmp(s.out + 2 + 2 * stored_n, stored, stored_n),
              "row %zu: stream", i);
        stretch_free(&s);
    }
    set_random_bytes = NULL;
    bench_fini(&b);
}

/* ---- streams ---- */

static void
try_stream(struct bench *b, size_t n, bool in_text)
{
    uint8_t *bytes = malloc(n + 1), *plain = malloc(n + 64);
    struct part parts[] = {
        { .kind = PART_OBJECT, .number = 7 },
        { .kind = PART_TEXT, .text = "<</Length 9>>\nstream\n" },
        { .kind = PART_STREAM, .number = 7, .n = n, .in_text = in_text },
        { .kind = PART_TEXT, .text = "\nendstream\nendobj\n" },
    };
    size_t at = strlen("7 0 obj\n<</Length 9>>\nstream\n");
    size_t end = strlen("\nendstream\nendobj\n"), got;
    struct pp_stretch s;

    if (!bytes || !plain)
        abort();
    fill(bytes, n, 3);
    parts[2].bytes = bytes;
    stretch_lay(&s, parts, 4);
    CHECK(seal(b, &s) == PDFPIPE_OK, "%zu bytes", n);
    CHECK(s.out_n == at + pp_stored_len(n) + end, "%zu bytes: size", n);
    got = decrypt(key, s.out + at, (size_t)pp_stored_len(n), plain);
    CHECK(got == n && !memcmp(plain, bytes, n), "%zu bytes, in text %d: %zu", n,
          in_text, got);
    CHECK(!memcmp(s.out, "7 0 obj\n<</Length 9>>\nstream\n", at) &&
              !memcmp(s.out + s.out_n - end, "\nendstream\nendobj\n", end),
          "%zu bytes: text around", n);
    CHECK(s.streams == 1 && s.strings == 0 && s.payload_bytes == n,
          "%zu bytes: counted", n);
    stretch_free(&s);
    free(bytes);
    free(plain);
}

static void
is_a_stream_of_any_length_right(void)
{
    static const size_t more[] = { 255,   256,   4095,  4096,   4097,
                                   65535, 65536, 65537, 131072, 400000 };
    struct bench b;

    bench_init(&b);
    for (size_t n = 0; n <= 40; n++) {
        try_stream(&b, n, true);
        try_stream(&b, n, false);
    }
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
        try_stream(&b, more[i], true);
        try_stream(&b, more[i], false);
    }
    bench_fini(&b);
}

/* The pieces of a stream, each in a stretch of its own, are together what the
 * stream is in one. */
static void
do_pieces_make_the_whole(size_t total, size_t piece)
{
    uint8_t *bytes = malloc(total + 1), *whole = malloc(total + 64);
    uint8_t iv[16], *joined = malloc(total + 64);
    size_t at = 0, n = 0, whole_n;
    struct bench b;

    if (!bytes || !whole || !joined)
        abort();
    fill(bytes, total, 11);
    set_random_iv(2, 40, iv);
    whole_n = encrypt(iv, bytes, total, whole);
    bench_init(&b);
    for (bool last = false; !last; at += piece) {
        struct part p = { .kind = PART_STREAM,
                          .number = 3,
                          .bytes = bytes + at,
                          .at = at,
                          .not_first = at > 0 };
        struct pp_stretch s;

        last = total - at <= piece;
        p.n = last ? total - at : piece;
        p.not_last = !last;
        stretch_lay(&s, &p, 1);
        s.first_iv = 40;
        CHECK(seal(&b, &s) == PDFPIPE_OK, "piece at %zu", at);
        CHECK(s.streams == (at == 0), "a stream counts once");
        memcpy(joined + n, s.out, s.out_n);
        n += s.out_n;
        stretch_free(&s);
    }
    CHECK(n == whole_n && !memcmp(joined, whole, n),
          "%zu bytes in pieces of %zu", total, piece);
    bench_fini(&b);
    free(bytes);
    free(whole);
    free(joined);
}

/* Behind the last piece other objects may follow in the same stretch. */
static void
is_the_chain_for_the_first_span_alone(void)
{
    uint8_t bytes[48], iv[16], want[128], got[64];
    struct part parts[] = {
        { .kind = PART_STREAM,
          .bytes = bytes + 32,
          .n = 16,
          .not_first = true,
          .at = 32 },
        { .kind = PART_TEXT, .text = "\nendstream\nendobj\n" },
        { .kind = PART_STRING, .text = "(next)" },
    };
    struct part first = {
        .kind = PART_STREAM, .bytes = bytes, .n = 32, .not_last = true
    };
    struct pp_stretch s;
    struct bench b;
    size_t n;

    fill(bytes, sizeof bytes, 5);
    bench_init(&b);
    set_random_iv(2, 0, iv);
    n = encrypt(iv, bytes, sizeof bytes, want);
    stretch_lay(&s, &first, 1);
    CHECK(seal(&b, &s) == PDFPIPE_OK, "first piece");
    CHECK(!memcmp(s.out, want, 48) && !memcmp(b.chain, want + 32, 16),
          "first piece and its chain");
    stretch_free(&s);

    stretch_lay(&s, parts, 3);
    s.first_iv = 1;
    CHECK(seal(&b, &s) == PDFPIPE_OK, "last piece");
    CHECK(!memcmp(s.out, want + 48, n - 48), "last piece");
    set_random_iv(2, 1, iv);
    n = encrypt(iv, (const uint8_t *)"next", 4, want);
    CHECK(plain_hex(s.out + 32 + strlen(parts[1].text), 2 + 2 * n, got) == n &&
              !memcmp(got, want, n),
          "a string behind it has its own IV");
    stretch_free(&s);
    bench_fini(&b);
}

/* ---- both, and text ---- */

static void
is_clear_left_clear(bool in_text)
{
    static const uint8_t xmp[] = "<?xpacket begin?>a readable title";
    struct part parts[] = {
        { .kind = PART_OBJECT, .number = 4 },
        { .kind = PART_TEXT, .text = "<</T" },
        { .kind = PART_STRING, .text = "(s)" },
        { .kind = PART_TEXT, .text = ">>\nstream\n" },
        { .kind = PART_STREAM,
          .number = 4,
          .bytes = xmp,
          .n = sizeof xmp - 1,
          .clear = true,
          .in_text = in_text },
        { .kind = PART_TEXT, .text = "\nendstream\nendobj\n" },
    };
    struct pp_stretch s;
    struct bench b;

    bench_init(&b);
    stretch_lay(&s, parts, 6);
    CHECK(seal(&b, &s) == PDFPIPE_OK, "in text %d", in_text);
    CHECK(!memcmp(s.out + s.out_n - strlen(parts[5].text) - (sizeof xmp - 1),
                  xmp, sizeof xmp - 1),
          "in text %d", in_text);
    CHECK(s.streams == 0 && s.strings == 1 && s.payload_bytes == 1,
          "what stays clear is no payload");
    stretch_free(&s);
    bench_fini(&b);
}

/* Strings and streams side by side, in every arrangement of four, with and
 * without text between them. */
static void
does_any_arrangement_come_out_right(void)
{
    static const uint8_t bytes[20] = "stream stream stream";
    static const struct part kinds[] = {
        { .kind = PART_TEXT, .text = "/K 1" },
        { .kind = PART_STRING, .text = "(a)" },
        { .kind = PART_STRING, .text = "(0123456789abcdef0)" },
        { .kind = PART_STREAM, .bytes = bytes, .n = 17 },
        { .kind = PART_STREAM, .bytes = bytes, .n = 20, .in_text = true },
        { .kind = PART_STREAM, .bytes = bytes, .n = 9, .clear = true },
    };
    struct bench b;
    unsigned tried = 0;

    bench_init(&b);
    for (unsigned code = 0; code < 6 * 6 * 6 * 6; code++, tried++) {
        struct part parts[4];
        struct pp_stretch s;
        size_t at = 0;
        uint64_t iv_n = 5;

        for (unsigned i = 0, c = code; i < 4; i++, c /= 6)
            parts[i] = kinds[c % 6];
        stretch_lay(&s, parts, 4);
        s.first_iv = iv_n;
        CHECK(seal(&b, &s) == PDFPIPE_OK, "%u", code);
        for (unsigned i = 0; i < 4; i++) {
            const struct part *p = &parts[i];
            uint8_t iv[16], want[64], got[64];
            const uint8_t *plain = p->bytes;
            size_t n = p->n, token;

            if (p->kind == PART_TEXT || p->clear) {
                n = p->clear ? n : strlen(p->text);
                CHECK(!memcmp(s.out + at,
                              p->clear ? (const char *)plain : p->text, n),
                      "%u: part %u", code, i);
                at += n;
                continue;
            }
            if (p->kind == PART_STRING) {
                plain = (const uint8_t *)p->text + 1;
                n = strlen(p->text) - 2;
            }
            set_random_iv(2, iv_n++, iv);
            n = encrypt(iv, plain, n, want);
            token = p->kind == PART_STRING ? 2 + 2 * n : n;
            if (p->kind == PART_STRING)
                CHECK(plain_hex(s.out + at, token, got) == n &&
                          !memcmp(got, want, n),
                      "%u: part %u", code, i);
            else
                CHECK(!memcmp(s.out + at, want, n), "%u: part %u", code, i);
            at += token;
        }
        CHECK(at == s.out_n, "%u: %zu of %zu bytes", code, at, s.out_n);
        stretch_free(&s);
    }
    CHECK(tried == 1296, "%u", tried);
    bench_fini(&b);
}

/* A unit's buffer holds what it held before; none of that may come through. */
static void
is_every_byte_of_the_output_written(void)
{
    static const uint8_t bytes[40] = { 0 };
    struct part parts[] = {
        { .kind = PART_OBJECT, .number = 1 },
        { .kind = PART_STRING, .text = "(abc)" },
        { .kind = PART_STRING, .text = "()" },
        { .kind = PART_TEXT, .text = " " },
        { .kind = PART_STREAM, .bytes = bytes, .n = 33, .in_text = true },
        { .kind = PART_STREAM, .bytes = bytes, .n = 16, .in_text = true },
        { .kind = PART_STREAM, .bytes = bytes, .n = 0, .in_text = true },
        { .kind = PART_STREAM,
          .bytes = bytes,
          .n = 7,
          .in_text = true,
          .clear = true },
        { .kind = PART_TEXT, .text = "end" },
    };
    size_t n = sizeof parts / sizeof parts[0];
    struct pp_stretch a, c;
    struct bench b;

    bench_init(&b);
    stretch_lay(&a, parts, n);
    stretch_lay(&c, parts, n);
    memset(a.out, 0x00, a.out_n);
    memset(c.out, 0xff, c.out_n);
    CHECK(seal(&b, &a) == PDFPIPE_OK && seal(&b, &c) == PDFPIPE_OK, "sealed");
    CHECK(a.out_n == c.out_n && !memcmp(a.out, c.out, a.out_n),
          "old bytes do not show");
    stretch_free(&a);
    stretch_free(&c);
    bench_fini(&b);
}

/* ---- keys, failures, sizes ---- */

static void
does_each_document_have_its_key(void)
{
    static const uint8_t other[32] = { 99 };
    struct part part = { .kind = PART_STRING, .text = "(abc)" };
    struct bench b;

    bench_init(&b);
    for (unsigned i = 0; i < 6; i++) {
        const uint8_t *with = i % 2 ? other : key;
        uint8_t stored[64], plain[64];
        struct pp_stretch s;
        size_t n;

        b.context.document = 2 + i % 2;
        b.context.file_key = with;
        stretch_lay(&s, &part, 1);
        CHECK(seal(&b, &s) == PDFPIPE_OK, "%u", i);
        n = plain_hex(s.out, s.out_n, stored);
        CHECK(decrypt(with, stored, n, plain) == 3 && !memcmp(plain, "abc", 3),
              "%u", i);
        stretch_free(&s);
    }
    bench_fini(&b);
}

static void
is_there_no_output_without_randomness(void)
{
    struct part part = { .kind = PART_STRING, .text = "(abc)" };
    struct pdfpipe_error err;
    struct pp_stretch s;
    struct bench b;

    bench_init(&b);
    stretch_lay(&s, &part, 1);
    set_random_fails = true;
    CHECK(pp_seal(&b.sealer, &b.context, &s, b.chain, &err) ==
                  PDFPIPE_E_CRYPTO &&
              err.code == PDFPIPE_E_CRYPTO,
          "%s", err.message);
    set_random_fails = false;
    stretch_free(&s);
    bench_fini(&b);
}

static void
are_many_spans_and_then_few_the_same(void)
{
    enum { MANY = 20000 };
    struct part *parts = calloc(MANY, sizeof *parts);
    struct pp_stretch s;
    struct bench b;

    if (!parts)
        abort();
    bench_init(&b);
    for (size_t i = 0; i < MANY; i++)
        parts[i] = (struct part){ .kind = PART_STRING, .text = "(x)" };
    for (size_t n = MANY; n; n = n == MANY ? 3 : n == 3 ? 9000 : 0) {
        uint8_t stored[64], plain[64];

        stretch_lay(&s, parts, n);
        CHECK(seal(&b, &s) == PDFPIPE_OK, "%zu spans", n);
        CHECK(s.strings == n && s.payload_bytes == n, "%zu spans", n);
        CHECK(plain_hex(s.out + 66 * (n - 1), 66, stored) == 32 &&
                  decrypt(key, stored, 32, plain) == 1 && plain[0] == 'x',
              "the last of %zu", n);
        stretch_free(&s);
    }
    CHECK(b.sealer.span_cap < MANY, "scratch was given back: %zu",
          b.sealer.span_cap);
    free(parts);
    bench_fini(&b);
}

static void
is_an_empty_stretch_harmless(void)
{
    struct part part = { .kind = PART_TEXT, .text = "" };
    struct pp_stretch s;
    struct bench b;

    bench_init(&b);
    memset(b.chain, 7, sizeof b.chain);
    stretch_lay(&s, &part, 1);
    CHECK(seal(&b, &s) == PDFPIPE_OK && s.out_n == 0, "nothing");
    CHECK(b.chain[0] == 7, "no lane, no new chain");
    stretch_free(&s);
    bench_fini(&b);
}

int
main(void)
{
    is_a_string_of_any_length_right();
    is_the_value_encrypted_and_not_the_token();
    are_the_known_answers_met();
    is_a_stream_of_any_length_right();
    do_pieces_make_the_whole(65536 * 3, 65536);
    do_pieces_make_the_whole(65536 * 3 + 1, 65536);
    do_pieces_make_the_whole(65536 * 3 + 16, 131072);
    do_pieces_make_the_whole(1000, 16);
    do_pieces_make_the_whole(15, 16);
    is_the_chain_for_the_first_span_alone();
    is_clear_left_clear(true);
    is_clear_left_clear(false);
    does_any_arrangement_come_out_right();
    is_every_byte_of_the_output_written();
    does_each_document_have_its_key();
    is_there_no_output_without_randomness();
    are_many_spans_and_then_few_the_same();
    is_an_empty_stretch_harmless();
    return check_report("seal_test");
}
