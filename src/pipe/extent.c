/* extent.c - where the data of a stream end
 *
 * Length first: data may hold the word endstream.  The search is only for
 * files whose /Length is wrong; it ends at the next object, so that all
 * searches of a document together read it once.
 */
#include "pipe/extent.h"

#include <string.h>

#include "base/num.h"
#include "pdf/lex.h"

#define KEYWORD   "endstream"
#define KEYWORD_N 9u
#define AFTER     64u    /* bytes looked at behind the data     */
#define CHUNK     65536u /* bytes searched at a time            */

/* What /Length says, resolved; false: nothing usable. */
static bool
said_length(struct pp_fetch *fetch, const struct pp_object *o, uint64_t *length)
{
    bool found = false;

    if (o->length_kind == PP_LENGTH_DIRECT) {
        *length = o->length;
        return true;
    }
    if (o->length_kind == PP_LENGTH_REFERENCE)
        pp_fetch_integer(fetch, o->length_ref, length, &found);
    return found;
}

/* Does the text behind an endstream go on as a file does, not as data? */
static bool
goes_on(struct pp_view text)
{
    static const char *const words[] = { "endobj", "xref", "startxref",
                                         "trailer" };
    struct pp_lex lex = { .p = text.p, .n = text.n, .whole = true };
    struct pp_token token;
    bool fits;

    pp_lex_next(&lex, &token);
    fits = token.kind == PP_TOK_END || token.kind == PP_TOK_INTEGER;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        fits |= pp_token_is(&lex, &token, words[i]);
    return fits;
}

/* Does the keyword stand here, behind white space?  *sure: and what belongs
 * there behind it. */
static bool
ends_here(struct pp_view text, bool *sure)
{
    bool endobj = false;
    size_t end = 0;

    *sure = false;
    text.n = (size_t)pp_min(text.n, AFTER);
    if (!pp_endstream_here(text, &end, &endobj))
        return false;
    *sure = endobj || goes_on((struct pp_view){ text.p + end, text.n - end });
    return true;
}

/* Does the keyword stand where /Length says?  One place, far from what the
 * window shows: read by itself. */
static enum pdfpipe_status
ends_at(const struct pp_input *input, uint64_t at, bool *ends,
        struct pdfpipe_error *err)
{
    uint8_t bytes[AFTER];
    enum pdfpipe_status st;
    bool sure;
    size_t n;

    *ends = false;
    if (at > input->size)
        return PDFPIPE_OK;
    n = (size_t)pp_min(sizeof bytes, input->size - at);
    st = input->read(input->self, at, bytes, n, err);
    if (!st)
        *ends = ends_here((struct pp_view){ bytes, n }, &sure);
    return st;
}

/* Without the end of line before the keyword, which is not data. */
static uint64_t
without_eol(const uint8_t *p, uint64_t n)
{
    if (n && p[n - 1] == '\n')
        n--;
    if (n && p[n - 1] == '\r' && p[n] == '\n')
        return n - 1;
    if (n && p[n - 1] == '\r' && p[n] != '\n')
        n--;
    return n;
}

/* The first keyword in [at, limit): *length is that of the data before it. */
static enum pdfpipe_status
next_keyword(struct pp_fetch *fetch, uint64_t data, uint64_t at, uint64_t limit,
             bool *found, uint64_t *keyword, uint64_t *length,
             struct pdfpipe_error *err)
{
    *found = false;
    while (at < limit) {
        size_t want = (size_t)pp_min(CHUNK, limit - at);
        /* Two bytes before, to see the end of line in one piece. */
        uint64_t from = at - data >= 2 ? at - 2 : data;
        struct pp_view v;
        const uint8_t *p;
        enum pdfpipe_status st =
            pp_peek_at(&fetch->peek, from, want + (size_t)(at - from), &v, err);

        if (st)
            return st;
        v.n = (size_t)pp_min(v.n, limit - from);
        if (v.n < at - from)
            return PDFPIPE_OK;
        p = memmem(v.p + (at - from), v.n - (size_t)(at - from), KEYWORD,
                   KEYWORD_N);
        if (p) {
            uint64_t n = (uint64_t)(p - v.p);

            *found = true;
            *keyword = from + n;
            *length = from - data + without_eol(v.p, n);
            return PDFPIPE_OK;
        }
        if (v.n < KEYWORD_N + 2 || from + v.n >= limit)
            return PDFPIPE_OK;
        at = from + v.n - KEYWORD_N;
    }
    return PDFPIPE_OK;
}

/* The first keyword in [data, limit) behind which the file goes on, as the word
 * may be a part of the data; else the first. */
static enum pdfpipe_status
search(struct pp_fetch *fetch, uint64_t data, uint64_t limit, bool *found,
       uint64_t *length, struct pdfpipe_error *err)
{
    uint64_t at = data, here = 0, bytes = 0;
    bool more = true, sure = false;

    *found = false;
    while (more && !sure) {
        enum pdfpipe_status st =
            next_keyword(fetch, data, at, limit, &more, &here, &bytes, err);
        struct pp_view v;

        if (!st && more)
            st = pp_peek_at(&fetch->peek, here, AFTER, &v, err);
        if (st)
            return st;
        if (more)
            (void)ends_here(v, &sure); /* the word is there */
        if (more && (!*found || sure)) {
            *found = true;
            *length = bytes;
        }
        at = here + KEYWORD_N;
    }
    return PDFPIPE_OK;
}

enum pdfpipe_status
pp_stream_extent(struct pp_fetch *fetch, const struct pp_object *o,
                 uint64_t data, uint64_t limit, struct pp_notes *notes,
                 uint64_t *length, struct pdfpipe_error *err)
{
    const struct pp_input *input = fetch->peek.input;
    bool said = said_length(fetch, o, length), ends = false, found;
    enum pdfpipe_status st;
    uint64_t end;

    if (said && pp_add(data, *length, &end)) {
        st = ends_at(input, end, &ends, err);
        if (st || ends)
            return st;
    }
    st = search(fetch, data, limit, &found, length, err);
    if (st)
        return st;
    if (found) {
        pp_note(notes, PDFPIPE_W_RECOVERED_LENGTH, o->number, data);
        return PDFPIPE_OK;
    }
    if (limit == input->size)
        return pp_fail_at(err, PDFPIPE_E_TRUNCATED, data,
                          "stream runs past the end of the file");
    return pp_fail_at(err, PDFPIPE_E_DAMAGED_STREAM, data,
                      "no endstream before the next object");
}
