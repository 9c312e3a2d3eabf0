/* listing.c - what stands in one folder, sorted by name */
#include "batch/listing.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "batch/failure.h"

/* Room for at least `need` more behind `used` of *capacity elements. */
static void *
room(void *p, size_t used, size_t need, size_t *capacity, size_t element)
{
    size_t wanted = *capacity ? *capacity : 256;
    void *q;

    if (need <= *capacity - used)
        return p;
    while (wanted - used < need) {
        if (wanted > SIZE_MAX / 2 / element)
            return NULL;
        wanted *= 2;
    }
    q = realloc(p, wanted * element);
    if (q)
        *capacity = wanted;
    return q;
}

static bool
append(struct pp_listing *l, const char *name, enum pp_listed kind)
{
    size_t n = strlen(name) + 1;
    char *names = room(l->names, l->length, n + 1, &l->capacity, 1);
    size_t *start;

    if (!names)
        return false;
    l->names = names;
    start = room(l->start, l->count, 1, &l->slots, sizeof *start);
    if (!start)
        return false;
    l->start = start;
    l->start[l->count++] = l->length;
    l->names[l->length] = (char)kind;
    memcpy(l->names + l->length + 1, name, n);
    l->length += n + 1;
    return true;
}

static enum pp_listed
kind_of_mode(mode_t mode)
{
    if (S_ISREG(mode))
        return PP_LISTED_FILE;
    if (S_ISDIR(mode))
        return PP_LISTED_FOLDER;
    return S_ISLNK(mode) ? PP_LISTED_LINK : PP_LISTED_OTHER;
}

static enum pp_listed
kind_of_entry(int fd, const struct dirent *d)
{
    struct stat st;

    switch (d->d_type) {
    case DT_REG: return PP_LISTED_FILE;
    case DT_DIR: return PP_LISTED_FOLDER;
    case DT_LNK: return PP_LISTED_LINK;
    case DT_UNKNOWN: break; /* some file systems do not say */
    default: return PP_LISTED_OTHER;
    }
    if (fstatat(fd, d->d_name, &st, AT_SYMLINK_NOFOLLOW))
        return errno == ENOENT ? PP_LISTED_OTHER : PP_LISTED_FILE;
    return kind_of_mode(st.st_mode);
}

static int
by_name(const void *a, const void *b, void *names)
{
    const char *text = names;

    return strcmp(text + *(const size_t *)a + 1, text + *(const size_t *)b + 1);
}

static enum pdfpipe_status
read_entries(struct pp_listing *l, DIR *dir, pp_listing_keep *keep, void *arg,
             struct pdfpipe_error *err)
{
    const struct dirent *d;

    for (;;) {
        enum pp_listed kind;

        errno = 0;
        /* Of one stream, by one thread.  NOLINTNEXTLINE(*-mt-unsafe) */
        d = readdir(dir);
        if (!d)
            break;
        if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0)
            continue;
        kind = kind_of_entry(dirfd(dir), d);
        if (kind == PP_LISTED_OTHER || !keep(arg, d->d_name, kind))
            continue;
        if (!append(l, d->d_name, kind))
            return pp_refuse_memory(err);
    }
    if (errno)
        return pp_refuse_sys(err, errno, PDFPIPE_E_READ, "read folder");
    return PDFPIPE_OK;
}

enum pdfpipe_status
pp_listing_read(struct pp_listing *l, int fd, pp_listing_keep *keep, void *arg,
                struct pdfpipe_error *err)
{
    enum pdfpipe_status st;
    DIR *dir;
    int own;

    memset(l, 0, sizeof *l);
    /* closedir() closes its descriptor; the walk still needs the caller's. */
    own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (own < 0)
        return pp_refuse_sys(err, errno, PDFPIPE_E_READ, "open folder");
    dir = fdopendir(own);
    if (!dir) {
        st = pp_refuse_sys(err, errno, PDFPIPE_E_READ, "open folder");
        (void)close(own); /* was only read */
        return st;
    }
    st = read_entries(l, dir, keep, arg, err);
    (void)closedir(dir); /* was only read */
    if (l->count)
        qsort_r(l->start, l->count, sizeof *l->start, by_name, l->names);
    return st;
}

void
pp_listing_fini(struct pp_listing *l)
{
    free(l->names);
    free(l->start);
    memset(l, 0, sizeof *l);
}

const char *
pp_listing_next(struct pp_listing *l, enum pp_listed *kind)
{
    const char *entry;

    if (l->next == l->count)
        return NULL;
    entry = l->names + l->start[l->next++];
    *kind = (enum pp_listed)entry[0];
    return entry + 1;
}
