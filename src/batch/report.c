/* report.c - what became of each file, as JSON Lines */
#include "batch/report.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "batch/failure.h"
#include "batch/json.h"

/* Bytes of lines kept back: enough that a run over small files does not make
 * a call for each of them. */
#define BUFFERED ((size_t)64 * 1024)

struct pp_report {
    int fd;
    char *path;    /* final name; NULL: the descriptor is the caller's, or  */
    char *partial; /* FILE is no regular file and has only one name         */
    bool owns_fd;
    void (*wait)(void *arg);
    void *arg;
    struct pp_json lines;
    struct pdfpipe_error error; /* the first one; code OK: none */
};

static enum pdfpipe_status
told(const struct pp_report *r, struct pdfpipe_error *err)
{
    if (r->error.code && err)
        *err = r->error;
    return r->error.code;
}

static void
free_report(struct pp_report *r)
{
    pp_json_fini(&r->lines);
    free(r->path);
    free(r->partial);
    free(r);
}

enum pdfpipe_status
pp_report_attach(int fd, void (*wait)(void *arg), void *arg,
                 struct pp_report **out, struct pdfpipe_error *err)
{
    struct pp_report *r = calloc(1, sizeof *r);

    *out = r;
    if (!r)
        return pp_refuse_memory(err);
    r->fd = fd;
    r->wait = wait;
    r->arg = arg;
    return PDFPIPE_OK;
}

/* Does a document stand there?  A report must not replace one; an older report
 * may name such a header in a message. */
static bool
is_pdf(const char *path)
{
    char head[1024];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    ssize_t n = fd < 0 ? -1 : read(fd, head, sizeof head);

    if (fd >= 0)
        (void)close(fd); /* read only */
    return n > 0 && head[0] != '{' &&
           memmem(head, (size_t)n, "%PDF-", 5) != NULL;
}

/* Does a report begin so, or all that was written of one? */
static bool
begins_report(const char *head, size_t n)
{
    static const char *const begins[] = { "{\"path\":", "{\"summary\":" };
    bool fits = false;

    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++) {
        size_t length = strlen(begins[i]);

        fits |= memcmp(head, begins[i], n < length ? n : length) == 0;
    }
    return fits;
}

/* A partial report that a run left behind is emptied and written anew; errno
 * is EEXIST for anything else of that name, which is somebody's file. */
static int
open_leftover(const char *path)
{
    int fd =
        open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    char head[16];
    struct stat st;
    ssize_t n;

    if (fd < 0) {
        if (errno == ELOOP || errno == EISDIR || errno == ENXIO)
            errno = EEXIST;
        return -1;
    }
    n = fstat(fd, &st) || !S_ISREG(st.st_mode)
            ? -1
            : pread(fd, head, sizeof head, 0);
    if (n >= 0 && begins_report(head, (size_t)n) && !ftruncate(fd, 0))
        return fd;
    (void)close(fd); /* nothing was written */
    errno = EEXIST;
    return -1;
}

static int
open_partial(const char *path)
{
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    int fd = open(path, flags, 0666);

    return fd >= 0 || errno != EEXIST ? fd : open_leftover(path);
}

/* Opens path itself when something stands there that has no content to
 * replace, else path.partial. */
static enum pdfpipe_status
open_file(struct pp_report *r, const char *path, struct pdfpipe_error *err)
{
    bool regular;
    struct stat st;

    if (stat(path, &st))
        regular = errno == ENOENT;
    else if (S_ISDIR(st.st_mode))
        return pp_refuse(err, PDFPIPE_E_USAGE, "report %s is a folder", path);
    else
        regular = S_ISREG(st.st_mode);
    if (regular && is_pdf(path))
        return pp_refuse(err, PDFPIPE_E_USAGE,
                         "report %s is a PDF, which is not replaced", path);
    if (regular) {
        r->path = strdup(path);
        if (!r->path || asprintf(&r->partial, "%s.partial", path) < 0) {
            r->partial = NULL;
            return pp_refuse_memory(err);
        }
        r->fd = open_partial(r->partial);
        if (r->fd < 0 && errno == EEXIST)
            return pp_refuse(err, PDFPIPE_E_USAGE,
                             "%s is not a report that a run left behind, and "
                             "is not replaced",
                             r->partial);
    } else {
        r->fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    }
    if (r->fd < 0)
        return pp_refuse_sys(err, errno, PDFPIPE_E_WRITE, "report %s",
                             regular ? r->partial : path);
    return PDFPIPE_OK;
}

enum pdfpipe_status
pp_report_open(const char *path, struct pp_report **out,
               struct pdfpipe_error *err)
{
    struct pp_report *r = calloc(1, sizeof *r);
    enum pdfpipe_status st;

