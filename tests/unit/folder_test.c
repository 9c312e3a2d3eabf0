/* folder_test.c - are folders made whole, also by two at a time, and synced? */
#include "io/folder.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "io/path.h"
#include "scratch.h"

/* ---- parts of a path ---- */

/* clang-format off */
static const struct {
    const char *path, *folder;
} parts[] = {
    { "f",       "."    },
    { "",        "."    },
    { "/f",      "/"    },
    { "//f",     "/"    },
    { "a/f",     "a"    },
    { "a/b/f",   "a/b"  },
    { "a//f",    "a/"   },
    { "/a/f",    "/a"   },
    { "./f",     "."    },
    { "a/",      "a"    },
};
/* clang-format on */

static void
is_the_folder_of_a_path_found(void)
{
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        char *folder = pp_path_folder(parts[i].path);

        CHECK(folder && strcmp(folder, parts[i].folder) == 0, "%s: %s",
              parts[i].path, folder);
        free(folder);
    }
}

static void
does_the_tail_of_a_path_fit_a_message(void)
{
    char path[1001];

    CHECK(strcmp(pp_path_tail("a/b.pdf"), "a/b.pdf") == 0, "short");
    memset(path, 'n', 1000);
    path[1000] = '\0';
    CHECK(strlen(pp_path_tail(path)) == 120, "one long name");
    path[900] = '/';
    CHECK(strcmp(pp_path_tail(path), path + 900) == 0, "whole components");
    path[900] = 'n';
    path[999] = '/';
    CHECK(strlen(pp_path_tail(path)) == 120, "slash at the end");
}

/* ---- making ---- */

/* clang-format off */
static const struct {
    const char *what, *path, *made;
    enum pdfpipe_status want;
} makings[] = {
    { "nothing to make",            "f",              ".",        PDFPIPE_OK },
    { "root",                       "/f",             "/",        PDFPIPE_OK },
    { "one",                        "a/f",            "a",        PDFPIPE_OK },
    { "again",                      "a/f",            "a",        PDFPIPE_OK },
    { "below one that is there",    "a/b/c/f",        "a/b/c",    PDFPIPE_OK },
    { "three",                      "p/q/r/f",        "p/q/r",    PDFPIPE_OK },
    { "double slashes",             "s//t///u/f",     "s/t/u",    PDFPIPE_OK },
    { "a dot in front",             "./v/w/f",        "v/w",      PDFPIPE_OK },
    { "a dot between",              "v/./x/f",        "v/x",      PDFPIPE_OK },
    { "up and down",                "y/../z/f",       "z",        PDFPIPE_OK },
    { "through a linked folder",    "link/in/f",      "a/in",     PDFPIPE_OK },
    { "a file in the way",          "file/x/f",       NULL,       PDFPIPE_E_NOT_FOUND },
    { "a file at the end",          "file/f",         NULL,       PDFPIPE_E_NOT_FOUND },
    { "a dangling link in the way", "dangling/x/f",   NULL,       PDFPIPE_E_NOT_FOUND },
    { "a loop of links",            "loop/x/f",       NULL,       PDFPIPE_E_SYMLINK },
};
/* clang-format on */

static void
are_missing_folders_made(void)
{
    scratch_put("file", "x", 1);
    CHECK(!symlink("a", "link") && !symlink("none", "dangling") &&
              !symlink("loop", "loop"),
          "symlink");
    for (size_t i = 0; i < sizeof makings / sizeof makings[0]; i++) {
        struct pdfpipe_error err = { .code = PDFPIPE_OK };
        enum pdfpipe_status st = pp_folder_make(makings[i].path, &err);
        struct stat sb;

        CHECK(st == makings[i].want, "%s: %d %s", makings[i].what, st,
              err.message);
        CHECK(err.code == st, "%s", makings[i].what);
        if (makings[i].made)
            CHECK(!stat(makings[i].made, &sb) && S_ISDIR(sb.st_mode), "%s",
                  makings[i].what);
    }
    CHECK(access("none", F_OK) && access("f", F_OK) && access("a/f", F_OK),
          "too much was made");
}

