/* run.c - a run, as the public header describes it, over the pipeline */
#include <pdfpipe/pdfpipe.h>

#include <stdlib.h>
#include <string.h>

#include "api/cpus.h"
#include "base/clock.h"
#include "base/num.h"
#include "crypt/engine.h"
#include "crypt/suite.h"
#include "pipe/writer.h"

#define OBJECT_TEXT_MAX ((uint64_t)64 << 20)
#define INFLATED_MAX    ((uint64_t)256 << 20)

struct pdfpipe_run {
    struct pp_pipeline *pipeline;
};

const char *
pdfpipe_version(void)
{
    return PDFPIPE_VERSION_STRING;
}

const char *
pdfpipe_crypto_version(void)
{
    return pp_suite_version();
}

const char *
pdfpipe_engine_name(enum pdfpipe_engine engine)
{
    return pp_engine_chosen(engine);
}

void
pdfpipe_options_init(struct pdfpipe_options *o)
{
    *o = (struct pdfpipe_options){
        .size = sizeof *o,
        .permissions = PDFPIPE_PERMIT_ALL,
        .on_encrypted = PDFPIPE_SKIP,
        .on_signed = PDFPIPE_SKIP,
        .verify = PDFPIPE_VERIFY_AUTO,
        .durability = PDFPIPE_DURABLE_GROUP,
        .max_object_text = OBJECT_TEXT_MAX,
        .max_inflated = INFLATED_MAX,
    };
}

/* Values of an enum that another version of the header may have. */
static bool
is_known(const struct pdfpipe_options *o)
{
    return (unsigned)o->on_encrypted <= PDFPIPE_PROCEED &&
           (unsigned)o->on_signed <= PDFPIPE_PROCEED &&
           (unsigned)o->verify <= PDFPIPE_VERIFY_FULL &&
           (unsigned)o->durability <= PDFPIPE_DURABLE_NONE &&
           (unsigned)o->engine <= PDFPIPE_ENGINE_ARMV8;
}

/* The caller's options, whatever the version of the header that it was
 * compiled with: fields that it does not know keep their defaults. */
static enum pdfpipe_status
adopt(const struct pdfpipe_options *theirs, struct pdfpipe_options *o,
      struct pdfpipe_error *err)
{
    pdfpipe_options_init(o);
    if (theirs->size < sizeof o->size)
        return pp_fail(err, PDFPIPE_E_USAGE, "options are not initialised");
    memcpy(o, theirs, (size_t)pp_min(theirs->size, sizeof *o));
    o->size = sizeof *o;
    if (!is_known(o))
        return pp_fail(err, PDFPIPE_E_USAGE,
                       "an option has a value that is not known");
    if (o->threads > PDFPIPE_MAX_THREADS)
        return pp_fail(err, PDFPIPE_E_USAGE, "more than %u threads",
                       PDFPIPE_MAX_THREADS);
    if (o->on_encrypted == PDFPIPE_PROCEED)
        return pp_fail(err, PDFPIPE_E_USAGE,
                       "encrypted documents can be skipped or fail");
    if (o->threads == 0)
        o->threads = (unsigned)pp_min(pp_usable_cpus(), PDFPIPE_MAX_THREADS);
    return PDFPIPE_OK;
}

enum pdfpipe_status
pdfpipe_run_new(const struct pdfpipe_options *options,
                const struct pdfpipe_callbacks *callbacks,
                struct pdfpipe_run **out, struct pdfpipe_error *err)
{
    struct pdfpipe_options o;
    struct pdfpipe_run *run;
    enum pdfpipe_status st = adopt(options, &o, err);

    if (st)
        return st;
    run = calloc(1, sizeof *run);
    if (!run)
        return pp_fail_memory(err);
    st = pp_pipeline_new(&o, callbacks, &run->pipeline, err);
    if (st) {
        free(run);
        return st;
    }
    *out = run;
    return PDFPIPE_OK;
}

enum pdfpipe_status
pdfpipe_run_start(struct pdfpipe_run *run, struct pdfpipe_error *err)
{
    return pp_pipeline_start(run->pipeline, err);
}

/*
 * Does it decide the exit code that the caller was not asked for all?  Not
 * when a retry is asked for already, when this program is in error, or when
 * the failure of a document was the reason.
 */
static bool
is_about_the_rest(const struct pp_pipeline *p)
{
    int code = pdfpipe_status_exit(p->worst.code);

    return code == 0 || (code < 70 && !p->options.fail_fast);
}

enum pdfpipe_status
pdfpipe_run_join(struct pdfpipe_run *run, struct pdfpipe_error *err)
{
    struct pp_pipeline *p = run->pipeline;
    enum pdfpipe_status cut_short;

    pp_pipeline_join(p);
    cut_short = (enum pdfpipe_status)atomic_load_explicit(&p->cut_short,
                                                          memory_order_relaxed);
    if (cut_short && is_about_the_rest(p))
        return pp_fail(err, cut_short, "%s with work left",
                       pdfpipe_status_text(cut_short));
    if (p->worst.code && err)
        *err = p->worst;
    return p->worst.code;
}

void
pdfpipe_run_free(struct pdfpipe_run *run)
{
    if (!run)
        return;
    pp_pipeline_free(run->pipeline);
    free(run);
}

void
pdfpipe_run_cancel(struct pdfpipe_run *run)
{
    pp_pipeline_cancel(run->pipeline);
}

void
pdfpipe_run_abandon(struct pdfpipe_run *run)
{
    pp_pipeline_abandon(run->pipeline);
    pp_writer_settle(run->pipeline->writer);
}

void
pdfpipe_run_progress(const struct pdfpipe_run *run,
                     struct pdfpipe_progress *out)
{
    struct pp_pipeline *p = run->pipeline;
    struct pp_meters *m = &p->meters;
    uint64_t began_ns = pp_meter_read(&p->began_ns);

    *out = (struct pdfpipe_progress){
        .files_done = pp_meter_read(&m->files_done),
        .files_failed = pp_meter_read(&m->files_failed),
        .bytes_done = pp_meter_read(&m->bytes_done),
        .bytes_out = pp_meter_read(&m->bytes_out),
        .payload_bytes = pp_meter_read(&m->payload_bytes),
        .cipher_ns = pp_meter_read(&m->cipher_ns),
        .kdf_ns = pp_meter_read(&m->kdf_ns),
        .read_ns = pp_meter_read(&m->read_ns),
        .work_ns = pp_meter_read(&m->work_ns),
        .write_ns = pp_meter_read(&m->write_ns),
        .commit_ns = pp_meter_read(&m->commit_ns),
        .wall_ns = began_ns ? pp_now_ns() - began_ns : 0,
        .threads = p->workers,
        .engine = pp_engine_chosen(p->options.engine),
    };
    pp_pipeline_current(p, out->current);
}
