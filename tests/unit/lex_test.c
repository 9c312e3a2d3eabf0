/*
 * lex_test.c - is a text cut into the tokens that it has, however much of it
 *              is shown at a time?
 */
#include "pdf/lex.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "madepdf.h"
#include "pdf/string.h"

/* One letter per kind, for the golden texts below. */
static char
letter(enum pp_token_kind kind)
{
    switch (kind) {
    case PP_TOK_END: return '.';
    case PP_TOK_MORE: return '?';
    case PP_TOK_COMMENT: return 'C';
    case PP_TOK_NAME: return 'N';
    case PP_TOK_INTEGER: return 'I';
    case PP_TOK_NUMBER: return 'R';
    case PP_TOK_KEYWORD: return 'K';
    case PP_TOK_LITERAL: return 'L';
    case PP_TOK_HEX: return 'H';
    case PP_TOK_DICT_OPEN:
    case PP_TOK_DICT_CLOSE:
    case PP_TOK_ARRAY_OPEN:
    case PP_TOK_ARRAY_CLOSE: return 'B';
    case PP_TOK_ODD: return 'O';
    case PP_TOK_OPEN_STRING: return 'S';
    }
    return '!';
}

/* Tokens as text: "I:5 N:/A L:(ab)=2", up to the end. */
static void
print_tokens(struct pp_lex *lex, struct pp_buf *to)
{
    struct pp_token t;

    for (pp_lex_next(lex, &t); t.kind != PP_TOK_END && t.kind != PP_TOK_MORE;
         pp_lex_next(lex, &t)) {
        struct pp_view v = pp_token_view(lex, &t);

        if (t.kind == PP_TOK_OPEN_STRING)
            v.n = 0;
        (void)pp_buf_printf(to, "%s%c:", to->n ? " " : "", letter(t.kind));
        (void)pp_buf_append(to, v.p, v.n);
        if (t.kind == PP_TOK_LITERAL || t.kind == PP_TOK_HEX)
            (void)pp_buf_printf(to, "=%zu%s", t.decoded, t.odd ? "!" : "");
        if (t.kind == PP_TOK_INTEGER)
            (void)pp_buf_printf(to, "=%s%" PRIu64, t.negative ? "-" : "",
                                t.value);
    }
}

