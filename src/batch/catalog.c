/*
 * catalog.c - the documents of a run, one after the other
 *
 * The walk is a stack of levels, each an open folder and the rest of its
 * listing; its depth is data, not recursion.  One buffer holds the path: a
 * level remembers how much of it is its own prefix.
 */
#include "batch/catalog.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "batch/failure.h"
#include "batch/listing.h"
#include "batch/placement.h"
#include "batch/roots.h"

struct level {
    int fd;
    struct stat st; /* of the folder */
    struct pp_listing listing;
    size_t prefix; /* bytes of the path up to and with its slash */
};

struct pp_catalog {
    struct pp_catalog_spec spec;
    struct pp_roots roots;
    struct pp_placement placement;
    size_t next_root;
    bool has_named_files;

    struct level *level;
    size_t depth;       /* levels in use */
    size_t levels;      /* allocated     */
    char *path;         /* of the entry under the walk's finger */
    size_t path_size;   /* allocated                            */
    size_t root_prefix; /* bytes of path before `relative`      */
};

enum pdfpipe_status
pp_catalog_new(const struct pp_catalog_spec *spec, struct pp_catalog **out,
               struct pdfpipe_error *err)
{
    struct pp_catalog *c = calloc(1, sizeof *c);
    enum pdfpipe_status st;

    *out = NULL;
    if (!c)
        return pp_refuse_memory(err);
    c->spec = *spec;
    c->spec.filter.suffix = spec->suffix;
    st = pp_roots_init(&c->roots, spec->paths, spec->count, err);
    if (!st)
        st = pp_placement_init(&c->placement, spec->output, spec->suffix,
                               spec->backup, &c->roots, &c->spec.filter,
                               !spec->first_level_only, err);
    if (st) {
        pp_catalog_free(c);
        return st;
    }
    c->has_named_files = c->roots.folders < c->roots.count;
    *out = c;
    return PDFPIPE_OK;
}

static void
pop_level(struct pp_catalog *c)
{
    struct level *l = &c->level[--c->depth];

    pp_listing_fini(&l->listing);
    (void)close(l->fd); /* was only read */
}

void
pp_catalog_free(struct pp_catalog *c)
{
    if (!c)
        return;
    while (c->depth)
        pop_level(c);
    free(c->level);
    free(c->path);
    pp_placement_fini(&c->placement);
    pp_roots_fini(&c->roots);
    free(c);
}

/* path = its first `prefix` bytes, of which the last is a slash, then name. */
static enum pdfpipe_status
set_path(struct pp_catalog *c, size_t prefix, const char *name,
         struct pdfpipe_error *err)
{
    size_t need = prefix + strlen(name) + 2; /* a slash may follow */

    if (need > c->path_size) {
        size_t size = need < PATH_MAX ? PATH_MAX : 2 * need;
        char *path = realloc(c->path, size);

        if (!path)
            return pp_refuse_memory(err);
        c->path = path;
        c->path_size = size;
    }
    if (prefix)
        c->path[prefix - 1] = '/';
    memcpy(c->path + prefix, name, need - prefix - 1);
    if (need - 2 >= PATH_MAX)
        return pp_refuse(err, PDFPIPE_E_LIMIT,
                         "path is longer than the system takes");
    return PDFPIPE_OK;
}

/* Gives out the entry at c->path; e->error is filled unless it is a FILE. */
static bool
give(struct pp_catalog *c, struct pp_entry *e, enum pp_entry_kind kind)
{
    e->kind = kind;
    e->source = c->path ? c->path : "";
    e->relative = c->path ? c->path + c->root_prefix : "";
    return true;
}

/* The entry at c->path is a document, unless it has no place to go to. */
static bool
give_file(struct pp_catalog *c, struct pp_entry *e)
{
    if (pp_placement_find(&c->placement, c->path, c->path + c->root_prefix,
                          &e->target, &e->backup, &e->error))
        return give(c, e, PP_ENTRY_FAILED);
    e->target_named = c->placement.output_is_file;
    return give(c, e, PP_ENTRY_FILE);
}

