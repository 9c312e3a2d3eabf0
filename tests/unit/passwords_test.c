/* passwords_test.c - which password counts, and does it stay secret? */
#include "batch/passwords.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

static char scratch[] = "/tmp/passwords_test.XXXXXX";

static void
put_file(const char *path, const void *text, size_t n, mode_t mode)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    CHECK(fd >= 0 && write(fd, text, n) == (ssize_t)n &&
              fchmod(fd, mode) == 0 && close(fd) == 0,
          "%s", path);
}

static void
put_text(const char *path, const char *text)
{
    put_file(path, text, strlen(text), 0600);
}

/* The end of a pipe from which the text can be read. */
static int
pipe_with(const char *text)
{
    int fd[2];

    if (!CHECK(pipe(fd) == 0, "pipe"))
        return -1;
    CHECK(write(fd[1], text, strlen(text)) == (ssize_t)strlen(text), "fill");
    (void)close(fd[1]);
    return fd[0];
}

static bool
is(const struct pdfpipe_secret *s, const char *text)
{
    if (!s || !text)
        return !s && !text;
    return s->length == strlen(text) && memcmp(s->data, text, s->length) == 0;
}

static struct pp_password_request
nothing_asked_for(void)
{
    struct pp_password_request r = { 0 };

    for (int i = 0; i < PP_PASSWORD_ROLES; i++)
        r.option[i].fd = -1;
    return r;
}

static void
clear_environment(void)
{
    static const char *const names[] = {
        "PDFPIPE_USER_PASSWORD",  "PDFPIPE_USER_PASSWORD_FILE",
        "PDFPIPE_OWNER_PASSWORD", "PDFPIPE_OWNER_PASSWORD_FILE",
        "CREDENTIALS_DIRECTORY",
    };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        CHECK(unsetenv(names[i]) == 0, "%s", names[i]);
}

static void
what_a_line_is(void)
{
    static char longest[PP_PASSWORD_LONGEST + 4];
    /* clang-format off */
    const struct {
        const char *what;
        const char *text;
        size_t n;
        const char *want; /* NULL: refused */
    } rows[] = {
        { "line",             "abc\n",            4, "abc" },
        { "no line end",      "abc",              3, "abc" },
        { "CRLF",             "abc\r\n",          5, "abc" },
        { "first of two",     "abc\ndef\n",       8, "abc" },
        { "one CR of two",    "abc\r\r\n",        6, "abc\r" },
        { "CR at the end",    "abc\r",            4, "abc\r" },
        { "blanks stay",      " a b \t\n",        7, " a b \t" },
        { "bytes",            "\xff\x80\n",       3, "\xff\x80" },
        { "longest",          longest + 3,        PP_PASSWORD_LONGEST, longest + 3 },
        { "a byte more",      longest + 2,        PP_PASSWORD_LONGEST + 1, NULL },
        { "empty",            "",                 0, NULL },
        { "empty line",       "\nabc\n",          5, NULL },
        { "CRLF only",        "\r\n",             2, NULL },
        { "NUL",              "a\0b\n",           4, NULL },
        { "NUL at the end",   "a\0\n",            3, NULL },
        { "NUL only",         "\0",               1, NULL },
    };
    /* clang-format on */

    memset(longest, 'x', sizeof longest - 1);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_password_request r = nothing_asked_for();
        struct pdfpipe_secret *found[PP_PASSWORD_ROLES];
        struct pdfpipe_error err = { 0 };
        enum pdfpipe_status st;

        put_file("line", rows[i].text, rows[i].n, 0600);
        r.option[PP_USER_PASSWORD].file = "line";
        st = pp_passwords_find(&r, found, &err);
        CHECK(st == (rows[i].want ? PDFPIPE_OK : PDFPIPE_E_PASSWORD), "%s: %s",
              rows[i].what, err.message);
        CHECK(is(found[PP_USER_PASSWORD], rows[i].want), "%s", rows[i].what);
        CHECK(st == 0 || !strstr(err.message, "abc"), "%s: in the message",
              rows[i].what);
        pdfpipe_secret_free(found[PP_USER_PASSWORD]);
    }
}

