/* members.c - what the workers learn from object streams
 *
 * An object stream stays whole; but two things in it matter outside.  The
 * cross-reference must name the true index of each member, as some readers
 * trust it, and no new object may get a number that a dangling reference in
 * it uses.  Its decoded data are gone through a piece at a time: first all of
 * them, then what the pairs stand in, as these can be judged only when the
 * size is known.
 */
#include "seal/members.h"

#include <stdlib.h>

#include "base/num.h"
#include "pdf/flate.h"
#include "pdf/numbers.h"
#include "pdf/objstm.h"
#include "pdf/refs.h"
#include "seal/sealer_impl.h"

static enum pdfpipe_status
add_row(struct pp_stretch *t, struct pp_member_row row,
        struct pdfpipe_error *err)
{
    if (t->members == t->member_cap) {
        size_t cap = t->member_cap ? 2 * t->member_cap : 256;
        struct pp_member_row *member = realloc(t->member, cap * sizeof *member);

        if (!member)
            return pp_fail_memory(err);
        t->member = member;
        t->member_cap = cap;
    }
    t->member[t->members++] = row;
    return PDFPIPE_OK;
}

/* An object stream that is being looked into, from its first byte or anew. */
struct look {
    const struct pp_objstm *o;
    const struct pp_seal_context *c;
    struct pp_stretch *t;
    struct pp_buf *window;
    struct pp_filter filter;
    uint64_t size; /* of the decoded data                          */
    bool wrong;    /* an index in the cross-reference is wrong     */
    size_t rows;   /* of the stretch, before those of this stream  */
};

static enum pdfpipe_status
begin(const struct look *l, struct pp_pieces *s, struct pdfpipe_error *err)
{
    return pp_pieces_begin(s, l->o->input, l->o->offset, l->o->length,
                           &l->filter, l->c->inflate_max, l->window, err);
}

/* The size of the data, and the references in them. */
static enum pdfpipe_status
go_through(struct look *l, uint32_t *highest, struct pdfpipe_error *err)
{
    struct pp_refs refs = { 0 };
    struct pp_pieces s;
    enum pdfpipe_status st = begin(l, &s, err);
    uint32_t number;

    while (!st && !s.last) {
        st = pp_pieces_next(&s, err);
        if (st)
            break;
        pp_refs_feed(&refs, pp_buf_view(l->window), s.last);
        while (pp_refs_next(&refs, &number))
            if (number > *highest)
                *highest = number;
    }
    l->size = s.size;
    pp_pieces_end(&s);
    return st;
}

/* What is made of the member at an index. */
typedef enum pdfpipe_status member_fn(struct look *l, uint32_t number,
                                      uint32_t index, void *arg,
                                      struct pdfpipe_error *err);

static enum pdfpipe_status
tell(struct look *l, struct pp_pairs *pairs, uint32_t *index, member_fn *fn,
     void *arg, struct pdfpipe_error *err)
{
    enum pdfpipe_status st = PDFPIPE_OK;
    struct pp_member m;

    for (; !st && pp_pairs_next(pairs, &m); ++*index) {
        struct pp_entry e = pp_xref_entry(l->c->xref, m.number);

        if (e.kind == PP_ENTRY_COMPRESSED && e.stream == l->o->number)
            st = fn(l, m.number, *index, arg, err);
    }
    return st;
}

/* Calls fn for the members that live here.  The window holds small data still;
 * of others, what the pairs stand in is decoded once more. */
static enum pdfpipe_status
for_each(struct look *l, member_fn *fn, void *arg, struct pdfpipe_error *err)
{
    struct pp_pairs pairs;
    enum pdfpipe_status st = pp_pairs_init(&pairs, l->o->dict, l->size, err);
    struct pp_pieces s;
    uint32_t index = 0;

    if (!st && l->size == l->window->n) {
        pp_pairs_feed(&pairs, pp_buf_view(l->window));
        return tell(l, &pairs, &index, fn, arg, err);
    }
    if (st)
        return st;
    st = begin(l, &s, err);
    while (!st && !s.last && !pp_pairs_over(&pairs)) {
        st = pp_pieces_next(&s, err);
        if (st)
            break;
        pp_pairs_feed(&pairs, pp_buf_view(l->window));
        st = tell(l, &pairs, &index, fn, arg, err);
    }
    pp_pieces_end(&s);
    return st;
}

