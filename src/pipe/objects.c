/* objects.c - the objects of an open document, one after the other
 *
 * The same walk serves both passes: sealing reads the source and applies
 * policy and edits, checking reads the output and applies policy alone.
 */
#include "pipe/objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "pdf/dict.h"
#include "pdf/flate.h"
#include "pdf/string.h"
#include "pipe/extent.h"
#include "pipe/filters.h"
#include "seal/members.h"
#include "seal/policy.h"

#define PEEK_STEP    ((size_t)256 * 1024)
#define TEXT_FIRST   ((size_t)2048)        /* looked at before a scan       */
#define INLINE_MAX   ((uint64_t)16 * 1024) /* streams copied with the text */
#define METADATA_MAX ((uint64_t)64 << 20)

/*
 * Objects of a sane file do not overlap, so together they are not larger than
 * it.  Objects one inside the other could make each other scanned and copied
 * again and again, the work growing with the square of the size.
 */
#define CLAIMED_MAX  2u                   /* sizes of the file              */
#define SCANNED_MAX  16u                  /* likewise, in scans begun anew  */
#define SCANNED_FREE ((uint64_t)64 << 20) /* ... and bytes on top           */

/* An object stream up to this size stands in one unit with its dictionary, so
 * that a worker can look into it. */
#define OBJSTM_MAX ((uint64_t)PP_UNIT_OUT / 2)

/* Kept object streams of a sane file refer to each other in few steps. */
#define SWEEPS_MAX 16u

/* One object that is being read. */
struct item {
    struct pp_object object; /* ranges of text                     */
    struct pp_view text;     /* valid until the peek is used again */
    uint64_t base;           /* offset of text in the input        */
    uint64_t data;           /* offset of the stream's data        */
    uint64_t length;         /* their length                       */
    enum pp_treatment treatment;
    struct pp_edits edits;
    bool inflated;       /* clear metadata: the data are in    */
    struct pp_buf plain; /* ... this                           */
};

enum pdfpipe_status
pp_objects_init(struct pp_objects *o, struct pp_pipeline *p,
                struct pdfpipe_error *err)
{
    *o = (struct pp_objects){ .layout = { .p = p } };
    pp_peek_init(&o->peek, NULL, PEEK_STEP);
    return pp_scanner_new(&o->scanner, err);
}

static void
forget_document(struct pp_objects *o)
{
    pp_numbers_fini(&o->objstms);
    pp_numbers_fini(&o->put_off);
    pp_numbers_fini(&o->kept);
    pp_numbers_fini(&o->held);
    pp_numbers_fini(&o->opaque);
    pp_dead_fini(&o->dead);
}

void
pp_objects_fini(struct pp_objects *o)
{
    pp_peek_fini(&o->peek);
    pp_scanner_free(o->scanner);
    forget_document(o);
    pp_buf_fini(&o->scratch);
}

/* Is this object taken out of its object stream? */
static bool
is_lifted(const struct pp_reading *r, uint32_t number)
{
    const struct pp_profile *profile = &r->profile;

    return (profile->root_text.n && number == profile->root.number) ||
           (profile->extensions_text.n && number == profile->extensions.number);
}

/* Marks the object streams in which a live object is that stays there. */
static enum pdfpipe_status
mark_objstms(struct pp_objects *o, const struct pp_reading *r,
             struct pdfpipe_error *err)
{
    const struct pp_xref *xref = &r->xref;

    for (uint32_t i = 0; xref->compressed && i < xref->count; i++) {
        struct pp_entry e = pp_xref_entry(xref, i);

        if (e.kind == PP_ENTRY_COMPRESSED && !is_lifted(r, i) &&
            !pp_numbers_add(&o->objstms, e.stream))
            return pp_fail_memory(err);
    }
    return PDFPIPE_OK;
}

static enum pdfpipe_status
overlapping(uint64_t offset, struct pdfpipe_error *err)
{
    return pp_fail_at(err, PDFPIPE_E_LIMIT, offset,
                      "objects overlap: together they are far larger than "
                      "the file");
}

