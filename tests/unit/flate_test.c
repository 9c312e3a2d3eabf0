/* flate_test.c - does Flate data decode, with predictors, in any pieces? */
#include "pdf/flate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "madepdf.h"

static const struct pp_filter plain = { PP_FILTER_NONE, 1, 0, 0 };
static const struct pp_filter flate = { PP_FILTER_FLATE, 1, 0, 0 };

/* Bytes that repeat here and there. */
static struct pp_view
some_bytes(size_t n)
{
    struct pp_buf b = { 0 };
    uint32_t seed = 7;

    if (!pp_buf_reserve(&b, 1))
        abort();
    for (size_t i = 0; i < n; i++) {
        uint8_t byte;

        seed = seed * 1664525 + 1013904223;
        byte = (uint8_t)(i % 1000 < 500 ? seed >> 24 : i / 100);
        if (!pp_buf_append(&b, &byte, 1))
            abort();
    }
    return pp_buf_view(&b);
}

/* Compressed in pieces of this size. */
static struct pp_buf
compress(struct pp_view v, size_t piece)
{
    struct pp_buf z = { 0 };
    struct pp_deflater *d;
    size_t at = 0;

    if (pp_deflater_new(&d, NULL))
        abort();
    if (v.n == 0)
        v.p = (const uint8_t *)"";
    while (v.n - at > piece) {
        CHECK(pp_deflater_add(d, v.p + at, piece, false, &z, NULL) ==
                  PDFPIPE_OK,
              "piece at %zu", at);
        at += piece;
    }
    CHECK(pp_deflater_add(d, v.p + at, v.n - at, true, &z, NULL) == PDFPIPE_OK,
          "last piece");
    pp_deflater_free(d);
    return z;
}

static enum pdfpipe_status
decode(struct pp_view data, const struct pp_filter *filter, uint64_t limit,
       struct pp_buf *out, struct pdfpipe_error *err)
{
    struct pp_view exact = view_copy(data);
    struct pp_input input = pp_input_over(&exact);
    enum pdfpipe_status st;

    out->n = 0;
    st = pp_decode_all(&input, 0, exact.n, filter, limit, out, err);
    view_free(exact);
    return st;
}

static void
does_what_was_compressed_come_back(void)
{
    static const size_t sizes[] = { 0, 1, 100, 16383, 16384, 16385, 70000 };
    static const size_t pieces[] = { 1, 17, 5000, 1000000 };

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (size_t k = 0; k < sizeof pieces / sizeof pieces[0]; k++) {
            struct pp_view v = some_bytes(sizes[i]);
            struct pp_buf z = compress(v, pieces[k]), out = { 0 };
            struct pdfpipe_error err;

            CHECK(decode(pp_buf_view(&z), &flate, sizes[i], &out, &err) ==
                      PDFPIPE_OK,
                  "%zu, %zu: %s", sizes[i], pieces[k], err.message);
            CHECK(pp_view_is_equal(pp_buf_view(&out), v), "%zu, %zu", sizes[i],
                  pieces[k]);
            pp_buf_fini(&z);
            pp_buf_fini(&out);
            view_free(v);
        }
}

static void
is_the_limit_kept(void)
{
    struct pp_view v = some_bytes(100000);
    struct pp_buf z = compress(v, 1000000), out = { 0 };
    struct pdfpipe_error err;

    CHECK(decode(pp_buf_view(&z), &flate, 100000, &out, &err) == PDFPIPE_OK,
          "exactly");
    CHECK(decode(pp_buf_view(&z), &flate, 99999, &out, &err) == PDFPIPE_E_LIMIT,
          "one less");
    pp_buf_fini(&out);
    CHECK(decode(pp_buf_view(&z), &flate, 0, &out, &err) == PDFPIPE_E_LIMIT,
          "nothing");
    CHECK(out.cap < 100000, "not all was inflated: %zu", out.cap);
    CHECK(decode(v, &plain, 99999, &out, &err) == PDFPIPE_E_LIMIT,
          "not compressed");
    pp_buf_fini(&z);
    pp_buf_fini(&out);
    view_free(v);
}

