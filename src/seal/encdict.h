/*
 * encdict.h - the encryption dictionary as text (ISO 32000-2, 7.6.2 and 7.6.4)
 *
 * Written with strings of fixed width, so that its size is known before the
 * password hashes are and a later change of passwords can be made in place.
 * Each entry is there because some reader needs it.
 */
#ifndef PP_SEAL_ENCDICT_H
#define PP_SEAL_ENCDICT_H

#include "base/buf.h"
#include "crypt/handler.h"

/* Appends "<<...>>".  Errors: E_NO_MEMORY. */
enum pdfpipe_status pp_encdict_write(const struct pp_handler *h,
                                     struct pp_buf *to,
                                     struct pdfpipe_error *err);

/*
 * Reads a dictionary of the standard handler, /V 5 /R 6; of /O and /U the
 * first 48 bytes count.
 * Errors: E_UNSUPPORTED (another handler or revision; the message says which),
 *         E_DAMAGED_TRAILER (a value is missing or has the wrong length).
 */
enum pdfpipe_status pp_encdict_read(struct pp_view dict, struct pp_handler *h,
                                    struct pdfpipe_error *err);

#endif
