/*
 * ipsec_mb.h - libipsec-mb, another library that encrypts many at once
 *
 * Only for comparison, and only when its header was there at build time.
 */
#ifndef BENCH_IPSEC_MB_H
#define BENCH_IPSEC_MB_H

#include <stdint.h>

#include "workload.h"

struct ipsec_mb;

/* NULL: it is not installed. */
struct ipsec_mb *ipsec_mb_new(const uint8_t key[32]);
void ipsec_mb_free(struct ipsec_mb *m); /* m may be NULL */

/* Ends the program when the library reports an error. */
void ipsec_mb_encrypt(struct ipsec_mb *m, const struct workload *w);

#endif
