/*
 * stress.c - does it hold for any batch, number of threads and memory?
 *
 * Each round draws documents, options and a moment to stop at, runs them, and
 * compares with a run of one thread over the same documents: whatever is
 * there must be byte for byte the same (the random source is fixed), and what
 * was not finished must be as it was.  Meant to be built with a sanitizer:
 *
 *   make MODE=tsan check SUITE=stress
 *
 *   stress-run [ROUNDS [SEED]]
 */
#include <pdfpipe/pdfpipe.h>

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "batch.h"
#include "check.h"
#include "samples.h"
#include "scratch.h"

#define DOCUMENTS_MAX 60u

enum stop { STOP_NEVER, STOP_CANCEL, STOP_ABANDON };

struct round {
    uint64_t seed, state;
    size_t documents;
    const struct sample *sample[DOCUMENTS_MAX];
    bool in_place;
    struct pdfpipe_options options;
    enum stop stop;
    uint64_t stop_at; /* bytes that are done */

    struct pdfpipe_job job[DOCUMENTS_MAX];
    char source[DOCUMENTS_MAX][32], target[DOCUMENTS_MAX][32];
    char what[160];
};

static uint64_t
draw(struct round *r, uint64_t below)
{
    r->state ^= r->state << 13;
    r->state ^= r->state >> 7;
    r->state ^= r->state << 17;
    return (r->state >> 20) % below;
}

static void
draw_options(struct round *r)
{
    struct pdfpipe_options *o = &r->options;

    batch_options(o);
    o->threads = 1 + (unsigned)draw(r, draw(r, 3) ? 4 : 16);
    if (draw(r, 3))
        o->max_memory = BATCH_LEAST_MEMORY(o->threads) + (draw(r, 12) << 20);
    o->verify = (enum pdfpipe_verify)draw(r, 4);
    o->durability = draw(r, 3) ? PDFPIPE_DURABLE_NONE : PDFPIPE_DURABLE_GROUP;
    if (draw(r, 3) == 0) {
        o->user_password = batch_secret("user");
        o->owner_password = NULL;
        o->random_owner_password = true;
    }
    o->cleartext_metadata = draw(r, 2);
    o->fail_fast = draw(r, 8) == 0;
    r->in_place = draw(r, 2);
    r->stop = (enum stop)draw(r, 6);
    if (r->stop > STOP_ABANDON)
        r->stop = STOP_NEVER;
}

static void
draw_round(struct round *r, uint64_t seed)
{
    unsigned large = 0;

    *r = (struct round){ .seed = seed,
                         .state = (seed + 1) * 0x9e3779b97f4a7c15 };
    for (int i = 0; i < 8; i++)
        (void)draw(r, 2);
    r->documents = (size_t)draw(r, DOCUMENTS_MAX + 1);
    for (size_t i = 0; i < r->documents; i++) {
        do
            r->sample[i] = &samples[draw(r, sample_count)];
        while (r->sample[i]->large && large > 2);
        large += r->sample[i]->large;
    }
    draw_options(r);
    r->stop_at =
        draw(r, 1 + (uint64_t)large * 4000000 + (uint64_t)r->documents * 2000);
    (void)snprintf(r->what, sizeof r->what,
                   "round of seed %llu: %zu documents, %u threads",
                   (unsigned long long)seed, r->documents, r->options.threads);
}

static void
put_documents(struct round *r, const char *folder)
{
    char command[64];

    if (access(folder, F_OK) == 0) {
        (void)snprintf(command, sizeof command, "rm -r %s", folder);
        if (system(command))
            abort();
    }
    if (mkdir(folder, 0755))
        abort();
    for (size_t i = 0; i < r->documents; i++) {
        (void)snprintf(r->source[i], sizeof r->source[i], "%s/%zu.pdf", folder,
                       i);
        (void)snprintf(r->target[i], sizeof r->target[i], "%s/%zu.out", folder,
                       i);
        sample_put(r->sample[i], (unsigned)(r->seed % 97 + i), r->source[i]);
        r->job[i] = (struct pdfpipe_job){
            .source = r->source[i],
            .target = r->in_place ? NULL : r->target[i],
            .tag = &r->job[i],
        };
    }
}

/* Stops the run when so much is done. */
struct stopper {
    struct batch *b;
    const struct round *r;
    bool started;
    atomic_bool over;
    pthread_t thread;
};

