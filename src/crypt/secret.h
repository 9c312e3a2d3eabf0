/*
 * secret.h - memory for passwords, derived keys and file keys
 *
 * A vault is one mapping that is locked into memory (mlock), left out of core
 * dumps and child processes (madvise), fenced by a page on either side that
 * nobody can touch, and wiped when parts of it are freed.
 * Nothing secret is kept anywhere else between two calls.
 *
 * Threads: a vault may be used by any number of threads at a time.
 */
#ifndef PP_CRYPT_SECRET_H
#define PP_CRYPT_SECRET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/fail.h"

struct pp_vault;

/*
 * Makes a vault that can hand out about `bytes` in all.
 * Errors: E_NO_MEMORY; that of madvise when the memory cannot be left out of
 * dumps.  A refused mlock is no error: pp_vault_locked() says.
 */
enum pdfpipe_status pp_vault_new(size_t bytes, struct pp_vault **out,
                                 struct pdfpipe_error *err);

/* Wipes everything and unmaps.  Every part must have been given back
 * (asserted).  v may be NULL. */
void pp_vault_free(struct pp_vault *v);

/* False when the system refused to lock the memory (RLIMIT_MEMLOCK). */
bool pp_vault_locked(const struct pp_vault *v);

/* n zeroed bytes, aligned to 64; NULL when the vault is full. */
void *pp_secret_new(struct pp_vault *v, size_t n);

/* Wipes and gives back what pp_secret_new(v, n) returned (asserted); p may be
 * NULL. */
void pp_secret_free(struct pp_vault *v, void *p, size_t n);

/* Wipes in a way the compiler cannot drop. */
void pp_wipe(void *p, size_t n);

#endif
