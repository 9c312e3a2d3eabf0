/* writer.c - the thread that brings units back into order and writes them */
#include "pipe/writer.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/num.h"
#include "io/folder.h"
#include "io/sweep.h"
#include "pipe/dead.h"
#include "pipe/finish.h"

#define BUFFER_ALIGN ((size_t)4096)
#define SETTLE_MS    1000u

enum pdfpipe_status
pp_writer_init(struct pp_writer *w, struct pp_pipeline *p,
               struct pdfpipe_error *err)
{
    *w = (struct pp_writer){ .p = p };
    w->buffer = aligned_alloc(BUFFER_ALIGN, PP_SINK_BUFFER);
    return w->buffer ? PDFPIPE_OK : pp_fail_memory(err);
}

void
pp_writer_fini(struct pp_writer *w)
{
    pp_buf_fini(&w->swept);
    free(w->buffer);
}

/* The first error of a document, in file order, is the one that is kept. */
static void
fail(struct pp_document *d, const struct pdfpipe_error *err)
{
    if (d->error.code)
        return;
    d->error = *err;
    atomic_store_explicit(&d->stop, true, memory_order_relaxed);
}

/* Removes what killed runs have left in the folder of this target, once per
 * folder; documents of one folder come one after the other. */
static void
sweep(struct pp_writer *w, const char *target)
{
    const char *slash = strrchr(target, '/');
    struct pp_view folder = { (const uint8_t *)target,
                              slash ? (size_t)(slash - target) + 1 : 0 };

    if (w->swept.n &&
        pp_view_is_equal(folder,
                         (struct pp_view){ w->swept.p, w->swept.n - 1 }))
        return;
    w->swept.n = 0;
    if (!pp_buf_append(&w->swept, folder.p, folder.n) ||
        !pp_buf_append(&w->swept, "", 1))
        return; /* litter stays, nothing else */
    (void)pp_sweep(slash ? (const char *)w->swept.p : ".", time(NULL));
}

/* Without a ticket a document is synced by itself: when its folder may not be
 * read, or is on one file system too many. */
static enum pdfpipe_status
announce(struct pp_writer *w, struct pp_document *d, struct pdfpipe_error *err)
{
    enum pdfpipe_status st = pp_syncgroup_announce(
        w->p->syncgroup, d->target_path, &d->sync_ticket, err);

    if (st != PDFPIPE_E_PERMISSION && st != PDFPIPE_E_LIMIT)
        return st;
    d->sync_ticket = 0;
    return PDFPIPE_OK;
}

/* Says that a temporary file is being made, or no more; false: none may be
 * made. */
static bool
set_making(struct pp_writer *w, bool making)
{
    bool may;

    pp_lock(&w->p->names);
    may = !w->p->abandoned;
    w->making = making && may;
    pp_unlock(&w->p->names);
    return may;
}

void
pp_writer_settle(struct pp_writer *w)
{
    const struct timespec pause = { .tv_nsec = 1000000 };
    bool making = true;

    for (unsigned i = 0; making && i < SETTLE_MS; i++) {
        pp_lock(&w->p->names);
        making = w->making;
        pp_unlock(&w->p->names);
        if (making)
            (void)nanosleep(&pause, NULL); /* or a bit less */
    }
}

/* Whoever gives the run up finds a file either in the list or being made. */
static enum pdfpipe_status
make_temp(struct pp_writer *w, struct pp_document *d, uint64_t expected,
          struct pdfpipe_error *err)
{
    enum pdfpipe_status st;

    if (!set_making(w, true))
        return pp_fail(err, PDFPIPE_E_CANCELLED, "cancelled");
    st = pp_sink_open(&d->sink, d->target_path, expected, w->buffer, err);
    if (!st)
        pp_pipeline_temp_made(w->p, d);
    (void)set_making(w, false); /* asks nothing */
    return st;
}

/* Opens the output at the first unit of a document that has one. */
static enum pdfpipe_status
open_sink(struct pp_writer *w, struct pp_document *d, struct pdfpipe_error *err)
{
    /* The output is larger than the source by what encryption adds; the rest
     * of the space is found while writing. */
    uint64_t expected = d->reading.input.size;
    enum pdfpipe_status st;

    if (pp_pipeline_cancelled(w->p))
        return pp_fail(err, PDFPIPE_E_CANCELLED, "cancelled");
    st = pp_folder_make(d->target_path, err);
    if (!st)
        sweep(w, d->target_path);
    if (!st && w->p->options.durability == PDFPIPE_DURABLE_GROUP)
        st = announce(w, d, err);
    return st ? st : make_temp(w, d, expected, err);
}

