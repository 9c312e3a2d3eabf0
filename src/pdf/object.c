/* object.c - one pass over the tokens of one object
 *
 * The scanner is a small machine: a stack of open containers, and for each
 * open dictionary whether a key or a value comes next and which key it was.
 * A value is not kept; only keys that encryption needs are told apart.
 * The outermost dictionary is depth 1.
 */
#include "pdf/object.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "pdf/lex.h"
#include "pdf/string.h"

#define MARKS_KEPT     65536u
#define MARKS_OF_TOKEN 2u /* /Length and a string, or two blanks */

enum key {
    KEY_OTHER,
    KEY_TYPE,
    KEY_LENGTH,
    KEY_FILTER,
    KEY_CONTENTS,
    KEY_BYTERANGE,
    KEY_F,
    KEY_L,
    KEY_LINEARIZED,
};

/* An open container. */
struct frame {
    bool array;
    bool key_next;      /* dictionary: a key is due                       */
    enum key key;       /* dictionary: the key whose value is due or was  */
    bool byterange;     /* dictionary: has an array /ByteRange            */
    bool contents;      /* dictionary: has a direct string /Contents ...  */
    size_t contents_at; /* ... which is this mark                         */
    bool contents_odd;  /* dictionary: has a /Contents that is no string  */
    bool other_type;    /* dictionary: /Type is neither Sig nor
                           DocTimeStamp                                   */
    bool signature_type;
};

struct pp_scanner {
    struct pp_mark *mark;
    size_t mark_cap;
    struct frame frame[PP_NESTING_MAX + 1];
};

/* The state of one scan. */
struct scan {
    struct pp_scanner *s;
    struct pp_lex lex;
    struct pp_object *o;
    uint64_t base;
    struct pdfpipe_error *err;
    size_t depth;         /* open containers                         */
    bool have_value;      /* the outermost value is complete         */
    unsigned linear_keys; /* numbers seen: 1 /Linearized, 2 /L       */
    bool lengths;         /* there are marks of /Length ...          */
    size_t length;        /* ... and this is the last                */
    /* Integers directly before this token: a reference may be made of them. */
    unsigned integers;       /* 0, 1 or 2                               */
    struct pp_token last[2]; /* [1] the newest                          */
};

enum pdfpipe_status
pp_scanner_new(struct pp_scanner **out, struct pdfpipe_error *err)
{
    *out = calloc(1, sizeof **out);
    return *out ? PDFPIPE_OK : pp_fail_memory(err);
}

void
pp_scanner_free(struct pp_scanner *s)
{
    if (!s)
        return;
    free(s->mark);
    free(s);
}

/* One object with millions of strings does not pin memory. */
static void
trim_marks(struct pp_scanner *s)
{
    if (s->mark_cap <= MARKS_KEPT)
        return;
    free(s->mark);
    s->mark = NULL;
    s->mark_cap = 0;
}

static enum pdfpipe_status
damaged(const struct scan *c, size_t at, const char *what)
{
    return pp_fail_at(c->err, PDFPIPE_E_DAMAGED_OBJECT, c->base + at, "%s",
                      what);
}

static void
note_odd(struct scan *c, unsigned kind, size_t at)
{
    if (!c->o->odd)
        c->o->odd_at = at;
    c->o->odd |= kind;
}

/* Makes room for the marks of one more token. */
static bool
reserve_marks(struct pp_scanner *s, size_t used)
{
    size_t cap = s->mark_cap ? 2 * s->mark_cap : 256;
    struct pp_mark *mark;

    if (s->mark_cap - used >= MARKS_OF_TOKEN)
        return true;
    mark = realloc(s->mark, cap * sizeof *mark);
    if (!mark)
        return false;
    s->mark = mark;
    s->mark_cap = cap;
    return true;
}

static void
add_mark(struct scan *c, const struct pp_token *token, enum pp_mark_kind kind)
{
    c->s->mark[c->o->marks++] = (struct pp_mark){
        .at = token->at,
        .len = token->len,
        .decoded = token->decoded,
        .kind = kind,
    };
}

