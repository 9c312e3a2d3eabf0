/*
 * fault.c - what if the n-th call fails, or the process is killed there?
 *
 * Encrypts a small folder, in place and to a target, in a child process whose
 * n-th call of some function fails once (tests/fault/faults.c, preloaded), and
 * looks at what is left:
 *
 *   - every original is byte for byte as it was, or the complete new file, as
 *     a run without faults makes it: the random source is fixed, so that the
 *     two can be compared;
 *   - no temporary file is left, unless the process was killed, or the removal
 *     itself failed;
 *   - what is reported as encrypted is there; what is not there is reported,
 *     with a status that fits, and the run does not say that all is well;
 *   - after a kill a second run finishes the work.
 *
 *   fault-run [--full] LIBFAULTS     --full: every call, not a sample
 *   fault-run --victim SCENARIO SPEC the child
 */
#include <pdfpipe/pdfpipe.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <openssl/evp.h>
#include <openssl/sha.h>

#include "batch.h"
#include "check.h"
#include "peer.h"
#include "samples.h"
#include "scratch.h"

/* Of the preloaded shim. */
bool faults_arm(const char *spec) __attribute__((weak));
unsigned long faults_count(const char *name) __attribute__((weak));

#define SECONDS 30u /* after which a child hangs                       */
#define SAMPLE  12u /* calls tried of each kind, if not all are wanted */

/* ---- what is encrypted ---- */

static const char *const names[] = { "small",  "strings",    "object_streams",
                                     "",       "encrypted",  "no_pdf",
                                     "untidy", "info_direct" };
#define DOCUMENTS (sizeof names / sizeof names[0])

struct content {
    uint8_t *p;
    size_t n;
};
static struct content original[DOCUMENTS];
static struct content complete[DOCUMENTS]; /* p NULL: stays as it is */

static struct content
copy_of(const void *p, size_t n)
{
    struct content c = { malloc(n + 1), n };

    if (!c.p)
        abort();
    memcpy(c.p, p, n);
    return c;
}

/* Several units: a stream in pieces, and objects around it. */
static struct pdftext *
several_units(void)
{
    size_t n = 1400000;
    struct pdftext *p = pdf_new("1.7");
    uint8_t *bytes = malloc(n);

    if (!bytes)
        abort();
    sample_noise(bytes, n, 1);
    sample_page(p, 1);
    pdf_stream(p, 5, "", bytes, n);
    pdf_object(p, 6, "(behind it)");
    pdf_table(p, "/Root 1 0 R");
    free(bytes);
    return p;
}

/* A file in which something is odd, so that it is read a second time. */
static struct pdftext *
untidy(void)
{
    struct pdftext *p = pdf_new("1.7");

    sample_page(p, 1);
    pdf_stream_length(p, 5, "", "6 0 R", "wrong", 5);
    pdf_object(p, 6, "77");
    pdf_enter_offset(p, 7, 12);
    pdf_table(p, "/Root 1 0 R");
    return p;
}

static void
make_originals(void)
{
    for (size_t i = 0; i < DOCUMENTS; i++) {
        struct pdftext *p = !*names[i] ? several_units()
                            : strcmp(names[i], "untidy") == 0
                                ? untidy()
                                : sample_named(names[i])->make(1);

        original[i] = copy_of(pdf_data(p), pdf_size(p));
        pdf_free(p);
    }
}

/* ---- how ---- */

struct scenario {
    const char *name;
    bool in_place, backup;
    enum pdfpipe_durability durability;
};

static const struct scenario scenarios[] = {
    { "in place, in groups", true, false, PDFPIPE_DURABLE_GROUP },
    { "in place, with backups", true, true, PDFPIPE_DURABLE_FILE },
    { "to a target", false, false, PDFPIPE_DURABLE_GROUP },
};
#define SCENARIOS (sizeof scenarios / sizeof scenarios[0])

struct paths {
    char source[32], target[32], backup[32];
};

static void
path_of(size_t i, struct paths *p)
{
    (void)snprintf(p->source, sizeof p->source, "in/%zu.pdf", i);
    (void)snprintf(p->target, sizeof p->target, "out/%zu.pdf", i);
    (void)snprintf(p->backup, sizeof p->backup, "old/%zu.pdf", i);
}

/* ---- the child ---- */

