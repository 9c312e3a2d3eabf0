/*
 * settings.h - everything a command line can say
 *
 * Filled by arguments.c, read by the commands.  Strings are borrowed from
 * argv.
 */
#ifndef PP_CLI_SETTINGS_H
#define PP_CLI_SETTINGS_H

#include <pdfpipe/pdfpipe.h>

#include "batch/catalog.h"
#include "batch/passwords.h"

enum pp_when {
    PP_AUTO, /* on a terminal */
    PP_ALWAYS,
    PP_NEVER,
};

/* Strings in the order they were given. */
struct pp_list {
    const char **item; /* owned array of borrowed strings */
    size_t count;
};

struct pp_command;

struct pp_settings {
    const struct pp_command *command;
    struct pp_list paths;
    struct pp_list include;
    struct pp_list exclude;

    struct pdfpipe_options run;
    struct pp_catalog_spec catalog; /* its arrays are those above */
    struct pp_password_request passwords;
    bool accessibility_refused; /* --accessibility=n was asked for */

    const char *report; /* file; NULL: none */
    bool json;
    bool stats;
    bool quiet;
    bool verbose;
    enum pp_when progress;
    enum pp_when color;
    bool help;
    bool version;
};

#endif
