/* pdfwriter.c - objects in, a PDF file out */
#include "pdfwriter.h"

#include <stdlib.h>
#include <string.h>

/* Objects and bytes after which an object stream is full. */
enum { PACK_OBJECTS = 100, PACK_BYTES = 64 * 1024 };

/* Highest object number that common readers accept. */
enum { NUMBER_LIMIT = 8388607 };

void
pdfwriter_open(struct pdfwriter *w, const char *path, enum pdf_form form)
{
    memset(w, 0, sizeof *w);
    outfile_open(&w->out, path);
    w->form = form;
    (void)pdfwriter_number(w); /* 0 heads the free list */
    outfile_printf(&w->out, "%%PDF-1.7\n%%\xE2\xE3\xCF\xD3\n");
}

uint32_t
pdfwriter_number(struct pdfwriter *w)
{
    if (w->count == NUMBER_LIMIT)
        outfile_fail(&w->out, "more than %d objects", NUMBER_LIMIT);
    if (w->count == w->capacity) {
        w->capacity = w->capacity ? w->capacity * 2 : 1024;
        w->entries = gen_realloc(w->entries, w->capacity * sizeof *w->entries);
    }
    w->entries[w->count] = (struct pdf_entry){ 0 };
    return w->count++;
}

static void
enter(struct pdfwriter *w, uint32_t number, struct pdf_entry entry)
{
    if (number == 0 || number >= w->count || w->entries[number].type != 0)
        outfile_fail(&w->out, "object %u: unknown, or written twice", number);
    w->entries[number] = entry;
}

static void
enter_here(struct pdfwriter *w, uint32_t number)
{
    enter(w, number, (struct pdf_entry){ .where = w->out.at, .type = 1 });
}

static void
flush_pack(struct pdfwriter *w)
{
    struct text dict = { 0 };

    if (w->pack_count == 0)
        return;
    text_printf(&dict, "/Type /ObjStm /N %u /First %zu", w->pack_count,
                w->index.n);
    text_add(&dict, "", 1);
    text_add(&w->index, w->pack.bytes, w->pack.n);
    pdfwriter_flated(w, w->pack_number, dict.bytes, w->index.bytes, w->index.n);
    text_free(&dict);
    text_clear(&w->index);
    text_clear(&w->pack);
    w->pack_count = 0;
}

struct text *
pdfwriter_begin(struct pdfwriter *w, uint32_t number)
{
    if (w->open != 0 || w->stream_left != 0)
        outfile_fail(&w->out, "object %u begins in another", number);
    w->open = number;
    text_clear(&w->body);
    return &w->body;
}

static void
add_to_pack(struct pdfwriter *w)
{
    if (w->pack_count == 0)
        w->pack_number = pdfwriter_number(w);
    enter(w, w->open,
          (struct pdf_entry){
              .where = w->pack_number, .index = w->pack_count, .type = 2 });
    text_printf(&w->index, "%u %zu ", w->open, w->pack.n);
    text_add(&w->pack, w->body.bytes, w->body.n);
    text_add(&w->pack, "\n", 1);
    w->pack_count++;
}

void
pdfwriter_end(struct pdfwriter *w)
{
    if (w->form == PDF_OBJSTM) {
        add_to_pack(w);
        w->open = 0;
        if (w->pack_count == PACK_OBJECTS || w->pack.n >= PACK_BYTES)
            flush_pack(w);
    } else {
        enter_here(w, w->open);
        outfile_printf(&w->out, "%u 0 obj\n", w->open);
        outfile_write(&w->out, w->body.bytes, w->body.n);
        outfile_write(&w->out, "\nendobj\n", 8);
    }
    w->open = 0;
}

void
pdfwriter_stream_begin(struct pdfwriter *w, uint32_t number, const char *dict,
                       uint64_t n)
{
    if (w->open != 0 || w->stream_left != 0)
        outfile_fail(&w->out, "stream %u begins in another object", number);
    enter_here(w, number);
    outfile_printf(&w->out, "%u 0 obj\n<<%s /Length %llu>>\nstream\n", number,
                   dict, (unsigned long long)n);
    w->stream_left = n;
}

void
pdfwriter_stream_piece(struct pdfwriter *w, const void *data, size_t n)
{
    if (n > w->stream_left)
        outfile_fail(&w->out, "stream is longer than announced");
    outfile_write(&w->out, data, n);
    w->stream_left -= n;
}

void
pdfwriter_stream_end(struct pdfwriter *w)
{
    if (w->stream_left != 0)
        outfile_fail(&w->out, "stream is shorter than announced");
    outfile_printf(&w->out, "\nendstream\nendobj\n");
}

void
pdfwriter_stream(struct pdfwriter *w, uint32_t number, const char *dict,
                 const void *data, size_t n)
{
    pdfwriter_stream_begin(w, number, dict, n);
    pdfwriter_stream_piece(w, data, n);
    pdfwriter_stream_end(w);
}