static const char *const functions[] = {
    "open",           "close",         "read",
    "pread",          "write",         "fsync",
    "syncfs",         "fallocate",     "sync_file_range",
    "ftruncate",      "rename",        "renameat2",
    "link",           "unlink",        "mkdir",
    "stat",           "lstat",         "fstat",
    "fstatat",        "fchown",        "fchmod",
    "futimens",       "flistxattr",    "fgetxattr",
    "fsetxattr",      "getrandom",     "malloc",
    "calloc",         "realloc",       "mmap",
    "posix_memalign", "aligned_alloc", "mlock",
    "pthread_create", "posix_fadvise",
};
#define FUNCTIONS (sizeof functions / sizeof functions[0])

/* libcrypto (3.0) crashes when it cannot make its own locks at first use, so
 * the first use comes before the faults. */
static bool
wake_libcrypto(void)
{
    uint8_t hash[SHA256_DIGEST_LENGTH];
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, "AES-256-CBC", NULL);

    EVP_CIPHER_free(cipher);
    return cipher && SHA256((const uint8_t *)"", 0, hash);
}

/* Nothing is printed before the faults are over. */
static int
victim(const struct scenario *s, const char *spec)
{
    struct pdfpipe_job job[DOCUMENTS];
    struct paths path[DOCUMENTS];
    struct batch b = { .job = job, .jobs = DOCUMENTS };
    unsigned long count[FUNCTIONS];

    if (!faults_arm || !faults_count || !wake_libcrypto())
        return 98;
    (void)alarm(SECONDS);
    for (size_t i = 0; i < DOCUMENTS; i++) {
        path_of(i, &path[i]);
        job[i] = (struct pdfpipe_job){
            .source = path[i].source,
            .target = s->in_place ? NULL : path[i].target,
            .backup = s->backup ? path[i].backup : NULL,
            .keep_target = true,
            .tag = &job[i],
        };
    }
    batch_options(&b.options);
    b.options.threads = 2;
    b.options.durability = s->durability;
    if (!faults_arm(spec))
        return 97;
    batch_run_gently(&b);
    for (size_t i = 0; i < FUNCTIONS; i++)
        count[i] = faults_count(functions[i]);
    (void)faults_arm(NULL);

    for (size_t i = 0; i < FUNCTIONS; i++)
        (void)printf("calls %s %lu\n", functions[i], count[i]);
    for (size_t i = 0; i < b.told; i++)
        (void)printf("told %zu %d %d\n", i, (int)b.result[i].kind,
                     (int)b.result[i].error.code);
    (void)printf("asked %zu\njoined %d\norder %d\nfinished %u\n", b.asked,
                 (int)b.joined, !b.out_of_order, b.finished);
    return fflush(stdout) ? 96 : 0;
}

/* ---- the parent ---- */

/* What the child told. */
struct story {
    int status; /* of wait */
    unsigned long calls[FUNCTIONS];
    int kind[DOCUMENTS], code[DOCUMENTS]; /* kind -1: not told */
    size_t told, asked;
    int joined, order;
    unsigned finished;
};

static const char *self, *shim;

static void
need(bool holds, const char *what)
{
    if (holds)
        return;
    perror(what);
    exit(99);
}

/* The files as they were before any run. */
static void
restore(const struct scenario *s)
{
    static const char *const folders[] = { "in", "out", "old" };
    char command[128];

    for (size_t i = 0; i < 3; i++)
        if (access(folders[i], F_OK) == 0) {
            (void)snprintf(command, sizeof command, "rm -r %s", folders[i]);
            need(system(command) == 0, command);
        }
    need(mkdir("in", 0755) == 0, "in");
    if (s->backup)
        need(mkdir("old", 0755) == 0, "old");
    for (size_t i = 0; i < DOCUMENTS; i++) {
        struct paths p;

        path_of(i, &p);
        scratch_put(p.source, original[i].p, original[i].n);
    }
}

static void
read_line(struct story *story, const char *line)
{
    char name[32];
    unsigned long n;
    int kind, code;
    size_t i;

    if (sscanf(line, "calls %31s %lu", name, &n) == 2) {
        for (i = 0; i < FUNCTIONS; i++)
            if (strcmp(name, functions[i]) == 0)
                story->calls[i] = n;
    } else if (sscanf(line, "told %zu %d %d", &i, &kind, &code) == 3) {
        story->kind[i] = kind;
        story->code[i] = code;
        story->told++;
    }
    (void)sscanf(line, "asked %zu", &story->asked);
    (void)sscanf(line, "joined %d", &story->joined);
    (void)sscanf(line, "order %d", &story->order);
    (void)sscanf(line, "finished %u", &story->finished);
}