static enum key
key_of(struct pp_view name)
{
    static const struct {
        enum key key;
        const char *name;
    } keys[] = {
        { KEY_TYPE, "Type" },
        { KEY_LENGTH, "Length" },
        { KEY_FILTER, "Filter" },
        { KEY_CONTENTS, "Contents" },
        { KEY_BYTERANGE, "ByteRange" },
        { KEY_F, "F" },
        { KEY_L, "L" },
        { KEY_LINEARIZED, "Linearized" },
    };

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        /* The first letter decides for nearly every key, unless escaped. */
        if (name.n > 1 && name.p[1] != (uint8_t)keys[i].name[0] &&
            name.p[1] != '#')
            continue;
        if (pp_name_is(name, keys[i].name))
            return keys[i].key;
    }
    return KEY_OTHER;
}

/* The value of the open dictionary's key is complete. */
static void
value_done(struct scan *c)
{
    if (c->depth == 0)
        c->have_value = true;
    else
        c->s->frame[c->depth].key_next = true;
}

/*
 * Marks the value of /Length that begins with this token, whatever it is: in a
 * stream's dictionary it is replaced.  Strings and comments within it get
 * their own marks behind this one.
 */
static void
mark_length(struct scan *c, const struct pp_token *token)
{
    const struct frame *f = &c->s->frame[c->depth];

    if (c->depth != 1 || f->array || f->key_next || f->key != KEY_LENGTH)
        return;
    c->lengths = true;
    c->length = c->o->marks;
    add_mark(c, token, PP_MARK_LENGTH);
}

/* The value that was marked last goes up to the end of this token. */
static void
extend_length(struct scan *c, const struct pp_token *token)
{
    struct pp_mark *mark = &c->s->mark[c->length];

    mark->len = token->at + token->len - mark->at;
}

/* /Length is a key like any other where no stream follows. */
static void
drop_lengths(struct scan *c)
{
    size_t n = 0;

    for (size_t i = 0; i < c->o->marks; i++)
        if (c->s->mark[i].kind != PP_MARK_LENGTH)
            c->s->mark[n++] = c->s->mark[i];
    c->o->marks = n;
}

/* May a value stand here? In a dictionary only behind a key; if not, the
 * token is odd and is copied like everything else. */
static bool
value_due(struct scan *c, const struct pp_token *token)
{
    struct frame *f = &c->s->frame[c->depth];

    if (c->depth == 0 || f->array || !f->key_next)
        return true;
    note_odd(c, PP_ODD_TOKEN, token->at);
    return false;
}

/* The key for which a value at this depth counts; OTHER inside arrays.  It
 * stays the key behind its value, until the next one comes: "n g R" is known
 * for a reference only at its end. */
static enum key
current_key(const struct scan *c)
{
    const struct frame *f = &c->s->frame[c->depth];

    return c->depth && !f->array ? f->key : KEY_OTHER;
}

static enum pdfpipe_status
open_container(struct scan *c, const struct pp_token *token, bool array)
{
    enum key key = value_due(c, token) ? current_key(c) : KEY_OTHER;
    struct frame *f = &c->s->frame[c->depth];

    f->byterange |= array && key == KEY_BYTERANGE;
    f->contents_odd |= key == KEY_CONTENTS;
    if (c->depth == PP_NESTING_MAX)
        return pp_fail_at(c->err, PDFPIPE_E_LIMIT, c->base + token->at,
                          "more than %u containers within each other",
                          PP_NESTING_MAX);
    if (c->depth == 0 && !array)
        c->o->dictionary = true;
    f[1] = (struct frame){ .array = array, .key_next = !array };
    /* Names inside the array of a stream's /Filter are filters. */
    if (c->depth == 1 && array && key == KEY_FILTER)
        f[1].key = KEY_FILTER;
    c->depth++;
    return PDFPIPE_OK;
}

/*
 * A signature dictionary has a /ByteRange; its /Contents stays in the clear
 * (ISO 32000-2, 7.6.2), which readers decide by the same signs.
 */
