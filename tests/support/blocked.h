/*
 * blocked.h - does a thread wait, as it should?
 *
 * A test must not sleep for a while and hope: the thread under test announces
 * itself, and the test looks at what the kernel says of it.
 */
#ifndef TESTS_BLOCKED_H
#define TESTS_BLOCKED_H

#include <stdatomic.h>
#include <stdbool.h>

struct blocked {
    atomic_int tid;   /* 0 until blocked_here()                    */
    atomic_bool done; /* set when what should wait has not, or has */
};

/* The thread under test, before it does what should wait ... */
void blocked_here(struct blocked *b);
/* ... and after it. */
void blocked_over(struct blocked *b);

/* Returns true once the thread sleeps, false when it is over before. */
bool blocked_wait(struct blocked *b);

#endif
