/* check.c - counts and prints what CHECK finds */
#include "check.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#else
#define RUNNING_ON_VALGRIND 0
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

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

bool
check_runs_bare(void)
{
#if SANITIZED
    return false;
#else
    return RUNNING_ON_VALGRIND == 0;
#endif
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