static void
close_dictionary(struct scan *c, size_t at)
{
    struct frame *f = &c->s->frame[c->depth];

    /* The linearization dictionary has no /Type; something else that has a
     * key of this name must not be taken for it. */
    if (c->depth == 1 && (f->other_type || f->signature_type))
        c->o->linearized = false;
    if (f->byterange && !f->other_type) {
        c->o->signature = true;
        if (f->contents)
            c->s->mark[f->contents_at].signature = true;
        else if (f->contents_odd)
            note_odd(c, PP_ODD_SIGNATURE, at);
    } else if (f->signature_type && f->contents) {
        note_odd(c, PP_ODD_SIGNATURE, at);
    }
}

static enum pdfpipe_status
close_container(struct scan *c, const struct pp_token *token, bool array)
{
    struct frame *f = &c->s->frame[c->depth];

    if (c->depth == 0 || f->array != array)
        return damaged(c, token->at,
                       array ? "] without its [" : ">> without its <<");
    if (!array) {
        if (!f->key_next)
            note_odd(c, PP_ODD_TOKEN, token->at); /* key without a value */
        close_dictionary(c, token->at);
    }
    f = &c->s->frame[--c->depth];
    if (c->depth == 1 && !f->array && !f->key_next && f->key == KEY_LENGTH)
        extend_length(c, token);
    value_done(c);
    return PDFPIPE_OK;
}

static void
take_key(struct scan *c, struct pp_view name)
{
    struct frame *f = &c->s->frame[c->depth];

    f->key = key_of(name);
    f->key_next = false;
    if (c->depth != 1)
        return;
    c->o->external |= f->key == KEY_F;
    if (f->key == KEY_LENGTH)
        c->o->length_kind = PP_LENGTH_NONE; /* of several, the last counts */
}

static void
take_type(struct scan *c, struct pp_view name)
{
    struct frame *f = &c->s->frame[c->depth];

    f->signature_type =
        pp_name_is(name, "Sig") || pp_name_is(name, "DocTimeStamp");
    f->other_type = !f->signature_type;
    if (c->depth != 1)
        return;
    c->o->type = pp_name_is(name, "XRef")      ? PP_TYPE_XREF
                 : pp_name_is(name, "ObjStm")  ? PP_TYPE_OBJSTM
                 : pp_name_is(name, "Catalog") ? PP_TYPE_CATALOG
                                               : PP_TYPE_OTHER;
}

static void
take_name(struct scan *c, const struct pp_token *token)
{
    struct frame *f = &c->s->frame[c->depth];
    struct pp_view name = pp_token_view(&c->lex, token);

    if (c->depth && !f->array && f->key_next) {
        take_key(c, name);
        return;
    }
    if (current_key(c) == KEY_TYPE)
        take_type(c, name);
    if (f->key == KEY_FILTER && (c->depth == 1 || (c->depth == 2 && f->array)))
        c->o->crypt |= pp_name_is(name, "Crypt");
    value_done(c);
}

static void
take_string(struct scan *c, const struct pp_token *token)
{
    struct frame *f = &c->s->frame[c->depth];
    bool due = value_due(c, token);

    if (token->odd)
        note_odd(c, PP_ODD_HEX, token->at);
    if (due && current_key(c) == KEY_CONTENTS) {
        f->contents = true;
        f->contents_at = c->o->marks;
    }
    value_done(c);
    add_mark(c, token, PP_MARK_STRING);
}

/* A number is the value of a key.  The parameters of a linearization are told
 * from a dictionary that only uses the word by /L, which they must have (ISO
 * 32000-2, table F.1). */
static void
note_linearization(struct scan *c)
{
    if (c->depth != 1 || c->s->frame[1].key_next)
        return;
    c->linear_keys |= current_key(c) == KEY_LINEARIZED ? 1u : 0u;
    c->linear_keys |= current_key(c) == KEY_L ? 2u : 0u;
    c->o->linearized = c->linear_keys == 3;
}

