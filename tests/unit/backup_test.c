/* backup_test.c - is an original kept under a name that nobody had? */
#include "io/backup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "check.h"
#include "scratch.h"

/* A folder on another file system than the scratch folder, or "". */
static char other[64];

static bool
find_other(void)
{
    struct stat here, there;

    if (stat(".", &here) || stat("/dev/shm", &there) ||
        access("/dev/shm", W_OK) || here.st_dev == there.st_dev)
        return false;
    (void)snprintf(other, sizeof other, "/dev/shm/pdfpipe-other-XXXXXX");
    return mkdtemp(other) != NULL;
}

static ino_t
inode_of(const char *name)
{
    struct stat st;

    return stat(name, &st) ? 0 : st.st_ino;
}

static void
is_a_backup_the_same_file(void)
{
    struct pdfpipe_error err;
    char *kept = NULL;

    scratch_put("doc", "one", 3);
    CHECK(!pp_backup_keep("doc", "bak/doc", &kept, &err), "%s", err.message);
    CHECK(kept && strcmp(kept, "bak/doc") == 0, "%s", kept);
    CHECK(inode_of("doc") == inode_of("bak/doc"), "a link costs no bytes");
    free(kept);
    CHECK(!unlink("doc") && scratch_holds("bak/doc", "one", 3), "content");
}

static void
is_an_older_backup_never_replaced(void)
{
    char *kept = NULL;

    scratch_put("doc", "two", 3);
    CHECK(!pp_backup_keep("doc", "bak/doc", &kept, NULL), "second");
    CHECK(kept && strcmp(kept, "bak/doc.1") == 0, "%s", kept);
    free(kept);
    CHECK(!unlink("doc"), "unlink");
    scratch_put("doc", "three", 5);
    CHECK(!pp_backup_keep("doc", "bak/doc", NULL, NULL), "third");
    CHECK(scratch_holds("bak/doc", "one", 3) &&
              scratch_holds("bak/doc.1", "two", 3) &&
              scratch_holds("bak/doc.2", "three", 5),
          "contents");
    CHECK(scratch_count("bak", "") == 3, "%u", scratch_count("bak", ""));
}

/* After a run that was cut short, the next one must not pile up names. */
static void
is_a_backup_found_again(void)
{
    char *kept = NULL;

    CHECK(!pp_backup_keep("doc", "bak/doc", &kept, NULL), "again");
    CHECK(kept && strcmp(kept, "bak/doc.2") == 0, "%s", kept);
    CHECK(scratch_count("bak", "") == 3, "%u", scratch_count("bak", ""));
    if (kept)
        pp_backup_drop("doc", kept);
    free(kept);
    CHECK(scratch_count("bak", "") == 2, "dropped");
    CHECK(scratch_holds("doc", "three", 5), "the file itself stays");
}

/* clang-format off */
static const struct {
    const char *what, *path, *backup;
    enum pdfpipe_status want;
} refusals[] = {
    { "nothing there",        "none",   "bak/n",  PDFPIPE_E_NOT_FOUND   },
    { "symbolic link",        "link",   "bak/n",  PDFPIPE_E_SYMLINK     },
    { "folder",               "bak",    "bak/n",  PDFPIPE_E_NOT_REGULAR },
    { "FIFO",                 "fifo",   "bak/n",  PDFPIPE_E_NOT_REGULAR },
    { "no folder to keep it", "doc",    "none/n", PDFPIPE_E_NOT_FOUND   },
    { "a file as the folder", "doc",    "doc/n",  PDFPIPE_E_NOT_FOUND   },
};
/* clang-format on */

static void
is_only_a_regular_file_kept(void)
{
    CHECK(!symlink("doc", "link") && !mkfifo("fifo", 0600), "make");
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        struct pdfpipe_error err = { .code = PDFPIPE_OK };
        char *kept = (char *)1;

        CHECK(pp_backup_keep(refusals[i].path, refusals[i].backup, &kept,
                             &err) == refusals[i].want,
              "%s: %s", refusals[i].what, err.message);
        CHECK(kept == NULL, "%s", refusals[i].what);
        CHECK(scratch_count("bak", "n") == 0, "%s", refusals[i].what);
    }
}

static void
is_there_an_end_to_the_numbers(const char *folder)
{
    struct pdfpipe_error err;
    char base[96], name[128];

    (void)snprintf(base, sizeof base, "%s/full", folder);
    scratch_put(base, "x", 1);
    for (int i = 1; i < 10000; i++) {
        (void)snprintf(name, sizeof name, "%s.%d", base, i);
        if (!CHECK(!link(base, name), "%s: errno %d", name, errno))
            return;
    }
    CHECK(pp_backup_keep("doc", base, NULL, &err) == PDFPIPE_E_LIMIT, "%s",
          err.message);
    CHECK(strstr(err.message, "10000") != NULL, "%s", err.message);
    CHECK(scratch_count(folder, ".pdfpipe-") == 0, "litter");
    (void)snprintf(name, sizeof name, "%s.9999", base);
    CHECK(!unlink(name), "unlink");
    CHECK(!pp_backup_keep("doc", base, NULL, NULL), "the last one");
    CHECK(scratch_holds(name, "three", 5), "content");
    CHECK(!unlink(base) && !unlink(name), "unlink");
    for (int i = 1; i < 9999; i++) {
        (void)snprintf(name, sizeof name, "%s.%d", base, i);
        (void)unlink(name);
    }
}

