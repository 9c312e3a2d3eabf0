/* progress.c - the line that tells how far a run is */
#include "cli/progress.h"

#include <inttypes.h>

#include "cli/phrase.h"

/* The speed is measured over pieces of this length and smoothed over about
 * four of them: short enough to notice a stall, long enough to be read. */
#define SPEED_NS UINT64_C(500000000)

/* Where there is no terminal each drawing is a line: one a second. */
#define LINES_MS 1000u

/* Fewer columns than these say nothing about a file. */
#define NAME_COLUMNS 12u

/* Bytes of what is done: sealed ones as they go, and those of files that are
 * done without (skipped, failed, looked at). */
static uint64_t
bytes_done(const struct pdfpipe_progress *now, const struct pp_totals *totals)
{
    uint64_t other = totals->bytes_in - totals->encrypted_bytes_in;

    return now->bytes_done + other;
}

static void
measure(struct pp_progress *p, uint64_t ns, uint64_t bytes)
{
    double speed;

    if (ns < p->mark_ns + SPEED_NS || bytes < p->mark_bytes)
        return;
    speed = (double)(bytes - p->mark_bytes) / (double)(ns - p->mark_ns);
    p->bytes_per_ns =
        p->mark_ns ? 0.75 * p->bytes_per_ns + 0.25 * speed : speed;
    p->mark_ns = ns;
    p->mark_bytes = bytes;
}

static void
add_eta(struct pp_phrase *line, const struct pp_progress *p, uint64_t bytes)
{
    double ns;
    uint64_t s;

    if (!p->has_total || p->total.bytes <= bytes || p->bytes_per_ns <= 0)
        return;
    ns = (double)(p->total.bytes - bytes) / p->bytes_per_ns;
    if (ns > 360e12) /* more than 100 hours: a stall, no estimate */
        return;
    s = (uint64_t)(ns / 1e9) + 1;
    if (s >= 3600)
        pp_phrase_add(line, "  ETA %" PRIu64 ":%02u:%02u", s / 3600,
                      (unsigned)(s / 60 % 60), (unsigned)(s % 60));
    else
        pp_phrase_add(line, "  ETA %u:%02u", (unsigned)(s / 60),
                      (unsigned)(s % 60));
}

static void
compose(struct pp_phrase *line, const struct pp_progress *p,
        const struct pdfpipe_progress *now, const struct pp_totals *totals)
{
    uint64_t bytes = bytes_done(now, totals);

    pp_phrase_count(line, totals->files);
    if (p->has_total) {
        pp_phrase_add(line, "/");
        pp_phrase_count(line, p->total.files);
    }
    pp_phrase_add(line, " files  ");
    pp_phrase_bytes(line, (double)bytes);
    if (p->has_total) {
        pp_phrase_add(line, "/");
        pp_phrase_bytes(line, (double)p->total.bytes);
    }
    if (p->bytes_per_ns > 0) {
        pp_phrase_add(line, "  ");
        pp_phrase_bytes(line, p->bytes_per_ns * 1e9);
        pp_phrase_add(line, "/s");
    }
    add_eta(line, p, bytes);
    if (totals->kind[PDFPIPE_FAILED]) {
        pp_phrase_add(line, "  ");
        pp_phrase_count(line, totals->kind[PDFPIPE_FAILED]);
        pp_phrase_add(line, " failed");
    }
}

void
pp_progress_draw(struct pp_progress *p, struct pp_console *console,
                 const struct pdfpipe_progress *now,
                 const struct pp_totals *totals)
{
    unsigned columns = pp_console_columns(console), room;
    struct pp_phrase line = { 0 };

    measure(p, now->wall_ns, bytes_done(now, totals));
    if (!console->is_terminal) {
        if (p->skip) {
            p->skip--;
            return;
        }
        p->skip = LINES_MS / PP_PROGRESS_MS - 1;
    }
    compose(&line, p, now, totals);
    /* The last column stays free: some terminals wrap when it is used. */
    room = columns - 1;
    if (line.length > room && console->is_terminal && !line.failed)
        line.text[room] = '\0'; /* ASCII up to here */
    else if (now->current[0] && line.length + 2 + NAME_COLUMNS <= room) {
        pp_phrase_add(&line, "  ");
        pp_phrase_tail(&line, now->current, room - (unsigned)line.length);
    }
    if (!line.failed)
        pp_console_status(console, line.text);
    pp_phrase_fini(&line);
}
