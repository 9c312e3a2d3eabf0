/* meta_test.c - is a replaced file what it was, and never more open? */
#include "io/meta.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "check.h"
#include "scratch.h"

#define ACL    "system.posix_acl_access"
#define NOBODY 65534u

/* Opens a fresh file "new", as a sink makes it. */
static int
fresh(void)
{
    int fd;

    (void)unlink("new");
    fd = open("new", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    CHECK(fd >= 0, "errno %d", errno);
    return fd;
}

/* Reads the metadata of "old", applies it to a fresh "new". */
static enum pdfpipe_status
carry_over(struct pp_meta *m, bool replace, struct pdfpipe_error *err)
{
    int from = open("old", O_RDONLY | O_CLOEXEC), to = fresh();
    enum pdfpipe_status st = pp_meta_read(m, from, replace, err);

    if (!st)
        st = pp_meta_apply(m, to, err);
    CHECK(!close(from) && !close(to), "close");
    return st;
}

static mode_t
mode_of(const char *name)
{
    struct stat st;

    return stat(name, &st) ? 0 : st.st_mode & 07777;
}

/* ---- mode and times ---- */

static void
is_the_mode_of_a_replaced_file_kept(void)
{
    static const mode_t modes[] = {
        0600, 0640, 0644, 0664, 0666,  0400,  0444,
        0755, 0700, 0604, 0,    04755, 02750, 01644
    };

    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        struct pdfpipe_error err;
        struct pp_meta m;
        int from;

        scratch_put("old", "x", 1);
        from = open("old", O_RDONLY | O_CLOEXEC);
        CHECK(!chmod("old", modes[i]), "chmod");
        CHECK(!pp_meta_read(&m, from, true, NULL), "%o", modes[i]);
        CHECK(!close(from), "close");
        from = fresh();
        CHECK(!pp_meta_apply(&m, from, &err), "%o: %s", modes[i], err.message);
        CHECK(!close(from), "close");
        CHECK(mode_of("new") == modes[i], "%o: %o", modes[i], mode_of("new"));
        CHECK(!m.owner_lost && !m.xattr_lost && !m.times_lost, "%o", modes[i]);
        pp_meta_fini(&m);
        CHECK(!unlink("old"), "unlink");
    }
}

/* clang-format off */
static const struct {
    mode_t source, mask, want;
} new_modes[] = {
    { 0644,  022, 0644 },
    { 0666,  022, 0644 },
    { 0600,  022, 0600 },
    { 0640,  077, 0600 },
    { 0444,  022, 0444 },
    { 04755, 022, 0755 }, /* a new file is nobody's program */
    { 0666,  0,   0666 },
};
/* clang-format on */

static void
does_a_new_file_take_mode_and_umask_only(void)
{
    const struct timespec old[2] = { { 900000000, 0 }, { 900000000, 0 } };
    mode_t was = umask(022);

    for (size_t i = 0; i < sizeof new_modes / sizeof new_modes[0]; i++) {
        struct pp_meta m;
        struct stat st;

        scratch_put("old", "x", 1);
        CHECK(!utimensat(AT_FDCWD, "old", old, 0), "utimensat");
        if (setxattr("old", "user.a", "x", 1, 0))
            CHECK(errno == EOPNOTSUPP, "errno %d", errno);
        if (geteuid() == 0)
            CHECK(!chown("old", NOBODY, NOBODY), "chown");
        CHECK(!chmod("old", new_modes[i].source), "chmod");
        (void)umask(new_modes[i].mask);
        CHECK(!carry_over(&m, false, NULL), "%zu", i);
        CHECK(umask(new_modes[i].mask) == new_modes[i].mask, "umask changed");
        CHECK(!m.xattrs && !m.owner_lost && !m.xattr_lost, "%zu", i);
        pp_meta_fini(&m);
        CHECK(!stat("new", &st), "stat");
        CHECK((st.st_mode & 07777) == new_modes[i].want, "%zu: %o", i,
              st.st_mode);
        CHECK(st.st_uid == geteuid() && st.st_gid == getegid(), "%zu", i);
        CHECK(st.st_mtim.tv_sec > 900000000, "%zu: a new file is new", i);
        CHECK(getxattr("new", "user.a", NULL, 0) < 0, "%zu", i);
        CHECK(!unlink("old"), "unlink");
    }
    (void)umask(was);
}

