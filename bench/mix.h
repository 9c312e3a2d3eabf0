/*
 * mix.h - the lengths of plaintexts that come together
 */
#ifndef BENCH_MIX_H
#define BENCH_MIX_H

#include <stddef.h>

/* So many plaintexts, of lengths spread evenly from least to most. */
struct mix_part {
    unsigned count;
    unsigned least_bytes, most_bytes;
};

struct mix {
    const char *name;
    const struct mix_part *part; /* in the order in which they come */
    size_t parts;
};

/* One length: 16 B, 100 B, 1 KB, 64 KB, 400 KB, 8 MB. */
extern const struct mix mix_single[];
extern const size_t mix_singles;

/* A page of genpdf --kind=archive: two streams and 247 strings; and the
 * strings of it alone. */
extern const struct mix mix_archive, mix_strings;

#endif
