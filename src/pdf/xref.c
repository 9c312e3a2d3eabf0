/* xref.c - the table, and the chain of sections that fills it
 *
 * Within one section the order is: the table's entries, then those of its
 * /XRefStm (hybrid file), then the section at the table's /Prev.  The first
 * entry met for a number wins, a free one included; only the /XRefStm replaces
 * free entries of its own table.
 */
#include "pdf/xref.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "pdf/dict.h"
#include "pdf/refs.h"
#include "pdf/xref_section.h"

#define SECTIONS_MAX 100000u

/* Bytes of work for reading the cross-reference: every byte of the file
 * several times, and ten million rows of a compressed one on top. */
#define WORK_PER_BYTE 16u
#define WORK_FREE     ((uint64_t)256 << 20)
/* A trailer's dictionary is gone through so often. */
#define DICT_PASSES 8u

/*
 * An entry in 64 bits: kind in bits 0..1; OFFSET: generation in 2..17, offset
 * in 18..63; COMPRESSED: object stream in 2..25, index in 26..63; FREE, while
 * the table is loaded: section in 2..33.
 */
static uint64_t
pack(struct pp_entry e)
{
    if (e.kind == PP_ENTRY_OFFSET)
        return PP_ENTRY_OFFSET | (uint64_t)e.generation << 2 | e.offset << 18;
    if (e.kind == PP_ENTRY_COMPRESSED)
        return PP_ENTRY_COMPRESSED | (uint64_t)e.stream << 2 | e.index << 26;
    return e.kind;
}

struct pp_entry
pp_xref_entry(const struct pp_xref *x, uint32_t number)
{
    struct pp_entry e = { .kind = PP_ENTRY_NONE };
    uint64_t v;

    if (number >= x->count)
        return e;
    v = x->packed.item[number];
    e.kind = (enum pp_entry_kind)(v & 3);
    if (e.kind == PP_ENTRY_OFFSET) {
        e.generation = (uint32_t)(v >> 2 & 0xffff);
        e.offset = v >> 18;
    } else if (e.kind == PP_ENTRY_COMPRESSED) {
        e.stream = (uint32_t)(v >> 2 & 0xffffff);
        e.index = v >> 26;
    }
    return e;
}

enum pdfpipe_status
pp_xref_set(struct pp_xref *x, uint32_t number, struct pp_entry entry,
            struct pdfpipe_error *err)
{
    struct pp_entry old = pp_xref_entry(x, number);

    PP_ASSERT(number <= PP_OBJECT_MAX && entry.offset <= PP_OFFSET_MAX);
    if (!pp_lazy_grow(&x->packed, (size_t)number + 1))
        return pp_fail_memory(err);
    x->in_file -= old.kind == PP_ENTRY_OFFSET;
    x->compressed -= old.kind == PP_ENTRY_COMPRESSED;
    x->packed.item[number] = pack(entry);
    x->in_file += entry.kind == PP_ENTRY_OFFSET;
    x->compressed += entry.kind == PP_ENTRY_COMPRESSED;
    if (number >= x->count)
        x->count = number + 1;
    return PDFPIPE_OK;
}

uint32_t
pp_xref_new_number(const struct pp_xref *x, uint64_t highest_ref)
{
    uint64_t number = pp_max(x->count, highest_ref + 1);

    /* The trailer may point at an /Info that does not exist. */
    number =
        pp_max(number, (uint64_t)pp_refs_highest(pp_buf_view(&x->trailer)) + 1);
    /* A /Size that cannot be is no promise that must be kept. */
    if (x->declared_size <= PP_OBJECT_MAX)
        number = pp_max(number, x->declared_size);
    return (uint32_t)number;
}

/* The finaliser of the splitmix64 generator: every bit of v matters. */
static uint64_t
mix(uint64_t v)
{
    v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9u;
    v = (v ^ v >> 27) * 0x94d049bb133111ebu;
    return v ^ v >> 31;
}

uint64_t
pp_xref_sum(const struct pp_xref *x)
{
    uint64_t sum = 0;

    for (uint32_t number = 0; number < x->count; number++) {
        uint64_t v = x->packed.item[number], kind = v & 3;

        if (kind == PP_ENTRY_OFFSET || kind == PP_ENTRY_COMPRESSED)
            sum += mix(v ^ mix(number + 1));
    }
    return sum;
}

