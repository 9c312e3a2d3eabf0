/* run_place_test.c - what stands where after a run, and what is left alone? */
#include <pdfpipe/pdfpipe.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "batch.h"
#include "check.h"
#include "samples.h"
#include "scratch.h"

#define NOBODY 65534u

/* ---- helpers ---- */

static const struct sample *sample; /* what put_source() makes */

static void
put_source(const char *name)
{
    sample_put(sample, 1, name);
}

static bool
is_source(const char *name)
{
    struct pdftext *p = sample->make(1);
    bool same = scratch_holds(name, pdf_data(p), pdf_size(p));

    pdf_free(p);
    return same;
}

static bool
is_encrypted(const char *name)
{
    char text[8192];
    FILE *f = fopen(name, "re");
    size_t n = 0;

    if (f) {
        n = fread(text, 1, sizeof text, f);
        (void)fclose(f);
    }
    return n > 0 && memmem(text, n, "/Encrypt ", 9) && !is_source(name);
}

static void
put_text(const char *name, const char *text)
{
    scratch_put(name, text, strlen(text));
}

static bool
holds_text(const char *name, const char *text)
{
    return scratch_holds(name, text, strlen(text));
}

static bool
exists(const char *name)
{
    struct stat st;

    return lstat(name, &st) == 0;
}

/* Sets both times, in seconds since 1970. */
static void
set_time(const char *name, time_t s)
{
    struct timespec t[2] = { { s, 5 }, { s, 5 } };

    if (utimensat(AT_FDCWD, name, t, AT_SYMLINK_NOFOLLOW))
        abort();
}

static void
need(bool holds)
{
    if (!holds)
        abort();
}

/* Runs one job; the status of its result. */
static struct pdfpipe_result
run_one(struct pdfpipe_job job, const struct pdfpipe_options *options)
{
    struct batch b = { .job = &job, .jobs = 1 };
    struct pdfpipe_result r;

    job.tag = &job;
    if (options)
        b.options = *options;
    else
        batch_options(&b.options);
    if (b.options.threads == 0)
        b.options.threads = 2;
    batch_run(&b);
    r = b.result[0];
    CHECK(b.told == 1 && !b.out_of_order, "told %zu", b.told);
    CHECK(b.joined == (r.kind == PDFPIPE_FAILED ? r.error.code : PDFPIPE_OK),
          "joined: %s", pdfpipe_status_id(b.joined));
    batch_free(&b);
    return r;
}

static void
expect(const char *what, const struct pdfpipe_result *r,
       enum pdfpipe_result_kind kind, enum pdfpipe_status status)
{
    CHECK(r->kind == kind && r->error.code == status, "%s: kind %d, %s: %s",
          what, r->kind, pdfpipe_status_id(r->error.code), r->error.message);
    CHECK(scratch_count(".", ".pdfpipe-") == 0, "%s: temporary files", what);
}

static void
begin(void)
{
    scratch_enter(NULL);
    put_source("s.pdf");
}

static void
end(void)
{
    scratch_leave();
}

/* ---- targets ---- */

static void
are_missing_folders_made(void)
{
    struct pdfpipe_result r;

    begin();
    r = run_one(
        (struct pdfpipe_job){ .source = "s.pdf", .target = "a/b/c/t.pdf" },
        NULL);
    expect("missing folders", &r, PDFPIPE_ENCRYPTED, PDFPIPE_OK);
    CHECK(is_encrypted("a/b/c/t.pdf") && is_source("s.pdf"), "both");
    CHECK(scratch_count("a/b/c", "") == 1, "nothing else");
    end();
}

