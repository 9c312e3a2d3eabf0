/* console.c - lines for people, on stderr */
#include "cli/console.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/phrase.h"

static void
emit(struct pp_console *c, const char *p, size_t n)
{
    while (n) {
        size_t piece = c->wait && n > PIPE_BUF ? PIPE_BUF : n;
        ssize_t done;

        if (c->wait)
            c->wait(c->arg, c->fd);
        done = write(c->fd, p, piece);
        if (done < 0 && (errno == EINTR || (errno == EAGAIN && c->wait)))
            continue;
        if (done < 0)
            return;
        p += done;
        n -= (size_t)done;
    }
}

void
pp_console_init(struct pp_console *c)
{
    *c = (struct pp_console){ .fd = STDERR_FILENO };
    c->is_terminal = isatty(c->fd) == 1;
}

void
pp_console_configure(struct pp_console *c, const struct pp_settings *s)
{
    /* No other thread is there yet.  NOLINTNEXTLINE(concurrency-mt-unsafe) */
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    bool may = c->is_terminal && !(no_color && *no_color) && term &&
               strcmp(term, "dumb") != 0;

    c->quiet = s->quiet;
    c->verbose = s->verbose;
    c->color = s->color == PP_ALWAYS || (s->color == PP_AUTO && may);
}

static const char *
color_of(const char *label)
{
    if (strcmp(label, "failed") == 0 || strcmp(label, "error") == 0)
        return "\033[31m"; /* red */
    if (strcmp(label, "warning") == 0)
        return "\033[33m"; /* yellow */
    return "\033[2m";      /* faint */
}

void
pp_console_clear_status(struct pp_console *c)
{
    if (c->has_status)
        emit(c, "\r\033[K", 4);
    c->has_status = false;
}

void
pp_console_say(struct pp_console *c, const char *label, const char *fmt, ...)
{
    struct pp_phrase line = { 0 };
    char *text = NULL;
    va_list args;
    int n;

    va_start(args, fmt);
    n = vasprintf(&text, fmt, args);
    va_end(args);
    pp_console_clear_status(c);
    pp_phrase_add(&line, "pdfpipe: ");
    if (label)
        pp_phrase_add(&line, "%s%s:%s ", c->color ? color_of(label) : "", label,
                      c->color ? "\033[0m" : "");
    pp_phrase_add(&line, "%s\n", n < 0 ? "out of memory" : text);
    if (!line.failed)
        emit(c, line.text, line.length);
    pp_phrase_fini(&line);
    if (n >= 0)
        free(text);
}

void
pp_console_status(struct pp_console *c, const char *text)
{
    struct pp_phrase line = { 0 };

    if (c->is_terminal)
        pp_phrase_add(&line, "\r%s\033[K", text);
    else
        pp_phrase_add(&line, "pdfpipe: %s\n", text);
    if (!line.failed)
        emit(c, line.text, line.length);
    pp_phrase_fini(&line);
    c->has_status = c->is_terminal;
}

unsigned
pp_console_columns(const struct pp_console *c)
{
    struct winsize size;

    if (ioctl(c->fd, TIOCGWINSZ, &size) == 0 && size.ws_col)
        return size.ws_col;
    return 80;
}
