/* sha256_avx2.c - SHA-256 in 8 lanes, by AVX2 */
#if defined(__x86_64__)
#include <immintrin.h>

#include "crypt/secret.h"
#include "crypt/sha2_lanes.h"

#define TARGET    __attribute__((target("avx2")))
#define INLINE    static inline TARGET __attribute__((always_inline))
#define LANES     8u
#define SHA2_BITS 32

typedef __m256i vec;

#define SHR(x, n) _mm256_srli_epi32(x, n)
#define ROTR(x, n)                                                             \
    _mm256_or_si256(_mm256_srli_epi32(x, n), _mm256_slli_epi32(x, 32 - (n)))

INLINE vec
add(vec a, vec b)
{
    return _mm256_add_epi32(a, b);
}

INLINE vec
xor3(vec a, vec b, vec c)
{
    return _mm256_xor_si256(_mm256_xor_si256(a, b), c);
}

INLINE vec
choose(vec a, vec b, vec c)
{
    return _mm256_xor_si256(c, _mm256_and_si256(a, _mm256_xor_si256(b, c)));
}

INLINE vec
majority(vec a, vec b, vec c)
{
    return _mm256_or_si256(_mm256_and_si256(a, b),
                           _mm256_and_si256(c, _mm256_or_si256(a, b)));
}

INLINE vec
broadcast(uint32_t x)
{
    return _mm256_set1_epi32((int)x);
}

INLINE vec
load_row(const void *p)
{
    return _mm256_loadu_si256(p);
}

INLINE void
store_row(void *p, vec v)
{
    _mm256_storeu_si256(p, v);
}

/* Four lanes: quad[i] gets words i and i + 4 of each, in its halves. */
INLINE void
load_four(vec quad[4], const uint8_t *const src[4], size_t at)
{
    const vec swap = _mm256_broadcastsi128_si256(
        _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203));
    vec row[4], lo[2], hi[2];

#pragma GCC unroll 4
    for (unsigned l = 0; l < 4; l++)
        row[l] = _mm256_shuffle_epi8(load_row(src[l] + at), swap);
#pragma GCC unroll 2
    for (size_t i = 0; i < 2; i++) {
        lo[i] = _mm256_unpacklo_epi32(row[2 * i], row[2 * i + 1]);
        hi[i] = _mm256_unpackhi_epi32(row[2 * i], row[2 * i + 1]);
    }
    quad[0] = _mm256_unpacklo_epi64(lo[0], lo[1]);
    quad[1] = _mm256_unpackhi_epi64(lo[0], lo[1]);
    quad[2] = _mm256_unpacklo_epi64(hi[0], hi[1]);
    quad[3] = _mm256_unpackhi_epi64(hi[0], hi[1]);
}

/* The words of each lane, most significant byte first, to one register for
 * each word: 8 by 8 transpositions. */
INLINE void
load_block(vec w[16], const uint8_t *const src[LANES], size_t at)
{
#pragma GCC unroll 2
    for (unsigned i = 0; i < 16; i += 8, at += sizeof(vec)) {
        vec a[4], b[4];

        load_four(a, src, at);
        load_four(b, src + 4, at);
#pragma GCC unroll 4
        for (unsigned j = 0; j < 4; j++) {
            w[i + j] = _mm256_permute2x128_si256(a[j], b[j], 0x20);
            w[i + j + 4] = _mm256_permute2x128_si256(a[j], b[j], 0x31);
        }
    }
}

#include "crypt/sha2_rounds.h"

void
pp_sha256_run_avx2(struct pp_sha2_lane *const *lane, unsigned n, size_t blocks)
{
    run(lane, n, blocks);
}
#else
typedef int pp_sha256_avx2_is_for_x86_only;
#endif
