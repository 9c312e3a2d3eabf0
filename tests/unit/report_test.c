/* report_test.c - is a report complete and true, or missing? */
#include "batch/report.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

static char scratch[] = "/tmp/report_test.XXXXXX";

/* clang-format off */
static const struct {
    const char *what;
    struct pdfpipe_result result;
    const char *want;
} rows[] = {
    { "encrypted in place",
      { .kind = PDFPIPE_ENCRYPTED, .source = "a.pdf", .target = "a.pdf",
        .bytes_in = 100, .bytes_out = 200, .objects = 3, .streams = 2,
        .strings = 1, .payload_bytes = 50, .wall_ns = 1234567 },
      "{\"path\":\"a.pdf\",\"result\":\"encrypted\",\"retryable\":false,"
      "\"bytes_in\":100,\"bytes_out\":200,\"objects\":3,\"streams\":2,"
      "\"strings\":1,\"payload_bytes\":50,\"warnings\":[],\"ms\":1.234}\n" },
    { "encrypted elsewhere, with warnings",
      { .kind = PDFPIPE_ENCRYPTED, .source = "a\n.pdf", .target = "o/\xff",
        .warnings = 2,
        .warnings_kept = 2,
        .warning = { { PDFPIPE_W_TAIL_JUNK, 0, 77 },
                     { PDFPIPE_W_DEAD_ENTRY, 9, PDFPIPE_NO_OFFSET } } },
      "{\"path\":\"a\\n.pdf\",\"target\":\"o/\xef\xbf\xbd\","
      "\"target_b64\":\"by//\",\"result\":\"encrypted\",\"retryable\":false,"
      "\"bytes_in\":0,\"bytes_out\":0,\"objects\":0,\"streams\":0,"
      "\"strings\":0,\"payload_bytes\":0,\"warnings\":["
      "{\"id\":\"tail_junk\",\"severity\":\"note\",\"offset\":77},"
      "{\"id\":\"dead_entry\",\"severity\":\"suspect\",\"object\":9}],"
      "\"ms\":0.000}\n" },
    { "failed, place known",
      { .kind = PDFPIPE_FAILED, .source = "b.pdf", .target = "b.pdf",
        .error = { .code = PDFPIPE_E_DAMAGED_STREAM, .offset = 0,
                   .object = 812, .message = "stream \"runs\" on" } },
      "{\"path\":\"b.pdf\",\"result\":\"failed\","
      "\"reason\":\"damaged_stream\",\"message\":\"stream \\\"runs\\\" on\","
      "\"object\":812,\"offset\":0,\"retryable\":false,"
      "\"bytes_in\":0,\"bytes_out\":0,\"objects\":0,\"streams\":0,"
      "\"strings\":0,\"payload_bytes\":0,\"warnings\":[],\"ms\":0.000}\n" },
    { "failed, to be tried again",
      { .kind = PDFPIPE_FAILED, .source = "c.pdf", .target = NULL,
        .error = { .code = PDFPIPE_E_NO_SPACE, .offset = PDFPIPE_NO_OFFSET } },
      "{\"path\":\"c.pdf\",\"result\":\"failed\",\"reason\":\"no_space\","
      "\"message\":\"no space left\",\"retryable\":true,"
      "\"bytes_in\":0,\"bytes_out\":0,\"objects\":0,\"streams\":0,"
      "\"strings\":0,\"payload_bytes\":0,\"warnings\":[],\"ms\":0.000}\n" },
    { "skipped",
      { .kind = PDFPIPE_SKIPPED, .source = "d.pdf", .target = "d.pdf",
        .error = { .code = PDFPIPE_E_BUSY, .offset = PDFPIPE_NO_OFFSET,
                   .message = "m" } },
      "{\"path\":\"d.pdf\",\"result\":\"skipped\",\"reason\":\"busy\","
      "\"message\":\"m\",\"retryable\":false,"
      "\"bytes_in\":0,\"bytes_out\":0,\"objects\":0,\"streams\":0,"
      "\"strings\":0,\"payload_bytes\":0,\"warnings\":[],\"ms\":0.000}\n" },
    { "dry run",
      { .kind = PDFPIPE_WOULD_ENCRYPT, .source = "e.pdf", .target = "e.pdf" },
      "{\"path\":\"e.pdf\",\"result\":\"would_encrypt\",\"retryable\":false,"
      "\"bytes_in\":0,\"bytes_out\":0,\"objects\":0,\"streams\":0,"
      "\"strings\":0,\"payload_bytes\":0,\"warnings\":[],\"ms\":0.000}\n" },
};
/* clang-format on */
#define ROWS (sizeof rows / sizeof rows[0])

