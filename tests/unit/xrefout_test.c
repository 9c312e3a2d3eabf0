/* xrefout_test.c - does a cross-reference read back as it was written? */
#include "pdf/xrefout.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "madepdf.h"

static void
set(struct pp_xref *x, uint32_t number, uint64_t offset, uint32_t generation)
{
    struct pp_entry e = { .kind = PP_ENTRY_OFFSET,
                          .offset = offset,
                          .generation = generation };

    if (pp_xref_set(x, number, e, NULL))
        abort();
}

static void
set_member(struct pp_xref *x, uint32_t number, uint32_t stream, uint64_t index)
{
    struct pp_entry e = { .kind = PP_ENTRY_COMPRESSED,
                          .stream = stream,
                          .index = index };

    if (pp_xref_set(x, number, e, NULL))
        abort();
}

/* Writes the rows behind a header and returns the whole file. */
static struct pp_buf
write_out(struct pp_xref *rows, bool stream, uint32_t number,
          const char *entries)
{
    struct pp_buf file = { 0 };
    struct pp_output output = output_to(&file);
    struct pdfpipe_error err = { .code = PDFPIPE_OK };
    enum pdfpipe_status st;

    (void)pp_buf_printf(&file, "%%PDF-1.7\n");
    if (stream) {
        set(rows, number, file.n, 0);
        st = pp_xrefout_stream(rows, number, view_of(entries), file.n, &output,
                               &err);
    } else {
        st = pp_xrefout_table(rows, view_of(entries), file.n, &output, &err);
    }
    CHECK(st == PDFPIPE_OK, "%s", err.message);
    return file;
}

/* The live entries of both are equal, one by one. */
static unsigned
count_differences(const struct pp_xref *a, const struct pp_xref *b)
{
    uint32_t most = a->count > b->count ? a->count : b->count;
    unsigned wrong = 0;

    for (uint32_t i = 0; i < most; i++) {
        struct pp_entry x = pp_xref_entry(a, i), y = pp_xref_entry(b, i);
        bool live = x.kind == PP_ENTRY_OFFSET || x.kind == PP_ENTRY_COMPRESSED;

        if (!live)
            wrong += y.kind == PP_ENTRY_OFFSET || y.kind == PP_ENTRY_COMPRESSED;
        else
            wrong += x.kind != y.kind || x.offset != y.offset ||
                     x.generation != y.generation || x.stream != y.stream ||
                     x.index != y.index;
    }
    return wrong;
}

static void
expect_same(const char *what, struct pp_xref *rows, bool stream,
            uint32_t number)
{
    struct pp_buf file = write_out(rows, stream, number, "/Root 1 0 R");
    struct loaded l;

    loaded_from(&l, pp_buf_view(&file));
    CHECK(l.st == PDFPIPE_OK, "%s: %s", what, l.err.message);
    CHECK(l.notes.count == 0, "%s: %s", what,
          l.notes.count ? pdfpipe_warning_id(l.notes.warning[0].code) : "");
    CHECK(l.xref.count == rows->count, "%s: %u, not %u", what, l.xref.count,
          rows->count);
    CHECK(count_differences(rows, &l.xref) == 0, "%s", what);
    CHECK(pp_xref_sum(&l.xref) == pp_xref_sum(rows), "%s: sum", what);
    CHECK(l.xref.in_file == rows->in_file &&
              l.xref.compressed == rows->compressed,
          "%s: counters", what);
    loaded_fini(&l);
    pp_buf_fini(&file);
}

static void
is_a_table_byte_exact(void)
{
    static const char want[] = "%PDF-1.7\n"
                               "xref\n"
                               "0 5\n"
                               "0000000000 65535 f \n"
                               "0000000017 00000 n \n"
                               "9999999999 00003 n \n"
                               "0000000000 65535 f \n"
                               "0000000042 65534 n \n"
                               "trailer\n"
                               "<</Size 5/Root 1 0 R/ID[<00><01>]>>\n"
                               "startxref\n"
                               "9\n"
                               "%%EOF\n";
    struct pp_xref x = { 0 };
    struct pp_buf file;

    set(&x, 1, 17, 0);
    set(&x, 2, PP_TABLE_OFFSET_MAX, 3);
    set(&x, 4, 42, 65534);
    file = write_out(&x, false, 0, "/Root 1 0 R/ID[<00><01>]");
    CHECK(pp_view_is(pp_buf_view(&file), want), "%.*s", (int)file.n,
          (const char *)file.p);
    pp_buf_fini(&file);
    pp_xref_fini(&x);
}

