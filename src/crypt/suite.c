/* suite.c - the algorithms, fetched from libcrypto once per run */
#include "crypt/suite.h"

#include <stdlib.h>

#include <openssl/crypto.h>
#include <openssl/err.h>

#include "crypt/suite_impl.h"

enum pdfpipe_status
pp_fail_crypto(struct pdfpipe_error *err, const char *what)
{
    /* Constant text of the library: no data of the call can be in it. */
    const char *why = ERR_reason_error_string(ERR_peek_last_error());
    enum pdfpipe_status st =
        pp_fail(err, PDFPIPE_E_CRYPTO, "%s: %s", what,
                why ? why : "libcrypto failed and does not say why");

    ERR_clear_error();
    return st;
}

static enum pdfpipe_status
fetch_ciphers(struct pp_suite *s, struct pdfpipe_error *err)
{
    const struct {
        const char *name;
        EVP_CIPHER **to;
    } rows[] = {
        { "AES-256-CBC", &s->aes_256_cbc },
        { "AES-256-ECB", &s->aes_256_ecb },
        { "AES-128-CBC", &s->aes_128_cbc },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        *rows[i].to = EVP_CIPHER_fetch(NULL, rows[i].name, NULL);
        if (!*rows[i].to)
            return pp_fail_crypto(err, rows[i].name);
    }
    return PDFPIPE_OK;
}

static enum pdfpipe_status
fetch_digests(struct pp_suite *s, struct pdfpipe_error *err)
{
    const struct {
        const char *name;
        EVP_MD **to;
    } rows[] = {
        { "SHA2-256", &s->sha256 },
        { "SHA2-384", &s->sha384 },
        { "SHA2-512", &s->sha512 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        *rows[i].to = EVP_MD_fetch(NULL, rows[i].name, NULL);
        if (!*rows[i].to)
            return pp_fail_crypto(err, rows[i].name);
    }
    return PDFPIPE_OK;
}

enum pdfpipe_status
pp_suite_new(struct pp_suite **out, struct pdfpipe_error *err)
{
    struct pp_suite *s = calloc(1, sizeof *s);
    enum pdfpipe_status st;

    if (!s)
        return pp_fail_memory(err);
    st = fetch_ciphers(s, err);
    if (!st)
        st = fetch_digests(s, err);
    if (st) {
        pp_suite_free(s);
        return st;
    }
    *out = s;
    return PDFPIPE_OK;
}

void
pp_suite_free(struct pp_suite *s)
{
    if (!s)
        return;
    EVP_MD_free(s->sha512);
    EVP_MD_free(s->sha384);
    EVP_MD_free(s->sha256);
    EVP_CIPHER_free(s->aes_128_cbc);
    EVP_CIPHER_free(s->aes_256_ecb);
    EVP_CIPHER_free(s->aes_256_cbc);
    free(s);
}

const char *
pp_suite_version(void)
{
    return OpenSSL_version(OPENSSL_VERSION);
}
