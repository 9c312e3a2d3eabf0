/*
 * reader.h - the thread that reads documents and lays their units out
 *
 * For each pass of a document the reader walks its objects in the order of
 * their offsets, scans each one, and appends it to the unit at hand; a full
 * unit goes to the queue and the next is taken at the gate.  A pass always
 * ends with a unit marked last, which carries the error if there is one.
 */
#ifndef PP_PIPE_READER_H
#define PP_PIPE_READER_H

#include "pipe/objects.h"
#include "pipe/open.h"

struct pp_reader {
    struct pp_pipeline *p;
    struct pp_objects objects;
    struct pp_open_tools tools;
    uint64_t documents; /* taken from the caller */
    bool more;          /* the caller has more   */
};

/* Errors: E_NO_MEMORY. */
enum pdfpipe_status pp_reader_init(struct pp_reader *r, struct pp_pipeline *p,
                                   struct pdfpipe_error *err);
void pp_reader_fini(struct pp_reader *r);

/* Thread main; arg is the reader. */
void *pp_reader_main(void *arg);

#endif
