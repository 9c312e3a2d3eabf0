/*
 * sink_fault_test.c - what if any one call of a sink's life fails, or the
 * process is killed in its place?
 *
 * For each function, each call of it and each way to fail: the status is the
 * right one, the target holds its old bytes, nothing else stays, and no
 * descriptor is lost.  Where the failure is one to be survived, the target
 * holds the new bytes.
 */
#include "../fault/faults.c"

#include <sys/wait.h>
#include <time.h>

#include "check.h"
#include "io/meta.h"
#include "io/sink.h"
#include "io/sweep.h"
#include "scratch.h"

#define TEMPS   ".pdfpipe-"
#define NEW_N   ((size_t)9 * 1024 * 1024 + 4321) /* more than one window */
#define PIECE_N ((size_t)300 * 1000)
#define OLD     "the old content"

static uint8_t *buffer, *bytes;

/* Two lives of a sink, which together make every call. */
struct life {
    const char *what;
    bool replace; /* a target with metadata is replaced, with fsync; else a
                     new one is made, without */
};
static const struct life replacing = { "replacing", true };
static const struct life making = { "making", false };

static void
prepare(const struct life *life)
{
    (void)unlink("t");
    if (!life->replace)
        return;
    scratch_put("t", OLD, strlen(OLD));
    CHECK(!chmod("t", 0640), "chmod");
    /* An attribute to be kept, where the file system has them. */
    if (setxattr("t", "user.pdfpipe.test", "value", 5, 0))
        CHECK(errno == EOPNOTSUPP, "errno %d", errno);
    /* An owner that is not the one of a new file, where that is allowed. */
    if (geteuid() == 0)
        CHECK(!chown("t", 65534, 65534), "chown");
}

static enum pdfpipe_status
live(const struct life *life, struct pp_meta *meta, struct pdfpipe_error *err)
{
    struct pp_sink s;
    enum pdfpipe_status st =
        pp_sink_open(&s, "t", NEW_N + 1000000, buffer, err);

    if (st)
        return st; /* owns nothing: leaks show in the sanitizer's report */
    for (size_t at = 0; !st && at < NEW_N; at += PIECE_N)
        st = pp_sink_write(&s, bytes + at,
                           NEW_N - at < PIECE_N ? NEW_N - at : PIECE_N, err);
    if (!st)
        st = pp_sink_seal(&s, life->replace ? meta : NULL, life->replace, err);
    if (!st)
        st = pp_sink_publish(&s, life->replace, err);
    if (st)
        pp_sink_discard(&s);
    else
        pp_sink_fini(&s);
    return st;
}

static bool
target_is_old(const struct life *life)
{
    if (life->replace)
        return scratch_holds("t", OLD, strlen(OLD));
    return access("t", F_OK) && errno == ENOENT;
}

/* Calls of the last life. */
static unsigned long counts[CALL_COUNT];

/* Lives once under the rule `spec`, then stops failing. */
static enum pdfpipe_status
live_under(const struct life *life, const char *spec, struct pdfpipe_error *err)
{
    struct pp_meta meta = { 0 };
    enum pdfpipe_status st;

    prepare(life);
    if (life->replace) {
        int fd = open("t", O_RDONLY | O_CLOEXEC);

        CHECK(fd >= 0 && !pp_meta_read(&meta, fd, true, NULL), "meta");
        CHECK(!close(fd), "close");
    }
    memset(err, 0, sizeof *err);
    CHECK(faults_arm(spec), "%s", spec);
    st = live(life, &meta, err);
    rule_count = 0;
    for (int i = 0; i < CALL_COUNT; i++)
        counts[i] = atomic_load(&seen[i]);
    pp_meta_fini(&meta);
    return st;
}

static void
check_outcome(const struct life *life, const char *spec,
              enum pdfpipe_status want)
{
    unsigned open_before = scratch_count("/proc/self/fd", "");
    struct pdfpipe_error err;
    enum pdfpipe_status st = live_under(life, spec, &err);

