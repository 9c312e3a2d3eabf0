/*
 * kdf_lanes.h - many revision 6 password hashes at once (ISO 32000-2,
 *               algorithm 2.B)
 *
 * One hash is a chain in which each step waits for the one before, so most of
 * the processor idles; hashes of many files, taken together, fill it.  Results
 * are those of pp_kdf_hash().
 *
 * One pp_kdf_lanes per thread.
 */
#ifndef PP_CRYPT_KDF_LANES_H
#define PP_CRYPT_KDF_LANES_H

#include <stdbool.h>

#include <pdfpipe/options.h>

#include "crypt/kdf.h"

/* Hashes on their way at a time, at most.  More requests in a call keep all of
 * them busy; fewer are right, too. */
#define PP_KDF_JOBS 40u

/* What an object takes of the vault, or less. */
#define PP_KDF_LANES_VAULT 81920u

/* One hash that is wanted, arguments as those of pp_kdf_hash(); all of it, and
 * what it points to, is borrowed until it is answered. */
struct pp_kdf_request {
    struct pp_view password; /* at most 127 bytes                          */
    const uint8_t *salt;     /* 8 bytes                                    */
    const uint8_t *u;        /* 48 bytes, or NULL: a user hash             */
    uint8_t *out;            /* gets 32 bytes                              */
    /* NULL, or a request that was added before, whose `out` is part of this
     * one's u: an owner hash of a file waits for its user hash. */
    const struct pp_kdf_request *after;

    /* Of the pp_kdf_lanes; zero before. */
    unsigned rounds; /* how many there were; 0: not answered yet           */
    bool added;
    struct pp_kdf_request *link;
};

struct pp_kdf_lanes;

/*
 * Chooses what suits the machine, among what `wanted` allows: AUTO anything,
 * EVP, AESNI and VAES themselves or what is simpler.  Borrows kdf, which must
 * outlive *out and belong to the same thread, and the vault.
 * Errors: E_NO_MEMORY, also when the vault is full.
 */
enum pdfpipe_status pp_kdf_lanes_new(struct pp_kdf *kdf, struct pp_vault *vault,
                                     enum pdfpipe_engine wanted,
                                     struct pp_kdf_lanes **out,
                                     struct pdfpipe_error *err);
void pp_kdf_lanes_free(struct pp_kdf_lanes *k); /* k may be NULL */

/* Adds a request (see there) to those that are to be answered. */
void pp_kdf_lanes_add(struct pp_kdf_lanes *k, struct pp_kdf_request *r);

/* Requests that were added and are not answered. */
size_t pp_kdf_lanes_left(const struct pp_kdf_lanes *k);

/*
 * Works until at least one of them, in no certain order, is answered; there
 * must be one left (asserted).
 * Errors: E_CRYPTO; then all that were left are forgotten, unanswered.
 */
enum pdfpipe_status pp_kdf_lanes_run(struct pp_kdf_lanes *k,
                                     struct pdfpipe_error *err);

/*
 * Answers n requests, whatever their last fields hold; none must be left from
 * before.  Nothing of a password is left behind afterwards.
 * Errors: E_CRYPTO; then no `out` must be used.
 */
enum pdfpipe_status pp_kdf_hash_many(struct pp_kdf_lanes *k,
                                     struct pp_kdf_request *requests, size_t n,
                                     struct pdfpipe_error *err);

#endif
