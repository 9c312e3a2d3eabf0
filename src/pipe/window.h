/*
 * window.h - units on their way from the workers to the writer, back in order
 *
 * Workers finish in any order; the writer takes sequence number after sequence
 * number.  A slot per unit is enough: two units under way never share one, as
 * their numbers differ by less than the number of units.
 */
#ifndef PP_PIPE_WINDOW_H
#define PP_PIPE_WINDOW_H

#include "base/thread.h"
#include "pipe/unit.h"

struct pp_window {
    struct pp_mutex mu;
    struct pp_cond ready;
    struct pp_unit **slot; /* mu: by seq modulo size                   */
    size_t size;           /* constant                                 */
    uint64_t next;         /* mu: the number that the writer wants     */
    uint64_t issued;       /* mu: numbers given out; valid when closed */
    bool closed;           /* mu: the reader gives out no more         */
};

/* size: number of units.  Errors: E_NO_MEMORY. */
enum pdfpipe_status pp_window_init(struct pp_window *w, size_t size,
                                   struct pdfpipe_error *err);
void pp_window_fini(struct pp_window *w);

/* Takes the unit over; a failed one like a good one. */
void pp_window_put(struct pp_window *w, struct pp_unit *u);

/* Waits for the next unit in order; NULL: closed, and all were taken. */
struct pp_unit *pp_window_take(struct pp_window *w);

/* The reader has given out this many numbers and is done. */
void pp_window_close(struct pp_window *w, uint64_t issued);

#endif
