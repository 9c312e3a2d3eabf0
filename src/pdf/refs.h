/*
 * refs.h - the references "n g R" in a stretch of text
 *
 * For text whose structure does not matter: the values of objects, trailers,
 * and the decoded data of object streams.  References in strings or comments are none.
 */
#ifndef PP_PDF_REFS_H
#define PP_PDF_REFS_H

#include "pdf/lex.h"
#include "pdf/object.h"

struct pp_refs {
    struct pp_lex lex;
    uint64_t before[2]; /* the last integers, [1] the newest */
    unsigned integers;  /* how many stand directly before    */
};

/* Over a text that is complete. */
void pp_refs_init(struct pp_refs *r, struct pp_view text);

/* The next reference to a number that can exist (PP_OBJECT_MAX); false: no
 * more. */
bool pp_refs_next(struct pp_refs *r, uint32_t *number);

/* The highest of them in a text; 0: none. */
uint32_t pp_refs_highest(struct pp_view text);

#endif
