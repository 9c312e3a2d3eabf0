/* source_test.c - is only a regular file read, and is every change noticed? */
#include "io/source.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "check.h"
#include "scratch.h"

static const char text[] = "0123456789";
#define TEXT_N ((size_t)10)

static void
make_socket(const char *name)
{
    struct sockaddr_un a = { .sun_family = AF_UNIX };
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    (void)snprintf(a.sun_path, sizeof a.sun_path, "%s", name);
    CHECK(fd >= 0 && !bind(fd, (struct sockaddr *)&a, sizeof a), "%s", name);
    (void)close(fd); /* the name stays */
}

/* clang-format off */
static const struct {
    const char *what;
    const char *path;
    enum pdfpipe_status want;
    const char *says;         /* part of the message */
} openings[] = {
    { "regular file",           "file",        PDFPIPE_OK,               "" },
    { "through a linked folder", "tofolder/in", PDFPIPE_OK,              "" },
    { "empty file",             "empty",       PDFPIPE_OK,               "" },
    { "nothing there",          "none",        PDFPIPE_E_NOT_FOUND,      "none" },
    { "file as a folder",       "file/x",      PDFPIPE_E_NOT_FOUND,      "file/x" },
    { "FIFO without writer",    "fifo",        PDFPIPE_E_NOT_REGULAR,    "a FIFO" },
    { "socket",                 "socket",      PDFPIPE_E_NOT_REGULAR,    "a socket" },
    { "folder",                 "folder",      PDFPIPE_E_NOT_REGULAR,    "a folder" },
    { "device",                 "/dev/null",   PDFPIPE_E_NOT_REGULAR,    "a device" },
    { "symbolic link",          "tofile",      PDFPIPE_E_SYMLINK,        "a symbolic link" },
    { "dangling link",          "tonone",      PDFPIPE_E_SYMLINK,        "a symbolic link" },
    { "link to a folder",       "tofolder",    PDFPIPE_E_SYMLINK,        "a symbolic link" },
    { "loop of links on the way", "loop/x",    PDFPIPE_E_SYMLINK,        "loop/x" },
};
/* clang-format on */

static void
is_only_a_regular_file_opened(void)
{
    scratch_put("file", text, TEXT_N);
    scratch_put("empty", text, 0);
    CHECK(!mkdir("folder", 0755), "mkdir");
    scratch_put("folder/in", text, TEXT_N);
    CHECK(!mkfifo("fifo", 0644), "mkfifo");
    make_socket("socket");
    CHECK(!symlink("file", "tofile") && !symlink("none", "tonone") &&
              !symlink("folder", "tofolder") && !symlink("loop", "loop"),
          "symlink");
    for (size_t i = 0; i < sizeof openings / sizeof openings[0]; i++) {
        struct pdfpipe_error err = { .code = PDFPIPE_OK };
        struct pp_source s;
        enum pdfpipe_status st = pp_source_open(&s, openings[i].path, &err);

        CHECK(st == openings[i].want, "%s: %d %s", openings[i].what, st,
              err.message);
        CHECK(err.code == st, "%s", openings[i].what);
        CHECK(strstr(err.message, openings[i].says) != NULL, "%s: %s",
              openings[i].what, err.message);
        CHECK((s.fd >= 0) == !st, "%s: fd %d", openings[i].what, s.fd);
        pp_source_close(&s);
        pp_source_close(&s); /* harmless */
    }
}

static void
is_a_name_that_cannot_be_no_reason_to_retry(void)
{
    struct pdfpipe_error err;
    struct pp_source s;
    char name[NAME_MAX + 2];

    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    CHECK(pp_source_open(&s, name, &err) == PDFPIPE_E_LIMIT, "%s", err.message);
    CHECK(err.sys_errno == ENAMETOOLONG, "%d", err.sys_errno);
    CHECK(strstr(err.message, "too long") != NULL, "no room for the reason: %s",
          err.message);
}

static void
is_an_unreadable_file_told(void)
{
    struct pdfpipe_error err;
    struct pp_source s;
    bool root = geteuid() == 0;

    scratch_put("secret", text, TEXT_N);
    CHECK(!chmod("secret", 0), "chmod");
    if (root && seteuid(65534)) {
        check_skip("cannot become another user");
        return;
    }
    CHECK(pp_source_open(&s, "secret", &err) == PDFPIPE_E_PERMISSION, "%s",
          err.message);
    CHECK(!root || !seteuid(0), "seteuid");
}

/* clang-format off */
static const struct {
    const char *what;
    uint64_t offset;
    size_t n;
} reads[] = {
    { "everything",        0,  10 },
    { "the first byte",    0,  1  },
    { "the middle",        3,  4  },
    { "the last byte",     9,  1  },
    { "nothing",           4,  0  },
    { "nothing, at the end", 10, 0 },
};
/* clang-format on */

static void
are_exactly_the_bytes_read(void)
{
    struct pp_source s;
    struct pp_input in;

    CHECK(!pp_source_open(&s, "file", NULL), "open");
    in = pp_source_input(&s);
    CHECK(s.size == TEXT_N && in.size == TEXT_N, "size");
    for (size_t i = 0; i < sizeof reads / sizeof reads[0]; i++) {
        size_t n = reads[i].n;
        char got[12];

        memset(got, '#', sizeof got);
        CHECK(!pp_source_read(&s, reads[i].offset, got, n, NULL), "%s",
              reads[i].what);
        CHECK(!memcmp(got, text + reads[i].offset, n) && got[n] == '#', "%s",
              reads[i].what);
        memset(got, '#', sizeof got);
        CHECK(!in.read(in.self, reads[i].offset, got, n, NULL), "%s",
              reads[i].what);
        CHECK(!memcmp(got, text + reads[i].offset, n) && got[n] == '#', "%s",
              reads[i].what);
    }
    pp_source_close(&s);
}

