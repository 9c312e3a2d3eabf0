/* fetch.c - one object by its number, out of order */
#include "pdf/fetch.h"

#include <stdlib.h>

#include "base/num.h"
#include "pdf/dict.h"
#include "pdf/flate.h"

#define STEP_MAX     16384u
#define INTEGER_TEXT 256u /* an object that is an integer takes no more */

/* Bytes of work on object streams: a stream whose /Length is in one may make
 * it inflated again, and a file may be made so that each does. */
#define WORK_PER_BYTE 32u
#define WORK_FREE     ((uint64_t)256 << 20)

void
pp_fetch_init(struct pp_fetch *f, const struct pp_xref *xref,
              const struct pp_input *input, struct pp_scanner *scanner,
              size_t text_max, uint64_t inflate_max)
{
    *f = (struct pp_fetch){ .xref = xref,
                            .scanner = scanner,
                            .inflate_max = inflate_max,
                            .text_max = text_max };
    f->work_left = WORK_FREE + WORK_PER_BYTE * input->size;
    pp_peek_init(&f->peek, input, STEP_MAX);
}

void
pp_fetch_fini(struct pp_fetch *f)
{
    pp_peek_fini(&f->peek);
    pp_buf_fini(&f->data);
    free(f->member);
    f->member = NULL;
}

static void
spend(struct pp_fetch *f, uint64_t work)
{
    f->work_left -= pp_min(f->work_left, work);
}

/* Scans an object that stands in the file and takes at most `max` bytes of
 * text; view and object are valid until the next use of peek and scanner. */
static enum pdfpipe_status
scan_at(struct pp_fetch *f, uint32_t number, const struct pp_entry *e,
        size_t max, struct pp_view *v, struct pp_object *o,
        struct pdfpipe_error *err)
{
    size_t want = 512;

    for (;;) {
        enum pdfpipe_status st = pp_peek_at(&f->peek, e->offset, want, v, err);

        if (st)
            return st;
        v->n = (size_t)pp_min(v->n, max);
        st = pp_object_scan(f->scanner, *v, e->offset,
                            pp_peek_whole(&f->peek, e->offset, v->n),
                            PP_SCAN_INDIRECT, o, err);
        if (st)
            return st;
        if (!o->more)
            break;
        if (v->n == max)
            return pp_fail_at(err, PDFPIPE_E_LIMIT, e->offset,
                              "object is larger than %zu bytes", max);
        want = (size_t)pp_min(2 * v->n, max);
    }
    if (o->number != number || o->generation != e->generation)
        return pp_fail_at(err, PDFPIPE_E_DAMAGED_XREF, e->offset,
                          "object %u %u expected here, found %u %u", number,
                          e->generation, o->number, o->generation);
    return PDFPIPE_OK;
}

/* What an object stream's /Length says, as far as it can be known; it must not
 * be in an object stream itself, so there is no recursion here. */
static uint64_t
data_length(struct pp_fetch *f, const struct pp_object *o)
{
    uint64_t length;
    bool found = false;

    if (o->length_kind == PP_LENGTH_DIRECT)
        return o->length;
    if (o->length_kind == PP_LENGTH_REFERENCE &&
        pp_xref_entry(f->xref, o->length_ref.number).kind == PP_ENTRY_OFFSET)
        pp_fetch_integer(f, o->length_ref, &length, &found);
    return found ? length : UINT64_MAX;
}

