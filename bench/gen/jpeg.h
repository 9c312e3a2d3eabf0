/*
 * jpeg.h - a small baseline JPEG encoder: grayscale, 8 bits, one scan
 *
 * ITU-T T.81 with the typical tables of its annex K, in a JFIF frame.
 * Integers only: the same pixels give the same bytes everywhere.
 */
#ifndef GEN_JPEG_H
#define GEN_JPEG_H

#include <stdint.h>

#include "text.h"

/*
 * Appends the coded image.  pixels: width * height bytes, row by row, 0 is
 * black; both sides are 1 .. 65535.  coarseness: percentage by which the
 * quantization table of annex K is scaled; 100 is its own quality, less is
 * finer and larger.
 */
void jpeg_encode(struct text *out, const uint8_t *pixels, unsigned width,
                 unsigned height, unsigned coarseness);

#endif
