/* pipeline.c - makes, starts, stops and frees the threads of a run */
#include "pipe/pipeline.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/num.h"
#include "crypt/password.h"
#include "crypt/suite.h"
#include "pipe/commit.h"
#include "pipe/reader.h"
#include "pipe/worker.h"
#include "pipe/writer.h"

/* Units: the reader fills one, the writer has a few, and every worker a batch
 * of them, as far as the pool stays small: cold memory costs more time than
 * full lanes save. */
#define UNITS_FIXED      6u
#define UNITS_PER_WORKER 9u
#define UNITS_MAX        32u
#define UNITS_MIN        4u

/* A bare unit for each that has buffers: the hashes of as many small documents
 * as there is room for.  More would only keep more files open. */
#define BARE_PER_UNIT 1u

/* Buffers beside the units: of the sink and the peeks, and for each worker
 * its IVs and lanes. */
#define BYTES_FIXED      ((uint64_t)2 << 20)
#define BYTES_PER_WORKER ((uint64_t)1 << 20)

/* Vault: scratch of a key derivation per worker, keys of the documents under
 * way, passwords. */
#define VAULT_FIXED        ((size_t)64 * 1024)
#define VAULT_PER_WORKER   ((size_t)PP_HASHER_VAULT + 1024)
#define VAULT_PER_DOCUMENT ((size_t)512)

/* How many units, within the memory that may be used. */
static enum pdfpipe_status
count_units(const struct pdfpipe_options *o, size_t *n,
            struct pdfpipe_error *err)
{
    uint64_t each = pp_units_bytes(64) / 64;
    uint64_t fixed = BYTES_FIXED + o->threads * BYTES_PER_WORKER;

    /* More workers than units of the small pool: at least two for each. */
    *n = (size_t)pp_max(
        pp_min(UNITS_FIXED + UNITS_PER_WORKER * o->threads, UNITS_MAX),
        UNITS_FIXED + 2 * o->threads);
    if (!o->max_memory)
        return PDFPIPE_OK;
    if (o->max_memory < fixed + UNITS_MIN * each)
        return pp_fail(err, PDFPIPE_E_USAGE,
                       "a run with %u thread%s needs at least %llu MiB of "
                       "memory",
                       o->threads, o->threads == 1 ? "" : "s",
                       (unsigned long long)((fixed + UNITS_MIN * each) >> 20) +
                           1);
    *n = (size_t)pp_min(*n, (o->max_memory - fixed) / each);
    return PDFPIPE_OK;
}

static enum pdfpipe_status
prepare(struct pp_pipeline *p, const struct pdfpipe_secret *text,
        struct pp_credential *to, const char *whose, struct pdfpipe_error *err)
{
    struct pp_view v = { NULL, 0 };
    enum pdfpipe_status st;
    char why[sizeof err->message];
    bool changed;

    to->bytes = pp_secret_new(p->vault, PP_PASSWORD_MAX);
    if (!to->bytes)
        return pp_fail_memory(err);
    if (text)
        v = (struct pp_view){ text->data, text->length };
    st = pp_password_prepare(v, PP_PREPARE_STORED, to->bytes, &to->n, &changed,
                             err);
    if (!st && changed && !p->options.allow_insecure)
        st = pp_fail(err, PDFPIPE_E_PASSWORD,
                     "SASLprep changes it, and readers without SASLprep would "
                     "need another spelling; --allow-insecure permits it");
    if (st && err) {
        memcpy(why, err->message, sizeof why);
        st = pp_fail(err, st, "%s password: %.200s", whose, why);
    }
    return st;
}

static enum pdfpipe_status
prepare_passwords(struct pp_pipeline *p, const struct pdfpipe_options *o,
                  struct pdfpipe_error *err)
{
    enum pdfpipe_status st =
        prepare(p, o->user_password, &p->user, "user", err);

    if (!st)
        st = prepare(p, o->owner_password, &p->owner, "owner", err);
    if (st || o->dry_run)
        return st;
    p->owner_is_user =
        !o->random_owner_password && ~o->permissions & PDFPIPE_PERMIT_ALL &&
        pp_view_is_equal((struct pp_view){ p->owner.bytes, p->owner.n },
                         (struct pp_view){ p->user.bytes, p->user.n });
    if (o->random_owner_password && p->owner.n)
        return pp_fail(err, PDFPIPE_E_USAGE,
                       "an owner password and a random one exclude each "
                       "other");
    if (o->random_owner_password || p->owner.n)
        return PDFPIPE_OK;
    if (!p->user.n)
        return pp_fail(err, PDFPIPE_E_PASSWORD, "no password is given");
    if (!o->allow_insecure)
        return pp_fail(err, PDFPIPE_E_PASSWORD,
                       "the owner password is empty: every reader would open "
                       "the file with it; give one, or ask for a random one");
    return PDFPIPE_OK;
}

