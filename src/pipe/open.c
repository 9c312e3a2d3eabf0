/* open.c - a document before its first unit */
#include "pipe/open.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "io/path.h"

#define BACKUPS_MAX 9999u /* see io/backup.h */

/* Loads the structure of the open source into d->reading. */
static enum pdfpipe_status
load(struct pp_pipeline *p, struct pp_document *d, struct pp_open_tools *tools,
     struct pp_notes *notes, struct pdfpipe_error *err)
{
    struct pp_reading *r = &d->reading;
    enum pdfpipe_status st;

    r->live = true;
    r->xref = (struct pp_xref){ 0 };
    r->profile = (struct pp_profile){ 0 };
    r->input = pp_source_input(&r->source);
    pp_peek_reset(tools->peek, &r->input);
    st = pp_scanner_new(&r->scanner, err);
    if (st)
        return st;
    pp_fetch_init(&r->fetch, &r->xref, &r->input, r->scanner,
                  (size_t)p->options.max_object_text, p->options.max_inflated);
    st = pp_xref_load(&r->xref, tools->peek, tools->scanner, notes, err);
    return st ? st
              : pp_profile_read(&r->profile, &r->xref, &r->fetch, notes, err);
}

/* Is the file at path an encrypted PDF? Its own errors do not matter. */
static bool
is_encrypted_pdf(const char *path, struct pp_open_tools *tools)
{
    struct pp_source s = { .fd = -1 };
    struct pp_xref x = { 0 };
    struct pp_input input;
    bool encrypted = false;

    if (pp_source_open(&s, path, NULL))
        return false;
    input = pp_source_input(&s);
    pp_peek_reset(tools->peek, &input);
    if (!pp_xref_load(&x, tools->peek, tools->scanner, NULL, NULL))
        encrypted = x.encrypted;
    pp_xref_fini(&x);
    pp_source_close(&s);
    return encrypted;
}

static bool
older(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec != b->tv_sec ? a->tv_sec < b->tv_sec
                                  : a->tv_nsec < b->tv_nsec;
}

/* What stands under the target's name, if it is not the source itself. */
static enum pdfpipe_status
look_at_target(struct pp_document *d, struct pp_open_tools *tools,
               struct pdfpipe_error *err)
{
    const struct stat *source = &d->reading.source.st;
    struct stat st;

    if (lstat(d->target_path, &st)) {
        /* A folder that is missing is made when the output is opened. */
        if (errno == ENOENT || errno == ENOTDIR)
            return PDFPIPE_OK;
        return pp_fail_sys(err, errno, PDFPIPE_E_WRITE, "target");
    }
    if (st.st_dev == source->st_dev && st.st_ino == source->st_ino) {
        d->in_place = true;
        return PDFPIPE_OK;
    }
    /* Not E_SYMLINK, which is a reason to pass over a source in silence. */
    if (S_ISLNK(st.st_mode))
        return pp_fail(err, PDFPIPE_E_NOT_REGULAR, "target is a symbolic link");
    if (!S_ISREG(st.st_mode))
        return pp_fail(err, PDFPIPE_E_NOT_REGULAR,
                       "target exists and is not a regular file");
    d->replace = true;
    if (!d->keep_target)
        return PDFPIPE_OK;
    if (!is_encrypted_pdf(d->target_path, tools))
        return pp_fail(err, PDFPIPE_E_TARGET_EXISTS,
                       "target exists and is not an encrypted PDF; it is not "
                       "replaced");
    if (!older(&st.st_mtim, &source->st_mtim))
        return pp_fail(err, PDFPIPE_E_ALREADY_DONE,
                       "target is encrypted and not older than the source");
    return PDFPIPE_OK;
}

/*
 * Is the second name of the file the backup that a run which was cut short has
 * made of it?  It may have a number, as other backups are never replaced.
 */
static bool
is_backed_up(const struct pp_document *d)
{
    const struct stat *source = &d->reading.source.st;
    bool found = false, more = source->st_nlink == 2 && d->backup_path;
    struct pp_buf name = { 0 };
    struct stat st;

    for (unsigned i = 0; more && !found && i <= BACKUPS_MAX; i++) {
        name.n = 0;
        more = pp_buf_printf(&name, i ? "%s.%u" : "%s", d->backup_path, i) &&
               pp_buf_append(&name, "", 1) &&
               lstat((const char *)name.p, &st) == 0;
        found = more && st.st_dev == source->st_dev &&
                st.st_ino == source->st_ino &&
                !pp_path_same_entry(d->source_path, (const char *)name.p);
    }
    pp_buf_fini(&name);
    return found;
}

/* What the file system says against replacing the source. */
static enum pdfpipe_status
look_at_source(const struct pp_pipeline *p, struct pp_document *d,
               struct pdfpipe_error *err)
{
    const struct stat *st = &d->reading.source.st;

    if (!d->in_place)
        return PDFPIPE_OK;
    d->replace = true;
    if (st->st_nlink > 1 && !is_backed_up(d))
        return pp_fail(err, PDFPIPE_E_HARD_LINKS,
                       "file has %lu names (hard links); replacing one would "
                       "leave the others unencrypted",
                       (unsigned long)st->st_nlink);
    if ((st->st_mode & 0222) == 0 && !p->options.force)
        return pp_fail(err, PDFPIPE_E_READ_ONLY_FILE,
                       "file is write-protected (mode %04o); --force replaces "
                       "it",
                       (unsigned)(st->st_mode & 07777));
    return PDFPIPE_OK;
}

