/* digest_test.c - is a tally the sum of SHA-256 over named parts? */
#include "crypt/digest.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include "check.h"
#include "crypt/suite_impl.h"
#include "dies.h"

static struct pp_digest *digest;

struct part {
    uint32_t object, generation;
    uint64_t number;
    const char *text;
};

/* clang-format off */
static const struct part parts[] = {
    { 1,          0,     0, "<</Type/Catalog>>" },
    { 1,          0,     1, "" },
    { 1,          0,     2, "abc" },
    { 2,          0,     0, "abc" },
    { 2,          1,     0, "abc" },
    { 0xffffffff, 65535, UINT64_MAX, "a longer text that fills several of the "
      "blocks in which SHA-256 works, so that updates are cut inside of them" },
};
/* clang-format on */
enum { PARTS = sizeof parts / sizeof parts[0] };

static void
tally_part(const struct part *p, size_t step, struct pp_tally *to)
{
    size_t n = strlen(p->text);

    CHECK(pp_digest_begin(digest, p->object, p->generation, p->number, NULL) ==
              PDFPIPE_OK,
          "begin");
    for (size_t at = 0; at < n; at += step)
        CHECK(pp_digest_update(digest, p->text + at,
                               n - at < step ? n - at : step,
                               NULL) == PDFPIPE_OK,
              "update");
    CHECK(pp_digest_end(digest, to, NULL) == PDFPIPE_OK, "end");
}

/* The same by hand: name, text, one hash, four numbers. */
static void
add_by_hand(const struct part *p, struct pp_tally *to)
{
    uint8_t text[256], hash[32];
    size_t n = strlen(p->text);
    unsigned hash_len = 0;

    for (unsigned i = 0; i < 4; i++) {
        text[i] = (uint8_t)(p->object >> (8 * i));
        text[4 + i] = (uint8_t)(p->generation >> (8 * i));
    }
    for (unsigned i = 0; i < 8; i++)
        text[8 + i] = (uint8_t)(p->number >> (8 * i));
    memcpy(text + 16, p->text, n);
    if (EVP_Digest(text, 16 + n, hash, &hash_len, EVP_sha256(), NULL) != 1)
        abort();
    for (unsigned i = 0; i < 32; i++)
        if (i % 8 == 0) {
            uint64_t v = 0;

            for (unsigned k = 8; k-- > 0;)
                v = v << 8 | hash[i + k];
            to->sum[i / 8] += v;
        }
    to->parts++;
}

static void
a_tally_is_the_sum_of_hashes(void)
{
    struct pp_tally sum = { 0 };

    for (size_t i = 0; i < PARTS; i++) {
        struct pp_tally one = { 0 }, by_hand = { 0 };

        tally_part(&parts[i], 1000, &one);
        add_by_hand(&parts[i], &by_hand);
        CHECK(pp_tally_equal(&one, &by_hand), "part %zu", i);
        tally_part(&parts[i], 1000, &sum);
    }
    CHECK(sum.parts == PARTS, "%llu", (unsigned long long)sum.parts);
}

/* SHA-256 of sixteen zero bytes and "abc", computed elsewhere. */
static void
a_known_tally_holds(void)
{
    static const struct part abc = { 0, 0, 0, "abc" };
    static const struct pp_tally want = {
        { 0x76b932d2f67f7e27u, 0x0d215dd0e8664a3fu, 0x02e1bc6d9cac2da3u,
          0xfefeb5ac98ccd46au },
        1
    };
    struct pp_tally got = { 0 };

    tally_part(&abc, 1000, &got);
    CHECK(pp_tally_equal(&got, &want), "%016llx",
          (unsigned long long)got.sum[0]);
}

