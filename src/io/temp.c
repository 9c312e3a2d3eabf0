/* temp.c - the name a file has until it is complete */
#include "io/temp.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "io/path.h"

#define PREFIX ".pdfpipe-"
#define DIGITS 16u
#define SUFFIX ".tmp"

/* 64 random bits meet an existing name practically never; a second look is
 * for a broken random source, and more would not mend that. */
#define ATTEMPTS 8

bool
pp_is_temp_name(const char *basename)
{
    size_t n = strlen(PREFIX);

    if (strncmp(basename, PREFIX, n) != 0)
        return false;
    return strspn(basename + n, "0123456789abcdef") == DIGITS &&
           strcmp(basename + n + DIGITS, SUFFIX) == 0;
}

/* getrandom gives up to 256 bytes whole once the kernel's source is ready;
 * until then a signal may interrupt it. */
static enum pdfpipe_status
draw(uint64_t *bits, struct pdfpipe_error *err)
{
    ssize_t n;

    do
        n = getrandom(bits, sizeof *bits, 0);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return pp_fail_sys(err, errno, PDFPIPE_E_WRITE,
                           "cannot draw the name of a temporary file");
    if (n != (ssize_t)sizeof *bits)
        return pp_fail(err, PDFPIPE_E_WRITE,
                       "cannot draw the name of a temporary file: too short");
    return PDFPIPE_OK;
}

enum pdfpipe_status
pp_temp_create(const char *target, char **name, int *fd,
               struct pdfpipe_error *err)
{
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    char *folder = pp_path_folder(target);
    size_t n;

    *name = NULL;
    *fd = -1;
    if (!folder)
        return pp_fail_memory(err);
    n = strlen(folder) + sizeof "/" PREFIX SUFFIX + DIGITS;
    *name = malloc(n);
    if (!*name) {
        free(folder);
        return pp_fail_memory(err);
    }
    for (int i = 0; i < ATTEMPTS && *fd < 0; i++) {
        uint64_t bits;
        enum pdfpipe_status st = draw(&bits, err);

        if (st) {
            free(folder);
            free(*name);
            *name = NULL;
            return st;
        }
        (void)snprintf(*name, n, "%s/" PREFIX "%016llx" SUFFIX, folder,
                       (unsigned long long)bits);
        *fd = open(*name, flags, 0600);
        if (*fd < 0 && errno != EEXIST)
            break;
    }
    free(folder);
    if (*fd < 0) {
        free(*name);
        *name = NULL;
        return pp_fail_sys(err, errno, PDFPIPE_E_WRITE,
                           "cannot create a temporary file beside %s",
                           pp_path_tail(target));
    }
    return PDFPIPE_OK;
}

/* Errors by which a file system says that it does not know the operation. */
static bool
not_offered(int sys_errno)
{
    return sys_errno == EINVAL || sys_errno == ENOSYS || sys_errno == EPERM ||
           sys_errno == EOPNOTSUPP;
}

/*
 * The last way to a new name, for file systems with neither a rename that
 * refuses to replace nor hard links (some network and object-store mounts):
 * take the name with an empty file of our own, then replace that.  A plain
 * look-then-rename could overwrite what somebody else made in between; the
 * price of this is an empty file if the machine stops between the two calls.
 * Returns 0 or the errno.
 */
static int
rename_over_placeholder(const char *name, const char *target)
{
    int fd = open(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                  0600);
    int saved;

    if (fd < 0)
        return errno;
    if (!close(fd) && !rename(name, target))
        return 0;
    saved = errno;
    (void)unlink(target); /* ours and empty; the first error is the cause */
    return saved;
}

/* Gives a name that nobody has.  Returns 0 or the errno. */
static int
rename_new(const char *name, const char *target)
{
    if (!renameat2(AT_FDCWD, name, AT_FDCWD, target, RENAME_NOREPLACE))
        return 0;
    if (!not_offered(errno))
        return errno;
    if (!link(name, target)) {
        /* The file is complete under its final name.  If its first name
         * stays, that is litter for the next sweep and no failure. */
        (void)unlink(name);
        return 0;
    }
    if (!not_offered(errno))
        return errno;
    return rename_over_placeholder(name, target);
}

enum pdfpipe_status
pp_temp_publish(const char *name, const char *target, bool replace,
                struct pdfpipe_error *err)
{
    const char *shown = pp_path_tail(target);
    int failed;

    if (replace)
        failed = rename(name, target) ? errno : 0;
    else
        failed = rename_new(name, target);
    switch (failed) {
    case 0: return PDFPIPE_OK;
    case EEXIST:
        return pp_fail_sys(err, failed, PDFPIPE_E_TARGET_EXISTS,
                           "cannot take the name %s", shown);
    case EISDIR:
        return pp_fail_sys(err, failed, PDFPIPE_E_TARGET_EXISTS,
                           "cannot replace %s", shown);
    case EXDEV:
    case EBUSY:
        /* One folder, two file systems, or a name that is pinned: a file
         * mounted over the name, as containers do.  Copying into it would
         * not be atomic, so that is the end. */
        return pp_fail_sys(err, failed, PDFPIPE_E_WRITE,
                           "cannot rename to %s, which may be a mount point",
                           shown);
    default:
        return pp_fail_sys(err, failed, PDFPIPE_E_WRITE, "cannot rename to %s",
                           shown);
    }
}
