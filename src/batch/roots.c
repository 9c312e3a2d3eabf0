/* roots.c - the paths a user named, what stands there, and which are done */
#include "batch/roots.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "batch/failure.h"

static int
compare_numbers(uintmax_t a, uintmax_t b)
{
    return (a > b) - (a < b);
}

static int
compare(const struct pp_root *a, const struct pp_root *b)
{
    int c = compare_numbers(a->kind, b->kind);

    if (!c)
        c = compare_numbers(a->dev, b->dev);
    if (!c)
        c = compare_numbers(a->ino, b->ino);
    if (!c && a->kind == PP_ROOT_FILE)
        c = strcmp(a->name, b->name);
    return c;
}

static int
compare_sorted(const void *a, const void *b)
{
    return compare(*(struct pp_root *const *)a, *(struct pp_root *const *)b);
}

/* Identity of the folder that holds the file at path, which has a name. */
static bool
stat_holder(const char *path, const char *name, struct stat *st)
{
    size_t n = (size_t)(name - path);
    char *folder;
    bool known;

    if (n == 0)
        return stat(".", st) == 0;
    folder = strndup(path, n);
    if (!folder)
        return false;
    known = stat(folder, st) == 0;
    free(folder);
    return known;
}

static void
look_at(struct pp_root *root)
{
    const char *slash = strrchr(root->path, '/');
    struct stat st = { 0 };

    root->name = slash ? slash + 1 : root->path;
    if (lstat(root->path, &st)) {
        root->kind = PP_ROOT_MISSING;
        root->sys_errno = errno;
    } else if (S_ISLNK(st.st_mode)) {
        root->kind = PP_ROOT_LINK;
    } else if (S_ISDIR(st.st_mode)) {
        root->kind = PP_ROOT_FOLDER;
    } else if (!S_ISREG(st.st_mode)) {
        root->kind = PP_ROOT_OTHER;
    } else {
        root->kind = PP_ROOT_FILE;
        if (!stat_holder(root->path, root->name, &st)) {
            root->kind = PP_ROOT_MISSING;
            root->sys_errno = errno;
        }
    }
    root->dev = st.st_dev;
    root->ino = st.st_ino;
}

enum pdfpipe_status
pp_roots_init(struct pp_roots *r, const char *const *paths, size_t count,
              struct pdfpipe_error *err)
{
    memset(r, 0, sizeof *r);
    r->root = calloc(count ? count : 1, sizeof *r->root);
    r->sorted = calloc(count ? count : 1, sizeof *r->sorted);
    if (!r->root || !r->sorted) {
        pp_roots_fini(r);
        return pp_refuse_memory(err);
    }
    for (size_t i = 0; i < count; i++) {
        r->root[i].path = paths[i];
        look_at(&r->root[i]);
        r->folders += r->root[i].kind == PP_ROOT_FOLDER;
        r->sorted[i] = &r->root[i];
    }
    r->count = count;
    qsort(r->sorted, count, sizeof *r->sorted, compare_sorted);
    return PDFPIPE_OK;
}

void
pp_roots_fini(struct pp_roots *r)
{
    free(r->root);
    free(r->sorted);
    memset(r, 0, sizeof *r);
}

/* Index in sorted[] of the first root that equals key; count: none does. */
static size_t
first_equal(const struct pp_roots *r, const struct pp_root *key)
{
    size_t low = 0, high = r->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare(r->sorted[middle], key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < r->count && compare(r->sorted[low], key) == 0 ? low : r->count;
}

/* Claims every root that equals key; false when that was done before. */
static bool
claim(struct pp_roots *r, const struct pp_root *key)
{
    size_t i = first_equal(r, key);
    bool is_first = true;

    for (; i < r->count && compare(r->sorted[i], key) == 0; i++) {
        is_first &= !r->sorted[i]->claimed;
        r->sorted[i]->claimed = true;
    }
    return is_first;
}

bool
pp_roots_claim_folder(struct pp_roots *r, const struct stat *st)
{
    struct pp_root key = {
        .kind = PP_ROOT_FOLDER,
        .name = "",
        .dev = st->st_dev,
        .ino = st->st_ino,
    };

    return claim(r, &key);
}

bool
pp_roots_claim_file(struct pp_roots *r, const struct stat *folder,
                    const char *name)
{
    struct pp_root key = {
        .kind = PP_ROOT_FILE,
        .name = name,
        .dev = folder->st_dev,
        .ino = folder->st_ino,
    };

    return claim(r, &key);
}

bool
pp_roots_has_folder(const struct pp_roots *r, const struct stat *st)
{
    struct pp_root key = {
        .kind = PP_ROOT_FOLDER,
        .name = "",
        .dev = st->st_dev,
        .ino = st->st_ino,
    };

    return first_equal(r, &key) < r->count;
}