/* ---- to another file system ---- */

#define LARGE_N ((size_t)900 * 1000)

static void
is_a_copy_made_where_no_link_can_be(void)
{
    const struct timespec old[2] = { { 900000000, 5 }, { 1000000000, 6 } };
    unsigned char *large = malloc(LARGE_N);
    struct pdfpipe_error err;
    char want[96], *kept = NULL;
    struct stat st;
    bool attribute;

    for (size_t i = 0; i < LARGE_N; i++)
        large[i] = (unsigned char)(i * 2654435761u >> 24);
    scratch_put("big", large, LARGE_N);
    CHECK(!chmod("big", 0640), "chmod");
    attribute = !setxattr("big", "user.k", "kept", 4, 0);
    CHECK(geteuid() != 0 || !chown("big", 65534, 65534), "chown");
    CHECK(!utimensat(AT_FDCWD, "big", old, 0), "utimensat");

    (void)snprintf(want, sizeof want, "%s/big", other);
    CHECK(!pp_backup_keep("big", want, &kept, &err), "%s", err.message);
    CHECK(kept && strcmp(kept, want) == 0, "%s", kept);
    free(kept);
    CHECK(scratch_holds(want, large, LARGE_N), "content");
    CHECK(!stat(want, &st), "stat");
    CHECK((st.st_mode & 07777) == 0640, "mode %o", st.st_mode);
    CHECK(st.st_mtim.tv_sec == 1000000000 && st.st_mtim.tv_nsec == 6, "mtime");
    CHECK(geteuid() != 0 || st.st_uid == 65534, "owner %u", st.st_uid);
    CHECK(!attribute || getxattr(want, "user.k", NULL, 0) == 4 ||
              errno == EOPNOTSUPP,
          "attribute");
    CHECK(scratch_count(other, ".pdfpipe-") == 0, "litter");
    free(large);
}

static void
are_copies_numbered_too(void)
{
    char want[96], *kept = NULL;

    scratch_put("big", "second", 6);
    (void)snprintf(want, sizeof want, "%s/big", other);
    CHECK(!pp_backup_keep("big", want, &kept, NULL), "second");
    (void)snprintf(want, sizeof want, "%s/big.1", other);
    CHECK(kept && strcmp(kept, want) == 0, "%s", kept);
    CHECK(scratch_holds(want, "second", 6), "content");
    if (kept)
        pp_backup_drop("big", kept);
    free(kept);
    CHECK(access(want, F_OK) && scratch_holds("big", "second", 6), "dropped");

    scratch_put("empty", "", 0);
    (void)snprintf(want, sizeof want, "%s/empty", other);
    CHECK(!pp_backup_keep("empty", want, NULL, NULL), "empty");
    CHECK(scratch_holds(want, "", 0), "empty");
}

static void
does_a_full_disk_leave_no_half_copy(void)
{
    struct pdfpipe_error err;
    char *kept = NULL;

    if (!scratch_tmpfs("small", "size=64k")) {
        check_skip("mounting is not permitted");
        return;
    }
    CHECK(!truncate("big", (off_t)LARGE_N), "truncate");
    CHECK(pp_backup_keep("big", "small/big", &kept, &err) == PDFPIPE_E_NO_SPACE,
          "%s", err.message);
    CHECK(kept == NULL && scratch_count("small", "") == 0, "something stayed");
}

/* A backup folder may be the folder of the file, by whatever name. */
static void
is_a_file_never_its_own_backup(void)
{
    char *kept = NULL;

    scratch_put("own", "own", 3);
    CHECK(!link("own", "other-name"), "link"); /* two names: still not this */
    CHECK(!pp_backup_keep("own", "./bak/../own", &kept, NULL), "keep");
    CHECK(kept && strcmp(kept, "./bak/../own.1") == 0, "%s", kept);
    if (kept)
        pp_backup_drop("own", kept);
    free(kept);
    CHECK(access("own.1", F_OK) && scratch_holds("own", "own", 3), "dropped");
    pp_backup_drop("own", "bak/../own");
    CHECK(scratch_holds("own", "own", 3), "the last to be dropped is the file");
    CHECK(!unlink("other-name"), "unlink");
    pp_backup_drop("gone", "own");
    CHECK(scratch_holds("own", "own", 3), "it is nowhere else");
    CHECK(!unlink("own"), "unlink");
}

int
main(void)
{
    scratch_enter(NULL);
    CHECK(!mkdir("bak", 0755), "mkdir");
    is_a_backup_the_same_file();
    is_an_older_backup_never_replaced();
    is_a_backup_found_again();
    is_only_a_regular_file_kept();
    is_a_file_never_its_own_backup();
    is_there_an_end_to_the_numbers("bak");
    if (find_other()) {
        char command[128];

        is_a_copy_made_where_no_link_can_be();
        are_copies_numbered_too();
        is_there_an_end_to_the_numbers(other);
        (void)snprintf(command, sizeof command, "rm -r '%s'", other);
        CHECK(!system(command), "%s", command);
    } else {
        check_skip("no second file system");
    }
    does_a_full_disk_leave_no_half_copy();
    scratch_leave();
    return check_report("backup");
}
