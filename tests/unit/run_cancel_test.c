/* run_cancel_test.c - does a run stop cleanly wherever it is told to? */
#include <pdfpipe/pdfpipe.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "batch.h"
#include "check.h"
/* Stands before the library's random source, so that outputs can be compared. */
#include "fixed_random.c"
#include "samples.h"
#include "scratch.h"

#define DOCUMENTS 32u

static const char *const names[] = { "small",     "strings",  "object_streams",
                                     "stream_3m", "small",    "damaged",
                                     "many",      "encrypted" };
#define NAMES (sizeof names / sizeof names[0])

/* Without taking the processor from those that are waited for. */
static void
wait_a_moment(void)
{
    const struct timespec pause = { .tv_nsec = 20000 };

    (void)nanosleep(&pause, NULL);
}

static struct pdfpipe_job job[DOCUMENTS];
static char source[DOCUMENTS][32];

static const struct sample *
kind(size_t i)
{
    return sample_named(names[i % NAMES]);
}

struct content {
    uint8_t *p;
    size_t n;
};
static struct content original[NAMES];     /* by kind */
static struct content complete[DOCUMENTS]; /* what a whole run makes of them */

static struct content
copy_of(const void *p, size_t n)
{
    struct content c = { malloc(n + 1), n };

    if (!c.p)
        abort();
    memcpy(c.p, p, n);
    return c;
}

static void
put_documents(void)
{
    (void)mkdir("in", 0755);
    for (size_t i = 0; i < DOCUMENTS; i++) {
        const struct content *c = &original[i % NAMES];

        (void)snprintf(source[i], sizeof source[i], "in/%zu.pdf", i);
        scratch_put(source[i], c->p, c->n);
        job[i] = (struct pdfpipe_job){ .source = source[i], .tag = &job[i] };
    }
}

static void
remember_documents(void)
{
    struct batch b = { .job = job, .jobs = DOCUMENTS };

    for (size_t i = 0; i < NAMES; i++) {
        struct pdftext *p = kind(i)->make((unsigned)i);

        original[i] = copy_of(pdf_data(p), pdf_size(p));
        pdf_free(p);
    }
    put_documents();
    batch_options(&b.options);
    b.options.threads = 2;
    batch_run(&b);
    batch_free(&b);
    for (size_t i = 0; i < DOCUMENTS; i++) {
        FILE *f = fopen(source[i], "re");
        struct stat st;

        if (!f || fstat(fileno(f), &st))
            abort();
        complete[i].n = (size_t)st.st_size;
        complete[i].p = malloc(complete[i].n + 1);
        if (!complete[i].p ||
            fread(complete[i].p, 1, complete[i].n, f) != complete[i].n)
            abort();
        (void)fclose(f);
    }
}

static void
forget_documents(void)
{
    for (size_t i = 0; i < DOCUMENTS; i++)
        free(complete[i].p);
    for (size_t i = 0; i < NAMES; i++)
        free(original[i].p);
}

/* Is every document either as it was or complete, as its result says? */
static void
look_around(const struct batch *b, const char *what)
{
    CHECK(!b->out_of_order && b->told == b->asked, "%s: %zu of %zu told", what,
          b->told, b->asked);
    CHECK(b->finished == 1 && !b->told_after_finished, "%s: finished %u times",
          what, b->finished);
    CHECK(scratch_count("in", "") == DOCUMENTS, "%s: %u files", what,
          scratch_count("in", ""));
    for (size_t i = 0; i < DOCUMENTS; i++) {
        bool done = i < b->told && b->result[i].kind == PDFPIPE_ENCRYPTED;
        const struct content *c = done ? &complete[i] : &original[i % NAMES];

        CHECK(scratch_holds(source[i], c->p, c->n),
              "%s: document %zu (%s), done %d", what, i, kind(i)->name, done);
    }
    for (size_t i = 0; i < b->told; i++) {
        const struct pdfpipe_result *r = &b->result[i];

        if (r->error.code == PDFPIPE_E_CANCELLED)
            CHECK(r->kind == PDFPIPE_FAILED &&
                      pdfpipe_status_retryable(r->error.code) &&
                      r->bytes_out == 0,
                  "%s: document %zu", what, i);
        else
            CHECK(r->kind == kind(i)->kind && r->error.code == kind(i)->status,
                  "%s: document %zu: %s", what, i, r->error.message);
    }
}

/* ---- at any moment ---- */

struct canceller {
    struct batch *b;
    uint64_t after_ns;
    atomic_bool go, over;
    pthread_t thread;
};

