/*
 * extent.h - where the data of a stream end; part of the reader
 */
#ifndef PP_PIPE_EXTENT_H
#define PP_PIPE_EXTENT_H

#include "base/notes.h"
#include "pdf/fetch.h"

/*
 * The length of a stream's data.  /Length decides if the keyword endstream
 * follows the data that it says; else the end is searched by keyword, up to
 * `limit` (the next object, or the end of the file), and noted.
 * data: offset of the first byte.
 * Errors: E_DAMAGED_STREAM, E_TRUNCATED, those of the input.
 */
enum pdfpipe_status pp_stream_extent(struct pp_fetch *fetch,
                                     const struct pp_object *o, uint64_t data,
                                     uint64_t limit, struct pp_notes *notes,
                                     uint64_t *length,
                                     struct pdfpipe_error *err);

#endif
