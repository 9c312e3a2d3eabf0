/* roster.c - the documents of a run that are under way */
#include "pipe/roster.h"

void
pp_documents_push(struct pp_documents *list, struct pp_document *d)
{
    d->link = NULL;
    if (list->tail)
        list->tail->link = d;
    else
        list->head = d;
    list->tail = d;
}

struct pp_document *
pp_documents_pop(struct pp_documents *list)
{
    struct pp_document *d = list->head;

    if (d) {
        list->head = d->link;
        if (!list->head)
            list->tail = NULL;
        d->link = NULL;
    }
    return d;
}

void
pp_roster_init(struct pp_roster *r)
{
    *r = (struct pp_roster){ 0 };
    pp_mutex_init(&r->mu);
    pp_cond_init(&r->reader_wakes);
    pp_cond_init_monotonic(&r->committer_wakes);
}

void
pp_roster_fini(struct pp_roster *r)
{
    pp_cond_fini(&r->committer_wakes);
    pp_cond_fini(&r->reader_wakes);
    pp_mutex_fini(&r->mu);
}

enum pp_roster_next
pp_roster_next(struct pp_roster *r, bool more, struct pp_document **d)
{
    enum pp_roster_next next;

    pp_lock(&r->mu);
    for (;;) {
        *d = pp_documents_pop(&r->again);
        if (*d) {
            r->moving++;
            next = PP_NEXT_AGAIN;
            break;
        }
        if (more && r->under_way < PP_DOCUMENTS_MAX) {
            next = PP_NEXT_NEW;
            break;
        }
        if (!more && r->under_way == 0) {
            next = PP_NEXT_FINISHED;
            break;
        }
        r->reader_waits = true;
        pp_signal(&r->committer_wakes);
        pp_wait(&r->reader_wakes, &r->mu);
    }
    r->reader_waits = false;
    pp_unlock(&r->mu);
    return next;
}

void
pp_roster_enter(struct pp_roster *r)
{
    pp_lock(&r->mu);
    r->under_way++;
    r->moving++;
    pp_unlock(&r->mu);
}

void
pp_roster_leave(struct pp_roster *r)
{
    pp_lock(&r->mu);
    r->reader_done = true;
    pp_signal(&r->committer_wakes);
    pp_unlock(&r->mu);
}

void
pp_roster_submit(struct pp_roster *r, struct pp_document *d)
{
    pp_lock(&r->mu);
    pp_documents_push(&r->inbox, d);
    r->moving--;
    pp_signal(&r->committer_wakes);
    pp_unlock(&r->mu);
}

enum pp_roster_take
pp_roster_take(struct pp_roster *r, uint64_t deadline_ns, bool holds,
               struct pp_document **d)
{
    enum pp_roster_take take = PP_TAKE_DOCUMENT;
    bool late = false;

    pp_lock(&r->mu);
    for (;;) {
        *d = pp_documents_pop(&r->inbox);
        if (*d)
            break;
        if (r->reader_done && r->under_way == 0) {
            take = PP_TAKE_FINISHED;
            break;
        }
        if (holds && r->reader_waits && r->moving == 0 && !r->again.head) {
            take = PP_TAKE_IDLE;
            break;
        }
        if (late) {
            take = PP_TAKE_TIMEOUT;
            break;
        }
        late = pp_wait_until(&r->committer_wakes, &r->mu, deadline_ns);
    }
    pp_unlock(&r->mu);
    return take;
}

void
pp_roster_again(struct pp_roster *r, struct pp_document *d)
{
    pp_lock(&r->mu);
    pp_documents_push(&r->again, d);
    pp_signal(&r->reader_wakes);
    pp_unlock(&r->mu);
}

void
pp_roster_retire(struct pp_roster *r)
{
    pp_lock(&r->mu);
    PP_ASSERT(r->under_way > 0);
    r->under_way--;
    pp_signal(&r->reader_wakes);
    pp_unlock(&r->mu);
}

bool
pp_roster_conserved(struct pp_roster *r)
{
    bool none;

    pp_lock(&r->mu);
    none =
        r->under_way == 0 && r->moving == 0 && !r->again.head && !r->inbox.head;
    pp_unlock(&r->mu);
    return none;
}
