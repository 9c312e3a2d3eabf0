/*
 * thread.h - mutex and condition that the compiler can check
 *
 * A failing pthread call on an initialised object is a bug in this program,
 * so the wrappers abort instead of returning.  With clang, -Wthread-safety
 * proves that a function marked PP_REQUIRES(m) is called with m held only.
 * Rule of the house: nobody holds two mutexes, and no I/O happens under one.
 */
#ifndef PP_BASE_THREAD_H
#define PP_BASE_THREAD_H

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <time.h>

#include "base/fail.h"

#if defined(__clang__)
#define PP_TSA(x) __attribute__((x))
#else
#define PP_TSA(x)
#endif
#define PP_CAPABILITY  PP_TSA(capability("mutex"))
#define PP_ACQUIRE(m)  PP_TSA(acquire_capability(m))
#define PP_RELEASE(m)  PP_TSA(release_capability(m))
#define PP_REQUIRES(m) PP_TSA(requires_capability(m))
#define PP_NO_TSA      PP_TSA(no_thread_safety_analysis)

struct PP_CAPABILITY pp_mutex {
    pthread_mutex_t m;
};

struct pp_cond {
    pthread_cond_t c;
};

static inline void
pp_mutex_init(struct pp_mutex *mu)
{
    PP_ASSERT(pthread_mutex_init(&mu->m, NULL) == 0);
}

static inline void
pp_mutex_fini(struct pp_mutex *mu)
{
    PP_ASSERT(pthread_mutex_destroy(&mu->m) == 0);
}

static inline void pp_lock(struct pp_mutex *mu) PP_ACQUIRE(*mu) PP_NO_TSA;
static inline void pp_unlock(struct pp_mutex *mu) PP_RELEASE(*mu) PP_NO_TSA;
static inline void pp_wait(struct pp_cond *c, struct pp_mutex *mu)
    PP_REQUIRES(*mu) PP_NO_TSA;

static inline void
pp_lock(struct pp_mutex *mu)
{
    PP_ASSERT(pthread_mutex_lock(&mu->m) == 0);
}

static inline void
pp_unlock(struct pp_mutex *mu)
{
    PP_ASSERT(pthread_mutex_unlock(&mu->m) == 0);
}

static inline void
pp_cond_init(struct pp_cond *c)
{
    PP_ASSERT(pthread_cond_init(&c->c, NULL) == 0);
}

/* For pp_wait_until(): timed by the clock of pp_now_ns(). */
static inline void
pp_cond_init_monotonic(struct pp_cond *c)
{
    pthread_condattr_t attr;

    PP_ASSERT(pthread_condattr_init(&attr) == 0);
    PP_ASSERT(pthread_condattr_setclock(&attr, CLOCK_MONOTONIC) == 0);
    PP_ASSERT(pthread_cond_init(&c->c, &attr) == 0);
    PP_ASSERT(pthread_condattr_destroy(&attr) == 0);
}

static inline void
pp_cond_fini(struct pp_cond *c)
{
    PP_ASSERT(pthread_cond_destroy(&c->c) == 0);
}

static inline void
pp_wait(struct pp_cond *c, struct pp_mutex *mu)
{
    PP_ASSERT(pthread_cond_wait(&c->c, &mu->m) == 0);
}

/* The same until a time of pp_now_ns(), 0: for ever.  True: it is reached. */
static inline bool pp_wait_until(struct pp_cond *c, struct pp_mutex *mu,
                                 uint64_t deadline_ns)
    PP_REQUIRES(*mu) PP_NO_TSA;

static inline bool
pp_wait_until(struct pp_cond *c, struct pp_mutex *mu, uint64_t deadline_ns)
{
    struct timespec t = { .tv_sec = (time_t)(deadline_ns / 1000000000u),
                          .tv_nsec = (long)(deadline_ns % 1000000000u) };
    int rc;

    if (deadline_ns == 0) {
        pp_wait(c, mu);
        return false;
    }
    rc = pthread_cond_timedwait(&c->c, &mu->m, &t);
    PP_ASSERT(rc == 0 || rc == ETIMEDOUT);
    return rc == ETIMEDOUT;
}

static inline void
pp_signal(struct pp_cond *c)
{
    PP_ASSERT(pthread_cond_signal(&c->c) == 0);
}

static inline void
pp_broadcast(struct pp_cond *c)
{
    PP_ASSERT(pthread_cond_broadcast(&c->c) == 0);
}

#endif
