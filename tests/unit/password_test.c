/* password_test.c - which bytes does a password become, and what is said
 * about one that cannot be used? */
#include "crypt/password.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pdfpipe/options.h>

#include "check.h"
#include "crypt_vectors.h"
#include "guarded.h"

struct outcome {
    enum pdfpipe_status st;
    uint8_t bytes[PP_PASSWORD_MAX];
    size_t n;
    bool changed;
    struct pdfpipe_error err;
};

/* Text and result in buffers of exactly their size before unmapped pages. */
static struct outcome
prepare(const void *text, size_t n, enum pp_prepare how)
{
    uint8_t *in = guarded_new(n), *out = guarded_new(PP_PASSWORD_MAX);
    struct outcome o = { .n = 999 };

    if (n > 0)
        memcpy(in, text, n);
    o.st = pp_password_prepare((struct pp_view){ in, n }, how, out, &o.n,
                               &o.changed, &o.err);
    memcpy(o.bytes, out, PP_PASSWORD_MAX);
    guarded_free(in, n);
    guarded_free(out, PP_PASSWORD_MAX);
    return o;
}

static struct outcome
prepare_text(const char *text, enum pp_prepare how)
{
    return prepare(text, strlen(text), how);
}

static void
known_answers_hold(void)
{
    for (size_t i = 0; i < saslprep_vector_count; i++) {
        const struct saslprep_vector *v = &saslprep_vectors[i];
        uint8_t text[64];
        size_t n = vector_bytes(v->text, text, sizeof text);
        struct outcome o =
            prepare(text, n, v->stored ? PP_PREPARE_STORED : PP_PREPARE_QUERY);

        if (!v->result) {
            CHECK(o.st == PDFPIPE_E_PASSWORD &&
                      strstr(o.err.message, v->says) != NULL,
                  "%s: %s", v->name, o.err.message);
            continue;
        }
        if (!CHECK(o.st == PDFPIPE_OK, "%s: %s", v->name, o.err.message))
            continue;
        CHECK(vector_is(v->result, o.bytes, o.n), "%s", v->name);
        CHECK(o.changed == (strcmp(v->text, v->result) != 0), "%s", v->name);
    }
}

static void
printable_ascii_stays_as_it_is(void)
{
    char text[96];
    struct outcome o;

    for (int c = 0x20; c < 0x7f; c++)
        text[c - 0x20] = (char)c;
    o = prepare(text, 95, PP_PREPARE_STORED);
    CHECK(o.st == PDFPIPE_OK && o.n == 95 && !o.changed &&
              memcmp(o.bytes, text, 95) == 0,
          "%s", o.err.message);
    o = prepare("", 0, PP_PREPARE_STORED);
    CHECK(o.st == PDFPIPE_OK && o.n == 0 && !o.changed, "empty");
    CHECK(pp_password_prepare((struct pp_view){ NULL, 0 }, PP_PREPARE_QUERY,
                              o.bytes, &o.n, &o.changed, NULL) == PDFPIPE_OK &&
              o.n == 0,
          "empty, without bytes or record");
}

