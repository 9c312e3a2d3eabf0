/* notes.c - the warnings about one document */
#include "base/notes.h"

_Static_assert(PDFPIPE_WARNING_CODES <= 64, "kinds has a bit per code");

void
pp_note(struct pp_notes *notes, enum pdfpipe_warning_code code, uint32_t object,
        uint64_t offset)
{
    if (!notes)
        return;
    notes->count++;
    if (notes->kinds >> code & 1 || notes->kept == PP_NOTES_KEPT)
        return;
    notes->kinds |= (uint64_t)1 << code;
    notes->warning[notes->kept++] =
        (struct pdfpipe_warning){ code, object, offset };
}

void
pp_notes_add(struct pp_notes *to, const struct pp_notes *from)
{
    unsigned count = to->count + from->count;

    for (unsigned i = 0; i < from->kept; i++)
        pp_note(to, from->warning[i].code, from->warning[i].object,
                from->warning[i].offset);
    to->count = count;
}
