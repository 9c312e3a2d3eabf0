/* worker.c - the threads that encrypt, decrypt and hash passwords */
#include "pipe/worker.h"

#include <string.h>

#include "base/clock.h"
#include "base/num.h"

/* With so many strings and streams prepared, no lane will run empty. */
#define LANES_ENOUGH ((size_t)4096)

/* Hashes are collected while documents are small.  Beside a large one they go
 * on after so many bytes, since the writer will wait for them. */
#define SEALED_ENOUGH ((uint64_t)1 << 20)

enum pdfpipe_status
pp_worker_init(struct pp_worker *w, struct pp_pipeline *p,
               struct pdfpipe_error *err)
{
    enum pdfpipe_status st;

    *w = (struct pp_worker){ .p = p };
    st = pp_sealer_init(&w->sealer, p->suite, p->options.engine, err);
    return st ? st : pp_hasher_init(&w->hasher, p, err);
}

void
pp_worker_fini(struct pp_worker *w)
{
    pp_hasher_fini(&w->hasher);
    pp_sealer_fini(&w->sealer);
}

/* Reads the stream bytes that are not in the unit's text to their place. */
static enum pdfpipe_status
load(struct pp_unit *u)
{
    const struct pp_stretch *s = &u->stretch;
    bool checking = u->task == PP_TASK_CHECK;
    enum pdfpipe_status st = PDFPIPE_OK;

    for (size_t i = 0; !st && i < s->spans; i++) {
        const struct pp_span *p = &s->span[i];
        /* Sealing leaves room for the IV, checking reads it too. */
        size_t iv = p->clear ? 0 : PP_AES_BLOCK;
        size_t room = !checking && p->first ? iv : 0;

        if (p->kind != PP_SPAN_STREAM || p->in_text)
            continue;
        st = pp_source_read(&u->document->reading.source, p->source,
                            s->out + p->out + room,
                            p->plain + (checking ? iv : 0), &u->err);
        if (st)
            pp_error_object(&u->err, p->number, p->generation);
    }
    return st;
}

static struct pp_seal_context
context(const struct pp_worker *w, const struct pp_unit *u)
{
    const struct pp_document *d = u->document;
    bool sealing = u->task == PP_TASK_SEAL;

    return (struct pp_seal_context){
        /* A key per pass: that of the output has been read from disk. */
        .document = 2 * d->number + !sealing,
        .file_key = sealing ? d->file_key : d->read_key,
        .xref = &d->reading.xref,
        .inflate_max = w->p->options.max_inflated,
        .tally = d->tally_wanted,
    };
}

static void
meter_cipher(struct pp_worker *w)
{
    pp_meter_add(&w->p->meters.cipher_ns, w->sealer.cipher_ns);
    w->sealer.cipher_ns = 0;
}

/* Puts a unit into the window; the piece of its stream that waited for it is
 * ours now. */
static void
pass_on(struct pp_worker *w, struct pp_unit *u)
{
    struct pp_unit *next = u->chain ? pp_chain_leave(u->chain) : NULL;

    pp_window_put(&w->p->window, u); /* not ours any more */
    if (!next)
        return;
    next->turn = true;
    next->link = w->ready;
    w->ready = next;
}

/* Adds a unit to those that are sealed together. */
static void
hold(struct pp_worker *w, struct pp_unit *u)
{
    struct pp_seal_context c = context(w, u);
    static const uint8_t unchained[16];

    if (pp_seal_prepare(&w->sealer, &c, &u->stretch,
                        u->chain ? u->chain->cbc : unchained, &u->err))
        pass_on(w, u);
    else
        w->held[w->helds++] = u;
}

