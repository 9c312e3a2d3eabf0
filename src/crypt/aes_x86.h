/*
 * aes_x86.h - AES-256 key schedules by the processor's instructions (FIPS 197)
 */
#ifndef PP_CRYPT_AES_X86_H
#define PP_CRYPT_AES_X86_H

#include "crypt/aes256.h"

/* Needs AES-NI. */
void pp_aes_x86_expand(struct pp_aes256 *k, const uint8_t key[32]);

/* CBC decryption of n blocks, 8 at a time; chain as in pp_engine_decrypt.
 * src and dst are equal or do not overlap.  Needs AES-NI. */
void pp_aes_x86_decrypt(const struct pp_aes256 *k, const uint8_t *src,
                        uint8_t *dst, uint64_t n, uint8_t chain[16]);

#endif
