/*
 * encrypt.c - the command encrypt: a whole run, from passwords to summary
 *
 *   catalog --next()--> library's threads --result()--> inbox --> on_result()
 *   (reader's thread)                      (committer's)          (main)
 */
#include "cli/encrypt.h"

#include <stdatomic.h>
#include <unistd.h>

#include "batch/catalog.h"
#include "batch/failure.h"
#include "batch/report.h"
#include "batch/totals.h"
#include "cli/loop.h"
#include "cli/prompt.h"
#include "cli/summary.h"
#include "cli/tell.h"

struct encryption {
    struct pp_settings *settings;
    struct pp_console *console;
    struct pdfpipe_secret *password[PP_PASSWORD_ROLES];
    struct pdfpipe_run *run;
    struct pp_report *file_report; /* --report FILE */
    struct pp_report *out_report;  /* --json        */
    struct pp_totals totals;
    struct pp_loop loop;
    bool report_is_broken;
    struct pp_tell tell;

    struct pp_catalog *catalog; /* the reader's thread alone uses it       */
    struct pp_entry entry;      /* likewise                                */
    atomic_bool exhausted;      /* the catalog has given out its last one  */
};

/* On the reader's thread. */
static bool
next(void *arg, struct pdfpipe_job *job)
{
    struct encryption *e = arg;

    if (!pp_catalog_next(e->catalog, &e->entry)) {
        atomic_store(&e->exhausted, true);
        return false;
    }
    *job = (struct pdfpipe_job){
        .source = e->entry.source,
        .target = e->entry.target,
        .backup = e->entry.backup,
        /* Who names an output file means that one, as with cp; in a mirrored
         * folder nothing is replaced that was not made from the input. */
        .keep_target = e->entry.target && !e->entry.target_named,
        .skip = e->entry.kind == PP_ENTRY_SKIPPED,
    };
    if (e->entry.kind != PP_ENTRY_FILE)
        job->error = &e->entry.error;
    return true;
}

/* On the committer's thread, like finished(). */
static void
result(void *arg, const struct pdfpipe_result *r)
{
    struct encryption *e = arg;

    pp_inbox_put(e->loop.inbox, r);
}

static void
finished(void *arg)
{
    struct encryption *e = arg;

    pp_inbox_finish(e->loop.inbox);
}

static void
on_result(void *arg, const struct pdfpipe_result *r)
{
    struct encryption *e = arg;

    pp_totals_add(&e->totals, r);
    if (e->file_report)
        pp_report_file(e->file_report, r);
    if (e->out_report)
        pp_report_file(e->out_report, r);
    pp_tell_result(&e->tell, r);
}

static void
check_report(struct encryption *e, enum pdfpipe_status st,
             const struct pdfpipe_error *err)
{
    if (st && !e->report_is_broken)
        pp_console_say(e->console, "error", "%s; the report is not complete",
                       err->message);
    e->report_is_broken |= st != PDFPIPE_OK;
}

/* No result is waiting: what is known should be seen. */
static void
on_pause(void *arg)
{
    struct encryption *e = arg;
    struct pdfpipe_error err;

    if (e->file_report)
        check_report(e, pp_report_flush(e->file_report, &err), &err);
    if (e->out_report)
        check_report(e, pp_report_flush(e->out_report, &err), &err);
}

static void
wait_for_stdout(void *arg)
{
    pp_loop_wait(arg, STDOUT_FILENO);
}

static void
warn(void *arg, const char *text)
{
    struct pp_console *console = arg;

    if (!console->quiet)
        pp_console_say(console, "warning", "%s", text);
}

static enum pdfpipe_status
find_passwords(struct encryption *e, struct pdfpipe_error *err)
{
    struct pp_settings *s = e->settings;
    struct pp_password_request request = s->passwords;
    enum pdfpipe_status st;

    request.needs_owner =
        !s->run.random_owner_password && !s->run.allow_insecure;
    request.ask = !s->run.dry_run && pp_prompt_possible() ? pp_prompt : NULL;
    request.warn = warn;
    request.arg = e->console;
    st = pp_passwords_find(&request, e->password, err);
    if (st)
        return st;
    s->run.user_password = e->password[PP_USER_PASSWORD];
    s->run.owner_password = e->password[PP_OWNER_PASSWORD];
    /* To look what a run would do needs no password. */
    if (s->run.dry_run && !s->run.user_password && !s->run.owner_password)
        s->run.random_owner_password = true;
    return PDFPIPE_OK;
}

static enum pdfpipe_status
open_reports(struct encryption *e, struct pdfpipe_error *err)
{
    enum pdfpipe_status st = PDFPIPE_OK;

    if (e->settings->json)
        st = pp_report_attach(STDOUT_FILENO, wait_for_stdout, &e->loop,
                              &e->out_report, err);
    if (!st && e->settings->report)
        st = pp_report_open(e->settings->report, &e->file_report, err);
    return st;
}

static bool
shows_progress(const struct encryption *e)
{
    const struct pp_settings *s = e->settings;

    if (s->progress == PP_AUTO)
        return e->console->is_terminal && !s->quiet;
    return s->progress == PP_ALWAYS;
}

