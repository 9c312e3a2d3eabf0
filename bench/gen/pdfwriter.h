/*
 * pdfwriter.h - objects in, a PDF file out
 *
 * Numbers are given out by pdfwriter_number() and may be referred to before
 * their objects are written; every number given out must be written before
 * pdfwriter_close().  Objects are written as they come: memory is 16 bytes an
 * object.  Two forms: a cross-reference table with every object by itself, or
 * a cross-reference stream with all objects but streams in object streams
 * (ISO 32000-2, 7.5.4, 7.5.7, 7.5.8).
 */
#ifndef GEN_PDFWRITER_H
#define GEN_PDFWRITER_H

#include <stdint.h>

#include "outfile.h"
#include "text.h"

enum pdf_form {
    PDF_CLASSIC,
    PDF_OBJSTM,
};

/* The largest offset that a cross-reference table can hold: ten digits. */
#define PDF_CLASSIC_LIMIT UINT64_C(9999999999)

struct pdf_entry {
    uint64_t where; /* offset, or number of the object stream */
    uint16_t index; /* in the object stream                   */
    uint16_t type;  /* as in a cross-reference stream; 0: not written yet */
};

struct pdfwriter {
    struct outfile out;
    enum pdf_form form;
    struct pdf_entry *entries; /* [0] is the head of the free list */
    uint32_t count, capacity;
    struct text body;  /* the object between begin and end */
    uint32_t open;     /* its number, 0: none */
    struct text pack;  /* members of the object stream in work */
    struct text index; /* its pairs of number and offset */
    uint32_t pack_number;
    uint16_t pack_count;
    uint64_t stream_left; /* bytes owed to the stream in work */
    struct text flated, scratch;
};

void pdfwriter_open(struct pdfwriter *w, const char *path, enum pdf_form form);
uint32_t pdfwriter_number(struct pdfwriter *w);

/* Between the two calls the caller appends the object's value to the text
 * that begin returns. */
struct text *pdfwriter_begin(struct pdfwriter *w, uint32_t number);
void pdfwriter_end(struct pdfwriter *w);

/* A stream whose dictionary has the entries `dict` ("/Type /X") and /Length. */
void pdfwriter_stream(struct pdfwriter *w, uint32_t number, const char *dict,
                      const void *data, size_t n);
/* The same with /FlateDecode: data is compressed here. */
void pdfwriter_flated(struct pdfwriter *w, uint32_t number, const char *dict,
                      const void *data, size_t n);
/* The same in pieces, which add up to n bytes. */
void pdfwriter_stream_begin(struct pdfwriter *w, uint32_t number,
                            const char *dict, uint64_t n);
void pdfwriter_stream_piece(struct pdfwriter *w, const void *data, size_t n);
void pdfwriter_stream_end(struct pdfwriter *w);

/* Leaves a hole: the next object starts at `offset`.  A hole reads as NUL
 * bytes, which are white space.  Some readers look one token past each object
 * that they need, so a short stream that nobody needs stands before the hole;
 * returns its number, which something must refer to. */
uint32_t pdfwriter_skip(struct pdfwriter *w, uint64_t offset);

/* Cross-reference and trailer.  id: 16 bytes in hexadecimal; info may be 0. */
void pdfwriter_close(struct pdfwriter *w, uint32_t root, uint32_t info,
                     const char *id);

#endif
