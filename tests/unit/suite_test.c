/* suite_test.c - are the right algorithms fetched, and failures explained? */
#include "crypt/suite_impl.h"

#include <string.h>

#include <openssl/err.h>

#include "check.h"

static void
every_algorithm_is_the_named_one(void)
{
    struct pp_suite *s = NULL;
    struct pdfpipe_error err = { 0 };

    if (!CHECK(pp_suite_new(&s, &err) == PDFPIPE_OK, "%s", err.message))
        return;
    CHECK(EVP_CIPHER_is_a(s->aes_256_cbc, "AES-256-CBC"), "aes_256_cbc");
    CHECK(EVP_CIPHER_is_a(s->aes_256_ecb, "AES-256-ECB"), "aes_256_ecb");
    CHECK(EVP_CIPHER_is_a(s->aes_128_cbc, "AES-128-CBC"), "aes_128_cbc");
    CHECK(EVP_MD_is_a(s->sha256, "SHA2-256"), "sha256");
    CHECK(EVP_MD_is_a(s->sha384, "SHA2-384"), "sha384");
    CHECK(EVP_MD_is_a(s->sha512, "SHA2-512"), "sha512");
    pp_suite_free(s);
    pp_suite_free(NULL);
}

static void
the_last_reason_is_in_the_message(void)
{
    struct pdfpipe_error err = { 0 };

    ERR_raise(ERR_LIB_EVP, EVP_R_INVALID_KEY_LENGTH);
    ERR_raise_data(ERR_LIB_EVP, EVP_R_CIPHER_PARAMETER_ERROR, "secret text");
    CHECK(pp_fail_crypto(&err, "AES-256 key") == PDFPIPE_E_CRYPTO, "status");
    CHECK(err.code == PDFPIPE_E_CRYPTO, "code");
    CHECK(strcmp(err.message, "AES-256 key: cipher parameter error") == 0, "%s",
          err.message);
    CHECK(ERR_peek_error() == 0, "the queue is empty");

    CHECK(pp_fail_crypto(&err, "hash") == PDFPIPE_E_CRYPTO, "no reason");
    CHECK(strncmp(err.message, "hash: ", 6) == 0 && err.message[6], "%s",
          err.message);
    CHECK(pp_fail_crypto(NULL, "hash") == PDFPIPE_E_CRYPTO, "no record");
}

int
main(void)
{
    every_algorithm_is_the_named_one();
    the_last_reason_is_in_the_message();
    return check_report("suite");
}
