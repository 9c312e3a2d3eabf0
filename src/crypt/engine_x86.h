/*
 * engine_x86.h - what the engines for x86 share: key schedule and lanes;
 *                private to crypt/
 */
#ifndef PP_CRYPT_ENGINE_X86_H
#define PP_CRYPT_ENGINE_X86_H

#include "crypt/engine_impl.h"
#include "crypt/lanes.h"

/* An engine of this width whose kernel takes a struct pp_aes_x86 as schedule.
 * Errors: E_NO_MEMORY. */
enum pdfpipe_status pp_engine_x86_make(unsigned lanes, pp_lanes_run *run,
                                       struct pp_engine **out,
                                       struct pdfpipe_error *err);

/* The kernel of 8, 4, 2 or 1 lanes by AES-NI; schedule: struct pp_aes_x86. */
pp_lanes_run pp_lanes_run_aesni;

bool pp_engine_aesni_suits(void);
enum pdfpipe_status pp_engine_aesni_make(const struct pp_suite *suite,
                                         struct pp_engine **out,
                                         struct pdfpipe_error *err);
bool pp_engine_vaes_suits(void);
enum pdfpipe_status pp_engine_vaes_make(const struct pp_suite *suite,
                                        struct pp_engine **out,
                                        struct pdfpipe_error *err);

#endif