static void
are_times_kept_to_the_nanosecond(void)
{
    const struct timespec old[2] = { { 900000000, 123456789 },
                                     { 1000000000, 987654321 } };
    struct pp_meta m;
    struct stat st;

    scratch_put("old", "x", 1);
    CHECK(!utimensat(AT_FDCWD, "old", old, 0), "utimensat");
    CHECK(!carry_over(&m, true, NULL), "carry");
    pp_meta_fini(&m);
    CHECK(!stat("new", &st), "stat");
    CHECK(st.st_mtim.tv_sec == 1000000000 && st.st_mtim.tv_nsec == 987654321,
          "mtime");
    CHECK(st.st_atim.tv_sec == 900000000 && st.st_atim.tv_nsec == 123456789,
          "atime");
    CHECK(!unlink("old"), "unlink");
}

/* ---- owner ---- */

static void
are_owner_and_group_kept_by_root(void)
{
    struct pp_meta m;
    struct stat st;

    if (geteuid() != 0) {
        check_skip("only root can give a file away");
        return;
    }
    scratch_put("old", "x", 1);
    CHECK(!chown("old", NOBODY, NOBODY) && !chmod("old", 06750), "old");
    CHECK(!carry_over(&m, true, NULL), "carry");
    pp_meta_fini(&m);
    CHECK(!stat("new", &st), "stat");
    CHECK(st.st_uid == NOBODY && st.st_gid == NOBODY, "%u:%u", st.st_uid,
          st.st_gid);
    CHECK((st.st_mode & 07777) == 06750, "chown clears set-id bits: %o",
          st.st_mode);
    CHECK(!m.owner_lost, "lost");
    CHECK(!unlink("old"), "unlink");
}

/* clang-format off */
static const struct {
    const char *what;
    mode_t source;
    bool group_kept;
    mode_t want;
} strangers[] = {
    { "group kept",              0640,  true,  0640 },
    { "set-id with group kept",  06755, true,  0755 },
    { "group lost",              0640,  false, 0600 },
    { "all may read",            0644,  false, 0604 },
    { "all may write",           0666,  false, 0606 },
    { "group may write only it", 0664,  false, 0604 },
    { "group shut out",          0604,  false, 0600 },
    { "set-id",                  04755, false, 0705 },
};
/* clang-format on */

/* In a child without privileges: what root's file becomes. */
static int
apply_as_stranger(size_t i, int from)
{
    struct pp_meta m;
    struct stat st;
    bool good;
    int fd;

    if (setregid(NOBODY, NOBODY) || setreuid(NOBODY, NOBODY))
        return 2;
    fd = open("own/new", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0 || pp_meta_read(&m, from, true, NULL))
        return 3;
    if (pp_meta_apply(&m, fd, NULL) || fstat(fd, &st))
        return 4;
    good = m.owner_lost && st.st_uid == NOBODY;
    if (strangers[i].want != (st.st_mode & 07777)) {
        printf("%s: mode %o\n", strangers[i].what, st.st_mode & 07777);
        (void)fflush(stdout);
        return 5;
    }
    pp_meta_fini(&m);
    return good ? 0 : 6;
}

static void
does_a_stranger_never_open_a_file_wider(void)
{
    if (geteuid() != 0) {
        check_skip("only root can become another user");
        return;
    }
    CHECK(!mkdir("own", 0777) && !chmod("own", 0777), "mkdir");
    for (size_t i = 0; i < sizeof strangers / sizeof strangers[0]; i++) {
        int status = 0, from;
        pid_t pid;

        scratch_put("old", "x", 1);
        CHECK(!chown("old", 0, strangers[i].group_kept ? NOBODY : 0), "chown");
        CHECK(!chmod("old", strangers[i].source), "chmod");
        from = open("old", O_RDONLY | O_CLOEXEC);
        (void)fflush(stdout);
        pid = fork();
        if (pid == 0)
            _exit(apply_as_stranger(i, from));
        CHECK(pid > 0 && waitpid(pid, &status, 0) == pid, "fork");
        CHECK(status == 0, "%s: %d", strangers[i].what, WEXITSTATUS(status));
        CHECK(!close(from) && !unlink("own/new") && !unlink("old"), "clean");
    }
    CHECK(!rmdir("own"), "rmdir");
}

/* ---- extended attributes ---- */

static bool
has(const char *file, const char *name, const void *value, size_t n)
{
    char got[4096];
    ssize_t len = getxattr(file, name, got, sizeof got);

    return len == (ssize_t)n && !memcmp(got, value, n);
}

