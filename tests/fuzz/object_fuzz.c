/*
 * object_fuzz.c - any bytes as an indirect object
 *
 * Properties: a part of the text gives "more", or what all of it gives; each
 * string and each comment in the value is marked, so that the laid-out text
 * holds neither; all other tokens are in it as they were; the measured room
 * suffices; an error says what and where.
 */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "pdf/lex.h"
#include "pdf/string.h"
#include "seal/plan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#define MARKS_CHECKED 4096u /* comparing all with all takes time */

static struct pp_scanner *scanner;

static void
need(bool holds)
{
    if (!holds)
        abort();
}

static enum pdfpipe_status
scan(struct pp_view text, bool whole, struct pp_object *o)
{
    struct pdfpipe_error err = { .code = PDFPIPE_OK };
    enum pdfpipe_status st =
        pp_object_scan(scanner, text, 0, whole, PP_SCAN_INDIRECT, o, &err);

    if (st) {
        need(st == PDFPIPE_E_DAMAGED_OBJECT || st == PDFPIPE_E_LIMIT);
        need(err.code == st && err.message[0] && err.offset <= text.n);
    } else {
        need(!(whole && o->more));
    }
    return st;
}

/* What a cut text gives is what all of it gives. */
static void
check_cut(struct pp_view text, size_t cut, enum pdfpipe_status want,
          const struct pp_object *o)
{
    uint8_t *p = malloc(cut ? cut : 1);
    struct pp_object part;
    enum pdfpipe_status st;

    need(p != NULL);
    if (cut)
        memcpy(p, text.p, cut);
    st = scan((struct pp_view){ p, cut }, false, &part);
    free(p);
    if (!st && part.more)
        return;
    need(st == want);
    if (st)
        return;
    need(part.number == o->number && part.generation == o->generation);
    need(part.body == o->body && part.body_end == o->body_end &&
         part.end == o->end);
    need(part.stream == o->stream && part.dictionary == o->dictionary &&
         part.integer == o->integer && part.type == o->type &&
         part.crypt == o->crypt && part.external == o->external &&
         part.linearized == o->linearized && part.signature == o->signature);
    need(part.length_kind == o->length_kind && part.length == o->length &&
         part.highest_ref == o->highest_ref && part.marks == o->marks &&
         part.odd == o->odd && part.odd_at == o->odd_at);
}

static bool
is_marked(const struct pp_object *o, size_t at, const struct pp_token *t)
{
    for (size_t i = 0; i < o->marks; i++) {
        const struct pp_mark *m = &o->mark[i];

        if (t->kind == PP_TOK_COMMENT && m->at <= at &&
            at + t->len <= m->at + m->len)
            return true;
        if (m->kind == PP_MARK_STRING && m->at == at && m->len == t->len &&
            m->decoded == t->decoded)
            return true;
    }
    return false;
}

static void
check_marks(struct pp_view text, const struct pp_object *o)
{
    struct pp_lex lex = pp_lex_over(
        (struct pp_view){ text.p + o->body, o->body_end - o->body });
    struct pp_token t;

    need(o->body <= o->body_end && o->body_end <= o->end && o->end <= text.n);
    lex.comments = true;
    for (pp_lex_next(&lex, &t); t.kind != PP_TOK_END; pp_lex_next(&lex, &t)) {
        need(t.kind != PP_TOK_OPEN_STRING);
        if (t.kind == PP_TOK_LITERAL || t.kind == PP_TOK_HEX ||
            t.kind == PP_TOK_COMMENT)
            need(is_marked(o, o->body + t.at, &t));
    }
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
static void
check_tokens(struct pp_view text, const struct pp_object *o,
             struct pp_view laid_out)
{
    struct pp_lex from = pp_lex_over(
        (struct pp_view){ text.p + o->body, o->body_end - o->body });
    struct pp_lex to = pp_lex_over(laid_out);
    struct pp_token a, b;

    for (int i = 0; i < 3; i++)
        pp_lex_next(&to, &b); /* n g obj */
    for (;;) {
        const struct pp_mark *m;

        pp_lex_next(&from, &a);
        pp_lex_next(&to, &b);
        if (a.kind == PP_TOK_END)
            break;
        m = length_at(o, o->body + a.at);
        if (m) {
            need(b.kind == PP_TOK_INTEGER && b.value == UINT64_MAX);
            from.at = m->at + m->len - o->body;
            continue;
        }
        need(a.kind == b.kind && pp_view_is_equal(pp_token_view(&from, &a),
                                                  pp_token_view(&to, &b)));
    }
    need(pp_token_is(&to, &b,
                     o->stream                ? "stream"
                     : o->body == o->body_end ? "null"
                                              : "endobj"));
}

/* The bytes of the output beside its spans hold no string and no comment but
 * those of signatures. */
static void
check_layout(struct pp_view text, const struct pp_object *o)
{
    struct pp_plan plan = { .object = o,
                            .source = text,
                            .number = o->number,
                            .generation = o->generation,
                            .length = UINT64_MAX };
    struct pp_placed placed;
    struct pp_stretch s = { .placed = &placed, .placed_cap = 1 };
    struct pp_room room;
    struct pp_token t;
    struct pp_lex lex;
    size_t clear = 0, found = 0;

    if (pp_plan_measure(&plan, &room, NULL))
        return;
    s.text = malloc(room.text);
    s.span = calloc(room.spans + 1, sizeof *s.span);
    need(s.text && s.span);
    s.text_cap = room.text;
    s.out_cap = room.out;
    s.span_cap = room.spans;
    pp_plan_object(&s, &plan);
    check_tokens(text, o, (struct pp_view){ s.text, s.text_n });
    for (size_t i = 0; i < s.spans; i++) {
        uint8_t *to = malloc(s.span[i].plain ? s.span[i].plain : 1);

        need(to != NULL);
        need(pp_string_decode(
                 (struct pp_view){ s.text + s.span[i].in, s.span[i].in_len },
                 to, s.span[i].plain) == s.span[i].plain);
        free(to);
        memset(s.text + s.span[i].in, ' ', s.span[i].in_len);
    }
    for (size_t i = 0; i < o->marks; i++)
        clear += o->mark[i].kind == PP_MARK_STRING && o->mark[i].signature;
    lex = pp_lex_over((struct pp_view){ s.text, s.text_n });
    lex.comments = true;
    for (pp_lex_next(&lex, &t); t.kind != PP_TOK_END; pp_lex_next(&lex, &t)) {
        need(t.kind != PP_TOK_COMMENT && t.kind != PP_TOK_OPEN_STRING);
        found += t.kind == PP_TOK_LITERAL || t.kind == PP_TOK_HEX;
    }
    need(found <= clear);
    free(s.text);
    free(s.span);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct pp_view text = { data, n };
    struct pp_object o, again;
    enum pdfpipe_status st;
    size_t end;
    bool endobj;

    if (n == 0 || (!scanner && pp_scanner_new(&scanner, NULL)))
        return 0;
    (void)pp_endstream_here(text, &end, &endobj);
    st = scan(text, true, &o);
    /* The last byte chooses where the text is cut. */
    check_cut(text, (size_t)data[n - 1] * n / 256, st, &o);
    check_cut(text, n - 1, st, &o);
    if (st)
        return 0;
    /* The scanner keeps nothing of what it saw in between. */
    need(scan(text, true, &again) == PDFPIPE_OK && again.marks == o.marks &&
         again.end == o.end);
    if (again.marks > MARKS_CHECKED)
        return 0;
    check_marks(text, &again);
    check_layout(text, &again);
    return 0;
}
