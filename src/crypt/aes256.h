/*
 * aes256.h - an AES-256 key schedule, as the engines with lanes keep it
 *            (FIPS 197, 5.2)
 */
#ifndef PP_CRYPT_AES256_H
#define PP_CRYPT_AES256_H

#include <stdint.h>

#define PP_AES256_ROUNDS 14

/* Round keys for encryption, and for the equivalent inverse cipher in the
 * order in which decryption takes them. */
struct pp_aes256 {
    uint8_t enc[PP_AES256_ROUNDS + 1][16] __attribute__((aligned(16)));
    uint8_t dec[PP_AES256_ROUNDS + 1][16] __attribute__((aligned(16)));
};

#endif
