/*
 * batch.h - a run over a list of jobs, and what it told
 */
#ifndef TESTS_BATCH_H
#define TESTS_BATCH_H

#include <stdatomic.h>

#include <pdfpipe/pdfpipe.h>

struct batch {
    struct pdfpipe_options options;
    const struct pdfpipe_job *job;
    size_t jobs;

    /* NULL, or called for each on the run's threads. */
    void (*on_next)(struct batch *b, size_t i);
    void (*on_result)(struct batch *b, const struct pdfpipe_result *r);
    void (*on_finished)(struct batch *b);
    void *arg;

    /* What happened. */
    struct pdfpipe_run *run;       /* while it goes on                    */
    size_t asked;                  /* jobs handed out                     */
    size_t told;                   /* results                             */
    struct pdfpipe_result *result; /* [jobs], in the order of telling;
                                      their strings are not valid         */
    bool out_of_order;             /* a result did not match its job      */
    unsigned finished;             /* calls of finished()                 */
    bool told_after_finished;
    enum pdfpipe_status joined;
    struct pdfpipe_error error;
};

/* About the least memory that a run with so many threads can do with. */
#define BATCH_LEAST_MEMORY(threads) ((uint64_t)(8 + (threads)) << 20)

/* Options with the owner password "owner" and no waiting for a disk. */
void batch_options(struct pdfpipe_options *o);

/* Runs all of it; the tag of each job must be the job's address.  Ends the
 * program when the run cannot be made. */
void batch_run(struct batch *b);
/* The same, but when the run cannot be made, b->joined says why. */
void batch_run_gently(struct batch *b);
void batch_free(struct batch *b);

/* A secret with this text; lives until batch_secrets_free(). */
const struct pdfpipe_secret *batch_secret(const char *text);
void batch_secrets_free(void);

#endif
