/* sink_test.c - does a target hold all of the new bytes or all of the old? */
#include "io/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "io/meta.h"
#include "io/temp.h"
#include "scratch.h"

#define KIB   ((size_t)1024)
#define MIB   ((size_t)1024 * 1024)
#define TEMPS ".pdfpipe-"

static uint8_t *buffer; /* the one that sinks borrow */
static uint8_t *bytes;  /* what is written           */
#define BYTES_N (12 * MIB)

static void
fill_bytes(void)
{
    uint32_t x = 2463534242u; /* xorshift: no two blocks are alike */

    for (size_t i = 0; i < BYTES_N; i++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        bytes[i] = (uint8_t)x;
    }
}

/* Writes n bytes in pieces of `piece`, sealed; the sink is discarded when
 * something fails. */
static enum pdfpipe_status
make_sealed(struct pp_sink *s, const char *target, size_t n, size_t piece,
            uint64_t expected, bool sync, struct pdfpipe_error *err)
{
    enum pdfpipe_status st = pp_sink_open(s, target, expected, buffer, err);

    for (size_t at = 0; !st && at < n; at += piece)
        st = pp_sink_write(s, bytes + at, n - at < piece ? n - at : piece, err);
    if (!st)
        st = pp_sink_seal(s, NULL, sync, err);
    if (st)
        pp_sink_discard(s);
    return st;
}

/* ---- writing ---- */

/* clang-format off */
static const struct {
    const char *what;
    size_t n, piece;
    uint64_t expected;
    bool sync;
} shapes[] = {
    { "nothing",                         0,             1,            0,           false },
    { "nothing where much was expected", 0,             1,            5 * MIB,     false },
    { "one byte",                        1,             1,            1,           true  },
    { "a block less one",                256 * KIB - 1, 256 * KIB,    0,           false },
    { "a block",                         256 * KIB,     256 * KIB,    256 * KIB,   true  },
    { "a block and one",                 256 * KIB + 1, 256 * KIB + 1, 0,          false },
    { "three blocks at once",            768 * KIB,     768 * KIB,    768 * KIB,   false },
    { "3 MiB in odd pieces",             3 * MIB + 77,  4099,         3 * MIB,     false },
    { "3 MiB in pieces over a block",    3 * MIB + 5,   300001,       9 * MIB,     true  },
    { "3 MiB in whole blocks and rests", 3 * MIB,       513 * KIB,    0,           false },
    { "single bytes",                    4097,          1,            4097,        false },
    { "past a write-back window",        12 * MIB - 3,  700 * KIB,    12 * MIB,    false },
    { "fewer bytes expected",            2 * MIB,       65536,        1 * MIB,     false },
};
/* clang-format on */

static void
is_what_was_written_read_back(void)
{
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        struct pdfpipe_error err;
        struct pp_sink s;
        struct stat st;
        const char *what = shapes[i].what;

        if (!CHECK(!make_sealed(&s, "shape", shapes[i].n, shapes[i].piece,
                                shapes[i].expected, shapes[i].sync, &err),
                   "%s: %s", what, err.message))
            continue;
        CHECK(s.state == PP_SINK_SEALED && s.fd == -1, "%s", what);
        CHECK(s.size == shapes[i].n && s.flushed == s.size, "%s", what);
        CHECK(s.buffer == NULL, "%s: buffer is given back", what);
        CHECK(!stat(s.temp, &st), "%s", what);
        /* What was reserved too much is free again (4 KiB: the last block;
         * 64 KiB: the table of a scattered file). */
        CHECK((uint64_t)st.st_blocks * 512 <= shapes[i].n + 68 * KIB,
              "%s: %jd blocks", what, (intmax_t)st.st_blocks);
        CHECK(!pp_sink_publish(&s, true, &err), "%s: %s", what, err.message);
        CHECK(s.state == PP_SINK_PUBLISHED, "%s", what);
        pp_sink_fini(&s);
        CHECK(scratch_holds("shape", bytes, shapes[i].n), "%s", what);
        CHECK(scratch_count(".", TEMPS) == 0, "%s", what);
    }
    CHECK(!unlink("shape"), "unlink");
}

