/*
 * engine_aesni.c - 8 lanes by AES-NI
 *
 * One aesenc takes 3 to 5 cycles until its result can be used, but two can be
 * started in each cycle: eight independent blocks in flight hide the wait that
 * CBC otherwise imposes on every block.
 */
#if defined(__x86_64__)
#include <immintrin.h>

#include "crypt/aes_x86.h"
#include "crypt/engine_lanes.h"

#define TARGET __attribute__((target("aes,sse4.1")))
#define LANES  8

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

/* The kernel for a width that the compiler knows: everything is unrolled and
 * the blocks stay in registers. */
static inline TARGET __attribute__((always_inline)) void
run_width(const struct pp_aes256 *k, struct pp_slot *slot, int width,
          size_t blocks)
{
    const uint8_t *src[LANES];
    uint8_t *dst[LANES];
    __m128i x[LANES];

#pragma GCC unroll 8
    for (int i = 0; i < width; i++) {
        src[i] = slot[i].src;
        dst[i] = slot[i].dst;
        x[i] = load(slot[i].chain);
    }
    for (; blocks > 0; blocks--) {
        __m128i key = load(k->enc[0]);

#pragma GCC unroll 8
        for (int i = 0; i < width; i++) {
            x[i] = _mm_xor_si128(x[i], _mm_xor_si128(load(src[i]), key));
            src[i] += slot[i].step;
        }
#pragma GCC unroll 13
        for (int round = 1; round < PP_AES256_ROUNDS; round++) {
            key = load(k->enc[round]);
#pragma GCC unroll 8
            for (int i = 0; i < width; i++)
                x[i] = _mm_aesenc_si128(x[i], key);
        }
        key = load(k->enc[PP_AES256_ROUNDS]);
#pragma GCC unroll 8
        for (int i = 0; i < width; i++) {
            x[i] = _mm_aesenclast_si128(x[i], key);
            store(dst[i], x[i]);
            dst[i] += slot[i].step;
        }
    }
#pragma GCC unroll 8
    for (int i = 0; i < width; i++) {
        slot[i].src = src[i];
        slot[i].dst = dst[i];
        store(slot[i].chain, x[i]);
    }
}

TARGET void
pp_lanes_run_aesni(const void *schedule, struct pp_slot *slot, unsigned width,
                   size_t blocks)
{
    switch (width) {
    case 8: run_width(schedule, slot, 8, blocks); return;
    case 4: run_width(schedule, slot, 4, blocks); return;
    case 2: run_width(schedule, slot, 2, blocks); return;
    default: run_width(schedule, slot, 1, blocks); return;
    }
}

static const struct pp_lane_kernel aesni_kernel = {
    .lanes = LANES,
    .run = pp_lanes_run_aesni,
    .expand = pp_aes_x86_expand,
    .decrypt = pp_aes_x86_decrypt,
};

bool
pp_engine_aesni_suits(void)
{
    return __builtin_cpu_supports("aes") && __builtin_cpu_supports("sse4.1");
}

enum pdfpipe_status
pp_engine_aesni_make(const struct pp_suite *suite, struct pp_engine **out,
                     struct pdfpipe_error *err)
{
    (void)suite;
    return pp_engine_lanes_make(&aesni_kernel, out, err);
}
#else
typedef int pp_engine_aesni_is_for_x86_only;
#endif