/* clang-format off */
static const struct {
    const char *what;
    const char *text;
    const char *want;
    bool comments;
} rows[] = {
    { "nothing",              "",                 "", false },
    { "white space",          " \t\r\n\f",        "", false },
    { "integers",             "0 7 007 -3 +4",    "I:0=0 I:7=7 I:007=7 I:-3=-3 I:+4=4", false },
    { "saturated",            "18446744073709551615 18446744073709551616 99999999999999999999999999",
                              "I:18446744073709551615=18446744073709551615 I:18446744073709551616=18446744073709551615 I:99999999999999999999999999=18446744073709551615", false },
    { "nearly saturated",     "18446744073709551614 18446744073709551609",
                              "I:18446744073709551614=18446744073709551614 I:18446744073709551609=18446744073709551609", false },
    { "reals",                "1. .5 -1.5 +.0",   "R:1. R:.5 R:-1.5 R:+.0", false },
    { "what some take so",    "--5 5-3 + - . 1e5 1.2.3", "R:--5 R:5-3 R:+ R:- R:. R:1e5 R:1.2.3", false },
    { "keywords",             "obj true R nul l", "K:obj K:true K:R K:nul K:l", false },
    { "no integer",           "e5 x1",            "K:e5 K:x1", false },
    { "high bytes",           "\x80\xff 1",       "K:\x80\xff I:1=1", false },
    { "vertical tab is regular", "a\vb",          "K:a\vb", false },
    { "names",                "/A /A#20b / /#",   "N:/A N:/A#20b N:/ N:/#", false },
    { "names without blanks", "/A/B/",            "N:/A N:/B N:/", false },
    { "name, other token",    "/A(b)/C<41>/D[/E]", "N:/A L:(b)=1 N:/C H:<41>=1 N:/D B:[ N:/E B:]", false },
    { "brackets",             "[<<>>]",           "B:[ B:<< B:>> B:]", false },
    { "key, strings",         "/Key(abc)/K2<41>>>", "N:/Key L:(abc)=3 N:/K2 H:<41>=1 B:>>", false },
    { "array of strings",     "[<41>(b)]",        "B:[ H:<41>=1 L:(b)=1 B:]", false },
    { "hex in a dictionary",  "<<<41>>>",         "B:<< H:<41>=1 B:>>", false },
    { "three of a kind",      ">>>",              "B:>> O:>", false },
    { "blank between",        "< <",              "S:", false },
    { "blank between, closed", "< <41>",          "H:< <41>=1!", false },
    { "stray brackets",       ") > { }",          "O:) O:> O:{ O:}", false },
    { "braces split words",   "a{b}c",            "K:a O:{ K:b O:} K:c", false },
    { "comment, passed over", "1%2\n3",           "I:1=1 I:3=3", false },
    { "comment, shown",       "1%2\n3%4\r5%",     "I:1=1 C:%2 I:3=3 C:%4 I:5=5 C:%", true },
    { "comment at the end",   "1 %x",             "I:1=1", false },
    { "comment, NUL and FF do not end it", "%a\f1\n2", "C:%a\f1 I:2=2", true },
    { "comment with brackets","%(<<\n1",          "I:1=1", false },
    { "percent in a string",  "(%)1",             "L:(%)=1 I:1=1", false },
    { "percent in hex",       "<4%1\n>",          "H:<4%1\n>=1!", false },
    { "reference",            "12 0 R",           "I:12=12 I:0=0 K:R", false },
    { "header, glued",        "1 0 obj<<",        "I:1=1 I:0=0 K:obj B:<<", false },
    { "obj and a digit",      "1 0 obj5",         "I:1=1 I:0=0 K:obj5", false },
    /* literal strings */
    { "empty string",         "()",               "L:()=0", false },
    { "nested",               "(a(b)c)d",         "L:(a(b)c)=5 K:d", false },
    { "escaped bracket",      "(\\()",            "L:(\\()=1", false },
    { "escaped backslash",    "(\\\\)",           "L:(\\\\)=1", false },
    { "octal",                "(\\053)(\\53x)(\\5)(\\400)", "L:(\\053)=1 L:(\\53x)=2 L:(\\5)=1 L:(\\400)=1", false },
    { "octal, a digit more",  "(\\0053)",         "L:(\\0053)=2", false },
    { "no octal",             "(\\8\\9)",         "L:(\\8\\9)=2", false },
    { "escapes",              "(\\n\\r\\t\\b\\f\\q)", "L:(\\n\\r\\t\\b\\f\\q)=6", false },
    { "continued line",       "(a\\\nb)(a\\\rb)(a\\\r\nb)", "L:(a\\\nb)=2 L:(a\\\rb)=2 L:(a\\\r\nb)=2", false },
    { "continued only",       "(\\\n)",           "L:(\\\n)=0", false },
    { "ends of line",         "(a\rb)(a\nb)(a\r\nb)(\r\r)", "L:(a\rb)=3 L:(a\nb)=3 L:(a\r\nb)=3 L:(\r\r)=2", false },
    { "not closed",           "1 (abc",           "I:1=1 S:", false },
    { "not closed, nested",   "(a(b)",            "S:", false },
    { "escape cut off",       "(a\\",             "S:", false },
    /* hexadecimal strings */
    { "empty hex",            "<>",               "H:<>=0", false },
    { "odd count",            "<4><414>",         "H:<4>=1 H:<414>=2", false },
    { "white space in hex",   "<4 1><41\n42><\t>", "H:<4 1>=1 H:<41\n42>=2 H:<\t>=0", false },
    { "no digit",             "<4G1><(>",         "H:<4G1>=1! H:<(>=0!", false },
    { "all digits",           "<0123456789abcdefABCDEF>", "H:<0123456789abcdefABCDEF>=11", false },
    { "hex not closed",       "<41",              "S:", false },
};
/* clang-format on */
#define ROWS (sizeof rows / sizeof rows[0])

static void
which_tokens_has_a_text(void)
{
    for (size_t i = 0; i < ROWS; i++) {
        struct pp_view text = view_copy(view_of(rows[i].text));
        struct pp_lex lex = pp_lex_over(text);
        struct pp_buf got = { 0 };

        lex.comments = rows[i].comments;
        print_tokens(&lex, &got);
        CHECK(pp_view_is(pp_buf_view(&got), rows[i].want), "%s: %.*s",
              rows[i].what, (int)got.n, (const char *)got.p);
        pp_buf_fini(&got);
        view_free(text);
    }
}

static void
is_NUL_white_space(void)
{
    static const uint8_t bytes[] = { 0, 'a', 0, 0, 'b', 0 };
    struct pp_lex lex = pp_lex_over((struct pp_view){ bytes, sizeof bytes });
    struct pp_buf got = { 0 };

    print_tokens(&lex, &got);
    CHECK(pp_view_is(pp_buf_view(&got), "K:a K:b"), "%.*s", (int)got.n,
          (const char *)got.p);
    pp_buf_fini(&got);
}

static void
is_every_byte_in_its_class(void)
{
    for (unsigned c = 0; c < 256; c++) {
        unsigned white =
            c == 0 || c == 9 || c == 10 || c == 12 || c == 13 || c == 32;
        unsigned delimiter = c != 0 && strchr("()<>[]{}/%", (int)c) != NULL;

        CHECK(pp_is_white((uint8_t)c) == white, "%02x", c);
        CHECK(pp_is_regular((uint8_t)c) == (!white && !delimiter), "%02x", c);
    }
}

