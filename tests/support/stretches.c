/* stretches.c - stretches made by hand, before and after the cipher */
#include "stretches.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "pdf/lex.h"

static void *
memory(size_t n)
{
    void *p = malloc(n ? n : 1);

    if (!p)
        abort();
    return p;
}

/* Bytes of a string's value, as the lexer counts them. */
static bool
decoded_length(const uint8_t *token, size_t n, size_t *decoded)
{
    struct pp_lex lex = { .p = token, .n = n, .whole = true };
    struct pp_token t;

    pp_lex_next(&lex, &t);
    *decoded = t.decoded;
    return (t.kind == PP_TOK_LITERAL || t.kind == PP_TOK_HEX) && t.at == 0 &&
           t.len == n;
}

static size_t
stream_out(const struct part *p)
{
    if (p->clear)
        return p->n;
    return (p->not_first ? 0 : PP_AES_BLOCK) +
           (p->not_last ? p->n : (p->n / PP_AES_BLOCK + 1) * PP_AES_BLOCK);
}

static size_t
token_out(const struct part *p)
{
    size_t decoded;

    if (!decoded_length((const uint8_t *)p->text, strlen(p->text), &decoded))
        abort();
    return 2 + 2 * (size_t)pp_stored_len(decoded);
}

static size_t
header(const struct part *p, char text[32])
{
    return (size_t)snprintf(text, 32, "%u %u obj\n", p->number, p->generation);
}

/* Makes room for all parts; text and out are an upper bound that the caller
 * cuts down. */
static void
make_room(struct pp_stretch *s, size_t parts, size_t text, size_t out)
{
    *s = (struct pp_stretch){
        .text_cap = text, .out_cap = out, .span_cap = parts, .placed_cap = parts
    };
    s->text = memory(text);
    s->out = memory(out);
    s->span = memory(parts * sizeof *s->span);
    s->placed = memory(parts * sizeof *s->placed);
}

static void
put_text(struct pp_stretch *s, const void *p, size_t n)
{
    if (n > s->text_cap - s->text_n || n > s->out_cap - s->out_n)
        abort();
    memcpy(s->text + s->text_n, p, n);
    s->text_n += n;
    s->out_n += n;
}

static struct pp_span *
put_span(struct pp_stretch *s, const struct part *p, const void *in,
         size_t in_n, size_t out_n)
{
    struct pp_span *span = &s->span[s->spans++];

    if (in_n > s->text_cap - s->text_n || out_n > s->out_cap - s->out_n)
        abort();
    *span = (struct pp_span){
        .kind = p->kind == PART_STRING ? PP_SPAN_STRING : PP_SPAN_STREAM,
        .clear = p->clear,
        .first = p->kind == PART_STREAM && !p->not_first,
        .last = p->kind == PART_STREAM && !p->not_last,
        .members = p->members,
        .in_text = p->in_text,
        .in = (uint32_t)s->text_n,
        .in_len = (uint32_t)in_n,
        .out = (uint32_t)s->out_n,
        .plain = (uint32_t)p->n,
        .number = p->number,
        .generation = p->generation,
        .at = p->at,
    };
    if (in_n)
        memcpy(s->text + s->text_n, in, in_n);
    s->text_n += in_n;
    s->out_n += out_n;
    return span;
}

static void
put_object(struct pp_stretch *s, const struct part *p)
{
    char text[32];
    size_t n = header(p, text);

    s->placed[s->placed_n++] =
        (struct pp_placed){ p->number, p->generation, (uint32_t)s->text_n,
                            (uint32_t)s->out_n };
    put_text(s, text, n);
}

/* Sizes of both buffers for sealing. */
static void
measure(const struct part *part, size_t n, size_t *text, size_t *out)
{
    char head[32];

    *text = *out = 0;
    for (size_t i = 0; i < n; i++) {
        const struct part *p = &part[i];

        switch (p->kind) {
        case PART_NONE: break;
        case PART_OBJECT:
            *text += header(p, head);
            *out += header(p, head);
            break;
        case PART_TEXT:
            *text += strlen(p->text);
            *out += strlen(p->text);
            break;
        case PART_STRING:
            *text += strlen(p->text);
            *out += token_out(p);
            break;
        case PART_STREAM:
            *text += p->in_text ? p->n : 0;
            *out += stream_out(p);
            break;
        }
    }
}

