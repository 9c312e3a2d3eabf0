/* peer.c - qpdf as the judge */
#include "peer.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Runs qpdf with these arguments, its words dropped; the exit status, or -1. */
static int
qpdf(const char *const *arguments)
{
    posix_spawn_file_actions_t files;
    char *argv[16] = { (char[]){ "qpdf" } };
    int status = -1;
    pid_t child;

    for (size_t i = 0; arguments[i] && i < 14; i++) {
        argv[i + 1] = strdup(arguments[i]);
        if (!argv[i + 1])
            abort();
    }
    if (posix_spawn_file_actions_init(&files) ||
        posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0) ||
        posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0))
        abort();
    if (posix_spawnp(&child, argv[0], &files, NULL, argv, environ) == 0)
        while (waitpid(child, &status, 0) < 0)
            ;
    (void)posix_spawn_file_actions_destroy(&files);
    for (size_t i = 1; argv[i]; i++)
        free(argv[i]);
    return status >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool
peer_is_here(void)
{
    const char *const arguments[] = { "--version", NULL };

    return qpdf(arguments) == 0;
}

bool
peer_opens(const char *file, const char *password)
{
    const char *const is[] = { "--is-encrypted", file, NULL };
    const char *const check[] = { "--check", file, NULL, NULL };
    char option[160];
    const char *with[4];

    memcpy(with, check, sizeof with);
    (void)snprintf(option, sizeof option, "--password=%s", password);
    with[2] = option;
    return qpdf(is) == 0 && qpdf(with) == 0;
}

static char *
read_file(const char *name, size_t *n)
{
    FILE *f = fopen(name, "re");
    char *text = NULL;
    long size;

    *n = 0;
    if (!f)
        return NULL;
    if (!fseek(f, 0, SEEK_END) && (size = ftell(f)) >= 0) {
        rewind(f);
        text = malloc((size_t)size + 1);
        if (text && fread(text, 1, (size_t)size, f) == (size_t)size) {
            *n = (size_t)size;
            text[size] = '\0';
        }
    }
    (void)fclose(f);
    return text;
}

/* Where this text begins, counted from the end or from the front; n: nowhere. */
static size_t
find(const char *text, size_t n, const char *what, bool last)
{
    size_t found = n, m = strlen(what);

    for (size_t i = 0; i + m <= n; i++)
        if (!memcmp(text + i, what, m)) {
            found = i;
            if (!last)
                break;
        }
    return found;
}

/* Takes the extensions entry of the catalog out, and what is behind the
 * objects, whose offsets it changes; and the first line. */
static void
strip(char *text, size_t *n)
{
    static const char begin[] = "\n  /Extensions <<", end[] = "\n  >>";
    size_t at, line;

    *n = find(text, *n, "\nxref\n", true);
    at = find(text, *n, begin, false);
    if (at < *n) {
        size_t length = find(text + at, *n - at, end, false) + strlen(end);

        if (at + length <= *n) {
            memmove(text + at, text + at + length, *n - at - length);
            *n -= length;
        }
    }
    line = find(text, *n, "\n", false);
    memmove(text, text + line, *n - line);
    *n -= line;
}

bool
peer_same(const char *source, const char *output, const char *password)
{
    char option[160];
    const char *const plain[] = { "--qdf",
                                  "--static-id",
                                  "--no-original-object-ids",
                                  "--object-streams=disable",
                                  source,
                                  "peer-a.tmp",
                                  NULL };
    const char *const opened[] = { "--qdf",
                                   "--static-id",
                                   "--no-original-object-ids",
                                   "--object-streams=disable",
                                   "--decrypt",
                                   option,
                                   output,
                                   "peer-b.tmp",
                                   NULL };
    size_t n = 0, m = 0;
    char *a = NULL, *b = NULL;
    bool same = false;
    int rc;

    (void)snprintf(option, sizeof option, "--password=%s", password);
    /* 3: done, with warnings about the source; the output has none. */
    rc = qpdf(plain);
    if ((rc == 0 || rc == 3) && qpdf(opened) == 0) {
        a = read_file("peer-a.tmp", &n);
        b = read_file("peer-b.tmp", &m);
    }
    if (a && b) {
        strip(a, &n);
        strip(b, &m);
        same = n > 0 && n == m && !memcmp(a, b, n);
    }
    free(a);
    free(b);
    (void)unlink("peer-a.tmp");
    (void)unlink("peer-b.tmp");
    return same;
}