/* clang-format off */
static const struct {
    const char *what, *text, *stored, *query; /* NULL: refused */
    const char *says;                         /* of the last refusal */
} rows[] = {
    { "umlauts", "p\xC3\xA4sswort", "p\xC3\xA4sswort", "p\xC3\xA4sswort", NULL },
    { "umlaut in two characters", "a\xCC\x88", "\xC3\xA4", "\xC3\xA4", NULL },
    { "Greek, Cyrillic, Han", "\xCE\xB1\xD0\xB6\xE5\xBC\xB3",
      "\xCE\xB1\xD0\xB6\xE5\xBC\xB3", "\xCE\xB1\xD0\xB6\xE5\xBC\xB3", NULL },
    { "Hebrew", "\xD7\xA9\xD7\x9C", "\xD7\xA9\xD7\x9C", "\xD7\xA9\xD7\x9C", NULL },
    { "a musical symbol in three", "\xF0\x9D\x85\x9F",
      "\xF0\x9D\x85\x98\xF0\x9D\x85\xA5", "\xF0\x9D\x85\x98\xF0\x9D\x85\xA5", NULL },
    { "zero width space in the middle", "a\xE2\x80\x8B" "b", "ab", "ab", NULL },
    { "ogham space", "a\xE1\x9A\x80" "b", "a b", "a b", NULL },
    { "prohibited mark that normalises to an allowed one", "\xCD\x80",
      "\xCC\x80", "\xCC\x80", NULL },

    { "tab", "ab\tc", NULL, NULL, "character 3 (U+0009) is a control character" },
    { "newline at the end", "ab\n", NULL, NULL, "character 3 (U+000A)" },
    { "delete", "\x7F", NULL, NULL, "character 1 (U+007F)" },
    { "control behind other text", "\xC3\xA4\x1B", NULL, NULL,
      "character 2 (U+001B) is not allowed" },
    { "C1 control", "a\xC2\x85", NULL, NULL, "character 2 (U+0085)" },
    { "line separator", "\xE2\x80\xA8", NULL, NULL, "character 1 (U+2028)" },
    { "not a character", "\xC3\xA4\xF4\x8F\xBF\xBF", NULL, NULL,
      "character 2 (U+10FFFF)" },
    { "replacement character", "\xEF\xBF\xBD", NULL, NULL, "character 1 (U+FFFD)" },
    { "position counts characters, dropped ones too",
      "\xC2\xAD\xE2\x80\x8B\xC3\xA4\xEE\x80\x80", NULL, NULL,
      "character 4 (U+E000) is not allowed" },
    { "the first of two", "\xEE\x80\x81\xEE\x80\x80", NULL, NULL,
      "character 1 (U+E001)" },
    { "unassigned passes a query", "x\xC8\xA1", NULL, "x\xC8\xA1",
      "character 2 (U+0221) is not in Unicode 3.2" },
    { "both directions", "\xD7\xA9" "a\xD7\xA9", NULL, NULL, "mixes letters" },
    { "does not begin right to left", "1\xD7\xA9", NULL, NULL, "must begin" },

    { "lone continuation", "a\x80", NULL, NULL, "not UTF-8 at character 2" },
    { "overlong slash", "\xC0\xAF", NULL, NULL, "not UTF-8 at character 1" },
    { "overlong, three bytes", "\xE0\x9F\xBF", NULL, NULL, "not UTF-8" },
    { "overlong, four bytes", "\xF0\x8F\xBF\xBF", NULL, NULL, "not UTF-8" },
    { "surrogate", "\xED\xA0\x80", NULL, NULL, "not UTF-8" },
    { "beyond Unicode", "\xF4\x90\x80\x80", NULL, NULL, "not UTF-8" },
    { "byte F5", "\xF5\x80\x80\x80", NULL, NULL, "not UTF-8" },
    { "byte FF", "ab\xFF", NULL, NULL, "not UTF-8 at character 3" },
    { "cut after 1 of 2", "\xC3", NULL, NULL, "not UTF-8" },
    { "cut after 2 of 3", "\xE2\x80", NULL, NULL, "not UTF-8" },
    { "cut after 3 of 4", "\xF0\x9F\x98", NULL, NULL, "not UTF-8" },
    { "lead without continuation", "\xC3(", NULL, NULL, "not UTF-8" },
    { "Latin-1", "stra\xDF" "e", NULL, NULL, "not UTF-8 at character 5" },

    { "nothing but what is dropped", "\xC2\xAD\xE2\x80\x8D", NULL, "",
      "none of its characters" },
    { "nothing but a zero width space", "\xE2\x80\x8B", NULL, "",
      "none of its characters" },
};
/* clang-format on */

static void
check_row(size_t i, enum pp_prepare how, const char *want)
{
    struct outcome o = prepare_text(rows[i].text, how);

    if (want) {
        CHECK(o.st == PDFPIPE_OK && o.n == strlen(want) &&
                  memcmp(o.bytes, want, o.n) == 0,
              "%s: %s", rows[i].what, o.err.message);
        CHECK(o.changed == (strcmp(rows[i].text, want) != 0), "%s",
              rows[i].what);
        return;
    }
    CHECK(o.st == PDFPIPE_E_PASSWORD && o.err.code == PDFPIPE_E_PASSWORD, "%s",
          rows[i].what);
    CHECK(rows[i].says && strstr(o.err.message, rows[i].says) != NULL, "%s: %s",
          rows[i].what, o.err.message);
}

static void
rows_hold(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        check_row(i, PP_PREPARE_STORED, rows[i].stored);
        check_row(i, PP_PREPARE_QUERY, rows[i].query);
    }
}

static void
nul_is_refused(void)
{
    struct outcome o = prepare("ab\0c", 4, PP_PREPARE_QUERY);

    CHECK(o.st == PDFPIPE_E_PASSWORD &&
              strstr(o.err.message, "character 3 (U+0000)") != NULL,
          "in ASCII: %s", o.err.message);
    o = prepare("\xC3\xA4\0c", 4, PP_PREPARE_QUERY);
    CHECK(o.st == PDFPIPE_E_PASSWORD &&
              strstr(o.err.message, "character 2 (U+0000)") != NULL,
          "in other text: %s", o.err.message);
}

