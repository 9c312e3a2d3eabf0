/*
 * worker.h - the threads that encrypt, decrypt and hash passwords
 *
 * A worker takes a unit, reads the bulk bytes that it stands for from the
 * source straight into their place, does the unit's task there and puts it
 * into the window.  Units to be sealed are prepared one by one and then go
 * through the engine together: it takes more of them while there are any, and
 * never waits while it holds one.  Those that want password hashes are collected
 * in the same way.  A failed unit is passed on like a good one: if it were
 * dropped, the writer would wait for its number for ever, and the error would
 * depend on which thread was first.
 */
#ifndef PP_PIPE_WORKER_H
#define PP_PIPE_WORKER_H

#include "pipe/hasher.h"
#include "pipe/pipeline.h"

/* Units that a worker seals together: with one long stream each, as scanned
 * pages have, as many lanes of the engine are busy. */
#define PP_BATCH_MAX 16u

struct pp_worker {
    struct pp_pipeline *p;
    struct pp_sealer sealer;
    struct pp_hasher hasher;
    struct pp_unit *held[PP_BATCH_MAX]; /* prepared, of one document */
    size_t helds;
    uint64_t sealed_bytes; /* since a password was hashed */
    struct pp_unit *ready; /* pieces whose turn has come */
    pthread_t thread;
};

/* Errors: E_NO_MEMORY, E_CRYPTO. */
enum pdfpipe_status pp_worker_init(struct pp_worker *w, struct pp_pipeline *p,
                                   struct pdfpipe_error *err);
void pp_worker_fini(struct pp_worker *w);

/* Thread main; arg is the worker. */
void *pp_worker_main(void *arg);

#endif
