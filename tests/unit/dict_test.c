/* dict_test.c - is an entry found, whatever stands around it? */
#include "pdf/dict.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "madepdf.h"

/* Entries as text: "/A=1 0 R|/B=<<...>>|", and "!" when the text is broken. */
static void
print_walk(struct pp_view text, struct pp_buf *to)
{
    struct pp_view name = { NULL, 0 }, value;
    struct pp_walk w;

    to->n = 0;
    pp_walk_init(&w, text);
    while (pp_walk_next(&w, &name, &value)) {
        if (!w.array) {
            (void)pp_buf_append(to, name.p, name.n);
            (void)pp_buf_append(to, "=", 1);
        }
        (void)pp_buf_append(to, value.p, value.n);
        (void)pp_buf_append(to, "|", 1);
    }
    if (w.failed)
        (void)pp_buf_append(to, "!", 1);
}

/* clang-format off */
static const struct {
    const char *what, *text, *want;
} walks[] = {
    { "empty dictionary",   "<<>>",                    "" },
    { "empty array",        "[]",                      "" },
    { "white space before", " %c\n<</A 1>>",           "/A=1|" },
    { "values",             "<</A 1/B(b)/C<43>/D/E/F[1 2]/G<</H 1>>/I true>>",
                            "/A=1|/B=(b)|/C=<43>|/D=/E|/F=[1 2]|/G=<</H 1>>|/I=true|" },
    { "references",         "<</A 1 0 R/B 2 0 R>>",    "/A=1 0 R|/B=2 0 R|" },
    { "reference, comment", "<</A 1%x\n0 R/B 2>>",     "/A=1%x\n0 R|/B=2|" },
    { "elements",           "[1 2 0 R 3 4 5 0 R(a)/B]", "1|2 0 R|3|4|5 0 R|(a)|/B|" },
    { "two integers",       "<</A 1 2/B 3>>",          "/A=1|/B=3|" },
    { "no key",             "<<(x)[1]/B 3>>",          "/B=3|" },
    { "key without value",  "<</A>>",                  "/A=|" },
    { "null",               "<</A null>>",             "/A=null|" },
    { "odd tokens",         "<<}/A{/B 1>>",            "/A={|/B=1|" },
    { "what follows",       "<</A 1>>/B 2",            "/A=1|" },
    { "deep value",         "<</A[[<</B[]>>]]/C 1>>",  "/A=[[<</B[]>>]]|/C=1|" },
    { "string with brackets", "<</A(>>)/B 1>>",        "/A=(>>)|/B=1|" },
    { "comment with brackets", "<</A%>>\n1>>",         "/A=1|" },
    /* broken */
    { "no container",       "/A 1",                    "!" },
    { "nothing",            "",                        "!" },
    { "not closed",         "<</A 1",                  "/A=1|!" },
    { "array not closed",   "[1",                      "1|!" },
    { "closed by the other", "<</A 1]",                "/A=1|!" },
    { "array, the other",   "[1>>",                    "1|!" },
    { "value not closed",   "<</A[1>>",                "!" },
    { "value, the other",   "<</A[1>>/B 2]>>",         "!" },
    { "string not closed",  "<</A(1>>",                "!" },
};
/* clang-format on */

static void
which_entries_has_a_container(void)
{
    struct pp_buf got = { 0 };

    for (size_t i = 0; i < sizeof walks / sizeof walks[0]; i++) {
        struct pp_view text = view_copy(view_of(walks[i].text));

        print_walk(text, &got);
        CHECK(pp_view_is(pp_buf_view(&got), walks[i].want), "%s: %.*s",
              walks[i].what, (int)got.n, (const char *)got.p);
        view_free(text);
    }
    pp_buf_fini(&got);
}

/* Cut anywhere, a walk says that it failed; what it gave until then are
 * entries of the whole, but for the last one, whose token may be cut. */
static void
is_a_cut_container_noticed(void)
{
    static const char text[] =
        "<</A 1/B(b)/C<43>/D/E/F[1 2]/G<</H 1>>/I 7 0 R>>";
    struct pp_buf got = { 0 };

    for (size_t cut = 0; cut < sizeof text - 1; cut++) {
        struct pp_view part =
            view_copy((struct pp_view){ (const uint8_t *)text, cut });

        print_walk(part, &got);
        CHECK(got.n && got.p[got.n - 1] == '!', "cut at %zu: %.*s", cut,
              (int)got.n, (const char *)got.p);
        CHECK(pp_value_length(part) == 0, "cut at %zu", cut);
        view_free(part);
    }
    CHECK(pp_value_length(view_of(text)) == sizeof text - 1, "whole");
    pp_buf_fini(&got);
}

static void
is_the_entry_found(void)
{
    /* clang-format off */
    static const struct {
        const char *what, *dict, *name, *want;
    } rows[] = {
        { "there",            "<</A 1/B 2>>",          "B",  "2" },
        { "not there",        "<</A 1>>",              "B",  NULL },
        { "only as a value",  "<</A/B>>",              "B",  NULL },
        { "only inside",      "<</A<</B 1>>>>",        "B",  NULL },
        { "the last of two",  "<</B 1/B 2>>",          "B",  "2" },
        { "null is nothing",  "<</B null>>",           "B",  NULL },
        { "null is the last", "<</B 1/B null>>",       "B",  NULL },
        { "and then again",   "<</B null/B 3>>",       "B",  "3" },
        { "no value",         "<</A 1/B>>",            "B",  NULL },
        { "escaped",          "<</#42 5>>",            "B",  "5" },
        { "empty name",       "<</ 5>>",               "",   "5" },
        { "in an array",      "[/B 1]",                "B",  NULL },
        { "in no container",  "/B 1",                  "B",  NULL },
        { "reference",        "<</B 7 0 R/A 1>>",      "B",  "7 0 R" },
        { "in a comment",     "<<%/B 1\n/A 2>>",       "B",  NULL },
    };
    /* clang-format on */

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_view v = { NULL, 0 };
        bool found = pp_dict_find(view_of(rows[i].dict), rows[i].name, &v);

        CHECK(found == (rows[i].want != NULL), "%s", rows[i].what);
        if (found && rows[i].want)
            CHECK(pp_view_is(v, rows[i].want), "%s: %.*s", rows[i].what,
                  (int)v.n, (const char *)v.p);
    }
}