/* Entries of the objects that begin in this stretch. */
static enum pdfpipe_status
add_rows(struct pp_document *d, const struct pp_stretch *s, uint64_t base,
         struct pdfpipe_error *err)
{
    enum pdfpipe_status st = PDFPIPE_OK;

    for (size_t i = 0; !st && i < s->placed_n; i++) {
        const struct pp_placed *p = &s->placed[i];
        struct pp_entry e = { .kind = PP_ENTRY_OFFSET,
                              .generation = p->generation,
                              .offset = base + p->out };

        st = pp_xref_set(&d->rows, p->number, e, err);
    }
    return st;
}

/* All members of an object stream that could not be looked into, as the
 * source has them. */
static enum pdfpipe_status
add_opaque(struct pp_document *d, uint32_t stream, struct pdfpipe_error *err)
{
    const struct pp_xref *xref = &d->reading.xref;
    enum pdfpipe_status st = PDFPIPE_OK;

    for (uint32_t i = 0; !st && i < xref->count; i++) {
        struct pp_entry e = pp_xref_entry(xref, i);

        if (e.kind == PP_ENTRY_COMPRESSED && e.stream == stream &&
            pp_xref_entry(&d->rows, i).kind == PP_ENTRY_NONE)
            st = pp_xref_set(&d->rows, i, e, err);
    }
    return st;
}

/* Members of object streams; an object that stands alone, or came first, has
 * its entry already. */
static enum pdfpipe_status
add_members(struct pp_document *d, const struct pp_stretch *s,
            struct pdfpipe_error *err)
{
    enum pdfpipe_status st = PDFPIPE_OK;

    for (size_t i = 0; !st && i < s->members; i++) {
        const struct pp_member_row *m = &s->member[i];
        struct pp_entry e = { .kind = PP_ENTRY_COMPRESSED,
                              .stream = m->stream,
                              .index = m->index };

        if (m->number == 0)
            st = add_opaque(d, m->stream, err);
        else if (pp_xref_entry(&d->rows, m->number).kind == PP_ENTRY_NONE)
            st = pp_xref_set(&d->rows, m->number, e, err);
    }
    return st;
}

static void
count(struct pp_writer *w, struct pp_document *d, const struct pp_unit *u)
{
    const struct pp_stretch *s = &u->stretch;

    pp_notes_add(&d->notes, &s->notes);
    d->highest_ref = pp_max(d->highest_ref, s->highest_ref);
    d->result.objects += s->placed_n;
    d->result.streams += s->streams;
    d->result.strings += s->strings;
    d->result.payload_bytes += s->payload_bytes;
    pp_meter_add(&w->p->meters.bytes_done, u->source_bytes);
}

static enum pdfpipe_status
write_sealed(struct pp_writer *w, struct pp_document *d, struct pp_unit *u,
             struct pdfpipe_error *err)
{
    const struct pp_stretch *s = &u->stretch;
    enum pdfpipe_status st = PDFPIPE_OK;
    uint64_t base;

    if (d->sink.state == PP_SINK_NONE)
        st = open_sink(w, d, err);
    if (st)
        return st;
    base = d->sink.size;
    st = add_rows(d, s, base, err);
    if (!st)
        st = add_members(d, s, err);
    if (!st)
        st = pp_sink_write(&d->sink, s->out, s->out_n, err);
    if (st)
        return st;
    pp_tally_add(&d->tally[0], &s->tally);
    count(w, d, u);
    return PDFPIPE_OK;
}

/* What a unit is for, as far as the writer is concerned. */
static enum pdfpipe_status
write_unit(struct pp_writer *w, struct pp_document *d, struct pp_unit *u,
           struct pdfpipe_error *err)
{
    switch (u->task) {
    case PP_TASK_SEAL: return write_sealed(w, d, u, err);
    case PP_TASK_CHECK:
        pp_tally_add(&d->tally[1], &u->stretch.tally);
        return PDFPIPE_OK;
    case PP_TASK_MAKE:
    case PP_TASK_OPEN:
    case PP_TASK_NONE: return PDFPIPE_OK;
    }
    return pp_fail(err, PDFPIPE_E_INTERNAL, "unit without a task");
}

