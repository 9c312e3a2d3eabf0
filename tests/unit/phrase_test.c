/* phrase_test.c - do people read what is meant, whatever a file is called? */
#include "cli/phrase.c" /* the program's own files are in no library */

#include "check.h"

static bool
is(struct pp_phrase *p, const char *want)
{
    bool equal = !p->failed && strcmp(p->text ? p->text : "", want) == 0;

    if (!equal)
        CHECK(false, "<%s> instead of <%s>", p->text ? p->text : "", want);
    pp_phrase_clear(p);
    return equal;
}

static void
how_numbers_read(struct pp_phrase *p)
{
    /* clang-format off */
    static const struct { uint64_t n; const char *want; } counts[] = {
        { 0, "0" }, { 999, "999" }, { 1000, "1,000" }, { 1204, "1,204" },
        { 1000000, "1,000,000" }, { 12345678, "12,345,678" },
        { UINT64_MAX, "18,446,744,073,709,551,615" },
    };
    static const struct { double bytes; const char *want; } sizes[] = {
        { 0, "0 B" }, { 1, "1 B" }, { 1023, "1023 B" }, { 1024, "1.0 KiB" },
        { 1536, "1.5 KiB" }, { 102400, "100 KiB" }, { 102348, "99.9 KiB" },
        { 102399, "100 KiB" }, { 1048575, "1.0 MiB" },
        { 51754770432.0, "48.2 GiB" }, { 848297984.0, "809 MiB" },
        { 18446744073709551616.0, "16.0 EiB" },
    };
    static const struct { uint64_t ns; const char *want; } times[] = {
        { 0, "0 ms" }, { 1600, "0.002 ms" }, { 99600, "0.10 ms" }, { 310000, "0.31 ms" }, { 9949999, "9.95 ms" },
        { 12000000, "12 ms" }, { 999400000, "999 ms" },
        { 999600000, "1.00 s" }, { 9990000000, "9.99 s" },
        { 12100000000, "12.1 s" }, { 59960000000, "60 s" },
        { 61000000000, "61 s" }, { 4000000000000, "4,000 s" },
    };
    /* clang-format on */

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        pp_phrase_count(p, counts[i].n);
        CHECK(is(p, counts[i].want), "count %zu", i);
    }
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        pp_phrase_bytes(p, sizes[i].bytes);
        CHECK(is(p, sizes[i].want), "size %zu", i);
    }
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        pp_phrase_duration(p, times[i].ns);
        CHECK(is(p, times[i].want), "time %zu", i);
    }
    pp_phrase_counted(p, 1, "file", "files");
    CHECK(is(p, "1 file"), "one");
    pp_phrase_counted(p, 0, "file", "files");
    CHECK(is(p, "0 files"), "none");
    pp_phrase_rate(p, 1048576, 1000000000);
    CHECK(is(p, "1.0 MiB/s"), "rate");
    pp_phrase_rate(p, 1, 0);
    CHECK(is(p, "0 B/s"), "no time");
}

static void
are_names_shown_safely(struct pp_phrase *p)
{
    /* clang-format off */
    static const struct { const char *what, *path, *want; } rows[] = {
        { "plain",          "a/b c.pdf",           "a/b c.pdf" },
        { "umlaut",         "\xc3\xa4.pdf",        "\xc3\xa4.pdf" },
        { "quote inside",   "a\"b",                "a\"b" },
        { "backslash",      "a\\b",                "a\\b" },
        { "quote in front", "\"a",                 "\"\\\"a\"" },
        { "empty",          "",                    "\"\"" },
        { "blank in front", " a",                  "\" a\"" },
        { "blank behind",   "a ",                  "\"a \"" },
        { "line end",       "a\nb",                "\"a\\nb\"" },
        { "tab",            "a\tb",                "\"a\\tb\"" },
        { "escape",         "a\x1b[2J",            "\"a\\x1b[2J\"" },
        { "delete",         "a\x7f",               "\"a\\x7f\"" },
        { "C1",             "a\xc2\x9b" "b",       "\"a\\xc2\\x9bb\"" },
        { "direction",      "a\xe2\x80\xae" "b",   "\"a\\xe2\\x80\\xaeb\"" },
        { "isolate",        "a\xe2\x81\xa6",       "\"a\\xe2\\x81\\xa6\"" },
        { "line separator", "\xe2\x80\xa8",        "\"\\xe2\\x80\\xa8\"" },
        { "lone byte",      "a\xff.pdf",           "\"a\\xff.pdf\"" },
        { "both in quotes", "\n\"\\",              "\"\\n\\\"\\\\\"" },
        { "joiner stays",   "\xe2\x80\x8d",        "\xe2\x80\x8d" },
    };
    /* clang-format on */

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        pp_phrase_path(p, rows[i].path);
        CHECK(is(p, rows[i].want), "%s", rows[i].what);
    }
}

static void
is_the_end_of_a_name_cut_to_measure(struct pp_phrase *p)
{
    /* clang-format off */
    static const struct {
        const char *path;
        unsigned columns;
        const char *want;
    } rows[] = {
        { "a/b.pdf", 10, "a/b.pdf" },
        { "a/b.pdf",  7, "a/b.pdf" },
        { "a/b.pdf",  6, "...pdf" },
        { "a/b.pdf",  4, "...f" },
        { "a/b.pdf",  3, "" },
        { "a/b.pdf",  0, "" },
        { "a\nb\xff", 9, "a?b?" },
        { "\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f\xc3\xa4", 5,
          "\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f\xc3\xa4" },
        { "\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f\xc3\xa4", 4, "...\xc3\xa4" },
        /* Two columns each. */
        { "\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2", 6,
          "\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2" },
        { "\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2", 5, "...\xe6\xbc\xa2" },
        { "\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2", 4, "..." },
    };
    /* clang-format on */

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        pp_phrase_tail(p, rows[i].path, rows[i].columns);
        CHECK(is(p, rows[i].want), "row %zu", i);
    }
}

static void
does_a_phrase_grow(struct pp_phrase *p)
{
    for (int i = 0; i < 10000; i++)
        pp_phrase_add(p, "%04d", i);
    CHECK(!p->failed && p->length == 40000 &&
              memcmp(p->text + 39996, "9999", 5) == 0,
          "length %zu", p->length);
    pp_phrase_clear(p);
    CHECK(is(p, ""), "cleared");
}

int
main(void)
{
    struct pp_phrase p = { 0 };

    how_numbers_read(&p);
    are_names_shown_safely(&p);
    is_the_end_of_a_name_cut_to_measure(&p);
    does_a_phrase_grow(&p);
    pp_phrase_fini(&p);
    return check_report("phrase");
}
