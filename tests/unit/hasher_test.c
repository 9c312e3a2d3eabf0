/* hasher_test.c - do documents whose passwords are hashed together get what
 * each would get alone? */
#include "pipe/hasher.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "crypt/suite.h"
#include "dies.h"

#define UNITS 33u

/* A pipeline as far as a hasher needs one: one worker, UNITS units. */
struct world {
    struct pp_pipeline p;
    struct pp_unit unit[UNITS];
    struct pp_document document[UNITS];
    struct pp_kdf *judge;
    struct pp_hasher hasher;
};

static void
set_password(struct pp_pipeline *p, struct pp_credential *c, const char *text)
{
    c->n = strlen(text);
    c->bytes = pp_secret_new(p->vault, PP_PASSWORD_MAX);
    if (!c->bytes)
        abort();
    memcpy(c->bytes, text, c->n);
}

static void
world_init(struct world *w, enum pdfpipe_engine engine)
{
    struct pp_pipeline *p = &w->p;
    size_t bytes = PP_HASHER_VAULT + PP_KDF_VAULT + 4096 + UNITS * 512;

    memset(w, 0, sizeof *w);
    p->options.engine = engine;
    p->options.permissions = PDFPIPE_PERMIT_PRINT;
    p->workers = 1;
    p->units.n = UNITS;
    if (pp_suite_new(&p->suite, NULL) || pp_vault_new(bytes, &p->vault, NULL) ||
        pp_kdf_new(p->suite, p->vault, &w->judge, NULL))
        abort();
    set_password(p, &p->user, "user");
    set_password(p, &p->owner, "owner");
    if (pp_hasher_init(&w->hasher, p, NULL))
        abort();
    for (size_t i = 0; i < UNITS; i++) {
        struct pp_document *d = &w->document[i];

        d->number = i + 1;
        d->file_key = pp_secret_new(p->vault, PP_FILE_KEY_BYTES);
        d->read_key = pp_secret_new(p->vault, PP_FILE_KEY_BYTES);
        if (!d->file_key || !d->read_key)
            abort();
        memset(d->file_key, (int)i + 1, PP_FILE_KEY_BYTES);
        w->unit[i].document = d;
    }
}

static void
world_fini(struct world *w)
{
    struct pp_vault *v = w->p.vault;

    pp_hasher_fini(&w->hasher);
    for (size_t i = 0; i < UNITS; i++) {
        pp_secret_free(v, w->document[i].file_key, PP_FILE_KEY_BYTES);
        pp_secret_free(v, w->document[i].read_key, PP_FILE_KEY_BYTES);
        if (w->document[i].owner)
            pp_secret_free(v, w->document[i].owner, PP_PASSWORD_MAX);
    }
    pp_secret_free(v, w->p.user.bytes, PP_PASSWORD_MAX);
    pp_secret_free(v, w->p.owner.bytes, PP_PASSWORD_MAX);
    pp_kdf_free(w->judge);
    pp_vault_free(v); /* asserts that everything has come back */
    pp_suite_free(w->p.suite);
}

/* All units through the hasher, as many at a time as it holds. */
static void
run_all(struct world *w, enum pp_task task)
{
    bool back[UNITS] = { false };
    size_t taken = 0, finished = 0;

    for (size_t i = 0; i < UNITS; i++)
        w->unit[i].task = task;
    while (finished < UNITS) {
        struct pp_unit *u;

        while (taken < UNITS && w->hasher.n < w->hasher.max)
            CHECK(pp_hasher_take(&w->hasher, &w->unit[taken++]), "take");
        u = pp_hasher_finish(&w->hasher);
        CHECK(!back[u - w->unit], "unit %zu comes back once", u - w->unit);
        back[u - w->unit] = true;
        finished++;
    }
    CHECK(w->hasher.n == 0, "none is held");
}

static bool
opens(const struct world *w, const struct pp_document *d, const void *password,
      size_t n, enum pp_role role)
{
    uint8_t key[32];
    enum pp_role got;

    return pp_handler_open(w->judge, &d->handler,
                           (struct pp_view){ password, n }, key, &got,
                           NULL) == PDFPIPE_OK &&
           got == role && memcmp(key, d->file_key, sizeof key) == 0;
}

static void
each_document_opens_with_its_own_key(struct world *w)
{
    run_all(w, PP_TASK_MAKE);
    for (size_t i = 0; i < UNITS; i++) {
        struct pp_document *d = &w->document[i];
        bool sound = false;

        CHECK(w->unit[i].err.code == PDFPIPE_OK, "%zu", i);
        CHECK(opens(w, d, "user", 4, PP_ROLE_USER), "%zu: user", i);
        CHECK(opens(w, d, "owner", 5, PP_ROLE_OWNER), "%zu: owner", i);
        CHECK(d->handler.p == pp_handler_p(PDFPIPE_PERMIT_PRINT), "%zu", i);
        CHECK(pp_handler_check_perms(w->p.suite, &d->handler, d->file_key,
                                     &sound, NULL) == PDFPIPE_OK &&
                  sound,
              "%zu", i);
    }
}

/* One is changed in each way; all others still open. */
static void
only_what_was_changed_fails(struct world *w)
{
    static const size_t bad[] = { 0, 7, 8, 20, 32 };

    w->document[0].handler.u[0] ^= 1;
    w->document[7].handler.o[31] ^= 1;
    w->document[8].handler.ue[5] ^= 1;
    w->document[20].handler.oe[5] ^= 1;
    w->document[32].handler.perms[0] ^= 1;
    run_all(w, PP_TASK_OPEN);
    for (size_t i = 0; i < UNITS; i++) {
        const struct pdfpipe_error *err = &w->unit[i].err;
        bool is_bad = false;

        for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++)
            is_bad = is_bad || bad[k] == i;
        CHECK(err->code == (is_bad ? PDFPIPE_E_VERIFY : PDFPIPE_OK), "%zu: %s",
              i, err->message);
        CHECK(is_bad || memcmp(w->document[i].read_key, w->document[i].file_key,
                               32) == 0,
              "%zu: key", i);
    }
}

static void
random_owners_differ(struct world *w)
{
    w->p.options.random_owner_password = true;
    run_all(w, PP_TASK_MAKE);
    for (size_t i = 0; i < UNITS; i++) {
        struct pp_document *d = &w->document[i];

        CHECK(d->owner_n == 64, "%zu", i);
        CHECK(opens(w, d, d->owner, d->owner_n, PP_ROLE_OWNER), "%zu", i);
        CHECK(i == 0 || memcmp(d->owner, d[-1].owner, 64) != 0, "%zu", i);
    }
}

static void
finish_nothing(void *arg)
{
    (void)pp_hasher_finish(arg);
}

int
main(void)
{
    static const enum pdfpipe_engine engines[] = { PDFPIPE_ENGINE_AUTO,
                                                   PDFPIPE_ENGINE_EVP };
    const size_t n = check_runs_bare() ? sizeof engines / sizeof engines[0] : 1;
    static struct world w;

    for (size_t i = 0; i < n; i++) {
        world_init(&w, engines[i]);
        each_document_opens_with_its_own_key(&w);
        only_what_was_changed_fails(&w);
        for (size_t k = 0; k < UNITS; k++)
            w.unit[k].err.code = PDFPIPE_OK;
        random_owners_differ(&w);
        CHECK(dies_of(finish_nothing, &w.hasher) == SIGABRT, "none is held");
        world_fini(&w);
    }
    return check_report("hasher_test");
}
