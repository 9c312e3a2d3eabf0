/* roster_test.c - does every document come to its end, and does nobody wait
 *                 for somebody who waits? */
#include "pipe/roster.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "blocked.h"
#include "check.h"
#include "dies.h"
#include "pipe/queue.h"

static struct pp_document *
document(uint64_t number)
{
    struct pdfpipe_job job = { .source = "x.pdf" };
    struct pp_document *d;

    if (pp_document_new(&d, NULL) || pp_document_take(d, &job, number, NULL))
        abort();
    return d;
}

/* ---- one thread ---- */

static void
what_is_read_next(void)
{
    struct pp_document *a = document(1), *b = document(2), *d;
    struct pp_roster r;

    pp_roster_init(&r);
    CHECK(pp_roster_next(&r, true, &d) == PP_NEXT_NEW, "nothing yet");
    CHECK(!d, "no document comes with that");
    CHECK(pp_roster_next(&r, false, &d) == PP_NEXT_FINISHED, "no more");
    pp_roster_enter(&r);
    pp_roster_enter(&r);
    CHECK(!pp_roster_conserved(&r), "two are under way");
    pp_roster_submit(&r, a);
    pp_roster_submit(&r, b);
    CHECK(pp_roster_take(&r, 0, false, &d) == PP_TAKE_DOCUMENT && d == a,
          "first in");
    CHECK(pp_roster_take(&r, 0, true, &d) == PP_TAKE_DOCUMENT && d == b,
          "second");
    pp_roster_again(&r, b);
    pp_roster_again(&r, a);
    CHECK(pp_roster_next(&r, true, &d) == PP_NEXT_AGAIN && d == b,
          "another pass comes before a new document");
    CHECK(pp_roster_next(&r, false, &d) == PP_NEXT_AGAIN && d == a,
          "in the order of asking");
    pp_roster_submit(&r, b);
    pp_roster_submit(&r, a);
    (void)pp_roster_take(&r, 0, false, &d);
    (void)pp_roster_take(&r, 0, false, &d);
    pp_roster_retire(&r);
    pp_roster_retire(&r);
    CHECK(pp_roster_conserved(&r), "both are reported");
    CHECK(pp_roster_next(&r, false, &d) == PP_NEXT_FINISHED, "the end");
    pp_roster_leave(&r);
    CHECK(pp_roster_take(&r, 0, false, &d) == PP_TAKE_FINISHED, "the end");
    pp_roster_fini(&r);
    pp_document_free(a, NULL);
    pp_document_free(b, NULL);
}

static void
does_a_deadline_end_the_wait(void)
{
    struct pp_document *a = document(1), *d;
    struct pp_roster r;

    pp_roster_init(&r);
    pp_roster_enter(&r);
    /* One nanosecond after the machine was started. */
    CHECK(pp_roster_take(&r, 1, true, &d) == PP_TAKE_TIMEOUT && !d, "long ago");
    CHECK(pp_roster_take(&r, pp_now_ns() + 1000000, true, &d) ==
              PP_TAKE_TIMEOUT,
          "in a millisecond");
    pp_roster_submit(&r, a);
    CHECK(pp_roster_take(&r, 1, true, &d) == PP_TAKE_DOCUMENT && d == a,
          "a document counts more than the time");
    pp_roster_retire(&r);
    CHECK(pp_roster_conserved(&r), "at the end");
    pp_roster_fini(&r);
    pp_document_free(a, NULL);
}

static void
retire_nobody(void *arg)
{
    pp_roster_retire(arg);
}

/* ---- two threads ---- */

struct caller {
    struct pp_roster *r;
    bool more, holds;
    struct pp_document *d;
    int answer;
    struct blocked blocked;
    pthread_t thread;
};

static void *
call_next(void *arg)
{
    struct caller *c = arg;

    blocked_here(&c->blocked);
    c->answer = (int)pp_roster_next(c->r, c->more, &c->d);
    blocked_over(&c->blocked);
    return NULL;
}

static void *
call_take(void *arg)
{
    struct caller *c = arg;

    blocked_here(&c->blocked);
    c->answer = (int)pp_roster_take(c->r, 0, c->holds, &c->d);
    blocked_over(&c->blocked);
    return NULL;
}