    CHECK(st == want, "%s, %s: %d %s", life->what, spec, st, err.message);
    CHECK(err.code == st, "%s, %s", life->what, spec);
    CHECK(!st || err.message[0], "%s, %s: no message", life->what, spec);
    CHECK(st ? target_is_old(life) : scratch_holds("t", bytes, NEW_N),
          "%s, %s: target", life->what, spec);
    CHECK(scratch_count(".", TEMPS) == 0, "%s, %s: litter", life->what, spec);
    CHECK(scratch_count("/proc/self/fd", "") == open_before,
          "%s, %s: descriptor", life->what, spec);
}

/* ---- one failure, everywhere ---- */

/* clang-format off */
static const struct {
    enum call call;
    const char *effect;
    enum pdfpipe_status want;
} failures[] = {
    { CALL_malloc,          "ENOMEM",     PDFPIPE_E_NO_MEMORY  },
    { CALL_getrandom,       "EINTR",      PDFPIPE_OK           },
    { CALL_getrandom,       "ENOSYS",     PDFPIPE_E_WRITE      },
    { CALL_getrandom,       "short",      PDFPIPE_E_WRITE      },
    { CALL_open,            "EEXIST",     PDFPIPE_OK           },
    { CALL_open,            "EACCES",     PDFPIPE_E_PERMISSION },
    { CALL_open,            "EROFS",      PDFPIPE_E_READ_ONLY  },
    { CALL_open,            "ENOSPC",     PDFPIPE_E_NO_SPACE   },
    { CALL_open,            "EMFILE",     PDFPIPE_E_WRITE      },
    { CALL_fallocate,       "ENOSPC",     PDFPIPE_E_NO_SPACE   },
    { CALL_fallocate,       "EDQUOT",     PDFPIPE_E_NO_SPACE   },
    { CALL_fallocate,       "EFBIG",      PDFPIPE_E_NO_SPACE   },
    { CALL_fallocate,       "EOPNOTSUPP", PDFPIPE_OK           },
    { CALL_fallocate,       "ENOSYS",     PDFPIPE_OK           },
    { CALL_fallocate,       "EINVAL",     PDFPIPE_OK           },
    { CALL_fallocate,       "EINTR",      PDFPIPE_OK           },
    { CALL_write,           "EIO",        PDFPIPE_E_WRITE      },
    { CALL_write,           "ENOSPC",     PDFPIPE_E_NO_SPACE   },
    { CALL_write,           "EDQUOT",     PDFPIPE_E_NO_SPACE   },
    { CALL_write,           "zero",       PDFPIPE_E_WRITE      },
    { CALL_write,           "short",      PDFPIPE_OK           },
    { CALL_write,           "EINTR",      PDFPIPE_OK           },
    { CALL_sync_file_range, "EIO",        PDFPIPE_E_WRITE      },
    { CALL_sync_file_range, "ENOSPC",     PDFPIPE_E_NO_SPACE   },
    { CALL_sync_file_range, "ENOSYS",     PDFPIPE_OK           },
    { CALL_sync_file_range, "EINVAL",     PDFPIPE_OK           },
    { CALL_sync_file_range, "ESPIPE",     PDFPIPE_OK           },
    { CALL_ftruncate,       "EIO",        PDFPIPE_E_WRITE      },
    { CALL_fstat,           "EIO",        PDFPIPE_E_WRITE      },
    { CALL_fchown,          "EPERM",      PDFPIPE_OK           },
    { CALL_fchown,          "EDQUOT",     PDFPIPE_E_NO_SPACE   },
    { CALL_fchown,          "EIO",        PDFPIPE_E_WRITE      },
    { CALL_fremovexattr,    "EOPNOTSUPP", PDFPIPE_OK           },
    { CALL_fremovexattr,    "EIO",        PDFPIPE_E_WRITE      },
    { CALL_fsetxattr,       "EPERM",      PDFPIPE_OK           },
    { CALL_fsetxattr,       "EOPNOTSUPP", PDFPIPE_OK           },
    { CALL_fsetxattr,       "ENOSPC",     PDFPIPE_E_NO_SPACE   },
    { CALL_fsetxattr,       "EIO",        PDFPIPE_E_WRITE      },
    { CALL_fchmod,          "EPERM",      PDFPIPE_OK           },
    { CALL_fchmod,          "EIO",        PDFPIPE_E_WRITE      },
    { CALL_futimens,        "EPERM",      PDFPIPE_OK           },
    { CALL_futimens,        "EIO",        PDFPIPE_E_WRITE      },
    { CALL_fsync,           "EIO",        PDFPIPE_E_WRITE      },
    { CALL_fsync,           "ENOSPC",     PDFPIPE_E_NO_SPACE   },
    { CALL_close,           "EINTR",      PDFPIPE_OK           },
    { CALL_close,           "EIO",        PDFPIPE_E_WRITE      },
    { CALL_close,           "EDQUOT",     PDFPIPE_E_NO_SPACE   },
    { CALL_rename,          "EIO",        PDFPIPE_E_WRITE      },
    { CALL_rename,          "EXDEV",      PDFPIPE_E_WRITE      },
    { CALL_rename,          "EACCES",     PDFPIPE_E_PERMISSION },
    { CALL_rename,          "EBUSY",      PDFPIPE_E_BUSY       },
    { CALL_rename,          "ENOSPC",     PDFPIPE_E_NO_SPACE   },
};
/* clang-format on */

