/* check.c - counts and prints what CHECK finds */
#include "check.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_uint passed, failed, skipped;

bool
check_that(bool holds, const char *condition, const char *file, int line,
           const char *fmt, ...)
{
    va_list args;

    if (holds) {
        atomic_fetch_add(&passed, 1);
        return true;
    }
    atomic_fetch_add(&failed, 1);
    flockfile(stdout);
    printf("%s:%d: not true: %s [", file, line, condition);
    va_start(args, fmt);
    vprintf(fmt, args);
    va_end(args);
    printf("]\n");
    funlockfile(stdout);
    return false;
}

void
check_skip(const char *fmt, ...)
{
    va_list args;

    atomic_fetch_add(&skipped, 1);
    printf("skipped: ");
    va_start(args, fmt);
    vprintf(fmt, args);
    va_end(args);
    printf("\n");
}

int
check_report(const char *name)
{
    printf("%s: %u passed, %u failed", name, atomic_load(&passed),
           atomic_load(&failed));
    if (atomic_load(&skipped))
        printf(", %u skipped", atomic_load(&skipped));
    printf("\n");
    return atomic_load(&failed) ? 1 : 0;
}
