/*
 * engine_fuzz.c - any plaintexts, anywhere in memory, by every engine
 *
 * The first two bytes choose the key.  Then come six bytes for each plaintext:
 *
 *   0, 1   length: byte 0 counted from the blank, and 256 times byte 1 % 8
 *   2      where the source begins in a cache line
 *   3      bit 0: in place; bit 1: a piece, not the end; 2 to 7: where the
 *          target begins
 *   4      IV
 *   5      nothing, so that a plaintext can be a line of text
 *
 * Properties, for all engines of this machine: all memory is afterwards what
 * engine "evp" made of it, which writes to targets only; so are the chains;
 * decryption gives the plaintexts and their padding.
 */
#include <stdlib.h>
#include <string.h>

#include "crypt/engine_impl.h"
#include "crypt/suite.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#define HEAD    2u
#define RECORD  6u
#define TEXTS   100u /* six times the lanes of the widest engine */
#define LINE    64u  /* alignments that are tried */
#define ENGINES 8u

/* A plaintext; places are counted from the start of the memory. */
struct text {
    size_t src, dst, len, out_len;
    uint8_t iv[16];
    bool final;
};

/* All plaintexts of an input, and the memory they are in. */
struct scene {
    struct text text[TEXTS];
    size_t texts, size;
    uint8_t key[PP_FILE_KEY_BYTES];
};

static void
need(bool holds)
{
    if (!holds)
        abort();
}

/* Bytes that differ from place to place and seed to seed. */
static void
fill(uint8_t *p, size_t n, uint32_t seed)
{
    for (size_t i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        p[i] = (uint8_t)(seed >> 24);
    }
}

/* The next place behind `at` with one byte between that lies so in a line. */
static size_t
place_behind(size_t at, size_t within)
{
    size_t place = at / LINE * LINE + within % LINE;

    return place > at ? place : place + LINE;
}

static void
read_text(struct scene *s, const uint8_t r[RECORD])
{
    struct text *t = &s->text[s->texts++];

    t->len = (uint8_t)(r[0] - ' ') + 256u * (r[1] % 8u);
    t->final = !(r[3] & 2);
    if (!t->final)
        t->len = t->len / 16 * 16;
    t->out_len = t->final ? (t->len / 16 + 1) * 16 : t->len;
    fill(t->iv, sizeof t->iv, r[4]);
    t->src = place_behind(s->size, r[2]);
    if (r[3] & 1) {
        t->dst = t->src;
    } else {
        t->dst = place_behind(t->src + t->len, r[3] >> 2);
    }
    s->size = t->dst + t->out_len; /* the memory ends with the last target */
}

static void
read_scene(struct scene *s, const uint8_t *data, size_t n)
{
    *s = (struct scene){ 0 };
    fill(s->key, sizeof s->key, data[0] | (uint32_t)data[1] << 8);
    for (size_t at = HEAD; n - at >= RECORD && s->texts < TEXTS; at += RECORD)
        read_text(s, data + at);
}

/* The memory before anything is done. */
static uint8_t *
memory_of(const struct scene *s)
{
    void *p = NULL;

    need(posix_memalign(&p, LINE, s->size ? s->size : 1) == 0);
    fill(p, s->size, 1);
    return p;
}

/* All lanes in one call, from their sources or, decrypting, from where their
 * ciphertext is. */
static void
run(struct pp_engine *e, const struct scene *s, uint8_t *p, bool decrypt,
    struct pp_lane lane[TEXTS])
{
    for (size_t i = 0; i < s->texts; i++) {
        const struct text *t = &s->text[i];

        lane[i] = (struct pp_lane){ p + (decrypt ? t->dst : t->src),
                                    p + t->dst,
                                    decrypt ? t->out_len : t->len,
                                    { 0 },
                                    t->final };
        memcpy(lane[i].chain, t->iv, sizeof t->iv);
    }
    need(!pp_engine_set_key(e, s->key, NULL));
    if (decrypt)
        need(!pp_engine_decrypt(e, lane, s->texts, NULL));
    else
        need(!pp_engine_encrypt(e, lane, s->texts, NULL));
}

/* What evp encrypted, in `got`: as before wherever no target is. */
static void
check_outside(const struct scene *s, const uint8_t *before, const uint8_t *got)
{
    size_t at = 0;

    for (size_t i = 0; i < s->texts; i++) {
        const struct text *t = &s->text[i];

        need(memcmp(got + at, before + at, t->dst - at) == 0);
        at = t->dst + t->out_len;
    }
    need(at == s->size);
}

/* What was decrypted, in `got`: plaintexts, and padding where it is due. */
static void
check_plain(const struct scene *s, const uint8_t *before, const uint8_t *got)
{
    for (size_t i = 0; i < s->texts; i++) {
        const struct text *t = &s->text[i];

        need(memcmp(got + t->dst, before + t->src, t->len) == 0);
        if (t->final)
            need(pp_padding(got + t->dst, t->out_len) == t->out_len - t->len);
    }
}

static void
check_engine(struct pp_engine *e, struct pp_engine *evp, const struct scene *s)
{
    static struct pp_lane want_lane[TEXTS], lane[TEXTS];
    uint8_t *before = memory_of(s), *want = memory_of(s), *got = memory_of(s);

    run(evp, s, want, false, want_lane);
    check_outside(s, before, want);
    run(e, s, got, false, lane);
    need(memcmp(got, want, s->size) == 0);
    for (size_t i = 0; i < s->texts; i++)
        need(memcmp(lane[i].chain, want_lane[i].chain, 16) == 0);
    run(evp, s, want, true, want_lane);
    run(e, s, got, true, lane);
    need(memcmp(got, want, s->size) == 0);
    check_plain(s, before, got);
    for (size_t i = 0; i < s->texts; i++)
        need(memcmp(lane[i].chain, want_lane[i].chain, 16) == 0);
    free(before);
    free(want);
    free(got);
}

/* Those that this machine can run, made once; the last one is evp. */
static size_t
make_engines(struct pp_engine *engine[ENGINES])
{
    static struct pp_suite *suite;
    size_t n = 0;

    need(pp_engine_kind_count <= ENGINES && !pp_suite_new(&suite, NULL));
    for (size_t i = 0; i < pp_engine_kind_count; i++)
        if (pp_engine_kinds[i].suits())
            need(!pp_engine_new_kind(&pp_engine_kinds[i], suite, &engine[n++],
                                     NULL));
    need(n > 0 && strcmp(pp_engine_name(engine[n - 1]), "evp") == 0);
    return n;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static struct pp_engine *engine[ENGINES];
    static size_t engines;
    static struct scene s;

    if (n < HEAD)
        return 0;
    if (engines == 0)
        engines = make_engines(engine);
    read_scene(&s, data, n);
    for (size_t i = 0; i < engines; i++)
        check_engine(engine[i], engine[engines - 1], &s);
    return 0;
}
