/* permissions_test.c - do the options set the bits that qpdf's set? */
#include "cli/permissions.c" /* the program's own files are in no library */

#include "check.h"

/* Bit n of /P as the standard counts: from 1. */
#define BIT(n) (1u << ((n)-1))

static void
which_bits_an_option_clears(void)
{
    /* clang-format off */
    static const struct {
        const char *option, *word;
        uint32_t cleared; /* of all bits set */
    } rows[] = {
        { "print",         "none",     BIT(3) | BIT(12) },
        { "print",         "low",      BIT(12) },
        { "print",         "full",     0 },
        { "modify",        "none",     BIT(4) | BIT(6) | BIT(9) | BIT(11) },
        { "modify",        "assembly", BIT(4) | BIT(6) | BIT(9) },
        { "modify",        "form",     BIT(4) | BIT(6) },
        { "modify",        "annotate", BIT(4) },
        { "modify",        "all",      0 },
        { "extract",       "n",        BIT(5) },
        { "annotate",      "n",        BIT(6) },
        { "form",          "n",        BIT(9) },
        { "assemble",      "n",        BIT(11) },
        { "modify-other",  "n",        BIT(4) },
        { "accessibility", "n",        0 },
        { "accessibility", "y",        0 },
    };
    /* clang-format on */

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t p = PDFPIPE_PERMIT_ALL;

        CHECK(pp_permission_apply(rows[i].option, rows[i].word, &p), "--%s=%s",
              rows[i].option, rows[i].word);
        CHECK(p == (PDFPIPE_PERMIT_ALL & ~rows[i].cleared), "--%s=%s: %x",
              rows[i].option, rows[i].word, p);
        if (strcmp(rows[i].word, "n") != 0)
            continue;
        CHECK(pp_permission_apply(rows[i].option, "y", &p) &&
                  p == PDFPIPE_PERMIT_ALL,
              "--%s=y sets it again: %x", rows[i].option, p);
    }
}

static void
does_the_order_count(void)
{
    uint32_t p = PDFPIPE_PERMIT_ALL;

    CHECK(pp_permission_apply("modify", "none", &p) &&
              pp_permission_apply("form", "y", &p) &&
              p == (PDFPIPE_PERMIT_ALL & ~(BIT(4) | BIT(6) | BIT(11))),
          "none, then forms: %x", p);
    CHECK(pp_permission_apply("modify", "none", &p) && !(p & BIT(9)),
          "none at the end: %x", p);
    CHECK(p & BIT(3), "other bits are left alone");
}

static void
what_is_refused(void)
{
    static const char *const pairs[][2] = {
        { "print", "all" }, { "print", "" },    { "modify", "full" },
        { "form", "yes" },  { "nothing", "y" },
    };

    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        uint32_t p = 42;

        CHECK(!pp_permission_apply(pairs[i][0], pairs[i][1], &p) && p == 42,
              "--%s=%s", pairs[i][0], pairs[i][1]);
    }
}

static void
how_raw_bits_are_read(void)
{
    static const struct {
        const char *text;
        bool good;
        uint32_t bits;
    } rows[] = {
        { "-1", true, PDFPIPE_PERMIT_ALL },
        { "-4", true, PDFPIPE_PERMIT_ALL },
        { "4294967295", true, PDFPIPE_PERMIT_ALL },
        { "0xfffff0c0", true, 0 },
        { "-3904", true, 0 },
        { "-3900", true, BIT(3) },
        { "2052", true, BIT(3) | BIT(12) },
        { "0", true, 0 },
        { "4294967296", false, 0 },
        { "-2147483649", false, 0 },
        { "", false, 0 },
        { " 1", false, 0 },
        { "1 ", false, 0 },
        { "all", false, 0 },
        { "99999999999999999999", false, 0 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t p = 42;

        CHECK(pp_permission_raw(rows[i].text, &p) == rows[i].good, "\"%s\"",
              rows[i].text);
        CHECK(p == (rows[i].good ? rows[i].bits : 42), "\"%s\": %x",
              rows[i].text, p);
    }
}

int
main(void)
{
    which_bits_an_option_clears();
    does_the_order_count();
    what_is_refused();
    how_raw_bits_are_read();
    return check_report("permissions");
}
