/*
 * io_fault_test.c - what if a call of source, meta, folder, backup, sync group
 * or sweep fails?
 *
 * (The sink has its own: sink_fault_test.c.)
 */
#include "../fault/faults.c"

#include <time.h>

#include "check.h"
#include "io/backup.h"
#include "io/folder.h"
#include "io/meta.h"
#include "io/sink.h"
#include "io/source.h"
#include "io/sweep.h"
#include "io/syncgroup.h"
#include "scratch.h"

#define TEMPS  ".pdfpipe-"
#define DOC_N  ((size_t)600 * 1000)
#define SAMPLE "user.pdfpipe.sample"

static uint8_t *doc; /* the content of the file "doc" */

static void
arm(const char *spec)
{
    CHECK(faults_arm(spec), "%s", spec);
}

/* ---- source ---- */

/* clang-format off */
static const struct {
    const char *spec;
    enum pdfpipe_status open, read, unchanged;
} sources[] = {
    { "open:1:EIO",                   PDFPIPE_E_READ,       0, 0 },
    { "open:1:EACCES",                PDFPIPE_E_PERMISSION, 0, 0 },
    { "open:1:ELOOP",                 PDFPIPE_E_SYMLINK,    0, 0 },
    { "open:1:ENXIO",                 PDFPIPE_E_READ,       0, 0 },
    { "open:1:EMFILE",                PDFPIPE_E_READ,       0, 0 },
    { "open:1:EBUSY",                 PDFPIPE_E_BUSY,       0, 0 },
    { "fstat:1:EIO",                  PDFPIPE_E_READ,       0, 0 },
    { "posix_fadvise:1:EINVAL",       0, 0,                   0 },
    { "pread:1:short",                0, 0,                   0 },
    { "pread:1+:short",               0, 0,                   0 },
    { "pread:1:EINTR,pread:2:EINTR",  0, 0,                   0 },
    { "pread:1:EIO",                  0, PDFPIPE_E_READ,      0 },
    { "pread:1:short,pread:2:EIO",    0, PDFPIPE_E_READ,      0 },
    { "pread:1:ESTALE",               0, PDFPIPE_E_READ,      0 },
    { "pread:1:zero",                 0, PDFPIPE_E_CHANGED,   0 },
    { "lstat:1:EIO",                  0, 0, PDFPIPE_E_READ       },
    { "lstat:1:EACCES",               0, 0, PDFPIPE_E_PERMISSION },
    { "lstat:1:ENOENT",               0, 0, PDFPIPE_E_CHANGED    },
    { "lstat:1:ENOTDIR",              0, 0, PDFPIPE_E_CHANGED    },
    { "fstat:2:ESTALE",               0, 0, PDFPIPE_E_READ       },
};
/* clang-format on */

static void
does_each_failing_read_give_its_status(void)
{
    uint8_t *got = malloc(DOC_N);

    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
        const char *spec = sources[i].spec;
        struct pdfpipe_error err = { .code = PDFPIPE_OK };
        struct pp_source s;
        enum pdfpipe_status st;

        arm(spec);
        st = pp_source_open(&s, "doc", &err);
        CHECK(st == sources[i].open, "%s: %d %s", spec, st, err.message);
        CHECK((s.fd >= 0) == !st, "%s", spec);
        if (st)
            continue;
        memset(got, 0, DOC_N);
        st = pp_source_read(&s, 0, got, DOC_N, &err);
        CHECK(st == sources[i].read, "%s: %d %s", spec, st, err.message);
        CHECK(st || !memcmp(got, doc, DOC_N), "%s: bytes", spec);
        st = pp_source_unchanged(&s, "doc", &err);
        CHECK(st == sources[i].unchanged, "%s: %d %s", spec, st, err.message);
        pp_source_close(&s);
    }
    arm("");
    free(got);
}

static void
does_a_bad_sector_name_its_offset(void)
{
    struct pdfpipe_error err;
    struct pp_source s;
    uint8_t got[100];

    CHECK(!pp_source_open(&s, "doc", NULL), "open");
    arm("pread:1:short,pread:2:EIO");
    CHECK(pp_source_read(&s, 5000, got, 100, &err) == PDFPIPE_E_READ, "%s",
          err.message);
    CHECK(err.offset == 5050 && err.sys_errno == EIO, "%ju",
          (uintmax_t)err.offset);
    arm("");
    pp_source_close(&s);
}

