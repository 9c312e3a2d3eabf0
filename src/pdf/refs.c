/* refs.c - the references in a stretch of text */
#include "pdf/refs.h"

void
pp_refs_init(struct pp_refs *r, struct pp_view text)
{
    *r = (struct pp_refs){ .lex = pp_lex_over(text) };
}

bool
pp_refs_next(struct pp_refs *r, uint32_t *number)
{
    struct pp_token token;

    for (;;) {
        bool pair = r->integers >= 2;

        pp_lex_next(&r->lex, &token);
        if (token.kind == PP_TOK_END)
            return false;
        if (token.kind == PP_TOK_INTEGER && !token.negative) {
            r->before[0] = r->before[1];
            r->before[1] = token.value;
            r->integers++;
            continue;
        }
        r->integers = 0;
        if (pair && r->before[0] <= PP_OBJECT_MAX &&
            pp_token_is(&r->lex, &token, "R")) {
            *number = (uint32_t)r->before[0];
            return true;
        }
    }
}

uint32_t
pp_refs_highest(struct pp_view text)
{
    uint32_t highest = 0, number;
    struct pp_refs refs;

    pp_refs_init(&refs, text);
    while (pp_refs_next(&refs, &number))
        if (number > highest)
            highest = number;
    return highest;
}