static void
run_child(size_t scenario, const char *spec, struct story *story)
{
    char number[8], line[128];
    pid_t child;
    int fd[2];
    FILE *f;

    *story = (struct story){ .joined = -1 };
    for (size_t i = 0; i < DOCUMENTS; i++)
        story->kind[i] = -1;
    (void)snprintf(number, sizeof number, "%zu", scenario);
    need(fflush(stdout) == 0 && pipe2(fd, O_CLOEXEC) == 0, "pipe");
    child = fork();
    need(child >= 0, "fork");
    if (child == 0) {
        if (dup2(fd[1], 1) < 0 || setenv("LD_PRELOAD", shim, 1))
            _exit(95);
        (void)execl(self, self, "--victim", number, spec, (char *)NULL);
        _exit(94);
    }
    f = fdopen(fd[0], "r");
    need(f && close(fd[1]) == 0, "pipe");
    while (fgets(line, sizeof line, f))
        read_line(story, line);
    (void)fclose(f);
    need(waitpid(child, &story->status, 0) == child, "wait");
}

static bool
holds(const char *name, const struct content *c)
{
    return c->p && scratch_holds(name, c->p, c->n);
}

static bool
exists(const char *name)
{
    struct stat st;

    return lstat(name, &st) == 0;
}

/* Is document i where it should be?  done: it must be complete. */
static bool
is_sound(const struct scenario *s, size_t i, bool done)
{
    struct paths p;

    path_of(i, &p);
    if (s->backup && exists(p.backup) && !holds(p.backup, &original[i]))
        return false;
    if (s->in_place)
        return holds(p.source, &complete[i]) ||
               (!done && holds(p.source, &original[i]));
    return holds(p.source, &original[i]) &&
           (exists(p.target) ? holds(p.target, &complete[i]) : !done);
}

/* What becomes of it without faults. */
static bool
is_to_be_encrypted(size_t i)
{
    return complete[i].p != NULL;
}

static unsigned
temporary_files(void)
{
    return scratch_count("in", ".pdfpipe-") +
           scratch_count("out", ".pdfpipe-") +
           scratch_count("old", ".pdfpipe-");
}

/* May this status come of this errno? */
static bool
fits(enum pdfpipe_status st, const char *function, const char *effect)
{
    bool memory = strcmp(effect, "ENOMEM") == 0;

    if (strcmp(effect, "EACCES") == 0)
        return st == PDFPIPE_E_PERMISSION || pdfpipe_status_retryable(st);
    /* The library that encrypts does not always say that it is memory. */
    if (memory && st == PDFPIPE_E_CRYPTO)
        return true;
    if (memory && strstr(function, "alloc"))
        return st == PDFPIPE_E_NO_MEMORY;
    if (strcmp(effect, "ENOSPC") == 0)
        return st == PDFPIPE_E_NO_SPACE;
    return pdfpipe_status_retryable(st);
}

static void
look_at_files(const struct scenario *s, const struct story *story,
              const char *what)
{
    for (size_t i = 0; i < DOCUMENTS; i++)
        CHECK(is_sound(s, i, story->kind[i] == PDFPIPE_ENCRYPTED),
              "%s: document %zu is neither old nor new, or said to be done",
              what, i);
}

