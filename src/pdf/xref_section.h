/*
 * xref_section.h - one section of the cross-reference; private to xref*.c
 */
#ifndef PP_PDF_XREF_SECTION_H
#define PP_PDF_XREF_SECTION_H

#include "pdf/xref.h"

/* What the readers of sections work with. */
struct pp_xref_load {
    struct pp_xref *x;
    struct pp_peek *peek;
    struct pp_scanner *scanner;
    struct pp_notes *notes;
    struct pdfpipe_error *err;
    struct pp_buf dict; /* trailer dictionary of the section just read */
    uint32_t section;   /* which one is read: 1 is the newest          */
    bool hybrid;        /* it is the section's /XRefStm that is read   */
    uint64_t work_left; /* see pp_xref_spend()                         */
};

/*
 * Accounts for work on n bytes.  Sections may overlap in a file that was made
 * for it, and rows of nothing compress to nothing: the work is limited to a
 * multiple of the file's size.  Errors: E_LIMIT.
 */
enum pdfpipe_status pp_xref_spend(struct pp_xref_load *l, uint64_t n,
                                  uint64_t at);

/*
 * Enters what a section says about a number, unless a newer one did.  An entry
 * of a section's /XRefStm also replaces a free one of the same section's
 * table: so are objects hidden from old readers (ISO 32000-2, 7.5.8.4).
 * Number 0 is always free.  at is where the entry stands.
 */
enum pdfpipe_status pp_xref_put(struct pp_xref_load *l, uint64_t number,
                                struct pp_entry entry, uint64_t at);

/* A table; at is the offset behind the keyword xref. */
enum pdfpipe_status pp_xref_read_table(struct pp_xref_load *l, uint64_t at);

/* A stream; at is the offset of its "n g obj". */
enum pdfpipe_status pp_xref_read_stream(struct pp_xref_load *l, uint64_t at);

#endif