static void
are_attributes_kept_byte_for_byte(void)
{
    static const char binary[] = "with\0zero\xff bytes";
    char large[2000];
    struct pp_meta m;

    memset(large, 'L', sizeof large);
    scratch_put("old", "x", 1);
    if (setxattr("old", "user.binary", binary, sizeof binary, 0)) {
        CHECK(errno == EOPNOTSUPP, "errno %d", errno);
        check_skip("no user attributes on %s", scratch_name());
        return;
    }
    CHECK(!setxattr("old", "user.empty", "", 0, 0), "empty");
    CHECK(!setxattr("old", "user.large", large, sizeof large, 0), "large");
    if (geteuid() == 0)
        CHECK(!setxattr("old", "trusted.t", "t", 1, 0), "trusted");
    CHECK(!carry_over(&m, true, NULL), "carry");
    CHECK(!m.xattr_lost, "lost");
    pp_meta_fini(&m);
    CHECK(m.xattrs == NULL, "fini");
    CHECK(has("new", "user.binary", binary, sizeof binary), "binary");
    CHECK(has("new", "user.empty", "", 0), "empty");
    CHECK(has("new", "user.large", large, sizeof large), "large");
    CHECK(geteuid() != 0 || has("new", "trusted.t", "t", 1), "trusted");
    CHECK(!unlink("old"), "unlink");
}

/* 1 MiB is kept; the rest is told, not allocated. */
static void
is_a_flood_of_attributes_bounded(void)
{
    static char value[60000];
    char name[32];
    struct pp_meta m;
    int set = 0;

    memset(value, 'v', sizeof value);
    scratch_put("old", "x", 1);
    while (set < 20) {
        (void)snprintf(name, sizeof name, "trusted.%d", set);
        if (setxattr("old", name, value, sizeof value, 0))
            break;
        set++;
    }
    if (set < 20) {
        check_skip("no room for 1.2 MB of attributes on %s", scratch_name());
    } else {
        int fd = open("old", O_RDONLY | O_CLOEXEC);

        CHECK(!pp_meta_read(&m, fd, true, NULL) && !close(fd), "read");
        CHECK(m.xattr_lost && !m.acl_lost, "told");
        CHECK(m.xattrs_len <= 1024 * 1024 && m.xattrs_len > 900 * 1024, "%zu",
              m.xattrs_len);
        pp_meta_fini(&m);
    }
    CHECK(!unlink("old"), "unlink");
}

/* ---- ACL ---- */

/* An access or default ACL as the kernel takes it: version 2, then entries of
 * tag, permissions and id, little-endian. */
static size_t
make_acl(unsigned char *p, unsigned group, unsigned named, unsigned mask)
{
    const unsigned entries[5][3] = {
        { 0x01, 6, ~0u },        /* owner       */
        { 0x02, named, NOBODY }, /* user nobody */
        { 0x04, group, ~0u },    /* group       */
        { 0x10, mask, ~0u },     /* mask        */
        { 0x20, 0, ~0u },        /* others      */
    };
    size_t n = 0;

    memcpy(p, "\2\0\0\0", 4);
    n = 4;
    for (int i = 0; i < 5; i++) {
        p[n++] = (unsigned char)entries[i][0];
        p[n++] = 0;
        p[n++] = (unsigned char)entries[i][1];
        p[n++] = 0;
        for (int k = 0; k < 4; k++)
            p[n++] = (unsigned char)(entries[i][2] >> (8 * k));
    }
    return n;
}

/* False: this file system has no ACLs; said once per file system. */
static bool
set_acl(const char *file, const char *name, unsigned group, unsigned named,
        unsigned mask)
{
    unsigned char acl[44];
    size_t n = make_acl(acl, group, named, mask);

    if (!setxattr(file, name, acl, n, 0))
        return true;
    CHECK(errno == EOPNOTSUPP, "errno %d", errno);
    check_skip("no ACLs on %s", scratch_name());
    return false;
}

static void
is_the_acl_kept_with_its_mask(void)
{
    unsigned char acl[44];
    size_t n = make_acl(acl, 0, 6, 6);
    struct pp_meta m;

    scratch_put("old", "x", 1);
    if (!set_acl("old", ACL, 0, 6, 6))
        return;
    CHECK(mode_of("old") == 0660, "the group bits show the mask");
    CHECK(!carry_over(&m, true, NULL) && !m.xattr_lost, "carry");
    pp_meta_fini(&m);
    CHECK(has("new", ACL, acl, n), "ACL");
    CHECK(mode_of("new") == 0660, "mode %o", mode_of("new"));
    CHECK(!unlink("old"), "unlink");
}

/* The folder hands its default ACL to every new file in it; a replaced file
 * must not become readable for those whom the old one did not know. */
