/* jpeg.c - a small baseline JPEG encoder */
#include "jpeg.h"

#include <stdlib.h>
#include <string.h>

/* clang-format off */
/* Place in the block of the k-th coefficient (T.81 figure A.6). */
static const uint8_t zigzag[64] = {
     0,  1,  8, 16,  9,  2,  3, 10, 17, 24, 32, 25, 18, 11,  4,  5,
    12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13,  6,  7, 14, 21, 28,
    35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
    58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
};

/* Quantization for luminance (T.81 table K.1). */
static const uint8_t luminance[64] = {
    16, 11, 10, 16,  24,  40,  51,  61, 12, 12, 14, 19,  26,  58,  60,  55,
    14, 13, 16, 24,  40,  57,  69,  56, 14, 17, 22, 29,  51,  87,  80,  62,
    18, 22, 37, 56,  68, 109, 103,  77, 24, 35, 55, 64,  81, 104, 113,  92,
    49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103,  99,
};

/* Codes per length 1 .. 16, then the symbols (T.81 tables K.3 and K.5). */
static const uint8_t dc_counts[16] = {
    0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0,
};
static const uint8_t dc_symbols[12] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };
static const uint8_t ac_counts[16] = {
    0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125,
};
static const uint8_t ac_symbols[162] = {
    0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06,
    0x13, 0x51, 0x61, 0x07, 0x22, 0x71, 0x14, 0x32, 0x81, 0x91, 0xa1, 0x08,
    0x23, 0x42, 0xb1, 0xc1, 0x15, 0x52, 0xd1, 0xf0, 0x24, 0x33, 0x62, 0x72,
    0x82, 0x09, 0x0a, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x25, 0x26, 0x27, 0x28,
    0x29, 0x2a, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x43, 0x44, 0x45,
    0x46, 0x47, 0x48, 0x49, 0x4a, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59,
    0x5a, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74, 0x75,
    0x76, 0x77, 0x78, 0x79, 0x7a, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89,
    0x8a, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9a, 0xa2, 0xa3,
    0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6,
    0xb7, 0xb8, 0xb9, 0xba, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9,
    0xca, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xe1, 0xe2,
    0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xea, 0xf1, 0xf2, 0xf3, 0xf4,
    0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa,
};
/* clang-format on */

enum { END_OF_BLOCK = 0x00, SIXTEEN_ZEROS = 0xf0 };

struct code {
    uint16_t bits;
    uint8_t length;
};

struct encoder {
    struct text *out;
    uint32_t pending; /* bits not yet written, the newest lowest */
    unsigned pending_count;
    int last_dc;
    int basis[8][8];      /* the DCT's rows, times 2^13 */
    uint8_t quantize[64]; /* natural order */
    struct code dc[256], ac[256];
};

static void
add_byte(struct text *out, unsigned byte)
{
    uint8_t b = (uint8_t)byte;

    text_add(out, &b, 1);
}

/* T.81 annex C: codes of a length count up, a longer one is shifted. */
static void
assign_codes(struct code *codes, const uint8_t *counts, const uint8_t *symbols)
{
    unsigned bits = 0;

    for (unsigned length = 1; length <= 16; length++, bits <<= 1)
        for (unsigned i = 0; i < counts[length - 1]; i++)
            codes[*symbols++] =
                (struct code){ (uint16_t)bits++, (uint8_t)length };
}

static void
set_basis(struct encoder *e)
{
    /* 2^12 * cos(k * pi / 16) */
    static const int cosine[9] = { 4096, 4017, 3784, 3406, 2896,
                                   2276, 1567, 799,  0 };

    for (int u = 0; u < 8; u++)
        for (int x = 0; x < 8; x++) {
            int k = (2 * x + 1) * u % 32;

            if (k > 16)
                k = 32 - k;
            e->basis[u][x] = u == 0   ? cosine[4]
                             : k <= 8 ? cosine[k]
                                      : -cosine[16 - k];
        }
}

static void
set_quantize(struct encoder *e, unsigned coarseness)
{
    for (int i = 0; i < 64; i++) {
        unsigned step = (luminance[i] * coarseness + 50) / 100;

        e->quantize[i] = (uint8_t)(step < 1 ? 1 : step > 255 ? 255 : step);
    }
}

static void
put_bits(struct encoder *e, unsigned bits, unsigned count)
{
    e->pending = e->pending << count | (bits & ((1u << count) - 1));
    e->pending_count += count;
    while (e->pending_count >= 8) {
        unsigned byte = e->pending >> (e->pending_count - 8) & 0xff;

        add_byte(e->out, byte);
        if (byte == 0xff) /* stuffing: a marker begins with FF */
            add_byte(e->out, 0);
        e->pending_count -= 8;
    }
}

static void
put_symbol(struct encoder *e, const struct code *codes, unsigned symbol)
{
    put_bits(e, codes[symbol].bits, codes[symbol].length);
}

static unsigned
magnitude_bits(int value)
{
    unsigned v = (unsigned)abs(value), n = 0;

    for (; v; v >>= 1)
        n++;
    return n;
}

/* The low bits of a value; a negative one is sent less one (T.81 F.1.2.1). */
static void
put_magnitude(struct encoder *e, int value, unsigned bits)
{
    put_bits(e, (unsigned)(value < 0 ? value - 1 : value), bits);
}

