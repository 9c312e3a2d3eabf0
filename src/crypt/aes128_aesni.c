/* aes128_aesni.c - AES-128-CBC in 8 lanes with a key each, by AES-NI */
#if defined(__x86_64__)
#include <immintrin.h>

#include "crypt/aes128_lanes.h"

#define TARGET __attribute__((target("aes,avx")))
#define LANES  8u
#define STRIDE ((size_t)PP_AES128_STRIDE)

static inline TARGET __m128i
load(const uint8_t *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

static inline TARGET void
store(uint8_t *p, __m128i v)
{
    _mm_storeu_si128((__m128i *)(void *)p, v);
}

/* The round key behind k; the instruction wants a constant. */
#define NEXT(k, rcon) mix(k, _mm_aeskeygenassist_si128(k, rcon))

static inline TARGET __m128i
mix(__m128i k, __m128i assist)
{
    /* k ^ k << 32 ^ k << 64 ^ k << 96 */
    k = _mm_xor_si128(k, _mm_slli_si128(k, 4));
    k = _mm_xor_si128(k, _mm_slli_si128(k, 8));
    return _mm_xor_si128(k, _mm_shuffle_epi32(assist, 0xff));
}

TARGET void
pp_aes128_expand_aesni(struct pp_aes128_lane *lane, const uint8_t key[16])
{
    __m128i k[PP_AES128_ROUNDS + 1];

    k[0] = load(key);
    k[1] = NEXT(k[0], 0x01);
    k[2] = NEXT(k[1], 0x02);
    k[3] = NEXT(k[2], 0x04);
    k[4] = NEXT(k[3], 0x08);
    k[5] = NEXT(k[4], 0x10);
    k[6] = NEXT(k[5], 0x20);
    k[7] = NEXT(k[6], 0x40);
    k[8] = NEXT(k[7], 0x80);
    k[9] = NEXT(k[8], 0x1b);
    k[10] = NEXT(k[9], 0x36);
    for (int i = 0; i <= PP_AES128_ROUNDS; i++)
        store(lane->key[i], k[i]);
}

/* One block of each lane; x is the block before, then this one. */
static inline TARGET __attribute__((always_inline)) void
one_block(__m128i *x, unsigned width, const uint8_t *const *src, size_t at,
          const struct pp_aes128_keys *keys)
{
#pragma GCC unroll 8
    for (unsigned i = 0; i < width; i++)
        x[i] = _mm_xor_si128(_mm_xor_si128(x[i], load(keys->key[0][i])),
                             load(src[i] + at));
#pragma GCC unroll 9
    for (int round = 1; round < PP_AES128_ROUNDS; round++)
#pragma GCC unroll 8
        for (unsigned i = 0; i < width; i++)
            x[i] = _mm_aesenc_si128(x[i], load(keys->key[round][i]));
#pragma GCC unroll 8
    for (unsigned i = 0; i < width; i++)
        x[i] = _mm_aesenclast_si128(x[i], load(keys->key[PP_AES128_ROUNDS][i]));
}

/* The kernel for a width that the compiler knows: the blocks stay in
 * registers, the keys are operands in memory. */
static inline TARGET __attribute__((always_inline)) void
run_width(struct pp_aes128_lane *const *lane, unsigned width, size_t blocks,
          struct pp_aes128_keys *keys)
{
    const uint8_t *src[LANES];
    uint8_t *dst[LANES];
    __m128i x[LANES];

#pragma GCC unroll 8
    for (unsigned i = 0; i < width; i++) {
        src[i] = lane[i]->text + lane[i]->at;
        dst[i] = lane[i]->dst;
        x[i] = load(lane[i]->chain);
        for (int round = 0; round <= PP_AES128_ROUNDS; round++)
            store(keys->key[round][i], load(lane[i]->key[round]));
    }
    for (size_t b = 0; b < blocks; b += STRIDE) {
#pragma GCC unroll 4
        for (size_t s = 0; s < STRIDE; s++) {
            one_block(x, width, src, 16 * s, keys);
#pragma GCC unroll 8
            for (unsigned i = 0; i < width; i++)
                store(dst[i] + 16 * (b + s), x[i]);
        }
        for (unsigned i = 0; i < width; i++) {
            src[i] += 16 * STRIDE;
            if (src[i] >= lane[i]->text + lane[i]->period)
                src[i] -= lane[i]->period;
        }
    }
#pragma GCC unroll 8
    for (unsigned i = 0; i < width; i++) {
        lane[i]->at = (size_t)(src[i] - lane[i]->text);
        store(lane[i]->chain, x[i]);
    }
}

/* To the next width that is there; lanes that are missing do the first one's
 * work once more. */
TARGET void
pp_aes128_run_aesni(struct pp_aes128_lane *const *lane, unsigned n,
                    size_t blocks, struct pp_aes128_keys *keys)
{
    struct pp_aes128_lane *all[LANES];

    for (unsigned i = 0; i < LANES; i++)
        all[i] = lane[i < n ? i : 0];
    if (n > 4)
        run_width(all, 8, blocks, keys);
    else if (n > 2)
        run_width(all, 4, blocks, keys);
    else
        run_width(all, 2, blocks, keys);
    for (unsigned i = 0; i < n; i++)
        lane[i]->dst += 16 * blocks;
}
#else
typedef int pp_aes128_aesni_is_for_x86_only;
#endif
