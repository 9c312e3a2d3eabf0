/*
 * suite.h - the algorithms, fetched from libcrypto once per run
 *
 * An implicit fetch takes locks and walks providers on every call; these are
 * fetched once and then only read, so all workers share one suite.
 */
#ifndef PP_CRYPT_SUITE_H
#define PP_CRYPT_SUITE_H

#include "base/fail.h"

struct pp_suite;

/* Errors: E_CRYPTO naming the algorithm, E_NO_MEMORY. */
enum pdfpipe_status pp_suite_new(struct pp_suite **out,
                                 struct pdfpipe_error *err);
void pp_suite_free(struct pp_suite *s); /* s may be NULL */

/* Version text of libcrypto; constant string. */
const char *pp_suite_version(void);

#endif
