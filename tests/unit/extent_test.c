/* extent_test.c - where do the data of a stream end, and is it found cheaply? */
#include "pipe/extent.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "madepdf.h"

/* A text that counts how often it is read. */
struct counted {
    struct pp_view text;
    unsigned reads;
};

static enum pdfpipe_status
count_read(void *self, uint64_t offset, void *dst, size_t n,
           struct pdfpipe_error *err)
{
    struct counted *c = self;

    (void)err;
    c->reads++;
    memcpy(dst, c->text.p + offset, n);
    return PDFPIPE_OK;
}

/* The length of the data that begin the text; UINT64_MAX: none was found. */
static uint64_t
extent(struct counted *c, const struct pp_object *o, struct pp_notes *notes)
{
    struct pp_input input = { .self = c,
                              .size = c->text.n,
                              .read = count_read };
    struct pp_xref xref = { 0 };
    struct pp_scanner *scanner;
    struct pp_fetch fetch;
    uint64_t length = 0;

    if (pp_scanner_new(&scanner, NULL))
        abort();
    pp_fetch_init(&fetch, &xref, &input, scanner, 4096, 4096);
    if (pp_stream_extent(&fetch, o, 0, c->text.n, notes, &length, NULL))
        length = UINT64_MAX;
    pp_fetch_fini(&fetch);
    pp_scanner_free(scanner);
    return length;
}

static void
where_do_data_end(void)
{
    static const struct {
        const char *what, *text;
        uint64_t said, want;
    } rows[] = {
        { "as said", "abc\nendstream endobj", 3, 3 },
        { "as said, the word in it", "endstream\nendstream endobj", 9, 9 },
        { "too short", "abc\nendstream endobj", 2, 3 },
        { "too long", "abc\r\nendstream endobj", 99, 3 },
        { "the word in it", "a endstream b\nendstream\nendobj", 99, 13 },
        { "twice", "a\nendstream b endstream c\nendstream endobj", 99, 25 },
        { "nothing fits behind", "a\nendstream b\nendstream c", 99, 1 },
        { "cut behind it", "a endstream b\nendstream", 99, 13 },
        { "none", "abc\nendstrea", 99, UINT64_MAX },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct counted c = { .text = view_of(rows[i].text) };
        struct pp_object o = { .number = 5,
                               .length_kind = PP_LENGTH_DIRECT,
                               .length = rows[i].said };
        struct pp_notes notes = { 0 };
        uint64_t length = extent(&c, &o, &notes);

        CHECK(length == rows[i].want, "%s: %llu", rows[i].what,
              (unsigned long long)length);
        CHECK(is_noted(&notes, PDFPIPE_W_RECOVERED_LENGTH) ==
                  (length != rows[i].said && length != UINT64_MAX),
              "%s", rows[i].what);
    }
}

/* The word may stand in the data any number of times, and at any place of what
 * is shown at a time. */
static void
is_a_word_in_the_data_no_read(void)
{
    for (size_t gap = 1; gap < 100000; gap = gap * 3 + 1) {
        struct pp_object o = { .number = 5, .length_kind = PP_LENGTH_NONE };
        struct counted c = { .reads = 0 };
        struct pp_buf text = { 0 };
        size_t words = 0, size;
        uint64_t length;

        for (; text.n < 1000000; words++) {
            (void)pp_buf_append(&text, "endstream", 9);
            for (size_t i = 0; i < gap; i++)
                (void)pp_buf_append(&text, "x", 1);
        }
        size = text.n;
        (void)pp_buf_append(&text, "\nendstream endobj", 17);
        c.text = view_copy(pp_buf_view(&text));
        length = extent(&c, &o, NULL);
        CHECK(length == size, "%zu between: %llu, not %zu", gap,
              (unsigned long long)length, size);
        CHECK(c.reads < 200, "%zu words: %u reads", words, c.reads);
        view_free(c.text);
        pp_buf_fini(&text);
    }
}

int
main(void)
{
    where_do_data_end();
    is_a_word_in_the_data_no_read();
    return check_report("extent");
}
