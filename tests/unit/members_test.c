/* members_test.c - what is learnt from an object stream, and is it true? */
#include "seal/members.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "crypt/suite.h"
#include "pdf/flate.h"
#include "set_random.h"
#include "stretches.h"

#define MEMBERS     4u
#define INFLATE_MAX 1000000u

struct objstm {
    const char *name;
    const char *dict; /* without /Type and /Length */
    const char *data; /* decoded                   */
    /* Entries of the cross-reference: number, stream, index; number 0 ends. */
    struct pp_member_row entry[MEMBERS];
    /* What is learnt. */
    struct pp_member_row row[MEMBERS];
    size_t rows;
    uint64_t highest_ref;
    unsigned notes; /* of wrong indices */
};

/* The object stream is number 9. */
static const struct objstm streams[] = {
    { "two members",
      "/N 2/First 8",
      "1 0 2 4 <<>> [3 0 R]",
      { { 1, 9, 0 }, { 2, 9, 1 } },
      { { 1, 9, 0 }, { 2, 9, 1 } },
      2,
      3,
      0 },
    { "wrong indices",
      "/N 2/First 8",
      "1 0 2 4 <<>> [3 0 R]",
      { { 1, 9, 1 }, { 2, 9, 0 } },
      { { 1, 9, 0 }, { 2, 9, 1 } },
      2,
      3,
      2 },
    { "an index beyond the end",
      "/N 1/First 4",
      "1 0 null",
      { { 1, 9, 70000 } },
      { { 1, 9, 0 } },
      1,
      0,
      1 },
    { "members that live elsewhere",
      "/N 3/First 12",
      "1 0 2 2 3 4 0 0 0",
      { { 1, 8, 0 }, { 3, 9, 2 } },
      { { 3, 9, 2 } },
      1,
      0,
      0 },
    { "a number twice, the cross-reference says which",
      "/N 2/First 8",
      "1 0 1 2 4 5",
      { { 1, 9, 1 } },
      { { 1, 9, 1 } },
      1,
      0,
      0 },
    { "a number twice, the cross-reference says the first",
      "/N 2/First 8",
      "1 0 1 2 4 5",
      { { 1, 9, 0 } },
      { { 1, 9, 0 } },
      1,
      0,
      0 },
    { "a number twice and a wrong index: the first counts",
      "/N 2/First 8",
      "1 0 1 2 4 5",
      { { 1, 9, 7 } },
      { { 1, 9, 0 } },
      1,
      0,
      1 },
    { "numbers that cannot be",
      "/N 3/First 27",
      "0 0 4294967295 0 8388607 0 null",
      { { 1, 9, 0 } },
      { { 0 } },
      0,
      0,
      0 },
    { "no member at all", "/N 0/First 0", "", { { 0 } }, { { 0 } }, 0, 0, 0 },
    { "references, some of them in strings and comments",
      "/N 1/First 4",
      "1 0 [12 0 R (77 0 R) %99 0 R\n 5 0 R <</A 6 0 R>>]",
      { { 1, 9, 0 } },
      { { 1, 9, 0 } },
      1,
      12,
      0 },
};

static void
xref_of(struct pp_xref *x, const struct objstm *o)
{
    struct pp_entry stream = { .kind = PP_ENTRY_OFFSET, .offset = 15 };

    *x = (struct pp_xref){ 0 };
    for (size_t i = 0; i < MEMBERS && o->entry[i].number; i++) {
        struct pp_entry e = { .kind = PP_ENTRY_COMPRESSED,
                              .stream = o->entry[i].stream,
                              .index = o->entry[i].index };

        if (pp_xref_set(x, o->entry[i].number, e, NULL))
            abort();
    }
    if (pp_xref_set(x, 9, stream, NULL))
        abort();
}

static void
deflate(const char *text, struct pp_buf *to)
{
    struct pp_deflater *d;

    if (pp_deflater_new(&d, NULL) ||
        pp_deflater_add(d, text, strlen(text), true, to, NULL))
        abort();
    pp_deflater_free(d);
}

