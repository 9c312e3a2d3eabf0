/*
 * lazy.h - a zeroed array that costs memory only where it is touched
 *
 * Tables indexed by object number grow to the highest number seen; a file may
 * use number 8,000,000 and ten others.  Pages of such an array that nobody
 * writes stay zero and are not resident.
 */
#ifndef PP_BASE_LAZY_H
#define PP_BASE_LAZY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* uint64_t items; all zero is a valid empty array. */
struct pp_lazy {
    uint64_t *item;
    size_t room; /* items that may be touched */
};

/* Makes room for at least n items, new ones zero; false: out of memory, the
 * array is unchanged. */
bool pp_lazy_grow(struct pp_lazy *a, size_t n);
void pp_lazy_fini(struct pp_lazy *a);

#endif
