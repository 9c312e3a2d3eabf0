/* temp_test.c - is a temporary file told from every other one? */
#include "io/temp.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "scratch.h"

/* clang-format off */
static const struct {
    const char *what;
    const char *name;
    bool is;
} names[] = {
    { "as made",           ".pdfpipe-0123456789abcdef.tmp",  true  },
    { "all one digit",     ".pdfpipe-ffffffffffffffff.tmp",  true  },
    { "upper case",        ".pdfpipe-0123456789ABCDEF.tmp",  false },
    { "a digit too few",   ".pdfpipe-0123456789abcde.tmp",   false },
    { "a digit too many",  ".pdfpipe-0123456789abcdef0.tmp", false },
    { "no digit at all",   ".pdfpipe-.tmp",                  false },
    { "not hexadecimal",   ".pdfpipe-0123456789abcdeg.tmp",  false },
    { "other suffix",      ".pdfpipe-0123456789abcdef.pdf",  false },
    { "longer suffix",     ".pdfpipe-0123456789abcdef.tmpx", false },
    { "cut suffix",        ".pdfpipe-0123456789abcdef.tm",   false },
    { "no suffix",         ".pdfpipe-0123456789abcdef",      false },
    { "no dot in front",   "pdfpipe-0123456789abcdef.tmp",   false },
    { "something before",  "x.pdfpipe-0123456789abcdef.tmp", false },
    { "with a folder",     "d/.pdfpipe-0123456789abcdef.tmp", false },
    { "another program's", ".otherpr-0123456789abcdef.tmp",  false },
    { "prefix only",       ".pdfpipe-",                      false },
    { "empty",             "",                               false },
};
/* clang-format on */

static void
are_only_our_names_taken_for_ours(void)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        CHECK(pp_is_temp_name(names[i].name) == names[i].is, "%s",
              names[i].what);
}

/* clang-format off */
static const struct {
    const char *target;
    const char *folder; /* what the name begins with */
} places[] = {
    { "t.pdf",     "./"   },
    { "d/t.pdf",   "d/"   },
    { "d//t.pdf",  "d//"  },
    { "./d/t.pdf", "./d/" },
};
/* clang-format on */

static void
does_it_lie_beside_its_target(void)
{
    (void)mkdir("d", 0755);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const char *folder = places[i].folder;
        struct pdfpipe_error err;
        char *name = NULL;
        struct stat st;
        int fd = -1;

        if (!CHECK(!pp_temp_create(places[i].target, &name, &fd, &err),
                   "%s: %s", places[i].target, err.message))
            continue;
        CHECK(strncmp(name, folder, strlen(folder)) == 0, "%s: %s", folder,
              name);
        CHECK(pp_is_temp_name(strrchr(name, '/') + 1), "%s", name);
        CHECK(!fstat(fd, &st) && (st.st_mode & 07777) == 0600, "mode %o",
              st.st_mode);
        CHECK(fcntl(fd, F_GETFD) & FD_CLOEXEC, "%s", name);
        CHECK(!close(fd) && !unlink(name), "%s", name);
        free(name);
    }
    CHECK(!rmdir("d"), "something stayed");
}

static void
are_two_names_different(void)
{
    char *name[2] = { NULL, NULL };
    int fd[2];

    for (int i = 0; i < 2; i++)
        CHECK(!pp_temp_create("t", &name[i], &fd[i], NULL), "%d", i);
    CHECK(strcmp(name[0], name[1]) != 0, "%s", name[0]);
    for (int i = 0; i < 2; i++) {
        CHECK(!close(fd[i]) && !unlink(name[i]), "%d", i);
        free(name[i]);
    }
}

static void
does_a_missing_folder_leave_nothing_to_free(void)
{
    struct pdfpipe_error err;
    char *name = (char *)1;
    int fd = 0;

    CHECK(pp_temp_create("none/t.pdf", &name, &fd, &err) == PDFPIPE_E_NOT_FOUND,
          "%s", err.message);
    CHECK(!name && fd == -1, "%p %d", (void *)name, fd);
    CHECK(strstr(err.message, "none/t.pdf") != NULL, "%s", err.message);
}

int
main(void)
{
    scratch_enter(NULL);
    are_only_our_names_taken_for_ours();
    does_it_lie_beside_its_target();
    are_two_names_different();
    does_a_missing_folder_leave_nothing_to_free();
    scratch_leave();
    return check_report("temp");
}
