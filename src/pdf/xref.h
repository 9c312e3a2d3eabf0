/*
 * xref.h - the cross-reference: which objects live, and where
 *
 * Reads classic tables, cross-reference streams and hybrid files, along the
 * /Prev chain, into one table indexed by object number; the newest entry of a
 * number wins (ISO 32000-2, 7.5.4 to 7.5.8).  8 bytes per number, pages that
 * no entry touches are not resident.  Read-only once it is loaded.
 */
#ifndef PP_PDF_XREF_H
#define PP_PDF_XREF_H

#include "base/lazy.h"
#include "base/notes.h"
#include "pdf/ends.h"
#include "pdf/object.h"

enum pp_entry_kind {
    PP_ENTRY_NONE,       /* no section has this number       */
    PP_ENTRY_FREE,       /* listed as free                   */
    PP_ENTRY_OFFSET,     /* "n g obj" stands at an offset    */
    PP_ENTRY_COMPRESSED, /* member of an object stream       */
};

struct pp_entry {
    enum pp_entry_kind kind;
    uint32_t generation; /* OFFSET: 0..65534                          */
    uint64_t offset;     /* OFFSET: in the input, header offset added */
    uint32_t stream;     /* COMPRESSED: number of the object stream   */
    uint64_t index;      /* COMPRESSED: place in it; often wrong      */
};

/* Largest offset that the table holds: 64 TiB. */
#define PP_OFFSET_MAX (((uint64_t)1 << 46) - 1)

struct pp_xref {
    struct pp_lazy packed;
    uint32_t count;      /* highest number in any section, plus 1   */
    uint64_t in_file;    /* entries of kind OFFSET                  */
    uint64_t compressed; /* entries of kind COMPRESSED              */
    uint64_t header_at;  /* offset of "%PDF-"                       */
    struct pp_version version;
    uint64_t declared_size; /* largest /Size of any section            */
    bool encrypted;         /* a section's trailer has /Encrypt        */
    struct pp_buf trailer;  /* "<<...>>" of the newest section that has
                               a /Root                                 */
};

/*
 * Fills *x (zero before) from the input under peek.  scanner is scratch.
 *
 * Errors: E_NOT_PDF, E_DAMAGED_XREF, E_DAMAGED_TRAILER, E_LIMIT, E_NO_MEMORY,
 *         those of the input; the error's offset says where.
 */
enum pdfpipe_status pp_xref_load(struct pp_xref *x, struct pp_peek *peek,
                                 struct pp_scanner *scanner,
                                 struct pp_notes *notes,
                                 struct pdfpipe_error *err);
void pp_xref_fini(struct pp_xref *x);

struct pp_entry pp_xref_entry(const struct pp_xref *x, uint32_t number);

/*
 * Enters or replaces an entry while an output is written; number is at most
 * PP_OBJECT_MAX, an OFFSET at most PP_OFFSET_MAX (asserted).
 * Errors: E_NO_MEMORY.
 */
enum pdfpipe_status pp_xref_set(struct pp_xref *x, uint32_t number,
                                struct pp_entry entry,
                                struct pdfpipe_error *err);

/*
 * The lowest number for a new object that no reference in the document can
 * mean: real files refer to objects that do not exist, which is legal and
 * means null, and must go on doing so.  highest_ref: the highest number that
 * an object refers to; the trailer is looked at here.  The result may be above
 * PP_OBJECT_MAX.
 */
uint32_t pp_xref_new_number(const struct pp_xref *x, uint64_t highest_ref);

/* A sum over all live entries that does not depend on their order: equal for
 * the table that was written and the one that is read back. */
uint64_t pp_xref_sum(const struct pp_xref *x);

/*
 * The numbers of all OFFSET entries in the order of their offsets; *out is
 * malloc'ed and the caller's.  Errors: E_NO_MEMORY.
 */
enum pdfpipe_status pp_xref_order(const struct pp_xref *x, uint32_t **out,
                                  size_t *n, struct pdfpipe_error *err);

#endif
