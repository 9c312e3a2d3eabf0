/*
 * sha2_rounds.h - the rounds of SHA-2 over lanes (FIPS 180-4, 6.2.2, 6.4.2);
 *                 the text that four functions are made of
 *
 * Included once by each of sha{256,512}_{avx2,avx512}.c, which defines before:
 *
 *   SHA2_BITS   32 or 64, and LANES, how many words of it a register holds
 *   TARGET      the attribute that allows the instructions
 *   vec         the register, with add(), xor3(), choose(), majority(),
 *               broadcast(), load_row(), store_row(), and ROTR() and SHR(),
 *               whose count has to be a constant
 *   load_block  w[16] = the message words of a block of each lane
 */
#if SHA2_BITS == 32
#define WORD       uint32_t
#define ROUNDS     64
#define CONSTANTS  pp_sha256_k
#define BLOCK      PP_SHA256_BLOCK
#define BIG_0(x)   xor3(ROTR(x, 2), ROTR(x, 13), ROTR(x, 22))
#define BIG_1(x)   xor3(ROTR(x, 6), ROTR(x, 11), ROTR(x, 25))
#define SMALL_0(x) xor3(ROTR(x, 7), ROTR(x, 18), SHR(x, 3))
#define SMALL_1(x) xor3(ROTR(x, 17), ROTR(x, 19), SHR(x, 10))
#else
#define WORD       uint64_t
#define ROUNDS     80
#define CONSTANTS  pp_sha512_k
#define BLOCK      PP_SHA512_BLOCK
#define BIG_0(x)   xor3(ROTR(x, 28), ROTR(x, 34), ROTR(x, 39))
#define BIG_1(x)   xor3(ROTR(x, 14), ROTR(x, 18), ROTR(x, 41))
#define SMALL_0(x) xor3(ROTR(x, 1), ROTR(x, 8), SHR(x, 7))
#define SMALL_1(x) xor3(ROTR(x, 19), ROTR(x, 61), SHR(x, 6))
#endif

/* Names change places instead of values: h becomes the next a, d the next e. */
#define ROUND(a, b, c, d, e, f, g, h, i)                                       \
    do {                                                                       \
        vec t = add(add(h, BIG_1(e)),                                          \
                    add(choose(e, f, g), add(w[i], broadcast(k[i]))));         \
        (d) = add(d, t);                                                       \
        (h) = add(t, add(BIG_0(a), majority(a, b, c)));                        \
    } while (0)

/* w[i] becomes the word 16 rounds later. */
#define EXPAND(i)                                                              \
    (w[i] = add(add(w[i], SMALL_0(w[((i) + 1) % 16])),                         \
                add(w[((i) + 9) % 16], SMALL_1(w[((i) + 14) % 16]))))

#define EIGHT_ROUNDS(s, i)                                                     \
    do {                                                                       \
        ROUND(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], (i));            \
        ROUND(s[7], s[0], s[1], s[2], s[3], s[4], s[5], s[6], (i) + 1);        \
        ROUND(s[6], s[7], s[0], s[1], s[2], s[3], s[4], s[5], (i) + 2);        \
        ROUND(s[5], s[6], s[7], s[0], s[1], s[2], s[3], s[4], (i) + 3);        \
        ROUND(s[4], s[5], s[6], s[7], s[0], s[1], s[2], s[3], (i) + 4);        \
        ROUND(s[3], s[4], s[5], s[6], s[7], s[0], s[1], s[2], (i) + 5);        \
        ROUND(s[2], s[3], s[4], s[5], s[6], s[7], s[0], s[1], (i) + 6);        \
        ROUND(s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[0], (i) + 7);        \
    } while (0)

#define EXPAND_EIGHT(i)                                                        \
    do {                                                                       \
        EXPAND(i);                                                             \
        EXPAND((i) + 1);                                                       \
        EXPAND((i) + 2);                                                       \
        EXPAND((i) + 3);                                                       \
        EXPAND((i) + 4);                                                       \
        EXPAND((i) + 5);                                                       \
        EXPAND((i) + 6);                                                       \
        EXPAND((i) + 7);                                                       \
    } while (0)

/* One block of each lane; sum is the state before and after. */
static inline TARGET __attribute__((always_inline)) void
compress(vec sum[PP_SHA2_WORDS], vec w[16])
{
    const WORD *k = CONSTANTS, *end = k + ROUNDS;
    vec s[PP_SHA2_WORDS];

#pragma GCC unroll 8
    for (unsigned i = 0; i < PP_SHA2_WORDS; i++)
        s[i] = sum[i];
    EIGHT_ROUNDS(s, 0);
    EIGHT_ROUNDS(s, 8);
    for (k += 16; k < end; k += 16) {
        EXPAND_EIGHT(0);
        EIGHT_ROUNDS(s, 0);
        EXPAND_EIGHT(8);
        EIGHT_ROUNDS(s, 8);
    }
#pragma GCC unroll 8
    for (unsigned i = 0; i < PP_SHA2_WORDS; i++)
        sum[i] = add(sum[i], s[i]);
}

/* Lanes that are missing do the first one's work once more. */
static TARGET void
run(struct pp_sha2_lane *const *lane, unsigned n, size_t blocks)
{
    WORD state[PP_SHA2_WORDS][LANES] __attribute__((aligned(64)));
    const uint8_t *src[LANES];
    vec sum[PP_SHA2_WORDS], w[16];

    for (unsigned l = 0; l < LANES; l++) {
        const struct pp_sha2_lane *from = lane[l < n ? l : 0];

        src[l] = from->src;
        for (unsigned i = 0; i < PP_SHA2_WORDS; i++)
            state[i][l] = (WORD)from->h[i];
    }
    for (unsigned i = 0; i < PP_SHA2_WORDS; i++)
        sum[i] = load_row(state[i]);
    for (size_t b = 0; b < blocks; b++) {
        load_block(w, src, b * BLOCK);
        compress(sum, w);
    }
    for (unsigned i = 0; i < PP_SHA2_WORDS; i++)
        store_row(state[i], sum[i]);
    for (unsigned l = 0; l < n; l++) {
        lane[l]->src += blocks * BLOCK;
        for (unsigned i = 0; i < PP_SHA2_WORDS; i++)
            lane[l]->h[i] = state[i][l];
    }
    pp_wipe(state, sizeof state);
}
