/* gate.c - free units and the byte budget */
#include "pipe/gate.h"

#include "base/num.h"

static void
put(struct pp_pool *pool, struct pp_unit *u)
{
    u->link = pool->free;
    pool->free = u;
    pool->n++;
}

/* The next of a pool that has any. */
static struct pp_unit *
get(struct pp_pool *pool)
{
    struct pp_unit *u = pool->free;

    pool->free = u->link;
    pool->n--;
    u->link = NULL;
    return u;
}

static struct pp_pool *
pool_of(struct pp_gate *g, const struct pp_unit *u)
{
    return u->bare ? &g->bare : &g->full;
}

void
pp_gate_init(struct pp_gate *g, struct pp_units *units, uint64_t budget,
             struct pp_chain *chain)
{
    pp_mutex_init(&g->mu);
    pp_cond_init(&g->freed);
    g->full = (struct pp_pool){ .total = units->n };
    g->bare = (struct pp_pool){ .total = units->bare };
    for (size_t i = 0; i < units->n + units->bare; i++)
        put(pool_of(g, &units->unit[i]), &units->unit[i]);
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
    while (g->full.n == 0 || g->budget < charge)
        pp_wait(&g->freed, &g->mu);
    u = get(&g->full);
    g->budget -= charge;
    pp_unlock(&g->mu);
    u->charge = charge;
    return u;
}

struct pp_unit *
pp_gate_acquire_bare(struct pp_gate *g)
{
    struct pp_unit *u;

    pp_lock(&g->mu);
    while (g->bare.n == 0)
        pp_wait(&g->freed, &g->mu);
    u = get(&g->bare);
    pp_unlock(&g->mu);
    return u;
}

void
pp_gate_release(struct pp_gate *g, struct pp_unit *u)
{
    uint64_t charge = u->charge;

    pp_unit_reset(u);
    pp_lock(&g->mu);
    put(pool_of(g, u), u);
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
    all = g->full.n == g->full.total && g->bare.n == g->bare.total &&
          g->budget == g->budget_total && chains == g->full.total + 1;
    pp_unlock(&g->mu);
    return all;
}
