/* layout.c - fills units one after the other */
#include "pipe/layout.h"

#include "base/clock.h"
#include "base/num.h"

void
pp_layout_begin(struct pp_layout *l, struct pp_document *d, enum pp_task task)
{
    PP_ASSERT(!l->unit);
    l->d = d;
    l->task = task;
    l->iv = 0;
}

/* Takes the next unit at the gate, a bare one if bytes is 0; the only place
 * where the reader waits for the writer. */
static void
acquire(struct pp_layout *l, uint64_t bytes)
{
    uint64_t began = pp_now_ns();
    struct pp_unit *u = bytes ? pp_gate_acquire(&l->p->gate, bytes)
                              : pp_gate_acquire_bare(&l->p->gate);

    l->waited_ns += pp_now_ns() - began;
    u->seq = l->seq++;
    u->document = l->d;
    u->task = l->task;
    u->stretch.first_iv = l->iv;
    l->unit = u;
}

void
pp_layout_push(struct pp_layout *l)
{
    struct pp_unit *u = l->unit;

    if (!u)
        return;
    for (size_t i = 0; i < u->stretch.spans; i++) {
        const struct pp_span *p = &u->stretch.span[i];

        l->iv += p->kind == PP_SPAN_STRING || (p->first && !p->clear);
    }
    l->unit = NULL;
    pp_queue_push(&l->p->queue, u); /* the unit is not ours any more */
}

size_t
pp_layout_objects_left(const struct pp_layout *l)
{
    const struct pp_stretch *s = l->unit ? &l->unit->stretch : NULL;

    return s ? s->placed_cap - s->placed_n : 0;
}

static bool
fits_new(const struct pp_room *room)
{
    return room->text <= PP_UNIT_TEXT && room->out <= PP_UNIT_OUT &&
           room->spans <= PP_UNIT_SPANS;
}

enum pdfpipe_status
pp_layout_reserve(struct pp_layout *l, const struct pp_room *room,
                  struct pdfpipe_error *err)
{
    uint64_t bytes;

    if (l->unit && pp_plan_fits(&l->unit->stretch, room))
        return PDFPIPE_OK;
    pp_layout_push(l);
    if (pp_pipeline_cancelled(l->p) ||
        atomic_load_explicit(&l->d->stop, memory_order_relaxed))
        return pp_fail(err, PDFPIPE_E_CANCELLED, "cancelled");
    if (fits_new(room)) {
        acquire(l, PP_UNIT_CHARGE);
        return PDFPIPE_OK;
    }
    bytes = room->text + room->out + room->spans * sizeof(struct pp_span);
    /* What has been laid out once can be checked, too. */
    if (l->task == PP_TASK_SEAL &&
        bytes / PP_EXPANSION_MAX > l->p->options.max_object_text)
        return pp_fail(err, PDFPIPE_E_LIMIT,
                       "object has too many strings: %zu, which would take "
                       "%llu bytes of memory",
                       room->spans, (unsigned long long)bytes);
    acquire(l, pp_max(bytes, PP_UNIT_CHARGE));
    return pp_unit_enlarge(l->unit, room, err);
}

struct pp_stretch *
pp_layout_stretch(struct pp_layout *l)
{
    return &l->unit->stretch;
}

/* All of a stream in one unit. */
static enum pdfpipe_status
put_whole(struct pp_layout *l, const struct pp_piece *whole, uint64_t length,
          struct pdfpipe_error *err)
{
    struct pp_piece piece = *whole;
    struct pp_room room;
    enum pdfpipe_status st;

    piece.plain = (size_t)length;
    piece.first = piece.last = true;
    room = pp_piece_room(&piece);
    st = pp_layout_reserve(l, &room, err);
    if (st)
        return st;
    pp_plan_piece(pp_layout_stretch(l), &piece);
    l->unit->source_bytes += length;
    return PDFPIPE_OK;
}

/*
 * In pieces, each at the beginning of a unit of its own; text may follow only
 * the last.  Encrypted pieces are tied together by a chain; to check them or
 * to copy them, each stands for itself.
 */
static enum pdfpipe_status
put_pieces(struct pp_layout *l, const struct pp_piece *whole, uint64_t length,
           struct pdfpipe_error *err)
{
    bool chained = !whole->clear && !whole->checking;
    struct pp_room room = { 0, PP_UNIT_OUT, 1 };
    struct pp_piece piece = *whole;
    struct pp_chain *chain = NULL;
    uint64_t number = 0;

    for (uint64_t at = 0;; at += piece.plain, number++) {
        enum pdfpipe_status st;

        pp_layout_push(l);
        st = pp_layout_reserve(l, &room, err);
        if (st)
            return st;
        if (chained && !chain)
            chain = pp_gate_acquire_chain(&l->p->gate);
        piece.at = at;
        piece.source = whole->source + at;
        piece.first = at == 0;
        piece.last = length - at <= PP_PIECE_PLAIN;
        piece.plain = (size_t)pp_min(length - at, PP_PIECE_PLAIN);
        pp_plan_piece(pp_layout_stretch(l), &piece);
        l->unit->chain = chain;
        l->unit->piece = number;
        l->unit->source_bytes += piece.plain;
        if (piece.last)
            return PDFPIPE_OK;
    }
}

enum pdfpipe_status
pp_layout_stream(struct pp_layout *l, const struct pp_piece *whole,
                 uint64_t length, struct pdfpipe_error *err)
{
    if (whole->bytes || length <= PP_PIECE_PLAIN)
        return put_whole(l, whole, length, err);
    return put_pieces(l, whole, length, err);
}

void
pp_layout_end(struct pp_layout *l, enum pp_task task,
              const struct pdfpipe_error *end)
{
    /* MAKE and OPEN have units of their own, so that the hashes begin at once
     * and beside the cipher. */
    if (task != l->task && !end->code)
        pp_layout_push(l);
    if (!l->unit)
        acquire(l, 0);
    l->unit->task = task;
    l->unit->last = true;
    if (end->code) {
        /* A chain that lost its last piece is given back with this unit. */
        l->unit->task = PP_TASK_NONE;
        pp_stretch_reset(&l->unit->stretch);
        l->unit->err = *end;
    }
    pp_layout_push(l);
}
