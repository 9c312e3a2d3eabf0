/*
 * xref_test.c - which objects live and where, by tables, streams, both, and by
 *               what writers have made of them?
 */
#include "pdf/xref.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "dies.h"
#include "madepdf.h"
#include "pdf/flate.h"

/* Entries as text: "0f 1@17 2@99/3 4:7.1" is 0 free, 1 at 17, 2 at 99 with
 * generation 3, 4 in object stream 7 as its member 1. */
static void
print_entries(const struct pp_xref *x, struct pp_buf *to)
{
    to->n = 0;
    for (uint32_t i = 0; i < x->count; i++) {
        struct pp_entry e = pp_xref_entry(x, i);

        if (e.kind == PP_ENTRY_NONE)
            continue;
        (void)pp_buf_printf(to, "%s%u", to->n ? " " : "", i);
        if (e.kind == PP_ENTRY_FREE)
            (void)pp_buf_printf(to, "f");
        if (e.kind == PP_ENTRY_OFFSET)
            (void)pp_buf_printf(to, "@%" PRIu64, e.offset);
        if (e.kind == PP_ENTRY_OFFSET && e.generation)
            (void)pp_buf_printf(to, "/%u", e.generation);
        if (e.kind == PP_ENTRY_COMPRESSED)
            (void)pp_buf_printf(to, ":%u.%" PRIu64, e.stream, e.index);
    }
}

/* The two counters of a loaded cross-reference are those of its entries. */
static bool
are_counters_right(const struct pp_xref *x)
{
    uint64_t in_file = 0, compressed = 0;

    for (uint32_t i = 0; i < x->count; i++) {
        enum pp_entry_kind kind = pp_xref_entry(x, i).kind;

        in_file += kind == PP_ENTRY_OFFSET;
        compressed += kind == PP_ENTRY_COMPRESSED;
    }
    return in_file == x->in_file && compressed == x->compressed;
}

/* What comes of a file; want: entries, or the id of an error. */
static void
expect(const char *what, struct pp_view file, const char *want,
       struct loaded *l)
{
    struct pp_buf got = { 0 };

    loaded_from(l, file);
    if (l->st)
        (void)pp_buf_printf(&got, "%s", pdfpipe_status_id(l->st));
    else
        print_entries(&l->xref, &got);
    CHECK(pp_view_is(pp_buf_view(&got), want), "%s: %.*s (%s)", what,
          (int)got.n, (const char *)got.p, l->st ? l->err.message : "");
    CHECK(!l->st || (l->err.code == l->st && l->err.message[0]), "%s", what);
    CHECK(are_counters_right(&l->xref), "%s: counters", what);
    pp_buf_fini(&got);
}

#define HEAD "0000000000 65535 f \n"
#define ONE  "0000000017 00000 n \n"
#define TWO  "0000000099 00003 n \n"
#define END  "trailer<</Size 2/Root 1 0 R>>"

