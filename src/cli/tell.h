/*
 * tell.h - what became of each file, in lines for people
 *
 *   pdfpipe: failed: in/a.pdf: object 812 at offset 99120: stream runs on
 *
 * Failures are told as they happen, everything with --verbose, nothing with
 * --quiet; warnings when somebody should look at the file.  The first
 * failures are kept for the end of the run.
 *
 * Threads: the main thread only.
 */
#ifndef PP_CLI_TELL_H
#define PP_CLI_TELL_H

#include <pdfpipe/pdfpipe.h>

#include "cli/console.h"
#include "cli/phrase.h"

#define PP_FAILURES_KEPT 10u

/* All zero, with the console set, is ready. */
struct pp_tell {
    struct pp_console *console; /* borrowed */
    struct pp_phrase failure[PP_FAILURES_KEPT];
    unsigned kept;
};

void pp_tell_result(struct pp_tell *t, const struct pdfpipe_result *r);

/* Names the kept ones of `failures` in all, where they do not stand on the
 * screen already: with --quiet and with --verbose. */
void pp_tell_failures(struct pp_tell *t, uint64_t failures);

void pp_tell_fini(struct pp_tell *t);

#endif
