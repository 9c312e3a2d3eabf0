/*
 * sealer_impl.h - steps that sealing and checking share; private to seal/
 */
#ifndef PP_SEAL_SEALER_IMPL_H
#define PP_SEAL_SEALER_IMPL_H

#include "seal/sealer.h"

/* Makes plain[] long enough for this many spans, and lane[] for as many
 * more.  Lanes of an earlier run are forgotten. */
enum pdfpipe_status pp_sealer_reserve(struct pp_sealer *s, size_t spans,
                                      struct pdfpipe_error *err);

/* Gives the engine the document's key, unless it has it. */
enum pdfpipe_status pp_sealer_key(struct pp_sealer *s,
                                  const struct pp_seal_context *c,
                                  struct pdfpipe_error *err);

/* Adds the digests of the stretch's objects to its tally; s->plain[] holds
 * the plaintext of each span. */
enum pdfpipe_status pp_sealer_tally(struct pp_sealer *s,
                                    struct pp_stretch *stretch,
                                    struct pdfpipe_error *err);

/* Looks into the object streams of the stretch whose members are wanted. */
enum pdfpipe_status pp_sealer_members(struct pp_sealer *s,
                                      const struct pp_seal_context *c,
                                      struct pp_stretch *stretch,
                                      struct pdfpipe_error *err);

#endif