/* clang-format off */
static const struct {
    const char *what;
    const char *text; /* stands at offset 9 */
    const char *want;
    bool sloppy;
} tables[] = {
    { "exact",               "xref\n0 2\n" HEAD ONE END,                 "0f 1@17", false },
    { "CR LF",               "xref\r\n0 2\r\n0000000000 65535 f\r\n0000000017 00000 n\r\n" END, "0f 1@17", false },
    { "CR",                  "xref\r0 2\r0000000000 65535 f \r0000000017 00000 n \r" END, "0f 1@17", false },
    { "blanks and comments", " %c\nxref %c\n 0  2 \n" HEAD ONE "%c\n" END, "0f 1@17", false },
    { "generation",          "xref\n0 3\n" HEAD ONE TWO END,             "0f 1@17 2@99/3", false },
    { "two subsections",     "xref\n0 1\n" HEAD "5 2\n" ONE TWO END,     "0f 5@17 6@99/3", false },
    { "not in order",        "xref\n5 1\n" ONE "0 1\n" HEAD END,         "0f 5@17", false },
    { "no rows at all",      "xref\n0 0\n" END,                          "", false },
    { "no subsection",       "xref\n" END,                               "", false },
    { "first entry counts",  "xref\n1 1\n" ONE "1 1\n" TWO END,          "1@17", false },
    { "free counts, too",    "xref\n1 1\n" HEAD "1 1\n" TWO END,         "0f 1@99/3", true },
    { "largest offset",      "xref\n1 1\n9999999999 00000 n \n" END,     "1@9999999999", false },
    { "largest generation",  "xref\n1 1\n0000000017 65534 n \n" END,     "1@17/65534", false },
    { "generation 65535",    "xref\n1 1\n0000000017 65535 n \n" END,     "1f", false },
    { "offset 0 is free",    "xref\n1 1\n0000000000 00000 n \n" END,     "1f", false },
    { "object 0 in use",     "xref\n0 2\n0000000005 00000 n \n" ONE END, "0f 1@17", true },
    /* rows as writers write them */
    { "19 bytes, LF",        "xref\n0 2\n0000000000 65535 f\n0000000017 00000 n\n" END, "0f 1@17", true },
    { "19 bytes, CR",        "xref\r0 2\r0000000000 65535 f\r0000000017 00000 n\r" END, "0f 1@17", true },
    { "21 bytes",            "xref\n0 2\n0000000000 65535 f \r\n0000000017 00000 n \r\n" END, "0f 1@17", true },
    { "no zeros",            "xref\n0 2\n0 65535 f\n17 0 n\n" END,       "0f 1@17", true },
    { "many blanks",         "xref\n0 2\n" HEAD "   17    0   n   \n" END, "0f 1@17", true },
    { "in one line",         "xref 0 2 0 65535 f 17 0 n " END,           "0f 1@17", true },
    { "n glued to trailer",  "xref\n0 2\n" HEAD "0000000017 00000 n" END, "damaged_xref", true },
    { "a letter among the digits", "xref\n0 2\n" HEAD "00000000x7 00000 n \n" END, "damaged_xref", true },
    { "11 digits",           "xref\n1 1\n10000000000 00000 n \n" END,    "1@10000000000", true },
    { "20 digits",           "xref\n1 1\n10000000000000000000 00000 n \n" END, "damaged_xref", true },
    { "beyond 64 TiB",       "xref\n1 1\n70368744177664 00000 n \n" END, "damaged_xref", true },
    { "64 TiB less one",     "xref\n1 1\n70368744177663 00000 n \n" END, "1@70368744177663", true },
    { "fewer rows",          "xref\n0 9\n" HEAD ONE END,                 "0f 1@17", true },
    { "more rows",           "xref\n0 1\n" HEAD ONE END,                 "damaged_xref", false },
    { "numbered from 1",     "xref\n1 2\n" HEAD ONE END,                 "0f 1@17", true },
    { "numbered from 1, no head", "xref\n1 1\n" ONE END,                 "1@17", false },
    { "really from 1",       "xref\n1 2\n0000000000 00001 f \n" ONE END, "1f 2@17", false },
    { "second from 1",       "xref\n0 1\n" HEAD "1 1\n" HEAD END,        "0f 1f", false },
    { "huge count",          "xref\n0 99999999999999999999\n" HEAD ONE END, "0f 1@17", true },
    { "high free numbers",   "xref\n8388606 3\n" HEAD HEAD HEAD END,     "8388606f", false },
    { "highest number",      "xref\n8388606 1\n" ONE END,                "8388606@17", false },
    { "number too high",     "xref\n8388607 1\n" ONE END,                "limit", false },
    { "number beyond 32 bits", "xref\n4294967296 1\n" ONE END,           "damaged_xref", false },
    /* what is no table */
    { "neither x nor m",     "x\n",                                      "damaged_xref", false },
    { "glued keyword",       "xref0 2\n" HEAD ONE END,                   "damaged_xref", false },
    { "garbage",             "xref\nabc\n" END,                          "damaged_xref", false },
    { "negative first",      "xref\n-1 2\n" HEAD ONE END,                "damaged_xref", false },
    { "negative count",      "xref\n0 -2\n" HEAD ONE END,                "damaged_xref", false },
    { "other letter",        "xref\n0 1\n0000000000 65535 x \n" END,     "damaged_xref", true },
    { "no trailer",          "xref\n0 2\n" HEAD ONE,                     "damaged_xref", false },
    /* trailers */
    { "trailer, no dictionary", "xref\n0 2\n" HEAD ONE "trailer 5",      "damaged_trailer", false },
    { "trailer, array",      "xref\n0 2\n" HEAD ONE "trailer[]",         "damaged_trailer", false },
    { "trailer, not closed", "xref\n0 2\n" HEAD ONE "trailer<</Root 1 0 R", "damaged_trailer", false },
    { "trailer, no /Root",   "xref\n0 2\n" HEAD ONE "trailer<</Size 2>>", "damaged_trailer", false },
    { "trailer, null /Root", "xref\n0 2\n" HEAD ONE "trailer<</Root null>>", "damaged_trailer", false },
    { "/Prev 0",             "xref\n0 2\n" HEAD ONE "trailer<</Root 1 0 R/Prev 0>>", "0f 1@17", false },
    { "/Prev negative",      "xref\n0 2\n" HEAD ONE "trailer<</Root 1 0 R/Prev -9>>", "0f 1@17", false },
    { "/Prev itself",        "xref\n0 2\n" HEAD ONE "trailer<</Root 1 0 R/Prev 9>>", "0f 1@17", false },
    { "/Prev itself, as a reference", "xref\n0 2\n" HEAD ONE "trailer<</Root 1 0 R/Prev 9 0 R>>", "0f 1@17", false },
    { "/Prev beyond the end", "xref\n0 2\n" HEAD ONE "trailer<</Root 1 0 R/Prev 99999>>", "damaged_xref", false },
    { "/Prev at nothing",    "xref\n0 2\n" HEAD ONE "trailer<</Root 1 0 R/Prev 20>>", "damaged_xref", false },
    { "/Prev beyond 64 bits", "xref\n0 2\n" HEAD ONE "trailer<</Root 1 0 R/Prev 18446744073709551614>>", "damaged_xref", false },
    { "/XRefStm at nothing", "xref\n0 2\n" HEAD ONE "trailer<</Root 1 0 R/XRefStm 20>>", "damaged_xref", false },
    { "escaped names",       "xref\n0 2\n" HEAD ONE "trailer<</#52oot 1 0 R>>", "0f 1@17", false },
};
/* clang-format on */

static void
is_a_table_read(void)
{
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        struct made m = { 0 };
        struct loaded l;
        struct pp_view file;

        made_text(&m, "%%PDF-1.4\n");
        m.text.n = 9; /* the end of line is the table's */
        made_text(&m, "%s\n", tables[i].text);
        made_end(&m, 9);
        file = view_copy(pp_buf_view(&m.text));
        expect(tables[i].what, file, tables[i].want, &l);
        CHECK(is_noted(&l.notes, PDFPIPE_W_XREF_SLOPPY) == tables[i].sloppy,
              "%s", tables[i].what);
        loaded_fini(&l);
        view_free(file);
        made_fini(&m);
    }
}

