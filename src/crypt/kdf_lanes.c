/*
 * kdf_lanes.c - many password hashes at once: choice and schedule
 *
 * Each hash is a job that waits for AES, SHA-256 or SHA-512, in the queue of
 * that algorithm.  Over and over, one queue is chosen and as many of its jobs
 * as there are lanes run together, until the first of them ends its step and
 * goes to its next queue; a job that is done gives its place to the next
 * request at once.  While there are too few requests to fill lanes, those that
 * wait are answered one by one instead.
 */
#include "crypt/kdf_lanes.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "crypt/engine_lanes.h"
#include "crypt/kdf_lanes_impl.h"
#include "crypt/secret.h"

#define LANES_MAX 16u

/* With so many requests one hash after the other takes less time (measured):
 * a step over lanes takes as long as it does for all of them. */
#define FEW 14u

/* What is in the vault. */
struct secrets {
    struct pp_aes128_keys keys;
    struct pp_kdf_job job[PP_KDF_JOBS];
};
_Static_assert(sizeof(struct secrets) <= PP_KDF_LANES_VAULT,
               "the header says what the vault has to hold");

/* Jobs that wait, those with most blocks first. */
struct queue {
    struct pp_kdf_job *job[PP_KDF_JOBS];
    unsigned n;
};

struct pp_kdf_lanes {
    const struct pp_kdf_kind *kind;
    struct pp_kdf *kdf;
    struct pp_vault *vault;
    struct secrets *secrets;              /* in the vault; NULL: none       */
    size_t few;                           /* requests that do not fill it    */
    struct queue queue[PP_KDF_STEPS + 1]; /* [PP_KDF_DONE]: free jobs */
    struct pp_kdf_request *first;         /* of those that wait for a job    */
    struct pp_kdf_request **end;          /* where the next one is linked    */
    size_t left;                          /* requests not answered           */
};

static bool
suits_always(void)
{
    return true;
}

#if defined(__x86_64__)
static bool
suits_aesni(void)
{
    return __builtin_cpu_supports("aes") && __builtin_cpu_supports("avx2");
}

static bool
suits_vaes(void)
{
    return suits_aesni() && pp_engine_vaes_suits();
}
#endif

const struct pp_kdf_kind pp_kdf_kinds[] = {
#if defined(__x86_64__)
    { .id = PDFPIPE_ENGINE_VAES,
      .name = "vaes",
      .suits = suits_vaes,
      .expand = pp_aes128_expand_aesni,
      .aes = pp_aes128_run_vaes,
      .sha256 = pp_sha256_run_avx512,
      .sha512 = pp_sha512_run_avx512,
      .width = { 16, 16, 8 } },
    { .id = PDFPIPE_ENGINE_AESNI,
      .name = "aesni",
      .suits = suits_aesni,
      .expand = pp_aes128_expand_aesni,
      .aes = pp_aes128_run_aesni,
      .sha256 = pp_sha256_run_avx2,
      .sha512 = pp_sha512_run_avx2,
      .width = { 8, 8, 4 } },
#endif
    { .id = PDFPIPE_ENGINE_EVP, .name = "evp", .suits = suits_always },
};
const size_t pp_kdf_kind_count = sizeof pp_kdf_kinds / sizeof pp_kdf_kinds[0];

enum pdfpipe_status
pp_kdf_lanes_new_kind(const struct pp_kdf_kind *kind, struct pp_kdf *kdf,
                      struct pp_vault *vault, struct pp_kdf_lanes **out,
                      struct pdfpipe_error *err)
{
    struct pp_kdf_lanes *k = calloc(1, sizeof *k);

    if (!k)
        return pp_fail_memory(err);
    k->kind = kind;
    k->kdf = kdf;
    k->vault = vault;
    k->end = &k->first;
    if (kind->aes) {
        struct queue *idle = &k->queue[PP_KDF_DONE];

        k->secrets = pp_secret_new(vault, sizeof *k->secrets);
        if (!k->secrets) {
            free(k);
            return pp_fail_memory(err);
        }
        while (idle->n < PP_KDF_JOBS) {
            idle->job[idle->n] = &k->secrets->job[idle->n];
            idle->n++;
        }
    }
    *out = k;
    return PDFPIPE_OK;
}

