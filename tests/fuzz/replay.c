/*
 * replay.c - main() for a fuzz target without a fuzzer
 *
 * Runs each file given, and each file of a folder given (not deeper), in an
 * exact-size buffer, so that a sanitizer sees a read behind it.  A target
 * aborts when its property does not hold; the name of the file that did it is
 * on standard error.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static unsigned passed, failed;

static void
complain(const char *path)
{
    perror(path);
    failed++;
}

static void
replay_file(const char *path, size_t n)
{
    FILE *f = fopen(path, "rb");
    uint8_t *p = malloc(n ? n : 1);

    if (!f || !p || fread(p, 1, n, f) != n) {
        complain(path);
    } else {
        (void)fprintf(stderr, "%s\n", path);
        (void)LLVMFuzzerTestOneInput(p, n); /* always 0, or it aborts */
        passed++;
    }
    free(p);
    if (f)
        (void)fclose(f); /* was only read */
}

static void replay(const char *path, int depth);

static void
replay_folder(const char *path)
{
    struct dirent **list;
    int n = scandir(path, &list, NULL, alphasort);

    if (n < 0) {
        complain(path);
        return;
    }
    for (int i = 0; i < n; i++) {
        char name[4096];

        if (list[i]->d_name[0] != '.') {
            (void)snprintf(name, sizeof name, "%s/%s", path, list[i]->d_name);
            replay(name, 1);
        }
        free(list[i]);
    }
    free(list);
}

static void
replay(const char *path, int depth)
{
    struct stat st;

    if (stat(path, &st))
        complain(path);
    else if (S_ISREG(st.st_mode))
        replay_file(path, (size_t)st.st_size);
    else if (depth == 0)
        replay_folder(path);
}

int
main(int argc, char **argv)
{
    const char *name = strrchr(argv[0], '/');

    for (int i = 1; i < argc; i++)
        replay(argv[i], 0);
    if (passed == 0)
        failed++; /* nothing replayed is nothing shown */
    printf("%s: %u passed, %u failed\n", name ? name + 1 : argv[0], passed,
           failed);
    return failed > 0;
}