static void
does_any_single_failure_leave_the_old_target(void)
{
    unsigned long calls[CALL_COUNT];

    check_outcome(&replacing, "", PDFPIPE_OK);
    memcpy(calls, counts, sizeof calls);
    for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++) {
        enum call call = failures[i].call;
        unsigned long n = calls[call];

        /* What this machine cannot show must not pass in silence. */
        if (n == 0)
            check_skip("%s is not called here", call_names[call]);
        for (unsigned long k = 1; k <= n; k++) {
            char spec[64];

            (void)snprintf(spec, sizeof spec, "%s:%lu:%s", call_names[call], k,
                           failures[i].effect);
            check_outcome(&replacing, spec, failures[i].want);
        }
    }
}

/* Every call of a life is one that the table above knows. */
static void
is_every_call_in_the_table(void)
{
    check_outcome(&replacing, "", PDFPIPE_OK);
    for (int c = 0; c < CALL_COUNT; c++) {
        bool listed = false;

        for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++)
            listed |= (int)failures[i].call == c;
        CHECK(listed || counts[c] == 0, "%s", call_names[c]);
    }
}

/* ---- particular ones ---- */

/* clang-format off */
static const struct {
    const char *what;
    const char *spec;
    enum pdfpipe_status want;
} makings[] = {
    { "no rename without replacing: a link", "renameat2:1:EINVAL",  PDFPIPE_OK },
    { "kernel without renameat2",            "renameat2:1:ENOSYS",  PDFPIPE_OK },
    { "refused by a filter",                 "renameat2:1:EPERM",   PDFPIPE_OK },
    { "name taken meanwhile",                "renameat2:1:EEXIST",  PDFPIPE_E_TARGET_EXISTS },
    { "rename fails",                        "renameat2:1:EIO",     PDFPIPE_E_WRITE },
    { "mount point",                         "renameat2:1:EXDEV",   PDFPIPE_E_WRITE },
    { "name taken before the link",          "renameat2:1:EINVAL,link:1:EEXIST", PDFPIPE_E_TARGET_EXISTS },
    { "link fails",                          "renameat2:1:EINVAL,link:1:EIO",    PDFPIPE_E_WRITE },
    { "no links either: a placeholder",      "renameat2:1:EINVAL,link:1:EPERM",  PDFPIPE_OK },
    { "name taken before the placeholder",   "renameat2:1:EINVAL,link:1:EPERM,open:3:EEXIST", PDFPIPE_E_TARGET_EXISTS },
    { "placeholder cannot be closed",        "renameat2:1:EINVAL,link:1:EPERM,close:3:EIO",   PDFPIPE_E_WRITE },
    { "placeholder cannot be replaced",      "renameat2:1:EINVAL,link:1:EPERM,rename:1:EIO",  PDFPIPE_E_WRITE },
    { "umask cannot be opened",              "open:2:ENOENT",       PDFPIPE_OK },
    { "umask cannot be read",                "read:1:EIO",          PDFPIPE_OK },
    { "umask is empty",                      "read:1:zero",         PDFPIPE_OK },
    { "a file system without modes",         "fchmod:1:EPERM",      PDFPIPE_OK },
    { "the mode fails",                      "fchmod:1:EIO",        PDFPIPE_E_WRITE },
    { "the last close reports the quota",    "close:2:EDQUOT",      PDFPIPE_E_NO_SPACE },
    { "no name is ever free",                "open:1+:EEXIST",      PDFPIPE_E_WRITE },
};
/* clang-format on */