static void
what_is_a_value(void)
{
    /* clang-format off */
    static const struct {
        const char *text;
        bool integer;
        uint64_t value;
        bool reference;
        uint32_t number, generation;
        bool dict, string;
    } rows[] = {
        { "5",            true,  5, false, 0, 0, false, false },
        { "+5",           true,  5, false, 0, 0, false, false },
        { " 007 ",        true,  7, false, 0, 0, false, false },
        { "18446744073709551614", true, UINT64_MAX - 1, false, 0, 0, false, false },
        { "18446744073709551615", false, 0, false, 0, 0, false, false },
        { "-5",           false, 0, false, 0, 0, false, false },
        { "5.0",          false, 0, false, 0, 0, false, false },
        { "5 6",          false, 0, false, 0, 0, false, false },
        { "",             false, 0, false, 0, 0, false, false },
        { "7 2 R",        false, 0, true,  7, 2, false, false },
        { "7%x\n2 R",     false, 0, true,  7, 2, false, false },
        { "4294967295 4294967295 R", false, 0, true, UINT32_MAX, UINT32_MAX, false, false },
        { "4294967296 0 R", false, 0, false, 0, 0, false, false },
        { "-7 2 R",       false, 0, false, 0, 0, false, false },
        { "7 2 S",        false, 0, false, 0, 0, false, false },
        { "<<>>",         false, 0, false, 0, 0, true,  false },
        { "<</A(b)>>",    false, 0, false, 0, 0, true,  true },
        { "<41>",         false, 0, false, 0, 0, false, true },
        { "[[<41>]]",     false, 0, false, 0, 0, false, true },
        { "[/A 1 true]",  false, 0, false, 0, 0, false, false },
        { "[%(x)\n]",     false, 0, false, 0, 0, false, false },
        { "[a) ]",        false, 0, false, 0, 0, false, true },
        { "(a",           false, 0, false, 0, 0, false, true },
        { "/A",           false, 0, false, 0, 0, false, false },
    };
    /* clang-format on */

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_view v = view_copy(view_of(rows[i].text));
        struct pp_reference ref = { 0, 0 };
        uint64_t value = 0;

        CHECK(pp_value_integer(v, &value) == rows[i].integer, "%s",
              rows[i].text);
        CHECK(!rows[i].integer || value == rows[i].value, "%s: %" PRIu64,
              rows[i].text, value);
        CHECK(pp_value_reference(v, &ref) == rows[i].reference, "%s",
              rows[i].text);
        CHECK(ref.number == rows[i].number &&
                  ref.generation == rows[i].generation,
              "%s", rows[i].text);
        CHECK(pp_value_dict(v) == rows[i].dict, "%s", rows[i].text);
        CHECK(pp_value_has_string(v) == rows[i].string, "%s", rows[i].text);
        view_free(v);
    }
    CHECK(pp_value_name(view_of("/Sig"), "Sig"), "name");
    CHECK(!pp_value_name(view_of("/Sig2"), "Sig"), "another name");
}

static void
how_long_is_a_value(void)
{
    static const struct {
        const char *text;
        size_t want;
    } rows[] = {
        { "5 6", 1 },         { "  5", 3 },   { "%c\n/A/B", 5 },
        { "(a(b)) c", 6 },    { "<41>>", 4 }, { "[1 [2]] 3", 7 },
        { "<</A[1]>>>>", 9 }, { "[1", 0 },    { "]", 0 },
        { ">>", 0 },          { "(a", 0 },    { "", 0 },
        { "[1>>", 0 },        { "<<]", 0 },   { "[<<]>>", 0 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_view v = view_copy(view_of(rows[i].text));

        CHECK(pp_value_length(v) == rows[i].want, "%s: %zu", rows[i].text,
              pp_value_length(v));
        view_free(v);
    }
}

static void
how_deep_may_a_value_be(void)
{
    for (size_t depth = 490; depth <= 510; depth++) {
        struct pp_buf b = { 0 };

        for (size_t i = 0; i < depth; i++)
            (void)pp_buf_printf(&b, "%s", i % 3 ? "[" : "<</A");
        for (size_t i = depth; i > 0; i--)
            (void)pp_buf_printf(&b, "%s", (i - 1) % 3 ? "]" : ">>");
        CHECK(pp_value_length(pp_buf_view(&b)) ==
                  (depth <= PP_NESTING_MAX ? b.n : 0),
              "%zu", depth);
        pp_buf_fini(&b);
    }
}

int
main(void)
{
    which_entries_has_a_container();
    is_a_cut_container_noticed();
    is_the_entry_found();
    what_is_a_value();
    how_long_is_a_value();
    how_deep_may_a_value_be();
    return check_report("dict");
}
