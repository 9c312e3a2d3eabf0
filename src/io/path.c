/* path.c - the parts of a path that this folder works with */
#include "io/path.h"

#include <string.h>

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
