/*
 * madepdf.h - small PDFs that a test writes down, and what is loaded from them
 *
 * Running out of memory ends the program: no test can go on.
 */
#ifndef TESTS_MADEPDF_H
#define TESTS_MADEPDF_H

#include "base/output.h"
#include "pdf/fetch.h"
#include "pdf/xref.h"

#define MADE_OBJECTS 1024

/* A file under construction.  All zero is an empty one. */
struct made {
    struct pp_buf text;
    uint64_t at[MADE_OBJECTS]; /* offset of each object; 0: none */
    unsigned count;            /* highest number and 1           */
};

void made_fini(struct made *m);
/* Appends formatted text, or n bytes. */
void made_text(struct made *m, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void made_bytes(struct made *m, const void *p, size_t n);
/* Remembers that object `number` begins here. */
void made_here(struct made *m, unsigned number);
/* "number 0 obj\n" body "\nendobj\n"; remembers where it is. */
void made_object(struct made *m, unsigned number, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* A stream object: entries stand in its dictionary beside /Length. */
void made_stream(struct made *m, unsigned number, const char *entries,
                 const void *p, size_t n);
/* "xref" and one subsection with all objects; returns its offset. */
uint64_t made_table(struct made *m);
/* "trailer" with /Size and the entries. */
void made_trailer(struct made *m, const char *entries);
/* "startxref" and "%%EOF". */
void made_end(struct made *m, uint64_t startxref);

/* A view of a text, without its NUL. */
struct pp_view view_of(const char *text);
/* A copy that takes exactly its size on the heap, so that a sanitizer sees a
 * read behind it; goes back through view_free(). */
struct pp_view view_copy(struct pp_view v);
void view_free(struct pp_view v);

/* What a document's cross-reference is, loaded from memory. */
struct loaded {
    struct pp_view bytes; /* borrowed */
    struct pp_input input;
    struct pp_peek peek;
    struct pp_scanner *scanner;
    struct pp_fetch fetch;
    struct pp_xref xref;
    struct pp_notes notes;
    struct pdfpipe_error err;
    enum pdfpipe_status st;
};

/* Loads; the result is in l->st.  loaded_fini() in any case. */
void loaded_from(struct loaded *l, struct pp_view bytes);
void loaded_fini(struct loaded *l);
/* Is this kind of warning among the notes? */
bool is_noted(const struct pp_notes *notes, enum pdfpipe_warning_code code);

/* An output that appends to a buffer. */
struct pp_output output_to(struct pp_buf *to);

#endif
