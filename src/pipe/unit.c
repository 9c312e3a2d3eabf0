/* unit.c - what travels through the pipeline */
#include "pipe/unit.h"

#include <stdlib.h>
#include <sys/mman.h>

#define HUGE_PAGE ((size_t)2 << 20)

/* Rows for members of object streams that stay with a unit: more than the few
 * hundred of a usual object stream, less than one huge one leaves behind. */
#define MEMBERS_KEPT ((size_t)8192)

/* Per unit: out, text, spans, placed objects; each a multiple of a page. */
#define SPAN_BYTES   (PP_UNIT_SPANS * sizeof(struct pp_span))
#define PLACED_BYTES (PP_UNIT_PLACED * sizeof(struct pp_placed))
#define UNIT_BYTES   (PP_UNIT_OUT + PP_UNIT_TEXT + SPAN_BYTES + PLACED_BYTES)

_Static_assert(PP_PIECE_PLAIN % PP_DIGEST_BLOCK == 0,
               "pieces are whole blocks");

uint64_t
pp_units_bytes(size_t n)
{
    return (n * UNIT_BYTES + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
}

static void
place(struct pp_unit *u, uint8_t *p)
{
    u->out = p;
    u->text = p + PP_UNIT_OUT;
    u->stretch = (struct pp_stretch){
        .out = u->out,
        .out_cap = PP_UNIT_OUT,
        .text = u->text,
        .text_cap = PP_UNIT_TEXT,
        .span = (void *)(p + PP_UNIT_OUT + PP_UNIT_TEXT),
        .span_cap = PP_UNIT_SPANS,
        .placed = (void *)(p + PP_UNIT_OUT + PP_UNIT_TEXT + SPAN_BYTES),
        .placed_cap = PP_UNIT_PLACED,
    };
}

enum pdfpipe_status
pp_units_init(struct pp_units *u, size_t n, size_t bare,
              struct pdfpipe_error *err)
{
    uint8_t *aligned;

    *u = (struct pp_units){ 0 };
    u->unit = calloc(n + bare, sizeof *u->unit);
    if (!u->unit)
        return pp_fail_memory(err);
    u->memory_n = (size_t)pp_units_bytes(n) + HUGE_PAGE;
    u->memory = mmap(NULL, u->memory_n, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (u->memory == MAP_FAILED) {
        free(u->unit);
        *u = (struct pp_units){ 0 };
        return pp_fail_memory(err);
    }
    aligned = (uint8_t *)u->memory +
              (HUGE_PAGE - (uintptr_t)u->memory % HUGE_PAGE) % HUGE_PAGE;
    /* Only advice: without huge pages it works, more slowly. */
    (void)madvise(aligned, (size_t)pp_units_bytes(n), MADV_HUGEPAGE);
    for (size_t i = 0; i < n; i++)
        place(&u->unit[i], aligned + i * UNIT_BYTES);
    for (size_t i = n; i < n + bare; i++)
        u->unit[i].bare = true;
    u->n = n;
    u->bare = bare;
    return PDFPIPE_OK;
}

void
pp_units_fini(struct pp_units *u)
{
    for (size_t i = 0; i < u->n; i++) {
        pp_unit_reset(&u->unit[i]);
        free(u->unit[i].stretch.member);
    }
    if (u->memory)
        (void)munmap(u->memory, u->memory_n); /* our own mapping */
    free(u->unit);
    *u = (struct pp_units){ 0 };
}

/* A buffer of at least n bytes instead of the unit's own. */
static bool
enlarge(uint8_t **p, size_t *cap, uint8_t *own, size_t n)
{
    uint8_t *larger;

    if (n <= *cap)
        return true;
    larger = malloc(n);
    if (!larger)
        return false;
    if (*p != own)
        free(*p);
    *p = larger;
    *cap = n;
    return true;
}

enum pdfpipe_status
pp_unit_enlarge(struct pp_unit *u, const struct pp_room *room,
                struct pdfpipe_error *err)
{
    struct pp_stretch *s = &u->stretch;
    struct pp_span *span;

    if (!enlarge(&s->text, &s->text_cap, u->text, room->text) ||
        !enlarge(&s->out, &s->out_cap, u->out, room->out))
        return pp_fail_memory(err);
    if (room->spans <= s->span_cap)
        return PDFPIPE_OK;
    span = malloc(room->spans * sizeof *span);
    if (!span)
        return pp_fail_memory(err);
    if (s->span_cap > PP_UNIT_SPANS)
        free(s->span);
    s->span = span;
    s->span_cap = room->spans;
    return PDFPIPE_OK;
}

/* Gives enlarged buffers back and empties what is in them. */
static void
reset_buffers(struct pp_unit *u)
{
    struct pp_stretch *s = &u->stretch;

    if (s->text != u->text)
        free(s->text);
    if (s->out != u->out)
        free(s->out);
    if (s->span_cap > PP_UNIT_SPANS)
        free(s->span);
    s->text = u->text;
    s->text_cap = PP_UNIT_TEXT;
    s->out = u->out;
    s->out_cap = PP_UNIT_OUT;
    s->span = (void *)(u->text + PP_UNIT_TEXT);
    s->span_cap = PP_UNIT_SPANS;
    if (s->member_cap > MEMBERS_KEPT) {
        free(s->member);
        s->member = NULL;
        s->member_cap = 0;
    }
    pp_stretch_reset(s);
}

void
pp_unit_reset(struct pp_unit *u)
{
    if (!u->bare)
        reset_buffers(u);
    u->charge = 0;
    u->document = NULL;
    u->task = PP_TASK_NONE;
    u->last = u->turn = false;
    u->chain = NULL;
    u->piece = u->source_bytes = 0;
    u->err = (struct pdfpipe_error){ .code = PDFPIPE_OK };
}
