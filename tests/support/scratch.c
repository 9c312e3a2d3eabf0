/* scratch.c - a fresh folder for a test, and small files in it */
#include "scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[PATH_MAX];
static int origin = -1;
static bool own_mounts;
static char mounts[300][64]; /* below folder */
static size_t mount_count;

static void
need(bool holds, const char *what)
{
    if (holds)
        return;
    perror(what);
    exit(99);
}

void
scratch_enter(const char *parent)
{
    const char *tmpdir = getenv("TMPDIR");

    if (!parent)
        parent = tmpdir && *tmpdir == '/' ? tmpdir : "/tmp";
    (void)snprintf(folder, sizeof folder, "%s/pdfpipe-test-XXXXXX", parent);
    origin = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    need(origin >= 0, "scratch: this folder");
    need(mkdtemp(folder) != NULL, "scratch: mkdtemp");
    need(chdir(folder) == 0, "scratch: chdir");
}

const char *
scratch_name(void)
{
    return folder[0] ? folder : NULL;
}

static int
remove_entry(const char *path, const struct stat *st, int type,
             struct FTW *where)
{
    (void)st, (void)where;
    return type == FTW_DP || type == FTW_D ? rmdir(path) : unlink(path);
}

void
scratch_leave(void)
{
    while (mount_count > 0)
        if (umount2(mounts[--mount_count], MNT_DETACH))
            perror(mounts[mount_count]);
    need(fchdir(origin) == 0, "scratch: fchdir");
    (void)close(origin);
    origin = -1;
    if (nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT))
        perror(folder);
    folder[0] = '\0';
}

void
scratch_put(const char *name, const void *p, size_t n)
{
    FILE *f = fopen(name, "we");

    need(f != NULL, name);
    need(fwrite(p, 1, n, f) == n, name);
    need(fclose(f) == 0, name);
}

bool
scratch_holds(const char *name, const void *p, size_t n)
{
    FILE *f = fopen(name, "re");
    unsigned char *got = malloc(n + 1);
    bool same = false;

    need(got != NULL, "scratch: malloc");
    if (f) {
        /* One byte more than wanted, to see that there is no more. */
        same = fread(got, 1, n + 1, f) == n && !memcmp(got, p, n);
        (void)fclose(f);
    }
    free(got);
    return same;
}

unsigned
scratch_count(const char *name, const char *prefix)
{
    DIR *dir = opendir(name);
    const struct dirent *entry;
    unsigned n = 0;

    while (dir && (entry = readdir(dir)) != NULL)
        if (strcmp(entry->d_name, ".") != 0 &&
            strcmp(entry->d_name, "..") != 0 &&
            strncmp(entry->d_name, prefix, strlen(prefix)) == 0)
            n++;
    if (dir)
        (void)closedir(dir);
    return n;
}

bool
scratch_tmpfs(const char *name, const char *options)
{
    if (!own_mounts) {
        if (unshare(CLONE_NEWNS) ||
            mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL))
            return false;
        own_mounts = true;
    }
    if (mkdir(name, 0755) && errno != EEXIST)
        return false;
    need(mount_count < sizeof mounts / sizeof mounts[0] &&
             strlen(name) < sizeof mounts[0],
         "scratch: mounts");
    if (mount("tmpfs", name, "tmpfs", 0, options))
        return false;
    memcpy(mounts[mount_count++], name, strlen(name) + 1);
    return true;
}
