/* xrefout.c - writes a cross-reference */
#include "pdf/xrefout.h"

#include <inttypes.h>
#include <string.h>

#include "base/decimal.h"
#include "base/num.h"
#include "pdf/flate.h"

#define ROW_BYTES  20u
#define ROWS_KEPT  512u /* written with one call */
#define GAP_BROKEN 64u  /* a gap this long starts a new subsection */

/* Gaps are listed as free entries unless they outnumber the rest by far. */
static bool
mostly_gaps(const struct pp_xref *rows)
{
    uint64_t live = rows->in_file + rows->compressed;

    return rows->count - live > live + 4096;
}

static uint64_t
largest_offset(const struct pp_xref *rows)
{
    uint64_t largest = 0;

    for (uint32_t i = 0; i < rows->count; i++)
        largest = pp_max(largest, pp_xref_entry(rows, i).offset);
    return largest;
}

bool
pp_xrefout_needs_stream(const struct pp_xref *rows, uint64_t at)
{
    return rows->compressed > 0 || at > PP_TABLE_OFFSET_MAX ||
           mostly_gaps(rows) || largest_offset(rows) > PP_TABLE_OFFSET_MAX;
}

static enum pdfpipe_status
put(const struct pp_output *output, const struct pp_buf *text,
    struct pdfpipe_error *err)
{
    return output->write(output->self, text->p, text->n, err);
}

/* One row of a table (ISO 32000-2, 7.5.4). */
static void
put_row(char to[ROW_BYTES], uint64_t offset, uint32_t generation, char kind)
{
    pp_decimal_padded(to, 10, offset);
    to[10] = ' ';
    pp_decimal_padded(to + 11, 5, generation);
    to[16] = ' ';
    to[17] = kind;
    to[18] = ' ';
    to[19] = '\n';
}

static enum pdfpipe_status
put_table_rows(const struct pp_xref *rows, const struct pp_output *output,
               struct pdfpipe_error *err)
{
    char text[ROWS_KEPT * ROW_BYTES];
    enum pdfpipe_status st;
    size_t n = 0;

    for (uint32_t i = 0; i < rows->count; i++) {
        struct pp_entry e = pp_xref_entry(rows, i);

        if (e.kind == PP_ENTRY_OFFSET)
            put_row(text + n, e.offset, e.generation, 'n');
        else /* a number not in use may always link back to object 0 */
            put_row(text + n, 0, 65535, 'f');
        n += ROW_BYTES;
        if (n < sizeof text && i + 1 < rows->count)
            continue;
        st = output->write(output->self, text, n, err);
        if (st)
            return st;
        n = 0;
    }
    return PDFPIPE_OK;
}

enum pdfpipe_status
pp_xrefout_table(const struct pp_xref *rows, struct pp_view entries,
                 uint64_t at, const struct pp_output *output,
                 struct pdfpipe_error *err)
{
    struct pp_buf text = { 0 };
    enum pdfpipe_status st = PDFPIPE_E_NO_MEMORY;

    if (!pp_buf_printf(&text, "xref\n0 %" PRIu32 "\n", rows->count))
        goto out_memory;
    st = put(output, &text, err);
    if (!st)
        st = put_table_rows(rows, output, err);
    if (st)
        goto out_text;
    text.n = 0;
    if (!pp_buf_printf(&text, "trailer\n<</Size %" PRIu32, rows->count) ||
        !pp_buf_append(&text, entries.p, entries.n) ||
        !pp_buf_printf(&text, ">>\nstartxref\n%" PRIu64 "\n%%%%EOF\n", at))
        goto out_memory;
    st = put(output, &text, err);
    goto out_text;

out_memory:
    st = pp_fail_memory(err);
out_text:
    pp_buf_fini(&text);
    return st;
}

/* A run of consecutive numbers that is listed. */
struct run {
    uint32_t first;
    uint32_t count;
};

static bool
listed(const struct pp_xref *rows, uint32_t number)
{
    enum pp_entry_kind kind = pp_xref_entry(rows, number).kind;

    return number == 0 || kind == PP_ENTRY_OFFSET ||
           kind == PP_ENTRY_COMPRESSED;
}

/* The next run at or behind run->first + run->count; false: no more. */
static bool
next_run(const struct pp_xref *rows, bool broken, struct run *run)
{
    uint32_t at = run->first + run->count, end;

    if (!broken) {
        *run = (struct run){ 0, rows->count };
        return at == 0 && rows->count > 0;
    }
    while (at < rows->count && !listed(rows, at))
        at++;
    if (at == rows->count)
        return false;
    end = at + 1;
    for (uint32_t i = end; i < rows->count && i - end < GAP_BROKEN; i++)
        if (listed(rows, i))
            end = i + 1;
    *run = (struct run){ at, end - at };
    return true;
}