static void
take_integer(struct scan *c, const struct pp_token *token)
{
    struct frame *f = &c->s->frame[c->depth];

    /* The second integer of "n g R" comes where a key is due. */
    if (c->depth && !f->array && f->key_next && c->integers == 0)
        note_odd(c, PP_ODD_TOKEN, token->at);
    if (c->depth == 1 && !f->key_next && current_key(c) == KEY_LENGTH) {
        c->o->length_kind = token->negative ? PP_LENGTH_NONE : PP_LENGTH_DIRECT;
        c->o->length = token->value;
    }
    note_linearization(c);
    if (c->depth == 0 && !c->have_value) {
        c->o->integer = true;
        c->o->value = token->negative ? 0 : token->value;
    }
    value_done(c);
}

static void
take_reference(struct scan *c, const struct pp_token *token)
{
    const struct pp_token *number = &c->last[0], *generation = &c->last[1];

    if (number->negative || generation->negative ||
        number->value > UINT32_MAX || generation->value > UINT32_MAX) {
        note_odd(c, PP_ODD_TOKEN, token->at);
        return;
    }
    if (number->value <= PP_OBJECT_MAX)
        c->o->highest_ref = pp_max(c->o->highest_ref, number->value);
    if (c->depth == 0)
        c->o->integer = false;
    if (current_key(c) == KEY_BYTERANGE)
        c->s->frame[c->depth].byterange = true;
    if (current_key(c) == KEY_CONTENTS)
        c->s->frame[c->depth].contents_odd = true;
    if (c->depth != 1 || current_key(c) != KEY_LENGTH || !c->lengths ||
        c->s->mark[c->length].at != number->at)
        return;
    extend_length(c, token);
    c->o->length_kind = PP_LENGTH_REFERENCE;
    c->o->length_ref = (struct pp_reference){ (uint32_t)number->value,
                                              (uint32_t)generation->value };
}

/* "R" with digits glued to it: readers do not agree on what "1 0 R2" is. */
static bool
is_glued_reference(struct pp_view v)
{
    size_t i = 1;

    while (i < v.n && v.p[i] >= '0' && v.p[i] <= '9')
        i++;
    return v.n > 1 && v.p[0] == 'R' && i == v.n;
}

static enum pdfpipe_status
take_keyword(struct scan *c, const struct pp_token *token)
{
    struct pp_view v = pp_token_view(&c->lex, token);

    if (c->integers == 2 && pp_view_is(v, "R")) {
        take_reference(c, token);
        return PDFPIPE_OK;
    }
    if (c->integers == 2 && is_glued_reference(v))
        return damaged(c, token->at, "a number is glued to a reference");
    if (!pp_view_is(v, "null") && !pp_view_is(v, "true") &&
        !pp_view_is(v, "false"))
        note_odd(c, PP_ODD_TOKEN, token->at);
    else
        (void)value_due(c, token);
    value_done(c);
    return PDFPIPE_OK;
}

/*
 * A lone ) or > is what is left of a string whose brackets do not match: the
 * text beside it belongs to the string, and to copy it would leave it in the
 * clear.  Braces are harmless within a container.
 */
static enum pdfpipe_status
take_odd(struct scan *c, const struct pp_token *token)
{
    uint8_t byte = c->lex.p[token->at];

    if (c->depth == 0 || (byte != '{' && byte != '}'))
        return damaged(c, token->at, "a bracket without its partner");
    note_odd(c, PP_ODD_TOKEN, token->at);
    return PDFPIPE_OK;
}

/* Two integers, the second where a key is due, should have been the beginning
 * of a reference. */
static void
check_integers(struct scan *c, const struct pp_token *token)
{
    const struct frame *f = &c->s->frame[c->depth];

    if (c->integers == 2 && c->depth && !f->array && f->key_next &&
        !pp_token_is(&c->lex, token, "R"))
        note_odd(c, PP_ODD_TOKEN, c->last[1].at);
}

