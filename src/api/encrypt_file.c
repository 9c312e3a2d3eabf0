/* encrypt_file.c - one document, one call */
#include <pdfpipe/pdfpipe.h>

#include "base/fail.h"

struct one {
    struct pdfpipe_job job;
    bool asked, told;
    struct pdfpipe_result result;
};

static bool
next(void *arg, struct pdfpipe_job *job)
{
    struct one *one = arg;

    if (one->asked)
        return false;
    one->asked = true;
    *job = one->job;
    return true;
}

static void
take(void *arg, const struct pdfpipe_result *result)
{
    struct one *one = arg;

    one->told = true;
    one->result = *result;
    one->result.source = one->job.source;
    one->result.target = one->job.target ? one->job.target : one->job.source;
}

enum pdfpipe_status
pdfpipe_encrypt_file(const struct pdfpipe_options *options, const char *source,
                     const char *target, struct pdfpipe_result *result,
                     struct pdfpipe_error *err)
{
    struct one one = { .job = { .source = source, .target = target } };
    struct pdfpipe_callbacks callbacks = { &one, next, take, NULL };
    struct pdfpipe_run *run;
    enum pdfpipe_status st = pdfpipe_run_new(options, &callbacks, &run, err);

    if (st)
        return st;
    st = pdfpipe_run_start(run, err);
    if (!st) {
        st = pdfpipe_run_join(run, err);
        /* The result says it better: a skipped document is no failure. */
        if (one.told) {
            st = one.result.error.code;
            if (st && err)
                *err = one.result.error;
        }
        if (result)
            *result = one.result;
    }
    pdfpipe_run_free(run);
    return st;
}
