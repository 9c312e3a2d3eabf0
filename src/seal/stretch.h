/*
 * stretch.h - a stretch of one document's output, before and after the cipher
 *
 * The reader lays a stretch out: `text` holds, in the order of the output, all
 * bytes that stay in the clear and, where they will be replaced, the strings
 * as the source has them.  `span` lists the strings and streams in it.  Their
 * sizes after encryption are known beforehand, so every span knows its place
 * in `out` and a worker can fill `out` without looking at anything else.
 *
 *   text  |1 0 obj\n<</T(abc)/Length 48>>\nstream\n\nendstream\nendobj\n|
 *                     |   |                 ^
 *   span              string                stream, bytes from the source
 *                     v                     v
 *   out   |1 0 obj\n<</T<8f0c...>/Length 48>>\nstream\n#IV,ciphertext#\nend...|
 *
 * For verification the same layout is made from a file on disk; then `out` is
 * only room to decrypt in.
 *
 * Belongs to one thread at a time; see pipe/unit.h for who that is.
 */
#ifndef PP_SEAL_STRETCH_H
#define PP_SEAL_STRETCH_H

#include "base/notes.h"
#include "crypt/digest.h"
#include "pdf/xref.h"

enum pp_span_kind { PP_SPAN_STRING, PP_SPAN_STREAM };

struct pp_span {
    enum pp_span_kind kind;
    bool clear;      /* STREAM: not encrypted                               */
    bool first;      /* STREAM: its beginning, with the IV                  */
    bool last;       /* STREAM: its end, with the padding                   */
    bool members;    /* STREAM: an object stream whose members are wanted   */
    bool in_text;    /* STREAM: the bytes stand in text, not in the source  */
    uint32_t in;     /* place in text: of the token, of the stream's bytes,
                        or where they would stand                           */
    uint32_t in_len; /* bytes in text                                       */
    uint32_t out;    /* place in out                                        */
    uint32_t plain;  /* bytes that the cipher gets: before encryption, or
                        when checking as they are stored                    */
    uint32_t number; /* STREAM: its object                                  */
    uint32_t generation;
    uint64_t source; /* STREAM: first byte to read in the source            */
    uint64_t at;     /* STREAM: where in its plaintext the piece begins; a
                        multiple of PP_DIGEST_BLOCK                         */
};

/* An object that begins in this stretch. */
struct pp_placed {
    uint32_t number;
    uint32_t generation;
    uint32_t in;  /* its "n g obj" in text */
    uint32_t out; /* ... and in out        */
};

/* A member of an object stream: its entry in the cross-reference.  Number 0
 * stands for all members of a stream that could not be looked into. */
struct pp_member_row {
    uint32_t number;
    uint32_t stream;
    uint32_t index;
};

struct pp_stretch {
    uint8_t *text; /* memory of the unit                                    */
    size_t text_n, text_cap;
    uint8_t *out;
    size_t out_n, out_cap;
    struct pp_span *span;
    size_t spans, span_cap;
    struct pp_placed *placed;
    size_t placed_n, placed_cap;

    uint64_t first_iv;    /* number of its first IV in the document        */
    uint64_t highest_ref; /* highest object number referred to             */

    /* Filled by the worker. */
    size_t first_lane, lanes; /* of the sealer, between prepare and finish  */
    struct pp_member_row *member; /* malloc'ed, grows, kept                 */
    size_t members, member_cap;
    struct pp_tally tally; /* digests, if wanted                            */
    uint64_t strings, streams, payload_bytes; /* that met the cipher        */
    struct pp_notes notes;
};

/* Empties it for the next use; memory stays. */
void pp_stretch_reset(struct pp_stretch *s);

#endif
