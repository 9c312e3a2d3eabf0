/* buf_test.c - does a buffer keep what is put into it? */
#include "base/buf.h"

#include <string.h>

#include "base/input.h"
#include "check.h"
#include "madepdf.h"

static void
is_an_empty_buffer_usable(void)
{
    struct pp_buf b = { 0 };

    CHECK(pp_buf_append(&b, NULL, 0), "nothing appended to nothing");
    CHECK(b.n == 0, "%zu", b.n);
    CHECK(pp_buf_view(&b).n == 0, "view");
    pp_buf_trim(&b, 0);
    pp_buf_fini(&b);
    pp_buf_fini(&b); /* twice is once */
    CHECK(b.p == NULL && b.n == 0 && b.cap == 0, "empty again");
}

static void
is_every_byte_kept(void)
{
    struct pp_buf b = { 0 };
    unsigned wrong = 0, moves = 0;

    for (unsigned i = 0; i < 100000; i++) {
        uint8_t byte = (uint8_t)(i * 7 + i / 256);
        size_t cap = b.cap;

        if (!pp_buf_append(&b, &byte, 1))
            break;
        moves += b.cap != cap;
    }
    for (unsigned i = 0; i < b.n; i++)
        wrong += b.p[i] != (uint8_t)(i * 7 + i / 256);
    CHECK(b.n == 100000 && wrong == 0, "%zu bytes, %u wrong", b.n, wrong);
    /* Doubling: appending stays linear. */
    CHECK(moves < 20, "grown %u times", moves);
    pp_buf_fini(&b);
}

static void
does_reserving_make_room(void)
{
    for (size_t used = 0; used < 200; used += 13)
        for (size_t more = 0; more < 300; more += 7) {
            struct pp_buf b = { 0 };
            uint8_t fill[200];

            memset(fill, 0x5a, sizeof fill);
            CHECK(pp_buf_append(&b, fill, used), "%zu", used);
            CHECK(pp_buf_reserve(&b, more), "%zu %zu", used, more);
            CHECK(b.cap - b.n >= more && b.n == used, "%zu %zu", used, more);
            if (more) /* a sanitizer looks */
                memset(b.p + b.n, 1, more);
            CHECK(used == 0 || memcmp(b.p, fill, used) == 0, "%zu %zu", used,
                  more);
            pp_buf_fini(&b);
        }
}

static void
is_a_size_that_cannot_be_refused(void)
{
    static const size_t sizes[] = { SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 2 };
    struct pp_buf b = { 0 };

    CHECK(pp_buf_append(&b, "abc", 3), "abc");
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        CHECK(!pp_buf_reserve(&b, sizes[i]), "row %zu", i);
        CHECK(b.n == 3 && memcmp(b.p, "abc", 3) == 0, "unchanged, row %zu", i);
    }
    pp_buf_fini(&b);
}

static void
is_text_formatted(void)
{
    struct pp_buf b = { 0 };
    char want[700];

    memset(want, 'x', sizeof want - 1);
    want[sizeof want - 1] = 0;
    CHECK(pp_buf_printf(&b, "%d/%s", 7, "seven"), "short");
    CHECK(pp_view_is(pp_buf_view(&b), "7/seven"), "%.*s", (int)b.n,
          (const char *)b.p);
    CHECK(pp_buf_printf(&b, "%s", ""), "nothing");
    CHECK(pp_view_is(pp_buf_view(&b), "7/seven"), "nothing added");
    b.n = 0;
    CHECK(pp_buf_printf(&b, "%s", want), "longer than the buffer");
    CHECK(pp_view_is(pp_buf_view(&b), want), "%zu bytes", b.n);
    pp_buf_fini(&b);
}

static void
is_only_a_large_buffer_given_back(void)
{
    struct pp_buf b = { 0 };

    CHECK(pp_buf_reserve(&b, 1000), "1000");
    pp_buf_trim(&b, b.cap);
    CHECK(b.p != NULL && b.n == 0, "kept at its limit");
    pp_buf_trim(&b, b.cap - 1);
    CHECK(b.p == NULL && b.cap == 0, "given back above it");
    CHECK(pp_buf_append(&b, "x", 1), "and usable again");
    pp_buf_fini(&b);
}

static void
when_are_views_equal(void)
{
    struct pp_view none = { NULL, 0 };

    CHECK(pp_view_is(view_of("abc"), "abc"), "same");
    CHECK(!pp_view_is(view_of("abc"), "ab"), "longer");
    CHECK(!pp_view_is(view_of("ab"), "abc"), "shorter");
    CHECK(!pp_view_is(view_of("abd"), "abc"), "other");
    CHECK(pp_view_is(none, ""), "nothing is the empty text");
    CHECK(!pp_view_is(none, "a"), "nothing is no text");
    CHECK(pp_view_is_equal(none, view_of("")), "two empty ones");
    CHECK(pp_view_is_equal(view_of("a"), view_of("a")), "two of a kind");
    CHECK(!pp_view_is_equal(view_of("a"), view_of("b")), "two others");
    CHECK(!pp_view_is_equal(view_of("a"), view_of("aa")), "two lengths");
}

static void
does_an_input_over_memory_read_its_bytes(void)
{
    struct pp_view bytes = view_copy(view_of("0123456789"));
    struct pp_input input = pp_input_over(&bytes);
    unsigned wrong = 0;

    CHECK(input.size == 10, "size");
    for (size_t from = 0; from <= bytes.n; from++)
        for (size_t n = 0; from + n <= bytes.n; n++) {
            uint8_t to[10];

            wrong += input.read(input.self, from, to, n, NULL) != PDFPIPE_OK;
            wrong += memcmp(to, bytes.p + from, n) != 0;
        }
    CHECK(wrong == 0, "%u reads", wrong);
    view_free(bytes);
}

int
main(void)
{
    is_an_empty_buffer_usable();
    is_every_byte_kept();
    does_reserving_make_room();
    is_a_size_that_cannot_be_refused();
    is_text_formatted();
    is_only_a_large_buffer_given_back();
    when_are_views_equal();
    does_an_input_over_memory_read_its_bytes();
    return check_report("buf");
}