/* ---- metadata ---- */

/* clang-format off */
static const struct {
    const char *spec;
    enum pdfpipe_status want;
    bool lost;
} metas[] = {
    { "fstat:1:EIO",              PDFPIPE_E_READ,      false },
    { "flistxattr:1:EOPNOTSUPP",  PDFPIPE_OK,          false },
    { "flistxattr:1:ENOSYS",      PDFPIPE_OK,          false },
    { "flistxattr:1:EIO",         PDFPIPE_E_READ,      false },
    { "flistxattr:1:EPERM",       PDFPIPE_OK,          true  },
    { "flistxattr:2:ERANGE",      PDFPIPE_OK,          false },
    { "flistxattr:1+:E2BIG",      PDFPIPE_OK,          true  },
    { "fgetxattr:1:ENODATA",      PDFPIPE_OK,          false },
    { "fgetxattr:2:ERANGE",       PDFPIPE_OK,          false },
    { "fgetxattr:1+:ERANGE",      PDFPIPE_OK,          true  },
    { "fgetxattr:1+:E2BIG",       PDFPIPE_OK,          true  },
    { "fgetxattr:1:EACCES",       PDFPIPE_OK,          true  },
    { "fgetxattr:2:EIO",          PDFPIPE_E_READ,      false },
    { "realloc:1:ENOMEM",         PDFPIPE_E_NO_MEMORY, false },
    { "realloc:2:ENOMEM",         PDFPIPE_E_NO_MEMORY, false },
};
/* clang-format on */

static void
is_an_unreadable_attribute_remembered(void)
{
    int fd = open("doc", O_RDONLY | O_CLOEXEC);

    if (fgetxattr(fd, SAMPLE, NULL, 0) < 0) {
        check_skip("no user attributes here");
        (void)close(fd);
        return;
    }
    for (size_t i = 0; i < sizeof metas / sizeof metas[0]; i++) {
        struct pdfpipe_error err = { .code = PDFPIPE_OK };
        struct pp_meta m;
        enum pdfpipe_status st;

        if (strncmp(metas[i].spec, "realloc", 7) == 0 && !HEAP_IS_OURS)
            continue;
        arm(metas[i].spec);
        st = pp_meta_read(&m, fd, true, &err);
        /* Under a tool that takes malloc over, nothing was refused. */
        if (metas[i].want == PDFPIPE_E_NO_MEMORY && !faults_count("realloc"))
            CHECK(!st, "%s", metas[i].spec);
        else
            CHECK(st == metas[i].want, "%s: %d %s", metas[i].spec, st,
                  err.message);
        CHECK(m.xattr_lost == metas[i].lost, "%s", metas[i].spec);
        CHECK(!st || m.xattrs == NULL, "%s: owns something", metas[i].spec);
        pp_meta_fini(&m);
    }
    arm("");
    CHECK(!close(fd), "close");
}

/* A replacement that would stay open to more than the file it replaces. */
static void
is_a_mode_that_cannot_be_narrowed_an_error(void)
{
    struct pdfpipe_error err;
    struct pp_meta m;
    int fd = open("narrow", O_RDWR | O_CREAT | O_CLOEXEC, 0600);

    CHECK(fd >= 0 && !pp_meta_read(&m, fd, true, NULL), "read");
    m.st.st_mode = S_IFREG | 0640;
    arm("fchmod:1:EPERM");
    CHECK(!pp_meta_apply(&m, fd, &err), "0600 is within 0640");
    CHECK(m.owner_lost, "but told");
    m.st.st_mode = S_IFREG | 0400;
    arm("fchmod:1:EPERM");
    CHECK(pp_meta_apply(&m, fd, &err) == PDFPIPE_E_PERMISSION,
          "0600 is not "
          "within 0400: %s",
          err.message);
    arm("");
    pp_meta_fini(&m);
    CHECK(!close(fd) && !unlink("narrow"), "close");
}

