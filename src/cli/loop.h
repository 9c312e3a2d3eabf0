/*
 * loop.h - the main thread while a run goes on
 *
 * A libuv loop: results from the inbox, signals, the progress line, the count
 * of the walk.  It touches no document.  It ends when every result is seen.
 *
 * The first signal cancels the run; with the second the program ends at once
 * with exit code 75, after the temporary files are removed.
 *
 * Threads: the main thread only, except where it says otherwise.
 */
#ifndef PP_CLI_LOOP_H
#define PP_CLI_LOOP_H

#include <stdatomic.h>

#include <uv.h>

#include "cli/console.h"
#include "cli/inbox.h"
#include "cli/progress.h"
#include "cli/signals.h"

struct pp_loop {
    uv_loop_t uv;
    uv_async_t wake;
    uv_poll_t stop;
    uv_timer_t tick;
    uv_work_t counting; /* runs on a thread of libuv */
    struct pp_signals signals;
    struct pp_inbox *inbox;
    struct pp_console *console;
    struct pdfpipe_run *run; /* borrowed; NULL before go */

    /* Counting: spec is borrowed; total is the worker's until counted(). */
    const struct pp_catalog_spec *to_count;
    struct pp_catalog_total total;
    atomic_bool stop_counting;

    bool shows_progress;
    struct pp_progress progress;
    const struct pp_totals *totals; /* borrowed: what the results add up to */
    unsigned signals_seen;
    bool is_over;

    /* Each result, and the end of a bunch of them. */
    void (*on_result)(void *arg, const struct pdfpipe_result *result);
    void (*on_pause)(void *arg);
    void *arg;
};

/*
 * Makes the handles and catches the signals; before any thread is started.
 * The caller has set console, totals, on_result, on_pause, arg, and, to show
 * progress, shows_progress and to_count; all else is zero.
 * Errors: E_INTERNAL, E_NO_MEMORY.
 */
enum pdfpipe_status pp_loop_init(struct pp_loop *l, struct pdfpipe_error *err);

/* Runs until the inbox is finished and empty.  The run is started. */
void pp_loop_go(struct pp_loop *l, struct pdfpipe_run *run);

/* Closes what init made. */
void pp_loop_fini(struct pp_loop *l);

/* Waits until fd takes PIPE_BUF bytes without blocking, and heeds signals
 * meanwhile.  arg is the loop. */
void pp_loop_wait(void *arg, int fd);

#endif
