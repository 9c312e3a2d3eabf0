/* dead.c - entries of the cross-reference behind which no object stands */
#include "pipe/dead.h"

#include "pdf/dict.h"
#include "pdf/flate.h"
#include "pdf/refs.h"

void
pp_dead_reset(struct pp_dead *dead)
{
    if (dead->n)
        pp_lazy_fini(&dead->numbers);
    dead->n = 0;
}

void
pp_dead_fini(struct pp_dead *dead)
{
    pp_lazy_fini(&dead->numbers);
}

enum pdfpipe_status
pp_dead_add(struct pp_dead *dead, uint32_t number,
            const struct pdfpipe_error *why, struct pdfpipe_error *err)
{
    if (!pp_lazy_grow(&dead->numbers, PP_OBJECT_MAX / 64 + 1))
        return pp_fail_memory(err);
    if (dead->n++ == 0)
        dead->first = *why;
    dead->numbers.item[number / 64] |= (uint64_t)1 << number % 64;
    return PDFPIPE_OK;
}

static bool
is_dead(const struct pp_dead *dead, uint32_t number)
{
    return dead->numbers.item[number / 64] >> number % 64 & 1;
}

static bool
refers(const struct pp_dead *dead, struct pp_view text)
{
    struct pp_refs refs;
    uint32_t number;

    pp_refs_init(&refs, text);
    while (pp_refs_next(&refs, &number))
        if (is_dead(dead, number))
            return true;
    return false;
}

/* The objects inside an object stream; one that cannot be decoded is opaque
 * to readers too. */
static bool
stream_refers(const struct pp_dead *dead, struct pp_reading *r,
              const struct pp_dead_tools *tools, struct pp_view dict,
              uint64_t data)
{
    struct pp_filter filter;
    bool found;

    pp_filter_parse(dict, &filter);
    tools->scratch->n = 0;
    if (filter.kind != PP_FILTER_FLATE)
        return false;
    /* Flate data know their end. */
    found =
        pp_decode_all(&r->input, data, UINT64_MAX, &filter, tools->inflate_max,
                      tools->scratch, NULL) == PDFPIPE_OK &&
        refers(dead, pp_buf_view(tools->scratch));
    pp_buf_trim(tools->scratch, (size_t)4 << 20);
    return found;
}

/* Does the live object at this offset refer to a dead one? */
static enum pdfpipe_status
object_refers(const struct pp_dead *dead, struct pp_reading *r,
              const struct pp_dead_tools *tools, uint64_t offset, bool *found,
              struct pdfpipe_error *err)
{
    struct pp_object o;
    struct pp_view v;

    for (size_t want = 2048;; want = 2 * v.n) {
        enum pdfpipe_status st = pp_peek_at(tools->peek, offset, want, &v, err);

        if (!st)
            st = pp_object_scan(tools->scanner, v, offset,
                                pp_peek_whole(tools->peek, offset, v.n),
                                PP_SCAN_INDIRECT, &o, err);
        if (st)
            return st;
        if (!o.more)
            break;
        if (v.n > tools->text_max)
            return pp_fail_at(err, PDFPIPE_E_LIMIT, offset,
                              "object is larger than %zu bytes",
                              tools->text_max);
    }
    v = (struct pp_view){ v.p + o.body, o.body_end - o.body };
    *found =
        refers(dead, v) || (o.stream && o.type == PP_TYPE_OBJSTM &&
                            stream_refers(dead, r, tools, v, offset + o.end));
    return PDFPIPE_OK;
}

enum pdfpipe_status
pp_dead_unreferenced(const struct pp_dead *dead, struct pp_reading *r,
                     const struct pp_xref *live,
                     const struct pp_dead_tools *tools,
                     struct pdfpipe_error *err)
{
    bool found = refers(dead, pp_buf_view(&r->xref.trailer));
    enum pdfpipe_status st = PDFPIPE_OK;

    for (uint32_t i = 0; !st && !found && i < r->xref.count; i++) {
        struct pp_entry e = pp_xref_entry(&r->xref, i);

        if (e.kind == PP_ENTRY_OFFSET && !is_dead(dead, i) &&
            pp_xref_entry(live, i).kind == PP_ENTRY_OFFSET)
            st = object_refers(dead, r, tools, e.offset, &found, err);
    }
    if (!st && found) {
        *err = dead->first;
        return dead->first.code;
    }
    return st;
}
