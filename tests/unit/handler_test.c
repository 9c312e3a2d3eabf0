/* handler_test.c - are the values of the security handler the standard's, and
 * who gets in? */
#include "crypt/handler_job.h"

#include <stdlib.h>
#include <string.h>

#include <pdfpipe/options.h>

#include "check.h"
#include "crypt/secret.h"
#include "crypt/suite_impl.h"
#include "crypt_vectors.h"

static struct pp_suite *suite;
static struct pp_vault *vault;
static struct pp_kdf *kdf;

/* A row of r6_vectors as bytes. */
struct row {
    const struct r6_vector *v;
    uint8_t user_bytes[PP_PASSWORD_MAX], owner_bytes[PP_PASSWORD_MAX];
    struct pp_view user, owner;
    uint8_t file_key[32];
    struct pp_handler_seed seed;
    struct pp_handler h; /* all of it from the row */
};

static void
load(struct row *r, const struct r6_vector *v)
{
    memset(r, 0, sizeof *r);
    r->v = v;
    r->user.p = r->user_bytes;
    r->user.n = vector_bytes(v->user, r->user_bytes, sizeof r->user_bytes);
    r->owner.p = r->owner_bytes;
    r->owner.n = vector_bytes(v->owner, r->owner_bytes, sizeof r->owner_bytes);
    vector_bytes(v->file_key, r->file_key, 32);
    vector_bytes(v->salts, r->seed.salts[0], sizeof r->seed.salts);
    vector_bytes(v->perms_tail, r->seed.perms_tail, 4);
    vector_bytes(v->u, r->h.u, 48);
    vector_bytes(v->ue, r->h.ue, 32);
    vector_bytes(v->o, r->h.o, 48);
    vector_bytes(v->oe, r->h.oe, 32);
    vector_bytes(v->perms, r->h.perms, 16);
    r->h.p = v->p;
    r->h.encrypt_metadata = v->encrypt_metadata;
}

/* Answers what a job asks for. */
static void
hash(struct pp_handler_job *j)
{
    for (size_t i = 0; i < PP_HANDLER_HASHES; i++) {
        struct pp_kdf_request *q = &j->request[i];

        CHECK(!q->after || q->after < q, "request %zu", i);
        CHECK(pp_kdf_hash(kdf, q->password, q->salt, q->u, q->out, &q->rounds,
                          NULL) == PDFPIPE_OK,
              "request %zu", i);
    }
}

static bool
is_wiped(const struct pp_handler_job *j)
{
    static const struct pp_handler_job none;

    return memcmp(j, &none, sizeof none) == 0;
}

static void
known_values_are_made(const struct row *r)
{
    const char *name = r->v->name;
    struct pp_handler h = { .p = r->v->p,
                            .encrypt_metadata = r->v->encrypt_metadata };
    struct pp_handler_job j;

    pp_handler_job_make(&j, &h, r->user, r->owner, &r->seed);
    hash(&j);
    CHECK(pp_handler_job_made(&j, suite, r->file_key, NULL) == PDFPIPE_OK, "%s",
          name);
    CHECK(is_wiped(&j), "%s", name);
    CHECK(memcmp(h.u, r->h.u, 48) == 0, "%s: U", name);
    CHECK(memcmp(h.ue, r->h.ue, 32) == 0, "%s: UE", name);
    CHECK(memcmp(h.o, r->h.o, 48) == 0, "%s: O", name);
    CHECK(memcmp(h.oe, r->h.oe, 32) == 0, "%s: OE", name);
    CHECK(memcmp(h.perms, r->h.perms, 16) == 0, "%s: Perms", name);
    CHECK(h.p == r->v->p && h.encrypt_metadata == r->v->encrypt_metadata,
          "%s: the caller's values stay", name);
}

/* Does a job open with these passwords of user and owner? */
static void
expect_opened(struct row *r, const char *what, struct pp_view user,
              struct pp_view owner, bool opens_user, bool opens_owner)
{
    const char *name = r->v->name;
    struct pp_opened opened[2];
    struct pp_handler_job j;

    memset(opened, 0xee, sizeof opened);
    pp_handler_job_open(&j, &r->h, user, owner);
    hash(&j);
    CHECK(pp_handler_job_opened(&j, suite, opened, NULL) == PDFPIPE_OK,
          "%s: %s", name, what);
    CHECK(opened[0].fits == opens_user && opened[1].fits == opens_owner,
          "%s: %s", name, what);
    for (unsigned i = 0; i < 2; i++)
        if (opened[i].fits)
            CHECK(memcmp(opened[i].file_key, r->file_key, 32) == 0,
                  "%s: %s: key %u", name, what, i);
    CHECK(is_wiped(&j), "%s: %s", name, what);
}

