/*
 * password.c - password text to the bytes that are hashed
 *
 * Printable ASCII is what nearly all passwords consist of, and preparation
 * leaves it alone: it never reaches libidn.  Other text is normalised by
 * libidn in copies of its own on the heap, which it frees without wiping; all
 * that is in our hands lives on the stack and is wiped.
 */
#include "crypt/password.h"

#include <string.h>

#include <stringprep.h>

#include <pdfpipe/options.h>

#include "crypt/secret.h"

/* Normalisation makes at most 18 code points out of one that takes 3 bytes
 * (U+FDFA); libidn wants room for one more. */
#define POINTS_MAX       (6u * PDFPIPE_SECRET_MAX + 1)

#define ZERO_WIDTH_SPACE 0x200Bu

struct points {
    size_t n;
    uint32_t at[POINTS_MAX];
};

/* Reads one character of well-formed UTF-8 (RFC 3629) from the n > 0 bytes at
 * p; returns the bytes it takes, 0 when they are not well formed. */
static size_t
decode(const uint8_t *p, size_t n, uint32_t *point)
{
    static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
    size_t length = p[0] < 0x80   ? 1
                    : p[0] < 0xC0 ? 0
                    : p[0] < 0xE0 ? 2
                    : p[0] < 0xF0 ? 3
                    : p[0] < 0xF5 ? 4
                                  : 0;
    uint32_t c;

    if (length == 0 || length > n)
        return 0;
    c = length == 1 ? p[0] : p[0] & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((p[i] & 0xC0) != 0x80)
            return 0;
        c = c << 6 | (p[i] & 0x3Fu);
    }
    if (c < smallest[length] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF))
        return 0;
    *point = c;
    return length;
}

/* Writes c as UTF-8 to to[4]; returns how many bytes that took. */
static size_t
encode(uint32_t c, uint8_t to[4])
{
    size_t length = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

    for (size_t i = length - 1; i > 0; i--) {
        to[i] = (uint8_t)(0x80 | (c & 0x3F));
        c >>= 6;
    }
    to[0] = (uint8_t)(length == 1 ? c : (0xF00u >> length | c) & 0xFF);
    return length;
}

static enum pdfpipe_status
refuse_length(struct pdfpipe_error *err, size_t n)
{
    return pp_fail(err, PDFPIPE_E_PASSWORD,
                   "password has %zu bytes after preparation, at most %u are "
                   "possible",
                   n, PP_PASSWORD_MAX);
}

static enum pdfpipe_status
refuse_character(struct pdfpipe_error *err, uint32_t point, size_t position,
                 const char *why)
{
    return pp_fail(err, PDFPIPE_E_PASSWORD,
                   "password: character %zu (U+%04X) %s", position,
                   (unsigned)point, why);
}

/*
 * Printable ASCII: out is the text.  *decided is false when the text has other
 * characters and none that is refused here.
 */
static enum pdfpipe_status
prepare_ascii(struct pp_view text, uint8_t out[PP_PASSWORD_MAX],
              size_t *out_len, bool *decided, struct pdfpipe_error *err)
{
    *decided = true;
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] >= 0x80) {
            *decided = false;
            return PDFPIPE_OK;
        }
        if (text.p[i] < 0x20 || text.p[i] == 0x7F)
            return refuse_character(err, text.p[i], i + 1,
                                    "is a control character");
    }
    if (text.n > PP_PASSWORD_MAX)
        return refuse_length(err, text.n);
    if (text.n > 0)
        memcpy(out, text.p, text.n);
    *out_len = text.n;
    return PDFPIPE_OK;
}

/*
 * Fills *points from UTF-8.  U+200B stands in two lists of RFC 3454 (a space,
 * and mapped to nothing), and SASLprep uses both; it goes here, because that
 * is what most readers with SASLprep do and libidn does not.
 */
static enum pdfpipe_status
decode_text(struct pp_view text, struct points *points,
            struct pdfpipe_error *err)
{
    size_t position = 1, length;

    points->n = 0;
    for (size_t i = 0; i < text.n; i += length, position++) {
        uint32_t point = 0;

        length = decode(text.p + i, text.n - i, &point);
        if (length == 0)
            return pp_fail(err, PDFPIPE_E_PASSWORD,
                           "password: not UTF-8 at character %zu", position);
        if (point == 0) /* libidn would take it for the end */
            return refuse_character(err, point, position,
                                    "is a control character");
        if (point != ZERO_WIDTH_SPACE)
            points->at[points->n++] = point;
    }
    return PDFPIPE_OK;
}

