/*
 * ladder - what each step from the plainest way to encrypt objects is worth
 *
 * Only encryption is timed, of an archive's pages and of their strings alone:
 *
 *   per-object  each object with a context, a key and a random IV of its own
 *   hoisted     one context, its key set once; an object sets the IV
 *   pooled      IVs out of a pool that one random call fills
 *   pooled xN   the same on every CPU
 *   lanes       the best engine of this machine, many objects in one call
 *   lanes xN    the same on every CPU
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>
#include <openssl/rand.h>

#include "api/cpus.h"
#include "crypt/engine_impl.h"
#include "crypt/ivpool.h"
#include "crypt/suite.h"
#include "measure.h"
#include "workload.h"

static const char help[] =
    "Usage: ladder [--quick] [--rounds N]\n"
    "Measures each step from encrypting objects one by one to many at once.\n"
    "\n"
    "  --quick      right answers only; so does BENCH_QUICK=1\n"
    "  --rounds N   turns of each step (default 5)\n"
    "  --help       this text\n"
    "\n"
    "Exit status: 0, 1 a step gave a wrong answer, 2 wrong usage.\n";

static const uint8_t key[PP_FILE_KEY_BYTES] =
    "a key that is only for measuring";

/* What a worker keeps from object to object. */
struct worker {
    EVP_CIPHER_CTX *ctx; /* keyed */
    struct pp_engine *engine;
    struct pp_lane *lane; /* one for each object of a stretch */
    struct pp_ivpool *ivs;
    pthread_t thread;
};

/* Encrypts n objects of one stretch. */
typedef void seal_fn(struct worker *w, const struct plaintext *t, size_t n);

struct step {
    const char *name;
    seal_fn *seal;
    bool every_cpu;
    size_t before; /* the step that it is compared with */
};

/* The document at hand, which all steps share. */
static struct workload work;
static size_t stretch_texts; /* what a worker takes at a time */
static _Atomic size_t next_text;
static struct worker *workers;
static unsigned cpus;

static void
must(bool holds, const char *what)
{
    if (!holds)
        measure_fail("%s has failed", what);
}

static void
evp_encrypt(EVP_CIPHER_CTX *ctx, const struct plaintext *t)
{
    int n = 0, last = 0;

    must(EVP_EncryptUpdate(ctx, t->dst, &n, t->src, (int)t->len) == 1 &&
             EVP_EncryptFinal_ex(ctx, t->dst + n, &last) == 1,
         "EVP encryption");
}

static void
seal_per_object(struct worker *w, const struct plaintext *t, size_t n)
{
    (void)w;
    for (size_t i = 0; i < n; i++) {
        uint8_t *iv = t[i].dst - PP_IV_BYTES;
        EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();

        must(ctx && RAND_bytes(iv, PP_IV_BYTES) == 1 &&
                 EVP_EncryptInit_ex(ctx, EVP_aes_256_cbc(), NULL, key, iv) == 1,
             "EVP set-up");
        evp_encrypt(ctx, &t[i]);
        EVP_CIPHER_CTX_free(ctx);
    }
}

static void
set_iv(EVP_CIPHER_CTX *ctx, const uint8_t iv[PP_IV_BYTES])
{
    must(EVP_EncryptInit_ex2(ctx, NULL, NULL, iv, NULL) == 1, "setting an IV");
}

static void
seal_hoisted(struct worker *w, const struct plaintext *t, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint8_t *iv = t[i].dst - PP_IV_BYTES;

        must(RAND_bytes(iv, PP_IV_BYTES) == 1, "RAND_bytes");
        set_iv(w->ctx, iv);
        evp_encrypt(w->ctx, &t[i]);
    }
}

static void
take_iv(struct worker *w, const struct plaintext *t)
{
    uint64_t index = (uint64_t)(t - work.text);

    must(!pp_ivpool_take(w->ivs, 0, index, t->dst - PP_IV_BYTES, NULL),
         "the IV pool");
}

