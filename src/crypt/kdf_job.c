/*
 * kdf_job.c - one password hash on its way (ISO 32000-2, algorithm 2.B)
 *
 *   start: SHA-256 of password, salt, u
 *            v
 *   +-> begin_round: text = password, K, u; key and IV from K
 *   |        v
 *   |   +-> encrypt_piece ->-  AES over lanes  -->-+
 *   |   |                                          v
 *   |   +-<-  SHA-2 over lanes  -<---------- hash_piece
 *   |        v  no ciphertext left
 *   +-< end_round > finish
 */
#include "crypt/kdf_job.h"

#include <string.h>

#include "base/num.h"
#include "crypt/secret.h"

#define REPEATS    ((size_t)64)
#define ROUNDS_MIN 64u
#define ROUNDS_MAX 287u /* the last byte of E is at most 255 = 287 - 32 */

struct pp_kdf_sha {
    enum pp_kdf_step step;
    const uint64_t *start; /* initial values                */
    size_t block;
    size_t word;   /* bytes of a word               */
    size_t result; /* bytes of a hash               */
};

/* In the order of the remainder that chooses them. */
static const struct pp_kdf_sha hashes[] = {
    { PP_KDF_SHA256, pp_sha256_start, PP_SHA256_BLOCK, 4, 32 },
    { PP_KDF_SHA512, pp_sha384_start, PP_SHA512_BLOCK, 8, 48 },
    { PP_KDF_SHA512, pp_sha512_start, PP_SHA512_BLOCK, 8, 64 },
};

static void
put_big_endian(uint8_t *to, uint64_t v, size_t bytes)
{
    for (size_t i = bytes; i-- > 0; v >>= 8)
        to[i] = (uint8_t)v;
}

static uint8_t *
append(uint8_t *to, const uint8_t *from, size_t n)
{
    if (n > 0)
        memcpy(to, from, n);
    return to + n;
}

static size_t
u_len(const struct pp_kdf_request *r)
{
    return r->u ? PP_U_BYTES : 0;
}

/* Pads the last `piece` bytes of a message of `all` bytes (FIPS 180-4, 5.1);
 * returns what they are then. */
static size_t
pad(struct pp_kdf_job *j, size_t all)
{
    size_t block = j->hash->block, length = 2 * j->hash->word;
    size_t padded = (j->piece + 1 + length + block - 1) / block * block;

    PP_ASSERT(padded <= sizeof j->e);
    memset(j->e + j->piece, 0, padded - j->piece);
    j->e[j->piece] = 0x80;
    put_big_endian(j->e + padded - 8, (uint64_t)all * 8, 8);
    return padded;
}

static void
await_hash(struct pp_kdf_job *j, size_t bytes)
{
    j->sha.src = j->e;
    j->step = j->hash->step;
    j->blocks = bytes / j->hash->block;
}

static void
begin_hash(struct pp_kdf_job *j, const struct pp_kdf_sha *hash)
{
    j->hash = hash;
    memcpy(j->sha.h, hash->start, sizeof j->sha.h);
}

void
pp_kdf_job_start(struct pp_kdf_job *j, struct pp_kdf_request *request,
                 pp_aes128_expand *expand)
{
    uint8_t *end = j->e;

    PP_ASSERT(request->password.n <= PP_PASSWORD_MAX);
    j->request = request;
    j->expand = expand;
    j->left = 0;
    j->rounds = 0;
    j->salted = true;
    begin_hash(j, &hashes[0]);
    end = append(end, request->password.p, request->password.n);
    end = append(end, request->salt, PP_SALT_BYTES);
    end = append(end, request->u, u_len(request));
    j->piece = (size_t)(end - j->e);
    await_hash(j, pad(j, j->piece));
}

static void
encrypt_piece(struct pp_kdf_job *j)
{
    j->piece = (size_t)pp_min(j->left, PP_KDF_PIECE);
    j->left -= j->piece;
    j->aes.dst = j->e;
    j->step = PP_KDF_ENCRYPT;
    j->blocks = j->piece / PP_AES_BLOCK;
}

/* Lays out the text for an AES lane; returns its length. */
static size_t
lay_out_text(struct pp_kdf_job *j)
{
    const struct pp_kdf_request *r = j->request;
    uint8_t *end = j->text;
    size_t once;

    end = append(end, r->password.p, r->password.n);
    end = append(end, j->k, j->k_len);
    end = append(end, r->u, u_len(r));
    once = (size_t)(end - j->text);
    if (once < PP_KDF_STRIDE) /* 32 at least */
        end = append(end, j->text, once);
    j->aes.text = j->text;
    j->aes.period = (size_t)(end - j->text);
    j->aes.at = 0;
    /* What a stride that begins before the end goes on to. */
    memcpy(end, j->text, PP_KDF_STRIDE - 1);
    return once;
}

static void
begin_round(struct pp_kdf_job *j)
{
    j->all = REPEATS * lay_out_text(j);
    j->left = j->all;
    j->expand(&j->aes, j->k);
    memcpy(j->aes.chain, j->k + 16, sizeof j->aes.chain);
    j->hash = NULL;
    encrypt_piece(j);
}

/* E[0..15] as a number mod 3; 256 mod 3 is 1, so the sum of bytes does. */
static unsigned
choice(const uint8_t e[16])
{
    unsigned sum = 0;

    for (int i = 0; i < 16; i++)
        sum += e[i];
    return sum % 3;
}

static void
hash_piece(struct pp_kdf_job *j)
{
    if (!j->hash)
        begin_hash(j, &hashes[choice(j->e)]);
    await_hash(j, j->left ? j->piece : pad(j, j->all));
}

static void
finish(struct pp_kdf_job *j)
{
    memcpy(j->request->out, j->k, PP_HASH_BYTES);
    j->request->rounds = j->rounds;
    pp_wipe(j, sizeof *j);
    j->step = PP_KDF_DONE; /* with no block left */
}

static void
end_round(struct pp_kdf_job *j)
{
    uint8_t last = j->aes.chain[15]; /* of E */
    size_t word = j->hash->word;

    for (size_t i = 0; i * word < j->hash->result; i++)
        put_big_endian(j->k + i * word, j->sha.h[i], word);
    j->k_len = j->hash->result;
    if (j->salted)
        j->salted = false;
    else
        j->rounds++;
    PP_ASSERT(j->rounds <= ROUNDS_MAX);
    if (j->rounds < ROUNDS_MIN || last > j->rounds - 32)
        begin_round(j);
    else
        finish(j);
}

void
pp_kdf_job_next(struct pp_kdf_job *j)
{
    PP_ASSERT(j->step != PP_KDF_DONE && j->blocks == 0);
    if (j->step == PP_KDF_ENCRYPT)
        hash_piece(j);
    else if (j->left > 0)
        encrypt_piece(j);
    else
        end_round(j);
}