void
stretch_lay(struct pp_stretch *s, const struct part *part, size_t n)
{
    size_t text, out;

    measure(part, n, &text, &out);
    make_room(s, n, text, out);
    for (size_t i = 0; i < n; i++) {
        const struct part *p = &part[i];
        struct pp_span *span;
        size_t decoded;

        switch (p->kind) {
        case PART_NONE: break;
        case PART_OBJECT: put_object(s, p); break;
        case PART_TEXT: put_text(s, p->text, strlen(p->text)); break;
        case PART_STRING:
            span = put_span(s, p, p->text, strlen(p->text), token_out(p));
            (void)decoded_length((const uint8_t *)p->text, strlen(p->text),
                                 &decoded); /* token_out has looked at it */
            span->plain = (uint32_t)decoded;
            break;
        case PART_STREAM:
            span =
                put_span(s, p, p->bytes, p->in_text ? p->n : 0, stream_out(p));
            /* As a worker loads it: behind the place of the IV. */
            if (!p->in_text && p->n)
                memcpy(s->out + span->out +
                           (p->clear || p->not_first ? 0 : PP_AES_BLOCK),
                       p->bytes, p->n);
            break;
        }
    }
}

/* A stream as it is stored, with the block before it. */
static void
put_stored(struct pp_stretch *s, const struct part *p, const uint8_t *stored,
           const uint8_t before[16])
{
    size_t n = stream_out(p), head = p->clear ? 0 : PP_AES_BLOCK;
    uint8_t *joined = memory(n + PP_AES_BLOCK);
    size_t all = n;
    struct part as = *p;
    struct pp_span *span;

    memcpy(joined, stored, n);
    if (!p->clear && p->not_first) {
        memcpy(joined, before, PP_AES_BLOCK);
        memcpy(joined + PP_AES_BLOCK, stored, n);
        all += PP_AES_BLOCK;
    }
    as.n = all - head;
    span = put_span(s, &as, joined, p->in_text ? all : 0, all);
    if (!p->in_text)
        memcpy(s->out + span->out, joined, all);
    free(joined);
}

bool
stretch_lay_sealed(struct pp_stretch *s, const struct part *part, size_t n,
                   const struct pp_stretch *sealed, const uint8_t before[16])
{
    size_t at = 0;

    make_room(s, n, sealed->out_n + PP_AES_BLOCK, sealed->out_n + PP_AES_BLOCK);
    for (size_t i = 0; i < n; i++) {
        const struct part *p = &part[i];
        const uint8_t *here = sealed->out + at;
        struct pp_span *span;
        size_t decoded, len = 0;

        switch (p->kind) {
        case PART_NONE: break;
        case PART_OBJECT: {
            char head[32];

            len = header(p, head);
            s->placed[s->placed_n++] =
                (struct pp_placed){ p->number, p->generation,
                                    (uint32_t)s->text_n, (uint32_t)s->out_n };
            put_text(s, here, len);
            break;
        }
        case PART_TEXT:
            len = strlen(p->text);
            put_text(s, here, len);
            break;
        case PART_STRING:
            len = token_out(p);
            if (!decoded_length(here, len, &decoded)) {
                stretch_free(s);
                return false;
            }
            span = put_span(s, p, here, len, decoded);
            span->plain = (uint32_t)decoded;
            break;
        case PART_STREAM:
            len = stream_out(p);
            put_stored(s, p, here, before);
            break;
        }
        at += len;
    }
    return true;
}

void
stretch_free(struct pp_stretch *s)
{
    free(s->text);
    free(s->out);
    free(s->span);
    free(s->placed);
    free(s->member);
    *s = (struct pp_stretch){ 0 };
}
