/*
 * fetch.h - one object by its number, out of order
 *
 * For the few objects that must be known before the file is read from front to
 * back: the catalog, and the integers that an indirect /Length points at.
 * Keeps the last object stream that was looked into, unless it is larger than
 * usual: such a one is gone through anew for each of its members.
 */
#ifndef PP_PDF_FETCH_H
#define PP_PDF_FETCH_H

#include "pdf/objstm.h"
#include "pdf/peek.h"
#include "pdf/xref.h"

struct pp_fetch {
    const struct pp_xref *xref;
    struct pp_scanner *scanner; /* scratch, borrowed                */
    uint64_t inflate_max;       /* limit for one object stream      */
    uint64_t work_left;         /* bytes of object streams to look at */
    size_t text_max;            /* limit for one object             */
    struct pp_peek peek;        /* its own, for small jumps         */
    uint32_t stream;            /* number of the kept object stream */
    struct pp_buf data;         /* its decoded bytes, or what was
                                   gathered of a large one          */
    struct pp_member *member;
    size_t members;
};

void pp_fetch_init(struct pp_fetch *f, const struct pp_xref *xref,
                   const struct pp_input *input, struct pp_scanner *scanner,
                   size_t text_max, uint64_t inflate_max);
void pp_fetch_fini(struct pp_fetch *f);

/* Gives the kept object stream back, when no more of its members are likely to
 * be wanted. */
void pp_fetch_forget(struct pp_fetch *f);

/*
 * The text of an object's value (of a stream: its dictionary), valid until
 * the next call.  *found is false for a free or unknown number: such a
 * reference means null.
 * Errors: E_DAMAGED_XREF when another object stands at its offset,
 *         E_DAMAGED_OBJECT, E_DAMAGED_STREAM, E_UNSUPPORTED, E_LIMIT (also
 *         when object streams have been inflated too often in this document),
 *         E_NO_MEMORY, those of the input.
 */
enum pdfpipe_status pp_fetch_value(struct pp_fetch *f, struct pp_reference ref,
                                   struct pp_view *value, bool *found,
                                   struct pdfpipe_error *err);

/* The same for an object that is one integer; *found is false for anything
 * else, errors included: the caller has another way to know.  Cheap whatever
 * the object is: at most 256 bytes of it are looked at. */
void pp_fetch_integer(struct pp_fetch *f, struct pp_reference ref,
                      uint64_t *value, bool *found);

#endif