static int
run_saslprep(struct points *points, enum pp_prepare how)
{
    return stringprep_4i(points->at, &points->n, POINTS_MAX,
                         how == PP_PREPARE_STORED ? STRINGPREP_NO_UNASSIGNED
                                                  : (Stringprep_profile_flags)0,
                         stringprep_saslprep);
}

/* Raises the error for a character that makes preparation fail with `code`:
 * the first that fails in the same way alone. */
static enum pdfpipe_status
refuse_where(struct pp_view text, enum pp_prepare how, int code,
             const char *why, struct points *scratch, struct pdfpipe_error *err)
{
    size_t position = 1, length;

    for (size_t i = 0; i < text.n; i += length, position++) {
        uint32_t point = 0;

        length = decode(text.p + i, text.n - i, &point);
        PP_ASSERT(length > 0); /* decode_text() saw all of it */
        if (point == ZERO_WIDTH_SPACE)
            continue;
        scratch->at[0] = point;
        scratch->n = 1;
        if (run_saslprep(scratch, how) == code)
            return refuse_character(err, point, position, why);
    }
    return pp_fail(err, PDFPIPE_E_PASSWORD, "password: a character %s", why);
}

static enum pdfpipe_status
fail_saslprep(struct pp_view text, enum pp_prepare how, int code,
              struct points *scratch, struct pdfpipe_error *err)
{
    switch (code) {
    case STRINGPREP_CONTAINS_PROHIBITED:
        return refuse_where(text, how, code, "is not allowed (RFC 4013, 2.3)",
                            scratch, err);
    case STRINGPREP_CONTAINS_UNASSIGNED:
        return refuse_where(text, how, code, "is not in Unicode 3.2", scratch,
                            err);
    case STRINGPREP_BIDI_BOTH_L_AND_RAL:
        return pp_fail(err, PDFPIPE_E_PASSWORD,
                       "password mixes letters that are written left to right "
                       "and right to left");
    case STRINGPREP_BIDI_LEADTRAIL_NOT_RAL:
        return pp_fail(err, PDFPIPE_E_PASSWORD,
                       "password with letters written right to left must begin "
                       "and end with one");
    case STRINGPREP_NFKC_FAILED:
    case STRINGPREP_MALLOC_ERROR: return pp_fail_memory(err);
    default:
        return pp_fail(err, PDFPIPE_E_INTERNAL,
                       "password preparation failed (libidn code %d)", code);
    }
}

static enum pdfpipe_status
encode_points(const struct points *points, uint8_t out[PP_PASSWORD_MAX],
              size_t *out_len, struct pdfpipe_error *err)
{
    uint8_t one[4];
    size_t n = 0;

    for (size_t i = 0; i < points->n; i++) {
        size_t length = encode(points->at[i], one);

        if (n + length <= PP_PASSWORD_MAX)
            memcpy(out + n, one, length);
        n += length;
    }
    pp_wipe(one, sizeof one);
    if (n > PP_PASSWORD_MAX) {
        pp_wipe(out, PP_PASSWORD_MAX);
        return refuse_length(err, n);
    }
    *out_len = n;
    return PDFPIPE_OK;
}

static enum pdfpipe_status
prepare_unicode(struct pp_view text, enum pp_prepare how,
                uint8_t out[PP_PASSWORD_MAX], size_t *out_len,
                struct pdfpipe_error *err)
{
    struct points points;
    enum pdfpipe_status st = decode_text(text, &points, err);
    int code;

    if (st)
        goto out_wipe;
    code = run_saslprep(&points, how);
    if (code != STRINGPREP_OK)
        st = fail_saslprep(text, how, code, &points, err);
    else if (points.n == 0 && how == PP_PREPARE_STORED)
        st = pp_fail(err, PDFPIPE_E_PASSWORD,
                     "password: none of its characters counts (RFC 4013, 2.1)");
    else
        st = encode_points(&points, out, out_len, err);
out_wipe:
    pp_wipe(&points, sizeof points);
    return st;
}

enum pdfpipe_status
pp_password_prepare(struct pp_view text, enum pp_prepare how,
                    uint8_t out[PP_PASSWORD_MAX], size_t *out_len,
                    bool *changed, struct pdfpipe_error *err)
{
    enum pdfpipe_status st;
    bool decided;

    if (text.n > PDFPIPE_SECRET_MAX)
        return pp_fail(err, PDFPIPE_E_PASSWORD,
                       "password has %zu bytes, more than can be prepared",
                       text.n);
    st = prepare_ascii(text, out, out_len, &decided, err);
    if (!st && !decided)
        st = prepare_unicode(text, how, out, out_len, err);
    if (st)
        return st;
    *changed =
        *out_len != text.n || (text.n > 0 && memcmp(out, text.p, text.n) != 0);
    return PDFPIPE_OK;
}
