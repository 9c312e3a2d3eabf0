/* help.c - what --help and --version print */
#include "cli/help.h"

#include <stdio.h>
#include <string.h>
#include <uv.h>

#include <pdfpipe/pdfpipe.h>

#include "cli/arguments.h"
#include "cli/command.h"

/* Columns: of the text of an option, and of the whole. */
#define TEXT_COLUMN 26
#define LAST_COLUMN 79

static const char *const titles[] = {
    [PP_GROUP_FILES] = "Files",
    [PP_GROUP_PASSWORDS] = "Passwords and encryption",
    [PP_GROUP_PERMISSIONS] =
        "Permissions (as in qpdf; default: everything is allowed)",
    [PP_GROUP_SAFETY] = "What may happen to a file",
    [PP_GROUP_RUN] = "The run",
    [PP_GROUP_REPORT] = "What is told",
    [PP_GROUP_HELP] = "Help",
};

/* Words of text from `column` on, wrapped before LAST_COLUMN. */
static void
put_wrapped(const char *text, int column)
{
    int at = column;

    while (*text) {
        int n = (int)strcspn(text, " ");

        if (at != column && at + 1 + n > LAST_COLUMN) {
            (void)printf("\n%*s", column, "");
            at = column;
        }
        at += printf("%s%.*s", at == column ? "" : " ", n, text);
        text += n;
        text += strspn(text, " ");
    }
    (void)printf("\n");
}

static void
put_option(const struct pp_option *o)
{
    int n = o->letter ? printf("  -%c, --%s", o->letter, o->name)
                      : printf("      --%s", o->name);

    if (o->argument)
        n += printf("=%s", o->argument);
    if (n + 2 > TEXT_COLUMN) {
        (void)printf("\n");
        n = 0;
    }
    (void)printf("%*s", TEXT_COLUMN - n, "");
    put_wrapped(o->help, TEXT_COLUMN);
}

/* stdout is buffered: only now is known whether it took everything. */
static int
end_of_output(void)
{
    if (!fflush(stdout) && !ferror(stdout))
        return 0;
    (void)fprintf(stderr, "pdfpipe: standard output: not everything could be "
                          "written\n");
    return pdfpipe_status_exit(PDFPIPE_E_WRITE);
}

int
pp_help(void)
{
    enum pp_option_group group = PP_GROUP_HIDDEN;
    const struct pp_option *o;
    const struct pp_command *c;

    (void)printf("Usage: pdfpipe [COMMAND] [OPTION]... PATH...\n"
                 "Encrypts PDF files with AES-256 (/V 5 /R 6): the files that "
                 "are named, and\n"
                 "every file *.pdf below the folders that are named; in "
                 "place, or with --output\n"
                 "or --suffix into new files.  What is encrypted already is "
                 "left alone.\n\nCommands:\n");
    for (unsigned i = 0; (c = pp_command_at(i)) != NULL; i++)
        (void)printf("  %-22s  %s\n", c->name, c->summary);
    for (size_t i = 0; (o = pp_option_at(i)) != NULL; i++) {
        if (o->group == PP_GROUP_HIDDEN)
            continue;
        if (o->group != group)
            (void)printf("\n%s:\n", titles[o->group]);
        group = o->group;
        put_option(o);
    }
    (void)printf(
        "\nA password is taken from its option, else from "
        "PDFPIPE_USER_PASSWORD[_FILE] or\n"
        "PDFPIPE_OWNER_PASSWORD[_FILE], else from $CREDENTIALS_DIRECTORY, "
        "else it is\nasked for on the terminal.\n"
        "Exit codes: 0 done, 1 a file failed, 2 usage, 70 internal error, "
        "75 try again.\n"
        "More in pdfpipe(1).\n");
    return end_of_output();
}

int
pp_version(bool libraries)
{
    (void)printf("pdfpipe %s\n", PDFPIPE_VERSION_STRING);
    if (libraries)
        (void)printf("libpdfpipe %s\n%s\nlibuv %s\nengine %s\n",
                     pdfpipe_version(), pdfpipe_crypto_version(),
                     uv_version_string(),
                     pdfpipe_engine_name(PDFPIPE_ENGINE_AUTO));
    return end_of_output();
}
