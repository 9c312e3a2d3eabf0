/*
 * lex.h - tokens of PDF syntax (ISO 32000-2, 7.2 and 7.3)
 *
 * Works on a stretch of text in memory.  When the text is a part of something
 * longer, a token that touches its end may go on behind it: the lexer then
 * answers PP_TOK_MORE instead of guessing, and the caller comes back with more
 * text.  Never reads outside the text, never allocates, never recurses.
 */
#ifndef PP_PDF_LEX_H
#define PP_PDF_LEX_H

#include <stdbool.h>

#include "base/buf.h"

enum pp_char_class { PP_REGULAR = 0, PP_WHITE = 1, PP_DELIMITER = 2 };
extern const uint8_t pp_char_class[256];

static inline bool
pp_is_white(uint8_t c)
{
    return pp_char_class[c] == PP_WHITE;
}

static inline bool
pp_is_regular(uint8_t c)
{
    return pp_char_class[c] == PP_REGULAR;
}

/* value with one more digit, saturated. */
static inline uint64_t
pp_decimal_append(uint64_t value, unsigned digit)
{
    if (value < UINT64_MAX / 10)
        return value * 10 + digit; /* no division for usual numbers */
    return value > (UINT64_MAX - digit) / 10 ? UINT64_MAX : value * 10 + digit;
}

enum pp_token_kind {
    PP_TOK_END,        /* nothing but white space up to the end of the text  */
    PP_TOK_MORE,       /* the text ends within this token                    */
    PP_TOK_COMMENT,    /* "%..." without its end of line                     */
    PP_TOK_NAME,       /* "/..." with the slash                              */
    PP_TOK_INTEGER,    /* value, negative                                    */
    PP_TOK_NUMBER,     /* a real, or something a reader may take for one     */
    PP_TOK_KEYWORD,    /* any other run of regular characters                */
    PP_TOK_LITERAL,    /* "(...)", decoded                                   */
    PP_TOK_HEX,        /* "<...>", decoded, odd                              */
    PP_TOK_DICT_OPEN,  /* "<<"                                               */
    PP_TOK_DICT_CLOSE, /* ">>"                                               */
    PP_TOK_ARRAY_OPEN,
    PP_TOK_ARRAY_CLOSE,
    PP_TOK_ODD,         /* a delimiter that begins no token here: ) > { }     */
    PP_TOK_OPEN_STRING, /* a string that the end of the whole text cuts off   */
};

struct pp_token {
    enum pp_token_kind kind;
    size_t at;      /* first byte in the text                             */
    size_t len;     /* bytes                                              */
    uint64_t value; /* INTEGER: absolute value, saturated                 */
    bool negative;  /* INTEGER                                            */
    bool odd;       /* HEX: a character in it is no digit and is ignored  */
    size_t decoded; /* LITERAL, HEX: bytes of the string's value          */
};

struct pp_lex {
    const uint8_t *p;
    size_t n;
    size_t at;     /* where the next token is looked for     */
    bool whole;    /* nothing follows behind p + n           */
    bool comments; /* comments are tokens, not white space   */
};

/* Fills *token and moves on behind it; on END and MORE stays where it is. */
void pp_lex_next(struct pp_lex *lex, struct pp_token *token);

/* A lexer over a text that is complete, without comments. */
static inline struct pp_lex
pp_lex_over(struct pp_view text)
{
    return (struct pp_lex){ .p = text.p, .n = text.n, .whole = true };
}

static inline struct pp_view
pp_token_view(const struct pp_lex *lex, const struct pp_token *token)
{
    return (struct pp_view){ lex->p + token->at, token->len };
}

/* True when the token is this keyword. */
static inline bool
pp_token_is(const struct pp_lex *lex, const struct pp_token *token,
            const char *keyword)
{
    return token->kind == PP_TOK_KEYWORD &&
           pp_view_is(pp_token_view(lex, token), keyword);
}

#endif
