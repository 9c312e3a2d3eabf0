/*
 * sink.h - the file a document is written to: all of it or nothing
 *
 * The bytes go to a temporary file in the target's folder.  Only when every
 * write, fsync and close has succeeded may it be published by a rename; on
 * any error it is discarded and the target stays as it was.  An fsync that
 * failed is never tried again: the kernel may have dropped the pages.
 *
 *   pp_sink_open --> write... --> finish --> seal --> publish
 *        \___________\____________\_________\_____> discard
 *
 * One thread at a time; the one that seals may be another than the one that
 * wrote.  The functions change only this sink's state; what must happen
 * between them (group sync, verification) is the committer's.
 */
#ifndef PP_IO_SINK_H
#define PP_IO_SINK_H

#include <stdbool.h>

#include "base/fail.h"

#define PP_SINK_BUFFER ((size_t)256 * 1024)

enum pp_sink_state {
    PP_SINK_NONE,      /* nothing on disk                      */
    PP_SINK_OPEN,      /* temporary file being written         */
    PP_SINK_FINISHED,  /* complete, but still open             */
    PP_SINK_SEALED,    /* complete and closed, under temp name */
    PP_SINK_PUBLISHED, /* under its final name                 */
    PP_SINK_FAILED,    /* temporary file of no use: discard    */
};

struct pp_sink {
    enum pp_sink_state state;
    int fd;            /* -1 unless OPEN or FINISHED (or FAILED then)     */
    char *target;      /* final name, owned                               */
    char *temp;        /* temporary name in the same folder, owned        */
    uint64_t size;     /* bytes given to pp_sink_write so far             */
    uint8_t *buffer;   /* PP_SINK_BUFFER bytes, borrowed while OPEN       */
    size_t buffered;   /* bytes in it                                     */
    uint64_t flushed;  /* bytes handed to the kernel                      */
    uint64_t reserved; /* bytes allocated ahead by fallocate              */
    uint64_t pushed;   /* bytes whose write-back was started              */
};

/*
 * Creates the temporary file ".pdfpipe-<16 hex>.tmp" beside target, mode 0600,
 * never through a symbolic link.  expected (0: unknown) is allocated ahead so
 * that a full disk shows early; it need not be exact.  buffer is
 * PP_SINK_BUFFER bytes aligned to 4096, borrowed until finish, seal or discard.
 * Missing folders of target are not made here (see pp_folder_make).
 * Errors: E_NO_SPACE, E_READ_ONLY, E_PERMISSION, E_NOT_FOUND, E_WRITE,
 * E_NO_MEMORY; nothing is on disk then, and s owns nothing.
 */
enum pdfpipe_status pp_sink_open(struct pp_sink *s, const char *target,
                                 uint64_t expected, uint8_t *buffer,
                                 struct pdfpipe_error *err);

/* Appends n bytes; a piece of PP_SINK_BUFFER bytes that meets an empty buffer
 * is written from where it is.  After an error only discard is allowed.
 * Errors: E_NO_SPACE, E_WRITE. */
enum pdfpipe_status pp_sink_write(struct pp_sink *s, const void *p, size_t n,
                                  struct pdfpipe_error *err);

struct pp_meta;

/*
 * Writes what is buffered, sets the true length, and gives the file the
 * metadata of `like` (see meta.h; NULL: mode 0666 minus umask).  What of it
 * could not be kept is remembered in *like.  The buffer is the caller's again.
 * After an error only discard is allowed.
 * Errors: E_NO_SPACE, E_WRITE, E_PERMISSION (see pp_meta_apply).
 */
enum pdfpipe_status pp_sink_finish(struct pp_sink *s, struct pp_meta *like,
                                   struct pdfpipe_error *err);

/*
 * With sync fsyncs, which may take long, and closes.  Finishes before, with
 * `like`, if that was not done; else like is not used.  After an error only
 * discard is allowed.
 * Errors: those of pp_sink_finish().
 */
enum pdfpipe_status pp_sink_seal(struct pp_sink *s, struct pp_meta *like,
                                 bool sync, struct pdfpipe_error *err);

/*
 * Renames to the final name; replace: an existing target is replaced, else it
 * must not exist.  The folder is not synced here.
 * Errors: E_TARGET_EXISTS (the sink is still SEALED and may be published under
 * another name); the others of pp_temp_publish, after which only discard is
 * allowed.
 */
enum pdfpipe_status pp_sink_publish(struct pp_sink *s, bool replace,
                                    struct pdfpipe_error *err);

/* Gives a SEALED sink another final name, which must be in the same folder.
 * Errors: E_NO_MEMORY; the name is unchanged then. */
enum pdfpipe_status pp_sink_retarget(struct pp_sink *s, const char *target,
                                     struct pdfpipe_error *err);

/* Removes the temporary file unless published, frees what s owns; harmless on
 * a sink that is all zero.  Never fails loudly: there is nothing left to do.
 * Keeps errno. */
void pp_sink_discard(struct pp_sink *s);

/* Frees what s owns after it was published. */
void pp_sink_fini(struct pp_sink *s);

#endif
