/* xref_order.c - object numbers in the order of their offsets
 *
 * Most writers number objects in the order in which they write them, so the
 * list is sorted already, or made of a few sorted runs: a natural merge sort
 * finds them.  It needs a second list of the same size while it works.
 */
#include "pdf/xref.h"

#include <stdlib.h>
#include <string.h>

static uint64_t
offset_of(const struct pp_xref *x, uint32_t number)
{
    return x->packed.item[number] >> 18;
}

/* End of the sorted run that begins at `at`. */
static size_t
run_end(const struct pp_xref *x, const uint32_t *list, size_t n, size_t at)
{
    for (at++; at < n; at++)
        if (offset_of(x, list[at - 1]) > offset_of(x, list[at]))
            break;
    return at;
}

static void
merge(const struct pp_xref *x, const uint32_t *a, size_t a_n, const uint32_t *b,
      size_t b_n, uint32_t *to)
{
    while (a_n && b_n) {
        if (offset_of(x, *b) < offset_of(x, *a)) {
            *to++ = *b++;
            b_n--;
        } else {
            *to++ = *a++;
            a_n--;
        }
    }
    memcpy(to, a, a_n * sizeof *a);
    memcpy(to + a_n, b, b_n * sizeof *b);
}

/* Merges neighbouring runs of `from` into `to`; returns the number of runs
 * that are left. */
static size_t
merge_pass(const struct pp_xref *x, const uint32_t *from, size_t n,
           uint32_t *to)
{
    size_t runs = 0;

    for (size_t at = 0; at < n; runs++) {
        size_t middle = run_end(x, from, n, at);
        size_t end = middle < n ? run_end(x, from, n, middle) : n;

        merge(x, from + at, middle - at, from + middle, end - middle, to + at);
        at = end;
    }
    return runs;
}

enum pdfpipe_status
pp_xref_order(const struct pp_xref *x, uint32_t **out, size_t *n,
              struct pdfpipe_error *err)
{
    size_t count = 0;
    uint32_t *list = malloc((x->in_file + 1) * sizeof *list), *other;

    if (!list)
        return pp_fail_memory(err);
    for (uint32_t number = 0; number < x->count; number++)
        if ((x->packed.item[number] & 3) == PP_ENTRY_OFFSET)
            list[count++] = number;
    if (count && run_end(x, list, count, 0) < count) {
        other = malloc(count * sizeof *other);
        if (!other) {
            free(list);
            return pp_fail_memory(err);
        }
        while (merge_pass(x, list, count, other) > 1) {
            uint32_t *swap = list;

            list = other;
            other = swap;
        }
        free(list);
        list = other;
    }
    *out = list;
    *n = count;
    return PDFPIPE_OK;
}
