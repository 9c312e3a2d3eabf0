/* referred.c - which of these numbers does something live refer to? */
#include "pipe/referred.h"

#include "pdf/flate.h"
#include "pdf/refs.h"
#include "pipe/extent.h"

static enum pdfpipe_status
take(struct pp_referred *q, struct pp_refs *refs, struct pdfpipe_error *err)
{
    uint32_t number;

    while (pp_refs_next(refs, &number))
        if (pp_numbers_has(q->among, number) &&
            !pp_numbers_add(&q->found, number))
            return pp_fail_memory(err);
    return PDFPIPE_OK;
}

enum pdfpipe_status
pp_referred_by(struct pp_referred *q, struct pp_view text,
               struct pdfpipe_error *err)
{
    struct pp_refs refs;

    pp_refs_init(&refs, text);
    return take(q, &refs, err);
}

/* The data of a stream; Flate data know their end. */
static enum pdfpipe_status
data_length(struct pp_referred *q, const struct pp_object *o,
            const struct pp_filter *filter, uint64_t data, uint64_t *length,
            struct pdfpipe_error *err)
{
    uint64_t size = q->reading->input.size;

    *length = size - data;
    if (filter->kind != PP_FILTER_NONE)
        return PDFPIPE_OK;
    return pp_stream_extent(&q->reading->fetch, o, data, size, NULL, length,
                            err);
}

/* The objects inside an object stream; what cannot be decoded of one is opaque
 * to readers too. */
static enum pdfpipe_status
by_members(struct pp_referred *q, const struct pp_object *o,
           const struct pp_filter *filter, uint64_t data,
           struct pdfpipe_error *err)
{
    struct pdfpipe_error why = { .code = PDFPIPE_OK };
    struct pp_refs refs = { 0 };
    struct pp_pieces s = { 0 };
    uint64_t length;
    enum pdfpipe_status st = data_length(q, o, filter, data, &length, &why);

    if (!st)
        st = pp_pieces_begin(&s, &q->reading->input, data, length, filter,
                             q->inflate_max, q->scratch, &why);
    while (!st && !s.last) {
        st = pp_pieces_next(&s, &why);
        if (st)
            break;
        pp_refs_feed(&refs, pp_buf_view(q->scratch), s.last);
        st = take(q, &refs, &why);
    }
    pp_pieces_end(&s);
    if (st == PDFPIPE_E_UNSUPPORTED || st == PDFPIPE_E_DAMAGED_STREAM ||
        st == PDFPIPE_E_TRUNCATED) {
        q->opaque = true;
        return PDFPIPE_OK;
    }
    if (st)
        *err = why;
    return st;
}

static enum pdfpipe_status
by_object(struct pp_referred *q, uint64_t offset, struct pdfpipe_error *err)
{
    struct pp_filter filter;
    struct pp_object o;
    enum pdfpipe_status st;
    struct pp_view v;

    for (size_t want = 2048;; want = 2 * v.n) {
        st = pp_peek_at(q->peek, offset, want, &v, err);
        if (!st)
            st = pp_object_scan(q->scanner, v, offset,
                                pp_peek_whole(q->peek, offset, v.n),
                                PP_SCAN_INDIRECT, &o, err);
        if (st)
            return st;
        if (!o.more)
            break;
        if (v.n > q->text_max)
            return pp_fail_at(err, PDFPIPE_E_LIMIT, offset,
                              "object is larger than %zu bytes", q->text_max);
    }
    v = (struct pp_view){ v.p + o.body, o.body_end - o.body };
    st = pp_referred_by(q, v, err);
    if (st || !o.stream || o.type != PP_TYPE_OBJSTM)
        return st;
    pp_filter_parse(v, &filter);
    return by_members(q, &o, &filter, offset + o.end, err);
}

static bool
is_looked_at(const struct pp_referred *q, uint32_t number)
{
    return pp_xref_entry(q->live, number).kind == PP_ENTRY_OFFSET &&
           !pp_numbers_has(q->among, number) &&
           !(q->without[0] && pp_numbers_has(q->without[0], number)) &&
           !(q->without[1] && pp_numbers_has(q->without[1], number));
}

enum pdfpipe_status
pp_referred_find(struct pp_referred *q, struct pdfpipe_error *err)
{
    const struct pp_xref *xref = &q->reading->xref;
    const struct pp_profile *profile = &q->reading->profile;
    enum pdfpipe_status st =
        pp_referred_by(q, pp_buf_view(&xref->trailer), err);

    /* Values that are taken out of their object stream, which may not live. */
    if (!st)
        st = pp_referred_by(q, pp_buf_view(&profile->root_text), err);
    if (!st)
        st = pp_referred_by(q, pp_buf_view(&profile->extensions_text), err);
    for (uint32_t i = 0; !st && i < xref->count; i++) {
        struct pp_entry e = pp_xref_entry(xref, i);

        if (e.kind == PP_ENTRY_OFFSET && is_looked_at(q, i))
            st = by_object(q, e.offset, err);
    }
    pp_fetch_forget(&q->reading->fetch);
    return st;
}
