/* plan.c - lays an object out in a stretch */
#include "seal/plan.h"

#include <string.h>

#include "base/decimal.h"
#include "base/num.h"
#include "pdf/lex.h"

#define HEADER_MAX 32u /* "4294967295 4294967295 obj\n"       */
#define SOURCE_MAX ((size_t)1 << 30)
/* Spans hold 32-bit places; but an object of empty strings grows 33-fold, and
 * no document needs one that takes so much memory. */
#define OUT_MAX ((size_t)512 << 20)

/* Bytes of a string token that stands for `plain` encrypted bytes. */
static size_t
token_out(size_t plain)
{
    return 2 + 2 * (size_t)pp_stored_len(plain);
}

enum pdfpipe_status
pp_plan_measure(const struct pp_plan *plan, struct pp_room *room,
                struct pdfpipe_error *err)
{
    const struct pp_object *o = plan->object;
    size_t body = o->body_end - o->body;
    size_t text = HEADER_MAX + body + sizeof PP_STREAM_END + PP_DECIMAL_MAX;
    size_t out, spans = 0;

    if (body > SOURCE_MAX)
        return pp_fail(err, PDFPIPE_E_LIMIT, "object is larger than %zu bytes",
                       SOURCE_MAX);
    for (size_t i = 0; plan->edits && i < plan->edits->n; i++)
        text += plan->edits->edit[i].insert.n;
    out = text;
    for (size_t i = 0; i < o->marks; i++) {
        const struct pp_mark *m = &o->mark[i];

        if (m->kind == PP_MARK_LENGTH) {
            text += PP_DECIMAL_MAX + 2;
            out += PP_DECIMAL_MAX + 2;
        } else if (m->kind == PP_MARK_STRING && !m->signature) {
            out += plan->checking ? m->decoded : token_out(m->decoded);
            spans++;
        }
    }
    if (out > OUT_MAX)
        return pp_fail(err, PDFPIPE_E_LIMIT,
                       "object is larger than %zu bytes when encrypted",
                       OUT_MAX);
    *room = (struct pp_room){ text, out, spans };
    return PDFPIPE_OK;
}

bool
pp_plan_fits(const struct pp_stretch *s, const struct pp_room *room)
{
    return room->text <= s->text_cap - s->text_n &&
           room->out <= s->out_cap - s->out_n &&
           room->spans <= s->span_cap - s->spans && s->placed_n < s->placed_cap;
}

void
pp_plan_text(struct pp_stretch *s, const void *p, size_t n)
{
    PP_ASSERT(n <= s->text_cap - s->text_n && n <= s->out_cap - s->out_n);
    if (n)
        memcpy(s->text + s->text_n, p, n);
    s->text_n += n;
    s->out_n += n;
}

static void
put_digits(struct pp_stretch *s, uint64_t v)
{
    char digits[PP_DECIMAL_MAX];

    pp_plan_text(s, digits, pp_decimal(digits, v));
}

static struct pp_span *
add_span(struct pp_stretch *s, size_t in_len, size_t out_len)
{
    struct pp_span *span = &s->span[s->spans];

    PP_ASSERT(s->spans < s->span_cap && in_len <= s->text_cap - s->text_n &&
              out_len <= s->out_cap - s->out_n);
    *span = (struct pp_span){ .in = (uint32_t)s->text_n,
                              .in_len = (uint32_t)in_len,
                              .out = (uint32_t)s->out_n };
    s->spans++;
    s->text_n += in_len;
    s->out_n += out_len;
    return span;
}

static void
put_string(struct pp_stretch *s, const struct pp_plan *plan,
           const struct pp_mark *m)
{
    uint8_t *to = s->text + s->text_n;
    struct pp_span *span = add_span(
        s, m->len, plan->checking ? m->decoded : token_out(m->decoded));

    memcpy(to, plan->source.p + m->at, m->len);
    span->kind = PP_SPAN_STRING;
    span->plain = (uint32_t)m->decoded;
}

/* The new /Length; where brackets kept the old value apart from its
 * neighbours, blanks do. */
static void
put_length(struct pp_stretch *s, const struct pp_plan *plan,
           const struct pp_mark *m)
{
    const uint8_t *p = plan->source.p + m->at;

    if (!pp_is_regular(p[0]))
        pp_plan_text(s, " ", 1);
    put_digits(s, plan->length);
    if (!pp_is_regular(p[m->len - 1]))
        pp_plan_text(s, " ", 1);
}