static void
seal_pooled(struct worker *w, const struct plaintext *t, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        take_iv(w, &t[i]);
        set_iv(w->ctx, t[i].dst - PP_IV_BYTES);
        evp_encrypt(w->ctx, &t[i]);
    }
}

static void
seal_lanes(struct worker *w, const struct plaintext *t, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        take_iv(w, &t[i]);
        w->lane[i] = (struct pp_lane){
            t[i].src, t[i].dst, t[i].len, { 0 }, .final = true
        };
        memcpy(w->lane[i].chain, t[i].dst - PP_IV_BYTES, PP_IV_BYTES);
    }
    must(!pp_engine_encrypt(w->engine, w->lane, n, NULL), "the engine");
}

static const struct step steps[] = {
    { "per-object", seal_per_object, false, 0 },
    { "hoisted", seal_hoisted, false, 0 },
    { "pooled", seal_pooled, false, 1 },
    { "pooled xN", seal_pooled, true, 2 },
    { "lanes", seal_lanes, false, 2 },
    { "lanes xN", seal_lanes, true, 4 },
};
#define STEPS (sizeof steps / sizeof steps[0])

static void
work_off(struct worker *w, seal_fn *seal)
{
    size_t first, n;

    while ((first = atomic_fetch_add(&next_text, stretch_texts)) < work.texts) {
        n = work.texts - first;
        seal(w, work.text + first, n < stretch_texts ? n : stretch_texts);
    }
}

struct errand {
    struct worker *worker;
    seal_fn *seal;
};

static void *
worker_main(void *arg)
{
    const struct errand *e = arg;

    work_off(e->worker, e->seal);
    return NULL;
}

/* The document once; this thread is the first worker. */
static void
run_step(void *arg)
{
    const struct step *s = arg;
    unsigned n = s->every_cpu ? cpus : 1;
    struct errand *errand = calloc(n, sizeof *errand);

    must(errand != NULL, "memory");
    atomic_store(&next_text, 0);
    for (unsigned i = 1; i < n; i++) {
        errand[i] = (struct errand){ &workers[i], s->seal };
        must(pthread_create(&workers[i].thread, NULL, worker_main,
                            &errand[i]) == 0,
             "starting a thread");
    }
    work_off(&workers[0], s->seal);
    for (unsigned i = 1; i < n; i++)
        must(pthread_join(workers[i].thread, NULL) == 0, "ending a thread");
    free(errand);
}

static int
by_bytes(const void *a, const void *b)
{
    return memcmp(a, b, PP_IV_BYTES);
}

/* An IV that comes twice is wrong though everything decrypts. */
static bool
ivs_differ(void)
{
    uint8_t(*iv)[PP_IV_BYTES] = measure_alloc(work.texts * sizeof *iv);
    bool differ = true;

    for (size_t i = 0; i < work.texts; i++)
        memcpy(iv[i], work.text[i].dst - PP_IV_BYTES, PP_IV_BYTES);
    qsort(iv, work.texts, sizeof *iv, by_bytes);
    for (size_t i = 1; i < work.texts; i++)
        differ = differ && by_bytes(iv[i - 1], iv[i]) != 0;
    free(iv);
    return differ;
}

static bool
decrypts(EVP_CIPHER_CTX *ctx, const struct plaintext *t, uint8_t *plain)
{
    int n = 0, last = 0;

    return EVP_DecryptInit_ex(ctx, EVP_aes_256_cbc(), NULL, key,
                              t->dst - PP_IV_BYTES) == 1 &&
           EVP_DecryptUpdate(ctx, plain, &n, t->dst, (int)t->padded_len) == 1 &&
           EVP_DecryptFinal_ex(ctx, plain + n, &last) == 1 &&
           (size_t)n + (size_t)last == t->len &&
           memcmp(plain, t->src, t->len) == 0;
}

