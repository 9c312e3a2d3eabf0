/* dies.c - does a call stop the program, as an assertion should? */
#include "dies.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void
run_child(void (*fn)(void *arg), void *arg)
{
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

    /* Sanitizers turn signals into exits; here they are the result. */
    if (null < 0 || dup2(null, STDERR_FILENO) < 0 ||
        prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0 ||
        signal(SIGSEGV, SIG_DFL) == SIG_ERR ||
        signal(SIGBUS, SIG_DFL) == SIG_ERR ||
        signal(SIGABRT, SIG_DFL) == SIG_ERR)
        _exit(1);
    fn(arg);
    _exit(0);
}

int
dies_of(void (*fn)(void *arg), void *arg)
{
    int status = 0;
    pid_t child;

    /* What is in the buffer now would be printed by both. */
    if (fflush(stdout) != 0)
        return -1;
    child = fork();
    if (child < 0)
        return -1;
    if (child == 0)
        run_child(fn, arg);
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    if (WIFSIGNALED(status))
        return WTERMSIG(status);
    return WEXITSTATUS(status) == 0 ? 0 : -1;
}
