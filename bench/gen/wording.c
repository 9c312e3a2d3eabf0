/* wording.c - words, names, dates, strings */
#include "wording.h"

#include <stdio.h>
#include <string.h>

static const char *const vocabulary[] = {
    "loan",      "agreement", "borrower", "lender",  "interest", "principal",
    "security",  "mortgage",  "deed",     "annuity", "payment",  "schedule",
    "balance",   "account",   "branch",   "notary",  "register", "parcel",
    "guarantor", "signature", "witness",  "consent", "transfer", "remainder",
    "rate",      "term",      "month",    "quarter", "year",     "due",
    "Miller",    "Okafor",    "Lindgren", "Moreau",  "Tanaka",   "Castillo",
    "Novak",     "Petersen",  "Rossi",    "Ahmed",   "Harbour",  "Street",
    "Square",    "Mill",      "Lane",     "North",   "South",    "Bridge",
};
enum { VOCABULARY = sizeof vocabulary / sizeof vocabulary[0] };

static const char *
word(struct noise *r)
{
    return vocabulary[noise_below(r, VOCABULARY)];
}

void
wording_phrase(struct text *t, struct noise *r, unsigned words)
{
    for (unsigned i = 0; i < words; i++)
        text_printf(t, "%s%s", i ? " " : "", word(r));
    text_printf(t, " %06u", noise_below(r, 1000000));
}

static void
add_hex(struct text *t, struct noise *r, unsigned words, const char *before)
{
    struct text plain = { 0 };

    wording_phrase(&plain, r, words);
    for (size_t i = 0; i < plain.n; i++)
        text_printf(t, "%s%02X", before, (unsigned)plain.bytes[i]);
    text_free(&plain);
}

void
wording_string(struct text *t, struct noise *r, unsigned words)
{
    switch (noise_below(r, 8)) {
    case 0:
        text_printf(t, "<");
        add_hex(t, r, words, "");
        text_printf(t, ">");
        break;
    case 1:
        text_printf(t, "<FEFF");
        add_hex(t, r, words, "00");
        text_printf(t, "00E4>");
        break;
    case 2:
        text_printf(t, "(\\(%s\\) \\\\ ", word(r));
        wording_phrase(t, r, words);
        text_printf(t, "\\n)");
        break;
    case 3:
        text_printf(t, "(M\\374hle \\53\\\n");
        wording_phrase(t, r, words);
        text_printf(t, ")");
        break;
    case 4:
        text_printf(t, "(%s (", word(r));
        text_printf(t, "%s (", word(r));
        wording_phrase(t, r, words);
        text_printf(t, ")))");
        break;
    default:
        text_printf(t, "(");
        wording_phrase(t, r, words);
        text_printf(t, ")");
        break;
    }
}

/* One draw a statement here and elsewhere: the order in which a compiler
 * evaluates arguments is its own. */
void
wording_date(struct text *t, struct noise *r)
{
    unsigned day = noise_below(r, 30 * 12 * 28);
    unsigned second = noise_below(r, 24 * 60 * 60);

    text_printf(t, "(D:%04u%02u%02u%02u%02u%02u+01'00')",
                1990 + day / (12 * 28), 1 + day / 28 % 12, 1 + day % 28,
                second / 3600, second / 60 % 60, second % 60);
}

void
wording_id(char id[33], struct noise *r)
{
    uint64_t high = noise_next(r), low = noise_next(r);

    (void)snprintf(id, 33, "%016llx%016llx", (unsigned long long)high,
                   (unsigned long long)low); /* always 32 digits */
}