static void
do_new_folders_obey_the_umask(void)
{
    mode_t was = umask(027);
    struct stat st;

    CHECK(!pp_folder_make("m/n/f", NULL), "make");
    CHECK(!stat("m", &st) && (st.st_mode & 0777) == 0750, "%o", st.st_mode);
    CHECK(!stat("m/n", &st) && (st.st_mode & 0777) == 0750, "%o", st.st_mode);
    (void)umask(was);
}

static void
is_a_closed_folder_told(void)
{
    struct pdfpipe_error err;

    CHECK(!mkdir("closed", 0555), "mkdir");
    if (geteuid() == 0 && seteuid(65534)) {
        check_skip("cannot become another user");
        return;
    }
    CHECK(pp_folder_make("closed/x/f", &err) == PDFPIPE_E_PERMISSION, "%s",
          err.message);
    CHECK(strstr(err.message, "closed/x") != NULL, "%s", err.message);
    CHECK(getuid() != 0 || !seteuid(0), "seteuid");
}

#define RACERS 4
#define ROUNDS 200

static void *
race(void *barrier)
{
    for (int i = 0; i < ROUNDS; i++) {
        struct pdfpipe_error err;
        char path[64];

        (void)snprintf(path, sizeof path, "race/%d/a/b/f", i);
        (void)pthread_barrier_wait(barrier);
        CHECK(!pp_folder_make(path, &err), "%s: %s", path, err.message);
    }
    return NULL;
}

static void
may_several_make_the_same_folder(void)
{
    pthread_barrier_t barrier;
    pthread_t racer[RACERS];

    CHECK(!pthread_barrier_init(&barrier, NULL, RACERS), "barrier");
    for (int i = 0; i < RACERS; i++)
        CHECK(!pthread_create(&racer[i], NULL, race, &barrier), "create");
    for (int i = 0; i < RACERS; i++)
        CHECK(!pthread_join(racer[i], NULL), "join");
    (void)pthread_barrier_destroy(&barrier);
    CHECK(scratch_count("race", "") == ROUNDS, "%u", scratch_count("race", ""));
}

/* ---- syncing ---- */

static void
is_a_folder_synced_or_the_reason_told(void)
{
    struct pdfpipe_error err;
    bool unsupported = true;

    CHECK(!pp_folder_sync("f", &unsupported, NULL) && !unsupported, ".");
    unsupported = true;
    CHECK(!pp_folder_sync("a/f", &unsupported, NULL) && !unsupported, "a");
    CHECK(!pp_folder_sync("a/f", NULL, NULL), "no flag");
    CHECK(pp_folder_sync("nowhere/f", &unsupported, &err) ==
              PDFPIPE_E_NOT_FOUND,
          "%s", err.message);
    CHECK(pp_folder_sync("file/f", &unsupported, &err) == PDFPIPE_E_NOT_FOUND,
          "%s", err.message);
    /* proc knows no fsync of folders */
    CHECK(!pp_folder_sync("/proc/f", &unsupported, &err) && unsupported, "%s",
          err.message);
}

/* A letter box: files may be put in, but it may not be listed. */
static void
is_a_folder_that_may_not_be_read_a_warning(void)
{
    bool unsupported = false;

    CHECK(!mkdir("box", 0333) && !chmod("box", 0333), "mkdir");
    if (geteuid() == 0 && seteuid(65534)) {
        check_skip("cannot become another user");
        return;
    }
    CHECK(!pp_folder_sync("box/f", &unsupported, NULL) && unsupported, "box");
    CHECK(getuid() != 0 || !seteuid(0), "seteuid");
    CHECK(!chmod("box", 0700), "chmod");
}

int
main(void)
{
    is_the_folder_of_a_path_found();
    does_the_tail_of_a_path_fit_a_message();
    scratch_enter(NULL);
    CHECK(!chmod(".", 0711), "chmod");
    are_missing_folders_made();
    do_new_folders_obey_the_umask();
    is_a_closed_folder_told();
    is_a_folder_synced_or_the_reason_told();
    is_a_folder_that_may_not_be_read_a_warning();
    scratch_leave();
    /* No disk behind it: the race is not about fsync. */
    scratch_enter(access("/dev/shm", W_OK) ? NULL : "/dev/shm");
    may_several_make_the_same_folder();
    scratch_leave();
    return check_report("folder");
}