/* Adds what was scanned and will be scanned again, or for nothing. */
static enum pdfpipe_status
spend(struct pp_objects *o, const struct item *item, struct pdfpipe_error *err)
{
    o->scanned += item->text.n;
    if (o->scanned > SCANNED_FREE &&
        o->scanned / SCANNED_MAX > o->peek.input->size)
        return overlapping(item->base, err);
    return PDFPIPE_OK;
}

/* Does another object begin here?  Seen before the scan, as any number of
 * entries may point at one large object. */
static bool
begins_another(struct item *item, uint32_t number)
{
    struct pp_lex lex = { .p = item->text.p, .n = item->text.n };
    struct pp_token t[3];

    for (int i = 0; i < 3; i++)
        pp_lex_next(&lex, &t[i]);
    if (t[0].kind != PP_TOK_INTEGER || t[1].kind != PP_TOK_INTEGER ||
        !pp_token_is(&lex, &t[2], "obj") || t[0].negative || t[1].negative ||
        t[0].value > UINT32_MAX || t[1].value > UINT32_MAX)
        return false;
    item->object = (struct pp_object){ .number = (uint32_t)t[0].value,
                                       .generation = (uint32_t)t[1].value };
    return item->object.number != number;
}

/* Scans the object at an offset, showing more text until it is complete. */
static enum pdfpipe_status
scan(struct pp_objects *o, uint64_t offset, uint32_t number, struct item *item,
     struct pdfpipe_error *err)
{
    size_t max = (size_t)o->layout.p->options.max_object_text;
    size_t want = TEXT_FIRST;

    if (o->layout.d->pass == PP_PASS_CHECK)
        max *= PP_EXPANSION_MAX;

    item->base = offset;
    for (;;) {
        enum pdfpipe_status st =
            pp_peek_at(&o->peek, offset, want, &item->text, err);

        if (st)
            return st;
        if (item->text.n == 0)
            return pp_fail_at(err, PDFPIPE_E_DAMAGED_XREF, offset,
                              "offset is beyond the end of the file");
        if (begins_another(item, number))
            return PDFPIPE_OK;
        st = pp_object_scan(o->scanner, item->text, offset,
                            pp_peek_whole(&o->peek, offset, item->text.n),
                            PP_SCAN_INDIRECT, &item->object, err);
        if (st == PDFPIPE_E_DAMAGED_OBJECT && item->object.number &&
            spend(o, item, err))
            return PDFPIPE_E_LIMIT;
        if (st || !item->object.more)
            return st;
        if (item->text.n > max)
            return pp_fail_at(err, PDFPIPE_E_LIMIT, offset,
                              "object is larger than %zu bytes", max);
        want = 2 * item->text.n;
        st = spend(o, item, err);
        if (st)
            return st;
    }
}

/* Notes what the scanner tolerated. */
static void
note_oddities(const struct item *item, struct pp_notes *notes)
{
    static const struct {
        unsigned odd;
        enum pdfpipe_warning_code code;
    } rows[] = {
        { PP_ODD_TOKEN, PDFPIPE_W_ODD_TOKEN },
        { PP_ODD_HEX, PDFPIPE_W_BAD_HEX },
        { PP_ODD_EXTRA, PDFPIPE_W_EXTRA_TOKENS },
        { PP_ODD_NO_ENDOBJ, PDFPIPE_W_MISSING_ENDOBJ },
        { PP_ODD_STREAM_EOL, PDFPIPE_W_STREAM_EOL },
        { PP_ODD_SIGNATURE, PDFPIPE_W_SIGNATURE_ODD },
    };
    const struct pp_object *o = &item->object;

    for (size_t i = 0; o->odd && i < sizeof rows / sizeof rows[0]; i++)
        if (o->odd & rows[i].odd)
            pp_note(notes, rows[i].code, o->number, item->base + o->odd_at);
    if (o->external && o->stream)
        pp_note(notes, PDFPIPE_W_EXTERNAL_STREAM, o->number, item->base);
}

static struct pp_view
body(const struct item *item)
{
    return (struct pp_view){ item->text.p + item->object.body,
                             item->object.body_end - item->object.body };
}

/* Does the linearization dictionary say that a hint stream is here? A hint
 * stream has /S, the offset of its shared object table. */
static bool
is_hint_stream(const struct pp_objects *o, const struct item *item)
{
    struct pp_view v;
    uint64_t s;

    if (!item->object.stream ||
        (item->base != o->hint_at[0] && item->base != o->hint_at[1]))
        return false;
    return pp_dict_find(body(item), "S", &v) && pp_value_integer(v, &s);
}

