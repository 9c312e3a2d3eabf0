/* commit.c - the thread that decides what becomes of a finished document */
#include "pipe/commit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "base/num.h"
#include "io/backup.h"
#include "io/folder.h"

/* A group is brought to disk when it has this many files or bytes, or is this
 * old: syncfs takes everybody's dirty pages along, and the run's reports and
 * open descriptors wait for it. */
#define GROUP_FILES ((size_t)128)
#define GROUP_BYTES ((uint64_t)256 << 20)
#define GROUP_NS    (2 * UINT64_C(1000000000))

/* Up to so many files are faster by themselves than by syncfs. */
#define FEW_FILES ((size_t)4)

/* A file of this size is not worth waiting for others. */
#define LARGE_BYTES ((uint64_t)16 << 20)

#define PEEK_STEP   ((size_t)64 * 1024)

/* Each file of a group has a descriptor, and so have those of the group before
 * that are being verified and those that are being written; this part of what
 * the process may open leaves enough for the caller. */
#define GROUP_DESCRIPTORS 8u

static size_t
group_files(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit))
        return 1;
    return (size_t)pp_max(
        1, pp_min(GROUP_FILES, limit.rlim_cur / GROUP_DESCRIPTORS));
}

enum pdfpipe_status
pp_committer_init(struct pp_committer *c, struct pp_pipeline *p,
                  struct pdfpipe_error *err)
{
    *c = (struct pp_committer){ .p = p,
                                .held_max = group_files(),
                                .next_report = 1 };
    pp_peek_init(&c->peek, NULL, PEEK_STEP);
    return pp_scanner_new(&c->scanner, err);
}

void
pp_committer_fini(struct pp_committer *c)
{
    pp_peek_fini(&c->peek);
    pp_scanner_free(c->scanner);
}

/* ---- the report ---- */

/* Reasons for which a document is left alone and nothing has gone wrong. */
static bool
is_skip(const struct pp_pipeline *p, const struct pp_document *d)
{
    if (d->refused)
        return d->skip;
    switch ((int)d->error.code) {
    case PDFPIPE_E_ENCRYPTED: return p->options.on_encrypted == PDFPIPE_SKIP;
    case PDFPIPE_E_SIGNED: return p->options.on_signed == PDFPIPE_SKIP;
    case PDFPIPE_E_ALREADY_DONE:
    case PDFPIPE_E_READ_ONLY_FILE: return true;
    /* The source is one; a loop of links on the way to it, or to the target,
     * has an errno. */
    case PDFPIPE_E_SYMLINK: return !d->opened && d->error.sys_errno == 0;
    default: return false;
    }
}

/* Which failure decides the exit code: an internal error, else one that a
 * retry can mend, else the first. */
static int
weight(enum pdfpipe_status st)
{
    if (st == PDFPIPE_OK)
        return 0;
    switch (pdfpipe_status_exit(st)) {
    case 70: return 3;
    case 75: return 2;
    default: return 1;
    }
}

static void
fill_result(struct pp_pipeline *p, struct pp_document *d)
{
    struct pdfpipe_result *r = &d->result;

    r->error = d->error;
    r->source = pp_document_source(d);
    r->target = pp_document_target(d);
    r->tag = d->tag;
    r->wall_ns = pp_now_ns() - d->began_ns;
    r->warnings = d->notes.count;
    r->warnings_kept = d->notes.kept;
    memcpy(r->warning, d->notes.warning,
           d->notes.kept * sizeof d->notes.warning[0]);
    if (d->error.code == PDFPIPE_OK)
        r->kind =
            p->options.dry_run ? PDFPIPE_WOULD_ENCRYPT : PDFPIPE_ENCRYPTED;
    else
        r->kind = is_skip(p, d) ? PDFPIPE_SKIPPED : PDFPIPE_FAILED;
    if (r->kind != PDFPIPE_ENCRYPTED)
        r->bytes_out = 0;
}

static void
report(struct pp_committer *c, struct pp_document *d)
{
    struct pp_pipeline *p = c->p;

    fill_result(p, d);
    pp_meter_add(&p->meters.files_done, 1);
    if (d->result.kind == PDFPIPE_FAILED) {
        pp_meter_add(&p->meters.files_failed, 1);
        /* What is cancelled because another failed decides nothing. */
        if (!(c->failing_fast && d->error.code == PDFPIPE_E_CANCELLED) &&
            weight(d->error.code) > weight(p->worst.code))
            p->worst = d->error;
        if (p->options.fail_fast && !c->failing_fast &&
            !pp_pipeline_cancelled(p)) {
            c->failing_fast = true;
            pp_pipeline_cancel(p);
        }
    }
    p->callbacks.result(p->callbacks.arg, &d->result);
    pp_document_free(d, p->vault);
    pp_roster_retire(&p->roster);
}