static void
is_a_keyword_compared_whole(void)
{
    struct pp_lex lex = pp_lex_over(view_of("objx obj /obj"));
    struct pp_token t;

    pp_lex_next(&lex, &t);
    CHECK(!pp_token_is(&lex, &t, "obj"), "objx");
    pp_lex_next(&lex, &t);
    CHECK(pp_token_is(&lex, &t, "obj"), "obj");
    CHECK(!pp_token_is(&lex, &t, "ob"), "ob");
    pp_lex_next(&lex, &t);
    CHECK(!pp_token_is(&lex, &t, "/obj"), "a name is no keyword");
}

static bool
is_same(const struct pp_token *a, const struct pp_token *b)
{
    return a->kind == b->kind && a->at == b->at && a->len == b->len &&
           a->value == b->value && a->negative == b->negative &&
           a->odd == b->odd && a->decoded == b->decoded;
}

/*
 * The text is first shown up to `cut`, then whole.  What is told of the part
 * must be a beginning of what is told of the whole, and going on where the
 * lexer stopped must give the rest.
 */
static bool
is_cut_harmless(struct pp_view text, size_t cut, bool comments)
{
    struct pp_view part = view_copy((struct pp_view){ text.p, cut });
    struct pp_lex all = pp_lex_over(text), some = pp_lex_over(part);
    struct pp_token want, got;
    bool good = true;

    all.comments = some.comments = comments;
    some.whole = false;
    for (;;) {
        size_t before = some.at;

        pp_lex_next(&some, &got);
        if (got.kind == PP_TOK_END || got.kind == PP_TOK_MORE) {
            good = good && some.at == before;
            break;
        }
        pp_lex_next(&all, &want);
        good = good && is_same(&want, &got) && all.at == some.at;
    }
    /* The same lexer, now over all. */
    some.p = text.p;
    some.n = text.n;
    some.whole = true;
    do {
        pp_lex_next(&some, &got);
        pp_lex_next(&all, &want);
        good = good && is_same(&want, &got);
    } while (good && want.kind != PP_TOK_END);
    view_free(part);
    return good;
}

static void
is_a_cut_text_never_misread(void)
{
    for (size_t i = 0; i < ROWS; i++) {
        struct pp_view text = view_of(rows[i].text);

        for (size_t cut = 0; cut <= text.n; cut++)
            CHECK(is_cut_harmless(text, cut, rows[i].comments),
                  "%s, cut at %zu", rows[i].what, cut);
    }
}

/* The n-byte string with this number over an alphabet. */
static struct pp_view
spell(const char *alphabet, size_t n, size_t code)
{
    uint8_t *p = malloc(n ? n : 1); /* exact size, for a sanitizer */
    size_t letters = strlen(alphabet);

    if (!p)
        abort();
    for (size_t i = 0; i < n; i++, code /= letters)
        p[i] = (uint8_t)alphabet[code % letters];
    return (struct pp_view){ p, n };
}

static size_t
power(size_t base, size_t n)
{
    size_t v = 1;

    for (; n; n--)
        v *= base;
    return v;
}

/* Every token inside the text, in order, and only blanks between them. */
static bool
do_tokens_tile(struct pp_view text)
{
    struct pp_lex lex = pp_lex_over(text);
    struct pp_token t;
    size_t at = 0;

    lex.comments = true;
    for (;;) {
        pp_lex_next(&lex, &t);
        if (t.kind == PP_TOK_END)
            t.at = text.n;
        if (t.kind == PP_TOK_MORE || t.at < at || t.at > text.n)
            return false;
        for (; at < t.at; at++)
            if (!pp_is_white(text.p[at]))
                return false;
        if (t.kind == PP_TOK_END)
            return true;
        if (t.kind == PP_TOK_OPEN_STRING)
            return lex.at == text.n;
        if (t.len == 0 || t.len > text.n - t.at || lex.at != t.at + t.len)
            return false;
        at += t.len;
    }
}

/* Every text up to five of these twelve bytes, and every cut of it. */
static void
small_scope_of_tokens(void)
{
    static const char alphabet[] = " /1R<>%\n()[]";
    size_t tried = 0, wrong = 0, letters = strlen(alphabet);

    for (size_t n = 0; n <= 5; n++)
        for (size_t code = 0; code < power(letters, n); code++) {
            struct pp_view text = spell(alphabet, n, code);

            wrong += !do_tokens_tile(text);
            for (size_t cut = 0; n <= 4 && cut <= n; cut++)
                wrong += !is_cut_harmless(text, cut, code % 2);
            tried++;
            view_free(text);
        }
    CHECK(wrong == 0, "%zu of %zu", wrong, tried);
    CHECK(tried == 271453, "tried %zu", tried);
}

