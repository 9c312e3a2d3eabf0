/* fail.c - the only place that fills an error record */
#include "base/fail.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fill(struct pdfpipe_error *err, enum pdfpipe_status code,
                 int sys_errno, uint64_t offset, const char *fmt, va_list args)
    __attribute__((format(printf, 5, 0)));

static void
fill(struct pdfpipe_error *err, enum pdfpipe_status code, int sys_errno,
     uint64_t offset, const char *fmt, va_list args)
{
    int n;

    if (!err)
        return;
    memset(err, 0, sizeof *err);
    err->code = code;
    err->sys_errno = sys_errno;
    err->offset = offset;
    n = vsnprintf(err->message, sizeof err->message, fmt, args);
    if (n >= 0 && sys_errno && (size_t)n < sizeof err->message)
        (void)snprintf(err->message + n, sizeof err->message - (size_t)n,
                       ": %s",
                       strerrordesc_np(sys_errno) ? strerrordesc_np(sys_errno)
                                                  : "unknown error");
    /* A message is one line, whatever a file name in it contains. */
    for (char *p = err->message; *p; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7f)
            *p = '?';
}

enum pdfpipe_status
pp_fail(struct pdfpipe_error *err, enum pdfpipe_status code, const char *fmt,
        ...)
{
    va_list args;

    va_start(args, fmt);
    fill(err, code, 0, PDFPIPE_NO_OFFSET, fmt, args);
    va_end(args);
    return code;
}

enum pdfpipe_status
pp_fail_at(struct pdfpipe_error *err, enum pdfpipe_status code, uint64_t offset,
           const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    fill(err, code, 0, offset, fmt, args);
    va_end(args);
    return code;
}

static enum pdfpipe_status
status_of_errno(int sys_errno, enum pdfpipe_status otherwise)
{
    switch (sys_errno) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG: return PDFPIPE_E_NO_SPACE;
    case EROFS: return PDFPIPE_E_READ_ONLY;
    case EACCES:
    case EPERM: return PDFPIPE_E_PERMISSION;
    case ENOENT:
    case ENOTDIR: return PDFPIPE_E_NOT_FOUND;
    case ELOOP: return PDFPIPE_E_SYMLINK;
    case ENAMETOOLONG: return PDFPIPE_E_LIMIT; /* no retry makes it shorter */
    case ENOMEM: return PDFPIPE_E_NO_MEMORY;
    case EBUSY:
    case EAGAIN:
    case ETXTBSY: return PDFPIPE_E_BUSY;
    default: return otherwise;
    }
}

enum pdfpipe_status
pp_fail_sys(struct pdfpipe_error *err, int sys_errno,
            enum pdfpipe_status otherwise, const char *fmt, ...)
{
    enum pdfpipe_status code = status_of_errno(sys_errno, otherwise);
    va_list args;

    va_start(args, fmt);
    fill(err, code, sys_errno, PDFPIPE_NO_OFFSET, fmt, args);
    va_end(args);
    return code;
}

enum pdfpipe_status
pp_fail_memory(struct pdfpipe_error *err)
{
    return pp_fail(err, PDFPIPE_E_NO_MEMORY, "out of memory");
}

void
pp_error_object(struct pdfpipe_error *err, uint32_t object, uint32_t generation)
{
    if (!err || err->object)
        return;
    err->object = object;
    err->generation = generation;
}

void
pp_assert_failed(const char *condition, const char *file, int line)
{
    (void)fprintf(stderr, "pdfpipe: internal error: %s:%d: %s\n", file, line,
                  condition);
    abort();
}
