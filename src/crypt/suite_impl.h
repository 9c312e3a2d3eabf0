/*
 * suite_impl.h - what is in a suite; private to crypt/
 */
#ifndef PP_CRYPT_SUITE_IMPL_H
#define PP_CRYPT_SUITE_IMPL_H

#include <openssl/evp.h>

#include "crypt/suite.h"

struct pp_suite {
    EVP_CIPHER *aes_256_cbc;
    EVP_CIPHER *aes_256_ecb;
    EVP_CIPHER *aes_128_cbc;
    EVP_MD *sha256;
    EVP_MD *sha384;
    EVP_MD *sha512;
};

/* Raises E_CRYPTO with what libcrypto says last, and empties its queue. */
enum pdfpipe_status pp_fail_crypto(struct pdfpipe_error *err, const char *what);

#endif
