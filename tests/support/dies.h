/* dies.h - does a call stop the program, as an assertion should? */
#ifndef TESTS_DIES_H
#define TESTS_DIES_H

/*
 * Calls fn(arg) in a child process whose standard error is dropped; returns
 * the signal that ended the child, 0 when fn returned, -1 when the child could
 * not be made or ended otherwise.
 */
int dies_of(void (*fn)(void *arg), void *arg);

#endif
