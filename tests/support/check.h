/*
 * check.h - the test harness: one macro, one closing line
 *
 * CHECK(condition, format, ...) counts; a failed one prints file, line, the
 * condition and the row or value that the format describes.  Safe in threads.
 * A test program ends with `return check_report("name");`, which prints
 * "name: N passed, N failed" and gives the exit status.
 */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include <stdbool.h>

#define CHECK(condition, ...)                                                  \
    check_that((condition), #condition, __FILE__, __LINE__, __VA_ARGS__)

/* Returns the condition, so that a test can stop early. */
bool check_that(bool holds, const char *condition, const char *file, int line,
                const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* A test that cannot run here; the reason is printed and counted. */
void check_skip(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Does the program run as it is, so that its memory and time are its own?  Not
 * so in a build with a sanitizer, and under valgrind. */
bool check_runs_bare(void);

int check_report(const char *name);

#endif