/* What stands instead of one mark. */
static void
put_mark(struct pp_stretch *s, const struct pp_plan *plan,
         const struct pp_mark *m)
{
    switch (m->kind) {
    case PP_MARK_COMMENT: pp_plan_text(s, " ", 1); return;
    case PP_MARK_LENGTH: put_length(s, plan, m); return;
    case PP_MARK_STRING:
        if (m->signature)
            pp_plan_text(s, plan->source.p + m->at, m->len);
        else
            put_string(s, plan, m);
        return;
    }
}

/*
 * The value's text, from mark to mark and edit to edit, both in order.  An
 * edit that covers marks (it replaces a whole value) swallows them.
 */
static void
put_body(struct pp_stretch *s, const struct pp_plan *plan)
{
    const struct pp_object *o = plan->object;
    const uint8_t *p = plan->source.p;
    size_t at = o->body, i = 0, k = 0;
    size_t edits = plan->edits ? plan->edits->n : 0;

    while (i < o->marks || k < edits) {
        const struct pp_mark *m = i < o->marks ? &o->mark[i] : NULL;
        const struct pp_edit *e = k < edits ? &plan->edits->edit[k] : NULL;

        if (m && m->at < at) {
            i++; /* before the value, or swallowed */
        } else if (e && (!m || o->body + e->at <= m->at)) {
            pp_plan_text(s, p + at, o->body + e->at - at);
            pp_plan_text(s, e->insert.p, e->insert.n);
            at = o->body + e->at + e->remove;
            k++;
        } else if (m) {
            if (m->at >= o->body_end)
                break;
            pp_plan_text(s, p + at, m->at - at);
            put_mark(s, plan, m);
            at = m->at + m->len;
            i++;
        }
    }
    pp_plan_text(s, p + at, o->body_end - at);
}

void
pp_plan_object(struct pp_stretch *s, const struct pp_plan *plan)
{
    const struct pp_object *o = plan->object;

    PP_ASSERT(s->placed_n < s->placed_cap);
    s->placed[s->placed_n++] =
        (struct pp_placed){ plan->number, plan->generation, (uint32_t)s->text_n,
                            (uint32_t)s->out_n };
    s->highest_ref = pp_max(s->highest_ref, o->highest_ref);
    put_digits(s, plan->number);
    pp_plan_text(s, " ", 1);
    put_digits(s, plan->generation);
    pp_plan_text(s, " obj\n", 5);
    if (o->body == o->body_end)
        pp_plan_text(s, "null", 4);
    else
        put_body(s, plan);
    if (o->stream)
        pp_plan_text(s, "\nstream\n", 8);
    else
        pp_plan_text(s, "\nendobj\n", 8);
}

/* Bytes that a piece takes in text: its own, when checking behind the block
 * that is its IV. */
static size_t
piece_in(const struct pp_piece *piece)
{
    if (!piece->bytes)
        return 0;
    return piece->plain + (piece->checking && !piece->clear ? PP_AES_BLOCK : 0);
}

/* Bytes that a piece takes in out. */
static size_t
piece_out(const struct pp_piece *piece)
{
    if (piece->checking)
        return piece->plain + (piece->clear ? 0 : PP_AES_BLOCK);
    if (piece->clear)
        return piece->plain;
    return (piece->first ? PP_AES_BLOCK : 0) +
           (piece->last ? (piece->plain / PP_AES_BLOCK + 1) * PP_AES_BLOCK
                        : piece->plain);
}

struct pp_room
pp_piece_room(const struct pp_piece *piece)
{
    return (struct pp_room){ piece_in(piece), piece_out(piece), 1 };
}

void
pp_plan_piece(struct pp_stretch *s, const struct pp_piece *piece)
{
    uint8_t *to = s->text + s->text_n;
    size_t in_len = piece_in(piece);
    struct pp_span *span = add_span(s, in_len, piece_out(piece));

    if (in_len)
        memcpy(to, piece->bytes, in_len);
    span->kind = PP_SPAN_STREAM;
    span->in_text = piece->bytes != NULL;
    span->clear = piece->clear;
    span->first = piece->first;
    span->last = piece->last;
    span->members = piece->members;
    span->plain = (uint32_t)piece->plain;
    span->number = piece->number;
    span->generation = piece->generation;
    span->source = piece->source;
    span->at = piece->at;
}

void
pp_plan_stream_end(struct pp_stretch *s)
{
    pp_plan_text(s, PP_STREAM_END, sizeof PP_STREAM_END - 1);
}

struct pp_room
pp_stream_end_room(void)
{
    return (struct pp_room){ sizeof PP_STREAM_END - 1, sizeof PP_STREAM_END - 1,
                             0 };
}