    *out = NULL;
    if (!r)
        return pp_refuse_memory(err);
    r->owns_fd = true;
    st = open_file(r, path, err);
    if (st) {
        free_report(r);
        return st;
    }
    *out = r;
    return PDFPIPE_OK;
}

enum pdfpipe_status
pp_report_flush(struct pp_report *r, struct pdfpipe_error *err)
{
    const char *p = r->lines.text;
    size_t left = r->lines.length;

    if (r->lines.failed && !r->error.code)
        (void)pp_refuse_memory(&r->error);
    while (left && !r->error.code) {
        size_t n = r->wait && left > PIPE_BUF ? PIPE_BUF : left;
        ssize_t done;

        if (r->wait)
            r->wait(r->arg);
        done = write(r->fd, p, n);
        if (done < 0 && (errno == EINTR || (errno == EAGAIN && r->wait)))
            continue;
        if (done < 0) {
            (void)pp_refuse_sys(&r->error, errno, PDFPIPE_E_WRITE, "report %s",
                                r->path ? r->path : "output");
            break;
        }
        p += done;
        left -= (size_t)done;
    }
    pp_json_clear(&r->lines);
    return told(r, err);
}

static void
put_warnings(struct pp_json *j, const struct pdfpipe_result *result)
{
    unsigned kept = result->warnings_kept;

    pp_json_key(j, "warnings");
    pp_json_begin_array(j);
    for (unsigned i = 0; i < kept; i++) {
        const struct pdfpipe_warning *w = &result->warning[i];

        pp_json_begin(j);
        pp_json_key(j, "id");
        pp_json_text(j, pdfpipe_warning_id(w->code));
        pp_json_key(j, "severity");
        pp_json_text(j, pdfpipe_severity_id(pdfpipe_warning_severity(w->code)));
        if (w->object) {
            pp_json_key(j, "object");
            pp_json_number(j, w->object);
        }
        if (w->offset != PDFPIPE_NO_OFFSET) {
            pp_json_key(j, "offset");
            pp_json_number(j, w->offset);
        }
        pp_json_end(j);
    }
    pp_json_end_array(j);
}

static void
put_error(struct pp_json *j, const struct pdfpipe_error *error)
{
    pp_json_key(j, "reason");
    pp_json_text(j, pdfpipe_status_id(error->code));
    pp_json_key(j, "message");
    pp_json_text(j, error->message[0] ? error->message
                                      : pdfpipe_status_text(error->code));
    if (error->object) {
        pp_json_key(j, "object");
        pp_json_number(j, error->object);
    }
    if (error->offset != PDFPIPE_NO_OFFSET) {
        pp_json_key(j, "offset");
        pp_json_number(j, error->offset);
    }
}

static void
put_number(struct pp_json *j, const char *key, uint64_t value)
{
    pp_json_key(j, key);
    pp_json_number(j, value);
}

/* Nanoseconds as milliseconds with three decimals. */
static void
put_ms(struct pp_json *j, const char *key, uint64_t ns)
{
    pp_json_key(j, key);
    pp_json_fixed(j, ns / 1000, 3);
}

void
pp_report_file(struct pp_report *r, const struct pdfpipe_result *result)
{
    struct pp_json *j = &r->lines;

    pp_json_begin(j);
    pp_json_path(j, "path", result->source);
    if (result->target && strcmp(result->target, result->source) != 0)
        pp_json_path(j, "target", result->target);
    pp_json_key(j, "result");
    pp_json_text(j, pp_result_id(result->kind));
    if (result->error.code)
        put_error(j, &result->error);
    pp_json_key(j, "retryable");
    pp_json_bool(j, result->kind == PDFPIPE_FAILED &&
                        pdfpipe_status_retryable(result->error.code));
    put_number(j, "bytes_in", result->bytes_in);
    put_number(j, "bytes_out", result->bytes_out);
    put_number(j, "objects", result->objects);
    put_number(j, "streams", result->streams);
    put_number(j, "strings", result->strings);
    put_number(j, "payload_bytes", result->payload_bytes);
    put_warnings(j, result);
    put_ms(j, "ms", result->wall_ns);
    pp_json_end(j);
    pp_json_newline(j);
    if (j->length >= BUFFERED)
        (void)pp_report_flush(r, NULL); /* an error stays until it is told */
}

/* {"already_encrypted":21,"signed":2} */
static void
put_reasons(struct pp_json *j, const char *key, const uint64_t *count)
{
    pp_json_key(j, key);
    pp_json_begin(j);
    for (unsigned i = 0; i < PP_TOTALS_CODES; i++)
        if (count[i])
            put_number(j, pdfpipe_status_id((enum pdfpipe_status)i), count[i]);
    pp_json_end(j);
}

