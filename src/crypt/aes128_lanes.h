/*
 * aes128_lanes.h - AES-128-CBC of many repeating texts at once, each under a
 *                  key of its own (FIPS 197, SP 800-38A)
 *
 * What algorithm 2.B encrypts is one short text, 64 times.  A lane keeps the
 * text once and goes round in it; private to crypt/.
 *
 * Threads: a lane belongs to one call at a time.
 */
#ifndef PP_CRYPT_AES128_LANES_H
#define PP_CRYPT_AES128_LANES_H

#include <stddef.h>
#include <stdint.h>

#define PP_AES128_ROUNDS 10
#define PP_AES128_LANES  16u /* the widest function */

/* Blocks between two looks at where a text ends: 64 bytes, which 64 times any
 * text is a multiple of. */
#define PP_AES128_STRIDE 4u

struct pp_aes128_lane {
    uint8_t key[PP_AES128_ROUNDS + 1][16] __attribute__((aligned(16)));
    uint8_t chain[16];   /* last block of ciphertext, or IV            */
    const uint8_t *text; /* `period` bytes, then the first 63 of them  */
    size_t period;       /* 64 at least: a short text more than once   */
    size_t at;           /* where in the text the next block begins    */
    uint8_t *dst;        /* where its ciphertext goes; not in the text */
};

/* Where a function puts the keys of its lanes side by side.  Secret; the caller
 * keeps it in the vault and wipes it, once for many calls. */
struct pp_aes128_keys {
    uint8_t key[PP_AES128_ROUNDS + 1][PP_AES128_LANES][16]
        __attribute__((aligned(64)));
};

/* Sets the lane's round keys. */
typedef void pp_aes128_expand(struct pp_aes128_lane *lane,
                              const uint8_t key[16]);

/*
 * Encrypts `blocks` blocks, a multiple of the stride, of each of the n lanes (1
 * to the width of the function), and moves chain, at and dst on.
 */
typedef void pp_aes128_run(struct pp_aes128_lane *const *lane, unsigned n,
                           size_t blocks, struct pp_aes128_keys *keys);

#if defined(__x86_64__)
/* Need AES-NI and AVX; width 8. */
pp_aes128_expand pp_aes128_expand_aesni;
pp_aes128_run pp_aes128_run_aesni;
/* Needs what engine_vaes.c does; width 16. */
pp_aes128_run pp_aes128_run_vaes;
#endif

#endif
