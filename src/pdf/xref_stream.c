/* xref_stream.c - a cross-reference stream (ISO 32000-2, 7.5.8) */
#include <stdlib.h>

#include "base/num.h"
#include "pdf/dict.h"
#include "pdf/flate.h"
#include "pdf/xref_section.h"

#define DICT_MAX  ((size_t)16 << 20)
#define ROWS_READ 512u
#define WIDTH_MAX 8u
#define ROW_WORK  16u /* what a row counts as work, beside its bytes */

/* The layout of the rows, from /W. */
struct layout {
    uint64_t width[3];
    size_t row;
};

static enum pdfpipe_status
damaged(struct pp_xref_load *l, uint64_t at, const char *what)
{
    return pp_fail_at(l->err, PDFPIPE_E_DAMAGED_XREF, at, "%s", what);
}

/* Scans the stream object at `at`; leaves its dictionary in l->dict. */
static enum pdfpipe_status
read_dictionary(struct pp_xref_load *l, uint64_t at, struct pp_object *o)
{
    for (size_t want = 4096; want <= DICT_MAX; want *= 4) {
        struct pp_view v;
        enum pdfpipe_status st = pp_peek_at(l->peek, at, want, &v, l->err);
        bool whole;

        if (st)
            return st;
        whole = pp_peek_whole(l->peek, at, v.n);
        st = pp_object_scan(l->scanner, v, at, whole, PP_SCAN_INDIRECT, o,
                            l->err);
        if (st == PDFPIPE_E_DAMAGED_OBJECT)
            return damaged(l, at, "no cross-reference section at this offset");
        if (st)
            return st;
        if (o->more)
            continue;
        if (!o->stream || o->type != PP_TYPE_XREF)
            return damaged(l, at, "no cross-reference section at this offset");
        return pp_buf_append(&l->dict, v.p + o->body, o->body_end - o->body)
                   ? PDFPIPE_OK
                   : pp_fail_memory(l->err);
    }
    return damaged(l, at,
                   "dictionary of the cross-reference stream is larger "
                   "than 16 MiB");
}

static bool
parse_layout(struct pp_view dict, struct layout *out)
{
    struct pp_view value, name, v;
    struct pp_walk w;
    size_t n = 0;

    *out = (struct layout){ 0 };
    if (!pp_dict_find(dict, "W", &value))
        return false;
    pp_walk_init(&w, value);
    if (!w.array)
        return false;
    while (pp_walk_next(&w, &name, &v)) {
        if (n == 3)
            break; /* more fields than the standard has: ignored by all */
        if (!pp_value_integer(v, &out->width[n]) || out->width[n] > WIDTH_MAX)
            return false;
        out->row += (size_t)out->width[n++];
    }
    return n == 3 && out->width[1] > 0;
}

static uint64_t
field(const uint8_t **p, uint64_t width)
{
    uint64_t v = 0;

    for (; width; width--)
        v = v << 8 | *(*p)++;
    return v;
}

static enum pdfpipe_status
enter(struct pp_xref_load *l, uint64_t number, const uint8_t *p,
      const struct layout *layout, uint64_t at)
{
    uint64_t type = layout->width[0] ? field(&p, layout->width[0]) : 1;
    uint64_t second = field(&p, layout->width[1]);
    uint64_t third = field(&p, layout->width[2]);
    struct pp_entry e = { .kind = PP_ENTRY_FREE };

    if (type == 1 && second && third < 65535) {
        e.kind = PP_ENTRY_OFFSET;
        e.generation = (uint32_t)third;
        if (second > PP_OFFSET_MAX - l->x->header_at)
            return damaged(l, at, "offset of an object is beyond 64 TiB");
        e.offset = second + l->x->header_at;
    } else if (type == 2) {
        if (second == 0 || second > PP_OBJECT_MAX || third >= (uint64_t)1 << 38)
            return damaged(l, at, "object stream of an entry is out of range");
        e.kind = PP_ENTRY_COMPRESSED;
        e.stream = (uint32_t)second;
        e.index = third;
    } else if (type > 2) {
        return PDFPIPE_OK; /* unknown types are references to null */
    }
    return pp_xref_put(l, number, e, at);
}

