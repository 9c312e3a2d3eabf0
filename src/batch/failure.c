/* failure.c - fills an error record for what programs share */
#include "batch/failure.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void fill(struct pdfpipe_error *err, enum pdfpipe_status code,
                 int sys_errno, const char *fmt, va_list args)
    __attribute__((format(printf, 4, 0)));

static void
fill(struct pdfpipe_error *err, enum pdfpipe_status code, int sys_errno,
     const char *fmt, va_list args)
{
    int n;

    if (!err)
        return;
    memset(err, 0, sizeof *err);
    err->code = code;
    err->sys_errno = sys_errno;
    err->offset = PDFPIPE_NO_OFFSET;
    n = vsnprintf(err->message, sizeof err->message, fmt, args);
    if (n >= 0 && sys_errno && (size_t)n < sizeof err->message) {
        const char *text = strerrordesc_np(sys_errno);

        /* A text that is cut still says more than none. */
        (void)snprintf(err->message + n, sizeof err->message - (size_t)n,
                       ": %s", text ? text : "unknown error");
    }
    for (char *p = err->message; *p; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7f)
            *p = '?';
}

enum pdfpipe_status
pp_refuse(struct pdfpipe_error *err, enum pdfpipe_status code, const char *fmt,
          ...)
{
    va_list args;

    va_start(args, fmt);
    fill(err, code, 0, fmt, args);
    va_end(args);
    return code;
}

static enum pdfpipe_status
status_of(int sys_errno, enum pdfpipe_status otherwise)
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
    case ENAMETOOLONG: return PDFPIPE_E_LIMIT;
    case ENOMEM: return PDFPIPE_E_NO_MEMORY;
    /* Descriptors of this process or of the system are used up: later there
     * will be some again. */
    case EMFILE:
    case ENFILE:
    case EBUSY:
    case EAGAIN: return PDFPIPE_E_BUSY;
    default: return otherwise;
    }
}

enum pdfpipe_status
pp_refuse_sys(struct pdfpipe_error *err, int sys_errno,
              enum pdfpipe_status otherwise, const char *fmt, ...)
{
    enum pdfpipe_status code = status_of(sys_errno, otherwise);
    va_list args;

    va_start(args, fmt);
    fill(err, code, sys_errno, fmt, args);
    va_end(args);
    return code;
}

enum pdfpipe_status
pp_refuse_memory(struct pdfpipe_error *err)
{
    return pp_refuse(err, PDFPIPE_E_NO_MEMORY, "out of memory");
}
