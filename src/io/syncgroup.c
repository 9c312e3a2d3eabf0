/* syncgroup.c - many files brought to disk by one call per file system */
#include "io/syncgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/thread.h"
#include "io/path.h"

struct device {
    dev_t dev;
    int fd;       /* of a folder on it, open as long as the group */
    char *folder; /* its name, for messages; owned                */
};

/* Everything but devices[].fd and .folder is guarded by mu; those two never
 * change once they are in the table. */
struct pp_syncgroup {
    struct pp_mutex mu;
    struct device *devices;
    size_t count, capacity;
    uint64_t announced;       /* tickets given out                            */
    uint64_t doomed;          /* no file with this ticket or an earlier one
                                 may be published any more                    */
    struct pdfpipe_error why; /* of the flush that doomed them          */
};

enum pdfpipe_status
pp_syncgroup_new(struct pp_syncgroup **out, struct pdfpipe_error *err)
{
    struct pp_syncgroup *g = calloc(1, sizeof *g);

    *out = g;
    if (!g)
        return pp_fail_memory(err);
    pp_mutex_init(&g->mu);
    return PDFPIPE_OK;
}

static void
drop(struct device *d)
{
    if (d->fd >= 0)
        (void)close(d->fd); /* read only */
    free(d->folder);
    *d = (struct device){ .fd = -1 };
}

void
pp_syncgroup_free(struct pp_syncgroup *g)
{
    if (!g)
        return;
    for (size_t i = 0; i < g->count; i++)
        drop(&g->devices[i]);
    free(g->devices);
    pp_mutex_fini(&g->mu);
    free(g);
}

/* ---- the table of file systems ---- */

static bool known(const struct pp_syncgroup *g, dev_t dev) PP_REQUIRES(g->mu);
static uint64_t draw(struct pp_syncgroup *g) PP_REQUIRES(g->mu);
static enum pdfpipe_status add(struct pp_syncgroup *g, struct device *d,
                               struct pdfpipe_error *err) PP_REQUIRES(g->mu);

static bool
known(const struct pp_syncgroup *g, dev_t dev)
{
    for (size_t i = 0; i < g->count; i++)
        if (g->devices[i].dev == dev)
            return true;
    return false;
}

static uint64_t
draw(struct pp_syncgroup *g)
{
    return ++g->announced;
}

/* Takes what d owns, unless it fails or another thread was faster. */
static enum pdfpipe_status
add(struct pp_syncgroup *g, struct device *d, struct pdfpipe_error *err)
{
    if (known(g, d->dev))
        return PDFPIPE_OK;
    if (g->count == PP_SYNCGROUP_DEVICES)
        return pp_fail(err, PDFPIPE_E_LIMIT,
                       "more than %u file systems at once: %s",
                       PP_SYNCGROUP_DEVICES, pp_path_tail(d->folder));
    if (g->count == g->capacity) {
        size_t capacity = g->capacity ? 2 * g->capacity : 4;
        struct device *grown =
            realloc(g->devices, capacity * sizeof *g->devices);

        if (!grown)
            return pp_fail_memory(err);
        g->devices = grown;
        g->capacity = capacity;
    }
    g->devices[g->count++] = *d;
    *d = (struct device){ .fd = -1 };
    return PDFPIPE_OK;
}

/* ---- announcing ---- */

/* Opens d->folder; the device may differ from an earlier look, if something
 * was mounted there meanwhile. */
static enum pdfpipe_status
open_folder(struct device *d, struct pdfpipe_error *err)
{
    struct stat st;

    d->fd = open(d->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (d->fd < 0 || fstat(d->fd, &st))
        return pp_fail_sys(err, errno, PDFPIPE_E_WRITE,
                           "cannot open the folder %s",
                           pp_path_tail(d->folder));
    d->dev = st.st_dev;
    return PDFPIPE_OK;
}

static enum pdfpipe_status
announce_new(struct pp_syncgroup *g, struct device *d, uint64_t *ticket,
             struct pdfpipe_error *err)
{
    enum pdfpipe_status st = open_folder(d, err);

    if (st)
        return st;
    pp_lock(&g->mu);
    st = add(g, d, err);
    if (!st)
        *ticket = draw(g);
    pp_unlock(&g->mu);
    return st;
}

enum pdfpipe_status
pp_syncgroup_announce(struct pp_syncgroup *g, const char *path,
                      uint64_t *ticket, struct pdfpipe_error *err)
{
    struct device d = { .fd = -1, .folder = pp_path_folder(path) };
    enum pdfpipe_status result = PDFPIPE_OK;
    struct stat st;
    bool found;

    if (!d.folder)
        return pp_fail_memory(err);
    if (stat(d.folder, &st)) {
        result =
            pp_fail_sys(err, errno, PDFPIPE_E_WRITE,
                        "cannot look at the folder %s", pp_path_tail(d.folder));
        drop(&d);
        return result;
    }
    pp_lock(&g->mu);
    found = known(g, st.st_dev);
    if (found)
        *ticket = draw(g);
    pp_unlock(&g->mu);
    if (!found)
        result = announce_new(g, &d, ticket, err);
    drop(&d);
    return result;
}

/* ---- flushing ---- */

/*
 * The table is copied, so that no I/O happens under the mutex.  All of them
 * are flushed even after one has failed: an error that is not fetched now
 * would fall upon the next group.
 */
enum pdfpipe_status
pp_syncgroup_flush(struct pp_syncgroup *g, struct pdfpipe_error *err)
{
    struct device devices[PP_SYNCGROUP_DEVICES];
    struct pdfpipe_error first = { .code = PDFPIPE_OK };
    size_t count;

    pp_lock(&g->mu);
    count = g->count;
    if (count > 0)
        memcpy(devices, g->devices, count * sizeof *devices);
    pp_unlock(&g->mu);

    for (size_t i = 0; i < count; i++)
        if (syncfs(devices[i].fd))
            (void)pp_fail_sys(first.code ? NULL : &first, errno,
                              PDFPIPE_E_WRITE,
                              "cannot bring the file system of %s to disk",
                              pp_path_tail(devices[i].folder));
    if (!first.code)
        return PDFPIPE_OK;

    pp_lock(&g->mu);
    g->doomed = g->announced;
    g->why = first;
    pp_unlock(&g->mu);
    if (err)
        *err = first;
    return first.code;
}

enum pdfpipe_status
pp_syncgroup_holds(struct pp_syncgroup *g, uint64_t ticket,
                   struct pdfpipe_error *err)
{
    enum pdfpipe_status st = PDFPIPE_OK;

    pp_lock(&g->mu);
    if (ticket <= g->doomed) {
        st = g->why.code;
        if (err)
            *err = g->why;
    }
    pp_unlock(&g->mu);
    return st;
}