static void
is_a_new_name_taken_by_one_only(void)
{
    check_outcome(&making, "", PDFPIPE_OK);
    for (size_t i = 0; i < sizeof makings / sizeof makings[0]; i++)
        check_outcome(&making, makings[i].spec, makings[i].want);
}

static void
is_the_mode_narrow_when_the_umask_is_unknown(void)
{
    struct pdfpipe_error err;
    struct stat st;

    CHECK(!live_under(&making, "open:2:ENOENT", &err), "%s", err.message);
    CHECK(!stat("t", &st) && (st.st_mode & 07777) == 0600, "mode %o",
          st.st_mode);
}

/* The kernel reports a failed write-back once: a second fsync would say that
 * all is well. */
static void
is_fsync_never_tried_again(void)
{
    struct pdfpipe_error err;

    CHECK(live_under(&replacing, "fsync:1:EIO", &err) == PDFPIPE_E_WRITE, "%s",
          err.message);
    CHECK(counts[CALL_fsync] == 1, "%lu calls", counts[CALL_fsync]);
    CHECK(err.sys_errno == EIO, "%d", err.sys_errno);
}

/* 256 KiB at a multiple of it was measured fastest, and a copy less: whatever
 * the caller's pieces, every write but the last has that size, and whole ones
 * come from where they are. */