static void
jobs_open_with_both_passwords(struct row *r)
{
    bool same = r->user.n == r->owner.n &&
                memcmp(r->user.p, r->owner.p, r->user.n) == 0;

    expect_opened(r, "each its own", r->user, r->owner, true, true);
    expect_opened(r, "the user's only", r->user, r->user, true, same);
    expect_opened(r, "the owner's only", r->owner, r->owner, same, true);
    expect_opened(r, "exchanged", r->owner, r->user, same, same);
}

/* role is what pp_handler_open() must say. */
static void
expect_role(const struct row *r, const char *what, struct pp_view password,
            enum pp_role role)
{
    static const uint8_t untouched[32] = { 0xee };
    const char *name = r->v->name;
    uint8_t key[32] = { 0xee };
    enum pp_role got = PP_ROLE_USER;

    CHECK(pp_handler_open(kdf, &r->h, password, key, &got, NULL) == PDFPIPE_OK,
          "%s: %s", name, what);
    CHECK(got == role, "%s: %s: role %d", name, what, got);
    CHECK(memcmp(key, role ? r->file_key : untouched, 32) == 0, "%s: %s", name,
          what);
}

static void
passwords_open_in_their_role(const struct row *r)
{
    bool same = r->user.n == r->owner.n &&
                memcmp(r->user.p, r->owner.p, r->user.n) == 0;
    uint8_t other[PP_PASSWORD_MAX];
    struct pp_view wrong = { other, r->owner.n };

    expect_role(r, "user password", r->user,
                same ? PP_ROLE_OWNER : PP_ROLE_USER);
    expect_role(r, "owner password", r->owner, PP_ROLE_OWNER);

    memcpy(other, r->owner.p, r->owner.n);
    other[r->owner.n - 1] ^= 1;
    expect_role(r, "last bit wrong", wrong, PP_ROLE_NONE);
    wrong.n--;
    expect_role(r, "one byte short", wrong, PP_ROLE_NONE);
    if (r->user.n > 0)
        expect_role(r, "empty password", (struct pp_view){ NULL, 0 },
                    PP_ROLE_NONE);
}

/* Any flipped bit of a value shuts out the roles that depend on it. */
static void
changed_values_do_not_open(const struct row *r)
{
    static const size_t bytes[] = { 0, 15, 31, 32, 39 };
    uint8_t key[32];
    enum pp_role role;

    for (size_t i = 0; i < sizeof bytes / sizeof bytes[0]; i++) {
        struct row changed = *r;

        changed.h.o[bytes[i]] ^= 0x80;
        CHECK(pp_handler_open(kdf, &changed.h, r->owner, key, &role, NULL) ==
                      PDFPIPE_OK &&
                  role == PP_ROLE_NONE,
              "O byte %zu", bytes[i]);
        CHECK(pp_handler_open(kdf, &changed.h, r->user, key, &role, NULL) ==
                      PDFPIPE_OK &&
                  role == PP_ROLE_USER,
              "O byte %zu, user", bytes[i]);

        changed = *r;
        changed.h.u[bytes[i]] ^= 0x01;
        CHECK(pp_handler_open(kdf, &changed.h, r->user, key, &role, NULL) ==
                      PDFPIPE_OK &&
                  role == PP_ROLE_NONE,
              "U byte %zu", bytes[i]);
        CHECK(pp_handler_open(kdf, &changed.h, r->owner, key, &role, NULL) ==
                      PDFPIPE_OK &&
                  role == PP_ROLE_NONE,
              "U byte %zu, owner: his hash covers U", bytes[i]);
    }
}

/* The key salts and wrapped keys are not part of the test for a role: the
 * password fits, and the key that comes out is another one. */
static void
a_changed_wrapped_key_gives_another_key(const struct row *r)
{
    struct row changed = *r;
    uint8_t key[32];
    enum pp_role role;
    bool sound;

    changed.h.ue[16] ^= 1;
    CHECK(pp_handler_open(kdf, &changed.h, r->user, key, &role, NULL) ==
                  PDFPIPE_OK &&
              role == PP_ROLE_USER,
          "UE");
    CHECK(memcmp(key, r->file_key, 32) != 0, "UE");
    CHECK(pp_handler_check_perms(suite, &r->h, key, &sound, NULL) ==
                  PDFPIPE_OK &&
              !sound,
          "Perms show it");

    changed = *r;
    changed.h.o[47] ^= 1;
    CHECK(pp_handler_open(kdf, &changed.h, r->owner, key, &role, NULL) ==
                  PDFPIPE_OK &&
              role == PP_ROLE_OWNER,
          "owner key salt");
    CHECK(memcmp(key, r->file_key, 32) != 0, "owner key salt");
}

static bool
sound(const struct pp_handler *h, const uint8_t key[32])
{
    bool yes = false;

    CHECK(pp_handler_check_perms(suite, h, key, &yes, NULL) == PDFPIPE_OK,
          "check");
    return yes;
}

