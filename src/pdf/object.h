/*
 * object.h - where one indirect object begins and ends, and what in it matters
 *
 * An object is tokenised only far enough to know its strings, its comments,
 * its /Length and where its stream begins; no tree is built.  What the scan
 * finds are byte ranges of the text, in order.
 */
#ifndef PP_PDF_OBJECT_H
#define PP_PDF_OBJECT_H

#include "base/buf.h"
#include "base/fail.h"

/* Containers within containers. */
#define PP_NESTING_MAX 500u
/* Highest object number that all readers take: MuPDF stops at 8,388,607. */
#define PP_OBJECT_MAX 8388606u

enum pp_mark_kind {
    PP_MARK_STRING,  /* a string token                                       */
    PP_MARK_COMMENT, /* a comment                                            */
    PP_MARK_LENGTH,  /* the value of a /Length of the stream's dictionary,
                        whatever it is; strings and comments in it have
                        marks of their own behind this one                   */
};

/* One range of the text that is not copied as it stands. */
struct pp_mark {
    size_t at;
    size_t len;
    size_t decoded; /* STRING: bytes of its value                          */
    enum pp_mark_kind kind;
    bool signature; /* STRING: /Contents of a signature dictionary         */
};

/* /Type of the outermost dictionary, as far as it matters. */
enum pp_object_type {
    PP_TYPE_OTHER,
    PP_TYPE_XREF,
    PP_TYPE_OBJSTM,
    PP_TYPE_CATALOG,
};

enum pp_length_kind {
    PP_LENGTH_NONE,      /* no /Length, or none that can be one      */
    PP_LENGTH_DIRECT,    /* .length                                  */
    PP_LENGTH_REFERENCE, /* .length_ref                              */
};

/* Things about an object that a reader tolerates (bits of .odd). */
enum {
    PP_ODD_TOKEN = 1,       /* a token where none can be, a key
                               without a value                  */
    PP_ODD_HEX = 2,         /* PDFPIPE_W_BAD_HEX                */
    PP_ODD_EXTRA = 4,       /* tokens behind the value          */
    PP_ODD_NO_ENDOBJ = 8,   /* another object, or the end, came */
    PP_ODD_STREAM_EOL = 16, /* "stream" not followed by (CR) LF */
    PP_ODD_SIGNATURE = 32,  /* signature dictionary without direct
                               /Contents and /ByteRange         */
};

struct pp_reference {
    uint32_t number;
    uint32_t generation;
};

/* What the scan found; ranges are offsets into the text that was scanned. */
struct pp_object {
    bool more;       /* the text ends within the object: the rest is
                        not valid, come back with more text          */
    uint32_t number; /* of "n g obj"                                 */
    uint32_t generation;
    size_t body;     /* the value: first byte ...                    */
    size_t body_end; /* ... and the byte behind its last             */
    size_t end;      /* behind "endobj", or where stream data begin  */
    bool dictionary; /* the value is a dictionary                    */
    bool stream;
    bool integer;   /* the value is one integer ...                 */
    uint64_t value; /* ... this one (0 when negative)               */
    enum pp_object_type type;
    enum pp_length_kind length_kind; /* of several, the last              */
    uint64_t length;
    struct pp_reference length_ref;
    bool crypt;           /* its /Filter names /Crypt                     */
    bool external;        /* has /F: the stream's data are elsewhere      */
    bool linearized;      /* has /Linearized and /L, and no /Type          */
    bool signature;       /* holds a signature dictionary                 */
    uint64_t highest_ref; /* highest object number referred to, of those
                             that can exist (PP_OBJECT_MAX)               */
    unsigned odd;         /* PP_ODD_*                                     */
    size_t odd_at;        /* where the first odd token is                 */
    struct pp_mark *mark; /* in order of at; owned by the scanner         */
    size_t marks;
};

struct pp_scanner;

/* Scratch of scans; one per thread.  Errors: E_NO_MEMORY. */
enum pdfpipe_status pp_scanner_new(struct pp_scanner **out,
                                   struct pdfpipe_error *err);
void pp_scanner_free(struct pp_scanner *s);

/* What stands in the text. */
enum pp_scan_form {
    PP_SCAN_INDIRECT, /* "n g obj value endobj" or "... stream"            */
    PP_SCAN_MEMBER,   /* a bare value: an object inside an object stream   */
};

/*
 * Scans the object at the beginning of text (white space and comments before
 * it are passed over).  base is the offset of text in the input, for errors.
 * whole says that nothing follows behind the text; with it, object->more is
 * never set.  *object is valid until the next scan with s.
 *
 * A text that cannot be told into strings and other tokens beyond doubt is
 * refused: what is no string here but one to a reader would stay in the clear.
 *
 * Errors: E_DAMAGED_OBJECT (no "n g obj" here, no value, string or container
 *         not closed or not opened, ...), E_LIMIT (nesting), E_NO_MEMORY.
 */
enum pdfpipe_status pp_object_scan(struct pp_scanner *s, struct pp_view text,
                                   uint64_t base, bool whole,
                                   enum pp_scan_form form,
                                   struct pp_object *object,
                                   struct pdfpipe_error *err);

/*
 * Does `endstream` stand at the beginning of text, after white space?  Then
 * *end is behind it, or behind an `endobj` that follows; *endobj tells which.
 */
bool pp_endstream_here(struct pp_view text, size_t *end, bool *endobj);

#endif
