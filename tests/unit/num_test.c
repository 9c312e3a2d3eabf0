/* num_test.c - is arithmetic on sizes right, up to its last value? */
#include "base/num.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

__extension__ typedef unsigned __int128 wide; /* room for any sum or product */

/* Where something may wrap, in order. */
static const uint64_t edges[] = {
    0,
    1,
    2,
    9,
    10,
    15,
    16,
    17,
    255,
    256,
    UINT32_MAX - UINT64_C(1),
    UINT32_MAX,
    UINT32_MAX + UINT64_C(1),
    UINT64_C(9999999999),
    UINT64_C(10000000000),
    UINT64_MAX / 10,
    UINT64_MAX / 3,
    INT64_MAX,
    (uint64_t)INT64_MAX + 1,
    UINT64_MAX - 32,
    UINT64_MAX - 1,
    UINT64_MAX,
};
#define EDGES (sizeof edges / sizeof edges[0])

static void
does_a_sum_never_wrap(void)
{
    for (size_t i = 0; i < EDGES; i++)
        for (size_t k = 0; k < EDGES; k++) {
            wide want = (wide)edges[i] + edges[k];
            uint64_t out = 4711;
            bool fits = pp_add(edges[i], edges[k], &out);

            CHECK(fits == (want <= UINT64_MAX), "%zu + %zu", i, k);
            CHECK(out == (fits ? (uint64_t)want : 4711), "%zu + %zu", i, k);
        }
}

static void
does_a_product_never_wrap(void)
{
    for (size_t i = 0; i < EDGES; i++)
        for (size_t k = 0; k < EDGES; k++) {
            wide want = (wide)edges[i] * edges[k];
            uint64_t out = 4711;
            bool fits = pp_mul(edges[i], edges[k], &out);

            CHECK(fits == (want <= UINT64_MAX), "%zu * %zu", i, k);
            CHECK(out == (fits ? (uint64_t)want : 4711), "%zu * %zu", i, k);
        }
}

static void
how_long_is_the_stored_form(void)
{
    static const struct {
        uint64_t plain, stored;
    } rows[] = {
        { 0, 32 },  { 1, 32 },    { 15, 32 },   { 16, 48 },
        { 17, 48 }, { 255, 272 }, { 256, 288 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK(pp_stored_len(rows[i].plain) == rows[i].stored, "%" PRIu64,
              rows[i].plain);
    for (uint64_t n = 0; n < 5000; n++) {
        uint64_t padded = n + 1;

        while (padded % 16) /* PKCS#7: 1 to 16 bytes */
            padded++;
        CHECK(pp_stored_len(n) == 16 + padded, "%" PRIu64, n);
    }
    for (uint64_t n = PP_STORED_LIMIT - 40; n <= PP_STORED_LIMIT; n++) {
        uint64_t stored = pp_stored_len(n);

        CHECK(stored > n && stored - n >= 17 && stored - n <= 32 &&
                  stored % 16 == 0,
              "%" PRIu64, n);
    }
}

static void
how_many_digits_has_a_number(void)
{
    char text[24];

    for (size_t i = 0; i < EDGES; i++) {
        (void)snprintf(text, sizeof text, "%" PRIu64, edges[i]);
        CHECK(pp_digits(edges[i]) == strlen(text), "%s", text);
    }
    for (uint64_t v = 1; v <= UINT64_MAX / 10; v *= 10) {
        (void)snprintf(text, sizeof text, "%" PRIu64, v);
        CHECK(pp_digits(v) == strlen(text), "%s", text);
        CHECK(pp_digits(v - 1) == (v == 1 ? 1 : strlen(text) - 1), "%s - 1",
              text);
    }
}

static void
which_is_smaller_and_which_is_larger(void)
{
    for (size_t i = 0; i < EDGES; i++)
        for (size_t k = 0; k < EDGES; k++) {
            size_t low = i < k ? i : k, high = i < k ? k : i;

            CHECK(pp_min(edges[i], edges[k]) == edges[low], "%zu %zu", i, k);
            CHECK(pp_max(edges[i], edges[k]) == edges[high], "%zu %zu", i, k);
        }
}

int
main(void)
{
    does_a_sum_never_wrap();
    does_a_product_never_wrap();
    how_long_is_the_stored_form();
    how_many_digits_has_a_number();
    which_is_smaller_and_which_is_larger();
    return check_report("num");
}
