/* edit_test.c - is a dictionary changed where it must be, and nowhere else? */
#include "seal/edit.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "dies.h"
#include "madepdf.h"
#include "pdf/dict.h"

/* The text with all edits made; they must be in order and apart. */
static struct pp_buf
apply(struct pp_view text, const struct pp_edits *e)
{
    struct pp_buf out = { 0 };
    size_t at = 0;

    for (size_t i = 0; i < e->n; i++) {
        const struct pp_edit *edit = &e->edit[i];

        if (!CHECK(edit->at >= at && edit->remove <= text.n - edit->at,
                   "edit %zu", i))
            break;
        (void)pp_buf_append(&out, text.p + at, edit->at - at);
        (void)pp_buf_append(&out, edit->insert.p, edit->insert.n);
        at = edit->at + edit->remove;
    }
    (void)pp_buf_append(&out, text.p + at, text.n - at);
    return out;
}

/* What comes out is still one dictionary, and as the row says. */
static void
expect(const char *what, const char *dict, const struct pp_edits *e,
       const char *want)
{
    struct pp_buf out = apply(view_of(dict), e);

    CHECK(pp_view_is(pp_buf_view(&out), want), "%s: %.*s", what, (int)out.n,
          (const char *)out.p);
    CHECK(pp_value_length(pp_buf_view(&out)) == out.n, "%s: one value", what);
    pp_buf_fini(&out);
}

#define LEVEL8 "<</BaseVersion/1.7/ExtensionLevel 8>>"

