/* user.c - what somebody writes who uses the library */
#include <pdfpipe/pdfpipe.h>

#include <stdio.h>
#include <string.h>

static struct pdfpipe_secret *
secret(const char *text)
{
    struct pdfpipe_secret *s = pdfpipe_secret_new();

    if (s) {
        s->length = strlen(text);
        memcpy(s->data, text, s->length);
    }
    return s;
}

int
main(int argc, char **argv)
{
    struct pdfpipe_options options;
    struct pdfpipe_error err;
    struct pdfpipe_secret *user = secret("user-secret");
    struct pdfpipe_secret *owner = secret("owner-secret");
    enum pdfpipe_status st;

    if (argc != 2 || !user || !owner)
        return 2;
    pdfpipe_options_init(&options);
    options.user_password = user;
    options.owner_password = owner;
    st = pdfpipe_encrypt_file(&options, argv[1], NULL, NULL, &err);
    if (st)
        fprintf(stderr, "%s: %s\n", pdfpipe_status_id(st), err.message);
    pdfpipe_secret_free(user);
    pdfpipe_secret_free(owner);
    return st ? 1 : 0;
}