static void
compare(const struct objstm *o, const struct pp_stretch *s, const char *how)
{
    CHECK(s->members == o->rows, "%s, %s: %zu rows", o->name, how, s->members);
    for (size_t i = 0; i < o->rows && i < s->members; i++)
        CHECK(s->member[i].number == o->row[i].number &&
                  s->member[i].stream == o->row[i].stream &&
                  s->member[i].index == o->row[i].index,
              "%s, %s: row %zu: %u at %u in %u", o->name, how, i,
              s->member[i].number, s->member[i].index, s->member[i].stream);
    CHECK(s->highest_ref == o->highest_ref, "%s, %s: %llu", o->name, how,
          (unsigned long long)s->highest_ref);
    CHECK(s->notes.count == o->notes, "%s, %s: %u notes", o->name, how,
          s->notes.count);
    CHECK(!o->notes || s->notes.warning[0].code == PDFPIPE_W_OBJSTM_INDEX,
          "%s, %s", o->name, how);
}

/* Read by itself, as the reader does with large ones. */
static void
is_it_read(const struct objstm *o, bool flate)
{
    struct pp_buf scratch = { 0 }, deflated = { 0 };
    struct pp_view data = { (const uint8_t *)o->data, strlen(o->data) };
    struct pp_input input = pp_input_over(&data);
    struct pp_stretch s = { 0 };
    struct pp_objstm objstm = { .number = 9, .input = &input };
    struct pp_seal_context c = { .inflate_max = INFLATE_MAX };
    struct pp_xref x;
    char dict[128];

    if (flate) {
        deflate(o->data, &deflated);
        data = pp_buf_view(&deflated);
        input = pp_input_over(&data);
    }
    objstm.length = data.n;
    (void)snprintf(dict, sizeof dict, "<<%s%s>>", o->dict,
                   flate ? "/Filter/FlateDecode" : "");
    objstm.dict = (struct pp_view){ (const uint8_t *)dict, strlen(dict) };
    xref_of(&x, o);
    c.xref = &x;
    CHECK(pp_members_read(&s, &objstm, &c, &scratch, NULL) == PDFPIPE_OK, "%s",
          o->name);
    compare(o, &s, flate ? "deflated" : "plain");
    free(s.member);
    pp_xref_fini(&x);
    pp_buf_fini(&scratch);
    pp_buf_fini(&deflated);
}

/* By a worker that seals it. */
static void
is_it_learnt_while_sealing(const struct objstm *o, bool in_text)
{
    struct pp_buf deflated = { 0 };
    char dict[160];
    struct part parts[] = {
        { .kind = PART_OBJECT, .number = 3 },
        { .kind = PART_TEXT, .text = "<</Type/Other>>\nendobj\n" },
        { .kind = PART_OBJECT, .number = 9 },
        { .kind = PART_TEXT, .text = dict },
        { .kind = PART_STREAM,
          .number = 9,
          .members = true,
          .in_text = in_text },
        { .kind = PART_TEXT, .text = "\nendstream\nendobj\n" },
    };
    static const uint8_t key[32];
    struct pp_suite *suite;
    struct pp_sealer sealer;
    struct pp_xref x;
    struct pp_seal_context c = {
        .document = 2, .file_key = key, .xref = &x, .inflate_max = INFLATE_MAX
    };
    uint8_t chain[16] = { 0 };
    struct pp_stretch s;

    deflate(o->data, &deflated);
    (void)snprintf(dict, sizeof dict,
                   "<</Type/ObjStm%s/Filter/FlateDecode/Length 99>>\nstream\n",
                   o->dict);
    parts[4].bytes = deflated.p;
    parts[4].n = deflated.n;
    xref_of(&x, o);
    if (pp_suite_new(&suite, NULL) ||
        pp_sealer_init(&sealer, suite, PDFPIPE_ENGINE_AUTO, NULL))
        abort();
    stretch_lay(&s, parts, 6);
    CHECK(pp_seal(&sealer, &c, &s, chain, NULL) == PDFPIPE_OK, "%s", o->name);
    compare(o, &s, in_text ? "sealed in text" : "sealed");
    stretch_free(&s);
    pp_sealer_fini(&sealer);
    pp_suite_free(suite);
    pp_xref_fini(&x);
    pp_buf_fini(&deflated);
}

