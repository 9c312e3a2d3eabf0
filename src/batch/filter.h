/*
 * filter.h - which names a walk takes, and which folders it enters
 *
 * The rules, in their order:
 *   1. a file must end in .pdf (any case), which our own temporary names
 *      (.pdfpipe-*.tmp) do not;
 *   2. what an exclude glob matches is not taken, and not entered;
 *   3. with a suffix S in use, NAME.S.pdf is output and not input;
 *   4. if there are include globs, a file must match one of them;
 *   5. hidden names and the litter of NAS boxes and desktops are not taken
 *      or entered, except a file that an include glob matches.
 * A path that a user names is not asked: it is taken whatever its name.
 *
 * A glob is matched by fnmatch(3), byte by byte: without a slash against the
 * last component, with one against the path below the named folder, where
 * `*` and `?` do not match a slash.
 */
#ifndef PP_BATCH_FILTER_H
#define PP_BATCH_FILTER_H

#include <stdbool.h>
#include <stddef.h>

/* All zero is the default filter.  Everything is borrowed. */
struct pp_filter {
    const char *const *include;
    size_t includes;
    const char *const *exclude;
    size_t excludes;
    const char *suffix; /* NULL: none */
};

/* name is the last component of relative, the path below the named folder
 * without a leading slash. */
bool pp_filter_file(const struct pp_filter *f, const char *name,
                    const char *relative);
bool pp_filter_folder(const struct pp_filter *f, const char *name,
                      const char *relative);

/* Where the extension .pdf (any case) of name begins; NULL: there is none. */
const char *pp_pdf_extension(const char *name);

#endif
