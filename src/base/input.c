/* input.c - an input over memory */
#include "base/input.h"

#include <string.h>

static enum pdfpipe_status
read_memory(void *self, uint64_t offset, void *dst, size_t n,
            struct pdfpipe_error *err)
{
    const struct pp_view *bytes = self;

    (void)err;
    if (n)
        memcpy(dst, bytes->p + offset, n);
    return PDFPIPE_OK;
}

struct pp_input
pp_input_over(struct pp_view *bytes)
{
    return (struct pp_input){ .self = bytes,
                              .size = bytes->n,
                              .read = read_memory };
}
