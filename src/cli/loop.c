/* loop.c - the main thread while a run goes on */
#include "cli/loop.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "batch/failure.h"

static void
heed_signals(struct pp_loop *l)
{
    int number;

    while ((number = pp_signals_take(&l->signals)) != 0) {
        if (++l->signals_seen == 1 && l->run) {
            atomic_store(&l->stop_counting, true);
            pdfpipe_run_cancel(l->run);
            pp_console_say(l->console, NULL,
                           "%s: stopping (once more: at once)",
                           sigdescr_np(number));
            continue;
        }
        /* Nothing is written any more: whoever takes our lines may be the
         * reason why somebody is impatient. */
        if (l->run)
            pdfpipe_run_abandon(l->run);
        _exit(pdfpipe_status_exit(PDFPIPE_E_CANCELLED));
    }
}

void
pp_loop_wait(void *arg, int fd)
{
    struct pp_loop *l = arg;
    struct pollfd polled[2] = {
        { .fd = fd, .events = POLLOUT },
        { .fd = l->signals.fd, .events = POLLIN },
    };

    for (;;) {
        polled[0].revents = polled[1].revents = 0;
        if (poll(polled, 2, -1) < 0 && errno != EINTR)
            return; /* the write will tell */
        /* Before the signals: what they print may come back here. */
        if (polled[0].revents)
            return;
        if (polled[1].revents)
            heed_signals(l);
    }
}

static void
draw(struct pp_loop *l)
{
    struct pdfpipe_progress now;

    pdfpipe_run_progress(l->run, &now);
    pp_progress_draw(&l->progress, l->console, &now, l->totals);
}

static void
close_handle(void *handle)
{
    if (!uv_is_closing(handle))
        uv_close(handle, NULL);
}

static void
close_all(struct pp_loop *l)
{
    close_handle(&l->wake);
    close_handle(&l->stop);
    close_handle(&l->tick);
    atomic_store(&l->stop_counting, true);
}

static void
wake(void *arg)
{
    struct pp_loop *l = arg;

    /* Fails only for a handle that is no async handle. */
    (void)uv_async_send(&l->wake);
}

/*
 * Asked for by the library's thread; several askings may come as one.  Takes
 * no more than a ring full at a time: signals and the progress line want
 * their turn when results come faster than they can be told.
 */
static void
on_wake(uv_async_t *handle)
{
    struct pp_loop *l = handle->data;
    struct pdfpipe_result result;
    bool finished = false;

    for (unsigned n = 0; pp_inbox_take(l->inbox, &result, &finished);) {
        if (!result.source)
            result.source = strdup("(name lost: out of memory)");
        l->on_result(l->arg, &result);
        pp_result_fini(&result);
        if (++n == PP_INBOX_SLOTS) {
            wake(l);
            break;
        }
    }
    l->on_pause(l->arg);
    if (finished && !l->is_over) {
        l->is_over = true;
        close_all(l);
    }
}

static void
on_stop(uv_poll_t *handle, int status, int events)
{
    (void)status;
    (void)events;
    heed_signals(handle->data);
}

static void
on_tick(uv_timer_t *handle)
{
    draw(handle->data);
}

/* On a thread of libuv.  Without a total the line shows less: an error is
 * none, the run's own walk will meet it. */
static void
count(uv_work_t *work)
{
    struct pp_loop *l = work->data;

    if (pp_catalog_count(l->to_count, &l->stop_counting, &l->total, NULL))
        atomic_store(&l->stop_counting, true);
}

static void
on_counted(uv_work_t *work, int status)
{
    struct pp_loop *l = work->data;

    if (status || atomic_load(&l->stop_counting))
        return;
    l->progress.total = l->total;
    l->progress.has_total = true;
}

enum pdfpipe_status
pp_loop_init(struct pp_loop *l, struct pdfpipe_error *err)
{
    enum pdfpipe_status st = pp_signals_init(&l->signals, err);
    int failed;

    if (st)
        return st;
    st = pp_inbox_new(wake, l, &l->inbox, err);
    if (st)
        goto out_signals;
    failed = uv_loop_init(&l->uv);
    if (failed)
        goto out_inbox;
    failed = uv_async_init(&l->uv, &l->wake, on_wake);
    if (failed)
        goto out_loop;
    /* These two only set fields; neither can fail with a good descriptor,
     * and what was made is closed by the loop below if they do. */
    failed = uv_timer_init(&l->uv, &l->tick);
    if (!failed)
        failed = uv_poll_init(&l->uv, &l->stop, l->signals.fd);
    if (failed)
        goto out_handles;
    l->wake.data = l->stop.data = l->tick.data = l->counting.data = l;
    failed = uv_poll_start(&l->stop, UV_READABLE, on_stop);
    if (!failed)
        return PDFPIPE_OK;
    uv_close((uv_handle_t *)&l->stop, NULL);

out_handles:
    uv_close((uv_handle_t *)&l->wake, NULL);
    uv_close((uv_handle_t *)&l->tick, NULL);
    (void)uv_run(&l->uv, UV_RUN_DEFAULT); /* lets the closing happen */
out_loop:
    (void)uv_loop_close(&l->uv); /* nothing is open in it */
out_inbox:
    pp_inbox_free(l->inbox);
    st = pp_refuse(err, PDFPIPE_E_INTERNAL, "event loop: %s",
                   uv_strerror(failed));
out_signals:
    pp_signals_fini(&l->signals);
    return st;
}

void
pp_loop_go(struct pp_loop *l, struct pdfpipe_run *run)
{
    l->run = run;
    l->console->wait = pp_loop_wait;
    l->console->arg = l;
    /* Neither can fail with these arguments; without them the line is less
     * complete, or missing, and the run is the same. */
    if (l->shows_progress) {
        (void)uv_timer_start(&l->tick, on_tick, PP_PROGRESS_MS, PP_PROGRESS_MS);
        (void)uv_queue_work(&l->uv, &l->counting, count, on_counted);
    }
    (void)uv_run(&l->uv, UV_RUN_DEFAULT); /* 0: no handle is left */
    if (l->shows_progress) {
        if (!l->console->is_terminal) {
            l->progress.skip = 0; /* the last one shows the end */
            draw(l);
        }
        pp_console_clear_status(l->console);
    }
}

void
pp_loop_fini(struct pp_loop *l)
{
    if (!l->is_over) { /* never went */
        close_all(l);
        (void)uv_run(&l->uv, UV_RUN_DEFAULT); /* lets the closing happen */
    }
    l->console->wait = NULL;
    (void)uv_loop_close(&l->uv); /* nothing is open in it */
    pp_inbox_free(l->inbox);
    pp_signals_fini(&l->signals);
}
