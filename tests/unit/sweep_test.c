/* sweep_test.c - is what a killed run left removed, and nothing else? */
#include "io/sweep.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "scratch.h"

#define NAME ".pdfpipe-00112233445566aa.tmp"

/* The ctime of a file cannot be set, so the clock is: `now` is a parameter. */
static time_t
later(time_t seconds)
{
    return time(NULL) + seconds;
}

/* clang-format off */
static const struct {
    const char *what;
    time_t mtime_age; /* seconds before the time of making */
    time_t now;       /* seconds after it                  */
    unsigned removed;
} ages[] = {
    { "just made",                        0,         0,                       0 },
    { "almost a day old",                 0,         PP_SWEEP_AGE_S - 60,     0 },
    { "a day old",                        0,         PP_SWEEP_AGE_S + 60,     1 },
    { "old mtime, sealed just now",       900000000, 0,                       0 },
    { "old mtime, sealed long ago",       900000000, PP_SWEEP_AGE_S + 60,     1 },
    { "mtime in the future",              -900000,   PP_SWEEP_AGE_S + 60,     0 },
    { "clock set back",                   0,         -10 * PP_SWEEP_AGE_S,    0 },
};
/* clang-format on */

static void
is_only_an_old_one_removed(void)
{
    for (size_t i = 0; i < sizeof ages / sizeof ages[0]; i++) {
        struct timespec times[2] = { { 0, 0 }, { 0, 0 } };

        scratch_put(NAME, "x", 1);
        times[0].tv_sec = times[1].tv_sec = later(-ages[i].mtime_age);
        CHECK(!utimensat(AT_FDCWD, NAME, times, 0), "utimensat");
        CHECK(pp_sweep(".", later(ages[i].now)) == ages[i].removed, "%s",
              ages[i].what);
        CHECK((access(NAME, F_OK) != 0) == ages[i].removed, "%s", ages[i].what);
        (void)unlink(NAME);
    }
}

static void
do_other_names_and_kinds_stay(void)
{
    static const char *const others[] = {
        "doc.pdf",
        ".pdfpipe-00112233445566aa.tmp2",
        ".pdfpipe-00112233445566AA.tmp",
        ".pdfpipe-00112233445566a.tmp",
        ".pdfpipe-.tmp",
        "x.pdfpipe-00112233445566aa.tmp",
    };
    const size_t n = sizeof others / sizeof others[0];

    for (size_t i = 0; i < n; i++)
        scratch_put(others[i], "x", 1);
    CHECK(!mkdir(".pdfpipe-00000000000000d1.tmp", 0700), "mkdir");
    CHECK(!mkfifo(".pdfpipe-00000000000000f1.tmp", 0600), "mkfifo");
    CHECK(!symlink("doc.pdf", ".pdfpipe-00000000000000e1.tmp"), "symlink");
    CHECK(!mkdir("below", 0700), "mkdir");
    scratch_put("below/" NAME, "x", 1);
    CHECK(pp_sweep(".", later(2 * PP_SWEEP_AGE_S)) == 0, "removed");
    CHECK(scratch_count(".", "") == n + 4, "%u", scratch_count(".", ""));
    CHECK(access("below/" NAME, F_OK) == 0, "one folder only");
    CHECK(pp_sweep("below", later(2 * PP_SWEEP_AGE_S)) == 1, "below");
}

static void
are_many_removed_at_once(void)
{
    for (int i = 0; i < 500; i++) {
        char name[64];

        (void)snprintf(name, sizeof name, "below/.pdfpipe-%016x.tmp", i);
        scratch_put(name, "x", 1);
    }
    scratch_put("below/doc.pdf", "x", 1);
    CHECK(pp_sweep("below", later(2 * PP_SWEEP_AGE_S)) == 500, "500");
    CHECK(scratch_count("below", "") == 1, "the document stays");
}

static void
are_those_of_others_left_alone(void)
{
    if (geteuid() != 0 || seteuid(65534)) {
        check_skip("only root can become another user");
        return;
    }
    CHECK(!seteuid(0), "seteuid");
    CHECK(!mkdir("shared", 0777) && !chmod("shared", 0777), "mkdir");
    scratch_put("shared/" NAME, "x", 1);
    CHECK(!seteuid(65534), "seteuid");
    CHECK(pp_sweep("shared", later(2 * PP_SWEEP_AGE_S)) == 0, "not ours");
    scratch_put("shared/.pdfpipe-00000000000000a1.tmp", "x", 1);
    CHECK(pp_sweep("shared", later(2 * PP_SWEEP_AGE_S)) == 1, "ours");
    CHECK(!seteuid(0), "seteuid");
    /* Sealed by root for its owner, then killed. */
    CHECK(!chown("shared/" NAME, 65534, 65534), "chown");
    CHECK(pp_sweep("shared", later(2 * PP_SWEEP_AGE_S)) == 1, "root's");
}

static void
is_a_folder_that_cannot_be_swept_no_trouble(void)
{
    unsigned open_before = scratch_count("/proc/self/fd", "");

    CHECK(pp_sweep("none", later(0)) == 0, "missing");
    CHECK(pp_sweep("doc.pdf", later(0)) == 0, "a file");
    CHECK(pp_sweep(".", later(0)) == 0, "nothing to do");
    CHECK(scratch_count("/proc/self/fd", "") == open_before, "descriptors");
}

int
main(void)
{
    scratch_enter(NULL);
    CHECK(!chmod(".", 0711), "chmod");
    is_only_an_old_one_removed();
    do_other_names_and_kinds_stay();
    are_many_removed_at_once();
    are_those_of_others_left_alone();
    is_a_folder_that_cannot_be_swept_no_trouble();
    scratch_leave();
    return check_report("sweep");
}