/* Everything that can be wrong before a document is touched. */
static enum pdfpipe_status
prepare(struct encryption *e, struct pdfpipe_error *err)
{
    struct pdfpipe_callbacks callbacks = {
        .arg = e,
        .next = next,
        .result = result,
        .finished = finished,
    };
    enum pdfpipe_status st;

    st = pp_catalog_new(&e->settings->catalog, &e->catalog, err);
    if (!st)
        st = find_passwords(e, err);
    if (!st)
        st = pdfpipe_run_new(&e->settings->run, &callbacks, &e->run, err);
    if (!st)
        st = open_reports(e, err);
    return st;
}

static void
release(struct encryption *e)
{
    pdfpipe_run_free(e->run);
    pp_catalog_free(e->catalog);
    for (int i = 0; i < PP_PASSWORD_ROLES; i++)
        pdfpipe_secret_free(e->password[i]);
    pp_tell_fini(&e->tell);
}

/* No document was touched: what stands in the way is the caller's to mend,
 * unless another try can mend it or the program is wrong. */
static int
refuse_start(struct encryption *e, const struct pdfpipe_error *err)
{
    int code = pdfpipe_status_exit(err->code);

    pp_report_discard(e->file_report);
    pp_report_discard(e->out_report);
    pp_console_say(e->console, "error", "%s", err->message);
    release(e);
    return code == 70 || code == 75 ? code : 2;
}

static void
say_end(struct encryption *e, const struct pdfpipe_progress *progress,
        bool work_left)
{
    uint64_t failures =
        e->totals.kind[PDFPIPE_FAILED] - pp_totals_cancelled(&e->totals);

    if (e->console->quiet ? failures || work_left : true)
        pp_summary_say(e->console, &e->totals, progress);
    if (e->settings->stats)
        pp_summary_stats(e->console, &e->totals, progress);
    if (work_left)
        pp_console_say(e->console, NULL,
                       "stopped before the end; the same command goes on "
                       "from there");
    pp_tell_failures(&e->tell, failures);
}

/* The file first: the line on stdout can then have the true exit code. */
static int
close_reports(struct encryption *e, struct pp_report_end *end)
{
    struct pp_report *reports[] = { e->file_report, e->out_report };
    struct pdfpipe_error err;

    for (size_t i = 0; i < sizeof reports / sizeof reports[0]; i++) {
        if (e->report_is_broken)
            end->exit_code = pdfpipe_status_exit(PDFPIPE_E_WRITE);
        if (reports[i])
            check_report(e, pp_report_close(reports[i], end, &err), &err);
    }
    return e->report_is_broken ? pdfpipe_status_exit(PDFPIPE_E_WRITE)
                               : end->exit_code;
}

/* After the last result: tells the sums and gives the exit code.  What the run
 * says as a whole counts only if it is an internal error that belongs to no
 * document: everything else is in the totals. */
static int
finish(struct encryption *e, const struct pdfpipe_error *joined)
{
    struct pdfpipe_progress progress;
    struct pp_report_end end = {
        .totals = &e->totals,
        .progress = &progress,
        .dry_run = e->settings->run.dry_run,
    };
    bool work_left = e->loop.signals_seen && (!atomic_load(&e->exhausted) ||
                                              pp_totals_cancelled(&e->totals));

    pdfpipe_run_progress(e->run, &progress);
    end.interrupted = e->loop.signals_seen != 0;
    end.exit_code = pp_totals_exit(&e->totals, work_left);
    if (end.exit_code < 70 && joined &&
        pdfpipe_status_exit(joined->code) == 70) {
        pp_console_say(e->console, "error", "%s", joined->message);
        end.exit_code = 70;
    }
    say_end(e, &progress, work_left);
    return close_reports(e, &end);
}

int
pp_encrypt(struct pp_settings *settings, struct pp_console *console)
{
    struct encryption e = { .settings = settings,
                            .console = console,
                            .tell = { .console = console } };
    enum pdfpipe_status joined;
    struct pdfpipe_error err = { 0 };
    int code;

    if (prepare(&e, &err))
        return refuse_start(&e, &err);
    if (settings->accessibility_refused && !console->quiet)
        pp_console_say(console, "note",
                       "--accessibility=n: reading aloud stays allowed; "
                       "since PDF 2.0 the bit has no meaning");
    e.loop.console = console;
    e.loop.totals = &e.totals;
    e.loop.on_result = on_result;
    e.loop.on_pause = on_pause;
    e.loop.arg = &e;
    e.loop.shows_progress = shows_progress(&e);
    e.loop.to_count = &settings->catalog;
    if (pp_loop_init(&e.loop, &err))
        return refuse_start(&e, &err);
    if (pdfpipe_run_start(e.run, &err)) {
        pp_loop_fini(&e.loop);
        return refuse_start(&e, &err);
    }
    pp_loop_go(&e.loop, e.run);
    joined = pdfpipe_run_join(e.run, &err);
    code = finish(&e, joined ? &err : NULL);
    pp_loop_fini(&e.loop);
    release(&e);
    return code;
}