/* Remembers where the hint streams are: /H [offset length ...]. */
static void
take_hints(struct pp_objects *o, const struct pp_xref *xref,
           const struct item *item)
{
    struct pp_view h, name, v;
    struct pp_walk w;
    size_t n = 0;
    uint64_t at;

    if (!item->object.linearized || !pp_dict_find(body(item), "H", &h))
        return;
    pp_walk_init(&w, h);
    while (w.array && pp_walk_next(&w, &name, &v) && n < 4) {
        if (n % 2 == 0 && pp_value_integer(v, &at))
            o->hint_at[n / 2] = at + xref->header_at;
        n++;
    }
}

static enum pp_treatment
treatment(const struct pp_objects *o, const struct pp_document *d,
          const struct item *item)
{
    const struct pp_profile *profile = &d->reading.profile;
    bool checking = d->pass == PP_PASS_CHECK;
    bool clear = checking ? !d->handler.encrypt_metadata
                          : o->layout.p->options.cleartext_metadata;
    struct pp_policy_facts facts = {
        .number = item->object.number,
        .clear_metadata = clear ? profile->metadata.number : 0,
        .encrypt_object = profile->encrypt.number,
        .hint_stream = is_hint_stream(o, item),
        .dead_objstm = !checking && item->object.type == PP_TYPE_OBJSTM &&
                       !pp_numbers_has(&o->objstms, item->object.number) &&
                       !pp_numbers_has(&o->kept, item->object.number),
    };

    return pp_policy(&item->object, &facts);
}

/* A signature that would break is a reason to leave the document alone. */
static enum pdfpipe_status
look_for_signature(struct pp_objects *o, const struct pp_document *d,
                   const struct item *item, struct pp_notes *notes,
                   struct pdfpipe_error *err)
{
    if (!item->object.signature || d->pass == PP_PASS_CHECK)
        return PDFPIPE_OK;
    if (o->layout.p->options.on_signed != PDFPIPE_PROCEED)
        return pp_fail_at(err, PDFPIPE_E_SIGNED, item->base,
                          "document is signed; encrypting would break the "
                          "signature");
    pp_note(notes, PDFPIPE_W_SIGNATURE_BROKEN, item->object.number, item->base);
    return PDFPIPE_OK;
}

/* The end of the stream, and its bytes in view if they are few. */
static enum pdfpipe_status
measure_stream(struct pp_objects *o, struct pp_document *d, uint64_t limit,
               struct item *item, struct pp_notes *notes,
               struct pdfpipe_error *err)
{
    size_t end = item->object.end;
    enum pdfpipe_status st;

    item->data = item->base + end;
    st = pp_stream_extent(&d->reading.fetch, &item->object, item->data, limit,
                          notes, &item->length, err);
    if (st || item->length > INLINE_MAX || item->length <= item->text.n - end)
        return st;
    return pp_peek_at(&o->peek, item->base, end + (size_t)item->length,
                      &item->text, err);
}

/* Clear metadata shall be readable by tools that only search: inflated. If
 * that fails, they stay as they are behind the /Crypt filter. */
static enum pdfpipe_status
edit_metadata(struct pp_document *d, struct item *item, struct pp_notes *notes,
              struct pdfpipe_error *err)
{
    struct pp_view dict = body(item);
    struct pp_filter filter;

    for (size_t i = 0; i < item->object.marks; i++)
        if (item->object.mark[i].kind == PP_MARK_STRING)
            pp_note(notes, PDFPIPE_W_METADATA_STRINGS, item->object.number,
                    item->base);
    pp_filter_parse(dict, &filter);
    if (filter.kind == PP_FILTER_FLATE &&
        pp_decode_all(&d->reading.input, item->data, item->length, &filter,
                      METADATA_MAX, &item->plain, NULL) == PDFPIPE_OK) {
        item->length = item->plain.n;
        item->inflated = true;
        pp_edit_only_crypt(dict, &item->edits);
        return PDFPIPE_OK;
    }
    pp_buf_fini(&item->plain);
    return pp_edit_add_crypt(dict, &item->edits, err);
}