/* A file cut at any byte is refused, or was complete before the cut. */
static void
is_a_cut_file_refused(void)
{
    struct made m = { 0 };
    size_t needed;

    made_text(&m, "%%PDF-1.4\n");
    made_object(&m, 1, "<</Type/Catalog>>");
    made_object(&m, 2, "(a)");
    made_table(&m);
    made_trailer(&m, "/Root 1 0 R");
    made_end(&m, 60);
    m.text.n = 0; /* again, now that the offset is known */
    m.count = 0;
    made_text(&m, "%%PDF-1.4\n");
    made_object(&m, 1, "<</Type/Catalog>>");
    made_object(&m, 2, "(a)");
    {
        uint64_t at = made_table(&m);

        made_trailer(&m, "/Root 1 0 R");
        made_text(&m, "startxref\n%" PRIu64, at);
    }
    needed = m.text.n;
    made_text(&m, "\n%%%%EOF\n");
    for (size_t cut = 0; cut <= m.text.n; cut++) {
        struct pp_view file = view_copy((struct pp_view){ m.text.p, cut });
        struct loaded l;

        loaded_from(&l, file);
        CHECK((l.st == PDFPIPE_OK) == (cut >= needed), "cut at %zu: %s", cut,
              l.st ? l.err.message : "accepted");
        loaded_fini(&l);
        view_free(file);
    }
    made_fini(&m);
}

/* Bytes before the header: offsets count from the header, or, with some
 * writers, from the first byte. */
static void
do_offsets_count_from_the_header(void)
{
    for (size_t junk = 0; junk <= 60; junk++)
        for (int from_header = 0; from_header < 2; from_header++) {
            struct made m = { 0 };
            uint64_t at, base = from_header ? junk : 0;
            struct pp_buf want = { 0 };
            struct loaded l;

            for (size_t i = 0; i < junk; i++)
                made_text(&m, "j");
            made_text(&m, "%%PDF-1.4\n");
            made_object(&m, 1, "<</Type/Catalog>>");
            made_object(&m, 2, "5");
            m.at[1] -= base;
            m.at[2] -= base;
            at = made_table(&m);
            made_trailer(&m, "/Root 1 0 R");
            made_end(&m, at - base);
            (void)pp_buf_printf(&want, "0f 1@%" PRIu64 " 2@%" PRIu64,
                                m.at[1] + base, m.at[2] + base);
            (void)pp_buf_append(&want, "", 1);
            expect(from_header ? "from the header" : "from the first byte",
                   pp_buf_view(&m.text), (const char *)want.p, &l);
            CHECK(l.xref.header_at == base, "%zu bytes: %" PRIu64, junk,
                  l.xref.header_at);
            loaded_fini(&l);
            pp_buf_fini(&want);
            made_fini(&m);
        }
}

static void
may_startxref_point_a_little_off(void)
{
    static const struct {
        const char *what, *before;
        unsigned back;
        bool good;
    } rows[] = {
        { "white space", " \r\n\t ", 5, true },
        { "a comment", "%c\n", 3, true },
        { "inside the keyword", "", (unsigned)-1, false },
        { "another word", "foo ", 4, false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct made m = { 0 };
        struct loaded l;
        uint64_t at;

        made_text(&m, "%%PDF-1.4\n%s", rows[i].before);
        at = made_table(&m);
        made_trailer(&m, "/Root 1 0 R");
        made_end(&m, at - (uint64_t)(int)rows[i].back);
        loaded_from(&l, pp_buf_view(&m.text));
        CHECK((l.st == PDFPIPE_OK) == rows[i].good, "%s: %d", rows[i].what,
              (int)l.st);
        loaded_fini(&l);
        made_fini(&m);
    }
}

static void
is_only_the_newest_state_seen(void)
{
    struct made m = { 0 };
    struct pp_buf want = { 0 };
    uint64_t at, old[4];
    struct loaded l;

    made_text(&m, "%%PDF-1.4\n");
    for (unsigned i = 1; i <= 3; i++)
        made_object(&m, i, "<</V 1>>");
    at = made_table(&m);
    made_trailer(&m, "/Root 1 0 R/Info 3 0 R");
    made_end(&m, at);
    memcpy(old, m.at, sizeof old);
    /* 2 is replaced and 3 deleted; then 2 again. */
    made_object(&m, 2, "<</V 2>>");
    made_text(&m, "xref\n2 2\n%010" PRIu64 " 00000 n \n0000000000 00001 f \n",
              m.at[2]);
    made_text(&m, "trailer<</Size 4/Root 2 0 R/Prev %" PRIu64 ">>\n", at);
    at = m.text.n;
    made_object(&m, 2, "<</V 3>>");
    made_text(&m, "xref\n2 1\n%010" PRIu64 " 00000 n \n", m.at[2]);
    /* The section before begins with the keyword xref. */
    {
        const uint8_t *p = memmem(m.text.p + old[3] + 100,
                                  m.text.n - old[3] - 100, "xref\n2 2", 8);

        made_text(&m, "trailer<</Size 4/Prev %zu>>\n", (size_t)(p - m.text.p));
        p = memmem(m.text.p + at, m.text.n - at, "xref\n2 1", 8);
        made_end(&m, (uint64_t)(p - m.text.p));
    }
    (void)pp_buf_printf(&want, "0f 1@%" PRIu64 " 2@%" PRIu64 " 3f", old[1],
                        m.at[2]);
    (void)pp_buf_append(&want, "", 1);
    expect("three revisions", pp_buf_view(&m.text), (const char *)want.p, &l);
    CHECK(memmem(l.xref.trailer.p, l.xref.trailer.n, "/Root 2 0 R", 11),
          "trailer of the newest section with a /Root: %.*s",
          (int)l.xref.trailer.n, (const char *)l.xref.trailer.p);
    CHECK(l.xref.declared_size == 4, "%" PRIu64, l.xref.declared_size);
    loaded_fini(&l);
    pp_buf_fini(&want);
    made_fini(&m);
}

static void
is_an_encrypted_document_known(void)
{
    for (int in_older = 0; in_older < 2; in_older++) {
        struct made m = { 0 };
        struct loaded l;
        uint64_t at;

        made_text(&m, "%%PDF-1.4\n");
        made_object(&m, 1, "<<>>");
        at = made_table(&m);
        made_trailer(&m,
                     in_older ? "/Root 1 0 R/Encrypt 5 0 R" : "/Root 1 0 R");
        made_text(&m, "xref\n0 0\ntrailer<</Root 1 0 R/Prev %" PRIu64 "%s>>\n",
                  at, in_older ? "" : "/Encrypt<</Filter/Standard>>");
        at = (uint64_t)((const uint8_t *)memmem(m.text.p, m.text.n, "xref\n0 0",
                                                8) -
                        m.text.p);
        made_end(&m, at);
        loaded_from(&l, pp_buf_view(&m.text));
        CHECK(l.st == PDFPIPE_OK && l.xref.encrypted, "row %d: %d", in_older,
              (int)l.st);
        loaded_fini(&l);
        made_fini(&m);
    }
}

/* Sections in a circle: 1 -> 2 -> ... -> n -> k. */
static void
does_a_loop_end(void)
{
    for (unsigned n = 1; n <= 9; n++)
        for (unsigned k = 1; k <= n; k++) {
            struct made m = { 0 };
            uint64_t at[10];
            struct loaded l;

            /* Fixed width, so that the places can be computed. */
            made_text(&m, "%%PDF-1.4\n");
            for (unsigned i = 1; i <= n; i++)
                at[i] = 9 + (i - 1) * 71;
            m.text.n = 9;
            for (unsigned i = 1; i <= n; i++)
                made_text(&m,
                          "xref\n%03u 1\n0000000%03u 00000 n \n"
                          "trailer<</Root 1 0 R/Prev %08" PRIu64 ">> \n\n\n",
                          i, i, at[i < n ? i + 1 : k]);
            CHECK(m.text.n == 9 + n * 71, "layout: %zu", m.text.n);
            made_end(&m, 9);
            loaded_from(&l, pp_buf_view(&m.text));
            CHECK(l.st == PDFPIPE_OK, "%u to %u: %s", n, k, l.err.message);
            CHECK(is_noted(&l.notes, PDFPIPE_W_XREF_LOOP), "%u to %u", n, k);
            CHECK(l.xref.in_file == n, "%u to %u: %" PRIu64, n, k,
                  l.xref.in_file);
            loaded_fini(&l);
            made_fini(&m);
        }
}

static void
how_many_sections_may_there_be(void)
{
    static const struct {
        unsigned sections;
        enum pdfpipe_status want;
    } rows[] = { { 5000, PDFPIPE_OK }, { 100001, PDFPIPE_E_LIMIT } };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct made m = { 0 };
        struct loaded l;
        size_t at = 0;

        made_text(&m, "%%PDF-1.4\n");
        for (unsigned n = 0; n < rows[i].sections; n++) {
            size_t prev = at;

            at = m.text.n;
            made_text(&m, "xref\n%u 1\n%010zu 00000 n \ntrailer<</Root 1 0 R",
                      n % 1000 + 1, at);
            if (prev)
                made_text(&m, "/Prev %zu", prev);
            made_text(&m, ">>\n");
        }
        made_end(&m, at);
        loaded_from(&l, pp_buf_view(&m.text));
        CHECK(l.st == rows[i].want, "%u: %d %s", rows[i].sections, (int)l.st,
              l.err.message);
        loaded_fini(&l);
        made_fini(&m);
    }
}

