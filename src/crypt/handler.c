/* handler.c - values of the standard security handler, /V 5 /R 6 */
#include "crypt/handler.h"

#include <string.h>

#include <openssl/crypto.h>

#include <pdfpipe/options.h>

#include "crypt/secret.h"
#include "crypt/suite_impl.h"

/* Layout of /U and /O. */
#define VALIDATION_SALT 32
#define KEY_SALT        40

/* Bits of /P: 1-2 zero, 7-8, 10 and 13-32 one (ISO 32000-2, table 22). */
#define P_CHOICE 0x00000F3Cu
#define P_ALWAYS 0xFFFFF2C0u
_Static_assert((PDFPIPE_PERMIT_ALL & ~P_CHOICE) == 0, "a permission is lost");
_Static_assert((PDFPIPE_PERMIT_ALL | P_ALWAYS) == 0xFFFFFFFCu, "bits of /P");

/* Which of the two passwords an operation is about. */
struct entry {
    const uint8_t *value;   /* U or O */
    const uint8_t *wrapped; /* UE or OE */
    const uint8_t *u;       /* for the hash: U for the owner, else NULL */
};

uint32_t
pp_handler_p(uint32_t permits)
{
    return (permits & P_CHOICE) | P_ALWAYS;
}

/* n bytes (whole blocks) through AES-256, no padding, the IV all zero. */
static enum pdfpipe_status
crypt_blocks(const EVP_CIPHER *cipher, bool encrypt, const uint8_t key[32],
             const uint8_t *in, uint8_t *out, int n, struct pdfpipe_error *err)
{
    static const uint8_t zero_iv[16];
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    enum pdfpipe_status st = PDFPIPE_OK;
    int done = 0;

    if (!ctx)
        return pp_fail_memory(err);
    if (EVP_CipherInit_ex2(ctx, cipher, key, zero_iv, encrypt, NULL) != 1 ||
        EVP_CIPHER_CTX_set_padding(ctx, 0) != 1 ||
        EVP_CipherUpdate(ctx, out, &done, in, n) != 1)
        st = pp_fail_crypto(err, "AES-256 of a handler value");
    else
        PP_ASSERT(done == n);
    EVP_CIPHER_CTX_free(ctx); /* wipes the key schedule */
    return st;
}

/* Algorithms 8 and 9: value[48] and wrapped[32] for one password.  u is NULL
 * for the user, the finished /U for the owner. */
static enum pdfpipe_status
make_entry(struct pp_kdf *k, struct pp_view password, const uint8_t *u,
           const uint8_t salts[2][PP_SALT_BYTES], const uint8_t file_key[32],
           uint8_t value[48], uint8_t wrapped[32], struct pdfpipe_error *err)
{
    uint8_t key[PP_HASH_BYTES];
    enum pdfpipe_status st;

    memcpy(value + VALIDATION_SALT, salts[0], PP_SALT_BYTES);
    memcpy(value + KEY_SALT, salts[1], PP_SALT_BYTES);
    st = pp_kdf_hash(k, password, salts[0], u, value, NULL, err);
    if (st)
        return st;
    st = pp_kdf_hash(k, password, salts[1], u, key, NULL, err);
    if (!st)
        st = crypt_blocks(pp_kdf_suite(k)->aes_256_cbc, true, key, file_key,
                          wrapped, 32, err);
    pp_wipe(key, sizeof key);
    return st;
}

/* Algorithm 10 */
static enum pdfpipe_status
make_perms(const struct pp_suite *suite, struct pp_handler *h,
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
    return crypt_blocks(suite->aes_256_ecb, true, file_key, plain, h->perms,
                        sizeof plain, err);
}

enum pdfpipe_status
pp_handler_make(struct pp_kdf *k, struct pp_handler *h, struct pp_view user,
                struct pp_view owner, const uint8_t file_key[32],
                const struct pp_handler_seed *seed, struct pdfpipe_error *err)
{
    enum pdfpipe_status st =
        make_entry(k, user, NULL, seed->salts, file_key, h->u, h->ue, err);

    if (!st) /* hashes the finished U */
        st = make_entry(k, owner, h->u, seed->salts + 2, file_key, h->o, h->oe,
                        err);
    if (!st)
        st = make_perms(pp_kdf_suite(k), h, file_key, seed->perms_tail, err);
    return st;
}

