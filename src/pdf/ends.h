/*
 * ends.h - both ends of a file: its header, and where the cross-reference is
 */
#ifndef PP_PDF_ENDS_H
#define PP_PDF_ENDS_H

#include "base/notes.h"
#include "pdf/peek.h"

struct pp_version {
    unsigned major;
    unsigned minor;
};

static inline bool
pp_version_less(struct pp_version a, struct pp_version b)
{
    return a.major != b.major ? a.major < b.major : a.minor < b.minor;
}

/* "1.7" at the beginning of text; false: no version stands there. */
bool pp_version_parse(struct pp_view text, struct pp_version *version);

/*
 * Finds "%PDF-" behind at most 1,024 other bytes.  *at is its offset: offsets
 * in the file count from there (ISO 32000-2, 7.5.2).  A header without a
 * version counts as 1.0.
 * Errors: E_NOT_PDF, those of the input.
 */
enum pdfpipe_status pp_header_find(struct pp_peek *peek, uint64_t *at,
                                   struct pp_version *version,
                                   struct pp_notes *notes,
                                   struct pdfpipe_error *err);

/*
 * Finds the last "startxref" in the last 64 KiB and the number behind it.
 * Errors: E_DAMAGED_XREF when there is none (the end of the file is missing)
 *         or no number follows; those of the input.
 */
enum pdfpipe_status pp_startxref_find(struct pp_peek *peek, uint64_t *offset,
                                      struct pp_notes *notes,
                                      struct pdfpipe_error *err);

#endif
