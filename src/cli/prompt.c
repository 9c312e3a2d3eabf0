/* prompt.c - asks a person for a password */
#include "cli/prompt.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

#include "batch/failure.h"

/* A terminal whose echo is off, and the signals that must not find it so. */
struct quiet_terminal {
    int out; /* prompts go here */
    bool owns_out;
    struct termios shown;
    int signals; /* signalfd */
    sigset_t before;
};

bool
pp_prompt_possible(void)
{
    return isatty(STDIN_FILENO) == 1;
}

static void
put(int fd, const char *text)
{
    ssize_t n = write(fd, text, strlen(text));

    (void)n; /* a prompt that cannot be seen: the answers will differ */
}

/* A redirected stderr is a log and no place for a prompt. */
static int
open_output(bool *owns)
{
    int fd = -1;

    if (!isatty(STDERR_FILENO))
        fd = open("/dev/tty", O_WRONLY | O_CLOEXEC | O_NOCTTY);
    *owns = fd >= 0;
    return fd >= 0 ? fd : STDERR_FILENO;
}

static enum pdfpipe_status
hush(struct quiet_terminal *t, struct pdfpipe_error *err)
{
    struct termios silent;
    sigset_t caught;
    int saved;

    if (sigemptyset(&caught) || sigaddset(&caught, SIGINT) ||
        sigaddset(&caught, SIGTERM) || sigaddset(&caught, SIGHUP) ||
        sigaddset(&caught, SIGQUIT) || sigaddset(&caught, SIGTSTP))
        return pp_refuse_sys(err, errno, PDFPIPE_E_INTERNAL, "signals");
    if (tcgetattr(STDIN_FILENO, &t->shown))
        return pp_refuse_sys(err, errno, PDFPIPE_E_READ, "terminal");
    t->signals = signalfd(-1, &caught, SFD_CLOEXEC);
    if (t->signals < 0)
        return pp_refuse_sys(err, errno, PDFPIPE_E_INTERNAL, "signals");
    saved = pthread_sigmask(SIG_BLOCK, &caught, &t->before);
    if (saved)
        goto out_fd;
    silent = t->shown;
    silent.c_lflag &= ~(tcflag_t)ECHO;
    silent.c_lflag |= ECHONL | ICANON | ISIG;
    t->out = open_output(&t->owns_out);
    if (!tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent))
        return PDFPIPE_OK;
    saved = errno;
    if (t->owns_out)
        (void)close(t->out); /* nothing was written */
    (void)pthread_sigmask(SIG_SETMASK, &t->before, NULL);
out_fd:
    (void)close(t->signals); /* was not read */
    return pp_refuse_sys(err, saved, PDFPIPE_E_READ, "terminal");
}

static void
show(struct quiet_terminal *t)
{
    /* There is nothing to do about a terminal that refuses. */
    (void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &t->shown);
    if (t->owns_out)
        (void)close(t->out); /* prompts only */
    (void)close(t->signals);
    (void)pthread_sigmask(SIG_SETMASK, &t->before, NULL);
}

/* Number of the signal that came before a line did, or 0. */
static int
wait_for_line(const struct quiet_terminal *t)
{
    struct pollfd polled[2] = {
        { .fd = STDIN_FILENO, .events = POLLIN },
        { .fd = t->signals, .events = POLLIN },
    };
    struct signalfd_siginfo info;

    while (poll(polled, 2, -1) < 0 && errno == EINTR)
        ;
    if (polled[1].revents & POLLIN &&
        read(t->signals, &info, sizeof info) == (ssize_t)sizeof info)
        return (int)info.ssi_signo;
    return 0;
}

/* A line of the terminal without its end; empty is allowed. */
static enum pdfpipe_status
read_line(struct pdfpipe_secret *into, struct pdfpipe_error *err)
{
    ssize_t n;

    /* Canonical mode: one line at most, and at once. */
    do
        n = read(STDIN_FILENO, into->data, PDFPIPE_SECRET_MAX);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return pp_refuse_sys(err, errno, PDFPIPE_E_READ, "terminal");
    if (n == 0)
        return pp_refuse(err, PDFPIPE_E_PASSWORD, "no password given");
    if (into->data[n - 1] != '\n' || n > (ssize_t)PP_PASSWORD_LONGEST + 1)
        return pp_refuse(err, PDFPIPE_E_PASSWORD,
                         "the password is longer than 1,000 bytes");
    into->data[--n] = 0;
    into->length = (size_t)n;
    return PDFPIPE_OK;
}

/* One question.  After a signal that did not end the program (it was stopped
 * and goes on) it is asked again. */
static enum pdfpipe_status
ask(const char *question, struct pdfpipe_secret *into,
    struct pdfpipe_error *err)
{
    for (;;) {
        struct quiet_terminal t = { 0 };
        enum pdfpipe_status st = hush(&t, err);
        int number;

        if (st)
            return st;
        put(t.out, question);
        number = wait_for_line(&t);
        if (!number)
            st = read_line(into, err);
        else
            put(t.out, "\n");
        show(&t);
        if (!number)
            return st;
        (void)raise(number); /* as if it had not been caught */
    }
}

static bool
are_equal(const struct pdfpipe_secret *a, const struct pdfpipe_secret *b)
{
    return a->length == b->length && memcmp(a->data, b->data, a->length) == 0;
}

enum pdfpipe_status
pp_prompt(void *arg, enum pp_password_role role, struct pdfpipe_secret *into,
          struct pdfpipe_error *err)
{
    struct pdfpipe_secret *again;
    enum pdfpipe_status st;
    char question[64];

    (void)arg;
    (void)snprintf(question, sizeof question, "New %s password (Enter: none): ",
                   pp_password_role_name(role));
    st = ask(question, into, err);
    if (st || into->length == 0)
        return st;
    again = pdfpipe_secret_new();
    if (!again)
        return pp_refuse_memory(err);
    (void)snprintf(question, sizeof question, "The same once more: ");
    st = ask(question, again, err);
    if (!st && !are_equal(into, again))
        st = pp_refuse(err, PDFPIPE_E_PASSWORD, "the two answers differ");
    pdfpipe_secret_free(again);
    return st;
}
