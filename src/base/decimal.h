/*
 * decimal.h - numbers as text, for what is written once per object
 *
 * snprintf() reads its format again for each number, which shows in a profile
 * of a million objects.
 */
#ifndef PP_BASE_DECIMAL_H
#define PP_BASE_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

#include "base/num.h"

#define PP_DECIMAL_MAX 20u /* digits of the largest number */

/* Writes v with exactly `width` digits, zeros in front; digits that do not fit
 * are lost.  No byte behind them is touched. */
static inline void
pp_decimal_padded(char *to, size_t width, uint64_t v)
{
    for (; width > 0; v /= 10)
        to[--width] = (char)('0' + v % 10);
}

/* Writes v without zeros in front: 1 to PP_DECIMAL_MAX digits, no terminator.
 * Returns how many. */
static inline size_t
pp_decimal(char *to, uint64_t v)
{
    size_t width = pp_digits(v);

    pp_decimal_padded(to, width, v);
    return width;
}

#endif
