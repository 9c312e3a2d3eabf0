/*
 * backup.h - a file that is going to be replaced stays under a second name
 */
#ifndef PP_IO_BACKUP_H
#define PP_IO_BACKUP_H

#include "base/fail.h"

/*
 * Keeps the regular file `path` under the name `backup`: a hard link, else
 * (other file system, no links) a synced copy with the same metadata.  An
 * existing backup is never replaced: ".1", ".2", ... ".9999" is appended.  Its
 * folder, which must exist (pp_folder_make), is synced where that can be done.
 *
 * A name that already is a hard link of path counts as the backup, so that a
 * run that was cut short can be repeated; path itself does not.  A hard link changes the ctime and
 * link count of path: look at pp_source_unchanged() before.
 *
 * *kept (may be NULL) receives the name that was taken; the caller frees it.
 * Errors: E_NOT_REGULAR, E_SYMLINK, E_NOT_FOUND, E_LIMIT (no free name),
 * E_CHANGED (path changed while it was copied), E_READ, E_WRITE, E_NO_SPACE,
 * E_READ_ONLY, E_PERMISSION, E_NO_MEMORY; *kept is NULL then, and no new name
 * is left.
 */
enum pdfpipe_status pp_backup_keep(const char *path, const char *backup,
                                   char **kept, struct pdfpipe_error *err);

/* Removes a backup again when `path` was not replaced after all, so that the
 * file has one name as before.  Nothing is removed unless the file is seen to
 * be there under `path`, too.  Nothing can be done about a failure. */
void pp_backup_drop(const char *path, const char *kept);

#endif
