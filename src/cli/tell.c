/* tell.c - what became of each file, in lines for people */
#include "cli/tell.h"

#include <string.h>

#include "batch/totals.h"

/* "object 812 at offset 99120: ", as far as it is known. */
static void
add_place(struct pp_phrase *line, uint32_t object, uint64_t offset)
{
    if (object)
        pp_phrase_add(line, "object %u", object);
    if (offset != PDFPIPE_NO_OFFSET)
        pp_phrase_add(line, "%soffset %llu", object ? " at " : "",
                      (unsigned long long)offset);
    if (object || offset != PDFPIPE_NO_OFFSET)
        pp_phrase_add(line, ": ");
}

static void
describe(struct pp_phrase *line, const struct pdfpipe_result *r)
{
    pp_phrase_path(line, r->source);
    if (r->kind != PDFPIPE_FAILED && r->target &&
        strcmp(r->target, r->source) != 0) {
        pp_phrase_add(line, " -> ");
        pp_phrase_path(line, r->target);
    }
    if (!r->error.code)
        return;
    pp_phrase_add(line, ": ");
    add_place(line, r->error.object, r->error.offset);
    pp_phrase_add(line, "%s",
                  r->error.message[0] ? r->error.message
                                      : pdfpipe_status_text(r->error.code));
}

static void
tell_warnings(struct pp_tell *t, const struct pdfpipe_result *r)
{
    unsigned kept = r->warnings_kept;

    for (unsigned i = 0; i < kept; i++) {
        const struct pdfpipe_warning *w = &r->warning[i];
        struct pp_phrase line = { 0 };

        if (!t->console->verbose &&
            pdfpipe_warning_severity(w->code) != PDFPIPE_SUSPECT)
            continue;
        pp_phrase_path(&line, r->source);
        pp_phrase_add(&line, ": ");
        add_place(&line, w->object, w->offset);
        pp_phrase_add(&line, "%s [%s]", pdfpipe_warning_text(w->code),
                      pdfpipe_warning_id(w->code));
        if (!line.failed)
            pp_console_say(t->console, "warning", "%s", line.text);
        pp_phrase_fini(&line);
    }
}

void
pp_tell_result(struct pp_tell *t, const struct pdfpipe_result *r)
{
    bool is_failure =
        r->kind == PDFPIPE_FAILED && r->error.code != PDFPIPE_E_CANCELLED;
    const char *label = r->kind == PDFPIPE_WOULD_ENCRYPT
                            ? "would encrypt"
                            : pp_result_id(r->kind);
    struct pp_phrase line = { 0 };

    if (is_failure || (t->console->verbose && !t->console->quiet))
        describe(&line, r);
    if (line.length && !line.failed && !t->console->quiet)
        pp_console_say(t->console, label, "%s", line.text);
    if (!t->console->quiet)
        tell_warnings(t, r);
    if (is_failure && !line.failed && t->kept < PP_FAILURES_KEPT)
        t->failure[t->kept++] = line; /* owns the text from here on */
    else
        pp_phrase_fini(&line);
}

void
pp_tell_failures(struct pp_tell *t, uint64_t failures)
{
    if (!t->console->quiet && !t->console->verbose)
        return;
    for (unsigned i = 0; i < t->kept; i++)
        pp_console_say(t->console, "failed", "%s", t->failure[i].text);
    if (failures > t->kept)
        pp_console_say(t->console, "failed", "and %llu more",
                       (unsigned long long)(failures - t->kept));
}

void
pp_tell_fini(struct pp_tell *t)
{
    for (unsigned i = 0; i < t->kept; i++)
        pp_phrase_fini(&t->failure[i]);
    t->kept = 0;
}
