/*
 * xref_fuzz.c - any bytes as a PDF file, up to its objects
 *
 * Properties: an error says what and where; what is loaded is consistent, and
 * is the same when it has been written as a table or a stream and loaded
 * again; no entry can make the look-ups that follow do more than fail.
 */
#include <stdlib.h>
#include <string.h>

#include "pdf/xrefout.h"
#include "seal/profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#define FETCHED 64u /* objects that are looked up */

static void
need(bool holds)
{
    if (!holds)
        abort();
}

static struct pp_scanner *scanner;

static void
check_error(enum pdfpipe_status st, const struct pdfpipe_error *err, size_t n)
{
    (void)n;
    need(st == PDFPIPE_E_NOT_PDF || st == PDFPIPE_E_DAMAGED_XREF ||
         st == PDFPIPE_E_DAMAGED_TRAILER || st == PDFPIPE_E_DAMAGED_OBJECT ||
         st == PDFPIPE_E_DAMAGED_STREAM || st == PDFPIPE_E_UNSUPPORTED ||
         st == PDFPIPE_E_LIMIT);
    need(err->code == st && err->message[0]);
}

static void
check_entries(const struct pp_xref *x)
{
    uint64_t in_file = 0, compressed = 0;
    uint32_t *order;
    size_t n;

    need(x->count <= PP_OBJECT_MAX + 1 && x->trailer.n > 0);
    for (uint32_t i = 0; i < x->count; i++) {
        struct pp_entry e = pp_xref_entry(x, i);

        in_file += e.kind == PP_ENTRY_OFFSET;
        compressed += e.kind == PP_ENTRY_COMPRESSED;
        need(e.offset <= PP_OFFSET_MAX && e.generation < 65535);
        need(e.kind != PP_ENTRY_COMPRESSED ||
             (e.stream > 0 && e.stream <= PP_OBJECT_MAX));
        need(i > 0 || e.kind == PP_ENTRY_NONE || e.kind == PP_ENTRY_FREE);
    }
    need(in_file == x->in_file && compressed == x->compressed);
    need(pp_xref_new_number(x, 0) >= x->count);
    need(pp_xref_order(x, &order, &n, NULL) == PDFPIPE_OK && n == in_file);
    for (size_t i = 1; i < n; i++)
        need(pp_xref_entry(x, order[i - 1]).offset <=
             pp_xref_entry(x, order[i]).offset);
    free(order);
}

static enum pdfpipe_status
append(void *self, const void *p, size_t n, struct pdfpipe_error *err)
{
    (void)err;
    need(pp_buf_append(self, p, n));
    return PDFPIPE_OK;
}

/* Written and read again. */
static void
check_output(struct pp_xref *x, bool stream)
{
    static const uint8_t entries[] = "/Root 1 0 R";
    struct pp_view e = { entries, sizeof entries - 1 }, bytes;
    uint32_t number = pp_xref_new_number(x, 0);
    struct pp_buf file = { 0 };
    struct pp_output output = { &file, append };
    struct pp_xref back = { 0 };
    struct pp_input input;
    struct pp_peek peek;

    if (number > PP_OBJECT_MAX)
        return;
    need(pp_buf_printf(&file, "%%PDF-1.7\n"));
    if (stream) {
        struct pp_entry own = { .kind = PP_ENTRY_OFFSET, .offset = file.n };

        need(pp_xref_set(x, number, own, NULL) == PDFPIPE_OK);
        need(pp_xrefout_stream(x, number, e, file.n, &output, NULL) ==
             PDFPIPE_OK);
    } else {
        need(pp_xrefout_table(x, e, file.n, &output, NULL) == PDFPIPE_OK);
    }
    bytes = pp_buf_view(&file);
    input = pp_input_over(&bytes);
    pp_peek_init(&peek, &input, 65536);
    need(pp_xref_load(&back, &peek, scanner, NULL, NULL) == PDFPIPE_OK);
    need(back.count == x->count && pp_xref_sum(&back) == pp_xref_sum(x));
    pp_xref_fini(&back);
    pp_peek_fini(&peek);
    pp_buf_fini(&file);
}

static void
look_up(const struct pp_xref *x, const struct pp_input *input)
{
    struct pp_profile profile = { .version = { 0, 0 } };
    struct pdfpipe_error err;
    struct pp_fetch fetch;
    enum pdfpipe_status st;
    struct pp_view v;
    uint64_t value;
    bool found;

    pp_fetch_init(&fetch, x, input, scanner, 1 << 16, 1 << 16);
    st = pp_profile_read(&profile, x, &fetch, NULL, &err);
    if (st)
        check_error(st, &err, input->size);
    for (uint32_t i = 0; i < x->count && i < FETCHED; i++) {
        struct pp_entry e = pp_xref_entry(x, i);
        struct pp_reference ref = { i, e.generation };

        st = pp_fetch_value(&fetch, ref, &v, &found, &err);
        if (st)
            check_error(st, &err, input->size);
        else if (found)
            need(v.n > 0 && v.p != NULL);
        pp_fetch_integer(&fetch, ref, &value, &found);
    }
    pp_profile_fini(&profile);
    pp_fetch_fini(&fetch);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct pp_view bytes = { data, n };
    struct pp_input input = pp_input_over(&bytes);
    struct pdfpipe_error err = { .code = PDFPIPE_OK };
    struct pp_notes notes = { 0 };
    struct pp_xref x = { 0 };
    struct pp_peek peek;
    enum pdfpipe_status st;

    if (!scanner && pp_scanner_new(&scanner, NULL))
        return 0;
    pp_peek_init(&peek, &input, 4096);
    st = pp_xref_load(&x, &peek, scanner, &notes, &err);
    if (st) {
        check_error(st, &err, n);
    } else {
        check_entries(&x);
        look_up(&x, &input);
        /* Large tables are slow to write and show nothing new. */
        if (x.count < 20000 && !pp_xrefout_needs_stream(&x, 9))
            check_output(&x, false);
        check_output(&x, true);
    }
    pp_xref_fini(&x);
    pp_peek_fini(&peek);
    return 0;
}
