/* gate_test.c - who may go on, and is everything given back? */
#include "pipe/gate.h"

#include <pthread.h>
#include <stdlib.h>

#include "blocked.h"
#include "check.h"
#include "dies.h"

#define UNITS 4u
#define BARE  3u
#define TOTAL UINT64_C(1000)

struct world {
    struct pp_units units;
    struct pp_chain chain[UNITS + 1];
    struct pp_gate gate;
};

static void
world_init(struct world *w)
{
    if (pp_units_init(&w->units, UNITS, BARE, NULL))
        abort();
    for (size_t i = 0; i <= UNITS; i++)
        pp_chain_init(&w->chain[i]);
    pp_gate_init(&w->gate, &w->units, TOTAL, w->chain);
}

static void
world_fini(struct world *w)
{
    pp_gate_fini(&w->gate);
    for (size_t i = 0; i <= UNITS; i++)
        pp_chain_fini(&w->chain[i]);
    pp_units_fini(&w->units);
}

/* ---- one thread ---- */

static void
is_every_unit_given_out_once(void)
{
    struct pp_unit *u[UNITS];
    struct world w;

    world_init(&w);
    CHECK(pp_gate_conserved(&w.gate), "at the beginning");
    for (size_t i = 0; i < UNITS; i++) {
        u[i] = pp_gate_acquire(&w.gate, 100);
        for (size_t k = 0; k < i; k++)
            CHECK(u[k] != u[i], "%zu and %zu", k, i);
        CHECK(u[i]->charge == 100 && u[i]->link == NULL, "%zu", i);
        CHECK(!pp_gate_conserved(&w.gate), "with %zu out", i + 1);
    }
    for (size_t i = 0; i < UNITS; i++)
        pp_gate_release(&w.gate, u[i]);
    CHECK(pp_gate_conserved(&w.gate), "at the end");
    world_fini(&w);
}

static void
what_is_a_unit_charged(void)
{
    static const struct {
        const char *name;
        uint64_t bytes, charge;
    } rows[] = {
        { "nothing", 0, 0 },
        { "one byte", 1, 1 },
        { "all but one", TOTAL - 1, TOTAL - 1 },
        { "all", TOTAL, TOTAL },
        { "one more than all", TOTAL + 1, TOTAL },
        { "more than there is anywhere", UINT64_MAX, TOTAL },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_unit *u;
        struct world w;

        world_init(&w);
        u = pp_gate_acquire(&w.gate, rows[i].bytes);
        CHECK(u->charge == rows[i].charge, "%s: %llu", rows[i].name,
              (unsigned long long)u->charge);
        CHECK(w.gate.budget == TOTAL - rows[i].charge, "%s", rows[i].name);
        pp_gate_release(&w.gate, u);
        CHECK(w.gate.budget == TOTAL, "%s", rows[i].name);
        CHECK(pp_gate_conserved(&w.gate), "%s", rows[i].name);
        world_fini(&w);
    }
}

static void
is_a_unit_empty_when_it_comes_back(void)
{
    const struct pp_room room = { 2 * PP_UNIT_TEXT, 3 * PP_UNIT_OUT,
                                  2 * PP_UNIT_SPANS };
    struct pp_document *d = NULL;
    struct pp_unit *u;
    struct world w;

    world_init(&w);
    u = pp_gate_acquire(&w.gate, 10);
    CHECK(pp_unit_enlarge(u, &room, NULL) == PDFPIPE_OK, "enlarge");
    CHECK(u->stretch.text_cap >= room.text && u->stretch.out_cap >= room.out &&
              u->stretch.span_cap >= room.spans,
          "enlarged");
    u->task = PP_TASK_SEAL;
    u->last = u->turn = true;
    u->piece = 7;
    u->chain = &w.chain[0];
    u->document = d;
    u->err.code = PDFPIPE_E_READ;
    u->stretch.text_n = u->stretch.out_n = u->stretch.spans = 1;
    u->stretch.placed_n = u->stretch.members = 1;
    u->stretch.tally.parts = 1;
    u->source_bytes = 9;
    pp_gate_release(&w.gate, u);
    CHECK(u->stretch.text == u->text && u->stretch.out == u->out &&
              u->stretch.text_cap == PP_UNIT_TEXT &&
              u->stretch.out_cap == PP_UNIT_OUT &&
              u->stretch.span_cap == PP_UNIT_SPANS,
          "its own buffers");
    CHECK(u->task == PP_TASK_NONE && !u->last && !u->turn && !u->chain &&
              u->piece == 0 && u->err.code == PDFPIPE_OK &&
              u->source_bytes == 0,
          "what it carried");
    CHECK(u->stretch.text_n + u->stretch.out_n + u->stretch.spans +
                  u->stretch.placed_n + u->stretch.members +
                  u->stretch.tally.parts ==
              0,
          "its stretch");
    world_fini(&w);
}

