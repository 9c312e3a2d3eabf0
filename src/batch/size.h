/* size.h - sizes as people write them: 512M, 64KiB, 2GiB */
#ifndef PP_BATCH_SIZE_H
#define PP_BATCH_SIZE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A whole number of bytes, or with K, M, G, T (also KiB, MiB, GiB, TiB; any
 * case) a multiple of 1024, 1024^2, ...  False, with *bytes untouched, for
 * anything else: signs, fractions, blanks, "kB" (is it 1000 or 1024?), a
 * value of 2^64 or more.
 */
bool pp_size_parse(const char *text, uint64_t *bytes);

/* Decimal digits only, and least <= value <= most.  False, with *value
 * untouched, for anything else. */
bool pp_number_parse(const char *text, uint64_t least, uint64_t most,
                     uint64_t *value);

#endif