/* What sealing changes in this object besides its strings. */
static enum pdfpipe_status
edit(struct pp_document *d, struct item *item, struct pp_notes *notes,
     struct pdfpipe_error *err)
{
    const struct pp_profile *profile = &d->reading.profile;
    const struct pp_object *object = &item->object;
    enum pdfpipe_status st = PDFPIPE_OK;

    if (object->number == profile->root.number && object->dictionary)
        pp_profile_edits(profile, body(item), &item->edits);
    if (object->number == profile->extensions.number && object->dictionary &&
        profile->version.major < 2)
        pp_edit_extensions(body(item), 0, &item->edits);
    if (object->stream && !object->crypt)
        st = pp_filters_check(&d->reading.fetch, body(item), err);
    if (st)
        return st;
    if (object->stream && object->crypt) {
        /* What stays in the clear keeps a filter that says so. */
        struct pp_edits kept = { 0 };
        bool clear = item->treatment == PP_CLEAR;

        st =
            pp_edit_remove_crypt(body(item), clear ? &kept : &item->edits, err);
    } else if (object->stream && item->treatment == PP_CLEAR)
        st = edit_metadata(d, item, notes, err);
    return st;
}

/* A stream that has no usable /Length gets one: instead of what stands there,
 * or behind all other entries. */
static void
edit_length(struct item *item, uint64_t stored, char text[32])
{
    static const size_t name_n = sizeof "/Length" - 1;
    struct pp_view dict = body(item), name, value, old = { NULL, 0 };
    struct pp_view entry = { (const uint8_t *)text, 0 };
    struct pp_walk w;

    for (size_t i = 0; i < item->object.marks; i++)
        if (item->object.mark[i].kind == PP_MARK_LENGTH)
            return;
    entry.n =
        (size_t)snprintf(text, 32, "/Length %llu", (unsigned long long)stored);
    pp_walk_init(&w, dict);
    while (pp_walk_next(&w, &name, &value))
        if (pp_name_is(name, "Length"))
            old = value;
    if (!old.p) {
        pp_edit_append(dict, 0, &item->edits, entry);
        return;
    }
    entry.p += name_n;
    entry.n -= name_n;
    pp_edit_add(&item->edits, (size_t)(old.p - dict.p), old.n, entry);
}

/* Do live objects stand in it? */
static bool
has_members(const struct pp_objects *o, const struct pp_document *d,
            const struct item *item)
{
    return d->pass == PP_PASS_SEAL && item->object.stream &&
           item->object.type == PP_TYPE_OBJSTM &&
           pp_numbers_has(&o->objstms, item->object.number);
}

static enum pdfpipe_status
read_members(struct pp_objects *o, struct pp_document *d,
             const struct item *item, struct pp_stretch *s,
             struct pdfpipe_error *err)
{
    struct pp_seal_context c = {
        .xref = &d->reading.xref,
        .inflate_max = o->layout.p->options.max_inflated,
    };
    struct pp_objstm objstm = { .number = item->object.number,
                                .dict = body(item),
                                .input = &d->reading.input,
                                .offset = item->data,
                                .length = item->length };

    return pp_members_read(s, &objstm, &c, &o->scratch, err);
}

/* Are members of this object stream wanted, and is it for a worker to look
 * into it? What does not stand in one unit is looked into here. */
static enum pdfpipe_status
look_into_objstm(struct pp_objects *o, struct pp_document *d,
                 const struct item *item, bool *worker,
                 struct pdfpipe_error *err)
{
    struct pp_stretch *s = pp_layout_stretch(&o->layout);
    bool wanted = has_members(o, d, item);
    enum pdfpipe_status st;

    /* A promoted /Info needs its number now, so all references must be seen
     * now. */
    *worker =
        wanted && item->length <= OBJSTM_MAX && !d->reading.profile.info_text.n;
    if (!wanted || *worker)
        return PDFPIPE_OK;
    st = read_members(o, d, item, s, err);
    o->highest_ref = pp_max(o->highest_ref, s->highest_ref);
    return st;
}

/* What the writer would learn from an object stream, if one wrote. */
static enum pdfpipe_status
learn_members(struct pp_objects *o, struct pp_document *d,
              const struct item *item, struct pp_notes *notes,
              struct pdfpipe_error *err)
{
    struct pp_stretch s = { 0 };
    enum pdfpipe_status st;

