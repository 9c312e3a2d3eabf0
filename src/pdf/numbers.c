/* numbers.c - a set of object numbers */
#include "pdf/numbers.h"

#include "base/fail.h"

bool
pp_numbers_add(struct pp_numbers *s, uint32_t number)
{
    PP_ASSERT(number <= PP_OBJECT_MAX);
    if (!pp_lazy_grow(&s->bits, PP_OBJECT_MAX / 64 + 1))
        return false;
    s->n += !pp_numbers_has(s, number);
    s->bits.item[number / 64] |= (uint64_t)1 << number % 64;
    return true;
}

void
pp_numbers_remove(struct pp_numbers *s, uint32_t number)
{
    if (!pp_numbers_has(s, number))
        return;
    s->n--;
    s->bits.item[number / 64] &= ~((uint64_t)1 << number % 64);
}

void
pp_numbers_fini(struct pp_numbers *s)
{
    pp_lazy_fini(&s->bits);
    s->n = 0;
}
