/* summary.c - the last lines of a run, for people */
#include "cli/summary.h"

#include "cli/phrase.h"

static void
add_part(struct pp_phrase *line, uint64_t n, const char *what)
{
    if (!n)
        return;
    pp_phrase_add(line, "%s", line->length ? ", " : "");
    pp_phrase_count(line, n);
    pp_phrase_add(line, " %s", what);
}

/* The skipped ones: the usual reasons first and in words. */
static void
add_skipped(struct pp_phrase *line, const struct pp_totals *t)
{
    uint64_t links = t->skipped_as[PDFPIPE_E_SYMLINK];
    uint64_t usual = t->skipped_as[PDFPIPE_E_ENCRYPTED] +
                     t->skipped_as[PDFPIPE_E_ALREADY_DONE] +
                     t->skipped_as[PDFPIPE_E_SIGNED] + links;

    add_part(line, t->skipped_as[PDFPIPE_E_ENCRYPTED], "already encrypted");
    add_part(line, t->skipped_as[PDFPIPE_E_ALREADY_DONE], "up to date");
    add_part(line, t->skipped_as[PDFPIPE_E_SIGNED], "signed (skipped)");
    add_part(line, links,
             links == 1 ? "symbolic link (skipped)"
                        : "symbolic links (skipped)");
    add_part(line, t->kind[PDFPIPE_SKIPPED] - usual, "skipped");
}

static void
say_counts(struct pp_console *console, const struct pp_totals *t)
{
    struct pp_phrase parts = { 0 }, line = { 0 };
    uint64_t cancelled = pp_totals_cancelled(t);

    if (!t->files) {
        pp_console_say(console, NULL, "no PDF files");
        return;
    }
    add_part(&parts, t->kind[PDFPIPE_ENCRYPTED], "encrypted");
    add_part(&parts, t->kind[PDFPIPE_WOULD_ENCRYPT], "would be encrypted");
    add_skipped(&parts, t);
    add_part(&parts, t->kind[PDFPIPE_FAILED] - cancelled, "failed");
    add_part(&parts, cancelled, "not finished");
    pp_phrase_counted(&line, t->files, "file", "files");
    if (!parts.failed && !line.failed)
        pp_console_say(console, NULL, "%s: %s", line.text, parts.text);
    pp_phrase_fini(&parts);
    pp_phrase_fini(&line);
}

static void
say_speed(struct pp_console *console, const struct pp_totals *t,
          const struct pdfpipe_progress *p)
{
    struct pp_phrase line = { 0 };

    pp_phrase_bytes(&line, (double)t->encrypted_bytes_in);
    pp_phrase_add(&line, " in ");
    pp_phrase_duration(&line, p->wall_ns);
    pp_phrase_add(&line, " (");
    pp_phrase_rate(&line, t->encrypted_bytes_in, p->wall_ns);
    pp_phrase_add(&line, "); payload ");
    pp_phrase_bytes(&line, (double)t->payload_bytes);
    pp_phrase_add(&line, ", encrypt phase ");
    pp_phrase_duration(&line, p->cipher_ns);
    pp_phrase_add(&line, " on ");
    pp_phrase_counted(&line, p->threads, "thread", "threads");
    pp_phrase_add(&line, " (");
    pp_phrase_rate(&line, t->payload_bytes, p->cipher_ns);
    pp_phrase_add(&line, " per thread-second)");
    if (!line.failed)
        pp_console_say(console, NULL, "%s", line.text);
    pp_phrase_fini(&line);
}

static void
say_warnings(struct pp_console *console, const struct pp_totals *t)
{
    struct pp_phrase line = { 0 };

    for (int i = 0; i < PDFPIPE_WARNING_CODES; i++)
        add_part(&line, t->warned_as[i],
                 pdfpipe_warning_id((enum pdfpipe_warning_code)i));
    if (line.length && !line.failed)
        pp_console_say(console, NULL, "warnings: %s", line.text);
    pp_phrase_fini(&line);
}

void
pp_summary_say(struct pp_console *console, const struct pp_totals *totals,
               const struct pdfpipe_progress *progress)
{
    say_counts(console, totals);
    if (totals->kind[PDFPIPE_ENCRYPTED])
        say_speed(console, totals, progress);
    say_warnings(console, totals);
}

static void
say_time(struct pp_console *console, const char *what, uint64_t ns,
         const char *which)
{
    struct pp_phrase line = { 0 };

    pp_phrase_duration(&line, ns);
    if (!line.failed)
        pp_console_say(console, "stats", "%-16s %10s  %s", what, line.text,
                       which);
    pp_phrase_fini(&line);
}

static void
say_bytes(struct pp_console *console, const char *what, uint64_t bytes,
          const char *which)
{
    struct pp_phrase line = { 0 };

    pp_phrase_count(&line, bytes);
    if (!line.failed)
        pp_console_say(console, "stats", "%-16s %10s  %s", what, line.text,
                       which);
    pp_phrase_fini(&line);
}

/* MB/s as drives are sold: 10^6 bytes. */
static void
say_megabytes(struct pp_console *console, const char *what, uint64_t bytes,
              uint64_t ns, const char *which)
{
    double speed = ns ? (double)bytes * 1e3 / (double)ns : 0;

    pp_console_say(console, "stats", "%-16s %10.1f  %s", what, speed, which);
}

void
pp_summary_stats(struct pp_console *console, const struct pp_totals *totals,
                 const struct pdfpipe_progress *p)
{
    say_bytes(console, "payload_bytes", totals->payload_bytes,
              "strings and streams through the cipher");
    say_bytes(console, "bytes_in", totals->encrypted_bytes_in, "read");
    say_bytes(console, "bytes_out", totals->bytes_out, "written");
    say_bytes(console, "objects", totals->objects, "");
    say_bytes(console, "streams", totals->streams, "");
    say_bytes(console, "strings", totals->strings, "");
    say_time(console, "wall", p->wall_ns, "from start to end");
    say_time(console, "encrypt phase", p->cipher_ns,
             "in the cipher alone, summed over workers");
    say_time(console, "password hashes", p->kdf_ns, "summed over workers");
    say_time(console, "workers", p->work_ns,
             "busy, summed, the two above included");
    say_time(console, "reader", p->read_ns, "busy");
    say_time(console, "writer", p->write_ns, "busy");
    say_time(console, "committer", p->commit_ns, "busy: sync, verify, rename");
    say_megabytes(console, "encrypt MB/s", totals->payload_bytes, p->cipher_ns,
                  "payload by encrypt phase, for each thread");
    say_megabytes(console, "run MB/s", totals->encrypted_bytes_in, p->wall_ns,
                  "bytes read by wall time");
}