    if (!has_members(o, d, item))
        return PDFPIPE_OK;
    st = read_members(o, d, item, &s, err);
    for (size_t i = 0; !st && i < s.members; i++) {
        const struct pp_member_row *m = &s.member[i];

        if (!(m->number ? pp_numbers_add(&o->held, m->number)
                        : pp_numbers_add(&o->opaque, m->stream)))
            st = pp_fail_memory(err);
    }
    pp_notes_add(notes, &s.notes);
    free(s.member);
    return st;
}

static enum pdfpipe_status
put_stream(struct pp_objects *o, struct pp_document *d, struct item *item,
           bool members, struct pdfpipe_error *err)
{
    bool checking = d->pass == PP_PASS_CHECK;
    bool clear = item->treatment == PP_CLEAR;
    size_t iv = checking && !clear ? PP_AES_BLOCK : 0;
    struct pp_piece piece = {
        .number = item->object.number,
        .generation = item->object.generation,
        .source = item->data,
        .clear = clear,
        .members = members,
        .checking = checking,
    };
    struct pp_room end = pp_stream_end_room();
    enum pdfpipe_status st;

    if (item->inflated)
        piece.bytes = item->plain.n ? item->plain.p : (const uint8_t *)"";
    else if (item->length <= INLINE_MAX)
        piece.bytes = item->text.p + item->object.end;
    if (item->length < iv)
        return pp_fail_at(err, PDFPIPE_E_VERIFY, item->base,
                          "stream is shorter than an IV");
    st = pp_layout_stream(&o->layout, &piece, item->length - iv, err);
    if (!st)
        st = pp_layout_reserve(&o->layout, &end, err);
    if (!st)
        pp_plan_stream_end(pp_layout_stretch(&o->layout));
    return st;
}

static enum pdfpipe_status
reserve(struct pp_objects *o, const struct pp_plan *plan,
        struct pdfpipe_error *err)
{
    struct pp_room room;
    enum pdfpipe_status st = pp_plan_measure(plan, &room, err);

    return st ? st : pp_layout_reserve(&o->layout, &room, err);
}

/* Room for an object and all of its stream in one unit, as a worker needs them
 * to look into it. */
static enum pdfpipe_status
reserve_together(struct pp_objects *o, const struct pp_plan *plan,
                 uint64_t length, struct pdfpipe_error *err)
{
    struct pp_room room;
    enum pdfpipe_status st = pp_plan_measure(plan, &room, err);

    if (st)
        return st;
    room.out += (size_t)pp_stored_len(length);
    room.text += length <= INLINE_MAX ? (size_t)length : 0;
    room.spans++;
    /* What is laid out behind an object must find room for one more. */
    if (pp_layout_objects_left(&o->layout) < 2)
        pp_layout_push(&o->layout);
    return pp_layout_reserve(&o->layout, &room, err);
}

/* Lays one scanned object out. */
static enum pdfpipe_status
put(struct pp_objects *o, struct pp_document *d, struct item *item,
    struct pdfpipe_error *err)
{
    bool checking = d->pass == PP_PASS_CHECK, stream = item->object.stream;
    bool objstm = has_members(o, d, item);
    char length_text[32];
    struct pp_plan plan = {
        .object = &item->object,
        .source = item->text,
        .edits = &item->edits,
        .number = item->object.number,
        .generation = item->object.generation,
        .length = item->length,
        .checking = checking,
    };
    enum pdfpipe_status st;
    bool worker = false;

    if (stream && !checking && item->treatment == PP_ENCRYPT)
        plan.length = pp_stored_len(item->length);
    if (stream)
        edit_length(item, plan.length, length_text);
    st = objstm && item->length <= OBJSTM_MAX
             ? reserve_together(o, &plan, item->length, err)
             : reserve(o, &plan, err);
    if (!st && objstm)
        st = look_into_objstm(o, d, item, &worker, err);
    if (st)
        return st;
    pp_plan_object(pp_layout_stretch(&o->layout), &plan);
    o->layout.unit->source_bytes += item->object.end;
    o->highest_ref = pp_max(o->highest_ref, item->object.highest_ref);
    return stream ? put_stream(o, d, item, worker, err) : PDFPIPE_OK;
}