static void *
cancel_later(void *arg)
{
    struct canceller *c = arg;
    uint64_t until;

    while (!atomic_load(&c->go))
        wait_a_moment();
    until = pp_now_ns() + c->after_ns;
    while (pp_now_ns() < until && !atomic_load(&c->over))
        wait_a_moment();
    if (!atomic_load(&c->over))
        pdfpipe_run_cancel(c->b->run);
    return NULL;
}

static void
let_go(struct batch *b, size_t i)
{
    struct canceller *c = b->arg;

    if (i == 0)
        atomic_store(&c->go, true);
}

/* The run is there until this returns. */
static void
call_off(struct batch *b)
{
    struct canceller *c = b->arg;

    atomic_store(&c->go, true);
    atomic_store(&c->over, true);
    if (pthread_join(c->thread, NULL))
        abort();
}

static uint64_t whole_ns; /* what a run takes here */

static bool
cancel_after(uint64_t ns, unsigned n)
{
    struct canceller c = { .after_ns = ns };
    struct batch b = { .job = job,
                       .jobs = DOCUMENTS,
                       .on_next = let_go,
                       .on_finished = call_off,
                       .arg = &c };
    uint64_t began;
    bool cut = false;
    char what[64];

    (void)snprintf(what, sizeof what, "moment %u", n);
    put_documents();
    c.b = &b;
    batch_options(&b.options);
    b.options.threads = 1 + n % 4;
    b.options.durability =
        n % 8 == 1 ? PDFPIPE_DURABLE_GROUP : PDFPIPE_DURABLE_NONE;
    if (pthread_create(&c.thread, NULL, cancel_later, &c))
        abort();
    began = pp_now_ns();
    batch_run(&b);
    if (n == 0)
        whole_ns = pp_now_ns() - began;
    look_around(&b, what);
    for (size_t i = 0; i < b.told; i++)
        cut |= b.result[i].error.code == PDFPIPE_E_CANCELLED;
    cut |= b.told < DOCUMENTS;
    CHECK(!cut || b.joined == PDFPIPE_E_CANCELLED, "%s: %s", what,
          pdfpipe_status_id(b.joined));
    CHECK(cut || b.joined == PDFPIPE_E_DAMAGED_OBJECT, "%s: %s", what,
          pdfpipe_status_id(b.joined));
    batch_free(&b);
    return cut;
}

static void
does_it_stop_cleanly_at_any_moment(void)
{
    const unsigned moments = check_runs_bare() ? 30 : 10;
    unsigned cut = 0;

    CHECK(!cancel_after(UINT64_MAX / 2, 0), "a whole run");
    for (unsigned n = 1; n <= moments; n++)
        cut += cancel_after(whole_ns * n / (moments + 4), n);
    CHECK(cut > 0, "no run was stopped");
}

/* ---- at a certain event ---- */

static void
cancel_at_next(struct batch *b, size_t i)
{
    if (i == *(const size_t *)b->arg)
        pdfpipe_run_cancel(b->run);
}

static void
cancel_at_result(struct batch *b, const struct pdfpipe_result *r)
{
    (void)r;
    if (b->told == *(const size_t *)b->arg + 1)
        pdfpipe_run_cancel(b->run);
}

static void
may_callbacks_cancel(void)
{
    static const size_t at[] = { 0, 1, 17, DOCUMENTS - 1 };

    for (size_t k = 0; k < 2 * sizeof at / sizeof at[0]; k++) {
        size_t i = at[k / 2];
        struct batch b = { .job = job, .jobs = DOCUMENTS, .arg = &i };
        char what[64];

        (void)snprintf(what, sizeof what, "cancelled at %s %zu",
                       k % 2 ? "result" : "next", i);
        if (k % 2)
            b.on_result = cancel_at_result;
        else
            b.on_next = cancel_at_next;
        put_documents();
        batch_options(&b.options);
        b.options.threads = 3;
        batch_run(&b);
        look_around(&b, what);
        if (k % 2 == 0)
            CHECK(b.asked == i + 1, "%s: %zu asked", what, b.asked);
        if (i < DOCUMENTS - 1)
            CHECK(b.joined == PDFPIPE_E_CANCELLED, "%s: %s", what,
                  pdfpipe_status_id(b.joined));
        batch_free(&b);
    }
}

/* ---- what decides the status of the run ---- */

struct verdict {
    const char *name;
    const char *kinds[4];
    bool fail_fast;
    int cancel_at; /* number of the result; -1: never */
    enum pdfpipe_status joined;
};

