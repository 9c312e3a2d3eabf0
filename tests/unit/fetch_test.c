/* fetch_test.c - is one object found by its number, or nothing in its place? */
#include "pdf/fetch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "madepdf.h"
#include "pdf/flate.h"

/* A document whose cross-reference a test fills by hand. */
struct doc {
    struct made m;
    struct pp_view bytes;
    struct pp_input input;
    struct pp_scanner *scanner;
    struct pp_xref xref;
    struct pp_fetch fetch;
};

static void
doc_init(struct doc *d, uint64_t inflate_max)
{
    *d = (struct doc){ .scanner = NULL };
    if (pp_scanner_new(&d->scanner, NULL))
        abort();
    made_text(&d->m, "%%PDF-1.5\n");
    d->fetch.inflate_max = inflate_max;
}

/* All objects are written: their places are entered. */
static void
doc_close(struct doc *d, size_t text_max)
{
    for (unsigned i = 1; i < d->m.count; i++) {
        struct pp_entry e = { .kind = PP_ENTRY_OFFSET, .offset = d->m.at[i] };

        if (d->m.at[i] && pp_xref_set(&d->xref, i, e, NULL))
            abort();
    }
    d->bytes = view_copy(pp_buf_view(&d->m.text));
    d->input = pp_input_over(&d->bytes);
    pp_fetch_init(&d->fetch, &d->xref, &d->input, d->scanner, text_max,
                  d->fetch.inflate_max);
}

static void
doc_fini(struct doc *d)
{
    pp_fetch_fini(&d->fetch);
    pp_xref_fini(&d->xref);
    pp_scanner_free(d->scanner);
    view_free(d->bytes);
    made_fini(&d->m);
}

static void
enter(struct doc *d, uint32_t number, struct pp_entry e)
{
    if (pp_xref_set(&d->xref, number, e, NULL))
        abort();
}

static void
enter_member(struct doc *d, uint32_t number, uint32_t stream, uint64_t index)
{
    enter(d, number,
          (struct pp_entry){
              .kind = PP_ENTRY_COMPRESSED, .stream = stream, .index = index });
}

/* "want" is the value, "null" for none, or the id of an error. */
static void
expect(struct doc *d, const char *what, uint32_t number, uint32_t generation,
       const char *want)
{
    struct pp_reference ref = { number, generation };
    struct pdfpipe_error err = { .code = PDFPIPE_OK };
    struct pp_view v = { NULL, 0 };
    bool found = true;
    enum pdfpipe_status st = pp_fetch_value(&d->fetch, ref, &v, &found, &err);

    if (st) {
        CHECK(strcmp(pdfpipe_status_id(st), want) == 0, "%s: %s", what,
              err.message);
        CHECK(err.code == st && err.object, "%s", what);
    } else if (!found) {
        CHECK(strcmp(want, "null") == 0, "%s: nothing found", what);
    } else {
        CHECK(pp_view_is(v, want), "%s: %.*s", what, (int)v.n,
              (const char *)v.p);
    }
}

static void
expect_integer(struct doc *d, const char *what, uint32_t number, bool want,
               uint64_t value)
{
    uint64_t got = 4711;
    bool found = !want;

    pp_fetch_integer(&d->fetch, (struct pp_reference){ number, 0 }, &got,
                     &found);
    CHECK(found == want, "%s", what);
    CHECK(!want || got == value, "%s: %" PRIu64, what, got);
}

