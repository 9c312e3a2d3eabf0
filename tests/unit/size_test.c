/* size_test.c - is a size read as it was meant, or refused? */
#include "batch/size.h"

#include <stddef.h>

#include "check.h"

static void
are_sizes_read_exactly(void)
{
    /* clang-format off */
    static const struct {
        const char *text;
        bool good;
        uint64_t bytes;
    } rows[] = {
        { "0",                     true,  0 },
        { "1",                     true,  1 },
        { "007",                   true,  7 },
        { "64K",                   true,  65536 },
        { "64k",                   true,  65536 },
        { "64KiB",                 true,  65536 },
        { "64kib",                 true,  65536 },
        { "512M",                  true,  512u << 20 },
        { "2GiB",                  true,  UINT64_C(2) << 30 },
        { "1T",                    true,  UINT64_C(1) << 40 },
        { "18446744073709551615",  true,  UINT64_MAX },
        { "16777215T",             true,  UINT64_C(16777215) << 40 },
        { "18446744073709551616",  false, 0 },
        { "16777216T",             false, 0 },
        { "",                      false, 0 },
        { "K",                     false, 0 },
        { "-1",                    false, 0 },
        { "+1",                    false, 0 },
        { " 1",                    false, 0 },
        { "1 ",                    false, 0 },
        { "1 K",                   false, 0 },
        { "1.5G",                  false, 0 },
        { "1kB",                   false, 0 },
        { "1Ki",                   false, 0 },
        { "1KiBs",                 false, 0 },
        { "1E",                    false, 0 },
        { "0x10",                  false, 0 },
    };
    /* clang-format on */

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t bytes = 42;
        bool good = pp_size_parse(rows[i].text, &bytes);

        CHECK(good == rows[i].good, "\"%s\"", rows[i].text);
        CHECK(bytes == (rows[i].good ? rows[i].bytes : 42), "\"%s\": %llu",
              rows[i].text, (unsigned long long)bytes);
    }
}

static void
are_numbers_kept_in_their_range(void)
{
    static const struct {
        const char *text;
        bool good;
    } rows[] = {
        { "1", true },    { "256", true },  { "0", false },
        { "257", false }, { "1K", false },  { "", false },
        { "-1", false },  { "0x1", false }, { "99999999999999999999", false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t v = 42;

        CHECK(pp_number_parse(rows[i].text, 1, 256, &v) == rows[i].good,
              "\"%s\"", rows[i].text);
        CHECK(rows[i].good || v == 42, "\"%s\" left its mark", rows[i].text);
    }
}

int
main(void)
{
    are_sizes_read_exactly();
    are_numbers_kept_in_their_range();
    return check_report("size");
}
