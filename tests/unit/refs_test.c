/* refs_test.c - which objects does a text refer to? */
#include "pdf/refs.h"

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "madepdf.h"

static void
which_references_has_a_text(void)
{
    /* clang-format off */
    static const struct {
        const char *what, *text, *want;
        uint32_t highest;
    } rows[] = {
        { "none",             "",                         "", 0 },
        { "one",              "7 0 R",                    "7 ", 7 },
        { "several",          "[3 0 R/A 9 2 R 4 0 R]",    "3 9 4 ", 9 },
        { "among integers",   "1 2 3 4 R 5 0 R 6",        "3 5 ", 5 },
        { "members",          "7 0 8 5 <</A 12 0 R>> 15", "12 ", 12 },
        { "comment between",  "7%x\n0%9 0 R\nR",          "7 ", 7 },
        { "in a string",      "(7 0 R)<7 0 R>",           "", 0 },
        { "in a comment",     "%7 0 R",                   "", 0 },
        { "one integer",      "7 R",                      "", 0 },
        { "negative",         "-7 0 R 7 -1 R",            "", 0 },
        { "glued",            "7 0 R8 0 R",               "", 0 },
        { "another word",     "7 0 Rx 7 0 obj",           "", 0 },
        { "real between",     "7 0.0 R",                  "", 0 },
        { "highest that can be", "8388606 0 R 8388607 0 R", "8388606 ", 8388606 },
        { "too large",        "99999999999999999999 0 R", "", 0 },
        { "string not closed", "7 0 R(8 0 R",             "7 ", 7 },
        { "cut",              "7 0 R 8 0",                "7 ", 7 },
    };
    /* clang-format on */

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_view text = view_copy(view_of(rows[i].text));
        struct pp_buf got = { 0 };
        struct pp_refs refs;
        uint32_t number;

        pp_refs_init(&refs, text);
        while (pp_refs_next(&refs, &number))
            (void)pp_buf_printf(&got, "%u ", number);
        CHECK(pp_view_is(pp_buf_view(&got), rows[i].want), "%s: %.*s",
              rows[i].what, (int)got.n, (const char *)got.p);
        CHECK(!pp_refs_next(&refs, &number), "%s: still at the end",
              rows[i].what);
        CHECK(pp_refs_highest(text) == rows[i].highest, "%s", rows[i].what);
        pp_buf_fini(&got);
        view_free(text);
    }
}

static void
are_references_found_across_a_border(void)
{
    struct pp_view text = view_of("<</A(77 0 R)/B 123 4 R/C[5 0 R 6 0 R]>>");
    uint32_t number, highest;

    for (size_t cut = 0; cut <= text.n; cut++) {
        struct pp_view a = view_copy((struct pp_view){ text.p, cut });
        struct pp_view b =
            view_copy((struct pp_view){ text.p + cut, text.n - cut });
        struct pp_refs refs = { 0 };
        unsigned n = 0;

        highest = 0;
        for (int i = 0; i < 2; i++) {
            pp_refs_feed(&refs, i ? b : a, i == 1);
            for (; pp_refs_next(&refs, &number); n++)
                highest = number > highest ? number : highest;
        }
        CHECK(n == 3 && highest == 123, "cut at %zu: %u, highest %u", cut, n,
              highest);
        view_free(a);
        view_free(b);
    }
}

int
main(void)
{
    which_references_has_a_text();
    are_references_found_across_a_border();
    return check_report("refs");
}