static void
are_objects_in_the_file_found(void)
{
    struct doc d;

    doc_init(&d, 1 << 20);
    made_object(&d.m, 1, "<</A(b)>>");
    made_object(&d.m, 2, "42");
    made_object(&d.m, 3, "%%c\n(a)");
    made_stream(&d.m, 4, "/B 5", "data", 4);
    made_here(&d.m, 5);
    made_text(&d.m, "5 0 obj endobj\n");
    made_here(&d.m, 6);
    made_text(&d.m, "60 0 obj 1 endobj\n");
    made_here(&d.m, 7);
    made_text(&d.m, "7 1 obj 1 endobj\n");
    made_here(&d.m, 8);
    made_text(&d.m, "8 0 obj (a endobj\n)(");
    made_here(&d.m, 9);
    made_text(&d.m, "no object");
    doc_close(&d, 1 << 20);
    enter(&d, 10,
          (struct pp_entry){ .kind = PP_ENTRY_OFFSET, .offset = 1 << 20 });
    enter(&d, 11,
          (struct pp_entry){
              .kind = PP_ENTRY_OFFSET, .offset = d.m.at[7], .generation = 1 });
    enter(&d, 12, (struct pp_entry){ .kind = PP_ENTRY_FREE });
    expect(&d, "dictionary", 1, 0, "<</A(b)>>");
    expect(&d, "integer", 2, 0, "42");
    expect(&d, "behind a comment", 3, 0, "(a)");
    expect(&d, "stream", 4, 0, "<</B 5/Length 4>>");
    expect(&d, "empty", 5, 0, "null");
    expect(&d, "other generation", 1, 1, "null");
    expect(&d, "free", 12, 0, "null");
    expect(&d, "unknown", 13, 0, "null");
    expect(&d, "number 0", 0, 0, "null");
    expect(&d, "beyond all", UINT32_MAX, 0, "null");
    expect(&d, "another number", 6, 0, "damaged_xref");
    expect(&d, "another generation", 7, 0, "damaged_xref");
    expect(&d, "another number, generation", 11, 1, "damaged_xref");
    expect(&d, "open string", 8, 0, "damaged_object");
    expect(&d, "no object", 9, 0, "damaged_object");
    expect(&d, "beyond the end", 10, 0, "damaged_object");
    expect(&d, "and the first again", 1, 0, "<</A(b)>>");
    expect_integer(&d, "integer", 2, true, 42);
    expect_integer(&d, "dictionary", 1, false, 0);
    expect_integer(&d, "error", 8, false, 0);
    expect_integer(&d, "free", 12, false, 0);
    doc_fini(&d);
}

static void
is_a_large_object_found_up_to_the_limit(void)
{
    static const struct {
        size_t blanks;
        const char *want;
    } rows[] = { { 900, "/X" }, { 60000, "/X" }, { 70000, "limit" } };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct doc d;

        doc_init(&d, 1 << 20);
        made_here(&d.m, 1);
        made_text(&d.m, "1 0 obj ");
        for (size_t n = 0; n < rows[i].blanks; n++)
            made_text(&d.m, " ");
        made_text(&d.m, "/X endobj\n");
        for (size_t n = 0; n < 20000; n++)
            made_text(&d.m, " ");
        doc_close(&d, 65536);
        expect(&d, "blanks before", 1, 0, rows[i].want);
        doc_fini(&d);
    }
}

/* Behind the members: too much for the stream to be kept. */
#define LARGE ((size_t)5 << 20)

static void
pad(struct pp_buf *data, size_t n)
{
    if (!pp_buf_reserve(data, n))
        abort();
    memset(data->p + data->n, ' ', n);
    data->n += n;
}

/* Two object streams, 20 and 21, one of them compressed, with so many blanks
 * at their end. */
static void
make_streams(struct doc *d, size_t blanks)
{
    static const char twenty[] = "1 0 2 4 3 13 2 16 (1) <</A 5>> 77 (again)";
    static const char twenty_one[] = "4 0 5 4 44  [5 0 R]";
    struct pp_buf z = { 0 }, a = { 0 }, b = { 0 };
    struct pp_deflater *deflater;

    (void)pp_buf_append(&a, twenty, sizeof twenty - 1);
    (void)pp_buf_append(&b, twenty_one, sizeof twenty_one - 1);
    pad(&a, blanks);
    pad(&b, blanks);
    made_stream(&d->m, 20, "/Type/ObjStm/N 4/First 18", a.p, a.n);
    if (pp_deflater_new(&deflater, NULL) ||
        pp_deflater_add(deflater, b.p, b.n, true, &z, NULL))
        abort();
    pp_deflater_free(deflater);
    made_stream(&d->m, 21, "/Type/ObjStm/N 2/First 8/Filter/FlateDecode", z.p,
                z.n);
    pp_buf_fini(&z);
    pp_buf_fini(&a);
    pp_buf_fini(&b);
}

