/* engine_lanes.c - what the engines with lanes share */
#include "crypt/engine_lanes.h"

#include <stdlib.h>

#include "base/num.h"
#include "crypt/secret.h"

struct lane_engine {
    struct pp_engine head;
    const struct pp_lane_kernel *kernel;
    struct pp_aes256 schedule;
};

static struct lane_engine *
lane_engine_of(struct pp_engine *e)
{
    return (struct lane_engine *)(void *)e; /* the head is its first member */
}

static enum pdfpipe_status
lanes_set_key(struct pp_engine *e, const uint8_t key[PP_FILE_KEY_BYTES],
              struct pdfpipe_error *err)
{
    struct lane_engine *le = lane_engine_of(e);

    (void)err; /* cannot fail */
    le->kernel->expand(&le->schedule, key);
    return PDFPIPE_OK;
}

static enum pdfpipe_status
lanes_encrypt(struct pp_engine *e, struct pp_lane *lanes, size_t n,
              struct pdfpipe_error *err)
{
    struct lane_engine *le = lane_engine_of(e);

    (void)err;
    pp_lanes_encrypt(lanes, n, le->kernel->lanes, le->kernel->run,
                     &le->schedule);
    return PDFPIPE_OK;
}

/* CBC decryption is not serial: the blocks of one lane are enough. */
static enum pdfpipe_status
lanes_decrypt(struct pp_engine *e, struct pp_lane *lanes, size_t n,
              struct pdfpipe_error *err)
{
    struct lane_engine *le = lane_engine_of(e);

    (void)err;
    for (size_t i = 0; i < n; i++)
        if (lanes[i].len > 0)
            le->kernel->decrypt(&le->schedule, lanes[i].src, lanes[i].dst,
                                lanes[i].len / PP_AES_BLOCK, lanes[i].chain);
    return PDFPIPE_OK;
}

static void
lanes_free(struct pp_engine *e)
{
    struct lane_engine *le = lane_engine_of(e);

    pp_wipe(&le->schedule, sizeof le->schedule);
    free(le);
}

static const struct pp_engine_ops lanes_ops = {
    .set_key = lanes_set_key,
    .encrypt = lanes_encrypt,
    .decrypt = lanes_decrypt,
    .free = lanes_free,
};

enum pdfpipe_status
pp_engine_lanes_make(const struct pp_lane_kernel *kernel,
                     struct pp_engine **out, struct pdfpipe_error *err)
{
    struct lane_engine *le = aligned_alloc(64, (sizeof *le + 63) / 64 * 64);

    if (!le)
        return pp_fail_memory(err);
    *le = (struct lane_engine){
        .head = { .ops = &lanes_ops, .lanes = kernel->lanes }, .kernel = kernel
    };
    *out = &le->head;
    return PDFPIPE_OK;
}
