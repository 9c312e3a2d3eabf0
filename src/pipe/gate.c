/* gate.c - free units and the byte budget */
#include "pipe/gate.h"

#include "base/num.h"

void
pp_gate_init(struct pp_gate *g, struct pp_units *units, uint64_t budget,
             struct pp_chain *chain)
{
    pp_mutex_init(&g->mu);
    pp_cond_init(&g->freed);
    g->free = NULL;
    for (size_t i = 0; i < units->n; i++) {
        units->unit[i].link = g->free;
        g->free = &units->unit[i];
    }
    g->units = g->units_total = units->n;
    g->budget = g->budget_total = budget;
    g->chains = NULL;
    for (size_t i = 0; i <= units->n; i++) {
        chain[i].link = g->chains;
        g->chains = &chain[i];
    }
}

void
pp_gate_fini(struct pp_gate *g)
{
    pp_cond_fini(&g->freed);
    pp_mutex_fini(&g->mu);
}

struct pp_unit *
pp_gate_acquire(struct pp_gate *g, uint64_t bytes)
{
    uint64_t charge = pp_min(bytes, g->budget_total);
    struct pp_unit *u;

    pp_lock(&g->mu);
    while (!g->free || g->budget < charge)
        pp_wait(&g->freed, &g->mu);
    u = g->free;
    g->free = u->link;
    g->units--;
    g->budget -= charge;
    pp_unlock(&g->mu);
    u->link = NULL;
    u->charge = charge;
    return u;
}

void
pp_gate_release(struct pp_gate *g, struct pp_unit *u)
{
    uint64_t charge = u->charge;

    pp_unit_reset(u);
    pp_lock(&g->mu);
    u->link = g->free;
    g->free = u;
    g->units++;
    g->budget += charge;
    pp_signal(&g->freed);
    pp_unlock(&g->mu);
}

struct pp_chain *
pp_gate_acquire_chain(struct pp_gate *g)
{
    struct pp_chain *c;

    pp_lock(&g->mu);
    c = g->chains;
    PP_ASSERT(c != NULL);
    g->chains = c->link;
    pp_unlock(&g->mu);
    pp_chain_restart(c);
    return c;
}

void
pp_gate_release_chain(struct pp_gate *g, struct pp_chain *c)
{
    pp_lock(&g->mu);
    c->link = g->chains;
    g->chains = c;
    pp_unlock(&g->mu);
}

bool
pp_gate_conserved(struct pp_gate *g)
{
    size_t chains = 0;
    bool all;

    pp_lock(&g->mu);
    for (const struct pp_chain *c = g->chains; c; c = c->link)
        chains++;
    all = g->units == g->units_total && g->budget == g->budget_total &&
          chains == g->units_total + 1;
    pp_unlock(&g->mu);
    return all;
}