/* The dictionary of a stream, up to its data. */
static void
is_a_stream_as_the_standard_wants_it(void)
{
    static const char want[] = "%PDF-1.7\n"
                               "6 0 obj\n"
                               "<</Type/XRef/Size 7/W[1 2 2]/Root 1 0 R"
                               "/Filter/FlateDecode/DecodeParms"
                               "<</Predictor 12/Columns 5>>/Length ";
    struct pp_xref x = { 0 };
    struct pp_buf file;

    set(&x, 1, 256, 0);
    set_member(&x, 2, 4, 256);
    file = write_out(&x, true, 6, "/Root 1 0 R");
    CHECK(file.n > sizeof want && memcmp(file.p, want, sizeof want - 1) == 0,
          "%.*s", (int)file.n, (const char *)file.p);
    CHECK(memmem(file.p, file.n, "\nendstream\nendobj\nstartxref\n9\n%%EOF\n",
                 36) == file.p + file.n - 36,
          "its end");
    pp_buf_fini(&file);
    pp_xref_fini(&x);
}

static void
does_every_kind_of_row_read_back(void)
{
    /* clang-format off */
    static const struct {
        const char *what;
        uint64_t offset;
        uint32_t generation;
        bool table;
    } rows[] = {
        { "small",             17,                        0,     true },
        { "one byte",          255,                       255,   true },
        { "two bytes",         256,                       256,   true },
        { "two bytes, full",   65535,                     65534, true },
        { "three bytes",       65536,                     1,     true },
        { "four bytes",        UINT64_C(1) << 24,         1,     true },
        { "2 GiB",             UINT64_C(1) << 31,         1,     true },
        { "4 GiB",             UINT64_C(1) << 32,         1,     true },
        { "ten digits",        UINT64_C(9999999999),      1,     true },
        { "eleven digits",     UINT64_C(10000000000),     1,     false },
        { "5 TiB",             UINT64_C(5) << 40,         1,     false },
        { "as far as it goes", PP_OFFSET_MAX,             65534, false },
    };
    /* clang-format on */

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_xref x = { 0 };

        set(&x, 1, rows[i].offset, rows[i].generation);
        set(&x, 3, 5, 0);
        CHECK(pp_xrefout_needs_stream(&x, 100) == !rows[i].table, "%s",
              rows[i].what);
        if (rows[i].table)
            expect_same(rows[i].what, &x, false, 0);
        expect_same(rows[i].what, &x, true, 4);
        pp_xref_fini(&x);
    }
}

static void
do_members_read_back(void)
{
    static const struct {
        uint32_t stream;
        uint64_t index;
    } rows[] = { { 1, 0 },
                 { 255, 255 },
                 { 256, 256 },
                 { PP_OBJECT_MAX, 65536 },
                 { PP_OBJECT_MAX, (UINT64_C(1) << 38) - 1 } };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_xref x = { 0 };

        set(&x, 1, 17, 0);
        set_member(&x, 2, rows[i].stream, rows[i].index);
        CHECK(pp_xrefout_needs_stream(&x, 100), "row %zu", i);
        expect_same("member", &x, true, 9);
        pp_xref_fini(&x);
    }
}

/* Numbers with gaps of every length around those that matter. */
static void
do_gaps_read_back(void)
{
    static const uint32_t gaps[] = { 1, 2, 63, 64, 65, 66, 127, 128, 1000 };

    for (size_t i = 0; i < sizeof gaps / sizeof gaps[0]; i++) {
        struct pp_xref x = { 0 }, far = { 0 };
        uint32_t number = 0;

        for (int k = 0; k < 20; k++) {
            number += gaps[(i + (size_t)k * (i % 3)) %
                           (sizeof gaps / sizeof gaps[0])];
            set(&x, number, 100 + number, 0);
            set(&far, number, 100 + number, 0);
        }
        expect_same("gaps, table", &x, false, 0);
        expect_same("gaps, stream", &x, true, number + 1);
        /* A number far away makes the list broken. */
        set(&far, PP_OBJECT_MAX - 70, 7, 1);
        CHECK(pp_xrefout_needs_stream(&far, 100), "gap %u", gaps[i]);
        expect_same("gaps, broken", &far, true, PP_OBJECT_MAX);
        pp_xref_fini(&x);
        pp_xref_fini(&far);
    }
}

