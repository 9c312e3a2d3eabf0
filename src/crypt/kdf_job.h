/*
 * kdf_job.h - one password hash on its way, step by step (ISO 32000-2,
 *             algorithm 2.B); private to crypt/
 *
 * A job says which algorithm it waits for and how many blocks of it; somebody
 * else runs them, for many jobs together.  A round's ciphertext is hashed in
 * pieces as it comes, since its first block already tells the hash: a job is
 * small enough to stay in the cache, whatever the password's length.
 *
 * A job is secret: it lives in the vault.
 */
#ifndef PP_CRYPT_KDF_JOB_H
#define PP_CRYPT_KDF_JOB_H

#include "crypt/aes128_lanes.h"
#include "crypt/kdf_lanes.h"
#include "crypt/sha2_lanes.h"

#define PP_KDF_K_MAX    64u
#define PP_KDF_TEXT_MAX (PP_PASSWORD_MAX + PP_KDF_K_MAX + PP_U_BYTES)
#define PP_KDF_STRIDE   ((size_t)PP_AES128_STRIDE * 16)

/* Ciphertext that is there at a time: whole blocks of each hash. */
#define PP_KDF_PIECE 1024u

enum pp_kdf_step {
    PP_KDF_ENCRYPT, /* AES-128-CBC */
    PP_KDF_SHA256,
    PP_KDF_SHA512, /* SHA-384, too */
    PP_KDF_STEPS,
    PP_KDF_DONE = PP_KDF_STEPS, /* the request is answered, the job wiped */
};

struct pp_kdf_job {
    struct pp_aes128_lane aes;
    struct pp_sha2_lane sha;
    enum pp_kdf_step step;
    size_t blocks; /* of this step, still to be run                  */

    struct pp_kdf_request *request;
    pp_aes128_expand *expand;
    const struct pp_kdf_sha *hash; /* of this round, once it is known         */
    size_t piece;                  /* bytes of ciphertext at e                */
    size_t all;                    /* bytes of this round's ciphertext */
    size_t left;                   /* of this round, not encrypted yet        */
    unsigned rounds;               /* completed                               */
    bool salted;                   /* the hash at work is the one of the salt */
    uint8_t k[PP_KDF_K_MAX];
    size_t k_len;
    uint8_t text[PP_KDF_TEXT_MAX + PP_KDF_STRIDE - 1];
    uint8_t e[PP_KDF_PIECE + PP_SHA512_BLOCK]; /* with the hash's padding */
};

/* Makes a job of a request.  expand: how keys are set. */
void pp_kdf_job_start(struct pp_kdf_job *j, struct pp_kdf_request *request,
                      pp_aes128_expand *expand);

/* To be called when no block of a step is left: goes on to the next one. */
void pp_kdf_job_next(struct pp_kdf_job *j);

#endif
