/*
 * text.h - bytes that grow: the body of an object, of a content stream
 */
#ifndef GEN_TEXT_H
#define GEN_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct text { /* all zero is an empty one */
    char *bytes;
    size_t n, capacity;
};

void text_add(struct text *t, const void *bytes, size_t n);
void text_printf(struct text *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* Appends the zlib form (/FlateDecode) of the n bytes at data. */
void text_deflate(struct text *t, const void *data, size_t n);
void text_clear(struct text *t); /* keeps the memory */
void text_free(struct text *t);

#endif