static void
cancel_there(struct batch *b, const struct pdfpipe_result *r)
{
    (void)r;
    if ((int)b->told == *(const int *)b->arg + 1)
        pdfpipe_run_cancel(b->run);
}

/* One document after the other: the next is handed out when the one before is
 * told, so that nothing else is under way. */
static void
wait_for_the_last(struct batch *b, size_t i)
{
    struct pdfpipe_progress p = { 0 };

    do {
        wait_a_moment();
        pdfpipe_run_progress(b->run, &p);
    } while (p.files_done < i);
}

static void
what_does_a_run_say_in_the_end(void)
{
    static const struct verdict rows[] = {
        { "all is well", { "small", "encrypted" }, false, -1, PDFPIPE_OK },
        { "one failed",
          { "small", "no_pdf", "small" },
          false,
          -1,
          PDFPIPE_E_NOT_PDF },
        { "the first of two",
          { "damaged_stream", "no_pdf" },
          false,
          -1,
          PDFPIPE_E_DAMAGED_STREAM },
        { "cancelled with nothing under way",
          { "small", "small", "small" },
          false,
          0,
          PDFPIPE_E_CANCELLED },
        { "the same when it would stop at a failure",
          { "small", "small", "small" },
          true,
          0,
          PDFPIPE_E_CANCELLED },
        { "a failure, then cancelled: a retry helps",
          { "no_pdf", "small", "small" },
          false,
          1,
          PDFPIPE_E_CANCELLED },
        { "stopped at a failure",
          { "small", "no_pdf", "small", "small" },
          true,
          -1,
          PDFPIPE_E_NOT_PDF },
        { "nothing to stop at", { "small", "signed" }, true, -1, PDFPIPE_OK },
    };

    (void)mkdir("verdict", 0755);
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        const struct verdict *v = &rows[k];
        int cancel_at = v->cancel_at;
        struct pdfpipe_job few[4];
        struct batch b = { .job = few,
                           .on_next = wait_for_the_last,
                           .on_result = cancel_there,
                           .arg = &cancel_at };
        char name[4][32];

        while (b.jobs < 4 && v->kinds[b.jobs]) {
            size_t i = b.jobs++;

            (void)snprintf(name[i], sizeof name[i], "verdict/%zu.pdf", i);
            sample_put(sample_named(v->kinds[i]), 1, name[i]);
            few[i] = (struct pdfpipe_job){ .source = name[i], .tag = &few[i] };
        }
        batch_options(&b.options);
        b.options.threads = 2;
        b.options.fail_fast = v->fail_fast;
        /* The reader is in next() and could not read the output back. */
        b.options.verify = PDFPIPE_VERIFY_STRUCTURE;
        batch_run(&b);
        CHECK(b.joined == v->joined, "%s: %s", v->name,
              pdfpipe_status_id(b.joined));
        CHECK(b.joined == PDFPIPE_OK || b.error.code == b.joined, "%s: %s",
              v->name, b.error.message);
        CHECK(scratch_count("verdict", ".pdfpipe-") == 0, "%s", v->name);
        batch_free(&b);
    }
}

/* A document that fails stops those behind it. */
static void
does_the_first_failure_stop_the_run(void)
{
    struct batch b = { .job = job, .jobs = DOCUMENTS };
    size_t failed = 0, cancelled = 0;

    put_documents();
    batch_options(&b.options);
    b.options.threads = 2;
    b.options.fail_fast = true;
    batch_run(&b);
    look_around(&b, "fail fast");
    for (size_t i = 0; i < b.told; i++) {
        failed += b.result[i].error.code == PDFPIPE_E_DAMAGED_OBJECT;
        cancelled += b.result[i].error.code == PDFPIPE_E_CANCELLED;
    }
    CHECK(b.joined == PDFPIPE_E_DAMAGED_OBJECT, "%s", b.error.message);
    CHECK(failed >= 1 && b.told < DOCUMENTS, "%zu failed, %zu cancelled of %zu",
          failed, cancelled, b.told);
    batch_free(&b);
}

/* ---- abandoned ---- */

static void
abandon_it(struct batch *b, size_t i)
{
    if (i == *(const size_t *)b->arg)
        pdfpipe_run_abandon(b->run);
}

/* Temporary files go at once, and none comes after that: the run may be left
 * as it is at any time. */
static void
look_for_temporary_files(struct batch *b, const struct pdfpipe_result *r)
{
    (void)r;
    if (b->asked > *(const size_t *)b->arg)
        CHECK(scratch_count("in", ".pdfpipe-") == 0, "after %zu results",
              b->told);
}

