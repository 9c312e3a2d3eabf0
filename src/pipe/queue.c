/* queue.c - units on their way from the reader to the workers */
#include "pipe/queue.h"

#include <sched.h>

/* How often a worker steps aside for the reader, who may be about to push:
 * where threads share a processor, full lanes are worth more than the step. */
#define STEPS_ASIDE 3

void
pp_queue_init(struct pp_queue *q)
{
    pp_mutex_init(&q->mu);
    pp_cond_init(&q->filled);
    q->head = q->tail = NULL;
    q->length = q->waiting = 0;
    q->closed = false;
}

void
pp_queue_fini(struct pp_queue *q)
{
    pp_cond_fini(&q->filled);
    pp_mutex_fini(&q->mu);
}

void
pp_queue_push(struct pp_queue *q, struct pp_unit *u)
{
    u->link = NULL;
    pp_lock(&q->mu);
    PP_ASSERT(!q->closed);
    if (q->tail)
        q->tail->link = u;
    else
        q->head = u;
    q->tail = u;
    q->length++;
    pp_signal(&q->filled);
    pp_unlock(&q->mu);
}

/* The oldest unit, or NULL. */
static struct pp_unit *
take_head(struct pp_queue *q) PP_REQUIRES(q->mu)
{
    struct pp_unit *u = q->head;

    if (!u)
        return NULL;
    q->head = u->link;
    if (!q->head)
        q->tail = NULL;
    q->length--;
    u->link = NULL;
    return u;
}

struct pp_unit *
pp_queue_pop(struct pp_queue *q)
{
    struct pp_unit *u;

    pp_lock(&q->mu);
    q->waiting++;
    while (!q->head && !q->closed)
        pp_wait(&q->filled, &q->mu);
    q->waiting--;
    u = take_head(q);
    pp_unlock(&q->mu);
    return u;
}

/* A unit that no idle worker is about to take, or NULL. */
static struct pp_unit *
take_spare(struct pp_queue *q)
{
    struct pp_unit *u = NULL;

    pp_lock(&q->mu);
    if (q->length > q->waiting)
        u = take_head(q);
    pp_unlock(&q->mu);
    return u;
}

struct pp_unit *
pp_queue_pop_more(struct pp_queue *q)
{
    struct pp_unit *u = take_spare(q);

    for (unsigned i = 0; !u && i < STEPS_ASIDE; i++) {
        (void)sched_yield(); /* cannot fail */
        u = take_spare(q);
    }
    return u;
}

void
pp_queue_close(struct pp_queue *q)
{
    pp_lock(&q->mu);
    q->closed = true;
    pp_broadcast(&q->filled);
    pp_unlock(&q->mu);
}
