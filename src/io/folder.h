/*
 * folder.h - folders: made, and brought to disk
 */
#ifndef PP_IO_FOLDER_H
#define PP_IO_FOLDER_H

#include <stdbool.h>

#include "base/fail.h"

/*
 * Makes the missing folders above `path` (a file name), mode 0777 minus
 * umask; each new one is synced into its parent.  Two may do it at a time.
 * Errors: E_NOT_FOUND (a component is no folder), E_PERMISSION, E_READ_ONLY,
 * E_NO_SPACE, E_WRITE, E_NO_MEMORY.
 */
enum pdfpipe_status pp_folder_make(const char *path, struct pdfpipe_error *err);

/*
 * fsyncs the folder that holds `path`, so that a name made or replaced in it
 * stays.  *unsupported (may be NULL) is set when that cannot be done: the file
 * system does not offer it (EINVAL, EOPNOTSUPP, ENOSYS), or this process may
 * write in the folder but not read it (EACCES).  That is a warning, no error.
 * Errors: E_NOT_FOUND, E_NO_SPACE, E_WRITE, E_NO_MEMORY.
 */
enum pdfpipe_status pp_folder_sync(const char *path, bool *unsupported,
                                   struct pdfpipe_error *err);

#endif
