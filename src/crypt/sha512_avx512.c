/* sha512_avx512.c - SHA-512 and SHA-384 in 8 lanes, by AVX-512 */
#if defined(__x86_64__)
#include <immintrin.h>

#include "crypt/secret.h"
#include "crypt/sha2_lanes.h"

#define TARGET    __attribute__((target("avx512f,avx512bw")))
#define INLINE    static inline TARGET __attribute__((always_inline))
#define LANES     8u
#define SHA2_BITS 64

typedef __m512i vec;

#define ROTR(x, n) _mm512_ror_epi64(x, n)
#define SHR(x, n)  _mm512_srli_epi64(x, n)

INLINE vec
add(vec a, vec b)
{
    return _mm512_add_epi64(a, b);
}

/* The truth tables of the ternary instruction: its operands are bits 2, 1, 0
 * of the index. */
INLINE vec
xor3(vec a, vec b, vec c)
{
    return _mm512_ternarylogic_epi64(a, b, c, 0x96);
}

INLINE vec
choose(vec a, vec b, vec c)
{
    return _mm512_ternarylogic_epi64(a, b, c, 0xca);
}

INLINE vec
majority(vec a, vec b, vec c)
{
    return _mm512_ternarylogic_epi64(a, b, c, 0xe8);
}

INLINE vec
broadcast(uint64_t x)
{
    return _mm512_set1_epi64((long long)x);
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

/* Eight words of each lane, most significant byte first, to one register for
 * each word: an 8 by 8 transposition in three steps. */
INLINE void
load_eight(vec w[8], const uint8_t *const src[LANES], size_t at)
{
    const vec swap = _mm512_broadcast_i32x4(
        _mm_set_epi64x(0x08090a0b0c0d0e0f, 0x0001020304050607));
    vec row[8], even[4], odd[4];

#pragma GCC unroll 8
    for (unsigned l = 0; l < LANES; l++)
        row[l] = _mm512_shuffle_epi8(load_row(src[l] + at), swap);
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; i++) {
        even[i] = _mm512_unpacklo_epi64(row[2 * i], row[2 * i + 1]);
        odd[i] = _mm512_unpackhi_epi64(row[2 * i], row[2 * i + 1]);
    }
#pragma GCC unroll 2
    for (unsigned i = 0; i < 2; i++) {
        const vec *q = i ? odd : even;
        vec a04 = _mm512_shuffle_i64x2(q[0], q[1], 0x88);
        vec b04 = _mm512_shuffle_i64x2(q[2], q[3], 0x88);
        vec a26 = _mm512_shuffle_i64x2(q[0], q[1], 0xdd);
        vec b26 = _mm512_shuffle_i64x2(q[2], q[3], 0xdd);

        w[i] = _mm512_shuffle_i64x2(a04, b04, 0x88);
        w[i + 2] = _mm512_shuffle_i64x2(a26, b26, 0x88);
        w[i + 4] = _mm512_shuffle_i64x2(a04, b04, 0xdd);
        w[i + 6] = _mm512_shuffle_i64x2(a26, b26, 0xdd);
    }
}

INLINE void
load_block(vec w[16], const uint8_t *const src[LANES], size_t at)
{
    load_eight(w, src, at);
    load_eight(w + 8, src, at + 64);
}

#include "crypt/sha2_rounds.h"

void
pp_sha512_run_avx512(struct pp_sha2_lane *const *lane, unsigned n,
                     size_t blocks)
{
    run(lane, n, blocks);
}
#else
typedef int pp_sha512_avx512_is_for_x86_only;
#endif
