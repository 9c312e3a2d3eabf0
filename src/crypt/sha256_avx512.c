/* sha256_avx512.c - SHA-256 in 16 lanes, by AVX-512 */
#if defined(__x86_64__)
#include <immintrin.h>

#include "crypt/secret.h"
#include "crypt/sha2_lanes.h"

#define TARGET    __attribute__((target("avx512f,avx512bw")))
#define INLINE    static inline TARGET __attribute__((always_inline))
#define LANES     16u
#define SHA2_BITS 32

typedef __m512i vec;

#define ROTR(x, n) _mm512_ror_epi32(x, n)
#define SHR(x, n)  _mm512_srli_epi32(x, n)

INLINE vec
add(vec a, vec b)
{
    return _mm512_add_epi32(a, b);
}

/* The truth tables of the ternary instruction: its operands are bits 2, 1, 0
 * of the index. */
INLINE vec
xor3(vec a, vec b, vec c)
{
    return _mm512_ternarylogic_epi32(a, b, c, 0x96);
}

INLINE vec
choose(vec a, vec b, vec c)
{
    return _mm512_ternarylogic_epi32(a, b, c, 0xca);
}

INLINE vec
majority(vec a, vec b, vec c)
{
    return _mm512_ternarylogic_epi32(a, b, c, 0xe8);
}

INLINE vec
broadcast(uint32_t x)
{
    return _mm512_set1_epi32((int)x);
}

INLINE vec
load_row(const void *p)
{
    return _mm512_loadu_si512(p);
}

INLINE void
store_row(void *p, vec v)
{
    _mm512_storeu_si512(p, v);
}

/* Four lanes: quad[i] gets, in its j-th quarter, word 4j + i of each. */
INLINE void
load_four(vec quad[4], const uint8_t *const src[4], size_t at)
{
    const vec swap = _mm512_broadcast_i32x4(
        _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203));
    vec row[4], lo[2], hi[2];

#pragma GCC unroll 4
    for (unsigned l = 0; l < 4; l++)
        row[l] = _mm512_shuffle_epi8(load_row(src[l] + at), swap);
#pragma GCC unroll 2
    for (size_t i = 0; i < 2; i++) {
        lo[i] = _mm512_unpacklo_epi32(row[2 * i], row[2 * i + 1]);
        hi[i] = _mm512_unpackhi_epi32(row[2 * i], row[2 * i + 1]);
    }
    quad[0] = _mm512_unpacklo_epi64(lo[0], lo[1]);
    quad[1] = _mm512_unpackhi_epi64(lo[0], lo[1]);
    quad[2] = _mm512_unpacklo_epi64(hi[0], hi[1]);
    quad[3] = _mm512_unpackhi_epi64(hi[0], hi[1]);
}

/* The words of each lane, most significant byte first, to one register for
 * each word: a 16 by 16 transposition in four steps. */
INLINE void
load_block(vec w[16], const uint8_t *const src[LANES], size_t at)
{
    vec quad[4][4];

#pragma GCC unroll 4
    for (size_t g = 0; g < 4; g++)
        load_four(quad[g], src + 4 * g, at);
#pragma GCC unroll 4
    for (unsigned i = 0; i < 4; i++) {
        vec a08 = _mm512_shuffle_i32x4(quad[0][i], quad[1][i], 0x88);
        vec b08 = _mm512_shuffle_i32x4(quad[2][i], quad[3][i], 0x88);
        vec a4c = _mm512_shuffle_i32x4(quad[0][i], quad[1][i], 0xdd);
        vec b4c = _mm512_shuffle_i32x4(quad[2][i], quad[3][i], 0xdd);

        w[i] = _mm512_shuffle_i32x4(a08, b08, 0x88);
        w[i + 4] = _mm512_shuffle_i32x4(a4c, b4c, 0x88);
        w[i + 8] = _mm512_shuffle_i32x4(a08, b08, 0xdd);
        w[i + 12] = _mm512_shuffle_i32x4(a4c, b4c, 0xdd);
    }
}

#include "crypt/sha2_rounds.h"

void
pp_sha256_run_avx512(struct pp_sha2_lane *const *lane, unsigned n,
                     size_t blocks)
{
    run(lane, n, blocks);
}
#else
typedef int pp_sha256_avx512_is_for_x86_only;
#endif
