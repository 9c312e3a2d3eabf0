/* lanes.c - keeps the lanes of a multi-lane engine full */
#include "crypt/lanes.h"

#include <string.h>

#include "base/num.h"
#include "crypt/engine_impl.h"
#include "crypt/secret.h"

/* Gives a slot its next stretch of blocks; false: the lane is complete. */
static bool
next_stretch(struct pp_slot *s)
{
    size_t whole;

    if (!s->tail)
        return false;
    whole = s->lane->len - s->lane->len % PP_AES_BLOCK;
    s->tail = false;
    s->src = s->last;
    s->dst = s->lane->dst + whole;
    s->blocks = 1;
    return true;
}

/* Puts a lane into a slot; false: there is nothing to encrypt in it. */
static bool
start(struct pp_slot *s, struct pp_lane *lane)
{
    s->lane = lane;
    s->step = PP_AES_BLOCK;
    s->src = lane->src;
    s->dst = lane->dst;
    s->blocks = lane->len / PP_AES_BLOCK;
    s->tail = lane->final;
    memcpy(s->chain, lane->chain, sizeof s->chain);
    /* Made now: in place, the plaintext's end is overwritten later on. */
    if (lane->final)
        pp_engine_last_block(lane->src, lane->len, s->last);
    return s->blocks > 0 || next_stretch(s);
}

/* Fills a slot from the lanes that wait; false: none is left. */
static bool
refill(struct pp_slot *s, struct pp_lane **next, const struct pp_lane *end)
{
    while (*next < end)
        if (start(s, (*next)++))
            return true;
    return false;
}

static void
idle(struct pp_slot *s)
{
    *s = (struct pp_slot){ .blocks = SIZE_MAX };
    s->src = s->last;
    s->dst = s->last;
}

/* Blocks until the first of the slots needs attention. */
static size_t
shortest(const struct pp_slot *slot, unsigned width)
{
    size_t blocks = slot[0].blocks;

    for (unsigned i = 1; i < width; i++)
        blocks = (size_t)pp_min(blocks, slot[i].blocks);
    return blocks;
}

/* The smallest width that an engine runs which holds `active` slots. */
static unsigned
width_for(unsigned active, unsigned width_max)
{
    unsigned width = width_max;

    while (width / 2 >= active)
        width /= 2;
    return width;
}

void
pp_lanes_encrypt(struct pp_lane *lanes, size_t n, unsigned width_max,
                 pp_lanes_run *run, const void *schedule)
{
    struct pp_lane *next = lanes, *end = lanes + n;
    struct pp_slot slot[PP_LANES_MAX];
    unsigned active = 0, width;

    while (active < width_max && refill(&slot[active], &next, end))
        active++;
    while (active > 0) {
        size_t blocks;

        width = width_for(active, width_max);
        for (unsigned i = active; i < width; i++)
            idle(&slot[i]);
        blocks = shortest(slot, active);
        run(schedule, slot, width, blocks);
        for (unsigned i = 0; i < active; i++) {
            struct pp_slot *s = &slot[i];

            s->blocks -= blocks;
            if (s->blocks > 0 || next_stretch(s))
                continue;
            memcpy(s->lane->chain, s->chain, sizeof s->chain);
            if (refill(s, &next, end))
                continue;
            /* The last active slot takes the empty place. */
            active--;
            if (i < active) {
                bool own = slot[active].src == slot[active].last;

                *s = slot[active];
                if (own)
                    s->src = s->last;
                i--; /* it has not been looked at yet */
            }
        }
    }
    pp_wipe(slot, sizeof slot);
}