static void
start(struct caller *c, struct pp_roster *r, void *(*fn)(void *), bool more,
      bool holds)
{
    *c = (struct caller){ .r = r, .more = more, .holds = holds };
    if (pthread_create(&c->thread, NULL, fn, c))
        abort();
}

static void
finish(struct caller *c)
{
    if (pthread_join(c->thread, NULL))
        abort();
}

static void
does_the_reader_wait_for_room(void)
{
    struct pp_document *a = document(1), *d;
    struct caller reader;
    struct pp_roster r;

    pp_roster_init(&r);
    for (size_t i = 0; i < PP_DOCUMENTS_MAX; i++) {
        CHECK(pp_roster_next(&r, true, &d) == PP_NEXT_NEW, "%zu", i);
        pp_roster_enter(&r);
    }
    start(&reader, &r, call_next, true, false);
    CHECK(blocked_wait(&reader.blocked), "all places are taken");
    pp_roster_submit(&r, a);
    CHECK(pp_roster_take(&r, 0, false, &d) == PP_TAKE_DOCUMENT, "one is back");
    CHECK(blocked_wait(&reader.blocked), "but not reported");
    pp_roster_again(&r, a);
    finish(&reader);
    CHECK(reader.answer == PP_NEXT_AGAIN && reader.d == a,
          "it does not wait for room alone");

    start(&reader, &r, call_next, true, false);
    CHECK(blocked_wait(&reader.blocked), "all places are taken again");
    pp_roster_retire(&r);
    finish(&reader);
    CHECK(reader.answer == PP_NEXT_NEW, "room");
    pp_roster_fini(&r);
    pp_document_free(a, NULL);
}

static void
does_the_reader_wait_for_the_end(void)
{
    struct caller reader;
    struct pp_roster r;

    pp_roster_init(&r);
    pp_roster_enter(&r);
    start(&reader, &r, call_next, false, false);
    CHECK(blocked_wait(&reader.blocked), "one is under way");
    pp_roster_retire(&r);
    finish(&reader);
    CHECK(reader.answer == PP_NEXT_FINISHED, "none is");
    pp_roster_fini(&r);
}

static void
when_is_the_committer_told_to_finish(void)
{
    struct pp_document *a = document(1), *d;
    struct caller reader, committer;
    struct pp_roster r;

    pp_roster_init(&r);
    pp_roster_enter(&r);
    start(&committer, &r, call_take, false, true);
    CHECK(blocked_wait(&committer.blocked), "one moves, the reader works");
    start(&reader, &r, call_next, false, false);
    CHECK(blocked_wait(&reader.blocked), "the reader waits");
    CHECK(blocked_wait(&committer.blocked), "one still moves");
    pp_roster_submit(&r, a);
    finish(&committer);
    CHECK(committer.answer == PP_TAKE_DOCUMENT && committer.d == a, "taken");

    CHECK(pp_roster_take(&r, 0, true, &d) == PP_TAKE_IDLE,
          "nothing moves: it must finish what it holds");
    start(&committer, &r, call_take, false, false);
    CHECK(blocked_wait(&committer.blocked), "it holds nothing: it waits");
    pp_roster_retire(&r);
    finish(&reader);
    CHECK(reader.answer == PP_NEXT_FINISHED, "reported");
    pp_roster_leave(&r);
    finish(&committer);
    CHECK(committer.answer == PP_TAKE_FINISHED, "the end");
    pp_roster_fini(&r);
    pp_document_free(a, NULL);
}

/* A reader that is with the caller does not wait: then there is no hurry. */
static void
is_a_busy_reader_no_reason_to_hurry(void)
{
    struct pp_document *a = document(1), *d;
    struct caller committer;
    struct pp_roster r;

    pp_roster_init(&r);
    pp_roster_enter(&r);
    pp_roster_submit(&r, a);
    (void)pp_roster_take(&r, 0, false, &d);
    start(&committer, &r, call_take, false, true);
    CHECK(blocked_wait(&committer.blocked), "the reader asks its caller");
    pp_roster_again(&r, a);
    CHECK(pp_roster_next(&r, false, &d) == PP_NEXT_AGAIN, "it reads");
    CHECK(blocked_wait(&committer.blocked), "one moves again");
    pp_roster_submit(&r, a);
    finish(&committer);
    CHECK(committer.answer == PP_TAKE_DOCUMENT, "done");
    pp_roster_retire(&r);
    CHECK(pp_roster_conserved(&r), "at the end");
    pp_roster_fini(&r);
    pp_document_free(a, NULL);
}