/* After a run in which one call failed.  True: it had an effect. */
static bool
look_around(const struct scenario *s, const struct story *story,
            const char *function, const char *effect, const char *what)
{
    bool failed = false, bitten = false;

    if (!CHECK(WIFEXITED(story->status) && WEXITSTATUS(story->status) == 0,
               "%s: %s %d", what, WIFEXITED(story->status) ? "exit" : "signal",
               WIFEXITED(story->status) ? WEXITSTATUS(story->status)
                                        : WTERMSIG(story->status)))
        return true;
    look_at_files(s, story, what);
    if (strcmp(function, "unlink") != 0)
        CHECK(temporary_files() == 0, "%s: %u temporary files", what,
              temporary_files());
    CHECK(story->told == story->asked && story->order, "%s: %zu of %zu told",
          what, story->told, story->asked);
    for (size_t i = 0; i < DOCUMENTS; i++) {
        enum pdfpipe_status st = (enum pdfpipe_status)story->code[i];

        bitten |= is_to_be_encrypted(i) && story->kind[i] != PDFPIPE_ENCRYPTED;
        failed |=
            story->kind[i] == PDFPIPE_FAILED && pdfpipe_status_exit(st) > 1;
        if (story->kind[i] == PDFPIPE_FAILED && is_to_be_encrypted(i))
            CHECK(fits(st, function, effect), "%s: document %zu: %s", what, i,
                  pdfpipe_status_id(st));
        if (story->kind[i] == PDFPIPE_SKIPPED)
            CHECK(!is_to_be_encrypted(i), "%s: document %zu is skipped: %s",
                  what, i, pdfpipe_status_id(st));
    }
    /* One document is none at all and fails in any case. */
    CHECK(story->joined > 0, "%s: the run says that all is well", what);
    if (failed)
        CHECK(pdfpipe_status_exit((enum pdfpipe_status)story->joined) > 1,
              "%s: that a retry can help does not show: %s", what,
              pdfpipe_status_id((enum pdfpipe_status)story->joined));
    return bitten;
}

/* After a kill: whatever is there is sound, and the next run ends it. */
static void
look_after_kill(size_t scenario, const struct story *story, const char *what)
{
    const struct scenario *s = &scenarios[scenario];
    struct story again;

    if (!CHECK(WIFSIGNALED(story->status) && WTERMSIG(story->status) == SIGKILL,
               "%s: not killed", what))
        return;
    look_at_files(s, story, what);
    run_child(scenario, "", &again);
    CHECK(WIFEXITED(again.status) && WEXITSTATUS(again.status) == 0,
          "%s: the second run", what);
    for (size_t i = 0; i < DOCUMENTS; i++)
        CHECK(is_sound(s, i, is_to_be_encrypted(i)),
              "%s: document %zu after a second run: %s", what, i,
              again.kind[i] < 0
                  ? "not told"
                  : pdfpipe_status_id((enum pdfpipe_status)again.code[i]));
}

/* ---- the sweep ---- */

struct plan {
    const char *function;
    const char *effects[4];
};

static const struct plan plans[] = {
    { "open", { "EMFILE", "EACCES" } },
    { "close", { "EIO" } },
    { "read", { "EIO", "short" } },
    { "pread", { "EIO", "short", "EINTR" } },
    { "write", { "ENOSPC", "EIO", "short", "EINTR" } },
    { "fsync", { "EIO", "ENOSPC" } },
    { "syncfs", { "EIO" } },
    { "fallocate", { "ENOSPC", "EOPNOTSUPP" } },
    { "sync_file_range", { "EIO" } },
    { "ftruncate", { "EIO" } },
    { "rename", { "EIO", "EACCES" } },
    { "renameat2", { "EIO", "EINVAL" } },
    { "link", { "EIO", "EPERM" } },
    { "unlink", { "EIO" } },
    { "mkdir", { "EIO", "ENOSPC" } },
    { "stat", { "EIO" } },
    { "lstat", { "EIO" } },
    { "fstat", { "EIO" } },
    { "fchown", { "EPERM" } },
    { "fchmod", { "EIO" } },
    { "futimens", { "EIO" } },
    { "flistxattr", { "EIO" } },
    { "getrandom", { "EIO", "EINTR" } },
    { "malloc", { "ENOMEM" } },
    { "calloc", { "ENOMEM" } },
    { "realloc", { "ENOMEM" } },
    { "aligned_alloc", { "ENOMEM" } },
    { "mmap", { "ENOMEM" } },
    { "mlock", { "ENOMEM" } },
    { "pthread_create", { "EAGAIN" } },
    { "posix_fadvise", { "EIO" } },
};

/* Where the process is killed in place of the call. */
static const char *const deadly[] = { "open",      "close",     "write",
                                      "fsync",     "syncfs",    "rename",
                                      "renameat2", "link",      "unlink",
                                      "fallocate", "ftruncate", "fchmod" };

static unsigned long
calls_of(const struct story *story, const char *function)
{
    for (size_t i = 0; i < FUNCTIONS; i++)
        if (strcmp(functions[i], function) == 0)
            return story->calls[i];
    return 0;
}