static void
what_becomes_of_a_target_that_is_there(void)
{
    static const struct {
        const char *name;
        bool encrypted; /* else plain text */
        int newer;      /* than the source, in seconds */
        bool keep;
        enum pdfpipe_result_kind kind;
        enum pdfpipe_status status;
    } rows[] = {
        { "plain, may be replaced", false, 1, false, PDFPIPE_ENCRYPTED,
          PDFPIPE_OK },
        { "plain, is kept", false, 1, true, PDFPIPE_FAILED,
          PDFPIPE_E_TARGET_EXISTS },
        { "plain and older, is kept", false, -1, true, PDFPIPE_FAILED,
          PDFPIPE_E_TARGET_EXISTS },
        { "encrypted and newer", true, 1, true, PDFPIPE_SKIPPED,
          PDFPIPE_E_ALREADY_DONE },
        { "encrypted, as old", true, 0, true, PDFPIPE_SKIPPED,
          PDFPIPE_E_ALREADY_DONE },
        { "encrypted and older", true, -1, true, PDFPIPE_ENCRYPTED,
          PDFPIPE_OK },
        { "encrypted and newer, may be replaced", true, 1, false,
          PDFPIPE_ENCRYPTED, PDFPIPE_OK },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pdfpipe_job job = { .source = "s.pdf", .target = "t.pdf" };
        struct pdfpipe_result r;
        struct stat before, after;

        begin();
        if (rows[i].encrypted)
            (void)run_one(job, NULL);
        else
            put_text("t.pdf", "mine");
        set_time("s.pdf", 1000000);
        set_time("t.pdf", 1000000 + rows[i].newer);
        need(stat("t.pdf", &before) == 0);
        job.keep_target = rows[i].keep;
        r = run_one(job, NULL);
        expect(rows[i].name, &r, rows[i].kind, rows[i].status);
        need(stat("t.pdf", &after) == 0);
        if (rows[i].kind == PDFPIPE_ENCRYPTED) {
            CHECK(is_encrypted("t.pdf") && after.st_ino != before.st_ino,
                  "%s: replaced", rows[i].name);
        } else {
            CHECK(after.st_ino == before.st_ino &&
                      after.st_mtim.tv_sec == before.st_mtim.tv_sec &&
                      after.st_size == before.st_size,
                  "%s: left alone", rows[i].name);
            CHECK(rows[i].encrypted || holds_text("t.pdf", "mine"), "%s",
                  rows[i].name);
        }
        CHECK(is_source("s.pdf"), "%s: source", rows[i].name);
        end();
    }
}

/* What is no regular file is never replaced, and that is no success. */
static void
what_if_the_target_is_no_file(void)
{
    struct pdfpipe_job job = { .source = "s.pdf", .target = "t.pdf" };
    struct pdfpipe_result r;

    begin();
    need(mkdir("t.pdf", 0755) == 0);
    r = run_one(job, NULL);
    expect("folder", &r, PDFPIPE_FAILED, PDFPIPE_E_NOT_REGULAR);
    need(rmdir("t.pdf") == 0 && mkfifo("t.pdf", 0600) == 0);
    r = run_one(job, NULL);
    expect("FIFO", &r, PDFPIPE_FAILED, PDFPIPE_E_NOT_REGULAR);
    put_text("other", "mine");
    need(unlink("t.pdf") == 0 && symlink("other", "t.pdf") == 0);
    r = run_one(job, NULL);
    expect("link", &r, PDFPIPE_FAILED, PDFPIPE_E_NOT_REGULAR);
    CHECK(holds_text("other", "mine"), "what the link points at");
    need(unlink("t.pdf") == 0 && symlink("nowhere", "t.pdf") == 0);
    r = run_one(job, NULL);
    expect("dangling link", &r, PDFPIPE_FAILED, PDFPIPE_E_NOT_REGULAR);
    CHECK(!exists("nowhere") && is_source("s.pdf"), "nothing was made");
    /* A loop on the way is an error of the file system, not a source to be
     * passed over. */
    need(symlink("loop", "loop") == 0);
    job.target = "loop/t.pdf";
    r = run_one(job, NULL);
    CHECK(r.kind == PDFPIPE_FAILED && r.error.code == PDFPIPE_E_SYMLINK,
          "loop: kind %d, %s", r.kind, r.error.message);
    job.target = "s.pdf/t.pdf";
    r = run_one(job, NULL);
    CHECK(r.kind == PDFPIPE_FAILED, "a file as folder: %s", r.error.message);
    end();
}

static void
is_the_source_as_target_replaced_in_place(void)
{
    static const char *const targets[] = { "s.pdf", "./s.pdf", "d/../s.pdf",
                                           "link/s.pdf" };

    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        struct pdfpipe_result r;

        begin();
        need(mkdir("d", 0755) == 0 && symlink(".", "link") == 0);
        r = run_one(
            (struct pdfpipe_job){ .source = "s.pdf", .target = targets[i] },
            NULL);
        expect(targets[i], &r, PDFPIPE_ENCRYPTED, PDFPIPE_OK);
        CHECK(is_encrypted("s.pdf"), "%s", targets[i]);
        end();
    }
}

/* ---- sources ---- */

