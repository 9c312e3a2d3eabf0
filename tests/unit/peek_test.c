/* peek_test.c - does a peek show the bytes of the input, and read few twice? */
#include "pdf/peek.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

#define SIZE 300000u

static uint8_t content[SIZE];

/* An input that counts, checks its callers and can fail. */
struct counting {
    uint64_t reads, bytes, largest;
    uint64_t fail_at; /* a read that reaches this offset fails */
    unsigned beyond;  /* reads outside the input               */
};

static enum pdfpipe_status
read_counting(void *self, uint64_t offset, void *dst, size_t n,
              struct pdfpipe_error *err)
{
    struct counting *c = self;

    c->reads++;
    c->bytes += n;
    c->largest = n > c->largest ? n : c->largest;
    if (offset > SIZE || n > SIZE - offset || n == 0) {
        c->beyond++;
        return pp_fail(err, PDFPIPE_E_INTERNAL, "outside");
    }
    if (offset + n > c->fail_at)
        return pp_fail(err, PDFPIPE_E_CHANGED, "became shorter");
    memcpy(dst, content + offset, n);
    return PDFPIPE_OK;
}

static struct pp_input
input_of(struct counting *c)
{
    *c = (struct counting){ .fail_at = UINT64_MAX };
    return (struct pp_input){ .self = c, .size = SIZE, .read = read_counting };
}

/* One look; its promise. */
static bool
shows(struct pp_peek *k, uint64_t offset, size_t want)
{
    uint64_t left = offset < SIZE ? SIZE - offset : 0;
    struct pp_view v = { NULL, 7 };

    if (pp_peek_at(k, offset, want, &v, NULL) || v.n > left ||
        v.n < (want < left ? want : left))
        return false;
    return v.n == 0 ? v.p != NULL : memcmp(v.p, content + offset, v.n) == 0;
}

static void
are_the_bytes_right_wherever_one_looks(void)
{
    static const size_t steps[] = { 0, 4096, 10000, 65536, 1000000 };
    unsigned wrong = 0;
    uint32_t seed = 1;

    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        struct counting c;
        struct pp_input input = input_of(&c);
        struct pp_peek k;

        pp_peek_init(&k, &input, steps[i]);
        for (int n = 0; n < 3000; n++) {
            uint64_t offset;
            size_t want;

            seed = seed * 1664525 + 1013904223;
            offset = (seed >> 8) % (SIZE + 50);
            seed = seed * 1664525 + 1013904223;
            want = (seed >> 8) % ((seed >> 28) % 3 ? 300 : 30000);
            wrong += !shows(&k, offset, want);
            wrong += !shows(&k, offset + want / 2, want); /* overlapping */
            wrong += !shows(&k, offset, 1);               /* back        */
        }
        CHECK(wrong == 0 && c.beyond == 0, "step %zu: %u wrong, %u beyond",
              steps[i], wrong, c.beyond);
        pp_peek_fini(&k);
    }
}

static void
what_is_there_at_the_end(void)
{
    struct counting c;
    struct pp_input input = input_of(&c);
    struct pp_peek k;

    pp_peek_init(&k, &input, 65536);
    CHECK(shows(&k, SIZE, 10), "at the end, before anything was read");
    CHECK(shows(&k, UINT64_MAX, SIZE_MAX), "far behind");
    CHECK(c.reads == 0, "nothing to read there");
    CHECK(shows(&k, SIZE - 1, SIZE_MAX), "the last byte");
    CHECK(shows(&k, 0, SIZE_MAX), "all");
    CHECK(shows(&k, 0, 0), "nothing wanted");
    CHECK(pp_peek_whole(&k, 0, SIZE), "all is whole");
    CHECK(!pp_peek_whole(&k, 0, SIZE - 1), "one byte is missing");
    CHECK(pp_peek_whole(&k, SIZE, 0) && pp_peek_whole(&k, UINT64_MAX, 0),
          "nothing is missing behind the end");
    CHECK(pp_peek_whole(&k, 1, SIZE_MAX), "sum does not wrap");
    pp_peek_fini(&k);
}

static void
is_going_forward_cheap(void)
{
    struct counting c;
    struct pp_input input = input_of(&c);
    struct pp_peek k;
    unsigned wrong = 0;

    pp_peek_init(&k, &input, 65536);
    for (uint64_t at = 0; at < SIZE; at += 100)
        wrong += !shows(&k, at, 150);
    CHECK(wrong == 0, "%u", wrong);
    CHECK(c.bytes == SIZE, "each byte once: %llu", (unsigned long long)c.bytes);
    CHECK(c.reads <= 10, "%llu reads", (unsigned long long)c.reads);
    CHECK(c.largest <= 65536, "%llu", (unsigned long long)c.largest);
    pp_peek_fini(&k);
}

static void
is_a_jump_cheap(void)
{
    struct counting c;
    struct pp_input input = input_of(&c);
    struct pp_peek k;
    unsigned jumps = 0, wrong = 0;

    pp_peek_init(&k, &input, 65536);
    for (uint64_t at = 0; at < SIZE; at += 20000, jumps++)
        wrong += !shows(&k, at, 100);
    CHECK(wrong == 0, "%u", wrong);
    CHECK(c.bytes <= jumps * UINT64_C(8192), "%llu bytes for %u jumps",
          (unsigned long long)c.bytes, jumps);
    pp_peek_fini(&k);
}

static void
does_an_error_come_through(void)
{
    struct counting c;
    struct pp_input input = input_of(&c);
    struct pdfpipe_error err;
    struct pp_peek k;
    struct pp_view v;

    pp_peek_init(&k, &input, 4096);
    CHECK(shows(&k, 0, 100), "before");
    c.fail_at = 50000;
    CHECK(pp_peek_at(&k, 49990, 20, &v, &err) == PDFPIPE_E_CHANGED &&
              err.code == PDFPIPE_E_CHANGED,
          "%s", err.message);
    CHECK(pp_peek_at(&k, 40000, 20000, &v, &err) == PDFPIPE_E_CHANGED,
          "a part of it");
    CHECK(shows(&k, 40000, 100), "usable behind it");
    /* A read that failed half way must not be shown as if it had not. */
    c.fail_at = UINT64_MAX;
    CHECK(shows(&k, 49990, 20), "and there as well");
    pp_peek_fini(&k);
}

static void
is_the_memory_used_again(void)
{
    struct counting a, b;
    struct pp_input one = input_of(&a), two = input_of(&b);
    struct pp_peek k;

    pp_peek_init(&k, &one, 4096);
    CHECK(shows(&k, 1000, 10000), "one");
    pp_peek_reset(&k, &two);
    CHECK(k.buf != NULL, "a usual buffer is kept");
    CHECK(shows(&k, 1000, 10), "two");
    CHECK(b.reads == 1, "nothing of the first input is shown for the second");
    CHECK(shows(&k, 0, SIZE), "all of it");
    pp_peek_reset(&k, &one);
    CHECK(k.buf == NULL && k.cap == 0, "a huge buffer is not");
    CHECK(shows(&k, 5, 5), "usable");
    pp_peek_fini(&k);
    pp_peek_fini(&k);
}

int
main(void)
{
    for (size_t i = 0; i < SIZE; i++)
        content[i] = (uint8_t)(i * 31 + i / 251);
    are_the_bytes_right_wherever_one_looks();
    what_is_there_at_the_end();
    is_going_forward_cheap();
    is_a_jump_cheap();
    does_an_error_come_through();
    is_the_memory_used_again();
    return check_report("peek");
}
