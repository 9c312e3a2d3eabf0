/* ends_test.c - is the header found, and the way to the cross-reference? */
#include "pdf/ends.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "madepdf.h"

static void
is_a_version_read(void)
{
    static const struct {
        const char *text;
        bool good;
        unsigned major, minor;
    } rows[] = {
        { "1.7", true, 1, 7 },     { "2.0", true, 2, 0 },
        { "1.4junk", true, 1, 4 }, { "1.", false, 9, 9 },
        { "1", false, 9, 9 },      { "", false, 9, 9 },
        { "1,7", false, 9, 9 },    { "a.7", false, 9, 9 },
        { "1.x", false, 9, 9 },
    };
    static const struct pp_version v14 = { 1, 4 }, v17 = { 1, 7 },
                                   v20 = { 2, 0 };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_view text = view_copy(view_of(rows[i].text));
        struct pp_version v = { 9, 9 };

        CHECK(pp_version_parse(text, &v) == rows[i].good, "%s", rows[i].text);
        CHECK(v.major == rows[i].major && v.minor == rows[i].minor, "%s: %u.%u",
              rows[i].text, v.major, v.minor);
        view_free(text);
    }
    CHECK(pp_version_less(v14, v17) && pp_version_less(v17, v20), "less");
    CHECK(!pp_version_less(v17, v17) && !pp_version_less(v20, v17), "not less");
}

/* A peek over a copy of exactly these bytes. */
struct look {
    struct pp_view bytes;
    struct pp_input input;
    struct pp_peek peek;
    struct pp_notes notes;
    struct pdfpipe_error err;
};

static void
look_at(struct look *l, struct pp_view text)
{
    *l = (struct look){ .bytes = view_copy(text) };
    l->input = pp_input_over(&l->bytes);
    pp_peek_init(&l->peek, &l->input, 4096);
}

static void
look_away(struct look *l)
{
    pp_peek_fini(&l->peek);
    view_free(l->bytes);
}

static void
where_is_the_header(void)
{
    /* clang-format off */
    static const struct {
        const char *what;
        size_t junk;
        const char *text;
        enum pdfpipe_status want;
        unsigned major, minor;
    } rows[] = {
        { "at the beginning",      0,    "%PDF-1.4\n",  PDFPIPE_OK, 1, 4 },
        { "2.0",                   0,    "%PDF-2.0\n",  PDFPIPE_OK, 2, 0 },
        { "behind junk",           500,  "%PDF-1.7\n",  PDFPIPE_OK, 1, 7 },
        { "behind 1023 bytes",     1023, "%PDF-1.7\n",  PDFPIPE_OK, 1, 7 },
        { "behind 1024 bytes",     1024, "%PDF-1.7\n",  PDFPIPE_OK, 1, 7 },
        { "behind 1025 bytes",     1025, "%PDF-1.7\n",  PDFPIPE_E_NOT_PDF, 0, 0 },
        { "no version",            0,    "%PDF-",       PDFPIPE_OK, 1, 0 },
        { "odd version",           0,    "%PDF-x.y",    PDFPIPE_OK, 1, 0 },
        { "cut version",           0,    "%PDF-1.",     PDFPIPE_OK, 1, 0 },
        { "cut word",              0,    "%PDF",        PDFPIPE_E_NOT_PDF, 0, 0 },
        { "another kind",          0,    "%!PS-Adobe",  PDFPIPE_E_NOT_PDF, 0, 0 },
        { "small letters",         0,    "%pdf-1.4",    PDFPIPE_E_NOT_PDF, 0, 0 },
        { "empty",                 0,    "",            PDFPIPE_E_NOT_PDF, 0, 0 },
        { "two: the first counts", 3,    "%PDF-1.3\n%PDF-1.6\n", PDFPIPE_OK, 1, 3 },
    };
    /* clang-format on */

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_version v = { 0, 0 };
        enum pdfpipe_status st;
        struct made m = { 0 };
        uint64_t at = 4711;
        struct look l;

        for (size_t n = 0; n < rows[i].junk; n++)
            made_text(&m, "j");
        made_text(&m, "%s", rows[i].text);
        look_at(&l, pp_buf_view(&m.text));
        st = pp_header_find(&l.peek, &at, &v, &l.notes, &l.err);
        CHECK(st == rows[i].want && (!st || l.err.code == st), "%s: %s",
              rows[i].what, l.err.message);
        if (st == PDFPIPE_OK) {
            CHECK(at == rows[i].junk, "%s: at %" PRIu64, rows[i].what, at);
            CHECK(is_noted(&l.notes, PDFPIPE_W_HEADER_JUNK) == (at > 0), "%s",
                  rows[i].what);
        }
        CHECK(v.major == rows[i].major && v.minor == rows[i].minor, "%s: %u.%u",
              rows[i].what, v.major, v.minor);
        look_away(&l);
        made_fini(&m);
    }
}

