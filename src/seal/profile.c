/* profile.c - what must be known of a document before its first object */
#include "seal/profile.h"

#include "pdf/dict.h"
#include "pdf/string.h"

static bool
keep(struct pp_buf *to, struct pp_view v)
{
    return pp_buf_append(to, v.p, v.n);
}

/* Entries that describe the old file, or are written anew. */
static bool
is_own_entry(struct pp_view name)
{
    static const char *const own[] = {
        "Root",        "Info", "Prev",    "XRefStm",      "Size",   "ID",
        "Encrypt",     "Type", "W",       "Index",        "Length", "Filter",
        "DecodeParms", "F",    "FFilter", "FDecodeParms", "DL",     "AuthCode",
    };

    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (pp_name_is(name, own[i]))
            return true;
    return false;
}

/* The text of an entry without comments, each run of blanks kept. */
static bool
keep_entry(struct pp_buf *to, struct pp_view name, struct pp_view value)
{
    struct pp_lex lex = pp_lex_over(value);
    struct pp_token token;

    if (!keep(to, name))
        return false;
    for (pp_lex_next(&lex, &token); token.kind != PP_TOK_END;
         pp_lex_next(&lex, &token))
        if (!pp_buf_append(to, " ", 1) ||
            !keep(to, pp_token_view(&lex, &token)))
            return false;
    return true;
}

/* Trailer entries that this program does not know are kept, unless a string
 * is in them: no reader would decrypt it there, so it would have to stay in
 * the clear. */
static enum pdfpipe_status
read_extra(struct pp_profile *p, struct pp_view trailer, struct pp_notes *notes,
           struct pdfpipe_error *err)
{
    struct pp_view name, value;
    struct pp_walk w;

    pp_walk_init(&w, trailer);
    while (pp_walk_next(&w, &name, &value)) {
        if (is_own_entry(name) || value.n == 0)
            continue;
        if (pp_value_has_string(value))
            pp_note(notes, PDFPIPE_W_TRAILER_KEY, 0, PDFPIPE_NO_OFFSET);
        else if (!keep_entry(&p->extra, name, value))
            return pp_fail_memory(err);
    }
    return PDFPIPE_OK;
}

static enum pdfpipe_status
read_id(struct pp_profile *p, struct pp_view trailer, struct pdfpipe_error *err)
{
    struct pp_view value, name, first;
    struct pp_token token;
    struct pp_lex lex;
    struct pp_walk w;

    if (!pp_dict_find(trailer, "ID", &value))
        return PDFPIPE_OK;
    pp_walk_init(&w, value);
    if (!w.array || !pp_walk_next(&w, &name, &first))
        return PDFPIPE_OK;
    lex = pp_lex_over(first);
    pp_lex_next(&lex, &token);
    if (token.kind != PP_TOK_LITERAL && token.kind != PP_TOK_HEX)
        return PDFPIPE_OK;
    if (!pp_buf_reserve(&p->id, token.decoded + 1))
        return pp_fail_memory(err);
    p->id.n = pp_string_decode(first, p->id.p, token.decoded);
    return PDFPIPE_OK;
}

static enum pdfpipe_status
read_encrypt(struct pp_profile *p, struct pp_view trailer,
             struct pp_fetch *fetch, struct pdfpipe_error *err)
{
    enum pdfpipe_status st;
    struct pp_view v;
    bool found;

    if (!pp_dict_find(trailer, "Encrypt", &v))
        return PDFPIPE_OK;
    if (pp_value_reference(v, &p->encrypt)) {
        st = pp_fetch_value(fetch, p->encrypt, &v, &found, err);
        if (st)
            return st;
        if (!found)
            return PDFPIPE_OK;
    }
    return keep(&p->encrypt_text, v) ? PDFPIPE_OK : pp_fail_memory(err);
}

static enum pdfpipe_status
read_trailer(struct pp_profile *p, struct pp_view trailer,
             struct pp_fetch *fetch, struct pp_notes *notes,
             struct pdfpipe_error *err)
{
    enum pdfpipe_status st;
    struct pp_view v;

    if (!pp_dict_find(trailer, "Root", &v) || !pp_value_reference(v, &p->root))
        return pp_fail(err, PDFPIPE_E_DAMAGED_TRAILER,
                       "/Root of the trailer is not a reference");
    if (pp_dict_find(trailer, "Info", &v) && !pp_value_reference(v, &p->info) &&
        pp_value_dict(v) && !keep(&p->info_text, v))
        return pp_fail_memory(err);
    st = read_id(p, trailer, err);
    if (!st)
        st = read_encrypt(p, trailer, fetch, err);
    return st ? st : read_extra(p, trailer, notes, err);
}

/* The catalog's /Perms holds the signature that grants usage rights or
 * certifies the document. */