/* The index in the cross-reference decides between several members of one
 * number, if it is right. */
static enum pdfpipe_status
add_right(struct look *l, uint32_t number, uint32_t index, void *arg,
          struct pdfpipe_error *err)
{
    (void)arg;
    if (pp_xref_entry(l->c->xref, number).index == index)
        return add_row(
            l->t, (struct pp_member_row){ number, l->o->number, index }, err);
    l->wrong = true;
    return PDFPIPE_OK;
}

/* If it is wrong, the first of them counts. */
static enum pdfpipe_status
add_wrong(struct look *l, uint32_t number, uint32_t index, void *arg,
          struct pdfpipe_error *err)
{
    struct pp_numbers *known = arg;

    if (pp_numbers_has(known, number))
        return PDFPIPE_OK;
    if (!pp_numbers_add(known, number))
        return pp_fail_memory(err);
    pp_note(&l->t->notes, PDFPIPE_W_OBJSTM_INDEX, number, PDFPIPE_NO_OFFSET);
    return add_row(l->t, (struct pp_member_row){ number, l->o->number, index },
                   err);
}

/* One row for each live member. */
static enum pdfpipe_status
add_rows(struct look *l, struct pdfpipe_error *err)
{
    enum pdfpipe_status st = for_each(l, add_right, NULL, err);
    struct pp_numbers known = { 0 };

    if (st || !l->wrong)
        return st;
    for (size_t i = l->rows; !st && i < l->t->members; i++)
        if (!pp_numbers_add(&known, l->t->member[i].number))
            st = pp_fail_memory(err);
    if (!st)
        st = for_each(l, add_wrong, &known, err);
    pp_numbers_fini(&known);
    return st;
}

enum pdfpipe_status
pp_members_read(struct pp_stretch *t, const struct pp_objstm *o,
                const struct pp_seal_context *c, struct pp_buf *window,
                struct pdfpipe_error *err)
{
    struct look l = {
        .o = o, .c = c, .t = t, .window = window, .rows = t->members
    };
    struct pdfpipe_error why = { .code = PDFPIPE_OK };
    enum pdfpipe_status st;
    uint32_t highest = 0;

    pp_filter_parse(o->dict, &l.filter);
    st = go_through(&l, &highest, &why);
    if (!st)
        st = add_rows(&l, &why);
    if (st == PDFPIPE_E_UNSUPPORTED || st == PDFPIPE_E_DAMAGED_STREAM) {
        pp_note(&t->notes, PDFPIPE_W_OBJSTM_OPAQUE, o->number,
                PDFPIPE_NO_OFFSET);
        t->members = l.rows;
        st = add_row(t, (struct pp_member_row){ 0, o->number, 0 }, err);
    } else if (!st) {
        t->highest_ref = pp_max(t->highest_ref, highest);
    } else if (err) {
        *err = why;
    }
    if (st)
        pp_error_object(err, o->number, 0);
    return st;
}

/* The stream's dictionary, which stands before the span in the text. */
static struct pp_view
dictionary(const struct pp_stretch *t, const struct pp_span *p)
{
    const struct pp_placed *object = pp_stretch_object(t, p->in);
    struct pp_view dict;

    PP_ASSERT(object && object->number == p->number);
    dict = (struct pp_view){ t->text + object->in, p->in - object->in };
    while (dict.n && *dict.p != '<') {
        dict.p++;
        dict.n--;
    }
    return dict;
}

enum pdfpipe_status
pp_sealer_members(struct pp_sealer *s, const struct pp_seal_context *c,
                  struct pp_stretch *t, struct pdfpipe_error *err)
{
    for (size_t i = 0; i < t->spans; i++) {
        const struct pp_span *p = &t->span[i];
        struct pp_input input = pp_input_over(&s->plain[i]);
        struct pp_objstm o = { .number = p->number,
                               .input = &input,
                               .length = s->plain[i].n };
        enum pdfpipe_status st;

        if (p->kind != PP_SPAN_STREAM || !p->members)
            continue;
        o.dict = dictionary(t, p);
        st = pp_members_read(t, &o, c, &s->window, err);
        if (st)
            return st;
    }
    return PDFPIPE_OK;
}
