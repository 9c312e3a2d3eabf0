/* placement.c - where an output and the backup of its source go */
#include "batch/placement.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/failure.h"

static enum pdfpipe_status
check_suffix(const char *suffix, struct pdfpipe_error *err)
{
    if (!*suffix || *suffix == '.' || strchr(suffix, '/'))
        return pp_refuse(err, PDFPIPE_E_USAGE,
                         "suffix \"%s\": a part of a name is wanted, without "
                         "slash and without the dots around it",
                         suffix);
    return PDFPIPE_OK;
}

/*
 * Absolute path without links of `path`, of which the last components need
 * not exist; NULL with errno when that cannot be known.  The caller frees.
 */
static char *
resolve(const char *path)
{
    char *head = strdup(path), *real = NULL, *all = NULL;
    size_t cut;

    if (!head)
        return NULL;
    for (cut = strlen(head);;) {
        real = realpath(cut ? head : *path == '/' ? "/" : ".", NULL);
        if (real || errno != ENOENT || cut == 0)
            break;
        while (cut && head[cut - 1] == '/')
            cut--;
        while (cut && head[cut - 1] != '/')
            cut--;
        head[cut] = '\0';
    }
    if (real && asprintf(&all, "%s/%s", real, path + cut) < 0)
        all = NULL;
    free(real);
    free(head);
    return all;
}

static bool
climbs(const char *path)
{
    for (const char *p = strstr(path, ".."); p; p = strstr(p + 2, ".."))
        if ((p == path || p[-1] == '/') && (!p[2] || p[2] == '/'))
            return true;
    return false;
}

/* Is the folder `rest` below a named one outside of what is walked?  `..` can
 * only stand there behind folders that do not exist yet: that is not. */
static bool
is_skipped(char *rest, const struct pp_filter *filter, bool recurse)
{
    char *name = rest, *slash;

    if (climbs(rest))
        return false;
    if (*rest && !recurse)
        return true;
    for (; *name; name = slash + 1) {
        bool entered;

        slash = strchr(name, '/');
        if (slash)
            *slash = '\0';
        entered =
            strcmp(name, "..") == 0 || pp_filter_folder(filter, name, rest);
        if (slash)
            *slash = '/';
        if (!entered)
            return true;
        if (!slash)
            break;
    }
    return false;
}

/* "a//b/./c/" becomes "a/b/c". */
static void
tidy(char *path)
{
    char *to = path;

    for (const char *from = path; *from;) {
        size_t n = strcspn(from, "/");

        if (n && !(n == 1 && *from == '.')) {
            if (to != path)
                *to++ = '/';
            memmove(to, from, n);
            to += n;
        }
        from += n;
        from += strspn(from, "/");
    }
    *to = '\0';
}

/*
 * The folder must not lie in a tree that is going to be walked: the run would
 * take its own output for input.  Every folder above it is compared with the
 * named ones by device and inode, so no spelling and no link hides it.
 */
static enum pdfpipe_status
check_outside(const char *what, const char *folder,
              const struct pp_roots *roots, const struct pp_filter *filter,
              bool recurse, struct pdfpipe_error *err)
{
    char *path = resolve(folder);
    enum pdfpipe_status st = PDFPIPE_OK;
    struct stat above;

    if (!path)
        return pp_refuse_sys(err, errno, PDFPIPE_E_USAGE, "%s folder %s", what,
                             folder);
    tidy(path); /* no slash in front, either */
    for (size_t i = 0; i <= strlen(path) && !st; i++) {
        char *prefix;
        bool is_root;

        if (path[i] && path[i] != '/' && i)
            continue;
        if (asprintf(&prefix, "/%.*s", (int)i, path) < 0) {
            st = pp_refuse_memory(err);
            break;
        }
        is_root = stat(prefix, &above) == 0 && S_ISDIR(above.st_mode) &&
                  pp_roots_has_folder(roots, &above);
        if (is_root &&
            !is_skipped(path + i + (path[i] == '/'), filter, recurse))
            st = pp_refuse(err, PDFPIPE_E_USAGE,
                           "%s folder %s lies inside %s, which is walked", what,
                           folder, prefix);
        free(prefix);
    }
    free(path);
    return st;
}

static bool
is_same_file(const char *a, const struct stat *b)
{
    struct stat st;

    return stat(a, &st) == 0 && st.st_dev == b->st_dev &&
           st.st_ino == b->st_ino;
}

/* Decides whether the output is a file or a folder. */
static enum pdfpipe_status
check_output(struct pp_placement *p, const struct pp_roots *roots,
             const struct pp_filter *filter, bool recurse,
             struct pdfpipe_error *err)
{
    size_t n = strlen(p->output);
    bool one_file = roots->count == 1 && roots->root[0].kind != PP_ROOT_FOLDER;
    struct stat st;
    bool exists;

