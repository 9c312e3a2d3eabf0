/* sink.c - the file a document is written to: all of it or nothing */
#include "io/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/num.h"
#include "io/meta.h"
#include "io/path.h"
#include "io/temp.h"

/* Write-back is started for each window of this many bytes, so that dirty
 * pages do not pile up until fsync has to wait for all of them. */
#define WINDOW ((uint64_t)8 * 1024 * 1024)

static enum pdfpipe_status
failed(struct pp_sink *s, enum pdfpipe_status st)
{
    s->state = PP_SINK_FAILED;
    return st;
}

/* ---- opening ---- */

/*
 * Allocates blocks behind the end of the file.  Only "no room" counts: for a
 * file system that cannot allocate ahead, or not now, the writes will tell.
 * posix_fallocate would write zeros there instead.
 */
static enum pdfpipe_status
reserve(struct pp_sink *s, uint64_t expected, struct pdfpipe_error *err)
{
    int tries = 4; /* a large one may be interrupted, but not for ever */
    int e;

    if (expected == 0)
        return PDFPIPE_OK;
    e = expected > INT64_MAX ? EFBIG : EINTR;
    while (e == EINTR && tries-- > 0)
        e = fallocate(s->fd, FALLOC_FL_KEEP_SIZE, 0, (off_t)expected) ? errno
                                                                      : 0;
    if (e == ENOSPC || e == EDQUOT || e == EFBIG)
        return pp_fail_sys(err, e, PDFPIPE_E_NO_SPACE,
                           "cannot reserve %" PRIu64 " bytes for %s", expected,
                           pp_path_tail(s->target));
    /* After an error too: a part may have been allocated. */
    s->reserved = expected;
    return PDFPIPE_OK;
}

enum pdfpipe_status
pp_sink_open(struct pp_sink *s, const char *target, uint64_t expected,
             uint8_t *buffer, struct pdfpipe_error *err)
{
    enum pdfpipe_status st;

    *s = (struct pp_sink){ .fd = -1 };
    s->target = strdup(target);
    if (!s->target)
        return pp_fail_memory(err);
    st = pp_temp_create(target, &s->temp, &s->fd, err);
    if (!st) {
        s->state = PP_SINK_OPEN;
        s->buffer = buffer;
        st = reserve(s, expected, err);
    }
    if (st)
        pp_sink_discard(s);
    return st;
}

/* ---- writing ---- */

/* Starts write-back of what is new since the last window.  Durability is the
 * business of fsync; here only an error of the disk itself counts. */
static enum pdfpipe_status
push(struct pp_sink *s, struct pdfpipe_error *err)
{
    uint64_t n = s->flushed - s->pushed;

    if (n < WINDOW)
        return PDFPIPE_OK;
    if (sync_file_range(s->fd, (off_t)s->pushed, (off_t)n,
                        SYNC_FILE_RANGE_WRITE) &&
        errno != ENOSYS && errno != EINVAL && errno != ESPIPE)
        return pp_fail_sys(err, errno, PDFPIPE_E_WRITE,
                           "cannot write back the temporary file of %s",
                           pp_path_tail(s->target));
    s->pushed = s->flushed;
    return PDFPIPE_OK;
}

static enum pdfpipe_status
write_all(struct pp_sink *s, const uint8_t *p, size_t n,
          struct pdfpipe_error *err)
{
    while (n > 0) {
        ssize_t put = write(s->fd, p, n);

        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return pp_fail_sys(err, errno, PDFPIPE_E_WRITE,
                               "cannot write the temporary file of %s",
                               pp_path_tail(s->target));
        if (put == 0)
            return pp_fail(err, PDFPIPE_E_WRITE,
                           "the temporary file takes no bytes: %s",
                           pp_path_tail(s->target));
        p += put;
        n -= (size_t)put;
        s->flushed += (uint64_t)put;
    }
    return push(s, err);
}

enum pdfpipe_status
pp_sink_write(struct pp_sink *s, const void *p, size_t n,
              struct pdfpipe_error *err)
{
    const uint8_t *from = p;
    enum pdfpipe_status st = PDFPIPE_OK;

    PP_ASSERT(s->state == PP_SINK_OPEN);
    while (n > 0 && !st) {
        size_t take = (size_t)pp_min(n, PP_SINK_BUFFER - s->buffered);

        /* Every write but the last is of one size and at a multiple of it,
         * whatever the sizes that the caller has. */
        if (take == PP_SINK_BUFFER) {
            st = write_all(s, from, take, err);
        } else {
            memcpy(s->buffer + s->buffered, from, take);
            s->buffered += take;
            if (s->buffered == PP_SINK_BUFFER) {
                st = write_all(s, s->buffer, s->buffered, err);
                s->buffered = 0;
            }
        }
        from += take;
        n -= take;
        s->size += take;
    }
    return st ? failed(s, st) : PDFPIPE_OK;
}

