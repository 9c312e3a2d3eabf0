/*
 * passwords.h - where the two passwords of a run come from
 *
 * For each of the two, the first of these that has one counts:
 *   1. an option: a file or a descriptor;
 *   2. the environment: PDFPIPE_USER_PASSWORD or ..._FILE (OWNER likewise);
 *   3. the credential folder: $CREDENTIALS_DIRECTORY/user-password;
 *   4. the prompt, if the caller gives one.
 * A password is the first line, without its line end ("\n" or "\r\n").  An
 * empty one, one with a NUL and one longer than 1,000 bytes is refused.
 *
 * Passwords are read straight into struct pdfpipe_secret; the variables with
 * a password are overwritten and removed from the environment, whether they
 * counted or not.
 *
 * Threads: before others are started, because of the environment.
 */
#ifndef PP_BATCH_PASSWORDS_H
#define PP_BATCH_PASSWORDS_H

#include <pdfpipe/options.h>

#define PP_PASSWORD_LONGEST 1000u /* bytes, before preparation */

enum pp_password_role {
    PP_USER_PASSWORD,
    PP_OWNER_PASSWORD,
    PP_PASSWORD_ROLES
};

struct pp_password_request {
    struct {
        const char *file; /* borrowed; NULL: none */
        int fd;           /* -1: none             */
    } option[PP_PASSWORD_ROLES];

    /* Asks a person; may leave the secret empty.  NULL: nobody to ask.
     * Called for the user password when neither is known, for the owner
     * password when it is not known and needs_owner is set. */
    enum pdfpipe_status (*ask)(void *arg, enum pp_password_role role,
                               struct pdfpipe_secret *into,
                               struct pdfpipe_error *err);
    bool needs_owner;

    /* One line for a person, no secret in it; may be NULL. */
    void (*warn)(void *arg, const char *text);
    void *arg;
};

/*
 * Fills found[]; NULL where there is no password, or an empty answer.
 * Ownership: the caller frees both with pdfpipe_secret_free().
 * Errors: E_USAGE     two sources of the same rank for one password, or a
 *                     descriptor that is not open
 *         E_PASSWORD  a source gives no usable password
 *         E_NOT_FOUND, E_PERMISSION, E_READ: a source cannot be read
 *         E_NO_MEMORY
 * After an error found[] is all NULL.
 */
enum pdfpipe_status
pp_passwords_find(const struct pp_password_request *request,
                  struct pdfpipe_secret *found[PP_PASSWORD_ROLES],
                  struct pdfpipe_error *err);

/*
 * One password from a descriptor, which stays open: reads byte by byte up to
 * the end of the line, so that two passwords can stand one below the other.
 * `name` is for messages.
 * Errors: E_PASSWORD, E_READ.
 */
enum pdfpipe_status pp_password_read(int fd, const char *name,
                                     struct pdfpipe_secret *into,
                                     struct pdfpipe_error *err);

/* "user" or "owner". */
const char *pp_password_role_name(enum pp_password_role role);

#endif
