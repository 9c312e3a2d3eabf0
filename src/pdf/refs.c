/* refs.c - the references in a text */
#include "pdf/refs.h"

void
pp_refs_feed(struct pp_refs *r, struct pp_view piece, bool last)
{
    pp_words_feed(&r->words, piece, last);
}

void
pp_refs_init(struct pp_refs *r, struct pp_view text)
{
    *r = (struct pp_refs){ 0 };
    pp_refs_feed(r, text, true);
}

bool
pp_refs_next(struct pp_refs *r, uint32_t *number)
{
    struct pp_word word;

    while (pp_words_next(&r->words, &word)) {
        bool pair = r->integers == 2;

        if (word.kind == PP_WORD_INTEGER && !word.negative) {
            r->before[0] = r->before[1];
            r->before[1] = word.value;
            r->integers += !pair;
            continue;
        }
        r->integers = 0;
        if (pair && r->before[0] <= PP_OBJECT_MAX && word.kind == PP_WORD_R) {
            *number = (uint32_t)r->before[0];
            return true;
        }
    }
    return false;
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