static void *
stop_later(void *arg)
{
    struct stopper *s = arg;
    struct pdfpipe_progress p = { 0 };

    do {
        (void)sched_yield();
        pdfpipe_run_progress(s->b->run, &p);
    } while (!atomic_load(&s->over) && p.bytes_done < s->r->stop_at);
    if (s->r->stop == STOP_CANCEL)
        pdfpipe_run_cancel(s->b->run);
    else
        pdfpipe_run_abandon(s->b->run);
    return NULL;
}

static void
start_stopper(struct batch *b, size_t i)
{
    struct stopper *s = b->arg;

    if (i > 0 || s->r->stop == STOP_NEVER)
        return;
    s->started = true;
    if (pthread_create(&s->thread, NULL, stop_later, s))
        abort();
}

/* The run is there until this returns. */
static void
end_stopper(struct batch *b)
{
    struct stopper *s = b->arg;

    atomic_store(&s->over, true);
    if (s->started && pthread_join(s->thread, NULL))
        abort();
}

static bool
same_files(const char *a, const char *b)
{
    FILE *f = fopen(a, "re"), *g = fopen(b, "re");
    bool same = f && g;
    static char x[65536], y[65536];
    size_t n = 1, m;

    while (same && n > 0) {
        n = fread(x, 1, sizeof x, f);
        m = fread(y, 1, sizeof y, g);
        same = n == m && !memcmp(x, y, n);
    }
    if (f)
        (void)fclose(f);
    if (g)
        (void)fclose(g);
    return same;
}

static bool
is_original(const struct round *r, size_t i, const char *name)
{
    struct pdftext *p = r->sample[i]->make((unsigned)(r->seed % 97 + i));
    bool same = scratch_holds(name, pdf_data(p), pdf_size(p));

    pdf_free(p);
    return same;
}

static void
look_around(const struct round *r, const struct batch *b)
{
    bool stopped = r->stop != STOP_NEVER || r->options.fail_fast;

    CHECK(b->told == b->asked && !b->out_of_order && b->finished == 1 &&
              !b->told_after_finished,
          "%s: %zu of %zu told, finished %u times", r->what, b->told, b->asked,
          b->finished);
    CHECK(stopped || b->told == r->documents, "%s: %zu told", r->what, b->told);
    CHECK(scratch_count("a", ".pdfpipe-") == 0, "%s: temporary files", r->what);
    for (size_t i = 0; i < r->documents; i++) {
        const struct sample *s = r->sample[i];
        bool told = i < b->told;
        enum pdfpipe_status st =
            told ? b->result[i].error.code : PDFPIPE_E_CANCELLED;
        bool done = told && b->result[i].kind == PDFPIPE_ENCRYPTED;
        char other[32];

        (void)snprintf(other, sizeof other,
                       r->in_place ? "b/%zu.pdf" : "b/%zu.out", i);
        CHECK(st == s->status || (stopped && st == PDFPIPE_E_CANCELLED),
              "%s: %zu (%s): %s", r->what, i, s->name,
              told ? b->result[i].error.message : "not told");
        if (!done || !r->in_place)
            CHECK(is_original(r, i, r->source[i]), "%s: source %zu (%s)",
                  r->what, i, s->name);
        if (done)
            CHECK(same_files(r->in_place ? r->source[i] : r->target[i], other),
                  "%s: output %zu (%s)", r->what, i, s->name);
        else
            CHECK(access(r->target[i], F_OK) != 0, "%s: %zu (%s) has an output",
                  r->what, i, s->name);
    }
}

static void
run_round(uint64_t seed)
{
    static struct round r;
    struct stopper s = { .r = &r };
    struct batch b = { .on_next = start_stopper,
                       .on_finished = end_stopper,
                       .arg = &s };
    struct batch alone = { .jobs = 0 };

    draw_round(&r, seed);
    /* One thread, all of it, for comparison. */
    put_documents(&r, "b");
    alone.job = r.job;
    alone.jobs = r.documents;
    alone.options = r.options;
    alone.options.threads = 1;
    alone.options.max_memory = 0;
    alone.options.fail_fast = false;
    batch_run(&alone);
    batch_free(&alone);

    put_documents(&r, "a");
    b.job = r.job;
    b.jobs = r.documents;
    b.options = r.options;
    s.b = &b;
    batch_run(&b);
    look_around(&r, &b);
    batch_free(&b);
}

int
main(int argc, char **argv)
{
    unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 8;
    unsigned long long seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;

    /* In memory where that is possible: many files are written. */
    scratch_enter(access("/dev/shm", W_OK) ? NULL : "/dev/shm");
    for (unsigned long i = 0; i < rounds; i++)
        run_round(seed + i);
    batch_secrets_free();
    scratch_leave();
    return check_report("stress");
}