static void
is_a_bomb_refused(void)
{
    struct pp_view v = { calloc(1, 10000000), 10000000 };
    struct pp_buf z = compress(v, 1000000), out = { 0 };
    struct pdfpipe_error err;

    CHECK(z.n < 60000, "%zu", z.n);
    CHECK(decode(pp_buf_view(&z), &flate, 1000000, &out, &err) ==
              PDFPIPE_E_LIMIT,
          "%s", err.message);
    CHECK(out.cap <= 2200000, "%zu", out.cap);
    pp_buf_fini(&z);
    pp_buf_fini(&out);
    view_free(v);
}

/* Large data through a window of one piece, and no more than may be. */
static void
is_a_window_enough(void)
{
    static const size_t sizes[] = { 0, 1, 65535, 65536, 65537, 131072, 300000 };

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (uint64_t less = 0; less <= (sizes[i] > 0); less++) {
            struct pp_view v = some_bytes(sizes[i]);
            struct pp_buf z = compress(v, 1000000), window = { 0 };
            struct pp_view data = pp_buf_view(&z);
            struct pp_input input = pp_input_over(&data);
            enum pdfpipe_status st;
            struct pp_pieces s;
            size_t wrong = 0;

            st = pp_pieces_begin(&s, &input, 0, data.n, &flate, v.n - less,
                                 &window, NULL);
            while (!st && !s.last) {
                uint64_t at = s.size;

                st = pp_pieces_next(&s, NULL);
                wrong += !s.last && window.n != PP_DECODED_PIECE;
                wrong += s.size != at + window.n || s.size > v.n ||
                         memcmp(window.p, v.p + at, window.n) != 0;
            }
            CHECK(st == (less ? PDFPIPE_E_LIMIT : PDFPIPE_OK) &&
                      s.size == v.n && wrong == 0 &&
                      window.cap <= PP_DECODED_PIECE,
                  "%zu bytes: %d, %zu wrong", v.n, (int)st, wrong);
            pp_pieces_end(&s);
            pp_buf_fini(&window);
            pp_buf_fini(&z);
            view_free(v);
        }
}

/* Cut at any byte: an error, never less without one. */
static void
is_a_cut_noticed(void)
{
    struct pp_view v = some_bytes(3000);
    struct pp_buf z = compress(v, 1000000), out = { 0 };

    for (size_t cut = 0; cut < z.n; cut++) {
        struct pdfpipe_error err;
        enum pdfpipe_status st =
            decode((struct pp_view){ z.p, cut }, &flate, 1 << 20, &out, &err);

        CHECK(st == PDFPIPE_E_DAMAGED_STREAM && err.code == st, "cut at %zu",
              cut);
        CHECK(err.offset <= cut, "cut at %zu", cut);
    }
    pp_buf_fini(&z);
    pp_buf_fini(&out);
    view_free(v);
}

static void
is_garbage_noticed(void)
{
    struct pp_view v = some_bytes(3000);
    struct pp_buf z = compress(v, 1000000), out = { 0 };
    struct pdfpipe_error err;
    unsigned noticed = 0, harmless = 0;

    for (size_t i = 0; i < z.n; i++) {
        enum pdfpipe_status st;

        z.p[i] ^= 0x40;
        st = decode(pp_buf_view(&z), &flate, 1 << 20, &out, &err);
        noticed += st == PDFPIPE_E_DAMAGED_STREAM && err.message[0];
        /* A padding bit has no meaning. */
        harmless += st == PDFPIPE_OK && pp_view_is_equal(pp_buf_view(&out), v);
        z.p[i] ^= 0x40;
    }
    CHECK(noticed + harmless == z.n && harmless <= 1, "%u and %u of %zu",
          noticed, harmless, z.n);
    CHECK(decode(view_of("not compressed at all"), &flate, 100, &out, &err) ==
              PDFPIPE_E_DAMAGED_STREAM,
          "text");
    pp_buf_fini(&z);
    pp_buf_fini(&out);
    view_free(v);
}

