/*
 * edit.h - the few places where a dictionary is changed besides its strings
 *
 * Encryption needs only these: the catalog says which extension of PDF 1.7 it
 * uses (revision 6 came with extension level 8), /Crypt filters go or come,
 * and a missing /Length is added.  An edit replaces a range of the object's
 * text by other text; edits of one object are in order and do not overlap.
 */
#ifndef PP_SEAL_EDIT_H
#define PP_SEAL_EDIT_H

#include "base/buf.h"
#include "base/fail.h"

#define PP_EDITS_MAX 8u

struct pp_edit {
    size_t at;             /* offset in the dictionary's text */
    size_t remove;         /* bytes                           */
    struct pp_view insert; /* constant text, or of the source */
};

struct pp_edits {
    struct pp_edit edit[PP_EDITS_MAX];
    size_t n;
};

/* Adds one, keeping the order. */
void pp_edit_add(struct pp_edits *e, size_t at, size_t remove,
                 struct pp_view insert);

/* Adds an entry ("/Key value") at the end of a dictionary, whose text begins
 * at `base` of the text that the edits refer to.  A last key that has no value
 * gets null first, or it would take the new key for it. */
void pp_edit_append(struct pp_view dict, size_t base, struct pp_edits *e,
                    struct pp_view entry);

/*
 * What the catalog's dictionary needs so that it announces ADBE extension
 * level 8 (ISO 32000-2, 7.12).  indirect: its /Extensions is a reference to an
 * object that lives; then that object needs pp_edit_extensions().
 */
void pp_edit_catalog(struct pp_view catalog, bool indirect, struct pp_edits *e);

/* The same for the extensions dictionary; base is its offset in the text that
 * the edits refer to. */
void pp_edit_extensions(struct pp_view extensions, size_t base,
                        struct pp_edits *e);

/*
 * Takes a /Crypt filter out of a stream's dictionary (base 0).  It must be the
 * first filter, the only one of its kind and name Identity, the only crypt
 * filter that a document without encryption knows.  Errors: E_UNSUPPORTED.
 */
enum pdfpipe_status pp_edit_remove_crypt(struct pp_view dict,
                                         struct pp_edits *e,
                                         struct pdfpipe_error *err);

/* Puts a /Crypt filter with Identity before the filters of a clear stream.
 * Errors: E_UNSUPPORTED when /Filter or /DecodeParms is a reference, or /Filter
 * neither name nor array. */
enum pdfpipe_status pp_edit_add_crypt(struct pp_view dict, struct pp_edits *e,
                                      struct pdfpipe_error *err);

/* Makes /Crypt with Identity the only filter, for data that were decoded. */
void pp_edit_only_crypt(struct pp_view dict, struct pp_edits *e);

#endif
