/* buf.c - an owned buffer that grows */
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool
pp_buf_reserve(struct pp_buf *b, size_t more)
{
    size_t cap = b->cap ? b->cap : 64;
    uint8_t *p;

    if (more <= b->cap - b->n)
        return true;
    if (more > SIZE_MAX / 2 - b->n)
        return false;
    while (cap - b->n < more)
        cap *= 2;
    p = realloc(b->p, cap);
    if (!p)
        return false;
    b->p = p;
    b->cap = cap;
    return true;
}

bool
pp_buf_append(struct pp_buf *b, const void *p, size_t n)
{
    if (!pp_buf_reserve(b, n))
        return false;
    if (n)
        memcpy(b->p + b->n, p, n);
    b->n += n;
    return true;
}

bool
pp_buf_printf(struct pp_buf *b, const char *fmt, ...)
{
    va_list args;
    int n;

    va_start(args, fmt);
    n = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    if (n < 0 || !pp_buf_reserve(b, (size_t)n + 1))
        return false;
    va_start(args, fmt);
    (void)vsnprintf((char *)b->p + b->n, (size_t)n + 1, fmt, args);
    va_end(args);
    b->n += (size_t)n;
    return true;
}

void
pp_buf_fini(struct pp_buf *b)
{
    free(b->p);
    *b = (struct pp_buf){ 0 };
}

void
pp_buf_trim(struct pp_buf *b, size_t cap)
{
    b->n = 0;
    if (b->cap > cap)
        pp_buf_fini(b);
}

bool
pp_view_is_equal(struct pp_view a, struct pp_view b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}