/* One token that is a value, begins or ends one, or is a key. */
static enum pdfpipe_status
take_value(struct scan *c, const struct pp_token *token)
{
    switch (token->kind) {
    case PP_TOK_DICT_OPEN: return open_container(c, token, false);
    case PP_TOK_ARRAY_OPEN: return open_container(c, token, true);
    case PP_TOK_DICT_CLOSE: return close_container(c, token, false);
    case PP_TOK_ARRAY_CLOSE: return close_container(c, token, true);
    case PP_TOK_LITERAL:
    case PP_TOK_HEX: take_string(c, token); return PDFPIPE_OK;
    case PP_TOK_NAME: take_name(c, token); return PDFPIPE_OK;
    case PP_TOK_INTEGER: take_integer(c, token); return PDFPIPE_OK;
    case PP_TOK_NUMBER:
        note_linearization(c);
        (void)value_due(c, token);
        value_done(c);
        return PDFPIPE_OK;
    case PP_TOK_KEYWORD: return take_keyword(c, token);
    case PP_TOK_OPEN_STRING:
        return damaged(c, token->at, "string is not closed");
    case PP_TOK_COMMENT:
    case PP_TOK_ODD:
    case PP_TOK_END:
    case PP_TOK_MORE: break;
    }
    return damaged(c, token->at, "unexpected end");
}

/* One token inside the outermost value. */
static enum pdfpipe_status
take_token(struct scan *c, const struct pp_token *token)
{
    if (!reserve_marks(c->s, c->o->marks))
        return pp_fail_memory(c->err);
    if (token->kind == PP_TOK_COMMENT) {
        add_mark(c, token, PP_MARK_COMMENT);
        return PDFPIPE_OK;
    }
    check_integers(c, token);
    if (token->kind == PP_TOK_ODD)
        return take_odd(c, token);
    if (token->kind != PP_TOK_DICT_CLOSE && token->kind != PP_TOK_ARRAY_CLOSE)
        mark_length(c, token);
    return take_value(c, token);
}

/* Keeps the last integers before a token, so that "n g R" is seen. */
static void
remember(struct scan *c, const struct pp_token *token)
{
    if (token->kind == PP_TOK_COMMENT)
        return;
    if (token->kind != PP_TOK_INTEGER) {
        c->integers = 0;
        return;
    }
    c->last[0] = c->last[1];
    c->last[1] = *token;
    if (c->integers < 2)
        c->integers++;
}

/* True for "endobj", also when the next object's number is glued to it. */
static bool
is_endobj(const struct scan *c, const struct pp_token *token, size_t *end)
{
    struct pp_view v = pp_token_view(&c->lex, token);

    if (token->kind != PP_TOK_KEYWORD || v.n < 6 ||
        memcmp(v.p, "endobj", 6) != 0)
        return false;
    for (size_t i = 6; i < v.n; i++)
        if (v.p[i] < '0' || v.p[i] > '9')
            return false;
    *end = token->at + 6;
    return true;
}

/* Does something begin here that can only stand behind an object? */
static bool
begins_next(const struct scan *c, const struct pp_token *token)
{
    return (c->integers == 2 && pp_token_is(&c->lex, token, "obj")) ||
           pp_token_is(&c->lex, token, "xref") ||
           pp_token_is(&c->lex, token, "trailer") ||
           pp_token_is(&c->lex, token, "startxref");
}

/*
 * Finds where the data begin behind the keyword stream: CR LF or LF; a lone CR
 * and blanks before the end of line are tolerated, as is no end of line.
 */
static void
find_data(struct scan *c, size_t at)
{
    const uint8_t *p = c->lex.p;
    size_t n = c->lex.n, eol = at;

    while (eol < n && (p[eol] == ' ' || p[eol] == '\t' || p[eol] == 0))
        eol++;
    if (n - eol < 2 && !c->lex.whole) {
        c->o->more = true;
        return;
    }
    if (eol < n && p[eol] == '\n') {
        c->o->end = eol + 1;
    } else if (eol + 1 < n && p[eol] == '\r' && p[eol + 1] == '\n') {
        c->o->end = eol + 2;
    } else if (eol < n && p[eol] == '\r') {
        c->o->end = eol + 1;
        note_odd(c, PP_ODD_STREAM_EOL, at);
        return;
    } else {
        c->o->end = at; /* no end of line at all: data follow at once */
        note_odd(c, PP_ODD_STREAM_EOL, at);
        return;
    }
    if (eol != at)
        note_odd(c, PP_ODD_STREAM_EOL, at);
}

