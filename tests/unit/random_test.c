/* random_test.c - does each draw use the right generator, and are failures
 * reported? */
#include "crypt/random.h"

#include <limits.h>
#include <string.h>
#include <sys/mman.h>

#include <openssl/err.h>
#include <openssl/rand.h>

#include "check.h"
#include "guarded.h"

/* Stand before those of libcrypto. */
static unsigned public_calls, private_calls;
static int answer = 1;
static bool pretend; /* count bytes, write none */
static uint64_t bytes_asked;
static const unsigned char *expected; /* where the next piece belongs */
static unsigned bad_pieces;

static int
fake(unsigned *calls, bool secret, unsigned char *p, int n)
{
    ++*calls;
    if (n <= 0 || (pretend && p != expected))
        bad_pieces++;
    else
        bytes_asked += (uint64_t)n;
    expected = p + n;
    if (answer != 1) {
        ERR_raise(ERR_LIB_RAND, RAND_R_ERROR_RETRIEVING_ENTROPY);
        return answer;
    }
    if (pretend)
        return 1;
    return secret ? RAND_priv_bytes_ex(NULL, p, (size_t)n, 0)
                  : RAND_bytes_ex(NULL, p, (size_t)n, 0);
}

int
RAND_bytes(unsigned char *p, int n)
{
    return fake(&public_calls, false, p, n);
}

int
RAND_priv_bytes(unsigned char *p, int n)
{
    return fake(&private_calls, true, p, n);
}

static void
secrets_come_from_the_private_generator(void)
{
    static const struct {
        const char *what;
        uint64_t draw;
        bool secret;
    } rows[] = {
        { "file key", PP_DRAW_FILE_KEY, true },
        { "salts", PP_DRAW_SALTS, false },
        { "perms", PP_DRAW_PERMS, false },
        { "id", PP_DRAW_ID, false },
        { "owner password", PP_DRAW_OWNER_PASSWORD, true },
        { "first IV", PP_DRAW_IV, false },
        { "last IV", UINT64_MAX, false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_place place = { i, rows[i].draw };
        uint8_t out[32];

        public_calls = private_calls = 0;
        CHECK(pp_random_fill(place, out, sizeof out, NULL) == PDFPIPE_OK, "%s",
              rows[i].what);
        CHECK(private_calls == rows[i].secret &&
                  public_calls == !rows[i].secret,
              "%s: %u private, %u public", rows[i].what, private_calls,
              public_calls);
    }
}

static void
every_byte_is_drawn_and_none_behind(void)
{
    static const size_t sizes[] = { 1, 16, 4096, 65536 };

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        size_t n = sizes[i], changed = 0;
        uint8_t *p = guarded_new(n);

        /* A byte stays 0 in all of 16 draws once in 2^128. */
        for (int round = 0; round < 16; round++) {
            uint8_t *q = guarded_new(n);

            CHECK(pp_random_fill((struct pp_place){ 0, PP_DRAW_ID }, q, n,
                                 NULL) == PDFPIPE_OK,
                  "%zu", n);
            for (size_t k = 0; k < n; k++)
                p[k] |= q[k];
            guarded_free(q, n);
        }
        for (size_t k = 0; k < n; k++)
            changed += p[k] != 0;
        CHECK(changed == n, "%zu of %zu", changed, n);
        guarded_free(p, n);
    }
}

static void
no_bytes_need_no_generator(void)
{
    public_calls = private_calls = 0;
    CHECK(pp_random_fill((struct pp_place){ 0, PP_DRAW_ID }, NULL, 0, NULL) ==
              PDFPIPE_OK,
          "none");
    CHECK(public_calls + private_calls == 0, "not called");
}

static void
sizes_beyond_int_are_cut(void)
{
    size_t n = 2 * (size_t)INT_MAX + 100;
    void *p = mmap(NULL, n, PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (p == MAP_FAILED) {
        check_skip("no 4 GiB of addresses");
        return;
    }
    pretend = true;
    expected = p;
    bytes_asked = 0;
    bad_pieces = public_calls = 0;
    CHECK(pp_random_fill((struct pp_place){ 0, PP_DRAW_ID }, p, n, NULL) ==
              PDFPIPE_OK,
          "4 GiB");
    CHECK(bytes_asked == n && bad_pieces == 0 && public_calls == 3,
          "%u calls, %llu bytes", public_calls,
          (unsigned long long)bytes_asked);
    pretend = false;
    CHECK(munmap(p, n) == 0, "unmapped");
}

static void
a_failing_generator_is_an_error(void)
{
    static const int answers[] = { 0, -1 };
    static const uint64_t draws[] = { PP_DRAW_FILE_KEY, PP_DRAW_IV };

    for (size_t i = 0; i < 4; i++) {
        struct pdfpipe_error err = { 0 };
        uint8_t out[16];

        answer = answers[i % 2];
        CHECK(pp_random_fill((struct pp_place){ 0, draws[i / 2] }, out,
                             sizeof out, &err) == PDFPIPE_E_CRYPTO,
              "row %zu", i);
        CHECK(err.code == PDFPIPE_E_CRYPTO &&
                  strstr(err.message, "entropy") != NULL,
              "row %zu: %s", i, err.message);
        CHECK(ERR_peek_error() == 0, "row %zu: queue is empty", i);
    }
    answer = 1;
}

int
main(void)
{
    secrets_come_from_the_private_generator();
    every_byte_is_drawn_and_none_behind();
    no_bytes_need_no_generator();
    sizes_beyond_int_are_cut();
    a_failing_generator_is_an_error();
    CHECK(pp_random_pools(), "draws may be made in advance");
    return check_report("random");
}
