/*
 * num_wp.c - the contracts of base/num.h hold for every argument
 *
 * The functions are proved where they stand; this file only makes them a
 * translation unit, and shows by use that the contracts are not empty: what
 * follows is provable from the contracts alone.
 */
#include "base/num.h"

/*@ requires plain <= UINT64_MAX - 32;
    assigns \nothing;
    ensures \result > plain && \result % 16 == 0; */
uint64_t
stored_is_longer(uint64_t plain)
{
    return pp_stored_len(plain);
}

/*@ requires \valid(out) && a <= 1000 && b <= 1000;
    assigns *out;
    ensures *out == a + b; */
void
small_sums_fit(uint64_t a, uint64_t b, uint64_t *out)
{
    if (!pp_add(a, b, out))
        *out = 4711;
}

/*@ requires \valid(out) && a <= 1000 && b <= 1000;
    assigns *out;
    ensures *out == a * b; */
void
small_products_fit(uint64_t a, uint64_t b, uint64_t *out)
{
    if (!pp_mul(a, b, out))
        *out = 4711;
}

/*@ assigns \nothing;
    ensures \result <= a && \result <= b && (\result == a || \result == b); */
uint64_t
smaller(uint64_t a, uint64_t b)
{
    return pp_min(a, b);
}

/*@ assigns \nothing;
    ensures \result >= a && \result >= b && (\result == a || \result == b); */
uint64_t
larger(uint64_t a, uint64_t b)
{
    return pp_max(a, b);
}