/* The k-th of the calls to be tried among n; 0: no more. */
static unsigned long
choose(unsigned long n, unsigned long k, bool full)
{
    if (full || n <= SAMPLE)
        return k < n ? k + 1 : 0;
    return k < SAMPLE ? 1 + k * (n - 1) / (SAMPLE - 1) : 0;
}

static void
sweep(size_t scenario, const struct story *whole, bool full)
{
    const struct scenario *s = &scenarios[scenario];
    struct story story;
    unsigned bitten = 0;
    char spec[64], what[160];

    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++)
        for (size_t e = 0; e < 4 && plans[i].effects[e]; e++) {
            const char *function = plans[i].function;
            const char *effect = plans[i].effects[e];
            unsigned long calls = calls_of(whole, function), n;

            for (unsigned long k = 0; (n = choose(calls, k, full)) != 0; k++) {
                (void)snprintf(spec, sizeof spec, "%s:%lu:%s", function, n,
                               effect);
                (void)snprintf(what, sizeof what, "%s, %s", s->name, spec);
                restore(s);
                run_child(scenario, spec, &story);
                bitten += look_around(s, &story, function, effect, what);
            }
        }
    CHECK(bitten > 50, "%s: only %u faults had an effect", s->name, bitten);
    for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; i++) {
        unsigned long calls = calls_of(whole, deadly[i]), n;

        for (unsigned long k = 0; (n = choose(calls, k, full)) != 0; k++) {
            (void)snprintf(spec, sizeof spec, "%s:%lu:kill", deadly[i], n);
            (void)snprintf(what, sizeof what, "%s, %s", s->name, spec);
            restore(s);
            run_child(scenario, spec, &story);
            /* Threads are not always equally fast: the call may be missing. */
            if (WIFEXITED(story.status) && calls_of(&story, deadly[i]) < n)
                continue;
            look_after_kill(scenario, &story, what);
        }
    }
}

/* A run without faults: what complete files are, and how many calls. */
static bool
learn(size_t scenario, struct story *whole)
{
    const struct scenario *s = &scenarios[scenario];

    restore(s);
    run_child(scenario, "", whole);
    if (!CHECK(WIFEXITED(whole->status) && WEXITSTATUS(whole->status) == 0 &&
                   whole->told == DOCUMENTS,
               "%s: without faults: status %x", s->name, whole->status))
        return false;
    CHECK(temporary_files() == 0, "%s: without faults", s->name);
    for (size_t i = 0; i < DOCUMENTS; i++) {
        struct paths path;
        const char *name;
        struct stat st;
        FILE *f;

        path_of(i, &path);
        name = s->in_place ? path.source : path.target;
        free(complete[i].p);
        complete[i] = (struct content){ NULL, 0 };
        if (whole->kind[i] != PDFPIPE_ENCRYPTED)
            continue;
        f = fopen(name, "re");
        need(f && fstat(fileno(f), &st) == 0, name);
        complete[i].n = (size_t)st.st_size;
        complete[i].p = malloc(complete[i].n + 1);
        need(complete[i].p &&
                 fread(complete[i].p, 1, complete[i].n, f) == complete[i].n,
             name);
        (void)fclose(f);
        if (peer_is_here())
            CHECK(peer_opens(name, "owner"), "%s", name);
    }
    return true;
}

int
main(int argc, char **argv)
{
    bool full = argc > 1 && strcmp(argv[1], "--full") == 0;
    char program[4096], library[4096];

    if (argc == 4 && strcmp(argv[1], "--victim") == 0)
        return victim(&scenarios[(size_t)(argv[2][0] - '0') % SCENARIOS],
                      argv[3]);
    if (argc != (full ? 3 : 2) || !realpath("/proc/self/exe", program) ||
        !realpath(argv[argc - 1], library)) {
        (void)fprintf(stderr, "usage: fault-run [--full] LIBFAULTS\n");
        return 2;
    }
    self = program;
    shim = library;
    /* In memory where that is possible: many files are written. */
    scratch_enter(access("/dev/shm", W_OK) ? NULL : "/dev/shm");
    make_originals();
    for (size_t i = 0; i < SCENARIOS; i++) {
        struct story whole;

        if (learn(i, &whole))
            sweep(i, &whole, full);
    }
    for (size_t i = 0; i < DOCUMENTS; i++) {
        free(original[i].p);
        free(complete[i].p);
    }
    scratch_leave();
    return check_report("fault");
}
