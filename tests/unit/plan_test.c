/*
 * plan_test.c - is an object laid out so that only spans can change, and does
 *               nothing of its comments and strings stay beside them?
 */
#include "seal/plan.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "check.h"
#include "dies.h"
#include "madepdf.h"
#include "pdf/lex.h"
#include "pdf/string.h"

static struct pp_scanner *scanner;

/* A stretch with exactly this room, each part on the heap for itself. */
static struct pp_stretch
stretch_with(const struct pp_room *room, size_t objects)
{
    struct pp_stretch s = {
        .text = malloc(room->text ? room->text : 1),
        .text_cap = room->text,
        .out_cap = room->out,
        .span = calloc(room->spans ? room->spans : 1, sizeof *s.span),
        .span_cap = room->spans,
        .placed = calloc(objects ? objects : 1, sizeof *s.placed),
        .placed_cap = objects,
    };

    if (!s.text || !s.span || !s.placed)
        abort();
    return s;
}

static void
stretch_free(struct pp_stretch *s)
{
    free(s->text);
    free(s->span);
    free(s->placed);
}

/* The output with a placeholder for each span: {abc} for a string of this
 * value, {stream 5} for a piece of five bytes; false: places do not fit. */
static bool
print_output(const struct pp_stretch *s, struct pp_buf *to)
{
    size_t in = 0, out = 0;

    to->n = 0;
    for (size_t i = 0; i < s->spans; i++) {
        const struct pp_span *p = &s->span[i];
        uint8_t value[100];

        /* The text before it takes the same room on both sides. */
        if (p->in < in || p->out < out || p->in - in != p->out - out)
            return false;
        (void)pp_buf_append(to, s->text + in, p->in - in);
        in = p->in + p->in_len;
        if (p->kind == PP_SPAN_STRING) {
            size_t n =
                pp_string_decode((struct pp_view){ s->text + p->in, p->in_len },
                                 value, sizeof value);

            (void)pp_buf_append(to, "{", 1);
            (void)pp_buf_append(to, value, n);
            (void)pp_buf_append(to, "}", 1);
            if (n != p->plain)
                return false;
        } else {
            (void)pp_buf_printf(to, "{stream %u}", p->plain);
        }
        out = i + 1 < s->spans ? s->span[i + 1].out - (s->span[i + 1].in - in)
                               : s->out_n - (s->text_n - in);
        /* Room that the span has in the output. */
        if (p->kind == PP_SPAN_STRING &&
            out - p->out != 2 + 2 * pp_stored_len(p->plain))
            return false;
    }
    (void)pp_buf_append(to, s->text + in, s->text_n - in);
    return s->text_n <= s->text_cap && s->out_n <= s->out_cap;
}

static enum pdfpipe_status
scan(const char *text, struct pp_object *o)
{
    return pp_object_scan(scanner, view_of(text), 0, true, PP_SCAN_INDIRECT, o,
                          NULL);
}

