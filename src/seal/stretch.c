/* stretch.c - a stretch of one document's output */
#include "seal/stretch.h"

void
pp_stretch_reset(struct pp_stretch *s)
{
    s->text_n = s->out_n = s->spans = s->placed_n = s->members = 0;
    s->first_lane = s->lanes = 0;
    s->first_iv = s->highest_ref = 0;
    s->tally = (struct pp_tally){ 0 };
    s->strings = s->streams = s->payload_bytes = 0;
    s->notes = (struct pp_notes){ 0 };
}
