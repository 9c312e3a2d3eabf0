/*
 * queue.h - units on their way from the reader to the workers, first in first
 *           out
 *
 * Bounded by the gate: it never holds more than all units, so push never
 * waits.
 */
#ifndef PP_PIPE_QUEUE_H
#define PP_PIPE_QUEUE_H

#include "base/thread.h"
#include "pipe/unit.h"

struct pp_queue {
    struct pp_mutex mu;
    struct pp_cond filled;
    struct pp_unit *head; /* mu: oldest                   */
    struct pp_unit *tail; /* mu                           */
    size_t length;        /* mu: units in the list        */
    size_t waiting;       /* mu: workers that wait in pop */
    bool closed;          /* mu: nothing more is pushed   */
};

void pp_queue_init(struct pp_queue *q);
void pp_queue_fini(struct pp_queue *q);

/* Takes the unit over. */
void pp_queue_push(struct pp_queue *q, struct pp_unit *u);

/* Waits for a unit and hands it over; NULL: closed and empty. */
struct pp_unit *pp_queue_pop(struct pp_queue *q);

/* Another unit for a worker that has some already: never waits, though it lets
 * other threads run first, and leaves those alone that idle workers are about
 * to take.  NULL: none. */
struct pp_unit *pp_queue_pop_more(struct pp_queue *q);

/* Nothing follows; wakes everybody who waits. */
void pp_queue_close(struct pp_queue *q);

#endif
