/*
 * pdftext.h - PDF files written by a test as text, offsets counted for it
 *
 *     struct pdftext *p = pdf_new("1.7");
 *     pdf_object(p, 1, "<</Type/Catalog/Pages 2 0 R>>");
 *     pdf_stream(p, 4, "", bytes, n);
 *     pdf_table(p, "/Root 1 0 R");
 *     pdf_put(p, "x.pdf");
 *     pdf_free(p);
 *
 * Ends the program when memory is exhausted: no test can run.
 */
#ifndef TESTS_PDFTEXT_H
#define TESTS_PDFTEXT_H

#include <stddef.h>
#include <stdint.h>

struct pdftext;

/* With a header of this version; NULL: without one. */
struct pdftext *pdf_new(const char *version);
void pdf_free(struct pdftext *p);

/* Text as it stands. */
void pdf_text(struct pdftext *p, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void pdf_bytes(struct pdftext *p, const void *bytes, size_t n);

/* "number 0 obj", the text, "endobj"; entered in the cross-reference. */
void pdf_object(struct pdftext *p, uint32_t number, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* A stream; dict is the text of its dictionary without /Length and brackets. */
void pdf_stream(struct pdftext *p, uint32_t number, const char *dict,
                const void *bytes, size_t n);

/* The same with any text as /Length. */
void pdf_stream_length(struct pdftext *p, uint32_t number, const char *dict,
                       const char *length, const void *bytes, size_t n);

/* An object stream, not compressed.  Its members are entered, too. */
struct pdf_member {
    uint32_t number;
    const char *text;
};
void pdf_objstm(struct pdftext *p, uint32_t number,
                const struct pdf_member *member, size_t n);

/* An array of references to all that is entered so far, but itself. */
void pdf_all(struct pdftext *p, uint32_t number);

/* Enters what is not so. */
void pdf_enter_offset(struct pdftext *p, uint32_t number, uint64_t offset);
void pdf_enter_member(struct pdftext *p, uint32_t number, uint32_t stream,
                      uint32_t index);
void pdf_enter_free(struct pdftext *p, uint32_t number);

/* The end as a table or as a stream; entries of the trailer without /Size and
 * brackets. */
void pdf_table(struct pdftext *p, const char *entries);
void pdf_xref_stream(struct pdftext *p, uint32_t number, const char *entries);

/* What is there so far. */
size_t pdf_size(const struct pdftext *p);
const uint8_t *pdf_data(const struct pdftext *p);
/* Cuts it to n bytes. */
void pdf_cut(struct pdftext *p, size_t n);
/* Makes or replaces a file of it. */
void pdf_put(const struct pdftext *p, const char *name);

#endif
