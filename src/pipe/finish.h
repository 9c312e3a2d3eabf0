/*
 * finish.h - the end of an output: encryption dictionary, cross-reference,
 *            trailer; part of the writer
 */
#ifndef PP_PIPE_FINISH_H
#define PP_PIPE_FINISH_H

#include "pipe/document.h"

/*
 * Writes it all behind what the sink has, from d->handler, d->rows and
 * d->reading; sets d->rows_sum, d->rows_count, d->root and d->info, keeps the
 * dictionary's text in d->encdict.
 * Errors: E_LIMIT when no object number is left, those of the sink.
 */
enum pdfpipe_status pp_finish_output(struct pp_document *d,
                                     struct pdfpipe_error *err);

#endif