static void
do_bare_units_come_from_a_pool_of_their_own(void)
{
    struct pp_unit *full[UNITS], *bare[BARE];
    struct world w;

    world_init(&w);
    for (size_t i = 0; i < UNITS; i++) {
        full[i] = pp_gate_acquire(&w.gate, TOTAL / UNITS);
        CHECK(!full[i]->bare && full[i]->out, "full unit %zu", i);
    }
    CHECK(w.gate.budget == 0, "budget");
    for (size_t i = 0; i < BARE; i++) {
        bare[i] = pp_gate_acquire_bare(&w.gate);
        CHECK(bare[i]->bare && bare[i]->charge == 0 && !bare[i]->out,
              "bare unit %zu", i);
        for (size_t k = 0; k < i; k++)
            CHECK(bare[i] != bare[k], "%zu and %zu", k, i);
    }
    for (size_t i = 0; i < UNITS; i++)
        pp_gate_release(&w.gate, full[i]);
    CHECK(!pp_gate_conserved(&w.gate), "bare units are out");
    for (size_t i = 0; i < BARE; i++) {
        bare[i]->task = PP_TASK_MAKE;
        bare[i]->last = true;
        bare[i]->err.code = PDFPIPE_E_CRYPTO;
        pp_gate_release(&w.gate, bare[i]);
        CHECK(bare[i]->bare && bare[i]->task == PP_TASK_NONE &&
                  !bare[i]->last && !bare[i]->err.code,
              "bare unit %zu is empty again", i);
    }
    CHECK(pp_gate_conserved(&w.gate), "all are back");
    world_fini(&w);
}

static void
acquire_chain_too_many(void *arg)
{
    struct world *w = arg;

    (void)pp_gate_acquire_chain(&w->gate);
}

static void
are_there_chains_enough(void)
{
    struct pp_chain *c[UNITS + 1];
    struct world w;

    world_init(&w);
    w.chain[0].next = 5;
    w.chain[0].cbc[3] = 1;
    for (size_t i = 0; i <= UNITS; i++) {
        c[i] = pp_gate_acquire_chain(&w.gate);
        CHECK(c[i]->next == 0 && !c[i]->parked && c[i]->cbc[3] == 0,
              "%zu is as new", i);
        for (size_t k = 0; k < i; k++)
            CHECK(c[k] != c[i], "%zu and %zu", k, i);
        CHECK(!pp_gate_conserved(&w.gate), "with %zu chains out", i + 1);
    }
    CHECK(dies_of(acquire_chain_too_many, &w) != 0, "one more is a bug");
    for (size_t i = 0; i <= UNITS; i++)
        pp_gate_release_chain(&w.gate, c[i]);
    CHECK(pp_gate_conserved(&w.gate), "all chains are back");
    world_fini(&w);
}

/* ---- two threads ---- */

struct taker {
    struct world *w;
    uint64_t bytes;
    bool bare;
    struct pp_unit *got;
    struct blocked blocked;
    pthread_t thread;
};

static void *
take(void *arg)
{
    struct taker *t = arg;

    blocked_here(&t->blocked);
    t->got = t->bare ? pp_gate_acquire_bare(&t->w->gate)
                     : pp_gate_acquire(&t->w->gate, t->bytes);
    blocked_over(&t->blocked);
    return NULL;
}

static void
start(struct taker *t, struct world *w, uint64_t bytes)
{
    t->w = w;
    t->bytes = bytes;
    t->got = NULL;
    t->blocked = (struct blocked){ 0 };
    if (pthread_create(&t->thread, NULL, take, t))
        abort();
}

static void
finish(struct taker *t)
{
    if (pthread_join(t->thread, NULL))
        abort();
}

static void
does_it_wait_for_a_unit(void)
{
    struct pp_unit *u[UNITS];
    struct taker t = { 0 };
    struct world w;

    world_init(&w);
    for (size_t i = 0; i < UNITS; i++)
        u[i] = pp_gate_acquire(&w.gate, 0);
    start(&t, &w, 0);
    CHECK(blocked_wait(&t.blocked), "no unit is free");
    pp_gate_release(&w.gate, u[2]);
    finish(&t);
    CHECK(t.got == u[2], "the one that came back");
    u[2] = t.got;
    for (size_t i = 0; i < UNITS; i++)
        pp_gate_release(&w.gate, u[i]);
    CHECK(pp_gate_conserved(&w.gate), "at the end");
    world_fini(&w);
}

