/* signals.c - SIGINT, SIGTERM and SIGHUP as a descriptor */
#include "cli/signals.h"

#include <errno.h>
#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "batch/failure.h"

static const int stopping[] = { SIGINT, SIGTERM, SIGHUP };

enum pdfpipe_status
pp_signals_init(struct pp_signals *s, struct pdfpipe_error *err)
{
    struct sigaction ignore = { .sa_handler = SIG_IGN }, old;
    sigset_t wanted;

    s->fd = -1;
    if (sigemptyset(&wanted) || sigaction(SIGPIPE, &ignore, NULL) ||
        sigaction(SIGXFSZ, &ignore, NULL))
        return pp_refuse_sys(err, errno, PDFPIPE_E_INTERNAL, "signals");
    for (size_t i = 0; i < sizeof stopping / sizeof stopping[0]; i++) {
        if (sigaction(stopping[i], NULL, &old))
            return pp_refuse_sys(err, errno, PDFPIPE_E_INTERNAL, "signals");
        /* Blocked, it would arrive here although it is ignored. */
        if (old.sa_handler != SIG_IGN && sigaddset(&wanted, stopping[i]))
            return pp_refuse_sys(err, errno, PDFPIPE_E_INTERNAL, "signals");
    }
    s->fd = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
    if (s->fd < 0)
        return pp_refuse_sys(err, errno, PDFPIPE_E_INTERNAL, "signals");
    errno = pthread_sigmask(SIG_BLOCK, &wanted, &s->before);
    if (errno) {
        int saved = errno;

        (void)close(s->fd);
        s->fd = -1;
        return pp_refuse_sys(err, saved, PDFPIPE_E_INTERNAL, "signals");
    }
    return PDFPIPE_OK;
}

void
pp_signals_fini(struct pp_signals *s)
{
    if (s->fd < 0)
        return;
    (void)close(s->fd); /* was only read */
    /* The same call with a mask of the same kind succeeded before. */
    (void)pthread_sigmask(SIG_SETMASK, &s->before, NULL);
    s->fd = -1;
}

int
pp_signals_take(struct pp_signals *s)
{
    struct signalfd_siginfo info;

    if (read(s->fd, &info, sizeof info) != (ssize_t)sizeof info)
        return 0;
    return (int)info.ssi_signo;
}
