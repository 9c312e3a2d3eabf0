/* size.c - sizes as people write them */
#include "batch/size.h"

#include <string.h>
#include <strings.h>

/* Digits at *text, which moves behind them; false: none, or too many. */
static bool
digits(const char **text, uint64_t *value)
{
    const char *p = *text;
    uint64_t v = 0;

    if (*p < '0' || *p > '9')
        return false;
    for (; *p >= '0' && *p <= '9'; p++) {
        unsigned digit = (unsigned)(*p - '0');

        if (v > (UINT64_MAX - digit) / 10)
            return false;
        v = v * 10 + digit;
    }
    *text = p;
    *value = v;
    return true;
}

bool
pp_size_parse(const char *text, uint64_t *bytes)
{
    static const char units[] = "KMGT";
    unsigned shift = 0;
    uint64_t v;

    if (!digits(&text, &v))
        return false;
    if (*text) {
        for (unsigned i = 0; i < sizeof units - 1; i++)
            if ((*text & ~0x20) == units[i])
                shift = 10 * (i + 1);
        if (!shift || (text[1] && strcasecmp(text + 1, "ib") != 0))
            return false;
    }
    if (v > UINT64_MAX >> shift)
        return false;
    *bytes = v << shift;
    return true;
}

bool
pp_number_parse(const char *text, uint64_t least, uint64_t most,
                uint64_t *value)
{
    uint64_t v;

    if (!digits(&text, &v) || *text || v < least || v > most)
        return false;
    *value = v;
    return true;
}