static void
is_the_longest_line_taken_with_any_end(void)
{
    static const char *const ends[] = { "", "\n", "\r\n" };
    static char text[PP_PASSWORD_LONGEST + 8];

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        for (size_t n = PP_PASSWORD_LONGEST - 1; n <= PP_PASSWORD_LONGEST + 3;
             n++) {
            struct pdfpipe_secret *s = pdfpipe_secret_new();
            enum pdfpipe_status st;
            int fd;

            memset(text, 'x', n);
            (void)snprintf(text + n, 4, "%s", ends[i]);
            fd = pipe_with(text);
            st = pp_password_read(fd, "pipe", s, NULL);
            CHECK((st == PDFPIPE_OK) == (n <= PP_PASSWORD_LONGEST),
                  "end %zu, %zu bytes", i, n);
            CHECK(s->length == (st ? 0 : n), "end %zu, %zu bytes: %zu", i, n,
                  s->length);
            CHECK(!st || s->data[0] == 0, "wiped when refused");
            (void)close(fd);
            pdfpipe_secret_free(s);
        }
}

static enum pdfpipe_status
answer(void *arg, enum pp_password_role role, struct pdfpipe_secret *into,
       struct pdfpipe_error *err)
{
    const char *const *answers = arg;

    (void)err;
    into->length = strlen(answers[role]);
    memcpy(into->data, answers[role], into->length);
    return PDFPIPE_OK;
}

static void
which_source_counts(void)
{
    /* clang-format off */
    static const struct {
        const char *what;
        const char *option, *variable, *variable_file, *credential, *prompt;
        const char *want;
    } rows[] = {
        { "option first",      "o",  "v",  NULL, "c",  "p",  "o" },
        { "then variable",     NULL, "v",  NULL, "c",  "p",  "v" },
        { "or its file",       NULL, NULL, "f",  "c",  "p",  "f" },
        { "then credential",   NULL, NULL, NULL, "c",  "p",  "c" },
        { "then the prompt",   NULL, NULL, NULL, NULL, "p",  "p" },
        { "which says none",   NULL, NULL, NULL, NULL, "",   NULL },
        { "nowhere",           NULL, NULL, NULL, NULL, NULL, NULL },
    };
    /* clang-format on */

    (void)mkdir("cred", 0700);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_password_request r = nothing_asked_for();
        struct pdfpipe_secret *found[PP_PASSWORD_ROLES];
        const char *answers[] = { rows[i].prompt, "" };
        struct pdfpipe_error err = { 0 };

        clear_environment();
        (void)unlink("cred/user-password");
        (void)setenv("CREDENTIALS_DIRECTORY", "cred", 1);
        if (rows[i].option) {
            put_text("option", rows[i].option);
            r.option[PP_USER_PASSWORD].file = "option";
        }
        if (rows[i].variable)
            (void)setenv("PDFPIPE_USER_PASSWORD", rows[i].variable, 1);
        if (rows[i].variable_file) {
            put_text("file", rows[i].variable_file);
            (void)setenv("PDFPIPE_USER_PASSWORD_FILE", "file", 1);
        }
        if (rows[i].credential)
            put_file("cred/user-password", rows[i].credential, 1, 0644);
        if (rows[i].prompt) {
            r.ask = answer;
            r.arg = answers;
        }
        CHECK(!pp_passwords_find(&r, found, &err), "%s: %s", rows[i].what,
              err.message);
        CHECK(is(found[PP_USER_PASSWORD], rows[i].want), "%s", rows[i].what);
        CHECK(!found[PP_OWNER_PASSWORD], "%s: no owner", rows[i].what);
        CHECK(!getenv("PDFPIPE_USER_PASSWORD"), "%s: variable is left",
              rows[i].what);
        pdfpipe_secret_free(found[PP_USER_PASSWORD]);
    }
    clear_environment();
}

static void
is_the_environment_wiped(void)
{
    static char user[] = "PDFPIPE_USER_PASSWORD=tops3cret",
                owner[] = "PDFPIPE_OWNER_PASSWORD=";
    struct pp_password_request r = nothing_asked_for();
    struct pdfpipe_secret *found[PP_PASSWORD_ROLES];

    /* putenv: the very bytes that the library then overwrites. */
    CHECK(putenv(user) == 0 && putenv(owner) == 0, "putenv");
    CHECK(pp_passwords_find(&r, found, NULL) == PDFPIPE_E_PASSWORD,
          "an empty variable is no password");
    CHECK(!found[0] && !found[1], "nothing is given out with an error");
    for (size_t i = strlen("PDFPIPE_USER_PASSWORD="); i < sizeof user; i++)
        CHECK(user[i] == 0, "byte %zu is left", i);
    CHECK(!getenv("PDFPIPE_USER_PASSWORD") && !getenv("PDFPIPE_OWNER_PASSWORD"),
          "variables are left");
    clear_environment();
}

