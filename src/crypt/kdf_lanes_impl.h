/*
 * kdf_lanes_impl.h - the ways of doing many password hashes at once; for
 *                    kdf_lanes.c and its tests
 */
#ifndef PP_CRYPT_KDF_LANES_IMPL_H
#define PP_CRYPT_KDF_LANES_IMPL_H

#include "crypt/kdf_job.h"

struct pp_kdf_kind {
    enum pdfpipe_engine id;
    const char *name;
    bool (*suits)(void); /* can this machine run it? */
    /* All NULL: one hash after the other, by libcrypto. */
    pp_aes128_expand *expand;
    pp_aes128_run *aes;
    pp_sha2_run *sha256;
    pp_sha2_run *sha512;
    unsigned width[PP_KDF_STEPS]; /* lanes of each of them */
};

/* Fastest first; the last one suits every machine. */
extern const struct pp_kdf_kind pp_kdf_kinds[];
extern const size_t pp_kdf_kind_count;

/* Makes an object of one kind; all else as pp_kdf_lanes_new(). */
enum pdfpipe_status pp_kdf_lanes_new_kind(const struct pp_kdf_kind *kind,
                                          struct pp_kdf *kdf,
                                          struct pp_vault *vault,
                                          struct pp_kdf_lanes **out,
                                          struct pdfpipe_error *err);

#endif
