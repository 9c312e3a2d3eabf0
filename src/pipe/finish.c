/* finish.c - the end of an output */
#include "pipe/finish.h"

#include <inttypes.h>

#include "pdf/string.h"
#include "pdf/xrefout.h"

static enum pdfpipe_status
write_sink(void *self, const void *p, size_t n, struct pdfpipe_error *err)
{
    return pp_sink_write(self, p, n, err);
}

/* The encryption dictionary is an object of its own, never in an object
 * stream and not encrypted itself. */
static enum pdfpipe_status
put_encdict(struct pp_document *d, uint32_t number, struct pdfpipe_error *err)
{
    struct pp_entry e = { .kind = PP_ENTRY_OFFSET, .offset = d->sink.size };
    struct pp_buf text = { 0 };
    enum pdfpipe_status st;

    d->encdict.n = 0;
    st = pp_encdict_write(&d->handler, &d->encdict, err);
    if (!st)
        st = pp_xref_set(&d->rows, number, e, err);
    if (st)
        return st;
    if (pp_buf_printf(&text, "%" PRIu32 " 0 obj\n", number) &&
        pp_buf_append(&text, d->encdict.p, d->encdict.n) &&
        pp_buf_append(&text, "\nendobj\n", 8))
        st = pp_sink_write(&d->sink, text.p, text.n, err);
    else
        st = pp_fail_memory(err);
    pp_buf_fini(&text);
    return st;
}

static bool
put_hex(struct pp_buf *to, const uint8_t *p, size_t n)
{
    if (!pp_buf_reserve(to, 2 * n + 2))
        return false;
    to->p[to->n++] = '<';
    pp_hex_encode(p, n, to->p + to->n);
    to->n += 2 * n;
    to->p[to->n++] = '>';
    return true;
}

/* The entries of the trailer, but /Size. */
static bool
put_entries(struct pp_document *d, uint32_t encrypt, struct pp_buf *to)
{
    const struct pp_profile *profile = &d->reading.profile;
    const struct pp_buf *id = &profile->id;

    d->root = profile->root;
    d->info = (struct pp_reference){ d->info_number, 0 };
    if (!d->info_number && profile->info.number)
        d->info = profile->info;
    if (!pp_buf_printf(to, "/Root %" PRIu32 " %" PRIu32 " R", d->root.number,
                       d->root.generation))
        return false;
    if (d->info.number && !pp_buf_printf(to, "/Info %" PRIu32 " %" PRIu32 " R",
                                         d->info.number, d->info.generation))
        return false;
    return pp_buf_printf(to, "/Encrypt %" PRIu32 " 0 R/ID[", encrypt) &&
           (id->n ? put_hex(to, id->p, id->n)
                  : put_hex(to, d->id[0], sizeof d->id[0])) &&
           put_hex(to, d->id[1], sizeof d->id[1]) &&
           pp_buf_append(to, "]", 1) &&
           pp_buf_append(to, profile->extra.p, profile->extra.n);
}

static enum pdfpipe_status
put_xref(struct pp_document *d, uint32_t number, struct pp_view entries,
         struct pdfpipe_error *err)
{
    struct pp_output output = { &d->sink, write_sink };
    uint64_t at = d->sink.size;
    struct pp_entry own = { .kind = PP_ENTRY_OFFSET, .offset = at };
    enum pdfpipe_status st;

    if (!pp_xrefout_needs_stream(&d->rows, at))
        return pp_xrefout_table(&d->rows, entries, at, &output, err);
    st = pp_xref_set(&d->rows, number, own, err);
    return st ? st
              : pp_xrefout_stream(&d->rows, number, entries, at, &output, err);
}

enum pdfpipe_status
pp_finish_output(struct pp_document *d, struct pdfpipe_error *err)
{
    struct pp_buf entries = { 0 };
    enum pdfpipe_status st;
    uint32_t number;

    number = pp_xref_new_number(&d->reading.xref, d->highest_ref);
    if (number <= d->info_number)
        number = d->info_number + 1;
    if (number >= PP_OBJECT_MAX)
        return pp_fail(err, PDFPIPE_E_LIMIT,
                       "no object number is left for the encryption "
                       "dictionary");
    st = put_encdict(d, number, err);
    if (st)
        return st;
    if (put_entries(d, number, &entries))
        st = put_xref(d, number + 1, pp_buf_view(&entries), err);
    else
        st = pp_fail_memory(err);
    pp_buf_fini(&entries);
    d->rows_sum = pp_xref_sum(&d->rows);
    d->rows_count = d->rows.count;
    return st;
}
