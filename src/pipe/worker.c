/* worker.c - the threads that encrypt, decrypt and hash passwords */
#include "pipe/worker.h"

#include <string.h>

#include "base/clock.h"
#include "base/num.h"

/* With so many strings and streams prepared, no lane will run empty. */
#define LANES_ENOUGH ((size_t)4096)

enum pdfpipe_status
pp_worker_init(struct pp_worker *w, struct pp_pipeline *p,
               struct pdfpipe_error *err)
{
    enum pdfpipe_status st;

    *w = (struct pp_worker){ .p = p };
    st = pp_sealer_init(&w->sealer, p->suite, p->options.engine, err);
    return st ? st : pp_kdf_new(p->suite, p->vault, &w->kdf, err);
}

void
pp_worker_fini(struct pp_worker *w)
{
    pp_kdf_free(w->kdf);
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

static struct pp_view
user_password(const struct pp_worker *w)
{
    return (struct pp_view){ w->p->user.bytes, w->p->user.n };
}

static struct pp_view
owner_password(const struct pp_worker *w, const struct pp_document *d)
{
    if (d->owner)
        return (struct pp_view){ d->owner, d->owner_n };
    return (struct pp_view){ w->p->owner.bytes, w->p->owner.n };
}

/* An owner password that nobody knows: 32 random bytes as 64 digits. */
static enum pdfpipe_status
draw_owner(struct pp_worker *w, struct pp_document *d,
           struct pdfpipe_error *err)
{
    static const char digits[] = "0123456789abcdef";
    struct pp_place place = { d->number, PP_DRAW_OWNER_PASSWORD };
    uint8_t *random = pp_secret_new(w->p->vault, 32);
    enum pdfpipe_status st;

    d->owner = pp_secret_new(w->p->vault, PP_PASSWORD_MAX);
    if (!random || !d->owner) {
        st = pp_fail_memory(err);
        goto out_random;
    }
    st = pp_random_fill(place, random, 32, err);
    if (st)
        goto out_random;
    for (size_t i = 0; i < 32; i++) {
        d->owner[2 * i] = (uint8_t)digits[random[i] >> 4];
        d->owner[2 * i + 1] = (uint8_t)digits[random[i] & 15];
    }
    d->owner_n = 64;

out_random:
    pp_secret_free(w->p->vault, random, 32);
    return st;
}

/* The values of the encryption dictionary. */
static enum pdfpipe_status
make(struct pp_worker *w, struct pp_document *d, struct pdfpipe_error *err)
{
    struct pp_place place = { d->number, PP_DRAW_SALTS };
    struct pp_handler_seed seed;
    enum pdfpipe_status st;

    if (w->p->options.random_owner_password) {
        st = draw_owner(w, d, err);
        if (st)
            return st;
    }
    st = pp_random_fill(place, seed.salts, sizeof seed.salts, err);
    place.draw = PP_DRAW_PERMS;
    if (!st)
        st =
            pp_random_fill(place, seed.perms_tail, sizeof seed.perms_tail, err);
    if (st)
        return st;
    d->handler.p = pp_handler_p(w->p->options.permissions);
    d->handler.encrypt_metadata = !w->p->options.cleartext_metadata;
    return pp_handler_make(w->kdf, &d->handler, user_password(w),
                           owner_password(w, d), d->file_key, &seed, err);
}

/*
 * The file key as a reader would get it: from each password, through the
 * dictionary that stands on disk.  Both must give the same.
 */
static enum pdfpipe_status
open_handler(struct pp_worker *w, struct pp_document *d,
             struct pdfpipe_error *err)
{
    uint8_t *other = pp_secret_new(w->p->vault, PP_FILE_KEY_BYTES);
    bool user = false, owner = false, sound = false, same = false;
    enum pdfpipe_status st;

    if (!other)
        return pp_fail_memory(err);
    st = pp_handler_open_as(w->kdf, &d->handler, PP_ROLE_USER, user_password(w),
                            d->read_key, &user, err);
    if (!st)
        st = pp_handler_open_as(w->kdf, &d->handler, PP_ROLE_OWNER,
                                owner_password(w, d), other, &owner, err);
    if (!st)
        st = pp_handler_check_perms(w->p->suite, &d->handler, d->read_key,
                                    &sound, err);
    if (!st) {
        same = memcmp(other, d->read_key, PP_FILE_KEY_BYTES) == 0;
        if (!user || !owner || !sound || !same)
            st = pp_fail(err, PDFPIPE_E_VERIFY,
                         "passwords do not open the output");
    }
    pp_secret_free(w->p->vault, other, PP_FILE_KEY_BYTES);
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

static void
hash_passwords(struct pp_worker *w, struct pp_unit *u)
{
    uint64_t began = pp_now_ns();

    if (u->task == PP_TASK_MAKE)
        (void)make(w, u->document, &u->err); /* lands in u->err */
    else
        (void)open_handler(w, u->document, &u->err);
    pp_meter_add(&w->p->meters.kdf_ns, pp_now_ns() - began);
}

/* Does the task of a unit that is not sealed; what goes wrong lands in
 * u->err. */
static void
work(struct pp_worker *w, struct pp_unit *u)
{
    struct pp_seal_context c;

    switch (u->task) {
    case PP_TASK_MAKE:
    case PP_TASK_OPEN: hash_passwords(w, u); return;
    case PP_TASK_CHECK:
        c = context(w, u);
        (void)pp_check(&w->sealer, &c, &u->stretch, &u->err);
        meter_cipher(w);
        return;
    case PP_TASK_NONE:
    case PP_TASK_SEAL: return;
    }
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
    if (u->task == PP_TASK_SEAL && !u->err.code) {
        hold(w, u);
        return;
    }
    if (!u->err.code)
        work(w, u);
    pass_on(w, u);
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
    return w->helds ? pp_queue_pop_more(&w->p->queue)
                    : pp_queue_pop(&w->p->queue);
}

void *
pp_worker_main(void *arg)
{
    struct pp_worker *w = arg;

    for (;;) {
        struct pp_unit *u = next_unit(w);
        uint64_t began = pp_now_ns();

        if (!u && w->helds == 0)
            break;
        if (!u || !joins(w, u))
            seal_held(w);
        if (u)
            take(w, u);
        pp_meter_add(&w->p->meters.work_ns, pp_now_ns() - began);
    }
    return NULL;
}
