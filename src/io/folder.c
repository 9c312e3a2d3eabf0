/* folder.c - folders: made, and brought to disk */
#include "io/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/path.h"

/* Returns 0 or an errno; *unsupported says that it is not offered. */
static int
sync_folder(const char *folder, bool *unsupported)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int failed;

    if (fd < 0) {
        *unsupported = errno == EACCES;
        return errno;
    }
    failed = fsync(fd) ? errno : 0;
    *unsupported = failed == EINVAL || failed == EOPNOTSUPP || failed == ENOSYS;
    (void)close(fd); /* read only */
    return failed;
}

enum pdfpipe_status
pp_folder_sync(const char *path, bool *unsupported, struct pdfpipe_error *err)
{
    char *folder = pp_path_folder(path);
    enum pdfpipe_status st = PDFPIPE_OK;
    bool cannot = false;
    int failed;

    if (!folder)
        return pp_fail_memory(err);
    failed = sync_folder(folder, &cannot);
    if (failed && !cannot)
        st = pp_fail_sys(err, failed, PDFPIPE_E_WRITE,
                         "cannot bring the folder %s to disk",
                         pp_path_tail(folder));
    if (unsupported)
        *unsupported = cannot;
    free(folder);
    return st;
}

static enum pdfpipe_status
make_one(const char *folder, struct pdfpipe_error *err)
{
    struct stat st;
    int made = mkdir(folder, 0777);

    if (made && errno != EEXIST)
        return pp_fail_sys(err, errno, PDFPIPE_E_WRITE,
                           "cannot make the folder %s", pp_path_tail(folder));
    if (made && (stat(folder, &st) || !S_ISDIR(st.st_mode)))
        return pp_fail_sys(err, ENOTDIR, PDFPIPE_E_WRITE,
                           "cannot make the folder %s", pp_path_tail(folder));
    /* It was missing a moment ago, so even if another process made it, its
     * name may not be on disk yet. */
    return pp_folder_sync(folder, NULL, err);
}

/*
 * Puts NULs over the slashes of `folder`, from the right, until what is left
 * exists: its length goes to *n, 0 if not even the first component does.
 * Asking from the left would need rights in folders that are none of our
 * business.  Returns 0 or an errno.
 */
static int
cut_to_existing(char *folder, size_t *n)
{
    struct stat st;

    *n = strlen(folder);
    while (stat(folder, &st)) {
        char *slash = strrchr(folder, '/');

        if (errno != ENOENT)
            return errno;
        if (!slash || slash == folder) {
            *n = 0;
            return 0;
        }
        *slash = '\0';
        *n = (size_t)(slash - folder);
    }
    return S_ISDIR(st.st_mode) ? 0 : ENOTDIR;
}

enum pdfpipe_status
pp_folder_make(const char *path, struct pdfpipe_error *err)
{
    char *folder = pp_path_folder(path);
    enum pdfpipe_status st = PDFPIPE_OK;
    size_t whole, n;
    int failed;

    if (!folder)
        return pp_fail_memory(err);
    whole = strlen(folder);
    failed = cut_to_existing(folder, &n);
    if (failed)
        st = pp_fail_sys(err, failed, PDFPIPE_E_WRITE,
                         "cannot use the folder %s", pp_path_tail(folder));
    while (!st && n < whole) {
        if (n > 0)
            folder[n] = '/'; /* one component more */
        n = strlen(folder);
        if (folder[n - 1] != '/')
            st = make_one(folder, err);
    }
    free(folder);
    return st;
}