static void
are_members_found(size_t blanks)
{
    struct doc d;

    doc_init(&d, (1 << 20) + blanks);
    make_streams(&d, blanks);
    doc_close(&d, 1 << 20);
    enter_member(&d, 1, 20, 0);
    enter_member(&d, 2, 20, 1);
    enter_member(&d, 3, 20, 99); /* wrong index */
    enter_member(&d, 4, 21, 0);
    enter_member(&d, 5, 21, 0); /* wrong index */
    enter_member(&d, 6, 20, 0); /* not in it */
    enter_member(&d, 7, 1, 0);  /* its stream is in a stream */
    enter_member(&d, 8, 50, 0); /* its stream does not exist */
    expect(&d, "first", 1, 0, "(1)");
    expect(&d, "second", 2, 0, "<</A 5>>");
    expect(&d, "wrong index", 3, 0, "77");
    expect(&d, "other stream", 4, 0, "44");
    expect(&d, "wrong index, other stream", 5, 0, "[5 0 R]");
    expect(&d, "back to the first", 1, 0, "(1)");
    expect(&d, "not in it", 6, 0, "null");
    expect(&d, "members have generation 0", 1, 1, "null");
    expect(&d, "stream in a stream", 7, 0, "damaged_xref");
    expect(&d, "stream missing", 8, 0, "damaged_xref");
    expect(&d, "and after that", 2, 0, "<</A 5>>");
    expect_integer(&d, "integer", 3, true, 77);
    expect_integer(&d, "integer, other stream", 4, true, 44);
    expect_integer(&d, "not in it", 6, false, 0);
    expect_integer(&d, "array", 5, false, 0);
    /* The index decides between two of one number. */
    enter_member(&d, 2, 20, 3);
    expect(&d, "the other one", 2, 0, "(again)");
    doc_fini(&d);
}

/* Values of an object stream that is not kept, across the borders of what is
 * shown at a time. */
static void
are_values_of_large_streams_whole(void)
{
    static const size_t places[] = { 100, 65500, 65536, 65537, 131000, LARGE };
    static const size_t sizes[] = { 2, 100, 65536, 300000, 1 << 20 };

    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
            struct pp_buf data = { 0 }, want = { 0 };
            struct doc d;

            pad(&want, sizes[k]);
            want.p[0] = '(';
            want.p[want.n - 1] = ')';
            (void)pp_buf_printf(&data, "1 %zu ", places[i]);
            pad(&data, 20 - data.n + places[i]);
            (void)pp_buf_append(&data, want.p, want.n);
            if (k % 2)
                (void)pp_buf_append(&data, "5 0 R", 5);
            if (data.n < LARGE)
                pad(&data, LARGE - data.n);
            (void)pp_buf_append(&want, "", 1);
            doc_init(&d, 1 << 30);
            made_stream(&d.m, 9, "/Type/ObjStm/N 1/First 20", data.p, data.n);
            doc_close(&d, (1 << 20) + 1);
            enter_member(&d, 1, 9, i % 2);
            expect(&d, "value", 1, 0, (const char *)want.p);
            d.fetch.text_max = sizes[k] - 1;
            if (k) /* the dictionary must fit, too */
                expect(&d, "too large", 1, 0, "null");
            doc_fini(&d);
            pp_buf_fini(&data);
            pp_buf_fini(&want);
        }
}