/* `count` rows from the decoder, for the numbers from `first`. */
static enum pdfpipe_status
read_rows(struct pp_xref_load *l, struct pp_decoder *d,
          const struct layout *layout, uint64_t first, uint64_t count,
          uint64_t at)
{
    uint8_t rows[ROWS_READ * 3 * WIDTH_MAX];
    uint64_t left = count;

    while (left) {
        size_t want = (size_t)pp_min(left, ROWS_READ), got = 0;
        enum pdfpipe_status st =
            pp_xref_spend(l, want * (layout->row + ROW_WORK), at);

        if (st)
            return st;
        st = pp_decoder_read(d, rows, want * layout->row, &got, l->err);
        if (st == PDFPIPE_E_DAMAGED_STREAM) {
            st = PDFPIPE_E_DAMAGED_XREF;
            if (l->err)
                l->err->code = st;
        }
        if (st)
            return st;
        for (size_t i = 0; i < got / layout->row; i++) {
            st = enter(l, first++, rows + i * layout->row, layout, at);
            if (st)
                return st;
        }
        if (got < want * layout->row)
            return damaged(l, at,
                           "cross-reference stream has fewer rows than "
                           "its /Index or /Size says");
        left -= want;
    }
    return PDFPIPE_OK;
}

/* All rows, in the order of /Index (default: 0 to /Size). */
static enum pdfpipe_status
read_index(struct pp_xref_load *l, struct pp_decoder *d,
           const struct layout *layout, uint64_t at)
{
    struct pp_view dict = pp_buf_view(&l->dict), value, name, v;
    uint64_t pair[2], size;
    enum pdfpipe_status st;
    struct pp_walk w;
    size_t n = 0;

    if (!pp_dict_find(dict, "Index", &value)) {
        if (!pp_dict_find(dict, "Size", &v) || !pp_value_integer(v, &size))
            return damaged(l, at, "cross-reference stream has no /Size");
        return read_rows(l, d, layout, 0, size, at);
    }
    pp_walk_init(&w, value);
    if (!w.array)
        return damaged(l, at, "/Index is not an array");
    while (pp_walk_next(&w, &name, &v)) {
        if (!pp_value_integer(v, &pair[n % 2]) || pair[n % 2] > UINT32_MAX)
            return damaged(l, at, "/Index holds something else than numbers");
        if (n++ % 2 == 0)
            continue;
        st = read_rows(l, d, layout, pair[0], pair[1], at);
        if (st)
            return st;
    }
    return PDFPIPE_OK;
}

enum pdfpipe_status
pp_xref_read_stream(struct pp_xref_load *l, uint64_t at)
{
    struct pp_filter filter;
    struct pp_decoder *d;
    struct layout layout;
    struct pp_object o;
    enum pdfpipe_status st = read_dictionary(l, at, &o);
    uint64_t data, length;

    if (st)
        return st;
    if (!parse_layout(pp_buf_view(&l->dict), &layout))
        return damaged(l, at, "/W of the cross-reference stream is not usable");
    pp_filter_parse(pp_buf_view(&l->dict), &filter);
    data = at + o.end;
    length = l->peek->input->size - data;
    /* Flate data know their own end, so a wrong /Length does no harm. */
    if (o.length_kind == PP_LENGTH_DIRECT && filter.kind == PP_FILTER_NONE)
        length = pp_min(length, o.length);
    st = pp_decoder_new(l->peek->input, data, length, &filter, &d, l->err);
    if (st == PDFPIPE_E_UNSUPPORTED)
        return damaged(l, at,
                       "filter of the cross-reference stream is not "
                       "supported");
    if (st)
        return st;
    st = read_index(l, d, &layout, at);
    pp_decoder_free(d);
    return st;
}