/* clang-format off */
static const struct {
    const char *what, *dict, *want;
} catalogs[] = {
    { "no extensions",     "<</Type/Catalog>>",           "<</Type/Catalog/Extensions<</ADBE" LEVEL8 ">>>>" },
    { "empty dictionary",  "<<>>",                        "<</Extensions<</ADBE" LEVEL8 ">>>>" },
    { "null extensions",   "<</Extensions null>>",        "<</Extensions null/Extensions<</ADBE" LEVEL8 ">>>>" },
    { "another developer", "<</Extensions<</XYZ_<</BaseVersion/1.7/ExtensionLevel 1>>>>/A 1>>",
                           "<</Extensions<</XYZ_<</BaseVersion/1.7/ExtensionLevel 1>>/ADBE" LEVEL8 ">>/A 1>>" },
    { "lower level",       "<</Extensions<</ADBE<</BaseVersion/1.7/ExtensionLevel 3>>>>>>",
                           "<</Extensions<</ADBE<</BaseVersion/1.7/ExtensionLevel  8 >>>>>>" },
    { "lower level, kept rest", "<</Extensions<</ADBE<</ExtensionLevel 3/BaseVersion/1.7/URL(x)>>/XYZ_<<>>>>>>",
                           "<</Extensions<</ADBE<</ExtensionLevel  8 /BaseVersion/1.7/URL(x)>>/XYZ_<<>>>>>>" },
    { "level 8",           "<</Extensions<</ADBE<</BaseVersion/1.7/ExtensionLevel 8>>>>>>",
                           "<</Extensions<</ADBE<</BaseVersion/1.7/ExtensionLevel 8>>>>>>" },
    { "level 11",          "<</Extensions<</ADBE<</BaseVersion/1.7/ExtensionLevel 11>>>>>>",
                           "<</Extensions<</ADBE<</BaseVersion/1.7/ExtensionLevel 11>>>>>>" },
    { "negative level",    "<</Extensions<</ADBE<</ExtensionLevel -1>>>>>>",
                           "<</Extensions<</ADBE<</ExtensionLevel  8 >>>>>>" },
    { "level no number",   "<</Extensions<</ADBE<</ExtensionLevel/3>>>>>>",
                           "<</Extensions<</ADBE<</ExtensionLevel 8 >>>>>>" },
    { "level a string",    "<</Extensions<</ADBE<</ExtensionLevel(3)>>>>>>",
                           "<</Extensions<</ADBE<</ExtensionLevel 8 >>>>>>" },
    { "no level",          "<</Extensions<</ADBE<</BaseVersion/1.7>>>>>>",
                           "<</Extensions<</ADBE<</BaseVersion/1.7/ExtensionLevel 8>>>>>>" },
    { "base 2.0",          "<</Extensions<</ADBE<</BaseVersion/2.0/ExtensionLevel 1>>>>>>",
                           "<</Extensions<</ADBE<</BaseVersion/2.0/ExtensionLevel 1>>>>>>" },
    { "base 1.3",          "<</Extensions<</ADBE<</BaseVersion/1.3/ExtensionLevel 1>>>>>>",
                           "<</Extensions<</ADBE<</BaseVersion/1.3/ExtensionLevel  8 >>>>>>" },
    { "base no version",   "<</Extensions<</ADBE<</BaseVersion 2/ExtensionLevel 1>>>>>>",
                           "<</Extensions<</ADBE<</BaseVersion 2/ExtensionLevel  8 >>>>>>" },
    { "array of developers", "<</Extensions<</ADBE[<</BaseVersion/1.7/ExtensionLevel 3>>]>>>>",
                           "<</Extensions<</ADBE[<</BaseVersion/1.7/ExtensionLevel 3>>" LEVEL8 "]>>>>" },
    { "ADBE something else", "<</Extensions<</ADBE/X>>>>", "<</Extensions<</ADBE " LEVEL8 ">>>>" },
    { "extensions something else", "<</Extensions/X/A 1>>", "<</Extensions <</ADBE" LEVEL8 ">>/A 1>>" },
    { "extensions an array", "<</Extensions[1]/A 1>>",    "<</Extensions <</ADBE" LEVEL8 ">>/A 1>>" },
    { "dead reference",    "<</Extensions 5 0 R/A 1>>",   "<</Extensions  <</ADBE" LEVEL8 ">>/A 1>>" },
    { "key without value", "<</Type/Catalog/Lang>>",      "<</Type/Catalog/Lang null/Extensions<</ADBE" LEVEL8 ">>>>" },
    { "extensions without value", "<</Extensions>>",      "<</Extensions null/Extensions<</ADBE" LEVEL8 ">>>>" },
    { "developer without value", "<</Extensions<</ADBE>>>>", "<</Extensions<</ADBE null/ADBE" LEVEL8 ">>>>" },
    { "level without value", "<</Extensions<</ADBE<</ExtensionLevel>>>>>>", "<</Extensions<</ADBE<</ExtensionLevel null/ExtensionLevel 8>>>>>>" },
    { "two, the last counts", "<</Extensions<</ADBE<</ExtensionLevel 9>>>>/Extensions<<>>>>",
                           "<</Extensions<</ADBE<</ExtensionLevel 9>>>>/Extensions<</ADBE" LEVEL8 ">>>>" },
};
/* clang-format on */

static void
does_the_catalog_announce_its_extension(void)
{
    for (size_t i = 0; i < sizeof catalogs / sizeof catalogs[0]; i++) {
        struct pp_edits e = { .n = 0 };
        struct pp_view extensions, adbe = { NULL, 0 }, level;
        struct pp_buf out;
        uint64_t value = 8;

        pp_edit_catalog(view_of(catalogs[i].dict), false, &e);
        expect(catalogs[i].what, catalogs[i].dict, &e, catalogs[i].want);
        /* As a reader finds it. */
        out = apply(view_of(catalogs[i].dict), &e);
        CHECK(pp_dict_find(pp_buf_view(&out), "Extensions", &extensions) &&
                  pp_dict_find(extensions, "ADBE", &adbe),
              "%s", catalogs[i].what);
        if (pp_dict_find(adbe, "ExtensionLevel", &level))
            CHECK(pp_value_integer(level, &value) && (value >= 8 || value == 1),
                  "%s", catalogs[i].what);
        /* Once is enough. */
        e.n = 0;
        pp_edit_catalog(pp_buf_view(&out), false, &e);
        CHECK(e.n == 0 || strstr(catalogs[i].what, "array of"), "%s: again",
              catalogs[i].what);
        pp_buf_fini(&out);
    }
}

