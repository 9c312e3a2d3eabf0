/*
 * hostile_time_test.c - does any ten megabytes make the parsers work for ever?
 *
 * Each case is a file made so that a parser with a careless loop would take
 * the square of its size.  The limit is generous, as machines differ: a good
 * case takes well under a second, a careless one hours.  With an argument the
 * times are printed.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "madepdf.h"
#include "pdf/dict.h"
#include "pdf/flate.h"
#include "pdf/refs.h"
#include "pdf/xrefout.h"
#include "seal/plan.h"

#define SIZE    ((size_t)10 << 20)
#define BOMB    ((size_t)220 << 20) /* of zeros */
#define SECONDS 30.0

/* A case that runs for ever would hold up everything: the alarm ends it. */
#define ALARM_S 300

static bool verbose;
static struct pp_scanner *scanner;

static void
repeat(struct made *m, const char *text, size_t bytes)
{
    size_t n = strlen(text);

    for (size_t i = 0; i < bytes; i += n)
        made_bytes(m, text, n);
}

/* The same bytes, compressed. */
static void
deflate_made(struct made *m)
{
    struct pp_buf z = { 0 };
    struct pp_deflater *d;

    if (pp_deflater_new(&d, NULL) ||
        pp_deflater_add(d, m->text.p, m->text.n, true, &z, NULL))
        abort();
    pp_deflater_free(d);
    pp_buf_fini(&m->text);
    m->text = z;
}

static enum pdfpipe_status
load(struct made *m)
{
    enum pdfpipe_status st;
    struct loaded l;

    loaded_from(&l, pp_buf_view(&m->text));
    st = l.st;
    loaded_fini(&l);
    return st;
}

static enum pdfpipe_status
scan_text(struct made *m)
{
    struct pp_object o;
    enum pdfpipe_status st = PDFPIPE_OK;

    /* As the reader does it: more and more of the text. */
    for (size_t n = 2048;; n *= 2) {
        struct pp_view v = pp_buf_view(&m->text);
        bool whole = n >= v.n;

        if (!whole)
            v.n = n;
        st = pp_object_scan(scanner, v, 0, whole, PP_SCAN_INDIRECT, &o, NULL);
        if (st || !o.more)
            return st;
    }
}

/* ---- cross-references ---- */

static enum pdfpipe_status
table_of(const char *what, const char *end)
{
    struct made m = { 0 };
    enum pdfpipe_status st;

    made_text(&m, "%%PDF-1.4\nxref\n");
    repeat(&m, what, SIZE);
    made_text(&m, "%s", end);
    made_text(&m, "trailer<</Root 1 0 R>>\n");
    made_end(&m, 9);
    st = load(&m);
    made_fini(&m);
    return st;
}

static enum pdfpipe_status
sloppy_rows(void)
{
    return table_of("1 9999999\n0 0 f 9 9 n ", "\n");
}

static enum pdfpipe_status
empty_subsections(void)
{
    return table_of("0 0 ", "\n");
}

static enum pdfpipe_status
white_space_in_a_table(void)
{
    return table_of("    ", "\n0 0\n");
}

static enum pdfpipe_status
comments_in_a_table(void)
{
    return table_of("0 0%\n", "\n");
}

static enum pdfpipe_status
many_sections(void)
{
    struct made m = { 0 };
    size_t at = 0, prev = 0;
    enum pdfpipe_status st;

    made_text(&m, "%%PDF-1.4\n");
    for (unsigned i = 0; i < 99999; i++) {
        prev = at;
        at = m.text.n;
        made_text(&m, "xref\n%u 1\n0000000009 00000 n \ntrailer<</Root 1 0 R",
                  i + 1);
        if (prev)
            made_text(&m, "/Prev %zu", prev);
        made_text(&m, ">>\n");
    }
    made_end(&m, at);
    st = load(&m);
    made_fini(&m);
    return st;
}

/* Section within the string of a trailer within a section ...: each trailer
 * holds all that follows. */