/* The owner is lost, then the group as well. */
static void
are_owner_and_group_tried_apart(void)
{
    static const struct {
        const char *spec;
        mode_t want;
        unsigned long calls;
    } rows[] = {
        { "fchown:1:EPERM", 0664, 2 },
        { "fchown:1:EPERM,fchown:2:EPERM", 0604, 2 },
        { "fchown:1:EINVAL,fchown:2:EINVAL", 0604, 2 },
    };

    if (geteuid() != 0) {
        check_skip("only root can choose the group");
        return;
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_meta m;
        struct stat st;
        int fd = open("own", O_RDWR | O_CREAT | O_CLOEXEC, 0600);

        CHECK(fd >= 0 && !pp_meta_read(&m, fd, true, NULL), "read");
        m.st.st_uid = m.st.st_gid = 65534;
        m.st.st_mode = S_IFREG | S_ISUID | 0664;
        arm(rows[i].spec);
        CHECK(!pp_meta_apply(&m, fd, NULL) && m.owner_lost, "%s", rows[i].spec);
        CHECK(faults_count("fchown") == rows[i].calls, "%s", rows[i].spec);
        arm("");
        CHECK(!fstat(fd, &st) && (st.st_mode & 07777) == rows[i].want, "%s: %o",
              rows[i].spec, st.st_mode);
        pp_meta_fini(&m);
        CHECK(!close(fd) && !unlink("own"), "close");
    }
}

/* ---- folders ---- */

/* clang-format off */
static const struct {
    const char *spec;
    enum pdfpipe_status make, sync;
    bool unsupported;
} folders[] = {
    { "",                    PDFPIPE_OK,           PDFPIPE_OK,          false },
    { "stat:1:EIO",          PDFPIPE_E_WRITE,      PDFPIPE_OK,          false },
    { "mkdir:1:EIO",         PDFPIPE_E_WRITE,      PDFPIPE_OK,          false },
    { "mkdir:2:ENOSPC",      PDFPIPE_E_NO_SPACE,   PDFPIPE_OK,          false },
    { "mkdir:1:EROFS",       PDFPIPE_E_READ_ONLY,  PDFPIPE_OK,          false },
    { "mkdir:1:EACCES",      PDFPIPE_E_PERMISSION, PDFPIPE_OK,          false },
    { "mkdir:1:EEXIST",      PDFPIPE_E_NOT_FOUND,  PDFPIPE_OK,          false },
    { "fsync:1:EIO",         PDFPIPE_E_WRITE,      PDFPIPE_E_WRITE,     false },
    { "fsync:2:EIO",         PDFPIPE_E_WRITE,      PDFPIPE_OK,          false },
    { "fsync:1:ENOSPC",      PDFPIPE_E_NO_SPACE,   PDFPIPE_E_NO_SPACE,  false },
    { "fsync:1+:EINVAL",     PDFPIPE_OK,           PDFPIPE_OK,          true  },
    { "fsync:1+:EOPNOTSUPP", PDFPIPE_OK,           PDFPIPE_OK,          true  },
    { "fsync:1+:ENOSYS",     PDFPIPE_OK,           PDFPIPE_OK,          true  },
    { "open:1+:EACCES",      PDFPIPE_OK,           PDFPIPE_OK,          true  },
    { "open:1:EMFILE",       PDFPIPE_E_WRITE,      PDFPIPE_E_WRITE,     false },
};
/* clang-format on */

static void
does_each_failing_folder_call_give_its_status(void)
{
    unsigned before = scratch_count("/proc/self/fd", "");

    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        const char *spec = folders[i].spec;
        struct pdfpipe_error err = { .code = PDFPIPE_OK };
        enum pdfpipe_status st;
        bool unsupported = false;

        (void)rmdir("n/m");
        (void)rmdir("n");
        arm(spec);
        st = pp_folder_make("n/m/f", &err);
        CHECK(st == folders[i].make, "%s: %d %s", spec, st, err.message);
        arm(spec);
        st = pp_folder_sync("f", &unsupported, &err);
        CHECK(st == folders[i].sync, "%s: %d %s", spec, st, err.message);
        CHECK(unsupported == folders[i].unsupported, "%s", spec);
        arm("");
    }
    CHECK(scratch_count("/proc/self/fd", "") == before, "descriptors");
}

