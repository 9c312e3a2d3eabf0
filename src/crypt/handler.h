/*
 * handler.h - values of the standard security handler, /V 5 /R 6
 *
 * Algorithms 2.A, 11, 12 and 13 of ISO 32000-2, 7.6.4; handler_job.h makes the
 * values.  Knows nothing of dictionaries: the caller reads and writes them.
 */
#ifndef PP_CRYPT_HANDLER_H
#define PP_CRYPT_HANDLER_H

#include "crypt/kdf.h"
#include "crypt/random.h"

/* What the encryption dictionary holds.  Public: anybody may read it. */
struct pp_handler {
    uint8_t u[48];  /* hash, validation salt, key salt             */
    uint8_t ue[32]; /* file key wrapped for the user password      */
    uint8_t o[48];
    uint8_t oe[32];
    uint8_t perms[16]; /* encrypted copy of p and encrypt_metadata    */
    uint32_t p;        /* /P as the 32 bits that it is                */
    bool encrypt_metadata;
};

enum pp_role { PP_ROLE_NONE, PP_ROLE_USER, PP_ROLE_OWNER };

/* What a handler is made of besides its passwords, all of it random: the
 * caller draws it, so that tests can fix it. */
struct pp_handler_seed {
    uint8_t salts[4][PP_SALT_BYTES]; /* user validation, user key,
                                        owner validation, owner key */
    uint8_t perms_tail[4];
};

/* /P from PDFPIPE_PERMIT_* bits: reserved bits as the standard wants them. */
uint32_t pp_handler_p(uint32_t permits);

/*
 * Tries a password, as owner first, then as user.  *role says as what it
 * opened; PP_ROLE_NONE is no error.  Unless NONE, file_key[32] is filled.
 * Both tests are always made, so that time does not tell the role: three
 * hashes, two for a password that does not open.
 */
enum pdfpipe_status pp_handler_open(struct pp_kdf *k,
                                    const struct pp_handler *h,
                                    struct pp_view password,
                                    uint8_t file_key[32], enum pp_role *role,
                                    struct pdfpipe_error *err);

/*
 * Decrypts h->perms with the file key and compares it with h->p and
 * h->encrypt_metadata (algorithm 13).  *sound is false when the marker "adb"
 * is missing or anything differs.
 */
enum pdfpipe_status pp_handler_check_perms(const struct pp_suite *suite,
                                           const struct pp_handler *h,
                                           const uint8_t file_key[32],
                                           bool *sound,
                                           struct pdfpipe_error *err);

#endif
