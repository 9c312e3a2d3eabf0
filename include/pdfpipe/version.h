/* version.h - version of the library, at compile time and at run time */
#ifndef PDFPIPE_VERSION_H
#define PDFPIPE_VERSION_H

#ifdef __cplusplus
extern "C" {
#endif

/* Marks what the shared library shows; all else in it is hidden. */
#if defined(__GNUC__)
#define PDFPIPE_API __attribute__((visibility("default")))
#else
#define PDFPIPE_API
#endif

#define PDFPIPE_VERSION_MAJOR  0
#define PDFPIPE_VERSION_MINOR  1
#define PDFPIPE_VERSION_PATCH  0
#define PDFPIPE_VERSION_STRING "0.1.0"

/* Version of the library that is linked in, "0.1.0"; constant string. */
PDFPIPE_API const char *pdfpipe_version(void);

/* Version text of the cryptographic library in use; constant string. */
PDFPIPE_API const char *pdfpipe_crypto_version(void);

#ifdef __cplusplus
}
#endif
#endif
