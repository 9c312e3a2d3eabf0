/*
 * progress.h - the line that tells how far a run is
 *
 *   1,180/1,204 files  46.1/48.2 GiB  809 MiB/s  ETA 0:03  1 failed  in/a.pdf
 *
 * Threads: the main thread only.
 */
#ifndef PP_CLI_PROGRESS_H
#define PP_CLI_PROGRESS_H

#include <pdfpipe/pdfpipe.h>

#include "batch/catalog.h"
#include "batch/totals.h"
#include "cli/console.h"

/* How often it may be drawn. */
#define PP_PROGRESS_MS 100u

struct pp_progress {
    bool has_total; /* the count of the whole walk has come */
    struct pp_catalog_total total;
    unsigned skip; /* drawings to leave out yet: not a terminal */

    /* Speed over the last seconds. */
    uint64_t mark_ns;
    uint64_t mark_bytes;
    double bytes_per_ns;
};

/* Draws the line.  `now` comes from pdfpipe_run_progress(), `totals` has the
 * results so far. */
void pp_progress_draw(struct pp_progress *p, struct pp_console *console,
                      const struct pdfpipe_progress *now,
                      const struct pp_totals *totals);

#endif
