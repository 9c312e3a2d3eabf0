/* help.h - what --help and --version print */
#ifndef PP_CLI_HELP_H
#define PP_CLI_HELP_H

#include <stdbool.h>

/* On stdout, at most 80 columns; the exit code: 0, or 75 when stdout does not
 * take it. */
int pp_help(void);
int pp_version(bool libraries);

#endif
