/* api_test.c - does the public interface say what its headers promise? */
#include <pdfpipe/pdfpipe.h>

#include <ctype.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/cpus.h"
#include "batch.h"
#include "check.h"
#include "dies.h"

/* ---- status ---- */

struct status {
    enum pdfpipe_status status;
    const char *name, *id;
    int value, exit_code;
    const char *text;
};

static const struct status statuses[] = {
#define X(name, value, id, exit_code, text)                                    \
    { PDFPIPE_##name, #name, id, value, exit_code, text },
    PDFPIPE_STATUS_TABLE(X)
#undef X
};
#define STATUSES (sizeof statuses / sizeof statuses[0])

/* Lower case, digits and underscores: a script compares with it. */
static bool
is_id(const char *id)
{
    for (const char *p = id; *p; p++)
        if (!islower((unsigned char)*p) && !isdigit((unsigned char)*p) &&
            *p != '_')
            return false;
    return *id != '\0';
}

static void
are_status_values_and_ids_unique(void)
{
    for (size_t i = 0; i < STATUSES; i++) {
        CHECK(is_id(statuses[i].id), "%s", statuses[i].name);
        for (size_t k = 0; k < i; k++) {
            CHECK(statuses[k].value != statuses[i].value, "%s and %s",
                  statuses[k].name, statuses[i].name);
            CHECK(strcmp(statuses[k].id, statuses[i].id) != 0, "%s and %s",
                  statuses[k].name, statuses[i].name);
        }
    }
}

static void
does_each_status_say_what_the_table_has(void)
{
    for (size_t i = 0; i < STATUSES; i++) {
        const struct status *s = &statuses[i];

        CHECK((int)s->status == s->value, "%s", s->name);
        CHECK(!strcmp(pdfpipe_status_id(s->status), s->id), "%s", s->name);
        CHECK(!strcmp(pdfpipe_status_text(s->status), s->text) && *s->text,
              "%s", s->name);
        CHECK(pdfpipe_status_exit(s->status) == s->exit_code, "%s", s->name);
        CHECK(pdfpipe_status_retryable(s->status) == (s->exit_code == 75), "%s",
              s->name);
        CHECK(s->exit_code == 0 || s->exit_code == 1 || s->exit_code == 2 ||
                  s->exit_code == 70 || s->exit_code == 75,
              "%s: %d", s->name, s->exit_code);
    }
    CHECK(PDFPIPE_OK == 0, "success is zero");
    for (int value = -1; value < 300; value += 150) {
        enum pdfpipe_status unknown = (enum pdfpipe_status)value;

        CHECK(!strcmp(pdfpipe_status_id(unknown), "internal") &&
                  pdfpipe_status_exit(unknown) == 70 &&
                  !pdfpipe_status_retryable(unknown),
              "%d is unknown", value);
    }
}

/* They are part of the interface: this list only grows. */
static void
are_values_and_ids_still_those_of_the_first_version(void)
{
    static const struct {
        int value;
        const char *id;
        int exit_code;
    } rows[] = {
        { 0, "ok", 0 },
        { 1, "usage", 2 },
        { 2, "bad_password", 2 },
        { 3, "internal", 70 },
        { 10, "no_memory", 75 },
        { 11, "read_error", 75 },
        { 12, "write_error", 75 },
        { 13, "no_space", 75 },
        { 14, "read_only", 75 },
        { 15, "permission_denied", 1 },
        { 16, "not_found", 1 },
        { 17, "source_changed", 75 },
        { 18, "cancelled", 75 },
        { 19, "crypto_failed", 70 },
        { 20, "verify_failed", 70 },
        { 21, "busy", 75 },
        { 30, "not_regular_file", 1 },
        { 31, "symlink", 1 },
        { 32, "hard_links", 1 },
        { 33, "read_only_file", 1 },
        { 34, "target_exists", 1 },
        { 35, "already_done", 0 },
        { 50, "not_pdf", 1 },
        { 51, "truncated", 1 },
        { 52, "damaged_xref", 1 },
        { 53, "damaged_trailer", 1 },
        { 54, "damaged_object", 1 },
        { 55, "damaged_stream", 1 },
        { 56, "unsupported", 1 },
        { 57, "limit", 1 },
        { 70, "already_encrypted", 1 },
        { 71, "signed", 1 },
        { 72, "wrong_password", 1 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        enum pdfpipe_status st = (enum pdfpipe_status)rows[i].value;

        CHECK(!strcmp(pdfpipe_status_id(st), rows[i].id), "%d: %s",
              rows[i].value, pdfpipe_status_id(st));
        CHECK(pdfpipe_status_exit(st) == rows[i].exit_code, "%s", rows[i].id);
    }
    CHECK(STATUSES >= sizeof rows / sizeof rows[0], "%zu", STATUSES);
}

/* ---- warnings ---- */

struct warning {
    enum pdfpipe_warning_code code;
    const char *name, *id;
    enum pdfpipe_severity severity;
    const char *text;
};

static const struct warning warnings[] = {
#define X(name, id, severity, text)                                            \
    { PDFPIPE_##name, #name, id, PDFPIPE_##severity, text },
    PDFPIPE_WARNING_TABLE(X)
#undef X
};

static void
does_each_warning_say_what_the_table_has(void)
{
    size_t n = sizeof warnings / sizeof warnings[0];
    enum pdfpipe_warning_code unknown = PDFPIPE_WARNING_CODES;

    CHECK(n == PDFPIPE_WARNING_CODES, "%zu", n);
    for (size_t i = 0; i < n; i++) {
        const struct warning *w = &warnings[i];

        CHECK((size_t)w->code == i && is_id(w->id), "%s", w->name);
        CHECK(!strcmp(pdfpipe_warning_id(w->code), w->id), "%s", w->name);
        CHECK(!strcmp(pdfpipe_warning_text(w->code), w->text) && *w->text, "%s",
              w->name);
        CHECK(pdfpipe_warning_severity(w->code) == w->severity, "%s", w->name);
        for (size_t k = 0; k < i; k++)
            CHECK(strcmp(warnings[k].id, w->id) != 0, "%s and %s",
                  warnings[k].name, w->name);
    }
    CHECK(*pdfpipe_warning_id(unknown) && *pdfpipe_warning_text(unknown) &&
              pdfpipe_warning_severity(unknown) == PDFPIPE_SUSPECT,
          "an unknown one");
    CHECK(!strcmp(pdfpipe_severity_id(PDFPIPE_NOTE), "note") &&
              !strcmp(pdfpipe_severity_id(PDFPIPE_REPAIRED), "repaired") &&
              !strcmp(pdfpipe_severity_id(PDFPIPE_SUSPECT), "suspect"),
          "severities");
}

/* ---- version ---- */

static void
is_the_version_one(void)
{
    char text[32];

    (void)snprintf(text, sizeof text, "%d.%d.%d", PDFPIPE_VERSION_MAJOR,
                   PDFPIPE_VERSION_MINOR, PDFPIPE_VERSION_PATCH);
    CHECK(!strcmp(text, PDFPIPE_VERSION_STRING), "%s", text);
    CHECK(!strcmp(pdfpipe_version(), PDFPIPE_VERSION_STRING), "%s",
          pdfpipe_version());
    CHECK(strstr(pdfpipe_crypto_version(), "OpenSSL") != NULL, "%s",
          pdfpipe_crypto_version());
}

/* ---- secrets ---- */

static void
touch_behind(void *arg)
{
    struct pdfpipe_secret *s = arg;

    s->data[sysconf(_SC_PAGESIZE)] = 1;
}

static void
what_is_a_secret(void)
{
    struct pdfpipe_secret *s = pdfpipe_secret_new();
    struct pdfpipe_secret *other = pdfpipe_secret_new();
    bool zero = true;

    if (!s || !other) {
        CHECK(false, "no memory");
        return;
    }
    CHECK(s->length == 0 && s != other && s->data != other->data, "fresh");
    for (size_t i = 0; i < PDFPIPE_SECRET_MAX; i++)
        zero = zero && s->data[i] == 0;
    CHECK(zero, "NUL-filled");
    memset(s->data, 'x', PDFPIPE_SECRET_MAX);
    s->length = PDFPIPE_SECRET_MAX;
    CHECK(dies_of(touch_behind, s) != 0, "a fence stands behind it");
    pdfpipe_secret_free(s);
    pdfpipe_secret_free(other);
    pdfpipe_secret_free(NULL);
}

static enum pdfpipe_status
password_check(const char *text, size_t n, bool allow,
               struct pdfpipe_error *err)
{
    struct pdfpipe_secret *s = pdfpipe_secret_new();
    enum pdfpipe_status st;

    if (!s)
        abort();
    memcpy(s->data, text, n);
    s->length = n;
    st = pdfpipe_password_check(s, allow, err);
    pdfpipe_secret_free(s);
    return st;
}

static void
which_passwords_can_be_used(void)
{
    static const struct {
        const char *name, *text;
        bool allow;
        enum pdfpipe_status st;
    } rows[] = {
        { "ASCII", "correct horse", false, PDFPIPE_OK },
        { "empty", "", false, PDFPIPE_OK },
        { "UTF-8", "p\xc3\xa4ss", false, PDFPIPE_OK },
        { "changed by SASLprep", "a\xc2\xa0z", false, PDFPIPE_E_PASSWORD },
        { "changed, allowed", "a\xc2\xa0z", true, PDFPIPE_OK },
        { "no UTF-8", "sesame\xff", true, PDFPIPE_E_PASSWORD },
        { "a control character", "sesame\x07", true, PDFPIPE_E_PASSWORD },
    };
    char text[PDFPIPE_SECRET_MAX];
    struct pdfpipe_error err;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        enum pdfpipe_status st;

        err = (struct pdfpipe_error){ .code = PDFPIPE_OK };
        st = password_check(rows[i].text, strlen(rows[i].text), rows[i].allow,
                            &err);
        CHECK(st == rows[i].st && err.code == st, "%s: %d, %s", rows[i].name,
              st, err.message);
        CHECK(!st || (err.message[0] && !strstr(err.message, "sesame")),
              "%s: %s", rows[i].name, err.message);
    }
    memset(text, 'x', sizeof text);
    CHECK(password_check(text, 127, false, NULL) == PDFPIPE_OK, "127 bytes");
    CHECK(password_check(text, 128, true, NULL) == PDFPIPE_E_PASSWORD,
          "128 bytes");
    CHECK(password_check(text, sizeof text, true, NULL) == PDFPIPE_E_PASSWORD,
          "as long as a secret can be");
}

/* ---- options ---- */

static bool
no_job(void *arg, struct pdfpipe_job *j)
{
    (void)arg, (void)j;
    return false;
}

static void
no_result(void *arg, const struct pdfpipe_result *r)
{
    (void)arg, (void)r;
}

static enum pdfpipe_status
try_options(const struct pdfpipe_options *o, struct pdfpipe_error *err)
{
    struct pdfpipe_callbacks callbacks = { NULL, no_job, no_result, NULL };
    struct pdfpipe_run *run = NULL;
    enum pdfpipe_status st;

    *err = (struct pdfpipe_error){ .code = PDFPIPE_OK };
    st = pdfpipe_run_new(o, &callbacks, &run, err);
    CHECK(st == err->code && (st == PDFPIPE_OK || err->message[0]),
          "the record says %d: %s", err->code, err->message);
    if (!st)
        pdfpipe_run_free(run);
    return st;
}

static void
which_options_can_be(void)
{
    struct pdfpipe_options o;
    struct pdfpipe_error err;

#define TRY(change, expected)                                                  \
    do {                                                                       \
        enum pdfpipe_status st;                                                \
        batch_options(&o);                                                     \
        change;                                                                \
        st = try_options(&o, &err);                                            \
        CHECK(st == PDFPIPE_##expected, "%s: %s: %s", #change,                 \
              pdfpipe_status_id(st), err.message);                             \
    } while (0)

    TRY((void)o, OK);
    TRY(o.threads = 1, OK);
    TRY(o.threads = PDFPIPE_MAX_THREADS, OK);
    TRY(o.threads = PDFPIPE_MAX_THREADS + 1, E_USAGE);
    TRY(o.threads = UINT32_MAX, E_USAGE);
    TRY(o.max_memory = 1, E_USAGE);
    TRY(o.max_memory = UINT64_MAX, OK);
    TRY(o.on_encrypted = PDFPIPE_FAIL, OK);
    TRY(o.on_encrypted = PDFPIPE_PROCEED, E_USAGE);
    TRY(o.on_encrypted = (enum pdfpipe_on_found)7, E_USAGE);
    TRY(o.on_signed = PDFPIPE_PROCEED, OK);
    TRY(o.on_signed = (enum pdfpipe_on_found)3, E_USAGE);
    TRY(o.verify = (enum pdfpipe_verify)4, E_USAGE);
    TRY(o.durability = (enum pdfpipe_durability)3, E_USAGE);
    TRY(o.engine = PDFPIPE_ENGINE_EVP, OK);
    TRY(o.engine = (enum pdfpipe_engine)99, E_USAGE);
    TRY(o.size = 0, E_USAGE);
    TRY(o.size = sizeof o.size - 1, E_USAGE);
    /* Passwords. */
    TRY(o.owner_password = NULL, E_PASSWORD);
    TRY(o.owner_password = batch_secret(""), E_PASSWORD);
    TRY(o.user_password = batch_secret("user"), OK);
    TRY((o.owner_password = NULL, o.user_password = batch_secret("user")),
        E_PASSWORD);
    TRY((o.owner_password = NULL, o.user_password = batch_secret("user"),
         o.allow_insecure = true),
        OK);
    TRY((o.owner_password = NULL, o.allow_insecure = true), E_PASSWORD);
    TRY((o.owner_password = NULL, o.random_owner_password = true), OK);
    TRY(o.random_owner_password = true, E_USAGE);
    TRY(o.owner_password = batch_secret("a\xc2\xa0z"), E_PASSWORD);
    TRY((o.owner_password = batch_secret("a\xc2\xa0z"),
         o.allow_insecure = true),
        OK);
    TRY(o.user_password = batch_secret("\xff"), E_PASSWORD);
    /* Nothing is encrypted, so nothing is needed. */
    TRY((o.owner_password = NULL, o.dry_run = true), OK);
#undef TRY
}

/* A caller that was compiled with another version of the header. */
static void
do_other_sizes_of_options_work(void)
{
    struct {
        struct pdfpipe_options known;
        char more[64];
    } longer;
    struct pdfpipe_options o;
    struct pdfpipe_error err;

    batch_options(&longer.known);
    longer.known.size = sizeof longer;
    memset(longer.more, 0xff, sizeof longer.more);
    CHECK(try_options(&longer.known, &err) == PDFPIPE_OK, "longer: %s",
          err.message);

    /* What lies behind its end is not looked at: it would not do. */
    batch_options(&o);
    o.size = offsetof(struct pdfpipe_options, on_encrypted);
    o.on_encrypted = PDFPIPE_PROCEED;
    o.verify = (enum pdfpipe_verify)99;
    o.durability = (enum pdfpipe_durability)99;
    CHECK(try_options(&o, &err) == PDFPIPE_OK, "shorter: %s", err.message);

    /* Only the number of threads is known: then there is no password. */
    o.size = offsetof(struct pdfpipe_options, user_password);
    o.threads = 3;
    CHECK(try_options(&o, &err) == PDFPIPE_E_PASSWORD, "very short: %s",
          err.message);
}

static void
what_are_the_defaults(void)
{
    struct pdfpipe_options o;

    memset(&o, 0xff, sizeof o);
    pdfpipe_options_init(&o);
    CHECK(o.size == sizeof o && o.threads == 0 && o.max_memory == 0, "limits");
    CHECK(!o.user_password && !o.owner_password && !o.random_owner_password &&
              !o.allow_insecure,
          "passwords");
    CHECK(o.permissions == PDFPIPE_PERMIT_ALL && !o.cleartext_metadata,
          "what is encrypted");
    CHECK(o.on_encrypted == PDFPIPE_SKIP && o.on_signed == PDFPIPE_SKIP &&
              o.verify == PDFPIPE_VERIFY_AUTO &&
              o.durability == PDFPIPE_DURABLE_GROUP && !o.force && !o.dry_run &&
              !o.fail_fast && o.engine == PDFPIPE_ENGINE_AUTO,
          "what is done");
    CHECK(o.max_object_text > 0 && o.max_inflated > 0, "limits of input");
}

/* ---- processors ---- */

static void
are_the_cpus_those_that_we_may_use(void)
{
    cpu_set_t all, one;
    unsigned n = pp_usable_cpus();
    size_t cpu = 0;

    if (sched_getaffinity(0, sizeof all, &all)) {
        check_skip("affinity cannot be read");
        return;
    }
    CHECK(n >= 1 && n <= (unsigned)CPU_COUNT(&all), "%u of %d", n,
          CPU_COUNT(&all));
    while (!CPU_ISSET(cpu, &all))
        cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    if (sched_setaffinity(0, sizeof one, &one)) {
        check_skip("affinity cannot be set");
        return;
    }
    CHECK(pp_usable_cpus() == 1, "%u with one", pp_usable_cpus());
    CHECK(sched_setaffinity(0, sizeof all, &all) == 0, "set back");
    CHECK(pp_usable_cpus() == n, "as before");
}

int
main(void)
{
    are_status_values_and_ids_unique();
    does_each_status_say_what_the_table_has();
    are_values_and_ids_still_those_of_the_first_version();
    does_each_warning_say_what_the_table_has();
    is_the_version_one();
    what_is_a_secret();
    which_passwords_can_be_used();
    which_options_can_be();
    do_other_sizes_of_options_work();
    what_are_the_defaults();
    are_the_cpus_those_that_we_may_use();
    batch_secrets_free();
    return check_report("api_test");
}