static int
divide_rounded(int value, int step)
{
    return value < 0 ? -((-value + step / 2) / step)
                     : (value + step / 2) / step;
}

static void
transform(const struct encoder *e, const int *in, int *out)
{
    int half[64];

    for (int y = 0; y < 8; y++)
        for (int u = 0; u < 8; u++) {
            int sum = 0;

            for (int x = 0; x < 8; x++)
                sum += in[8 * y + x] * e->basis[u][x];
            half[8 * y + u] = divide_rounded(sum, 1 << 10);
        }
    for (int v = 0; v < 8; v++)
        for (int u = 0; u < 8; u++) {
            int sum = 0;

            for (int y = 0; y < 8; y++)
                sum += half[8 * y + u] * e->basis[v][y];
            out[8 * v + u] = divide_rounded(sum, 1 << 16);
        }
}

static void
encode_block(struct encoder *e, const int *samples)
{
    int freq[64], q[64];
    unsigned bits, zeros = 0;

    transform(e, samples, freq);
    for (int k = 0; k < 64; k++)
        q[k] = divide_rounded(freq[zigzag[k]], e->quantize[zigzag[k]]);
    bits = magnitude_bits(q[0] - e->last_dc);
    put_symbol(e, e->dc, bits);
    put_magnitude(e, q[0] - e->last_dc, bits);
    e->last_dc = q[0];
    for (int k = 1; k < 64; k++) {
        if (q[k] == 0) {
            zeros++;
            continue;
        }
        for (; zeros > 15; zeros -= 16)
            put_symbol(e, e->ac, SIXTEEN_ZEROS);
        bits = magnitude_bits(q[k]);
        put_symbol(e, e->ac, zeros << 4 | bits);
        put_magnitude(e, q[k], bits);
        zeros = 0;
    }
    if (zeros)
        put_symbol(e, e->ac, END_OF_BLOCK);
}

static void
add_segment(struct text *out, unsigned marker, const void *body, size_t n)
{
    add_byte(out, 0xff);
    add_byte(out, marker);
    add_byte(out, (unsigned)(n + 2) >> 8);
    add_byte(out, (unsigned)(n + 2) & 0xff);
    text_add(out, body, n);
}

static void
add_huffman(struct text *out, unsigned class_and_id, const uint8_t *counts,
            const uint8_t *symbols, size_t n)
{
    uint8_t body[1 + 16 + 162];

    body[0] = (uint8_t)class_and_id;
    memcpy(body + 1, counts, 16);
    memcpy(body + 17, symbols, n);
    add_segment(out, 0xc4, body, 17 + n);
}

static void
add_headers(const struct encoder *e, unsigned width, unsigned height)
{
    /* JFIF 1.01, 150 dots per inch, no thumbnail */
    static const uint8_t jfif[] = { 'J', 'F', 'I', 'F', 0,   1, 1,
                                    1,   0,   150, 0,   150, 0, 0 };
    static const uint8_t scan[] = { 1, 1, 0, 0, 63, 0 };
    uint8_t table[65] = { 0 }, frame[9];

    text_add(e->out, "\xff\xd8", 2);
    add_segment(e->out, 0xe0, jfif, sizeof jfif);
    for (int k = 0; k < 64; k++)
        table[1 + k] = e->quantize[zigzag[k]];
    add_segment(e->out, 0xdb, table, sizeof table);
    frame[0] = 8; /* bits */
    frame[1] = (uint8_t)(height >> 8);
    frame[2] = (uint8_t)height;
    frame[3] = (uint8_t)(width >> 8);
    frame[4] = (uint8_t)width;
    frame[5] = 1; /* components: number 1, not subsampled, table 0 */
    frame[6] = 1;
    frame[7] = 0x11;
    frame[8] = 0;
    add_segment(e->out, 0xc0, frame, sizeof frame);
    add_huffman(e->out, 0x00, dc_counts, dc_symbols, sizeof dc_symbols);
    add_huffman(e->out, 0x10, ac_counts, ac_symbols, sizeof ac_symbols);
    add_segment(e->out, 0xda, scan, sizeof scan);
}

void
jpeg_encode(struct text *out, const uint8_t *pixels, unsigned width,
            unsigned height, unsigned coarseness)
{
    struct encoder e = { .out = out };
    int samples[64];

    set_basis(&e);
    set_quantize(&e, coarseness);
    assign_codes(e.dc, dc_counts, dc_symbols);
    assign_codes(e.ac, ac_counts, ac_symbols);
    add_headers(&e, width, height);
    for (unsigned top = 0; top < height; top += 8)
        for (unsigned left = 0; left < width; left += 8) {
            for (unsigned i = 0; i < 64; i++) {
                unsigned y = top + i / 8, x = left + i % 8;

                if (y >= height) /* the edge goes on */
                    y = height - 1;
                if (x >= width)
                    x = width - 1;
                samples[i] = pixels[(size_t)y * width + x] - 128;
            }
            encode_block(&e, samples);
        }
    put_bits(&e, 0x7f, 7); /* the last byte is filled with ones */
    text_add(out, "\xff\xd9", 2);
}
