/*
 * numbers.h - a set of object numbers: a bit for each that can be
 *
 * Takes memory only where a number is in it.
 */
#ifndef PP_PDF_NUMBERS_H
#define PP_PDF_NUMBERS_H

#include "base/lazy.h"
#include "pdf/object.h"

/* All zero is the empty set. */
struct pp_numbers {
    struct pp_lazy bits;
    size_t n; /* numbers in it */
};

/* number is at most PP_OBJECT_MAX (asserted).  False: out of memory, the set
 * is unchanged. */
bool pp_numbers_add(struct pp_numbers *s, uint32_t number);
/* Takes a number out, if it is in. */
void pp_numbers_remove(struct pp_numbers *s, uint32_t number);
/* Empties it and frees. */
void pp_numbers_fini(struct pp_numbers *s);

static inline bool
pp_numbers_has(const struct pp_numbers *s, uint32_t number)
{
    return number / 64 < s->bits.room &&
           (s->bits.item[number / 64] >> number % 64 & 1);
}

#endif
