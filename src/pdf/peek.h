/*
 * peek.h - a stretch of an input in memory, wherever it is wanted
 *
 * Parsers look at the input through a peek: it reads ahead in large pieces
 * while they go forward, in small ones after a jump (a stream that was passed
 * over), and grows when one object is larger than usual.
 */
#ifndef PP_PDF_PEEK_H
#define PP_PDF_PEEK_H

#include "base/buf.h"
#include "base/input.h"

struct pp_peek {
    const struct pp_input *input;
    uint8_t *buf; /* owned */
    size_t cap;
    uint64_t at; /* offset of buf[0] in the input  */
    size_t n;    /* bytes in buf                   */
    size_t step; /* how much the next read takes   */
    size_t step_max;
};

/* step_max: the largest read when going forward (bytes, at least 4096).
 * Nothing is allocated or read yet. */
void pp_peek_init(struct pp_peek *k, const struct pp_input *input,
                  size_t step_max);
void pp_peek_fini(struct pp_peek *k);

/* Another input, the same memory. */
void pp_peek_reset(struct pp_peek *k, const struct pp_input *input);

/*
 * Shows at least `want` bytes at offset, or all up to the end of the input if
 * that is nearer; *view may hold more, and is valid until the next call.
 * offset beyond the end gives an empty view.
 * Errors: those of the input, E_NO_MEMORY.
 */
enum pdfpipe_status pp_peek_at(struct pp_peek *k, uint64_t offset, size_t want,
                               struct pp_view *view, struct pdfpipe_error *err);

/* True when a view of n bytes at offset reaches the end of the input. */
static inline bool
pp_peek_whole(const struct pp_peek *k, uint64_t offset, size_t n)
{
    return offset >= k->input->size || n >= k->input->size - offset;
}

#endif
