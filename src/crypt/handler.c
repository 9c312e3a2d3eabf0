/* handler.c - values of the standard security handler, /V 5 /R 6 */
#include "crypt/handler.h"

#include <string.h>

#include <openssl/crypto.h>

#include <pdfpipe/options.h>

#include "crypt/handler_impl.h"
#include "crypt/secret.h"
#include "crypt/suite_impl.h"

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

enum pdfpipe_status
pp_handler_crypt(const EVP_CIPHER *cipher, bool encrypt, const uint8_t key[32],
                 const uint8_t *in, uint8_t *out, int n,
                 struct pdfpipe_error *err)
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
    enum pdfpipe_status st = pp_kdf_hash(
        k, password, e.value + PP_VALIDATION_SALT, e.u, hash, NULL, err);

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
        pp_kdf_hash(k, password, e.value + PP_KEY_SALT, e.u, key, NULL, err);

    if (!st)
        st = pp_handler_crypt(pp_kdf_suite(k)->aes_256_cbc, false, key,
                              e.wrapped, file_key, 32, err);
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
    enum pdfpipe_status st =
        pp_handler_crypt(suite->aes_256_ecb, false, file_key, h->perms, plain,
                         sizeof plain, err);

    *sound = !st && perms_agree(plain, h);
    pp_wipe(plain, sizeof plain);
    return st;
}
