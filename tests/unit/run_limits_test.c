/* run_limits_test.c - what does a run take of the machine, and what if the
 *                     source does not stay as it was? */
#include <pdfpipe/pdfpipe.h>

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "batch.h"
#include "check.h"
#include "pdf/flate.h"
#include "samples.h"
#include "scratch.h"

#define MIB ((long)1024 * 1024)

static void
need(bool holds)
{
    if (!holds)
        abort();
}

/* ---- memory ---- */

/* A file with one stream of n zero bytes, most of it a hole. */
static void
put_large(const char *name, size_t n)
{
    struct pdftext *head = pdf_new("1.7"), *tail = pdf_new(NULL);
    FILE *f = fopen(name, "we");
    size_t at;

    need(f != NULL);
    sample_page(head, 1);
    at = pdf_size(head);
    pdf_text(head, "5 0 obj\n<</Length %zu>>\nstream\n", n);
    need(fwrite(pdf_data(head), 1, pdf_size(head), f) == pdf_size(head) &&
         fseek(f, (long)(pdf_size(head) + n), SEEK_SET) == 0);
    pdf_text(tail, "\nendstream\nendobj\n");
    /* The table has to know where it stands: written by hand. */
    pdf_text(tail, "xref\n0 1\n0000000000 65535 f \n5 1\n%010zu 00000 n \n",
             at);
    pdf_text(tail, "1 4\n");
    for (uint32_t i = 1; i <= 4; i++) {
        char want[16];
        const uint8_t *p;

        (void)snprintf(want, sizeof want, "%u 0 obj", i);
        p = memmem(pdf_data(head), pdf_size(head), want, strlen(want));
        need(p != NULL);
        pdf_text(tail, "%010zu 00000 n \n", (size_t)(p - pdf_data(head)));
    }
    pdf_text(tail, "trailer\n<</Size 6/Root 1 0 R>>\nstartxref\n%zu\n%%%%EOF\n",
             pdf_size(head) + n + strlen("\nendstream\nendobj\n"));
    need(fwrite(pdf_data(tail), 1, pdf_size(tail), f) == pdf_size(tail) &&
         fclose(f) == 0);
    pdf_free(head);
    pdf_free(tail);
}

/* Most memory that a run over these jobs has had at a time, in MiB; measured
 * in a child, as other tests have had more.  -1: not all were encrypted. */
static int
peak_mib(struct pdfpipe_job *job, size_t n, unsigned threads)
{
    int status = 0;
    pid_t child;

    batch_secrets_free(); /* secrets do not pass to a child */
    need(fflush(stdout) == 0);
    child = fork();
    need(child >= 0);
    if (child == 0) {
        struct batch b = { .job = job, .jobs = n };
        struct rusage usage;

        batch_options(&b.options);
        b.options.threads = threads;
        b.options.durability = PDFPIPE_DURABLE_GROUP;
        batch_run(&b);
        if (b.joined || getrusage(RUSAGE_SELF, &usage))
            _exit(255);
        _exit((int)(usage.ru_maxrss * 1024 / MIB));
    }
    need(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) && WEXITSTATUS(status) != 255 ? WEXITSTATUS(status)
                                                           : -1;
}

static void
does_memory_not_depend_on_the_file(void)
{
    enum { MANY = 400 };
    struct pdfpipe_job job[MANY];
    char source[MANY][32];
    int peak;

    if (!check_runs_bare()) {
        check_skip("memory is not measured: a checking tool has its own");
        return;
    }
    job[0] = (struct pdfpipe_job){ .source = "large.pdf",
                                   .target = "t.pdf",
                                   .tag = &job[0] };
    for (unsigned threads = 2; threads <= 8; threads += 6) {
        put_large("large.pdf", (size_t)(300 * MIB));
        job[0].target = "t.pdf";
        peak = peak_mib(job, 1, threads);
        CHECK(peak > 0 && peak < 96, "to a target, %u threads: %d MiB", threads,
              peak);
        need(unlink("t.pdf") == 0);
        job[0].target = NULL;
        peak = peak_mib(job, 1, threads);
        CHECK(peak > 0 && peak < 96, "in place, %u threads: %d MiB", threads,
              peak);
    }
    need(unlink("large.pdf") == 0);

    need(mkdir("many", 0755) == 0);
    for (size_t i = 0; i < MANY; i++) {
        (void)snprintf(source[i], sizeof source[i], "many/%zu.pdf", i);
        sample_put(sample_named(i % 20 ? "small" : "many"), (unsigned)i,
                   source[i]);
        job[i] = (struct pdfpipe_job){ .source = source[i], .tag = &job[i] };
    }
    peak = peak_mib(job, MANY, 2);
    CHECK(peak > 0 && peak < 96, "%d documents verified: %d MiB", MANY, peak);
}

