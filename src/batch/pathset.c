/* pathset.c - has this path been seen before? */
#include "batch/pathset.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

static uint64_t
rotate(uint64_t x, unsigned by)
{
    return x << by | x >> (64 - by);
}

static void
sip_round(uint64_t v[4])
{
    v[0] += v[1];
    v[1] = rotate(v[1], 13) ^ v[0];
    v[0] = rotate(v[0], 32);
    v[2] += v[3];
    v[3] = rotate(v[3], 16) ^ v[2];
    v[0] += v[3];
    v[3] = rotate(v[3], 21) ^ v[0];
    v[2] += v[1];
    v[1] = rotate(v[1], 17) ^ v[2];
    v[2] = rotate(v[2], 32);
}

static void
sip_word(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    sip_round(v);
    sip_round(v);
    v[0] ^= word;
}

/* Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2-4 variant.
 * Words are taken in the byte order of the machine: a hash never leaves it. */
static uint64_t
siphash(const uint64_t key[2], const char *p, size_t n)
{
    uint64_t v[4] = {
        key[0] ^ 0x736f6d6570736575u,
        key[1] ^ 0x646f72616e646f6du,
        key[0] ^ 0x6c7967656e657261u,
        key[1] ^ 0x7465646279746573u,
    };
    uint64_t word, last = (uint64_t)n << 56;

    for (; n >= 8; p += 8, n -= 8) {
        memcpy(&word, p, sizeof word);
        sip_word(v, word);
    }
    for (size_t i = 0; i < n; i++)
        last |= (uint64_t)(unsigned char)p[i] << (8 * i);
    sip_word(v, last);
    v[2] ^= 0xff;
    for (int i = 0; i < 4; i++)
        sip_round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

bool
pp_pathset_init(struct pp_pathset *s)
{
    memset(s, 0, sizeof *s);
    return getrandom(s->key, sizeof s->key, 0) == (ssize_t)sizeof s->key;
}

void
pp_pathset_fini(struct pp_pathset *s)
{
    free(s->slot);
    memset(s, 0, sizeof *s);
}

/* The slot that has hash, or the free one where it belongs. */
static uint64_t *
find(uint64_t *slot, size_t slots, uint64_t hash)
{
    size_t i = (size_t)hash & (slots - 1);

    while (slot[i] && slot[i] != hash)
        i = (i + 1) & (slots - 1);
    return &slot[i];
}

static bool
grow(struct pp_pathset *s)
{
    size_t slots = s->slots ? 2 * s->slots : 1024;
    uint64_t *slot = calloc(slots, sizeof *slot);

    if (!slot)
        return false;
    for (size_t i = 0; i < s->slots; i++)
        if (s->slot[i])
            *find(slot, slots, s->slot[i]) = s->slot[i];
    free(s->slot);
    s->slot = slot;
    s->slots = slots;
    return true;
}

enum pp_pathset_answer
pp_pathset_add(struct pp_pathset *s, const char *path)
{
    uint64_t hash = siphash(s->key, path, strlen(path));
    uint64_t *at;

    if (hash == 0) /* means a free slot */
        hash = 1;
    if (s->used >= s->slots - s->slots / 4 && !grow(s))
        return PP_PATH_NO_MEMORY;
    at = find(s->slot, s->slots, hash);
    if (*at)
        return PP_PATH_SEEN;
    *at = hash;
    s->used++;
    return PP_PATH_NEW;
}
