/*
 * mixes.c - prints what an engine makes of many mixes of plaintexts
 *
 * Built for this machine it asks libcrypto, built for ARM the engine "armv8";
 * tests/arm/run compares the two.  Everything is drawn from one seed.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crypt/engine_impl.h"

#if defined(__aarch64__)
#include "crypt/engine_lanes.h"
#include "crypt/secret.h"
#else
#include "crypt/suite.h"
#endif

#define MIXES     300u
#define LANES_MAX 40u
#define LENGTH    700u

static uint64_t
draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static void
draw_bytes(uint64_t *state, uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        p[i] = (uint8_t)draw(state);
}

/* FNV-1a: one number for all the bytes that were made. */
static void
mix_in(uint64_t *hash, const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        *hash = (*hash ^ p[i]) * 1099511628211u;
}

static void
run_mix(struct pp_engine *e, unsigned number)
{
    static uint8_t text[LANES_MAX][LENGTH], out[LANES_MAX][LENGTH + 16];
    struct pp_lane lane[LANES_MAX];
    uint64_t state = number, hash = 14695981039346656037u;
    size_t n = 1 + draw(&state) % LANES_MAX;
    uint8_t key[PP_FILE_KEY_BYTES];

    draw_bytes(&state, key, sizeof key);
    if (pp_engine_set_key(e, key, NULL))
        abort();
    for (size_t i = 0; i < n; i++) {
        bool final = draw(&state) % 4 != 0;
        size_t len = draw(&state) % LENGTH;

        draw_bytes(&state, text[i], LENGTH);
        lane[i] = (struct pp_lane){ .src = text[i],
                                    .dst = out[i],
                                    .len = final ? len : len / 16 * 16,
                                    .final = final };
        draw_bytes(&state, lane[i].chain, 16);
        if (draw(&state) % 2) { /* in place */
            memcpy(out[i], text[i], LENGTH);
            lane[i].src = out[i];
        }
    }
    if (pp_engine_encrypt(e, lane, n, NULL))
        abort();
    for (size_t i = 0; i < n; i++) {
        size_t len = lane[i].len / 16 * 16 + (lane[i].final ? 16 : 0);

        mix_in(&hash, out[i], len);
        mix_in(&hash, lane[i].chain, 16);
        lane[i].src = out[i];
        lane[i].len = len;
        memset(lane[i].chain, (int)i, 16);
    }
    if (pp_engine_decrypt(e, lane, n, NULL))
        abort();
    for (size_t i = 0; i < n; i++) {
        mix_in(&hash, out[i], lane[i].len);
        mix_in(&hash, lane[i].chain, 16);
    }
    printf("%u %016" PRIx64 "\n", number, hash);
}

#if defined(__aarch64__)
/* What the engine needs of the rooms that are not built here. */
void
pp_wipe(void *p, size_t n)
{
    explicit_bzero(p, n);
}

enum pdfpipe_status
pp_engine_evp_make(const struct pp_suite *suite, struct pp_engine **out,
                   struct pdfpipe_error *err)
{
    (void)suite;
    (void)out;
    return pp_fail(err, PDFPIPE_E_CRYPTO, "no libcrypto here");
}
#endif

int
main(void)
{
    struct pp_suite *suite = NULL;
    struct pp_engine *e = NULL;
    enum pdfpipe_engine wanted = PDFPIPE_ENGINE_ARMV8;

#if !defined(__aarch64__)
    wanted = PDFPIPE_ENGINE_EVP;
    if (pp_suite_new(&suite, NULL))
        return 1;
#endif
    if (pp_engine_new(suite, wanted, &e, NULL)) {
        (void)fprintf(stderr, "mixes: no such engine here\n");
        return 1;
    }
    for (unsigned i = 0; i < MIXES; i++)
        run_mix(e, i);
    pp_engine_free(e);
#if !defined(__aarch64__)
    pp_suite_free(suite);
#endif
    return 0;
}
