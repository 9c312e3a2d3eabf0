/* filter_test.c - does a walk take what its rules say, and nothing else? */
#include "batch/filter.h"

#include <string.h>

#include "check.h"

static const char *
base(const char *relative)
{
    const char *slash = strrchr(relative, '/');

    return slash ? slash + 1 : relative;
}

static const char *const no_globs[] = { NULL };

static void
what_is_taken_by_default(void)
{
    /* clang-format off */
    static const struct {
        const char *name;
        bool file, folder;
    } rows[] = {
        { "a.pdf",                          true,  true },
        { "a.PDF",                          true,  true },
        { "a.Pdf",                          true,  true },
        { "a b\n.pdf",                      true,  true },
        { "\xff.pdf",                       true,  true },
        { ".pdf",                           false, false },
        { "a.pdf.bak",                      false, true },
        { "apdf",                           false, true },
        { "a.txt",                          false, true },
        { ".hidden.pdf",                    false, false },
        { "._a.pdf",                        false, false },
        { ".pdfpipe-0123456789abcdef.tmp",  false, false },
        { ".Trashes",                       false, false },
        { ".AppleDouble",                   false, false },
        { ".snapshot",                      false, false },
        { "@eaDir",                         false, false },
        { "__MACOSX",                       false, false },
        { "#recycle",                       false, false },
        { "$RECYCLE.BIN",                   false, false },
        { "lost+found",                     false, false },
        { "System Volume Information",      false, false },
        { "2024",                           false, true },
        { "@invoices",                      false, true },
    };
    /* clang-format on */
    struct pp_filter f = { .include = no_globs };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK(pp_filter_file(&f, rows[i].name, rows[i].name) == rows[i].file,
              "file %s", rows[i].name);
        CHECK(pp_filter_folder(&f, rows[i].name, rows[i].name) ==
                  rows[i].folder,
              "folder %s", rows[i].name);
    }
}

static void
what_globs_do(void)
{
    /* clang-format off */
    static const struct {
        const char *what;
        const char *include, *exclude;
        const char *relative;
        bool file, folder;
    } rows[] = {
        { "include matches",       "r-*",     NULL,       "r-1.pdf",       true,  true },
        { "include does not",      "r-*",     NULL,       "x.pdf",         false, true },
        { "include is no licence", "*",       NULL,       "x.txt",         false, true },
        { "include lifts hidden",  ".r*",     NULL,       ".r.pdf",        true,  false },
        { "exclude wins",          "*.pdf",   "x*",       "x.pdf",         false, false },
        { "base name below",       NULL,      "x*",       "a/x.pdf",       false, false },
        { "no slash, other name",  NULL,      "a",        "a/x.pdf",       true,  true },
        { "path",                  NULL,      "a/*.pdf",  "a/x.pdf",       false, false },
        { "path, elsewhere",       NULL,      "a/*.pdf",  "b/a/x.pdf",     true,  true },
        { "star stops at slash",   NULL,      "a/*.pdf",  "a/b/x.pdf",     true,  true },
        { "leading slash",         NULL,      "/x.pdf",   "x.pdf",         false, false },
        { "leading slash, below",  NULL,      "/x.pdf",   "a/x.pdf",       true,  true },
        { "path for include",      "a/*",     NULL,       "a/x.pdf",       true,  true },
        { "case counts",           NULL,      "X*",       "x.pdf",         true,  true },
        { "broken glob",           NULL,      "[",        "x.pdf",         true,  true },
        { "brackets",              NULL,      "[x-z].*",  "y.pdf",         false, false },
    };
    /* clang-format on */

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_filter f = {
            .include = &rows[i].include,
            .includes = rows[i].include != NULL,
            .exclude = &rows[i].exclude,
            .excludes = rows[i].exclude != NULL,
        };
        const char *relative = rows[i].relative, *name = base(relative);

        CHECK(pp_filter_file(&f, name, relative) == rows[i].file, "%s: file",
              rows[i].what);
        CHECK(pp_filter_folder(&f, name, relative) == rows[i].folder,
              "%s: folder", rows[i].what);
    }
}

static void
is_output_taken_for_input(void)
{
    static const struct {
        const char *name;
        bool file;
    } rows[] = {
        { "a.enc.pdf", false },   { "a.enc.PDF", false },
        { "a.b.enc.pdf", false }, { "aenc.pdf", true },
        { ".enc.pdf", false }, /* hidden */
        { "enc.pdf", true },      { "a.ENC.pdf", true },
        { "a.enc.b.pdf", true },
    };
    struct pp_filter f = { .suffix = "enc" };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK(pp_filter_file(&f, rows[i].name, rows[i].name) == rows[i].file,
              "%s", rows[i].name);
}

static void
where_the_extension_begins(void)
{
    CHECK(pp_pdf_extension("") == NULL, "empty");
    CHECK(pp_pdf_extension("pdf") == NULL, "no dot");
    CHECK(pp_pdf_extension(".pdf") == NULL, "nothing before it");
    CHECK(strcmp(pp_pdf_extension("a.pdf.PdF"), ".PdF") == 0, "the last one");
}

int
main(void)
{
    what_is_taken_by_default();
    what_globs_do();
    is_output_taken_for_input();
    where_the_extension_begins();
    return check_report("filter");
}
