/* lex.c - tokens of PDF syntax */
#include "pdf/lex.h"

#include <string.h>

#define W PP_WHITE
#define D PP_DELIMITER
const uint8_t pp_char_class[256] = {
    [0x00] = W, [0x09] = W, [0x0a] = W, [0x0c] = W, [0x0d] = W, [0x20] = W,
    ['('] = D,  [')'] = D,  ['<'] = D,  ['>'] = D,  ['['] = D,  [']'] = D,
    ['{'] = D,  ['}'] = D,  ['/'] = D,  ['%'] = D,
};
#undef W
#undef D

static bool
is_digit(uint8_t c)
{
    return c >= '0' && c <= '9';
}

static bool
is_hex_digit(uint8_t c)
{
    return is_digit(c) || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
}

/* End of the run of regular characters that begins at `at`. */
static size_t
regular_end(const struct pp_lex *lex, size_t at)
{
    while (at < lex->n && pp_is_regular(lex->p[at]))
        at++;
    return at;
}

static size_t
comment_end(const struct pp_lex *lex, size_t at)
{
    while (at < lex->n && lex->p[at] != '\n' && lex->p[at] != '\r')
        at++;
    return at;
}

/*
 * How many bytes of text an escape sequence takes behind its backslash, and
 * whether it stands for a byte (all do, but the line continuation).  at is the
 * byte after the backslash.  0: the text ends within the sequence.
 */
static size_t
escape_length(const struct pp_lex *lex, size_t at, bool *is_byte)
{
    const uint8_t *p = lex->p;
    size_t n = 0;

    *is_byte = true;
    if (at >= lex->n)
        return 0;
    if (p[at] == '\r') {
        *is_byte = false;
        if (at + 1 >= lex->n)
            return lex->whole ? 1 : 0;
        return p[at + 1] == '\n' ? 2 : 1;
    }
    if (p[at] == '\n') {
        *is_byte = false;
        return 1;
    }
    while (n < 3 && at + n < lex->n && p[at + n] >= '0' && p[at + n] <= '7')
        n++;
    return n ? n : 1;
}

/* End of the run of bytes that stand for themselves in a literal string. */
static size_t
plain_end(const struct pp_lex *lex, size_t at)
{
    static const bool special[256] = {
        ['('] = true, [')'] = true, ['\\'] = true, ['\r'] = true
    };

    while (at < lex->n && !special[lex->p[at]])
        at++;
    return at;
}

/* Finds the end of a literal string and counts the bytes of its value. */
static void
lex_literal(struct pp_lex *lex, struct pp_token *token)
{
    const uint8_t *p = lex->p;
    size_t at = token->at + 1, decoded = 0, depth = 1, skip;
    bool is_byte;

    while (at < lex->n) {
        switch (p[at]) {
        case '(': depth++; break;
        case ')':
            if (--depth == 0) {
                token->kind = PP_TOK_LITERAL;
                token->len = at + 1 - token->at;
                token->decoded = decoded;
                return;
            }
            break;
        case '\\':
            skip = escape_length(lex, at + 1, &is_byte);
            if (skip == 0)
                goto cut;
            at += skip;
            decoded -= !is_byte;
            break;
        case '\r':
            if (at + 1 < lex->n && p[at + 1] == '\n')
                at++;
            break;
        default:
            skip = plain_end(lex, at);
            decoded += skip - at;
            at = skip;
            continue;
        }
        decoded++;
        at++;
    }
cut:
    token->kind = lex->whole ? PP_TOK_OPEN_STRING : PP_TOK_MORE;
}

static void
lex_hex(struct pp_lex *lex, struct pp_token *token)
{
    size_t at = token->at + 1, digits = 0;
    bool odd = false;

    for (; at < lex->n; at++) {
        uint8_t c = lex->p[at];

        if (is_hex_digit(c)) {
            digits++;
        } else if (c == '>') {
            token->kind = PP_TOK_HEX;
            token->len = at + 1 - token->at;
            token->decoded = (digits + 1) / 2;
            token->odd = odd;
            return;
        } else if (!pp_is_white(c)) {
            odd = true;
        }
    }
    token->kind = lex->whole ? PP_TOK_OPEN_STRING : PP_TOK_MORE;
}

/* One run of regular characters: integer, other number or keyword. */
static void
lex_regular(struct pp_lex *lex, struct pp_token *token, size_t end)
{
    const uint8_t *p = lex->p;
    size_t at = token->at;
    bool sign = p[at] == '+' || p[at] == '-';
    uint64_t value = 0;

    token->len = end - at;
    token->negative = p[at] == '-';
    at += sign;
    if (at >= end || (!is_digit(p[at]) && p[at] != '.')) {
        token->kind = sign ? PP_TOK_NUMBER : PP_TOK_KEYWORD;
        return;
    }
    for (; at < end && is_digit(p[at]); at++)
        value = pp_decimal_append(value, (unsigned)(p[at] - '0'));
    token->kind = at == end ? PP_TOK_INTEGER : PP_TOK_NUMBER;
    token->value = value;
}

static void
lex_delimiter(struct pp_lex *lex, struct pp_token *token)
{
    const uint8_t *p = lex->p + token->at;
    bool last = token->at + 1 == lex->n;

    token->len = 1;
    switch (*p) {
    case '(': lex_literal(lex, token); return;
    case '[': token->kind = PP_TOK_ARRAY_OPEN; return;
    case ']': token->kind = PP_TOK_ARRAY_CLOSE; return;
    case '/':
        token->kind = PP_TOK_NAME;
        token->len = regular_end(lex, token->at + 1) - token->at;
        if (token->at + token->len == lex->n && !lex->whole)
            token->kind = PP_TOK_MORE;
        return;
    case '<':
    case '>':
        if (last && !lex->whole) {
            token->kind = PP_TOK_MORE;
        } else if (!last && p[1] == p[0]) {
            token->kind = *p == '<' ? PP_TOK_DICT_OPEN : PP_TOK_DICT_CLOSE;
            token->len = 2;
        } else if (*p == '<') {
            lex_hex(lex, token);
        }
        return;
    default: return; /* ODD */
    }
}

void
pp_lex_next(struct pp_lex *lex, struct pp_token *token)
{
    size_t at = lex->at, end;

    *token = (struct pp_token){ .kind = PP_TOK_END };
    for (;;) {
        while (at < lex->n && pp_is_white(lex->p[at]))
            at++;
        if (at == lex->n || lex->p[at] != '%')
            break;
        end = comment_end(lex, at);
        if (end == lex->n && !lex->whole) {
            token->kind = PP_TOK_MORE;
            return;
        }
        if (lex->comments) {
            token->kind = PP_TOK_COMMENT;
            token->at = at;
            token->len = end - at;
            lex->at = end;
            return;
        }
        at = end;
    }
    token->at = at;
    if (at == lex->n)
        return;
    if (pp_is_regular(lex->p[at])) {
        end = regular_end(lex, at);
        if (end == lex->n && !lex->whole)
            token->kind = PP_TOK_MORE;
        else
            lex_regular(lex, token, end);
    } else {
        token->kind = PP_TOK_ODD;
        lex_delimiter(lex, token);
    }
    if (token->kind != PP_TOK_MORE)
        lex->at = token->kind == PP_TOK_OPEN_STRING ? lex->n : at + token->len;
}
