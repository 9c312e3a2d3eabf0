/* xref_order_test.c - are all objects listed once, in the order of the file? */
#include "pdf/xref.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

#define MOST 3000u

static uint32_t seed = 1;

static uint32_t
draw(uint32_t below)
{
    seed = seed * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)seed * below >> 32);
}

/* Offsets of numbers 1..n, in the shapes that files have. */
static void
shape(const char *kind, uint64_t *offset, unsigned n)
{
    for (unsigned i = 1; i <= n; i++) {
        if (strcmp(kind, "sorted") == 0)
            offset[i] = 10 * i;
        else if (strcmp(kind, "reversed") == 0)
            offset[i] = 10 * (n - i + 1);
        else if (strcmp(kind, "two runs") == 0)
            offset[i] = 10 * (i % 2 ? i : n + i);
        else if (strcmp(kind, "linearized") == 0)
            offset[i] = 10 * (i + (i <= n / 3 ? n : 0));
        else if (strcmp(kind, "all equal") == 0)
            offset[i] = 77;
        else if (strcmp(kind, "few values") == 0)
            offset[i] = 1 + draw(5);
        else
            offset[i] = 1 + draw(1000000);
    }
}

/* Each live number once, offsets never falling, equal ones by number. */
static void
check_order(const struct pp_xref *x, const char *kind, unsigned n)
{
    uint32_t *list = NULL;
    size_t count = 0;
    unsigned wrong = 0;
    bool seen[MOST + 2] = { false };

    if (!CHECK(pp_xref_order(x, &list, &count, NULL) == PDFPIPE_OK, "%s", kind))
        return;
    CHECK(count == x->in_file, "%s, %u: %zu", kind, n, count);
    for (size_t i = 0; i < count; i++) {
        struct pp_entry e = pp_xref_entry(x, list[i]);

        wrong += e.kind != PP_ENTRY_OFFSET || list[i] > MOST || seen[list[i]];
        seen[list[i]] = true;
        if (i > 0) {
            uint64_t before = pp_xref_entry(x, list[i - 1]).offset;

            wrong += before > e.offset ||
                     (before == e.offset && list[i - 1] > list[i]);
        }
    }
    CHECK(wrong == 0, "%s, %u: %u", kind, n, wrong);
    free(list);
}

static void
are_offsets_sorted(void)
{
    static const char *const kinds[] = { "sorted",    "reversed",
                                         "two runs",  "linearized",
                                         "all equal", "few values",
                                         "random" };
    static const unsigned sizes[] = { 0, 1, 2, 3, 4, 7, 8, 9, 100, 1000, MOST };
    static uint64_t offset[MOST + 1];

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
            struct pp_xref x = { 0 };
            unsigned n = sizes[k];

            shape(kinds[i], offset, n);
            for (unsigned number = 1; number <= n; number++) {
                struct pp_entry e = { .kind = PP_ENTRY_OFFSET,
                                      .offset = offset[number],
                                      .generation = number % 7 };

                if (number % 11 == 5) /* not all numbers stand in the file */
                    e = (struct pp_entry){ .kind = PP_ENTRY_COMPRESSED,
                                           .stream = 3 };
                if (number % 13 == 5)
                    e = (struct pp_entry){ .kind = PP_ENTRY_FREE };
                if (pp_xref_set(&x, number, e, NULL))
                    abort();
            }
            check_order(&x, kinds[i], n);
            pp_xref_fini(&x);
        }
}

/* Every order of up to seven objects. */
static void
small_scope_of_orders(void)
{
    unsigned tried = 0;

    for (unsigned n = 1; n <= 7; n++) {
        uint64_t at[8];

        for (unsigned i = 0; i < n; i++)
            at[i] = i + 1;
        for (bool more = true; more;) {
            struct pp_xref x = { 0 };
            unsigned i, k;

            for (i = 0; i < n; i++)
                if (pp_xref_set(&x, i + 1,
                                (struct pp_entry){ .kind = PP_ENTRY_OFFSET,
                                                   .offset = at[i] },
                                NULL))
                    abort();
            check_order(&x, "small scope", n);
            pp_xref_fini(&x);
            tried++;
            /* The next permutation. */
            for (i = n - 1; i > 0 && at[i - 1] > at[i]; i--)
                continue;
            more = i > 0;
            if (!more)
                break;
            for (k = n - 1; at[k] < at[i - 1]; k--)
                continue;
            uint64_t swap = at[k];

            at[k] = at[i - 1];
            at[i - 1] = swap;
            for (k = n - 1; i < k; i++, k--) {
                swap = at[i];
                at[i] = at[k];
                at[k] = swap;
            }
        }
    }
    CHECK(tried == 5913, "tried %u", tried);
}

int
main(void)
{
    are_offsets_sorted();
    small_scope_of_orders();
    return check_report("xref_order");
}