/* Object streams of 120 MB each that compress to almost nothing. */
static void
put_inflating(const char *name, unsigned streams)
{
    enum { BYTES = 120 * 1000 * 1000 };
    struct pdftext *p = pdf_new("1.7");
    struct pp_buf deflated = { 0 };
    struct pp_deflater *d;
    char *block = malloc(MIB);

    need(block != NULL && pp_deflater_new(&d, NULL) == PDFPIPE_OK);
    memset(block, ' ', (size_t)MIB);
    need(!pp_deflater_add(d, "5 0 6 3 17 [7 0 R] (", 20, false, &deflated,
                          NULL));
    for (long at = 0; at < BYTES; at += MIB)
        need(!pp_deflater_add(d, block, (size_t)MIB, false, &deflated, NULL));
    need(!pp_deflater_add(d, ")", 1, true, &deflated, NULL));
    pp_deflater_free(d);
    free(block);
    sample_page(p, 1);
    for (uint32_t i = 0; i < streams; i++)
        pdf_stream(p, 20 + i, "/Type/ObjStm/N 2/First 8/Filter/FlateDecode",
                   deflated.p, deflated.n);
    pdf_enter_member(p, 5, 20, 0);
    pdf_enter_member(p, 6, 20, 1);
    pdf_enter_member(p, 8, 21, 0); /* not there: references are sought */
    pdf_stream_length(p, 9, "", "5 0 R", "its length is 17.", 17);
    pdf_xref_stream(p, 40, "/Root 1 0 R");
    pdf_put(p, name);
    pdf_free(p);
    pp_buf_fini(&deflated);
}

static void
does_memory_not_depend_on_what_is_inflated(void)
{
    struct pdfpipe_job job = { .source = "inflating.pdf", .target = "t.pdf" };
    int peak;

    if (!check_runs_bare()) {
        check_skip("memory is not measured: a checking tool has its own");
        return;
    }
    job.tag = &job;
    put_inflating("inflating.pdf", 2);
    peak = peak_mib(&job, 1, 2);
    CHECK(peak > 0 && peak < 64, "%d MiB", peak);
}

/* An array of empty strings takes many times its text. */
static void
is_one_object_limited(void)
{
    struct pdftext *p = pdf_new("1.7");
    struct pdfpipe_job job = { .source = "bomb.pdf", .target = "t.pdf" };
    struct batch b = { .job = &job, .jobs = 1 };

    job.tag = &job;
    sample_page(p, 1);
    pdf_enter_offset(p, 9, pdf_size(p));
    pdf_text(p, "9 0 obj\n[");
    for (unsigned i = 0; i < 500000; i++)
        pdf_bytes(p, "()", 2);
    pdf_text(p, "]\nendobj\n");
    pdf_table(p, "/Root 1 0 R");
    pdf_put(p, "bomb.pdf");
    pdf_free(p);
    batch_options(&b.options);
    b.options.max_object_text = (uint64_t)MIB;
    batch_run(&b);
    CHECK(b.result[0].error.code == PDFPIPE_E_LIMIT &&
              b.result[0].error.object == 9,
          "%s", b.result[0].error.message);
    batch_free(&b);
    /* With the usual limit it is an object like any other. */
    b = (struct batch){ .job = &job, .jobs = 1 };
    batch_options(&b.options);
    batch_run(&b);
    CHECK(b.joined == PDFPIPE_OK && b.result[0].strings == 500001, "%s",
          b.error.message);
    batch_free(&b);
    b = (struct batch){ .job = &job, .jobs = 1 };
    batch_options(&b.options);
    b.options.max_object_text = 100000;
    batch_run(&b);
    CHECK(b.result[0].error.code == PDFPIPE_E_LIMIT, "%s",
          b.result[0].error.message);
    batch_free(&b);
    /* Its encrypted text, 33 MB, is larger than a source's may be. */
    job.target = NULL;
    b = (struct batch){ .job = &job, .jobs = 1 };
    batch_options(&b.options);
    b.options.max_object_text = (uint64_t)(12 * MIB);
    batch_run(&b);
    CHECK(b.joined == PDFPIPE_OK, "verified: %s", b.error.message);
    batch_free(&b);
}

