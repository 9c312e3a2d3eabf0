/* json.c - writes JSON into memory */
#include "batch/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/utf8.h"

static bool
reserve(struct pp_json *j, size_t more)
{
    size_t capacity = j->capacity ? j->capacity : 512;
    char *text;

    if (j->failed)
        return false;
    if (more <= j->capacity - j->length)
        return true;
    while (capacity - j->length < more) {
        if (capacity > SIZE_MAX / 2) {
            j->failed = true;
            return false;
        }
        capacity *= 2;
    }
    text = realloc(j->text, capacity);
    if (!text) {
        j->failed = true;
        return false;
    }
    j->text = text;
    j->capacity = capacity;
    return true;
}

static void
put(struct pp_json *j, const char *p, size_t n)
{
    if (!reserve(j, n))
        return;
    memcpy(j->text + j->length, p, n);
    j->length += n;
}

static void
put_text(struct pp_json *j, const char *text)
{
    put(j, text, strlen(text));
}

/* A value begins here. */
static void
separate(struct pp_json *j)
{
    if (j->comma)
        put(j, ",", 1);
    j->comma = true;
}

static void
open_group(struct pp_json *j, const char *bracket)
{
    separate(j);
    put(j, bracket, 1);
    j->comma = false;
}

static void
close_group(struct pp_json *j, const char *bracket)
{
    put(j, bracket, 1);
    j->comma = true;
}

void
pp_json_begin(struct pp_json *j)
{
    open_group(j, "{");
}

void
pp_json_end(struct pp_json *j)
{
    close_group(j, "}");
}

void
pp_json_begin_array(struct pp_json *j)
{
    open_group(j, "[");
}

void
pp_json_end_array(struct pp_json *j)
{
    close_group(j, "]");
}

void
pp_json_key(struct pp_json *j, const char *key)
{
    separate(j);
    put(j, "\"", 1);
    put_text(j, key);
    put(j, "\":", 2);
    j->comma = false;
}

static void
put_escaped(struct pp_json *j, uint32_t code)
{
    char text[8];

    switch (code) {
    case '"': put(j, "\\\"", 2); return;
    case '\\': put(j, "\\\\", 2); return;
    case '\n': put(j, "\\n", 2); return;
    case '\r': put(j, "\\r", 2); return;
    case '\t': put(j, "\\t", 2); return;
    default: break;
    }
    (void)snprintf(text, sizeof text, "\\u%04" PRIx32, code & 0xffffu);
    put_text(j, text);
}

void
pp_json_bytes(struct pp_json *j, const char *p, size_t n)
{
    separate(j);
    put(j, "\"", 1);
    while (n) {
        uint32_t code = 0;
        size_t k = pp_utf8_next(p, n, &code);

        if (k == 0) {
            put(j, "\xef\xbf\xbd", 3); /* U+FFFD */
            k = 1;
        } else if (code < 0x20 || code == 0x7f || code == '"' || code == '\\') {
            put_escaped(j, code);
        } else {
            put(j, p, k);
        }
        p += k;
        n -= k;
    }
    put(j, "\"", 1);
}

void
pp_json_text(struct pp_json *j, const char *text)
{
    pp_json_bytes(j, text, strlen(text));
}

void
pp_json_number(struct pp_json *j, uint64_t value)
{
    char text[24];

    separate(j);
    (void)snprintf(text, sizeof text, "%" PRIu64, value);
    put_text(j, text);
}

void
pp_json_bool(struct pp_json *j, bool value)
{
    separate(j);
    put_text(j, value ? "true" : "false");
}

void
pp_json_fixed(struct pp_json *j, uint64_t value, unsigned decimals)
{
    uint64_t unit = 1;
    char text[40];

    if (decimals > 9)
        decimals = 9;
    for (unsigned i = 0; i < decimals; i++)
        unit *= 10;
    separate(j);
    if (decimals)
        (void)snprintf(text, sizeof text, "%" PRIu64 ".%0*" PRIu64,
                       value / unit, (int)decimals, value % unit);
    else
        (void)snprintf(text, sizeof text, "%" PRIu64, value);
    put_text(j, text);
}

static void
put_base64(struct pp_json *j, const unsigned char *p, size_t n)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";

    separate(j);
    put(j, "\"", 1);
    for (size_t i = 0; i < n; i += 3) {
        size_t left = n - i < 3 ? n - i : 3;
        uint32_t v = (uint32_t)p[i] << 16;
        char four[4];

        if (left > 1)
            v |= (uint32_t)p[i + 1] << 8;
        if (left > 2)
            v |= p[i + 2];
        for (size_t k = 0; k < 4; k++)
            four[k] = digits[k <= left ? v >> (18 - 6 * k) & 63 : 64];
        put(j, four, sizeof four);
    }
    put(j, "\"", 1);
}

void
pp_json_path(struct pp_json *j, const char *key, const char *path)
{
    size_t n = strlen(path);
    char longer[64];

    pp_json_key(j, key);
    pp_json_bytes(j, path, n);
    if (pp_utf8_valid(path, n))
        return;
    (void)snprintf(longer, sizeof longer, "%s_b64", key);
    pp_json_key(j, longer);
    put_base64(j, (const unsigned char *)path, n);
}

void
pp_json_newline(struct pp_json *j)
{
    put(j, "\n", 1);
    j->comma = false;
}

void
pp_json_clear(struct pp_json *j)
{
    j->length = 0;
    j->comma = false;
    j->failed = false;
}

void
pp_json_fini(struct pp_json *j)
{
    free(j->text);
    *j = (struct pp_json){ 0 };
}