static void
are_two_sources_of_one_rank_refused(void)
{
    struct pp_password_request r = nothing_asked_for();
    struct pdfpipe_secret *found[PP_PASSWORD_ROLES];

    put_text("pw", "abc");
    (void)setenv("PDFPIPE_OWNER_PASSWORD", "x", 1);
    (void)setenv("PDFPIPE_OWNER_PASSWORD_FILE", "pw", 1);
    CHECK(pp_passwords_find(&r, found, NULL) == PDFPIPE_E_USAGE,
          "variable and file");
    clear_environment();
    r.option[PP_OWNER_PASSWORD].file = "pw";
    r.option[PP_OWNER_PASSWORD].fd = 0;
    CHECK(pp_passwords_find(&r, found, NULL) == PDFPIPE_E_USAGE,
          "file and descriptor");
}

static void
are_senseless_sources_refused(void)
{
    static const struct {
        const char *file;
        enum pdfpipe_status st;
    } rows[] = {
        { "nope", PDFPIPE_E_NOT_FOUND },
        { ".", PDFPIPE_E_PASSWORD },
        { "/dev/null", PDFPIPE_E_PASSWORD },
        { "/dev/zero", PDFPIPE_E_PASSWORD },
        { "pw/x", PDFPIPE_E_NOT_FOUND },
    };
    struct pp_password_request r = nothing_asked_for();
    struct pdfpipe_secret *found[PP_PASSWORD_ROLES];
    struct pdfpipe_error err = { 0 };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        r.option[PP_USER_PASSWORD].file = rows[i].file;
        CHECK(pp_passwords_find(&r, found, &err) == rows[i].st, "%s: %s",
              rows[i].file, err.message);
    }
    r = nothing_asked_for();
    r.option[PP_USER_PASSWORD].fd = 4000;
    CHECK(pp_passwords_find(&r, found, &err) == PDFPIPE_E_USAGE,
          "closed descriptor: %s", err.message);
    (void)setenv("CREDENTIALS_DIRECTORY", "cred", 1);
    (void)unlink("cred/user-password");
    CHECK(mkdir("cred/user-password", 0700) == 0, "mkdir");
    r = nothing_asked_for();
    CHECK(pp_passwords_find(&r, found, &err) == PDFPIPE_E_PASSWORD,
          "a credential that is a folder: %s", err.message);
    CHECK(rmdir("cred/user-password") == 0, "rmdir");
    clear_environment();
}

static void
do_pipes_work(void)
{
    struct pp_password_request r = nothing_asked_for();
    struct pdfpipe_secret *found[PP_PASSWORD_ROLES];
    struct pdfpipe_error err = { 0 };
    char name[32];
    int fd = pipe_with("first\nsecond\nthird\n");

    r.option[PP_USER_PASSWORD].fd = fd;
    r.option[PP_OWNER_PASSWORD].fd = fd;
    CHECK(!pp_passwords_find(&r, found, &err), "%s", err.message);
    CHECK(is(found[PP_USER_PASSWORD], "first"), "user: the first line");
    CHECK(is(found[PP_OWNER_PASSWORD], "second"), "owner: the next one");
    for (int i = 0; i < PP_PASSWORD_ROLES; i++)
        pdfpipe_secret_free(found[i]);

    /* As process substitution of a shell gives it. */
    (void)snprintf(name, sizeof name, "/dev/fd/%d", fd);
    r = nothing_asked_for();
    r.option[PP_USER_PASSWORD].file = name;
    CHECK(!pp_passwords_find(&r, found, &err), "%s", err.message);
    CHECK(is(found[PP_USER_PASSWORD], "third"), "%s", name);
    pdfpipe_secret_free(found[PP_USER_PASSWORD]);
    (void)close(fd);
}

static void
count_warning(void *arg, const char *text)
{
    CHECK(strstr(text, "pw") != NULL, "names the file: %s", text);
    CHECK(strstr(text, "abc") == NULL, "keeps the secret: %s", text);
    ++*(int *)arg;
}

