/*
 * kdf.h - the revision 6 password hash (ISO 32000-2, algorithm 2.B)
 *
 * 64 or more rounds of AES-128-CBC over 64 copies of password, hash and user
 * value, and a SHA-2 chosen by the result: about a millisecond, the dominant
 * cost of a small file.  One pp_kdf per thread; its scratch holds the password
 * 64 times and therefore lives in the vault.
 */
#ifndef PP_CRYPT_KDF_H
#define PP_CRYPT_KDF_H

#include "base/buf.h"
#include "base/fail.h"

#define PP_PASSWORD_MAX 127u /* bytes after preparation */
#define PP_SALT_BYTES   8u
#define PP_HASH_BYTES   32u
#define PP_U_BYTES      48u

/* What a pp_kdf takes of the vault, or less. */
#define PP_KDF_VAULT 15360u

struct pp_kdf;
struct pp_suite;
struct pp_vault;

/* Borrows suite and vault, which must outlive *out; takes PP_KDF_VAULT bytes of the
 * vault at most.
 * Errors: E_NO_MEMORY, also when the vault is full. */
enum pdfpipe_status pp_kdf_new(const struct pp_suite *suite,
                               struct pp_vault *vault, struct pp_kdf **out,
                               struct pdfpipe_error *err);
void pp_kdf_free(struct pp_kdf *k);

/* The suite that k was made with; borrowed. */
const struct pp_suite *pp_kdf_suite(const struct pp_kdf *k);

/*
 * out[32] = hash of password (at most 127 bytes), salt[8] and, for owner
 * hashes, u[48] (NULL for user hashes).  *rounds, if not NULL, gets the number
 * of rounds (64..287).  Nothing of the password is left behind afterwards.
 * Errors: E_CRYPTO.
 */
enum pdfpipe_status pp_kdf_hash(struct pp_kdf *k, struct pp_view password,
                                const uint8_t salt[PP_SALT_BYTES],
                                const uint8_t u[PP_U_BYTES],
                                uint8_t out[PP_HASH_BYTES], unsigned *rounds,
                                struct pdfpipe_error *err);

#endif
