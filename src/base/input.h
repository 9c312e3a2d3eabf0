/*
 * input.h - where bytes come from, without saying from where
 *
 * The parsers in pdf/ read through this interface; io/source implements it
 * over a file, tests and fuzz targets over memory.
 */
#ifndef PP_BASE_INPUT_H
#define PP_BASE_INPUT_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/fail.h"

struct pp_input {
    void *self;
    uint64_t size; /* bytes; fixed while the input is read */

    /*
     * Reads exactly n bytes at offset into dst; offset + n <= size (the caller
     * checks).  Errors: E_READ, E_CHANGED when the input turned out shorter.
     */
    enum pdfpipe_status (*read)(void *self, uint64_t offset, void *dst,
                                size_t n, struct pdfpipe_error *err);
};

/* An input over memory; *bytes is borrowed as long as the input is used. */
struct pp_input pp_input_over(struct pp_view *bytes);

#endif
