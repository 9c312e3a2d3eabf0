/* phrase.c - numbers, durations and file names as people read them */
#include "cli/phrase.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/utf8.h"

void
pp_phrase_fini(struct pp_phrase *p)
{
    free(p->text);
    *p = (struct pp_phrase){ 0 };
}

void
pp_phrase_clear(struct pp_phrase *p)
{
    p->length = 0;
    p->failed = false;
    if (p->text)
        p->text[0] = '\0';
}

static bool
reserve(struct pp_phrase *p, size_t more)
{
    size_t capacity = p->capacity ? p->capacity : 256;
    char *text;

    if (p->failed)
        return false;
    if (more < p->capacity - p->length)
        return true;
    while (capacity - p->length <= more) {
        if (capacity > SIZE_MAX / 2) {
            p->failed = true;
            return false;
        }
        capacity *= 2;
    }
    text = realloc(p->text, capacity);
    if (!text) {
        p->failed = true;
        return false;
    }
    p->text = text;
    p->capacity = capacity;
    return true;
}

static void
put(struct pp_phrase *p, const char *bytes, size_t n)
{
    if (!reserve(p, n))
        return;
    memcpy(p->text + p->length, bytes, n);
    p->length += n;
    p->text[p->length] = '\0';
}

void
pp_phrase_add(struct pp_phrase *p, const char *fmt, ...)
{
    va_list args, again;
    int n;

    va_start(args, fmt);
    va_copy(again, args);
    n = vsnprintf(NULL, 0, fmt, args);
    if (n < 0)
        p->failed = true;
    else if (reserve(p, (size_t)n)) {
        (void)vsnprintf(p->text + p->length, (size_t)n + 1, fmt, again);
        p->length += (size_t)n;
    }
    va_end(again);
    va_end(args);
}

void
pp_phrase_count(struct pp_phrase *p, uint64_t n)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, n);

    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            put(p, ",", 1);
        put(p, digits + i, 1);
    }
}

void
pp_phrase_counted(struct pp_phrase *p, uint64_t n, const char *one,
                  const char *many)
{
    pp_phrase_count(p, n);
    pp_phrase_add(p, " %s", n == 1 ? one : many);
}

void
pp_phrase_bytes(struct pp_phrase *p, double bytes)
{
    static const char *const units[] = { "B",   "KiB", "MiB", "GiB",
                                         "TiB", "PiB", "EiB" };
    size_t u = 0;

    /* 1023.96 would be rounded to 1024. */
    while (bytes >= 1023.5 && u + 1 < sizeof units / sizeof units[0]) {
        bytes /= 1024;
        u++;
    }
    pp_phrase_add(p, "%.*f %s", u && bytes < 99.95 ? 1 : 0, bytes, units[u]);
}

void
pp_phrase_duration(struct pp_phrase *p, uint64_t ns)
{
    double s = (double)ns / 1e9;

    if (s >= 59.95) {
        pp_phrase_count(p, (ns + 500000000u) / 1000000000u);
        pp_phrase_add(p, " s");
    } else if (s >= 0.9995) {
        pp_phrase_add(p, "%.*f s", s < 9.995 ? 2 : 1, s);
    } else {
        int decimals = ns == 0 ? 0 : s < 0.0000995 ? 3 : s < 0.00995 ? 2 : 0;

        pp_phrase_add(p, "%.*f ms", decimals, s * 1e3);
    }
}

void
pp_phrase_rate(struct pp_phrase *p, uint64_t bytes, uint64_t ns)
{
    pp_phrase_bytes(p, ns ? (double)bytes * 1e9 / (double)ns : 0);
    pp_phrase_add(p, "/s");
}

/* Could make a line look like what it is not. */
static bool
is_deceptive(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || /* control             */
           c == 0x061c || c == 0x200e || c == 0x200f || /* direction     */
           (c >= 0x2028 && c <= 0x202e) || /* line ends and direction    */
           (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

static bool
is_plain(const char *path, size_t n)
{
    size_t at = 0;
    uint32_t c = 0;

    if (n == 0 || path[0] == ' ' || path[0] == '"' || path[n - 1] == ' ')
        return false;
    while (at < n) {
        size_t k = pp_utf8_next(path + at, n - at, &c);

        if (k == 0 || is_deceptive(c))
            return false;
        at += k;
    }
    return true;
}

void
pp_phrase_path(struct pp_phrase *p, const char *path)
{
    size_t n = strlen(path);
    uint32_t c = 0;

    if (is_plain(path, n)) {
        put(p, path, n);
        return;
    }
    put(p, "\"", 1);
    for (size_t at = 0, k; at < n; at += k) {
        k = pp_utf8_next(path + at, n - at, &c);
        if (k && c == '\n')
            put(p, "\\n", 2);
        else if (k && c == '\t')
            put(p, "\\t", 2);
        else if (k && (c == '"' || c == '\\'))
            pp_phrase_add(p, "\\%c", (char)c);
        else if (k && !is_deceptive(c))
            put(p, path + at, k);
        else {
            k = k ? k : 1;
            for (size_t i = 0; i < k; i++)
                pp_phrase_add(p, "\\x%02x", (unsigned char)path[at + i]);
        }
    }
    put(p, "\"", 1);
}

/*
 * Columns of a character.  East Asian wide and pictographic blocks take two;
 * a few that take none are counted as one: the line may be a little short but
 * never wraps.
 */
static unsigned
columns_of(uint32_t c)
{
    static const uint32_t wide[][2] = {
        { 0x1100, 0x115f }, { 0x2e80, 0xa4cf },   { 0xac00, 0xd7a3 },
        { 0xf900, 0xfaff }, { 0xfe30, 0xfe6f },   { 0xff00, 0xff60 },
        { 0xffe0, 0xffe6 }, { 0x1f000, 0x1faff }, { 0x20000, 0x3fffd },
    };

    for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++)
        if (c >= wide[i][0] && c <= wide[i][1])
            return 2;
    return 1;
}

/* Next character and its columns; what is not printable counts as '?'. */
static size_t
step(const char *p, size_t n, unsigned *columns, bool *printable)
{
    uint32_t c = 0;
    size_t k = pp_utf8_next(p, n, &c);

    *printable = k && !is_deceptive(c);
    *columns = *printable ? columns_of(c) : 1;
    return k ? k : 1;
}

void
pp_phrase_tail(struct pp_phrase *p, const char *path, unsigned columns)
{
    size_t n = strlen(path), from = 0;
    unsigned total = 0, width;
    bool printable;

    for (size_t at = 0; at < n;
         at += step(path + at, n - at, &width, &printable)) {
        (void)step(path + at, n - at, &width, &printable);
        total += width;
    }
    if (total > columns) {
        if (columns < 4)
            return;
        put(p, "...", 3);
        while (from < n && total > columns - 3) {
            from += step(path + from, n - from, &width, &printable);
            total -= width;
        }
    }
    while (from < n) {
        size_t k = step(path + from, n - from, &width, &printable);

        put(p, printable ? path + from : "?", printable ? k : 1);
        from += k;
    }
}