/* The document's fate is decided; reports it when its turn has come. */
static void
done(struct pp_committer *c, struct pp_document *d)
{
    struct pp_document **slot = &c->done[d->number % PP_DOCUMENTS_MAX];

    if (d->error.code) {
        pp_pipeline_temp_gone(c->p, d);
        pp_sink_discard(&d->sink);
    }
    pp_document_close(d, c->p->vault);
    PP_ASSERT(!*slot);
    *slot = d;
    while ((d = c->done[c->next_report % PP_DOCUMENTS_MAX]) != NULL) {
        c->done[c->next_report % PP_DOCUMENTS_MAX] = NULL;
        c->next_report++;
        report(c, d);
    }
}

static void
hold(struct pp_committer *c, struct pp_documents *list, struct pp_document *d)
{
    pp_documents_push(list, d);
    c->held++;
    c->held_bytes += list == &c->written ? d->sink.size : 0;
    if (c->deadline_ns == 0)
        c->deadline_ns = pp_now_ns() + GROUP_NS;
}

/* ---- the steps ---- */

/* Does this document go by itself? Without a ticket its group would not know
 * whether it is on disk. */
static bool
alone(const struct pp_committer *c, const struct pp_document *d)
{
    return c->p->options.durability == PDFPIPE_DURABLE_FILE ||
           d->sink.size >= LARGE_BYTES || d->sync_ticket == 0;
}

static void
note_lost(struct pp_document *d)
{
    if (d->meta.owner_lost)
        pp_note(&d->notes, PDFPIPE_W_OWNER_NOT_KEPT, 0, PDFPIPE_NO_OFFSET);
    if (d->meta.xattr_lost)
        pp_note(&d->notes, PDFPIPE_W_XATTR_NOT_KEPT, 0, PDFPIPE_NO_OFFSET);
}

static enum pdfpipe_status
sync_folder(struct pp_document *d)
{
    bool unsupported = false;
    enum pdfpipe_status st =
        pp_folder_sync(d->target_path, &unsupported, &d->error);

    if (unsupported)
        pp_note(&d->notes, PDFPIPE_W_DIR_NOT_SYNCED, 0, PDFPIPE_NO_OFFSET);
    return st;
}

/* Source unchanged, backup kept, new file under the final name. */
static enum pdfpipe_status
rename_output(struct pp_committer *c, struct pp_document *d)
{
    char *kept = NULL;
    enum pdfpipe_status st =
        pp_source_unchanged(&d->source_seen, d->source_path, &d->error);

    if (!st && pp_pipeline_cancelled(c->p))
        st = pp_fail(&d->error, PDFPIPE_E_CANCELLED, "cancelled");
    if (!st && d->backup_path && d->in_place) {
        st = pp_folder_make(d->backup_path, &d->error);
        if (!st)
            st = pp_backup_keep(d->source_path, d->backup_path, &kept,
                                &d->error);
    }
    if (!st) {
        st = pp_sink_publish(&d->sink, d->replace, &d->error);
        if (st == PDFPIPE_E_NOT_FOUND)
            st = pp_fail(&d->error, PDFPIPE_E_WRITE,
                         "the temporary file or its folder vanished");
        if (st && kept)
            pp_backup_drop(d->source_path, kept);
    }
    free(kept);
    if (!st)
        pp_pipeline_temp_gone(c->p, d);
    return st;
}

/* The output is complete and as good as the options ask for. */
static void
publish(struct pp_committer *c, struct pp_document *d)
{
    note_lost(d);
    if (rename_output(c, d) == PDFPIPE_OK) {
        if (c->p->options.durability == PDFPIPE_DURABLE_GROUP && !alone(c, d)) {
            hold(c, &c->renamed, d);
            return;
        }
        if (c->p->options.durability != PDFPIPE_DURABLE_NONE)
            (void)sync_folder(d); /* lands in d->error */
    }
    done(c, d);
}

static enum pdfpipe_verify
verification(const struct pp_committer *c, const struct pp_document *d)
{
    if (c->p->options.verify != PDFPIPE_VERIFY_AUTO)
        return c->p->options.verify;
    return d->in_place ? PDFPIPE_VERIFY_FULL : PDFPIPE_VERIFY_STRUCTURE;
}

/* The bytes are on disk, as far as the options ask for it. */
static void
verify(struct pp_committer *c, struct pp_document *d)
{
    struct pp_open_tools tools = { &c->peek, c->scanner };

    switch (verification(c, d)) {
    case PDFPIPE_VERIFY_FULL:
        d->pass = PP_PASS_OPEN;
        pp_roster_again(&c->p->roster, d);
        return;
    case PDFPIPE_VERIFY_STRUCTURE:
        if (pp_open_output(c->p, d, &tools, &d->error)) {
            done(c, d);
            return;
        }
        pp_document_close(d, c->p->vault);
        break;
    case PDFPIPE_VERIFY_AUTO:
    case PDFPIPE_VERIFY_NONE: break;
    }
    publish(c, d);
}

