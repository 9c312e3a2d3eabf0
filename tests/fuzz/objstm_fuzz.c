/*
 * objstm_fuzz.c - any bytes as an object stream
 *
 * The first line is the stream's dictionary, the rest its data.  Properties:
 * no more is decoded than the limit allows; members lie in the decoded data;
 * the value of a member is one value and does not begin with white space;
 * reading in pieces gives what reading at once gives.
 */
#include <stdlib.h>
#include <string.h>

#include "pdf/dict.h"
#include "pdf/flate.h"
#include "pdf/objstm.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#define LIMIT 65536u

static void
need(bool holds)
{
    if (!holds)
        abort();
}

/* The same pairs, from data that come in pieces. */
static void
check_pairs(struct pp_view dict, struct pp_view data,
            const struct pp_member *want, size_t n)
{
    size_t size = 1 + data.n % 7, told = 0;
    struct pp_member m = { 0, 0 };
    struct pp_pairs pairs;

    need(pp_pairs_init(&pairs, dict, data.n, NULL) == PDFPIPE_OK);
    while (!pp_pairs_over(&pairs)) {
        struct pp_view piece = { data.p, size < data.n ? size : data.n };

        pp_pairs_feed(&pairs, piece);
        for (; pp_pairs_next(&pairs, &m); told++)
            need(told < n && m.number == want[told].number &&
                 m.at == want[told].at);
        data.p += piece.n;
        data.n -= piece.n;
    }
    need(told == n);
}

static void
check_members(struct pp_view dict, struct pp_view data)
{
    struct pp_member *member;
    struct pdfpipe_error err = { .code = PDFPIPE_OK };
    size_t n;
    enum pdfpipe_status st = pp_objstm_members(dict, data, &member, &n, &err);

    if (st) {
        need(st == PDFPIPE_E_DAMAGED_STREAM && err.message[0]);
        return;
    }
    for (size_t i = 0; i < n && i < 1000; i++) {
        struct pp_view v;

        need(member[i].number <= PP_OBJECT_MAX);
        if (member[i].number == 0)
            continue;
        need(member[i].at < data.n);
        v = pp_objstm_value(data, &member[i]);
        if (v.n == 0)
            continue;
        need(v.p >= data.p + member[i].at && v.p + v.n <= data.p + data.n);
        need(!pp_is_white(v.p[0]) && v.p[0] != '%');
        need(pp_value_length(v) == v.n);
    }
    check_pairs(dict, data, member, n);
    free(member);
}

/* The same bytes in pieces of this size. */
static void
check_pieces(const struct pp_input *input, const struct pp_filter *filter,
             struct pp_view want, size_t piece)
{
    uint8_t *to = malloc(piece);
    struct pp_decoder *d = NULL;
    size_t at = 0, got = 0;

    need(to != NULL);
    need(pp_decoder_new(input, 0, input->size, filter, &d, NULL) == PDFPIPE_OK);
    do {
        need(pp_decoder_read(d, to, piece, &got, NULL) == PDFPIPE_OK);
        need(got <= want.n - at);
        need(got == 0 || memcmp(to, want.p + at, got) == 0);
        at += got;
    } while (got == piece);
    need(at == want.n);
    pp_decoder_free(d);
    free(to);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    const uint8_t *end = n ? memchr(data, '\n', n) : NULL;
    struct pdfpipe_error err = { .code = PDFPIPE_OK };
    struct pp_view dict = { data, n }, bytes;
    struct pp_buf decoded = { 0 };
    struct pp_filter filter;
    struct pp_input input;
    enum pdfpipe_status st;

    if (!end)
        return 0;
    dict.n = (size_t)(end - data);
    bytes = (struct pp_view){ end + 1, n - dict.n - 1 };
    pp_filter_parse(dict, &filter);
    input = pp_input_over(&bytes);
    need(pp_buf_reserve(&decoded, 1));
    st = pp_decode_all(&input, 0, bytes.n, &filter, LIMIT, &decoded, &err);
    need(st == PDFPIPE_OK || (err.code == st && err.message[0]));
    need(decoded.n <= LIMIT || st == PDFPIPE_E_LIMIT);
    if (!st) {
        check_members(dict, pp_buf_view(&decoded));
        check_pieces(&input, &filter, pp_buf_view(&decoded), 1 + bytes.n % 97);
    }
    pp_buf_fini(&decoded);
    return 0;
}