static void
which_sources_are_left_alone(void)
{
    struct pdfpipe_options o;
    struct pdfpipe_result r;

    begin();
    need(symlink("s.pdf", "l.pdf") == 0 && mkdir("d.pdf", 0755) == 0 &&
         mkfifo("f.pdf", 0600) == 0 && symlink("loop", "loop") == 0);
    r = run_one((struct pdfpipe_job){ .source = "l.pdf" }, NULL);
    expect("link", &r, PDFPIPE_SKIPPED, PDFPIPE_E_SYMLINK);
    r = run_one((struct pdfpipe_job){ .source = "l.pdf", .target = "t.pdf" },
                NULL);
    expect("link to a target", &r, PDFPIPE_SKIPPED, PDFPIPE_E_SYMLINK);
    r = run_one((struct pdfpipe_job){ .source = "loop/s.pdf" }, NULL);
    expect("loop on the way", &r, PDFPIPE_FAILED, PDFPIPE_E_SYMLINK);
    r = run_one((struct pdfpipe_job){ .source = "d.pdf" }, NULL);
    expect("folder", &r, PDFPIPE_FAILED, PDFPIPE_E_NOT_REGULAR);
    r = run_one((struct pdfpipe_job){ .source = "f.pdf" }, NULL);
    expect("FIFO", &r, PDFPIPE_FAILED, PDFPIPE_E_NOT_REGULAR);
    r = run_one((struct pdfpipe_job){ .source = "none.pdf" }, NULL);
    expect("missing", &r, PDFPIPE_FAILED, PDFPIPE_E_NOT_FOUND);
    r = run_one((struct pdfpipe_job){ .source = "" }, NULL);
    expect("no name", &r, PDFPIPE_FAILED, PDFPIPE_E_NOT_FOUND);

    need(link("s.pdf", "s2.pdf") == 0);
    r = run_one((struct pdfpipe_job){ .source = "s.pdf" }, NULL);
    expect("two names", &r, PDFPIPE_FAILED, PDFPIPE_E_HARD_LINKS);
    r = run_one((struct pdfpipe_job){ .source = "s.pdf", .target = "s2.pdf" },
                NULL);
    expect("its other name as target", &r, PDFPIPE_FAILED,
           PDFPIPE_E_HARD_LINKS);
    r = run_one((struct pdfpipe_job){ .source = "s.pdf", .target = "t.pdf" },
                NULL);
    expect("two names, to a target", &r, PDFPIPE_ENCRYPTED, PDFPIPE_OK);
    need(unlink("s2.pdf") == 0 && unlink("t.pdf") == 0);

    need(chmod("s.pdf", 0444) == 0);
    r = run_one((struct pdfpipe_job){ .source = "s.pdf" }, NULL);
    expect("write-protected", &r, PDFPIPE_SKIPPED, PDFPIPE_E_READ_ONLY_FILE);
    put_source("s3.pdf");
    need(chmod("s3.pdf", 0444) == 0);
    batch_options(&o);
    o.force = true;
    r = run_one((struct pdfpipe_job){ .source = "s3.pdf" }, &o);
    expect("write-protected, with force", &r, PDFPIPE_ENCRYPTED, PDFPIPE_OK);
    CHECK(is_encrypted("s3.pdf"), "replaced");
    r = run_one((struct pdfpipe_job){ .source = "s.pdf", .target = "t.pdf" },
                NULL);
    expect("write-protected, to a target", &r, PDFPIPE_ENCRYPTED, PDFPIPE_OK);
    CHECK(is_source("s.pdf") && is_source("l.pdf"), "all are as they were");
    end();
}

/* ---- backups ---- */

static void
where_is_the_original_kept(void)
{
    struct pdfpipe_job job = { .source = "s.pdf", .backup = "old/x/s.pdf" };
    struct pdfpipe_result r;
    struct stat st, kept;

    begin();
    need(stat("s.pdf", &st) == 0);
    r = run_one(job, NULL);
    expect("new backup", &r, PDFPIPE_ENCRYPTED, PDFPIPE_OK);
    need(stat("old/x/s.pdf", &kept) == 0);
    CHECK(is_encrypted("s.pdf") && is_source("old/x/s.pdf"), "both");
    CHECK(kept.st_ino == st.st_ino && kept.st_nlink == 1, "a hard link");

    put_source("s.pdf");
    r = run_one(job, NULL);
    expect("second backup", &r, PDFPIPE_ENCRYPTED, PDFPIPE_OK);
    CHECK(is_source("old/x/s.pdf") && is_source("old/x/s.pdf.1"), "numbered");

    job.target = "t.pdf";
    put_source("s.pdf");
    r = run_one(job, NULL);
    expect("not in place", &r, PDFPIPE_ENCRYPTED, PDFPIPE_OK);
    CHECK(scratch_count("old/x", "") == 2, "no backup of what stays");
    end();
}

