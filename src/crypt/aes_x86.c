/* aes_x86.c - AES-256 key schedules by the processor's instructions */
#if defined(__x86_64__)
#include "crypt/aes_x86.h"

#include <immintrin.h>
#include <stdbool.h>

#define TARGET __attribute__((target("aes,sse4.1")))
#define WIDE   ((size_t)8)

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

/* x ^ x << 32 ^ x << 64 ^ x << 96 */
static inline TARGET __m128i
spread(__m128i x)
{
    x = _mm_xor_si128(x, _mm_slli_si128(x, 4));
    return _mm_xor_si128(x, _mm_slli_si128(x, 8));
}

/* The next even round key from the two before. */
#define EVEN(a, b, rcon)                                                       \
    _mm_xor_si128(spread(a),                                                   \
                  _mm_shuffle_epi32(_mm_aeskeygenassist_si128(b, rcon), 0xff))
/* The next odd one. */
#define ODD(a, b)                                                              \
    _mm_xor_si128(spread(a),                                                   \
                  _mm_shuffle_epi32(_mm_aeskeygenassist_si128(b, 0), 0xaa))

TARGET void
pp_aes_x86_expand(struct pp_aes256 *k, const uint8_t key[32])
{
    __m128i r[PP_AES256_ROUNDS + 1];

    r[0] = load(key);
    r[1] = load(key + 16);
    r[2] = EVEN(r[0], r[1], 0x01);
    r[3] = ODD(r[1], r[2]);
    r[4] = EVEN(r[2], r[3], 0x02);
    r[5] = ODD(r[3], r[4]);
    r[6] = EVEN(r[4], r[5], 0x04);
    r[7] = ODD(r[5], r[6]);
    r[8] = EVEN(r[6], r[7], 0x08);
    r[9] = ODD(r[7], r[8]);
    r[10] = EVEN(r[8], r[9], 0x10);
    r[11] = ODD(r[9], r[10]);
    r[12] = EVEN(r[10], r[11], 0x20);
    r[13] = ODD(r[11], r[12]);
    r[14] = EVEN(r[12], r[13], 0x40);
    for (int i = 0; i <= PP_AES256_ROUNDS; i++) {
        bool end = i == 0 || i == PP_AES256_ROUNDS;

        store(k->enc[i], r[i]);
        store(k->dec[PP_AES256_ROUNDS - i],
              end ? r[i] : _mm_aesimc_si128(r[i]));
    }
}

/* `n` (at most WIDE) consecutive blocks. */
static inline TARGET __m128i
decrypt_some(const struct pp_aes256 *k, const uint8_t *src, uint8_t *dst,
             size_t n, __m128i chain)
{
    __m128i c[WIDE], x[WIDE];

#pragma GCC unroll 8
    for (size_t i = 0; i < n; i++) {
        c[i] = load(src + 16 * i);
        x[i] = _mm_xor_si128(c[i], load(k->dec[0]));
    }
    for (int round = 1; round < PP_AES256_ROUNDS; round++) {
        __m128i key = load(k->dec[round]);

#pragma GCC unroll 8
        for (size_t i = 0; i < n; i++)
            x[i] = _mm_aesdec_si128(x[i], key);
    }
#pragma GCC unroll 8
    for (size_t i = 0; i < n; i++) {
        x[i] = _mm_aesdeclast_si128(x[i], load(k->dec[PP_AES256_ROUNDS]));
        store(dst + 16 * i, _mm_xor_si128(x[i], i ? c[i - 1] : chain));
    }
    return c[n - 1];
}

TARGET void
pp_aes_x86_decrypt(const struct pp_aes256 *k, const uint8_t *src, uint8_t *dst,
                   uint64_t n, uint8_t chain[16])
{
    __m128i last = load(chain);

    for (; n >= WIDE; n -= WIDE, src += 16 * WIDE, dst += 16 * WIDE)
        last = decrypt_some(k, src, dst, WIDE, last);
    for (; n >= 2; n -= 2, src += 32, dst += 32)
        last = decrypt_some(k, src, dst, 2, last);
    if (n)
        last = decrypt_some(k, src, dst, 1, last);
    store(chain, last);
}
#else
typedef int pp_aes_x86_is_for_x86_only;
#endif