enum pdfpipe_status
pp_xref_spend(struct pp_xref_load *l, uint64_t n, uint64_t at)
{
    if (n > l->work_left)
        return pp_fail_at(l->err, PDFPIPE_E_LIMIT, at,
                          "cross-reference sections overlap or inflate to "
                          "far more than the file");
    l->work_left -= n;
    return PDFPIPE_OK;
}

/* May a new entry take this place? */
static bool
is_open(const struct pp_xref_load *l, uint64_t packed)
{
    return packed == PP_ENTRY_NONE ||
           (l->hybrid && packed == (PP_ENTRY_FREE | (uint64_t)l->section << 2));
}

enum pdfpipe_status
pp_xref_put(struct pp_xref_load *l, uint64_t number, struct pp_entry entry,
            uint64_t at)
{
    struct pp_xref *x = l->x;
    bool live =
        entry.kind == PP_ENTRY_OFFSET || entry.kind == PP_ENTRY_COMPRESSED;

    if (number == 0 && live) {
        pp_note(l->notes, PDFPIPE_W_XREF_SLOPPY, 0, at);
        entry = (struct pp_entry){ .kind = PP_ENTRY_FREE };
        live = false;
    }
    if (number > PP_OBJECT_MAX) {
        if (!live)
            return PDFPIPE_OK;
        return pp_fail_at(l->err, PDFPIPE_E_LIMIT, at,
                          "object number %llu is above %u",
                          (unsigned long long)number, PP_OBJECT_MAX);
    }
    if (!pp_lazy_grow(&x->packed, (size_t)number + 1))
        return pp_fail_memory(l->err);
    if (!is_open(l, x->packed.item[number]))
        return PDFPIPE_OK;
    x->packed.item[number] =
        pack(entry) | (live ? 0 : (uint64_t)l->section << 2);
    x->in_file += entry.kind == PP_ENTRY_OFFSET;
    x->compressed += entry.kind == PP_ENTRY_COMPRESSED;
    if (number >= x->count)
        x->count = (uint32_t)number + 1;
    return PDFPIPE_OK;
}

/* Does "n g obj" stand here? The lexer is behind the first token. */
static bool
begins_object(struct pp_lex lex, struct pp_token token)
{
    if (token.kind != PP_TOK_INTEGER)
        return false;
    pp_lex_next(&lex, &token);
    if (token.kind != PP_TOK_INTEGER)
        return false;
    pp_lex_next(&lex, &token);
    return pp_token_is(&lex, &token, "obj");
}

/* Reads the section at an offset counted from the header, whatever its form;
 * *found is false when none begins there. */
static enum pdfpipe_status
read_at(struct pp_xref_load *l, uint64_t offset, bool *found)
{
    struct pp_token token;
    enum pdfpipe_status st;
    struct pp_view v;
    struct pp_lex lex;

    *found = false;
    if (offset >= l->peek->input->size)
        return PDFPIPE_OK;
    st = pp_peek_at(l->peek, offset, 1024, &v, l->err);
    if (st)
        return st;
    lex = pp_lex_over(v);
    pp_lex_next(&lex, &token);
    l->dict.n = 0;
    if (pp_token_is(&lex, &token, "xref")) {
        *found = true;
        return pp_xref_read_table(l, offset + lex.at);
    }
    if (begins_object(lex, token)) {
        *found = true;
        return pp_xref_read_stream(l, offset);
    }
    return PDFPIPE_OK;
}

static enum pdfpipe_status
read_section(struct pp_xref_load *l, uint64_t offset)
{
    uint64_t at, header_at = l->x->header_at;
    enum pdfpipe_status st;
    bool found;

    if (!pp_add(offset, header_at, &at))
        at = UINT64_MAX;
    st = read_at(l, at, &found);
    if (st || found)
        return st;
    /* Some writers count from the first byte in spite of what stands before
     * the header; so do the rows of this section then. */
    if (header_at) {
        l->x->header_at = 0;
        st = read_at(l, offset, &found);
        if (st || found)
            return st;
        l->x->header_at = header_at;
    }
    return pp_fail_at(l->err, PDFPIPE_E_DAMAGED_XREF, offset,
                      "no cross-reference section at this offset");
}

