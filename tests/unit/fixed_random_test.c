/* fixed_random_test.c - is the source of the golden tests what it says? */
#include "fixed_random.c"

#include "check.h"
#include "crypt_vectors.h"

static void
bytes_are_sha256_in_counter_mode(void)
{
    static const struct {
        struct pp_place place;
        const char *bytes;
    } rows[] = {
        { { 0x0u, 0x0u },
          "9d908ecfb6b256def8b49a7c504e6c889c4b0e41"
          "fe6ce3e01863dd7b61a20aa085526ba79728a470" },
        { { 0x1u, 0x10u },
          "4167d68393fd933de7cba4eb9542d8be84af452b"
          "913644fede57d36cfb8a6d190a5d96fc3d948c74" },
        { { 0x102030405060708u, 0xfffffffffffffffeu },
          "459cbaf59d2454c4ec68cc263599fff239821571"
          "7e496db15e59bac1336b310fe4be0b4c0f73c68a" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (size_t n = 0; n <= strlen(rows[i].bytes) / 2; n++) {
            char prefix[128];
            uint8_t out[64];

            memcpy(prefix, rows[i].bytes, 2 * n);
            prefix[2 * n] = 0;
            CHECK(pp_random_fill(rows[i].place, out, n, NULL) == PDFPIPE_OK,
                  "row %zu", i);
            CHECK(vector_is(prefix, out, n), "row %zu, %zu bytes", i, n);
        }
}

int
main(void)
{
    bytes_are_sha256_in_counter_mode();
    CHECK(!pp_random_pools(), "every draw is made at its place");
    return check_report("fixed_random");
}