/* ---- the whole protocol ---- */

#define MANY 3000u

struct house {
    struct pp_roster roster;
    struct pp_queue moving; /* units that stand for a pass, seq: its number */
    struct pp_unit unit[MANY];
    struct pp_document *document[MANY];
    unsigned passes[MANY];
};

/* Reader: new documents and further passes go to the writer. */
static void *
read_all(void *arg)
{
    struct house *h = arg;
    bool more = true, reading = true;
    struct pp_document *d;
    size_t n = 0;

    while (reading) {
        switch (pp_roster_next(&h->roster, more, &d)) {
        case PP_NEXT_NEW:
            if (n == MANY) {
                more = false;
                continue;
            }
            d = h->document[n++];
            pp_roster_enter(&h->roster);
            break;
        case PP_NEXT_AGAIN: break;
        case PP_NEXT_FINISHED: reading = false; continue;
        }
        h->unit[d->number - 1].document = d;
        pp_queue_push(&h->moving, &h->unit[d->number - 1]);
    }
    pp_queue_close(&h->moving);
    pp_roster_leave(&h->roster);
    return NULL;
}

static void *
write_all(void *arg)
{
    struct house *h = arg;
    struct pp_unit *u;

    while ((u = pp_queue_pop(&h->moving)) != NULL)
        pp_roster_submit(&h->roster, u->document);
    return NULL;
}

/* A document has 1 to 3 passes. */
static unsigned
passes_of(const struct pp_document *d)
{
    return 1 + (unsigned)(d->number * 7 % 3);
}

/* Committer: holds documents back in groups of up to `group`. */
static size_t
commit_all(struct house *h, size_t group)
{
    struct pp_documents held = { NULL, NULL };
    size_t n = 0, reported = 0;
    struct pp_document *d;

    for (;;) {
        enum pp_roster_take got = pp_roster_take(&h->roster, 0, n > 0, &d);

        if (got == PP_TAKE_FINISHED)
            return n ? 0 : reported;
        if (got == PP_TAKE_DOCUMENT) {
            h->passes[d->number - 1]++;
            pp_documents_push(&held, d);
            n++;
        }
        if (got == PP_TAKE_DOCUMENT && n < group)
            continue;
        for (; (d = pp_documents_pop(&held)) != NULL; n--)
            if (h->passes[d->number - 1] < passes_of(d)) {
                pp_roster_again(&h->roster, d);
            } else {
                pp_roster_retire(&h->roster);
                reported++;
            }
    }
}

static void
does_everything_come_to_its_end(size_t group)
{
    static struct house h;
    pthread_t reader, writer;
    size_t reported;

    h = (struct house){ 0 };
    for (size_t i = 0; i < MANY; i++)
        h.document[i] = document(i + 1);
    pp_roster_init(&h.roster);
    pp_queue_init(&h.moving);
    if (pthread_create(&reader, NULL, read_all, &h) ||
        pthread_create(&writer, NULL, write_all, &h))
        abort();
    reported = commit_all(&h, group);
    if (pthread_join(reader, NULL) || pthread_join(writer, NULL))
        abort();
    CHECK(reported == MANY, "group of %zu: %zu reported", group, reported);
    CHECK(pp_roster_conserved(&h.roster), "group of %zu", group);
    for (size_t i = 0; i < MANY; i++) {
        if (h.passes[i] != passes_of(h.document[i]))
            CHECK(false, "document %zu had %u passes", i + 1, h.passes[i]);
        pp_document_free(h.document[i], NULL);
    }
    pp_queue_fini(&h.moving);
    pp_roster_fini(&h.roster);
}

int
main(void)
{
    struct pp_roster r;

    what_is_read_next();
    does_a_deadline_end_the_wait();
    pp_roster_init(&r);
    CHECK(dies_of(retire_nobody, &r) != 0, "nobody is under way");
    pp_roster_fini(&r);
    does_the_reader_wait_for_room();
    does_the_reader_wait_for_the_end();
    when_is_the_committer_told_to_finish();
    is_a_busy_reader_no_reason_to_hurry();
    does_everything_come_to_its_end(1);
    does_everything_come_to_its_end(7);
    does_everything_come_to_its_end(10000); /* never full: only when idle */
    return check_report("roster_test");
}
