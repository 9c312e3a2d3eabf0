/*
 * filters.h - what a stream's /Filter says when it is not said on the spot
 */
#ifndef PP_PIPE_FILTERS_H
#define PP_PIPE_FILTERS_H

#include "pdf/fetch.h"

/*
 * Refuses a stream whose /Filter names /Crypt through a reference: such a
 * filter has to be taken out (ISO 32000-2, 7.4.10), which can be done only
 * where it stands in the stream's own dictionary.  dict must not lie in what
 * fetch hands out.
 * Errors: E_UNSUPPORTED, those of pp_fetch_value().
 */
enum pdfpipe_status pp_filters_check(struct pp_fetch *fetch,
                                     struct pp_view dict,
                                     struct pdfpipe_error *err);

#endif
