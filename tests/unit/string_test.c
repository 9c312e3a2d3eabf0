/* string_test.c - what do a string's and a name's characters stand for? */
#include "pdf/string.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "madepdf.h"
#include "pdf/lex.h"

/* clang-format off */
static const struct {
    const char *what;
    const char *token;
    const char *want;
    size_t n;
} strings[] = {
    { "empty",                 "()",             "",         0 },
    { "plain",                 "(abc)",          "abc",      3 },
    { "nested",                "(a(b)c)",        "a(b)c",    5 },
    { "escaped bracket",       "(\\()",          "(",        1 },
    { "escaped backslash",     "(\\\\)",         "\\",       1 },
    { "three octal digits",    "(\\053)",        "+",        1 },
    { "two octal digits",      "(\\53x)",        "+x",       2 },
    { "one octal digit",       "(\\5)",          "\x05",     1 },
    { "octal, a digit more",   "(\\0053)",       "\x05" "3", 2 },
    { "octal above a byte",    "(\\400)",        "\0",       1 },
    { "octal 777",             "(\\777)",        "\xff",     1 },
    { "no octal digits",       "(\\8\\9)",       "89",       2 },
    { "octal stops at 8",      "(\\18)",         "\x01" "8", 2 },
    { "NUL by octal",          "(a\\0b)",        "a\0b",     3 },
    { "unknown escape",        "(\\q)",          "q",        1 },
    { "control characters",    "(\\n\\r\\t\\b\\f)", "\n\r\t\b\f", 5 },
    { "continued at LF",       "(a\\\nb)",       "ab",       2 },
    { "continued at CR",       "(a\\\rb)",       "ab",       2 },
    { "continued at CR LF",    "(a\\\r\nb)",     "ab",       2 },
    { "continued, then LF",    "(a\\\n\nb)",     "a\nb",     3 },
    { "LF",                    "(a\nb)",         "a\nb",     3 },
    { "CR",                    "(a\rb)",         "a\nb",     3 },
    { "CR LF",                 "(a\r\nb)",       "a\nb",     3 },
    { "CR CR LF",              "(\r\r\n)",       "\n\n",     2 },
    { "percent",               "(%x)",           "%x",       2 },
    { "hexadecimal, empty",    "<>",             "",         0 },
    { "odd",                   "<4>",            "@",        1 },
    { "blank",                 "<4 1>",          "A",        1 },
    { "end of line",           "<41\n42>",       "AB",       2 },
    { "no digit",              "<4G1>",          "A",        1 },
    { "both cases",            "<aBAb>",         "\xab\xab", 2 },
    { "odd at the end",        "<41 4>",         "A@",       2 },
    { "too short for a token", "(",              "",         0 },
};
/* clang-format on */
#define STRINGS (sizeof strings / sizeof strings[0])

static void
what_does_a_string_stand_for(void)
{
    for (size_t i = 0; i < STRINGS; i++) {
        struct pp_view token = view_copy(view_of(strings[i].token));
        uint8_t *to = malloc(strings[i].n + 1);
        size_t n;

        if (!to)
            abort();
        n = pp_string_decode(token, to, strings[i].n + 1);
        CHECK(n == strings[i].n, "%s: %zu", strings[i].what, n);
        CHECK(n == strings[i].n && memcmp(to, strings[i].want, n) == 0, "%s",
              strings[i].what);
        free(to);
        view_free(token);
    }
}

/* With less room than needed: the value's beginning, and not a byte more. */
static void
is_the_room_respected(void)
{
    for (size_t i = 0; i < STRINGS; i++)
        for (size_t cap = 0; cap <= strings[i].n; cap++) {
            uint8_t *to = malloc(cap ? cap : 1); /* a sanitizer looks */
            size_t n;

            if (!to)
                abort();
            n = pp_string_decode(view_of(strings[i].token), to, cap);
            CHECK(n == cap && memcmp(to, strings[i].want, n) == 0,
                  "%s, %zu bytes: %zu", strings[i].what, cap, n);
            free(to);
        }
}

/* The size that the reader plans with must be the size that a worker gets. */
static void
does_the_lexer_foretell_the_length(void)
{
    for (size_t i = 0; i < STRINGS; i++) {
        struct pp_lex lex = pp_lex_over(view_of(strings[i].token));
        struct pp_token token;

        pp_lex_next(&lex, &token);
        if (token.kind != PP_TOK_OPEN_STRING)
            CHECK(token.decoded == strings[i].n, "%s: %zu", strings[i].what,
                  token.decoded);
    }
}