/*
 * ISO 32000-2, 7.3.4.2, written again: the value of the literal string at the
 * beginning of text, its length or -1 when it is not closed; *used is the
 * token's length.
 */
static int
literal_value(struct pp_view text, uint8_t *value, size_t *used)
{
    int n = 0, depth = 0;
    size_t i = 0;

    while (i < text.n) {
        uint8_t c = text.p[i++];
        int digits = 0, v = 0;

        if (c == '(' && depth++ == 0)
            continue;
        if (c == ')' && --depth == 0) {
            *used = i;
            return n;
        }
        if (c == '\r') {
            if (i < text.n && text.p[i] == '\n')
                i++;
            c = '\n';
        } else if (c == '\\') {
            if (i == text.n)
                return -1;
            c = text.p[i++];
            if (c == '\r' && i < text.n && text.p[i] == '\n')
                i++;
            if (c == '\r' || c == '\n')
                continue;
            if (c >= '0' && c <= '7') {
                for (i--; digits < 3 && i < text.n && text.p[i] >= '0' &&
                          text.p[i] <= '7';
                     digits++)
                    v = v * 8 + (text.p[i++] - '0');
                c = (uint8_t)v;
            } else if (c == 'n') {
                c = '\n';
            }
        }
        value[n++] = c;
    }
    return -1;
}

/* ISO 32000-2, 7.3.4.3, the same. */
static int
hex_value(struct pp_view text, uint8_t *value, size_t *used)
{
    char digits[16];
    int n = 0;

    for (size_t i = 1; i < text.n; i++) {
        if (text.p[i] == '>') {
            *used = i + 1;
            digits[n] = '0';
            for (int k = 0; k < n; k += 2) {
                char pair[3] = { digits[k], digits[k + 1], 0 };

                value[k / 2] = (uint8_t)strtoul(pair, NULL, 16);
            }
            return (n + 1) / 2;
        }
        if (strchr("4Fa", text.p[i]))
            digits[n++] = (char)text.p[i];
    }
    return -1;
}

typedef int value_fn(struct pp_view text, uint8_t *value, size_t *used);

/* Lexer, decoder and the rules written again agree on one text. */
static bool
do_all_agree(struct pp_view text, enum pp_token_kind kind, value_fn *rule)
{
    uint8_t want[16] = { 0 }, *got;
    size_t used = 0, n;
    int len = rule(text, want, &used);
    struct pp_lex lex = pp_lex_over(text);
    struct pp_token t;
    bool good;

    pp_lex_next(&lex, &t);
    if (len < 0)
        return t.kind == PP_TOK_OPEN_STRING && lex.at == text.n;
    if (t.kind != kind || t.at != 0 || t.len != used ||
        t.decoded != (size_t)len)
        return false;
    got = malloc(t.decoded ? t.decoded : 1);
    if (!got)
        abort();
    n = pp_string_decode(pp_token_view(&lex, &t), got, t.decoded);
    good = n == t.decoded && memcmp(got, want, n) == 0;
    free(got);
    return good;
}

/* Every text up to length 7 over the bytes that matter. */
static void
small_scope_of_strings(const char *what, const char *alphabet, char first,
                       enum pp_token_kind kind, value_fn *rule, size_t want)
{
    size_t tried = 0, wrong = 0, cuts = 0, letters = strlen(alphabet);

    for (size_t n = 0; n <= 6; n++)
        for (size_t code = 0; code < power(letters, n); code++) {
            struct pp_view tail = spell(alphabet, n, code);
            uint8_t *p = malloc(n + 1);
            struct pp_view text = { p, n + 1 };

            if (!p)
                abort();
            p[0] = (uint8_t)first;
            memcpy(p + 1, tail.p, n);
            wrong += !do_all_agree(text, kind, rule);
            for (size_t cut = 0; n <= 4 && cut <= text.n; cut++)
                cuts += !is_cut_harmless(text, cut, false);
            tried++;
            view_free(tail);
            view_free(text);
        }
    CHECK(wrong == 0, "%s: %zu of %zu", what, wrong, tried);
    CHECK(cuts == 0, "%s: %zu cuts", what, cuts);
    CHECK(tried == want, "%s: tried %zu", what, tried);
}

int
main(void)
{
    which_tokens_has_a_text();
    is_NUL_white_space();
    is_every_byte_in_its_class();
    is_a_keyword_compared_whole();
    is_a_cut_text_never_misread();
    small_scope_of_tokens();
    small_scope_of_strings("literal", "()\\1\r\nn", '(', PP_TOK_LITERAL,
                           literal_value, 137257);
    /* "<" is not in the alphabet: "<<" is another token. */
    small_scope_of_strings("hex", ">4Fa g%", '<', PP_TOK_HEX, hex_value,
                           137257);
    return check_report("lex");
}