static bool
is_left_out(const struct item *item)
{
    return item->treatment == PP_LEAVE || item->treatment == PP_PUT_OFF;
}

/* Reads the object that the cross-reference says is at an offset; limit is
 * the offset of the next one. */
static enum pdfpipe_status
read_object(struct pp_objects *o, struct pp_document *d, uint32_t number,
            uint64_t limit, struct pp_notes *notes, struct item *item,
            struct pdfpipe_error *err)
{
    const struct pp_xref *xref = &d->reading.xref;
    struct pp_entry e = pp_xref_entry(xref, number);
    enum pdfpipe_status st = scan(o, e.offset, number, item, err);

    if (st == PDFPIPE_E_DAMAGED_OBJECT && !item->object.number)
        return pp_fail_at(err, PDFPIPE_E_DAMAGED_XREF, e.offset,
                          "no object begins here");
    if (st)
        return st;
    if (item->object.number != number ||
        item->object.generation != e.generation)
        return pp_fail_at(err, PDFPIPE_E_DAMAGED_XREF, e.offset,
                          "found object %u %u instead", item->object.number,
                          item->object.generation);
    take_hints(o, xref, item);
    item->treatment = treatment(o, d, item);
    if (is_left_out(item))
        return PDFPIPE_OK;
    note_oddities(item, notes);
    st = look_for_signature(o, d, item, notes, err);
    if (!st && item->object.stream)
        st = measure_stream(o, d, limit, item, notes, err);
    o->claimed += item->object.end + item->length;
    if (!st && o->claimed / CLAIMED_MAX > d->reading.input.size)
        st = overlapping(e.offset, err);
    if (!st && d->pass == PP_PASS_SEAL)
        st = edit(d, item, notes, err);
    return st;
}

/* No object can be read here: then none can be seen there by anybody.  But to
 * an object stream nobody need refer, and its members would be lost. */
static bool
is_dead_object(const struct pp_objects *o, const struct pp_document *d,
               uint32_t number, enum pdfpipe_status st)
{
    return d->pass == PP_PASS_SEAL && !pp_numbers_has(&o->objstms, number) &&
           (st == PDFPIPE_E_DAMAGED_XREF || st == PDFPIPE_E_DAMAGED_OBJECT);
}

static enum pdfpipe_status
bury(struct pp_objects *o, uint32_t number, uint64_t offset,
     struct pp_notes *notes, struct pdfpipe_error *err)
{
    struct pdfpipe_error why = *err;

    pp_note(notes, PDFPIPE_W_DEAD_ENTRY, number, offset);
    *err = (struct pdfpipe_error){ .code = PDFPIPE_OK };
    return pp_dead_add(&o->dead, number, &why, err);
}

/* Where objects are read from and what is told of them. */
struct walk {
    struct pp_document *d;
    bool scan_only;
    struct pp_notes *scan_notes;
    uint32_t *order; /* numbers of all objects in the file, by offset */
    size_t n;
};

/* One object, from its place in the file to its place in the layout; adds to
 * what is referred to, if that is asked for. */
static enum pdfpipe_status
read_and_put(struct pp_objects *o, const struct walk *w, size_t i,
             struct pp_referred *by, struct pdfpipe_error *err)
{
    const struct pp_xref *xref = &w->d->reading.xref;
    const struct pp_room nothing = { 0, 0, 0 };
    struct pp_entry e = pp_xref_entry(xref, w->order[i]);
    uint64_t limit = i + 1 < w->n ? pp_xref_entry(xref, w->order[i + 1]).offset
                                  : w->d->reading.input.size;
    struct pp_notes *notes = w->scan_notes;
    enum pdfpipe_status st = PDFPIPE_OK;
    struct item item = { 0 };

