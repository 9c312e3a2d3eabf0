/* document.c - one PDF on its way through a run */
#include "pipe/document.h"

#include <stdlib.h>
#include <string.h>

enum pdfpipe_status
pp_document_new(struct pp_document **out, struct pdfpipe_error *err)
{
    struct pp_document *d = calloc(1, sizeof *d);

    if (!d)
        return pp_fail_memory(err);
    d->reading.source.fd = -1;
    d->sink.fd = -1;
    d->error.offset = PDFPIPE_NO_OFFSET;
    *out = d;
    return PDFPIPE_OK;
}

enum pdfpipe_status
pp_document_take(struct pp_document *d, const struct pdfpipe_job *job,
                 uint64_t number, struct pdfpipe_error *err)
{
    const char *source = job->source ? job->source : "";
    size_t n = strlen(source),
           cut = n < sizeof d->shown ? 0 : n - sizeof d->shown + 1;

    d->number = number;
    d->in_place = job->target == NULL;
    d->keep_target = job->keep_target;
    d->tag = job->tag;
    memcpy(d->shown, source + cut, n - cut + 1);
    d->source_path = strdup(source);
    d->target_path = strdup(job->target ? job->target : source);
    if (job->backup)
        d->backup_path = strdup(job->backup);
    if (job->error && job->error->code) {
        d->refused = true;
        d->skip = job->skip;
        if (err)
            *err = *job->error;
        return job->error->code;
    }
    if (!d->source_path || !d->target_path || (job->backup && !d->backup_path))
        return pp_fail_memory(err);
    return PDFPIPE_OK;
}

const char *
pp_document_source(const struct pp_document *d)
{
    return d->source_path ? d->source_path : d->shown;
}

const char *
pp_document_target(const struct pp_document *d)
{
    return d->target_path ? d->target_path : d->shown;
}

void
pp_document_close(struct pp_document *d, struct pp_vault *vault)
{
    struct pp_reading *r = &d->reading;

    if (r->live) {
        pp_profile_fini(&r->profile);
        pp_fetch_fini(&r->fetch);
        pp_xref_fini(&r->xref);
        pp_scanner_free(r->scanner);
        r->scanner = NULL;
        r->live = false;
    }
    pp_source_close(&r->source);
    if (d->file_key)
        pp_secret_free(vault, d->file_key, PP_FILE_KEY_BYTES);
    if (d->read_key)
        pp_secret_free(vault, d->read_key, PP_FILE_KEY_BYTES);
    d->file_key = d->read_key = NULL;
}

void
pp_document_free(struct pp_document *d, struct pp_vault *vault)
{
    if (!d)
        return;
    pp_document_close(d, vault);
    if (d->owner)
        pp_secret_free(vault, d->owner, PP_PASSWORD_MAX);
    pp_sink_discard(&d->sink);
    pp_meta_fini(&d->meta);
    pp_xref_fini(&d->rows);
    pp_buf_fini(&d->encdict);
    free(d->source_path);
    free(d->target_path);
    free(d->backup_path);
    free(d);
}

const char *
pp_document_reading_path(const struct pp_document *d)
{
    return d->pass == PP_PASS_SEAL ? d->source_path : d->sink.temp;
}
