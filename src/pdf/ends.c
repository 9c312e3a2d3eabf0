/* ends.c - both ends of a file */
#include "pdf/ends.h"

#include <string.h>

#include "base/num.h"
#include "pdf/lex.h"

#define HEADER_BYTES 1024u
#define TAIL_BYTES   65536u

bool
pp_version_parse(struct pp_view text, struct pp_version *version)
{
    if (text.n < 3 || text.p[0] < '0' || text.p[0] > '9' || text.p[1] != '.' ||
        text.p[2] < '0' || text.p[2] > '9')
        return false;
    version->major = (unsigned)(text.p[0] - '0');
    version->minor = (unsigned)(text.p[2] - '0');
    return true;
}

enum pdfpipe_status
pp_header_find(struct pp_peek *peek, uint64_t *at, struct pp_version *version,
               struct pp_notes *notes, struct pdfpipe_error *err)
{
    static const char mark[] = "%PDF-";
    struct pp_view v;
    enum pdfpipe_status st;
    const uint8_t *p;

    st = pp_peek_at(peek, 0, HEADER_BYTES + sizeof mark + 3, &v, err);
    if (st)
        return st;
    if (v.n == 0)
        return pp_fail_at(err, PDFPIPE_E_NOT_PDF, 0, "file is empty");
    p = memmem(v.p, pp_min(v.n, HEADER_BYTES + sizeof mark - 1), mark,
               sizeof mark - 1);
    if (!p)
        return pp_fail_at(err, PDFPIPE_E_NOT_PDF, 0,
                          "no %%PDF- header in the first 1,024 bytes");
    *at = (uint64_t)(p - v.p);
    if (*at)
        pp_note(notes, PDFPIPE_W_HEADER_JUNK, 0, 0);
    p += sizeof mark - 1;
    *version = (struct pp_version){ 1, 0 };
    (void)pp_version_parse((struct pp_view){ p, v.n - (size_t)(p - v.p) },
                           version);
    return PDFPIPE_OK;
}

/* The last place of word in text, or NULL. */
static const uint8_t *
find_last(struct pp_view text, const char *word)
{
    size_t n = strlen(word);

    for (size_t i = text.n < n ? 0 : text.n - n + 1; i > 0; i--)
        if (memcmp(text.p + i - 1, word, n) == 0)
            return text.p + i - 1;
    return NULL;
}

static bool
is_digit(uint8_t c)
{
    return c >= '0' && c <= '9';
}

/* Steps back over at least one of what a test says; false: there is none. */
static bool
step_back(struct pp_view text, size_t *at, bool (*test)(uint8_t c))
{
    size_t from = *at;

    while (*at && test(text.p[*at - 1]))
        --*at;
    return *at < from;
}

/* Does "n g obj" stand in a text that may be anything?  *at: where. */
static bool
holds_object(struct pp_view text, size_t *at)
{
    static const char word[] = "obj";
    const size_t n = sizeof word - 1;
    size_t from = 0;
    const uint8_t *p;

    while ((p = memmem(text.p + from, text.n - from, word, n)) != NULL) {
        *at = (size_t)(p - text.p);
        from = *at + n;
        if (step_back(text, at, pp_is_white) && step_back(text, at, is_digit) &&
            step_back(text, at, pp_is_white) && step_back(text, at, is_digit))
            return true;
    }
    return false;
}

/* What stands behind the number: %%EOF, and nothing but white space.  An
 * object there belongs to an update whose cross-reference got lost. */
static void
note_end(struct pp_view rest, uint64_t base, struct pp_notes *notes)
{
    const uint8_t *eof = memmem(rest.p, rest.n, "%%EOF", 5);
    size_t at;

    if (holds_object(rest, &at))
        pp_note(notes, PDFPIPE_W_TAIL_OBJECT, 0, base + at);
    if (!eof) {
        pp_note(notes, PDFPIPE_W_NO_EOF, 0, base);
        return;
    }
    for (const uint8_t *p = eof + 5; p < rest.p + rest.n; p++)
        if (!pp_is_white(*p)) {
            pp_note(notes, PDFPIPE_W_TAIL_JUNK, 0,
                    base + (uint64_t)(p - rest.p));
            return;
        }
}

enum pdfpipe_status
pp_startxref_find(struct pp_peek *peek, uint64_t *offset,
                  struct pp_notes *notes, struct pdfpipe_error *err)
{
    uint64_t size = peek->input->size;
    uint64_t from = size > TAIL_BYTES ? size - TAIL_BYTES : 0;
    struct pp_token token;
    enum pdfpipe_status st;
    struct pp_view v;
    struct pp_lex lex;
    const uint8_t *p;

    st = pp_peek_at(peek, from, (size_t)(size - from), &v, err);
    if (st)
        return st;
    v.n = (size_t)(size - from);
    p = find_last(v, "startxref");
    if (!p)
        return pp_fail_at(err, PDFPIPE_E_DAMAGED_XREF, size,
                          "no startxref in the last %u bytes: the end of the "
                          "file is missing or damaged",
                          TAIL_BYTES);
    from += (uint64_t)(p - v.p);
    v = (struct pp_view){ p + 9, v.n - (size_t)(p - v.p) - 9 };
    lex = pp_lex_over(v);
    pp_lex_next(&lex, &token);
    if (token.kind != PP_TOK_INTEGER || token.negative)
        return pp_fail_at(err, PDFPIPE_E_DAMAGED_XREF, from,
                          "no number follows startxref");
    *offset = token.value;
    note_end((struct pp_view){ v.p + lex.at, v.n - lex.at }, from + 9 + lex.at,
             notes);
    return PDFPIPE_OK;
}
