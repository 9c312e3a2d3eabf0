/* secret.c - passwords on their way into the library */
#include <pdfpipe/options.h>

#include <stdlib.h>

#include "crypt/password.h"
#include "crypt/secret.h"

/* The public part comes first, so that a pointer to it is one to all. */
struct secret {
    struct pdfpipe_secret shown;
    struct pp_vault *vault;
};

struct pdfpipe_secret *
pdfpipe_secret_new(void)
{
    struct secret *s = calloc(1, sizeof *s);

    if (!s || pp_vault_new(PDFPIPE_SECRET_MAX, &s->vault, NULL)) {
        free(s);
        return NULL;
    }
    s->shown.data = pp_secret_new(s->vault, PDFPIPE_SECRET_MAX);
    if (!s->shown.data) {
        pp_vault_free(s->vault);
        free(s);
        return NULL;
    }
    return &s->shown;
}

void
pdfpipe_secret_free(struct pdfpipe_secret *shown)
{
    struct secret *s = (struct secret *)shown;

    if (!s)
        return;
    pp_secret_free(s->vault, s->shown.data, PDFPIPE_SECRET_MAX);
    pp_vault_free(s->vault);
    free(s);
}

enum pdfpipe_status
pdfpipe_password_check(const struct pdfpipe_secret *password,
                       bool allow_nonportable, struct pdfpipe_error *err)
{
    struct pp_view text = { password->data, password->length };
    uint8_t prepared[PP_PASSWORD_MAX];
    enum pdfpipe_status st;
    bool changed;
    size_t n;

    st = pp_password_prepare(text, PP_PREPARE_STORED, prepared, &n, &changed,
                             err);
    pp_wipe(prepared, sizeof prepared);
    if (!st && changed && !allow_nonportable)
        return pp_fail(err, PDFPIPE_E_PASSWORD,
                       "SASLprep changes the password, and readers without "
                       "SASLprep would need another spelling");
    return st;
}