/* Keeps what is needed of the trailer of the section just read. */
static enum pdfpipe_status
keep_trailer(struct pp_xref_load *l)
{
    struct pp_view dict = pp_buf_view(&l->dict), v;
    uint64_t size = 0;
    enum pdfpipe_status st =
        pp_xref_spend(l, (uint64_t)DICT_PASSES * dict.n, PDFPIPE_NO_OFFSET);

    if (st)
        return st;
    if (pp_dict_find(dict, "Encrypt", &v))
        l->x->encrypted = true;
    if (pp_dict_find(dict, "Size", &v) && pp_value_integer(v, &size))
        l->x->declared_size = pp_max(l->x->declared_size, size);
    if (l->x->trailer.n || !pp_dict_find(dict, "Root", &v))
        return PDFPIPE_OK;
    return pp_buf_append(&l->x->trailer, dict.p, dict.n)
               ? PDFPIPE_OK
               : pp_fail_memory(l->err);
}

/* An offset in the trailer; some write "123 0 R" for it. */
static bool
find_offset(struct pp_view dict, const char *name, uint64_t *offset)
{
    struct pp_reference ref;
    struct pp_view v;

    if (!pp_dict_find(dict, name, &v))
        return false;
    if (pp_value_integer(v, offset))
        return true;
    if (!pp_value_reference(v, &ref))
        return false;
    *offset = ref.number;
    return true;
}

/* One section with its hybrid stream; *prev is where the chain goes on. */
static enum pdfpipe_status
follow(struct pp_xref_load *l, uint64_t offset, bool *more, uint64_t *prev)
{
    enum pdfpipe_status st;
    uint64_t hybrid;
    struct pp_view v;

    *more = false;
    l->section++;
    l->hybrid = false;
    st = read_section(l, offset);
    if (st)
        return st;
    st = keep_trailer(l);
    if (st)
        return st;
    *more = find_offset(pp_buf_view(&l->dict), "Prev", prev) && *prev > 0;
    if (!*more && pp_dict_find(pp_buf_view(&l->dict), "Prev", &v))
        pp_note(l->notes, PDFPIPE_W_XREF_LOOP, 0, offset);
    if (!find_offset(pp_buf_view(&l->dict), "XRefStm", &hybrid))
        return PDFPIPE_OK;
    l->hybrid = true;
    return read_section(l, hybrid);
}

/*
 * The chain is a list given by offsets in the file, so it may bite its own
 * tail.  Brent's rule finds that with one remembered place: reading a section
 * a second time changes nothing, as its numbers are taken already.
 */
static enum pdfpipe_status
follow_chain(struct pp_xref_load *l, uint64_t offset)
{
    uint64_t remembered = UINT64_MAX;
    uint32_t steps = 0, next_power = 1;

    for (;;) {
        enum pdfpipe_status st;
        uint64_t prev = 0;
        bool more;

        st = follow(l, offset, &more, &prev);
        if (st || !more)
            return st;
        if (prev == remembered || prev == offset) {
            pp_note(l->notes, PDFPIPE_W_XREF_LOOP, 0, prev);
            return PDFPIPE_OK;
        }
        if (++steps == next_power) {
            remembered = prev;
            next_power *= 2;
        }
        if (steps == SECTIONS_MAX)
            return pp_fail_at(l->err, PDFPIPE_E_LIMIT, prev,
                              "more than %u cross-reference sections",
                              SECTIONS_MAX);
        offset = prev;
    }
}

enum pdfpipe_status
pp_xref_load(struct pp_xref *x, struct pp_peek *peek,
             struct pp_scanner *scanner, struct pp_notes *notes,
             struct pdfpipe_error *err)
{
    struct pp_xref_load l = {
        .x = x, .peek = peek, .scanner = scanner, .notes = notes, .err = err
    };
    enum pdfpipe_status st;
    uint64_t startxref;

    if (peek->input->size > PP_OFFSET_MAX)
        return pp_fail(err, PDFPIPE_E_LIMIT, "file is larger than 64 TiB");
    l.work_left = WORK_FREE + WORK_PER_BYTE * peek->input->size;
    st = pp_header_find(peek, &x->header_at, &x->version, notes, err);
    if (st)
        return st;
    st = pp_startxref_find(peek, &startxref, notes, err);
    if (st)
        return st;
    st = follow_chain(&l, startxref);
    pp_buf_fini(&l.dict);
    if (st)
        return st;
    if (!x->trailer.n)
        return pp_fail_at(err, PDFPIPE_E_DAMAGED_TRAILER, startxref,
                          "no trailer has a /Root");
    if (x->declared_size != x->count)
        pp_note(notes, PDFPIPE_W_WRONG_SIZE, 0, startxref);
    return PDFPIPE_OK;
}

void
pp_xref_fini(struct pp_xref *x)
{
    pp_lazy_fini(&x->packed);
    pp_buf_fini(&x->trailer);
    *x = (struct pp_xref){ 0 };
}
