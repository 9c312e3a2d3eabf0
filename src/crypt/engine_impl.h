/*
 * engine_impl.h - what an engine brings along; for engine*.c and their tests
 *
 * engine.c is the interface and checks what callers promise; each
 * engine_NAME.c implements one way of doing the work.  A new engine is a new
 * file, a declaration here and a row in pp_engine_kinds: callers do not notice.
 * Every kind gives the same bytes as "evp"; tests/unit/engine_test.c tries all
 * that this machine can run.
 */
#ifndef PP_CRYPT_ENGINE_IMPL_H
#define PP_CRYPT_ENGINE_IMPL_H

#include "crypt/engine.h"

struct pp_engine_ops {
    enum pdfpipe_status (*set_key)(struct pp_engine *e,
                                   const uint8_t key[PP_FILE_KEY_BYTES],
                                   struct pdfpipe_error *err);
    enum pdfpipe_status (*encrypt)(struct pp_engine *e, struct pp_lane *lanes,
                                   size_t n, struct pdfpipe_error *err);
    enum pdfpipe_status (*decrypt)(struct pp_engine *e, struct pp_lane *lanes,
                                   size_t n, struct pdfpipe_error *err);
    void (*free)(struct pp_engine *e); /* wipes the key schedule */
};

/* Head of every engine; an implementation embeds it as its first member. */
struct pp_engine {
    const struct pp_engine_ops *ops;
    const char *name;
    unsigned lanes; /* plaintexts in flight; set by make */
    bool keyed;     /* a key is set                      */
};

struct pp_engine_kind {
    enum pdfpipe_engine id;
    const char *name;
    bool (*suits)(void); /* can this machine run it? */
    enum pdfpipe_status (*make)(const struct pp_suite *suite,
                                struct pp_engine **out,
                                struct pdfpipe_error *err);
};

/* Fastest first; the last one suits every machine. */
extern const struct pp_engine_kind pp_engine_kinds[];
extern const size_t pp_engine_kind_count;

/* Makes an engine of one kind. */
enum pdfpipe_status pp_engine_new_kind(const struct pp_engine_kind *kind,
                                       const struct pp_suite *suite,
                                       struct pp_engine **out,
                                       struct pdfpipe_error *err);

/* engine_evp.c */
enum pdfpipe_status pp_engine_evp_make(const struct pp_suite *suite,
                                       struct pp_engine **out,
                                       struct pdfpipe_error *err);

/*
 * The last block of a plaintext of len bytes at src: what is left of it behind
 * its whole blocks (0 to 15 bytes), and PKCS#7 padding (RFC 5652, 6.3).
 */
void pp_engine_last_block(const uint8_t *src, size_t len, uint8_t block[16]);

#endif