static void
does_what_follows_not_matter(void)
{
    struct pp_view v = some_bytes(3000);
    struct pp_buf z = compress(v, 1000000), out = { 0 };
    struct pdfpipe_error err;

    (void)pp_buf_printf(&z, "\nendstream\nendobj\n");
    CHECK(decode(pp_buf_view(&z), &flate, 1 << 20, &out, &err) == PDFPIPE_OK,
          "%s", err.message);
    CHECK(pp_view_is_equal(pp_buf_view(&out), v), "the same");
    pp_buf_fini(&z);
    pp_buf_fini(&out);
    view_free(v);
}

/* ---- predictors ---- */

static uint8_t
paeth(int a, int b, int c)
{
    int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);

    if (pa <= pb && pa <= pc)
        return (uint8_t)a;
    return (uint8_t)(pb <= pc ? b : c);
}

/* PNG filters, written from the standard's side of the encoder (RFC 2083, 6):
 * rows with their tags; tag 5: each row another one. */
static struct pp_buf
predict(struct pp_view v, size_t row, size_t pixel, unsigned tag)
{
    struct pp_buf out = { 0 };

    for (size_t at = 0; at < v.n; at += row) {
        size_t n = v.n - at < row ? v.n - at : row;
        uint8_t t = (uint8_t)(tag == 5 ? at / row % 5 : tag);

        if (!pp_buf_append(&out, &t, 1))
            abort();
        for (size_t i = 0; i < n; i++) {
            uint8_t a = i >= pixel ? v.p[at + i - pixel] : 0;
            uint8_t b = at >= row ? v.p[at + i - row] : 0;
            uint8_t c = i >= pixel && at >= row ? v.p[at + i - row - pixel] : 0;
            unsigned guess = t == 0   ? 0u
                             : t == 1 ? a
                             : t == 2 ? b
                             : t == 3 ? (a + b) / 2u
                                      : paeth(a, b, c);
            uint8_t byte = (uint8_t)(v.p[at + i] - guess);

            if (!pp_buf_append(&out, &byte, 1))
                abort();
        }
    }
    return out;
}

static void
are_predictors_undone(void)
{
    static const struct {
        size_t n, row, pixel;
    } shapes[] = {
        { 0, 5, 1 },     { 1, 5, 1 },          { 5, 5, 1 },   { 6, 5, 1 },
        { 5000, 5, 1 },  { 5003, 5, 1 },       { 900, 9, 3 }, { 700, 7, 8 },
        { 40000, 1, 1 }, { 131072, 65536, 4 },
    };

    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (unsigned tag = 0; tag <= 5; tag++) {
            struct pp_view v = some_bytes(shapes[i].n);
            struct pp_buf p = predict(v, shapes[i].row, shapes[i].pixel, tag);
            struct pp_buf z = compress(pp_buf_view(&p), 1000000), out = { 0 };
            struct pp_filter filter = { PP_FILTER_FLATE, 10 + tag,
                                        (uint32_t)shapes[i].row,
                                        (uint32_t)shapes[i].pixel };
            struct pdfpipe_error err;

            CHECK(decode(pp_buf_view(&z), &filter, 1 << 20, &out, &err) ==
                      PDFPIPE_OK,
                  "shape %zu, tag %u: %s", i, tag, err.message);
            CHECK(pp_view_is_equal(pp_buf_view(&out), v),
                  "shape %zu, tag %u: %zu bytes", i, tag, out.n);
            pp_buf_fini(&p);
            pp_buf_fini(&z);
            pp_buf_fini(&out);
            view_free(v);
        }
}

