/* dict.c - single entries of a dictionary, as text */
#include "pdf/dict.h"

#include "pdf/string.h"

/* The kinds of the open containers, one bit each: is it an array? */
struct nest {
    uint64_t array[PP_NESTING_MAX / 64 + 1];
    size_t depth;
};

static bool
nest_open(struct nest *n, bool array)
{
    uint64_t bit = (uint64_t)1 << n->depth % 64;

    if (n->depth == PP_NESTING_MAX)
        return false;
    if (array)
        n->array[n->depth / 64] |= bit;
    else
        n->array[n->depth / 64] &= ~bit;
    n->depth++;
    return true;
}

static bool
nest_close(struct nest *n, bool array)
{
    if (n->depth == 0)
        return false;
    n->depth--;
    return (n->array[n->depth / 64] >> n->depth % 64 & 1) == array;
}

/* Reads one value whose first token is given and leaves the lexer behind
 * it; false: none begins there, or its brackets do not match. */
static bool
skip_value(struct pp_lex *lex, const struct pp_token *first, size_t *end)
{
    struct pp_token token = *first;
    struct nest nest = { .depth = 0 };

    for (;;) {
        bool array =
            token.kind == PP_TOK_ARRAY_OPEN || token.kind == PP_TOK_ARRAY_CLOSE;

        switch (token.kind) {
        case PP_TOK_DICT_OPEN:
        case PP_TOK_ARRAY_OPEN:
            if (!nest_open(&nest, array))
                return false;
            break;
        case PP_TOK_DICT_CLOSE:
        case PP_TOK_ARRAY_CLOSE:
            if (!nest_close(&nest, array))
                return false;
            break;
        case PP_TOK_END:
        case PP_TOK_MORE:
        case PP_TOK_OPEN_STRING: return false;
        case PP_TOK_COMMENT:
        case PP_TOK_NAME:
        case PP_TOK_INTEGER:
        case PP_TOK_NUMBER:
        case PP_TOK_KEYWORD:
        case PP_TOK_LITERAL:
        case PP_TOK_HEX:
        case PP_TOK_ODD: break;
        }
        *end = token.at + token.len;
        if (nest.depth == 0)
            return true;
        pp_lex_next(lex, &token);
    }
}

/* Behind an integer: takes "g R" along if it follows. */
static void
take_reference(struct pp_lex *lex, size_t *end)
{
    struct pp_lex ahead = *lex;
    struct pp_token token;

    pp_lex_next(&ahead, &token);
    if (token.kind != PP_TOK_INTEGER)
        return;
    pp_lex_next(&ahead, &token);
    if (!pp_token_is(&ahead, &token, "R"))
        return;
    *lex = ahead;
    *end = token.at + token.len;
}

void
pp_walk_init(struct pp_walk *w, struct pp_view text)
{
    struct pp_token token;

    *w = (struct pp_walk){ .lex = pp_lex_over(text) };
    pp_lex_next(&w->lex, &token);
    w->array = token.kind == PP_TOK_ARRAY_OPEN;
    w->failed = !w->array && token.kind != PP_TOK_DICT_OPEN;
}

/* One value; false at the closing token and when the text is broken. */
static bool
walk_value(struct pp_walk *w, const struct pp_token *first,
           struct pp_view *value)
{
    size_t end = 0;

    if (!skip_value(&w->lex, first, &end)) {
        w->failed |=
            first->kind != (w->array ? PP_TOK_ARRAY_CLOSE : PP_TOK_DICT_CLOSE);
        return false;
    }
    if (first->kind == PP_TOK_INTEGER)
        take_reference(&w->lex, &end);
    *value = (struct pp_view){ w->lex.p + first->at, end - first->at };
    return true;
}

bool
pp_walk_next(struct pp_walk *w, struct pp_view *name, struct pp_view *value)
{
    struct pp_token token;

    if (w->failed)
        return false;
    pp_lex_next(&w->lex, &token);
    if (w->array)
        return walk_value(w, &token, value);
    /* What is not a name where a key is due is passed over. */
    while (token.kind != PP_TOK_NAME) {
        size_t end;

        if (!skip_value(&w->lex, &token, &end)) {
            w->failed = token.kind != PP_TOK_DICT_CLOSE;
            return false;
        }
        pp_lex_next(&w->lex, &token);
    }
    *name = pp_token_view(&w->lex, &token);
    pp_lex_next(&w->lex, &token);
    if (token.kind == PP_TOK_DICT_CLOSE) { /* key without a value: null */
        w->lex.at = token.at;
        *value = (struct pp_view){ w->lex.p + token.at, 0 };
        return true;
    }
    return walk_value(w, &token, value);
}

bool
pp_dict_find(struct pp_view dict, const char *name, struct pp_view *value)
{
    struct pp_walk w;
    struct pp_view n = { NULL, 0 }, v = { NULL, 0 };
    bool found = false;

    pp_walk_init(&w, dict);
    if (w.array)
        return false;
    while (pp_walk_next(&w, &n, &v)) {
        if (!pp_name_is(n, name))
            continue;
        *value = v;
        found = v.n > 0 && !pp_view_is(v, "null");
    }
    return found;
}

bool
pp_value_integer(struct pp_view value, uint64_t *out)
{
    struct pp_lex lex = pp_lex_over(value);
    struct pp_token token;

    pp_lex_next(&lex, &token);
    if (token.kind != PP_TOK_INTEGER || token.negative ||
        token.value == UINT64_MAX)
        return false;
    *out = token.value;
    pp_lex_next(&lex, &token);
    return token.kind == PP_TOK_END;
}

bool
pp_value_reference(struct pp_view value, struct pp_reference *out)
{
    struct pp_lex lex = pp_lex_over(value);
    struct pp_token t[3];

    for (int i = 0; i < 3; i++)
        pp_lex_next(&lex, &t[i]);
    if (t[0].kind != PP_TOK_INTEGER || t[1].kind != PP_TOK_INTEGER ||
        !pp_token_is(&lex, &t[2], "R") || t[0].negative || t[1].negative ||
        t[0].value > UINT32_MAX || t[1].value > UINT32_MAX)
        return false;
    *out = (struct pp_reference){ (uint32_t)t[0].value, (uint32_t)t[1].value };
    return true;
}

bool
pp_value_name(struct pp_view value, const char *name)
{
    return pp_name_is(value, name);
}

bool
pp_value_dict(struct pp_view value)
{
    return value.n >= 4 && value.p[0] == '<' && value.p[1] == '<';
}

bool
pp_value_has_string(struct pp_view value)
{
    struct pp_lex lex = pp_lex_over(value);
    struct pp_token token;

    do {
        pp_lex_next(&lex, &token);
        if (token.kind == PP_TOK_LITERAL || token.kind == PP_TOK_HEX ||
            token.kind == PP_TOK_OPEN_STRING || token.kind == PP_TOK_ODD)
            return true;
    } while (token.kind != PP_TOK_END);
    return false;
}

size_t
pp_value_length(struct pp_view text)
{
    struct pp_lex lex = pp_lex_over(text);
    struct pp_token token;
    size_t end = 0;

    pp_lex_next(&lex, &token);
    return skip_value(&lex, &token, &end) ? end : 0;
}
