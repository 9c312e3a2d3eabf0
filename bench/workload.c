/* workload.c - plaintexts of a mix in memory, and room for their ciphertexts */
#include "workload.h"

#include <stdlib.h>
#include <string.h>

#include "crypt/engine.h"
#include "gen/noise.h"
#include "measure.h"

#define BLOCK 16u
#define GAP   3u /* to begin at any address */

static size_t
padded(size_t len)
{
    return (len / BLOCK + 1) * BLOCK;
}

size_t
workload_group_bytes(const struct mix *mix)
{
    size_t bytes = 0;

    for (size_t i = 0; i < mix->parts; i++) {
        const struct mix_part *p = &mix->part[i];
        size_t len = ((size_t)p->least_bytes + p->most_bytes) / 2;

        bytes += p->count * (2 * (padded(len) + GAP) + BLOCK +
                             sizeof(struct plaintext) + sizeof(struct pp_lane));
    }
    return bytes;
}

static size_t
texts_of(const struct mix *mix)
{
    size_t n = 0;

    for (size_t i = 0; i < mix->parts; i++)
        n += mix->part[i].count;
    return n;
}

static void
draw_lengths(struct plaintext *t, const struct mix *mix, struct noise *r)
{
    for (size_t i = 0; i < mix->parts; i++) {
        const struct mix_part *p = &mix->part[i];

        for (unsigned k = 0; k < p->count; k++, t++) {
            t->len = p->least_bytes +
                     noise_below(r, p->most_bytes - p->least_bytes + 1);
            t->padded_len = padded(t->len);
        }
    }
}

static void
fill(uint8_t *p, size_t n, struct noise *r)
{
    uint64_t word;

    for (; n >= sizeof word; p += sizeof word, n -= sizeof word) {
        word = noise_next(r);
        memcpy(p, &word, sizeof word);
    }
    word = noise_next(r);
    memcpy(p, &word, n);
}

static void
lay_out(struct workload *w, struct noise *r)
{
    uint8_t *src = w->src, *dst = w->dst;

    for (size_t i = 0; i < w->texts; i++) {
        struct plaintext *t = &w->text[i];
        size_t padding = t->padded_len - t->len;

        fill(src, t->len, r);
        memset(src + t->len, (int)padding, padding);
        fill(dst, BLOCK, r);
        t->src = src;
        t->dst = dst + BLOCK;
        src += t->padded_len + GAP;
        dst += BLOCK + t->padded_len + GAP;
    }
}

void
workload_make(struct workload *w, const struct mix *mix, size_t groups)
{
    struct noise r = noise_for(1, groups);
    size_t src_bytes = 0;

    *w = (struct workload){ .texts_per_group = texts_of(mix) };
    w->texts = groups * w->texts_per_group;
    w->text = measure_alloc(w->texts * sizeof *w->text);
    for (size_t i = 0; i < groups; i++)
        draw_lengths(w->text + i * w->texts_per_group, mix, &r);
    for (size_t i = 0; i < w->texts; i++) {
        src_bytes += w->text[i].padded_len + GAP;
        w->payload_bytes += w->text[i].len;
    }
    w->dst_bytes = src_bytes + w->texts * BLOCK;
    w->src = measure_alloc(src_bytes);
    w->dst = measure_alloc(w->dst_bytes);
    lay_out(w, &r);
}

void
workload_free(struct workload *w)
{
    free(w->text);
    free(w->src);
    free(w->dst);
}

void
workload_forget(struct workload *w)
{
    for (size_t i = 0; i < w->texts; i++)
        memset(w->text[i].dst, 0, w->text[i].padded_len);
}
