/*
 * stretches.h - stretches made by hand, before and after the cipher
 *
 * A stretch is described by a list of parts.  stretch_lay() makes what the
 * reader would lay out to be sealed; stretch_lay_sealed() what it would lay
 * out to check the output of the first.  Buffers have exactly the size that is
 * needed, so that a sanitizer sees one byte too many.
 */
#ifndef TESTS_STRETCHES_H
#define TESTS_STRETCHES_H

#include "seal/sealer.h"

enum part_kind {
    PART_NONE,   /* nothing; fills up a table              */
    PART_OBJECT, /* "number generation obj\n" begins here */
    PART_TEXT,
    PART_STRING, /* text is the token */
    PART_STREAM, /* bytes             */
};

struct part {
    enum part_kind kind;
    uint32_t number, generation; /* OBJECT; of a STREAM too */
    const char *text;
    const uint8_t *bytes;
    size_t n;       /* STREAM */
    bool clear;     /* STREAM: not encrypted                      */
    bool members;   /* STREAM: an object stream to be looked into */
    bool in_text;   /* STREAM: its bytes stand in text            */
    bool not_first; /* STREAM: pieces went before ...             */
    bool not_last;  /* ... or follow                              */
    uint64_t at;    /* STREAM: bytes of it before this piece      */
};

void stretch_lay(struct pp_stretch *s, const struct part *part, size_t n);

/*
 * The layout to check what `sealed` has in out.  before: the block before a
 * piece that is not the first, else NULL.  A string's token is taken as it
 * stands there; false, with nothing laid out, when it is no string any more.
 */
bool stretch_lay_sealed(struct pp_stretch *s, const struct part *part, size_t n,
                        const struct pp_stretch *sealed,
                        const uint8_t before[16]);
void stretch_free(struct pp_stretch *s);

#endif
