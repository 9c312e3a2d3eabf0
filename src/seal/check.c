/* check.c - one stretch of a file on disk in, its digests out
 *
 * The layout is the same as for sealing, made from the file that was written.
 * `out` is room to decrypt in: for a string the decoded token (IV, then
 * ciphertext), for a piece of a stream the block before it, then the piece.
 */
#include "seal/sealer.h"

#include <string.h>

#include "base/clock.h"
#include "base/num.h"
#include "pdf/string.h"
#include "seal/sealer_impl.h"

static enum pdfpipe_status
wrong(const struct pp_stretch *t, const struct pp_span *p, const char *what,
      struct pdfpipe_error *err)
{
    const struct pp_placed *object = pp_stretch_object(t, p->in);
    enum pdfpipe_status st = pp_fail(err, PDFPIPE_E_VERIFY, "%s", what);

    if (p->kind == PP_SPAN_STREAM)
        pp_error_object(err, p->number, p->generation);
    else if (object)
        pp_error_object(err, object->number, object->generation);
    return st;
}

/* The stored form of a span: the block before it, then ciphertext. */
static struct pp_view
stored_form(struct pp_stretch *t, const struct pp_span *p)
{
    uint8_t *to = t->out + p->out;
    size_t n;

    if (p->kind == PP_SPAN_STREAM)
        return (struct pp_view){ p->in_text ? t->text + p->in : to,
                                 p->plain + PP_AES_BLOCK };
    n = pp_string_decode((struct pp_view){ t->text + p->in, p->in_len }, to,
                         p->plain);
    return (struct pp_view){ to, n };
}

static enum pdfpipe_status
make_lanes(struct pp_sealer *s, struct pp_stretch *t, size_t *lanes,
           struct pdfpipe_error *err)
{
    *lanes = 0;
    for (size_t i = 0; i < t->spans; i++) {
        const struct pp_span *p = &t->span[i];
        struct pp_lane *lane = &s->lane[*lanes];
        struct pp_view v;

        if (p->clear) {
            s->plain[i] = (struct pp_view){ p->in_text ? t->text + p->in
                                                       : t->out + p->out,
                                            p->plain };
            continue;
        }
        v = stored_form(t, p);
        if (v.n < (size_t)2 * PP_AES_BLOCK || v.n % PP_AES_BLOCK)
            return wrong(t, p, "stored length is not that of a ciphertext",
                         err);
        memcpy(lane->chain, v.p, PP_AES_BLOCK);
        lane->src = v.p + PP_AES_BLOCK;
        lane->dst = t->out + p->out + PP_AES_BLOCK;
        lane->len = v.n - PP_AES_BLOCK;
        lane->final = p->kind == PP_SPAN_STRING || p->last;
        ++*lanes;
    }
    return PDFPIPE_OK;
}

/* Takes the padding off; fills plain[] for the spans that were decrypted. */
static enum pdfpipe_status
unpad(struct pp_sealer *s, struct pp_stretch *t, struct pdfpipe_error *err)
{
    const struct pp_lane *lane = s->lane;

    for (size_t i = 0; i < t->spans; i++) {
        const struct pp_span *p = &t->span[i];
        unsigned padding = 0;

        if (p->clear)
            continue;
        if (lane->final) {
            padding = pp_padding(lane->dst, lane->len);
            if (padding == 0)
                return wrong(t, p, "does not decrypt: padding is wrong", err);
        }
        s->plain[i] = (struct pp_view){ lane->dst, lane->len - padding };
        t->strings += p->kind == PP_SPAN_STRING;
        t->streams += p->kind == PP_SPAN_STREAM && p->first;
        t->payload_bytes += s->plain[i].n;
        lane++;
    }
    return PDFPIPE_OK;
}

enum pdfpipe_status
pp_check(struct pp_sealer *s, const struct pp_seal_context *c,
         struct pp_stretch *t, struct pdfpipe_error *err)
{
    enum pdfpipe_status st = pp_sealer_reserve(s, t->spans, err);
    uint64_t began;
    size_t lanes;

    PP_ASSERT(s->lanes == 0); /* nothing is prepared for sealing */
    if (!st)
        st = pp_sealer_key(s, c, err);
    if (!st)
        st = make_lanes(s, t, &lanes, err);
    if (st)
        return st;
    began = pp_now_ns();
    st = pp_engine_decrypt(s->engine, s->lane, lanes, err);
    s->cipher_ns += pp_now_ns() - began;
    if (!st)
        st = unpad(s, t, err);
    return st ? st : pp_sealer_tally(s, t, err);
}