/* The writer finishes, so that its buffer serves the next file; fsync is for
 * another thread. */
static void
is_the_buffer_free_before_the_file_is_synced(void)
{
    struct pp_sink s;
    struct stat st;

    CHECK(!pp_sink_open(&s, "t", 2 * MIB, buffer, NULL), "open");
    CHECK(!pp_sink_write(&s, bytes, 1000, NULL), "write");
    CHECK(!pp_sink_finish(&s, NULL, NULL), "finish");
    CHECK(s.state == PP_SINK_FINISHED && s.fd >= 0 && !s.buffer, "state");
    memset(buffer, 0, PP_SINK_BUFFER);
    CHECK(!fstat(s.fd, &st) && st.st_size == 1000, "all is written");
    CHECK(!pp_sink_seal(&s, NULL, true, NULL), "seal");
    CHECK(s.state == PP_SINK_SEALED && s.fd == -1, "state");
    CHECK(!pp_sink_publish(&s, false, NULL), "publish");
    pp_sink_fini(&s);
    CHECK(scratch_holds("t", bytes, 1000) && !unlink("t"), "content");
}

static void
is_the_temporary_file_private_and_beside_the_target(void)
{
    struct pp_sink s;
    struct stat st;

    CHECK(!mkdir("side", 0755), "mkdir");
    CHECK(!pp_sink_open(&s, "side/t.pdf", 100, buffer, NULL), "open");
    CHECK(s.state == PP_SINK_OPEN, "state");
    CHECK(strncmp(s.temp, "side/", 5) == 0 && pp_is_temp_name(s.temp + 5), "%s",
          s.temp);
    CHECK(!lstat(s.temp, &st) && (st.st_mode & 07777) == 0600, "mode");
    CHECK(st.st_size == 0, "reserving must not show as length");
    pp_sink_discard(&s);
    CHECK(!rmdir("side"), "something stayed");
}

/* ---- publishing ---- */

static void
is_an_old_target_replaced_only_when_asked(void)
{
    struct pdfpipe_error err;
    struct pp_sink s;

    scratch_put("t", "old", 3);
    CHECK(!make_sealed(&s, "t", 1000, 1000, 0, false, NULL), "make");
    CHECK(pp_sink_publish(&s, false, &err) == PDFPIPE_E_TARGET_EXISTS, "%s",
          err.message);
    CHECK(strstr(err.message, "name t:") != NULL, "%s", err.message);
    CHECK(scratch_holds("t", "old", 3), "touched");
    CHECK(s.state == PP_SINK_SEALED, "may be published otherwise");
    CHECK(!pp_sink_publish(&s, true, NULL), "replace");
    pp_sink_fini(&s);
    CHECK(scratch_holds("t", bytes, 1000), "replaced");
    CHECK(!unlink("t"), "unlink");
}

static void
can_a_taken_name_be_exchanged_for_another(void)
{
    struct pp_sink s;

    scratch_put("t", "old", 3);
    CHECK(!make_sealed(&s, "t", 10, 10, 0, false, NULL), "make");
    CHECK(pp_sink_publish(&s, false, NULL) == PDFPIPE_E_TARGET_EXISTS, "t");
    CHECK(!pp_sink_retarget(&s, "t.1", NULL), "retarget");
    CHECK(!pp_sink_publish(&s, false, NULL), "t.1");
    pp_sink_fini(&s);
    CHECK(scratch_holds("t", "old", 3) && scratch_holds("t.1", bytes, 10),
          "contents");
    CHECK(!unlink("t") && !unlink("t.1"), "unlink");
}

static void
is_a_link_replaced_and_not_followed(void)
{
    struct pp_sink s;
    struct stat st;

    scratch_put("real", "old", 3);
    CHECK(!symlink("real", "link"), "symlink");
    CHECK(!make_sealed(&s, "link", 10, 10, 0, false, NULL), "make");
    CHECK(pp_sink_publish(&s, false, NULL) == PDFPIPE_E_TARGET_EXISTS, "new");
    CHECK(!pp_sink_publish(&s, true, NULL), "replace");
    pp_sink_fini(&s);
    CHECK(!lstat("link", &st) && S_ISREG(st.st_mode), "a file now");
    CHECK(scratch_holds("real", "old", 3), "what it pointed to");
    CHECK(!unlink("link") && !unlink("real"), "unlink");

    /* A dangling one is a name that somebody took. */
    CHECK(!symlink("none", "link"), "symlink");
    CHECK(!make_sealed(&s, "link", 10, 10, 0, false, NULL), "make");
    CHECK(pp_sink_publish(&s, false, NULL) == PDFPIPE_E_TARGET_EXISTS,
          "dangling");
    pp_sink_discard(&s);
    CHECK(!unlink("link") && access("none", F_OK) == -1, "none");
}