static void
does_an_abandoned_run_leave_nothing(void)
{
    for (size_t i = 0; i < 6; i++) {
        struct batch b = { .job = job,
                           .jobs = DOCUMENTS,
                           .on_next = abandon_it,
                           .on_result = look_for_temporary_files,
                           .arg = &i };

        put_documents();
        batch_options(&b.options);
        b.options.threads = 2;
        batch_run(&b);
        look_around(&b, "abandoned");
        CHECK(b.joined == PDFPIPE_E_CANCELLED, "%s", b.error.message);
        batch_free(&b);
    }
}

/* Stands before the C library's: the file is made, but not yet in the list of
 * those that go. */
static atomic_bool hold_armed, held;

int
fallocate(int fd, int mode, off_t offset, off_t n)
{
    const struct timespec pause = { .tv_nsec = 50000000 };

    (void)fd, (void)mode, (void)offset, (void)n;
    if (atomic_load(&hold_armed)) {
        atomic_store(&held, true);
        (void)nanosleep(&pause, NULL);
    }
    errno = EOPNOTSUPP;
    return -1;
}

static void *
abandon_while_held(void *arg)
{
    struct batch *b = arg;

    while (!atomic_load(&held))
        wait_a_moment();
    CHECK(scratch_count("in", ".pdfpipe-") == 1, "it is there");
    pdfpipe_run_abandon(b->run);
    CHECK(scratch_count("in", ".pdfpipe-") == 0, "it is gone");
    return NULL;
}

static void
start_abandoning(struct batch *b, size_t i)
{
    if (i == 0 && pthread_create(b->arg, NULL, abandon_while_held, b))
        abort();
}

/* The run is there until this returns. */
static void
join_abandoning(struct batch *b)
{
    if (pthread_join(*(pthread_t *)b->arg, NULL))
        abort();
}

/* The program may end as soon as abandon has returned. */
static void
is_a_file_that_is_being_made_removed(void)
{
    pthread_t thread;
    struct batch b = { .job = job,
                       .jobs = 1,
                       .on_next = start_abandoning,
                       .on_finished = join_abandoning,
                       .arg = &thread };

    put_documents();
    atomic_store(&hold_armed, true);
    batch_options(&b.options);
    b.options.threads = 1;
    batch_run(&b);
    atomic_store(&hold_armed, false);
    CHECK(atomic_load(&held) && b.joined == PDFPIPE_E_CANCELLED, "%s",
          b.error.message);
    CHECK(scratch_count("in", ".pdfpipe-") == 0, "nothing is left");
    batch_free(&b);
}

/* ---- before and without a start ---- */

static bool
no_job(void *arg, struct pdfpipe_job *j)
{
    (void)arg, (void)j;
    return false;
}

static void
no_result(void *arg, const struct pdfpipe_result *r)
{
    (void)arg, (void)r;
}

static void
what_if_a_run_is_never_started(void)
{
    struct pdfpipe_callbacks callbacks = { NULL, no_job, no_result, NULL };
    struct pdfpipe_progress p;
    struct pdfpipe_options o;
    struct pdfpipe_run *run;

    batch_options(&o);
    CHECK(pdfpipe_run_new(&o, &callbacks, &run, NULL) == PDFPIPE_OK, "new");
    pdfpipe_run_progress(run, &p);
    CHECK(p.wall_ns == 0 && p.files_done == 0 && p.current[0] == '\0', "idle");
    pdfpipe_run_free(run);
    pdfpipe_run_free(NULL);

    CHECK(pdfpipe_run_new(&o, &callbacks, &run, NULL) == PDFPIPE_OK, "new");
    pdfpipe_run_cancel(run);
    CHECK(pdfpipe_run_start(run, NULL) == PDFPIPE_OK, "start");
    CHECK(pdfpipe_run_join(run, NULL) == PDFPIPE_E_CANCELLED,
          "cancelled before it began");
    pdfpipe_run_free(run);
}

int
main(void)
{
    /* In memory where that is possible: many files are written. */
    scratch_enter(access("/dev/shm", W_OK) ? NULL : "/dev/shm");
    remember_documents();
    does_it_stop_cleanly_at_any_moment();
    may_callbacks_cancel();
    what_does_a_run_say_in_the_end();
    does_the_first_failure_stop_the_run();
    does_an_abandoned_run_leave_nothing();
    is_a_file_that_is_being_made_removed();
    what_if_a_run_is_never_started();
    forget_documents();
    batch_secrets_free();
    scratch_leave();
    return check_report("run_cancel_test");
}