/* ---- finishing and sealing ---- */

/* Gives blocks that were allocated behind the end back to the file system. */
static enum pdfpipe_status
trim(struct pp_sink *s, struct pdfpipe_error *err)
{
    if (s->reserved <= s->size)
        return PDFPIPE_OK;
    if (ftruncate(s->fd, (off_t)s->size))
        return pp_fail_sys(err, errno, PDFPIPE_E_WRITE,
                           "cannot set the length of the temporary file of %s",
                           pp_path_tail(s->target));
    return PDFPIPE_OK;
}

/* Never tried again: after a failed write-back the kernel may have marked the
 * pages clean, and a second fsync would succeed without their bytes. */
static enum pdfpipe_status
sync_data(struct pp_sink *s, struct pdfpipe_error *err)
{
    if (fsync(s->fd))
        return pp_fail_sys(err, errno, PDFPIPE_E_WRITE,
                           "cannot bring the temporary file of %s to disk",
                           pp_path_tail(s->target));
    return PDFPIPE_OK;
}

/* Network and FUSE file systems report a full disk or quota here. */
static enum pdfpipe_status
close_checked(struct pp_sink *s, struct pdfpipe_error *err)
{
    int fd = s->fd;

    s->fd = -1; /* closed in any case; the number may be reused at once */
    if (close(fd) && errno != EINTR)
        return pp_fail_sys(err, errno, PDFPIPE_E_WRITE,
                           "cannot close the temporary file of %s",
                           pp_path_tail(s->target));
    return PDFPIPE_OK;
}

enum pdfpipe_status
pp_sink_finish(struct pp_sink *s, struct pp_meta *like,
               struct pdfpipe_error *err)
{
    enum pdfpipe_status st;

    PP_ASSERT(s->state == PP_SINK_OPEN);
    st = write_all(s, s->buffer, s->buffered, err);
    s->buffered = 0;
    s->buffer = NULL;
    if (!st)
        st = trim(s, err);
    if (!st)
        st = like ? pp_meta_apply(like, s->fd, err)
                  : pp_meta_apply_new(s->fd, 0666, err);
    if (st)
        return failed(s, st);
    s->state = PP_SINK_FINISHED;
    return PDFPIPE_OK;
}

enum pdfpipe_status
pp_sink_seal(struct pp_sink *s, struct pp_meta *like, bool sync,
             struct pdfpipe_error *err)
{
    enum pdfpipe_status st = PDFPIPE_OK;

    if (s->state != PP_SINK_FINISHED)
        st = pp_sink_finish(s, like, err);
    if (!st && sync)
        st = sync_data(s, err);
    if (!st)
        st = close_checked(s, err);
    if (st)
        return failed(s, st);
    s->state = PP_SINK_SEALED;
    return PDFPIPE_OK;
}

/* ---- the end, one way or the other ---- */

enum pdfpipe_status
pp_sink_publish(struct pp_sink *s, bool replace, struct pdfpipe_error *err)
{
    enum pdfpipe_status st;

    PP_ASSERT(s->state == PP_SINK_SEALED);
    st = pp_temp_publish(s->temp, s->target, replace, err);
    if (!st)
        s->state = PP_SINK_PUBLISHED;
    else if (st != PDFPIPE_E_TARGET_EXISTS)
        s->state = PP_SINK_FAILED;
    return st;
}

enum pdfpipe_status
pp_sink_retarget(struct pp_sink *s, const char *target,
                 struct pdfpipe_error *err)
{
    char *copy = strdup(target);

    PP_ASSERT(s->state == PP_SINK_SEALED);
    if (!copy)
        return pp_fail_memory(err);
    free(s->target);
    s->target = copy;
    return PDFPIPE_OK;
}

void
pp_sink_discard(struct pp_sink *s)
{
    bool on_disk = s->state != PP_SINK_NONE && s->state != PP_SINK_PUBLISHED;
    int saved = errno;

    /* Unlinked first, so that closing need not write it back.  What cannot be
     * removed now is left to the next sweep. */
    if (on_disk)
        (void)unlink(s->temp);
    if (on_disk && s->fd >= 0)
        (void)close(s->fd); /* its bytes are not wanted */
    pp_sink_fini(s);
    errno = saved;
}

void
pp_sink_fini(struct pp_sink *s)
{
    free(s->target);
    free(s->temp);
    *s = (struct pp_sink){ .fd = -1 };
}
