/*
 * measure.h - contenders in turn, the fastest turn of each counts
 *
 * All contenders do the same work.  They run A, B, C, then C, B, A, and so on,
 * so that they see the same machine; noise only ever adds time, so the fastest
 * turn of each is kept.  That their answers are right is for the caller to
 * find out before.  Each result is a line for people and a JSON line.
 */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct measure_options {
    bool quick;       /* only wrong answers matter                     */
    unsigned rounds;  /* turns of each contender                       */
    uint64_t turn_ns; /* a turn repeats the work until so much is over */
};

struct contender {
    const char *name;
    void (*run)(void *arg); /* the work, once */
    void *arg;
    uint64_t best_ns; /* for the work once, in the fastest turn */
};

/* What a line is about. */
struct measure_case {
    const char *bench;
    const char *input;
    const char *place;      /* where the input is before a run: "L2", or NULL */
    uint64_t payload_bytes; /* of one run, or 0: what counts is files */
    uint64_t files;
    unsigned rounds;
};

/* Options of the command line and BENCH_QUICK; ends the program when they are
 * wrong, and after --help. */
struct measure_options measure_begin(int argc, char **argv, const char *help);

void measure_rounds(const struct measure_options *o, struct contender *c,
                    size_t n);

/* c's speed, and how many times as fast it is as each of the others but
 * itself. */
void measure_tell(const struct measure_case *m, const struct contender *c,
                  unsigned threads, const struct contender *const *others,
                  size_t n);

/* Bytes that fit the second and the third level cache and leave room for what
 * else is in them. */
size_t measure_l2_bytes(void);
size_t measure_l3_bytes(void);

/* Where so many bytes are that are used over and over: "L2", "L3", "memory". */
const char *measure_place(size_t bytes);

/* Zeroed memory in huge pages where there are any, touched; for free(). */
void *measure_alloc(size_t bytes);

/* Says why and ends the program with status 1. */
_Noreturn void measure_fail(const char *fmt, ...)
    __attribute__((format(printf, 1, 2)));

#endif