/* Cross-reference entries that all point at one large object do not make it
 * scanned once for each. */
static void
is_a_crowded_object_scanned_once(void)
{
    struct pdftext *p = pdf_new("1.7");
    struct pdfpipe_job job = { .source = "crowd.pdf", .target = "t.pdf" };
    struct batch b = { .job = &job, .jobs = 1 };
    size_t at;

    job.tag = &job;
    sample_page(p, 1);
    at = pdf_size(p);
    pdf_enter_offset(p, 5, at);
    pdf_text(p, "5 0 obj\n[");
    for (unsigned i = 0; i < 1000000; i++)
        pdf_bytes(p, "/a ", 3);
    pdf_text(p, "]\nendobj\n");
    for (uint32_t i = 0; i < 50000; i++)
        pdf_enter_offset(p, 10 + i, at);
    pdf_table(p, "/Root 1 0 R");
    pdf_put(p, "crowd.pdf");
    pdf_free(p);
    batch_options(&b.options);
    batch_run(&b); /* 150 GB to scan, were each of them gone through */
    CHECK(b.joined == PDFPIPE_OK, "%s", b.error.message);
    CHECK(b.result[0].warnings == 50000, "%u", b.result[0].warnings);
    batch_free(&b);
}

/* Strings without an end, each going through the rest of the file. */
static void
are_open_strings_given_up(void)
{
    struct pdftext *p = pdf_new("1.7");
    struct pdfpipe_job job = { .source = "open.pdf", .target = "t.pdf" };
    struct batch b = { .job = &job, .jobs = 1 };

    job.tag = &job;
    sample_page(p, 1);
    for (uint32_t i = 0; i < 100000; i++) {
        pdf_enter_offset(p, 10 + i, pdf_size(p));
        pdf_text(p, "%u 0 obj\n(\n", 10 + i);
    }
    pdf_table(p, "/Root 1 0 R");
    pdf_put(p, "open.pdf");
    pdf_free(p);
    batch_options(&b.options);
    batch_run(&b); /* 170 GB to scan, were all of them gone through */
    CHECK(b.result[0].error.code == PDFPIPE_E_LIMIT, "%s", b.error.message);
    batch_free(&b);
}

/* ---- many documents, few descriptors ---- */

static unsigned
descriptors(void)
{
    DIR *dir = opendir("/proc/self/fd");
    unsigned n = 0;

    need(dir != NULL);
    while (readdir(dir))
        n++;
    (void)closedir(dir);
    return n;
}

#define DOCUMENTS 700u

static struct pdfpipe_job jobs[DOCUMENTS];
static char sources[DOCUMENTS][32];

/* The first one is slow, so that all others wait for it to be reported. */
static void
put_documents(void)
{
    (void)mkdir("crowd", 0755);
    for (size_t i = 0; i < DOCUMENTS; i++) {
        (void)snprintf(sources[i], sizeof sources[i], "crowd/%zu.pdf", i);
        sample_put(sample_named(i ? "small" : "stream_10m"), (unsigned)i,
                   sources[i]);
        jobs[i] = (struct pdfpipe_job){ .source = sources[i], .tag = &jobs[i] };
    }
}

static void
are_hundreds_verified(unsigned threads, uint64_t max_memory,
                      enum pdfpipe_durability durability, rlim_t open_files)
{
    struct batch b = { .job = jobs, .jobs = DOCUMENTS };
    unsigned before = descriptors();
    struct rlimit old, now;
    char what[96];

