/*
 * lex_fuzz.c - any bytes as PDF tokens
 *
 * Properties: the tokens lie in the text, in order, with nothing but white
 * space (and comments) between them; a string's value has the length that its
 * token foretells; a text that is shown in two parts gives the same tokens as
 * when it is shown at once.
 */
#include <stdlib.h>
#include <string.h>

#include "pdf/lex.h"
#include "pdf/string.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void
need(bool holds)
{
    if (!holds)
        abort();
}

static bool
is_last(const struct pp_token *t)
{
    return t->kind == PP_TOK_END || t->kind == PP_TOK_MORE;
}

static bool
is_same(const struct pp_token *a, const struct pp_token *b)
{
    return a->kind == b->kind && a->at == b->at && a->len == b->len &&
           a->value == b->value && a->negative == b->negative &&
           a->odd == b->odd && a->decoded == b->decoded;
}

static void
check_string(struct pp_view token, size_t decoded)
{
    uint8_t *to = malloc(decoded ? decoded : 1);

    need(to != NULL);
    need(decoded <= token.n);
    need(pp_string_decode(token, to, decoded) == decoded);
    free(to);
}

static void
check_tokens(struct pp_view text)
{
    struct pp_lex lex = pp_lex_over(text);
    struct pp_token t;
    size_t at = 0;

    lex.comments = true;
    for (pp_lex_next(&lex, &t); t.kind != PP_TOK_END; pp_lex_next(&lex, &t)) {
        need(t.kind != PP_TOK_MORE && t.at >= at && t.at < text.n);
        for (; at < t.at; at++)
            need(pp_is_white(text.p[at]));
        if (t.kind == PP_TOK_OPEN_STRING) {
            need(lex.at == text.n);
            at = text.n;
            continue;
        }
        need(t.len > 0 && t.len <= text.n - t.at && lex.at == t.at + t.len);
        at = t.at + t.len;
        if (t.kind == PP_TOK_LITERAL || t.kind == PP_TOK_HEX)
            check_string(pp_token_view(&lex, &t), t.decoded);
        if (t.kind == PP_TOK_NAME)
            (void)pp_name_is(pp_token_view(&lex, &t), "Length");
    }
    for (; at < text.n; at++)
        need(pp_is_white(text.p[at]));
}

static void
check_cut(struct pp_view text, size_t cut, bool comments)
{
    uint8_t *part = malloc(cut ? cut : 1);
    struct pp_lex all = pp_lex_over(text), some;
    struct pp_token want, got;

    need(part != NULL);
    if (cut)
        memcpy(part, text.p, cut);
    some = (struct pp_lex){ .p = part, .n = cut, .comments = comments };
    all.comments = comments;
    for (pp_lex_next(&some, &got); !is_last(&got); pp_lex_next(&some, &got)) {
        pp_lex_next(&all, &want);
        need(is_same(&want, &got));
    }
    some.p = text.p;
    some.n = text.n;
    some.whole = true;
    do {
        pp_lex_next(&some, &got);
        pp_lex_next(&all, &want);
        need(is_same(&want, &got));
    } while (!is_last(&got));
    free(part);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct pp_view text = { data, n };

    if (n == 0)
        return 0;
    check_tokens(text);
    /* The last byte chooses where the text is cut. */
    check_cut(text, (size_t)data[n - 1] * n / 256, data[n - 1] & 1);
    return 0;
}