/* ---- streams ---- */

/* A cross-reference stream as a test writes it down. */
struct rows {
    unsigned w[3];
    const char *entries; /* of the dictionary: /Index, /Filter, ... */
    uint64_t field[8][3];
    unsigned n;
};

static void
put_rows(struct pp_buf *to, const struct rows *r)
{
    for (unsigned i = 0; i < r->n; i++)
        for (unsigned k = 0; k < 3; k++)
            for (unsigned b = r->w[k]; b > 0; b--) {
                unsigned shift = (b - 1) * 8;
                uint8_t byte =
                    (uint8_t)(shift < 64 ? r->field[i][k] >> shift : 0);

                if (!pp_buf_append(to, &byte, 1))
                    abort();
            }
}

static void
deflate_all(struct pp_buf *data)
{
    struct pp_buf z = { 0 };
    struct pp_deflater *d;

    if (pp_deflater_new(&d, NULL) ||
        pp_deflater_add(d, data->p, data->n, true, &z, NULL))
        abort();
    pp_deflater_free(d);
    pp_buf_fini(data);
    *data = z;
}

/* The file with one such stream, at offset 9. */
static void
make_stream_file(struct made *m, const struct rows *r, const char *more)
{
    struct pp_buf data = { 0 }, entries = { 0 };

    put_rows(&data, r);
    if (strstr(r->entries, "/FlateDecode"))
        deflate_all(&data);
    (void)pp_buf_printf(&entries, "/Type/XRef/W[%u %u %u]%s/Root 1 0 R%s",
                        r->w[0], r->w[1], r->w[2], r->entries, more);
    (void)pp_buf_append(&entries, "", 1);
    made_text(m, "%%PDF-1.5\n");
    m->text.n = 9;
    made_text(m, "\n");
    made_stream(m, 7, (const char *)entries.p, data.p, data.n);
    made_end(m, 9);
    pp_buf_fini(&data);
    pp_buf_fini(&entries);
}

