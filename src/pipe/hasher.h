/*
 * hasher.h - password hashes of many documents at a time, for one worker
 *
 * A unit that is to make or to open a security handler costs four hashes of
 * about a millisecond, which take half of that when those of other documents
 * are done beside them (crypt/kdf_lanes.h).  So a hasher takes as many units
 * as come, and gives each back as soon as its own hashes are there.
 *
 * One thread.  Passwords and keys that it works with are in the run's vault.
 */
#ifndef PP_PIPE_HASHER_H
#define PP_PIPE_HASHER_H

#include "crypt/handler_job.h"
#include "crypt/kdf_lanes.h"
#include "pipe/pipeline.h"

/* Units that a hasher holds, at most: of each, two hashes wait for another. */
#define PP_HASHER_MAX 20u

struct pp_hashing {
    struct pp_unit *unit;
    struct pp_handler_job job;
    struct pp_opened opened[2];
};

/* What a hasher takes of the vault, or less. */
#define PP_HASHER_VAULT                                                        \
    (PP_KDF_VAULT + PP_KDF_LANES_VAULT +                                       \
     PP_HASHER_MAX * sizeof(struct pp_hashing) + 64)

struct pp_hasher {
    struct pp_pipeline *p;
    struct pp_kdf *kdf;
    struct pp_kdf_lanes *lanes;
    struct pp_hashing *held; /* PP_HASHER_MAX, in the vault; free: no unit */
    size_t n;                /* units held                                 */
    size_t max;              /* that it shall hold, at most                */
};

/* Borrows p.  Errors: E_NO_MEMORY, E_CRYPTO. */
enum pdfpipe_status pp_hasher_init(struct pp_hasher *h, struct pp_pipeline *p,
                                   struct pdfpipe_error *err);
void pp_hasher_fini(struct pp_hasher *h); /* no unit held */

/* Takes a unit over whose task is MAKE or OPEN; fewer than h->max are held.
 * False: it could not be begun, u->err says why, and it is the caller's. */
bool pp_hasher_take(struct pp_hasher *h, struct pp_unit *u);

/* Hashes until one of the units held (there must be one) is finished, well or
 * not, and gives it back. */
struct pp_unit *pp_hasher_finish(struct pp_hasher *h);

#endif
