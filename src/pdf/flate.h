/*
 * flate.h - FlateDecode with predictors (ISO 32000-2, 7.4.4); the only user of
 *           zlib
 *
 * Only cross-reference and object streams are looked into, and one clear
 * metadata stream; all other streams pass through as they are.
 */
#ifndef PP_PDF_FLATE_H
#define PP_PDF_FLATE_H

#include "base/buf.h"
#include "base/input.h"

enum pp_filter_kind {
    PP_FILTER_NONE,
    PP_FILTER_FLATE,
    PP_FILTER_OTHER, /* one that is not decoded here, or several */
};

struct pp_filter {
    enum pp_filter_kind kind;
    uint32_t predictor; /* 1: none, 10..15: PNG, row by row */
    uint32_t row;       /* bytes in a row before the tag    */
    uint32_t pixel;     /* bytes from a sample to its left neighbour, >= 1 */
};

/* Reads /Filter and /DecodeParms of a stream's dictionary.  What it does not
 * know becomes PP_FILTER_OTHER. */
void pp_filter_parse(struct pp_view dict, struct pp_filter *filter);

/* Decodes a range of an input from front to back, in pieces. */
struct pp_decoder;

/* Errors: E_NO_MEMORY, E_UNSUPPORTED (PP_FILTER_OTHER). */
enum pdfpipe_status pp_decoder_new(const struct pp_input *input,
                                   uint64_t offset, uint64_t length,
                                   const struct pp_filter *filter,
                                   struct pp_decoder **out,
                                   struct pdfpipe_error *err);
void pp_decoder_free(struct pp_decoder *d);

/*
 * Writes the next n decoded bytes to dst; *got < n only at the end.
 * Errors: E_DAMAGED_STREAM (not valid Flate data), those of the input.
 */
enum pdfpipe_status pp_decoder_read(struct pp_decoder *d, uint8_t *dst,
                                    size_t n, size_t *got,
                                    struct pdfpipe_error *err);

#define PP_DECODED_PIECE ((size_t)64 * 1024)

/* The decoded bytes a piece at a time: memory does not grow with them. */
struct pp_pieces {
    struct pp_decoder *decoder;
    struct pp_buf *window; /* borrowed: holds the last piece        */
    uint64_t offset;       /* of the range, for errors              */
    uint64_t limit;        /* of decoded bytes                      */
    uint64_t size;         /* bytes decoded, with the last piece    */
    bool last;             /* the end has been reached              */
};

/* pp_pieces_end() in any case.  Errors: as pp_decoder_new(). */
enum pdfpipe_status pp_pieces_begin(struct pp_pieces *s,
                                    const struct pp_input *input,
                                    uint64_t offset, uint64_t length,
                                    const struct pp_filter *filter,
                                    uint64_t limit, struct pp_buf *window,
                                    struct pdfpipe_error *err);
void pp_pieces_end(struct pp_pieces *s);

/*
 * The next piece is the window's content, PP_DECODED_PIECE bytes unless
 * s->last.
 * Errors: E_LIMIT when there is more than the limit, E_DAMAGED_STREAM,
 *         E_NO_MEMORY, those of the input.
 */
enum pdfpipe_status pp_pieces_next(struct pp_pieces *s,
                                   struct pdfpipe_error *err);

/*
 * Appends the whole decoded range to out, at most limit bytes.
 * Errors: E_LIMIT when there is more, and those above; out then holds what was
 * decoded until it was noticed.
 */
enum pdfpipe_status pp_decode_all(const struct pp_input *input, uint64_t offset,
                                  uint64_t length,
                                  const struct pp_filter *filter,
                                  uint64_t limit, struct pp_buf *out,
                                  struct pdfpipe_error *err);

/* Compresses pieces into one buffer. */
struct pp_deflater;

enum pdfpipe_status pp_deflater_new(struct pp_deflater **out,
                                    struct pdfpipe_error *err);
void pp_deflater_free(struct pp_deflater *d);
/* Appends what comes out to `to`; finish ends the data. */
enum pdfpipe_status pp_deflater_add(struct pp_deflater *d, const void *p,
                                    size_t n, bool finish, struct pp_buf *to,
                                    struct pdfpipe_error *err);

#endif