static void
put_warning_counts(struct pp_json *j, const struct pp_totals *t)
{
    put_number(j, "warnings", t->warnings);
    pp_json_key(j, "warnings_by_id");
    pp_json_begin(j);
    for (int i = 0; i < PDFPIPE_WARNING_CODES; i++)
        if (t->warned_as[i])
            put_number(j, pdfpipe_warning_id((enum pdfpipe_warning_code)i),
                       t->warned_as[i]);
    pp_json_end(j);
}

static void
put_times(struct pp_json *j, const struct pdfpipe_progress *p)
{
    put_number(j, "threads", p->threads);
    pp_json_key(j, "engine");
    pp_json_text(j, p->engine);
    put_ms(j, "ms", p->wall_ns);
    put_ms(j, "encrypt_ms", p->cipher_ns);
    put_ms(j, "kdf_ms", p->kdf_ns);
    put_ms(j, "read_ms", p->read_ns);
    put_ms(j, "work_ms", p->work_ns);
    put_ms(j, "write_ms", p->write_ns);
    put_ms(j, "commit_ms", p->commit_ns);
}

static void
put_summary(struct pp_json *j, const struct pp_report_end *end)
{
    const struct pp_totals *t = end->totals;

    pp_json_begin(j);
    pp_json_key(j, "summary");
    pp_json_begin(j);
    pp_json_key(j, "version");
    pp_json_text(j, pdfpipe_version());
    put_number(j, "exit_code", (uint64_t)end->exit_code);
    pp_json_key(j, "interrupted");
    pp_json_bool(j, end->interrupted);
    pp_json_key(j, "dry_run");
    pp_json_bool(j, end->dry_run);
    put_number(j, "files", t->files);
    for (int i = 0; i <= PDFPIPE_FAILED; i++)
        put_number(j, pp_result_id((enum pdfpipe_result_kind)i), t->kind[i]);
    put_reasons(j, "skipped_by_reason", t->skipped_as);
    put_reasons(j, "failed_by_reason", t->failed_as);
    put_number(j, "retryable", pp_totals_retryable(t) + pp_totals_cancelled(t));
    put_number(j, "bytes_in", t->encrypted_bytes_in);
    put_number(j, "bytes_out", t->bytes_out);
    put_number(j, "objects", t->objects);
    put_number(j, "streams", t->streams);
    put_number(j, "strings", t->strings);
    put_number(j, "payload_bytes", t->payload_bytes);
    put_warning_counts(j, t);
    put_times(j, end->progress);
    pp_json_end(j);
    pp_json_end(j);
    pp_json_newline(j);
}

/* Brings the name to disk.  Some file systems cannot sync folders; then there
 * is nothing better to do. */
static void
sync_folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder =
        slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

    if (fd >= 0) {
        (void)fsync(fd); /* the report itself is on disk already */
        (void)close(fd);
    }
    free(folder);
}

/* fsync on a pipe or a terminal says EINVAL: nothing to bring to disk. */
static void
finish_file(struct pp_report *r)
{
    const char *step = "sync";
    int failed = fsync(r->fd) && errno != EINVAL && errno != ENOTSUP;

    if (!failed) {
        int fd = r->fd;

        r->fd = -1;
        step = "close";
        failed = close(fd);
    }
    if (!failed && r->partial) {
        step = "rename";
        failed = is_pdf(r->path); /* an output has taken the name */
        if (failed)
            errno = EEXIST;
        else
            failed = rename(r->partial, r->path);
    }
    if (failed)
        (void)pp_refuse_sys(&r->error, errno, PDFPIPE_E_WRITE, "%s report %s",
                            step, r->path ? r->path : "");
    else if (r->partial)
        sync_folder_of(r->path);
}

enum pdfpipe_status
pp_report_close(struct pp_report *r, const struct pp_report_end *end,
                struct pdfpipe_error *err)
{
    enum pdfpipe_status st;

    put_summary(&r->lines, end);
    st = pp_report_flush(r, err);
    if (!st && r->owns_fd) {
        finish_file(r);
        st = told(r, err);
    }
    if (r->owns_fd && r->fd >= 0)
        (void)close(r->fd); /* an error was told already */
    free_report(r);
    return st;
}

void
pp_report_discard(struct pp_report *r)
{
    if (!r)
        return;
    if (r->owns_fd)
        (void)close(r->fd); /* its content is thrown away */
    if (r->partial)
        (void)unlink(r->partial); /* a leftover does no harm */
    free_report(r);
}
