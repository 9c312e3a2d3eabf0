/*
 * fail.h - the only place that fills an error record
 *
 * Every function that can fail returns an enum pdfpipe_status and takes the
 * caller's record as its last parameter; the record may be NULL.  An error is
 * raised once, where it happens; callers add only what was not known there.
 */
#ifndef PP_BASE_FAIL_H
#define PP_BASE_FAIL_H

#include <stddef.h>
#include <stdint.h>

#include <pdfpipe/status.h>

/* Fills *err (if any) with code and message, no errno and no place, and
 * returns code. */
enum pdfpipe_status pp_fail(struct pdfpipe_error *err, enum pdfpipe_status code,
                            const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The same, with the byte of the input where it went wrong. */
enum pdfpipe_status pp_fail_at(struct pdfpipe_error *err,
                               enum pdfpipe_status code, uint64_t offset,
                               const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/*
 * A system call failed with sys_errno.  The status follows from the errno
 * (ENOSPC: E_NO_SPACE, EACCES: E_PERMISSION, ...); `otherwise` is used for the
 * rest.  The errno's text is appended to the message.
 */
enum pdfpipe_status pp_fail_sys(struct pdfpipe_error *err, int sys_errno,
                                enum pdfpipe_status otherwise, const char *fmt,
                                ...) __attribute__((format(printf, 4, 5)));

enum pdfpipe_status pp_fail_memory(struct pdfpipe_error *err);

/* Says in which object an error happened, unless that is known already. */
void pp_error_object(struct pdfpipe_error *err, uint32_t object,
                     uint32_t generation);

/*
 * A programming error: an invariant of this program does not hold.  Prints
 * the place and aborts, in release builds too: a wrong ciphertext is worse
 * than a stop.
 */
#define PP_ASSERT(condition)                                                   \
    ((condition) ? (void)0 : pp_assert_failed(#condition, __FILE__, __LINE__))
void pp_assert_failed(const char *condition, const char *file, int line)
    __attribute__((noreturn));

#endif
