/* sweep.c - temporary files that a killed run left behind */
#include "io/sweep.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/temp.h"

static bool
abandoned(const struct stat *st, time_t now)
{
    uid_t me = geteuid();

    if (!S_ISREG(st->st_mode) || (me != 0 && st->st_uid != me))
        return false;
    /* Both times: a sealed file carries the old mtime of its source. */
    return st->st_mtim.tv_sec < now - PP_SWEEP_AGE_S &&
           st->st_ctim.tv_sec < now - PP_SWEEP_AGE_S;
}

unsigned
pp_sweep(const char *folder, time_t now)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    const struct dirent *entry;
    unsigned removed = 0;

    if (!dir) {
        if (fd >= 0)
            (void)close(fd); /* read only */
        return 0;
    }
    /* Of one stream, by one thread.  NOLINTNEXTLINE(*-mt-unsafe) */
    while ((entry = readdir(dir)) != NULL) {
        struct stat st;

        if (pp_is_temp_name(entry->d_name) &&
            !fstatat(fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) &&
            abandoned(&st, now) && !unlinkat(fd, entry->d_name, 0))
            removed++;
    }
    (void)closedir(dir); /* read only */
    return removed;
}
