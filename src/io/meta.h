/*
 * meta.h - what of a file survives its replacement
 *
 * Owner and group, ACL and extended attributes, mode, times: read from the
 * source while it is open, written to the temporary file before it is
 * published, in an order in which nothing undoes what came before (chown
 * clears set-id bits).
 *
 * The new file is never more open than the old one.  What could not be kept
 * narrows the mode: without the owner, set-id bits are dropped; without the
 * group, its bits are not given to another one; without the ACL, only the
 * owner's bits are left.  An ACL that the folder handed down to the temporary
 * file is removed when a file is replaced.
 */
#ifndef PP_IO_META_H
#define PP_IO_META_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "base/fail.h"

struct pp_meta {
    struct stat st;
    bool replace; /* true: owner, xattrs and times too; false: mode
                     only, limited by the umask, for a new file       */
    char *xattrs; /* name NUL u32 length value ...; owned; NULL: none */
    size_t xattrs_len;
    bool owner_lost; /* set by apply: owner, group or mode not kept      */
    bool xattr_lost; /* set by read and apply                            */
    bool acl_lost;   /* the same for the ACL; xattr_lost is set too      */
    bool times_lost; /* set by apply                                     */
};

/*
 * Reads the metadata of an open file: with replace also user.* attributes,
 * the POSIX access ACL, security.selinux, and trusted.* if this process runs
 * as root, 1 MiB in all.  A file system without attributes is no error; an
 * attribute that cannot be read is remembered as lost.
 * Errors: E_READ, E_NO_MEMORY; m then owns nothing.
 */
enum pdfpipe_status pp_meta_read(struct pp_meta *m, int fd, bool replace,
                                 struct pdfpipe_error *err);

/* Writes it to another.  An owner or attribute that this process may not set
 * is remembered in m, not an error.
 * Errors: E_WRITE, E_NO_SPACE; E_PERMISSION when a replacement would stay
 * more open than the file it replaces. */
enum pdfpipe_status pp_meta_apply(struct pp_meta *m, int fd,
                                  struct pdfpipe_error *err);

/* Gives a new file `mode` minus the umask.  A file system that knows no modes
 * (EPERM, EOPNOTSUPP) is no error.  Errors: E_WRITE. */
enum pdfpipe_status pp_meta_apply_new(int fd, mode_t mode,
                                      struct pdfpipe_error *err);

void pp_meta_fini(struct pp_meta *m);

#endif
