/*
 * wording.h - words, names, dates, and strings in every notation of PDF
 */
#ifndef GEN_WORDING_H
#define GEN_WORDING_H

#include "noise.h"
#include "text.h"

/* ASCII words with one space between them; no character needs an escape. */
void wording_phrase(struct text *t, struct noise *r, unsigned words);

/*
 * A string object of some words in a notation chosen by r: literal, with
 * escapes, with octal codes and a continued line, with nested parentheses,
 * hexadecimal, hexadecimal UTF-16 (ISO 32000-2, 7.3.4, 7.9.2.2).
 */
void wording_string(struct text *t, struct noise *r, unsigned words);

/* A date string object (7.9.4) between 1990 and 2019. */
void wording_date(struct text *t, struct noise *r);

/* 32 hexadecimal digits. */
void wording_id(char id[33], struct noise *r);

#endif