static void
is_a_folder_never_replaced(void)
{
    struct pdfpipe_error err;
    struct pp_sink s;

    CHECK(!mkdir("folder", 0755), "mkdir");
    for (int replace = 0; replace <= 1; replace++) {
        CHECK(!make_sealed(&s, "folder", 10, 10, 0, false, NULL), "make");
        CHECK(pp_sink_publish(&s, replace, &err) == PDFPIPE_E_TARGET_EXISTS,
              "replace %d: %s", replace, err.message);
        pp_sink_discard(&s);
    }
    CHECK(!rmdir("folder") && scratch_count(".", TEMPS) == 0, "rmdir");
}

static void
does_the_longest_name_work_and_no_longer_one(void)
{
    struct pdfpipe_error err;
    struct pp_sink s;
    char name[NAME_MAX + 2];

    memset(name, 'n', sizeof name);
    name[NAME_MAX] = '\0';
    CHECK(!make_sealed(&s, name, 10, 10, 0, false, &err), "%s", err.message);
    CHECK(!pp_sink_publish(&s, false, &err), "%s", err.message);
    pp_sink_fini(&s);
    CHECK(!unlink(name), "unlink");

    name[NAME_MAX] = 'n';
    name[NAME_MAX + 1] = '\0';
    CHECK(!make_sealed(&s, name, 10, 10, 0, false, &err), "%s", err.message);
    CHECK(pp_sink_publish(&s, true, &err) == PDFPIPE_E_LIMIT, "%s",
          err.message);
    CHECK(s.state == PP_SINK_FAILED, "state %d", s.state);
    pp_sink_discard(&s);
    CHECK(scratch_count(".", "") == 0, "something stayed");
}

/* A container mounts a single file over a name: it cannot be renamed onto. */
static void
is_a_mount_point_named_as_the_reason(void)
{
    struct pdfpipe_error err;
    struct pp_sink s;

    if (!scratch_tmpfs("mnt", "size=1m")) {
        check_skip("mounting is not permitted");
        return;
    }
    scratch_put("mnt/other", "other", 5);
    scratch_put("pinned", "old", 3);
    if (!CHECK(!mount("mnt/other", "pinned", "none", MS_BIND, NULL), "bind"))
        return;
    CHECK(!make_sealed(&s, "pinned", 10, 10, 0, false, NULL), "make");
    CHECK(pp_sink_publish(&s, true, &err) == PDFPIPE_E_BUSY, "%s", err.message);
    CHECK(strstr(err.message, "mount point") != NULL, "%s", err.message);
    pp_sink_discard(&s);
    CHECK(scratch_holds("pinned", "other", 5), "touched");
    CHECK(!umount2("pinned", MNT_DETACH), "umount");
    CHECK(scratch_holds("pinned", "old", 3), "touched");
    CHECK(scratch_count(".", TEMPS) == 0, "something stayed");
    CHECK(!unlink("pinned"), "unlink");
}

/* ---- discarding ---- */