enum pdfpipe_status
pp_kdf_lanes_new(struct pp_kdf *kdf, struct pp_vault *vault,
                 enum pdfpipe_engine wanted, struct pp_kdf_lanes **out,
                 struct pdfpipe_error *err)
{
    const struct pp_kdf_kind *kind = pp_kdf_kinds;
    enum pdfpipe_status st;

    if (wanted != PDFPIPE_ENGINE_AUTO)
        while (kind->id != wanted && kind->id != PDFPIPE_ENGINE_EVP)
            kind++;
    while (!kind->suits())
        kind++;
    st = pp_kdf_lanes_new_kind(kind, kdf, vault, out, err);
    if (!st)
        (*out)->few = FEW;
    return st;
}

void
pp_kdf_lanes_free(struct pp_kdf_lanes *k)
{
    if (!k)
        return;
    pp_secret_free(k->vault, k->secrets, sizeof *k->secrets);
    free(k);
}

void
pp_kdf_lanes_add(struct pp_kdf_lanes *k, struct pp_kdf_request *r)
{
    PP_ASSERT(r->password.n <= PP_PASSWORD_MAX && !r->added && !r->rounds);
    PP_ASSERT(!r->after || r->after->added);
    r->added = true;
    r->link = NULL;
    *k->end = r;
    k->end = &r->link;
    k->left++;
}

size_t
pp_kdf_lanes_left(const struct pp_kdf_lanes *k)
{
    return k->left;
}

/* Removes the first request that need not wait for another; NULL: there is
 * none. */
static struct pp_kdf_request *
take_request(struct pp_kdf_lanes *k)
{
    for (struct pp_kdf_request **at = &k->first; *at; at = &(*at)->link) {
        struct pp_kdf_request *r = *at;

        if (r->after && !r->after->rounds)
            continue;
        *at = r->link;
        if (k->end == &r->link)
            k->end = at;
        return r;
    }
    return NULL;
}

/* To its place behind those that have as many blocks left, or more. */
static void
enqueue(struct pp_kdf_lanes *k, struct pp_kdf_job *j)
{
    struct queue *q = &k->queue[j->step];
    unsigned i = q->n++;

    for (; i > 0 && q->job[i - 1]->blocks < j->blocks; i--)
        q->job[i] = q->job[i - 1];
    q->job[i] = j;
}

/* Makes jobs of requests, as long as there are free ones. */
static void
refill(struct pp_kdf_lanes *k)
{
    struct queue *idle = &k->queue[PP_KDF_DONE];

    while (idle->n > 0) {
        struct pp_kdf_request *r = take_request(k);

        if (!r)
            return;
        idle->n--;
        pp_kdf_job_start(idle->job[idle->n], r, k->kind->expand);
        enqueue(k, idle->job[idle->n]);
    }
}

/*
 * The queue to run: one of the hashes if it fills its lanes.  Else AES, which
 * costs least when lanes are empty and sends its jobs on to the hashes.  Else
 * the hash that fills more of its lanes.
 */
static enum pp_kdf_step
choose(const struct pp_kdf_lanes *k)
{
    const unsigned *width = k->kind->width;
    unsigned sha256 = k->queue[PP_KDF_SHA256].n;
    unsigned sha512 = k->queue[PP_KDF_SHA512].n;

    if (sha512 >= width[PP_KDF_SHA512])
        return PP_KDF_SHA512;
    if (sha256 >= width[PP_KDF_SHA256])
        return PP_KDF_SHA256;
    if (k->queue[PP_KDF_ENCRYPT].n > 0)
        return PP_KDF_ENCRYPT;
    return sha512 * width[PP_KDF_SHA256] >= sha256 * width[PP_KDF_SHA512]
               ? PP_KDF_SHA512
               : PP_KDF_SHA256;
}

/* Runs n jobs of one step. */
static void
run_lanes(struct pp_kdf_lanes *k, enum pp_kdf_step step,
          struct pp_kdf_job *const *job, unsigned n, size_t blocks)
{
    struct pp_aes128_lane *aes[LANES_MAX];
    struct pp_sha2_lane *sha[LANES_MAX];

