/* flate.c - FlateDecode with predictors */
#include "pdf/flate.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/num.h"
#include "pdf/dict.h"

#define READ_BYTES 16384u
#define ROW_MAX    65536u
#define ROWS_BYTES 16384u /* rows are inflated so many at a time */

struct pp_decoder {
    const struct pp_input *input;
    uint64_t offset; /* of the next byte to read            */
    uint64_t left;   /* bytes to read                       */
    struct pp_filter filter;
    z_stream z;
    bool ended;      /* the Flate data are complete         */
    uint8_t *tagged; /* predictor: rows, each behind its tag */
    uint8_t *rows;   /* ... undone; the first is the last one
                        of the rows before                  */
    size_t rows_cap; /* rows that fit                       */
    size_t rows_at;  /* bytes handed out                    */
    size_t rows_n;   /* bytes in rows, without the first    */
    uint8_t in[READ_BYTES];
};

static void
parse_parms(struct pp_view parms, struct pp_filter *filter)
{
    uint64_t columns = 1, colors = 1, bits = 8, predictor = 1, row;
    struct pp_view v;

    if (pp_dict_find(parms, "Predictor", &v) &&
        !pp_value_integer(v, &predictor))
        goto other;
    if (predictor <= 1)
        return;
    if ((pp_dict_find(parms, "Columns", &v) &&
         !pp_value_integer(v, &columns)) ||
        (pp_dict_find(parms, "Colors", &v) && !pp_value_integer(v, &colors)) ||
        (pp_dict_find(parms, "BitsPerComponent", &v) &&
         !pp_value_integer(v, &bits)))
        goto other;
    if (predictor < 10 || predictor > 15 || columns < 1 || columns > ROW_MAX ||
        colors < 1 || colors > 32 || bits < 1 || bits > 16)
        goto other;
    row = (columns * colors * bits + 7) / 8;
    if (row > ROW_MAX)
        goto other;
    filter->predictor = (uint32_t)predictor;
    filter->row = (uint32_t)row;
    filter->pixel = (uint32_t)pp_max(1, colors * bits / 8);
    return;
other:
    filter->kind = PP_FILTER_OTHER;
}

/* The only element of an array, or the value itself. */
static bool
only_element(struct pp_view *value)
{
    struct pp_walk w;
    struct pp_view name, v, first = { NULL, 0 };
    size_t n = 0;

    pp_walk_init(&w, *value);
    if (!w.array)
        return true;
    while (pp_walk_next(&w, &name, &v)) {
        if (n++ == 0)
            first = v;
    }
    *value = first;
    return n <= 1 && !w.failed;
}

void
pp_filter_parse(struct pp_view dict, struct pp_filter *filter)
{
    struct pp_view v;
    bool single;

    *filter = (struct pp_filter){ .kind = PP_FILTER_NONE, .predictor = 1 };
    if (!pp_dict_find(dict, "Filter", &v))
        return;
    if (!only_element(&v)) {
        filter->kind = PP_FILTER_OTHER;
        return;
    }
    if (v.n == 0)
        return;
    if (!pp_value_name(v, "FlateDecode") && !pp_value_name(v, "Fl")) {
        filter->kind = PP_FILTER_OTHER;
        return;
    }
    filter->kind = PP_FILTER_FLATE;
    if (!pp_dict_find(dict, "DecodeParms", &v) && !pp_dict_find(dict, "DP", &v))
        return;
    single = only_element(&v);
    if (single && (v.n == 0 || pp_view_is(v, "null")))
        return;
    if (single && pp_value_dict(v))
        parse_parms(v, filter);
    else
        filter->kind = PP_FILTER_OTHER; /* a reference, or several */
}

enum pdfpipe_status
pp_decoder_new(const struct pp_input *input, uint64_t offset, uint64_t length,
               const struct pp_filter *filter, struct pp_decoder **out,
               struct pdfpipe_error *err)
{
    struct pp_decoder *d;

    if (filter->kind == PP_FILTER_OTHER)
        return pp_fail_at(err, PDFPIPE_E_UNSUPPORTED, offset,
                          "stream has a filter that is not decoded");
    d = calloc(1, sizeof *d);
    if (!d)
        return pp_fail_memory(err);
    d->input = input;
    d->offset = offset;
    d->left = offset <= input->size ? pp_min(length, input->size - offset) : 0;
    d->filter = *filter;
    if (filter->predictor > 1) {
        d->rows_cap = ROWS_BYTES / (filter->row + 1) + 1;
        d->tagged = calloc(d->rows_cap, filter->row + 1);
        d->rows = calloc(d->rows_cap + 1, filter->row);
        if (!d->tagged || !d->rows)
            goto out_decoder;
    }
    if (filter->kind == PP_FILTER_FLATE && inflateInit(&d->z) != Z_OK)
        goto out_decoder;
    *out = d;
    return PDFPIPE_OK;

out_decoder:
    free(d->tagged);
    free(d->rows);
    free(d);
    return pp_fail_memory(err);
}

