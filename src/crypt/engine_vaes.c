/*
 * engine_vaes.c - 16 lanes by VAES with 512-bit registers
 *
 * One vaesenc takes four blocks of four lanes; four registers in flight hide
 * its latency.  The four blocks of a register come from four places, so they
 * are put together and taken apart again around the rounds.
 */
#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

#include "crypt/aes_x86.h"
#include "crypt/engine_lanes.h"

#define TARGET                                                                 \
    __attribute__((target("aes,sse4.1,avx512f,avx512bw,avx512vl,vaes")))
#define LANES 16

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

/* Four blocks from the places p[0] to p[3]. */
static inline TARGET __attribute__((always_inline)) __m512i
gather(const uint8_t *const *p)
{
    __m512i v = _mm512_castsi128_si512(load(p[0]));

    v = _mm512_inserti32x4(v, load(p[1]), 1);
    v = _mm512_inserti32x4(v, load(p[2]), 2);
    return _mm512_inserti32x4(v, load(p[3]), 3);
}

static inline TARGET __attribute__((always_inline)) void
scatter(uint8_t *const *p, __m512i v)
{
    store(p[0], _mm512_castsi512_si128(v));
    store(p[1], _mm512_extracti32x4_epi32(v, 1));
    store(p[2], _mm512_extracti32x4_epi32(v, 2));
    store(p[3], _mm512_extracti32x4_epi32(v, 3));
}

static inline TARGET __attribute__((always_inline)) __m512i
round_key(const struct pp_aes256 *k, int round)
{
    return _mm512_broadcast_i32x4(load(k->enc[round]));
}

/* regs registers of four lanes each. */
static inline TARGET __attribute__((always_inline)) void
run_regs(const struct pp_aes256 *k, struct pp_slot *slot, size_t regs,
         size_t blocks)
{
    const uint8_t *src[LANES], *chain[LANES];
    uint8_t *dst[LANES], *to[LANES];
    __m512i x[4], key[PP_AES256_ROUNDS + 1];

#pragma GCC unroll 15
    for (int round = 0; round <= PP_AES256_ROUNDS; round++)
        key[round] = round_key(k, round);
#pragma GCC unroll 16
    for (size_t i = 0; i < 4 * regs; i++) {
        src[i] = slot[i].src;
        dst[i] = slot[i].dst;
        chain[i] = to[i] = slot[i].chain;
    }
#pragma GCC unroll 4
    for (size_t r = 0; r < regs; r++)
        x[r] = gather(&chain[4 * r]);
    for (; blocks > 0; blocks--) {
#pragma GCC unroll 4
        for (size_t r = 0; r < regs; r++)
            x[r] = _mm512_ternarylogic_epi64(x[r], gather(&src[4 * r]), key[0],
                                             0x96); /* a ^ b ^ c */
#pragma GCC unroll 13
        for (int round = 1; round < PP_AES256_ROUNDS; round++)
#pragma GCC unroll 4
            for (size_t r = 0; r < regs; r++)
                x[r] = _mm512_aesenc_epi128(x[r], key[round]);
#pragma GCC unroll 4
        for (size_t r = 0; r < regs; r++) {
            x[r] = _mm512_aesenclast_epi128(x[r], key[PP_AES256_ROUNDS]);
            scatter(&dst[4 * r], x[r]);
        }
#pragma GCC unroll 16
        for (size_t i = 0; i < 4 * regs; i++) {
            src[i] += slot[i].step;
            dst[i] += slot[i].step;
        }
    }
#pragma GCC unroll 4
    for (size_t r = 0; r < regs; r++)
        scatter(&to[4 * r], x[r]);
#pragma GCC unroll 16
    for (size_t i = 0; i < 4 * regs; i++) {
        slot[i].src = src[i];
        slot[i].dst = dst[i];
    }
}

/* Fewer lanes than a register has: the narrow kernel is as good. */
static TARGET void
run(const void *schedule, struct pp_slot *slot, unsigned width, size_t blocks)
{
    switch (width) {
    case 16: run_regs(schedule, slot, 4, blocks); return;
    case 8: run_regs(schedule, slot, 2, blocks); return;
    default: pp_lanes_run_aesni(schedule, slot, width, blocks); return;
    }
}

static const struct pp_lane_kernel vaes_kernel = {
    .lanes = LANES,
    .run = run,
    .expand = pp_aes_x86_expand,
    .decrypt = pp_aes_x86_decrypt,
};

/* VAES on 512 bits; clang's __builtin_cpu_supports() does not know the name,
 * and "avx512f" says that the kernel keeps the registers, too. */
bool
pp_engine_vaes_suits(void)
{
    unsigned a, b, c, d;

    return pp_engine_aesni_suits() && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") &&
           __get_cpuid_count(7, 0, &a, &b, &c, &d) && c & bit_VAES;
}

enum pdfpipe_status
pp_engine_vaes_make(const struct pp_suite *suite, struct pp_engine **out,
                    struct pdfpipe_error *err)
{
    (void)suite;
    return pp_engine_lanes_make(&vaes_kernel, out, err);
}
#else
typedef int pp_engine_vaes_is_for_x86_only;
#endif
