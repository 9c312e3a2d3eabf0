/* passwords.c - where the two passwords of a run come from */
#include "batch/passwords.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "batch/failure.h"

_Static_assert(PP_PASSWORD_LONGEST + 2 < PDFPIPE_SECRET_MAX,
               "a line end and a byte that is too much fit behind it");

static const struct {
    const char *name;
    const char *variable;
    const char *file_variable;
    const char *credential;
} roles[PP_PASSWORD_ROLES] = {
    { "user", "PDFPIPE_USER_PASSWORD", "PDFPIPE_USER_PASSWORD_FILE",
      "user-password" },
    { "owner", "PDFPIPE_OWNER_PASSWORD", "PDFPIPE_OWNER_PASSWORD_FILE",
      "owner-password" },
};

const char *
pp_password_role_name(enum pp_password_role role)
{
    return roles[role].name;
}

static void
clear(struct pdfpipe_secret *s)
{
    explicit_bzero(s->data, PDFPIPE_SECRET_MAX);
    s->length = 0;
}

/* Checks the line in *s, without its "\n", and drops a "\r" before that. */
static enum pdfpipe_status
check_line(struct pdfpipe_secret *s, bool whole_line, const char *name,
           struct pdfpipe_error *err)
{
    const char *wrong = NULL;

    if (whole_line && s->length && s->data[s->length - 1] == '\r')
        s->data[--s->length] = 0;
    if (s->length == 0)
        wrong = "is empty";
    else if (s->length > PP_PASSWORD_LONGEST)
        wrong = "is longer than 1,000 bytes";
    else if (memchr(s->data, 0, s->length))
        wrong = "contains a NUL byte";
    if (!wrong)
        return PDFPIPE_OK;
    clear(s);
    return pp_refuse(err, PDFPIPE_E_PASSWORD, "%s: the password %s", name,
                     wrong);
}

enum pdfpipe_status
pp_password_read(int fd, const char *name, struct pdfpipe_secret *into,
                 struct pdfpipe_error *err)
{
    clear(into);
    for (;;) {
        ssize_t n = read(fd, into->data + into->length, 1);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            int saved = errno;

            clear(into);
            return pp_refuse_sys(err, saved, PDFPIPE_E_READ, "%s", name);
        }
        if (n == 0)
            return check_line(into, false, name, err);
        if (into->data[into->length] == '\n') {
            into->data[into->length] = 0;
            return check_line(into, true, name, err);
        }
        /* Two bytes more than allowed: one may be the "\r" of the end. */
        if (++into->length == PP_PASSWORD_LONGEST + 2)
            return check_line(into, false, name, err);
    }
}

/* Reading from it must make sense and have no side effect. */
static enum pdfpipe_status
check_kind(const struct stat *st, const char *path, struct pdfpipe_error *err)
{
    const char *is = S_ISDIR(st->st_mode)    ? "a folder"
                     : S_ISCHR(st->st_mode)  ? "a device"
                     : S_ISBLK(st->st_mode)  ? "a device"
                     : S_ISSOCK(st->st_mode) ? "a socket"
                                             : NULL;

    if (!is)
        return PDFPIPE_OK;
    return pp_refuse(err, PDFPIPE_E_PASSWORD,
                     "%s is %s; a file, a pipe or a descriptor is wanted", path,
                     is);
}

static void
warn_if_open(const struct pp_password_request *request, const struct stat *st,
             const char *path)
{
    char text[PATH_MAX + 64];

    if (!request->warn || !S_ISREG(st->st_mode) || !(st->st_mode & 077))
        return;
    /* Cut names are good enough for a warning. */
    (void)snprintf(text, sizeof text,
                   "password file %s is open to others (mode %04o)", path,
                   (unsigned)st->st_mode & 07777);
    request->warn(request->arg, text);
}

static enum pdfpipe_status
read_file(const struct pp_password_request *request, const char *path,
          struct pdfpipe_secret *into, struct pdfpipe_error *err)
{
    enum pdfpipe_status result;
    struct stat st;
    int fd;

    /* Before opening: opening a device can already do something. */
    if (stat(path, &st))
        return pp_refuse_sys(err, errno, PDFPIPE_E_READ, "password file %s",
                             path);
    result = check_kind(&st, path, err);
    if (result)
        return result;
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0 || fstat(fd, &st)) {
        result =
            pp_refuse_sys(err, errno, PDFPIPE_E_READ, "password file %s", path);
        goto out_fd;
    }
    result = check_kind(&st, path, err);
    if (result)
        goto out_fd;
    warn_if_open(request, &st, path);
    result = pp_password_read(fd, path, into, err);
out_fd:
    if (fd >= 0)
        (void)close(fd); /* was only read */
    return result;
}

static enum pdfpipe_status
read_fd(int fd, struct pdfpipe_secret *into, struct pdfpipe_error *err)
{
    char name[40];

    (void)snprintf(name, sizeof name, "descriptor %d", fd);
    if (fcntl(fd, F_GETFD) < 0)
        return pp_refuse(err, PDFPIPE_E_USAGE, "%s is not open", name);
    if (isatty(fd))
        return pp_refuse(err, PDFPIPE_E_PASSWORD,
                         "%s is a terminal, which would show the password; "
                         "without this option it is asked for",
                         name);
    return pp_password_read(fd, name, into, err);
}

/* No other thread is there yet (see the header), here and below. */
static char *
variable(const char *name)
{
    return getenv(name); /* NOLINT(concurrency-mt-unsafe) */
}

/* A copy of the variable's value, which is then gone from the environment;
 * *found says whether there was one. */