static char *
content(const char *path, size_t *n)
{
    static char text[1 << 20];
    int fd = open(path, O_RDONLY);
    ssize_t k = fd < 0 ? -1 : read(fd, text, sizeof text - 1);

    if (fd >= 0)
        (void)close(fd);
    if (k < 0)
        return NULL;
    text[k] = '\0';
    *n = (size_t)k;
    return text;
}

static bool
exists(const char *path)
{
    struct stat st;

    return lstat(path, &st) == 0;
}

static struct pp_report_end
end_of(const struct pp_totals *totals)
{
    static const struct pdfpipe_progress progress = {
        .threads = 2,
        .engine = "evp",
        .wall_ns = 5000000,
        .cipher_ns = 1000,
    };

    return (struct pp_report_end){ .totals = totals, .progress = &progress };
}

static void
has_each_file_its_line(void)
{
    struct pp_totals totals = { 0 };
    struct pp_report_end end = end_of(&totals);
    struct pp_report *r;
    struct pdfpipe_error err;
    char *text, *at;
    size_t n = 0;

    if (!CHECK(!pp_report_open("r.jsonl", &r, &err), "%s", err.message))
        return;
    for (size_t i = 0; i < ROWS; i++) {
        pp_report_file(r, &rows[i].result);
        pp_totals_add(&totals, &rows[i].result);
    }
    CHECK(!pp_report_flush(r, &err), "%s", err.message);
    CHECK(exists("r.jsonl.partial") && !exists("r.jsonl"),
          "not under its name before the end");
    end.exit_code = 75;
    CHECK(!pp_report_close(r, &end, &err), "%s", err.message);
    CHECK(!exists("r.jsonl.partial"), "renamed");
    at = text = content("r.jsonl", &n);
    for (size_t i = 0; i < ROWS && text; i++) {
        size_t k = strlen(rows[i].want);

        CHECK(strncmp(at, rows[i].want, k) == 0, "%s: %.*s", rows[i].what,
              (int)strcspn(at, "\n"), at);
        at += strcspn(at, "\n") + 1;
    }
    CHECK(text &&
              strcmp(at, "{\"summary\":{\"version\":\"" PDFPIPE_VERSION_STRING
                         "\",\"exit_code\":75,\"interrupted\":false,"
                         "\"dry_run\":false,\"files\":6,\"encrypted\":2,"
                         "\"would_encrypt\":1,\"skipped\":1,\"failed\":2,"
                         "\"skipped_by_reason\":{\"busy\":1},"
                         "\"failed_by_reason\":{\"no_space\":1,"
                         "\"damaged_stream\":1},\"retryable\":1,"
                         "\"bytes_in\":100,\"bytes_out\":200,\"objects\":3,"
                         "\"streams\":2,\"strings\":1,\"payload_bytes\":50,"
                         "\"warnings\":2,\"warnings_by_id\":{\"tail_junk\":1,"
                         "\"dead_entry\":1},\"threads\":2,"
                         "\"engine\":\"evp\",\"ms\":5.000,"
                         "\"encrypt_ms\":0.001,\"kdf_ms\":0.000,"
                         "\"read_ms\":0.000,\"work_ms\":0.000,"
                         "\"write_ms\":0.000,\"commit_ms\":0.000}}\n") == 0,
          "summary: %s", at);
    CHECK(unlink("r.jsonl") == 0, "clean");
}

