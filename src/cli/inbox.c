/* inbox.c - results on their way from the library's thread to the main one */
#include "cli/inbox.h"

#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "batch/failure.h"

struct pp_inbox {
    uv_mutex_t mu; /* guards all below */
    uv_cond_t room;
    struct pdfpipe_result ring[PP_INBOX_SLOTS];
    unsigned head; /* oldest */
    unsigned count;
    bool finished;
    void (*wake)(void *arg); /* constant */
    void *arg;               /* constant */
};

enum pdfpipe_status
pp_inbox_new(void (*wake)(void *arg), void *arg, struct pp_inbox **out,
             struct pdfpipe_error *err)
{
    struct pp_inbox *box = calloc(1, sizeof *box);

    *out = NULL;
    if (!box)
        return pp_refuse_memory(err);
    if (uv_mutex_init(&box->mu)) {
        free(box);
        return pp_refuse_memory(err);
    }
    if (uv_cond_init(&box->room)) {
        uv_mutex_destroy(&box->mu);
        free(box);
        return pp_refuse_memory(err);
    }
    box->wake = wake;
    box->arg = arg;
    *out = box;
    return PDFPIPE_OK;
}

void
pp_result_fini(struct pdfpipe_result *result)
{
    free((void *)(uintptr_t)result->source);
    free((void *)(uintptr_t)result->target);
    result->source = result->target = NULL;
}

void
pp_inbox_free(struct pp_inbox *box)
{
    if (!box)
        return;
    for (; box->count; box->count--) {
        pp_result_fini(&box->ring[box->head]);
        box->head = (box->head + 1) % PP_INBOX_SLOTS;
    }
    uv_cond_destroy(&box->room);
    uv_mutex_destroy(&box->mu);
    free(box);
}

void
pp_inbox_put(struct pp_inbox *box, const struct pdfpipe_result *result)
{
    /* Without memory the name is missing, the result is not: the reader
     * looks at it. */
    char *source = result->source ? strdup(result->source) : NULL;
    char *target = result->target ? strdup(result->target) : NULL;
    struct pdfpipe_result *slot;

    uv_mutex_lock(&box->mu);
    while (box->count == PP_INBOX_SLOTS)
        uv_cond_wait(&box->room, &box->mu);
    slot = &box->ring[(box->head + box->count) % PP_INBOX_SLOTS];
    *slot = *result;
    slot->source = source;
    slot->target = target;
    box->count++;
    box->wake(box->arg);
    uv_mutex_unlock(&box->mu);
}

void
pp_inbox_finish(struct pp_inbox *box)
{
    /* Woken under the lock: once take() has said that all is finished, this
     * thread is not in wake() any more and what it uses may go. */
    uv_mutex_lock(&box->mu);
    box->finished = true;
    box->wake(box->arg);
    uv_mutex_unlock(&box->mu);
}

bool
pp_inbox_take(struct pp_inbox *box, struct pdfpipe_result *result,
              bool *finished)
{
    bool is_there;

    uv_mutex_lock(&box->mu);
    is_there = box->count > 0;
    if (is_there) {
        *result = box->ring[box->head];
        box->head = (box->head + 1) % PP_INBOX_SLOTS;
        box->count--;
        uv_cond_signal(&box->room);
    }
    *finished = box->finished && !is_there;
    uv_mutex_unlock(&box->mu);
    return is_there;
}
