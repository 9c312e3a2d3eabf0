/* sha512_avx2.c - SHA-512 and SHA-384 in 4 lanes, by AVX2 */
#if defined(__x86_64__)
#include <immintrin.h>

#include "crypt/secret.h"
#include "crypt/sha2_lanes.h"

#define TARGET    __attribute__((target("avx2")))
#define INLINE    static inline TARGET __attribute__((always_inline))
#define LANES     4u
#define SHA2_BITS 64

typedef __m256i vec;

#define SHR(x, n) _mm256_srli_epi64(x, n)
#define ROTR(x, n)                                                             \
    _mm256_or_si256(_mm256_srli_epi64(x, n), _mm256_slli_epi64(x, 64 - (n)))

INLINE vec
add(vec a, vec b)
{
    return _mm256_add_epi64(a, b);
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
broadcast(uint64_t x)
{
    return _mm256_set1_epi64x((long long)x);
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

/* The words of each lane, most significant byte first, to one register for
 * each word: 4 by 4 transpositions. */
INLINE void
load_block(vec w[16], const uint8_t *const src[LANES], size_t at)
{
    const vec swap = _mm256_broadcastsi128_si256(
        _mm_set_epi64x(0x08090a0b0c0d0e0f, 0x0001020304050607));

#pragma GCC unroll 4
    for (unsigned i = 0; i < 16; i += 4, at += sizeof(vec)) {
        vec row[4], lo[2], hi[2];

#pragma GCC unroll 4
        for (unsigned l = 0; l < LANES; l++)
            row[l] = _mm256_shuffle_epi8(load_row(src[l] + at), swap);
        lo[0] = _mm256_unpacklo_epi64(row[0], row[1]);
        hi[0] = _mm256_unpackhi_epi64(row[0], row[1]);
        lo[1] = _mm256_unpacklo_epi64(row[2], row[3]);
        hi[1] = _mm256_unpackhi_epi64(row[2], row[3]);
        w[i] = _mm256_permute2x128_si256(lo[0], lo[1], 0x20);
        w[i + 1] = _mm256_permute2x128_si256(hi[0], hi[1], 0x20);
        w[i + 2] = _mm256_permute2x128_si256(lo[0], lo[1], 0x31);
        w[i + 3] = _mm256_permute2x128_si256(hi[0], hi[1], 0x31);
    }
}

#include "crypt/sha2_rounds.h"

void
pp_sha512_run_avx2(struct pp_sha2_lane *const *lane, unsigned n, size_t blocks)
{
    run(lane, n, blocks);
}
#else
typedef int pp_sha512_avx2_is_for_x86_only;
#endif