static void
is_a_large_stream_not_kept(void)
{
    struct pdfpipe_error err = { .code = PDFPIPE_OK };
    struct pp_view v;
    struct doc d;
    bool found;

    doc_init(&d, 1 << 30);
    make_streams(&d, LARGE);
    doc_close(&d, 1 << 20);
    enter_member(&d, 4, 21, 0);
    CHECK(pp_fetch_value(&d.fetch, (struct pp_reference){ 4, 0 }, &v, &found,
                         &err) == PDFPIPE_OK &&
              found,
          "%s", err.message);
    CHECK(err.code == PDFPIPE_OK, "no error is left behind");
    CHECK(d.fetch.data.cap <= 1 << 20 && d.fetch.members == 0,
          "%zu bytes are kept", d.fetch.data.cap);
    doc_fini(&d);

    doc_init(&d, 1 << 20);
    make_streams(&d, 0);
    doc_close(&d, 1 << 20);
    enter_member(&d, 4, 21, 0);
    expect(&d, "kept", 4, 0, "44");
    CHECK(d.fetch.data.cap > 0 && d.fetch.members == 2, "it is kept");
    pp_fetch_forget(&d.fetch);
    CHECK(d.fetch.data.cap == 0 && d.fetch.members == 0, "given back");
    expect(&d, "and again", 4, 0, "44");
    doc_fini(&d);
}

static void
which_object_streams_are_refused(void)
{
    /* clang-format off */
    static const struct {
        const char *what, *text, *want;
    } rows[] = {
        { "no object stream",  "9 0 obj<</Type/X/N 1/First 4/Length 5>>stream\n1 0 5\nendstream endobj", "damaged_xref" },
        { "no stream",         "9 0 obj<</Type/ObjStm/N 1/First 4>>endobj", "damaged_xref" },
        { "another number",    "8 0 obj<</Type/ObjStm/N 1/First 4/Length 5>>stream\n1 0 5\nendstream endobj", "damaged_xref" },
        { "unknown filter",    "9 0 obj<</Type/ObjStm/N 1/First 4/Length 5/Filter/LZWDecode>>stream\n1 0 5\nendstream endobj", "unsupported" },
        { "not compressed",    "9 0 obj<</Type/ObjStm/N 1/First 4/Length 5/Filter/FlateDecode>>stream\n1 0 5\nendstream endobj", "damaged_stream" },
        { "no /N",             "9 0 obj<</Type/ObjStm/First 4/Length 5>>stream\n1 0 5\nendstream endobj", "damaged_stream" },
        { "good",              "9 0 obj<</Type/ObjStm/N 1/First 4/Length 5>>stream\n1 0 5\nendstream endobj", "5" },
        { "no /Length",        "9 0 obj<</Type/ObjStm/N 1/First 4>>stream\n1 0 5\nendstream endobj", "5" },
        { "/Length in vain",   "9 0 obj<</Type/ObjStm/N 1/First 4/Length 99 0 R>>stream\n1 0 5\nendstream endobj", "5" },
        { "/Length is itself", "9 0 obj<</Type/ObjStm/N 1/First 4/Length 9 0 R>>stream\n1 0 5\nendstream endobj", "5" },
        { "/Length in itself", "9 0 obj<</Type/ObjStm/N 1/First 4/Length 1 0 R>>stream\n1 0 5\nendstream endobj", "5" },
        { "/Length too small", "9 0 obj<</Type/ObjStm/N 1/First 4/Length 4>>stream\n1 0 5\nendstream endobj", "null" },
    };
    /* clang-format on */

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct doc d;

        doc_init(&d, 1 << 20);
        made_here(&d.m, 9);
        made_text(&d.m, "%s\n", rows[i].text);
        doc_close(&d, 1 << 20);
        enter_member(&d, 1, 9, 0);
        for (int round = 0; round < 2; round++) /* failures are not kept */
            expect(&d, rows[i].what, 1, 0, rows[i].want);
        doc_fini(&d);
    }
}

static void
may_the_length_of_a_stream_be_indirect(void)
{
    struct doc d;

    doc_init(&d, 1 << 20);
    made_here(&d.m, 9);
    made_text(&d.m, "9 0 obj<</Type/ObjStm/N 1/First 4/Length 8 0 R>>stream\n"
                    "1 0 (a)(b)\nendstream endobj\n");
    made_object(&d.m, 8, "7");
    doc_close(&d, 1 << 20);
    enter_member(&d, 1, 9, 0);
    expect(&d, "cut by its /Length", 1, 0, "(a)");
    doc_fini(&d);
}