static void
does_discard_leave_nothing_and_keep_errno(void)
{
    static const struct {
        const char *what;
        unsigned steps; /* of: open, write, finish, seal */
    } rows[] = {
        { "opened", 1 }, { "written", 2 }, { "finished", 3 }, { "sealed", 4 }
    };
    struct pp_sink zero = { 0 };

    scratch_put("t", "old", 3);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_sink s;

        CHECK(!pp_sink_open(&s, "t", MIB, buffer, NULL), "open");
        if (rows[i].steps >= 2)
            CHECK(!pp_sink_write(&s, bytes, MIB + 1, NULL), "write");
        if (rows[i].steps >= 3)
            CHECK(!pp_sink_finish(&s, NULL, NULL), "finish");
        if (rows[i].steps >= 4)
            CHECK(!pp_sink_seal(&s, NULL, false, NULL), "seal");
        CHECK(scratch_count(".", TEMPS) == 1, "%s", rows[i].what);
        errno = EXDEV;
        pp_sink_discard(&s);
        CHECK(errno == EXDEV, "%s: errno %d", rows[i].what, errno);
        CHECK(s.state == PP_SINK_NONE && s.fd == -1 && !s.temp && !s.target,
              "%s", rows[i].what);
        CHECK(scratch_count(".", TEMPS) == 0, "%s", rows[i].what);
        CHECK(scratch_holds("t", "old", 3), "%s", rows[i].what);
        pp_sink_discard(&s); /* harmless */
    }
    pp_sink_discard(&zero);
    CHECK(fcntl(0, F_GETFD) != -1, "an empty sink does not own descriptor 0");
    CHECK(!unlink("t"), "unlink");
}

static void
does_discard_keep_what_was_published(void)
{
    struct pp_sink s;

    CHECK(!make_sealed(&s, "t", 10, 10, 0, false, NULL), "make");
    CHECK(!pp_sink_publish(&s, false, NULL), "publish");
    pp_sink_discard(&s);
    CHECK(scratch_holds("t", bytes, 10) && !unlink("t"), "gone");
}

/* ---- errors of the system ---- */

static void
does_a_full_disk_show_before_writing(void)
{
    struct pdfpipe_error err;
    struct pp_sink s;

    if (!scratch_tmpfs("small", "size=2m")) {
        check_skip("mounting is not permitted");
        return;
    }
    scratch_put("small/t", "old", 3);
    CHECK(pp_sink_open(&s, "small/t", 8 * MIB, buffer, &err) ==
              PDFPIPE_E_NO_SPACE,
          "%s", err.message);
    CHECK(err.sys_errno == ENOSPC && strstr(err.message, "8388608 bytes"), "%s",
          err.message);
    CHECK(s.state == PP_SINK_NONE && s.fd == -1, "state");
    CHECK(scratch_count("small", TEMPS) == 0, "removed at once");
    CHECK(pp_sink_open(&s, "small/t", UINT64_MAX, buffer, &err) ==
              PDFPIPE_E_NO_SPACE,
          "%s", err.message);
    CHECK(scratch_holds("small/t", "old", 3), "touched");
}

static void
does_a_disk_that_fills_up_leave_the_target(void)
{
    struct pdfpipe_error err;
    struct pp_sink s;

    if (access("small/t", F_OK)) {
        check_skip("mounting is not permitted");
        return;
    }
    /* Whatever the size of the pieces: in a write, or in the last flush. */
    for (size_t piece = 1000; piece <= 4 * MIB; piece *= 16) {
        CHECK(make_sealed(&s, "small/t", 4 * MIB, piece, 0, false, &err) ==
                  PDFPIPE_E_NO_SPACE,
              "pieces of %zu: %s", piece, err.message);
        CHECK(scratch_count("small", TEMPS) == 0, "pieces of %zu", piece);
        CHECK(scratch_holds("small/t", "old", 3), "pieces of %zu", piece);
    }
    CHECK(!make_sealed(&s, "small/t", MIB, MIB, MIB, true, &err), "%s",
          err.message);
    CHECK(!pp_sink_publish(&s, true, NULL), "there is room again");
    pp_sink_fini(&s);
}

static void
does_the_last_flush_report_a_full_disk(void)
{
    struct pdfpipe_error err;
    struct pp_sink s;

    if (!scratch_tmpfs("tiny", "size=64k")) {
        check_skip("mounting is not permitted");
        return;
    }
    CHECK(!pp_sink_open(&s, "tiny/t", 0, buffer, NULL), "open");
    CHECK(!pp_sink_write(&s, bytes, 100 * KIB, NULL), "buffered");
    CHECK(pp_sink_seal(&s, NULL, false, &err) == PDFPIPE_E_NO_SPACE, "%s",
          err.message);
    CHECK(s.state == PP_SINK_FAILED, "state %d", s.state);
    pp_sink_discard(&s);
    CHECK(scratch_count("tiny", "") == 0, "something stayed");
}

