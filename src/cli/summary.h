/* summary.h - the last lines of a run, for people */
#ifndef PP_CLI_SUMMARY_H
#define PP_CLI_SUMMARY_H

#include "batch/totals.h"
#include "cli/console.h"

/*
 *   pdfpipe: 1,204 files: 1,180 encrypted, 21 already encrypted, 2 signed
 *            (skipped), 1 failed                          (one line)
 *   pdfpipe: 48.2 GiB in 61 s (809 MiB/s); payload 46.9 GiB, encrypt phase
 *            12.1 s on 8 threads (3.9 GiB/s per thread-second)
 * and the warnings, if there were any.  The second line is about encrypted
 * files only.
 */
void pp_summary_say(struct pp_console *console, const struct pp_totals *totals,
                    const struct pdfpipe_progress *progress);

/* The lines of --stats. */
void pp_summary_stats(struct pp_console *console,
                      const struct pp_totals *totals,
                      const struct pdfpipe_progress *progress);

#endif