static enum pdfpipe_status
init_shared(struct pp_pipeline *p, struct pdfpipe_error *err)
{
    enum pdfpipe_status st;
    size_t n;

    st = count_units(&p->options, &n, err);
    if (!st)
        st = pp_units_init(&p->units, n, BARE_PER_UNIT * n, err);
    if (st)
        return st;
    p->batch = (size_t)pp_max(1, (n - pp_min(n, UNITS_FIXED)) / p->workers);
    p->batch = (size_t)pp_min(p->batch, PP_BATCH_MAX);
    p->chain = calloc(n + 1, sizeof *p->chain);
    if (!p->chain)
        return pp_fail_memory(err);
    for (size_t i = 0; i <= n; i++)
        pp_chain_init(&p->chain[i]);
    pp_gate_init(&p->gate, &p->units, n * PP_UNIT_CHARGE, p->chain);
    pp_queue_init(&p->queue);
    pp_roster_init(&p->roster);
    st = pp_window_init(&p->window, n + p->units.bare, err);
    return st ? st : pp_syncgroup_new(&p->syncgroup, err);
}

static enum pdfpipe_status
init_threads(struct pp_pipeline *p, struct pdfpipe_error *err)
{
    enum pdfpipe_status st;

    p->reader = calloc(1, sizeof *p->reader);
    p->writer = calloc(1, sizeof *p->writer);
    p->committer = calloc(1, sizeof *p->committer);
    p->worker = calloc(p->workers, sizeof *p->worker);
    if (!p->reader || !p->writer || !p->committer || !p->worker)
        return pp_fail_memory(err);
    st = pp_reader_init(p->reader, p, err);
    if (!st)
        st = pp_writer_init(p->writer, p, err);
    if (!st)
        st = pp_committer_init(p->committer, p, err);
    for (unsigned i = 0; !st && i < p->workers; i++)
        st = pp_worker_init(&p->worker[i], p, err);
    return st;
}

enum pdfpipe_status
pp_pipeline_new(const struct pdfpipe_options *options,
                const struct pdfpipe_callbacks *callbacks,
                struct pp_pipeline **out, struct pdfpipe_error *err)
{
    struct pp_pipeline *p = calloc(1, sizeof *p);
    enum pdfpipe_status st;

    if (!p)
        return pp_fail_memory(err);
    p->options = *options;
    p->options.user_password = p->options.owner_password = NULL;
    p->callbacks = *callbacks;
    p->workers = options->threads;
    pp_mutex_init(&p->names);
    atomic_init(&p->began_ns, 0);
    st = pp_vault_new(VAULT_FIXED + p->workers * VAULT_PER_WORKER +
                          PP_DOCUMENTS_MAX * VAULT_PER_DOCUMENT,
                      &p->vault, err);
    if (!st)
        st = prepare_passwords(p, options, err);
    if (!st)
        st = pp_suite_new(&p->suite, err);
    if (!st)
        st = init_shared(p, err);
    if (!st)
        st = init_threads(p, err);
    if (st) {
        pp_pipeline_free(p);
        return st;
    }
    *out = p;
    return PDFPIPE_OK;
}

static void
fini_threads(struct pp_pipeline *p)
{
    for (unsigned i = 0; p->worker && i < p->workers; i++)
        pp_worker_fini(&p->worker[i]);
    free(p->worker);
    if (p->committer) {
        pp_committer_fini(p->committer);
        free(p->committer);
    }
    if (p->writer) {
        pp_writer_fini(p->writer);
        free(p->writer);
    }
    if (p->reader) {
        pp_reader_fini(p->reader);
        free(p->reader);
    }
}

static void
fini_shared(struct pp_pipeline *p)
{
    pp_syncgroup_free(p->syncgroup);
    if (p->window.slot)
        pp_window_fini(&p->window);
    if (p->chain) {
        pp_roster_fini(&p->roster);
        pp_queue_fini(&p->queue);
        pp_gate_fini(&p->gate);
        for (size_t i = 0; i <= p->units.n; i++)
            pp_chain_fini(&p->chain[i]);
    }
    free(p->chain);
    pp_units_fini(&p->units);
}

void
pp_pipeline_free(struct pp_pipeline *p)
{
    if (!p)
        return;
    PP_ASSERT(!p->started);
    fini_threads(p);
    fini_shared(p);
    pp_suite_free(p->suite);
    if (p->vault) {
        pp_secret_free(p->vault, p->user.bytes, PP_PASSWORD_MAX);
        pp_secret_free(p->vault, p->owner.bytes, PP_PASSWORD_MAX);
    }
    pp_vault_free(p->vault);
    pp_mutex_fini(&p->names);
    free(p);
}

/* Ends the threads that were made before one could not be: with nothing to
 * read, each of them comes to its end by itself. */
