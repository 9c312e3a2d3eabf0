/*
 * engine_evp.c - the portable engine: libcrypto's EVP, one lane after another
 *
 * Two contexts are kept for the life of the engine.  A key is expanded in
 * set_key only; a lane sets the IV, which leaves the schedule alone.
 */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "crypt/engine_impl.h"
#include "crypt/secret.h"
#include "crypt/suite_impl.h"

/* EVP counts in int.  A multiple of the block size that fits. */
#define PIECE_BYTES ((size_t)1 << 30)

struct evp_engine {
    struct pp_engine head;
    const EVP_CIPHER *cipher;
    EVP_CIPHER_CTX *enc;
    EVP_CIPHER_CTX *dec;
};

static struct evp_engine *
evp_of(struct pp_engine *e)
{
    return (struct evp_engine *)e;
}

/* Takes n bytes (a multiple of 16) through ctx, in whichever direction. */
static bool
update(EVP_CIPHER_CTX *ctx, uint8_t *dst, const uint8_t *src, size_t n)
{
    while (n > 0) {
        int piece = (int)pp_min(n, PIECE_BYTES), done = 0;

        if (EVP_CipherUpdate(ctx, dst, &done, src, piece) != 1)
            return false;
        PP_ASSERT(done == piece); /* no padding, so nothing is held back */
        dst += piece;
        src += piece;
        n -= (size_t)piece;
    }
    return true;
}

static bool
encrypt_lane(EVP_CIPHER_CTX *ctx, struct pp_lane *lane)
{
    size_t whole = lane->len - lane->len % PP_AES_BLOCK;
    uint8_t block[PP_AES_BLOCK];
    bool done;

    if (EVP_EncryptInit_ex2(ctx, NULL, NULL, lane->chain, NULL) != 1 ||
        !update(ctx, lane->dst, lane->src, whole))
        return false;
    if (lane->final) {
        /* In place, too, the rest is still plaintext: it lies behind what
         * the update has written. */
        pp_engine_last_block(lane->src, lane->len, block);
        done = update(ctx, lane->dst + whole, block, sizeof block);
        pp_wipe(block, sizeof block);
        if (!done)
            return false;
        whole += PP_AES_BLOCK;
    }
    if (whole > 0)
        memcpy(lane->chain, lane->dst + whole - PP_AES_BLOCK, PP_AES_BLOCK);
    return true;
}

static bool
decrypt_lane(EVP_CIPHER_CTX *ctx, struct pp_lane *lane)
{
    uint8_t last[PP_AES_BLOCK];

    if (lane->len == 0)
        return true;
    /* Kept now: in place, decryption overwrites it. */
    memcpy(last, lane->src + lane->len - PP_AES_BLOCK, sizeof last);
    if (EVP_DecryptInit_ex2(ctx, NULL, NULL, lane->chain, NULL) != 1 ||
        !update(ctx, lane->dst, lane->src, lane->len))
        return false;
    memcpy(lane->chain, last, sizeof last);
    return true;
}

static enum pdfpipe_status
evp_encrypt(struct pp_engine *e, struct pp_lane *lanes, size_t n,
            struct pdfpipe_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (!encrypt_lane(evp_of(e)->enc, &lanes[i]))
            return pp_fail_crypto(err, "AES-256-CBC encryption");
    return PDFPIPE_OK;
}

static enum pdfpipe_status
evp_decrypt(struct pp_engine *e, struct pp_lane *lanes, size_t n,
            struct pdfpipe_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (!decrypt_lane(evp_of(e)->dec, &lanes[i]))
            return pp_fail_crypto(err, "AES-256-CBC decryption");
    return PDFPIPE_OK;
}

static enum pdfpipe_status
evp_set_key(struct pp_engine *e, const uint8_t key[PP_FILE_KEY_BYTES],
            struct pdfpipe_error *err)
{
    struct evp_engine *evp = evp_of(e);

    if (EVP_EncryptInit_ex2(evp->enc, evp->cipher, key, NULL, NULL) != 1 ||
        EVP_DecryptInit_ex2(evp->dec, evp->cipher, key, NULL, NULL) != 1 ||
        EVP_CIPHER_CTX_set_padding(evp->enc, 0) != 1 ||
        EVP_CIPHER_CTX_set_padding(evp->dec, 0) != 1)
        return pp_fail_crypto(err, "AES-256 key");
    return PDFPIPE_OK;
}

static void
discard(struct evp_engine *evp)
{
    /* libcrypto wipes the key schedules. */
    EVP_CIPHER_CTX_free(evp->enc);
    EVP_CIPHER_CTX_free(evp->dec);
    free(evp);
}

static void
evp_free(struct pp_engine *e)
{
    discard(evp_of(e));
}

static const struct pp_engine_ops evp_ops = {
    .set_key = evp_set_key,
    .encrypt = evp_encrypt,
    .decrypt = evp_decrypt,
    .free = evp_free,
};

enum pdfpipe_status
pp_engine_evp_make(const struct pp_suite *suite, struct pp_engine **out,
                   struct pdfpipe_error *err)
{
    struct evp_engine *evp = calloc(1, sizeof *evp);

    if (!evp)
        return pp_fail_memory(err);
    evp->head.ops = &evp_ops;
    evp->head.lanes = 1;
    evp->cipher = suite->aes_256_cbc;
    evp->enc = EVP_CIPHER_CTX_new();
    evp->dec = EVP_CIPHER_CTX_new();
    if (!evp->enc || !evp->dec) {
        discard(evp);
        return pp_fail_memory(err);
    }
    *out = (struct pp_engine *)evp;
    return PDFPIPE_OK;
}
