/* utf8.h - is a piece of text UTF-8, and where are its characters */
#ifndef PP_BATCH_UTF8_H
#define PP_BATCH_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Length in bytes of the character at p, of which n bytes can be read, and
 * its code point in *code; 0 when there is none: n is 0, or a byte that UTF-8
 * (RFC 3629) does not allow there, an overlong form, a surrogate, or a value
 * above U+10FFFF.
 */
size_t pp_utf8_next(const char *p, size_t n, uint32_t *code);

/* True when all n bytes are UTF-8; true for n 0. */
bool pp_utf8_valid(const char *p, size_t n);

#endif
