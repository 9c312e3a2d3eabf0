/* window.c - units on their way from the workers to the writer */
#include "pipe/window.h"

#include <stdlib.h>

enum pdfpipe_status
pp_window_init(struct pp_window *w, size_t size, struct pdfpipe_error *err)
{
    w->slot = calloc(size, sizeof *w->slot);
    if (!w->slot)
        return pp_fail_memory(err);
    pp_mutex_init(&w->mu);
    pp_cond_init(&w->ready);
    w->size = size;
    w->next = w->issued = 0;
    w->closed = false;
    return PDFPIPE_OK;
}

void
pp_window_fini(struct pp_window *w)
{
    pp_cond_fini(&w->ready);
    pp_mutex_fini(&w->mu);
    free(w->slot);
}

void
pp_window_put(struct pp_window *w, struct pp_unit *u)
{
    struct pp_unit **slot = &w->slot[u->seq % w->size];

    pp_lock(&w->mu);
    PP_ASSERT(!*slot && u->seq >= w->next && u->seq - w->next < w->size);
    *slot = u;
    if (u->seq == w->next)
        pp_signal(&w->ready);
    pp_unlock(&w->mu);
}

struct pp_unit *
pp_window_take(struct pp_window *w)
{
    struct pp_unit **slot, *u = NULL;

    pp_lock(&w->mu);
    slot = &w->slot[w->next % w->size];
    while (!*slot && !(w->closed && w->next == w->issued))
        pp_wait(&w->ready, &w->mu);
    if (*slot) {
        u = *slot;
        *slot = NULL;
        w->next++;
    }
    pp_unlock(&w->mu);
    return u;
}

void
pp_window_close(struct pp_window *w, uint64_t issued)
{
    pp_lock(&w->mu);
    w->closed = true;
    w->issued = issued;
    pp_signal(&w->ready);
    pp_unlock(&w->mu);
}