static struct entry
entry_of(const struct pp_handler *h, enum pp_role role)
{
    PP_ASSERT(role == PP_ROLE_USER || role == PP_ROLE_OWNER);
    if (role == PP_ROLE_OWNER)
        return (struct entry){ h->o, h->oe, h->u };
    return (struct entry){ h->u, h->ue, NULL };
}

/* Algorithms 11 and 12: is it the password of this entry? */
static enum pdfpipe_status
test_entry(struct pp_kdf *k, struct entry e, struct pp_view password,
           bool *fits, struct pdfpipe_error *err)
{
    uint8_t hash[PP_HASH_BYTES];
    enum pdfpipe_status st = pp_kdf_hash(k, password, e.value + VALIDATION_SALT,
                                         e.u, hash, NULL, err);

    if (!st)
        *fits = CRYPTO_memcmp(hash, e.value, sizeof hash) == 0;
    pp_wipe(hash, sizeof hash);
    return st;
}

/* Algorithm 2.A, steps d and e: the file key out of the entry that fits. */
static enum pdfpipe_status
unwrap_key(struct pp_kdf *k, struct entry e, struct pp_view password,
           uint8_t file_key[32], struct pdfpipe_error *err)
{
    uint8_t key[PP_HASH_BYTES];
    enum pdfpipe_status st =
        pp_kdf_hash(k, password, e.value + KEY_SALT, e.u, key, NULL, err);

    if (!st)
        st = crypt_blocks(pp_kdf_suite(k)->aes_256_cbc, false, key, e.wrapped,
                          file_key, 32, err);
    pp_wipe(key, sizeof key);
    return st;
}

enum pdfpipe_status
pp_handler_open(struct pp_kdf *k, const struct pp_handler *h,
                struct pp_view password, uint8_t file_key[32],
                enum pp_role *role, struct pdfpipe_error *err)
{
    struct entry owner = entry_of(h, PP_ROLE_OWNER);
    struct entry user = entry_of(h, PP_ROLE_USER);
    bool is_owner, is_user;
    enum pdfpipe_status st;

    *role = PP_ROLE_NONE;
    st = test_entry(k, owner, password, &is_owner, err);
    if (!st)
        st = test_entry(k, user, password, &is_user, err);
    if (st || (!is_owner && !is_user))
        return st;
    st = unwrap_key(k, is_owner ? owner : user, password, file_key, err);
    if (!st)
        *role = is_owner ? PP_ROLE_OWNER : PP_ROLE_USER;
    return st;
}

enum pdfpipe_status
pp_handler_open_as(struct pp_kdf *k, const struct pp_handler *h,
                   enum pp_role role, struct pp_view password,
                   uint8_t file_key[32], bool *opened,
                   struct pdfpipe_error *err)
{
    struct entry e = entry_of(h, role);
    bool fits;
    enum pdfpipe_status st;

    *opened = false;
    st = test_entry(k, e, password, &fits, err);
    if (st || !fits)
        return st;
    st = unwrap_key(k, e, password, file_key, err);
    *opened = !st;
    return st;
}

/* True when the decrypted /Perms says what h says.  Bytes 4-7 and 12-15 carry
 * nothing. */
static bool
perms_agree(const uint8_t plain[16], const struct pp_handler *h)
{
    uint32_t p = plain[0] | (uint32_t)plain[1] << 8 | (uint32_t)plain[2] << 16 |
                 (uint32_t)plain[3] << 24;

    return memcmp(plain + 9, "adb", 3) == 0 && p == h->p &&
           plain[8] == (h->encrypt_metadata ? 'T' : 'F');
}

enum pdfpipe_status
pp_handler_check_perms(const struct pp_suite *suite, const struct pp_handler *h,
                       const uint8_t file_key[32], bool *sound,
                       struct pdfpipe_error *err)
{
    uint8_t plain[16] = { 0 };
    enum pdfpipe_status st = crypt_blocks(suite->aes_256_ecb, false, file_key,
                                          h->perms, plain, sizeof plain, err);

    *sound = !st && perms_agree(plain, h);
    pp_wipe(plain, sizeof plain);
    return st;
}