static void
is_a_sparse_table_small(void)
{
    struct pp_xref x = { 0 };
    struct pp_buf file;

    set(&x, 1, 17, 0);
    set(&x, PP_OBJECT_MAX - 1, 18, 0);
    CHECK(pp_xrefout_needs_stream(&x, 100), "mostly gaps");
    expect_same("sparse", &x, true, PP_OBJECT_MAX);
    file = write_out(&x, true, PP_OBJECT_MAX, "/Root 1 0 R");
    CHECK(file.n < 1000, "%zu bytes", file.n);
    CHECK(memmem(file.p, file.n, "/Index[0 2 8388605 2]", 21) != NULL, "%.*s",
          (int)file.n, (const char *)file.p);
    pp_buf_fini(&file);
    pp_xref_fini(&x);
}

static void
when_must_it_be_a_stream(void)
{
    struct pp_xref x = { 0 };

    set(&x, 1, 17, 0);
    CHECK(!pp_xrefout_needs_stream(&x, PP_TABLE_OFFSET_MAX), "ten digits");
    CHECK(pp_xrefout_needs_stream(&x, PP_TABLE_OFFSET_MAX + 1),
          "its own offset");
    set(&x, 4097, 18, 0);
    CHECK(!pp_xrefout_needs_stream(&x, 100), "some gaps");
    set(&x, 4102, 18, 0);
    CHECK(pp_xrefout_needs_stream(&x, 100), "mostly gaps");
    pp_xref_fini(&x);
}

/* Many rows: more than are written with one call, and more than fit one
 * buffer of the compressor. */
static void
do_many_rows_read_back(void)
{
    static const uint32_t counts[] = { 1, 511, 512, 513, 1023, 1024, 100000 };

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        struct pp_xref x = { 0 };
        uint32_t seed = 1;

        for (uint32_t n = 1; n < counts[i]; n++) {
            seed = seed * 1664525 + 1013904223;
            set(&x, n, 1 + seed, n % 3);
        }
        set(&x, counts[i], 5, 0);
        expect_same("many, table", &x, false, 0);
        expect_same("many, stream", &x, true, counts[i] + 1);
        pp_xref_fini(&x);
    }
}

/* An output that takes so many bytes. */
struct narrow {
    size_t room;
};

static enum pdfpipe_status
write_narrow(void *self, const void *p, size_t n, struct pdfpipe_error *err)
{
    struct narrow *to = self;

    (void)p;
    if (n > to->room)
        return pp_fail(err, PDFPIPE_E_NO_SPACE, "full");
    to->room -= n;
    return PDFPIPE_OK;
}

static void
does_a_full_disk_come_through(void)
{
    struct pp_xref x = { 0 };
    unsigned failed = 0;

    for (uint32_t n = 1; n < 2000; n++)
        set(&x, n, n * 10, 0);
    for (size_t room = 0; room < 50000; room += 777) {
        struct narrow table = { room }, stream = { room };
        struct pp_output a = { &table, write_narrow };
        struct pp_output b = { &stream, write_narrow };
        struct pdfpipe_error err = { .code = PDFPIPE_OK };
        enum pdfpipe_status st =
            pp_xrefout_table(&x, view_of("/Root 1 0 R"), 9, &a, &err);

        CHECK(st == PDFPIPE_OK || (st == PDFPIPE_E_NO_SPACE && err.code == st),
              "%zu", room);
        CHECK((st == PDFPIPE_OK) == (room >= 40100), "%zu", room);
        failed += st != PDFPIPE_OK;
        st = pp_xrefout_stream(&x, 1, view_of("/Root 1 0 R"), 9, &b, &err);
        CHECK(st == PDFPIPE_OK || st == PDFPIPE_E_NO_SPACE, "%zu", room);
        failed += st != PDFPIPE_OK;
    }
    CHECK(failed > 10, "%u failures seen", failed);
    pp_xref_fini(&x);
}

int
main(void)
{
    is_a_table_byte_exact();
    is_a_stream_as_the_standard_wants_it();
    does_every_kind_of_row_read_back();
    do_members_read_back();
    do_gaps_read_back();
    is_a_sparse_table_small();
    when_must_it_be_a_stream();
    do_many_rows_read_back();
    does_a_full_disk_come_through();
    return check_report("xrefout");
}
