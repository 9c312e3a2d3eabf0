/*
 * console.h - lines for people, on stderr
 *
 * Every line is written by one call, so that lines of several programs do not
 * mix.  What cannot be written is lost: there is nobody left to tell.
 *
 * Threads: the main thread only.
 */
#ifndef PP_CLI_CONSOLE_H
#define PP_CLI_CONSOLE_H

#include "cli/settings.h"

struct pp_console {
    int fd;
    bool is_terminal;
    bool color;
    bool quiet;
    bool verbose;
    bool has_status; /* a status line stands on the terminal */

    /* Waits until fd takes PIPE_BUF bytes; NULL: writing may block. */
    void (*wait)(void *arg, int fd);
    void *arg;
};

/* Before the command line is read: plain text on stderr. */
void pp_console_init(struct pp_console *c);

/* After it was: --quiet, --verbose, --color and NO_COLOR. */
void pp_console_configure(struct pp_console *c, const struct pp_settings *s);

/* "pdfpipe: LABEL: text"; label NULL: "pdfpipe: text".  A status line makes
 * place and has to be drawn again. */
void pp_console_say(struct pp_console *c, const char *label, const char *fmt,
                    ...) __attribute__((format(printf, 3, 4)));

/* Draws text as status line over the one before (terminal), or as a line of
 * its own. */
void pp_console_status(struct pp_console *c, const char *text);
void pp_console_clear_status(struct pp_console *c);

/* Columns of the terminal; 80 when that is not known. */
unsigned pp_console_columns(const struct pp_console *c);

#endif
