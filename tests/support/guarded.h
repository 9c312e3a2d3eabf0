/*
 * guarded.h - buffers that end at a page nobody can touch
 *
 * A read or write of one byte too many stops the test, in builds without a
 * sanitizer and inside libraries, too.
 */
#ifndef TESTS_GUARDED_H
#define TESTS_GUARDED_H

#include <stddef.h>
#include <stdint.h>

/* n zeroed bytes; p[n] is not mapped.  Aborts when memory is exhausted. */
uint8_t *guarded_new(size_t n);
void guarded_free(uint8_t *p, size_t n);

#endif
