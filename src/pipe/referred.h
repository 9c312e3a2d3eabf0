/*
 * referred.h - which of these numbers does something live refer to?
 *
 * For the few documents in which an object could be missed: they are read a
 * second time.
 */
#ifndef PP_PIPE_REFERRED_H
#define PP_PIPE_REFERRED_H

#include "pdf/numbers.h"
#include "pipe/document.h"

struct pp_referred {
    struct pp_reading *reading;
    const struct pp_xref *live;     /* of the objects of the reading, those that
                                   have an offset here are looked at ...    */
    const struct pp_numbers *among; /* ... but none of these, which are
                                         looked for                         */
    const struct pp_numbers *without[2]; /* ... nor these; NULL: none       */

    /* Lent, used up to the end. */
    struct pp_peek *peek;
    struct pp_scanner *scanner;
    struct pp_buf *scratch;
    size_t text_max;
    uint64_t inflate_max;

    /* The answer. */
    struct pp_numbers found; /* the caller frees it                         */
    bool opaque; /* an object stream could not be looked into as a whole    */
};

/*
 * Goes through the trailer and the live objects, and what is in object streams
 * among them.  Errors: those of reading, E_NO_MEMORY.
 */
enum pdfpipe_status pp_referred_find(struct pp_referred *q,
                                     struct pdfpipe_error *err);

/* Adds what one text refers to.  Errors: E_NO_MEMORY. */
enum pdfpipe_status pp_referred_by(struct pp_referred *q, struct pp_view text,
                                   struct pdfpipe_error *err);

#endif
