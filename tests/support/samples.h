/*
 * samples.h - documents of every kind, and what becomes of them
 */
#ifndef TESTS_SAMPLES_H
#define TESTS_SAMPLES_H

#include <pdfpipe/pdfpipe.h>

#include "pdftext.h"

struct sample {
    const char *name;
    struct pdftext *(*make)(unsigned seed);
    enum pdfpipe_result_kind kind; /* with default options */
    enum pdfpipe_status status;
    bool large;   /* takes some MiB                                  */
    bool differs; /* qpdf makes something else of the source than of the
                     output: a direct /Info, the end of damaged streams  */
};

extern const struct sample samples[];
extern const size_t sample_count;

/* The sample of this name; ends the program when there is none. */
const struct sample *sample_named(const char *name);

/* Makes the file. */
void sample_put(const struct sample *s, unsigned seed, const char *path);

/* A page's worth of objects that all samples begin with: 1 catalog, 2 pages,
 * 3 page, 4 its content. */
void sample_page(struct pdftext *p, unsigned seed);

/* n bytes that follow from seed and do not compress. */
void sample_noise(uint8_t *to, size_t n, unsigned seed);

#endif
