/*
 * engines - each engine against EVP, a plain copy, and libipsec-mb
 *
 * One thread encrypts plaintexts of one length after the other, and those of
 * an archive's pages, from a small memory that stays in a cache and from a
 * large one that does not.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include "crypt/engine_impl.h"
#include "crypt/suite.h"
#include "ipsec_mb.h"
#include "measure.h"
#include "workload.h"

#define MIB         ((size_t)1 << 20)
#define KINDS_MAX   8
#define GROUPS_MIN  16 /* as many as the widest engine has lanes */
#define DIGEST_SIZE 32
#define MEMORY_MAX  (1024 * MIB) /* where the cache is huge */

static const char help[] =
    "Usage: engines [--quick] [--rounds N]\n"
    "Measures the engines of AES-256-CBC on this machine.\n"
    "\n"
    "  --quick      right answers only; so does BENCH_QUICK=1\n"
    "  --rounds N   turns of each engine (default 5)\n"
    "  --help       this text\n"
    "\n"
    "Exit status: 0, 1 an engine gave a wrong answer, 2 wrong usage.\n";

static const uint8_t key[PP_FILE_KEY_BYTES] =
    "a key that is only for measuring";

/* The work at hand, which all contenders share. */
static struct workload work;
static struct pp_lane *lanes;

static void
run_copy(void *unused)
{
    (void)unused;
    for (size_t i = 0; i < work.texts; i++)
        memcpy(work.text[i].dst, work.text[i].src, work.text[i].len);
}

static void
run_engine(void *engine)
{
    struct pdfpipe_error err;

    if (pp_engine_encrypt(engine, lanes, work.texts, &err))
        measure_fail("%s: %s", pp_engine_name(engine), err.message);
}

static void
run_ipsec_mb(void *m)
{
    ipsec_mb_encrypt(m, &work);
}

/* The contenders in the order of the table; evp is the one all must equal. */
struct field {
    struct contender c[KINDS_MAX + 2];
    size_t n;
    size_t evp; /* memcpy is the first */
    struct pp_suite *suite;
    struct ipsec_mb *ipsec_mb;
};

static void
enter_engines(struct field *f)
{
    struct pdfpipe_error err;

    PP_ASSERT(pp_engine_kind_count <= KINDS_MAX);
    if (pp_suite_new(&f->suite, &err))
        measure_fail("%s", err.message);
    for (size_t i = 0; i < pp_engine_kind_count; i++) {
        const struct pp_engine_kind *kind = &pp_engine_kinds[i];
        struct pp_engine *e;

        if (!kind->suits()) {
            printf("skipped: %s: not on this processor\n", kind->name);
            continue;
        }
        if (pp_engine_new_kind(kind, f->suite, &e, &err) ||
            pp_engine_set_key(e, key, &err))
            measure_fail("%s: %s", kind->name, err.message);
        if (strcmp(kind->name, "evp") == 0)
            f->evp = f->n;
        f->c[f->n++] = (struct contender){ kind->name, run_engine, e, 0 };
    }
}

static void
enter_all(struct field *f)
{
    *f = (struct field){ 0 };
    f->c[f->n++] = (struct contender){ "memcpy", run_copy, NULL, 0 };
    enter_engines(f);
    f->ipsec_mb = ipsec_mb_new(key);
    if (f->ipsec_mb)
        f->c[f->n++] =
            (struct contender){ "ipsec-mb", run_ipsec_mb, f->ipsec_mb, 0 };
    else
        printf("skipped: ipsec-mb: not installed\n");
}

static void
leave_all(struct field *f)
{
    for (size_t i = 0; i < f->n; i++)
        if (f->c[i].run == run_engine)
            pp_engine_free(f->c[i].arg);
    ipsec_mb_free(f->ipsec_mb);
    pp_suite_free(f->suite);
}

/* Each lane from its start again; encryption leaves the chain at the end. */
static void
set_lanes(void)
{
    for (size_t i = 0; i < work.texts; i++) {
        const struct plaintext *t = &work.text[i];

        lanes[i] =
            (struct pp_lane){ t->src, t->dst, t->len, { 0 }, .final = true };
        memcpy(lanes[i].chain, t->dst - sizeof lanes[i].chain,
               sizeof lanes[i].chain);
    }
}

static void
digest_of_answer(const struct contender *c, uint8_t digest[DIGEST_SIZE])
{
    workload_forget(&work);
    set_lanes();
    c->run(c->arg);
    if (EVP_Digest(work.dst, work.dst_bytes, digest, NULL, EVP_sha256(),
                   NULL) != 1)
        measure_fail("no SHA-256");
}

static void
compare_answers(const struct field *f, const struct measure_case *m)
{
    uint8_t right[DIGEST_SIZE], answer[DIGEST_SIZE];

    digest_of_answer(&f->c[f->evp], right);
    for (size_t i = 1; i < f->n; i++) {
        digest_of_answer(&f->c[i], answer);
        if (memcmp(answer, right, DIGEST_SIZE) != 0)
            measure_fail("%s, %s: %s and evp disagree", m->input, m->place,
                         f->c[i].name);
    }
}

static void
measure_mix(struct field *f, const struct measure_options *o,
            const struct mix *mix, size_t groups)
{
    const char *place = measure_place(groups * workload_group_bytes(mix));
    const struct contender *others[] = { &f->c[f->evp], &f->c[0] };
    struct measure_case m = { "engines", mix->name, place, 0, 0, o->rounds };

    workload_make(&work, mix, groups);
    lanes = measure_alloc(work.texts * sizeof *lanes);
    m.payload_bytes = work.payload_bytes;
    compare_answers(f, &m);
    measure_rounds(o, f->c, f->n);
    for (size_t i = 0; i < f->n; i++)
        measure_tell(&m, &f->c[i], 1, others, 2);
    free(lanes);
    workload_free(&work);
}

static size_t
out_of_cache_bytes(const struct measure_options *o)
{
    size_t bytes = 4 * measure_l3_bytes() + 128 * MIB;

    if (o->quick)
        return 16 * MIB;
    return bytes < MEMORY_MAX ? bytes : MEMORY_MAX;
}

/* In the nearest cache that holds enough for every lane, and in memory. */
static void
measure_places(struct field *f, const struct measure_options *o,
               const struct mix *mix)
{
    size_t group = workload_group_bytes(mix);
    size_t in_l2 = measure_l2_bytes() / group;
    size_t in_memory = out_of_cache_bytes(o) / group;

    if (in_l2 < GROUPS_MIN)
        in_l2 = GROUPS_MIN;
    if (in_memory < GROUPS_MIN)
        in_memory = GROUPS_MIN;
    if (in_l2 * group <= measure_l3_bytes())
        measure_mix(f, o, mix, in_l2);
    measure_mix(f, o, mix, in_memory);
}

int
main(int argc, char **argv)
{
    struct measure_options o = measure_begin(argc, argv, help);
    struct field f;

    enter_all(&f);
    for (size_t i = 0; i < mix_singles; i++)
        measure_places(&f, &o, &mix_single[i]);
    measure_places(&f, &o, &mix_archive);
    leave_all(&f);
    return ferror(stdout) || fclose(stdout) != 0;
}
