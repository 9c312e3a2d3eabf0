/* blocked.c - does a thread wait, as it should? */
#include "blocked.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

void
blocked_here(struct blocked *b)
{
    atomic_store(&b->tid, (int)syscall(SYS_gettid));
}

void
blocked_over(struct blocked *b)
{
    atomic_store(&b->done, true);
}

/* "pid (name) S ...": the state stands behind the last bracket. */
static bool
sleeps(int tid)
{
    char path[64], line[512], *bracket;
    bool asleep = false;
    FILE *f;

    (void)snprintf(path, sizeof path, "/proc/self/task/%d/stat", tid);
    f = fopen(path, "re");
    if (!f)
        return false;
    if (fgets(line, sizeof line, f)) {
        bracket = strrchr(line, ')');
        asleep = bracket && strncmp(bracket, ") S", 3) == 0;
    }
    (void)fclose(f);
    return asleep;
}

bool
blocked_wait(struct blocked *b)
{
    int tid;

    while ((tid = atomic_load(&b->tid)) == 0)
        sched_yield();
    while (!atomic_load(&b->done)) {
        if (sleeps(tid))
            return !atomic_load(&b->done);
        sched_yield();
    }
    return false;
}