/* clang-format off */
static const struct {
    const char *what, *text, *want;
} rows[] = {
    { "integer",           "1 0 obj 5 endobj",             "1 0 obj\n5\nendobj\n" },
    { "generation",        "7 3 obj[7 3 R]endobj",         "7 3 obj\n[7 3 R]\nendobj\n" },
    { "nothing is null",   "1 0 obj endobj",               "1 0 obj\nnull\nendobj\n" },
    { "only a comment",    "1 0 obj%secret\nendobj",       "1 0 obj\nnull\nendobj\n" },
    { "string",            "1 0 obj(abc)endobj",           "1 0 obj\n{abc}\nendobj\n" },
    { "empty string",      "1 0 obj()endobj",              "1 0 obj\n{}\nendobj\n" },
    { "hexadecimal",       "1 0 obj<414>endobj",           "1 0 obj\n{A@}\nendobj\n" },
    { "escapes",           "1 0 obj(\\(\\101\\\n)endobj",  "1 0 obj\n{(A}\nendobj\n" },
    { "both in a dictionary", "1 0 obj<</Key(abc)/K2<41>>>endobj", "1 0 obj\n<</Key{abc}/K2{A}>>\nendobj\n" },
    { "both in an array",  "1 0 obj[<41>(b)]endobj",       "1 0 obj\n[{A}{b}]\nendobj\n" },
    { "white space kept",  "1 0 obj\r\n<<  /A\t(b) >>\r\nendobj", "1 0 obj\n<<  /A\t{b} >>\nendobj\n" },
    { "comments become blanks", "1 0 obj<<%secret\n/A%secret\n(b)%secret\n>>endobj", "1 0 obj\n<< \n/A \n{b} \n>>\nendobj\n" },
    { "comments that divide", "1 0 obj[/A%secret\n/B 1%secret\n2]endobj", "1 0 obj\n[/A \n/B 1 \n2]\nendobj\n" },
    { "comments around",   "1%secret\n0%secret\nobj%secret\n[1]%secret\nendobj%secret\n", "1 0 obj\n[1]\nendobj\n" },
    { "comment in a reference", "1 0 obj[5%secret\n0%secret\nR]endobj", "1 0 obj\n[5 \n0 \nR]\nendobj\n" },
    { "reference alone",   "1 0 obj 5 %secret\n 0 %secret\n R endobj", "1 0 obj\n5 0 R\nendobj\n" },
    { "percent in a string", "1 0 obj(%x)endobj",          "1 0 obj\n{%x}\nendobj\n" },
    { "extra tokens",      "1 0 obj(a)(secret)endobj",     "1 0 obj\n{a}\nendobj\n" },
    { "signature",         "1 0 obj<</Type/Sig/ByteRange[0 1]/Contents<3082 aF>/Reason(r)>>endobj", "1 0 obj\n<</Type/Sig/ByteRange[0 1]/Contents<3082 aF>/Reason{r}>>\nendobj\n" },
    { "annotation",        "1 0 obj<</Type/Annot/Contents(c)>>endobj", "1 0 obj\n<</Type/Annot/Contents{c}>>\nendobj\n" },
    { "no endobj",         "1 0 obj[1]\n2 0 obj",          "1 0 obj\n[1]\nendobj\n" },
    /* streams: up to their data; /Length becomes 4711 */
    { "stream",            "1 0 obj<</Length 5>>stream\nabcde", "1 0 obj\n<</Length 4711>>\nstream\n" },
    { "stream, CR",        "1 0 obj<</Length 5>>\r\nstream\rabcde", "1 0 obj\n<</Length 4711>>\nstream\n" },
    { "indirect length",   "1 0 obj<</Length 5 0 R/A(b)>>stream\nabcde", "1 0 obj\n<</Length 4711/A{b}>>\nstream\n" },
    { "length, comments",  "1 0 obj<</Length 5%secret\n0%secret\nR/A(b)>>stream\n", "1 0 obj\n<</Length 4711/A{b}>>\nstream\n" },
    { "comment before length", "1 0 obj<</Length%secret\n5>>stream\n", "1 0 obj\n<</Length \n4711>>\nstream\n" },
    { "two lengths",       "1 0 obj<</Length 5/Length 6 0 R>>stream\n", "1 0 obj\n<</Length 4711/Length 4711>>\nstream\n" },
    { "length, no stream", "1 0 obj<</Length 40/A(b)>>endobj", "1 0 obj\n<</Length 40/A{b}>>\nendobj\n" },
    { "length, no stream, reference", "1 0 obj<</Length 4 0 R>>endobj", "1 0 obj\n<</Length 4 0 R>>\nendobj\n" },
    { "length, no stream, string", "1 0 obj<</Length(x)>>endobj", "1 0 obj\n<</Length{x}>>\nendobj\n" },
    { "length a string",   "1 0 obj<</Length(secret)/A(b)>>stream\n", "1 0 obj\n<</Length 4711 /A{b}>>\nstream\n" },
    { "length an array",   "1 0 obj<</Length[5(secret)%secret\n]>>stream\n", "1 0 obj\n<</Length 4711 >>\nstream\n" },
    { "length elsewhere",  "1 0 obj<</A<</Length 5>>/Length 5>>stream\n", "1 0 obj\n<</A<</Length 5>>/Length 4711>>\nstream\n" },
};
/* clang-format on */