void
pp_decoder_free(struct pp_decoder *d)
{
    if (!d)
        return;
    if (d->filter.kind == PP_FILTER_FLATE)
        (void)inflateEnd(&d->z); /* frees; its answer is of no use */
    free(d->tagged);
    free(d->rows);
    free(d);
}

static enum pdfpipe_status
read_plain(struct pp_decoder *d, uint8_t *dst, size_t n, size_t *got,
           struct pdfpipe_error *err)
{
    enum pdfpipe_status st;

    n = (size_t)pp_min(n, d->left);
    st = d->input->read(d->input->self, d->offset, dst, n, err);
    if (st)
        return st;
    d->offset += n;
    d->left -= n;
    *got = n;
    return PDFPIPE_OK;
}

/* Flate without predictor. */
static enum pdfpipe_status
read_flate(struct pp_decoder *d, uint8_t *dst, size_t n, size_t *got,
           struct pdfpipe_error *err)
{
    enum pdfpipe_status st;

    *got = 0;
    while (*got < n && !d->ended) {
        uInt room = (uInt)pp_min(n - *got, 1u << 30);
        int z;

        if (d->z.avail_in == 0) {
            size_t in = 0;

            st = read_plain(d, d->in, sizeof d->in, &in, err);
            if (st)
                return st;
            if (in == 0)
                return pp_fail_at(err, PDFPIPE_E_DAMAGED_STREAM, d->offset,
                                  "compressed data are cut short");
            d->z.next_in = d->in;
            d->z.avail_in = (uInt)in;
        }
        d->z.next_out = dst + *got;
        d->z.avail_out = room;
        z = inflate(&d->z, Z_NO_FLUSH);
        *got += room - d->z.avail_out;
        if (z == Z_STREAM_END)
            d->ended = true;
        else if (z == Z_MEM_ERROR)
            return pp_fail_memory(err);
        else if (z != Z_OK && z != Z_BUF_ERROR)
            return pp_fail_at(err, PDFPIPE_E_DAMAGED_STREAM, d->offset,
                              "compressed data are not valid: %s",
                              d->z.msg ? d->z.msg : "unknown error");
    }
    return PDFPIPE_OK;
}

static uint8_t
paeth(uint8_t a, uint8_t b, uint8_t c)
{
    int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);

    if (pa <= pb && pa <= pc)
        return a;
    return pb <= pc ? b : c;
}

/* Undoes the PNG filter of one row; src is behind the tag, up the row above. */
static bool
undo_row(const struct pp_filter *f, uint8_t tag, const uint8_t *src,
         const uint8_t *up, uint8_t *cur)
{
    size_t n = f->row, pixel = f->pixel;

    switch (tag) {
    case 0: memcpy(cur, src, n); return true;
    case 1:
        for (size_t i = 0; i < n; i++)
            cur[i] = (uint8_t)(src[i] + (i >= pixel ? cur[i - pixel] : 0));
        return true;
    case 2:
        for (size_t i = 0; i < n; i++)
            cur[i] = (uint8_t)(src[i] + up[i]);
        return true;
    case 3:
        for (size_t i = 0; i < n; i++) {
            unsigned left = i >= pixel ? cur[i - pixel] : 0;

            cur[i] = (uint8_t)(src[i] + (left + up[i]) / 2);
        }
        return true;
    case 4:
        for (size_t i = 0; i < n; i++) {
            uint8_t left = i >= pixel ? cur[i - pixel] : 0;
            uint8_t corner = i >= pixel ? up[i - pixel] : 0;

            cur[i] = (uint8_t)(src[i] + paeth(left, up[i], corner));
        }
        return true;
    default: return false;
    }
}

/* Makes the next rows; rows_n is 0 at the end of the data. */
static enum pdfpipe_status
next_rows(struct pp_decoder *d, struct pdfpipe_error *err)
{
    size_t row = d->filter.row, cap = d->rows_cap * (row + 1), got = 0;
    enum pdfpipe_status st;

    PP_ASSERT(d->rows && d->tagged);
    memcpy(d->rows, d->rows + d->rows_n / row * row, row);
    st = read_flate(d, d->tagged, cap, &got, err);
    if (st)
        return st;
    memset(d->tagged + got, 0, cap - got); /* the last row may be short */
    d->rows_at = d->rows_n = 0;
    for (size_t at = 0; at + 1 < got; at += row + 1) {
        uint8_t *up = d->rows + at / (row + 1) * row;

        if (!undo_row(&d->filter, d->tagged[at], d->tagged + at + 1, up,
                      up + row))
            return pp_fail_at(err, PDFPIPE_E_DAMAGED_STREAM, d->offset,
                              "unknown predictor in a row of the data");
        d->rows_n += (size_t)pp_min(row, got - at - 1);
    }
    return PDFPIPE_OK;
}

enum pdfpipe_status
pp_decoder_read(struct pp_decoder *d, uint8_t *dst, size_t n, size_t *got,
                struct pdfpipe_error *err)
{
    enum pdfpipe_status st;

