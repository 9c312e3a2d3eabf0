/*
 * noise.h - pseudo-random numbers that are the same on every machine
 *
 * SplitMix64: one 64-bit state, every seed is good.  Not for secrets.
 */
#ifndef GEN_NOISE_H
#define GEN_NOISE_H

#include <stdint.h>

struct noise {
    uint64_t state;
};

static inline uint64_t
noise_next(struct noise *r)
{
    uint64_t z = r->state += UINT64_C(0x9E3779B97F4A7C15);

    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* 0 .. n-1; n is not 0 and small, so the bias does not matter. */
static inline unsigned
noise_below(struct noise *r, unsigned n)
{
    return (unsigned)((noise_next(r) >> 32) * n >> 32);
}

/* An independent sequence for part `which` of what `seed` stands for. */
static inline struct noise
noise_for(uint64_t seed, uint64_t which)
{
    struct noise r = { seed };
    uint64_t start = noise_next(&r) ^ (which * UINT64_C(0xD1342543DE82EF95));

    r.state = start;
    return r;
}

#endif
