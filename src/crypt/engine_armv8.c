/*
 * engine_armv8.c - 8 lanes by the AES instructions of ARMv8
 *
 * AESE takes the round key before its substitution, not behind the mixing of
 * columns: key 0 meets the first round and the last key is added by itself.
 */
#include "crypt/engine_lanes.h"

#if PP_ENGINE_ARMV8
#include <arm_neon.h>
#include <string.h>
#include <sys/auxv.h>

#include "crypt/secret.h"

#define TARGET __attribute__((target("+crypto")))
#define LANES  8
#define WIDE   ((size_t)8)

/* FIPS 197, 5.2: S-boxes of the four bytes of a word.  All columns are equal,
 * so the instruction's shift of rows changes nothing. */
static TARGET uint32_t
sub_word(uint32_t word)
{
    uint8x16_t v = vreinterpretq_u8_u32(vdupq_n_u32(word));

    return vgetq_lane_u32(vreinterpretq_u32_u8(vaeseq_u8(v, vdupq_n_u8(0))), 0);
}

/* Words stand in memory as bytes, the first one lowest. */
static uint32_t
rot_word(uint32_t word)
{
    return word >> 8 | word << 24;
}

static TARGET void
expand(struct pp_aes256 *k, const uint8_t key[32])
{
    uint32_t w[4 * (PP_AES256_ROUNDS + 1)];
    uint32_t rcon = 1;

    memcpy(w, key, 32);
    for (size_t i = 8; i < sizeof w / sizeof w[0]; i++) {
        uint32_t word = w[i - 1];

        if (i % 8 == 0) {
            word = sub_word(rot_word(word)) ^ rcon;
            rcon <<= 1;
        } else if (i % 8 == 4) {
            word = sub_word(word);
        }
        w[i] = w[i - 8] ^ word;
    }
    memcpy(k->enc, w, sizeof k->enc);
    for (int i = 0; i <= PP_AES256_ROUNDS; i++) {
        bool end = i == 0 || i == PP_AES256_ROUNDS;
        uint8x16_t round = vld1q_u8(k->enc[i]);

        vst1q_u8(k->dec[PP_AES256_ROUNDS - i],
                 end ? round : vaesimcq_u8(round));
    }
    pp_wipe(w, sizeof w);
}

/* The kernel for a width that the compiler knows: everything is unrolled and
 * the blocks stay in registers. */
static inline TARGET __attribute__((always_inline)) void
run_width(const struct pp_aes256 *k, struct pp_slot *slot, size_t width,
          size_t blocks)
{
    const uint8_t *src[LANES];
    uint8_t *dst[LANES];
    uint8x16_t x[LANES];

#pragma GCC unroll 8
    for (size_t i = 0; i < width; i++) {
        src[i] = slot[i].src;
        dst[i] = slot[i].dst;
        x[i] = vld1q_u8(slot[i].chain);
    }
    for (; blocks > 0; blocks--) {
        uint8x16_t key = vld1q_u8(k->enc[PP_AES256_ROUNDS - 1]);
        uint8x16_t last = vld1q_u8(k->enc[PP_AES256_ROUNDS]);

#pragma GCC unroll 8
        for (size_t i = 0; i < width; i++) {
            x[i] = veorq_u8(x[i], vld1q_u8(src[i]));
            src[i] += slot[i].step;
        }
#pragma GCC unroll 13
        for (int round = 0; round < PP_AES256_ROUNDS - 1; round++) {
            uint8x16_t next = vld1q_u8(k->enc[round]);

#pragma GCC unroll 8
            for (size_t i = 0; i < width; i++)
                x[i] = vaesmcq_u8(vaeseq_u8(x[i], next));
        }
#pragma GCC unroll 8
        for (size_t i = 0; i < width; i++) {
            x[i] = veorq_u8(vaeseq_u8(x[i], key), last);
            vst1q_u8(dst[i], x[i]);
            dst[i] += slot[i].step;
        }
    }
#pragma GCC unroll 8
    for (size_t i = 0; i < width; i++) {
        slot[i].src = src[i];
        slot[i].dst = dst[i];
        vst1q_u8(slot[i].chain, x[i]);
    }
}

static TARGET void
run(const void *schedule, struct pp_slot *slot, unsigned width, size_t blocks)
{
    switch (width) {
    case 8: run_width(schedule, slot, 8, blocks); return;
    case 4: run_width(schedule, slot, 4, blocks); return;
    case 2: run_width(schedule, slot, 2, blocks); return;
    default: run_width(schedule, slot, 1, blocks); return;
    }
}

/* `n` (at most WIDE) consecutive blocks; returns the last of ciphertext. */
static inline TARGET __attribute__((always_inline)) uint8x16_t
decrypt_some(const struct pp_aes256 *k, const uint8_t *src, uint8_t *dst,
             size_t n, uint8x16_t chain)
{
    uint8x16_t c[WIDE], x[WIDE];

#pragma GCC unroll 8
    for (size_t i = 0; i < n; i++)
        x[i] = c[i] = vld1q_u8(src + 16 * i);
    for (int round = 0; round < PP_AES256_ROUNDS - 1; round++) {
        uint8x16_t key = vld1q_u8(k->dec[round]);

#pragma GCC unroll 8
        for (size_t i = 0; i < n; i++)
            x[i] = vaesimcq_u8(vaesdq_u8(x[i], key));
    }
#pragma GCC unroll 8
    for (size_t i = 0; i < n; i++) {
        x[i] = vaesdq_u8(x[i], vld1q_u8(k->dec[PP_AES256_ROUNDS - 1]));
        x[i] = veorq_u8(x[i], vld1q_u8(k->dec[PP_AES256_ROUNDS]));
        vst1q_u8(dst + 16 * i, veorq_u8(x[i], i ? c[i - 1] : chain));
    }
    return c[n - 1];
}

static TARGET void
decrypt(const struct pp_aes256 *k, const uint8_t *src, uint8_t *dst, uint64_t n,
        uint8_t chain[16])
{
    uint8x16_t last = vld1q_u8(chain);

    for (; n >= WIDE; n -= WIDE, src += 16 * WIDE, dst += 16 * WIDE)
        last = decrypt_some(k, src, dst, WIDE, last);
    for (; n > 0; n--, src += 16, dst += 16)
        last = decrypt_some(k, src, dst, 1, last);
    vst1q_u8(chain, last);
}

static const struct pp_lane_kernel armv8_kernel = {
    .lanes = LANES,
    .run = run,
    .expand = expand,
    .decrypt = decrypt,
};

bool
pp_engine_armv8_suits(void)
{
    return getauxval(AT_HWCAP) & HWCAP_AES;
}

enum pdfpipe_status
pp_engine_armv8_make(const struct pp_suite *suite, struct pp_engine **out,
                     struct pdfpipe_error *err)
{
    (void)suite;
    return pp_engine_lanes_make(&armv8_kernel, out, err);
}
#else
typedef int pp_engine_armv8_is_for_arm_only;
#endif
