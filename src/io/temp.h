/*
 * temp.h - the name a file has until it is complete
 *
 * It lies in the folder of its target, because a rename is atomic within one
 * file system only.  Its length is fixed, so that a target of any length that
 * the file system takes can be written.
 */
#ifndef PP_IO_TEMP_H
#define PP_IO_TEMP_H

#include <stdbool.h>

#include "base/fail.h"

/* Is this name (without a folder) exactly ".pdfpipe-", 16 lower-case
 * hexadecimal digits, ".tmp"? */
bool pp_is_temp_name(const char *basename);

/*
 * Creates and opens, for writing, a new file of such a name beside target,
 * mode 0600; never an existing one, never through a symbolic link.  The caller
 * owns *name and *fd.
 * Errors: E_NO_SPACE, E_READ_ONLY, E_PERMISSION, E_NOT_FOUND (the folder),
 * E_WRITE, E_NO_MEMORY.
 */
enum pdfpipe_status pp_temp_create(const char *target, char **name, int *fd,
                                   struct pdfpipe_error *err);

/*
 * Gives the file `name` its final name.  replace: what is there is replaced in
 * one step; else nothing may be there, and of two who try at the same time one
 * fails.  After an error `name` still exists and target is as it was.
 * Errors: E_TARGET_EXISTS (also: target is a folder), E_PERMISSION,
 * E_READ_ONLY, E_NO_SPACE, E_BUSY, E_WRITE.
 */
enum pdfpipe_status pp_temp_publish(const char *name, const char *target,
                                    bool replace, struct pdfpipe_error *err);

#endif
