/* handler_job.c - values of a security handler, hashes apart */
#include "crypt/handler_job.h"

#include <string.h>

#include <openssl/crypto.h>

#include "crypt/handler_impl.h"
#include "crypt/secret.h"
#include "crypt/suite_impl.h"

/* Places of the requests. */
enum { USER_TEST, USER_KEY, OWNER_TEST, OWNER_KEY };

/* The two hashes of a password, by the salts in its value (/U or /O); u is
 * NULL for the user, /U for the owner. */
static void
ask(struct pp_handler_job *j, unsigned at, struct pp_view password,
    const uint8_t value[48], const uint8_t *u)
{
    struct pp_kdf_request r = { .password = password, .u = u };

    r.salt = value + PP_VALIDATION_SALT;
    r.out = j->hash[at];
    j->request[at] = r;
    r.salt = value + PP_KEY_SALT;
    r.out = j->hash[at + 1];
    j->request[at + 1] = r;
}

void
pp_handler_job_make(struct pp_handler_job *j, struct pp_handler *h,
                    struct pp_view user, struct pp_view owner,
                    const struct pp_handler_seed *seed)
{
    memset(j, 0, sizeof *j);
    j->h = h;
    memcpy(j->perms_tail, seed->perms_tail, sizeof j->perms_tail);
    memcpy(h->u + PP_VALIDATION_SALT, seed->salts[USER_TEST], PP_SALT_BYTES);
    memcpy(h->u + PP_KEY_SALT, seed->salts[USER_KEY], PP_SALT_BYTES);
    memcpy(h->o + PP_VALIDATION_SALT, seed->salts[OWNER_TEST], PP_SALT_BYTES);
    memcpy(h->o + PP_KEY_SALT, seed->salts[OWNER_KEY], PP_SALT_BYTES);
    ask(j, USER_TEST, user, h->u, NULL);
    ask(j, OWNER_TEST, owner, h->o, h->u);
    /* Those that tell the passwords are the values themselves, and the
     * owner's hashes cover the finished /U. */
    j->request[USER_TEST].out = h->u;
    j->request[OWNER_TEST].out = h->o;
    j->request[OWNER_TEST].after = &j->request[USER_TEST];
    j->request[OWNER_KEY].after = &j->request[USER_TEST];
}

/* Algorithm 10 */
static enum pdfpipe_status
make_perms(struct pp_handler *h, const struct pp_suite *suite,
           const uint8_t file_key[32], const uint8_t tail[4],
           struct pdfpipe_error *err)
{
    uint8_t plain[16];

    for (unsigned i = 0; i < 4; i++)
        plain[i] = (uint8_t)(h->p >> (8 * i));
    memset(plain + 4, 0xff, 4);
    plain[8] = h->encrypt_metadata ? 'T' : 'F';
    plain[9] = 'a';
    plain[10] = 'd';
    plain[11] = 'b';
    memcpy(plain + 12, tail, 4);
    return pp_handler_crypt(suite->aes_256_ecb, true, file_key, plain, h->perms,
                            sizeof plain, err);
}

enum pdfpipe_status
pp_handler_job_made(struct pp_handler_job *j, const struct pp_suite *suite,
                    const uint8_t file_key[32], struct pdfpipe_error *err)
{
    const EVP_CIPHER *cbc = suite->aes_256_cbc;
    struct pp_handler *h = j->h;
    enum pdfpipe_status st;

    st = pp_handler_crypt(cbc, true, j->hash[USER_KEY], file_key, h->ue, 32,
                          err);
    if (!st)
        st = pp_handler_crypt(cbc, true, j->hash[OWNER_KEY], file_key, h->oe,
                              32, err);
    if (!st)
        st = make_perms(h, suite, file_key, j->perms_tail, err);
    pp_wipe(j, sizeof *j);
    return st;
}

void
pp_handler_job_open(struct pp_handler_job *j, struct pp_handler *h,
                    struct pp_view user, struct pp_view owner)
{
    memset(j, 0, sizeof *j);
    j->h = h;
    ask(j, USER_TEST, user, h->u, NULL);
    ask(j, OWNER_TEST, owner, h->o, h->u);
}

enum pdfpipe_status
pp_handler_job_opened(struct pp_handler_job *j, const struct pp_suite *suite,
                      struct pp_opened opened[2], struct pdfpipe_error *err)
{
    const struct pp_handler *h = j->h;
    const uint8_t *value[2] = { h->u, h->o }, *wrapped[2] = { h->ue, h->oe };
    enum pdfpipe_status st = PDFPIPE_OK;

    for (size_t i = 0; i < 2; i++) {
        const uint8_t *test = j->hash[2 * i], *key = j->hash[2 * i + 1];

        opened[i].fits = CRYPTO_memcmp(test, value[i], PP_HASH_BYTES) == 0;
        if (!st && opened[i].fits)
            st = pp_handler_crypt(suite->aes_256_cbc, false, key, wrapped[i],
                                  opened[i].file_key, 32, err);
    }
    if (st)
        pp_wipe(opened, 2 * sizeof *opened);
    pp_wipe(j, sizeof *j);
    return st;
}
