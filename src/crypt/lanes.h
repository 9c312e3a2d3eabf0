/*
 * lanes.h - keeps the lanes of a multi-lane engine full
 *
 * An engine with L lanes encrypts L blocks of L different plaintexts with one
 * run of instructions.  Plaintexts have all lengths; the schedule here gives
 * every lane a stretch of whole blocks, lets the engine run as many steps as
 * the shortest of them has, and refills a lane the moment it ends.  The block
 * with the padding is a stretch of its own, made in the slot.
 */
#ifndef PP_CRYPT_LANES_H
#define PP_CRYPT_LANES_H

#include "crypt/engine.h"

#define PP_LANES_MAX 16u

/* One lane's place in an engine. */
struct pp_slot {
    const uint8_t *src; /* next block of plaintext                       */
    uint8_t *dst;       /* where its ciphertext goes                     */
    size_t step;        /* 16; 0 for a slot that idles on a dummy block  */
    size_t blocks;      /* left in this stretch                          */
    struct pp_lane *lane;
    bool tail;         /* the padded block is still to come             */
    uint8_t chain[16]; /* last block of ciphertext, or IV               */
    uint8_t last[16];  /* the padded block, or a dummy                  */
};

/*
 * Encrypts `blocks` blocks in each of the first `width` slots under the key
 * schedule, and moves src, dst and chain on.
 */
typedef void pp_lanes_run(const void *schedule, struct pp_slot *slot,
                          unsigned width, size_t blocks);

/* Takes all lanes through; width_max slots at a time. */
void pp_lanes_encrypt(struct pp_lane *lanes, size_t n, unsigned width_max,
                      pp_lanes_run *run, const void *schedule);

#endif
