/* pdftext.c - PDF files written by a test as text, offsets counted for it */
#include "pdftext.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scratch.h"

struct entry {
    unsigned kind; /* 0: free, as in a cross-reference stream */
    uint64_t at;   /* offset, or object stream                */
    uint32_t index;
};

struct pdftext {
    uint8_t *data;
    size_t n, cap;
    struct entry *entry;
    uint32_t entries, entry_cap;
};

static void
need(bool holds)
{
    if (holds)
        return;
    perror("pdftext");
    exit(99);
}

void
pdf_bytes(struct pdftext *p, const void *bytes, size_t n)
{
    if (n > p->cap - p->n) {
        p->cap = 2 * p->cap + n + 1024;
        p->data = realloc(p->data, p->cap);
        need(p->data != NULL);
    }
    if (n)
        memcpy(p->data + p->n, bytes, n);
    p->n += n;
}

static void put(struct pdftext *p, const char *fmt, va_list args)
    __attribute__((format(printf, 2, 0)));

static void
put(struct pdftext *p, const char *fmt, va_list args)
{
    char *text;
    int n = vasprintf(&text, fmt, args);

    need(n >= 0);
    pdf_bytes(p, text, (size_t)n);
    free(text);
}

void
pdf_text(struct pdftext *p, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    put(p, fmt, args);
    va_end(args);
}

static void
enter(struct pdftext *p, uint32_t number, struct entry e)
{
    if (number >= p->entry_cap) {
        uint32_t cap = 2 * number + 16;

        p->entry = realloc(p->entry, cap * sizeof *p->entry);
        need(p->entry != NULL);
        memset(p->entry + p->entry_cap, 0,
               (cap - p->entry_cap) * sizeof *p->entry);
        p->entry_cap = cap;
    }
    p->entry[number] = e;
    if (number >= p->entries)
        p->entries = number + 1;
}

void
pdf_enter_offset(struct pdftext *p, uint32_t number, uint64_t offset)
{
    enter(p, number, (struct entry){ 1, offset, 0 });
}

void
pdf_enter_member(struct pdftext *p, uint32_t number, uint32_t stream,
                 uint32_t index)
{
    enter(p, number, (struct entry){ 2, stream, index });
}

void
pdf_enter_free(struct pdftext *p, uint32_t number)
{
    enter(p, number, (struct entry){ 0, 0, 0 });
}

struct pdftext *
pdf_new(const char *version)
{
    struct pdftext *p = calloc(1, sizeof *p);

    need(p != NULL);
    pdf_enter_free(p, 0);
    if (version)
        pdf_text(p, "%%PDF-%s\n", version);
    return p;
}

void
pdf_free(struct pdftext *p)
{
    free(p->entry);
    free(p->data);
    free(p);
}

static void
begin(struct pdftext *p, uint32_t number)
{
    pdf_enter_offset(p, number, p->n);
    pdf_text(p, "%" PRIu32 " 0 obj\n", number);
}

void
pdf_object(struct pdftext *p, uint32_t number, const char *fmt, ...)
{
    va_list args;

    begin(p, number);
    va_start(args, fmt);
    put(p, fmt, args);
    va_end(args);
    pdf_text(p, "\nendobj\n");
}

void
pdf_stream_length(struct pdftext *p, uint32_t number, const char *dict,
                  const char *length, const void *bytes, size_t n)
{
    begin(p, number);
    pdf_text(p, "<<%s/Length %s>>\nstream\n", dict, length);
    pdf_bytes(p, bytes, n);
    pdf_text(p, "\nendstream\nendobj\n");
}

void
pdf_stream(struct pdftext *p, uint32_t number, const char *dict,
           const void *bytes, size_t n)
{
    char length[32];

    (void)snprintf(length, sizeof length, "%zu", n);
    pdf_stream_length(p, number, dict, length, bytes, n);
}

void
pdf_objstm(struct pdftext *p, uint32_t number, const struct pdf_member *member,
           size_t n)
{
    struct pdftext *head = pdf_new(NULL), *body = pdf_new(NULL);
    char dict[96];

    for (size_t i = 0; i < n; i++) {
        pdf_text(head, "%" PRIu32 " %zu ", member[i].number, body->n);
        pdf_text(body, "%s ", member[i].text);
        pdf_enter_member(p, member[i].number, number, (uint32_t)i);
    }
    (void)snprintf(dict, sizeof dict, "/Type/ObjStm/N %zu/First %zu", n,
                   head->n);
    pdf_bytes(head, body->data, body->n);
    pdf_stream(p, number, dict, head->data, head->n);
    pdf_free(head);
    pdf_free(body);
}

void
pdf_all(struct pdftext *p, uint32_t number)
{
    begin(p, number);
    pdf_text(p, "[");
    for (uint32_t i = 1; i < p->entries; i++)
        if (p->entry[i].kind && i != number)
            pdf_text(p, "%" PRIu32 " 0 R\n", i);
    pdf_text(p, "]\nendobj\n");
}

void
pdf_table(struct pdftext *p, const char *entries)
{
    size_t at = p->n;

    pdf_text(p, "xref\n0 %" PRIu32 "\n", p->entries);
    for (uint32_t i = 0; i < p->entries; i++)
        if (p->entry[i].kind)
            pdf_text(p, "%010" PRIu64 " 00000 n \n", p->entry[i].at);
        else
            pdf_text(p, "0000000000 %05u f \n", i ? 0u : 65535u);
    pdf_text(p, "trailer\n<</Size %" PRIu32 "%s>>\nstartxref\n%zu\n%%%%EOF\n",
             p->entries, entries, at);
}

void
pdf_xref_stream(struct pdftext *p, uint32_t number, const char *entries)
{
    struct pdftext *rows = pdf_new(NULL);
    size_t at = p->n;
    char *dict;

    pdf_enter_offset(p, number, at);
    for (uint32_t i = 0; i < p->entries; i++) {
        const struct entry *e = &p->entry[i];
        uint8_t row[12] = { (uint8_t)e->kind };

        for (unsigned k = 0; k < 8; k++)
            row[1 + k] = (uint8_t)(e->at >> (56 - 8 * k));
        for (unsigned k = 0; k < 3; k++)
            row[9 + k] = (uint8_t)(e->index >> (16 - 8 * k));
        pdf_bytes(rows, row, sizeof row);
    }
    need(asprintf(&dict, "/Type/XRef/W[1 8 3]/Size %" PRIu32 "%s", p->entries,
                  entries) >= 0);
    pdf_stream(p, number, dict, rows->data, rows->n);
    pdf_text(p, "startxref\n%zu\n%%%%EOF\n", at);
    free(dict);
    pdf_free(rows);
}

size_t
pdf_size(const struct pdftext *p)
{
    return p->n;
}

const uint8_t *
pdf_data(const struct pdftext *p)
{
    return p->data;
}

void
pdf_cut(struct pdftext *p, size_t n)
{
    p->n = n < p->n ? n : p->n;
}

void
pdf_put(const struct pdftext *p, const char *name)
{
    scratch_put(name, p->n ? p->data : (const uint8_t *)"", p->n);
}
