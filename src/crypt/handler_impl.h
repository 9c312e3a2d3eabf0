/*
 * handler_impl.h - what the files of the security handler share; private to
 *                  crypt/
 */
#ifndef PP_CRYPT_HANDLER_IMPL_H
#define PP_CRYPT_HANDLER_IMPL_H

#include <openssl/evp.h>

#include "base/fail.h"

/* Layout of /U and /O (ISO 32000-2, 7.6.4.4.7). */
#define PP_VALIDATION_SALT 32
#define PP_KEY_SALT        40

/* n bytes (whole blocks) through AES-256, no padding, the IV all zero.
 * Errors: E_CRYPTO, E_NO_MEMORY. */
enum pdfpipe_status pp_handler_crypt(const EVP_CIPHER *cipher, bool encrypt,
                                     const uint8_t key[32], const uint8_t *in,
                                     uint8_t *out, int n,
                                     struct pdfpipe_error *err);

#endif
