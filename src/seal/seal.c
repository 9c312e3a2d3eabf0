/* seal.c - one stretch in, one sealed stretch out
 *
 * Everything happens in the place where it is written.  A string's token
 * takes 2 + 2s bytes for s stored bytes; value and ciphertext are made in its
 * second half and spread to digits from the front, so no scratch is needed.
 */
#include "seal/sealer.h"

#include <string.h>

#include "base/clock.h"
#include "base/num.h"
#include "pdf/string.h"
#include "seal/sealer_impl.h"

/* Where the IV and the ciphertext of a string stand before they are digits. */
static uint8_t *
string_tail(const struct pp_stretch *t, const struct pp_span *p)
{
    return t->out + p->out + 1 + pp_stored_len(p->plain);
}

/* Text between the spans, as it stands. */
static void
copy_text(struct pp_stretch *t)
{
    size_t in = 0, out = 0;

    for (size_t i = 0; i < t->spans; i++) {
        const struct pp_span *p = &t->span[i];

        memcpy(t->out + out, t->text + in, p->in - in);
        in = p->in + p->in_len;
        /* What follows the span stands behind its place in out. */
        out = i + 1 < t->spans ? t->span[i + 1].out - (t->span[i + 1].in - in)
                               : t->out_n - (t->text_n - in);
    }
    memcpy(t->out + out, t->text + in, t->text_n - in);
}

/* A string: its value goes to its tail, behind the place of the IV. */
static struct pp_view
place_string(struct pp_stretch *t, const struct pp_span *p)
{
    uint8_t *to = string_tail(t, p) + PP_AES_BLOCK;
    size_t n = pp_string_decode((struct pp_view){ t->text + p->in, p->in_len },
                                to, p->plain);

    PP_ASSERT(n == p->plain);
    return (struct pp_view){ to, n };
}

/* A piece of a stream: its plaintext is in text, or in out already. */
static struct pp_view
place_stream(const struct pp_stretch *t, const struct pp_span *p)
{
    size_t iv = p->first && !p->clear ? PP_AES_BLOCK : 0;

    if (p->in_text)
        return (struct pp_view){ t->text + p->in, p->in_len };
    return (struct pp_view){ t->out + p->out + iv, p->plain };
}

static void
place_all(struct pp_sealer *s, struct pp_stretch *t)
{
    for (size_t i = 0; i < t->spans; i++) {
        const struct pp_span *p = &t->span[i];

        s->plain[i] =
            p->kind == PP_SPAN_STRING ? place_string(t, p) : place_stream(t, p);
        if (p->clear && p->in_text)
            memcpy(t->out + p->out, t->text + p->in, p->in_len);
    }
}

/* Where a lane begins: a fresh IV, which is written before it, or the chain
 * of the piece before.  *to moves behind the IV. */
static enum pdfpipe_status
begin_lane(struct pp_sealer *s, const struct pp_seal_context *c,
           struct pp_lane *lane, bool fresh, uint64_t iv, uint8_t **to,
           const uint8_t chain[16], struct pdfpipe_error *err)
{
    enum pdfpipe_status st;

    if (!fresh) {
        memcpy(lane->chain, chain, PP_AES_BLOCK);
        return PDFPIPE_OK;
    }
    st = pp_ivpool_take(s->ivs, c->document, iv, *to, err);
    memcpy(lane->chain, *to, PP_AES_BLOCK);
    *to += PP_AES_BLOCK;
    return st;
}

/* One lane for each span that is encrypted. */
static enum pdfpipe_status
make_lanes(struct pp_sealer *s, const struct pp_seal_context *c,
           struct pp_stretch *t, const uint8_t chain[16],
           struct pdfpipe_error *err)
{
    struct pp_lane *lane = s->lane + s->lanes;
    uint64_t iv = t->first_iv;

    t->first_lane = s->lanes;
    for (size_t i = 0; i < t->spans; i++) {
        const struct pp_span *p = &t->span[i];
        bool string = p->kind == PP_SPAN_STRING, fresh = string || p->first;
        uint8_t *to = string ? string_tail(t, p) : t->out + p->out;
        enum pdfpipe_status st;

        if (p->clear)
            continue;
        st = begin_lane(s, c, lane, fresh, iv, &to, chain, err);
        if (st)
            return st;
        iv += fresh;
        lane->src = s->plain[i].p;
        lane->dst = to;
        lane->len = p->plain;
        lane->final = string || p->last;
        s->long_lanes += lane->len >= PP_LONG_LANE;
        t->strings += string;
        t->streams += !string && p->first;
        t->payload_bytes += p->plain;
        lane++;
    }
    s->lanes = (size_t)(lane - s->lane);
    t->lanes = s->lanes - t->first_lane;
    return PDFPIPE_OK;
}

/* The digits of all strings; each token's tail is read before the front of
 * the token reaches it. */
static void
spread_strings(struct pp_stretch *t)
{
    for (size_t i = 0; i < t->spans; i++) {
        const struct pp_span *p = &t->span[i];
        size_t stored = (size_t)pp_stored_len(p->plain);

        if (p->kind != PP_SPAN_STRING)
            continue;
        t->out[p->out] = '<';
        pp_hex_encode(string_tail(t, p), stored, t->out + p->out + 1);
        t->out[p->out + 1 + 2 * stored] = '>';
    }
}

enum pdfpipe_status
pp_seal_prepare(struct pp_sealer *s, const struct pp_seal_context *c,
                struct pp_stretch *t, const uint8_t chain[16],
                struct pdfpipe_error *err)
{
    enum pdfpipe_status st = pp_sealer_reserve(s, t->spans, err);

    if (st)
        return st;
    copy_text(t);
    place_all(s, t);
    st = pp_sealer_members(s, c, t, err);
    if (!st && c->tally)
        st = pp_sealer_tally(s, t, err);
    if (!st)
        st = pp_sealer_key(s, c, err);
    return st ? st : make_lanes(s, c, t, chain, err);
}

enum pdfpipe_status
pp_seal_run(struct pp_sealer *s, struct pdfpipe_error *err)
{
    uint64_t began = pp_now_ns();
    enum pdfpipe_status st =
        s->lanes ? pp_engine_encrypt(s->engine, s->lane, s->lanes, err)
                 : PDFPIPE_OK;

    s->cipher_ns += pp_now_ns() - began;
    s->ran = true;
    return st;
}

void
pp_seal_finish(struct pp_sealer *s, struct pp_stretch *t, uint8_t chain[16])
{
    if (t->lanes)
        memcpy(chain, s->lane[t->first_lane + t->lanes - 1].chain,
               PP_AES_BLOCK);
    spread_strings(t);
}

enum pdfpipe_status
pp_seal(struct pp_sealer *s, const struct pp_seal_context *c,
        struct pp_stretch *t, uint8_t chain[16], struct pdfpipe_error *err)
{
    enum pdfpipe_status st = pp_seal_prepare(s, c, t, chain, err);

    if (!st)
        st = pp_seal_run(s, err);
    if (!st)
        pp_seal_finish(s, t, chain);
    return st;
}