static void
are_writes_whole_and_not_copied(void)
{
    static const struct {
        size_t n, piece;
        unsigned long writes;
    } rows[] = {
        { 3 * 1024 * 1024, 3 * 1024 * 1024, 12 },
        { 3 * 1024 * 1024, 100000, 12 },
        { 3 * 1024 * 1024 + 1, 3 * 1024 * 1024 + 1, 13 },
        { 1, 1, 1 },
        { 0, 1, 0 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_sink s;
        size_t n = rows[i].n, piece = rows[i].piece;
        unsigned long writes;

        memset(buffer, '#', PP_SINK_BUFFER);
        CHECK(faults_arm(""), "arm");
        CHECK(!pp_sink_open(&s, "t", 0, buffer, NULL), "open");
        for (size_t at = 0; at < n; at += piece)
            CHECK(!pp_sink_write(&s, bytes + at,
                                 n - at < piece ? n - at : piece, NULL),
                  "write");
        if (piece > PP_SINK_BUFFER)
            CHECK(buffer[PP_SINK_BUFFER / 2] == '#', "%zu: copied", i);
        CHECK(!pp_sink_finish(&s, NULL, NULL), "finish");
        writes = faults_count("write");
        CHECK(writes == rows[i].writes, "%zu: %lu writes", i, writes);
        pp_sink_discard(&s);
    }
}

static void
does_the_message_name_step_file_and_reason(void)
{
    static const struct {
        const char *spec, *step, *reason;
    } rows[] = {
        { "write:2:ENOSPC", "write", "No space left" },
        { "fsync:1:EIO", "to disk", "Input/output error" },
        { "close:1:EIO", "close", "Input/output error" },
        { "rename:1:EXDEV", "mount point", "cross-device" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pdfpipe_error err;

        CHECK(live_under(&replacing, rows[i].spec, &err) != PDFPIPE_OK, "%s",
              rows[i].spec);
        CHECK(strstr(err.message, rows[i].step) &&
                  strstr(err.message, rows[i].reason) &&
                  strstr(err.message, " t"),
              "%s: %s", rows[i].spec, err.message);
    }
}

/* A temporary file that cannot be removed is litter, found by a later sweep;
 * a second name of a published file as well. */
static void
does_a_sweep_find_what_could_not_be_removed(void)
{
    static const struct {
        const struct life *life;
        const char *spec;
        enum pdfpipe_status want;
    } rows[] = {
        { &replacing, "write:2:EIO,unlink:1:EIO", PDFPIPE_E_WRITE },
        { &making, "renameat2:1:EINVAL,unlink:1:EIO", PDFPIPE_OK },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pdfpipe_error err;

        CHECK(live_under(rows[i].life, rows[i].spec, &err) == rows[i].want,
              "%s: %s", rows[i].spec, err.message);
        CHECK(scratch_count(".", TEMPS) == 1, "%s", rows[i].spec);
        CHECK(pp_sweep(".", time(NULL) + PP_SWEEP_AGE_S + 60) == 1, "%s",
              rows[i].spec);
        CHECK(scratch_count(".", TEMPS) == 0, "%s", rows[i].spec);
        CHECK(rows[i].want ? target_is_old(rows[i].life)
                           : scratch_holds("t", bytes, NEW_N),
              "%s", rows[i].spec);
    }
}

/* ---- killed ---- */

/* Returns false when the child was not killed: there is no such call. */
static bool
killed_at(const struct life *life, const char *spec)
{
    int status = 0;
    pid_t pid;

    prepare(life);
    (void)fflush(stdout);
    pid = fork();
    if (pid == 0) {
        struct pp_meta meta = { 0 };
        int fd = open("t", O_RDONLY | O_CLOEXEC);

        if (life->replace && pp_meta_read(&meta, fd, true, NULL))
            _exit(1);
        if (!faults_arm(spec))
            _exit(1);
        _exit(live(life, &meta, NULL) ? 1 : 0);
    }
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid, "fork");
    CHECK(WIFSIGNALED(status) || WEXITSTATUS(status) == 0, "%s", spec);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

static void
is_the_target_whole_whenever_the_process_is_killed(const struct life *life)
{
    unsigned long calls[CALL_COUNT];

    check_outcome(life, "", PDFPIPE_OK);
    memcpy(calls, counts, sizeof calls);
    for (int c = 0; c < CALL_COUNT; c++)
        for (unsigned long k = 1; k <= calls[c]; k++) {
            char spec[64];

            (void)snprintf(spec, sizeof spec, "%s:%lu:kill", call_names[c], k);
            CHECK(killed_at(life, spec), "%s", spec);
            CHECK(target_is_old(life) || scratch_holds("t", bytes, NEW_N),
                  "%s, %s", life->what, spec);
            CHECK(scratch_count(".", TEMPS) <= 1, "%s", spec);
            (void)pp_sweep(".", time(NULL) + PP_SWEEP_AGE_S + 60);
            CHECK(scratch_count(".", TEMPS) == 0, "%s", spec);
        }
}

int
main(void)
{
    buffer = aligned_alloc(4096, PP_SINK_BUFFER);
    bytes = malloc(NEW_N);
    if (!buffer || !bytes)
        return 99;
    for (size_t i = 0; i < NEW_N; i++)
        bytes[i] = (uint8_t)(i * 2654435761u >> 24);

    scratch_enter(NULL);
    is_every_call_in_the_table();
    does_any_single_failure_leave_the_old_target();
    is_a_new_name_taken_by_one_only();
    is_the_mode_narrow_when_the_umask_is_unknown();
    is_fsync_never_tried_again();
    are_writes_whole_and_not_copied();
    does_the_message_name_step_file_and_reason();
    does_a_sweep_find_what_could_not_be_removed();
    is_the_target_whole_whenever_the_process_is_killed(&replacing);
    is_the_target_whole_whenever_the_process_is_killed(&making);
    scratch_leave();
    free(bytes);
    free(buffer);
    return check_report("sink_fault");
}
