/*
 * options.h - what a run shall do, and within which limits
 */
#ifndef PDFPIPE_OPTIONS_H
#define PDFPIPE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pdfpipe/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A secret of n bytes in memory that is locked, left out of core dumps and
 * wiped when it is freed.  Passwords enter the library only as secrets.
 * data[] may be written until the secret is handed to a run.
 */
struct pdfpipe_secret {
    size_t length;       /* bytes in use, at most PDFPIPE_SECRET_MAX */
    unsigned char *data; /* PDFPIPE_SECRET_MAX bytes, NUL-filled     */
};
#define PDFPIPE_SECRET_MAX 1024

/* NULL when memory is exhausted.  The caller owns the result. */
PDFPIPE_API struct pdfpipe_secret *pdfpipe_secret_new(void);
/* Wipes and frees; s may be NULL. */
PDFPIPE_API void pdfpipe_secret_free(struct pdfpipe_secret *s);

/*
 * Checks a password as encryption will use it: UTF-8, SASLprep (RFC 4013,
 * stored string), at most 127 bytes afterwards.
 * Errors: PDFPIPE_E_PASSWORD, the message names the character or the length,
 *         never the password.
 */
PDFPIPE_API enum pdfpipe_status
pdfpipe_password_check(const struct pdfpipe_secret *password,
                       bool allow_nonportable, struct pdfpipe_error *err);

/* What to do with a document that is encrypted or signed already. */
enum pdfpipe_on_found {
    PDFPIPE_SKIP,    /* leave it, result SKIPPED                       */
    PDFPIPE_FAIL,    /* leave it, result FAILED                        */
    PDFPIPE_PROCEED, /* signed only: encrypt, the signature breaks     */
};

/* How much of an output is read back before it is published. */
enum pdfpipe_verify {
    PDFPIPE_VERIFY_AUTO,      /* full if a source is replaced, else structure */
    PDFPIPE_VERIFY_NONE,      /* trust the return codes of write and fsync */
    PDFPIPE_VERIFY_STRUCTURE, /* cross-reference, encryption dictionary */
    PDFPIPE_VERIFY_FULL,      /* every object decrypted, digests compared */
};

/* When the bytes of an output are known to be on disk. */
enum pdfpipe_durability {
    PDFPIPE_DURABLE_GROUP, /* small files together, before any is reported */
    PDFPIPE_DURABLE_FILE,  /* each file by itself                          */
    PDFPIPE_DURABLE_NONE,  /* left to the system                           */
};

/* What encrypts.  All give the same bytes; they differ in speed only. */
enum pdfpipe_engine {
    PDFPIPE_ENGINE_AUTO,  /* the fastest that this machine can run        */
    PDFPIPE_ENGINE_EVP,   /* libcrypto, one object after the other        */
    PDFPIPE_ENGINE_AESNI, /* x86-64 with AES-NI: 8 objects side by side   */
    PDFPIPE_ENGINE_VAES,  /* x86-64 with VAES and AVX-512: 16 of them     */
    PDFPIPE_ENGINE_ARMV8, /* ARMv8 with AES instructions: 8 of them       */
};

/* Name of what a run with this choice uses on this machine, "evp"; constant
 * string.  NULL: the machine, or this build, cannot do it. */
PDFPIPE_API const char *pdfpipe_engine_name(enum pdfpipe_engine engine);

/* Permission bits of /P (ISO 32000-2 table 22); all others are reserved and
 * set by the library. */
#define PDFPIPE_PERMIT_PRINT      0x0004u
#define PDFPIPE_PERMIT_MODIFY     0x0008u
#define PDFPIPE_PERMIT_EXTRACT    0x0010u
#define PDFPIPE_PERMIT_ANNOTATE   0x0020u
#define PDFPIPE_PERMIT_FORM       0x0100u
#define PDFPIPE_PERMIT_ASSEMBLE   0x0400u
#define PDFPIPE_PERMIT_PRINT_HIGH 0x0800u
#define PDFPIPE_PERMIT_ALL        0x0D3Cu

#define PDFPIPE_MAX_THREADS       256u

/*
 * Set by pdfpipe_options_init(), then changed field by field.  Pointers are
 * borrowed until pdfpipe_run_new() returns.
 */
struct pdfpipe_options {
    size_t size; /* sizeof of this struct as the caller knows it */

    unsigned threads;    /* workers; 0: the CPUs this process may use       */
    uint64_t max_memory; /* bytes for buffers; 0: derived from threads.
                            Never depends on the size of a file, nor on what
                            is inflated; the cross-reference and the text of
                            the object being read (max_object_text) come on
                            top                                             */

    const struct pdfpipe_secret *user_password;  /* NULL: empty            */
    const struct pdfpipe_secret *owner_password; /* NULL: empty            */
    bool random_owner_password; /* a fresh one per document, never kept     */
    bool allow_insecure;        /* empty owner beside a user password, or a
                                   password that SASLprep changes           */
    uint32_t permissions;       /* PDFPIPE_PERMIT_* or'ed                   */
    bool cleartext_metadata;    /* document XMP stays readable              */

    enum pdfpipe_on_found on_encrypted;
    enum pdfpipe_on_found on_signed;
    enum pdfpipe_verify verify;
    enum pdfpipe_durability durability;
    bool force;     /* replace a source that is write-protected, too        */
    bool dry_run;   /* read and classify, write nothing                     */
    bool fail_fast; /* the first FAILED document cancels the run            */

    /* Limits against hostile input; a document beyond one fails. */
    uint64_t max_object_text; /* bytes of one object without its stream     */
    uint64_t max_inflated;    /* bytes of one inflated cross-reference or
                                 object stream                              */

    enum pdfpipe_engine engine; /* what encrypts                             */
};

PDFPIPE_API void pdfpipe_options_init(struct pdfpipe_options *options);

#ifdef __cplusplus
}
#endif
#endif
