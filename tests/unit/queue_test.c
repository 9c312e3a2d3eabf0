/* queue_test.c - do units come out as they went in, and does nobody wait for
 *                ever? */
#include "pipe/queue.h"

#include <stdlib.h>
#include <string.h>

#include "blocked.h"
#include "check.h"
#include "dies.h"

#define CONSUMERS 4u
#define MANY      20000u

static struct pp_unit units[MANY]; /* only link and seq are used */

static void
do_units_come_out_in_order(void)
{
    struct pp_queue q;

    pp_queue_init(&q);
    for (size_t i = 0; i < 5; i++) {
        units[i].seq = i;
        units[i].link = &units[9]; /* what it was linked to before is gone */
        pp_queue_push(&q, &units[i]);
    }
    for (size_t i = 0; i < 3; i++)
        CHECK(pp_queue_pop(&q) == &units[i], "unit %zu", i);
    pp_queue_push(&q, &units[0]);
    for (size_t i = 3; i < 5; i++)
        CHECK(pp_queue_pop(&q) == &units[i], "unit %zu", i);
    CHECK(pp_queue_pop(&q) == &units[0] && !units[0].link, "once more");
    pp_queue_close(&q);
    CHECK(pp_queue_pop(&q) == NULL, "closed and empty");
    pp_queue_fini(&q);
}

static void
is_a_closed_queue_drained(void)
{
    struct pp_queue q;

    pp_queue_init(&q);
    pp_queue_push(&q, &units[0]);
    pp_queue_push(&q, &units[1]);
    pp_queue_close(&q);
    CHECK(pp_queue_pop(&q) == &units[0], "first");
    CHECK(pp_queue_pop(&q) == &units[1], "second");
    CHECK(pp_queue_pop(&q) == NULL, "no more");
    CHECK(pp_queue_pop(&q) == NULL, "never again");
    pp_queue_fini(&q);
}

static void
push_after_close(void *arg)
{
    struct pp_queue q;

    (void)arg;
    pp_queue_init(&q);
    pp_queue_close(&q);
    pp_queue_push(&q, &units[0]);
}

static void
is_more_there_without_waiting(void)
{
    struct pp_queue q;

    pp_queue_init(&q);
    CHECK(pp_queue_pop_more(&q) == NULL, "empty");
    pp_queue_push(&q, &units[0]);
    pp_queue_push(&q, &units[1]);
    CHECK(pp_queue_pop_more(&q) == &units[0] && !units[0].link, "the oldest");
    CHECK(pp_queue_pop(&q) == &units[1], "the other");
    pp_queue_push(&q, &units[2]);
    pp_queue_close(&q);
    CHECK(pp_queue_pop_more(&q) == &units[2], "closed, not empty");
    CHECK(pp_queue_pop_more(&q) == NULL, "closed and empty");
    pp_queue_fini(&q);
}

/* ---- threads ---- */

struct consumer {
    struct pp_queue *q;
    struct blocked blocked;
    unsigned count;
    bool ordered;
    pthread_t thread;
};

static unsigned char seen[MANY];

static void *
consume(void *arg)
{
    struct consumer *c = arg;
    struct pp_unit *u;
    uint64_t last = 0;

    blocked_here(&c->blocked);
    /* Every other time as one that has something to do already. */
    while ((c->count % 2 && (u = pp_queue_pop_more(c->q)) != NULL) ||
           (u = pp_queue_pop(c->q)) != NULL) {
        if (c->count++ && u->seq <= last)
            c->ordered = false;
        last = u->seq;
        seen[u->seq]++; /* ours alone */
    }
    blocked_over(&c->blocked);
    return NULL;
}

static void
start(struct consumer *c, struct pp_queue *q)
{
    for (size_t i = 0; i < CONSUMERS; i++) {
        c[i] = (struct consumer){ .q = q, .ordered = true };
        if (pthread_create(&c[i].thread, NULL, consume, &c[i]))
            abort();
    }
}

static void
join(struct consumer *c)
{
    for (size_t i = 0; i < CONSUMERS; i++)
        if (pthread_join(c[i].thread, NULL))
            abort();
}

static void
does_closing_wake_everybody(void)
{
    struct consumer c[CONSUMERS];
    struct pp_queue q;

    pp_queue_init(&q);
    start(c, &q);
    for (size_t i = 0; i < CONSUMERS; i++)
        CHECK(blocked_wait(&c[i].blocked), "consumer %zu", i);
    pp_queue_close(&q);
    join(c);
    for (size_t i = 0; i < CONSUMERS; i++)
        CHECK(c[i].count == 0, "consumer %zu", i);
    pp_queue_fini(&q);
}

static void *
pop_once(void *arg)
{
    struct consumer *c = arg;

    blocked_here(&c->blocked);
    c->count += pp_queue_pop(c->q) != NULL;
    blocked_over(&c->blocked);
    return NULL;
}

/* A unit for which an idle worker is being woken is not taken from it. */
static void
is_an_idle_worker_left_its_unit(void)
{
    struct pp_queue q;
    struct consumer c = { .q = &q };

    pp_queue_init(&q);
    if (pthread_create(&c.thread, NULL, pop_once, &c))
        abort();
    CHECK(blocked_wait(&c.blocked), "nothing is there");
    pp_queue_push(&q, &units[0]);
    CHECK(pp_queue_pop_more(&q) == NULL, "one unit, one idle worker");
    pp_queue_push(&q, &units[1]);
    CHECK(pp_queue_pop_more(&q) != NULL, "two units, one idle worker");
    if (pthread_join(c.thread, NULL))
        abort();
    CHECK(c.count == 1, "it got one");
    CHECK(pp_queue_pop_more(&q) == NULL, "none is left");
    pp_queue_fini(&q);
}

static void
does_everyone_get_something_else(void)
{
    struct consumer c[CONSUMERS];
    struct pp_queue q;
    unsigned sum = 0;

    pp_queue_init(&q);
    memset(seen, 0, sizeof seen);
    start(c, &q);
    for (size_t i = 0; i < MANY; i++) {
        units[i].seq = i;
        pp_queue_push(&q, &units[i]);
    }
    pp_queue_close(&q);
    join(c);
    for (size_t i = 0; i < CONSUMERS; i++) {
        CHECK(c[i].ordered, "consumer %zu", i);
        sum += c[i].count;
    }
    CHECK(sum == MANY, "%u", sum);
    for (size_t i = 0; i < MANY; i++)
        if (seen[i] != 1)
            CHECK(false, "unit %zu was taken %u times", i, seen[i]);
    pp_queue_fini(&q);
}

int
main(void)
{
    do_units_come_out_in_order();
    is_a_closed_queue_drained();
    is_more_there_without_waiting();
    CHECK(dies_of(push_after_close, NULL) != 0, "a push after the end");
    does_closing_wake_everybody();
    is_an_idle_worker_left_its_unit();
    does_everyone_get_something_else();
    return check_report("queue_test");
}
