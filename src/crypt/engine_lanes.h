/*
 * engine_lanes.h - what the engines with lanes share: all but the
 *                  instructions; private to crypt/
 */
#ifndef PP_CRYPT_ENGINE_LANES_H
#define PP_CRYPT_ENGINE_LANES_H

#include "crypt/aes256.h"
#include "crypt/engine_impl.h"
#include "crypt/lanes.h"

/* What a processor brings. */
struct pp_lane_kernel {
    unsigned lanes;    /* at most PP_LANES_MAX, a power of two            */
    pp_lanes_run *run; /* takes a struct pp_aes256 as schedule            */
    void (*expand)(struct pp_aes256 *k, const uint8_t key[PP_FILE_KEY_BYTES]);
    /* CBC decryption of n blocks; chain as in pp_engine_decrypt().  src and
     * dst are equal or do not overlap. */
    void (*decrypt)(const struct pp_aes256 *k, const uint8_t *src, uint8_t *dst,
                    uint64_t n, uint8_t chain[16]);
};

/* An engine of this kernel, which must outlive it.  Errors: E_NO_MEMORY. */
enum pdfpipe_status pp_engine_lanes_make(const struct pp_lane_kernel *kernel,
                                         struct pp_engine **out,
                                         struct pdfpipe_error *err);

/* Older clangs have no AES intrinsics for ARM unless all code may use them. */
#if defined(__aarch64__) && (!defined(__clang__) || __clang_major__ >= 16 ||   \
                             defined(__ARM_FEATURE_AES))
#define PP_ENGINE_ARMV8 1
#else
#define PP_ENGINE_ARMV8 0
#endif

/* x86-64: the kernel of 8, 4, 2 or 1 lanes by AES-NI. */
pp_lanes_run pp_lanes_run_aesni;

bool pp_engine_aesni_suits(void);
enum pdfpipe_status pp_engine_aesni_make(const struct pp_suite *suite,
                                         struct pp_engine **out,
                                         struct pdfpipe_error *err);
bool pp_engine_vaes_suits(void);
enum pdfpipe_status pp_engine_vaes_make(const struct pp_suite *suite,
                                        struct pp_engine **out,
                                        struct pdfpipe_error *err);
bool pp_engine_armv8_suits(void);
enum pdfpipe_status pp_engine_armv8_make(const struct pp_suite *suite,
                                         struct pp_engine **out,
                                         struct pdfpipe_error *err);

#endif
