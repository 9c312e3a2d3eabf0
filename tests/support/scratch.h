/*
 * scratch.h - a fresh folder for a test, and small files in it
 *
 * scratch_enter() makes a folder and makes it the current one, so that a test
 * uses short relative names; scratch_leave() removes everything in it.
 */
#ifndef TESTS_SCRATCH_H
#define TESTS_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>

/* Makes a folder below `parent` (NULL: $TMPDIR or /tmp) and enters it; ends
 * the program when that fails: no test can run. */
void scratch_enter(const char *parent);
/* Its absolute name, or NULL. */
const char *scratch_name(void);
/* Goes back to where it came from and removes it with all that is in it. */
void scratch_leave(void);

/* Makes or replaces a file with n bytes; ends the program on failure. */
void scratch_put(const char *name, const void *p, size_t n);
/* True when the file has exactly these n bytes. */
bool scratch_holds(const char *name, const void *p, size_t n);
/* Entries of a folder whose name begins with `prefix` ("": all but . and ..);
 * a folder that cannot be read has none. */
unsigned scratch_count(const char *folder, const char *prefix);

/* Mounts a tmpfs with these options ("size=2m") on the folder `name`, visible
 * to this process only, until it ends.  False: not permitted here. */
bool scratch_tmpfs(const char *name, const char *options);

#endif
