/* xref_table.c - a classic cross-reference table and its trailer
 *
 * Entries are 20 bytes by the standard, and are read so; where a writer left
 * one short or put blanks elsewhere, the entry is read token by token.
 */
#include <string.h>

#include "pdf/dict.h"
#include "pdf/xref_section.h"

#define ROW_BYTES   20u
#define ROW_VIEW    64u /* more than the sloppiest row takes */
#define ROW_WORK    40u /* what a row counts as work         */
#define TRAILER_MAX ((size_t)16 << 20)

/* One row as the file has it. */
struct row {
    uint64_t offset;
    uint64_t generation;
    bool in_use;
};

static bool
fixed_digits(const uint8_t *p, size_t n, uint64_t *out)
{
    uint64_t v = 0;

    for (size_t i = 0; i < n; i++) {
        if (p[i] < '0' || p[i] > '9')
            return false;
        v = v * 10 + (uint64_t)(p[i] - '0');
    }
    *out = v;
    return true;
}

/* "nnnnnnnnnn ggggg n" and a two-byte end of line. */
static bool
strict_row(struct pp_view v, struct row *row)
{
    const uint8_t *p = v.p;

    if (v.n < ROW_BYTES || p[10] != ' ' || p[16] != ' ' ||
        (p[17] != 'n' && p[17] != 'f') || !pp_is_white(p[18]) ||
        (p[19] != '\n' && p[19] != '\r'))
        return false;
    row->in_use = p[17] == 'n';
    return fixed_digits(p, 10, &row->offset) &&
           fixed_digits(p + 11, 5, &row->generation);
}

/* The same by tokens; returns its length, 0: no row stands here. */
static size_t
sloppy_row(struct pp_view v, struct row *row)
{
    struct pp_lex lex = pp_lex_over(v);
    struct pp_token t[3];

    for (int i = 0; i < 3; i++)
        pp_lex_next(&lex, &t[i]);
    if (t[0].kind != PP_TOK_INTEGER || t[1].kind != PP_TOK_INTEGER ||
        t[0].negative || t[1].negative)
        return 0;
    row->offset = t[0].value;
    row->generation = t[1].value;
    row->in_use = pp_token_is(&lex, &t[2], "n");
    if (!row->in_use && !pp_token_is(&lex, &t[2], "f"))
        return 0;
    while (lex.at < v.n && pp_is_white(v.p[lex.at]))
        lex.at++;
    return lex.at;
}

static enum pdfpipe_status
enter(struct pp_xref_load *l, uint64_t number, const struct row *row,
      uint64_t at)
{
    struct pp_entry e = { .kind = PP_ENTRY_FREE };

    /* Offset 0 marks a deleted object in the files of one large producer. */
    if (row->in_use && row->offset && row->generation < 65535) {
        e.kind = PP_ENTRY_OFFSET;
        e.generation = (uint32_t)row->generation;
        if (row->offset > PP_OFFSET_MAX - l->x->header_at)
            return pp_fail_at(l->err, PDFPIPE_E_DAMAGED_XREF, at,
                              "offset of object %llu is beyond 64 TiB",
                              (unsigned long long)number);
        e.offset = row->offset + l->x->header_at;
    }
    return pp_xref_put(l, number, e, at);
}

/* Reads one row at *at and moves on; *end is set when no row stands there. */
static enum pdfpipe_status
next_row(struct pp_xref_load *l, uint64_t *at, struct row *row, bool *end)
{
    struct pp_view v;
    enum pdfpipe_status st = pp_peek_at(l->peek, *at, ROW_VIEW, &v, l->err);
    size_t n;

    *end = false;
    if (st)
        return st;
    if (strict_row(v, row)) {
        *at += ROW_BYTES;
        return PDFPIPE_OK;
    }
    if (v.n > ROW_VIEW)
        v.n = ROW_VIEW;
    n = sloppy_row(v, row);
    *end = n == 0;
    *at += n;
    if (n)
        pp_note(l->notes, PDFPIPE_W_XREF_SLOPPY, 0, *at);
    return PDFPIPE_OK;
}

static enum pdfpipe_status
read_subsection(struct pp_xref_load *l, uint64_t first, uint64_t count,
                bool first_of_table, uint64_t *at)
{
    enum pdfpipe_status st;
    struct row row;
    bool end;

    /* The rows begin behind white space that is not part of them. */
    for (;;) {
        struct pp_view v;

        st = pp_peek_at(l->peek, *at, 1, &v, l->err);
        if (st)
            return st;
        if (v.n == 0 || !pp_is_white(*v.p))
            break;
        ++*at;
    }
    for (uint64_t i = 0; i < count; i++) {
        uint64_t row_at = *at;

        st = pp_xref_spend(l, ROW_WORK, row_at);
        if (!st)
            st = next_row(l, at, &row, &end);
        if (st)
            return st;
        if (end) {
            pp_note(l->notes, PDFPIPE_W_XREF_SLOPPY, 0, row_at);
            return PDFPIPE_OK;
        }
        /* Some writers number from 1 and forget that the head of the free
         * list, object 0, is among the rows. */
        if (first_of_table && i == 0 && first == 1 && !row.in_use &&
            row.generation == 65535) {
            first = 0;
            pp_note(l->notes, PDFPIPE_W_XREF_SLOPPY, 0, row_at);
        }
        st = enter(l, first + i, &row, row_at);
        if (st)
            return st;
    }
    return PDFPIPE_OK;
}

/* The dictionary behind the keyword trailer, whole. */
static enum pdfpipe_status
read_trailer(struct pp_xref_load *l, uint64_t at)
{
    for (size_t want = 4096; want <= TRAILER_MAX; want *= 4) {
        struct pp_view v;
        enum pdfpipe_status st = pp_peek_at(l->peek, at, want, &v, l->err);
        struct pp_walk w;
        size_t n;

        if (st)
            return st;
        n = pp_value_length(v);
        pp_walk_init(&w, v);
        if (n && !w.failed && !w.array)
            return pp_buf_append(&l->dict, v.p, n) ? PDFPIPE_OK
                                                   : pp_fail_memory(l->err);
        if (pp_peek_whole(l->peek, at, v.n))
            break;
    }
    return pp_fail_at(l->err, PDFPIPE_E_DAMAGED_TRAILER, at,
                      "no complete dictionary follows the keyword trailer");
}

enum pdfpipe_status
pp_xref_read_table(struct pp_xref_load *l, uint64_t at)
{
    for (bool first_of_table = true;; first_of_table = false) {
        struct pp_token first, count;
        enum pdfpipe_status st;
        struct pp_view v;
        struct pp_lex lex;

        st = pp_peek_at(l->peek, at, 1024, &v, l->err);
        if (st)
            return st;
        lex = pp_lex_over(v);
        pp_lex_next(&lex, &first);
        if (pp_token_is(&lex, &first, "trailer"))
            return read_trailer(l, at + lex.at);
        pp_lex_next(&lex, &count);
        if (first.kind != PP_TOK_INTEGER || count.kind != PP_TOK_INTEGER ||
            first.negative || count.negative || first.value > UINT32_MAX)
            return pp_fail_at(l->err, PDFPIPE_E_DAMAGED_XREF, at + first.at,
                              "neither a subsection nor the keyword trailer "
                              "stands here");
        at += lex.at;
        st = read_subsection(l, first.value, count.value, first_of_table, &at);
        if (st)
            return st;
    }
}
