/*
 * scan.h - pictures of pages that look scanned, as JPEG of a wanted size
 */
#ifndef GEN_SCAN_H
#define GEN_SCAN_H

#include <stdint.h>

#include "text.h"

struct scan {
    struct text jpeg;
    unsigned width, height; /* pixels */
};

/* A page of paper grain, shade and lines of strokes.  The JPEG has about
 * `target` bytes (within a few percent if the size of the picture allows). */
void scan_make(struct scan *s, unsigned width, unsigned height, size_t target,
               uint64_t seed);
void scan_free(struct scan *s);

#endif
