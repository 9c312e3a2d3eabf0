/*
 * lex_eva.c - no text of up to six bytes, whole or cut, makes the lexer read
 *             outside of it
 *
 * The text ends where its array ends, so that one byte too many is outside.
 */
#include "__fc_builtin.h"

#include "pdf/lex.c"

#define MOST 6

static void
next(size_t n, bool whole, bool comments)
{
    uint8_t text[MOST];
    struct pp_lex lex = {
        .p = text + MOST - n, .n = n, .whole = whole, .comments = comments
    };
    struct pp_token token;

    Frama_C_make_unknown((char *)text, MOST);
    pp_lex_next(&lex, &token);
}

int
main(void)
{
    /*@ loop unroll 7; */
    for (size_t n = 0; n <= MOST; n++) {
        next(n, false, false);
        next(n, false, true);
        next(n, true, false);
        next(n, true, true);
    }
    return 0;
}