static void
may_the_extensions_stand_elsewhere(void)
{
    struct pp_edits e = { .n = 0 };
    static const char extensions[] = "<</XYZ_<<>>>>";

    pp_edit_catalog(view_of("<</Extensions 5 0 R/A 1>>"), true, &e);
    CHECK(e.n == 0, "the other object is edited");
    pp_edit_catalog(view_of("<</Extensions/X/A 1>>"), true, &e);
    CHECK(e.n == 1, "no reference at all");
    e.n = 0;
    pp_edit_extensions(view_of(extensions), 0, &e);
    expect("extensions", extensions, &e, "<</XYZ_<<>>/ADBE" LEVEL8 ">>");
    e.n = 0;
    pp_edit_extensions(view_of(extensions), 100, &e);
    CHECK(e.n == 1 && e.edit[0].at == 100 + sizeof extensions - 3, "base: %zu",
          e.edit[0].at);
}

static void
is_a_crypt_filter_removed(void)
{
    /* clang-format off */
    static const struct {
        const char *what, *dict, *want; /* NULL: refused */
    } rows[] = {
        { "no filter",       "<</A 1>>",                        "<</A 1>>" },
        { "empty array",     "<</Filter[]>>",                   "<</Filter[]>>" },
        { "alone",           "<</Filter/Crypt>>",               "<</Filter null>>" },
        { "alone, array",    "<</Filter[/Crypt]>>",             "<</Filter[ ]>>" },
        { "first of two",    "<</Filter[/Crypt/FlateDecode]>>", "<</Filter[ /FlateDecode]>>" },
        { "escaped",         "<</Filter/Cryp#74>>",             "<</Filter null>>" },
        { "with parms",      "<</Filter/Crypt/DecodeParms<</Name/Identity>>>>", "<</Filter null/DecodeParms null>>" },
        { "with parms, no name", "<</Filter/Crypt/DecodeParms<<>>>>", "<</Filter null/DecodeParms null>>" },
        { "with parms, arrays", "<</Filter[/Crypt/FlateDecode]/DecodeParms[<</Name/Identity>><</Predictor 12>>]>>",
                             "<</Filter[ /FlateDecode]/DecodeParms[ <</Predictor 12>>]>>" },
        { "null for parms",  "<</Filter[/Crypt/FlateDecode]/DecodeParms[null<</Predictor 12>>]>>",
                             "<</Filter[ /FlateDecode]/DecodeParms[ <</Predictor 12>>]>>" },
        { "one in an array, parms alone", "<</Filter[/Crypt]/DecodeParms<</Name/Identity>>>>", "<</Filter[ ]/DecodeParms null>>" },
        { "parms first",     "<</DecodeParms<</Name/Identity>>/Filter/Crypt>>", "<</DecodeParms null/Filter null>>" },
        { "empty parms",     "<</Filter[/Crypt]/DecodeParms[]>>", "<</Filter[ ]/DecodeParms[]>>" },
        { "second",          "<</Filter[/FlateDecode/Crypt]>>", NULL },
        { "twice",           "<</Filter[/Crypt/Crypt]>>",       NULL },
        { "first and third", "<</Filter[/Crypt/FlateDecode/Crypt]>>", NULL },
        { "indirect filter", "<</Filter 5 0 R>>",               NULL },
        { "another name",    "<</Filter/Crypt/DecodeParms<</Name/StdCF>>>>", NULL },
        { "another name, array", "<</Filter[/Crypt]/DecodeParms[<</Name/StdCF>>]>>", NULL },
        { "indirect parms",  "<</Filter/Crypt/DecodeParms 5 0 R>>", NULL },
        { "indirect parms, array", "<</Filter[/Crypt]/DecodeParms[5 0 R]>>", NULL },
        { "whose parms",     "<</Filter[/Crypt/FlateDecode]/DecodeParms<</Predictor 12>>>>", NULL },
    };
    /* clang-format on */

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_edits e = { .n = 0 };
        struct pdfpipe_error err = { .code = PDFPIPE_OK };
        enum pdfpipe_status st =
            pp_edit_remove_crypt(view_of(rows[i].dict), &e, &err);

        if (!rows[i].want) {
            CHECK(st == PDFPIPE_E_UNSUPPORTED && err.code == st, "%s: %d",
                  rows[i].what, (int)st);
            continue;
        }
        CHECK(st == PDFPIPE_OK, "%s: %s", rows[i].what, err.message);
        expect(rows[i].what, rows[i].dict, &e, rows[i].want);
    }
}