    if (w->scan_only) {
        if (pp_pipeline_cancelled(o->layout.p))
            st = pp_fail(err, PDFPIPE_E_CANCELLED, "cancelled");
    } else {
        st = pp_layout_reserve(&o->layout, &nothing, err);
        if (!st)
            notes = &pp_layout_stretch(&o->layout)->notes;
    }
    if (!st)
        st = read_object(o, w->d, w->order[i], limit, notes, &item, err);
    if (!st && item.treatment == PP_PUT_OFF &&
        !pp_numbers_add(&o->put_off, w->order[i]))
        st = pp_fail_memory(err);
    if (!st && by)
        st = pp_referred_by(by, body(&item), err);
    if (!st && !is_left_out(&item))
        st = w->scan_only ? learn_members(o, w->d, &item, notes, err)
                          : put(o, w->d, &item, err);
    pp_buf_fini(&item.plain);
    if (st && st != PDFPIPE_E_CANCELLED)
        pp_error_object(err, w->order[i], e.generation);
    if (is_dead_object(o, w->d, w->order[i], st))
        st = bury(o, w->order[i], e.offset, notes, err);
    return st;
}

/* What it takes to look for references in the document. */
static struct pp_referred
search(struct pp_objects *o, struct pp_document *d)
{
    const struct pdfpipe_options *options = &o->layout.p->options;

    return (struct pp_referred){
        .reading = &d->reading,
        .live = &d->reading.xref,
        .peek = &o->peek,
        .scanner = o->scanner,
        .scratch = &o->scratch,
        .text_max = (size_t)options->max_object_text,
        .inflate_max = options->max_inflated,
    };
}

/* Those of the object streams without live members that something refers to.
 * They may refer to each other in any order; after some sweeps in vain all of
 * them are kept. */
static enum pdfpipe_status
read_put_off(struct pp_objects *o, const struct walk *w,
             struct pdfpipe_error *err)
{
    struct pp_referred by = search(o, w->d);
    enum pdfpipe_status st;
    size_t last = 1;

    by.among = &o->put_off;
    by.without[0] = &o->dead.numbers;
    st = pp_referred_find(&by, err);
    for (unsigned sweep = 0; !st && last; sweep++) {
        bool all = by.opaque || sweep == SWEEPS_MAX;

        last = 0;
        for (size_t i = 0; !st && i < w->n; i++) {
            uint32_t number = w->order[i];

            if (!pp_numbers_has(&o->put_off, number) ||
                !(all || pp_numbers_has(&by.found, number)))
                continue;
            pp_numbers_remove(&o->put_off, number);
            if (!pp_numbers_add(&o->kept, number))
                st = pp_fail_memory(err);
            else
                st = read_and_put(o, w, i, &by, err);
            last++;
        }
    }
    pp_numbers_fini(&by.found);
    return st;
}

/* All objects that stand in the file, in the order of their offsets. */
static enum pdfpipe_status
read_all(struct pp_objects *o, struct pp_document *d, bool scan_only,
         struct pp_notes *scan_notes, struct pdfpipe_error *err)
{
    struct walk w = { .d = d,
                      .scan_only = scan_only,
                      .scan_notes = scan_notes };
    enum pdfpipe_status st =
        pp_xref_order(&d->reading.xref, &w.order, &w.n, err);

    for (size_t i = 0; !st && i < w.n; i++)
        st = read_and_put(o, &w, i, NULL, err);
    if (!st && o->put_off.n)
        st = read_put_off(o, &w, err);
    free(w.order);
    return st;
}

/* A value that stands alone now: taken out of an object stream, or of the
 * trailer. */
static enum pdfpipe_status
put_value(struct pp_objects *o, struct pp_document *d,
          const struct pp_buf *value, struct pp_reference as,
          struct pdfpipe_error *err)
{
    const struct pp_room nothing = { 0, 0, 0 };
    struct item item = { .text = pp_buf_view(value),
                         .base = d->reading.input.size };
    enum pdfpipe_status st = pp_object_scan(o->scanner, item.text, 0, true,
                                            PP_SCAN_MEMBER, &item.object, err);

    item.object.number = as.number;
    item.object.generation = as.generation;
    if (!st)
        st = pp_layout_reserve(&o->layout, &nothing, err);
    if (!st)
        st = edit(d, &item, &pp_layout_stretch(&o->layout)->notes, err);
    if (!st)
        st = put(o, d, &item, err);
    if (st)
        pp_error_object(err, as.number, as.generation);
    return st;
}

