/* madepdf.c - small PDFs that a test writes down */
#include "madepdf.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
need(bool holds)
{
    if (!holds) {
        (void)fprintf(stderr, "madepdf: out of memory or of room\n");
        abort();
    }
}

void
made_fini(struct made *m)
{
    pp_buf_fini(&m->text);
}

void
made_bytes(struct made *m, const void *p, size_t n)
{
    need(pp_buf_append(&m->text, p, n));
}

static void append_text(struct made *m, const char *fmt, va_list args)
    __attribute__((format(printf, 2, 0)));

static void
append_text(struct made *m, const char *fmt, va_list args)
{
    char *text = NULL;
    int n = vasprintf(&text, fmt, args);

    need(n >= 0 && text);
    made_bytes(m, text, (size_t)n);
    free(text);
}

void
made_text(struct made *m, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    append_text(m, fmt, args);
    va_end(args);
}

void
made_here(struct made *m, unsigned number)
{
    need(number < MADE_OBJECTS);
    m->at[number] = m->text.n;
    if (number >= m->count)
        m->count = number + 1;
}

void
made_object(struct made *m, unsigned number, const char *fmt, ...)
{
    va_list args;

    made_here(m, number);
    made_text(m, "%u 0 obj\n", number);
    va_start(args, fmt);
    append_text(m, fmt, args);
    va_end(args);
    made_text(m, "\nendobj\n");
}

void
made_stream(struct made *m, unsigned number, const char *entries, const void *p,
            size_t n)
{
    made_here(m, number);
    made_text(m, "%u 0 obj\n<<%s/Length %zu>>\nstream\n", number, entries, n);
    made_bytes(m, p, n);
    made_text(m, "\nendstream\nendobj\n");
}

uint64_t
made_table(struct made *m)
{
    uint64_t at = m->text.n;

    if (m->count == 0)
        m->count = 1; /* number 0 is always there */
    made_text(m, "xref\n0 %u\n0000000000 65535 f \n", m->count);
    for (unsigned i = 1; i < m->count; i++)
        if (m->at[i])
            made_text(m, "%010" PRIu64 " 00000 n \n", m->at[i]);
        else
            made_text(m, "0000000000 65535 f \n");
    return at;
}

void
made_trailer(struct made *m, const char *entries)
{
    made_text(m, "trailer\n<</Size %u%s>>\n", m->count, entries);
}

void
made_end(struct made *m, uint64_t startxref)
{
    made_text(m, "startxref\n%" PRIu64 "\n%%%%EOF\n", startxref);
}

struct pp_view
view_of(const char *text)
{
    return (struct pp_view){ (const uint8_t *)text, strlen(text) };
}

struct pp_view
view_copy(struct pp_view v)
{
    uint8_t *p = malloc(v.n ? v.n : 1);

    need(p != NULL);
    if (v.n)
        memcpy(p, v.p, v.n);
    return (struct pp_view){ p, v.n };
}

void
view_free(struct pp_view v)
{
    union {
        const uint8_t *constant;
        void *owned;
    } p = { .constant = v.p };

    free(p.owned);
}

void
loaded_from(struct loaded *l, struct pp_view bytes)
{
    *l = (struct loaded){ .bytes = bytes };
    l->input = pp_input_over(&l->bytes);
    pp_peek_init(&l->peek, &l->input, 65536);
    need(pp_scanner_new(&l->scanner, NULL) == PDFPIPE_OK);
    pp_fetch_init(&l->fetch, &l->xref, &l->input, l->scanner, (size_t)1 << 20,
                  (uint64_t)1 << 20);
    l->st = pp_xref_load(&l->xref, &l->peek, l->scanner, &l->notes, &l->err);
}

void
loaded_fini(struct loaded *l)
{
    pp_fetch_fini(&l->fetch);
    pp_xref_fini(&l->xref);
    pp_peek_fini(&l->peek);
    pp_scanner_free(l->scanner);
}

bool
is_noted(const struct pp_notes *notes, enum pdfpipe_warning_code code)
{
    return notes->kinds >> code & 1;
}

static enum pdfpipe_status
append(void *self, const void *p, size_t n, struct pdfpipe_error *err)
{
    struct pp_buf *to = self;

    (void)err;
    need(pp_buf_append(to, p, n));
    return PDFPIPE_OK;
}

struct pp_output
output_to(struct pp_buf *to)
{
    return (struct pp_output){ .self = to, .write = append };
}