/* Room for one string of `plain` bytes at most, as measured, suffices. */
static void
how_is_an_object_laid_out(void)
{
    struct pp_buf got = { 0 };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_object o;
        struct pp_plan plan = { .object = &o,
                                .source = view_of(rows[i].text),
                                .length = 4711 };
        struct pp_room room;
        struct pp_stretch s;

        if (!CHECK(scan(rows[i].text, &o) == PDFPIPE_OK, "%s", rows[i].what))
            continue;
        plan.number = o.number;
        plan.generation = o.generation;
        CHECK(pp_plan_measure(&plan, &room, NULL) == PDFPIPE_OK, "%s",
              rows[i].what);
        s = stretch_with(&room, 1);
        CHECK(pp_plan_fits(&s, &room), "%s", rows[i].what);
        pp_plan_object(&s, &plan);
        CHECK(print_output(&s, &got), "%s: places", rows[i].what);
        CHECK(pp_view_is(pp_buf_view(&got), rows[i].want), "%s: %.*s",
              rows[i].what, (int)got.n, (const char *)got.p);
        CHECK(!memmem(s.text, s.text_n, "secret", 6), "%s: in text",
              rows[i].what);
        CHECK(s.placed_n == 1 && s.placed[0].number == o.number &&
                  s.placed[0].generation == o.generation &&
                  s.placed[0].in == 0 && s.placed[0].out == 0,
              "%s", rows[i].what);
        CHECK(s.highest_ref == o.highest_ref, "%s", rows[i].what);
        stretch_free(&s);
    }
    pp_buf_fini(&got);
}

static void
are_edits_and_marks_merged(void)
{
    static const char text[] =
        "1 0 obj<</A(a)/B[(b)%c\n(d)]/Length 5>>stream\n";
    static const struct {
        const char *what;
        struct pp_edit edit[3];
        size_t n;
        const char *want;
    } cases[] = {
        { "at the beginning",
          { { 0, 0, { (const uint8_t *)"x", 1 } } },
          1,
          "x<</A{a}/B[{b} \n{d}]/Length 7>>" },
        { "before a string",
          { { 4, 0, { (const uint8_t *)"x", 1 } } },
          1,
          "<</Ax{a}/B[{b} \n{d}]/Length 7>>" },
        { "a string away",
          { { 4, 3, { (const uint8_t *)"5", 1 } } },
          1,
          "<</A5/B[{b} \n{d}]/Length 7>>" },
        { "an array away",
          { { 9, 11, { (const uint8_t *)"5", 1 } } },
          1,
          "<</A{a}/B5/Length 7>>" },
        { "behind a string",
          { { 7, 0, { (const uint8_t *)"x", 1 } } },
          1,
          "<</A{a}x/B[{b} \n{d}]/Length 7>>" },
        { "before the end",
          { { 29, 0, { (const uint8_t *)"x", 1 } } },
          1,
          "<</A{a}/B[{b} \n{d}]/Length 7x>>" },
        { "at the end",
          { { 31, 0, { (const uint8_t *)"x", 1 } } },
          1,
          "<</A{a}/B[{b} \n{d}]/Length 7>>x" },
        { "several",
          { { 4, 3, { (const uint8_t *)"5", 1 } },
            { 9, 11, { (const uint8_t *)"", 0 } },
            { 29, 0, { (const uint8_t *)"/C 1", 4 } } },
          3,
          "<</A5/B/Length 7/C 1>>" },
    };
    struct pp_buf got = { 0 };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pp_edits edits = { .n = cases[i].n };
        struct pp_object o;
        struct pp_plan plan = { .object = &o,
                                .source = view_of(text),
                                .edits = &edits,
                                .number = 1,
                                .length = 7 };
        struct pp_room room;
        struct pp_stretch s;

        memcpy(edits.edit, cases[i].edit, sizeof cases[i].edit);
        CHECK(scan(text, &o) == PDFPIPE_OK, "scan");
        CHECK(pp_plan_measure(&plan, &room, NULL) == PDFPIPE_OK, "measure");
        s = stretch_with(&room, 1);
        pp_plan_object(&s, &plan);
        CHECK(print_output(&s, &got), "%s", cases[i].what);
        /* Behind "1 0 obj\n" and before "\nstream\n". */
        CHECK(got.n == 16 + strlen(cases[i].want) &&
                  memcmp(got.p + 8, cases[i].want, got.n - 16) == 0,
              "%s: %.*s", cases[i].what, (int)got.n, (const char *)got.p);
        stretch_free(&s);
    }
    pp_buf_fini(&got);
}