static void
is_an_open_file_warned_about(void)
{
    static const struct {
        mode_t mode;
        int warnings;
    } rows[] = {
        { 0600, 0 }, { 0400, 0 }, { 0640, 1 }, { 0604, 1 }, { 0666, 1 }
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_password_request r = nothing_asked_for();
        struct pdfpipe_secret *found[PP_PASSWORD_ROLES];
        int warnings = 0;

        put_file("pw", "abc", 3, rows[i].mode);
        r.option[PP_USER_PASSWORD].file = "pw";
        r.warn = count_warning;
        r.arg = &warnings;
        CHECK(!pp_passwords_find(&r, found, NULL), "mode %o", rows[i].mode);
        CHECK(warnings == rows[i].warnings, "mode %o: %d", rows[i].mode,
              warnings);
        pdfpipe_secret_free(found[PP_USER_PASSWORD]);
    }
}

/* What the prompt was used for: bit per role. */
static enum pdfpipe_status
remember(void *arg, enum pp_password_role role, struct pdfpipe_secret *into,
         struct pdfpipe_error *err)
{
    unsigned *asked = arg;

    (void)err;
    *asked |= 1u << role;
    if (*asked & 8) /* an empty answer */
        return PDFPIPE_OK;
    into->data[0] = 'x';
    into->length = 1;
    return PDFPIPE_OK;
}

static enum pdfpipe_status
refuse(void *arg, enum pp_password_role role, struct pdfpipe_secret *into,
       struct pdfpipe_error *err)
{
    (void)arg;
    (void)role;
    into->length = 1;
    err->code = PDFPIPE_E_PASSWORD;
    return PDFPIPE_E_PASSWORD;
}

static void
who_is_asked_for_what(void)
{
    enum { USER = 1, OWNER = 2, EMPTY = 8 };
    static const struct {
        const char *what;
        bool has_user, has_owner, needs_owner, empty;
        unsigned asked;
    } rows[] = {
        { "nothing known", false, false, true, false, USER | OWNER },
        { "no owner needed", false, false, false, false, USER },
        { "user known", true, false, true, false, OWNER },
        { "user known, no owner needed", true, false, false, false, 0 },
        { "owner known", false, true, true, false, 0 },
        { "both known", true, true, true, false, 0 },
        { "empty answers", false, false, true, true, USER | OWNER },
    };
    struct pdfpipe_secret *found[PP_PASSWORD_ROLES];
    struct pp_password_request r;

    put_text("pw", "abc");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        unsigned asked = rows[i].empty ? EMPTY : 0;

        r = nothing_asked_for();
        r.ask = remember;
        r.arg = &asked;
        r.needs_owner = rows[i].needs_owner;
        if (rows[i].has_user)
            r.option[PP_USER_PASSWORD].file = "pw";
        if (rows[i].has_owner)
            r.option[PP_OWNER_PASSWORD].file = "pw";
        CHECK(!pp_passwords_find(&r, found, NULL), "%s", rows[i].what);
        CHECK((asked & 7) == rows[i].asked, "%s: asked %u", rows[i].what,
              asked);
        for (int k = 0; k < PP_PASSWORD_ROLES; k++) {
            CHECK(!rows[i].empty || !found[k], "%s: %d", rows[i].what, k);
            pdfpipe_secret_free(found[k]);
        }
    }
    r = nothing_asked_for();
    r.ask = refuse;
    {
        struct pdfpipe_error err;

        CHECK(pp_passwords_find(&r, found, &err) == PDFPIPE_E_PASSWORD,
              "the prompt's error is passed on");
    }
    CHECK(!found[0] && !found[1], "nothing with an error");
}

int
main(void)
{
    if (!CHECK(mkdtemp(scratch) && chdir(scratch) == 0, "%s", scratch))
        return check_report("passwords");
    clear_environment();
    what_a_line_is();
    is_the_longest_line_taken_with_any_end();
    which_source_counts();
    is_the_environment_wiped();
    are_two_sources_of_one_rank_refused();
    are_senseless_sources_refused();
    do_pipes_work();
    is_an_open_file_warned_about();
    who_is_asked_for_what();
    CHECK(system("rm -rf line option file pw cred") == 0, "clean");
    CHECK(chdir("/") == 0 && rmdir(scratch) == 0, "%s is empty", scratch);
    return check_report("passwords");
}
