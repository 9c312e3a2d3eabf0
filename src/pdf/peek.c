/* peek.c - a stretch of an input in memory */
#include "pdf/peek.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"

#define STEP_MIN ((size_t)4096)

void
pp_peek_init(struct pp_peek *k, const struct pp_input *input, size_t step_max)
{
    *k = (struct pp_peek){ .input = input,
                           .step = STEP_MIN,
                           .step_max =
                               step_max < STEP_MIN ? STEP_MIN : step_max };
}

void
pp_peek_fini(struct pp_peek *k)
{
    free(k->buf);
    k->buf = NULL;
    k->cap = k->n = 0;
}

void
pp_peek_reset(struct pp_peek *k, const struct pp_input *input)
{
    /* A buffer that one huge object has blown up is not kept for ever. */
    if (k->cap > 8 * k->step_max)
        pp_peek_fini(k);
    k->input = input;
    k->at = 0;
    k->n = 0;
    k->step = STEP_MIN;
}

static enum pdfpipe_status
grow(struct pp_peek *k, size_t need, struct pdfpipe_error *err)
{
    size_t cap = k->cap ? k->cap : 2 * STEP_MIN;
    uint8_t *buf;

    if (need <= k->cap)
        return PDFPIPE_OK;
    while (cap < need) {
        if (cap > SIZE_MAX / 2)
            return pp_fail_memory(err);
        cap *= 2;
    }
    buf = realloc(k->buf, cap);
    if (!buf)
        return pp_fail_memory(err);
    k->buf = buf;
    k->cap = cap;
    return PDFPIPE_OK;
}

enum pdfpipe_status
pp_peek_at(struct pp_peek *k, uint64_t offset, size_t want,
           struct pp_view *view, struct pdfpipe_error *err)
{
    uint64_t left = offset < k->input->size ? k->input->size - offset : 0;
    bool inside = offset >= k->at && offset - k->at <= k->n;
    enum pdfpipe_status st;
    size_t keep, more;

    if (left == 0) {
        *view = (struct pp_view){ (const uint8_t *)"", 0 };
        return PDFPIPE_OK;
    }
    if (want > left)
        want = (size_t)left;
    if (inside && k->n - (size_t)(offset - k->at) >= want) {
        *view = (struct pp_view){ k->buf + (offset - k->at),
                                  k->n - (size_t)(offset - k->at) };
        return PDFPIPE_OK;
    }
    /* What is here already is moved to the front, the rest is read. */
    keep = inside ? k->n - (size_t)(offset - k->at) : 0;
    k->step = inside ? (size_t)pp_min(2 * k->step, k->step_max) : STEP_MIN;
    more = (size_t)pp_min(pp_max(want - keep, k->step), left - keep);
    st = grow(k, keep + more, err);
    if (st)
        return st;
    if (keep)
        memmove(k->buf, k->buf + (offset - k->at), keep);
    k->at = offset;
    k->n = keep;
    st =
        k->input->read(k->input->self, offset + keep, k->buf + keep, more, err);
    if (st)
        return st;
    k->n = keep + more;
    *view = (struct pp_view){ k->buf, k->n };
    return PDFPIPE_OK;
}