static enum pdfpipe_status
start_failed(struct pp_pipeline *p, int rc, unsigned workers, bool writer,
             struct pdfpipe_error *err)
{
    pp_queue_close(&p->queue);
    pp_window_close(&p->window, 0);
    for (unsigned i = 0; i < workers; i++)
        PP_ASSERT(pthread_join(p->worker[i].thread, NULL) == 0);
    if (writer)
        PP_ASSERT(pthread_join(p->writer_thread, NULL) == 0);
    return pp_fail_sys(err, rc, PDFPIPE_E_NO_MEMORY, "cannot make a thread");
}

enum pdfpipe_status
pp_pipeline_start(struct pp_pipeline *p, struct pdfpipe_error *err)
{
    int rc;

    atomic_store_explicit(&p->began_ns, pp_now_ns(), memory_order_relaxed);
    for (unsigned i = 0; i < p->workers; i++) {
        rc = pthread_create(&p->worker[i].thread, NULL, pp_worker_main,
                            &p->worker[i]);
        if (rc)
            return start_failed(p, rc, i, false, err);
    }
    rc = pthread_create(&p->writer_thread, NULL, pp_writer_main, p->writer);
    if (rc)
        return start_failed(p, rc, p->workers, false, err);
    /* The reader and the committer only together: the one calls next() and
     * the other finished(). */
    rc = pthread_create(&p->committer_thread, NULL, pp_committer_main,
                        p->committer);
    if (rc)
        return start_failed(p, rc, p->workers, true, err);
    rc = pthread_create(&p->reader_thread, NULL, pp_reader_main, p->reader);
    if (rc) {
        p->callbacks.finished = NULL; /* nothing has begun */
        pp_roster_leave(&p->roster);
        PP_ASSERT(pthread_join(p->committer_thread, NULL) == 0);
        return start_failed(p, rc, p->workers, true, err);
    }
    p->started = true;
    return PDFPIPE_OK;
}

void
pp_pipeline_join(struct pp_pipeline *p)
{
    if (!p->started)
        return;
    PP_ASSERT(pthread_join(p->reader_thread, NULL) == 0);
    for (unsigned i = 0; i < p->workers; i++)
        PP_ASSERT(pthread_join(p->worker[i].thread, NULL) == 0);
    PP_ASSERT(pthread_join(p->writer_thread, NULL) == 0);
    PP_ASSERT(pthread_join(p->committer_thread, NULL) == 0);
    p->started = false;
    PP_ASSERT(pp_gate_conserved(&p->gate));
    PP_ASSERT(pp_roster_conserved(&p->roster));
    PP_ASSERT(!p->temps);
}

void
pp_pipeline_cancel(struct pp_pipeline *p)
{
    atomic_store_explicit(&p->cancelled, true, memory_order_relaxed);
}

bool
pp_pipeline_cancelled(struct pp_pipeline *p)
{
    return atomic_load_explicit(&p->cancelled, memory_order_relaxed);
}

void
pp_pipeline_temp_made(struct pp_pipeline *p, struct pp_document *d)
{
    pp_lock(&p->names);
    d->temp_link = p->temps;
    d->temp_listed = true;
    p->temps = d;
    if (p->abandoned)
        (void)unlink(d->sink.temp); /* nothing to be done about it */
    pp_unlock(&p->names);
}

void
pp_pipeline_temp_gone(struct pp_pipeline *p, struct pp_document *d)
{
    struct pp_document **at;

    if (!d->temp_listed)
        return;
    pp_lock(&p->names);
    for (at = &p->temps; *at != d; at = &(*at)->temp_link)
        ;
    *at = d->temp_link;
    d->temp_listed = false;
    pp_unlock(&p->names);
}

void
pp_pipeline_abandon(struct pp_pipeline *p)
{
    pp_pipeline_cancel(p);
    /* The one duty with I/O under a mutex: the program is about to end, a
     * rename that comes too late finds nothing to rename, and a file that is
     * made after this goes when it is entered in the list. */
    pp_lock(&p->names);
    p->abandoned = true;
    for (struct pp_document *d = p->temps; d; d = d->temp_link)
        (void)unlink(d->sink.temp); /* nothing to be done about it */
    pp_unlock(&p->names);
}

void
pp_pipeline_current(struct pp_pipeline *p, char out[256])
{
    pp_lock(&p->names);
    memcpy(out, p->current, sizeof p->current);
    pp_unlock(&p->names);
}

void
pp_pipeline_set_current(struct pp_pipeline *p, const char *path)
{
    size_t n = strlen(path),
           cut = n < sizeof p->current ? 0 : n - sizeof p->current + 1;

    pp_lock(&p->names);
    memcpy(p->current, path + cut, n - cut + 1);
    pp_unlock(&p->names);
}
