/*
 * status.h - every way a call can end, and the record that says why
 *
 * One table gives the status values, their stable ids (the `reason` of a
 * report), the exit code that a program derives from them and whether trying
 * again can help.  Values and ids are part of the interface: they are never
 * renumbered or renamed.
 */
#ifndef PDFPIPE_STATUS_H
#define PDFPIPE_STATUS_H

#include <stdbool.h>
#include <stdint.h>

#include <pdfpipe/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Exit codes of a program (cli contract): 0 done, 1 failed for good, 2 usage,
 * 70 internal error, 75 run me again. */

/* clang-format off */
/*  X(NAME,            value, stable id,            exit, text)               */
#define PDFPIPE_STATUS_TABLE(X)                                                \
    X(OK,                  0, "ok",                    0, "success")           \
    /* the caller asked for something that cannot be */                        \
    X(E_USAGE,             1, "usage",                 2, "invalid argument or option") \
    X(E_PASSWORD,          2, "bad_password",          2, "password not usable") \
    X(E_INTERNAL,          3, "internal",             70, "internal error")    \
    /* the machine */                                                          \
    X(E_NO_MEMORY,        10, "no_memory",            75, "out of memory")     \
    X(E_READ,             11, "read_error",           75, "reading failed")    \
    X(E_WRITE,            12, "write_error",          75, "writing failed")    \
    X(E_NO_SPACE,         13, "no_space",             75, "no space left")     \
    X(E_READ_ONLY,        14, "read_only",            75, "file system is read-only") \
    X(E_PERMISSION,       15, "permission_denied",     1, "permission denied") \
    X(E_NOT_FOUND,        16, "not_found",             1, "no such file")      \
    X(E_CHANGED,          17, "source_changed",       75, "source changed while it was read") \
    X(E_CANCELLED,        18, "cancelled",            75, "cancelled")         \
    X(E_CRYPTO,           19, "crypto_failed",        70, "cryptographic library failed") \
    X(E_VERIFY,           20, "verify_failed",        70, "output does not read back as written") \
    X(E_BUSY,             21, "busy",                 75, "busy or locked")    \
    /* what stands in the file system */                                       \
    X(E_NOT_REGULAR,      30, "not_regular_file",      1, "not a regular file") \
    X(E_SYMLINK,          31, "symlink",               1, "symbolic link")     \
    X(E_HARD_LINKS,       32, "hard_links",            1, "file has several names (hard links)") \
    X(E_READ_ONLY_FILE,   33, "read_only_file",        1, "file is write-protected") \
    X(E_TARGET_EXISTS,    34, "target_exists",         1, "target exists")     \
    X(E_ALREADY_DONE,     35, "already_done",          0, "target is up to date") \
    /* what stands in the document */                                          \
    X(E_NOT_PDF,          50, "not_pdf",               1, "not a PDF file")    \
    X(E_TRUNCATED,        51, "truncated",             1, "file is cut short") \
    X(E_DAMAGED_XREF,     52, "damaged_xref",          1, "cross-reference is damaged") \
    X(E_DAMAGED_TRAILER,  53, "damaged_trailer",       1, "trailer is damaged") \
    X(E_DAMAGED_OBJECT,   54, "damaged_object",        1, "object is damaged") \
    X(E_DAMAGED_STREAM,   55, "damaged_stream",        1, "stream is damaged") \
    X(E_UNSUPPORTED,      56, "unsupported",           1, "not supported")     \
    X(E_LIMIT,            57, "limit",                 1, "a limit was reached") \
    /* policy */                                                               \
    X(E_ENCRYPTED,        70, "already_encrypted",     1, "already encrypted") \
    X(E_SIGNED,           71, "signed",                1, "signed: encrypting would break the signature") \
    X(E_WRONG_PASSWORD,   72, "wrong_password",        1, "password does not open the document")
/* clang-format on */

enum pdfpipe_status {
#define X(name, value, id, exit_code, text) PDFPIPE_##name = value,
    PDFPIPE_STATUS_TABLE(X)
#undef X
};

/* Offset not known (0 is a legal offset). */
#define PDFPIPE_NO_OFFSET UINT64_MAX

/*
 * A complete, self-contained error.  Plain data: no pointer in it is ever
 * freed, it may be copied with =, and it crosses threads by value.
 */
struct pdfpipe_error {
    enum pdfpipe_status code;
    int sys_errno;       /* errno behind an I/O or memory error, else 0 */
    uint64_t offset;     /* byte in the input, or PDFPIPE_NO_OFFSET     */
    uint32_t object;     /* object number, or 0                         */
    uint32_t generation; /* its generation                              */
    char message[232];   /* one line, no newline, NUL-terminated        */
};

/* Stable id ("no_space"), text and exit code of a status.  The strings are
 * constant; an unknown value gives those of PDFPIPE_E_INTERNAL. */