static void
does_a_discarded_report_leave_nothing(void)
{
    struct pp_report *r;

    CHECK(!pp_report_open("r", &r, NULL), "open");
    pp_report_file(r, &rows[0].result);
    pp_report_discard(r);
    pp_report_discard(NULL);
    CHECK(!exists("r") && !exists("r.partial"), "something is left");
}

static void
is_an_old_report_kept_until_the_new_is_complete(void)
{
    struct pp_totals totals = { 0 };
    struct pp_report_end end = end_of(&totals);
    struct pp_report *r;
    size_t n = 0;
    char *text;

    CHECK(system("echo old > r; printf '{\"path\":\"older' > r.partial") == 0,
          "old");
    if (!CHECK(!pp_report_open("r", &r, NULL), "open"))
        return;
    pp_report_discard(r);
    text = content("r", &n);
    CHECK(text && strcmp(text, "old\n") == 0, "kept when discarded");
    if (!CHECK(!pp_report_open("r", &r, NULL), "open"))
        return;
    CHECK(!pp_report_close(r, &end, NULL), "close");
    text = content("r", &n);
    CHECK(text && strncmp(text, "{\"summary\"", 10) == 0, "replaced: %s", text);
    CHECK(unlink("r") == 0, "clean");
}

static void
is_nobody_elses_file_replaced(void)
{
    struct pdfpipe_error err;
    struct pp_report *r;
    size_t n = 0;

    CHECK(system("echo junk%PDF-1.7 > d.pdf") == 0, "file");
    CHECK(pp_report_open("d.pdf", &r, &err) == PDFPIPE_E_USAGE && !r, "%s",
          err.message);
    CHECK(strcmp(content("d.pdf", &n), "junk%PDF-1.7\n") == 0, "document");
    CHECK(!unlink("d.pdf"), "clean");
}

/* What stands under the name of a partial report. */
static void
which_leftover_is_ours(void)
{
    static const struct {
        const char *what, *make;
        bool ours;
    } kinds[] = {
        { "text", "echo mine > o.partial", false },
        { "other JSON", "echo '{\"a\":1}' > o.partial", false },
        { "a list", "echo '[{\"path\":' > o.partial", false },
        { "nearly", "printf '{\"pat\":' > o.partial", false },
        { "a link", "ln -s elsewhere o.partial", false },
        { "a folder", "mkdir o.partial", false },
        { "a pipe", "mkfifo o.partial", false },
        { "lines", "echo '{\"path\":\"a\"}' > o.partial", true },
        { "the closing line", "echo '{\"summary\":{}}' > o.partial", true },
        { "a cut line", "printf '{\"pa' > o.partial", true },
        { "nothing yet", ": > o.partial", true },
    };

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct pdfpipe_error err = { .code = PDFPIPE_OK };
        struct pp_report *r = NULL;
        enum pdfpipe_status st;

        CHECK(system(kinds[i].make) == 0, "%s", kinds[i].what);
        CHECK(system("cp -RP o.partial before") == 0, "%s", kinds[i].what);
        st = pp_report_open("o", &r, &err);
        CHECK(st == (kinds[i].ours ? PDFPIPE_OK : PDFPIPE_E_USAGE), "%s: %s",
              kinds[i].what, err.message);
        CHECK(kinds[i].ours ||
                  system("if [ -f before ]; then cmp -s before "
                         "o.partial; else [ ! -f o.partial ]; fi") == 0,
              "%s: changed", kinds[i].what);
        pp_report_discard(r);
        CHECK(system("rm -rf o.partial before") == 0, "%s", kinds[i].what);
    }
    CHECK(!exists("elsewhere"), "written through a link");
}