#define IDENTITY "<</Type/CryptFilterDecodeParms/Name/Identity>>"

static void
is_a_crypt_filter_added(void)
{
    /* clang-format off */
    static const struct {
        const char *what, *dict, *want;
    } rows[] = {
        { "no filter",       "<</A 1>>",       "<</A 1/Filter[/Crypt]/DecodeParms[" IDENTITY "]>>" },
        { "null filter",     "<</Filter null>>", "<</Filter null/Filter[/Crypt]/DecodeParms[" IDENTITY "]>>" },
        { "a filter",        "<</Filter/FlateDecode>>", "<</Filter[/Crypt/FlateDecode]/DecodeParms[" IDENTITY "]>>" },
        { "an array",        "<</Filter[/A/B]>>", "<</Filter[/Crypt /A/B]/DecodeParms[" IDENTITY "]>>" },
        { "an odd array",    "<</Filter[k/B]>>", "<</Filter[/Crypt k/B]/DecodeParms[" IDENTITY "]>>" },
        { "with parms",      "<</Filter/A/DecodeParms<</X 1>>>>", "<</Filter[/Crypt/A]/DecodeParms[" IDENTITY "<</X 1>>]>>" },
        { "with parms, arrays", "<</Filter[/A/B]/DecodeParms[null<</X 1>>]>>", "<</Filter[/Crypt /A/B]/DecodeParms[" IDENTITY "null<</X 1>>]>>" },
        { "parms first",     "<</DecodeParms<</X 1>>/Filter/A>>", "<</DecodeParms[" IDENTITY "<</X 1>>]/Filter[/Crypt/A]>>" },
        { "parms of nothing", "<</DecodeParms<</X 1>>>>", "<</DecodeParms[" IDENTITY "]/Filter[/Crypt]>>" },
        { "null parms",      "<</Filter/A/DecodeParms null>>", "<</Filter[/Crypt/A]/DecodeParms null/DecodeParms[" IDENTITY "]>>" },
        { "key without value", "<</A>>",       "<</A null/Filter[/Crypt]/DecodeParms[" IDENTITY "]>>" },
        { "indirect filter", "<</Filter 5 0 R>>", NULL },
        { "indirect parms",  "<</Filter/A/DecodeParms 5 0 R>>", NULL },
        { "a number",        "<</Filter 5>>",  NULL },
    };
    /* clang-format on */

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_edits e = { .n = 0 };
        struct pdfpipe_error err = { .code = PDFPIPE_OK };
        enum pdfpipe_status st =
            pp_edit_add_crypt(view_of(rows[i].dict), &e, &err);

        CHECK((st == PDFPIPE_OK) == (rows[i].want != NULL), "%s: %d",
              rows[i].what, (int)st);
        if (rows[i].want)
            expect(rows[i].what, rows[i].dict, &e, rows[i].want);
    }
}

static void
is_crypt_made_the_only_filter(void)
{
    /* clang-format off */
    static const struct {
        const char *what, *dict, *want;
    } rows[] = {
        { "no filter",    "<</A 1>>",  "<</A 1/Filter[/Crypt]/DecodeParms[" IDENTITY "]>>" },
        { "a filter",     "<</Filter/FlateDecode/A 1>>", "<</Filter[/Crypt]/A 1/DecodeParms[" IDENTITY "]>>" },
        { "with parms",   "<</Filter[/FlateDecode]/DecodeParms[<</X 1>>]>>", "<</Filter[/Crypt]/DecodeParms[" IDENTITY "]>>" },
        { "only parms",   "<</DecodeParms<</X 1>>>>", "<</DecodeParms[" IDENTITY "]/Filter[/Crypt]>>" },
        { "key without value", "<</A>>", "<</A null/Filter[/Crypt]/DecodeParms[" IDENTITY "]>>" },
    };
    /* clang-format on */

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_edits e = { .n = 0 };

        pp_edit_only_crypt(view_of(rows[i].dict), &e);
        expect(rows[i].what, rows[i].dict, &e, rows[i].want);
    }
}

