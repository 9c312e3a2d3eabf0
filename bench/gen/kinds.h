/*
 * kinds.h - the kinds of file that genpdf makes
 *
 * Each function makes what a request describes and returns when it is
 * complete; an error ends the program (outfile.h).
 */
#ifndef GEN_KINDS_H
#define GEN_KINDS_H

#include <stdint.h>

#include "pdfwriter.h"

struct gen_request {
    enum pdf_form form;
    const char *out; /* file; folder for kind_small() */
    uint64_t seed;
    uint32_t pages;  /* kind_archive()              */
    uint32_t count;  /* kind_objects(), kind_small() */
    uint64_t size;   /* kind_stream(): bytes        */
    uint64_t offset; /* kind_sparse(): where the file goes on */
};

void kind_archive(const struct gen_request *request);
void kind_stream(const struct gen_request *request);
void kind_objects(const struct gen_request *request);
void kind_small(const struct gen_request *request);
void kind_sparse(const struct gen_request *request);

#endif