static bool
points_at_folder(int fd, const char *name)
{
    struct stat st;

    return fstatat(fd, name, &st, 0) == 0 && S_ISDIR(st.st_mode);
}

/* Is this entry of the top level worth a place in its listing? */
static bool
keep(void *arg, const char *name, enum pp_listed kind)
{
    struct pp_catalog *c = arg;
    const struct level *l = &c->level[c->depth - 1];
    const struct pp_filter *filter = &c->spec.filter;
    const char *relative;

    if (kind == PP_LISTED_FOLDER && c->spec.first_level_only)
        return false;
    /* Too long a path is kept, so that it is given out as failed. */
    if (set_path(c, l->prefix, name, NULL))
        return true;
    relative = c->path + c->root_prefix;
    if (kind == PP_LISTED_FOLDER)
        return pp_filter_folder(filter, name, relative);
    if (pp_filter_file(filter, name, relative))
        return true;
    return kind == PP_LISTED_LINK && !c->spec.first_level_only &&
           pp_filter_folder(filter, name, relative) &&
           points_at_folder(l->fd, name);
}

static enum pdfpipe_status
push_level(struct pp_catalog *c, int fd, const struct stat *st,
           struct pdfpipe_error *err)
{
    size_t length = strlen(c->path);

    if (c->depth == PP_CATALOG_DEPTH)
        return pp_refuse(err, PDFPIPE_E_LIMIT,
                         "more than %u folders below each other",
                         PP_CATALOG_DEPTH);
    if (c->depth == c->levels) {
        size_t levels = c->levels ? 2 * c->levels : 16;
        struct level *level = realloc(c->level, levels * sizeof *level);

        if (!level)
            return pp_refuse_memory(err);
        c->level = level;
        c->levels = levels;
    }
    c->level[c->depth++] = (struct level){
        .fd = fd,
        .st = *st,
        .prefix = length + (c->path[length - 1] != '/'),
    };
    return PDFPIPE_OK;
}

/* A folder whose entries will be listed relative to c->path, which is it. */
static enum pdfpipe_status
list(struct pp_catalog *c, struct pdfpipe_error *err)
{
    struct level *l = &c->level[c->depth - 1];
    size_t length = strlen(c->path);
    enum pdfpipe_status st;

    if (c->depth == 1)
        c->root_prefix = l->prefix;
    st = pp_listing_read(&l->listing, l->fd, keep, c, err);
    c->path[length] = '\0'; /* the folder again, for a message */
    return st;
}

/*
 * Enters the folder at c->path, which is `name` in the folder `at`.  True when
 * an entry is given out: it could not be entered, or not be read to its end.
 */
static bool
enter(struct pp_catalog *c, int at, const char *name, struct pp_entry *e)
{
    int fd = openat(at, name,
                    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC |
                        O_NONBLOCK | O_NOCTTY);
    struct stat st;

    if (fd < 0) {
        (void)pp_refuse_sys(&e->error, errno, PDFPIPE_E_READ, "open folder");
        return give(c, e, PP_ENTRY_FAILED);
    }
    if (fstat(fd, &st)) {
        (void)pp_refuse_sys(&e->error, errno, PDFPIPE_E_READ, "stat folder");
    } else if (!pp_roots_claim_folder(&c->roots, &st)) {
        (void)close(fd); /* was only read */
        return false;
    } else if (!push_level(c, fd, &st, &e->error)) {
        return list(c, &e->error) && give(c, e, PP_ENTRY_FAILED);
    }
    (void)close(fd); /* was only read */
    return give(c, e, PP_ENTRY_FAILED);
}

