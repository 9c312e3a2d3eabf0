/*
 * prompt.h - asks a person for a password
 */
#ifndef PP_CLI_PROMPT_H
#define PP_CLI_PROMPT_H

#include <stdbool.h>

#include "batch/passwords.h"

/* Is there a person? */
bool pp_prompt_possible(void);

/*
 * Asks on the terminal, twice, without echo; the answers must be equal.  An
 * empty first answer means none and is not asked for again.
 *
 * A signal that arrives meanwhile does what it would have done, after the
 * terminal shows again what is typed.
 * Errors: E_PASSWORD  the answers differ, the input ends, or it is too long
 *         E_READ, E_INTERNAL, E_NO_MEMORY
 */
enum pdfpipe_status pp_prompt(void *arg, enum pp_password_role role,
                              struct pdfpipe_secret *into,
                              struct pdfpipe_error *err);

#endif
