/* fail_test.c - does an error record say what went wrong, in one line? */
#include "base/fail.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "check.h"
#include "dies.h"

static void
does_a_failure_fill_the_whole_record(void)
{
    struct pdfpipe_error err;
    enum pdfpipe_status st;

    memset(&err, 0xa5, sizeof err);
    st = pp_fail(&err, PDFPIPE_E_LIMIT, "%s of %d", "row", 7);
    CHECK(st == PDFPIPE_E_LIMIT && err.code == st, "code %d", (int)err.code);
    CHECK(err.sys_errno == 0, "errno %d", err.sys_errno);
    CHECK(err.offset == PDFPIPE_NO_OFFSET, "no place is known");
    CHECK(err.object == 0 && err.generation == 0, "no object is known");
    CHECK(strcmp(err.message, "row of 7") == 0, "%s", err.message);
    /* Nothing of what stood there before may cross into a report. */
    for (size_t i = strlen(err.message); i < sizeof err.message; i++)
        if (!CHECK(err.message[i] == 0, "byte %zu is left over", i))
            break;
}

static void
is_the_place_kept(void)
{
    struct pdfpipe_error err;
    enum pdfpipe_status st =
        pp_fail_at(&err, PDFPIPE_E_DAMAGED_XREF, UINT64_C(1) << 40, "x");

    CHECK(st == PDFPIPE_E_DAMAGED_XREF && err.code == st, "code");
    CHECK(err.offset == UINT64_C(1) << 40, "%llu",
          (unsigned long long)err.offset);
    st = pp_fail_at(&err, PDFPIPE_E_NOT_PDF, 0, "x");
    CHECK(err.offset == 0, "0 is a place");
    CHECK(st == PDFPIPE_E_NOT_PDF, "code");
}

static void
which_status_does_an_errno_give(void)
{
    static const struct {
        const char *what;
        int sys_errno;
        enum pdfpipe_status want;
    } rows[] = {
        { "disk full", ENOSPC, PDFPIPE_E_NO_SPACE },
        { "quota", EDQUOT, PDFPIPE_E_NO_SPACE },
        { "file too large", EFBIG, PDFPIPE_E_NO_SPACE },
        { "read-only", EROFS, PDFPIPE_E_READ_ONLY },
        { "no access", EACCES, PDFPIPE_E_PERMISSION },
        { "not permitted", EPERM, PDFPIPE_E_PERMISSION },
        { "missing", ENOENT, PDFPIPE_E_NOT_FOUND },
        { "folder missing", ENOTDIR, PDFPIPE_E_NOT_FOUND },
        { "link", ELOOP, PDFPIPE_E_SYMLINK },
        { "long name", ENAMETOOLONG, PDFPIPE_E_LIMIT },
        { "memory", ENOMEM, PDFPIPE_E_NO_MEMORY },
        { "busy", EBUSY, PDFPIPE_E_BUSY },
        { "again", EAGAIN, PDFPIPE_E_BUSY },
        { "running", ETXTBSY, PDFPIPE_E_BUSY },
        { "anything else", EIO, PDFPIPE_E_READ },
        { "unknown number", 99999, PDFPIPE_E_READ },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pdfpipe_error err;
        enum pdfpipe_status st =
            pp_fail_sys(&err, rows[i].sys_errno, PDFPIPE_E_READ, "read");

        CHECK(st == rows[i].want && err.code == st, "%s: %d", rows[i].what,
              (int)st);
        CHECK(err.sys_errno == rows[i].sys_errno, "%s", rows[i].what);
        CHECK(strncmp(err.message, "read: ", 6) == 0 && err.message[6],
              "%s: %s", rows[i].what, err.message);
        CHECK(err.offset == PDFPIPE_NO_OFFSET, "%s", rows[i].what);
    }
}

static void
is_a_message_always_one_line(void)
{
    struct pdfpipe_error err;

    (void)pp_fail(&err, PDFPIPE_E_READ, "a\nb\rc\td\x1b[31m\x7f\x01%s", "\n");
    CHECK(strcmp(err.message, "a?b?c?d?[31m???") == 0, "%s", err.message);
    (void)pp_fail(&err, PDFPIPE_E_READ, "%s", "\xc3\xa4");
    CHECK(strcmp(err.message, "\xc3\xa4") == 0, "letters stay");
}

static void
is_a_long_message_cut(void)
{
    struct pdfpipe_error err;
    char text[1000];

    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = 0;
    (void)pp_fail(&err, PDFPIPE_E_READ, "%s", text);
    CHECK(strlen(err.message) == sizeof err.message - 1, "%zu",
          strlen(err.message));
    (void)pp_fail_sys(&err, ENOSPC, PDFPIPE_E_WRITE, "%s", text);
    CHECK(strlen(err.message) == sizeof err.message - 1, "%zu",
          strlen(err.message));
    /* One byte is left for the errno's text. */
    text[sizeof err.message - 2] = 0;
    (void)pp_fail_sys(&err, ENOSPC, PDFPIPE_E_WRITE, "%s", text);
    CHECK(strlen(err.message) == sizeof err.message - 1, "%zu",
          strlen(err.message));
}

static void
may_the_caller_have_no_record(void)
{
    CHECK(pp_fail(NULL, PDFPIPE_E_READ, "x") == PDFPIPE_E_READ, "fail");
    CHECK(pp_fail_at(NULL, PDFPIPE_E_READ, 1, "x") == PDFPIPE_E_READ, "at");
    CHECK(pp_fail_sys(NULL, ENOSPC, PDFPIPE_E_READ, "x") == PDFPIPE_E_NO_SPACE,
          "sys");
    CHECK(pp_fail_memory(NULL) == PDFPIPE_E_NO_MEMORY, "memory");
    pp_error_object(NULL, 1, 0);
}

static void
does_the_first_object_stay(void)
{
    struct pdfpipe_error err;

    (void)pp_fail_memory(&err);
    CHECK(err.code == PDFPIPE_E_NO_MEMORY && err.message[0], "memory");
    pp_error_object(&err, 5, 2);
    CHECK(err.object == 5 && err.generation == 2, "5 2");
    pp_error_object(&err, 9, 0);
    CHECK(err.object == 5 && err.generation == 2, "found where it happened");
}

static void
broken(void *arg)
{
    const int *one = arg;

    PP_ASSERT(*one == 2);
}

static void
sound(void *arg)
{
    const int *one = arg;

    PP_ASSERT(*one == 1);
}

static void
does_an_assertion_stop_the_program(void)
{
    int one = 1;

    CHECK(dies_of(broken, &one) == SIGABRT, "false");
    CHECK(dies_of(sound, &one) == 0, "true");
}

int
main(void)
{
    does_a_failure_fill_the_whole_record();
    is_the_place_kept();
    which_status_does_an_errno_give();
    is_a_message_always_one_line();
    is_a_long_message_cut();
    may_the_caller_have_no_record();
    does_the_first_object_stay();
    does_an_assertion_stop_the_program();
    return check_report("fail");
}
