/* batch.c - a run over a list of jobs, and what it told */
#include "batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct pdfpipe_secret *secrets[32];
static size_t secret_count;

static void
need(bool holds, const char *what)
{
    if (holds)
        return;
    (void)fprintf(stderr, "batch: %s\n", what);
    exit(99);
}

const struct pdfpipe_secret *
batch_secret(const char *text)
{
    struct pdfpipe_secret *s;

    for (size_t i = 0; i < secret_count; i++)
        if (secrets[i]->length == strlen(text) &&
            !memcmp(secrets[i]->data, text, strlen(text)))
            return secrets[i];
    s = pdfpipe_secret_new();
    need(s && secret_count < sizeof secrets / sizeof secrets[0], "secret");
    s->length = strlen(text);
    memcpy(s->data, text, s->length);
    secrets[secret_count++] = s;
    return s;
}

void
batch_secrets_free(void)
{
    while (secret_count > 0)
        pdfpipe_secret_free(secrets[--secret_count]);
}

void
batch_options(struct pdfpipe_options *o)
{
    pdfpipe_options_init(o);
    o->owner_password = batch_secret("owner");
    o->durability = PDFPIPE_DURABLE_NONE;
}

static bool
next(void *arg, struct pdfpipe_job *job)
{
    struct batch *b = arg;

    if (b->asked == b->jobs)
        return false;
    *job = b->job[b->asked++];
    if (b->on_next)
        b->on_next(b, b->asked - 1);
    return true;
}

static void
result(void *arg, const struct pdfpipe_result *r)
{
    struct batch *b = arg;

    need(b->told < b->jobs, "more results than jobs");
    b->told_after_finished |= b->finished > 0;
    b->out_of_order |= r->tag != b->job[b->told].tag || !r->source ||
                       !r->target ||
                       strcmp(r->source, b->job[b->told].source) != 0;
    b->result[b->told++] = *r;
    if (b->on_result)
        b->on_result(b, r);
}

static void
finished(void *arg)
{
    struct batch *b = arg;

    b->finished++;
    if (b->on_finished)
        b->on_finished(b);
}

/* False: the run could not be made. */
static bool
try_run(struct batch *b)
{
    struct pdfpipe_callbacks callbacks = { b, next, result, finished };
    bool made = false;

    b->joined = pdfpipe_run_new(&b->options, &callbacks, &b->run, &b->error);
    if (!b->joined)
        b->joined = pdfpipe_run_start(b->run, &b->error);
    if (!b->joined) {
        b->joined = pdfpipe_run_join(b->run, &b->error);
        made = true;
    }
    pdfpipe_run_free(b->run);
    b->run = NULL;
    return made;
}

void
batch_run(struct batch *b)
{
    b->result = calloc(b->jobs + 1, sizeof *b->result);
    need(b->result != NULL, "out of memory");
    need(try_run(b), b->error.message);
}

void
batch_run_gently(struct batch *b)
{
    static struct pdfpipe_result result[64];

    need(b->jobs < sizeof result / sizeof result[0], "too many jobs");
    b->result = result;
    (void)try_run(b); /* lands in b->joined */
}

void
batch_free(struct batch *b)
{
    free(b->result);
    b->result = NULL;
}
