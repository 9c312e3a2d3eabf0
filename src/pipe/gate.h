/*
 * gate.h - free units and the byte budget: the one place that blocks the
 *          reader
 *
 * The reader takes both, in sequence order, before a unit enters the queue;
 * the writer gives both back, in the same order.  Workers take nothing, and
 * the reader waits with no unit in its hands.  So the pipeline holds at most
 * all units and the whole budget, and whoever holds some of it can always go on
 * (law 1 of the pipeline).
 */
#ifndef PP_PIPE_GATE_H
#define PP_PIPE_GATE_H

#include "pipe/chain.h"
#include "pipe/unit.h"

struct pp_pool {
    struct pp_unit *free; /* list of free units   */
    size_t n;             /* how many there are   */
    size_t total;         /* constant             */
};

struct pp_gate {
    struct pp_mutex mu;
    struct pp_cond freed;
    struct pp_pool full;     /* mu: units with buffers */
    struct pp_pool bare;     /* mu                     */
    uint64_t budget;         /* mu: bytes left         */
    uint64_t budget_total;   /* constant               */
    struct pp_chain *chains; /* mu: list of free chains */
};

/* All units are free, the budget is full.  chain[]: units->n + 1 of them, as
 * bare units carry no stream. */
void pp_gate_init(struct pp_gate *g, struct pp_units *units, uint64_t budget,
                  struct pp_chain *chain);
void pp_gate_fini(struct pp_gate *g);

/*
 * Waits for a free unit and `bytes` of the budget, and takes them; a unit that
 * needs more than the whole budget is charged all of it and travels alone.
 */
struct pp_unit *pp_gate_acquire(struct pp_gate *g, uint64_t bytes);

/* Waits for a bare unit, which is charged nothing, and takes it. */
struct pp_unit *pp_gate_acquire_bare(struct pp_gate *g);

/* Gives a unit back with what it was charged; it is empty afterwards. */
void pp_gate_release(struct pp_gate *g, struct pp_unit *u);

/*
 * A chain for a stream that needs several units.  Never waits: there is one
 * more of them than units, and each but the newest has a unit under way.
 */
struct pp_chain *pp_gate_acquire_chain(struct pp_gate *g);
void pp_gate_release_chain(struct pp_gate *g, struct pp_chain *c);

/* True when every unit, every byte and every chain is back (law 5). */
bool pp_gate_conserved(struct pp_gate *g);

#endif
