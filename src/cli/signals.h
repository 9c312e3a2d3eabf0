/*
 * signals.h - SIGINT, SIGTERM and SIGHUP as a descriptor
 *
 * The signals are blocked in every thread and read from a descriptor, so the
 * main thread can wait for them together with anything else and no handler
 * needs a global variable.  One that was ignored when the program started
 * (nohup, a background job) stays ignored.  SIGPIPE and SIGXFSZ are ignored:
 * a reader that is gone and a limit on file sizes show as a failed write.
 */
#ifndef PP_CLI_SIGNALS_H
#define PP_CLI_SIGNALS_H

#include <signal.h>

#include <pdfpipe/status.h>

struct pp_signals {
    int fd; /* readable when one has come */
    sigset_t before;
};

/* Before any thread is started.  Errors: E_INTERNAL, E_BUSY. */
enum pdfpipe_status pp_signals_init(struct pp_signals *s,
                                    struct pdfpipe_error *err);
/* Lets them through again. */
void pp_signals_fini(struct pp_signals *s);

/* Number of one that has come, or 0; never waits. */
int pp_signals_take(struct pp_signals *s);

#endif
