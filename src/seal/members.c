/* members.c - what the workers learn from object streams
 *
 * An object stream stays whole; but two things in it matter outside.  The
 * cross-reference must name the true index of each member, as some readers
 * trust it, and no new object may get a number that a dangling reference in
 * it uses.
 */
#include "seal/members.h"

#include <stdlib.h>

#include "base/num.h"
#include "pdf/flate.h"
#include "pdf/objstm.h"
#include "pdf/refs.h"
#include "seal/sealer_impl.h"

#define SCRATCH_KEPT ((size_t)4 << 20)

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

/*
 * A row for each live member.  The index in the cross-reference decides
 * between several members of one number if it is right; if it is wrong, the
 * first of them counts (the writer keeps the row that comes first).
 */
static enum pdfpipe_status
add_rows(const struct pp_seal_context *c, struct pp_stretch *t, uint32_t stream,
         const struct pp_member *member, size_t n, struct pdfpipe_error *err)
{
    enum pdfpipe_status st = PDFPIPE_OK;

    for (size_t i = 0; !st && i < n; i++) {
        struct pp_entry e = pp_xref_entry(c->xref, member[i].number);
        struct pp_member_row row = { member[i].number, stream, (uint32_t)i };

        if (e.kind != PP_ENTRY_COMPRESSED || e.stream != stream)
            continue;
        if (e.index != i) {
            if (e.index < n && member[e.index].number == member[i].number)
                continue;
            pp_note(&t->notes, PDFPIPE_W_OBJSTM_INDEX, member[i].number,
                    PDFPIPE_NO_OFFSET);
        }
        st = add_row(t, row, err);
    }
    return st;
}

enum pdfpipe_status
pp_members_read(struct pp_stretch *t, const struct pp_objstm *o,
                const struct pp_seal_context *c, struct pp_buf *scratch,
                struct pdfpipe_error *err)
{
    struct pp_member *member = NULL;
    struct pdfpipe_error why = { .code = PDFPIPE_OK };
    struct pp_filter filter;
    enum pdfpipe_status st;
    size_t n = 0;

    pp_filter_parse(o->dict, &filter);
    scratch->n = 0;
    st = pp_decode_all(o->input, o->offset, o->length, &filter, c->inflate_max,
                       scratch, &why);
    if (!st)
        st =
            pp_objstm_members(o->dict, pp_buf_view(scratch), &member, &n, &why);
    if (st == PDFPIPE_E_UNSUPPORTED || st == PDFPIPE_E_DAMAGED_STREAM) {
        pp_note(&t->notes, PDFPIPE_W_OBJSTM_OPAQUE, o->number,
                PDFPIPE_NO_OFFSET);
        st = add_row(t, (struct pp_member_row){ 0, o->number, 0 }, err);
    } else if (!st) {
        t->highest_ref =
            pp_max(t->highest_ref, pp_refs_highest(pp_buf_view(scratch)));
        st = add_rows(c, t, o->number, member, n, err);
    } else if (err) {
        *err = why;
    }
    free(member);
    pp_buf_trim(scratch, SCRATCH_KEPT);
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
        st = pp_members_read(t, &o, c, &s->inflated, err);
        if (st)
            return st;
    }
    return PDFPIPE_OK;
}