/* ---- data that come in pieces ---- */

/* Decoded data with one text so that its byte `cut` begins a piece. */
struct border {
    const char *name;
    bool in_pairs; /* the text stands where the pairs are, else behind */
    const char *text;
    struct pp_member_row entry[MEMBERS], row[MEMBERS];
    size_t rows;
    uint64_t highest_ref;
    unsigned notes;
};

static const struct border borders[] = {
    { "a pair",
      true,
      " 1 10 2 20 ",
      { { 1, 9, 0 }, { 2, 9, 1 } },
      { { 1, 9, 0 }, { 2, 9, 1 } },
      2,
      0,
      0 },
    { "wrong indices",
      true,
      " 1 10 2 20 ",
      { { 1, 9, 1 }, { 2, 9, 0 } },
      { { 1, 9, 0 }, { 2, 9, 1 } },
      2,
      0,
      2 },
    { "a number twice",
      true,
      " 1 10 1 20 ",
      { { 1, 9, 1 } },
      { { 1, 9, 1 } },
      1,
      0,
      0 },
    { "an offset behind the end",
      true,
      " 1 10 2 999999 ",
      { { 1, 9, 0 }, { 2, 9, 1 } },
      { { 1, 9, 0 } },
      1,
      0,
      0 },
    { "a comment among pairs",
      true,
      " 1 10 %2 20\n2 20",
      { { 1, 9, 0 }, { 2, 9, 1 } },
      { { 1, 9, 0 }, { 2, 9, 1 } },
      2,
      0,
      0 },
    { "fewer pairs",
      true,
      " 1 10 x 20 ",
      { { 1, 9, 0 }, { 20, 9, 1 } },
      { { 1, 9, 0 } },
      1,
      0,
      0 },
    { "a reference", false, "/A 123 0 R/B", { { 0 } }, { { 0 } }, 0, 123, 0 },
    { "no reference", false, "/A 123 0 Rx", { { 0 } }, { { 0 } }, 0, 0, 0 },
    { "one in a string",
      false,
      " (\\)77 0 R()) ",
      { { 0 } },
      { { 0 } },
      0,
      0,
      0 },
    { "one behind a comment",
      false,
      "5%7 0 R\n 6 R",
      { { 0 } },
      { { 0 } },
      0,
      5,
      0 },
};

static void
is_it_learnt_across_a_border(const struct border *b, size_t border, size_t cut)
{
    size_t n = strlen(b->text);
    struct pp_buf data = { 0 }, name = { 0 };
    char dict[64];
    struct objstm o = { .dict = dict,
                        .rows = b->rows,
                        .highest_ref = b->highest_ref,
                        .notes = b->notes };

    if (!pp_buf_reserve(&data, border + n + 100))
        abort();
    memset(data.p, ' ', border + n + 100);
    memcpy(data.p + border - cut, b->text, n);
    data.p[border + n + 99] = '\0';
    (void)snprintf(dict, sizeof dict, "/N 2/First %zu",
                   b->in_pairs ? border - cut + n : 0);
    (void)pp_buf_printf(&name, "%s, byte %zu at %zu%c", b->name, cut, border,
                        '\0');
    o.name = (const char *)name.p;
    o.data = (const char *)data.p;
    memcpy(o.entry, b->entry, sizeof o.entry);
    memcpy(o.row, b->row, sizeof o.row);
    is_it_read(&o, false);
    is_it_read(&o, true);
    is_it_learnt_while_sealing(&o, false);
    pp_buf_fini(&data);
    pp_buf_fini(&name);
}

static void
is_all_learnt_wherever_pieces_end(void)
{
    for (size_t i = 0; i < sizeof borders / sizeof borders[0]; i++)
        for (size_t pieces = 1; pieces <= 2; pieces++)
            for (size_t cut = 0; cut <= strlen(borders[i].text); cut++)
                is_it_learnt_across_a_border(&borders[i],
                                             pieces * PP_DECODED_PIECE, cut);
}

