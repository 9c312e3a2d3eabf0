/*
 * pipeline.h - the threads of a run and what they share
 *
 *   reader      one   roster -> objects of a document -> units -> queue
 *   workers     N     queue -> sealed units -> window
 *   writer      one   window -> sink, cross-reference -> roster
 *   committer   one   roster -> fsync, verification, rename -> result()
 *
 * Rules: nobody holds two mutexes; no I/O and no callback happens under one;
 * only gate and roster can make the reader wait, and workers never wait while
 * they hold a unit.  At the end every unit, every byte of the budget, every
 * chain and every document is back where it came from; this is asserted.
 */
#ifndef PP_PIPE_PIPELINE_H
#define PP_PIPE_PIPELINE_H

#include <pthread.h>

#include "io/syncgroup.h"
#include "pipe/gate.h"
#include "pipe/queue.h"
#include "pipe/roster.h"
#include "pipe/window.h"

/* Counters for people.  Relaxed: they order nothing. */
struct pp_meters {
    atomic_uint_fast64_t files_done, files_failed;
    atomic_uint_fast64_t bytes_done, bytes_out, payload_bytes;
    atomic_uint_fast64_t cipher_ns, kdf_ns, read_ns, work_ns, write_ns,
        commit_ns;
};

static inline void
pp_meter_add(atomic_uint_fast64_t *meter, uint64_t n)
{
    atomic_fetch_add_explicit(meter, n, memory_order_relaxed);
}

static inline uint64_t
pp_meter_read(const atomic_uint_fast64_t *meter)
{
    return atomic_load_explicit(meter, memory_order_relaxed);
}

/* A password as it is hashed; bytes is in the vault. */
struct pp_credential {
    uint8_t *bytes; /* PP_PASSWORD_MAX */
    size_t n;
};

struct pp_reader;
struct pp_worker;
struct pp_writer;
struct pp_committer;

struct pp_pipeline {
    /* Constant while threads run. */
    struct pdfpipe_options options; /* pointers in it are not used          */
    struct pdfpipe_callbacks callbacks;
    unsigned workers;
    size_t batch; /* units that a worker seals together */
    struct pp_suite *suite;
    struct pp_vault *vault;
    struct pp_credential user, owner;
    bool owner_is_user; /* so that restricted permissions do not bind       */
    atomic_uint_fast64_t began_ns; /* relaxed: looked at for progress       */

    struct pp_units units;
    struct pp_chain *chain; /* units.n + 1 */
    struct pp_gate gate;
    struct pp_queue queue;
    struct pp_window window;
    struct pp_roster roster;
    struct pp_syncgroup *syncgroup;
    struct pp_meters meters;

    atomic_bool cancelled; /* relaxed: looked at between units              */
    atomic_int cut_short;  /* relaxed: why the caller was not asked for all
                              its documents, an enum pdfpipe_status         */
    struct pp_mutex names; /* of: current, temps, abandoned                 */
    char current[256];     /* names: source being read                      */
    struct pp_document *temps; /* names: documents with a temporary file    */
    bool abandoned;            /* names: temporary files go at once         */

    /* Of the committer; read by others after the threads are joined. */
    struct pdfpipe_error worst; /* decides the exit code                    */

    /* What each thread works with. */
    struct pp_reader *reader;
    struct pp_worker *worker; /* `workers` of them */
    struct pp_writer *writer;
    struct pp_committer *committer;
    pthread_t reader_thread, writer_thread, committer_thread;
    bool started;
};

/*
 * Makes a pipeline for these options: passwords prepared, memory for units
 * taken, algorithms fetched.  Errors: see pdfpipe_run_new().
 */
enum pdfpipe_status pp_pipeline_new(const struct pdfpipe_options *options,
                                    const struct pdfpipe_callbacks *callbacks,
                                    struct pp_pipeline **out,
                                    struct pdfpipe_error *err);
/* Joined or never started. */
void pp_pipeline_free(struct pp_pipeline *p);

/* Errors: E_NO_MEMORY when a thread cannot be made; nothing runs then. */
enum pdfpipe_status pp_pipeline_start(struct pp_pipeline *p,
                                      struct pdfpipe_error *err);

/* Waits for all threads. */
void pp_pipeline_join(struct pp_pipeline *p);

/* Any thread. */
void pp_pipeline_cancel(struct pp_pipeline *p);
bool pp_pipeline_cancelled(struct pp_pipeline *p);

/* Any thread: removes all temporary files at once, for a program that ends
 * without waiting. */
void pp_pipeline_abandon(struct pp_pipeline *p);

/* The writer and the committer: this document's sink has, or no longer has, a
 * temporary file. */
void pp_pipeline_temp_made(struct pp_pipeline *p, struct pp_document *d);
void pp_pipeline_temp_gone(struct pp_pipeline *p, struct pp_document *d);

/* Any thread: the source being read, cut on the left; out[256]. */
void pp_pipeline_current(struct pp_pipeline *p, char out[256]);
void pp_pipeline_set_current(struct pp_pipeline *p, const char *path);

#endif