static void
is_an_inherited_acl_taken_away(void)
{
    struct pp_meta m;
    int from, to;

    CHECK(!mkdir("d", 0755), "mkdir");
    scratch_put("d/old", "x", 1); /* before there is a default ACL */
    CHECK(!chmod("d/old", 0640), "chmod");
    if (!set_acl("d", "system.posix_acl_default", 5, 7, 7)) {
        CHECK(!unlink("d/old") && !rmdir("d"), "clean");
        return;
    }
    from = open("d/old", O_RDONLY | O_CLOEXEC);
    to = open("d/new", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    CHECK(fgetxattr(to, ACL, NULL, 0) > 0, "inherited");
    CHECK(!pp_meta_read(&m, from, true, NULL), "read");
    CHECK(!pp_meta_apply(&m, to, NULL) && !m.xattr_lost, "apply");
    CHECK(fgetxattr(to, ACL, NULL, 0) < 0 && errno == ENODATA, "taken away");
    CHECK(mode_of("d/new") == 0640, "mode %o", mode_of("d/new"));
    pp_meta_fini(&m);
    CHECK(!close(from) && !close(to), "close");
    CHECK(!unlink("d/old") && !unlink("d/new") && !rmdir("d"), "clean");
}

/* An ACL that shuts the group out while its mask lets others in: without the
 * ACL, the group bits of st_mode would be the mask. */
static void
does_a_lost_acl_close_the_file(void)
{
    struct pp_meta m;
    int from, to;

    scratch_put("old", "x", 1);
    if (!set_acl("old", ACL, 0, 6, 6))
        return;
    from = open("old", O_RDONLY | O_CLOEXEC);
    CHECK(!pp_meta_read(&m, from, true, NULL) && !close(from), "read");
    m.acl_lost = true;
    m.xattrs_len = 0;
    to = fresh();
    CHECK(!pp_meta_apply(&m, to, NULL) && !close(to), "apply");
    CHECK(mode_of("new") == 0600, "mode %o", mode_of("new"));
    pp_meta_fini(&m);
    CHECK(!unlink("old"), "unlink");
}

static int
apply_acl_as_stranger(int from)
{
    struct pp_meta m;
    struct stat st;
    int fd;

    if (setregid(NOBODY, NOBODY) || setreuid(NOBODY, NOBODY))
        return 2;
    fd = open("own/new", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0 || pp_meta_read(&m, from, true, NULL))
        return 3;
    if (pp_meta_apply(&m, fd, NULL) || fstat(fd, &st))
        return 4;
    if (!m.owner_lost || !m.xattr_lost || !m.acl_lost)
        return 5;
    if (fgetxattr(fd, ACL, NULL, 0) >= 0 || (st.st_mode & 07777) != 0600)
        return 6;
    pp_meta_fini(&m);
    return 0;
}

/* "The group" of an ACL is the group of the file: with another one it would
 * speak of other people. */
static void
is_an_acl_not_given_to_another_group(void)
{
    int status = 0, from;
    pid_t pid;

    if (geteuid() != 0) {
        check_skip("only root can become another user");
        return;
    }
    scratch_put("old", "x", 1);
    if (!set_acl("old", ACL, 6, 0, 6))
        return;
    CHECK(!mkdir("own", 0777) && !chmod("own", 0777), "mkdir");
    from = open("old", O_RDONLY | O_CLOEXEC);
    (void)fflush(stdout);
    pid = fork();
    if (pid == 0)
        _exit(apply_acl_as_stranger(from));
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid, "fork");
    CHECK(status == 0, "%d", WEXITSTATUS(status));
    CHECK(!close(from) && !unlink("old") && !unlink("own/new"), "clean");
    CHECK(!rmdir("own"), "rmdir");
}

static void
run_in(const char *parent)
{
    scratch_enter(parent);
    /* Children without privileges have to get in. */
    CHECK(!chmod(".", 0711), "chmod");
    is_the_mode_of_a_replaced_file_kept();
    does_a_new_file_take_mode_and_umask_only();
    are_times_kept_to_the_nanosecond();
    are_owner_and_group_kept_by_root();
    does_a_stranger_never_open_a_file_wider();
    are_attributes_kept_byte_for_byte();
    is_a_flood_of_attributes_bounded();
    is_the_acl_kept_with_its_mask();
    is_an_inherited_acl_taken_away();
    does_a_lost_acl_close_the_file();
    is_an_acl_not_given_to_another_group();
    scratch_leave();
}

int
main(void)
{
    run_in(NULL);
    if (access("/dev/shm", W_OK) == 0)
        run_in("/dev/shm");
    else
        check_skip("no /dev/shm");
    return check_report("meta");
}