/* Integers that do not number the next object are as lost as other tokens
 * behind the value. */
static void
note_extra(struct scan *c, const struct pp_token *token)
{
    if (c->integers == 0 || token->kind == PP_TOK_COMMENT ||
        (token->kind == PP_TOK_INTEGER && c->integers < 2))
        return;
    if (c->integers < 2 || !pp_token_is(&c->lex, token, "obj"))
        note_odd(c, PP_ODD_EXTRA, c->last[2 - c->integers].at);
}

/*
 * Behind the value: "stream", "endobj", or something that shows that endobj is
 * missing; other tokens are dropped with a warning.  Integers are held back
 * until it is clear that they do not number the next object.
 */
static enum pdfpipe_status
after_value(struct scan *c)
{
    struct pp_token token;
    size_t end;

    c->integers = 0;
    for (;;) {
        pp_lex_next(&c->lex, &token);
        if (token.kind == PP_TOK_MORE ||
            (token.kind == PP_TOK_END && !c->lex.whole)) {
            c->o->more = true;
            return PDFPIPE_OK;
        }
        note_extra(c, &token);
        if (is_endobj(c, &token, &end)) {
            c->o->end = end;
            return PDFPIPE_OK;
        }
        if (token.kind == PP_TOK_END || begins_next(c, &token)) {
            note_odd(c, PP_ODD_NO_ENDOBJ, token.at);
            c->o->end = c->o->body_end;
            return PDFPIPE_OK;
        }
        if (c->o->dictionary && pp_token_is(&c->lex, &token, "stream")) {
            c->o->stream = true;
            find_data(c, token.at + token.len);
            return PDFPIPE_OK;
        }
        if (token.kind == PP_TOK_OPEN_STRING)
            return damaged(c, token.at, "string is not closed");
        if (token.kind != PP_TOK_COMMENT && token.kind != PP_TOK_INTEGER)
            note_odd(c, PP_ODD_EXTRA, token.at);
        remember(c, &token);
    }
}

/* "n g obj" */
static enum pdfpipe_status
header(struct scan *c)
{
    struct pp_token t[3];
    bool was = c->lex.comments;

    c->lex.comments = false;
    for (int i = 0; i < 3; i++) {
        pp_lex_next(&c->lex, &t[i]);
        if (t[i].kind == PP_TOK_MORE ||
            (t[i].kind == PP_TOK_END && !c->lex.whole)) {
            c->o->more = true;
            return PDFPIPE_OK;
        }
        if (t[i].kind != (i < 2 ? PP_TOK_INTEGER : PP_TOK_KEYWORD))
            return damaged(c, t[0].at, "no object begins here");
    }
    c->lex.comments = was;
    if (!pp_token_is(&c->lex, &t[2], "obj") || t[0].negative || t[1].negative ||
        t[0].value > UINT32_MAX || t[1].value > UINT32_MAX)
        return damaged(c, t[0].at, "no object begins here");
    c->o->number = (uint32_t)t[0].value;
    c->o->generation = (uint32_t)t[1].value;
    return PDFPIPE_OK;
}

/* Is the token the end of an object that has no value, or not all of it? */
static bool
ends_early(struct scan *c, const struct pp_token *token, size_t *end)
{
    if (is_endobj(c, token, end))
        return true;
    *end = token->at;
    return begins_next(c, token);
}

/* Marks what stands between two tokens as one comment: it becomes a blank. */
static void
blank_between(struct scan *c, const struct pp_token *a,
              const struct pp_token *b)
{
    struct pp_token gap = { .at = a->at + a->len };

    gap.len = b->at - gap.at;
    add_mark(c, &gap, PP_MARK_COMMENT);
}

/* A bare integer at the top may be the first of a reference: looks whether
 * "g R" follows, and sets more when the text ends before that is clear. */