/* A document whose output has just been written. */
static void
take_written(struct pp_committer *c, struct pp_document *d)
{
    bool sync = c->p->options.durability != PDFPIPE_DURABLE_NONE;

    if (c->p->options.durability == PDFPIPE_DURABLE_GROUP && !alone(c, d)) {
        hold(c, &c->written, d);
        return;
    }
    if (pp_sink_seal(&d->sink, &d->meta, sync, &d->error))
        done(c, d);
    else
        verify(c, d);
}

/* What is wrong with a document may be that it was written to meanwhile; then
 * a retry helps. */
static void
look_for_change(struct pp_document *d)
{
    struct pdfpipe_error err;

    if (d->opened && d->error.code >= PDFPIPE_E_NOT_PDF &&
        d->error.code <= PDFPIPE_E_LIMIT &&
        pp_source_unchanged(&d->source_seen, d->source_path, &err) ==
            PDFPIPE_E_CHANGED)
        d->error = err;
}

/* A document that has finished a pass. */
static void
take(struct pp_committer *c, struct pp_document *d)
{
    if (d->pass == PP_PASS_SEAL)
        look_for_change(d);
    if (!d->error.code && pp_pipeline_cancelled(c->p))
        (void)pp_fail(&d->error, PDFPIPE_E_CANCELLED, "cancelled");
    if (d->error.code || d->sink.state == PP_SINK_NONE) {
        done(c, d);
        return;
    }
    switch (d->pass) {
    case PP_PASS_SEAL: take_written(c, d); return;
    case PP_PASS_OPEN:
        d->pass = PP_PASS_CHECK;
        pp_roster_again(&c->p->roster, d);
        return;
    case PP_PASS_CHECK:
        if (pp_tally_equal(&d->tally[0], &d->tally[1])) {
            publish(c, d);
            return;
        }
        (void)pp_fail(&d->error, PDFPIPE_E_VERIFY,
                      "what decrypts from the output is not what was read "
                      "(%llu of %llu parts)",
                      (unsigned long long)d->tally[1].parts,
                      (unsigned long long)d->tally[0].parts);
        done(c, d);
        return;
    }
}

/* ---- groups ---- */

static size_t
length(const struct pp_documents *list)
{
    size_t n = 0;

    for (const struct pp_document *d = list->head; d; d = d->link)
        n++;
    return n;
}

/*
 * Works off what is held back.  A few files are synced one by one, many by
 * one call per file system, which serves both lists.
 */
static void
flush(struct pp_committer *c)
{
    struct pp_documents written = c->written, renamed = c->renamed;
    bool many = length(&written) > FEW_FILES || length(&renamed) > FEW_FILES;
    struct pdfpipe_error err = { .code = PDFPIPE_OK };
    struct pp_document *d;

    c->written = c->renamed = (struct pp_documents){ NULL, NULL };
    c->held = 0;
    c->held_bytes = 0;
    c->deadline_ns = 0;
    for (d = written.head; d; d = d->link)
        (void)pp_sink_seal(&d->sink, &d->meta, !many,
                           &d->error); /* lands in d->error */
    if (many)
        (void)pp_syncgroup_flush(c->p->syncgroup, &err);
    while ((d = pp_documents_pop(&renamed)) != NULL) {
        /* It has its final name, but whether that will last is not known. */
        if (!many)
            (void)sync_folder(d); /* in d->error */
        else if (err.code)
            d->error = err;
        done(c, d);
    }
    while ((d = pp_documents_pop(&written)) != NULL) {
        if (many && !d->error.code)
            (void)pp_syncgroup_holds(c->p->syncgroup, d->sync_ticket,
                                     &d->error);
        if (!d->error.code && pp_pipeline_cancelled(c->p))
            (void)pp_fail(&d->error, PDFPIPE_E_CANCELLED, "cancelled");
        if (d->error.code)
            done(c, d);
        else
            verify(c, d);
    }
}

static bool
group_is_full(const struct pp_committer *c, uint64_t now_ns)
{
    return c->held >= c->held_max || c->held_bytes >= GROUP_BYTES ||
           (c->deadline_ns && now_ns >= c->deadline_ns);
}

void *
pp_committer_main(void *arg)
{
    struct pp_committer *c = arg;
    struct pp_pipeline *p = c->p;

    for (;;) {
        struct pp_document *d;
        enum pp_roster_take got =
            pp_roster_take(&p->roster, c->deadline_ns, c->held > 0, &d);
        uint64_t began = pp_now_ns();

        if (got == PP_TAKE_FINISHED)
            break;
        if (got == PP_TAKE_DOCUMENT)
            take(c, d);
        if (got != PP_TAKE_DOCUMENT || group_is_full(c, began))
            flush(c);
        pp_meter_add(&p->meters.commit_ns, pp_now_ns() - began);
    }
    if (p->callbacks.finished)
        p->callbacks.finished(p->callbacks.arg);
    return NULL;
}