static void
order_and_grouping_do_not_matter(void)
{
    struct pp_tally forwards = { 0 }, backwards = { 0 }, odd = { 0 },
                    even = { 0 }, joined = { 0 };

    for (size_t i = 0; i < PARTS; i++) {
        tally_part(&parts[i], 1000, &forwards);
        tally_part(&parts[PARTS - 1 - i], 1000, &backwards);
        tally_part(&parts[i], 1000, i % 2 ? &odd : &even);
    }
    pp_tally_add(&joined, &odd);
    pp_tally_add(&joined, &even);
    CHECK(pp_tally_equal(&forwards, &backwards), "backwards");
    CHECK(pp_tally_equal(&forwards, &joined), "by two workers");
    CHECK(!pp_tally_equal(&odd, &even), "and they differ");
}

static void
cuts_between_updates_do_not_matter(void)
{
    struct pp_tally whole = { 0 };

    tally_part(&parts[PARTS - 1], 1000, &whole);
    for (size_t step = 1; step < 70; step++) {
        struct pp_tally cut = { 0 };

        tally_part(&parts[PARTS - 1], step, &cut);
        CHECK(pp_tally_equal(&whole, &cut), "steps of %zu", step);
    }
}

/* Each name and each text counts: no two rows have the same tally. */
static void
names_and_texts_matter(void)
{
    static const struct part near[] = {
        { 5, 0, 0, "x" }, { 6, 0, 0, "x" },          { 5, 1, 0, "x" },
        { 5, 0, 1, "x" }, { 5, 0, 1ull << 32, "x" }, { 5, 0, 0, "y" },
        { 5, 0, 0, "" },  { 0, 5, 0, "x" },          { 0, 0, 5, "x" },
    };
    enum { NEAR = sizeof near / sizeof near[0] };
    struct pp_tally t[NEAR] = { 0 };

    for (size_t i = 0; i < NEAR; i++) {
        tally_part(&near[i], 1000, &t[i]);
        for (size_t k = 0; k < i; k++)
            CHECK(!pp_tally_equal(&t[i], &t[k]), "rows %zu and %zu", i, k);
    }
}

static void
every_field_is_compared(void)
{
    struct pp_tally a = { { 1, 2, 3, 4 }, 5 };

    CHECK(pp_tally_equal(&a, &a), "itself");
    for (unsigned i = 0; i < 5; i++) {
        struct pp_tally b = a;

        *(i < 4 ? &b.sum[i] : &b.parts) ^= 1ull << 63;
        CHECK(!pp_tally_equal(&a, &b), "field %u", i);
    }
}

static void
an_unfinished_part_counts_for_nothing(void)
{
    struct pp_tally clean = { 0 }, after = { 0 };

    tally_part(&parts[2], 1000, &clean);
    CHECK(pp_digest_begin(digest, 9, 9, 9, NULL) == PDFPIPE_OK &&
              pp_digest_update(digest, "lost", 4, NULL) == PDFPIPE_OK,
          "begun");
    tally_part(&parts[2], 1000, &after);
    CHECK(pp_tally_equal(&clean, &after), "begun anew");
}

static void
update_before_begin(void *arg)
{
    (void)arg;
    (void)pp_digest_update(digest, "x", 1, NULL);
}

static void
end_before_begin(void *arg)
{
    struct pp_tally t = { 0 };

    (void)arg;
    (void)pp_digest_end(digest, &t, NULL);
}

int
main(void)
{
    struct pp_suite *suite = NULL;

    if (!CHECK(pp_suite_new(&suite, NULL) == PDFPIPE_OK, "suite") ||
        !CHECK(pp_digest_new(suite, &digest, NULL) == PDFPIPE_OK, "new"))
        return check_report("digest");
    CHECK(dies_of(update_before_begin, NULL) == SIGABRT, "update first");
    CHECK(dies_of(end_before_begin, NULL) == SIGABRT, "end first");
    a_known_tally_holds();
    a_tally_is_the_sum_of_hashes();
    order_and_grouping_do_not_matter();
    cuts_between_updates_do_not_matter();
    names_and_texts_matter();
    every_field_is_compared();
    an_unfinished_part_counts_for_nothing();
    CHECK(dies_of(end_before_begin, NULL) == SIGABRT, "end twice");
    pp_digest_free(digest);
    pp_digest_free(NULL);
    pp_suite_free(suite);
    return check_report("digest");
}