PDFPIPE_API const char *pdfpipe_status_id(enum pdfpipe_status status);
PDFPIPE_API const char *pdfpipe_status_text(enum pdfpipe_status status);
PDFPIPE_API int pdfpipe_status_exit(enum pdfpipe_status status);

/* True when running again can help (exit code 75). */
PDFPIPE_API bool pdfpipe_status_retryable(enum pdfpipe_status status);

/*
 * Warnings: a document was accepted although something in it is not as it
 * should be.  They never change an exit code; they are counted and listed.
 * `note`: harmless; `repaired`: mended without loss; `suspect`: look at it.
 */
enum pdfpipe_severity {
    PDFPIPE_NOTE,
    PDFPIPE_REPAIRED,
    PDFPIPE_SUSPECT,
};

/* clang-format off */
/*  X(NAME,                stable id,              severity, text)            */
#define PDFPIPE_WARNING_TABLE(X)                                               \
    X(W_HEADER_JUNK,       "header_junk",          NOTE,     "bytes before the header dropped") \
    X(W_TAIL_JUNK,         "tail_junk",            NOTE,     "bytes after the last %%EOF dropped") \
    X(W_TAIL_OBJECT,       "tail_object",          SUSPECT,  "object after the last cross-reference dropped") \
    X(W_NO_EOF,            "no_eof",               NOTE,     "no %%EOF marker") \
    X(W_XREF_SLOPPY,       "xref_sloppy",          NOTE,     "cross-reference table not in its exact form") \
    X(W_XREF_LOOP,         "xref_loop",            SUSPECT,  "chain of cross-reference sections ends in a loop or nowhere") \
    X(W_WRONG_SIZE,        "wrong_size",           NOTE,     "/Size does not match the cross-reference") \
    X(W_RECOVERED_LENGTH,  "recovered_length",     REPAIRED, "wrong stream /Length, end found by keyword") \
    X(W_STREAM_EOL,        "stream_eol",           NOTE,     "odd end of line after the keyword stream") \
    X(W_MISSING_ENDOBJ,    "missing_endobj",       REPAIRED, "endobj is missing") \
    X(W_EXTRA_TOKENS,      "extra_tokens",         REPAIRED, "tokens after the object's value dropped") \
    X(W_ODD_TOKEN,         "odd_token",            SUSPECT,  "unexpected token copied as it stands") \
    X(W_BAD_HEX,           "bad_hex",              SUSPECT,  "character in a hexadecimal string that is no digit, ignored") \
    X(W_DEAD_ENTRY,        "dead_entry",           SUSPECT,  "cross-reference entry without its object dropped") \
    X(W_OBJSTM_INDEX,      "objstm_index",         REPAIRED, "wrong index of an object in its object stream corrected") \
    X(W_OBJSTM_OPAQUE,     "objstm_opaque",        SUSPECT,  "object stream could not be looked into") \
    X(W_EXTERNAL_STREAM,   "external_stream",      SUSPECT,  "stream data in an external file stays outside") \
    X(W_TRAILER_KEY,       "trailer_key",          NOTE,     "trailer entry with a string dropped") \
    X(W_SIGNATURE_BROKEN,  "signature_broken",     SUSPECT,  "signature is no longer valid") \
    X(W_SIGNATURE_ODD,     "signature_odd",        SUSPECT,  "signature without direct /Contents and /ByteRange") \
    X(W_METADATA_STRINGS,  "metadata_strings",     NOTE,     "strings in the dictionary of the clear metadata stream are encrypted") \
    X(W_OWNER_IS_USER,     "owner_is_user",        NOTE,     "owner and user password are equal: permissions do not bind") \
    X(W_OWNER_NOT_KEPT,    "owner_not_kept",       NOTE,     "owner or group of the file could not be kept") \
    X(W_XATTR_NOT_KEPT,    "xattr_not_kept",       NOTE,     "extended attributes could not be kept") \
    X(W_DIR_NOT_SYNCED,    "dir_not_synced",       NOTE,     "file system does not sync folders")
/* clang-format on */

enum pdfpipe_warning_code {
#define X(name, id, severity, text) PDFPIPE_##name,
    PDFPIPE_WARNING_TABLE(X)
#undef X
        PDFPIPE_WARNING_CODES
};

struct pdfpipe_warning {
    enum pdfpipe_warning_code code;
    uint32_t object; /* object number, or 0           */
    uint64_t offset; /* byte in the input, or NO_OFFSET */
};

PDFPIPE_API const char *pdfpipe_warning_id(enum pdfpipe_warning_code code);
PDFPIPE_API const char *pdfpipe_warning_text(enum pdfpipe_warning_code code);
PDFPIPE_API enum pdfpipe_severity
pdfpipe_warning_severity(enum pdfpipe_warning_code code);
PDFPIPE_API const char *pdfpipe_severity_id(enum pdfpipe_severity severity);

#ifdef __cplusplus
}
#endif
#endif