static unsigned
width(uint64_t largest)
{
    unsigned n = 1;

    for (; largest > 0xff; largest >>= 8)
        n++;
    return n;
}

/* Widths of the second and third field. */
static void
widths(const struct pp_xref *rows, unsigned w[2])
{
    uint64_t second = 0, third = 0;

    for (uint32_t i = 0; i < rows->count; i++) {
        struct pp_entry e = pp_xref_entry(rows, i);

        second = pp_max(second, pp_max(e.offset, e.stream));
        third = pp_max(third, pp_max(e.generation, e.index));
    }
    w[0] = width(second);
    w[1] = width(third);
}

static uint8_t *
put_field(uint8_t *p, uint64_t v, unsigned n)
{
    for (unsigned i = n; i > 0; i--) {
        p[i - 1] = (uint8_t)v;
        v >>= 8;
    }
    return p + n;
}

/* Rows of all runs through a "previous row" predictor into z. */
static enum pdfpipe_status
deflate_rows(const struct pp_xref *rows, bool broken, const unsigned w[2],
             struct pp_buf *z, struct pdfpipe_error *err)
{
    uint8_t above[1 + 8 + 8] = { 0 }, row[1 + 8 + 8] = { 0 },
                          out[1 + sizeof row];
    size_t n = 1 + w[0] + w[1];
    struct pp_deflater *d;
    struct run run = { 0, 0 };
    enum pdfpipe_status st = pp_deflater_new(&d, err);

    if (st)
        return st;
    out[0] = 2; /* PNG "up" */
    while (!st && next_run(rows, broken, &run)) {
        for (uint32_t i = 0; !st && i < run.count; i++) {
            struct pp_entry e = pp_xref_entry(rows, run.first + i);
            uint8_t *p = row;

            if (e.kind == PP_ENTRY_NONE)
                e.kind = PP_ENTRY_FREE;
            /* FREE, OFFSET, COMPRESSED are types 0, 1, 2. */
            p = put_field(p, (uint64_t)e.kind - PP_ENTRY_FREE, 1);
            p = put_field(p, e.offset + e.stream, w[0]);
            (void)put_field(p, e.generation + e.index, w[1]);
            for (size_t k = 0; k < n; k++)
                out[1 + k] = (uint8_t)(row[k] - above[k]);
            memcpy(above, row, n);
            st = pp_deflater_add(d, out, n + 1, false, z, err);
        }
    }
    if (!st)
        st = pp_deflater_add(d, NULL, 0, true, z, err);
    pp_deflater_free(d);
    return st;
}

static bool
put_index(const struct pp_xref *rows, struct pp_buf *text)
{
    struct run run = { 0, 0 };

    if (!pp_buf_append(text, "/Index[", 7))
        return false;
    while (next_run(rows, true, &run))
        if (!pp_buf_printf(text, "%" PRIu32 " %" PRIu32 " ", run.first,
                           run.count))
            return false;
    text->p[text->n - 1] = ']'; /* over the last blank: number 0 is listed */
    return true;
}

enum pdfpipe_status
pp_xrefout_stream(const struct pp_xref *rows, uint32_t number,
                  struct pp_view entries, uint64_t at,
                  const struct pp_output *output, struct pdfpipe_error *err)
{
    bool broken = mostly_gaps(rows);
    struct pp_buf text = { 0 }, z = { 0 };
    enum pdfpipe_status st;
    unsigned w[2];

    widths(rows, w);
    st = deflate_rows(rows, broken, w, &z, err);
    if (st)
        goto out_buffers;
    if (!pp_buf_printf(&text,
                       "%" PRIu32 " 0 obj\n<</Type/XRef/Size %" PRIu32
                       "/W[1 %u %u]",
                       number, rows->count, w[0], w[1]) ||
        (broken && !put_index(rows, &text)) ||
        !pp_buf_append(&text, entries.p, entries.n) ||
        !pp_buf_printf(&text,
                       "/Filter/FlateDecode/DecodeParms<</Predictor 12"
                       "/Columns %u>>/Length %zu>>\nstream\n",
                       1 + w[0] + w[1], z.n))
        goto out_memory;
    st = put(output, &text, err);
    if (!st)
        st = put(output, &z, err);
    if (st)
        goto out_buffers;
    text.n = 0;
    if (!pp_buf_printf(&text,
                       "\nendstream\nendobj\nstartxref\n%" PRIu64 "\n%%%%EOF\n",
                       at))
        goto out_memory;
    st = put(output, &text, err);
    goto out_buffers;

out_memory:
    st = pp_fail_memory(err);
out_buffers:
    pp_buf_fini(&text);
    pp_buf_fini(&z);
    return st;
}