static void
what_cannot_be_opened(void)
{
    struct pp_report *r;
    struct pdfpipe_error err;

    CHECK(pp_report_open("no/r", &r, &err) == PDFPIPE_E_NOT_FOUND, "%s",
          err.message);
    CHECK(!r, "no report");
    CHECK(pp_report_open(".", &r, &err) == PDFPIPE_E_USAGE, "folder: %s",
          err.message);
}

static void
is_a_full_disk_noticed(void)
{
    struct pp_totals totals = { 0 };
    struct pp_report_end end = end_of(&totals);
    struct pp_report *r;
    struct pdfpipe_error err = { 0 };

    CHECK(!pp_report_open("/dev/full", &r, &err), "%s", err.message);
    pp_report_file(r, &rows[0].result);
    CHECK(pp_report_flush(r, &err) == PDFPIPE_E_NO_SPACE, "%s", err.message);
    pp_report_file(r, &rows[1].result);
    CHECK(pp_report_flush(r, NULL) == PDFPIPE_E_NO_SPACE,
          "the first error stays");
    CHECK(pp_report_close(r, &end, &err) == PDFPIPE_E_NO_SPACE, "%s",
          err.message);
}

static void
does_a_report_that_is_cut_keep_its_name_for_itself(void)
{
    struct pp_totals totals = { 0 };
    struct pp_report_end end = end_of(&totals);
    struct pp_report *r;
    struct pdfpipe_error err = { 0 };
    struct rlimit old, small;
    void (*before)(int) = signal(SIGXFSZ, SIG_IGN);

    CHECK(getrlimit(RLIMIT_FSIZE, &old) == 0, "limit");
    small = old;
    small.rlim_cur = 1000;
    CHECK(!pp_report_open("r", &r, &err), "%s", err.message);
    for (int i = 0; i < 100; i++)
        pp_report_file(r, &rows[0].result);
    CHECK(setrlimit(RLIMIT_FSIZE, &small) == 0, "small");
    CHECK(pp_report_close(r, &end, &err) == PDFPIPE_E_NO_SPACE, "%s",
          err.message);
    CHECK(setrlimit(RLIMIT_FSIZE, &old) == 0, "as before");
    CHECK(!exists("r") && exists("r.partial"), "half a report is no report");
    CHECK(unlink("r.partial") == 0, "clean");
    (void)signal(SIGXFSZ, before);
}

static void
count_call(void *arg)
{
    ++*(unsigned *)arg;
}

static void
is_a_descriptor_waited_for(void)
{
    struct pp_totals totals = { 0 };
    struct pp_report_end end = end_of(&totals);
    struct pdfpipe_error err = { 0 };
    struct pp_report *r;
    unsigned waits = 0;
    struct stat st;
    int fd = open("out", O_RDWR | O_CREAT, 0600);

    CHECK(!pp_report_attach(fd, count_call, &waits, &r, &err), "%s",
          err.message);
    for (int i = 0; i < 1000; i++)
        pp_report_file(r, &rows[0].result);
    CHECK(!pp_report_close(r, &end, &err), "%s", err.message);
    CHECK(fstat(fd, &st) == 0 && st.st_size > 1000, "still open, and full");
    CHECK(waits >= (unsigned)(st.st_size / PIPE_BUF), "%u waits for %lld bytes",
          waits, (long long)st.st_size);
    CHECK(close(fd) == 0 && unlink("out") == 0, "clean");
}

static void
is_a_reader_that_went_away_noticed(void)
{
    struct pdfpipe_error err = { 0 };
    struct pp_report *r;
    void (*before)(int) = signal(SIGPIPE, SIG_IGN);
    int fd[2];

    CHECK(pipe(fd) == 0 && close(fd[0]) == 0, "pipe");
    CHECK(!pp_report_attach(fd[1], NULL, NULL, &r, &err), "%s", err.message);
    pp_report_file(r, &rows[0].result);
    CHECK(pp_report_flush(r, &err) == PDFPIPE_E_WRITE && err.sys_errno == EPIPE,
          "%s", err.message);
    pp_report_discard(r);
    CHECK(close(fd[1]) == 0, "the descriptor is ours");
    (void)signal(SIGPIPE, before);
}

