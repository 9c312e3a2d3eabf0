/*
 * chain.h - pieces of one long stream, encrypted in order by whoever is there
 *
 * CBC makes each piece depend on the last block of the piece before it, but a
 * worker must not wait while it holds a unit (law 4).  So a piece whose turn
 * has not come is parked here, and the worker that finishes the piece before
 * it takes it over.  Reading the piece from the source is done before, by the
 * worker that parks it, and so goes on beside the cipher.
 */
#ifndef PP_PIPE_CHAIN_H
#define PP_PIPE_CHAIN_H

#include "base/thread.h"
#include "pipe/unit.h"

struct pp_chain {
    struct pp_mutex mu;
    struct pp_chain *link;  /* reader and writer: list of free chains       */
    uint64_t next;          /* mu: number of the piece whose turn it is     */
    struct pp_unit *parked; /* mu: pieces that came too early, any order    */
    uint8_t cbc[16];        /* of the worker whose turn it is: last block   */
};

void pp_chain_init(struct pp_chain *c);
void pp_chain_fini(struct pp_chain *c);

/* Prepares it for a new stream. */
void pp_chain_restart(struct pp_chain *c);

/* Is it this unit's turn?  If not, the unit is parked: it is the caller's no
 * more. */
bool pp_chain_enter(struct pp_chain *c, struct pp_unit *u);

/* The turn of the caller's piece is over; hands over the next piece if it is
 * parked, else NULL. */
struct pp_unit *pp_chain_leave(struct pp_chain *c);

#endif
