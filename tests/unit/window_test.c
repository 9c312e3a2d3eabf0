/* window_test.c - are units back in order, whoever was first? */
#include "pipe/window.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "blocked.h"
#include "check.h"
#include "dies.h"
#include "pipe/gate.h"
#include "pipe/queue.h"

#define SIZE 5u

static struct pp_unit units[64]; /* only seq, link and err are used */

static void
number_units(void)
{
    for (size_t i = 0; i < 64; i++)
        units[i] = (struct pp_unit){ .seq = i };
}

static void
window(struct pp_window *w, size_t size)
{
    if (pp_window_init(w, size, NULL))
        abort();
}

/* Puts the units in the order of the permutation's digits, takes what is there
 * after each. */
static void
try_order(const size_t order[SIZE])
{
    struct pp_window w;
    size_t taken = 0;

    window(&w, SIZE);
    for (size_t i = 0; i < SIZE; i++) {
        pp_window_put(&w, &units[order[i]]);
        while (w.slot[taken % SIZE] && taken < SIZE) {
            CHECK(pp_window_take(&w) == &units[taken], "%zu", taken);
            taken++;
        }
    }
    pp_window_close(&w, SIZE);
    CHECK(taken == SIZE && pp_window_take(&w) == NULL, "%zu taken", taken);
    pp_window_fini(&w);
}

