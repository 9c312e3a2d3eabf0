/* encrypt.h - the command encrypt: a whole run, from passwords to summary */
#ifndef PP_CLI_ENCRYPT_H
#define PP_CLI_ENCRYPT_H

#include "cli/console.h"
#include "cli/settings.h"

/* Returns the exit code of the program. */
int pp_encrypt(struct pp_settings *settings, struct pp_console *console);

#endif
