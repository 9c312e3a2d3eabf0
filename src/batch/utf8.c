/* utf8.c - is a piece of text UTF-8, and where are its characters */
#include "batch/utf8.h"

size_t
pp_utf8_next(const char *p, size_t n, uint32_t *code)
{
    /* Smallest code point that needs this many bytes: less is overlong. */
    static const uint32_t least[5] = { 0, 0, 0x80, 0x800, 0x10000 };
    uint32_t c;
    size_t length;

    if (n == 0)
        return 0;
    c = (unsigned char)p[0];
    if (c < 0x80) {
        *code = c;
        return 1;
    }
    length = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
    if (c < 0xc2 || c > 0xf4 || length > n)
        return 0;
    c &= 0xffu >> (length + 1);
    for (size_t i = 1; i < length; i++) {
        unsigned char next = (unsigned char)p[i];

        if ((next & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (next & 0x3f);
    }
    if (c < least[length] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
        return 0;
    *code = c;
    return length;
}

bool
pp_utf8_valid(const char *p, size_t n)
{
    uint32_t code;

    while (n) {
        size_t k = pp_utf8_next(p, n, &code);

        if (!k)
            return false;
        p += k;
        n -= k;
    }
    return true;
}