/* Objects one behind the other, a stream with its data between. */
static void
do_objects_follow_each_other(void)
{
    static const char *const texts[] = { "1 0 obj(a)endobj",
                                         "2 0 obj<</Length 3>>stream\nxyz",
                                         "3 0 obj[9 0 R]endobj" };
    struct pp_room all = { 1000, 1000, 10 };
    struct pp_stretch s = stretch_with(&all, 3);
    struct pp_piece piece = { .number = 2,
                              .bytes = (const uint8_t *)"xyz",
                              .plain = 3,
                              .first = true,
                              .last = true };
    struct pp_buf got = { 0 };

    for (size_t i = 0; i < 3; i++) {
        struct pp_object o;
        struct pp_plan plan = { .object = &o,
                                .source = view_of(texts[i]),
                                .number = (uint32_t)i + 1,
                                .length = 32 };

        CHECK(scan(texts[i], &o) == PDFPIPE_OK, "%zu", i);
        pp_plan_object(&s, &plan);
        if (o.stream) {
            pp_plan_piece(&s, &piece);
            pp_plan_stream_end(&s);
        }
    }
    CHECK(print_output(&s, &got), "places");
    CHECK(pp_view_is(pp_buf_view(&got),
                     "1 0 obj\n{a}\nendobj\n"
                     "2 0 obj\n<</Length 32>>\nstream\n{stream 3}"
                     "\nendstream\nendobj\n"
                     "3 0 obj\n[9 0 R]\nendobj\n"),
          "%.*s", (int)got.n, (const char *)got.p);
    CHECK(s.spans == 2 && s.span[1].kind == PP_SPAN_STREAM &&
              s.span[1].in_text && s.span[1].number == 2 && s.span[1].first &&
              s.span[1].last && s.span[1].in_len == 3,
          "the piece");
    CHECK(s.placed_n == 3 && s.placed[1].number == 2 &&
              memcmp(s.text + s.placed[1].in, "2 0 obj", 7) == 0 &&
              memcmp(s.text + s.placed[2].in, "3 0 obj", 7) == 0,
          "where they begin");
    CHECK(s.highest_ref == 9, "highest reference");
    pp_buf_fini(&got);
    stretch_free(&s);
}

static void
how_much_room_takes_a_piece(void)
{
    /* clang-format off */
    static const struct {
        const char *what;
        size_t plain;
        bool in_memory, first, last, clear, checking;
        size_t text, out;
    } cases[] = {
        { "whole stream, read",     100, false, true,  true,  false, false, 0,   16 + 112 },
        { "whole stream, inline",   100, true,  true,  true,  false, false, 100, 16 + 112 },
        { "whole blocks",           96,  false, true,  true,  false, false, 0,   16 + 112 },
        { "empty stream",           0,   false, true,  true,  false, false, 0,   32 },
        { "first piece",            512, false, true,  false, false, false, 0,   16 + 512 },
        { "middle piece",           512, false, false, false, false, false, 0,   512 },
        { "last piece",             100, false, false, true,  false, false, 0,   112 },
        { "last piece, empty",      0,   false, false, true,  false, false, 0,   16 },
        { "clear",                  100, false, true,  true,  true,  false, 0,   100 },
        { "clear, inline",          100, true,  true,  true,  true,  false, 100, 100 },
        { "checked",                112, false, true,  true,  false, true,  0,   128 },
        { "checked, inline",        112, true,  true,  true,  false, true,  128, 128 },
        { "checked, middle",        512, false, false, false, false, true,  0,   528 },
        { "checked, clear",         100, true,  true,  true,  true,  true,  100, 100 },
    };
    /* clang-format on */

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t bytes[600] = { 1 };
        struct pp_piece piece = {
            .number = 5,
            .generation = 1,
            .source = 1000,
            .at = 4096,
            .bytes = cases[i].in_memory ? bytes : NULL,
            .plain = cases[i].plain,
            .first = cases[i].first,
            .last = cases[i].last,
            .clear = cases[i].clear,
            .checking = cases[i].checking,
        };
        struct pp_room room = pp_piece_room(&piece);
        struct pp_stretch s = stretch_with(&room, 0);

        CHECK(room.text == cases[i].text && room.out == cases[i].out &&
                  room.spans == 1,
              "%s: %zu %zu", cases[i].what, room.text, room.out);
        pp_plan_piece(&s, &piece);
        CHECK(s.text_n == room.text && s.out_n == room.out && s.spans == 1,
              "%s: all of it", cases[i].what);
        CHECK(s.span[0].kind == PP_SPAN_STREAM &&
                  s.span[0].plain == cases[i].plain &&
                  s.span[0].clear == cases[i].clear &&
                  s.span[0].first == cases[i].first &&
                  s.span[0].last == cases[i].last &&
                  s.span[0].in_text == cases[i].in_memory &&
                  s.span[0].number == 5 && s.span[0].generation == 1 &&
                  s.span[0].source == 1000 && s.span[0].at == 4096,
              "%s", cases[i].what);
        CHECK(memcmp(s.text, bytes, room.text) == 0, "%s", cases[i].what);
        stretch_free(&s);
    }
}

