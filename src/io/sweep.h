/*
 * sweep.h - temporary files that a killed run left behind
 */
#ifndef PP_IO_SWEEP_H
#define PP_IO_SWEEP_H

#include <time.h>

/* Seconds without any change after which a temporary file is nobody's. */
#define PP_SWEEP_AGE_S ((time_t)24 * 60 * 60)

/*
 * Removes, from this one folder, regular files with the name of a temporary
 * file (pp_is_temp_name) whose content and attributes did not change for
 * PP_SWEEP_AGE_S before `now` (seconds since 1970), and that belong to the
 * effective user; root removes those of every user, since a killed run of
 * root may have given them away already.  Symbolic links are neither followed
 * nor removed.
 *
 * Returns how many were removed.  Errors only mean that litter stays.
 */
unsigned pp_sweep(const char *folder, time_t now);

#endif
