/*
 * roots.h - the paths a user named, what stands there, and which are done
 *
 * Named paths may overlap: the same twice, one below another, under two
 * spellings.  Each folder is entered once and each named file is taken once,
 * by whoever comes first: the walk of a folder around it or its own turn.
 * Folders are the same when device and inode are; files when they have the
 * same name in the same folder (two hard links are two files).
 */
#ifndef PP_BATCH_ROOTS_H
#define PP_BATCH_ROOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include <pdfpipe/status.h>

enum pp_root_kind {
    PP_ROOT_MISSING, /* lstat failed: sys_errno */
    PP_ROOT_FILE,
    PP_ROOT_FOLDER,
    PP_ROOT_LINK,
    PP_ROOT_OTHER, /* FIFO, socket, device */
};

struct pp_root {
    const char *path; /* borrowed */
    const char *name; /* last component, without a slash at the end: FILE */
    enum pp_root_kind kind;
    int sys_errno;
    dev_t dev; /* of the folder itself (FOLDER), or of the folder */
    ino_t ino; /* that holds it (FILE)                            */
    bool claimed;
};

struct pp_roots {
    struct pp_root *root; /* as named */
    size_t count;
    struct pp_root **sorted; /* by kind, identity, name */
    size_t folders;
};

/* Looks at each path once (lstat).  Borrows paths as long as *r lives.
 * Errors: E_NO_MEMORY. */
enum pdfpipe_status pp_roots_init(struct pp_roots *r, const char *const *paths,
                                  size_t count, struct pdfpipe_error *err);
void pp_roots_fini(struct pp_roots *r);

/* The walk is about to enter the folder st: true when it may, false when it
 * was entered before as, or on the way to, a named one. */
bool pp_roots_claim_folder(struct pp_roots *r, const struct stat *st);

/* The same for a file `name` in the folder st. */
bool pp_roots_claim_file(struct pp_roots *r, const struct stat *folder,
                         const char *name);

/* Is st one of the named folders? */
bool pp_roots_has_folder(const struct pp_roots *r, const struct stat *st);

#endif