/* clang-format off */
static const struct {
    const char *what;
    struct rows rows;
    const char *want;
} streams[] = {
    { "all kinds",         { { 1, 2, 1 }, "/Size 4", { { 0, 0, 255 }, { 1, 17, 0 }, { 2, 7, 3 }, { 1, 99, 2 } }, 4 }, "0f 1@17 2:7.3 3@99/2" },
    { "no types",          { { 0, 2, 1 }, "/Size 2", { { 0, 0, 0 }, { 0, 17, 1 } }, 2 }, "0f 1@17/1" },
    { "no third field",    { { 1, 2, 0 }, "/Size 3", { { 0, 0, 0 }, { 1, 17, 0 }, { 2, 7, 0 } }, 3 }, "0f 1@17 2:7.0" },
    { "widths 3 5 7",      { { 3, 5, 7 }, "/Size 2", { { 0, 0, 0 }, { 1, 0x1234567890, 9 } }, 2 }, "0f 1@78187493520/9" },
    { "widths of 8",       { { 8, 8, 8 }, "/Size 2", { { 0, 0, 0 }, { 1, 17, 0 } }, 2 }, "0f 1@17" },
    { "width 9",           { { 1, 9, 0 }, "/Size 2", { { 0, 0, 0 }, { 1, 17, 0 } }, 2 }, "damaged_xref" },
    { "no second field",   { { 1, 0, 1 }, "/Size 2", { { 0, 0, 0 }, { 1, 0, 0 } }, 2 }, "damaged_xref" },
    { "index",             { { 1, 1, 1 }, "/Size 9/Index[3 1 7 2]", { { 1, 17, 0 }, { 1, 18, 0 }, { 1, 19, 0 } }, 3 }, "3@17 7@18 8@19" },
    { "index, not in order", { { 1, 1, 1 }, "/Size 9/Index[7 2 3 1]", { { 1, 17, 0 }, { 1, 18, 0 }, { 1, 19, 0 } }, 3 }, "3@19 7@17 8@18" },
    { "index, twice",      { { 1, 1, 1 }, "/Size 9/Index[3 1 3 1]", { { 1, 17, 0 }, { 1, 18, 0 } }, 2 }, "3@17" },
    { "index, empty",      { { 1, 1, 1 }, "/Size 9/Index[]", { { 1, 17, 0 } }, 1 }, "" },
    { "index, odd",        { { 1, 1, 1 }, "/Size 9/Index[3 1 7]", { { 1, 17, 0 } }, 1 }, "3@17" },
    { "index, no array",   { { 1, 1, 1 }, "/Size 9/Index 3", { { 1, 17, 0 } }, 1 }, "damaged_xref" },
    { "index, negative",   { { 1, 1, 1 }, "/Size 9/Index[-3 1]", { { 1, 17, 0 } }, 1 }, "damaged_xref" },
    { "index, names",      { { 1, 1, 1 }, "/Size 9/Index[/A 1]", { { 1, 17, 0 } }, 1 }, "damaged_xref" },
    { "index, too large",  { { 1, 1, 1 }, "/Size 9/Index[4294967296 1]", { { 1, 17, 0 } }, 1 }, "damaged_xref" },
    { "no size",           { { 1, 1, 1 }, "", { { 1, 17, 0 } }, 1 }, "damaged_xref" },
    { "size but index",    { { 1, 1, 1 }, "/Index[3 1]", { { 1, 17, 0 } }, 1 }, "3@17" },
    { "fewer rows",        { { 1, 1, 1 }, "/Size 3", { { 0, 0, 0 }, { 1, 17, 0 } }, 2 }, "damaged_xref" },
    { "half a row",        { { 1, 1, 1 }, "/Size 2/Length 5", { { 0, 0, 0 }, { 1, 17, 0 } }, 2 }, "0f 1@17" },
    { "more rows",         { { 1, 1, 1 }, "/Size 1", { { 0, 0, 0 }, { 1, 17, 0 } }, 2 }, "0f" },
    { "unknown type",      { { 1, 1, 1 }, "/Size 3", { { 0, 0, 0 }, { 3, 17, 0 }, { 1, 18, 0 } }, 3 }, "0f 2@18" },
    { "offset 0",          { { 1, 1, 1 }, "/Size 2", { { 0, 0, 0 }, { 1, 0, 0 } }, 2 }, "0f 1f" },
    { "generation 65535",  { { 1, 1, 2 }, "/Size 2", { { 0, 0, 0 }, { 1, 17, 65535 } }, 2 }, "0f 1f" },
    { "object 0 in use",   { { 1, 1, 1 }, "/Size 2", { { 1, 5, 0 }, { 1, 17, 0 } }, 2 }, "0f 1@17" },
    { "object 0 in a stream", { { 1, 1, 1 }, "/Size 2", { { 2, 5, 0 }, { 1, 17, 0 } }, 2 }, "0f 1@17" },
    { "beyond 64 TiB",     { { 1, 6, 0 }, "/Size 2", { { 0, 0, 0 }, { 1, UINT64_C(1) << 46, 0 } }, 2 }, "damaged_xref" },
    { "64 TiB less one",   { { 1, 6, 0 }, "/Size 2", { { 0, 0, 0 }, { 1, (UINT64_C(1) << 46) - 1, 0 } }, 2 }, "0f 1@70368744177663" },
    { "stream 0",          { { 1, 1, 1 }, "/Size 2", { { 0, 0, 0 }, { 2, 0, 0 } }, 2 }, "damaged_xref" },
    { "stream too high",   { { 1, 4, 1 }, "/Size 2", { { 0, 0, 0 }, { 2, 8388607, 0 } }, 2 }, "damaged_xref" },
    { "highest stream",    { { 1, 4, 1 }, "/Size 2", { { 0, 0, 0 }, { 2, 8388606, 0 } }, 2 }, "0f 1:8388606.0" },
    { "highest index",     { { 1, 1, 5 }, "/Size 2", { { 0, 0, 0 }, { 2, 7, (UINT64_C(1) << 38) - 1 } }, 2 }, "0f 1:7.274877906943" },
    { "index too high",    { { 1, 1, 5 }, "/Size 2", { { 0, 0, 0 }, { 2, 7, UINT64_C(1) << 38 } }, 2 }, "damaged_xref" },
    { "number too high",   { { 1, 1, 1 }, "/Size 9/Index[8388607 1]", { { 1, 17, 0 } }, 1 }, "limit" },
    { "free number too high", { { 1, 1, 1 }, "/Size 9/Index[8388607 1 3 1]", { { 0, 0, 0 }, { 1, 17, 0 } }, 2 }, "3@17" },
    { "compressed",        { { 1, 2, 1 }, "/Size 2/Filter/FlateDecode", { { 0, 0, 0 }, { 1, 17, 0 } }, 2 }, "0f 1@17" },
    { "compressed, array", { { 1, 2, 1 }, "/Size 2/Filter[/FlateDecode]/DecodeParms[null]", { { 0, 0, 0 }, { 1, 17, 0 } }, 2 }, "0f 1@17" },
    { "compressed, few rows", { { 1, 2, 1 }, "/Size 3/Filter/FlateDecode", { { 0, 0, 0 }, { 1, 17, 0 } }, 2 }, "damaged_xref" },
    { "not compressed",    { { 1, 2, 1 }, "/Size 2/Filter/Fl", { { 0, 0, 0 }, { 1, 17, 0 } }, 2 }, "damaged_xref" },
    { "unknown filter",    { { 1, 2, 1 }, "/Size 2/Filter/LZWDecode", { { 0, 0, 0 }, { 1, 17, 0 } }, 2 }, "damaged_xref" },
    { "crypt filter",      { { 1, 2, 1 }, "/Size 2/Filter/Crypt", { { 0, 0, 0 }, { 1, 17, 0 } }, 2 }, "damaged_xref" },
    { "TIFF predictor",    { { 1, 2, 1 }, "/Size 2/Filter/FlateDecode/DecodeParms<</Predictor 2>>", { { 0, 0, 0 }, { 1, 17, 0 } }, 2 }, "damaged_xref" },
};
/* clang-format on */

