/*
 * string_eva.c - no token of up to eight bytes makes the decoders of strings
 *                and names read or write outside of their buffers
 *
 * Text and value end where their arrays end, so that one byte too many is
 * outside.
 */
#include "__fc_builtin.h"

#include "pdf/string.c"

#define MOST 8

static void
decode(size_t n, size_t cap)
{
    uint8_t text[MOST], value[MOST], digits[2 * MOST];
    struct pp_view token = { text + MOST - n, n };

    Frama_C_make_unknown((char *)text, MOST);
    (void)pp_string_decode(token, value + MOST - cap, cap);
    pp_hex_encode(token.p, n, digits + 2 * (MOST - n));
    (void)pp_name_is(token, "Key");
}

int
main(void)
{
    /*@ loop unroll 9; */
    for (size_t n = 0; n <= MOST; n++)
        /*@ loop unroll 9; */
        for (size_t cap = 0; cap <= MOST; cap++)
            decode(n, cap);
    return 0;
}