static void
is_inflating_limited(void)
{
    static uint8_t zeros[100000];
    struct pp_buf z = { 0 };
    struct pp_deflater *deflater;
    struct doc d;

    if (pp_deflater_new(&deflater, NULL) ||
        pp_deflater_add(deflater, zeros, sizeof zeros, true, &z, NULL))
        abort();
    pp_deflater_free(deflater);
    doc_init(&d, 50000);
    made_stream(&d.m, 9, "/Type/ObjStm/N 1/First 4/Filter/FlateDecode", z.p,
                z.n);
    pp_buf_fini(&z);
    doc_close(&d, 1 << 20);
    enter_member(&d, 1, 9, 0);
    expect(&d, "bomb", 1, 0, "limit");
    expect_integer(&d, "bomb", 1, false, 0);
    doc_fini(&d);
}

/* Looking into object streams in turn ends at some time. */
static void
is_the_work_limited(void)
{
    struct pdfpipe_error err = { .code = PDFPIPE_OK };
    struct pp_view v;
    struct doc d;
    uint64_t before;
    bool found;

    doc_init(&d, 1 << 20);
    make_streams(&d, 0);
    doc_close(&d, 1 << 20);
    enter_member(&d, 1, 20, 0);
    enter_member(&d, 4, 21, 0);
    before = d.fetch.work_left;
    expect(&d, "first", 1, 0, "(1)");
    CHECK(d.fetch.work_left < before, "counted");
    before = d.fetch.work_left;
    expect(&d, "the same stream", 1, 0, "(1)");
    CHECK(d.fetch.work_left == before, "no work");
    d.fetch.work_left = 1;
    expect(&d, "the other stream", 4, 0, "44");
    CHECK(d.fetch.work_left == 0, "%" PRIu64, d.fetch.work_left);
    CHECK(pp_fetch_value(&d.fetch, (struct pp_reference){ 1, 0 }, &v, &found,
                         &err) == PDFPIPE_E_LIMIT,
          "%s", err.message);
    expect_integer(&d, "no integer either", 1, false, 0);
    doc_fini(&d);
}

/* An integer that is looked for costs little whatever stands there. */
static void
is_an_integer_looked_for_shortly(void)
{
    struct doc d;

    doc_init(&d, 1 << 20);
    made_object(&d.m, 1, "%200d", 5);
    made_object(&d.m, 2, "%2000d", 5);
    made_here(&d.m, 3);
    made_text(&d.m, "3 0 obj [");
    for (int i = 0; i < 100000; i++)
        made_text(&d.m, "5 ");
    made_text(&d.m, "] endobj\n");
    /* Members: 4 stands within the first 256 bytes, 5 is cut by them. */
    made_here(&d.m, 9);
    made_text(&d.m,
              "9 0 obj<</Type/ObjStm/N 2/First 11>>stream\n"
              "4 0 5 700  %200d%*s%300d endstream",
              44, 500, "", 55);
    doc_close(&d, 1 << 20);
    enter_member(&d, 4, 9, 0);
    enter_member(&d, 5, 9, 1);
    expect_integer(&d, "long", 1, true, 5);
    expect_integer(&d, "too long", 2, false, 0);
    expect(&d, "too long for an integer only", 2, 0, "5");
    expect_integer(&d, "array", 3, false, 0);
    expect_integer(&d, "member", 4, true, 44);
    expect_integer(&d, "member, too long", 5, false, 0);
    expect(&d, "member, too long for an integer only", 5, 0, "55");
    doc_fini(&d);
}

int
main(void)
{
    are_objects_in_the_file_found();
    is_a_large_object_found_up_to_the_limit();
    are_members_found(0);
    are_members_found(LARGE);
    are_values_of_large_streams_whole();
    is_a_large_stream_not_kept();
    which_object_streams_are_refused();
    may_the_length_of_a_stream_be_indirect();
    is_inflating_limited();
    is_the_work_limited();
    is_an_integer_looked_for_shortly();
    return check_report("fetch");
}