static void
are_digits_written(void)
{
    uint8_t all[256], hex[513];

    for (unsigned i = 0; i < 256; i++)
        all[i] = (uint8_t)i;
    hex[512] = 0xa5;
    pp_hex_encode(all, sizeof all, hex);
    CHECK(hex[512] == 0xa5, "one byte too many");
    for (unsigned i = 0; i < 256; i++) {
        char pair[3] = { (char)hex[2 * i], (char)hex[2 * i + 1], 0 };

        CHECK(strtoul(pair, NULL, 16) == i && strcspn(pair, "ABCDEF") == 2,
              "%s", pair);
    }
    pp_hex_encode(all, 0, hex);
    CHECK(hex[0] == '0' && hex[1] == '0', "nothing written for nothing");
}

/* Source in the second half of the destination, as a sealed string has it. */
static void
may_digits_overwrite_their_source(void)
{
    for (size_t n = 0; n <= 80; n++) {
        uint8_t *apart = malloc(2 * n + 1), *same = malloc(2 * n + 1);
        uint8_t source[80];

        if (!apart || !same)
            abort();
        for (size_t i = 0; i < n; i++)
            source[i] = (uint8_t)(i * 37 + 11);
        memcpy(same + n, source, n);
        pp_hex_encode(source, n, apart);
        pp_hex_encode(same + n, n, same);
        CHECK(memcmp(apart, same, 2 * n) == 0, "%zu bytes", n);
        free(apart);
        free(same);
    }
}

static void
which_names_are_equal(void)
{
    /* clang-format off */
    static const struct {
        const char *token, *name;
        bool equal;
    } rows[] = {
        { "/Length",       "Length", true },
        { "/Le#6Egth",     "Length", true },
        { "/Le#6egth",     "Length", true },
        { "/#4c#65#6e#67#74#68", "Length", true },
        { "/Length",       "Lengt",  false },
        { "/Lengt",        "Length", false },
        { "/Lengths",      "Length", false },
        { "/length",       "Length", false },
        { "/Le#6Fgth",     "Length", false },
        { "/Le#6gth",      "Length", false },
        { "/Length#",      "Length", false },
        { "/Length#20",    "Length", false },
        { "/#",            "#",      true },
        { "/#23",          "#",      true },
        { "/#2",           "#2",     true },
        { "/#zz41",        "#zzA",   false },
        { "/#zz#41",       "#zzA",   true },
        { "/",             "",       true },
        { "/A",            "",       false },
        { "/",             "A",      false },
        { "Length",        "Length", false },
        { "(Length)",      "Length", false },
        { "",              "",       false },
    };
    /* clang-format on */

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_view token = view_copy(view_of(rows[i].token));

        CHECK(pp_name_is(token, rows[i].name) == rows[i].equal, "%s is %s",
              rows[i].token, rows[i].name);
        view_free(token);
    }
}

/* The value of a name token, written again; it may hold NUL (#00). */
static size_t
name_value(const char *token, char *value)
{
    size_t n = 0;

    for (const char *p = token + 1; *p; p++) {
        char pair[3] = { p[0] == '#' ? p[1] : '\0', '\0', '\0' };

        if (pair[0])
            pair[1] = p[2];
        if (pair[1] && strspn(pair, "0123456789abcdefABCDEF") == 2) {
            value[n++] = (char)strtoul(pair, NULL, 16);
            p += 2;
        } else {
            value[n++] = *p;
        }
    }
    return n;
}

/* Every name up to six bytes long against every value up to two. */
static void
small_scope_of_names(void)
{
    static const char alphabet[] = "#146AZ";
    static const char *const names[] = { "",   "A",  "AA", "AZ", "#",  "#4",
                                         "4#", "41", "1",  "D",  "ZA", "##" };
    size_t tried = 0, wrong = 0;

    for (size_t n = 0; n <= 6; n++) {
        size_t total = 1;

        for (size_t k = 0; k < n; k++)
            total *= 6;
        for (size_t code = 0; code < total; code++) {
            char token[8] = "/", value[8];
            size_t c = code, len;
            struct pp_view exact;

            for (size_t k = 1; k <= n; k++, c /= 6)
                token[k] = alphabet[c % 6];
            len = name_value(token, value);
            exact = view_copy(view_of(token));
            for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
                wrong += pp_name_is(exact, names[i]) !=
                         (len == strlen(names[i]) &&
                          memcmp(value, names[i], len) == 0);
            view_free(exact);
            tried++;
        }
    }
    CHECK(wrong == 0, "%zu wrong", wrong);
    CHECK(tried == 55987, "tried %zu", tried);
}

int
main(void)
{
    what_does_a_string_stand_for();
    is_the_room_respected();
    does_the_lexer_foretell_the_length();
    are_digits_written();
    may_digits_overwrite_their_source();
    which_names_are_equal();
    small_scope_of_names();
    return check_report("string");
}
