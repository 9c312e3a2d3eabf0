/* sealer.c - the tools of one worker */
#include "seal/sealer.h"

#include <stdlib.h>

#include "base/num.h"
#include "seal/sealer_impl.h"

enum pdfpipe_status
pp_sealer_init(struct pp_sealer *s, const struct pp_suite *suite,
               enum pdfpipe_engine engine, struct pdfpipe_error *err)
{
    enum pdfpipe_status st;

    *s = (struct pp_sealer){ 0 };
    s->ivs = malloc(sizeof *s->ivs);
    if (!s->ivs)
        return pp_fail_memory(err);
    pp_ivpool_init(s->ivs);
    st = pp_engine_new(suite, engine, &s->engine, err);
    if (!st)
        st = pp_digest_new(suite, &s->digest, err);
    if (st)
        pp_sealer_fini(s);
    return st;
}

void
pp_sealer_fini(struct pp_sealer *s)
{
    pp_engine_free(s->engine);
    pp_digest_free(s->digest);
    if (s->ivs)
        pp_ivpool_fini(s->ivs);
    free(s->ivs);
    free(s->lane);
    free(s->plain);
    pp_buf_fini(&s->window);
    *s = (struct pp_sealer){ 0 };
}

/* Spans of a usual stretch; scratch for more goes back after the next one that
 * does not need it. */
#define SPANS_KEPT ((size_t)8192)

/* The next capacity that holds n items. */
static size_t
grown(size_t cap, size_t n)
{
    cap = cap ? cap : 1024;
    while (cap < n)
        cap *= 2;
    return cap;
}

/* Before the first stretch of the next run: scratch that one huge object has
 * blown up is not kept for ever. */
static void
forget(struct pp_sealer *s, size_t spans)
{
    s->lanes = 0;
    s->long_lanes = 0;
    s->ran = false;
    if (spans > SPANS_KEPT)
        return;
    if (s->lane_cap > 2 * SPANS_KEPT) {
        free(s->lane);
        s->lane = NULL;
        s->lane_cap = 0;
    }
    if (s->span_cap > SPANS_KEPT) {
        free(s->plain);
        s->plain = NULL;
        s->span_cap = 0;
    }
}

enum pdfpipe_status
pp_sealer_reserve(struct pp_sealer *s, size_t spans, struct pdfpipe_error *err)
{
    if (s->ran)
        forget(s, spans);
    if (s->lanes + spans > s->lane_cap) {
        size_t cap = grown(s->lane_cap, s->lanes + spans);
        struct pp_lane *lane = realloc(s->lane, cap * sizeof *lane);

        if (!lane)
            return pp_fail_memory(err);
        s->lane = lane;
        s->lane_cap = cap;
    }
    if (spans > s->span_cap) {
        size_t cap = grown(s->span_cap, spans);
        struct pp_view *plain = realloc(s->plain, cap * sizeof *plain);

        if (!plain)
            return pp_fail_memory(err);
        s->plain = plain;
        s->span_cap = cap;
    }
    return PDFPIPE_OK;
}

enum pdfpipe_status
pp_sealer_key(struct pp_sealer *s, const struct pp_seal_context *c,
              struct pdfpipe_error *err)
{
    enum pdfpipe_status st;

    if (s->key_of == c->document)
        return PDFPIPE_OK;
    s->key_of = 0;
    st = pp_engine_set_key(s->engine, c->file_key, err);
    if (!st)
        s->key_of = c->document;
    return st;
}

const struct pp_placed *
pp_stretch_object(const struct pp_stretch *s, size_t in)
{
    const struct pp_placed *found = NULL;

    for (size_t i = 0; i < s->placed_n && s->placed[i].in <= in; i++)
        found = &s->placed[i];
    return found;
}

/* A string with its length, so that text and string cannot be confused. */
static enum pdfpipe_status
digest_string(struct pp_digest *d, struct pp_view plain,
              struct pdfpipe_error *err)
{
    uint8_t length[8];
    enum pdfpipe_status st;

    for (size_t i = 0; i < sizeof length; i++)
        length[i] = (uint8_t)((uint64_t)plain.n >> 8 * i);
    st = pp_digest_update(d, length, sizeof length, err);
    return st ? st : pp_digest_update(d, plain.p, plain.n, err);
}

/*
 * Part 0 of an object: its text from in to end, with the strings' values, up
 * to its stream.  *span is the first span behind in.
 */
static enum pdfpipe_status
tally_text(struct pp_sealer *s, struct pp_stretch *t,
           const struct pp_placed *object, size_t end, size_t *span,
           struct pdfpipe_error *err)
{
    enum pdfpipe_status st;
    size_t at = object->in;

    st = pp_digest_begin(s->digest, object->number, object->generation, 0, err);
    for (; !st && *span < t->spans && t->span[*span].in < end; ++*span) {
        const struct pp_span *p = &t->span[*span];

        if (p->kind == PP_SPAN_STREAM) {
            end = p->in;
            break;
        }
        st = pp_digest_update(s->digest, t->text + at, p->in - at, err);
        if (!st)
            st = digest_string(s->digest, s->plain[*span], err);
        at = p->in + p->in_len;
    }
    if (!st)
        st = pp_digest_update(s->digest, t->text + at, end - at, err);
    return st ? st : pp_digest_end(s->digest, &t->tally, err);
}

/* Parts 1, 2, ...: the blocks of a stream, as many as are in this piece. */
static enum pdfpipe_status
tally_stream(struct pp_sealer *s, struct pp_stretch *t, const struct pp_span *p,
             struct pp_view plain, struct pdfpipe_error *err)
{
    uint64_t part = 1 + p->at / PP_DIGEST_BLOCK;
    enum pdfpipe_status st = PDFPIPE_OK;

    for (size_t at = 0; !st && at < plain.n; at += PP_DIGEST_BLOCK) {
        size_t n = (size_t)pp_min(PP_DIGEST_BLOCK, plain.n - at);

        st = pp_digest_begin(s->digest, p->number, p->generation, part++, err);
        if (!st)
            st = pp_digest_update(s->digest, plain.p + at, n, err);
        if (!st)
            st = pp_digest_end(s->digest, &t->tally, err);
    }
    return st;
}

enum pdfpipe_status
pp_sealer_tally(struct pp_sealer *s, struct pp_stretch *t,
                struct pdfpipe_error *err)
{
    enum pdfpipe_status st = PDFPIPE_OK;
    size_t span = 0;

    for (size_t i = 0; !st && i < t->placed_n; i++) {
        const struct pp_placed *object = &t->placed[i];
        size_t end = i + 1 < t->placed_n ? t->placed[i + 1].in : t->text_n;

        /* Its own spans stand behind its "n g obj". */
        while (span < t->spans && t->span[span].in <= object->in)
            span++;
        st = tally_text(s, t, object, end, &span, err);
    }
    for (size_t i = 0; !st && i < t->spans; i++)
        if (t->span[i].kind == PP_SPAN_STREAM)
            st = tally_stream(s, t, &t->span[i], s->plain[i], err);
    return st;
}