/* Whatever is in it, and however large, no more than a piece is kept. */
static void
does_memory_stay_the_same(void)
{
    enum { PAIRS = 500000 };
    static const struct objstm wrong = { .entry = { { 1, 9, PAIRS } } };
    struct pp_buf data = { 0 }, deflated = { 0 }, window = { 0 };
    struct pp_input input;
    struct pp_view view;
    struct pp_stretch s = { 0 };
    struct pp_xref x;
    struct pp_seal_context c = { .xref = &x, .inflate_max = 100u << 20 };
    struct pp_objstm o = { .number = 9, .input = &input };
    char dict[80];

    for (unsigned i = 0; i < PAIRS; i++)
        (void)pp_buf_printf(&data, "1 %u ", i);
    (void)snprintf(dict, sizeof dict, "<</N %u/First %zu/Filter/FlateDecode>>",
                   PAIRS, data.n);
    for (unsigned i = 0; i < PAIRS; i++)
        (void)pp_buf_append(&data, "[5 0 R] ", 8);
    if (!pp_buf_append(&data, "", 1))
        abort();
    deflate((const char *)data.p, &deflated);
    view = pp_buf_view(&deflated);
    input = pp_input_over(&view);
    o.dict = (struct pp_view){ (const uint8_t *)dict, strlen(dict) };
    o.length = view.n;
    xref_of(&x, &wrong);
    CHECK(pp_members_read(&s, &o, &c, &window, NULL) == PDFPIPE_OK, "read");
    CHECK(s.members == 1 && s.notes.count == 1 && s.highest_ref == 5,
          "%zu rows, %u notes", s.members, s.notes.count);
    CHECK(window.cap < 2 * PP_DECODED_PIECE && s.member_cap < 1000,
          "%zu bytes, %zu rows", window.cap, s.member_cap);
    free(s.member);
    pp_xref_fini(&x);
    pp_buf_fini(&window);
    pp_buf_fini(&data);
    pp_buf_fini(&deflated);
}

/* ---- what cannot be read ---- */

static void
what_if_it_cannot_be_read(void)
{
    static const struct {
        const char *name;
        const char *dict;
        const char *data;
        enum pdfpipe_status st;
    } rows[] = {
        { "another filter", "<</N 1/First 4/Filter/LZWDecode>>", "1 0 null",
          PDFPIPE_OK },
        { "two filters", "<</N 1/First 4/Filter[/ASCIIHexDecode/FlateDecode]>>",
          "1 0 null", PDFPIPE_OK },
        { "no deflated data", "<</N 1/First 4/Filter/FlateDecode>>", "1 0 null",
          PDFPIPE_OK },
        { "no /N", "<</First 4>>", "1 0 null", PDFPIPE_OK },
        { "too large a /N", "<</N 1000/First 4>>", "1 0 null", PDFPIPE_OK },
        { "too large a /First", "<</N 1/First 9>>", "1 0 null", PDFPIPE_OK },
        { "more than may be", "<</N 1/First 4>>",
          "1 0 [0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0]",
          PDFPIPE_E_LIMIT },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_view data = { (const uint8_t *)rows[i].data,
                                strlen(rows[i].data) };
        struct pp_input input = pp_input_over(&data);
        struct pp_stretch s = { 0 };
        struct pp_objstm o = {
            .number = 9,
            .dict = { (const uint8_t *)rows[i].dict, strlen(rows[i].dict) },
            .input = &input,
            .length = data.n,
        };
        struct pp_seal_context c = { .inflate_max = 20 };
        struct pp_buf scratch = { 0 };
        struct pdfpipe_error err = { .code = PDFPIPE_OK };
        struct pp_xref x;
        enum pdfpipe_status st;

        xref_of(&x, &streams[0]);
        c.xref = &x;
        st = pp_members_read(&s, &o, &c, &scratch, &err);
        CHECK(st == rows[i].st, "%s: %d", rows[i].name, st);
        if (rows[i].st) {
            CHECK(err.code == st && err.object == 9 && err.message[0],
                  "%s: object %u", rows[i].name, err.object);
            CHECK(s.members == 0, "%s", rows[i].name);
        } else {
            CHECK(s.members == 1 && s.member[0].number == 0 &&
                      s.member[0].stream == 9,
                  "%s: stands for all of them", rows[i].name);
            CHECK(s.notes.count == 1 &&
                      s.notes.warning[0].code == PDFPIPE_W_OBJSTM_OPAQUE &&
                      s.notes.warning[0].object == 9,
                  "%s: noted", rows[i].name);
            CHECK(err.code == PDFPIPE_OK, "%s: no error", rows[i].name);
        }
        free(s.member);
        pp_xref_fini(&x);
        pp_buf_fini(&scratch);
    }
}

