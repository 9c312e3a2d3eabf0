/*
 * kdf - the password hashes of many files in one call against one by one
 *
 * A file takes four (ISO 32000-2, algorithms 8 and 9): for the user's password
 * and for the owner's, one that tells whether it fits and one that wraps the
 * file key.  The owner's hash the user's first one, too, and wait for it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crypt/kdf_lanes_impl.h"
#include "crypt/secret.h"
#include "crypt/suite.h"
#include "gen/noise.h"
#include "measure.h"

#define FILES       64u
#define HASHES      4u /* of a file */
#define KINDS_MAX   4u
#define VAULT_BYTES ((size_t)65536 + KINDS_MAX * PP_KDF_LANES_VAULT)

static const char help[] =
    "Usage: kdf [--quick] [--rounds N]\n"
    "Measures the password hashes of files, one by one and many in a call.\n"
    "\n"
    "  --quick      right answers only; so does BENCH_QUICK=1\n"
    "  --rounds N   turns of each way (default 5)\n"
    "  --help       this text\n"
    "\n"
    "Exit status: 0, 1 a way gave a wrong answer, 2 wrong usage.\n";

static const char user_password[] = "bench-user";
static const char owner_password[] = "bench-owner";

/* What is hashed of a file, and the answers. */
struct file {
    uint8_t salt[HASHES][PP_SALT_BYTES];
    uint8_t u[PP_U_BYTES]; /* the first hash and the user's salts */
    uint8_t hash[HASHES - 1][PP_HASH_BYTES];
};

/* Files in a call, by one engine. */
struct way {
    size_t files_per_call;
    struct pp_kdf_lanes *lanes;
};

static const size_t calls[] = { 1, 4, 8, 16, 32, 64 };
#define CALLS (sizeof calls / sizeof calls[0])

/* The work at hand, which all contenders share. */
static struct file files[FILES];
static struct pp_kdf_request requests[FILES * HASHES];
static struct pp_kdf *kdf;

/* The i-th hash of a file, without the one it waits for. */
static struct pp_kdf_request
request_of(struct file *f, size_t i)
{
    bool owner = i >= 2;
    const char *password = owner ? owner_password : user_password;

    return (struct pp_kdf_request){
        .password = { (const uint8_t *)password, strlen(password) },
        .salt = f->salt[i],
        .u = owner ? f->u : NULL,
        .out = i == 0 ? f->u : f->hash[i - 1],
    };
}

static void
run_one_by_one(void *unused)
{
    struct pdfpipe_error err;

    (void)unused;
    for (size_t i = 0; i < FILES * HASHES; i++) {
        struct pp_kdf_request r = request_of(&files[i / HASHES], i % HASHES);

        if (pp_kdf_hash(kdf, r.password, r.salt, r.u, r.out, NULL, &err))
            measure_fail("one by one: %s", err.message);
    }
}

/* First the hashes of all files that others wait for. */
static void
hash_call(struct pp_kdf_lanes *lanes, struct file *f, size_t n)
{
    struct pdfpipe_error err;

    for (size_t i = 0; i < HASHES * n; i++) {
        requests[i] = request_of(&f[i % n], i / n);
        requests[i].after = requests[i].u ? &requests[i % n] : NULL;
    }
    if (pp_kdf_hash_many(lanes, requests, HASHES * n, &err))
        measure_fail("%zu files in a call: %s", n, err.message);
}

static void
run_calls(void *arg)
{
    const struct way *w = arg;

    for (size_t i = 0; i < FILES; i += w->files_per_call)
        hash_call(w->lanes, &files[i], w->files_per_call);
}

/* Salts that look random and are the same in every run. */
static void
make_files(void)
{
    struct noise r = noise_for(1, FILES);

    for (struct file *f = files; f < files + FILES; f++) {
        for (size_t i = 0; i < sizeof f->salt; i++)
            f->salt[i / PP_SALT_BYTES][i % PP_SALT_BYTES] =
                (uint8_t)noise_next(&r);
        memcpy(f->u + PP_HASH_BYTES, f->salt, 2 * (size_t)PP_SALT_BYTES);
    }
}