/* Loads object stream `number` unless it is the one that is kept. */
static enum pdfpipe_status
load_stream(struct pp_fetch *f, uint32_t number, struct pdfpipe_error *err)
{
    struct pp_entry e = pp_xref_entry(f->xref, number);
    struct pp_filter filter;
    struct pp_buf dict = { 0 };
    struct pp_object o;
    enum pdfpipe_status st;
    struct pp_view v;
    uint64_t data, length;

    if (number == f->stream)
        return PDFPIPE_OK;
    f->stream = 0;
    f->data.n = 0;
    free(f->member);
    f->member = NULL;
    f->members = 0;
    if (e.kind != PP_ENTRY_OFFSET)
        return pp_fail(err, PDFPIPE_E_DAMAGED_XREF,
                       "object stream %u is not in the file", number);
    if (f->work_left == 0)
        return pp_fail_at(err, PDFPIPE_E_LIMIT, e.offset,
                          "object streams are looked into too often");
    st = scan_at(f, number, &e, f->text_max, &v, &o, err);
    if (st)
        return st;
    if (!o.stream || o.type != PP_TYPE_OBJSTM)
        return pp_fail_at(err, PDFPIPE_E_DAMAGED_XREF, e.offset,
                          "object %u is not an object stream", number);
    if (!pp_buf_append(&dict, v.p + o.body, o.body_end - o.body))
        return pp_fail_memory(err);
    data = e.offset + o.end;
    length = data_length(f, &o);
    pp_filter_parse(pp_buf_view(&dict), &filter);
    st = pp_decode_all(f->peek.input, data, length, &filter, f->inflate_max,
                       &f->data, err);
    spend(f, o.end + f->data.n);
    if (!st)
        st = pp_objstm_members(pp_buf_view(&dict), pp_buf_view(&f->data),
                               &f->member, &f->members, err);
    if (!st)
        f->stream = number;
    pp_buf_fini(&dict);
    return st;
}

/* The member with this number, or NULL.  The index of the entry decides
 * between several, but is often wrong. */
static const struct pp_member *
find_member(struct pp_fetch *f, uint32_t number, uint64_t index)
{
    if (index < f->members && f->member[index].number == number)
        return &f->member[index];
    spend(f, f->members * sizeof *f->member);
    for (size_t i = 0; f->work_left && i < f->members; i++)
        if (f->member[i].number == number)
            return &f->member[i];
    return NULL;
}

static enum pdfpipe_status
fetch_member(struct pp_fetch *f, uint32_t number, const struct pp_entry *e,
             size_t max, struct pp_view *value, bool *found,
             struct pdfpipe_error *err)
{
    struct pp_view data;
    const struct pp_member *m;
    enum pdfpipe_status st = load_stream(f, e->stream, err);

    if (st)
        return st;
    m = find_member(f, number, e->index);
    if (!m)
        return PDFPIPE_OK;
    data = pp_buf_view(&f->data);
    if (data.n - m->at > max)
        data.n = m->at + max;
    *value = pp_objstm_value(data, m);
    /* What touches the cut may go on behind it. */
    *found = value->n > 0 &&
             (data.n == f->data.n || value->p + value->n < data.p + data.n);
    return PDFPIPE_OK;
}

/* The text of a value, if it takes at most `max` bytes. */
static enum pdfpipe_status
fetch(struct pp_fetch *f, struct pp_reference ref, size_t max,
      struct pp_view *value, bool *found, struct pdfpipe_error *err)
{
    struct pp_entry e = pp_xref_entry(f->xref, ref.number);
    struct pp_object o;
    enum pdfpipe_status st = PDFPIPE_OK;

    *found = false;
    if (e.kind == PP_ENTRY_OFFSET && e.generation == ref.generation) {
        st = scan_at(f, ref.number, &e, max, value, &o, err);
        if (!st) {
            value->p += o.body;
            value->n = o.body_end - o.body;
            *found = value->n > 0;
        }
    } else if (e.kind == PP_ENTRY_COMPRESSED && ref.generation == 0) {
        st = fetch_member(f, ref.number, &e, max, value, found, err);
    }
    if (st)
        pp_error_object(err, ref.number, ref.generation);
    return st;
}

enum pdfpipe_status
pp_fetch_value(struct pp_fetch *f, struct pp_reference ref,
               struct pp_view *value, bool *found, struct pdfpipe_error *err)
{
    return fetch(f, ref, f->text_max, value, found, err);
}

void
pp_fetch_integer(struct pp_fetch *f, struct pp_reference ref, uint64_t *value,
                 bool *found)
{
    struct pp_view v;

    if (fetch(f, ref, INTEGER_TEXT, &v, found, NULL))
        *found = false;
    if (*found)
        *found = pp_value_integer(v, value);
}