/* Drains the lanes. */
static void
seal_held(struct pp_worker *w)
{
    struct pdfpipe_error err;
    enum pdfpipe_status st = pp_seal_run(&w->sealer, &err);
    uint8_t unchained[16] = { 0 };
    size_t n = w->helds;

    meter_cipher(w);
    w->helds = 0;
    for (size_t i = 0; i < n; i++) {
        struct pp_unit *u = w->held[i];

        if (st) {
            u->err = err;
        } else {
            pp_seal_finish(&w->sealer, &u->stretch,
                           u->chain ? u->chain->cbc : unchained);
            pp_meter_add(&w->p->meters.payload_bytes, u->stretch.payload_bytes);
            w->sealed_bytes += u->stretch.payload_bytes;
        }
        pass_on(w, u);
    }
}

/* May this unit be sealed together with those that are held?  With a long
 * stream in each lane the next one would come last and alone. */
static bool
joins(const struct pp_worker *w, const struct pp_unit *u)
{
    return w->helds == 0 ||
           (u->task == PP_TASK_SEAL && w->helds < w->p->batch &&
            w->sealer.lanes < LANES_ENOUGH &&
            w->sealer.long_lanes < pp_engine_lanes(w->sealer.engine) &&
            u->document == w->held[0]->document);
}

/* Does the task of a unit that has its bytes and its turn; what goes wrong
 * lands in u->err. */
static void
work(struct pp_worker *w, struct pp_unit *u)
{
    struct pp_seal_context c;

    switch (u->err.code ? PP_TASK_NONE : u->task) {
    case PP_TASK_SEAL: hold(w, u); return;
    case PP_TASK_MAKE:
    case PP_TASK_OPEN:
        if (pp_hasher_take(&w->hasher, u))
            return;
        break;
    case PP_TASK_CHECK:
        c = context(w, u);
        (void)pp_check(&w->sealer, &c, &u->stretch, &u->err);
        meter_cipher(w);
        break;
    case PP_TASK_NONE: break;
    }
    pass_on(w, u);
}

/* Brings a unit as far as it goes alone. */
static void
take(struct pp_worker *w, struct pp_unit *u)
{
    bool bytes = u->task == PP_TASK_SEAL || u->task == PP_TASK_CHECK;

    if (!u->turn) {
        /* Reading needs no turn, so it goes on beside the cipher. */
        if (bytes && !u->err.code)
            (void)load(u); /* lands in u->err */
        if (u->chain && !pp_chain_enter(u->chain, u))
            return; /* parked: not ours any more */
    }
    work(w, u);
}

/* Finishes the hashes of a document. */
static void
hash(struct pp_worker *w)
{
    pass_on(w, pp_hasher_finish(&w->hasher));
    w->sealed_bytes = 0;
}

static bool
holds_any(const struct pp_worker *w)
{
    return w->helds > 0 || w->hasher.n > 0;
}

/* The next unit; waits only when none is held.  NULL with none held: the
 * queue is closed and empty. */
static struct pp_unit *
next_unit(struct pp_worker *w)
{
    struct pp_unit *u = w->ready;

    if (u) {
        w->ready = u->link;
        u->link = NULL;
        return u;
    }
    return holds_any(w) ? pp_queue_pop_more(&w->p->queue)
                        : pp_queue_pop(&w->p->queue);
}

/* Goes on with what is held, if that is due: u is the next unit, or NULL. */
static void
go_on(struct pp_worker *w, const struct pp_unit *u)
{
    if (w->helds && (!u || !joins(w, u)))
        seal_held(w);
    else if (w->hasher.n && !u)
        hash(w);
    if (w->hasher.n == w->hasher.max ||
        (w->hasher.n && w->sealed_bytes >= SEALED_ENOUGH))
        hash(w);
}

void *
pp_worker_main(void *arg)
{
    struct pp_worker *w = arg;

    for (;;) {
        struct pp_unit *u = next_unit(w);
        uint64_t began = pp_now_ns();

        if (!u && !holds_any(w))
            break;
        go_on(w, u);
        if (u)
            take(w, u);
        pp_meter_add(&w->p->meters.work_ns, pp_now_ns() - began);
    }
    return NULL;
}