static void
is_a_stream_read(void)
{
    for (size_t i = 0; i < sizeof streams / sizeof streams[0]; i++) {
        struct made m = { 0 };
        struct pp_view file;
        struct loaded l;

        make_stream_file(&m, &streams[i].rows, "");
        file = view_copy(pp_buf_view(&m.text));
        expect(streams[i].what, file, streams[i].want, &l);
        loaded_fini(&l);
        view_free(file);
        made_fini(&m);
    }
}

static void
is_the_layout_checked(void)
{
    static const struct {
        const char *w;
        bool good;
    } rows[] = {
        { "[1 1 1]", true },   { "[1 1 1 9]", true },    { "[1 1]", false },
        { "[]", false },       { "[1 -1 1]", false },    { "[1 1 1.5]", false },
        { "[1 1 /A]", false }, { "5", false },           { "[1 1 99]", false },
        { "null", false },     { "[1 1 8 0 R]", false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct made m = { 0 };
        struct loaded l;

        made_text(&m,
                  "%%PDF-1.5\n7 0 obj<</Type/XRef/Size 1/Root 1 0 R/W%s"
                  "/Length 3>>stream\n%c%c%c\nendstream endobj\n",
                  rows[i].w, 1, 17, 1);
        made_end(&m, 9);
        loaded_from(&l, pp_buf_view(&m.text));
        CHECK((l.st == PDFPIPE_OK) == rows[i].good, "%s: %d", rows[i].w,
              (int)l.st);
        CHECK(!l.st || l.st == PDFPIPE_E_DAMAGED_XREF, "%s", rows[i].w);
        loaded_fini(&l);
        made_fini(&m);
    }
}

static void
what_is_no_cross_reference_stream(void)
{
    static const struct {
        const char *what, *text;
    } rows[] = {
        { "another type", "7 0 obj<</Type/X/W[1 1 1]/Size 1>>stream\nabc" },
        { "no stream", "7 0 obj<</Type/XRef/W[1 1 1]/Size 1>>endobj" },
        { "no dictionary", "7 0 obj[/Type/XRef]endobj" },
        { "no object", "7 0 R" },
        { "cut header", "7 0" },
        { "broken dictionary", "7 0 obj<</Type/XRef]>>stream\nabc" },
        { "deep dictionary", NULL },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct made m = { 0 };
        struct loaded l;

        made_text(&m, "%%PDF-1.5\n%s",
                  rows[i].text ? rows[i].text : "7 0 obj<</A");
        for (int n = 0; !rows[i].text && n < 1000; n++)
            made_text(&m, "[");
        made_text(&m, "\n");
        made_end(&m, 9);
        loaded_from(&l, pp_buf_view(&m.text));
        CHECK(l.st == (rows[i].text ? PDFPIPE_E_DAMAGED_XREF : PDFPIPE_E_LIMIT),
              "%s: %d", rows[i].what, (int)l.st);
        loaded_fini(&l);
        made_fini(&m);
    }
}

/* A dictionary longer than the first look at it. */
static void
is_a_long_dictionary_read(void)
{
    struct rows r = {
        { 1, 1, 1 }, "/Size 2", { { 0, 0, 0 }, { 1, 17, 0 } }, 2
    };
    struct made m = { 0 };
    struct loaded l;
    char *more = malloc(70000);

    if (!more)
        abort();
    memset(more, ' ', 69999);
    more[69999] = 0;
    make_stream_file(&m, &r, more);
    expect("long dictionary", pp_buf_view(&m.text), "0f 1@17", &l);
    loaded_fini(&l);
    made_fini(&m);
    free(more);
}

/* ---- hybrid files ---- */

/* clang-format off */
static const struct {
    const char *what;
    const char *table;    /* rows of the table that names the stream      */
    struct rows stream;
    const char *older;    /* a section behind /Prev of the table, or NULL */
    const char *want;
} hybrids[] = {
    { "hidden in an update", "0 0\n", { { 1, 1, 1 }, "/Size 4/Index[2 2]", { { 2, 7, 0 }, { 2, 7, 1 } }, 2 },
      "0 4\n" HEAD ONE HEAD HEAD, "0f 1@17 2:7.0 3:7.1" },
    { "hidden in one section", "0 4\n" HEAD ONE HEAD HEAD, { { 1, 1, 1 }, "/Size 4/Index[2 2]", { { 2, 7, 0 }, { 2, 7, 1 } }, 2 },
      NULL, "0f 1@17 2:7.0 3:7.1" },
    { "the table wins", "0 2\n" HEAD ONE, { { 1, 1, 1 }, "/Size 4/Index[1 1]", { { 2, 7, 0 } }, 1 },
      NULL, "0f 1@17" },
    { "deleted by the table", "1 1\n0000000000 00001 f \n", { { 1, 1, 1 }, "/Size 4/Index[2 1]", { { 2, 7, 0 } }, 1 },
      "0 4\n" HEAD ONE ONE ONE, "0f 1f 2:7.0 3@17" },
    { "deleted by the stream", "0 0\n", { { 1, 1, 1 }, "/Size 4/Index[1 1]", { { 0, 0, 1 } }, 1 },
      "0 2\n" HEAD ONE, "0f 1f" },
    { "stream's own /Prev does not count", "0 0\n", { { 1, 1, 1 }, "/Size 4/Index[1 1]/Prev 1", { { 1, 18, 0 } }, 1 },
      "0 2\n" HEAD ONE, "0f 1@18" },
};
/* clang-format on */

static void
are_hidden_objects_found(void)
{
    for (size_t i = 0; i < sizeof hybrids / sizeof hybrids[0]; i++) {
        struct pp_buf data = { 0 }, entries = { 0 };
        struct made m = { 0 };
        uint64_t older = 0, stream, at;
        struct loaded l;

        put_rows(&data, &hybrids[i].stream);
        (void)pp_buf_printf(&entries, "/Type/XRef/W[1 1 1]%s",
                            hybrids[i].stream.entries);
        (void)pp_buf_append(&entries, "", 1);
        made_text(&m, "%%PDF-1.5\n");
        if (hybrids[i].older) {
            older = m.text.n;
            made_text(&m, "xref\n%strailer<</Root 1 0 R>>\n", hybrids[i].older);
        }
        stream = m.text.n;
        made_stream(&m, 9, (const char *)entries.p, data.p, data.n);
        at = m.text.n;
        made_text(&m, "xref\n%strailer<</Size 4/Root 1 0 R/XRefStm %" PRIu64,
                  hybrids[i].table, stream);
        if (older)
            made_text(&m, "/Prev %" PRIu64, older);
        made_text(&m, ">>\n");
        made_end(&m, at);
        expect(hybrids[i].what, pp_buf_view(&m.text), hybrids[i].want, &l);
        loaded_fini(&l);
        pp_buf_fini(&data);
        pp_buf_fini(&entries);
        made_fini(&m);
    }
}

/* ---- what is done with it ---- */

static void
which_number_is_free_for_a_new_object(void)
{
    static const struct {
        const char *what;
        uint32_t highest; /* number in the table */
        const char *trailer;
        uint64_t ref, size;
        uint32_t want;
    } rows[] = {
        { "behind the last", 5, "/Root 1 0 R", 0, 0, 6 },
        { "dangling reference", 5, "/Root 1 0 R", 7, 0, 8 },
        { "declared size", 5, "/Root 1 0 R", 7, 12, 12 },
        { "size that cannot be", 5, "/Root 1 0 R", 7, UINT64_MAX, 8 },
        { "dangling /Info", 5, "/Root 1 0 R/Info 9 0 R", 7, 0, 10 },
        { "deep in the trailer", 5, "/Root 1 0 R/X[<</Y 20 0 R>>]", 7, 0, 21 },
        { "the highest", PP_OBJECT_MAX, "", 0, 0, PP_OBJECT_MAX + 1 },
        { "reference to it", 5, "", PP_OBJECT_MAX, 0, PP_OBJECT_MAX + 1 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_xref x = { .declared_size = rows[i].size };
        struct pp_entry e = { .kind = PP_ENTRY_OFFSET, .offset = 5 };

        CHECK(pp_xref_set(&x, rows[i].highest, e, NULL) == PDFPIPE_OK, "%s",
              rows[i].what);
        (void)pp_buf_printf(&x.trailer, "<<%s>>", rows[i].trailer);
        CHECK(pp_xref_new_number(&x, rows[i].ref) == rows[i].want, "%s: %u",
              rows[i].what, pp_xref_new_number(&x, rows[i].ref));
        pp_xref_fini(&x);
    }
}

static void
is_an_entry_kept_as_it_was_set(void)
{
    static const struct pp_entry entries[] = {
        { .kind = PP_ENTRY_FREE },
        { .kind = PP_ENTRY_OFFSET, .offset = 1 },
        { .kind = PP_ENTRY_OFFSET,
          .offset = PP_OFFSET_MAX,
          .generation = 65534 },
        { .kind = PP_ENTRY_COMPRESSED, .stream = 1 },
        { .kind = PP_ENTRY_COMPRESSED,
          .stream = PP_OBJECT_MAX,
          .index = (UINT64_C(1) << 38) - 1 },
    };
    static const uint32_t numbers[] = { 0, 1, 511, 512, 513, PP_OBJECT_MAX };
    struct pp_xref x = { 0 };

    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
        for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
            struct pp_entry got;

            CHECK(pp_xref_set(&x, numbers[k], entries[i], NULL) == PDFPIPE_OK,
                  "%zu %zu", i, k);
            got = pp_xref_entry(&x, numbers[k]);
            CHECK(got.kind == entries[i].kind &&
                      got.offset == entries[i].offset &&
                      got.generation == entries[i].generation &&
                      got.stream == entries[i].stream &&
                      got.index == entries[i].index,
                  "%zu %zu", i, k);
            CHECK(are_counters_right(&x), "%zu %zu", i, k);
        }
    CHECK(pp_xref_entry(&x, 2).kind == PP_ENTRY_NONE, "between");
    CHECK(pp_xref_entry(&x, UINT32_MAX).kind == PP_ENTRY_NONE, "beyond");
    pp_xref_fini(&x);
    CHECK(pp_xref_entry(&x, 0).kind == PP_ENTRY_NONE, "empty again");
}

static void
set_too_high(void *arg)
{
    struct pp_xref x = { 0 };

    (void)arg;
    (void)pp_xref_set(&x, PP_OBJECT_MAX + 1,
                      (struct pp_entry){ .kind = PP_ENTRY_FREE }, NULL);
}

static void
set_too_far(void *arg)
{
    struct pp_xref x = { 0 };

    (void)arg;
    (void)pp_xref_set(&x, 1,
                      (struct pp_entry){ .kind = PP_ENTRY_OFFSET,
                                         .offset = PP_OFFSET_MAX + 1 },
                      NULL);
}

static void
is_what_cannot_be_asserted(void)
{
    CHECK(dies_of(set_too_high, NULL) == SIGABRT, "number");
    CHECK(dies_of(set_too_far, NULL) == SIGABRT, "offset");
}

static void
does_a_sum_tell_two_tables_apart(void)
{
    struct pp_entry one = { .kind = PP_ENTRY_OFFSET, .offset = 17 };
    struct pp_entry two = { .kind = PP_ENTRY_OFFSET, .offset = 18 };
    struct pp_entry in = { .kind = PP_ENTRY_COMPRESSED, .stream = 3 };
    struct pp_entry gone = { .kind = PP_ENTRY_FREE };
    struct pp_xref a = { 0 }, b = { 0 };
    uint64_t sum;

    CHECK(pp_xref_sum(&a) == 0, "empty");
    (void)pp_xref_set(&a, 1, one, NULL);
    (void)pp_xref_set(&a, 2, two, NULL);
    (void)pp_xref_set(&b, 2, two, NULL);
    CHECK(pp_xref_sum(&a) != pp_xref_sum(&b), "one is missing");
    (void)pp_xref_set(&b, 1, one, NULL);
    CHECK(pp_xref_sum(&a) == pp_xref_sum(&b), "in another order");
    (void)pp_xref_set(&b, 900, gone, NULL);
    CHECK(pp_xref_sum(&a) == pp_xref_sum(&b), "free entries do not count");
    sum = pp_xref_sum(&b);
    (void)pp_xref_set(&b, 1, two, NULL);
    (void)pp_xref_set(&b, 2, one, NULL);
    CHECK(pp_xref_sum(&b) != sum, "exchanged");
    (void)pp_xref_set(&b, 2, in, NULL);
    CHECK(pp_xref_sum(&b) != sum, "of another kind");
    pp_xref_fini(&a);
    pp_xref_fini(&b);
}

static void
is_a_wrong_size_noted(void)
{
    static const struct {
        const char *trailer;
        bool noted;
    } rows[] = {
        { "<</Size 2/Root 1 0 R>>", false }, { "<</Size 3/Root 1 0 R>>", true },
        { "<</Size 1/Root 1 0 R>>", true },  { "<</Root 1 0 R>>", true },
        { "<</Size -2/Root 1 0 R>>", true },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct made m = { 0 };
        struct loaded l;

        made_text(&m, "%%PDF-1.4\nxref\n0 2\n" HEAD ONE "trailer%s\n",
                  rows[i].trailer);
        made_end(&m, 9);
        loaded_from(&l, pp_buf_view(&m.text));
        CHECK(l.st == PDFPIPE_OK, "%s: %d", rows[i].trailer, (int)l.st);
        CHECK(is_noted(&l.notes, PDFPIPE_W_WRONG_SIZE) == rows[i].noted, "%s",
              rows[i].trailer);
        loaded_fini(&l);
        made_fini(&m);
    }
}

static enum pdfpipe_status
read_nothing(void *self, uint64_t offset, void *dst, size_t n,
             struct pdfpipe_error *err)
{
    (void)self, (void)offset, (void)dst, (void)n;
    return pp_fail(err, PDFPIPE_E_READ, "no");
}

static void
is_a_file_that_is_too_large_refused(void)
{
    struct pp_input input = { .size = PP_OFFSET_MAX + 1, .read = read_nothing };
    struct pdfpipe_error err;
    struct pp_xref x = { 0 };
    struct pp_peek peek;

    pp_peek_init(&peek, &input, 4096);
    CHECK(pp_xref_load(&x, &peek, NULL, NULL, &err) == PDFPIPE_E_LIMIT, "%s",
          err.message);
    input.size = PP_OFFSET_MAX;
    CHECK(pp_xref_load(&x, &peek, NULL, NULL, &err) == PDFPIPE_E_READ, "%s",
          err.message);
    pp_peek_fini(&peek);
    pp_xref_fini(&x);
}

int
main(void)
{
    is_a_table_read();
    is_a_cut_file_refused();
    do_offsets_count_from_the_header();
    may_startxref_point_a_little_off();
    is_only_the_newest_state_seen();
    is_an_encrypted_document_known();
    does_a_loop_end();
    how_many_sections_may_there_be();
    is_a_stream_read();
    is_the_layout_checked();
    what_is_no_cross_reference_stream();
    is_a_long_dictionary_read();
    are_hidden_objects_found();
    which_number_is_free_for_a_new_object();
    is_an_entry_kept_as_it_was_set();
    is_what_cannot_be_asserted();
    does_a_sum_tell_two_tables_apart();
    is_a_wrong_size_noted();
    is_a_file_that_is_too_large_refused();
    return check_report("xref");
}
