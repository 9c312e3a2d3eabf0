/*
 * plan.h - lays an object out in a stretch
 *
 * Turns the scan of an object into text and spans.  Comments become one blank,
 * /Length becomes the stored length, edits are applied; all else is copied.
 * The caller measures first and sees to it that the stretch has room.
 */
#ifndef PP_SEAL_PLAN_H
#define PP_SEAL_PLAN_H

#include "pdf/object.h"
#include "seal/edit.h"
#include "seal/stretch.h"

/* One object as it shall be written. */
struct pp_plan {
    const struct pp_object *object; /* ranges of `source`                   */
    struct pp_view source;          /* the text that was scanned            */
    const struct pp_edits *edits;   /* of the value's text; NULL: none      */
    uint32_t number;
    uint32_t generation;
    uint64_t length; /* stream: value of /Length to be written */
    bool checking;   /* the strings are ciphertext           */
};

/* Room that an object's text takes (without its stream's data). */
struct pp_room {
    size_t text, out, spans;
};

/* Errors: E_LIMIT when it is too large to be laid out at all. */
enum pdfpipe_status pp_plan_measure(const struct pp_plan *plan,
                                    struct pp_room *room,
                                    struct pdfpipe_error *err);

/* Does the stretch have this room, and one for an object? */
bool pp_plan_fits(const struct pp_stretch *s, const struct pp_room *room);

/*
 * Appends the object: all of it, or, if it has a stream, up to the end of line
 * behind the keyword stream.  The room must be there (asserted).
 */
void pp_plan_object(struct pp_stretch *s, const struct pp_plan *plan);

/* One piece of a stream's data. */
struct pp_piece {
    uint32_t number, generation;
    uint64_t source;      /* where it begins in the source; checking:
                             where the 16 bytes before it begin          */
    const uint8_t *bytes; /* the piece in memory, or NULL: read it;
                             checking: with the 16 bytes before it       */
    uint64_t at;          /* plaintext before it in the stream           */
    size_t plain;         /* bytes before encryption; checking: bytes of
                             ciphertext, without IV                      */
    bool first, last, clear, members, checking;
};

/* Room that a piece takes, and appending it. */
struct pp_room pp_piece_room(const struct pp_piece *piece);
void pp_plan_piece(struct pp_stretch *s, const struct pp_piece *piece);

/* The end of a stream object, and its room. */
#define PP_STREAM_END "\nendstream\nendobj\n"
void pp_plan_stream_end(struct pp_stretch *s);
struct pp_room pp_stream_end_room(void);

/* Appends text that is written as it stands. */
void pp_plan_text(struct pp_stretch *s, const void *p, size_t n);

#endif
