/* text.c - bytes that grow */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "outfile.h"

static void
reserve(struct text *t, size_t more)
{
    size_t capacity = t->capacity ? t->capacity : 512;

    if (more > SIZE_MAX / 2 - t->n)
        gen_die("text is too long");
    while (capacity < t->n + more)
        capacity *= 2;
    if (capacity > t->capacity) {
        t->bytes = gen_realloc(t->bytes, capacity);
        t->capacity = capacity;
    }
}

void
text_add(struct text *t, const void *bytes, size_t n)
{
    if (n == 0)
        return;
    reserve(t, n);
    memcpy(t->bytes + t->n, bytes, n);
    t->n += n;
}

void
text_printf(struct text *t, const char *fmt, ...)
{
    va_list args;
    int n;

    va_start(args, fmt);
    n = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    if (n < 0)
        gen_die("cannot format");
    reserve(t, (size_t)n + 1);
    va_start(args, fmt);
    (void)vsnprintf(t->bytes + t->n, (size_t)n + 1, fmt, args); /* as above */
    va_end(args);
    t->n += (size_t)n;
}

void
text_deflate(struct text *t, const void *data, size_t n)
{
    uLongf length = compressBound(n);

    reserve(t, length);
    if (compress2((Bytef *)t->bytes + t->n, &length, data, n, 6) != Z_OK)
        gen_die("zlib failed");
    t->n += length;
}

void
text_clear(struct text *t)
{
    t->n = 0;
}

void
text_free(struct text *t)
{
    free(t->bytes);
    memset(t, 0, sizeof *t);
}