static void
does_it_wait_for_a_bare_unit(void)
{
    struct taker t = { .bare = true };
    struct pp_unit *full, *u[BARE];
    struct world w;

    world_init(&w);
    full = pp_gate_acquire(&w.gate, 1);
    for (size_t i = 0; i < BARE; i++)
        u[i] = pp_gate_acquire_bare(&w.gate);
    start(&t, &w, 0);
    CHECK(blocked_wait(&t.blocked), "no bare unit is free");
    pp_gate_release(&w.gate, full);
    CHECK(blocked_wait(&t.blocked), "another one will not do");
    pp_gate_release(&w.gate, u[1]);
    finish(&t);
    CHECK(t.got == u[1], "the one that came back");
    for (size_t i = 0; i < BARE; i++)
        pp_gate_release(&w.gate, u[i]);
    CHECK(pp_gate_conserved(&w.gate), "at the end");
    world_fini(&w);
}

static void
does_it_wait_for_bytes(void)
{
    struct pp_unit *a, *b;
    struct taker t = { 0 };
    struct world w;

    world_init(&w);
    a = pp_gate_acquire(&w.gate, 600);
    b = pp_gate_acquire(&w.gate, 300);
    start(&t, &w, 401);
    CHECK(blocked_wait(&t.blocked), "100 bytes are left of 401");
    pp_gate_release(&w.gate, b);
    CHECK(blocked_wait(&t.blocked), "400 bytes are left of 401");
    pp_gate_release(&w.gate, a);
    finish(&t);
    CHECK(t.got->charge == 401, "charge");
    pp_gate_release(&w.gate, t.got);
    CHECK(pp_gate_conserved(&w.gate), "at the end");
    world_fini(&w);
}

static void
does_an_oversize_unit_travel_alone(void)
{
    struct pp_unit *small;
    struct taker large = { 0 }, after = { 0 };
    struct world w;

    world_init(&w);
    small = pp_gate_acquire(&w.gate, 1);
    start(&large, &w, 100 * TOTAL);
    CHECK(blocked_wait(&large.blocked), "a small one is under way");
    pp_gate_release(&w.gate, small);
    finish(&large);
    CHECK(large.got->charge == TOTAL, "charged all of it");
    start(&after, &w, 1);
    CHECK(blocked_wait(&after.blocked), "the large one is under way");
    pp_gate_release(&w.gate, large.got);
    finish(&after);
    pp_gate_release(&w.gate, after.got);
    CHECK(pp_gate_conserved(&w.gate), "at the end");
    world_fini(&w);
}

/* ---- reader and writer, for a while ---- */

#define ROUNDS 20000u

struct ring {
    struct world *w;
    struct pp_mutex mu;
    struct pp_cond filled;
    struct pp_unit *head, *tail; /* mu */
};

static void *
write_all(void *arg)
{
    struct ring *r = arg;

    for (unsigned i = 0; i < ROUNDS; i++) {
        struct pp_unit *u;

        pp_lock(&r->mu);
        while (!r->head)
            pp_wait(&r->filled, &r->mu);
        u = r->head;
        r->head = u->link;
        if (!r->head)
            r->tail = NULL;
        pp_unlock(&r->mu);
        CHECK(u->seq == i, "unit %u has number %llu", i,
              (unsigned long long)u->seq);
        pp_gate_release(&r->w->gate, u);
    }
    return NULL;
}

static void
is_all_there_after_a_long_run(void)
{
    struct world w;
    struct ring r = { .w = &w };
    pthread_t writer;
    unsigned seed = 1;

    world_init(&w);
    pp_mutex_init(&r.mu);
    pp_cond_init(&r.filled);
    if (pthread_create(&writer, NULL, write_all, &r))
        abort();
    for (unsigned i = 0; i < ROUNDS; i++) {
        uint64_t bytes = (uint64_t)(rand_r(&seed) % 1500);
        struct pp_unit *u = pp_gate_acquire(&w.gate, bytes);

        u->seq = i;
        pp_lock(&r.mu);
        if (r.tail)
            r.tail->link = u;
        else
            r.head = u;
        r.tail = u;
        pp_signal(&r.filled);
        pp_unlock(&r.mu);
    }
    if (pthread_join(writer, NULL))
        abort();
    CHECK(pp_gate_conserved(&w.gate), "after %u units", ROUNDS);
    pp_cond_fini(&r.filled);
    pp_mutex_fini(&r.mu);
    world_fini(&w);
}

int
main(void)
{
    is_every_unit_given_out_once();
    what_is_a_unit_charged();
    is_a_unit_empty_when_it_comes_back();
    do_bare_units_come_from_a_pool_of_their_own();
    are_there_chains_enough();
    does_it_wait_for_a_unit();
    does_it_wait_for_a_bare_unit();
    does_it_wait_for_bytes();
    does_an_oversize_unit_travel_alone();
    is_all_there_after_a_long_run();
    return check_report("gate_test");
}