static void
where_is_the_cross_reference(void)
{
    /* clang-format off */
    static const struct {
        const char *what, *text;
        enum pdfpipe_status want;
        uint64_t offset;
        bool no_eof, junk, object;
    } rows[] = {
        { "as it should be",     "startxref\n116\n%%EOF\n",    PDFPIPE_OK, 116, false, false, false },
        { "without end of line", "startxref 116 %%EOF",        PDFPIPE_OK, 116, false, false, false },
        { "CR LF, blanks",       " startxref \r\n 116 \r\n%%EOF\r\n \n", PDFPIPE_OK, 116, false, false, false },
        { "glued",               "startxref116\n%%EOF",        PDFPIPE_OK, 116, false, false, false },
        { "leading zeros",       "startxref\n0000000116\n%%EOF", PDFPIPE_OK, 116, false, false, false },
        { "no %%EOF",            "startxref\n116\n",           PDFPIPE_OK, 116, true,  false, false },
        { "cut %%EOF",           "startxref\n116\n%%EO",       PDFPIPE_OK, 116, true,  false, false },
        { "junk behind",         "startxref\n116\n%%EOF\nabc", PDFPIPE_OK, 116, false, true, false },
        { "an object behind",    "startxref\n116\n%%EOF\n5 0 obj null endobj", PDFPIPE_OK, 116, false, true, true },
        { "behind junk",         "startxref\n116\n%%EOF\n(a obj\n12\r\n34 obj<<", PDFPIPE_OK, 116, false, true, true },
        { "without an end",      "startxref\n116\n5 0 obj\n",  PDFPIPE_OK, 116, true,  false, true },
        { "two",                 "startxref\n116\n%%EOF\nobj 1 0 obj", PDFPIPE_OK, 116, false, true, true },
        { "no numbers",          "startxref\n116\n%%EOF\nx y obj endobj", PDFPIPE_OK, 116, false, true, false },
        { "one number",          "startxref\n116\n%%EOF\n0 obj", PDFPIPE_OK, 116, false, true, false },
        { "numbers that end with it", "startxref\n116\n%%EOF\n5 0obj", PDFPIPE_OK, 116, false, true, false },
        { "the last counts",     "startxref\n1\n%%EOF\nstartxref\n2\n%%EOF\n", PDFPIPE_OK, 2, false, false, false },
        { "comment between",     "startxref%x\n116\n%%EOF",    PDFPIPE_OK, 116, false, false, false },
        { "beyond 64 bits",      "startxref\n99999999999999999999\n%%EOF", PDFPIPE_OK, UINT64_MAX, false, false, false },
        { "no number",           "startxref\n%%EOF\n",         PDFPIPE_E_DAMAGED_XREF, 0, false, false, false },
        { "negative",            "startxref\n-5\n%%EOF\n",     PDFPIPE_E_DAMAGED_XREF, 0, false, false, false },
        { "a real",              "startxref\n5.0\n%%EOF\n",    PDFPIPE_E_DAMAGED_XREF, 0, false, false, false },
        { "nothing behind",      "startxref",                  PDFPIPE_E_DAMAGED_XREF, 0, false, false, false },
        { "missing",             "xref\n%%EOF\n",              PDFPIPE_E_DAMAGED_XREF, 0, false, false, false },
        { "misspelt",            "startxre\n5\n",              PDFPIPE_E_DAMAGED_XREF, 0, false, false, false },
        { "empty",               "",                           PDFPIPE_E_DAMAGED_XREF, 0, false, false, false },
    };
    /* clang-format on */

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        enum pdfpipe_status st;
        uint64_t offset = 0;
        struct look l;

        look_at(&l, view_of(rows[i].text));
        st = pp_startxref_find(&l.peek, &offset, &l.notes, &l.err);
        CHECK(st == rows[i].want && (!st || l.err.code == st), "%s: %s",
              rows[i].what, l.err.message);
        CHECK(offset == rows[i].offset, "%s: %" PRIu64, rows[i].what, offset);
        CHECK(is_noted(&l.notes, PDFPIPE_W_NO_EOF) == rows[i].no_eof, "%s",
              rows[i].what);
        CHECK(is_noted(&l.notes, PDFPIPE_W_TAIL_JUNK) == rows[i].junk, "%s",
              rows[i].what);
        CHECK(is_noted(&l.notes, PDFPIPE_W_TAIL_OBJECT) == rows[i].object, "%s",
              rows[i].what);
        look_away(&l);
    }
}

