/*
 * num.h - arithmetic on sizes from files, that cannot wrap silently
 *
 * The contracts in the comments are ACSL; tests/proof proves them.  pp_digits()
 * has none: it is tested at every power of ten.
 */
#ifndef PP_BASE_NUM_H
#define PP_BASE_NUM_H

#include <stdbool.h>
#include <stdint.h>

#define PP_AES_BLOCK 16u

/* Longest plaintext whose stored length fits 64 bits. */
#define PP_STORED_LIMIT (UINT64_MAX - 2u * PP_AES_BLOCK)

/*
 * Bytes that n bytes of plaintext take on disk under AESV3: a 16-byte IV, then
 * CBC with PKCS#7 padding, which always adds 1 to 16 bytes (ISO 32000-2,
 * 7.6.3.1).  0 -> 32, 15 -> 32, 16 -> 48.  The caller checks n <= LIMIT.
 */
/*@ requires n <= UINT64_MAX - 32;
    assigns \nothing;
    ensures \result % 16 == 0;
    ensures n + 17 <= \result <= n + 32; */
static inline uint64_t
pp_stored_len(uint64_t n)
{
    return PP_AES_BLOCK + (n / PP_AES_BLOCK + 1) * PP_AES_BLOCK;
}

/* *out = a + b and true, or false with *out untouched when that would wrap. */
/*@ requires \valid(out);
    assigns *out;
    behavior fits: assumes a + b <= UINT64_MAX;
                   ensures \result == 1 && *out == a + b;
    behavior wraps: assumes a + b > UINT64_MAX;
                   ensures \result == 0 && *out == \old(*out);
    complete behaviors; disjoint behaviors; */
static inline bool
pp_add(uint64_t a, uint64_t b, uint64_t *out)
{
    if (b > UINT64_MAX - a)
        return false;
    *out = a + b;
    return true;
}

/* *out = a * b and true, or false with *out untouched when that would wrap. */
/*@ requires \valid(out);
    assigns *out;
    behavior fits: assumes a * b <= UINT64_MAX;
                   ensures \result == 1 && *out == a * b;
    behavior wraps: assumes a * b > UINT64_MAX;
                   ensures \result == 0 && *out == \old(*out);
    complete behaviors; disjoint behaviors; */
static inline bool
pp_mul(uint64_t a, uint64_t b, uint64_t *out)
{
    if (b && a > UINT64_MAX / b)
        return false;
    *out = a * b;
    return true;
}

/* Decimal digits of v: 1 for 0, 20 at most. */
static inline unsigned
pp_digits(uint64_t v)
{
    unsigned n = 1;

    while (v >= 10) {
        v /= 10;
        n++;
    }
    return n;
}

/*@ assigns \nothing;
    ensures \result == (a < b ? a : b); */
static inline uint64_t
pp_min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/*@ assigns \nothing;
    ensures \result == (a > b ? a : b); */
static inline uint64_t
pp_max(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

#endif