static enum pdfpipe_status
sections_within_each_other(void)
{
    struct made m = { 0 };
    enum pdfpipe_status st;
    unsigned n = 90000;

    made_text(&m, "%%PDF-1.4\n");
    for (unsigned i = 0; i < n; i++)
        made_text(&m, "xref trailer<</Root 1 0 R/Prev %08zu/A(", m.text.n + 42);
    for (unsigned i = 0; i < n; i++)
        made_text(&m, ")>>");
    made_end(&m, 9);
    st = load(&m);
    made_fini(&m);
    return st;
}

/* The same with streams, whose dictionaries hold all that follows. */
static enum pdfpipe_status
streams_within_each_other(void)
{
    struct made m = { 0 };
    enum pdfpipe_status st;
    unsigned n = 70000;

    made_text(&m, "%%PDF-1.4\n");
    for (unsigned i = 0; i < n; i++)
        made_text(&m,
                  "1 0 obj<</Type/XRef/W[1 1 1]/Size 0/Root 1 0 R"
                  "/Prev %08zu/A(",
                  m.text.n + 63);
    for (unsigned i = 0; i < n; i++)
        made_text(&m, ")>>stream\n");
    made_end(&m, 9);
    st = load(&m);
    made_fini(&m);
    return st;
}

/* Streams without filter whose rows are all that follows in the file. */
static enum pdfpipe_status
streams_that_read_each_other(void)
{
    struct made m = { 0 };
    enum pdfpipe_status st;
    size_t at = 0, prev;

    made_text(&m, "%%PDF-1.4\n");
    while (m.text.n < SIZE) {
        prev = at;
        at = m.text.n;
        made_text(&m, "1 0 obj<</Type/XRef/W[0 1 0]/Index[9999999 2000000]"
                      "/Root 1 0 R");
        if (prev)
            made_text(&m, "/Prev %zu", prev);
        made_text(&m, ">>stream\n");
        for (int i = 0; i < 100; i++)
            made_bytes(&m, "\0", 1);
    }
    for (size_t i = 0; i < 3000000; i++)
        made_bytes(&m, "\0", 1);
    made_end(&m, at);
    st = load(&m);
    made_fini(&m);
    return st;
}

/* Rows that compress to nothing, of the largest width, with a predictor. */
static enum pdfpipe_status
bomb_of_rows(const char *entries, size_t bytes)
{
    struct made rows = { 0 }, m = { 0 };
    enum pdfpipe_status st;

    rows.text.p = calloc(1, bytes);
    rows.text.n = rows.text.cap = bytes;
    if (!rows.text.p)
        abort();
    deflate_made(&rows);
    made_text(&m,
              "%%PDF-1.5\n1 0 obj<</Type/XRef/Root 1 0 R"
              "/Filter/FlateDecode%s>>stream\n",
              entries);
    made_bytes(&m, rows.text.p, rows.text.n);
    made_text(&m, "\nendstream endobj\n");
    made_end(&m, 9);
    st = load(&m);
    made_fini(&rows);
    made_fini(&m);
    return st;
}

static enum pdfpipe_status
wide_rows(void)
{
    return bomb_of_rows("/W[8 8 8]/Index[0 4294967295]", BOMB);
}

static enum pdfpipe_status
narrow_rows(void)
{
    return bomb_of_rows("/W[0 1 0]/Index[0 4294967295]", BOMB);
}

static enum pdfpipe_status
predicted_rows(void)
{
    return bomb_of_rows("/W[8 8 8]/Index[0 4294967295]"
                        "/DecodeParms<</Predictor 15/Columns 1>>",
                        2 * BOMB);
}

static enum pdfpipe_status
long_index(void)
{
    struct made m = { 0 };
    enum pdfpipe_status st;

    made_text(&m, "%%PDF-1.5\n1 0 obj<</Type/XRef/Root 1 0 R/W[1 1 1]/Index[");
    repeat(&m, "0 0 ", SIZE);
    made_text(&m, "]/Length 0>>stream\n\nendstream endobj\n");
    made_end(&m, 9);
    st = load(&m);
    made_fini(&m);
    return st;
}

static enum pdfpipe_status
many_startxref(void)
{
    struct made m = { 0 };
    enum pdfpipe_status st;

    made_text(&m, "%%PDF-1.5\n");
    repeat(&m, "startxre%startxref", SIZE);
    st = load(&m);
    made_fini(&m);
    return st;
}

