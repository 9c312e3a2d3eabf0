/*
 * arguments.h - the command line, from one table of options
 *
 * The table gives the parser, --help and the check of the man page what they
 * need.  Long options are written in full: an abbreviation that works today
 * could mean something else tomorrow.
 */
#ifndef PP_CLI_ARGUMENTS_H
#define PP_CLI_ARGUMENTS_H

#include "cli/settings.h"

enum pp_option_group {
    PP_GROUP_FILES,
    PP_GROUP_PASSWORDS,
    PP_GROUP_PERMISSIONS,
    PP_GROUP_SAFETY,
    PP_GROUP_RUN,
    PP_GROUP_REPORT,
    PP_GROUP_HELP,
    PP_GROUP_HIDDEN, /* refused with an explanation; not in --help */
};

struct pp_choice {
    const char *word; /* NULL ends a list */
    int value;
};

struct pp_option {
    char letter;          /* 0: none                              */
    const char *name;     /* without the dashes                   */
    const char *argument; /* its name in --help; NULL: takes none */
    const char *help;
    enum pp_option_group group;

    /* Stores the value (NULL: no argument) in the settings. */
    enum pdfpipe_status (*take)(struct pp_settings *s,
                                const struct pp_option *option,
                                const char *value, struct pdfpipe_error *err);
    size_t field;                    /* offset in the settings, if one does */
    const struct pp_choice *choices; /* words it knows, if it has words     */
};

/* Option i of the table, in the order of --help; NULL after the last. */
const struct pp_option *pp_option_at(size_t i);

/*
 * Fills *s.  Uses the state of getopt(3): one thread, before others start.
 * Ownership: the caller calls pp_settings_fini() in any case.
 * Errors: E_USAGE, E_NO_MEMORY.
 */
enum pdfpipe_status pp_arguments_parse(struct pp_settings *s, int argc,
                                       char **argv, struct pdfpipe_error *err);
void pp_settings_fini(struct pp_settings *s);

#endif
