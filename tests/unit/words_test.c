/* words_test.c - has a text in pieces the tokens that it has as a whole? */
#include "pdf/words.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "madepdf.h"
#include "pdf/lex.h"

/* "7 -7 R o ": what a text is, by the lexer. */
static void
by_lexer(struct pp_view text, struct pp_buf *to)
{
    struct pp_lex lex = pp_lex_over(text);
    struct pp_token t;

    to->n = 0;
    for (pp_lex_next(&lex, &t); t.kind != PP_TOK_END; pp_lex_next(&lex, &t)) {
        if (t.kind == PP_TOK_INTEGER)
            (void)pp_buf_printf(to, "%s%llu ", t.negative ? "-" : "",
                                (unsigned long long)t.value);
        else
            (void)pp_buf_printf(to, pp_token_is(&lex, &t, "R") ? "R " : "o ");
    }
}

static void
tell(struct pp_words *w, struct pp_view piece, bool last, struct pp_buf *to)
{
    struct pp_view exact = view_copy(piece);
    struct pp_word word;

    pp_words_feed(w, exact, last);
    while (pp_words_next(w, &word)) {
        if (word.kind == PP_WORD_INTEGER)
            (void)pp_buf_printf(to, "%s%llu ", word.negative ? "-" : "",
                                (unsigned long long)word.value);
        else
            (void)pp_buf_printf(to, word.kind == PP_WORD_R ? "R " : "o ");
    }
    view_free(exact);
}

/* In pieces of this size, the first of them of another. */
static void
in_pieces(struct pp_view text, size_t first, size_t size, struct pp_buf *to)
{
    struct pp_words w = { 0 };
    size_t n = first < text.n ? first : text.n;

    to->n = 0;
    for (;;) {
        tell(&w, (struct pp_view){ text.p, n }, n == text.n, to);
        text.p += n;
        text.n -= n;
        if (text.n == 0)
            return;
        n = size < text.n ? size : text.n;
    }
}

static void
are_tokens_those_of_the_lexer(void)
{
    /* clang-format off */
    static const char *const rows[] = {
        "", " ", "7 0 R", "[3 0 R/A 9 2 R]", "<</A 12 0 R>>", "<48 49>5<>6",
        "(a(b)c\\)d)5", "(\\\\)5", "(\\\n)5", "(\\053)5", "(a", "(a\\", "<4",
        "%7 0 R\n8", "%7\r8", "%7", "5%", "/R R", "/ 5", "/A#20/B", "-5 +5 -",
        "+ 5", "5. .5 1.5 5-", "--5", "007", "18446744073709551615",
        "18446744073709551616 99999999999999999999", "RR R1 1R Rx", "{5}", ")5",
        ">5", ">>5", "> >5", "<<5", "< <5>", "5<<6>>7", "a\x80", "5(6)7",
    };
    /* clang-format on */
    struct pp_buf want = { 0 }, got = { 0 };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_view text = view_of(rows[i]);

        by_lexer(text, &want);
        for (size_t first = 0; first <= text.n; first++)
            for (size_t size = 1; size <= 3; size++) {
                in_pieces(text, first, size, &got);
                CHECK(pp_view_is_equal(pp_buf_view(&want), pp_buf_view(&got)),
                      "%s: cut at %zu, then %zu: %.*s", rows[i], first, size,
                      (int)got.n, (const char *)got.p);
            }
    }
    pp_buf_fini(&want);
    pp_buf_fini(&got);
}

/* Every text of up to five of these bytes, cut once anywhere and everywhere. */
static void
small_scope(void)
{
    static const char alphabet[] = "1R-<>()\\%/ \n.x";
    enum { LETTERS = sizeof alphabet - 1 };
    struct pp_buf want = { 0 }, got = { 0 };
    size_t tried = 0, wrong = 0;

    for (size_t n = 0; n <= 5; n++) {
        size_t total = 1;

        for (size_t k = 0; k < n; k++)
            total *= LETTERS;
        for (size_t code = 0; code < total; code++) {
            uint8_t bytes[5] = { 0 };
            struct pp_view text = { bytes, n };
            size_t c = code;

            for (size_t k = 0; k < n; k++, c /= LETTERS)
                bytes[k] = (uint8_t)alphabet[c % LETTERS];
            by_lexer(text, &want);
            in_pieces(text, 1 + code % 5, 1 + code % 2, &got);
            wrong += !pp_view_is_equal(pp_buf_view(&want), pp_buf_view(&got));
            tried++;
        }
    }
    CHECK(wrong == 0, "%zu wrong", wrong);
    CHECK(tried == 579195, "tried %zu", tried);
    pp_buf_fini(&want);
    pp_buf_fini(&got);
}

/* Tokens that lie across many pieces. */
static void
may_a_token_be_long(void)
{
    static const struct {
        const char *what, *open, fill, *close, *want;
    } rows[] = {
        { "string", "5(", 'x', ")6", "5 o 6 " },
        { "brackets", "5(\\", '(', ")6", "5 o " },
        { "escapes", "5(", '\\', ")6", "5 o 6 " },
        { "hexadecimal string", "5<", '4', ">6", "5 o 6 " },
        { "comment", "5%", '6', "\n7", "5 7 " },
        { "name", "5/", '6', " 7", "5 o 7 " },
        { "zeros", "5 ", '0', "7 0 R", "5 7 0 R " },
        { "digits", "5 ", '9', " 6", "5 18446744073709551615 6 " },
        { "word", "5 ", 'R', " 6", "5 o 6 " },
        { "white space", "5", ' ', "6 R", "5 6 R " },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_buf text = { 0 }, got = { 0 };

        (void)pp_buf_printf(&text, "%s", rows[i].open);
        for (int k = 0; k < 1000; k++)
            (void)pp_buf_append(&text, &rows[i].fill, 1);
        (void)pp_buf_printf(&text, "%s", rows[i].close);
        for (size_t size = 1; size < 1100; size += 37) {
            in_pieces(pp_buf_view(&text), size, size, &got);
            CHECK(pp_view_is(pp_buf_view(&got), rows[i].want), "%s: %.*s",
                  rows[i].what, (int)got.n, (const char *)got.p);
        }
        pp_buf_fini(&text);
        pp_buf_fini(&got);
    }
}

int
main(void)
{
    are_tokens_those_of_the_lexer();
    small_scope();
    may_a_token_be_long();
    return check_report("words");
}
