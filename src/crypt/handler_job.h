/*
 * handler_job.h - the values of a security handler whose password hashes are
 *                 done together with those of other files
 *
 * A job says which four hashes it needs; somebody answers the requests, in
 * any way that kdf_lanes.h or kdf.h offers; then the job is ended.
 *
 * A job is secret: it lives in the vault, and is wiped when it is ended.
 */
#ifndef PP_CRYPT_HANDLER_JOB_H
#define PP_CRYPT_HANDLER_JOB_H

#include "crypt/handler.h"
#include "crypt/kdf_lanes.h"

#define PP_HANDLER_HASHES 4u

struct pp_handler_job {
    /* Of the user, then of the owner: the hash that tells the password, the
     * hash that wraps the file key.  In this order each comes after what it
     * waits for. */
    struct pp_kdf_request request[PP_HANDLER_HASHES];
    struct pp_handler *h;
    uint8_t hash[PP_HANDLER_HASHES][PP_HASH_BYTES];
    uint8_t perms_tail[4];
};

/*
 * To make h->u, ue, o, oe and perms from passwords (prepared, at most 127
 * bytes each; borrowed until the job is ended), and from h->p and
 * h->encrypt_metadata, which the caller has set (algorithms 8 and 9).
 */
void pp_handler_job_make(struct pp_handler_job *j, struct pp_handler *h,
                         struct pp_view user, struct pp_view owner,
                         const struct pp_handler_seed *seed);

/* The requests are answered: the rest of *h (algorithm 10 for perms).
 * Errors: E_CRYPTO, E_NO_MEMORY; then *h must not be used. */
enum pdfpipe_status pp_handler_job_made(struct pp_handler_job *j,
                                        const struct pp_suite *suite,
                                        const uint8_t file_key[32],
                                        struct pdfpipe_error *err);

/* To open *h with two passwords, each in its role (algorithm 2.A). */
void pp_handler_job_open(struct pp_handler_job *j, struct pp_handler *h,
                         struct pp_view user, struct pp_view owner);

/* What one password opened. */
struct pp_opened {
    bool fits;
    uint8_t file_key[32]; /* only if it fits */
};

/* The requests are answered: what the passwords of the user ([0]) and of the
 * owner ([1]) opened; `opened` lives in the vault, too.  That a password does
 * not fit is no error.  Errors: E_CRYPTO, E_NO_MEMORY; then no key is there. */
enum pdfpipe_status pp_handler_job_opened(struct pp_handler_job *j,
                                          const struct pp_suite *suite,
                                          struct pp_opened opened[2],
                                          struct pdfpipe_error *err);

#endif
