/*
 * open.h - a document before its first unit: may it be done, what is it like?
 *
 * Called by the reader.
 */
#ifndef PP_PIPE_OPEN_H
#define PP_PIPE_OPEN_H

#include "pipe/pipeline.h"

/* What the reader lends. */
struct pp_open_tools {
    struct pp_peek *peek;
    struct pp_scanner *scanner;
};

/*
 * Opens the source and everything that stands against encrypting it is found:
 * what kind of file it is, names it has, an existing target, its
 * cross-reference, encryption, usage rights.  Draws the file key.
 * Errors: the reason, first in this order; notes are added to *notes.
 */
enum pdfpipe_status pp_open_source(struct pp_pipeline *p, struct pp_document *d,
                                   struct pp_open_tools *tools,
                                   struct pp_notes *notes,
                                   struct pdfpipe_error *err);

/*
 * Opens the output, still under its temporary name, to verify it: reads its
 * cross-reference and its encryption dictionary from disk.
 * Errors: E_VERIFY when they are not as written, those of reading.
 */
enum pdfpipe_status pp_open_output(struct pp_pipeline *p, struct pp_document *d,
                                   struct pp_open_tools *tools,
                                   struct pdfpipe_error *err);

#endif