static void
is_an_unknown_predictor_refused(void)
{
    struct pp_filter filter = { PP_FILTER_FLATE, 12, 3, 1 };
    struct pp_buf z = compress(view_of("\x02"
                                       "abc"
                                       "\x05"
                                       "abc"),
                               100);
    struct pp_buf out = { 0 };
    struct pdfpipe_error err;

    CHECK(decode(pp_buf_view(&z), &filter, 100, &out, &err) ==
              PDFPIPE_E_DAMAGED_STREAM,
          "%s", err.message);
    pp_buf_fini(&z);
    pp_buf_fini(&out);
}

/* Read in pieces of every size, the pieces make the same whole. */
static void
do_pieces_make_the_whole(void)
{
    struct pp_view v = some_bytes(2003);
    struct pp_buf p = predict(v, 10, 1, 5);
    struct pp_buf z = compress(v, 1000), zp = compress(pp_buf_view(&p), 1000);
    const struct {
        const char *what;
        struct pp_filter filter;
        struct pp_view data;
    } rows[] = {
        { "plain", plain, v },
        { "flate", flate, pp_buf_view(&z) },
        { "predictor", { PP_FILTER_FLATE, 15, 10, 1 }, pp_buf_view(&zp) },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (size_t piece = 1; piece < 2100; piece = piece * 2 + 1) {
            struct pp_view data = rows[i].data;
            struct pp_input input = pp_input_over(&data);
            struct pp_decoder *d;
            size_t at = 0, got = 1;
            unsigned wrong = 0;

            if (!CHECK(pp_decoder_new(&input, 0, data.n, &rows[i].filter, &d,
                                      NULL) == PDFPIPE_OK,
                       "%s", rows[i].what))
                continue;
            while (got) {
                uint8_t *to = malloc(piece); /* a sanitizer looks */

                if (!to || pp_decoder_read(d, to, piece, &got, NULL))
                    abort();
                wrong += got > v.n - at || memcmp(to, v.p + at, got) != 0;
                wrong += got < piece && at + got != v.n;
                at += got;
                free(to);
            }
            CHECK(wrong == 0 && at == v.n, "%s, pieces of %zu: %zu bytes",
                  rows[i].what, piece, at);
            pp_decoder_free(d);
        }
    pp_buf_fini(&p);
    pp_buf_fini(&z);
    pp_buf_fini(&zp);
    view_free(v);
}

static void
is_only_the_range_read(void)
{
    static const struct {
        const char *what;
        uint64_t offset, length;
        const char *want;
    } rows[] = {
        { "inside", 2, 3, "cde" },
        { "to the end", 5, 5, "fghij" },
        { "past the end", 8, 100, "ij" },
        { "at the end", 10, 5, "" },
        { "behind the end", 11, 5, "" },
        { "far behind", UINT64_MAX, 5, "" },
        { "all that there is", 0, UINT64_MAX, "abcdefghij" },
        { "nothing", 3, 0, "" },
    };
    struct pp_view bytes = view_copy(view_of("abcdefghij"));
    struct pp_input input = pp_input_over(&bytes);

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_buf out = { 0 };

        CHECK(pp_decode_all(&input, rows[i].offset, rows[i].length, &plain, 100,
                            &out, NULL) == PDFPIPE_OK,
              "%s", rows[i].what);
        CHECK(pp_view_is(pp_buf_view(&out), rows[i].want), "%s: %.*s",
              rows[i].what, (int)out.n, (const char *)out.p);
        pp_buf_fini(&out);
    }
    view_free(bytes);
}

static enum pdfpipe_status
read_nothing(void *self, uint64_t offset, void *dst, size_t n,
             struct pdfpipe_error *err)
{
    (void)self, (void)offset, (void)dst, (void)n;
    return pp_fail(err, PDFPIPE_E_CHANGED, "no");
}