    (void)snprintf(what, sizeof what,
                   "%u threads, %llu bytes, durability %d, %llu descriptors",
                   threads, (unsigned long long)max_memory, durability,
                   (unsigned long long)open_files);
    put_documents();
    need(getrlimit(RLIMIT_NOFILE, &old) == 0);
    now = old;
    now.rlim_cur = open_files;
    need(setrlimit(RLIMIT_NOFILE, &now) == 0);
    batch_options(&b.options);
    b.options.threads = threads;
    b.options.max_memory = max_memory;
    b.options.durability = durability;
    batch_run(&b);
    need(setrlimit(RLIMIT_NOFILE, &old) == 0);
    CHECK(b.joined == PDFPIPE_OK && b.told == DOCUMENTS && !b.out_of_order,
          "%s: %zu told, %s", what, b.told, b.error.message);
    for (size_t i = 0; i < b.told; i++)
        if (b.result[i].kind != PDFPIPE_ENCRYPTED)
            CHECK(false, "%s: %zu: %s", what, i, b.result[i].error.message);
    CHECK(scratch_count("crowd", "") == DOCUMENTS, "%s", what);
    CHECK(descriptors() == before, "%s: %u descriptors, %u before", what,
          descriptors(), before);
    batch_free(&b);
}

static void
is_no_descriptor_lost(void)
{
    struct pdfpipe_job job[64];
    char source[64][32];
    struct batch b = { .job = job };
    unsigned before = descriptors();

    need(mkdir("mixed", 0755) == 0);
    for (; b.jobs < sample_count && b.jobs < 64; b.jobs++) {
        size_t i = b.jobs;

        (void)snprintf(source[i], sizeof source[i], "mixed/%zu.pdf", i);
        sample_put(&samples[i], 1, source[i]);
        job[i] = (struct pdfpipe_job){ .source = source[i], .tag = &job[i] };
    }
    batch_options(&b.options);
    b.options.durability = PDFPIPE_DURABLE_GROUP;
    batch_run(&b);
    CHECK(descriptors() == before, "%u descriptors, %u before", descriptors(),
          before);
    batch_free(&b);
}

/* ---- a source that does not stay as it was ---- */

static void
cut(const char *name)
{
    need(truncate(name, 5000) == 0);
}

static void
append(const char *name)
{
    FILE *f = fopen(name, "ae");

    need(f && fputs("more", f) >= 0 && fclose(f) == 0);
}

static void
overwrite(const char *name)
{
    int fd = open(name, O_WRONLY | O_CLOEXEC);

    need(fd >= 0 && pwrite(fd, "x", 1, 3000) == 1 && close(fd) == 0);
}

static void
replace(const char *name)
{
    sample_put(sample_named("small"), 7, "new");
    need(rename("new", name) == 0);
}

static void
vanish(const char *name)
{
    need(unlink(name) == 0);
}

static void
replace_by_link(const char *name)
{
    sample_put(sample_named("small"), 7, "new");
    need(unlink(name) == 0 && symlink("new", name) == 0);
}

static void
change_mode(const char *name)
{
    need(chmod(name, 0600) == 0);
}

/* The reader asks for the second document when it has read the first; the
 * first cannot be verified before it gets an answer. */
static void
change_the_first(struct batch *b, size_t i)
{
    void (*const *change)(const char *) = b->arg;

    if (i == 1)
        (*change)(b->job[0].source);
}

static void
is_a_changed_source_left_alone(void)
{
    static const struct {
        const char *name;
        void (*change)(const char *name);
    } rows[] = {
        { "cut", cut },           { "longer", append },
        { "changed", overwrite }, { "replaced", replace },
        { "removed", vanish },    { "replaced by a link", replace_by_link },
        { "mode", change_mode },
    };

    need(mkdir("change", 0755) == 0);
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        struct pdfpipe_job job[2] = { { .source = "change/a.pdf",
                                        .backup = "change/backup.pdf" },
                                      { .source = "change/b.pdf" } };
        void (*change)(const char *) = rows[k].change;
        struct batch b = {
            .job = job, .jobs = 2, .on_next = change_the_first, .arg = &change
        };

        job[0].tag = &job[0];
        job[1].tag = &job[1];
        (void)unlink("change/a.pdf");
        sample_put(sample_named("strings"), 1, "change/a.pdf");
        sample_put(sample_named("small"), 1, "change/b.pdf");
        batch_options(&b.options);
        b.options.threads = 2;
        batch_run(&b);
        CHECK(b.result[0].kind == PDFPIPE_FAILED &&
                  b.result[0].error.code == PDFPIPE_E_CHANGED,
              "%s: %s", rows[k].name, b.result[0].error.message);
        CHECK(b.joined == PDFPIPE_E_CHANGED &&
                  pdfpipe_status_retryable(b.joined),
              "%s", rows[k].name);
        CHECK(b.result[1].kind == PDFPIPE_ENCRYPTED, "%s: the other: %s",
              rows[k].name, b.result[1].error.message);
        CHECK(scratch_count("change", "") ==
                  (rows[k].change == vanish ? 1u : 2u),
              "%s: %u files", rows[k].name, scratch_count("change", ""));
        batch_free(&b);
    }
}

