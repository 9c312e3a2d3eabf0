/* dead.c - entries of the cross-reference behind which no object stands */
#include "pipe/dead.h"

void
pp_dead_fini(struct pp_dead *dead)
{
    pp_numbers_fini(&dead->numbers);
}

enum pdfpipe_status
pp_dead_add(struct pp_dead *dead, uint32_t number,
            const struct pdfpipe_error *why, struct pdfpipe_error *err)
{
    if (dead->numbers.n == 0)
        dead->first = *why;
    return pp_numbers_add(&dead->numbers, number) ? PDFPIPE_OK
                                                  : pp_fail_memory(err);
}

enum pdfpipe_status
pp_dead_add_member(struct pp_dead *dead, uint32_t number, uint32_t stream,
                   struct pp_notes *notes, struct pdfpipe_error *err)
{
    struct pdfpipe_error why;

    (void)pp_fail(&why, PDFPIPE_E_DAMAGED_XREF,
                  "not in object stream %u, as the cross-reference says",
                  stream);
    pp_error_object(&why, number, 0);
    pp_note(notes, PDFPIPE_W_DEAD_ENTRY, number, PDFPIPE_NO_OFFSET);
    return pp_dead_add(dead, number, &why, err);
}

enum pdfpipe_status
pp_dead_unreferenced(const struct pp_dead *dead, struct pp_referred *q,
                     struct pdfpipe_error *err)
{
    enum pdfpipe_status st;

    q->among = &dead->numbers;
    st = pp_referred_find(q, err);
    if (!st && q->found.n) {
        *err = dead->first;
        st = dead->first.code;
    }
    pp_numbers_fini(&q->found);
    return st;
}