/* Adds what the cross-reference promised and no object stream holds. */
static enum pdfpipe_status
find_missing(struct pp_document *d, struct pp_dead *dead,
             struct pdfpipe_error *err)
{
    const struct pp_xref *xref = &d->reading.xref;
    enum pdfpipe_status st = PDFPIPE_OK;

    for (uint32_t i = 0; !st && i < xref->count; i++) {
        struct pp_entry e = pp_xref_entry(xref, i);

        if (e.kind == PP_ENTRY_COMPRESSED &&
            pp_xref_entry(&d->rows, i).kind == PP_ENTRY_NONE)
            st = pp_dead_add_member(dead, i, e.stream, &d->notes, err);
    }
    return st;
}

/* Nobody may refer to a member that its object stream does not hold.  Every
 * unit of the pass has come back, so the reading is the writer's here. */
static enum pdfpipe_status
look_for_missing(struct pp_writer *w, struct pp_document *d,
                 struct pdfpipe_error *err)
{
    struct pp_reading *r = &d->reading;
    struct pp_buf scratch = { 0 };
    struct pp_referred q = {
        .reading = r,
        .live = &d->rows,
        .peek = &r->fetch.peek,
        .scanner = r->scanner,
        .scratch = &scratch,
        .text_max = (size_t)w->p->options.max_object_text,
        .inflate_max = w->p->options.max_inflated,
    };
    uint64_t lifted = (r->profile.root_text.n != 0) +
                      (uint64_t)(r->profile.extensions_text.n != 0);
    struct pp_dead dead = { 0 };
    enum pdfpipe_status st;

    if (d->rows.compressed + lifted >= r->xref.compressed)
        return PDFPIPE_OK;
    st = find_missing(d, &dead, err);
    if (!st && dead.numbers.n)
        st = pp_dead_unreferenced(&dead, &q, err);
    pp_dead_fini(&dead);
    pp_buf_fini(&scratch);
    return st;
}

/* The end of a pass; the document is the committer's afterwards. */
static void
end_pass(struct pp_writer *w, struct pp_document *d)
{
    struct pdfpipe_error err;

    if (d->pass == PP_PASS_SEAL) {
        pp_notes_add(&d->notes, &d->reading_notes);
        if (!d->error.code && d->sink.state == PP_SINK_OPEN) {
            if (look_for_missing(w, d, &err) || pp_finish_output(d, &err) ||
                pp_sink_finish(&d->sink, &d->meta, &err))
                fail(d, &err);
        }
        pp_meta_fini(&d->meta); /* what was lost of it stays known */
        d->result.bytes_out = d->sink.size;
        pp_meter_add(&w->p->meters.bytes_out, d->sink.size);
        pp_xref_fini(&d->rows);
    }
    /* The key of the output is needed until it has been checked. */
    if (d->pass != PP_PASS_OPEN || d->error.code)
        pp_document_close(d, w->p->vault);
    pp_roster_submit(&w->p->roster, d);
}

/* The chain of a long stream is free when its last piece has come back, or
 * when the pass ends without it. */
static void
follow_chain(struct pp_writer *w, const struct pp_unit *u)
{
    const struct pp_stretch *s = &u->stretch;

    if (u->chain)
        w->chain = u->chain;
    if (w->chain && (u->last || (u->chain && s->spans && s->span[0].last))) {
        pp_gate_release_chain(&w->p->gate, w->chain);
        w->chain = NULL;
    }
}

void *
pp_writer_main(void *arg)
{
    struct pp_writer *w = arg;
    struct pp_unit *u;

    while ((u = pp_window_take(&w->p->window)) != NULL) {
        uint64_t began = pp_now_ns();
        struct pp_document *d = u->document;
        struct pdfpipe_error err;
        bool last = u->last;

        if (u->err.code)
            fail(d, &u->err);
        else if (!d->error.code && write_unit(w, d, u, &err))
            fail(d, &err);
        follow_chain(w, u);
        pp_gate_release(&w->p->gate, u); /* not ours any more */
        if (last)
            end_pass(w, d);
        pp_meter_add(&w->p->meters.write_ns, pp_now_ns() - began);
    }
    return NULL;
}
