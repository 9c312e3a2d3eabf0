/* string.c - values of strings and names */
#include "pdf/string.h"

#include <string.h>

static int
hex_value(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return -1;
}

static size_t
decode_hex(const uint8_t *p, size_t n, uint8_t *dst, size_t cap)
{
    size_t len = 0;
    int high = -1;

    for (size_t i = 0; i < n && len < cap; i++) {
        int v = hex_value(p[i]);

        if (v < 0)
            continue;
        if (high < 0) {
            high = v;
        } else {
            dst[len++] = (uint8_t)(high * 16 + v);
            high = -1;
        }
    }
    if (high >= 0 && len < cap)
        dst[len++] = (uint8_t)(high * 16);
    return len;
}

/*
 * One escape sequence; at is the byte after the backslash, n the end of the
 * text.  Returns the bytes it takes, and in *value the byte that it stands
 * for, or -1 for none (a line continuation).
 */
static size_t
decode_escape(const uint8_t *p, size_t at, size_t n, int *value)
{
    unsigned octal = 0;
    size_t i = 0;

    *value = -1;
    switch (p[at]) {
    case '\r': return at + 1 < n && p[at + 1] == '\n' ? 2 : 1;
    case '\n': return 1;
    case 'n': *value = '\n'; return 1;
    case 'r': *value = '\r'; return 1;
    case 't': *value = '\t'; return 1;
    case 'b': *value = '\b'; return 1;
    case 'f': *value = '\f'; return 1;
    default: break;
    }
    for (; i < 3 && at + i < n && p[at + i] >= '0' && p[at + i] <= '7'; i++)
        octal = octal * 8 + (unsigned)(p[at + i] - '0');
    *value = i ? (int)(octal & 0xff) : p[at];
    return i ? i : 1;
}

static size_t
decode_literal(const uint8_t *p, size_t n, uint8_t *dst, size_t cap)
{
    size_t at = 0, len = 0;
    int value;

    while (at < n && len < cap) {
        if (p[at] == '\\' && at + 1 < n) {
            at += 1 + decode_escape(p, at + 1, n, &value);
            if (value >= 0)
                dst[len++] = (uint8_t)value;
        } else if (p[at] == '\r') {
            at += at + 1 < n && p[at + 1] == '\n' ? 2 : 1;
            dst[len++] = '\n';
        } else {
            dst[len++] = p[at++];
        }
    }
    return len;
}

size_t
pp_string_decode(struct pp_view token, uint8_t *dst, size_t cap)
{
    const uint8_t *p;
    size_t n;

    if (token.n < 2)
        return 0;
    p = token.p + 1;
    n = token.n - 2;
    if (token.p[0] == '<')
        return decode_hex(p, n, dst, cap);
    /* Most strings are their own value. */
    if (n <= cap && !memchr(p, '\\', n) && !memchr(p, '\r', n)) {
        if (n)
            memcpy(dst, p, n);
        return n;
    }
    return decode_literal(p, n, dst, cap);
}

void
pp_hex_encode(const uint8_t *src, size_t n, uint8_t *dst)
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < n; i++) {
        uint8_t c = src[i];

        dst[2 * i] = (uint8_t)digits[c >> 4];
        dst[2 * i + 1] = (uint8_t)digits[c & 15];
    }
}

bool
pp_name_is(struct pp_view token, const char *name)
{
    size_t n = strlen(name), i = 0;

    if (token.n < 1 || token.p[0] != '/')
        return false;
    if (token.n == n + 1)
        return memcmp(token.p + 1, name, n) == 0;
    if (token.n < n + 1 || !memchr(token.p, '#', token.n))
        return false;
    for (size_t at = 1; at < token.n; at++, i++) {
        int high, low, c = token.p[at];

        if (c == '#' && at + 2 < token.n &&
            (high = hex_value(token.p[at + 1])) >= 0 &&
            (low = hex_value(token.p[at + 2])) >= 0) {
            c = high * 16 + low;
            at += 2;
        }
        if (i == n || c != (unsigned char)name[i])
            return false;
    }
    return i == n;
}
