/*
 * source.h - the file a document is read from
 *
 * Positioned reads only (a mapping would raise SIGBUS when somebody cuts the
 * file), any number of threads at a time.  A source remembers what the file
 * was when it was opened, so that a change is noticed before anything is
 * published.
 */
#ifndef PP_IO_SOURCE_H
#define PP_IO_SOURCE_H

#include <sys/stat.h>

#include "base/input.h"

struct pp_source {
    int fd;         /* -1: closed                                  */
    uint64_t size;  /* bytes, when it was opened                   */
    struct stat st; /* what it was when it was opened              */
};

/*
 * Opens a regular file: no symbolic link as last component, never blocks on a
 * FIFO or device.  Asks the system for sequential read-ahead.
 * Errors: E_NOT_FOUND, E_PERMISSION, E_SYMLINK, E_NOT_REGULAR, E_LIMIT (name
 * too long), E_BUSY, E_READ; s->fd is -1 then.
 */
enum pdfpipe_status pp_source_open(struct pp_source *s, const char *path,
                                   struct pdfpipe_error *err);

/*
 * Reads exactly n bytes at offset; offset + n <= size (asserted).  Loops over
 * short reads and EINTR.
 * Errors: E_CHANGED when the file has become shorter, E_READ; both with the
 * offset of the first byte that could not be read.
 */
enum pdfpipe_status pp_source_read(const struct pp_source *s, uint64_t offset,
                                   void *dst, size_t n,
                                   struct pdfpipe_error *err);

/* The source as a parser sees it; valid as long as s is open and unmoved. */
struct pp_input pp_source_input(struct pp_source *s);

/*
 * Is `path` still the same file with the same content, as far as stat tells
 * (device, inode, size, mtime, ctime)?  s may be closed already.
 * A hard link made of it since then (pp_backup_keep) counts as a change.
 * Errors: E_CHANGED naming what differs, E_PERMISSION, E_READ.
 */
enum pdfpipe_status pp_source_unchanged(const struct pp_source *s,
                                        const char *path,
                                        struct pdfpipe_error *err);

/* Closes; harmless when closed already. */
void pp_source_close(struct pp_source *s);

#endif
