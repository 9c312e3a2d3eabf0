/*
 * layout.h - fills units one after the other; part of the reader
 *
 * Knows units, gate and queue, but nothing of documents' structure: what is
 * appended, and in which order, is decided in objects.c.
 */
#ifndef PP_PIPE_LAYOUT_H
#define PP_PIPE_LAYOUT_H

#include "pipe/pipeline.h"

/*
 * Memory that one object may take, in sizes of the largest text.  A string
 * takes more than its bytes: an array of empty ones would need forty times its
 * text, while real objects need two to six.  Its encrypted text, which is read
 * when the output is verified, is a part of that.
 */
#define PP_EXPANSION_MAX 8u

struct pp_layout {
    struct pp_pipeline *p;
    struct pp_document *d; /* whose pass is being laid out              */
    enum pp_task task;     /* of its units: SEAL or CHECK               */
    struct pp_unit *unit;  /* being filled; NULL: none at hand          */
    uint64_t seq;          /* of the next unit of the run               */
    uint64_t iv;           /* of the next IV of the document            */
    uint64_t waited_ns;    /* at the gate                               */
};

/* A new pass; the layout has no unit at hand. */
void pp_layout_begin(struct pp_layout *l, struct pp_document *d,
                     enum pp_task task);

/*
 * Sees to it that the unit at hand has this room: the one that it is, or the
 * next.  Errors: E_CANCELLED when the run or this pass is to stop; E_LIMIT when
 * one object would take far more memory than its text may; E_NO_MEMORY.
 */
enum pdfpipe_status pp_layout_reserve(struct pp_layout *l,
                                      const struct pp_room *room,
                                      struct pdfpipe_error *err);

/* The stretch of the unit at hand. */
struct pp_stretch *pp_layout_stretch(struct pp_layout *l);

/* How many objects may still begin in the unit at hand; 0: there is none. */
size_t pp_layout_objects_left(const struct pp_layout *l);

/* Hands the unit at hand to the workers, if there is one. */
void pp_layout_push(struct pp_layout *l);

/*
 * Lays out stream data that begin at source (checking: at the IV), in one unit
 * or in pieces over several.  bytes is NULL or the data in memory; then they
 * must fit one unit.
 */
enum pdfpipe_status pp_layout_stream(struct pp_layout *l,
                                     const struct pp_piece *whole,
                                     uint64_t length,
                                     struct pdfpipe_error *err);

/*
 * Ends the pass with a unit marked last.  end->code OK: its task is `task`
 * (MAKE, OPEN, or that of the pass); else what is at hand is dropped and the
 * unit carries the error.
 */
void pp_layout_end(struct pp_layout *l, enum pp_task task,
                   const struct pdfpipe_error *end);

#endif
