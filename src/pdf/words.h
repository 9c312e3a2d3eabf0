/*
 * words.h - integers and other tokens of a text that comes in pieces
 *
 * For decoded data that may be far larger than the memory for them: a piece is
 * gone through and forgotten.  A token may lie across any number of borders
 * and be of any length; only what integers are and where an R stands is kept.
 * The tokens are those of lex.h, without comments, wherever the text is cut.
 */
#ifndef PP_PDF_WORDS_H
#define PP_PDF_WORDS_H

#include <stdbool.h>

#include "base/buf.h"

enum pp_word_kind {
    PP_WORD_INTEGER, /* value, negative     */
    PP_WORD_R,       /* the keyword R       */
    PP_WORD_OTHER,   /* any other token     */
};

struct pp_word {
    enum pp_word_kind kind;
    bool negative;
    uint64_t value; /* absolute, saturated */
};

enum pp_words_state {
    PP_BETWEEN, /* tokens                                            */
    PP_IN_REGULAR,
    PP_IN_NAME,
    PP_IN_COMMENT,
    PP_IN_LITERAL,
    PP_IN_HEX,
    PP_BEHIND_LESS, /* one: is it "<<"?                              */
    PP_BEHIND_GREATER,
};

/* All zero before the first piece. */
struct pp_words {
    const uint8_t *p, *end; /* rest of the piece, borrowed           */
    bool last;              /* nothing follows behind it             */
    enum pp_words_state state;
    uint64_t depth;      /* LITERAL: open brackets                        */
    bool escaped;        /* LITERAL: behind a backslash                   */
    bool begun;          /* REGULAR: there is a character                 */
    bool digits;         /* ... and a digit                               */
    bool integer;        /* ... nothing but a sign and digits             */
    bool is_r;           /* ... nothing but an R                          */
    struct pp_word word; /* REGULAR: as far as it is known           */
};

/* The next piece; the one before must be used up. */
void pp_words_feed(struct pp_words *w, struct pp_view piece, bool last);

/* The next token; false: the piece is used up. */
bool pp_words_next(struct pp_words *w, struct pp_word *word);

#endif