static void
is_a_file_that_was_cut_told_from_a_bad_disk(void)
{
    struct pdfpipe_error err;
    struct pp_source s;
    char got[TEXT_N];

    scratch_put("cut", text, TEXT_N);
    CHECK(!pp_source_open(&s, "cut", NULL), "open");
    CHECK(!truncate("cut", 7), "truncate");
    CHECK(!pp_source_read(&s, 0, got, 7, NULL), "what is left");
    CHECK(pp_source_read(&s, 2, got, 8, &err) == PDFPIPE_E_CHANGED, "%s",
          err.message);
    CHECK(err.offset == 7, "offset %ju", (uintmax_t)err.offset);
    CHECK(strstr(err.message, "shorter while it was read") != NULL, "%s",
          err.message);
    CHECK(pp_source_read(&s, 9, got, 1, NULL) == PDFPIPE_E_CHANGED, "no err");
    pp_source_close(&s);
}

/* ---- changes ---- */

static void
change_nothing(void)
{
}

static void
change_size(void)
{
    CHECK(!truncate("c", 11), "truncate");
}

/* The mtime was set to 2001, so writing now changes it on any clock. */
static void
change_content(void)
{
    int fd = open("c", O_WRONLY | O_CLOEXEC);

    CHECK(fd >= 0 && write(fd, "X", 1) == 1 && !close(fd), "write");
}

/* The clock of a file system may stand still for some milliseconds. */
static void
change_attributes(void)
{
    struct stat before, now;

    CHECK(!lstat("c", &before), "lstat");
    do {
        CHECK(!chmod("c", 0600) && !lstat("c", &now), "chmod");
    } while (now.st_ctim.tv_sec == before.st_ctim.tv_sec &&
             now.st_ctim.tv_nsec == before.st_ctim.tv_nsec);
}

static void
change_file(void)
{
    scratch_put("c2", text, TEXT_N);
    CHECK(!rename("c2", "c"), "rename");
}

static void
change_to_link(void)
{
    CHECK(!rename("c", "c3") && !symlink("c3", "c"), "symlink");
}

static void
change_to_none(void)
{
    CHECK(!unlink("c"), "unlink");
}

/* clang-format off */
static const struct {
    const char *what;
    void (*change)(void);
    enum pdfpipe_status want;
    const char *says;
} changes[] = {
    { "nothing",           change_nothing,    PDFPIPE_OK,        "" },
    { "longer",            change_size,       PDFPIPE_E_CHANGED, "size changed from 10 to 11" },
    { "written to",        change_content,    PDFPIPE_E_CHANGED, "modified" },
    { "other attributes",  change_attributes, PDFPIPE_E_CHANGED, "attributes changed" },
    { "another file",      change_file,       PDFPIPE_E_CHANGED, "another file" },
    { "a link to itself",  change_to_link,    PDFPIPE_E_CHANGED, "another file" },
    { "gone",              change_to_none,    PDFPIPE_E_CHANGED, "vanished" },
};
/* clang-format on */

static void
try_change(size_t i, bool close_first)
{
    const struct timespec old[2] = { { 1000000000, 0 }, { 1000000000, 0 } };
    struct pdfpipe_error err = { .code = PDFPIPE_OK };
    enum pdfpipe_status st;
    struct pp_source s;

    (void)unlink("c");
    scratch_put("c", text, TEXT_N);
    CHECK(!utimensat(AT_FDCWD, "c", old, 0), "utimensat");
    CHECK(!pp_source_open(&s, "c", NULL), "open");
    if (close_first)
        pp_source_close(&s);
    changes[i].change();
    st = pp_source_unchanged(&s, "c", &err);
    CHECK(st == changes[i].want, "%s, closed %d: %d %s", changes[i].what,
          close_first, st, err.message);
    CHECK(strstr(err.message, changes[i].says) != NULL, "%s, closed %d: %s",
          changes[i].what, close_first, err.message);
    pp_source_close(&s);
}

static void
is_every_change_noticed(void)
{
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        try_change(i, false);
        try_change(i, true);
    }
}

static void
does_reading_count_as_a_change(void)
{
    struct pp_source s;
    char got[TEXT_N];

    CHECK(!pp_source_open(&s, "file", NULL), "open");
    CHECK(!pp_source_read(&s, 0, got, TEXT_N, NULL), "read");
    CHECK(!pp_source_unchanged(&s, "file", NULL), "atime is not compared");
    pp_source_close(&s);
}

int
main(void)
{
    scratch_enter(NULL);
    is_only_a_regular_file_opened();
    is_a_name_that_cannot_be_no_reason_to_retry();
    is_an_unreadable_file_told();
    are_exactly_the_bytes_read();
    is_a_file_that_was_cut_told_from_a_bad_disk();
    is_every_change_noticed();
    does_reading_count_as_a_change();
    scratch_leave();
    return check_report("source");
}
