/* run_test.c - does a run give the same, and the right, results however many
 *              threads it has? */
#include <pdfpipe/pdfpipe.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "batch.h"
#include "check.h"
/* Stands before the library's random source, so that outputs can be compared. */
#include "fixed_random.c"
#include "peer.h"
#include "samples.h"
#include "scratch.h"

#define DOCUMENTS 200u

static const unsigned threads[] = { 1, 2, 3, 8, 16 };
#define THREADS (sizeof threads / sizeof threads[0])

/* Where all is slow, each kind once, and not each number of threads. */
static size_t documents = DOCUMENTS, step = 1;

/* ---- a large mixed batch ---- */

struct mix {
    struct pdfpipe_job job[DOCUMENTS];
    char source[DOCUMENTS][32], target[DOCUMENTS][48];
    const struct sample *sample[DOCUMENTS];
};
static struct mix mix;

/* Every kind in turn; large ones only in the first rounds; now and then a file
 * that does not exist (no sample). */
static void
choose_documents(void)
{
    size_t kind = 0, round = 0;

    for (size_t i = 0; i < documents; i++) {
        if (i % 23 == 22) {
            mix.sample[i] = NULL;
            continue;
        }
        for (;; kind++) {
            if (kind == sample_count) {
                kind = 0;
                round++;
            }
            if (!samples[kind].large || round < 2)
                break;
        }
        mix.sample[i] = &samples[kind++];
    }
}

static void
put_documents(const char *folder)
{
    (void)mkdir(folder, 0755);
    for (size_t i = 0; i < documents; i++) {
        (void)snprintf(mix.source[i], sizeof mix.source[i], "%s/%zu.pdf",
                       folder, i);
        if (mix.sample[i])
            sample_put(mix.sample[i], (unsigned)i, mix.source[i]);
        mix.job[i] =
            (struct pdfpipe_job){ .source = mix.source[i], .tag = &mix.job[i] };
    }
}

