/*
 * sealer.h - the tools of one worker, and what it does with a stretch
 *
 * A sealer owns an engine with its contexts, a pool of IVs, digest contexts
 * and scratch that grows with what it meets.  It is used by one thread.
 * Nothing here reads files or waits: the same stretch gives the same output,
 * whoever calls.
 */
#ifndef PP_SEAL_SEALER_H
#define PP_SEAL_SEALER_H

#include "crypt/engine.h"
#include "crypt/ivpool.h"
#include "seal/stretch.h"

/* A plaintext that keeps one lane of the engine busy while thousands of strings
 * go through the others. */
#define PP_LONG_LANE ((size_t)64 * 1024)

struct pp_sealer {
    struct pp_engine *engine;
    struct pp_digest *digest;
    struct pp_ivpool *ivs;
    uint64_t key_of;      /* document whose key the engine has; 0: none    */
    struct pp_lane *lane; /* of all stretches that are prepared            */
    size_t lanes, lane_cap;
    size_t long_lanes;     /* of these, of PP_LONG_LANE bytes or more      */
    bool ran;              /* the lanes are through: the next begin anew    */
    struct pp_view *plain; /* scratch: plaintext of each span               */
    size_t span_cap;
    struct pp_buf window; /* scratch: decoded data of an object stream     */
    uint64_t cipher_ns;   /* spent in the engine since the last look       */
};

enum pdfpipe_status pp_sealer_init(struct pp_sealer *s,
                                   const struct pp_suite *suite,
                                   enum pdfpipe_engine engine,
                                   struct pdfpipe_error *err);
void pp_sealer_fini(struct pp_sealer *s);

/* What a worker must know of the document that a stretch belongs to. */
struct pp_seal_context {
    uint64_t document;          /* its number in the run, from 1           */
    const uint8_t *file_key;    /* 32 bytes                                */
    const struct pp_xref *xref; /* of the source: which members live       */
    uint64_t inflate_max;       /* limit for one object stream             */
    bool tally;                 /* digests are wanted                      */
};

/*
 * Encrypts, in three steps, so that the engine gets the strings and streams of
 * many stretches at once and its lanes stay full:
 *
 *   prepare   any number of stretches of one document: text, values and fresh
 *             IVs go to their places; stream bytes stand in out already
 *   run       all of their lanes through the engine, once
 *   finish    each of them: the strings' digits
 *
 * chain[16] carries CBC from one piece of a stream to the next: in (prepare),
 * for a piece that is not the first; out (finish), for one that is not the
 * last.
 * Errors: E_CRYPTO, E_NO_MEMORY.  A stretch whose prepare failed is out of it
 * and its out must not be used; after a failed run that goes for all.
 */
enum pdfpipe_status pp_seal_prepare(struct pp_sealer *s,
                                    const struct pp_seal_context *c,
                                    struct pp_stretch *stretch,
                                    const uint8_t chain[16],
                                    struct pdfpipe_error *err);
enum pdfpipe_status pp_seal_run(struct pp_sealer *s, struct pdfpipe_error *err);
void pp_seal_finish(struct pp_sealer *s, struct pp_stretch *stretch,
                    uint8_t chain[16]);

/* All three for one stretch. */
enum pdfpipe_status pp_seal(struct pp_sealer *s,
                            const struct pp_seal_context *c,
                            struct pp_stretch *stretch, uint8_t chain[16],
                            struct pdfpipe_error *err);

/*
 * Verifies: decrypts every string and piece in the stretch and digests what
 * comes out, so that the tally can be compared with that of pp_seal().
 * Stream bytes with the block before them stand in out or in text.
 * Errors: E_VERIFY naming the object when a length or padding is wrong,
 *         E_CRYPTO, E_NO_MEMORY.
 */
enum pdfpipe_status pp_check(struct pp_sealer *s,
                             const struct pp_seal_context *c,
                             struct pp_stretch *stretch,
                             struct pdfpipe_error *err);

/* The object that holds a place in the text of a stretch, for errors. */
const struct pp_placed *pp_stretch_object(const struct pp_stretch *s,
                                          size_t in);

#endif