    if (n == 0)
        return pp_refuse(err, PDFPIPE_E_USAGE, "output: empty name");
    if (strcmp(p->output, "-") == 0)
        return pp_refuse(err, PDFPIPE_E_USAGE,
                         "documents are not written to standard output, as an "
                         "output is read back; ./- is a file of that name");
    exists = stat(p->output, &st) == 0;
    if (exists && !S_ISDIR(st.st_mode) && !one_file)
        return pp_refuse(err, PDFPIPE_E_USAGE,
                         "output %s is no folder, which several inputs or a "
                         "folder need",
                         p->output);
    p->output_is_file =
        one_file && (exists ? !S_ISDIR(st.st_mode) : p->output[n - 1] != '/');
    p->may_collide = roots->count > 1;
    if (!p->output_is_file)
        return check_outside("output", p->output, roots, filter, recurse, err);
    if (p->suffix)
        return pp_refuse(err, PDFPIPE_E_USAGE,
                         "a suffix has no use beside an output file");
    if (exists && is_same_file(roots->root[0].path, &st))
        return pp_refuse(err, PDFPIPE_E_USAGE,
                         "output %s is the input itself; without an output "
                         "it is encrypted in place",
                         p->output);
    return PDFPIPE_OK;
}

enum pdfpipe_status
pp_placement_init(struct pp_placement *p, const char *output,
                  const char *suffix, const char *backup,
                  const struct pp_roots *roots, const struct pp_filter *filter,
                  bool recurse, struct pdfpipe_error *err)
{
    enum pdfpipe_status st = PDFPIPE_OK;

    memset(p, 0, sizeof *p);
    p->output = output;
    p->suffix = suffix;
    p->backup = backup;
    if (backup && (output || suffix))
        return pp_refuse(err, PDFPIPE_E_USAGE,
                         "a backup is kept of files replaced in place; an "
                         "output or a suffix replaces none");
    if (suffix)
        st = check_suffix(suffix, err);
    if (!st && output)
        st = check_output(p, roots, filter, recurse, err);
    if (!st && backup && !*backup)
        st = pp_refuse(err, PDFPIPE_E_USAGE, "backup: empty name");
    if (!st && backup)
        st = check_outside("backup", backup, roots, filter, recurse, err);
    /* Two inputs may be given one name: a and a.pdf, x/a.pdf and y/a.pdf. */
    p->may_collide |= suffix != NULL;
    if (!st && p->may_collide && !pp_pathset_init(&p->taken))
        st = pp_refuse_sys(err, errno, PDFPIPE_E_INTERNAL, "random key");
    return st;
}

void
pp_placement_fini(struct pp_placement *p)
{
    pp_pathset_fini(&p->taken);
    free(p->target_name);
    free(p->backup_name);
    memset(p, 0, sizeof *p);
}

/* folder/relative with the suffix, if any, before the extension; folder NULL:
 * relative alone.  NULL: out of memory. */
static char *
join(const char *folder, const char *relative, const char *suffix)
{
    const char *extension = pp_pdf_extension(relative);
    size_t stem = extension ? (size_t)(extension - relative) : strlen(relative);
    const char *slash = "";
    char *name = NULL;

    if (folder && folder[strlen(folder) - 1] != '/')
        slash = "/";
    if (asprintf(&name, "%s%s%.*s%s%s%s", folder ? folder : "", slash,
                 (int)stem, relative, suffix ? "." : "", suffix ? suffix : "",
                 extension ? extension
                 : suffix  ? ".pdf"
                           : "") < 0)
        return NULL;
    return name;
}

static enum pdfpipe_status
check_length(const char *what, const char *path, struct pdfpipe_error *err)
{
    const char *slash = strrchr(path, '/');

    if (strlen(path) < PATH_MAX && strlen(slash ? slash + 1 : path) <= NAME_MAX)
        return PDFPIPE_OK;
    return pp_refuse(err, PDFPIPE_E_LIMIT,
                     "name of the %s is too long for the system", what);
}

/* Would the output replace the file that it is made of? */
static enum pdfpipe_status
check_apart(const char *source, const char *target, struct pdfpipe_error *err)
{
    struct stat st;

    if (stat(target, &st) || !is_same_file(source, &st))
        return PDFPIPE_OK;
    return pp_refuse(err, PDFPIPE_E_TARGET_EXISTS,
                     "the output would replace the input itself; without an "
                     "output it is encrypted in place");
}

static enum pdfpipe_status
claim_target(struct pp_placement *p, const char *relative,
             struct pdfpipe_error *err)
{
    switch (pp_pathset_add(&p->taken, relative)) {
    case PP_PATH_NEW: return PDFPIPE_OK;
    case PP_PATH_NO_MEMORY: return pp_refuse_memory(err);
    case PP_PATH_SEEN: break;
    }
    return pp_refuse(err, PDFPIPE_E_TARGET_EXISTS,
                     "an earlier input has the same place in the output "
                     "folder");
}

enum pdfpipe_status
pp_placement_find(struct pp_placement *p, const char *source,
                  const char *relative, const char **target,
                  const char **backup, struct pdfpipe_error *err)
{
    enum pdfpipe_status st = PDFPIPE_OK;

    *target = *backup = NULL;
    if (p->output_is_file) {
        *target = p->output;
        return PDFPIPE_OK;
    }
    if (p->output || p->suffix) {
        free(p->target_name);
        p->target_name =
            join(p->output, p->output ? relative : source, p->suffix);
        if (!p->target_name)
            return pp_refuse_memory(err);
        *target = p->target_name;
        st = check_length("output", p->target_name, err);
        if (!st)
            st = check_apart(source, p->target_name, err);
    }
    if (!st && p->may_collide)
        st = claim_target(p, *target ? *target : relative, err);
    if (!st && p->backup) {
        free(p->backup_name);
        p->backup_name = join(p->backup, relative, NULL);
        if (!p->backup_name)
            return pp_refuse_memory(err);
        *backup = p->backup_name;
        st = check_length("backup", p->backup_name, err);
    }
    return st;
}
