/*
 * output.h - where bytes go, without saying where
 *
 * The writers in pdf/ append through this interface; the pipeline's writer
 * implements it over a sink, tests over a buffer.
 */
#ifndef PP_BASE_OUTPUT_H
#define PP_BASE_OUTPUT_H

#include <stddef.h>

#include "base/fail.h"

struct pp_output {
    void *self;

    /* Appends n bytes.  Errors: those of the sink behind it. */
    enum pdfpipe_status (*write)(void *self, const void *p, size_t n,
                                 struct pdfpipe_error *err);
};

#endif