/* A text of `count` times `one`; n counts its bytes after preparation. */
static void
check_length(const char *what, const char *one, size_t count, size_t n)
{
    char text[2048];
    size_t step = strlen(one);
    char says[64];
    struct outcome o;

    for (size_t i = 0; i < count; i++)
        memcpy(text + i * step, one, step);
    o = prepare(text, count * step, PP_PREPARE_STORED);
    if (n <= PP_PASSWORD_MAX) {
        CHECK(o.st == PDFPIPE_OK && o.n == n, "%s: %zu, %s", what, o.n,
              o.err.message);
        return;
    }
    (void)snprintf(says, sizeof says, "%zu bytes", n);
    CHECK(o.st == PDFPIPE_E_PASSWORD && strstr(o.err.message, says) != NULL,
          "%s: %s", what, o.err.message);
    for (size_t i = 0; i < PP_PASSWORD_MAX; i++)
        CHECK(o.bytes[i] == 0, "%s: byte %zu is left behind", what, i);
}

static void
at_most_127_bytes_are_taken(void)
{
    check_length("127 ASCII", "x", 127, 127);
    check_length("128 ASCII", "x", 128, 128);
    check_length("1024 ASCII", "x", PDFPIPE_SECRET_MAX, PDFPIPE_SECRET_MAX);
    check_length("1025 ASCII", "x", PDFPIPE_SECRET_MAX + 1,
                 PDFPIPE_SECRET_MAX + 1);
    check_length("63 umlauts", "\xC3\xA4", 63, 126);
    check_length("64 umlauts", "\xC3\xA4", 64, 128);
    check_length("127 in 254", "\xEF\xBC\xA1", 127, 127); /* wide A */
    check_length("128 in 384", "\xEF\xBC\xA1", 128, 128);
    /* U+FDFA is the longest there is: 18 characters, 33 bytes. */
    check_length("3 that grow", "\xEF\xB7\xBA", 3, 99);
    check_length("341 that grow", "\xEF\xB7\xBA", 341, 341u * 33);
    check_length("512 umlauts", "\xC3\xA4", 512, 1024);
}

static void
text_beyond_all_measure_is_not_looked_at(void)
{
    char text[PDFPIPE_SECRET_MAX + 1];
    struct outcome o;

    memset(text, '\t', sizeof text);
    o = prepare(text, sizeof text, PP_PREPARE_STORED);
    CHECK(o.st == PDFPIPE_E_PASSWORD &&
              strstr(o.err.message, "more than can be prepared") != NULL,
          "one byte too many: %s", o.err.message);
    o = prepare(text, sizeof text - 1, PP_PREPARE_STORED);
    CHECK(o.st == PDFPIPE_E_PASSWORD && strstr(o.err.message, "U+0009") != NULL,
          "as many as there may be: %s", o.err.message);
}

/* Every code point alone: prepared twice is prepared once, and what passes as
 * stored passes a query with the same bytes. */
static void
preparation_is_stable(void)
{
    uint8_t once[PP_PASSWORD_MAX], twice[PP_PASSWORD_MAX], query[127];
    size_t n, m, q, passed = 0;
    bool changed;

    for (uint32_t c = 0x80; c < 0x110000; c++) {
        uint8_t text[4] = { (uint8_t)(0xF0 | c >> 18),
                            (uint8_t)(0x80 | (c >> 12 & 0x3F)),
                            (uint8_t)(0x80 | (c >> 6 & 0x3F)),
                            (uint8_t)(0x80 | (c & 0x3F)) };
        struct pp_view v = { text, 4 };

        if (c < 0x10000) {
            text[1] = (uint8_t)(0xE0 | c >> 12);
            v = (struct pp_view){ text + 1, 3 };
        }
        if (c < 0x800) {
            text[2] = (uint8_t)(0xC0 | c >> 6);
            v = (struct pp_view){ text + 2, 2 };
        }
        if (pp_password_prepare(v, PP_PREPARE_STORED, once, &n, &changed,
                                NULL) != PDFPIPE_OK)
            continue;
        passed++;
        CHECK(pp_password_prepare((struct pp_view){ once, n },
                                  PP_PREPARE_STORED, twice, &m, &changed,
                                  NULL) == PDFPIPE_OK &&
                  m == n && !changed && memcmp(once, twice, n) == 0,
              "U+%04X", c);
        CHECK(pp_password_prepare(v, PP_PREPARE_QUERY, query, &q, &changed,
                                  NULL) == PDFPIPE_OK &&
                  q == n && memcmp(once, query, n) == 0,
              "U+%04X", c);
    }
    /* As many as an independent implementation accepts. */
    CHECK(passed == 94841, "%zu", passed);
}

int
main(void)
{
    known_answers_hold();
    printable_ascii_stays_as_it_is();
    rows_hold();
    nul_is_refused();
    at_most_127_bytes_are_taken();
    text_beyond_all_measure_is_not_looked_at();
    preparation_is_stable();
    return check_report("password");
}
