/*
 * permissions.h - permission options, with the names and effects qpdf has
 *
 * The options work one after the other on the bits of /P: `--modify=none
 * --form=y` allows filling in forms and no other change.
 */
#ifndef PP_CLI_PERMISSIONS_H
#define PP_CLI_PERMISSIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Applies --OPTION=WORD ("print", "low") to *permissions; false: the option
 * does not know the word. */
bool pp_permission_apply(const char *option, const char *word,
                         uint32_t *permissions);

/* Raw /P as a signed or unsigned number of 32 bits, decimal or 0x...; the
 * reserved bits are not looked at. */
bool pp_permission_raw(const char *text, uint32_t *permissions);

#endif
