/* totals.c - the results of a run, counted */
#include "batch/totals.h"

static unsigned
slot_of(enum pdfpipe_status code)
{
    return (unsigned)code < PP_TOTALS_CODES ? (unsigned)code
                                            : PDFPIPE_E_INTERNAL;
}

void
pp_totals_add(struct pp_totals *t, const struct pdfpipe_result *result)
{
    unsigned kept = result->warnings_kept;

    t->files++;
    t->kind[result->kind]++;
    t->bytes_in += result->bytes_in;
    t->warnings += result->warnings;
    for (unsigned i = 0; i < kept; i++)
        if ((unsigned)result->warning[i].code < PDFPIPE_WARNING_CODES)
            t->warned_as[result->warning[i].code]++;
    switch (result->kind) {
    case PDFPIPE_ENCRYPTED:
        t->encrypted_bytes_in += result->bytes_in;
        t->bytes_out += result->bytes_out;
        t->objects += result->objects;
        t->streams += result->streams;
        t->strings += result->strings;
        t->payload_bytes += result->payload_bytes;
        break;
    case PDFPIPE_WOULD_ENCRYPT: break;
    case PDFPIPE_SKIPPED: t->skipped_as[slot_of(result->error.code)]++; break;
    case PDFPIPE_FAILED: t->failed_as[slot_of(result->error.code)]++; break;
    }
}

uint64_t
pp_totals_cancelled(const struct pp_totals *t)
{
    return t->failed_as[PDFPIPE_E_CANCELLED];
}

uint64_t
pp_totals_retryable(const struct pp_totals *t)
{
    uint64_t n = 0;

    for (unsigned i = 0; i < PP_TOTALS_CODES; i++)
        if (i != PDFPIPE_E_CANCELLED &&
            pdfpipe_status_retryable((enum pdfpipe_status)i))
            n += t->failed_as[i];
    return n;
}

int
pp_totals_exit(const struct pp_totals *t, bool work_left)
{
    int code = 0;

    if (work_left || pp_totals_retryable(t))
        return 75;
    for (unsigned i = 0; i < PP_TOTALS_CODES; i++) {
        if (!t->failed_as[i] || i == PDFPIPE_E_CANCELLED)
            continue;
        if (pdfpipe_status_exit((enum pdfpipe_status)i) == 70)
            return 70;
        code = 1;
    }
    return code;
}

const char *
pp_result_id(enum pdfpipe_result_kind kind)
{
    switch (kind) {
    case PDFPIPE_ENCRYPTED: return "encrypted";
    case PDFPIPE_WOULD_ENCRYPT: return "would_encrypt";
    case PDFPIPE_SKIPPED: return "skipped";
    case PDFPIPE_FAILED: break;
    }
    return "failed";
}
