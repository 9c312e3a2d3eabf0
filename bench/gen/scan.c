/* scan.c - pictures of pages that look scanned */
#include "scan.h"

#include <stdlib.h>

#include "jpeg.h"
#include "noise.h"
#include "outfile.h"

/* Sum of four even distributions: a bell, -26 .. 26. */
static int
grain(struct noise *r)
{
    uint64_t bits = noise_next(r);
    int sum = 0;

    for (int i = 0; i < 4; i++, bits >>= 16)
        sum += (int)(bits & 0xffff) % 14 - 6;
    return sum;
}

static uint8_t
clamp(int v)
{
    return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
}

/* Paper: bright, darker towards the spine, with grain. */
static void
draw_paper(uint8_t *pixels, unsigned width, unsigned height, struct noise *r)
{
    for (unsigned y = 0; y < height; y++)
        for (unsigned x = 0; x < width; x++) {
            int shade = (int)(40 * (width - x) / width * (width - x) / width);

            pixels[(size_t)y * width + x] = clamp(226 - shade + grain(r));
        }
}

/* One letter: a few strokes in a cell, ink that is not quite black. */
static void
draw_letter(uint8_t *pixels, unsigned width, unsigned left, unsigned top,
            unsigned size, struct noise *r)
{
    unsigned strokes = 2 + noise_below(r, 3);

    while (strokes--) {
        unsigned x = noise_below(r, size), y = noise_below(r, size);
        int dx = (int)noise_below(r, 3) - 1, dy = (int)noise_below(r, 3) - 1;

        for (unsigned i = 0; i < size && x < size && y < size; i++) {
            uint8_t *p = pixels + (size_t)(top + y) * width + left + x;

            p[0] = clamp(48 + grain(r));
            p[1] = clamp(70 + 2 * grain(r));
            x += (unsigned)dx;
            y += (unsigned)dy;
        }
    }
}

static void
draw_lines(uint8_t *pixels, unsigned width, unsigned height, struct noise *r)
{
    unsigned size = width / 80 + 3, margin = width / 10;

    for (unsigned y = margin; y + margin < height; y += 2 * size) {
        unsigned end = width - margin - noise_below(r, width / 4);

        for (unsigned x = margin; x + size + 1 < end; x += size + 1)
            if (noise_below(r, 6) != 0) /* else the space between words */
                draw_letter(pixels, width, x, y, size, r);
    }
}

void
scan_make(struct scan *s, unsigned width, unsigned height, size_t target,
          uint64_t seed)
{
    struct noise r = noise_for(seed, target);
    uint8_t *pixels = gen_alloc((size_t)width * height);
    unsigned finest = 1, coarsest = 800;

    *s = (struct scan){ .width = width, .height = height };
    draw_paper(pixels, width, height, &r);
    draw_lines(pixels, width, height, &r);
    /* Coarser is smaller: halve the range until the size fits. */
    while (finest < coarsest) {
        unsigned middle = (finest + coarsest) / 2;

        text_clear(&s->jpeg);
        jpeg_encode(&s->jpeg, pixels, width, height, middle);
        if (s->jpeg.n <= target)
            coarsest = middle;
        else
            finest = middle + 1;
    }
    text_clear(&s->jpeg);
    jpeg_encode(&s->jpeg, pixels, width, height, finest);
    free(pixels);
}

void
scan_free(struct scan *s)
{
    text_free(&s->jpeg);
}