/* For checking, the token's own bytes are what is decoded and decrypted. */
static void
is_a_checked_string_given_its_room(void)
{
    static const char text[] = "1 0 obj[<0011223344>(ab)]endobj";
    struct pp_object o;
    struct pp_plan plan = {
        .object = &o, .source = view_of(text), .number = 1, .checking = true
    };
    struct pp_room room;
    struct pp_stretch s;

    CHECK(scan(text, &o) == PDFPIPE_OK, "scan");
    CHECK(pp_plan_measure(&plan, &room, NULL) == PDFPIPE_OK, "measure");
    s = stretch_with(&room, 1);
    pp_plan_object(&s, &plan);
    CHECK(s.spans == 2 && s.span[0].plain == 5 && s.span[0].in_len == 12 &&
              s.span[1].plain == 2 && s.span[1].in_len == 4,
          "spans");
    CHECK(s.span[1].out == s.span[0].out + 5 &&
              s.out_n == s.span[1].out + 2 + strlen("]\nendobj\n"),
          "decoded bytes only");
    stretch_free(&s);
}

/* What does not fit is said beforehand, whichever room is short. */
static void
is_every_room_looked_at(void)
{
    static const struct {
        const char *what;
        struct pp_room room;
        size_t objects;
        bool fits;
    } cases[] = {
        { "exactly", { 10, 20, 3 }, 1, true },
        { "no text", { 9, 20, 3 }, 1, false },
        { "no output", { 10, 19, 3 }, 1, false },
        { "no spans", { 10, 20, 2 }, 1, false },
        { "no objects", { 10, 20, 3 }, 0, false },
    };
    static const struct pp_room need = { 10, 20, 3 };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pp_stretch s = stretch_with(&cases[i].room, cases[i].objects);

        CHECK(pp_plan_fits(&s, &need) == cases[i].fits, "%s", cases[i].what);
        stretch_free(&s);
    }
}

/* Sizes that nobody wants to lay out are refused by their numbers alone. */
static void
is_an_object_that_grows_too_large_refused(void)
{
    struct pdfpipe_error err = { .code = PDFPIPE_OK };
    static const char text[] = "1 0 obj[(a)]endobj";
    struct pp_object o;
    struct pp_plan plan = { .object = &o,
                            .source = view_of(text),
                            .number = 1 };
    struct pp_room room;

    CHECK(scan(text, &o) == PDFPIPE_OK, "scan");
    o.mark[0].decoded = (size_t)200 << 20;
    CHECK(pp_plan_measure(&plan, &room, &err) == PDFPIPE_OK &&
              room.out > (size_t)400 << 20,
          "%s", err.message);
    o.mark[0].decoded = (size_t)300 << 20;
    CHECK(pp_plan_measure(&plan, &room, &err) == PDFPIPE_E_LIMIT &&
              err.code == PDFPIPE_E_LIMIT,
          "output");
    plan.checking = true; /* there strings do not grow */
    CHECK(pp_plan_measure(&plan, &room, &err) == PDFPIPE_OK, "checking");
    o.body_end = o.body + ((size_t)1 << 30) + 1;
    CHECK(pp_plan_measure(&plan, &room, &err) == PDFPIPE_E_LIMIT, "text");
}

static void
put_too_much(void *arg)
{
    struct pp_room room = { 3, 3, 0 };
    struct pp_stretch s = stretch_with(&room, 0);

    (void)arg;
    pp_plan_text(&s, "abcd", 4);
}

static void
is_missing_room_asserted(void)
{
    CHECK(dies_of(put_too_much, NULL) == SIGABRT, "text");
}