static bool
visit_root(struct pp_catalog *c, struct pp_root *root, struct pp_entry *e)
{
    struct stat holder = { .st_dev = root->dev, .st_ino = root->ino };

    c->root_prefix = (size_t)(root->name - root->path);
    if (set_path(c, 0, root->path, &e->error))
        return give(c, e, PP_ENTRY_FAILED);
    switch (root->kind) {
    case PP_ROOT_FOLDER: return enter(c, AT_FDCWD, root->path, e);
    case PP_ROOT_FILE:
        return pp_roots_claim_file(&c->roots, &holder, root->name) &&
               give_file(c, e);
    case PP_ROOT_LINK:
        (void)pp_refuse(&e->error, PDFPIPE_E_SYMLINK,
                        "symbolic link; name what it points to");
        break;
    case PP_ROOT_OTHER:
        (void)pp_refuse(&e->error, PDFPIPE_E_NOT_REGULAR,
                        "neither a file nor a folder");
        break;
    case PP_ROOT_MISSING:
        if (root->sys_errno == ENOENT)
            (void)pp_refuse(&e->error, PDFPIPE_E_NOT_FOUND,
                            "no such file or folder");
        else
            (void)pp_refuse_sys(&e->error, root->sys_errno, PDFPIPE_E_READ,
                                "stat");
        break;
    }
    return give(c, e, PP_ENTRY_FAILED);
}

/* The next entry of the folder on top; at its end, leaves it. */
static bool
visit_entry(struct pp_catalog *c, struct pp_entry *e)
{
    struct level *l = &c->level[c->depth - 1];
    enum pp_listed kind = PP_LISTED_OTHER;
    const char *name = pp_listing_next(&l->listing, &kind);

    if (!name) {
        pop_level(c);
        return false;
    }
    if (set_path(c, l->prefix, name, &e->error))
        return give(c, e, PP_ENTRY_FAILED);
    switch (kind) {
    case PP_LISTED_FOLDER: return enter(c, l->fd, name, e);
    case PP_LISTED_LINK:
        (void)pp_refuse(&e->error, PDFPIPE_E_SYMLINK,
                        "symbolic link, not followed");
        return give(c, e, PP_ENTRY_SKIPPED);
    case PP_LISTED_FILE:
        if (c->has_named_files && !pp_roots_claim_file(&c->roots, &l->st, name))
            return false;
        return give_file(c, e);
    case PP_LISTED_OTHER: break; /* is not listed */
    }
    return false;
}

bool
pp_catalog_next(struct pp_catalog *c, struct pp_entry *e)
{
    for (;;) {
        memset(e, 0, sizeof *e);
        if (c->depth) {
            if (visit_entry(c, e))
                return true;
        } else if (c->next_root == c->roots.count) {
            return false;
        } else if (visit_root(c, &c->roots.root[c->next_root++], e)) {
            return true;
        }
    }
}

enum pdfpipe_status
pp_catalog_count(const struct pp_catalog_spec *spec, const atomic_bool *stop,
                 struct pp_catalog_total *total, struct pdfpipe_error *err)
{
    struct pp_catalog_spec plain = *spec;
    struct pp_catalog *c;
    struct pp_entry e;
    enum pdfpipe_status st;

    *total = (struct pp_catalog_total){ 0 };
    /* Names of outputs are not wanted; the suffix keeps its part in the
     * filter, as the walk that counts must take what the other takes. */
    plain.output = plain.backup = NULL;
    st = pp_catalog_new(&plain, &c, err);
    if (!c)
        return st;
    while (!atomic_load(stop) && pp_catalog_next(c, &e)) {
        struct stat file;
        int at = AT_FDCWD;
        const char *name = e.source;

        total->files++;
        if (e.kind != PP_ENTRY_FILE)
            continue;
        if (c->depth) {
            at = c->level[c->depth - 1].fd;
            name = e.source + c->level[c->depth - 1].prefix;
        }
        if (fstatat(at, name, &file, AT_SYMLINK_NOFOLLOW) == 0)
            total->bytes += (uint64_t)file.st_size;
    }
    pp_catalog_free(c);
    return PDFPIPE_OK;
}