static void
does_an_error_come_through(void)
{
    struct pp_input input = { .size = 100, .read = read_nothing };
    const struct pp_filter other = { PP_FILTER_OTHER, 1, 0, 0 };
    const struct pp_filter png = { PP_FILTER_FLATE, 12, 4, 1 };
    struct pp_buf out = { 0 };
    struct pdfpipe_error err;

    CHECK(pp_decode_all(&input, 0, 100, &plain, 100, &out, &err) ==
              PDFPIPE_E_CHANGED,
          "plain");
    CHECK(pp_decode_all(&input, 0, 100, &flate, 100, &out, &err) ==
              PDFPIPE_E_CHANGED,
          "flate");
    CHECK(pp_decode_all(&input, 0, 100, &png, 100, &out, &err) ==
              PDFPIPE_E_CHANGED,
          "predictor");
    CHECK(pp_decode_all(&input, 7, 100, &other, 100, &out, &err) ==
                  PDFPIPE_E_UNSUPPORTED &&
              err.offset == 7,
          "other filter");
    pp_decoder_free(NULL);
    pp_deflater_free(NULL);
    pp_buf_fini(&out);
}

static void
which_filters_are_known(void)
{
    /* clang-format off */
    static const struct {
        const char *dict;
        struct pp_filter want;
    } rows[] = {
        { "<<>>",                                        { PP_FILTER_NONE,  1, 0, 0 } },
        { "<</Filter null>>",                            { PP_FILTER_NONE,  1, 0, 0 } },
        { "<</Filter[]>>",                               { PP_FILTER_NONE,  1, 0, 0 } },
        { "<</Filter/FlateDecode>>",                     { PP_FILTER_FLATE, 1, 0, 0 } },
        { "<</Filter/Fl>>",                              { PP_FILTER_FLATE, 1, 0, 0 } },
        { "<</Filter[/FlateDecode]>>",                   { PP_FILTER_FLATE, 1, 0, 0 } },
        { "<</Filter/Flat#65Decode>>",                   { PP_FILTER_FLATE, 1, 0, 0 } },
        { "<</Filter[/FlateDecode/FlateDecode]>>",       { PP_FILTER_OTHER, 1, 0, 0 } },
        { "<</Filter/ASCIIHexDecode>>",                  { PP_FILTER_OTHER, 1, 0, 0 } },
        { "<</Filter/Crypt>>",                           { PP_FILTER_OTHER, 1, 0, 0 } },
        { "<</Filter 5 0 R>>",                           { PP_FILTER_OTHER, 1, 0, 0 } },
        { "<</Filter(FlateDecode)>>",                    { PP_FILTER_OTHER, 1, 0, 0 } },
        { "<</Filter/FlateDecode/DecodeParms null>>",    { PP_FILTER_FLATE, 1, 0, 0 } },
        { "<</Filter/FlateDecode/DecodeParms<<>>>>",     { PP_FILTER_FLATE, 1, 0, 0 } },
        { "<</Filter/FlateDecode/DecodeParms[null]>>",   { PP_FILTER_FLATE, 1, 0, 0 } },
        { "<</Filter/FlateDecode/DecodeParms[]>>",       { PP_FILTER_FLATE, 1, 0, 0 } },
        { "<</Filter/FlateDecode/DecodeParms 5 0 R>>",   { PP_FILTER_OTHER, 1, 0, 0 } },
        { "<</Filter/FlateDecode/DecodeParms[<<>><<>>]>>", { PP_FILTER_OTHER, 1, 0, 0 } },
        { "<</Filter/FlateDecode/DecodeParms[null null]>>", { PP_FILTER_OTHER, 1, 0, 0 } },
        { "<</Filter/FlateDecode/DecodeParms<</Predictor 1/Columns 99>>>>", { PP_FILTER_FLATE, 1, 0, 0 } },
        { "<</Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 5>>>>", { PP_FILTER_FLATE, 12, 5, 1 } },
        { "<</Filter/FlateDecode/DP<</Predictor 12/Columns 5>>>>", { PP_FILTER_FLATE, 12, 5, 1 } },
        { "<</Filter/FlateDecode/DecodeParms[<</Predictor 15>>]>>", { PP_FILTER_FLATE, 15, 1, 1 } },
        { "<</Filter/FlateDecode/DecodeParms<</Predictor 10/Columns 10/Colors 3>>>>", { PP_FILTER_FLATE, 10, 30, 3 } },
        { "<</Filter/FlateDecode/DecodeParms<</Predictor 10/Columns 9/BitsPerComponent 1>>>>", { PP_FILTER_FLATE, 10, 2, 1 } },
        { "<</Filter/FlateDecode/DecodeParms<</Predictor 10/Columns 9/BitsPerComponent 16/Colors 2>>>>", { PP_FILTER_FLATE, 10, 36, 4 } },
        { "<</Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 65536>>>>", { PP_FILTER_FLATE, 12, 65536, 1 } },
        { "<</Filter/FlateDecode/DecodeParms<</Predictor 2>>>>",  { PP_FILTER_OTHER, 1, 0, 0 } },
        { "<</Filter/FlateDecode/DecodeParms<</Predictor 16>>>>", { PP_FILTER_OTHER, 1, 0, 0 } },
        { "<</Filter/FlateDecode/DecodeParms<</Predictor/A>>>>",  { PP_FILTER_OTHER, 1, 0, 0 } },
        { "<</Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 0>>>>", { PP_FILTER_OTHER, 1, 0, 0 } },
        { "<</Filter/FlateDecode/DecodeParms<</Predictor 12/Columns -1>>>>", { PP_FILTER_OTHER, 1, 0, 0 } },
        { "<</Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 65537>>>>", { PP_FILTER_OTHER, 1, 0, 0 } },
        { "<</Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 18446744073709551614>>>>", { PP_FILTER_OTHER, 1, 0, 0 } },
        { "<</Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 60000/Colors 32/BitsPerComponent 16>>>>", { PP_FILTER_OTHER, 1, 0, 0 } },
        { "<</Filter/FlateDecode/DecodeParms<</Predictor 12/Colors 0>>>>", { PP_FILTER_OTHER, 1, 0, 0 } },
        { "<</Filter/FlateDecode/DecodeParms<</Predictor 12/Colors 33>>>>", { PP_FILTER_OTHER, 1, 0, 0 } },
        { "<</Filter/FlateDecode/DecodeParms<</Predictor 12/BitsPerComponent 17>>>>", { PP_FILTER_OTHER, 1, 0, 0 } },
        { "<</Filter/FlateDecode/DecodeParms<</Predictor 12/BitsPerComponent 0>>>>", { PP_FILTER_OTHER, 1, 0, 0 } },
    };
    /* clang-format on */

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_filter got = { PP_FILTER_OTHER, 9, 9, 9 };

        pp_filter_parse(view_of(rows[i].dict), &got);
        CHECK(got.kind == rows[i].want.kind, "%s: %d", rows[i].dict,
              (int)got.kind);
        CHECK(got.predictor == rows[i].want.predictor &&
                  got.row == rows[i].want.row &&
                  got.pixel == rows[i].want.pixel,
              "%s: %u %u %u", rows[i].dict, got.predictor, got.row, got.pixel);
    }
}

int
main(void)
{
    does_what_was_compressed_come_back();
    is_the_limit_kept();
    is_a_bomb_refused();
    is_a_window_enough();
    is_a_cut_noticed();
    is_garbage_noticed();
    does_what_follows_not_matter();
    are_predictors_undone();
    is_an_unknown_predictor_refused();
    do_pieces_make_the_whole();
    is_only_the_range_read();
    does_an_error_come_through();
    which_filters_are_known();
    return check_report("flate");
}
