/*
 * buf.h - bytes: a borrowed view, and an owned buffer that grows
 */
#ifndef PP_BASE_BUF_H
#define PP_BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* n bytes at p, borrowed: somebody else owns them. */
struct pp_view {
    const uint8_t *p;
    size_t n;
};

/* Owned bytes.  All zero is a valid empty buffer. */
struct pp_buf {
    uint8_t *p;
    size_t n;   /* in use    */
    size_t cap; /* allocated */
};

/* Makes room for `more` bytes behind the ones in use; false: out of memory,
 * the buffer is unchanged.  Capacity at least doubles, so that appending is
 * linear. */
bool pp_buf_reserve(struct pp_buf *b, size_t more);

/* Appends a copy of n bytes; false: out of memory. */
bool pp_buf_append(struct pp_buf *b, const void *p, size_t n);

/* Appends formatted text without its NUL; false: out of memory. */
bool pp_buf_printf(struct pp_buf *b, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Frees the bytes; the buffer is empty afterwards and may be used again. */
void pp_buf_fini(struct pp_buf *b);

/* Gives memory beyond cap back to the system, so that one huge object does
 * not pin it; the content is lost. */
void pp_buf_trim(struct pp_buf *b, size_t cap);

static inline struct pp_view
pp_buf_view(const struct pp_buf *b)
{
    return (struct pp_view){ b->p, b->n };
}

/* True when the view holds exactly the text. */
static inline bool
pp_view_is(struct pp_view v, const char *text)
{
    size_t n = strlen(text); /* known when this is compiled, mostly */

    return v.n == n && (n == 0 || memcmp(v.p, text, n) == 0);
}

bool pp_view_is_equal(struct pp_view a, struct pp_view b);

#endif