/* The word may be as far from the end as junk behind a file is long. */
static void
how_far_from_the_end_is_it_looked_for(void)
{
    static const struct {
        const char *what;
        size_t behind; /* bytes from the word to the end */
        bool found;
    } rows[] = {
        { "2,000", 2000, true },
        { "65,536", 65536, true },
        { "65,537", 65537, false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct made m = { 0 };
        enum pdfpipe_status st;
        uint64_t offset = 0;
        struct look l;

        for (size_t n = 0; n < 100000; n++)
            made_bytes(&m, n % 70 ? "x" : "\n", 1);
        made_text(&m, "startxref 77\n%%%%EOF\n");
        for (size_t n = 19; n < rows[i].behind; n++)
            made_bytes(&m, "\0", 1);
        look_at(&l, pp_buf_view(&m.text));
        st = pp_startxref_find(&l.peek, &offset, &l.notes, &l.err);
        CHECK((st == PDFPIPE_OK) == rows[i].found, "%s: %d", rows[i].what,
              (int)st);
        CHECK(!rows[i].found || offset == 77, "%s", rows[i].what);
        look_away(&l);
        made_fini(&m);
    }
}

static enum pdfpipe_status
fail_to_read(void *self, uint64_t offset, void *dst, size_t n,
             struct pdfpipe_error *err)
{
    (void)self, (void)offset, (void)dst, (void)n;
    return pp_fail(err, PDFPIPE_E_READ, "no");
}

static void
does_an_error_come_through(void)
{
    struct pp_input input = { .size = 10000, .read = fail_to_read };
    struct pdfpipe_error err;
    struct pp_version v;
    struct pp_peek peek;
    uint64_t at;

    pp_peek_init(&peek, &input, 4096);
    CHECK(pp_header_find(&peek, &at, &v, NULL, &err) == PDFPIPE_E_READ, "%s",
          err.message);
    CHECK(pp_startxref_find(&peek, &at, NULL, &err) == PDFPIPE_E_READ, "%s",
          err.message);
    pp_peek_fini(&peek);
}

int
main(void)
{
    is_a_version_read();
    where_is_the_header();
    where_is_the_cross_reference();
    how_far_from_the_end_is_it_looked_for();
    does_an_error_come_through();
    return check_report("ends");
}