static void
is_any_order_put_right(void)
{
    size_t order[SIZE] = { 0, 1, 2, 3, 4 }, c[SIZE] = { 0 }, tried = 1;

    number_units();
    try_order(order);
    /* All other permutations, by Heap's method. */
    for (size_t i = 1; i < SIZE;) {
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
    CHECK(tried == 120, "%zu orders", tried);
}

static void
does_a_failed_unit_take_its_turn(void)
{
    struct pp_window w;

    number_units();
    window(&w, SIZE);
    units[0].err.code = PDFPIPE_E_CRYPTO;
    pp_window_put(&w, &units[1]);
    pp_window_put(&w, &units[0]);
    CHECK(pp_window_take(&w) == &units[0], "the failed one");
    CHECK(pp_window_take(&w) == &units[1], "the next");
    pp_window_fini(&w);
}

static void
when_is_it_over(void)
{
    struct pp_window w;

    number_units();
    window(&w, SIZE);
    pp_window_close(&w, 0);
    CHECK(pp_window_take(&w) == NULL, "nothing was ever put");
    pp_window_fini(&w);

    window(&w, SIZE);
    pp_window_put(&w, &units[0]);
    pp_window_close(&w, 2);
    CHECK(pp_window_take(&w) == &units[0], "closed, not empty");
    pp_window_put(&w, &units[1]);
    CHECK(pp_window_take(&w) == &units[1], "closed, one was to come");
    CHECK(pp_window_take(&w) == NULL, "all were taken");
    pp_window_fini(&w);
}

static void
put_twice(void *arg)
{
    struct pp_window *w = arg;
    struct pp_unit other = { .seq = 1 };

    pp_window_put(w, &units[1]);
    pp_window_put(w, &other);
}

static void
put_too_far(void *arg)
{
    pp_window_put(arg, &units[SIZE]);
}

static void
put_again(void *arg)
{
    pp_window_put(arg, &units[0]);
    (void)pp_window_take(arg);
    pp_window_put(arg, &units[0]);
}

static void
are_wrong_numbers_bugs(void)
{
    static const struct {
        const char *name;
        void (*fn)(void *);
    } rows[] = {
        { "one number twice", put_twice },
        { "a number too far ahead", put_too_far },
        { "a number that was taken", put_again },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_window w;

        number_units();
        window(&w, SIZE);
        CHECK(dies_of(rows[i].fn, &w) != 0, "%s", rows[i].name);
        pp_window_fini(&w);
    }
}

/* ---- threads ---- */

struct writer {
    struct pp_window *w;
    struct blocked blocked;
    struct pp_unit *got;
    pthread_t thread;
};

static void *
take_one(void *arg)
{
    struct writer *t = arg;

    blocked_here(&t->blocked);
    t->got = pp_window_take(t->w);
    blocked_over(&t->blocked);
    return NULL;
}

static void
does_it_wait_for_the_next(void)
{
    struct pp_window w;
    struct writer t = { .w = &w, .got = &units[9] };

    number_units();
    window(&w, SIZE);
    if (pthread_create(&t.thread, NULL, take_one, &t))
        abort();
    CHECK(blocked_wait(&t.blocked), "nothing is there");
    pp_window_put(&w, &units[1]);
    pp_window_put(&w, &units[3]);
    CHECK(blocked_wait(&t.blocked), "only later ones are there");
    pp_window_put(&w, &units[0]);
    if (pthread_join(t.thread, NULL))
        abort();
    CHECK(t.got == &units[0], "the next");

    t = (struct writer){ .w = &w, .got = &units[9] };
    CHECK(pp_window_take(&w) == &units[1], "unit 1");
    if (pthread_create(&t.thread, NULL, take_one, &t))
        abort();
    CHECK(blocked_wait(&t.blocked), "2 is to come");
    pp_window_close(&w, 4);
    CHECK(blocked_wait(&t.blocked), "closed, but 2 is to come");
    pp_window_put(&w, &units[2]);
    if (pthread_join(t.thread, NULL))
        abort();
    CHECK(t.got == &units[2], "unit 2");
    CHECK(pp_window_take(&w) == &units[3], "unit 3");
    CHECK(pp_window_take(&w) == NULL, "the end");
    pp_window_fini(&w);
}

static void
does_closing_wake_the_writer(void)
{
    struct pp_window w;
    struct writer t = { .w = &w, .got = &units[9] };

    window(&w, SIZE);
    if (pthread_create(&t.thread, NULL, take_one, &t))
        abort();
    CHECK(blocked_wait(&t.blocked), "nothing is there");
    pp_window_close(&w, 0);
    if (pthread_join(t.thread, NULL))
        abort();
    CHECK(t.got == NULL, "the end");
    pp_window_fini(&w);
}

#define WORKERS 4u
#define MANY    20000u

struct line {
    struct pp_queue queue;
    struct pp_window window;
    struct pp_units units;
    struct pp_chain chain[SIZE + 1];
    struct pp_gate gate;
};

static void *
pass_on(void *arg)
{
    struct line *l = arg;
    struct pp_unit *u;

    while ((u = pp_queue_pop(&l->queue)) != NULL) {
        if (u->seq % 7 == 0)
            (void)sched_yield();
        pp_window_put(&l->window, u);
    }
    return NULL;
}

static void *
feed(void *arg)
{
    struct line *l = arg;

    for (uint64_t i = 0; i < MANY; i++) {
        struct pp_unit *u = pp_gate_acquire(&l->gate, 1);

        u->seq = i;
        pp_queue_push(&l->queue, u);
    }
    pp_queue_close(&l->queue);
    pp_window_close(&l->window, MANY);
    return NULL;
}

/* Gate, queue, workers and window together, as the pipeline has them. */
static void
is_the_order_kept_among_many(void)
{
    pthread_t thread[WORKERS + 1];
    static struct line l;
    struct pp_unit *u;
    uint64_t next = 0;

    if (pp_units_init(&l.units, SIZE, 0, NULL))
        abort();
    for (size_t i = 0; i <= SIZE; i++)
        pp_chain_init(&l.chain[i]);
    pp_gate_init(&l.gate, &l.units, 3, l.chain);
    pp_queue_init(&l.queue);
    window(&l.window, SIZE);
    for (size_t i = 0; i <= WORKERS; i++)
        if (pthread_create(&thread[i], NULL, i ? pass_on : feed, &l))
            abort();
    while ((u = pp_window_take(&l.window)) != NULL) {
        if (u->seq != next)
            CHECK(false, "%llu instead of %llu", (unsigned long long)u->seq,
                  (unsigned long long)next);
        next++;
        pp_gate_release(&l.gate, u);
    }
    for (size_t i = 0; i <= WORKERS; i++)
        if (pthread_join(thread[i], NULL))
            abort();
    CHECK(next == MANY, "%llu", (unsigned long long)next);
    CHECK(pp_gate_conserved(&l.gate), "all are back");
    pp_window_fini(&l.window);
    pp_queue_fini(&l.queue);
    pp_gate_fini(&l.gate);
    for (size_t i = 0; i <= SIZE; i++)
        pp_chain_fini(&l.chain[i]);
    pp_units_fini(&l.units);
}

int
main(void)
{
    is_any_order_put_right();
    does_a_failed_unit_take_its_turn();
    when_is_it_over();
    are_wrong_numbers_bugs();
    does_it_wait_for_the_next();
    does_closing_wake_the_writer();
    is_the_order_kept_among_many();
    return check_report("window_test");
}
