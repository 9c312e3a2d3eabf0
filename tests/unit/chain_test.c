/* chain_test.c - are the pieces of a stream done in order, by whoever is
 *                there, and does nobody wait? */
#include "pipe/chain.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "check.h"
#include "pipe/queue.h"

#define PIECES 6u

static struct pp_unit units[4096]; /* only link and piece are used */

static void
number_units(void)
{
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        units[i] = (struct pp_unit){ .piece = i };
}

static void
whose_turn_is_it(void)
{
    struct pp_chain c;

    number_units();
    pp_chain_init(&c);
    CHECK(!pp_chain_enter(&c, &units[2]), "2 is parked");
    CHECK(pp_chain_enter(&c, &units[0]), "0 has its turn");
    CHECK(pp_chain_leave(&c) == NULL, "1 has not come");
    CHECK(!pp_chain_enter(&c, &units[3]), "3 is parked");
    CHECK(pp_chain_enter(&c, &units[1]), "1 has its turn");
    CHECK(pp_chain_leave(&c) == &units[2], "2 is handed over");
    CHECK(units[2].link == NULL, "2 is in no list");
    CHECK(pp_chain_leave(&c) == &units[3], "3 is handed over");
    CHECK(pp_chain_leave(&c) == NULL, "nobody is left");
    c.cbc[0] = 1;
    pp_chain_restart(&c);
    CHECK(c.cbc[0] == 0, "as new");
    CHECK(pp_chain_enter(&c, &units[0]), "a new stream begins with 0");
    CHECK(pp_chain_leave(&c) == NULL, "and nobody is parked");
    pp_chain_fini(&c);
}

/* One worker and every order in which the pieces may come to it. */
static void
try_order(const size_t order[PIECES])
{
    struct pp_chain c;
    size_t done = 0;

    number_units();
    pp_chain_init(&c);
    for (size_t i = 0; i < PIECES; i++) {
        struct pp_unit *u = &units[order[i]];

        if (!pp_chain_enter(&c, u))
            continue;
        for (; u; u = pp_chain_leave(&c), done++)
            CHECK(u->piece == done, "piece %zu", done);
    }
    CHECK(done == PIECES && !c.parked, "%zu were done", done);
    pp_chain_fini(&c);
}

static void
is_any_order_put_right(void)
{
    size_t order[PIECES] = { 0, 1, 2, 3, 4, 5 }, c[PIECES] = { 0 }, tried = 1;

    try_order(order);
    for (size_t i = 1; i < PIECES;) {
        size_t other, t;

        if (c[i] >= i) {
            c[i++] = 0;
            continue;
        }
        other = i % 2 ? c[i] : 0;
        t = order[i];
        order[i] = order[other];
        order[other] = t;
        try_order(order);
        tried++;
        c[i]++;
        i = 1;
    }
    CHECK(tried == 720, "%zu orders", tried);
}

/* ---- threads ---- */

#define WORKERS 4u
#define STREAMS 40u
#define EACH    100u

struct line {
    struct pp_queue queue;
    struct pp_chain chain;
    atomic_uint inside;
    uint64_t done; /* of the worker whose turn it is, like cbc[] */
    atomic_uint left;
};

static void *
work(void *arg)
{
    struct line *l = arg;
    struct pp_unit *u;

    while ((u = pp_queue_pop(&l->queue)) != NULL) {
        if (!pp_chain_enter(&l->chain, u))
            continue;
        while (u) {
            CHECK(atomic_fetch_add(&l->inside, 1) == 0, "alone");
            CHECK(l->done == u->piece, "piece %llu after %llu",
                  (unsigned long long)u->piece, (unsigned long long)l->done);
            l->done++;
            if (u->piece % 5 == 0)
                (void)sched_yield();
            (void)atomic_fetch_sub(&l->inside, 1);
            u = pp_chain_leave(&l->chain);
            (void)atomic_fetch_sub(&l->left, 1);
        }
    }
    return NULL;
}

static void
are_pieces_alone_and_in_order(void)
{
    for (unsigned s = 0; s < STREAMS; s++) {
        struct line l = { .left = EACH };
        pthread_t thread[WORKERS];

        number_units();
        pp_queue_init(&l.queue);
        pp_chain_init(&l.chain);
        for (size_t i = 0; i < WORKERS; i++)
            if (pthread_create(&thread[i], NULL, work, &l))
                abort();
        for (size_t i = 0; i < EACH; i++)
            pp_queue_push(&l.queue, &units[i]);
        pp_queue_close(&l.queue);
        for (size_t i = 0; i < WORKERS; i++)
            if (pthread_join(thread[i], NULL))
                abort();
        CHECK(l.done == EACH && atomic_load(&l.left) == 0, "stream %u", s);
        CHECK(l.chain.parked == NULL, "stream %u", s);
        pp_chain_fini(&l.chain);
        pp_queue_fini(&l.queue);
    }
}

int
main(void)
{
    whose_turn_is_it();
    is_any_order_put_right();
    are_pieces_alone_and_in_order();
    return check_report("chain_test");
}