/* With all that can meet in one dictionary. */
static void
do_edits_of_one_dictionary_get_along(void)
{
    static const char dict[] = "<</Filter/FlateDecode/DecodeParms<</X 1>>>>";
    struct pp_edits e = { .n = 0 };
    struct pdfpipe_error err;

    CHECK(pp_edit_add_crypt(view_of(dict), &e, &err) == PDFPIPE_OK, "%s",
          err.message);
    pp_edit_catalog(view_of(dict), false, &e);
    pp_edit_extensions(view_of(dict), 0, &e);
    pp_edit_append(view_of(dict), 0, &e, view_of("/Length 5"));
    CHECK(e.n <= PP_EDITS_MAX, "%zu", e.n);
    expect("everything", dict, &e,
           "<</Filter[/Crypt/FlateDecode]/DecodeParms[" IDENTITY
           "<</X 1>>]/Extensions<</ADBE" LEVEL8 ">>/ADBE" LEVEL8 "/Length 5>>");
}

static void
is_an_entry_appended(void)
{
    /* clang-format off */
    static const struct {
        const char *dict, *want;
    } rows[] = {
        { "<<>>",                "<</L 5>>" },
        { "<</A 1>>",            "<</A 1/L 5>>" },
        { "<</A>>",              "<</A null/L 5>>" },
        { "<</A null>>",         "<</A null/L 5>>" },
        { "<</A %c\n>>",         "<</A %c\n null/L 5>>" },
        { "<</A%c\n 1 %d\n>>",   "<</A%c\n 1 %d\n/L 5>>" },
        { "<</A<</B>>>>",        "<</A<</B>>/L 5>>" },
    };
    /* clang-format on */

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_edits e = { .n = 0 };

        pp_edit_append(view_of(rows[i].dict), 0, &e, view_of("/L 5"));
        expect(rows[i].dict, rows[i].dict, &e, rows[i].want);
    }
}

static void
are_edits_kept_in_order(void)
{
    static const char text[] = "0123456789";
    struct pp_edits e = { .n = 0 };
    struct pp_buf out;

    pp_edit_add(&e, 8, 1, view_of("c"));
    pp_edit_add(&e, 2, 0, view_of("a"));
    pp_edit_add(&e, 2, 1, view_of("b"));
    pp_edit_add(&e, 10, 0, view_of("d"));
    pp_edit_add(&e, 0, 1, view_of(""));
    out = apply(view_of(text), &e);
    CHECK(pp_view_is(pp_buf_view(&out), "1ab34567c9d"), "%.*s", (int)out.n,
          (const char *)out.p);
    pp_buf_fini(&out);
}

static void
add_too_many(void *arg)
{
    struct pp_edits e = { .n = 0 };

    (void)arg;
    for (size_t i = 0; i <= PP_EDITS_MAX; i++)
        pp_edit_add(&e, i, 0, view_of("x"));
}

static void
is_too_much_asserted(void)
{
    CHECK(dies_of(add_too_many, NULL) == SIGABRT, "one more than fit");
}

int
main(void)
{
    does_the_catalog_announce_its_extension();
    may_the_extensions_stand_elsewhere();
    is_a_crypt_filter_removed();
    is_a_crypt_filter_added();
    is_crypt_made_the_only_filter();
    do_edits_of_one_dictionary_get_along();
    is_an_entry_appended();
    are_edits_kept_in_order();
    is_too_much_asserted();
    return check_report("edit");
}