/* ---- objects ---- */

static enum pdfpipe_status
object_of(const char *open, const char *what, const char *end)
{
    struct made m = { 0 };
    enum pdfpipe_status st;

    made_text(&m, "1 0 obj %s", open);
    repeat(&m, what, SIZE);
    made_text(&m, "%s endobj ", end);
    st = scan_text(&m);
    made_fini(&m);
    return st;
}

static enum pdfpipe_status
deep_arrays(void)
{
    return object_of("", "[", "");
}

static enum pdfpipe_status
deep_dictionaries(void)
{
    return object_of("", "<</A", "");
}

static enum pdfpipe_status
deep_brackets_in_a_string(void)
{
    return object_of("", "(", "");
}

static enum pdfpipe_status
many_empty_strings(void)
{
    return object_of("[", "()", "]");
}

static enum pdfpipe_status
many_comments(void)
{
    return object_of("[", "%\n", "]");
}

static enum pdfpipe_status
comments_in_a_reference(void)
{
    return object_of("<</Length 5", "%\n", "0 R>>");
}

static enum pdfpipe_status
many_lengths(void)
{
    return object_of("<<", "/Length 5 0 R", ">>");
}

static enum pdfpipe_status
long_string(void)
{
    return object_of("(", "\\", "");
}

static enum pdfpipe_status
long_name(void)
{
    return object_of("[/", "#41", "]");
}

static enum pdfpipe_status
many_integers(void)
{
    return object_of("[", "1 ", "]");
}

static enum pdfpipe_status
white_space(void)
{
    return object_of("", " ", "5");
}

static enum pdfpipe_status
blanks_behind_stream(void)
{
    return object_of("<<>>stream", " ", "5");
}

static enum pdfpipe_status
tokens_behind_the_value(void)
{
    return object_of("5 ", "6 ", "");
}

/* ---- what is looked up ---- */

static enum pdfpipe_status
long_dictionary(void)
{
    struct made m = { 0 };
    struct pp_view v;
    unsigned found = 0;

    made_text(&m, "<<");
    repeat(&m, "/A 1 ", SIZE);
    made_text(&m, ">>");
    for (int i = 0; i < 10; i++)
        found += pp_dict_find(pp_buf_view(&m.text), i % 2 ? "A" : "B", &v);
    made_fini(&m);
    return found == 5 ? PDFPIPE_OK : PDFPIPE_E_INTERNAL;
}

static enum pdfpipe_status
many_references(void)
{
    struct made m = { 0 };
    struct pp_refs refs;
    uint32_t number;
    size_t n = 0;

    repeat(&m, "1 0 R ", SIZE);
    pp_refs_init(&refs, pp_buf_view(&m.text));
    while (pp_refs_next(&refs, &number))
        n++;
    made_fini(&m);
    return n > SIZE / 6 ? PDFPIPE_OK : PDFPIPE_E_INTERNAL;
}

/* Object streams with as many members as fit. */
static void
make_members(struct made *m, unsigned number, unsigned members)
{
    struct made data = { 0 }, entries = { 0 };

    for (unsigned i = 0; i < members; i++)
        made_text(&data, "%u 0 ", i + 100);
    made_text(&entries, "/Type/ObjStm/Filter/FlateDecode/N %u/First %zu",
              members, data.text.n);
    made_bytes(&entries, "", 1);
    made_text(&data, "5 ");
    deflate_made(&data);
    made_stream(m, number, (const char *)entries.text.p, data.text.p,
                data.text.n);
    made_fini(&data);
    made_fini(&entries);
}