/* A run that was cut short has made its backup already. */
static void
can_a_run_with_backups_be_repeated(void)
{
    struct pdfpipe_job job = { .source = "s.pdf", .backup = "b.pdf" };
    struct pdfpipe_result r;

    begin();
    need(link("s.pdf", "b.pdf") == 0);
    r = run_one(job, NULL);
    expect("a backup that is there", &r, PDFPIPE_ENCRYPTED, PDFPIPE_OK);
    CHECK(is_encrypted("s.pdf") && is_source("b.pdf"), "both");
    CHECK(!exists("b.pdf.1"), "one is enough");
    end();

    begin();
    put_text("b.pdf", "an older one");
    put_text("b.pdf.1", "another older one");
    need(link("s.pdf", "b.pdf.2") == 0);
    r = run_one(job, NULL);
    expect("a numbered backup that is there", &r, PDFPIPE_ENCRYPTED,
           PDFPIPE_OK);
    CHECK(is_encrypted("s.pdf") && is_source("b.pdf.2"), "both");
    CHECK(holds_text("b.pdf", "an older one") &&
              holds_text("b.pdf.1", "another older one") && !exists("b.pdf.3"),
          "the others");
    end();

    begin();
    need(link("s.pdf", "b.pdf.1") == 0);
    r = run_one(job, NULL);
    expect("a second name behind a gap is none", &r, PDFPIPE_FAILED,
           PDFPIPE_E_HARD_LINKS);
    CHECK(is_source("s.pdf") && !exists("b.pdf"), "left alone");
    end();
}

static void
is_there_no_backup_without_output(void)
{
    static const char *const names[] = { "damaged", "signed", "no_pdf" };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct pdfpipe_result r;

        sample = sample_named(names[i]);
        begin();
        r = run_one(
            (struct pdfpipe_job){ .source = "s.pdf", .backup = "b/s.pdf" },
            NULL);
        expect(names[i], &r, sample->kind, sample->status);
        CHECK(is_source("s.pdf") && !exists("b/s.pdf"), "%s", names[i]);
        end();
    }
    sample = sample_named("small");
}

/* ---- attributes ---- */

static void
what_is_kept_of_the_file(void)
{
    struct pdfpipe_result r;
    struct stat st;
    mode_t mask = umask(022);

    begin();
    need(chmod("s.pdf", 0660) == 0);
    set_time("s.pdf", 1234567);
    r = run_one((struct pdfpipe_job){ .source = "s.pdf", .target = "t.pdf" },
                NULL);
    expect("to a target", &r, PDFPIPE_ENCRYPTED, PDFPIPE_OK);
    need(stat("t.pdf", &st) == 0);
    CHECK((st.st_mode & 07777) == 0640, "mode %04o", st.st_mode & 07777);
    CHECK(st.st_mtim.tv_sec != 1234567, "a new file has a new time");
    r = run_one((struct pdfpipe_job){ .source = "s.pdf" }, NULL);
    expect("in place", &r, PDFPIPE_ENCRYPTED, PDFPIPE_OK);
    need(stat("s.pdf", &st) == 0);
    CHECK((st.st_mode & 07777) == 0660, "mode %04o", st.st_mode & 07777);
    CHECK(st.st_mtim.tv_sec == 1234567 && st.st_mtim.tv_nsec == 5, "time");
    CHECK(r.warnings == 0, "%u warnings", r.warnings);
    end();
    (void)umask(mask);
}

/* ---- no room ---- */