    *got = 0;
    if (d->filter.kind == PP_FILTER_NONE)
        return read_plain(d, dst, n, got, err);
    if (d->filter.predictor <= 1)
        return read_flate(d, dst, n, got, err);
    while (*got < n) {
        size_t part;

        if (d->rows_at == d->rows_n) {
            st = next_rows(d, err);
            if (st)
                return st;
            if (d->rows_n == 0)
                break;
        }
        part = (size_t)pp_min(n - *got, d->rows_n - d->rows_at);
        memcpy(dst + *got, d->rows + d->filter.row + d->rows_at, part);
        d->rows_at += part;
        *got += part;
    }
    return PDFPIPE_OK;
}

static enum pdfpipe_status
too_large(uint64_t offset, uint64_t limit, struct pdfpipe_error *err)
{
    return pp_fail_at(err, PDFPIPE_E_LIMIT, offset,
                      "stream is larger than %llu bytes when inflated",
                      (unsigned long long)limit);
}

enum pdfpipe_status
pp_pieces_begin(struct pp_pieces *s, const struct pp_input *input,
                uint64_t offset, uint64_t length,
                const struct pp_filter *filter, uint64_t limit,
                struct pp_buf *window, struct pdfpipe_error *err)
{
    *s = (struct pp_pieces){ .window = window,
                             .offset = offset,
                             .limit = limit };
    window->n = 0;
    return pp_decoder_new(input, offset, length, filter, &s->decoder, err);
}

void
pp_pieces_end(struct pp_pieces *s)
{
    pp_decoder_free(s->decoder);
    s->decoder = NULL;
}

enum pdfpipe_status
pp_pieces_next(struct pp_pieces *s, struct pdfpipe_error *err)
{
    enum pdfpipe_status st;
    size_t got = 0;

    s->window->n = 0;
    if (!pp_buf_reserve(s->window, PP_DECODED_PIECE))
        return pp_fail_memory(err);
    st = pp_decoder_read(s->decoder, s->window->p, PP_DECODED_PIECE, &got, err);
    if (st)
        return st;
    s->window->n = got;
    s->size += got;
    s->last = got < PP_DECODED_PIECE;
    return s->size > s->limit ? too_large(s->offset, s->limit, err)
                              : PDFPIPE_OK;
}

enum pdfpipe_status
pp_decode_all(const struct pp_input *input, uint64_t offset, uint64_t length,
              const struct pp_filter *filter, uint64_t limit,
              struct pp_buf *out, struct pdfpipe_error *err)
{
    struct pp_decoder *d = NULL;
    enum pdfpipe_status st;
    size_t got;

    st = pp_decoder_new(input, offset, length, filter, &d, err);
    if (st)
        return st;
    PP_ASSERT(d != NULL);
    do {
        if (!pp_buf_reserve(out, READ_BYTES)) {
            st = pp_fail_memory(err);
            break;
        }
        st = pp_decoder_read(d, out->p + out->n, READ_BYTES, &got, err);
        if (st)
            break;
        out->n += got;
        if (out->n > limit) {
            st = too_large(offset, limit, err);
            break;
        }
    } while (got == READ_BYTES);
    pp_decoder_free(d);
    return st;
}

struct pp_deflater {
    z_stream z;
};

enum pdfpipe_status
pp_deflater_new(struct pp_deflater **out, struct pdfpipe_error *err)
{
    struct pp_deflater *d = calloc(1, sizeof *d);

    if (!d)
        return pp_fail_memory(err);
    if (deflateInit(&d->z, Z_BEST_SPEED) != Z_OK) {
        free(d);
        return pp_fail_memory(err);
    }
    *out = d;
    return PDFPIPE_OK;
}

void
pp_deflater_free(struct pp_deflater *d)
{
    if (!d)
        return;
    (void)deflateEnd(&d->z); /* frees; "data were left" is of no interest */
    free(d);
}

enum pdfpipe_status
pp_deflater_add(struct pp_deflater *d, const void *p, size_t n, bool finish,
                struct pp_buf *to, struct pdfpipe_error *err)
{
    union {
        const void *in;
        Bytef *out;
    } bytes = { .in = p }; /* zlib reads through a pointer without const */
    int z;

    PP_ASSERT(n <= UINT32_MAX);
    d->z.next_in = bytes.out;
    d->z.avail_in = (uInt)n;
    do {
        if (!pp_buf_reserve(to, READ_BYTES))
            return pp_fail_memory(err);
        d->z.next_out = to->p + to->n;
        d->z.avail_out = READ_BYTES;
        z = deflate(&d->z, finish ? Z_FINISH : Z_NO_FLUSH);
        PP_ASSERT(z != Z_STREAM_ERROR);
        to->n += READ_BYTES - d->z.avail_out;
    } while (d->z.avail_out == 0 || (finish && z != Z_STREAM_END));
    return PDFPIPE_OK;
}