/* Writes over the source, whose inode it holds, while it is being read. */
struct vandal {
    struct batch *b;
    int fd;
    bool cuts;
    uint64_t after; /* bytes that are done */
    atomic_bool over;
    pthread_t thread;
};

static void *
destroy(void *arg)
{
    static const uint8_t zeros[65536];
    struct vandal *v = arg;
    struct pdfpipe_progress p = { 0 };

    while (!atomic_load(&v->over) && p.bytes_done < v->after)
        pdfpipe_run_progress(v->b->run, &p);
    if (v->cuts)
        need(ftruncate(v->fd, 100) == 0);
    else
        for (off_t at = 0; at < 4 * MIB; at += (off_t)sizeof zeros)
            need(pwrite(v->fd, zeros, sizeof zeros, at) ==
                 (ssize_t)sizeof zeros);
    return NULL;
}

static void
start_vandal(struct batch *b, size_t i)
{
    struct vandal *v = b->arg;

    if (i == 0)
        need(pthread_create(&v->thread, NULL, destroy, v) == 0);
}

static void
stop_vandal(struct batch *b)
{
    struct vandal *v = b->arg;

    atomic_store(&v->over, true);
    need(pthread_join(v->thread, NULL) == 0);
}

/* Nothing but "changed" may come of it, or a complete output of what it was:
 * not an error that says the document is damaged. */
static void
is_a_source_that_changes_no_damaged_one(void)
{
    for (unsigned round = 0; round < 16; round++) {
        struct pdfpipe_job job = { .source = "v.pdf" };
        struct vandal v = { .cuts = round % 2,
                            .after = 1 + (uint64_t)round * 300000 };
        struct batch b = { .job = &job,
                           .jobs = 1,
                           .on_next = start_vandal,
                           .on_finished = stop_vandal,
                           .arg = &v };
        const struct pdfpipe_result *r;

        job.tag = &job;
        sample_put(sample_named("stream_3m"), round, "v.pdf");
        v.b = &b;
        v.fd = open("v.pdf", O_RDWR | O_CLOEXEC);
        need(v.fd >= 0);
        batch_options(&b.options);
        b.options.threads = 2;
        b.options.max_memory = BATCH_LEAST_MEMORY(2); /* few units */
        batch_run(&b);
        r = &b.result[0];
        CHECK(
            (r->kind == PDFPIPE_FAILED && r->error.code == PDFPIPE_E_CHANGED) ||
                r->kind == PDFPIPE_ENCRYPTED,
            "round %u: %s: %s", round, pdfpipe_status_id(r->error.code),
            r->error.message);
        CHECK(scratch_count(".", ".pdfpipe-") == 0, "round %u", round);
        need(close(v.fd) == 0 && unlink("v.pdf") == 0);
        batch_free(&b);
    }
}

int
main(void)
{
    scratch_enter(NULL);
    does_memory_not_depend_on_the_file();
    does_memory_not_depend_on_what_is_inflated();
    scratch_leave();

    /* In memory where that is possible: many files are written. */
    scratch_enter(access("/dev/shm", W_OK) ? NULL : "/dev/shm");
    is_one_object_limited();
    is_a_crowded_object_scanned_once();
    are_open_strings_given_up();
    are_hundreds_verified(1, BATCH_LEAST_MEMORY(1), PDFPIPE_DURABLE_GROUP,
                          1024);
    are_hundreds_verified(3, 0, PDFPIPE_DURABLE_GROUP, 96);
    are_hundreds_verified(2, 0, PDFPIPE_DURABLE_FILE, 64);
    is_no_descriptor_lost();
    is_a_changed_source_left_alone();
    is_a_source_that_changes_no_damaged_one();
    batch_secrets_free();
    scratch_leave();
    return check_report("run_limits_test");
}
