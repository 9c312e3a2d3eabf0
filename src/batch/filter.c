/* filter.c - which names a walk takes, and which folders it enters */
#include "batch/filter.h"

#include <fnmatch.h>
#include <string.h>
#include <strings.h>

/* Base names, as globs.  The first covers ._*, .Trashes, .AppleDouble,
 * .snapshot, .zfs and whatever else people hide. */
static const char *const litter[] = {
    ".*",
    "@eaDir",   /* Synology: thumbnails and metadata      */
    "@Recycle", /* QNAP                                   */
    "@Recently-Snapshot",
    "#recycle", /* Synology                               */
    "#snapshot",
    "$RECYCLE.BIN", /* Windows                                */
    "RECYCLER",
    "System Volume Information",
    "__MACOSX", /* left by archives packed on a Mac       */
    "lost+found",
    "~snapshot", /* NetApp                                 */
};

static bool
glob_matches(const char *glob, const char *name, const char *relative)
{
    if (!strchr(glob, '/'))
        return fnmatch(glob, name, 0) == 0;
    if (*glob == '/') /* anchored, which it is anyway */
        glob++;
    return fnmatch(glob, relative, FNM_PATHNAME) == 0;
}

static bool
any_matches(const char *const *globs, size_t n, const char *name,
            const char *relative)
{
    for (size_t i = 0; i < n; i++)
        if (glob_matches(globs[i], name, relative))
            return true;
    return false;
}

static bool
is_litter(const char *name)
{
    return any_matches(litter, sizeof litter / sizeof litter[0], name, name);
}

const char *
pp_pdf_extension(const char *name)
{
    size_t n = strlen(name);

    return n > 4 && strcasecmp(name + n - 4, ".pdf") == 0 ? name + n - 4 : NULL;
}

/* NAME.S.pdf: `extension` is where .pdf begins in name. */
static bool
has_suffix(const char *name, const char *extension, const char *suffix)
{
    size_t n = strlen(suffix), stem = (size_t)(extension - name);

    return stem > n + 1 && extension[-1 - (ptrdiff_t)n] == '.' &&
           memcmp(extension - n, suffix, n) == 0;
}

bool
pp_filter_file(const struct pp_filter *f, const char *name,
               const char *relative)
{
    const char *extension = pp_pdf_extension(name);
    bool wanted;

    if (!extension || any_matches(f->exclude, f->excludes, name, relative))
        return false;
    if (f->suffix && has_suffix(name, extension, f->suffix))
        return false;
    wanted = any_matches(f->include, f->includes, name, relative);
    return f->includes ? wanted : !is_litter(name);
}

bool
pp_filter_folder(const struct pp_filter *f, const char *name,
                 const char *relative)
{
    return !is_litter(name) &&
           !any_matches(f->exclude, f->excludes, name, relative);
}
