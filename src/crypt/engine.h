/*
 * engine.h - AES-256-CBC over many plaintexts at once
 *
 * CBC encryption is serial within one plaintext, but under /V 5 all strings
 * and streams of a document share one key and do not depend on each other.
 * So the interface takes many of them: an engine may keep several in flight in
 * one instruction stream.  The portable engine works them off one by one and
 * is the judge of the others.
 *
 * One engine object belongs to one thread.  The key schedule is built by
 * pp_engine_set_key(), once per (worker, document), never per lane.
 */
#ifndef PP_CRYPT_ENGINE_H
#define PP_CRYPT_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pdfpipe/options.h>

#include "base/fail.h"

#define PP_FILE_KEY_BYTES 32u

/*
 * One plaintext, or one piece of a long one.
 *
 * Encryption: reads len bytes at src and writes to dst
 *     final:     (len / 16 + 1) * 16 bytes, PKCS#7 padding included
 *     not final: len bytes; len is a multiple of 16
 * Decryption: reads len bytes at src (a multiple of 16), writes len bytes at
 *     dst.  Padding is left in place; pp_padding() looks at it.
 * src and dst are equal or do not overlap.  On return chain holds the last
 * block of ciphertext, ready for the next piece.
 */
struct pp_lane {
    const uint8_t *src;
    uint8_t *dst;
    size_t len;
    uint8_t chain[16]; /* in: IV, or last ciphertext block before this piece */
    bool final;
};

struct pp_engine;
struct pp_suite;

/* Name of the engine that pp_engine_new() makes; NULL: this machine cannot. */
const char *pp_engine_chosen(enum pdfpipe_engine wanted);

/* Makes the engine that is wanted.  Errors: E_CRYPTO, E_NO_MEMORY, E_USAGE when
 * this machine cannot run it. */
enum pdfpipe_status pp_engine_new(const struct pp_suite *suite,
                                  enum pdfpipe_engine wanted,
                                  struct pp_engine **out,
                                  struct pdfpipe_error *err);

/* Wipes the key schedule; e may be NULL. */
void pp_engine_free(struct pp_engine *e);

/* Short name for people: "evp". */
const char *pp_engine_name(const struct pp_engine *e);

/* How many plaintexts it has in flight at once. */
unsigned pp_engine_lanes(const struct pp_engine *e);

/* Errors: E_CRYPTO; no key is set then.  Encrypting or decrypting without one
 * is a bug of the caller (asserted). */
enum pdfpipe_status pp_engine_set_key(struct pp_engine *e,
                                      const uint8_t key[PP_FILE_KEY_BYTES],
                                      struct pdfpipe_error *err);

/* Both work on n lanes under the key set last.  Errors: E_CRYPTO; then no
 * output of this call and no chain may be used; the key stays. */
enum pdfpipe_status pp_engine_encrypt(struct pp_engine *e,
                                      struct pp_lane *lanes, size_t n,
                                      struct pdfpipe_error *err);
enum pdfpipe_status pp_engine_decrypt(struct pp_engine *e,
                                      struct pp_lane *lanes, size_t n,
                                      struct pdfpipe_error *err);

/*
 * Length of PKCS#7 padding at the end of n decrypted bytes (n > 0, a multiple
 * of 16): 1 to 16, or 0 when it is not well formed.  Takes the same time for
 * any content.
 */
unsigned pp_padding(const uint8_t *p, size_t n);

#endif