static enum pdfpipe_status
read_perms(struct pp_profile *p, struct pp_view catalog, struct pp_fetch *fetch,
           struct pdfpipe_error *err)
{
    static const char *const keys[] = { "DocMDP", "UR3", "UR" };
    struct pp_reference ref;
    struct pp_view perms, v;
    bool found;

    if (!pp_dict_find(catalog, "Perms", &perms))
        return PDFPIPE_OK;
    if (pp_value_reference(perms, &ref)) {
        enum pdfpipe_status st =
            pp_fetch_value(fetch, ref, &perms, &found, err);

        if (st || !found)
            return st;
    }
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        p->usage_rights |= pp_dict_find(perms, keys[i], &v);
    return PDFPIPE_OK;
}

static enum pdfpipe_status
read_extensions(struct pp_profile *p, const struct pp_xref *xref,
                struct pp_view catalog, struct pp_fetch *fetch,
                struct pdfpipe_error *err)
{
    struct pp_entry e;
    struct pp_view v;
    bool found;

    if (!pp_dict_find(catalog, "Extensions", &v) ||
        !pp_value_reference(v, &p->extensions))
        return PDFPIPE_OK;
    e = pp_xref_entry(xref, p->extensions.number);
    if (e.kind == PP_ENTRY_COMPRESSED) {
        enum pdfpipe_status st =
            pp_fetch_value(fetch, p->extensions, &v, &found, err);

        if (st)
            return st;
        if (found && pp_value_dict(v))
            return keep(&p->extensions_text, v) ? PDFPIPE_OK
                                                : pp_fail_memory(err);
    } else if (e.kind == PP_ENTRY_OFFSET) {
        return PDFPIPE_OK;
    }
    p->extensions = (struct pp_reference){ 0, 0 };
    return PDFPIPE_OK;
}

/* What the catalog says by itself. */
static void
read_direct(struct pp_profile *p, struct pp_view catalog)
{
    struct pp_version version;
    struct pp_view v;

    if (pp_dict_find(catalog, "Version", &v) && v.n > 1 &&
        pp_version_parse((struct pp_view){ v.p + 1, v.n - 1 }, &version) &&
        pp_version_less(p->version, version))
        p->version = version;
    if (pp_dict_find(catalog, "Metadata", &v))
        (void)pp_value_reference(v, &p->metadata); /* else: none */
}

static enum pdfpipe_status
read_catalog(struct pp_profile *p, const struct pp_xref *xref,
             struct pp_fetch *fetch, struct pdfpipe_error *err)
{
    bool in_stream =
        pp_xref_entry(xref, p->root.number).kind == PP_ENTRY_COMPRESSED;
    struct pp_buf copy = { 0 };
    enum pdfpipe_status st;
    struct pp_view v;
    bool found;

    /* Object streams of an encrypted file are ciphertext here. */
    if (xref->encrypted && in_stream)
        return PDFPIPE_OK;
    st = pp_fetch_value(fetch, p->root, &v, &found, err);
    if (st)
        return st;
    if (!found || !pp_value_dict(v))
        return pp_fail(err, PDFPIPE_E_DAMAGED_TRAILER,
                       "/Root points at object %u, which is not a dictionary",
                       p->root.number);
    if (!keep(&copy, v)) /* the view ends with the next fetch */
        return pp_fail_memory(err);
    read_direct(p, pp_buf_view(&copy));
    if (!xref->encrypted)
        st = read_perms(p, pp_buf_view(&copy), fetch, err);
    if (!st && !xref->encrypted)
        st = read_extensions(p, xref, pp_buf_view(&copy), fetch, err);
    if (!st && in_stream) {
        p->root_text = copy;
        return PDFPIPE_OK;
    }
    pp_buf_fini(&copy);
    return st;
}

enum pdfpipe_status
pp_profile_read(struct pp_profile *p, const struct pp_xref *xref,
                struct pp_fetch *fetch, struct pp_notes *notes,
                struct pdfpipe_error *err)
{
    enum pdfpipe_status st;

    p->version = xref->version;
    st = read_trailer(p, pp_buf_view(&xref->trailer), fetch, notes, err);
    return st ? st : read_catalog(p, xref, fetch, err);
}

void
pp_profile_fini(struct pp_profile *p)
{
    pp_buf_fini(&p->root_text);
    pp_buf_fini(&p->info_text);
    pp_buf_fini(&p->extensions_text);
    pp_buf_fini(&p->encrypt_text);
    pp_buf_fini(&p->id);
    pp_buf_fini(&p->extra);
    *p = (struct pp_profile){ 0 };
}

void
pp_profile_edits(const struct pp_profile *p, struct pp_view catalog,
                 struct pp_edits *edits)
{
    /* Revision 6 is part of PDF 2.0; before, it is an extension. */
    if (p->version.major < 2)
        pp_edit_catalog(catalog, p->extensions.number != 0, edits);
}
