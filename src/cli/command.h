/*
 * command.h - the commands of the program
 *
 * The first word of a command line that is no option may be one of them;
 * without one, files are encrypted.  A new command is a row here and a file
 * with its function.
 */
#ifndef PP_CLI_COMMAND_H
#define PP_CLI_COMMAND_H

struct pp_settings;
struct pp_console;

struct pp_command {
    const char *name;
    const char *summary; /* half a line for --help */

    /* Does the work and returns the exit code; NULL: this version does not
     * have the command. */
    int (*run)(struct pp_settings *settings, struct pp_console *console);
};

/* The command named so, or NULL. */
const struct pp_command *pp_command_find(const char *name);

/* The command of a line that names none. */
const struct pp_command *pp_command_default(void);

/* Each command this version has, in order, from i = 0; NULL after the last. */
const struct pp_command *pp_command_at(unsigned i);

#endif