static enum pdfpipe_status
take_variable(const char *name, struct pdfpipe_secret *into, bool *found,
              struct pdfpipe_error *err)
{
    char *value = variable(name);
    size_t n;

    *found = value != NULL;
    if (!value)
        return PDFPIPE_OK;
    clear(into);
    n = strlen(value);
    into->length = n < PDFPIPE_SECRET_MAX ? n : PDFPIPE_SECRET_MAX;
    memcpy(into->data, value, into->length);
    explicit_bzero(value, n);
    if (unsetenv(name)) { /* NOLINT(concurrency-mt-unsafe) */
        clear(into);
        return pp_refuse(err, PDFPIPE_E_INTERNAL, "environment: %s", name);
    }
    return check_line(into, false, name, err);
}

static enum pdfpipe_status
from_environment(const struct pp_password_request *request,
                 enum pp_password_role role, struct pdfpipe_secret *into,
                 bool *found, struct pdfpipe_error *err)
{
    const char *path = variable(roles[role].file_variable);
    enum pdfpipe_status st;

    st = take_variable(roles[role].variable, into, found, err);
    if (st || !path)
        return st;
    if (*found) {
        clear(into);
        return pp_refuse(err, PDFPIPE_E_USAGE,
                         "%s and %s are both set; one is enough",
                         roles[role].variable, roles[role].file_variable);
    }
    *found = true;
    return read_file(request, path, into, err);
}

/* systemd.exec(5), LoadCredential=: only this service can read the folder, so
 * the mode of the file in it is not looked at. */
static enum pdfpipe_status
from_credential(enum pp_password_role role, struct pdfpipe_secret *into,
                bool *found, struct pdfpipe_error *err)
{
    static const struct pp_password_request silent = { .warn = NULL };
    const char *folder = variable("CREDENTIALS_DIRECTORY");
    enum pdfpipe_status result = PDFPIPE_OK;
    struct stat st;
    char *path;

    *found = false;
    if (!folder || !*folder)
        return PDFPIPE_OK;
    if (asprintf(&path, "%s/%s", folder, roles[role].credential) < 0)
        return pp_refuse_memory(err);
    if (stat(path, &st) == 0 || errno != ENOENT) {
        *found = true;
        result = read_file(&silent, path, into, err);
    }
    free(path);
    return result;
}

/* Everything but the prompt. */
static enum pdfpipe_status
find_one(const struct pp_password_request *request, enum pp_password_role role,
         struct pdfpipe_secret *into, bool *found, struct pdfpipe_error *err)
{
    const char *file = request->option[role].file;
    int fd = request->option[role].fd;
    enum pdfpipe_status st;

    *found = true;
    if (file && fd >= 0)
        return pp_refuse(err, PDFPIPE_E_USAGE,
                         "the %s password comes from a file or from a "
                         "descriptor, not from both",
                         roles[role].name);
    if (file || fd >= 0) {
        bool there;

        /* The option counts, but the variable has to go all the same; what
         * is wrong with it does not matter. */
        (void)take_variable(roles[role].variable, into, &there, NULL);
        return file ? read_file(request, file, into, err)
                    : read_fd(fd, into, err);
    }
    st = from_environment(request, role, into, found, err);
    if (!st && !*found)
        st = from_credential(role, into, found, err);
    return st;
}

static enum pdfpipe_status
ask_for_missing(const struct pp_password_request *request,
                struct pdfpipe_secret *secret[], bool found[],
                struct pdfpipe_error *err)
{
    enum pdfpipe_status st = PDFPIPE_OK;

    if (!request->ask)
        return PDFPIPE_OK;
    if (!found[PP_USER_PASSWORD] && !found[PP_OWNER_PASSWORD]) {
        st = request->ask(request->arg, PP_USER_PASSWORD,
                          secret[PP_USER_PASSWORD], err);
        found[PP_USER_PASSWORD] = !st && secret[PP_USER_PASSWORD]->length;
    }
    if (!st && !found[PP_OWNER_PASSWORD] && request->needs_owner) {
        st = request->ask(request->arg, PP_OWNER_PASSWORD,
                          secret[PP_OWNER_PASSWORD], err);
        found[PP_OWNER_PASSWORD] = !st && secret[PP_OWNER_PASSWORD]->length;
    }
    return st;
}

enum pdfpipe_status
pp_passwords_find(const struct pp_password_request *request,
                  struct pdfpipe_secret *found[PP_PASSWORD_ROLES],
                  struct pdfpipe_error *err)
{
    struct pdfpipe_secret *secret[PP_PASSWORD_ROLES] = { NULL, NULL };
    bool is_found[PP_PASSWORD_ROLES] = { false, false };
    enum pdfpipe_status st = PDFPIPE_OK;

    for (int i = 0; i < PP_PASSWORD_ROLES; i++)
        found[i] = NULL;
    for (int i = 0; i < PP_PASSWORD_ROLES && !st; i++) {
        secret[i] = pdfpipe_secret_new();
        if (!secret[i])
            st = pp_refuse_memory(err);
    }
    /* Both roles, even after an error: no variable may stay behind. */
    for (int i = 0; i < PP_PASSWORD_ROLES; i++) {
        enum pdfpipe_status one;

        if (!secret[i])
            break;
        one = find_one(request, (enum pp_password_role)i, secret[i],
                       &is_found[i], st ? NULL : err);
        if (!st)
            st = one;
    }
    if (!st && secret[PP_USER_PASSWORD] && secret[PP_OWNER_PASSWORD])
        st = ask_for_missing(request, secret, is_found, err);
    for (int i = 0; i < PP_PASSWORD_ROLES; i++)
        if (!st && is_found[i])
            found[i] = secret[i];
        else
            pdfpipe_secret_free(secret[i]);
    return st;
}