static void
check_answer(const char *input, const struct contender *c)
{
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    uint8_t *plain;
    size_t longest = 0;

    must(ctx != NULL, "EVP set-up");
    for (size_t i = 0; i < work.texts; i++)
        if (work.text[i].padded_len > longest)
            longest = work.text[i].padded_len;
    plain = measure_alloc(longest);
    workload_forget(&work);
    c->run(c->arg);
    for (size_t i = 0; i < work.texts; i++)
        if (!decrypts(ctx, &work.text[i], plain))
            measure_fail("%s: object %zu of step %s decrypts to something else",
                         input, i, c->name);
    if (!ivs_differ())
        measure_fail("%s: step %s has used an IV twice", input, c->name);
    free(plain);
    EVP_CIPHER_CTX_free(ctx);
}

static void
measure_input(const struct measure_options *o, const struct mix *mix,
              size_t groups, size_t groups_per_stretch)
{
    const char *place = measure_place(groups * workload_group_bytes(mix));
    struct measure_case m = { "ladder", mix->name, place, 0, 0, o->rounds };
    struct contender c[STEPS];

    workload_make(&work, mix, groups);
    m.payload_bytes = work.payload_bytes;
    stretch_texts = groups_per_stretch * work.texts_per_group;
    for (unsigned i = 0; i < cpus; i++)
        workers[i].lane = measure_alloc(stretch_texts * sizeof(struct pp_lane));
    for (size_t i = 0; i < STEPS; i++) {
        c[i] = (struct contender){ steps[i].name, run_step,
                                   (void *)(uintptr_t)&steps[i], 0 };
        check_answer(mix->name, &c[i]);
    }
    measure_rounds(o, c, STEPS);
    for (size_t i = 0; i < STEPS; i++) {
        const struct contender *others[] = { &c[steps[i].before], &c[0] };

        measure_tell(&m, &c[i], steps[i].every_cpu ? cpus : 1, others,
                     i == 0                 ? 0
                     : steps[i].before == 0 ? 1
                                            : 2);
    }
    for (unsigned i = 0; i < cpus; i++)
        free(workers[i].lane);
    workload_free(&work);
}

static const struct pp_engine_kind *
best_kind(void)
{
    size_t i = 0;

    while (!pp_engine_kinds[i].suits())
        i++; /* the last one suits every machine */
    return &pp_engine_kinds[i];
}

static void
hire(const struct pp_suite *suite)
{
    workers = calloc(cpus, sizeof *workers);
    must(workers != NULL, "memory");
    for (unsigned i = 0; i < cpus; i++) {
        struct worker *w = &workers[i];

        w->ctx = EVP_CIPHER_CTX_new();
        w->ivs = malloc(sizeof *w->ivs);
        must(w->ctx && w->ivs, "memory");
        pp_ivpool_init(w->ivs);
        must(EVP_EncryptInit_ex(w->ctx, EVP_aes_256_cbc(), NULL, key, NULL) ==
                     1 &&
                 !pp_engine_new_kind(best_kind(), suite, &w->engine, NULL) &&
                 !pp_engine_set_key(w->engine, key, NULL),
             "setting a key");
    }
}

static void
dismiss(void)
{
    for (unsigned i = 0; i < cpus; i++) {
        EVP_CIPHER_CTX_free(workers[i].ctx);
        pp_ivpool_fini(workers[i].ivs);
        free(workers[i].ivs);
        pp_engine_free(workers[i].engine);
    }
    free(workers);
}

int
main(int argc, char **argv)
{
    struct measure_options o = measure_begin(argc, argv, help);
    size_t stretches;
    struct pp_suite *suite;

    must(!pp_suite_new(&suite, NULL), "fetching the algorithms");
    cpus = pp_usable_cpus();
    hire(suite);
    printf("lanes: engine %s; xN: %u threads\n",
           pp_engine_name(workers[0].engine), cpus);
    /* A stretch is about the 16 units of 512 KiB that a worker takes. */
    stretches = (size_t)cpus * (o.quick ? 1 : 4);
    measure_input(&o, &mix_archive, stretches * 16, 16);
    measure_input(&o, &mix_strings, stretches * 64, 64);
    dismiss();
    pp_suite_free(suite);
    return ferror(stdout) || fclose(stdout) != 0;
}
