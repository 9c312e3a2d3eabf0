/*
 * sha2_lanes.h - SHA-2 of many messages at once (FIPS 180-4)
 *
 * One run of instructions takes a block of each message: a word of a vector
 * register belongs to one lane.  SHA-384 is SHA-512 from another start, cut.
 * The caller brings whole blocks and makes the padding; private to crypt/.
 *
 * Threads: a lane belongs to one call at a time.
 */
#ifndef PP_CRYPT_SHA2_LANES_H
#define PP_CRYPT_SHA2_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PP_SHA256_BLOCK 64u
#define PP_SHA512_BLOCK 128u
#define PP_SHA2_WORDS   8u

/* Round constants (FIPS 180-4, 4.2.2, 4.2.3) and initial values (5.3.3 to
 * 5.3.5); those of SHA-256 have 32 bits. */
extern const uint32_t pp_sha256_k[64];
extern const uint64_t pp_sha512_k[80];
extern const uint64_t pp_sha256_start[PP_SHA2_WORDS];
extern const uint64_t pp_sha384_start[PP_SHA2_WORDS];
extern const uint64_t pp_sha512_start[PP_SHA2_WORDS];

/* One message on its way. */
struct pp_sha2_lane {
    uint64_t h[PP_SHA2_WORDS]; /* SHA-256 keeps 32 bits in each */
    const uint8_t *src;        /* next block                    */
};

/*
 * Takes `blocks` blocks of each of the n lanes (1 to the width of the
 * function), and moves src on.
 */
typedef void pp_sha2_run(struct pp_sha2_lane *const *lane, unsigned n,
                         size_t blocks);

#if defined(__x86_64__)
/* Width 8 and 4; need AVX2. */
pp_sha2_run pp_sha256_run_avx2, pp_sha512_run_avx2;
/* Width 16 and 8; need AVX-512 F and BW. */
pp_sha2_run pp_sha256_run_avx512, pp_sha512_run_avx512;
#endif

#endif