/* Lengths that stand in two object streams in turn, with wrong indices. */
static enum pdfpipe_status
lengths_in_streams(unsigned members, unsigned streams)
{
    struct made m = { 0 };
    struct loaded l;
    uint64_t value;
    bool found;

    made_text(&m, "%%PDF-1.5\n");
    make_members(&m, 1, members);
    make_members(&m, 2, members);
    loaded_from(&l, pp_buf_view(&m.text)); /* fails: entered by hand */
    l.fetch.inflate_max = (uint64_t)256 << 20;
    for (unsigned i = 1; i <= 2; i++)
        if (pp_xref_set(
                &l.xref, i,
                (struct pp_entry){ .kind = PP_ENTRY_OFFSET, .offset = m.at[i] },
                NULL))
            abort();
    for (unsigned i = 0; i < 200000; i++) {
        uint32_t last = 100 + members - 1;
        struct pp_entry e = { .kind = PP_ENTRY_COMPRESSED,
                              .stream = 1 + i % streams,
                              .index = 0 };

        if (pp_xref_set(&l.xref, last, e, NULL))
            abort();
        pp_fetch_integer(&l.fetch, (struct pp_reference){ last, 0 }, &value,
                         &found);
    }
    loaded_fini(&l);
    made_fini(&m);
    return PDFPIPE_OK;
}

static enum pdfpipe_status
lengths_in_one_stream(void)
{
    return lengths_in_streams(1000000, 1);
}

static enum pdfpipe_status
lengths_in_two_streams(void)
{
    return lengths_in_streams(100000, 2);
}

/* Lengths that point at an object of ten megabytes. */
static enum pdfpipe_status
lengths_that_are_huge(void)
{
    struct made m = { 0 };
    struct loaded l;
    uint64_t value;
    bool found = false;

    made_text(&m, "%%PDF-1.5\n");
    made_here(&m, 1);
    made_text(&m, "1 0 obj[");
    repeat(&m, "1 ", SIZE);
    made_text(&m, "]endobj\n");
    loaded_from(&l, pp_buf_view(&m.text));
    if (pp_xref_set(
            &l.xref, 1,
            (struct pp_entry){ .kind = PP_ENTRY_OFFSET, .offset = m.at[1] },
            NULL))
        abort();
    for (unsigned i = 0; i < 200000 && !found; i++)
        pp_fetch_integer(&l.fetch, (struct pp_reference){ 1, 0 }, &value,
                         &found);
    loaded_fini(&l);
    made_fini(&m);
    return found ? PDFPIPE_E_INTERNAL : PDFPIPE_OK;
}

static enum pdfpipe_status
order_of_many(void)
{
    struct pp_xref x = { 0 };
    uint32_t *list, seed = 1;
    enum pdfpipe_status st;
    size_t n;

    for (uint32_t i = 1; i < 2000000; i++) {
        seed = seed * 1664525 + 1013904223;
        if (pp_xref_set(
                &x, i,
                (struct pp_entry){ .kind = PP_ENTRY_OFFSET,
                                   .offset = i % 3 ? seed : 4000000 - i },
                NULL))
            abort();
    }
    st = pp_xref_order(&x, &list, &n, NULL);
    free(list);
    pp_xref_fini(&x);
    return st;
}

static enum pdfpipe_status
sparse_output(void)
{
    struct pp_xref x = { 0 };
    struct pp_buf to = { 0 };
    struct pp_output output = output_to(&to);
    enum pdfpipe_status st;

    for (uint32_t i = 1; i < PP_OBJECT_MAX; i += 130)
        if (pp_xref_set(
                &x, i,
                (struct pp_entry){ .kind = PP_ENTRY_OFFSET, .offset = i },
                NULL))
            abort();
    st = pp_xrefout_stream(&x, 1, view_of(""), 9, &output, NULL);
    pp_buf_fini(&to);
    pp_xref_fini(&x);
    return st;
}

static enum pdfpipe_status
white_space_before_endstream(void)
{
    struct made m = { 0 };
    size_t end = 0;
    bool endobj, here;

    repeat(&m, " ", SIZE);
    made_text(&m, "endstream");
    here = pp_endstream_here(pp_buf_view(&m.text), &end, &endobj);
    made_fini(&m);
    return here ? PDFPIPE_OK : PDFPIPE_E_INTERNAL;
}

static enum pdfpipe_status
trailer_with_references(void)
{
    struct pp_xref x = { 0 };
    struct made m = { 0 };
    uint32_t number;

    made_text(&m, "<<");
    repeat(&m, "/A 7 0 R", SIZE);
    made_text(&m, ">>");
    x.trailer = m.text;
    number = pp_xref_new_number(&x, 0);
    pp_xref_fini(&x);
    return number == 8 ? PDFPIPE_OK : PDFPIPE_E_INTERNAL;
}