    for (unsigned i = 0; i < n; i++) {
        aes[i] = &job[i]->aes;
        sha[i] = &job[i]->sha;
    }
    if (step == PP_KDF_ENCRYPT)
        k->kind->aes(aes, n, blocks, &k->secrets->keys);
    else if (step == PP_KDF_SHA256)
        k->kind->sha256(sha, n, blocks);
    else
        k->kind->sha512(sha, n, blocks);
}

/* Runs the longest jobs of one queue until the first of them ends its step. */
static void
run_queue(struct pp_kdf_lanes *k, enum pp_kdf_step step)
{
    struct queue *q = &k->queue[step];
    unsigned n = (unsigned)pp_min(q->n, k->kind->width[step]);
    struct pp_kdf_job *job[LANES_MAX];
    size_t blocks;

    PP_ASSERT(n > 0);
    memcpy(job, q->job, n * sizeof *job);
    q->n -= n;
    memmove(q->job, q->job + n, q->n * sizeof *q->job);
    blocks = job[n - 1]->blocks;
    run_lanes(k, step, job, n, blocks);
    for (unsigned i = 0; i < n; i++) {
        job[i]->blocks -= blocks;
        if (job[i]->blocks == 0)
            pp_kdf_job_next(job[i]);
        enqueue(k, job[i]);
    }
}

/* A single request, by libcrypto. */
static enum pdfpipe_status
answer(struct pp_kdf_lanes *k, struct pp_kdf_request *r,
       struct pdfpipe_error *err)
{
    enum pdfpipe_status st = pp_kdf_hash(k->kdf, r->password, r->salt, r->u,
                                         r->out, &r->rounds, err);

    k->left--;
    return st;
}

/* Answers at least one request over lanes. */
static void
answer_some(struct pp_kdf_lanes *k)
{
    const struct queue *idle = &k->queue[PP_KDF_DONE];
    unsigned free_jobs;

    refill(k);
    PP_ASSERT(idle->n < PP_KDF_JOBS);
    free_jobs = idle->n;
    while (idle->n == free_jobs)
        run_queue(k, choose(k));
    k->left -= idle->n - free_jobs;
    if (k->left == 0)
        pp_wipe(&k->secrets->keys, sizeof k->secrets->keys);
}

/* Back to no request. */
static void
forget(struct pp_kdf_lanes *k)
{
    k->first = NULL;
    k->end = &k->first;
    k->left = 0;
    if (!k->secrets)
        return;
    for (unsigned step = 0; step < PP_KDF_STEPS; step++) {
        struct queue *q = &k->queue[step];

        for (unsigned i = 0; i < q->n; i++) {
            pp_wipe(q->job[i], sizeof *q->job[i]);
            q->job[i]->step = PP_KDF_DONE;
            enqueue(k, q->job[i]);
        }
        q->n = 0;
    }
    pp_wipe(&k->secrets->keys, sizeof k->secrets->keys);
}

enum pdfpipe_status
pp_kdf_lanes_run(struct pp_kdf_lanes *k, struct pdfpipe_error *err)
{
    struct pp_kdf_request *single = NULL;
    enum pdfpipe_status st;

    PP_ASSERT(k->left > 0);
    if (!k->secrets || k->left <= k->few)
        single = take_request(k);
    if (!single) {
        answer_some(k);
        return PDFPIPE_OK;
    }
    st = answer(k, single, err);
    if (st)
        forget(k);
    return st;
}

enum pdfpipe_status
pp_kdf_hash_many(struct pp_kdf_lanes *k, struct pp_kdf_request *requests,
                 size_t n, struct pdfpipe_error *err)
{
    enum pdfpipe_status st = PDFPIPE_OK;

    PP_ASSERT(k->left == 0);
    for (size_t i = 0; i < n; i++) {
        requests[i].added = false;
        requests[i].rounds = 0;
    }
    for (size_t i = 0; i < n; i++)
        pp_kdf_lanes_add(k, &requests[i]);
    while (!st && k->left > 0)
        st = pp_kdf_lanes_run(k, err);
    return st;
}
