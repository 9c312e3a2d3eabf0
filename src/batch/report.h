/*
 * report.h - what became of each file, as JSON Lines
 *
 * One object per file in the order of the run, and a closing one with the
 * sums: {"summary":{...}}.  A report without that line is not complete.
 *
 * A report that goes to a file is written as FILE.partial, brought to disk
 * and renamed when it is complete.  A FILE that exists and is no regular file
 * (a pipe, /dev/stdout) is written to as it is.  What a run left behind as
 * FILE.partial is written anew; anything else of that name stays.
 *
 * Threads: one at a time.
 */
#ifndef PP_BATCH_REPORT_H
#define PP_BATCH_REPORT_H

#include <pdfpipe/pdfpipe.h>

#include "batch/totals.h"

struct pp_report;

/*
 * Ownership: the caller owns *out and ends it with pp_report_close() or
 * pp_report_discard().
 * Errors: E_USAGE (a folder, a PDF, a FILE.partial that is not a report),
 *         E_NOT_FOUND, E_PERMISSION, E_NO_SPACE, E_WRITE,
 *         ..., E_NO_MEMORY.
 */
enum pdfpipe_status pp_report_open(const char *path, struct pp_report **out,
                                   struct pdfpipe_error *err);

/*
 * The same on a descriptor that stays the caller's.  wait(arg) is called
 * before each write and returns when the descriptor takes at least
 * PIPE_BUF bytes without blocking; NULL: writing may block.
 */
enum pdfpipe_status pp_report_attach(int fd, void (*wait)(void *arg), void *arg,
                                     struct pp_report **out,
                                     struct pdfpipe_error *err);

/* Adds the line of one file.  The lines are buffered; the first error stays
 * and is told by flush and close, what follows it is dropped. */
void pp_report_file(struct pp_report *r, const struct pdfpipe_result *result);

/* Writes what is buffered. */
enum pdfpipe_status pp_report_flush(struct pp_report *r,
                                    struct pdfpipe_error *err);

/* What only the end of a run knows. */
struct pp_report_end {
    const struct pp_totals *totals;
    const struct pdfpipe_progress *progress;
    int exit_code;
    bool interrupted; /* by a signal */
    bool dry_run;
};

/* Adds the closing line, writes, syncs and renames; frees r in any case.
 * After an error FILE is as it was and FILE.partial stays. */
enum pdfpipe_status pp_report_close(struct pp_report *r,
                                    const struct pp_report_end *end,
                                    struct pdfpipe_error *err);

/* Removes FILE.partial and frees r, which may be NULL: nothing was done. */
void pp_report_discard(struct pp_report *r);

#endif