typedef enum pdfpipe_status case_fn(void);

/* clang-format off */
static const struct {
    const char *what;
    case_fn *run;
    enum pdfpipe_status want;
} cases[] = {
    { "sloppy rows",                   sloppy_rows,                  PDFPIPE_OK },
    { "empty subsections",             empty_subsections,            PDFPIPE_OK },
    { "white space in a table",        white_space_in_a_table,       PDFPIPE_E_DAMAGED_XREF },
    { "comments in a table",           comments_in_a_table,          PDFPIPE_OK },
    { "99,999 sections",               many_sections,                PDFPIPE_OK },
    { "sections within each other",    sections_within_each_other,   PDFPIPE_E_LIMIT },
    { "streams within each other",     streams_within_each_other,    PDFPIPE_E_LIMIT },
    { "streams that read each other",  streams_that_read_each_other, PDFPIPE_E_LIMIT },
    { "bomb of wide rows",             wide_rows,                    PDFPIPE_E_LIMIT },
    { "bomb of narrow rows",           narrow_rows,                  PDFPIPE_E_LIMIT },
    { "bomb of predicted rows",        predicted_rows,               PDFPIPE_E_LIMIT },
    { "long /Index",                   long_index,                   PDFPIPE_OK },
    { "many startxref",                many_startxref,               PDFPIPE_E_DAMAGED_XREF },
    { "deep arrays",                   deep_arrays,                  PDFPIPE_E_LIMIT },
    { "deep dictionaries",             deep_dictionaries,            PDFPIPE_E_LIMIT },
    { "deep brackets in a string",     deep_brackets_in_a_string,    PDFPIPE_E_DAMAGED_OBJECT },
    { "many empty strings",            many_empty_strings,           PDFPIPE_OK },
    { "many comments",                 many_comments,                PDFPIPE_OK },
    { "comments in a reference",       comments_in_a_reference,      PDFPIPE_OK },
    { "many lengths",                  many_lengths,                 PDFPIPE_OK },
    { "long string",                   long_string,                  PDFPIPE_E_DAMAGED_OBJECT },
    { "long name",                     long_name,                    PDFPIPE_OK },
    { "many integers",                 many_integers,                PDFPIPE_OK },
    { "white space",                   white_space,                  PDFPIPE_OK },
    { "blanks behind stream",          blanks_behind_stream,         PDFPIPE_OK },
    { "tokens behind the value",       tokens_behind_the_value,      PDFPIPE_OK },
    { "long dictionary",               long_dictionary,              PDFPIPE_OK },
    { "many references",               many_references,              PDFPIPE_OK },
    { "lengths in one object stream",  lengths_in_one_stream,        PDFPIPE_OK },
    { "lengths in two object streams", lengths_in_two_streams,       PDFPIPE_OK },
    { "lengths that are huge",         lengths_that_are_huge,        PDFPIPE_OK },
    { "order of two million",          order_of_many,                PDFPIPE_OK },
    { "sparse output",                 sparse_output,                PDFPIPE_OK },
    { "white space before endstream",  white_space_before_endstream, PDFPIPE_OK },
    { "trailer with references",       trailer_with_references,      PDFPIPE_OK },
};
/* clang-format on */

int
main(int argc, char **argv)
{
    (void)argv;
    verbose = argc > 1;
    if (getenv("WRAP") && *getenv("WRAP")) {
        check_skip("times mean nothing under %s", getenv("WRAP"));
        return check_report("hostile_time");
    }
    if (pp_scanner_new(&scanner, NULL))
        return 1;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        clock_t began = clock();
        enum pdfpipe_status st;
        double seconds;

        (void)alarm(ALARM_S);
        st = cases[i].run();
        (void)alarm(0);
        seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
        CHECK(st == cases[i].want, "%s: %s", cases[i].what,
              pdfpipe_status_id(st));
        CHECK(seconds < SECONDS, "%s: %.1f s", cases[i].what, seconds);
        if (verbose)
            printf("%-32s %6.2f s\n", cases[i].what, seconds);
    }
    pp_scanner_free(scanner);
    return check_report("hostile_time");
}
