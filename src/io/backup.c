/* backup.c - a file that is going to be replaced stays under a second name */
#include "io/backup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/num.h"
#include "io/folder.h"
#include "io/meta.h"
#include "io/path.h"
#include "io/sink.h"
#include "io/source.h"

#define NAMES 10000u

/* The i-th name to try; the caller frees it; NULL: out of memory. */
static char *
name_of(const char *backup, unsigned i)
{
    char *name;

    if (asprintf(&name, i ? "%s.%u" : "%s", backup, i) < 0)
        return NULL;
    return name;
}

static enum pdfpipe_status
no_free_name(const char *backup, struct pdfpipe_error *err)
{
    return pp_fail(err, PDFPIPE_E_LIMIT, "all %u names are taken: %s.*", NAMES,
                   pp_path_tail(backup));
}

/* Is `name` a second name of the file at `path`?  The link count tells names
 * that differ only in spelling, as in a folder that ignores case. */
static bool
second_name(const char *path, const char *name)
{
    struct stat a, b;

    return !lstat(path, &a) && !lstat(name, &b) && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino && a.st_nlink >= 2 &&
           !pp_path_same_entry(path, name);
}

/* ---- by a second name ---- */

/* Errors by which link() says "not here", rather than "not now". */
static bool
cannot_link(int sys_errno)
{
    return sys_errno == EXDEV || sys_errno == EPERM || sys_errno == EMLINK ||
           sys_errno == EOPNOTSUPP || sys_errno == ENOSYS;
}

/* *must_copy: hard links do not work between the two places. */
static enum pdfpipe_status
keep_link(const char *path, const char *backup, bool *must_copy, char **kept,
          struct pdfpipe_error *err)
{
    for (unsigned i = 0; i < NAMES; i++) {
        char *name = name_of(backup, i);
        int failed;

        if (!name)
            return pp_fail_memory(err);
        /* Flags 0: a link that took path's place would be linked itself, not
         * followed; the caller has seen a regular file there. */
        failed = linkat(AT_FDCWD, path, AT_FDCWD, name, 0) ? errno : 0;
        if (!failed || (failed == EEXIST && second_name(path, name))) {
            *kept = name;
            return PDFPIPE_OK;
        }
        free(name);
        if (failed == EEXIST)
            continue;
        *must_copy = cannot_link(failed);
        if (*must_copy)
            return PDFPIPE_OK;
        return pp_fail_sys(err, failed, PDFPIPE_E_WRITE,
                           "cannot make the backup %s", pp_path_tail(backup));
    }
    return no_free_name(backup, err);
}

/* ---- by a copy ---- */

static enum pdfpipe_status
copy_bytes(const struct pp_source *from, struct pp_sink *to, uint8_t *piece,
           struct pdfpipe_error *err)
{
    for (uint64_t at = 0; at < from->size;) {
        size_t n = (size_t)pp_min(PP_SINK_BUFFER, from->size - at);
        enum pdfpipe_status st = pp_source_read(from, at, piece, n, err);

        if (!st)
            st = pp_sink_write(to, piece, n, err);
        if (st)
            return st;
        at += n;
    }
    return PDFPIPE_OK;
}

/* Publishes the copy under the first name that is free. */
static enum pdfpipe_status
publish_numbered(struct pp_sink *copy, const char *backup, char **kept,
                 struct pdfpipe_error *err)
{
    for (unsigned i = 0; i < NAMES; i++) {
        char *name = name_of(backup, i);
        enum pdfpipe_status st;

        if (!name)
            return pp_fail_memory(err);
        st = pp_sink_retarget(copy, name, err);
        if (!st)
            st = pp_sink_publish(copy, false, err);
        if (!st) {
            *kept = name;
            return PDFPIPE_OK;
        }
        free(name);
        if (st != PDFPIPE_E_TARGET_EXISTS)
            return st;
    }
    return no_free_name(backup, err);
}

static enum pdfpipe_status
copy_open(struct pp_source *from, const char *path, const char *backup,
          char **kept, struct pdfpipe_error *err)
{
    struct pp_meta meta = { 0 };
    struct pp_sink to = { 0 };
    /* One half for the sink; from the other the sink writes directly. */
    uint8_t *memory = aligned_alloc(4096, 2 * PP_SINK_BUFFER);
    enum pdfpipe_status st;

    if (!memory)
        return pp_fail_memory(err);
    st = pp_meta_read(&meta, from->fd, true, err);
    if (!st)
        st = pp_sink_open(&to, backup, from->size, memory, err);
    if (!st)
        st = copy_bytes(from, &to, memory + PP_SINK_BUFFER, err);
    if (!st)
        st = pp_sink_seal(&to, &meta, true, err);
    if (!st)
        st = pp_source_unchanged(from, path, err);
    if (!st)
        st = publish_numbered(&to, backup, kept, err);
    pp_sink_discard(&to); /* nothing but memory once it is published */
    pp_meta_fini(&meta);
    free(memory);
    return st;
}

static enum pdfpipe_status
keep_copy(const char *path, const char *backup, char **kept,
          struct pdfpipe_error *err)
{
    struct pp_source from;
    enum pdfpipe_status st = pp_source_open(&from, path, err);

    if (st)
        return st;
    st = copy_open(&from, path, backup, kept, err);
    pp_source_close(&from);
    return st;
}

/* ---- */

static enum pdfpipe_status
look_at(const char *path, struct pdfpipe_error *err)
{
    struct stat st;

    if (lstat(path, &st))
        return pp_fail_sys(err, errno, PDFPIPE_E_READ, "cannot look at %s",
                           pp_path_tail(path));
    if (S_ISLNK(st.st_mode))
        return pp_fail(err, PDFPIPE_E_SYMLINK, "%s is a symbolic link",
                       pp_path_tail(path));
    if (!S_ISREG(st.st_mode))
        return pp_fail(err, PDFPIPE_E_NOT_REGULAR, "%s is no regular file",
                       pp_path_tail(path));
    return PDFPIPE_OK;
}

enum pdfpipe_status
pp_backup_keep(const char *path, const char *backup, char **kept,
               struct pdfpipe_error *err)
{
    enum pdfpipe_status st = look_at(path, err);
    bool must_copy = false;
    char *name = NULL;

    if (kept)
        *kept = NULL;
    if (!st)
        st = keep_link(path, backup, &must_copy, &name, err);
    if (!st && must_copy)
        st = keep_copy(path, backup, &name, err);
    if (st)
        return st;
    PP_ASSERT(name != NULL);
    st = pp_folder_sync(name, NULL, err);
    if (st)
        pp_backup_drop(path, name);
    if (st || !kept)
        free(name);
    else
        *kept = name;
    return st;
}

void
pp_backup_drop(const char *path, const char *kept)
{
    struct stat a, b;
    bool copied = !lstat(path, &a) && !lstat(kept, &b) &&
                  (a.st_dev != b.st_dev || a.st_ino != b.st_ino);

    if (copied || second_name(path, kept))
        (void)unlink(kept);
}