/* ---- backup ---- */

/* clang-format off */
static const struct {
    const char *what, *spec;
    enum pdfpipe_status want;
    bool linked;
} backups[] = {
    { "link",                     "",                              PDFPIPE_OK,           true  },
    { "other file system",        "link:1:EXDEV",                  PDFPIPE_OK,           false },
    { "no links",                 "link:1:EPERM",                  PDFPIPE_OK,           false },
    { "too many links",           "link:1:EMLINK",                 PDFPIPE_OK,           false },
    { "not offered",              "link:1:EOPNOTSUPP",             PDFPIPE_OK,           false },
    { "disk full",                "link:1:ENOSPC",                 PDFPIPE_E_NO_SPACE,   false },
    { "bad disk",                 "link:1:EIO",                    PDFPIPE_E_WRITE,      false },
    { "cannot look",              "lstat:1:EIO",                   PDFPIPE_E_READ,       false },
    { "vanished",                 "lstat:1:ENOENT",                PDFPIPE_E_NOT_FOUND,  false },
    { "folder not synced",        "fsync:1:EIO",                   PDFPIPE_E_WRITE,      false },
    { "folder cannot be synced",  "fsync:1:EINVAL",                PDFPIPE_OK,           true  },
    { "copy: cannot open",        "link:1:EXDEV,open:1:EACCES",    PDFPIPE_E_PERMISSION, false },
    { "copy: no temporary file",  "link:1:EXDEV,open:2:EROFS",     PDFPIPE_E_READ_ONLY,  false },
    { "copy: no room",            "link:1:EXDEV,fallocate:1:ENOSPC", PDFPIPE_E_NO_SPACE, false },
    { "copy: bad source",         "link:1:EXDEV,pread:2:EIO",      PDFPIPE_E_READ,       false },
    { "copy: source cut",         "link:1:EXDEV,pread:3:zero",     PDFPIPE_E_CHANGED,    false },
    { "copy: short reads",        "link:1:EXDEV,pread:1+:short",   PDFPIPE_OK,           false },
    { "copy: disk full",          "link:1:EXDEV,write:2:ENOSPC",   PDFPIPE_E_NO_SPACE,   false },
    { "copy: not on disk",        "link:1:EXDEV,fsync:1:EIO",      PDFPIPE_E_WRITE,      false },
    { "copy: quota at close",     "link:1:EXDEV,close:1:EDQUOT",   PDFPIPE_E_NO_SPACE,   false },
    { "copy: changed meanwhile",  "link:1:EXDEV,lstat:2:ENOENT",   PDFPIPE_E_CHANGED,    false },
    { "copy: rename fails",       "link:1:EXDEV,renameat2:1:EIO",  PDFPIPE_E_WRITE,      false },
    { "copy: folder not synced",  "link:1:EXDEV,fsync:2:EIO",      PDFPIPE_E_WRITE,      false },
};
/* clang-format on */

static void
does_a_failing_backup_leave_nothing(void)
{
    unsigned before = scratch_count("/proc/self/fd", "");

    CHECK(!mkdir("bak", 0755), "mkdir");
    for (size_t i = 0; i < sizeof backups / sizeof backups[0]; i++) {
        const char *what = backups[i].what;
        struct pdfpipe_error err = { .code = PDFPIPE_OK };
        enum pdfpipe_status st;
        char *kept = NULL;
        struct stat sb;

        arm(backups[i].spec);
        st = pp_backup_keep("doc", "bak/doc", &kept, &err);
        arm("");
        CHECK(st == backups[i].want, "%s: %d %s", what, st, err.message);
        CHECK((kept != NULL) == !st, "%s", what);
        CHECK(scratch_count("bak", "") == !st, "%s: %u", what,
              scratch_count("bak", ""));
        CHECK(st || scratch_holds("bak/doc", doc, DOC_N), "%s", what);
        CHECK(!stat("doc", &sb) && sb.st_nlink == (backups[i].linked ? 2u : 1u),
              "%s: links", what);
        CHECK(scratch_holds("doc", doc, DOC_N), "%s: the original", what);
        if (kept)
            pp_backup_drop("doc", kept);
        free(kept);
    }
    CHECK(!rmdir("bak"), "something stayed");
    CHECK(scratch_count("/proc/self/fd", "") == before, "descriptors");
}