/* What the document says against it. */
static enum pdfpipe_status
look_at_document(struct pp_pipeline *p, struct pp_document *d,
                 struct pp_notes *notes, struct pdfpipe_error *err)
{
    const struct pp_reading *r = &d->reading;
    const struct pp_buf *encrypt = &r->profile.encrypt_text;

    if (r->xref.encrypted) {
        if (encrypt->n && encrypt->p[0] != '<')
            return pp_fail(err, PDFPIPE_E_DAMAGED_TRAILER,
                           "/Encrypt of the trailer is not a dictionary");
        return pp_fail(err, PDFPIPE_E_ENCRYPTED,
                       "document is already encrypted");
    }
    if (r->profile.usage_rights) {
        if (p->options.on_signed != PDFPIPE_PROCEED)
            return pp_fail(err, PDFPIPE_E_SIGNED,
                           "document is certified or has usage rights; "
                           "encrypting would break that signature");
        pp_note(notes, PDFPIPE_W_SIGNATURE_BROKEN, r->profile.root.number,
                PDFPIPE_NO_OFFSET);
    }
    return PDFPIPE_OK;
}

static enum pdfpipe_status
draw(struct pp_pipeline *p, struct pp_document *d, struct pdfpipe_error *err)
{
    struct pp_place place = { d->number, PP_DRAW_FILE_KEY };
    const struct pp_buf *id = &d->reading.profile.id;
    enum pdfpipe_status st;

    d->file_key = pp_secret_new(p->vault, PP_FILE_KEY_BYTES);
    if (!d->file_key)
        return pp_fail_memory(err);
    st = pp_random_fill(place, d->file_key, PP_FILE_KEY_BYTES, err);
    if (st)
        return st;
    /* The first identifier is the source's, if it has one; the second tells
     * this output from every other (ISO 32000-2, 14.4). */
    place.draw = PP_DRAW_ID;
    st = pp_random_fill(place, d->id, sizeof d->id, err);
    if (st || id->n)
        return st;
    memcpy(d->id[0], d->id[1], sizeof d->id[0]);
    return PDFPIPE_OK;
}

enum pdfpipe_status
pp_open_source(struct pp_pipeline *p, struct pp_document *d,
               struct pp_open_tools *tools, struct pp_notes *notes,
               struct pdfpipe_error *err)
{
    enum pdfpipe_status st;

    st = pp_source_open(&d->reading.source, d->source_path, err);
    if (st)
        return st;
    d->source_seen = d->reading.source;
    d->source_seen.fd = -1;
    d->opened = true;
    d->result.bytes_in = d->reading.source.size;
    if (!d->in_place) {
        st = look_at_target(d, tools, err);
        if (st)
            return st;
    }
    d->tally_wanted = p->options.verify == PDFPIPE_VERIFY_FULL ||
                      (p->options.verify == PDFPIPE_VERIFY_AUTO && d->in_place);
    st = look_at_source(p, d, err);
    if (!st)
        st = load(p, d, tools, notes, err);
    if (!st)
        st = look_at_document(p, d, notes, err);
    if (!st)
        st = pp_meta_read(&d->meta, d->reading.source.fd, d->in_place, err);
    return st ? st : draw(p, d, err);
}

/* Whatever reading its own output says: it is not as it was written. */
static enum pdfpipe_status
not_as_written(struct pdfpipe_error *err)
{
    char why[sizeof err->message];
    uint64_t offset = err->offset;

    memcpy(why, err->message, sizeof why);
    return pp_fail_at(err, PDFPIPE_E_VERIFY, offset,
                      "output does not read back: %.180s", why);
}

static bool
is_same(struct pp_reference a, struct pp_reference b)
{
    return a.number == b.number && a.generation == b.generation;
}

enum pdfpipe_status
pp_open_output(struct pp_pipeline *p, struct pp_document *d,
               struct pp_open_tools *tools, struct pdfpipe_error *err)
{
    struct pp_reading *r = &d->reading;
    struct pdfpipe_error why;
    enum pdfpipe_status st;

    st = pp_source_open(&r->source, d->sink.temp, err);
    if (st == PDFPIPE_E_NOT_FOUND)
        return pp_fail(err, PDFPIPE_E_WRITE,
                       "the temporary file vanished before it was published");
    if (st)
        return st;
    /* The bytes shall come from the disk, not from memory.  Only advice: what
     * is dirty stays, but it has been synced before. */
    (void)posix_fadvise(r->source.fd, 0, 0, POSIX_FADV_DONTNEED);
    st = load(p, d, tools, NULL, &why);
    if (!st)
        st = pp_encdict_read(pp_buf_view(&r->profile.encrypt_text), &d->handler,
                             &why);
    if (st == PDFPIPE_E_READ || st == PDFPIPE_E_NO_MEMORY) {
        *err = why;
        return st;
    }
    if (st) {
        *err = why;
        return not_as_written(err);
    }
    if (r->xref.count != d->rows_count ||
        pp_xref_sum(&r->xref) != d->rows_sum ||
        !is_same(r->profile.root, d->root) ||
        !is_same(r->profile.info, d->info) ||
        !pp_view_is_equal(pp_buf_view(&r->profile.encrypt_text),
                          pp_buf_view(&d->encdict)))
        return pp_fail(err, PDFPIPE_E_VERIFY,
                       "cross-reference, trailer or encryption dictionary of "
                       "the output do not read back as written");
    d->read_key = pp_secret_new(p->vault, PP_FILE_KEY_BYTES);
    return d->read_key ? PDFPIPE_OK : pp_fail_memory(err);
}