static void
what_if_the_disk_is_full(void)
{
    static const enum pdfpipe_durability ways[] = { PDFPIPE_DURABLE_GROUP,
                                                    PDFPIPE_DURABLE_FILE,
                                                    PDFPIPE_DURABLE_NONE };
    struct pdfpipe_options o;
    struct pdfpipe_result r;

    scratch_enter(NULL);
    if (!scratch_tmpfs("full", "size=20m") ||
        !scratch_tmpfs("few", "size=2m,nr_inodes=3")) {
        check_skip("a full disk: mounting is not permitted");
        scratch_leave();
        return;
    }
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        batch_options(&o);
        o.durability = ways[i];
        sample = sample_named("stream_10m");
        put_source("full/a.pdf");
        /* Some room, but less than another one needs. */
        r = run_one((struct pdfpipe_job){ .source = "full/a.pdf",
                                          .target = "full/t.pdf" },
                    &o);
        expect("to a target, once", &r, PDFPIPE_FAILED, PDFPIPE_E_NO_SPACE);
        CHECK(pdfpipe_status_retryable(r.error.code), "a retry can help");
        CHECK(r.error.sys_errno != 0, "with an errno");
        r = run_one((struct pdfpipe_job){ .source = "full/a.pdf" }, &o);
        expect("in place", &r, PDFPIPE_FAILED, PDFPIPE_E_NO_SPACE);
        CHECK(is_source("full/a.pdf"), "the original");
        CHECK(scratch_count("full", "") == 1, "nothing else is left");
    }
    sample = sample_named("small");
    put_source("few/a.pdf");
    put_text("few/b", "");
    r = run_one((struct pdfpipe_job){ .source = "few/a.pdf" }, NULL);
    expect("no inode", &r, PDFPIPE_FAILED, PDFPIPE_E_NO_SPACE);
    CHECK(is_source("few/a.pdf") && scratch_count("few", "") == 2, "as before");
    scratch_leave();
}

/* ---- without rights ---- */

/* Runs the function as somebody who owns nothing here, in a child; its number
 * of failures. */
static int
as_nobody(void (*fn)(void))
{
    int status = 0;
    pid_t child;

    batch_secrets_free(); /* secrets do not pass to a child */
    need(fflush(stdout) == 0);
    child = fork();
    need(child >= 0);
    if (child == 0) {
        int failed;

        need(setgid(NOBODY) == 0 && setuid(NOBODY) == 0);
        fn();
        failed = check_report("as nobody");
        need(fflush(stdout) == 0);
        _exit(failed);
    }
    need(waitpid(child, &status, 0) == child);
    return status;
}

static void
try_without_rights(void)
{
    struct pdfpipe_options o;
    struct pdfpipe_result r;

    batch_options(&o);
    o.durability = PDFPIPE_DURABLE_GROUP;
    r = run_one((struct pdfpipe_job){ .source = "s.pdf" }, &o);
    expect("a folder that is not mine", &r, PDFPIPE_FAILED,
           PDFPIPE_E_PERMISSION);
    CHECK(!pdfpipe_status_retryable(r.error.code), "a retry does not help");
    r = run_one(
        (struct pdfpipe_job){ .source = "secret.pdf", .target = "mine/t.pdf" },
        &o);
    expect("a source that I may not read", &r, PDFPIPE_FAILED,
           PDFPIPE_E_PERMISSION);
    /* It cannot be opened, so its group could not be synced. */
    r = run_one(
        (struct pdfpipe_job){ .source = "s.pdf", .target = "blind/t.pdf" }, &o);
    expect("a folder that I may not read", &r, PDFPIPE_ENCRYPTED, PDFPIPE_OK);
    CHECK(is_encrypted("blind/t.pdf"), "it is there");
    CHECK(r.warnings == 1 && r.warning[0].code == PDFPIPE_W_DIR_NOT_SYNCED,
          "%u warnings", r.warnings);
}

static void
what_if_rights_are_missing(void)
{
    if (geteuid() != 0) {
        check_skip("missing rights: only root can drop them");
        return;
    }
    begin();
    put_source("secret.pdf");
    need(chmod(".", 0755) == 0 && chmod("secret.pdf", 0600) == 0 &&
         mkdir("mine", 0700) == 0 && chown("mine", NOBODY, NOBODY) == 0 &&
         mkdir("blind", 0300) == 0 && chown("blind", NOBODY, NOBODY) == 0);
    CHECK(as_nobody(try_without_rights) == 0, "as nobody");
    CHECK(is_source("s.pdf") && is_source("secret.pdf"), "as before");
    end();
}

int
main(void)
{
    sample = sample_named("small");
    are_missing_folders_made();
    what_becomes_of_a_target_that_is_there();
    what_if_the_target_is_no_file();
    is_the_source_as_target_replaced_in_place();
    which_sources_are_left_alone();
    where_is_the_original_kept();
    can_a_run_with_backups_be_repeated();
    is_there_no_backup_without_output();
    what_is_kept_of_the_file();
    what_if_the_disk_is_full();
    what_if_rights_are_missing();
    batch_secrets_free();
    return check_report("run_place_test");
}
