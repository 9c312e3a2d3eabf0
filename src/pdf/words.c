/* words.c - integers and other tokens of a text that comes in pieces */
#include "pdf/words.h"

#include "pdf/lex.h"

void
pp_words_feed(struct pp_words *w, struct pp_view piece, bool last)
{
    w->p = piece.n ? piece.p : NULL;
    w->end = piece.n ? piece.p + piece.n : NULL;
    w->last = last;
}

/* The byte behind which something else is meant goes, if it is here. */
static void
behind(struct pp_words *w, uint8_t second, enum pp_words_state otherwise)
{
    w->state = otherwise;
    if (*w->p != second)
        return;
    w->p++;
    w->state = PP_BETWEEN;
}

/* The first byte of a token; true: it is one that is told now. */
static bool
begin(struct pp_words *w)
{
    while (w->p < w->end && pp_is_white(*w->p))
        w->p++;
    if (w->p == w->end)
        return false;
    if (pp_is_regular(*w->p)) {
        w->state = PP_IN_REGULAR;
        w->word = (struct pp_word){ .kind = PP_WORD_OTHER };
        w->begun = w->digits = w->is_r = false;
        w->integer = true;
        return false;
    }
    switch (*w->p++) {
    case '%': w->state = PP_IN_COMMENT; return false;
    case '/': w->state = PP_IN_NAME; return true;
    case '<': w->state = PP_BEHIND_LESS; return true;
    case '>': w->state = PP_BEHIND_GREATER; return true;
    case '(':
        w->state = PP_IN_LITERAL;
        w->depth = 1;
        w->escaped = false;
        return true;
    default: return true;
    }
}

/* What the characters of a run add to what is known of it. */
static void
take_regular(struct pp_words *w, const uint8_t *p, const uint8_t *end)
{
    struct pp_word word = w->word;
    bool integer = w->integer, digits = w->digits;

    if (p < end && !w->begun) {
        w->begun = true;
        w->is_r = *p == 'R' && end - p == 1;
        word.negative = *p == '-';
        p += *p == '+' || *p == '-';
    } else if (p < end) {
        w->is_r = false;
    }
    for (; p < end && *p >= '0' && *p <= '9'; p++) {
        word.value = pp_decimal_append(word.value, (unsigned)(*p - '0'));
        digits = true;
    }
    w->integer = integer && p == end;
    w->digits = digits;
    w->word = word;
}

/* True: the token has ended. */
static bool
go_on_regular(struct pp_words *w)
{
    const uint8_t *p = w->p;

    while (p < w->end && pp_is_regular(*p))
        p++;
    take_regular(w, w->p, p);
    w->p = p;
    if (p == w->end && !w->last)
        return false;
    w->state = PP_BETWEEN;
    if (w->integer && w->digits)
        w->word.kind = PP_WORD_INTEGER;
    else if (w->is_r)
        w->word.kind = PP_WORD_R;
    return true;
}

static void
skip_literal(struct pp_words *w)
{
    while (w->p < w->end) {
        uint8_t c = *w->p++;

        if (w->escaped) {
            w->escaped = false;
        } else if (c == '\\') {
            w->escaped = true;
        } else if (c == '(') {
            w->depth++;
        } else if (c == ')' && --w->depth == 0) {
            w->state = PP_BETWEEN;
            return;
        }
    }
}

static void
skip_to(struct pp_words *w, uint8_t end, uint8_t other_end)
{
    while (w->p < w->end && *w->p != end && *w->p != other_end)
        w->p++;
    if (w->p == w->end)
        return;
    w->p++;
    w->state = PP_BETWEEN;
}

static void
skip_name(struct pp_words *w)
{
    while (w->p < w->end && pp_is_regular(*w->p))
        w->p++;
    if (w->p < w->end)
        w->state = PP_BETWEEN;
}

bool
pp_words_next(struct pp_words *w, struct pp_word *word)
{
    while (w->p < w->end || (w->last && w->state == PP_IN_REGULAR)) {
        switch (w->state) {
        case PP_BETWEEN:
            if (!begin(w))
                break;
            *word = (struct pp_word){ .kind = PP_WORD_OTHER };
            return true;
        case PP_IN_REGULAR:
            if (!go_on_regular(w))
                break;
            *word = w->word;
            return true;
        case PP_IN_NAME: skip_name(w); break;
        case PP_IN_COMMENT: skip_to(w, '\n', '\r'); break;
        case PP_IN_LITERAL: skip_literal(w); break;
        case PP_IN_HEX: skip_to(w, '>', '>'); break;
        case PP_BEHIND_LESS: behind(w, '<', PP_IN_HEX); break;
        case PP_BEHIND_GREATER: behind(w, '>', PP_BETWEEN); break;
        }
    }
    return false;
}
