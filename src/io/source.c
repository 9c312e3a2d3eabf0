/* source.c - the file a document is read from */
#include "io/source.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

#include "io/path.h"

static const char *
kind_of(mode_t mode)
{
    switch (mode & S_IFMT) {
    case S_IFDIR: return "a folder";
    case S_IFLNK: return "a symbolic link";
    case S_IFIFO: return "a FIFO";
    case S_IFSOCK: return "a socket";
    case S_IFBLK:
    case S_IFCHR: return "a device";
    default: return "no regular file";
    }
}

/* Why open() failed, in words that say more than its errno. */
static enum pdfpipe_status
cannot_open(const char *path, int sys_errno, struct pdfpipe_error *err)
{
    const char *shown = pp_path_tail(path);
    struct stat st;

    /* ELOOP is a link as last component or too many on the way; ENXIO is a
     * socket or a device without a driver. */
    if ((sys_errno == ELOOP || sys_errno == ENXIO) && !lstat(path, &st) &&
        !S_ISREG(st.st_mode))
        return pp_fail(err,
                       S_ISLNK(st.st_mode) ? PDFPIPE_E_SYMLINK
                                           : PDFPIPE_E_NOT_REGULAR,
                       "%s is %s", shown, kind_of(st.st_mode));
    return pp_fail_sys(err, sys_errno, PDFPIPE_E_READ, "cannot open %s", shown);
}

enum pdfpipe_status
pp_source_open(struct pp_source *s, const char *path, struct pdfpipe_error *err)
{
    enum pdfpipe_status st;

    *s = (struct pp_source){ .fd = -1 };
    /* O_NONBLOCK: opening a FIFO would wait for its writer.  O_NOCTTY: opening
     * a terminal would make it ours. */
    s->fd =
        open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (s->fd < 0)
        return cannot_open(path, errno, err);
    if (fstat(s->fd, &s->st)) {
        st = pp_fail_sys(err, errno, PDFPIPE_E_READ, "cannot look at %s",
                         pp_path_tail(path));
        pp_source_close(s);
        return st;
    }
    if (!S_ISREG(s->st.st_mode) || s->st.st_size < 0) {
        st = pp_fail(err, PDFPIPE_E_NOT_REGULAR, "%s is %s", pp_path_tail(path),
                     kind_of(s->st.st_mode));
        pp_source_close(s);
        return st;
    }
    s->size = (uint64_t)s->st.st_size;
    /* Advice only: reading works without. */
    (void)posix_fadvise(s->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    return PDFPIPE_OK;
}

enum pdfpipe_status
pp_source_read(const struct pp_source *s, uint64_t offset, void *dst, size_t n,
               struct pdfpipe_error *err)
{
    uint8_t *to = dst;

    PP_ASSERT(offset <= s->size && n <= s->size - offset);
    while (n > 0) {
        ssize_t got = pread(s->fd, to, n, (off_t)offset);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            enum pdfpipe_status st = pp_fail_sys(err, errno, PDFPIPE_E_READ,
                                                 "cannot read %zu bytes", n);

            if (err)
                err->offset = offset;
            return st;
        }
        if (got == 0)
            return pp_fail_at(err, PDFPIPE_E_CHANGED, offset,
                              "the file became shorter while it was read");
        to += got;
        offset += (uint64_t)got;
        n -= (size_t)got;
    }
    return PDFPIPE_OK;
}

static enum pdfpipe_status
read_input(void *self, uint64_t offset, void *dst, size_t n,
           struct pdfpipe_error *err)
{
    return pp_source_read(self, offset, dst, n, err);
}

struct pp_input
pp_source_input(struct pp_source *s)
{
    return (struct pp_input){ .self = s, .size = s->size, .read = read_input };
}

static bool
same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static enum pdfpipe_status
compare(const struct stat *then, const struct stat *now, const char *path,
        struct pdfpipe_error *err)
{
    const char *shown = pp_path_tail(path);

    if (then->st_dev != now->st_dev || then->st_ino != now->st_ino)
        return pp_fail(err, PDFPIPE_E_CHANGED,
                       "%s is another file than when it was opened", shown);
    if (then->st_size != now->st_size)
        return pp_fail(err, PDFPIPE_E_CHANGED,
                       "size changed from %jd to %jd bytes: %s",
                       (intmax_t)then->st_size, (intmax_t)now->st_size, shown);
    if (!same_time(then->st_mtim, now->st_mtim))
        return pp_fail(err, PDFPIPE_E_CHANGED, "modified while it was read: %s",
                       shown);
    if (!same_time(then->st_ctim, now->st_ctim))
        return pp_fail(err, PDFPIPE_E_CHANGED,
                       "attributes changed while it was read: %s", shown);
    return PDFPIPE_OK;
}

enum pdfpipe_status
pp_source_unchanged(const struct pp_source *s, const char *path,
                    struct pdfpipe_error *err)
{
    struct stat now;
    enum pdfpipe_status st;

    if (lstat(path, &now)) {
        if (errno == ENOENT || errno == ENOTDIR)
            return pp_fail(err, PDFPIPE_E_CHANGED,
                           "vanished while it was read: %s",
                           pp_path_tail(path));
        return pp_fail_sys(err, errno, PDFPIPE_E_READ,
                           "cannot look at %s again", pp_path_tail(path));
    }
    st = compare(&s->st, &now, path, err);
    if (st || s->fd < 0)
        return st;
    /* A network file system may answer the two from different caches. */
    if (fstat(s->fd, &now))
        return pp_fail_sys(err, errno, PDFPIPE_E_READ,
                           "cannot look at the open file %s again",
                           pp_path_tail(path));
    return compare(&s->st, &now, path, err);
}

void
pp_source_close(struct pp_source *s)
{
    if (s->fd >= 0)
        (void)close(s->fd); /* read only: nothing can be lost */
    s->fd = -1;
}
