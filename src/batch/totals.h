/*
 * totals.h - the results of a run, counted
 */
#ifndef PP_BATCH_TOTALS_H
#define PP_BATCH_TOTALS_H

#include <pdfpipe/pdfpipe.h>

/* Status values are below this (status.h). */
#define PP_TOTALS_CODES 128u

struct pp_totals {
    uint64_t files;
    uint64_t kind[PDFPIPE_FAILED + 1];
    uint64_t skipped_as[PP_TOTALS_CODES]; /* by error.code */
    uint64_t failed_as[PP_TOTALS_CODES];
    uint64_t warnings;
    uint64_t warned_as[PDFPIPE_WARNING_CODES]; /* of those that are kept */
    uint64_t bytes_in;                         /* of every file */

    /* Of the ENCRYPTED ones: */
    uint64_t encrypted_bytes_in;
    uint64_t bytes_out;
    uint64_t objects;
    uint64_t streams;
    uint64_t strings;
    uint64_t payload_bytes;
};

void pp_totals_add(struct pp_totals *t, const struct pdfpipe_result *result);

/* Failures that a run can be repeated for, and those left undone because the
 * run was stopped (E_CANCELLED, which is not among the first). */
uint64_t pp_totals_retryable(const struct pp_totals *t);
uint64_t pp_totals_cancelled(const struct pp_totals *t);

/*
 * The exit code of a program: 75 when a failure can be retried or a signal
 * left work undone (work_left), else 70 for an internal error, else 1 when a
 * file failed for good, else 0.  Files given up because another one failed
 * (fail_fast) do not count: that one does.
 */
int pp_totals_exit(const struct pp_totals *t, bool work_left);

/* "encrypted", "would_encrypt", "skipped", "failed": part of the interface. */
const char *pp_result_id(enum pdfpipe_result_kind kind);

#endif
