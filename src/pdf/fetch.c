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

/* Decoded bytes of an object stream that is kept; usual ones have some 20 KB. */
#define KEPT_MAX ((uint64_t)4 << 20)

/* An object stream in the file. */
struct place {
    struct pp_buf dict; /* owned */
    struct pp_filter filter;
    uint64_t data, length;
};

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
    pp_fetch_forget(f);
}

void
pp_fetch_forget(struct pp_fetch *f)
{
    pp_buf_fini(&f->data);
    free(f->member);
    f->member = NULL;
    f->members = 0;
    f->stream = 0;
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

static enum pdfpipe_status
find_stream(struct pp_fetch *f, uint32_t number, struct place *p,
            struct pdfpipe_error *err)
{
    struct pp_entry e = pp_xref_entry(f->xref, number);
    struct pp_object o;
    enum pdfpipe_status st;
    struct pp_view v;

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
    if (!pp_buf_append(&p->dict, v.p + o.body, o.body_end - o.body))
        return pp_fail_memory(err);
    spend(f, o.end);
    p->data = e.offset + o.end;
    p->length = data_length(f, &o);
    pp_filter_parse(pp_buf_view(&p->dict), &p->filter);
    return PDFPIPE_OK;
}

/* Decodes an object stream to be kept; *large: it is too large for that. */
static enum pdfpipe_status
keep_stream(struct pp_fetch *f, uint32_t number, const struct place *p,
            bool *large, struct pdfpipe_error *err)
{
    uint64_t limit = pp_min(KEPT_MAX, f->inflate_max);
    struct pdfpipe_error why = { .code = PDFPIPE_OK };
    enum pdfpipe_status st = pp_decode_all(f->peek.input, p->data, p->length,
                                           &p->filter, limit, &f->data, &why);

    spend(f, f->data.n);
    *large = st == PDFPIPE_E_LIMIT && limit < f->inflate_max;
    if (*large)
        return PDFPIPE_OK;
    if (!st)
        st = pp_objstm_members(pp_buf_view(&p->dict), pp_buf_view(&f->data),
                               &f->member, &f->members, &why);
    if (!st)
        f->stream = number;
    else if (err)
        *err = why;
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

static bool
value_of_kept(struct pp_fetch *f, uint32_t number, uint64_t index, size_t max,
              struct pp_view *value)
{
    const struct pp_member *m = find_member(f, number, index);
    struct pp_view data = pp_buf_view(&f->data);

    if (!m)
        return false;
    if (data.n - m->at > max)
        data.n = m->at + max;
    *value = pp_objstm_value(data, m);
    /* What touches the cut may go on behind it. */
    return value->n > 0 &&
           (data.n == f->data.n || value->p + value->n < data.p + data.n);
}

/* ---- an object stream that is not kept: three times from its beginning ---- */

static enum pdfpipe_status
begin(struct pp_fetch *f, const struct place *p, struct pp_buf *window,
      struct pp_pieces *s, struct pdfpipe_error *err)
{
    return pp_pieces_begin(s, f->peek.input, p->data, p->length, &p->filter,
                           f->inflate_max, window, err);
}

static enum pdfpipe_status
measure(struct pp_fetch *f, const struct place *p, struct pp_buf *window,
        uint64_t *size, struct pdfpipe_error *err)
{
    struct pp_pieces s;
    enum pdfpipe_status st = begin(f, p, window, &s, err);

    while (!st && !s.last)
        st = pp_pieces_next(&s, err);
    *size = s.size;
    spend(f, s.size);
    pp_pieces_end(&s);
    return st;
}

/* As find_member(); number 0: there is none. */
static enum pdfpipe_status
find_pair(struct pp_fetch *f, const struct place *p, struct pp_buf *window,
          struct pp_pairs *pairs, uint32_t number, uint64_t index,
          struct pp_member *found, struct pdfpipe_error *err)
{
    struct pp_pieces s;
    enum pdfpipe_status st = begin(f, p, window, &s, err);
    struct pp_member m;
    uint64_t i = 0;
    bool done = false;

    *found = (struct pp_member){ 0, 0 };
    while (!st && !s.last && !done && !pp_pairs_over(pairs)) {
        st = pp_pieces_next(&s, err);
        if (st)
            break;
        pp_pairs_feed(pairs, pp_buf_view(window));
        for (; !done && pp_pairs_next(pairs, &m); i++) {
            if (m.number == number && (i == index || !found->number))
                *found = m;
            done = found->number && i >= index;
        }
    }
    spend(f, s.size);
    pp_pieces_end(&s);
    return st;
}

/* Gathers a value in f->data, more and more until it is closed. */
static enum pdfpipe_status
gather(struct pp_fetch *f, const struct place *p, struct pp_buf *window,
       uint32_t at, size_t max, struct pp_view *value, bool *found,
       struct pdfpipe_error *err)
{
    const struct pp_member first = { 1, 0 };
    size_t enough = INTEGER_TEXT;
    struct pp_pieces s;
    enum pdfpipe_status st = begin(f, p, window, &s, err);
    bool end = false;

    while (!st && !*found && !end) {
        size_t skip, n;

        st = pp_pieces_next(&s, err);
        if (st)
            break;
        skip = (size_t)pp_min(window->n, at - pp_min(at, s.size - window->n));
        n = (size_t)pp_min(window->n - skip, max - f->data.n);
        if (!pp_buf_append(&f->data, window->p + skip, n)) {
            st = pp_fail_memory(err);
            break;
        }
        end = s.last || f->data.n == max;
        if (f->data.n == 0 || (f->data.n < enough && !end))
            continue;
        *value = pp_objstm_value(pp_buf_view(&f->data), &first);
        *found = value->n > 0 && ((s.last && skip + n == window->n) ||
                                  value->p + value->n < f->data.p + f->data.n);
        enough = 2 * f->data.n;
    }
    spend(f, s.size);
    pp_pieces_end(&s);
    return st;
}

static enum pdfpipe_status
value_of_large(struct pp_fetch *f, const struct place *p, uint32_t number,
               uint64_t index, size_t max, struct pp_view *value, bool *found,
               struct pdfpipe_error *err)
{
    struct pp_buf window = { 0 };
    struct pp_pairs pairs = { 0 };
    struct pp_member m = { 0, 0 };
    uint64_t size;
    enum pdfpipe_status st;

    pp_buf_fini(&f->data);
    st = measure(f, p, &window, &size, err);
    if (!st)
        st = pp_pairs_init(&pairs, pp_buf_view(&p->dict), size, err);
    if (!st)
        st = find_pair(f, p, &window, &pairs, number, index, &m, err);
    if (!st && m.number)
        st = gather(f, p, &window, m.at, max, value, found, err);
    pp_buf_fini(&window);
    return st;
}

static enum pdfpipe_status
fetch_member(struct pp_fetch *f, uint32_t number, const struct pp_entry *e,
             size_t max, struct pp_view *value, bool *found,
             struct pdfpipe_error *err)
{
    enum pdfpipe_status st = PDFPIPE_OK;
    struct place p = { 0 };
    bool large = false;

    if (e->stream != f->stream) {
        pp_fetch_forget(f);
        st = find_stream(f, e->stream, &p, err);
        if (!st)
            st = keep_stream(f, e->stream, &p, &large, err);
    }
    if (!st && large)
        st = value_of_large(f, &p, number, e->index, max, value, found, err);
    else if (!st)
        *found = value_of_kept(f, number, e->index, max, value);
    pp_buf_fini(&p.dict);
    return st;
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
