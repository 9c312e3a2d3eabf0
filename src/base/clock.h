/* clock.h - nanoseconds of a clock that only goes forward */
#ifndef PP_BASE_CLOCK_H
#define PP_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t
pp_now_ns(void)
{
    struct timespec t;

    if (clock_gettime(CLOCK_MONOTONIC, &t))
        return 0;
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#endif