static void
does_memory_running_out_leave_no_backup(void)
{
    static const char *const calls[] = { "malloc", "aligned_alloc", "realloc" };

    CHECK(!mkdir("bak", 0755), "mkdir");
    for (size_t c = 0; c < sizeof calls / sizeof calls[0]; c++) {
        bool refused = true;
        unsigned n, survived = 0;

        for (n = 1; refused; n++) {
            char *kept = NULL, spec[64];
            enum pdfpipe_status st;

            (void)snprintf(spec, sizeof spec, "link:1:EXDEV,%s:%u:ENOMEM",
                           calls[c], n);
            arm(spec);
            st = pp_backup_keep("doc", "bak/doc", &kept, NULL);
            refused = faults_count(calls[c]) >= n;
            arm("");
            /* asprintf() survives the refusal of one of its own. */
            CHECK(!st || (refused && st == PDFPIPE_E_NO_MEMORY), "%s: %d", spec,
                  st);
            survived += !st;
            CHECK(scratch_count("bak", "") == !st, "%s", spec);
            if (kept)
                pp_backup_drop("doc", kept);
            free(kept);
        }
        CHECK(survived <= 3, "%s: %u of %u", calls[c], survived, n);
    }
    CHECK(!rmdir("bak"), "something stayed");
}

/* ---- group sync ---- */

static void
does_a_failed_flush_doom_what_was_announced(void)
{
    struct pp_syncgroup *g;
    struct pdfpipe_error err;
    uint64_t done, writing, later;

    CHECK(!pp_syncgroup_new(&g, NULL), "new");
    CHECK(!pp_syncgroup_announce(g, "f", &done, NULL), "announce");
    CHECK(!pp_syncgroup_announce(g, "f", &writing, NULL), "announce");
    arm("syncfs:1:EIO");
    CHECK(pp_syncgroup_flush(g, &err) == PDFPIPE_E_WRITE, "%s", err.message);
    CHECK(err.sys_errno == EIO && strstr(err.message, "file system of ."), "%s",
          err.message);
    arm("");
    CHECK(!pp_syncgroup_announce(g, "f", &later, NULL), "announce");
    /* The kernel has reported the error once: this one succeeds. */
    CHECK(!pp_syncgroup_flush(g, NULL), "second flush");
    CHECK(pp_syncgroup_holds(g, done, &err) == PDFPIPE_E_WRITE, "sealed");
    memset(&err, 0, sizeof err);
    CHECK(pp_syncgroup_holds(g, writing, &err) == PDFPIPE_E_WRITE, "written");
    CHECK(err.code == PDFPIPE_E_WRITE && err.message[0], "reason");
    CHECK(!pp_syncgroup_holds(g, later, &err), "announced afterwards");
    pp_syncgroup_free(g);
}

static void
are_all_file_systems_flushed_after_an_error(void)
{
    static const struct {
        const char *spec;
        enum pdfpipe_status want;
    } rows[] = {
        { "syncfs:1:ENOSPC", PDFPIPE_E_NO_SPACE },
        { "syncfs:2:EIO", PDFPIPE_E_WRITE },
        { "syncfs:1:EDQUOT,syncfs:2:EIO", PDFPIPE_E_NO_SPACE },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_syncgroup *g;
        struct pdfpipe_error err;
        uint64_t ticket;

        CHECK(!pp_syncgroup_new(&g, NULL), "new");
        CHECK(!pp_syncgroup_announce(g, "f", &ticket, NULL), "announce");
        CHECK(!pp_syncgroup_announce(g, "/proc/f", &ticket, NULL), "announce");
        arm(rows[i].spec);
        CHECK(pp_syncgroup_flush(g, &err) == rows[i].want, "%s: %s",
              rows[i].spec, err.message);
        CHECK(faults_count("syncfs") == 2, "%s", rows[i].spec);
        arm("");
        pp_syncgroup_free(g);
    }
}