void
pdfwriter_flated(struct pdfwriter *w, uint32_t number, const char *dict,
                 const void *data, size_t n)
{
    text_clear(&w->scratch);
    text_printf(&w->scratch, "%s /Filter /FlateDecode", dict);
    text_add(&w->scratch, "", 1);
    text_clear(&w->flated);
    text_deflate(&w->flated, data, n);
    pdfwriter_stream(w, number, w->scratch.bytes, w->flated.bytes, w->flated.n);
}

uint32_t
pdfwriter_skip(struct pdfwriter *w, uint64_t offset)
{
    static const char edge[] = "The hole begins behind this stream.";
    uint32_t number = pdfwriter_number(w);

    flush_pack(w);
    pdfwriter_stream(w, number, "", edge, sizeof edge - 1);
    outfile_skip(&w->out, offset);
    return number;
}

static void
write_table(struct pdfwriter *w)
{
    outfile_printf(&w->out, "xref\n0 %u\n0000000000 65535 f \n", w->count);
    for (uint32_t i = 1; i < w->count; i++) {
        if (w->entries[i].where > PDF_CLASSIC_LIMIT)
            outfile_fail(&w->out,
                         "object %u at %llu is beyond ten digits: use "
                         "--form=objstm",
                         i, (unsigned long long)w->entries[i].where);
        outfile_printf(&w->out, "%010llu 00000 n \n",
                       (unsigned long long)w->entries[i].where);
    }
}

static unsigned
bytes_for(uint64_t value)
{
    unsigned n = 1;

    while (value >>= 8)
        n++;
    return n;
}

/* One row with the PNG predictor Up: each byte is the difference to the row
 * above, after a tag byte 2.  Rows that grow evenly compress to little. */
static void
add_row(struct text *t, const struct pdf_entry *entry, unsigned width,
        uint8_t *above)
{
    uint8_t row[12], line[13] = { 2 };
    uint64_t where = entry->where;
    unsigned index = entry->index;

    row[0] = (uint8_t)entry->type;
    for (unsigned i = width; i > 0; i--, where >>= 8)
        row[i] = (uint8_t)where;
    row[width + 1] = (uint8_t)(index >> 8);
    row[width + 2] = (uint8_t)index;
    for (unsigned i = 0; i < width + 3; i++) {
        line[i + 1] = (uint8_t)(row[i] - above[i]);
        above[i] = row[i];
    }
    text_add(t, line, width + 4);
}

static void
write_xref_stream(struct pdfwriter *w, uint32_t number, const char *trailer)
{
    struct text rows = { 0 }, dict = { 0 };
    unsigned width = bytes_for(w->out.at);
    uint8_t above[12] = { 0 };

    if (width < bytes_for(w->count))
        width = bytes_for(w->count);
    w->entries[0].index = 65535;
    w->entries[number] = (struct pdf_entry){ .where = w->out.at, .type = 1 };
    for (uint32_t i = 0; i < w->count; i++)
        add_row(&rows, &w->entries[i], width, above);
    w->entries[number].type = 0; /* entered when it is written */
    text_printf(&dict,
                "/Type /XRef /W [1 %u 2] /DecodeParms <</Predictor 12 "
                "/Columns %u>> %s",
                width, width + 3, trailer);
    text_add(&dict, "", 1);
    pdfwriter_flated(w, number, dict.bytes, rows.bytes, rows.n);
    text_free(&dict);
    text_free(&rows);
}

static void
check_all_written(struct pdfwriter *w, uint32_t except)
{
    for (uint32_t i = 1; i < w->count; i++)
        if (w->entries[i].type == 0 && i != except)
            outfile_fail(&w->out, "object %u was never written", i);
}

void
pdfwriter_close(struct pdfwriter *w, uint32_t root, uint32_t info,
                const char *id)
{
    struct text trailer = { 0 };
    uint64_t start;
    uint32_t number = 0;

    flush_pack(w);
    if (w->form == PDF_OBJSTM)
        number = pdfwriter_number(w);
    check_all_written(w, number);
    text_printf(&trailer, "/Size %u /Root %u 0 R /ID [<%s> <%s>]", w->count,
                root, id, id);
    if (info)
        text_printf(&trailer, " /Info %u 0 R", info);
    text_add(&trailer, "", 1);
    start = w->out.at;
    if (w->form == PDF_OBJSTM) {
        write_xref_stream(w, number, trailer.bytes);
    } else {
        write_table(w);
        outfile_printf(&w->out, "trailer\n<<%s>>\n", trailer.bytes);
    }
    outfile_printf(&w->out, "startxref\n%llu\n%%%%EOF\n",
                   (unsigned long long)start);
    outfile_close(&w->out);
    text_free(&trailer);
    text_free(&w->body);
    text_free(&w->pack);
    text_free(&w->index);
    text_free(&w->flated);
    text_free(&w->scratch);
    free(w->entries);
}
