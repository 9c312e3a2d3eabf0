/*
 * string.h - values of strings and names (ISO 32000-2, 7.3.4 and 7.3.5)
 */
#ifndef PP_PDF_STRING_H
#define PP_PDF_STRING_H

#include <stdbool.h>

#include "base/buf.h"

/*
 * Writes the value of a string token ("(...)" or "<...>", as the lexer found
 * it) to dst and returns its length; never more than cap bytes are written and
 * never more than the lexer's `decoded`.  An unescaped end of line of any form
 * becomes LF; \ooo is taken modulo 256; an odd last hexadecimal digit is
 * followed by 0; characters that are no digits are ignored.
 */
size_t pp_string_decode(struct pp_view token, uint8_t *dst, size_t cap);

/* Writes 2 * n lower-case digits.  dst may overlap src as long as it starts
 * not behind src + n - 2 * n, see seal.c; plain use: no overlap. */
void pp_hex_encode(const uint8_t *src, size_t n, uint8_t *dst);

/* True when a name token ("/..." with its slash) has this value; #xx in the
 * token stands for a byte.  name is without the slash. */
bool pp_name_is(struct pp_view token, const char *name);

#endif
