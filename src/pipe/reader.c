/* reader.c - the thread that reads documents */
#include "pipe/reader.h"

#include <string.h>

#include "base/clock.h"

enum pdfpipe_status
pp_reader_init(struct pp_reader *r, struct pp_pipeline *p,
               struct pdfpipe_error *err)
{
    enum pdfpipe_status st;

    *r = (struct pp_reader){ .p = p, .more = true };
    st = pp_objects_init(&r->objects, p, err);
    r->tools = (struct pp_open_tools){ &r->objects.peek, r->objects.scanner };
    return st;
}

void
pp_reader_fini(struct pp_reader *r)
{
    pp_objects_fini(&r->objects);
}

/* First pass: what the source is, then its objects. */
static enum pdfpipe_status
read_source(struct pp_reader *r, struct pp_document *d, struct pp_notes *notes,
            struct pdfpipe_error *err)
{
    enum pdfpipe_status st = pp_open_source(r->p, d, &r->tools, notes, err);

    if (!st && r->p->owner_is_user)
        pp_note(notes, PDFPIPE_W_OWNER_IS_USER, 0, PDFPIPE_NO_OFFSET);
    if (!st)
        st = pp_objects_read(&r->objects, d, r->p->options.dry_run, notes, err);
    return st;
}

static void
seal(struct pp_reader *r, struct pp_document *d)
{
    struct pp_layout *layout = &r->objects.layout;
    struct pdfpipe_error err = { .code = PDFPIPE_OK };
    struct pp_notes notes = { 0 };
    enum pp_task end = PP_TASK_MAKE;

    pp_pipeline_set_current(r->p, d->source_path);
    pp_layout_begin(layout, d, PP_TASK_SEAL);
    if (read_source(r, d, &notes, &err) == PDFPIPE_OK && r->p->options.dry_run)
        end = PP_TASK_NONE;
    /* Taken by the writer with the last unit. */
    d->reading_notes = notes;
    pp_layout_end(layout, end, &err);
}

/* Second pass: the output's dictionary, from disk; a worker then derives the
 * key from both passwords. */
static void
open_output(struct pp_reader *r, struct pp_document *d)
{
    struct pp_layout *layout = &r->objects.layout;
    struct pdfpipe_error err = { .code = PDFPIPE_OK };

    pp_layout_begin(layout, d, PP_TASK_OPEN);
    (void)pp_open_output(r->p, d, &r->tools, &err); /* lands in err */
    pp_layout_end(layout, PP_TASK_OPEN, &err);
}

/* Third pass: all objects of the output, decrypted. */
static void
check(struct pp_reader *r, struct pp_document *d)
{
    struct pp_layout *layout = &r->objects.layout;
    struct pdfpipe_error err = { .code = PDFPIPE_OK };

    pp_layout_begin(layout, d, PP_TASK_CHECK);
    (void)pp_objects_read(&r->objects, d, false, NULL, &err); /* in err */
    pp_layout_end(layout, PP_TASK_CHECK, &err);
}

static void
read_pass(struct pp_reader *r, struct pp_document *d)
{
    uint64_t began = pp_now_ns();

    r->objects.layout.waited_ns = 0;
    switch (d->pass) {
    case PP_PASS_SEAL: seal(r, d); break;
    case PP_PASS_OPEN: open_output(r, d); break;
    case PP_PASS_CHECK: check(r, d); break;
    }
    pp_meter_add(&r->p->meters.read_ns,
                 pp_now_ns() - began - r->objects.layout.waited_ns);
}

/* A document that is not opened at all still takes its turn. */
static void
refuse(struct pp_reader *r, struct pp_document *d,
       const struct pdfpipe_error *why)
{
    pp_layout_begin(&r->objects.layout, d, PP_TASK_SEAL);
    pp_layout_end(&r->objects.layout, PP_TASK_NONE, why);
}

/* Asks the caller for no more documents. */
static void
cut_short(struct pp_reader *r, enum pdfpipe_status why)
{
    atomic_store_explicit(&r->p->cut_short, (int)why, memory_order_relaxed);
    r->more = false;
}

/* Asks the caller for a document and reads it. */
static void
read_new(struct pp_reader *r)
{
    struct pdfpipe_error err = { .code = PDFPIPE_OK };
    struct pdfpipe_job job = { 0 };
    struct pp_document *d;

    if (pp_pipeline_cancelled(r->p)) {
        cut_short(r, PDFPIPE_E_CANCELLED);
        return;
    }
    if (pp_document_new(&d, NULL)) {
        cut_short(r, PDFPIPE_E_NO_MEMORY);
        return;
    }
    if (!r->p->callbacks.next(r->p->callbacks.arg, &job)) {
        pp_document_free(d, r->p->vault);
        r->more = false;
        return;
    }
    (void)pp_document_take(d, &job, ++r->documents, &err); /* lands in err */
    d->began_ns = pp_now_ns();
    pp_roster_enter(&r->p->roster);
    if (err.code)
        refuse(r, d, &err);
    else
        read_pass(r, d);
}

void *
pp_reader_main(void *arg)
{
    struct pp_reader *r = arg;
    struct pp_document *d;
    bool reading = true;

    while (reading) {
        switch (pp_roster_next(&r->p->roster, r->more, &d)) {
        case PP_NEXT_AGAIN: read_pass(r, d); break;
        case PP_NEXT_NEW: read_new(r); break;
        case PP_NEXT_FINISHED: reading = false; break;
        }
    }
    pp_queue_close(&r->p->queue);
    pp_window_close(&r->p->window, r->objects.layout.seq);
    pp_roster_leave(&r->p->roster);
    return NULL;
}