static void
finish_reference(struct scan *c)
{
    struct pp_lex ahead = c->lex;
    struct pp_token first = c->last[1], t[2];

    ahead.comments = false;
    for (int i = 0; i < 2; i++) {
        pp_lex_next(&ahead, &t[i]);
        if (t[i].kind == PP_TOK_MORE ||
            (t[i].kind == PP_TOK_END && !ahead.whole)) {
            c->o->more = true;
            return;
        }
        if (i == 0 && t[i].kind != PP_TOK_INTEGER)
            return;
    }
    if (!pp_token_is(&ahead, &t[1], "R"))
        return;
    c->last[0] = first;
    c->last[1] = t[0];
    take_reference(c, &t[1]);
    c->lex.at = ahead.at;
    c->o->body_end = ahead.at;
    /* The integer left its room for marks unused. */
    blank_between(c, &first, &t[0]);
    blank_between(c, &t[0], &t[1]);
}

static enum pdfpipe_status
scan_value(struct scan *c)
{
    enum pdfpipe_status st;
    struct pp_token token;
    size_t end = 0;
    bool first = true;

    while (!c->have_value) {
        pp_lex_next(&c->lex, &token);
        if (token.kind == PP_TOK_MORE ||
            (token.kind == PP_TOK_END && !c->lex.whole)) {
            c->o->more = true;
            return PDFPIPE_OK;
        }
        if (token.kind == PP_TOK_END || ends_early(c, &token, &end)) {
            if (c->depth)
                return damaged(c, token.at, "container is not closed");
            if (token.kind == PP_TOK_END)
                return damaged(c, token.at, "object has no value");
            c->lex.at = token.at; /* "n g obj endobj" is null */
            break;
        }
        if (first && token.kind != PP_TOK_COMMENT) {
            c->o->body = token.at;
            first = false;
        }
        st = take_token(c, &token);
        if (st)
            return st;
        remember(c, &token);
        c->o->body_end = token.at + token.len;
    }
    if (first)
        c->o->body = c->o->body_end = c->lex.at;
    if (c->o->integer)
        finish_reference(c);
    return PDFPIPE_OK;
}

enum pdfpipe_status
pp_object_scan(struct pp_scanner *s, struct pp_view text, uint64_t base,
               bool whole, enum pp_scan_form form, struct pp_object *object,
               struct pdfpipe_error *err)
{
    struct scan c = {
        .s = s,
        .lex = { .p = text.p, .n = text.n, .whole = whole, .comments = true },
        .o = object,
        .base = base,
        .err = err,
    };
    enum pdfpipe_status st;

    *object = (struct pp_object){ 0 };
    s->frame[0] = (struct frame){ 0 };
    trim_marks(s);
    if (form == PP_SCAN_INDIRECT) {
        st = header(&c);
        if (st || object->more)
            return st;
    }
    st = scan_value(&c);
    if (!st && !object->more) {
        if (form == PP_SCAN_INDIRECT)
            st = after_value(&c);
        else
            object->end = object->body_end;
    }
    if (c.lengths && !object->stream)
        drop_lengths(&c);
    object->mark = s->mark;
    if (st)
        pp_error_object(err, object->number, object->generation);
    return st;
}

bool
pp_endstream_here(struct pp_view text, size_t *end, bool *endobj)
{
    /* A "%" before the keyword belongs to the data of a stream whose /Length
     * is too small: it is no comment. */
    struct pp_lex lex = {
        .p = text.p, .n = text.n, .whole = true, .comments = true
    };
    struct pp_token token;

    pp_lex_next(&lex, &token);
    if (token.kind != PP_TOK_KEYWORD || token.len < 9 ||
        memcmp(text.p + token.at, "endstream", 9) != 0)
        return false;
    *endobj = false;
    *end = token.at + 9;
    if (token.len == 15 && memcmp(text.p + token.at + 9, "endobj", 6) == 0) {
        *endobj = true;
        *end = token.at + 15;
        return true;
    }
    if (token.len != 9)
        return false;
    lex.comments = false;
    pp_lex_next(&lex, &token);
    if (pp_token_is(&lex, &token, "endobj")) {
        *endobj = true;
        *end = token.at + token.len;
    }
    return true;
}
