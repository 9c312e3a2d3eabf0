/*
 * refs.h - the references "n g R" in a text, whole or in pieces
 *
 * For text whose structure does not matter: the values of objects, trailers,
 * and the decoded data of object streams.  References in strings or comments
 * are none.
 */
#ifndef PP_PDF_REFS_H
#define PP_PDF_REFS_H

#include "pdf/object.h"
#include "pdf/words.h"

/* All zero before the first piece. */
struct pp_refs {
    struct pp_words words;
    uint64_t before[2]; /* the last integers, [1] the newest             */
    unsigned integers;  /* how many stand directly before, at most two   */
};

/* The next piece, borrowed; the one before must be used up. */
void pp_refs_feed(struct pp_refs *r, struct pp_view piece, bool last);

/* Over a text that is complete. */
void pp_refs_init(struct pp_refs *r, struct pp_view text);

/* The next reference to a number that can exist (PP_OBJECT_MAX); false: no
 * more in this piece. */
bool pp_refs_next(struct pp_refs *r, uint32_t *number);

/* The highest of them in a text; 0: none. */
uint32_t pp_refs_highest(struct pp_view text);

#endif
