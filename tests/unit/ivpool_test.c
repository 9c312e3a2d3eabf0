/* ivpool_test.c - is every IV handed out once, and none when the source fails?
 *
 * The random source is a counter here: it stands before the library's. */
#include "crypt/ivpool.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "dies.h"

static bool pools, broken;
static unsigned fills;
static size_t last_n;
static struct pp_place last_place;
static uint64_t counter;

enum pdfpipe_status
pp_random_fill(struct pp_place place, void *p, size_t n,
               struct pdfpipe_error *err)
{
    uint8_t *to = p;

    fills++;
    last_n = n;
    last_place = place;
    if (broken)
        return pp_fail(err, PDFPIPE_E_CRYPTO, "broken");
    for (size_t i = 0; i + 16 <= n; i += 16) {
        counter++;
        memset(to + i, 0x5a, 16);
        memcpy(to + i, &counter, sizeof counter);
    }
    return PDFPIPE_OK;
}

bool
pp_random_pools(void)
{
    return pools;
}

static bool
holds(const struct pp_ivpool *pool, const uint8_t iv[16])
{
    for (size_t i = 0; i < PP_IV_POOLED; i++)
        if (memcmp(pool->iv[i], iv, 16) == 0)
            return true;
    return false;
}

static void
one_fill_serves_4096_ivs_each_once(struct pp_ivpool *pool)
{
    static bool seen[2 * PP_IV_POOLED];
    uint8_t iv[16];

    pools = true;
    fills = 0;
    counter = 0;
    memset(seen, 0, sizeof seen);
    pp_ivpool_init(pool);
    for (size_t i = 0; i < sizeof seen; i++) {
        uint64_t number;

        CHECK(pp_ivpool_take(pool, 7, i, iv, NULL) == PDFPIPE_OK, "take %zu",
              i);
        CHECK(fills == 1 + i / PP_IV_POOLED, "take %zu: %u fills", i, fills);
        memcpy(&number, iv, sizeof number);
        if (CHECK(number > 0 && number <= sizeof seen && iv[15] == 0x5a,
                  "take %zu", i)) {
            CHECK(!seen[number - 1], "take %zu: handed out twice", i);
            seen[number - 1] = true;
        }
        if (i % 97 == 0)
            CHECK(!holds(pool, iv), "take %zu: forgotten", i);
    }
    CHECK(last_n == sizeof pool->iv, "%zu", last_n);
}

static void
what_is_left_is_wiped(struct pp_ivpool *pool)
{
    static const uint8_t zero[sizeof pool->iv];
    uint8_t iv[16];

    pools = true;
    pp_ivpool_init(pool);
    pp_ivpool_fini(pool); /* nothing is in it yet */
    CHECK(pp_ivpool_take(pool, 1, 0, iv, NULL) == PDFPIPE_OK, "take");
    pp_ivpool_fini(pool);
    CHECK(memcmp(pool->iv, zero, sizeof zero) == 0, "all zero");
    fills = 0;
    CHECK(pp_ivpool_take(pool, 1, 1, iv, NULL) == PDFPIPE_OK && fills == 1,
          "empty, so it fills itself");
    pp_ivpool_fini(pool);
}

static void
a_failing_source_gives_no_iv(struct pp_ivpool *pool)
{
    struct pdfpipe_error err = { 0 };
    uint8_t iv[16];

    pools = true;
    pp_ivpool_init(pool);
    broken = true;
    for (int i = 0; i < 2; i++)
        CHECK(pp_ivpool_take(pool, 1, 0, iv, &err) == PDFPIPE_E_CRYPTO,
              "pooled, try %d", i);
    CHECK(err.code == PDFPIPE_E_CRYPTO, "%s", err.message);
    broken = false;
    CHECK(pp_ivpool_take(pool, 1, 0, iv, NULL) == PDFPIPE_OK && iv[15] == 0x5a,
          "works again");
    pp_ivpool_fini(pool);

    pools = false;
    broken = true;
    CHECK(pp_ivpool_take(pool, 1, 0, iv, NULL) == PDFPIPE_E_CRYPTO, "direct");
    broken = false;
}

static void
a_source_bound_to_places_is_asked_each_time(struct pp_ivpool *pool)
{
    static const uint64_t index[] = { 0, 1, 5000, 1ull << 40 };
    uint8_t iv[16];

    pools = false;
    pp_ivpool_init(pool);
    fills = 0;
    for (size_t i = 0; i < sizeof index / sizeof index[0]; i++) {
        CHECK(pp_ivpool_take(pool, 9 + i, index[i], iv, NULL) == PDFPIPE_OK,
              "row %zu", i);
        CHECK(fills == i + 1 && last_n == 16, "row %zu", i);
        CHECK(last_place.document == 9 + i &&
                  last_place.draw == PP_DRAW_IV + index[i],
              "row %zu", i);
    }
    pp_ivpool_fini(pool);
}

static void
take_beyond_the_last_place(void *arg)
{
    uint8_t iv[16];

    (void)pp_ivpool_take(arg, 0, UINT64_MAX - PP_DRAW_IV + 1, iv, NULL);
}

int
main(void)
{
    struct pp_ivpool *pool = malloc(sizeof *pool);

    if (!pool)
        return 1;
    one_fill_serves_4096_ivs_each_once(pool);
    what_is_left_is_wiped(pool);
    a_failing_source_gives_no_iv(pool);
    a_source_bound_to_places_is_asked_each_time(pool);
    CHECK(dies_of(take_beyond_the_last_place, pool) == SIGABRT, "wrap");
    free(pool);
    return check_report("ivpool");
}
