/*
 * workload.h - plaintexts of a mix in memory, and room for their ciphertexts
 *
 * Laid out as in a document: one after the other, beginning at any address,
 * and each ciphertext behind its IV.
 */
#ifndef BENCH_WORKLOAD_H
#define BENCH_WORKLOAD_H

#include <stddef.h>
#include <stdint.h>

#include "mix.h"

struct plaintext {
    const uint8_t *src; /* len bytes, and PKCS#7 padding behind them        */
    uint8_t *dst;       /* padded_len bytes; the IV is in the 16 before it */
    size_t len;
    size_t padded_len;
};

struct workload {
    struct plaintext *text;
    size_t texts, texts_per_group;
    uint64_t payload_bytes; /* sum of all len */
    uint8_t *src, *dst;
    size_t dst_bytes;
};

/* Memory that a group takes on the average, with what describes it. */
size_t workload_group_bytes(const struct mix *mix);

/* The mix `groups` times, with contents and IVs that look random and are the
 * same in every run.  Ends the program when memory is short. */
void workload_make(struct workload *w, const struct mix *mix, size_t groups);
void workload_free(struct workload *w);

/* Zeroes the ciphertexts, so that nobody's answer is taken for another's. */
void workload_forget(struct workload *w);

#endif
