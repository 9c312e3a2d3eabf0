/*
 * pathset.h - has this path been seen before?
 *
 * Remembers paths as 64-bit keyed hashes (SipHash-2-4, key drawn per set), so
 * that a million paths take 16 MB at most and nobody can choose names that
 * collide.  The odds that two of n different paths look the same are n^2 /
 * 2^65: one in 40 million for a million paths.
 */
#ifndef PP_BATCH_PATHSET_H
#define PP_BATCH_PATHSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pp_pathset {
    uint64_t key[2];
    uint64_t *slot; /* 0: free */
    size_t slots;   /* power of two */
    size_t used;
};

/* False: the system gave no random key. */
bool pp_pathset_init(struct pp_pathset *s);
void pp_pathset_fini(struct pp_pathset *s);

enum pp_pathset_answer {
    PP_PATH_NEW,      /* was not there; is now             */
    PP_PATH_SEEN,     /* was there                         */
    PP_PATH_NO_MEMORY /* was not there, and is not now     */
};
enum pp_pathset_answer pp_pathset_add(struct pp_pathset *s, const char *path);

#endif
