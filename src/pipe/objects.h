/*
 * objects.h - the objects of an open document, one after the other, into the
 *             layout; part of the reader
 */
#ifndef PP_PIPE_OBJECTS_H
#define PP_PIPE_OBJECTS_H

#include "pipe/dead.h"
#include "pipe/layout.h"

/* What the reader keeps from document to document. */
struct pp_objects {
    struct pp_layout layout;
    struct pp_peek peek; /* over the file being read, front to back */
    struct pp_scanner *scanner;
    struct pp_numbers objstms; /* object streams with live members       */
    struct pp_numbers put_off; /* others, left out unless referred to ... */
    struct pp_numbers kept;    /* ... as these are                       */
    struct pp_numbers held;    /* when nothing is written: members that
                                  stand in their object streams, and ... */
    struct pp_numbers opaque;  /* ... object streams that may hold any   */
    struct pp_dead dead;       /* of the document                        */
    struct pp_buf scratch;
    uint64_t hint_at[2];       /* offsets of hint streams; 0: none        */
    uint64_t highest_ref;      /* of the document, as far as it is read   */
    uint64_t scanned, claimed; /* bytes of it, see objects.c              */
};

enum pdfpipe_status pp_objects_init(struct pp_objects *o, struct pp_pipeline *p,
                                    struct pdfpipe_error *err);
void pp_objects_fini(struct pp_objects *o);

/*
 * Lays out every object of d->reading that has a place in the output, for
 * d->pass, with what belongs around them (header, catalog lifted out of an
 * object stream, promoted /Info).  scan_only: only looks at them all (dry
 * run).  Notes go to the units, or to *notes when scan_only.
 * Errors: the first in file order; E_CANCELLED.
 */
enum pdfpipe_status pp_objects_read(struct pp_objects *o, struct pp_document *d,
                                    bool scan_only, struct pp_notes *notes,
                                    struct pdfpipe_error *err);

#endif