/* The header, and objects that had no place of their own in the source. */
static enum pdfpipe_status
put_head(struct pp_objects *o, struct pp_document *d, struct pdfpipe_error *err)
{
    const struct pp_profile *profile = &d->reading.profile;
    const struct pp_room room = { 32, 32, 0 };
    struct pp_version v = profile->version;
    enum pdfpipe_status st = pp_layout_reserve(&o->layout, &room, err);
    char header[32];
    int n;

    if (st)
        return st;
    if (pp_version_less(v, (struct pp_version){ 1, 7 }))
        v = (struct pp_version){ 1, 7 };
    /* The second line tells file transfer programs that this is binary. */
    n = snprintf(header, sizeof header, "%%PDF-%u.%u\n%%\xe2\xe3\xcf\xd3\n",
                 v.major, v.minor);
    pp_plan_text(pp_layout_stretch(&o->layout), header, (size_t)n);
    if (profile->root_text.n)
        st = put_value(o, d, &profile->root_text, profile->root, err);
    if (!st && profile->extensions_text.n)
        st = put_value(o, d, &profile->extensions_text, profile->extensions,
                       err);
    return st;
}

/* A direct /Info of the trailer becomes an object, as its strings could not
 * be encrypted where they are. No reference may point at its number. */
static enum pdfpipe_status
put_info(struct pp_objects *o, struct pp_document *d, struct pdfpipe_error *err)
{
    if (!d->reading.profile.info_text.n)
        return PDFPIPE_OK;
    d->info_number = pp_xref_new_number(&d->reading.xref, o->highest_ref);
    if (d->info_number > PP_OBJECT_MAX)
        return pp_fail(err, PDFPIPE_E_LIMIT,
                       "no object number is left for /Info");
    return put_value(o, d, &d->reading.profile.info_text,
                     (struct pp_reference){ d->info_number, 0 }, err);
}

/* A dead object that somebody refers to is lost content. */
static enum pdfpipe_status
look_for_the_dead(struct pp_objects *o, struct pp_document *d,
                  struct pdfpipe_error *err)
{
    struct pp_referred q = search(o, d);

    q.without[0] = &o->put_off;
    return pp_dead_unreferenced(&o->dead, &q, err);
}

/* The same for members that their object streams do not hold, which the writer
 * would find. */
static enum pdfpipe_status
look_for_missing(struct pp_objects *o, struct pp_document *d,
                 struct pp_notes *notes, struct pdfpipe_error *err)
{
    const struct pp_xref *xref = &d->reading.xref;
    struct pp_referred q = search(o, d);
    struct pp_dead missing = { 0 };
    enum pdfpipe_status st = PDFPIPE_OK;

    for (uint32_t i = 0; !st && xref->compressed && i < xref->count; i++) {
        struct pp_entry e = pp_xref_entry(xref, i);

        if (e.kind == PP_ENTRY_COMPRESSED && !is_lifted(&d->reading, i) &&
            !pp_numbers_has(&o->held, i) &&
            !pp_numbers_has(&o->opaque, e.stream))
            st = pp_dead_add_member(&missing, i, e.stream, notes, err);
    }
    q.without[0] = &o->put_off;
    q.without[1] = &o->dead.numbers;
    if (!st && missing.numbers.n)
        st = pp_dead_unreferenced(&missing, &q, err);
    pp_dead_fini(&missing);
    return st;
}

enum pdfpipe_status
pp_objects_read(struct pp_objects *o, struct pp_document *d, bool scan_only,
                struct pp_notes *notes, struct pdfpipe_error *err)
{
    bool sealing = d->pass == PP_PASS_SEAL && !scan_only;
    enum pdfpipe_status st;

    o->hint_at[0] = o->hint_at[1] = 0;
    o->highest_ref = o->scanned = o->claimed = 0;
    forget_document(o);
    pp_peek_reset(&o->peek, &d->reading.input);
    st = mark_objstms(o, &d->reading, err);
    if (!st && sealing)
        st = put_head(o, d, err);
    if (!st)
        st = read_all(o, d, scan_only, notes, err);
    if (!st && o->dead.numbers.n)
        st = look_for_the_dead(o, d, err);
    if (!st && scan_only)
        st = look_for_missing(o, d, notes, err);
    if (!st && sealing)
        st = put_info(o, d, err);
    /* Hundreds of documents may be under way behind this one. */
    pp_fetch_forget(&d->reading.fetch);
    return st;
}
