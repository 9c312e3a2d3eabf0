/*
 * xrefout.h - writes a cross-reference, its trailer and the end of the file
 */
#ifndef PP_PDF_XREFOUT_H
#define PP_PDF_XREFOUT_H

#include "base/output.h"
#include "pdf/xref.h"

/* Largest offset of a classic table: ten digits. */
#define PP_TABLE_OFFSET_MAX UINT64_C(9999999999)

/*
 * Must it be a stream?  at: offset at which the cross-reference will stand.
 * Yes when objects are in object streams, when an offset needs more than ten
 * digits, and when a table would be mostly gaps.
 */
bool pp_xrefout_needs_stream(const struct pp_xref *rows, uint64_t at);

/*
 * Writes a table, the trailer, startxref and %%EOF.  entries is the text of
 * the trailer's entries without /Size and without << >>.
 * Errors: E_NO_MEMORY, those of the output.
 */
enum pdfpipe_status pp_xrefout_table(const struct pp_xref *rows,
                                     struct pp_view entries, uint64_t at,
                                     const struct pp_output *output,
                                     struct pdfpipe_error *err);

/*
 * The same as a cross-reference stream, object `number` (generation 0); rows
 * must hold its own entry already.  Compressed with a predictor; the
 * compressed rows, 2 to 3 bytes each, are kept in memory, as /Length comes
 * before them.
 */
enum pdfpipe_status pp_xrefout_stream(const struct pp_xref *rows,
                                      uint32_t number, struct pp_view entries,
                                      uint64_t at,
                                      const struct pp_output *output,
                                      struct pdfpipe_error *err);

#endif