static void
forget_answers(void)
{
    for (struct file *f = files; f < files + FILES; f++) {
        memset(f->u, 0, PP_HASH_BYTES);
        memset(f->hash, 0, sizeof f->hash);
    }
}

/* The first contender is the judge. */
static void
compare_answers(const struct contender *c, size_t n)
{
    static struct file right[FILES];

    c->run(c->arg);
    memcpy(right, files, sizeof right);
    for (size_t i = 1; i < n; i++) {
        const struct way *w = c[i].arg;

        forget_answers();
        c[i].run(c[i].arg);
        if (memcmp(files, right, sizeof right) != 0)
            measure_fail("%s, %zu files in a call: not what one by one gives",
                         c[i].name, w->files_per_call);
    }
}

/* What is measured; c[0] is one by one. */
struct field {
    struct contender c[1 + KINDS_MAX * CALLS];
    struct way way[KINDS_MAX * CALLS]; /* of c[1] and so on */
    size_t n;
    struct pp_kdf_lanes *lanes[KINDS_MAX];
    size_t kinds;
};

static void
enter_kind(struct field *f, const struct pp_kdf_kind *kind,
           struct pp_vault *vault)
{
    struct pp_kdf_lanes **lanes = &f->lanes[f->kinds++];
    struct pdfpipe_error err;

    if (pp_kdf_lanes_new(kdf, vault, kind->id, lanes, &err))
        measure_fail("%s: %s", kind->name, err.message);
    for (size_t i = 0; i < CALLS; i++) {
        struct way *w = &f->way[f->n - 1];

        *w = (struct way){ calls[i], *lanes };
        f->c[f->n++] = (struct contender){ kind->name, run_calls, w, 0 };
    }
}

static void
enter_all(struct field *f, struct pp_vault *vault)
{
    PP_ASSERT(pp_kdf_kind_count <= KINDS_MAX);
    f->c[f->n++] = (struct contender){ "one-by-one", run_one_by_one, NULL, 0 };
    for (size_t i = 0; i < pp_kdf_kind_count; i++)
        if (pp_kdf_kinds[i].suits())
            enter_kind(f, &pp_kdf_kinds[i], vault);
        else
            printf("skipped: %s: not on this processor\n",
                   pp_kdf_kinds[i].name);
}

static void
tell_all(const struct field *f, unsigned rounds)
{
    const struct contender *judge = &f->c[0];
    struct measure_case m = {
        .bench = "kdf", .input = "hashes", .files = FILES, .rounds = rounds
    };

    measure_tell(&m, judge, 1, NULL, 0);
    for (size_t i = 0; i < CALLS; i++) {
        char input[24];

        (void)snprintf(input, sizeof input, "%zu a call", calls[i]); /* fits */
        m.input = input;
        for (size_t k = 1 + i; k < f->n; k += CALLS)
            measure_tell(&m, &f->c[k], 1, &judge, 1);
    }
}

int
main(int argc, char **argv)
{
    struct measure_options o = measure_begin(argc, argv, help);
    static struct field f;
    struct pdfpipe_error err;
    struct pp_suite *suite;
    struct pp_vault *vault;

    if (pp_suite_new(&suite, &err) || pp_vault_new(VAULT_BYTES, &vault, &err) ||
        pp_kdf_new(suite, vault, &kdf, &err))
        measure_fail("%s", err.message);
    make_files();
    enter_all(&f, vault);
    compare_answers(f.c, f.n);
    measure_rounds(&o, f.c, f.n);
    tell_all(&f, o.rounds);
    for (size_t i = 0; i < f.kinds; i++)
        pp_kdf_lanes_free(f.lanes[i]);
    pp_kdf_free(kdf);
    pp_vault_free(vault);
    pp_suite_free(suite);
    return ferror(stdout) || fclose(stdout) != 0;
}
