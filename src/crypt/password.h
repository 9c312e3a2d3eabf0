/*
 * password.h - password text to the bytes that are hashed
 *
 * SASLprep (RFC 4013 over RFC 3454, Unicode 3.2 tables) by libidn, then UTF-8,
 * at most 127 bytes (ISO 32000-2, 7.6.4.3.3).  Longer is refused, not cut:
 * readers disagree about what is behind byte 127.
 */
#ifndef PP_CRYPT_PASSWORD_H
#define PP_CRYPT_PASSWORD_H

#include "base/buf.h"
#include "crypt/kdf.h"

enum pp_prepare {
    PP_PREPARE_STORED, /* to encrypt: unassigned code points are an error */
    PP_PREPARE_QUERY,  /* to open: they pass                              */
};

/*
 * Writes the prepared bytes to out[PP_PASSWORD_MAX] and their number to
 * *out_len.  *changed says whether preparation altered the text (then readers
 * without SASLprep need another spelling).
 *
 * Errors: E_PASSWORD: not UTF-8, a prohibited or unassigned character (the
 *         message has its code point and position, in characters from 1, and
 *         nothing else of the password), mixed directions, too long (more than
 *         PDFPIPE_SECRET_MAX bytes of text, too), or, when stored, nothing
 *         left of a text that was not empty.
 *         E_NO_MEMORY.
 */
enum pdfpipe_status pp_password_prepare(struct pp_view text,
                                        enum pp_prepare how,
                                        uint8_t out[PP_PASSWORD_MAX],
                                        size_t *out_len, bool *changed,
                                        struct pdfpipe_error *err);

#endif