static void
choose_targets(const char *folder)
{
    for (size_t i = 0; i < documents; i++) {
        (void)snprintf(mix.target[i], sizeof mix.target[i], "%s/%zu.pdf",
                       folder, i);
        mix.job[i].target = mix.target[i];
    }
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
exists(const char *name)
{
    struct stat st;

    return lstat(name, &st) == 0;
}

/* Did each document become what its kind says? */
static void
look_at_results(const struct batch *b, const char *what)
{
    bool failures = false;

    CHECK(b->told == b->jobs && b->asked == b->jobs, "%s: %zu of %zu", what,
          b->told, b->jobs);
    CHECK(!b->out_of_order, "%s: in the order of the jobs", what);
    CHECK(b->finished == 1 && !b->told_after_finished, "%s: finished %u times",
          what, b->finished);
    for (size_t i = 0; i < b->told; i++) {
        const struct sample *s = mix.sample[i];
        const struct pdfpipe_result *r = &b->result[i];
        enum pdfpipe_result_kind kind = s ? s->kind : PDFPIPE_FAILED;
        enum pdfpipe_status status = s ? s->status : PDFPIPE_E_NOT_FOUND;

        failures |= kind == PDFPIPE_FAILED;
        if (r->kind != kind || r->error.code != status)
            CHECK(false, "%s: %zu (%s): kind %d, %s: %s", what, i,
                  s ? s->name : "missing", r->kind,
                  pdfpipe_status_id(r->error.code), r->error.message);
        CHECK(kind == PDFPIPE_ENCRYPTED ? r->bytes_out > 0 : r->bytes_out == 0,
              "%s: %zu (%s): %llu bytes out", what, i, s ? s->name : "missing",
              (unsigned long long)r->bytes_out);
    }
    CHECK(!failures || b->joined == PDFPIPE_E_NOT_PDF ||
              b->joined == PDFPIPE_E_DAMAGED_XREF,
          "%s: the first failure decides: %s", what,
          pdfpipe_status_id(b->joined));
}

static void
are_outputs_the_same_for_any_number_of_threads(void)
{
    for (size_t k = 0; k < THREADS; k += step) {
        struct batch b = { .job = mix.job, .jobs = documents };
        char folder[32], what[32];

        (void)snprintf(folder, sizeof folder, "out%u", threads[k]);
        (void)snprintf(what, sizeof what, "%u threads", threads[k]);
        choose_targets(folder);
        batch_options(&b.options);
        b.options.threads = threads[k];
        /* Less memory than is usual, and each time another amount. */
        b.options.max_memory = BATCH_LEAST_MEMORY(threads[k]) + (k * 3 << 20);
        batch_run(&b);
        look_at_results(&b, what);
        CHECK(scratch_count(folder, ".pdfpipe-") == 0, "%s: temporary files",
              what);
        for (size_t i = 0; i < documents; i++) {
            const struct sample *s = mix.sample[i];
            char first[48];

            (void)snprintf(first, sizeof first, "out1/%zu.pdf", i);
            if (s && s->kind == PDFPIPE_ENCRYPTED)
                CHECK(same_files(mix.target[i], first), "%s: %zu (%s)", what, i,
                      s->name);
            else
                CHECK(!exists(mix.target[i]), "%s: %zu has an output", what, i);
        }
        batch_free(&b);
    }
}

static void
does_somebody_else_read_them(void)
{
    bool seen[64] = { false };

    if (!peer_is_here()) {
        check_skip("outputs are not compared: qpdf is not installed");
        return;
    }
    for (size_t i = 0; i < documents; i++) {
        const struct sample *s = mix.sample[i];
        char output[48];

        if (!s || s->kind != PDFPIPE_ENCRYPTED || seen[s - samples])
            continue;
        seen[s - samples] = true;
        (void)snprintf(output, sizeof output, "out1/%zu.pdf", i);
        CHECK(peer_opens(output, "owner"), "%s", s->name);
        CHECK(s->differs || peer_same(mix.source[i], output, "owner"), "%s",
              s->name);
        CHECK(!peer_opens(output, "wrong"), "%s", s->name);
    }
}

/* Replaced and verified in full; the same bytes as beside the source. */
static void
is_it_the_same_in_place(unsigned n, enum pdfpipe_durability durability)
{
    struct batch b = { .job = mix.job, .jobs = documents };
    char what[64];

    (void)snprintf(what, sizeof what, "in place, %u threads, durability %d", n,
                   durability);
    put_documents("in");
    batch_options(&b.options);
    b.options.threads = n;
    b.options.durability = durability;
    batch_run(&b);
    look_at_results(&b, what);
    CHECK(scratch_count("in", ".pdfpipe-") == 0, "%s: temporary files", what);
    for (size_t i = 0; i < documents; i++) {
        const struct sample *s = mix.sample[i];
        char other[48];

        if (!s)
            continue;
        (void)snprintf(other, sizeof other,
                       s->kind == PDFPIPE_ENCRYPTED ? "out1/%zu.pdf"
                                                    : "source/%zu.pdf",
                       i);
        CHECK(same_files(mix.source[i], other), "%s: %zu (%s)", what, i,
              s->name);
    }
    batch_free(&b);

    /* A second run finds everything done. */
    b = (struct batch){ .job = mix.job, .jobs = documents };
    batch_options(&b.options);
    b.options.threads = n;
    batch_run(&b);
    for (size_t i = 0; i < b.told; i++)
        if (mix.sample[i] && mix.sample[i]->kind == PDFPIPE_ENCRYPTED)
            CHECK(b.result[i].kind == PDFPIPE_SKIPPED &&
                      b.result[i].error.code == PDFPIPE_E_ENCRYPTED,
                  "%s, again: %zu", what, i);
    batch_free(&b);
}

static void
is_nothing_written_when_dry(void)
{
    struct batch b = { .job = mix.job, .jobs = documents };

    put_documents("dry");
    choose_targets("none");
    batch_options(&b.options);
    b.options.threads = 2;
    b.options.dry_run = true;
    batch_run(&b);
    CHECK(b.told == documents && !b.out_of_order && b.finished == 1, "told");
    for (size_t i = 0; i < b.told; i++) {
        const struct sample *s = mix.sample[i];
        const struct pdfpipe_result *r = &b.result[i];

        if (!s)
            continue;
        CHECK(s->kind == PDFPIPE_ENCRYPTED
                  ? r->kind == PDFPIPE_WOULD_ENCRYPT && !r->error.code
                  : r->kind == s->kind && r->error.code == s->status,
              "%s: kind %d, %s", s->name, r->kind, r->error.message);
        CHECK(r->bytes_out == 0, "%s", s->name);
    }
    CHECK(!exists("none"), "not even a folder");
    batch_free(&b);
}

/* ---- progress ---- */

struct watcher {
    struct batch *b;
    pthread_t thread;
    atomic_bool stop;
    unsigned looks;
};

static bool
not_less(const struct pdfpipe_progress *a, const struct pdfpipe_progress *b)
{
    return a->files_done <= b->files_done &&
           a->files_failed <= b->files_failed &&
           a->bytes_done <= b->bytes_done && a->bytes_out <= b->bytes_out &&
           a->payload_bytes <= b->payload_bytes &&
           a->cipher_ns <= b->cipher_ns && a->kdf_ns <= b->kdf_ns &&
           a->read_ns <= b->read_ns && a->work_ns <= b->work_ns &&
           a->write_ns <= b->write_ns && a->commit_ns <= b->commit_ns &&
           a->wall_ns <= b->wall_ns;
}

static void *
watch(void *arg)
{
    struct watcher *w = arg;
    const struct timespec pause = { .tv_nsec = 100000 };
    struct pdfpipe_progress now, before = { 0 };

    while (!atomic_load(&w->stop)) {
        pdfpipe_run_progress(w->b->run, &now);
        if (!not_less(&before, &now))
            CHECK(false, "look %u: a counter went back", w->looks);
        CHECK(now.threads == 4 && memchr(now.current, 0, sizeof now.current),
              "threads and name");
        before = now;
        w->looks++;
        (void)nanosleep(&pause, NULL);
    }
    return NULL;
}

static void
start_watching(struct batch *b, size_t i)
{
    struct watcher *w = b->arg;

    if (i == 0 && pthread_create(&w->thread, NULL, watch, w))
        abort();
}

/* The run is there until it is joined. */
static void
stop_watching(struct batch *b, const struct pdfpipe_result *r)
{
    struct watcher *w = b->arg;
    struct pdfpipe_progress p;
    uint64_t out = 0, payload = 0, in = 0;

    (void)r;
    if (b->told < b->jobs)
        return;
    atomic_store(&w->stop, true);
    if (pthread_join(w->thread, NULL))
        abort();
    pdfpipe_run_progress(b->run, &p);
    for (size_t i = 0; i < b->told; i++) {
        out += b->result[i].bytes_out;
        payload += b->result[i].payload_bytes;
        in += b->result[i].bytes_in;
    }
    CHECK(p.files_done == b->jobs && p.files_failed == 0, "%llu files",
          (unsigned long long)p.files_done);
    CHECK(p.bytes_out == out, "%llu of %llu bytes out",
          (unsigned long long)p.bytes_out, (unsigned long long)out);
    CHECK(p.payload_bytes == payload, "%llu of %llu payload",
          (unsigned long long)p.payload_bytes, (unsigned long long)payload);
    CHECK(p.bytes_done > in / 2 && p.bytes_done <= in, "%llu of %llu bytes in",
          (unsigned long long)p.bytes_done, (unsigned long long)in);
    CHECK(p.kdf_ns > 0 && p.cipher_ns > 0 && p.work_ns >= p.cipher_ns, "times");
}

static void
is_progress_true(void)
{
    static const char *const names[] = { "small",     "strings",
                                         "stream_3m", "object_streams",
                                         "many",      "borders" };
    enum { N = 24 };
    struct pdfpipe_job job[N];
    char source[N][32];
    struct watcher w = { 0 };
    struct batch b = { .job = job,
                       .jobs = N,
                       .on_next = start_watching,
                       .on_result = stop_watching,
                       .arg = &w };

    (void)mkdir("progress", 0755);
    for (size_t i = 0; i < N; i++) {
        (void)snprintf(source[i], sizeof source[i], "progress/%zu.pdf", i);
        sample_put(sample_named(names[i % 6]), (unsigned)i, source[i]);
        job[i] = (struct pdfpipe_job){ .source = source[i], .tag = &job[i] };
    }
    w.b = &b;
    batch_options(&b.options);
    b.options.threads = 4;
    batch_run(&b);
    CHECK(b.joined == PDFPIPE_OK && w.looks > 0, "%s", b.error.message);
    batch_free(&b);
}

/* ---- few documents, and none ---- */

static void
what_if_there_is_little_to_do(void)
{
    struct pdfpipe_job job = { .source = "one.pdf", .target = "one.out" };

    job.tag = &job;
    sample_put(sample_named("small"), 1, "one.pdf");
    for (size_t n = 0; n < 2; n++)
        for (size_t k = 0; k < THREADS; k += step) {
            struct batch b = { .job = &job, .jobs = n };

            batch_options(&b.options);
            b.options.threads = threads[k];
            batch_run(&b);
            CHECK(b.joined == PDFPIPE_OK && b.told == n && b.finished == 1,
                  "%zu documents, %u threads: %s", n, threads[k],
                  b.error.message);
            batch_free(&b);
        }
}

/* What the caller met in place of a document comes back in its turn. */
static void
does_the_callers_error_take_its_turn(void)
{
    static const struct pdfpipe_error link = { .code = PDFPIPE_E_SYMLINK,
                                               .offset = PDFPIPE_NO_OFFSET,
                                               .message = "is a link" };
    static const struct pdfpipe_error folder = { .code = PDFPIPE_E_PERMISSION,
                                                 .sys_errno = 13,
                                                 .offset = PDFPIPE_NO_OFFSET,
                                                 .message = "not mine" };
    struct pdfpipe_job job[] = {
        { .source = "one.pdf", .target = "a.out" },
        { .source = "no/such/link", .error = &link, .skip = true },
        { .source = "one.pdf", .target = "b.out" },
        { .source = "folder", .target = "c.out", .error = &folder },
    };
    struct batch b = { .job = job, .jobs = 4 };

    for (size_t i = 0; i < 4; i++)
        job[i].tag = &job[i];
    batch_options(&b.options);
    batch_run(&b);
    CHECK(b.told == 4 && !b.out_of_order, "%zu told", b.told);
    CHECK(b.result[0].kind == PDFPIPE_ENCRYPTED &&
              b.result[2].kind == PDFPIPE_ENCRYPTED,
          "the others");
    CHECK(b.result[1].kind == PDFPIPE_SKIPPED &&
              b.result[1].error.code == PDFPIPE_E_SYMLINK &&
              !strcmp(b.result[1].error.message, "is a link"),
          "skipped: %s", b.result[1].error.message);
    CHECK(b.result[3].kind == PDFPIPE_FAILED &&
              b.result[3].error.code == PDFPIPE_E_PERMISSION &&
              b.result[3].error.sys_errno == 13,
          "failed: %s", b.result[3].error.message);
    CHECK(b.joined == PDFPIPE_E_PERMISSION && !exists("c.out"), "%s",
          b.error.message);
    batch_free(&b);
}

/* ---- one call ---- */

static void
does_one_call_do_it_all(void)
{
    struct pdfpipe_options o;
    struct pdfpipe_result r = { 0 };
    struct pdfpipe_error err = { .code = PDFPIPE_OK };

    batch_options(&o);
    sample_put(sample_named("strings"), 1, "call.pdf");
    CHECK(pdfpipe_encrypt_file(&o, "call.pdf", "call.out", &r, &err) ==
              PDFPIPE_OK,
          "%s", err.message);
    CHECK(r.kind == PDFPIPE_ENCRYPTED && r.strings == 901 && r.objects == 305 &&
              !strcmp(r.source, "call.pdf") && !strcmp(r.target, "call.out"),
          "%llu strings, %llu objects", (unsigned long long)r.strings,
          (unsigned long long)r.objects);
    CHECK(pdfpipe_encrypt_file(&o, "call.out", NULL, &r, &err) ==
                  PDFPIPE_E_ENCRYPTED &&
              err.code == PDFPIPE_E_ENCRYPTED && r.kind == PDFPIPE_SKIPPED &&
              !strcmp(r.target, "call.out"),
          "skipped is not complete: %s", err.message);
    CHECK(pdfpipe_encrypt_file(&o, "call.pdf", NULL, NULL, NULL) == PDFPIPE_OK,
          "in place, without records");
    CHECK(pdfpipe_encrypt_file(&o, "missing.pdf", NULL, &r, NULL) ==
              PDFPIPE_E_NOT_FOUND,
          "missing");
    o.threads = PDFPIPE_MAX_THREADS + 1;
    CHECK(pdfpipe_encrypt_file(&o, "call.pdf", NULL, NULL, &err) ==
                  PDFPIPE_E_USAGE &&
              err.code == PDFPIPE_E_USAGE,
          "%s", err.message);
}

int
main(void)
{
    if (!check_runs_bare()) {
        documents = sample_count + sample_count / 22 + 1;
        step = 2;
    }
    scratch_enter(NULL);
    choose_documents();
    put_documents("source");
    are_outputs_the_same_for_any_number_of_threads();
    does_somebody_else_read_them();
    is_it_the_same_in_place(1, PDFPIPE_DURABLE_NONE);
    is_it_the_same_in_place(8, PDFPIPE_DURABLE_GROUP);
    is_nothing_written_when_dry();
    is_progress_true();
    what_if_there_is_little_to_do();
    does_the_callers_error_take_its_turn();
    does_one_call_do_it_all();
    batch_secrets_free();
    scratch_leave();
    return check_report("run_test");
}