/* An error of the input is not taken for a bad stream. */
static enum pdfpipe_status
fail_read(void *self, uint64_t offset, void *dst, size_t n,
          struct pdfpipe_error *err)
{
    (void)self, (void)dst, (void)n;
    return pp_fail_at(err, PDFPIPE_E_READ, offset, "cannot read");
}

static void
is_an_input_error_passed_on(void)
{
    static const char dict[] = "<</N 1/First 4>>";
    struct pp_input input = { .size = 8, .read = fail_read };
    struct pp_objstm o = { .number = 9,
                           .dict = { (const uint8_t *)dict, sizeof dict - 1 },
                           .input = &input,
                           .length = 8 };
    struct pp_buf scratch = { 0 };
    struct pp_stretch s = { 0 };
    struct pdfpipe_error err;
    struct pp_xref x;
    struct pp_seal_context c = { .xref = &x, .inflate_max = 100 };

    xref_of(&x, &streams[0]);
    CHECK(pp_members_read(&s, &o, &c, &scratch, &err) == PDFPIPE_E_READ &&
              err.object == 9,
          "object %u", err.object);
    CHECK(s.members == 0 && s.notes.count == 0, "nothing was learnt");
    free(s.member);
    pp_xref_fini(&x);
    pp_buf_fini(&scratch);
}

/* Rows of one stretch grow over several streams. */
static void
do_rows_of_many_streams_stay(void)
{
    enum { STREAMS = 200 };
    struct pp_view data = { (const uint8_t *)"1 0 2 2 0 0", 11 };
    struct pp_input input = pp_input_over(&data);
    static const char dict[] = "<</N 2/First 8>>";
    struct pp_buf scratch = { 0 };
    struct pp_stretch s = { 0 };

    for (uint32_t i = 0; i < STREAMS; i++) {
        struct pp_objstm o = {
            .number = 100 + i,
            .dict = { (const uint8_t *)dict, sizeof dict - 1 },
            .input = &input,
            .length = data.n,
        };
        struct pp_xref x = { 0 };
        struct pp_seal_context c = { .xref = &x, .inflate_max = 100 };

        for (uint32_t k = 1; k <= 2; k++) {
            struct pp_entry e = { .kind = PP_ENTRY_COMPRESSED,
                                  .stream = 100 + i,
                                  .index = k - 1 };

            if (pp_xref_set(&x, k, e, NULL))
                abort();
        }
        CHECK(pp_members_read(&s, &o, &c, &scratch, NULL) == PDFPIPE_OK, "%u",
              i);
        pp_xref_fini(&x);
    }
    CHECK(s.members == 2u * STREAMS, "%zu", s.members);
    for (uint32_t i = 0; i < s.members; i++)
        CHECK(s.member[i].stream == 100 + i / 2 && s.member[i].index == i % 2,
              "row %u", i);
    free(s.member);
    pp_buf_fini(&scratch);
}

int
main(void)
{
    for (size_t i = 0; i < sizeof streams / sizeof streams[0]; i++) {
        is_it_read(&streams[i], false);
        is_it_read(&streams[i], true);
        is_it_learnt_while_sealing(&streams[i], false);
        is_it_learnt_while_sealing(&streams[i], true);
    }
    is_all_learnt_wherever_pieces_end();
    does_memory_stay_the_same();
    what_if_it_cannot_be_read();
    is_an_input_error_passed_on();
    do_rows_of_many_streams_stay();
    return check_report("members_test");
}