/* clang-format off */
static const struct {
    const char *what;
    enum pdfpipe_status failed[3]; /* OK ends the list */
    bool work_left;
    int code;
} codes[] = {
    { "all is well",             { 0 },                                           false, 0 },
    { "one for good",            { PDFPIPE_E_NOT_PDF },                           false, 1 },
    { "one to retry",            { PDFPIPE_E_CHANGED },                           false, 75 },
    { "75 wins over 1",          { PDFPIPE_E_NOT_PDF, PDFPIPE_E_NO_SPACE },       false, 75 },
    { "75 wins over 70",         { PDFPIPE_E_VERIFY, PDFPIPE_E_READ },            false, 75 },
    { "70 wins over 1",          { PDFPIPE_E_NOT_PDF, PDFPIPE_E_INTERNAL },       false, 70 },
    { "a library that failed",   { PDFPIPE_E_CRYPTO },                            false, 70 },
    { "usage in a result",       { PDFPIPE_E_USAGE },                             false, 1 },
    { "an unknown status",       { (enum pdfpipe_status)9999 },                   false, 70 },
    { "stopped by a signal",     { PDFPIPE_E_CANCELLED },                         true,  75 },
    { "stopped, nothing begun",  { 0 },                                           true,  75 },
    { "given up after a failure", { PDFPIPE_E_NOT_PDF, PDFPIPE_E_CANCELLED },     false, 1 },
};
/* clang-format on */

static void
which_exit_code_follows(void)
{
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        struct pp_totals totals = { 0 };
        int code;

        for (int k = 0; k < 3 && codes[i].failed[k]; k++) {
            struct pdfpipe_result r = { .kind = PDFPIPE_FAILED };

            r.error.code = codes[i].failed[k];
            pp_totals_add(&totals, &r);
        }
        code = pp_totals_exit(&totals, codes[i].work_left);
        CHECK(code == codes[i].code, "%s: %d", codes[i].what, code);
    }
}

/* A skip never changes the exit code, whatever its reason. */
static void
does_a_skip_count_as_failure(void)
{
#define X(name, value, id, exit_code, text) PDFPIPE_##name,
    static const enum pdfpipe_status all[] = { PDFPIPE_STATUS_TABLE(X) };
#undef X
    struct pp_totals totals = { 0 };

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        struct pdfpipe_result r = { .kind = PDFPIPE_SKIPPED };

        r.error.code = all[i];
        CHECK((unsigned)all[i] < PP_TOTALS_CODES, "room for %s",
              pdfpipe_status_id(all[i]));
        pp_totals_add(&totals, &r);
    }
    CHECK(pp_totals_exit(&totals, false) == 0, "a skip");
    CHECK(totals.files == sizeof all / sizeof all[0], "all counted");
}

int
main(void)
{
    if (!CHECK(mkdtemp(scratch) && chdir(scratch) == 0, "%s", scratch))
        return check_report("report");
    has_each_file_its_line();
    does_a_discarded_report_leave_nothing();
    is_an_old_report_kept_until_the_new_is_complete();
    is_nobody_elses_file_replaced();
    which_leftover_is_ours();
    what_cannot_be_opened();
    is_a_full_disk_noticed();
    does_a_report_that_is_cut_keep_its_name_for_itself();
    is_a_descriptor_waited_for();
    is_a_reader_that_went_away_noticed();
    which_exit_code_follows();
    does_a_skip_count_as_failure();
    CHECK(chdir("/") == 0 && rmdir(scratch) == 0, "%s is empty", scratch);
    return check_report("report");
}
