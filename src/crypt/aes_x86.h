/*
 * aes_x86.h - AES-256 key schedules by the processor's instructions (FIPS 197)
 */
#ifndef PP_CRYPT_AES_X86_H
#define PP_CRYPT_AES_X86_H

#include <stdbool.h>
#include <stdint.h>

#define PP_AES256_ROUNDS 14

/* Round keys for encryption, and for the equivalent inverse cipher. */
struct pp_aes_x86 {
    uint8_t enc[PP_AES256_ROUNDS + 1][16] __attribute__((aligned(16)));
    uint8_t dec[PP_AES256_ROUNDS + 1][16] __attribute__((aligned(16)));
};

/* Needs AES-NI. */
void pp_aes_x86_expand(struct pp_aes_x86 *k, const uint8_t key[32]);

/* CBC decryption of n blocks, 8 at a time; chain as in pp_engine_decrypt.
 * src and dst are equal or do not overlap.  Needs AES-NI. */
void pp_aes_x86_decrypt(const struct pp_aes_x86 *k, const uint8_t *src,
                        uint8_t *dst, uint64_t n, uint8_t chain[16]);

#endif
