/* json_test.c - is what the writer makes JSON, whatever it is given? */
#include "batch/json.h"

#include <stdlib.h>
#include <string.h>

#include "batch/utf8.h"
#include "check.h"

static bool
is(const struct pp_json *j, const char *want)
{
    return !j->failed && j->length == strlen(want) &&
           memcmp(j->text, want, j->length) == 0;
}

/* clang-format off */
static const struct {
    const char *what;
    const char *text;
    size_t n;
    const char *want;
} strings[] = {
    { "empty",             "",                 0, "\"\"" },
    { "plain",             "abc",              3, "\"abc\"" },
    { "quote, backslash",  "a\"b\\c",          5, "\"a\\\"b\\\\c\"" },
    { "line ends, tab",    "\n\r\t",           3, "\"\\n\\r\\t\"" },
    { "NUL",               "a\0b",             3, "\"a\\u0000b\"" },
    { "escape, delete",    "\x1b\x7f",         2, "\"\\u001b\\u007f\"" },
    { "slash stays",       "a/b",              3, "\"a/b\"" },
    { "two bytes",         "\xc3\xa4",         2, "\"\xc3\xa4\"" },
    { "four bytes",        "\xf0\x9f\x94\x91", 4, "\"\xf0\x9f\x94\x91\"" },
    { "lone byte",         "a\xff" "b",        3, "\"a\xef\xbf\xbd" "b\"" },
    { "cut character",     "\xe2\x82",         2, "\"\xef\xbf\xbd\xef\xbf\xbd\"" },
    { "overlong slash",    "\xc0\xaf",         2, "\"\xef\xbf\xbd\xef\xbf\xbd\"" },
};
/* clang-format on */

static void
are_strings_escaped(void)
{
    for (size_t i = 0; i < sizeof strings / sizeof strings[0]; i++) {
        struct pp_json j = { 0 };

        pp_json_bytes(&j, strings[i].text, strings[i].n);
        CHECK(is(&j, strings[i].want), "%s: %.*s", strings[i].what,
              (int)j.length, j.text);
        pp_json_fini(&j);
    }
}

static void
do_commas_come_by_themselves(void)
{
    struct pp_json j = { 0 };

    pp_json_begin(&j);
    pp_json_key(&j, "a");
    pp_json_number(&j, 0);
    pp_json_key(&j, "b");
    pp_json_begin_array(&j);
    pp_json_end_array(&j);
    pp_json_key(&j, "c");
    pp_json_begin_array(&j);
    pp_json_number(&j, UINT64_MAX);
    pp_json_bool(&j, true);
    pp_json_begin(&j);
    pp_json_end(&j);
    pp_json_begin(&j);
    pp_json_key(&j, "d");
    pp_json_bool(&j, false);
    pp_json_end(&j);
    pp_json_end_array(&j);
    pp_json_end(&j);
    pp_json_newline(&j);
    pp_json_begin(&j);
    pp_json_end(&j);
    pp_json_newline(&j);
    CHECK(is(&j, "{\"a\":0,\"b\":[],\"c\":[18446744073709551615,true,{},"
                 "{\"d\":false}]}\n{}\n"),
          "%.*s", (int)j.length, j.text);
    pp_json_clear(&j);
    pp_json_text(&j, "x");
    CHECK(is(&j, "\"x\""), "a cleared writer begins anew");
    pp_json_fini(&j);
}

static void
are_fractions_exact(void)
{
    static const struct {
        uint64_t value;
        unsigned decimals;
        const char *want;
    } rows[] = {
        { 0, 3, "0.000" },
        { 7, 3, "0.007" },
        { 1999, 3, "1.999" },
        { 12, 0, "12" },
        { UINT64_MAX, 9, "18446744073.709551615" },
        { 1, 99, "0.000000001" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_json j = { 0 };

        pp_json_fixed(&j, rows[i].value, rows[i].decimals);
        CHECK(is(&j, rows[i].want), "row %zu: %.*s", i, (int)j.length, j.text);
        pp_json_fini(&j);
    }
}

static void
can_every_path_be_got_back(void)
{
    static const struct {
        const char *path;
        const char *want;
    } rows[] = {
        { "a b.pdf", "{\"path\":\"a b.pdf\"}" },
        { "\xff", "{\"path\":\"\xef\xbf\xbd\",\"path_b64\":\"/w==\"}" },
        { "\xff/", "{\"path\":\"\xef\xbf\xbd/\",\"path_b64\":\"/y8=\"}" },
        { "\xff/a", "{\"path\":\"\xef\xbf\xbd/a\",\"path_b64\":\"/y9h\"}" },
        { "\xff\xfe\xfd"
          "d",
          "{\"path\":\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
          "d\","
          "\"path_b64\":\"//79ZA==\"}" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_json j = { 0 };

        pp_json_begin(&j);
        pp_json_path(&j, "path", rows[i].path);
        pp_json_end(&j);
        CHECK(is(&j, rows[i].want), "row %zu: %.*s", i, (int)j.length, j.text);
        pp_json_fini(&j);
    }
}

static void
does_a_long_text_fit(void)
{
    enum { N = 100000 };
    struct pp_json j = { 0 };
    char *text = malloc(N);

    if (!CHECK(text != NULL, "memory"))
        return;
    memset(text, '"', N);
    pp_json_bytes(&j, text, N);
    CHECK(!j.failed && j.length == 2 * N + 2, "length %zu", j.length);
    pp_json_fini(&j);
    free(text);
}

/* Small-scope check: of all strings of up to three bytes and of those of four
 * that begin with a lead byte, exactly those are UTF-8 that encode one code
 * point after the other.  The counts are those of Unicode. */
static void
is_utf8_what_unicode_says(void)
{
    size_t single[5] = { 0 };
    char p[4];

    for (unsigned a = 0; a < 256; a++) {
        uint32_t c = 0;

        p[0] = (char)a;
        single[1] += pp_utf8_next(p, 1, &c) == 1;
        for (unsigned b = 0; b < 256; b++) {
            p[1] = (char)b;
            single[2] += pp_utf8_next(p, 2, &c) == 2;
            for (unsigned d = 0; d < 256; d++) {
                p[2] = (char)d;
                single[3] += pp_utf8_next(p, 3, &c) == 3;
                if (a < 0xf0)
                    continue;
                for (unsigned e = 0; e < 256; e++) {
                    p[3] = (char)e;
                    single[4] += pp_utf8_next(p, 4, &c) == 4;
                }
            }
        }
    }
    CHECK(single[1] == 0x80, "%zu of one byte", single[1]);
    CHECK(single[2] == 0x800 - 0x80, "%zu of two bytes", single[2]);
    CHECK(single[3] == 0x10000 - 0x800 - 0x800, "%zu of three bytes",
          single[3]);
    CHECK(single[4] == 0x110000 - 0x10000, "%zu of four bytes", single[4]);
    CHECK(pp_utf8_valid("", 0), "nothing is UTF-8");
    CHECK(!pp_utf8_valid("abc\xe2\x82", 5), "a cut character is not");
}

int
main(void)
{
    are_strings_escaped();
    do_commas_come_by_themselves();
    are_fractions_exact();
    can_every_path_be_got_back();
    does_a_long_text_fit();
    is_utf8_what_unicode_says();
    return check_report("json");
}
