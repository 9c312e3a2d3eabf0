/* chain.c - pieces of one long stream, encrypted in order */
#include "pipe/chain.h"

#include <string.h>

void
pp_chain_init(struct pp_chain *c)
{
    pp_mutex_init(&c->mu);
    c->link = NULL;
    pp_chain_restart(c);
}

void
pp_chain_fini(struct pp_chain *c)
{
    pp_mutex_fini(&c->mu);
}

void
pp_chain_restart(struct pp_chain *c)
{
    c->next = 0;
    c->parked = NULL;
    memset(c->cbc, 0, sizeof c->cbc);
}

bool
pp_chain_enter(struct pp_chain *c, struct pp_unit *u)
{
    bool turn;

    pp_lock(&c->mu);
    turn = u->piece == c->next;
    if (!turn) {
        u->link = c->parked;
        c->parked = u;
    }
    pp_unlock(&c->mu);
    return turn;
}

struct pp_unit *
pp_chain_leave(struct pp_chain *c)
{
    struct pp_unit **at, *u;

    pp_lock(&c->mu);
    c->next++;
    for (at = &c->parked; (u = *at) != NULL; at = &u->link)
        if (u->piece == c->next) {
            *at = u->link;
            u->link = NULL;
            break;
        }
    pp_unlock(&c->mu);
    return u;
}