/* It happens once per document: one look, no descriptor. */
static void
is_a_known_file_system_not_opened_again(void)
{
    struct pp_syncgroup *g;
    uint64_t ticket;

    CHECK(!pp_syncgroup_new(&g, NULL), "new");
    arm("");
    CHECK(!pp_syncgroup_announce(g, "f", &ticket, NULL), "first");
    CHECK(faults_count("open") == 1, "%lu", faults_count("open"));
    CHECK(!pp_syncgroup_announce(g, "f", &ticket, NULL), "second");
    CHECK(faults_count("open") == 1, "%lu", faults_count("open"));
    pp_syncgroup_free(g);
}

/* clang-format off */
static const struct {
    const char *spec;
    enum pdfpipe_status want;
} announcements[] = {
    { "stat:1:EIO",         PDFPIPE_E_WRITE      },
    { "open:1:EMFILE",      PDFPIPE_E_WRITE      },
    { "open:1:EACCES",      PDFPIPE_E_PERMISSION },
    { "fstat:1:EIO",        PDFPIPE_E_WRITE      },
    { "malloc:1:ENOMEM",    PDFPIPE_E_NO_MEMORY  },
    { "realloc:1:ENOMEM",   PDFPIPE_E_NO_MEMORY  },
};
/* clang-format on */

static void
does_a_failed_announcement_leave_the_group_usable(void)
{
    unsigned before = scratch_count("/proc/self/fd", "");

    for (size_t i = 0; i < sizeof announcements / sizeof announcements[0];
         i++) {
        const char *spec = announcements[i].spec;
        struct pdfpipe_error err = { .code = PDFPIPE_OK };
        enum pdfpipe_status st, want = announcements[i].want;
        struct pp_syncgroup *g;
        uint64_t ticket;

        CHECK(!pp_syncgroup_new(&g, NULL), "new");
        arm(spec);
        st = pp_syncgroup_announce(g, "f", &ticket, &err);
        if (want == PDFPIPE_E_NO_MEMORY && !faults_count("malloc"))
            want = PDFPIPE_OK; /* a tool has taken malloc over */
        arm("");
        CHECK(st == want, "%s: %d %s", spec, st, err.message);
        CHECK(!pp_syncgroup_announce(g, "f", &ticket, NULL), "%s", spec);
        CHECK(!pp_syncgroup_flush(g, NULL), "%s", spec);
        pp_syncgroup_free(g);
    }
    CHECK(scratch_count("/proc/self/fd", "") == before, "descriptors");
}

/* ---- sweep ---- */

static void
does_a_failing_sweep_count_only_what_it_removed(void)
{
    time_t later = time(NULL) + 2 * PP_SWEEP_AGE_S;

    scratch_put(".pdfpipe-00000000000000a1.tmp", "x", 1);
    scratch_put(".pdfpipe-00000000000000a2.tmp", "x", 1);
    arm("open:1:EACCES");
    CHECK(pp_sweep(".", later) == 0, "open");
    arm("fstatat:1:EIO");
    CHECK(pp_sweep(".", later) == 1, "fstatat");
    arm("unlink:1:EROFS");
    CHECK(pp_sweep(".", later) == 0, "unlink");
    arm("");
    CHECK(pp_sweep(".", later) == 1, "the rest");
}

int
main(void)
{
    doc = malloc(DOC_N);
    if (!doc)
        return 99;
    for (size_t i = 0; i < DOC_N; i++)
        doc[i] = (uint8_t)(i * 2654435761u >> 24);
    scratch_enter(NULL);
    scratch_put("doc", doc, DOC_N);
    (void)setxattr("doc", SAMPLE, "value", 5, 0); /* looked for later */
    does_each_failing_read_give_its_status();
    does_a_bad_sector_name_its_offset();
    is_an_unreadable_attribute_remembered();
    is_a_mode_that_cannot_be_narrowed_an_error();
    are_owner_and_group_tried_apart();
    does_each_failing_folder_call_give_its_status();
    does_a_failing_backup_leave_nothing();
    does_memory_running_out_leave_no_backup();
    does_a_failed_flush_doom_what_was_announced();
    are_all_file_systems_flushed_after_an_error();
    is_a_known_file_system_not_opened_again();
    does_a_failed_announcement_leave_the_group_usable();
    does_a_failing_sweep_count_only_what_it_removed();
    scratch_leave();
    free(doc);
    return check_report("io_fault");
}
