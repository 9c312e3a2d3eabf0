/* engine_x86.c - what the engines for x86 share */
#if defined(__x86_64__)
#include "crypt/engine_x86.h"

#include <stdlib.h>

#include "base/num.h"
#include "crypt/aes_x86.h"
#include "crypt/secret.h"

struct x86_engine {
    struct pp_engine head;
    struct pp_aes_x86 schedule;
    pp_lanes_run *run;
    unsigned lanes;
};

static struct x86_engine *
x86_of(struct pp_engine *e)
{
    return (struct x86_engine *)(void *)e; /* the head is its first member */
}

static enum pdfpipe_status
x86_set_key(struct pp_engine *e, const uint8_t key[PP_FILE_KEY_BYTES],
            struct pdfpipe_error *err)
{
    (void)err; /* cannot fail */
    pp_aes_x86_expand(&x86_of(e)->schedule, key);
    return PDFPIPE_OK;
}

static enum pdfpipe_status
x86_encrypt(struct pp_engine *e, struct pp_lane *lanes, size_t n,
            struct pdfpipe_error *err)
{
    struct x86_engine *x86 = x86_of(e);

    (void)err;
    pp_lanes_encrypt(lanes, n, x86->lanes, x86->run, &x86->schedule);
    return PDFPIPE_OK;
}

/* CBC decryption is not serial: the blocks of one lane are enough. */
static enum pdfpipe_status
x86_decrypt(struct pp_engine *e, struct pp_lane *lanes, size_t n,
            struct pdfpipe_error *err)
{
    (void)err;
    for (size_t i = 0; i < n; i++)
        if (lanes[i].len > 0)
            pp_aes_x86_decrypt(&x86_of(e)->schedule, lanes[i].src, lanes[i].dst,
                               lanes[i].len / PP_AES_BLOCK, lanes[i].chain);
    return PDFPIPE_OK;
}

static void
x86_free(struct pp_engine *e)
{
    pp_wipe(&x86_of(e)->schedule, sizeof x86_of(e)->schedule);
    free(e);
}

static const struct pp_engine_ops x86_ops = {
    .set_key = x86_set_key,
    .encrypt = x86_encrypt,
    .decrypt = x86_decrypt,
    .free = x86_free,
};

enum pdfpipe_status
pp_engine_x86_make(unsigned lanes, pp_lanes_run *run, struct pp_engine **out,
                   struct pdfpipe_error *err)
{
    struct x86_engine *x86 = aligned_alloc(64, (sizeof *x86 + 63) / 64 * 64);

    if (!x86)
        return pp_fail_memory(err);
    *x86 = (struct x86_engine){ .head = { .ops = &x86_ops },
                                .run = run,
                                .lanes = lanes };
    *out = &x86->head;
    return PDFPIPE_OK;
}
#else
typedef int pp_engine_x86_is_for_x86_only;
#endif
