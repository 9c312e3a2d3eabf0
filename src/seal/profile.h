/*
 * profile.h - what must be known of a document before its first object
 *
 * The trailer and the catalog are looked into once, when the document is
 * opened; everything else is learnt while the objects go by.
 */
#ifndef PP_SEAL_PROFILE_H
#define PP_SEAL_PROFILE_H

#include "pdf/fetch.h"
#include "seal/edit.h"

struct pp_profile {
    struct pp_reference root;
    struct pp_buf root_text;  /* the catalog, if it is in an object stream:
                                 it must stand alone in an encrypted file
                                 (ISO 32000-2, 7.5.7)                      */
    struct pp_reference info; /* number 0: none                            */
    struct pp_buf info_text;  /* a direct /Info dictionary                 */
    struct pp_reference extensions; /* an indirect /Extensions              */
    struct pp_buf extensions_text;  /* ... if it is in an object stream     */
    struct pp_reference metadata;   /* the catalog's /Metadata              */
    struct pp_reference encrypt;    /* the encryption dictionary            */
    struct pp_buf encrypt_text;     /* ... its text, direct or not          */
    struct pp_buf id;          /* first element of /ID, decoded             */
    struct pp_buf extra;       /* other trailer entries that are kept       */
    struct pp_version version; /* of header and catalog, the higher         */
    bool usage_rights;         /* the catalog's /Perms is signed            */
};

/*
 * Fills *p (zero before) from the loaded cross-reference.  Of an encrypted
 * file only what can be read without its key.
 * Errors: E_DAMAGED_TRAILER (no catalog), those of pp_fetch_value().
 */
enum pdfpipe_status pp_profile_read(struct pp_profile *p,
                                    const struct pp_xref *xref,
                                    struct pp_fetch *fetch,
                                    struct pp_notes *notes,
                                    struct pdfpipe_error *err);
void pp_profile_fini(struct pp_profile *p);

/* The edits that the catalog's dictionary needs. */
void pp_profile_edits(const struct pp_profile *p, struct pp_view catalog,
                      struct pp_edits *edits);

#endif
