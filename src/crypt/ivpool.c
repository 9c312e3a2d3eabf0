/* ivpool.c - initialisation vectors, 4,096 at a time */
#include "crypt/ivpool.h"

#include <string.h>

#include "base/num.h"
#include "crypt/secret.h"

void
pp_ivpool_init(struct pp_ivpool *pool)
{
    pool->left = 0;
}

/* Place of IV `index`; a wrap would name a place twice. */
static struct pp_place
place_of(uint64_t document, uint64_t index)
{
    struct pp_place place = { document, 0 };

    PP_ASSERT(pp_add(PP_DRAW_IV, index, &place.draw));
    return place;
}

enum pdfpipe_status
pp_ivpool_take(struct pp_ivpool *pool, uint64_t document, uint64_t index,
               uint8_t out[PP_IV_BYTES], struct pdfpipe_error *err)
{
    struct pp_place place = place_of(document, index);
    enum pdfpipe_status st;

    if (!pp_random_pools())
        return pp_random_fill(place, out, PP_IV_BYTES, err);

    if (pool->left == 0) {
        st = pp_random_fill(place, pool->iv, sizeof pool->iv, err);
        if (st)
            return st;
        pool->left = PP_IV_POOLED;
    }
    pool->left--;
    memcpy(out, pool->iv[pool->left], PP_IV_BYTES);
    memset(pool->iv[pool->left], 0, PP_IV_BYTES);
    return PDFPIPE_OK;
}

void
pp_ivpool_fini(struct pp_ivpool *pool)
{
    pp_wipe(pool->iv, pool->left * PP_IV_BYTES);
    pool->left = 0;
}
