/*
 * crypt_vectors.h - known answers for the rooms that encrypt
 *
 * Byte strings are lower-case hexadecimal.  The values were computed by an
 * implementation that shares no code with this one, and checked against files
 * made by several other programs.
 */
#ifndef TESTS_CRYPT_VECTORS_H
#define TESTS_CRYPT_VECTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Algorithm 2.B */
struct kdf_vector {
    const char *name;
    const char *password;
    const char *salt;
    const char *u; /* NULL: a user hash */
    const char *hash;
    unsigned rounds;
};
extern const struct kdf_vector kdf_vectors[];
extern const size_t kdf_vector_count;

/* Values of an encryption dictionary, /V 5 /R 6. */
struct r6_vector {
    const char *name;
    const char *user, *owner; /* passwords */
    uint32_t p;
    bool encrypt_metadata;
    const char *file_key;
    const char *salts; /* user validation, user key, owner both */
    const char *perms_tail;
    const char *u, *ue, *o, *oe, *perms;
};
extern const struct r6_vector r6_vectors[];
extern const size_t r6_vector_count;

/* A string or stream as it is stored: IV, then ciphertext. */
struct aesv3_vector {
    const char *plain;
    const char *key;
    const char *stored;
};
extern const struct aesv3_vector aesv3_vectors[];
extern const size_t aesv3_vector_count;

/* SASLprep with the tables of Unicode 3.2. */
struct saslprep_vector {
    const char *name; /* its code points */
    bool stored;
    const char *text;   /* UTF-8 */
    const char *result; /* UTF-8; NULL: refused */
    const char *says;   /* then the message contains this */
};
extern const struct saslprep_vector saslprep_vectors[];
extern const size_t saslprep_vector_count;

/* Writes the bytes that hex stands for; returns how many.  Aborts when it is
 * not hexadecimal or longer than cap. */
size_t vector_bytes(const char *hex, uint8_t *out, size_t cap);

/* True when the n bytes at p are what hex stands for (up to 1,024 bytes). */
bool vector_is(const char *hex, const void *p, size_t n);

#endif
