/* path.h - the parts of a path that this folder works with */
#ifndef PP_IO_PATH_H
#define PP_IO_PATH_H

#include <stdbool.h>

/* The folder that holds `path`: "." for a bare name, "/" for one in the root.
 * The caller frees it; NULL: out of memory. */
char *pp_path_folder(const char *path);

/* The end of `path`, at most 120 bytes of it, as an error message shows it;
 * borrowed from path. */
const char *pp_path_tail(const char *path);

/* Do both paths name one entry of one folder, however the folder is spelt?  A
 * hard link to the same file is another entry.  true also when that cannot be
 * known: callers spare what may be the only name. */
bool pp_path_same_entry(const char *a, const char *b);

#endif
