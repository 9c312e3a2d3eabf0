/* decimal_test.c - do numbers become the text that printf makes of them? */
#include "base/decimal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

static void
try_number(uint64_t v)
{
    char want[PP_DECIMAL_MAX + 1], got[PP_DECIMAL_MAX + 1];
    int n = snprintf(want, sizeof want, "%" PRIu64, v);

    memset(got, '?', sizeof got);
    CHECK(pp_decimal(got, v) == (size_t)n && !memcmp(got, want, (size_t)n) &&
              got[n] == '?',
          "%s", want);
}

static void
are_all_lengths_right(void)
{
    uint64_t power = 1;

    for (uint64_t v = 0; v < 100000; v++)
        try_number(v);
    for (unsigned i = 0; i < PP_DECIMAL_MAX; i++, power *= 10) {
        try_number(power - 1);
        try_number(power);
        try_number(power + 1);
    }
    try_number(UINT64_MAX);
}

static void
is_the_width_kept(void)
{
    static const struct row {
        size_t width;
        uint64_t v;
        const char *want;
    } rows[] = {
        { 0, 5, "" },
        { 1, 0, "0" },
        { 5, 65535, "65535" },
        { 10, 0, "0000000000" },
        { 10, 9999999999, "9999999999" },
        { 10, 17, "0000000017" },
        { 3, 12345, "345" },
        { 20, UINT64_MAX, "18446744073709551615" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char got[24];

        memset(got, '?', sizeof got);
        pp_decimal_padded(got, rows[i].width, rows[i].v);
        CHECK(!memcmp(got, rows[i].want, rows[i].width) &&
                  got[rows[i].width] == '?',
              "row %zu: %.24s", i, got);
    }
}

int
main(void)
{
    are_all_lengths_right();
    is_the_width_kept();
    return check_report("decimal");
}