static void
are_missing_and_closed_folders_told(void)
{
    struct pdfpipe_error err;
    struct pp_sink s;

    CHECK(pp_sink_open(&s, "none/t", 0, buffer, &err) == PDFPIPE_E_NOT_FOUND,
          "%s", err.message);
    scratch_put("file", "x", 1);
    CHECK(pp_sink_open(&s, "file/t", 0, buffer, &err) == PDFPIPE_E_NOT_FOUND,
          "%s", err.message);
    CHECK(!unlink("file"), "unlink");

    if (scratch_tmpfs("inodes", "nr_inodes=1"))
        CHECK(pp_sink_open(&s, "inodes/t", 0, buffer, &err) ==
                  PDFPIPE_E_NO_SPACE,
              "%s", err.message);
    else
        check_skip("mounting is not permitted");
    if (scratch_tmpfs("ro", "ro"))
        CHECK(pp_sink_open(&s, "ro/t", 0, buffer, &err) == PDFPIPE_E_READ_ONLY,
              "%s", err.message);
    else
        check_skip("mounting is not permitted");

    CHECK(!mkdir("closed", 0555), "mkdir");
    if (geteuid() == 0 && seteuid(65534)) {
        check_skip("cannot become another user");
    } else {
        CHECK(pp_sink_open(&s, "closed/t", 0, buffer, &err) ==
                  PDFPIPE_E_PERMISSION,
              "%s", err.message);
        CHECK(getuid() != 0 || !seteuid(0), "seteuid");
    }
    CHECK(!rmdir("closed"), "something stayed");
}

/* A limit of the process, or a file system of small files: EFBIG. */
static void
is_a_file_that_may_not_grow_discarded(void)
{
    struct rlimit was, limit;
    struct pdfpipe_error err;
    struct pp_sink s;

    CHECK(!getrlimit(RLIMIT_FSIZE, &was), "getrlimit");
    CHECK(signal(SIGXFSZ, SIG_IGN) != SIG_ERR, "signal");
    limit = was;
    limit.rlim_cur = 300 * KIB;
    CHECK(!setrlimit(RLIMIT_FSIZE, &limit), "setrlimit");
    /* Reserving ahead is seen by some file systems, writing by all. */
    for (uint64_t expected = 0; expected <= MIB; expected += MIB)
        CHECK(make_sealed(&s, "t", MIB, MIB, expected, false, &err) ==
                  PDFPIPE_E_NO_SPACE,
              "expected %ju: %s", (uintmax_t)expected, err.message);
    CHECK(!setrlimit(RLIMIT_FSIZE, &was), "setrlimit");
    CHECK(signal(SIGXFSZ, SIG_DFL) != SIG_ERR, "signal");
    CHECK(scratch_count(".", TEMPS) == 0, "something stayed");
}

/* ---- metadata ---- */

static void
does_a_new_file_obey_the_umask(void)
{
    static const mode_t masks[] = { 0, 022, 027, 077, 0777 };
    mode_t was = umask(022);

    for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++) {
        struct pp_sink s;
        struct stat st;

        (void)umask(masks[i]);
        CHECK(!make_sealed(&s, "t", 10, 10, 0, false, NULL), "make");
        CHECK(!stat(s.temp, &st), "stat");
        CHECK((st.st_mode & 07777) == (0666 & ~masks[i]), "%03o: %03o",
              masks[i], st.st_mode & 07777);
        CHECK(umask(masks[i]) == masks[i], "the umask is not changed");
        pp_sink_discard(&s);
    }
    (void)umask(was);
}

