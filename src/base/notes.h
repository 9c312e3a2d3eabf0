/*
 * notes.h - the warnings about one document, in the order they were found
 *
 * The first ones are kept, all are counted.  A warning of one kind is counted
 * each time but kept only once, so that a thousand sloppy lines do not hide
 * the one suspect object.
 */
#ifndef PP_BASE_NOTES_H
#define PP_BASE_NOTES_H

#include <pdfpipe/status.h>

#define PP_NOTES_KEPT 16

struct pp_notes {
    unsigned count; /* of all                        */
    unsigned kept;  /* entries of warning[] in use   */
    uint64_t kinds; /* bit per code: is one kept     */
    struct pdfpipe_warning warning[PP_NOTES_KEPT];
};

/* notes may be NULL. */
void pp_note(struct pp_notes *notes, enum pdfpipe_warning_code code,
             uint32_t object, uint64_t offset);

/* Adds those of `from` behind those of `to`. */
void pp_notes_add(struct pp_notes *to, const struct pp_notes *from);

#endif