static void
perms_are_checked(const struct row *r)
{
    struct pp_handler h = r->h;
    uint8_t key[32];

    CHECK(sound(&h, r->file_key), "%s", r->v->name);
    for (unsigned bit = 0; bit < 32; bit++) {
        h.p = r->h.p ^ (1u << bit);
        CHECK(!sound(&h, r->file_key), "%s: bit %u of P", r->v->name, bit);
    }
    h.p = r->h.p;
    h.encrypt_metadata = !h.encrypt_metadata;
    CHECK(!sound(&h, r->file_key), "%s: EncryptMetadata", r->v->name);
    h.encrypt_metadata = !h.encrypt_metadata;
    for (unsigned bit = 0; bit < 128; bit++) {
        h.perms[bit / 8] ^= (uint8_t)(1u << bit % 8);
        CHECK(!sound(&h, r->file_key), "%s: bit %u of Perms", r->v->name, bit);
        h.perms[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    memcpy(key, r->file_key, 32);
    key[31] ^= 1;
    CHECK(!sound(&h, key), "%s: wrong key", r->v->name);
}

/* Which bytes of the plaintext of /Perms count. */
static void
only_meaningful_bytes_of_perms_count(void)
{
    struct pp_handler h = { .p = 0xfffff2c0u, .encrypt_metadata = true };
    uint8_t key[32] = { 9 };

    for (unsigned at = 0; at < 16; at++) {
        uint8_t plain[16] = { 0xc0, 0xf2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                              'T',  'a',  'd',  'b',  1,    2,    3,    4 };
        EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
        bool counts = at < 4 || (at >= 8 && at < 12);
        int n = 0;

        plain[at] ^= 0x20;
        if (!ctx ||
            EVP_EncryptInit_ex(ctx, EVP_aes_256_ecb(), NULL, key, NULL) != 1 ||
            EVP_CIPHER_CTX_set_padding(ctx, 0) != 1 ||
            EVP_EncryptUpdate(ctx, h.perms, &n, plain, 16) != 1)
            abort();
        EVP_CIPHER_CTX_free(ctx);
        CHECK(sound(&h, key) == !counts, "byte %u", at);
    }
}

static void
p_has_its_reserved_bits(void)
{
    static const struct {
        const char *what;
        uint32_t permits, p;
    } rows[] = {
        { "all", PDFPIPE_PERMIT_ALL, 0xFFFFFFFC },
        { "nothing", 0, 0xFFFFF2C0 },
        { "print low and high",
          PDFPIPE_PERMIT_PRINT | PDFPIPE_PERMIT_PRINT_HIGH, 0xFFFFFAC4 },
        { "print and copy",
          PDFPIPE_PERMIT_PRINT | PDFPIPE_PERMIT_PRINT_HIGH |
              PDFPIPE_PERMIT_EXTRACT,
          0xFFFFFAD4 },
        { "forms and print",
          PDFPIPE_PERMIT_PRINT | PDFPIPE_PERMIT_PRINT_HIGH |
              PDFPIPE_PERMIT_FORM,
          0xFFFFFBC4 },
        { "annotate, forms, print",
          PDFPIPE_PERMIT_PRINT | PDFPIPE_PERMIT_PRINT_HIGH |
              PDFPIPE_PERMIT_FORM | PDFPIPE_PERMIT_ANNOTATE,
          0xFFFFFBE4 },
        { "modify", PDFPIPE_PERMIT_MODIFY, 0xFFFFF2C8 },
        { "assemble", PDFPIPE_PERMIT_ASSEMBLE, 0xFFFFF6C0 },
        { "bits that are no permissions", 0xFFFFFFFF, 0xFFFFFFFC },
        { "reserved bits alone", ~PDFPIPE_PERMIT_ALL, 0xFFFFF2C0 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK(pp_handler_p(rows[i].permits) == rows[i].p, "%s: %08x",
              rows[i].what, pp_handler_p(rows[i].permits));
}

int
main(void)
{
    struct row r;

    if (!CHECK(pp_suite_new(&suite, NULL) == PDFPIPE_OK, "suite") ||
        !CHECK(pp_vault_new(16384, &vault, NULL) == PDFPIPE_OK, "vault") ||
        !CHECK(pp_kdf_new(suite, vault, &kdf, NULL) == PDFPIPE_OK, "kdf"))
        return check_report("handler");
    for (size_t i = 0; i < r6_vector_count; i++) {
        load(&r, &r6_vectors[i]);
        known_values_are_made(&r);
        passwords_open_in_their_role(&r);
        jobs_open_with_both_passwords(&r);
        perms_are_checked(&r);
    }
    load(&r, &r6_vectors[0]);
    changed_values_do_not_open(&r);
    a_changed_wrapped_key_gives_another_key(&r);
    only_meaningful_bytes_of_perms_count();
    p_has_its_reserved_bits();
    pp_kdf_free(kdf);
    pp_vault_free(vault);
    pp_suite_free(suite);
    return check_report("handler");
}
