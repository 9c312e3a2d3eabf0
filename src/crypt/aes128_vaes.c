/*
 * aes128_vaes.c - AES-128-CBC in 16 lanes with a key each, by VAES on 512-bit
 *                 registers
 *
 * A register holds a block of four lanes; their keys stand side by side in
 * memory, so that one operand has all four.
 */
#if defined(__x86_64__)
#include <immintrin.h>

#include "crypt/aes128_lanes.h"

#define TARGET                                                                 \
    __attribute__((target("aes,sse4.1,avx512f,avx512bw,avx512vl,vaes")))
#define LANES PP_AES128_LANES
#define REGS  ((size_t)LANES / 4)
/* Round keys that find room in registers; the others are operands. */
#define HELD   5
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

/* Four blocks from the places p[0] to p[3], `at` bytes on. */
static inline TARGET __attribute__((always_inline)) __m512i
gather(const uint8_t *const *p, size_t at)
{
    __m512i v = _mm512_castsi128_si512(load(p[0] + at));

    v = _mm512_inserti32x4(v, load(p[1] + at), 1);
    v = _mm512_inserti32x4(v, load(p[2] + at), 2);
    return _mm512_inserti32x4(v, load(p[3] + at), 3);
}

static inline TARGET __attribute__((always_inline)) void
scatter(uint8_t *const *p, size_t at, __m512i v)
{
    store(p[0] + at, _mm512_castsi512_si128(v));
    store(p[1] + at, _mm512_extracti32x4_epi32(v, 1));
    store(p[2] + at, _mm512_extracti32x4_epi32(v, 2));
    store(p[3] + at, _mm512_extracti32x4_epi32(v, 3));
}

static inline TARGET __attribute__((always_inline)) __m512i
round_key(const struct pp_aes128_keys *keys, int round, size_t reg)
{
    return _mm512_load_si512(keys->key[round][4 * reg]);
}

/* One block of each lane; x is the block before, then this one. */
static inline TARGET __attribute__((always_inline)) void
one_block(__m512i x[REGS], const uint8_t *const src[LANES], size_t at,
          const struct pp_aes128_keys *keys, __m512i held[HELD][REGS])
{
#pragma GCC unroll 4
    for (size_t r = 0; r < REGS; r++)
        x[r] = _mm512_ternarylogic_epi64(x[r], gather(&src[4 * r], at),
                                         held[0][r], 0x96); /* a ^ b ^ c */
#pragma GCC unroll 9
    for (int round = 1; round < PP_AES128_ROUNDS; round++)
#pragma GCC unroll 4
        for (size_t r = 0; r < REGS; r++)
            x[r] = _mm512_aesenc_epi128(x[r], round < HELD
                                                  ? held[round][r]
                                                  : round_key(keys, round, r));
#pragma GCC unroll 4
    for (size_t r = 0; r < REGS; r++)
        x[r] = _mm512_aesenclast_epi128(x[r],
                                        round_key(keys, PP_AES128_ROUNDS, r));
}

static TARGET void
run_all(struct pp_aes128_lane *const *lane, size_t blocks,
        struct pp_aes128_keys *keys)
{
    const uint8_t *src[LANES], *chain[LANES];
    uint8_t *dst[LANES], *to[LANES];
    __m512i x[REGS], held[HELD][REGS];

    for (unsigned i = 0; i < LANES; i++) {
        src[i] = lane[i]->text + lane[i]->at;
        dst[i] = lane[i]->dst;
        chain[i] = to[i] = lane[i]->chain;
        for (int round = 0; round <= PP_AES128_ROUNDS; round++)
            store(keys->key[round][i], load(lane[i]->key[round]));
    }
#pragma GCC unroll 4
    for (size_t r = 0; r < REGS; r++)
        x[r] = gather(&chain[4 * r], 0);
#pragma GCC unroll 5
    for (int round = 0; round < HELD; round++)
#pragma GCC unroll 4
        for (size_t r = 0; r < REGS; r++)
            held[round][r] = round_key(keys, round, r);
    for (size_t b = 0; b < blocks; b += STRIDE) {
#pragma GCC unroll 4
        for (size_t s = 0; s < STRIDE; s++) {
            one_block(x, src, 16 * s, keys, held);
#pragma GCC unroll 4
            for (size_t r = 0; r < REGS; r++)
                scatter(&dst[4 * r], 16 * (b + s), x[r]);
        }
        for (unsigned i = 0; i < LANES; i++) {
            src[i] += 16 * STRIDE;
            if (src[i] >= lane[i]->text + lane[i]->period)
                src[i] -= lane[i]->period;
        }
    }
#pragma GCC unroll 4
    for (size_t r = 0; r < REGS; r++)
        scatter(&to[4 * r], 0, x[r]);
    for (unsigned i = 0; i < LANES; i++)
        lane[i]->at = (size_t)(src[i] - lane[i]->text);
}

/* Lanes that are missing do the first one's work once more; half of the
 * lanes or less: the narrow function is as good. */
void
pp_aes128_run_vaes(struct pp_aes128_lane *const *lane, unsigned n,
                   size_t blocks, struct pp_aes128_keys *keys)
{
    struct pp_aes128_lane *all[LANES];

    if (n <= LANES / 2) {
        pp_aes128_run_aesni(lane, n, blocks, keys);
        return;
    }
    for (unsigned i = 0; i < LANES; i++)
        all[i] = lane[i < n ? i : 0];
    run_all(all, blocks, keys);
    for (unsigned i = 0; i < n; i++)
        lane[i]->dst += 16 * blocks;
}
#else
typedef int pp_aes128_vaes_is_for_x86_only;
#endif