static const struct pp_mark *
length_at(const struct pp_object *o, size_t at)
{
    for (size_t i = 0; i < o->marks; i++)
        if (o->mark[i].kind == PP_MARK_LENGTH && o->mark[i].at == at)
            return &o->mark[i];
    return NULL;
}

/* Laid out, the value has the tokens that it had, but for /Length. */
static bool
are_tokens_kept(struct pp_view source, const struct pp_object *o,
                const struct pp_stretch *s)
{
    struct pp_lex from = pp_lex_over(
        (struct pp_view){ source.p + o->body, o->body_end - o->body });
    struct pp_lex to = pp_lex_over((struct pp_view){ s->text, s->text_n });
    struct pp_token a, b;

    for (int i = 0; i < 3; i++)
        pp_lex_next(&to, &b); /* n g obj */
    for (;;) {
        const struct pp_mark *m;

        pp_lex_next(&from, &a);
        pp_lex_next(&to, &b);
        if (a.kind == PP_TOK_END)
            return pp_token_is(&to, &b,
                               o->stream                ? "stream"
                               : o->body == o->body_end ? "null"
                                                        : "endobj");
        m = length_at(o, o->body + a.at);
        if (m)
            from.at = m->at + m->len - o->body;
        if (m ? b.kind != PP_TOK_INTEGER || b.value != 1
              : a.kind != b.kind || !pp_view_is_equal(pp_token_view(&from, &a),
                                                      pp_token_view(&to, &b)))
            return false;
    }
}

/* Every object of up to four of these tokens: no string and no comment is left
 * in the text beside the spans, all else is kept, and the room was enough. */
static void
small_scope_of_layouts(void)
{
    static const char *const words[] = {
        "<<",      ">>", "[",  "]",      "(sec)",     "<4142>",
        "/Length", "5 ", "R ", "%sec\n", "/Contents", "/ByteRange[]",
    };
    enum { WORDS = sizeof words / sizeof words[0] };
    size_t tried = 0, laid = 0, wrong = 0;
    struct pp_buf b = { 0 }, got = { 0 };

    for (size_t n = 0; n <= 4; n++) {
        size_t total = 1;

        for (size_t k = 0; k < n; k++)
            total *= WORDS;
        for (size_t code = 0; code < total * 2; code++) {
            struct pp_object o;
            struct pp_plan plan = { .object = &o, .number = 1, .length = 1 };
            struct pp_room room;
            struct pp_stretch s;
            size_t c = code / 2;
            bool dict = code % 2;

            b.n = 0;
            (void)pp_buf_printf(&b, "1 0 obj %s", dict ? "<<" : "");
            for (size_t k = 0; k < n; k++, c /= WORDS)
                (void)pp_buf_printf(&b, "%s", words[c % WORDS]);
            (void)pp_buf_printf(&b, "%s", dict ? ">>stream\n" : " endobj ");
            tried++;
            plan.source = pp_buf_view(&b);
            if (pp_object_scan(scanner, plan.source, 0, true, PP_SCAN_INDIRECT,
                               &o, NULL))
                continue;
            laid++;
            if (pp_plan_measure(&plan, &room, NULL))
                abort();
            s = stretch_with(&room, 1);
            pp_plan_object(&s, &plan);
            wrong += !print_output(&s, &got);
            wrong += !are_tokens_kept(plan.source, &o, &s);
            for (size_t i = 0; i < s.spans; i++) /* {sec} is a string's */
                memset(s.text + s.span[i].in, 'x', s.span[i].in_len);
            wrong += !o.signature && memmem(s.text, s.text_n, "sec", 3);
            wrong += memmem(s.text, s.text_n, "%", 1) != NULL;
            stretch_free(&s);
        }
    }
    CHECK(wrong == 0, "%zu of %zu", wrong, laid);
    CHECK(tried == 45242 && laid > 5000, "tried %zu, laid out %zu", tried,
          laid);
    pp_buf_fini(&b);
    pp_buf_fini(&got);
}

int
main(void)
{
    if (pp_scanner_new(&scanner, NULL))
        return 1;
    how_is_an_object_laid_out();
    are_edits_and_marks_merged();
    do_objects_follow_each_other();
    how_much_room_takes_a_piece();
    is_a_checked_string_given_its_room();
    is_every_room_looked_at();
    is_an_object_that_grows_too_large_refused();
    is_missing_room_asserted();
    small_scope_of_layouts();
    pp_scanner_free(scanner);
    return check_report("plan");
}
