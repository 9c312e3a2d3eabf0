/* path.c - the parts of a path that this folder works with */
#include "io/path.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Leaves room in an error record for what went wrong and the errno's text. */
#define TAIL_MAX 120u

char *
pp_path_folder(const char *path)
{
    const char *slash = strrchr(path, '/');

    if (!slash)
        return strdup(".");
    if (slash == path)
        return strdup("/");
    return strndup(path, (size_t)(slash - path));
}

const char *
pp_path_tail(const char *path)
{
    size_t n = strlen(path);
    const char *tail, *slash;

    if (n <= TAIL_MAX)
        return path;
    tail = path + (n - TAIL_MAX);
    /* Whole components read better; a very long name is cut anywhere. */
    slash = strchr(tail, '/');
    return slash && slash[1] ? slash : tail;
}

static const char *
base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static bool
look_at_folder(const char *path, struct stat *st)
{
    char *folder = pp_path_folder(path);
    bool seen = folder && stat(folder, st) == 0;

    free(folder);
    return seen;
}

bool
pp_path_same_entry(const char *a, const char *b)
{
    struct stat sa, sb;

    if (strcmp(base_name(a), base_name(b)) != 0)
        return false;
    if (!look_at_folder(a, &sa) || !look_at_folder(b, &sb))
        return true;
    return sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}