static void
are_times_and_mode_kept_until_after_the_rename(void)
{
    const struct timespec old[2] = { { 900000000, 1 }, { 1000000000, 7 } };
    struct pp_meta meta;
    struct pp_sink s;
    struct stat st;
    int fd;

    scratch_put("t", "old", 3);
    CHECK(!chmod("t", 0640) && !utimensat(AT_FDCWD, "t", old, 0), "old");
    fd = open("t", O_RDONLY | O_CLOEXEC);
    CHECK(!pp_meta_read(&meta, fd, true, NULL) && !close(fd), "read");
    /* Much is reserved, so that cutting comes before the times are set. */
    CHECK(!pp_sink_open(&s, "t", 3 * MIB, buffer, NULL), "open");
    CHECK(!pp_sink_write(&s, bytes, 300 * KIB, NULL), "write");
    CHECK(!pp_sink_seal(&s, &meta, true, NULL), "seal");
    CHECK(!pp_sink_publish(&s, true, NULL), "publish");
    pp_sink_fini(&s);
    pp_meta_fini(&meta);
    CHECK(!stat("t", &st), "stat");
    CHECK((st.st_mode & 07777) == 0640, "mode %o", st.st_mode);
    CHECK(st.st_mtim.tv_sec == 1000000000 && st.st_mtim.tv_nsec == 7, "mtime");
    CHECK(scratch_holds("t", bytes, 300 * KIB) && !unlink("t"), "content");
}

/* ---- misuse ---- */

static void
write_after_seal(struct pp_sink *s)
{
    (void)pp_sink_write(s, bytes, 1, NULL);
}

static void
finish_after_seal(struct pp_sink *s)
{
    (void)pp_sink_finish(s, NULL, NULL);
}

static void
seal_twice(struct pp_sink *s)
{
    (void)pp_sink_seal(s, NULL, false, NULL);
}

static void
publish_twice(struct pp_sink *s)
{
    (void)pp_sink_publish(s, true, NULL);
    (void)pp_sink_publish(s, true, NULL);
}

static void
publish_after_failure(struct pp_sink *s)
{
    s->state = PP_SINK_FAILED;
    (void)pp_sink_publish(s, true, NULL);
}

static void
does_a_call_out_of_order_stop_the_program(void)
{
    static const struct {
        const char *what;
        void (*call)(struct pp_sink *s);
    } rows[] = {
        { "write after seal", write_after_seal },
        { "finish after seal", finish_after_seal },
        { "seal twice", seal_twice },
        { "publish twice", publish_twice },
        { "publish after a failure", publish_after_failure },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_sink s;
        int status = 0;
        pid_t pid;

        CHECK(!make_sealed(&s, "t", 10, 10, 0, false, NULL), "make");
        (void)fflush(stdout);
        pid = fork();
        if (pid == 0) {
            (void)close(2); /* the message of the assertion */
            rows[i].call(&s);
            _exit(0);
        }
        CHECK(pid > 0 && waitpid(pid, &status, 0) == pid, "fork");
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT,
              "%s: status %d", rows[i].what, status);
        pp_sink_discard(&s);
        (void)unlink("t");
    }
}

static void
run_in(const char *parent)
{
    scratch_enter(parent);
    is_what_was_written_read_back();
    is_the_buffer_free_before_the_file_is_synced();
    is_the_temporary_file_private_and_beside_the_target();
    is_an_old_target_replaced_only_when_asked();
    can_a_taken_name_be_exchanged_for_another();
    is_a_link_replaced_and_not_followed();
    is_a_folder_never_replaced();
    does_the_longest_name_work_and_no_longer_one();
    does_discard_leave_nothing_and_keep_errno();
    does_discard_keep_what_was_published();
    is_a_file_that_may_not_grow_discarded();
    does_a_new_file_obey_the_umask();
    are_times_and_mode_kept_until_after_the_rename();
    scratch_leave();
}

int
main(void)
{
    buffer = aligned_alloc(4096, PP_SINK_BUFFER);
    bytes = malloc(BYTES_N);
    if (!buffer || !bytes)
        return 99;
    fill_bytes();

    run_in(NULL);
    if (access("/dev/shm", W_OK) == 0)
        run_in("/dev/shm"); /* another kind of file system */
    else
        check_skip("no /dev/shm");

    scratch_enter(NULL);
    is_a_mount_point_named_as_the_reason();
    does_a_full_disk_show_before_writing();
    does_a_disk_that_fills_up_leave_the_target();
    does_the_last_flush_report_a_full_disk();
    are_missing_and_closed_folders_told();
    does_a_call_out_of_order_stop_the_program();
    scratch_leave();
    free(bytes);
    free(buffer);
    return check_report("sink");
}
