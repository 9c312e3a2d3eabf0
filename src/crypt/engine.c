/* engine.c - AES-256-CBC over many plaintexts at once: choice and checks */
#include "crypt/engine.h"

#include <string.h>

#include "base/num.h"
#include "crypt/engine_impl.h"
#include "crypt/engine_lanes.h"

static bool
suits_always(void)
{
    return true;
}

const struct pp_engine_kind pp_engine_kinds[] = {
#if defined(__x86_64__)
    { PDFPIPE_ENGINE_VAES, "vaes", pp_engine_vaes_suits, pp_engine_vaes_make },
    { PDFPIPE_ENGINE_AESNI, "aesni", pp_engine_aesni_suits,
      pp_engine_aesni_make },
#elif PP_ENGINE_ARMV8
    { PDFPIPE_ENGINE_ARMV8, "armv8", pp_engine_armv8_suits,
      pp_engine_armv8_make },
#endif
    { PDFPIPE_ENGINE_EVP, "evp", suits_always, pp_engine_evp_make },
};
const size_t pp_engine_kind_count =
    sizeof pp_engine_kinds / sizeof pp_engine_kinds[0];

enum pdfpipe_status
pp_engine_new_kind(const struct pp_engine_kind *kind,
                   const struct pp_suite *suite, struct pp_engine **out,
                   struct pdfpipe_error *err)
{
    struct pp_engine *e;
    enum pdfpipe_status st = kind->make(suite, &e, err);

    if (st)
        return st;
    e->name = kind->name;
    e->keyed = false;
    *out = e;
    return PDFPIPE_OK;
}

/* The first kind that is wanted and suits this machine; NULL: none. */
static const struct pp_engine_kind *
kind_for(enum pdfpipe_engine wanted)
{
    for (size_t i = 0; i < pp_engine_kind_count; i++) {
        const struct pp_engine_kind *kind = &pp_engine_kinds[i];

        if ((wanted == PDFPIPE_ENGINE_AUTO || wanted == kind->id) &&
            kind->suits())
            return kind;
    }
    return NULL;
}

const char *
pp_engine_chosen(enum pdfpipe_engine wanted)
{
    const struct pp_engine_kind *kind = kind_for(wanted);

    return kind ? kind->name : NULL;
}

enum pdfpipe_status
pp_engine_new(const struct pp_suite *suite, enum pdfpipe_engine wanted,
              struct pp_engine **out, struct pdfpipe_error *err)
{
    const struct pp_engine_kind *kind = kind_for(wanted);

    if (!kind)
        return pp_fail(err, PDFPIPE_E_USAGE,
                       "this machine cannot run the engine that is wanted; %s "
                       "suits it best",
                       pp_engine_chosen(PDFPIPE_ENGINE_AUTO));
    return pp_engine_new_kind(kind, suite, out, err);
}

void
pp_engine_free(struct pp_engine *e)
{
    if (e)
        e->ops->free(e);
}

const char *
pp_engine_name(const struct pp_engine *e)
{
    return e->name;
}

unsigned
pp_engine_lanes(const struct pp_engine *e)
{
    return e->lanes;
}

enum pdfpipe_status
pp_engine_set_key(struct pp_engine *e, const uint8_t key[PP_FILE_KEY_BYTES],
                  struct pdfpipe_error *err)
{
    enum pdfpipe_status st = e->ops->set_key(e, key, err);

    e->keyed = !st;
    return st;
}

enum pdfpipe_status
pp_engine_encrypt(struct pp_engine *e, struct pp_lane *lanes, size_t n,
                  struct pdfpipe_error *err)
{
    PP_ASSERT(e->keyed);
    for (size_t i = 0; i < n; i++)
        PP_ASSERT(lanes[i].final || lanes[i].len % PP_AES_BLOCK == 0);
    return e->ops->encrypt(e, lanes, n, err);
}

enum pdfpipe_status
pp_engine_decrypt(struct pp_engine *e, struct pp_lane *lanes, size_t n,
                  struct pdfpipe_error *err)
{
    PP_ASSERT(e->keyed);
    for (size_t i = 0; i < n; i++)
        PP_ASSERT(lanes[i].len % PP_AES_BLOCK == 0);
    return e->ops->decrypt(e, lanes, n, err);
}

void
pp_engine_last_block(const uint8_t *src, size_t len, uint8_t block[16])
{
    size_t left = len % PP_AES_BLOCK;

    memset(block, (int)(PP_AES_BLOCK - left), PP_AES_BLOCK);
    if (left > 0)
        memcpy(block, src + (len - left), left);
}

/* All ones when a < b, else zero, without a branch; both below 2^31. */
static uint32_t
mask_less(uint32_t a, uint32_t b)
{
    return 0 - ((a - b) >> 31);
}

/* Looks at all 16 bytes whatever they hold, so that the time taken says
 * nothing about them.  A last byte of 0 needs no test: it is returned. */
unsigned
pp_padding(const uint8_t *p, size_t n)
{
    const uint8_t *last;
    uint32_t length, wrong;

    PP_ASSERT(n > 0 && n % PP_AES_BLOCK == 0);
    last = p + n - 1;
    length = *last;
    wrong = mask_less(PP_AES_BLOCK, length);
    for (uint32_t i = 0; i < PP_AES_BLOCK; i++)
        wrong |= mask_less(i, length) & (length ^ *(last - i));
    return length & ~mask_less(0, wrong & 0xff);
}
