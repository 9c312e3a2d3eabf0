/*
 * failure.h - fills an error record for what programs share
 *
 * The library raises its own errors; this is the one place where the folder
 * batch/ and the programs above it fill a record of the public type.
 */
#ifndef PP_BATCH_FAILURE_H
#define PP_BATCH_FAILURE_H

#include <pdfpipe/status.h>

/* Fills *err (may be NULL) with code and message, no errno and no place, and
 * returns code.  The message is one line: control characters become '?'. */
enum pdfpipe_status pp_refuse(struct pdfpipe_error *err,
                              enum pdfpipe_status code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * A system call failed with sys_errno.  The status follows from the errno
 * (ENOENT: E_NOT_FOUND, EACCES: E_PERMISSION, ...); `otherwise` is used for
 * the rest.  The errno's text is appended to the message.
 */
enum pdfpipe_status pp_refuse_sys(struct pdfpipe_error *err, int sys_errno,
                                  enum pdfpipe_status otherwise,
                                  const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

enum pdfpipe_status pp_refuse_memory(struct pdfpipe_error *err);

#endif
