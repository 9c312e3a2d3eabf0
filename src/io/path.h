/* path.h - the parts of a path that this folder works with */
#ifndef PP_IO_PATH_H
#define PP_IO_PATH_H

/* The folder that holds `path`: "." for a bare name, "/" for one in the root.
 * The caller frees it; NULL: out of memory. */
char *pp_path_folder(const char *path);

/* The end of `path`, at most 120 bytes of it, as an error message shows it;
 * borrowed from path. */
const char *pp_path_tail(const char *path);

#endif
