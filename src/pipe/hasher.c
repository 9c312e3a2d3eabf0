/* hasher.c - password hashes of many documents at a time */
#include "pipe/hasher.h"

#include <string.h>

#include "base/clock.h"
#include "base/num.h"

enum pdfpipe_status
pp_hasher_init(struct pp_hasher *h, struct pp_pipeline *p,
               struct pdfpipe_error *err)
{
    enum pdfpipe_status st;

    *h = (struct pp_hasher){ .p = p };
    h->max = (size_t)pp_max(1, p->units.n / p->workers);
    h->max = (size_t)pp_min(h->max, PP_HASHER_MAX);
    st = pp_kdf_new(p->suite, p->vault, &h->kdf, err);
    if (!st)
        st = pp_kdf_lanes_new(h->kdf, p->vault, p->options.engine, &h->lanes,
                              err);
    if (st)
        return st;
    h->held = pp_secret_new(p->vault, PP_HASHER_MAX * sizeof *h->held);
    return h->held ? PDFPIPE_OK : pp_fail_memory(err);
}

void
pp_hasher_fini(struct pp_hasher *h)
{
    PP_ASSERT(h->n == 0);
    if (h->held)
        pp_secret_free(h->p->vault, h->held, PP_HASHER_MAX * sizeof *h->held);
    pp_kdf_lanes_free(h->lanes);
    pp_kdf_free(h->kdf);
}

static struct pp_view
user_password(const struct pp_hasher *h)
{
    return (struct pp_view){ h->p->user.bytes, h->p->user.n };
}

static struct pp_view
owner_password(const struct pp_hasher *h, const struct pp_document *d)
{
    if (d->owner)
        return (struct pp_view){ d->owner, d->owner_n };
    return (struct pp_view){ h->p->owner.bytes, h->p->owner.n };
}

/* An owner password that nobody knows: 32 random bytes as 64 digits. */
static enum pdfpipe_status
draw_owner(struct pp_hasher *h, struct pp_document *d,
           struct pdfpipe_error *err)
{
    static const char digits[] = "0123456789abcdef";
    struct pp_place place = { d->number, PP_DRAW_OWNER_PASSWORD };
    uint8_t *random = pp_secret_new(h->p->vault, 32);
    enum pdfpipe_status st;

    d->owner = pp_secret_new(h->p->vault, PP_PASSWORD_MAX);
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
    pp_secret_free(h->p->vault, random, 32);
    return st;
}

static enum pdfpipe_status
begin_make(struct pp_hasher *h, struct pp_handler_job *j, struct pp_document *d,
           struct pdfpipe_error *err)
{
    struct pp_place place = { d->number, PP_DRAW_SALTS };
    struct pp_handler_seed seed = { 0 };
    enum pdfpipe_status st = PDFPIPE_OK;

    if (h->p->options.random_owner_password)
        st = draw_owner(h, d, err);
    if (!st)
        st = pp_random_fill(place, seed.salts, sizeof seed.salts, err);
    place.draw = PP_DRAW_PERMS;
    if (!st)
        st =
            pp_random_fill(place, seed.perms_tail, sizeof seed.perms_tail, err);
    if (st)
        return st;
    d->handler.p = pp_handler_p(h->p->options.permissions);
    d->handler.encrypt_metadata = !h->p->options.cleartext_metadata;
    pp_handler_job_make(j, &d->handler, user_password(h), owner_password(h, d),
                        &seed);
    return PDFPIPE_OK;
}

bool
pp_hasher_take(struct pp_hasher *h, struct pp_unit *u)
{
    struct pp_hashing *g = h->held;
    struct pp_document *d = u->document;

    PP_ASSERT(h->n < h->max);
    while (g->unit)
        g++;
    if (u->task == PP_TASK_OPEN)
        pp_handler_job_open(&g->job, &d->handler, user_password(h),
                            owner_password(h, d));
    else if (begin_make(h, &g->job, d, &u->err))
        return false;
    g->unit = u;
    h->n++;
    for (size_t i = 0; i < PP_HANDLER_HASHES; i++)
        pp_kdf_lanes_add(h->lanes, &g->job.request[i]);
    return true;
}

/*
 * The file key as a reader gets it: from each password, through the dictionary
 * that stands on disk.  Both must give the same.
 */
static enum pdfpipe_status
end_open(const struct pp_hasher *h, struct pp_hashing *g, struct pp_document *d,
         struct pdfpipe_error *err)
{
    const struct pp_suite *suite = h->p->suite;
    const uint8_t *user = g->opened[0].file_key, *owner = g->opened[1].file_key;
    bool sound = false;
    enum pdfpipe_status st =
        pp_handler_job_opened(&g->job, suite, g->opened, err);

    if (st)
        return st;
    if (g->opened[0].fits && g->opened[1].fits &&
        memcmp(user, owner, PP_FILE_KEY_BYTES) == 0) {
        memcpy(d->read_key, user, PP_FILE_KEY_BYTES);
        st = pp_handler_check_perms(suite, &d->handler, d->read_key, &sound,
                                    err);
    }
    pp_wipe(g->opened, sizeof g->opened);
    if (!st && !sound)
        st = pp_fail(err, PDFPIPE_E_VERIFY, "passwords do not open the output");
    return st;
}

/* Gives a unit back whose hashes are there, or failed. */
static struct pp_unit *
give_back(struct pp_hasher *h, struct pp_hashing *g)
{
    struct pp_unit *u = g->unit;
    struct pp_document *d = u->document;

    if (u->err.code)
        pp_wipe(&g->job, sizeof g->job);
    else if (u->task == PP_TASK_OPEN)
        (void)end_open(h, g, d, &u->err); /* lands in u->err */
    else
        (void)pp_handler_job_made(&g->job, h->p->suite, d->file_key, &u->err);
    g->unit = NULL;
    h->n--;
    return u;
}

static bool
is_answered(const struct pp_hashing *g)
{
    size_t n = 0;

    for (size_t i = 0; i < PP_HANDLER_HASHES; i++)
        n += g->job.request[i].rounds > 0;
    return n == PP_HANDLER_HASHES;
}

/* A unit that is finished, or NULL. */
static struct pp_unit *
look(struct pp_hasher *h)
{
    for (struct pp_hashing *g = h->held; g < h->held + PP_HASHER_MAX; g++)
        if (g->unit && (g->unit->err.code || is_answered(g)))
            return give_back(h, g);
    return NULL;
}

struct pp_unit *
pp_hasher_finish(struct pp_hasher *h)
{
    uint64_t began = pp_now_ns();
    struct pp_unit *u;

    PP_ASSERT(h->n > 0);
    while ((u = look(h)) == NULL) {
        struct pdfpipe_error err;

        if (!pp_kdf_lanes_run(h->lanes, &err))
            continue;
        for (size_t i = 0; i < PP_HASHER_MAX; i++)
            if (h->held[i].unit)
                h->held[i].unit->err = err;
    }
    pp_meter_add(&h->p->meters.kdf_ns, pp_now_ns() - began);
    return u;
}
