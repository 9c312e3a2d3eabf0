/* command.c - the commands of the program */
#include "cli/command.h"

#include <stddef.h>
#include <string.h>

#include "cli/encrypt.h"

/* clang-format off */
static const struct pp_command commands[] = {
    { "encrypt",      "encrypt files and whole folders (default)", pp_encrypt },
    { "decrypt",      "remove the encryption",                     NULL },
    { "rotate",       "new file key and new passwords",            NULL },
    { "passwd",       "new passwords, same file key",              NULL },
    { "verify",       "audit encrypted files",                     NULL },
    { "info",         "show what a file is",                       NULL },
    { "stamp",        "append an approval annotation",             NULL },
    { "watch",        "watch folders",                             NULL },
    { "status",       "status of the watching program",            NULL },
    { "check-config", "check a configuration file",                NULL },
    { "manifest",     "work with manifests",                       NULL },
};
/* clang-format on */

#define COMMANDS (sizeof commands / sizeof commands[0])

const struct pp_command *
pp_command_find(const char *name)
{
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

const struct pp_command *
pp_command_default(void)
{
    return &commands[0];
}

const struct pp_command *
pp_command_at(unsigned i)
{
    for (size_t k = 0; k < COMMANDS; k++)
        if (commands[k].run && i-- == 0)
            return &commands[k];
    return NULL;
}
