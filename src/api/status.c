/* status.c - ids, texts and exit codes, from the tables of status.h */
#include <pdfpipe/status.h>

#include <stddef.h>

#include "base/fail.h"

struct status_row {
    enum pdfpipe_status status;
    int exit_code;
    const char *id;
    const char *text;
};

static const struct status_row *
status_row(enum pdfpipe_status status)
{
    static const struct status_row rows[] = {
#define X(name, value, id, exit_code, text)                                    \
    { PDFPIPE_##name, exit_code, id, text },
        PDFPIPE_STATUS_TABLE(X)
#undef X
    };
    const struct status_row *internal = NULL;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].status == status)
            return &rows[i];
        if (rows[i].status == PDFPIPE_E_INTERNAL)
            internal = &rows[i];
    }
    PP_ASSERT(internal != NULL);
    return internal;
}

const char *
pdfpipe_status_id(enum pdfpipe_status status)
{
    return status_row(status)->id;
}

const char *
pdfpipe_status_text(enum pdfpipe_status status)
{
    return status_row(status)->text;
}

int
pdfpipe_status_exit(enum pdfpipe_status status)
{
    return status_row(status)->exit_code;
}

bool
pdfpipe_status_retryable(enum pdfpipe_status status)
{
    return status_row(status)->exit_code == 75;
}

struct warning_row {
    const char *id;
    enum pdfpipe_severity severity;
    const char *text;
};

static const struct warning_row *
warning_row(enum pdfpipe_warning_code code)
{
    static const struct warning_row rows[] = {
#define X(name, id, severity, text) { id, PDFPIPE_##severity, text },
        PDFPIPE_WARNING_TABLE(X)
#undef X
    };
    static const struct warning_row unknown = { "unknown", PDFPIPE_SUSPECT,
                                                "unknown warning" };

    return (unsigned)code < PDFPIPE_WARNING_CODES ? &rows[code] : &unknown;
}

const char *
pdfpipe_warning_id(enum pdfpipe_warning_code code)
{
    return warning_row(code)->id;
}

const char *
pdfpipe_warning_text(enum pdfpipe_warning_code code)
{
    return warning_row(code)->text;
}

enum pdfpipe_severity
pdfpipe_warning_severity(enum pdfpipe_warning_code code)
{
    return warning_row(code)->severity;
}

const char *
pdfpipe_severity_id(enum pdfpipe_severity severity)
{
    switch (severity) {
    case PDFPIPE_NOTE: return "note";
    case PDFPIPE_REPAIRED: return "repaired";
    case PDFPIPE_SUSPECT: break;
    }
    return "suspect";
}
