/*
 * pdfpipe.h - public interface of libpdfpipe
 *
 * A run takes documents one after the other from the caller, encrypts them on
 * its own threads and reports each one.  Many small documents and one huge
 * document use the machine equally well.
 *
 * Conventions, valid for every function below unless it says otherwise:
 *   - Sizes and offsets are in bytes, durations in nanoseconds (_ns).
 *   - A function returns PDFPIPE_OK or the status that also lands in
 *     err->code.  err may be NULL.  On PDFPIPE_OK *err is left untouched.
 *   - "Borrows p" means p must stay valid until the call returns, no longer.
 *   - A run may be used by one thread at a time; pdfpipe_run_cancel(),
 *     pdfpipe_run_progress() and pdfpipe_run_abandon() from any thread.
 *     Two runs are independent.
 */
#ifndef PDFPIPE_PDFPIPE_H
#define PDFPIPE_PDFPIPE_H

#include <pdfpipe/options.h>
#include <pdfpipe/status.h>
#include <pdfpipe/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * One document to be encrypted.  The strings are borrowed until the next call
 * of the next() callback; the library copies what it needs.
 */
struct pdfpipe_job {
    const char *source; /* file to read                                     */
    const char *target; /* file to make; NULL: the source is replaced       */
    const char *backup; /* name under which a replaced source is kept (hard
                           link, else copy); NULL: it is not kept           */
    bool keep_target;   /* an existing target that is not an encrypted PDF
                           fails; one that is encrypted and not older than
                           the source is skipped as already done            */
    void *tag;          /* the caller's; handed back with the result        */

    /*
     * NULL, or what the caller met in place of a document (a folder that
     * cannot be read, a symbolic link).  Then nothing is opened: the result
     * that comes back in its turn carries this error and is SKIPPED when
     * `skip` is set, else FAILED.  Borrowed like the strings.
     */
    const struct pdfpipe_error *error;
    bool skip;
};

enum pdfpipe_result_kind {
    PDFPIPE_ENCRYPTED,     /* the target is complete                         */
    PDFPIPE_WOULD_ENCRYPT, /* dry run: nothing speaks against it             */
    PDFPIPE_SKIPPED,       /* left as it was, by policy; error.code says why */
    PDFPIPE_FAILED,        /* left as it was; error says why                 */
};

#define PDFPIPE_WARNINGS_KEPT 16

/* What became of one document. */
struct pdfpipe_result {
    enum pdfpipe_result_kind kind;
    struct pdfpipe_error error; /* code OK when kind is ENCRYPTED           */
    const char *source;         /* valid during the callback                */
    const char *target;         /* where the output is (or would be)        */
    void *tag;                  /* of the job                               */

    uint64_t bytes_in;      /* size of the source                           */
    uint64_t bytes_out;     /* size of the target, 0 unless ENCRYPTED       */
    uint64_t objects;       /* objects written, object streams as one       */
    uint64_t streams;       /* streams that went through the cipher         */
    uint64_t strings;       /* strings that went through the cipher         */
    uint64_t payload_bytes; /* sum of their lengths before encryption       */
    uint64_t wall_ns;       /* from opening the source to publishing        */

    unsigned warnings; /* how many; of each kind the first is kept:    */
    unsigned warnings_kept;
    struct pdfpipe_warning warning[PDFPIPE_WARNINGS_KEPT];
};

/*
 * What a run asks of its caller.  next() is called on the reader's thread,
 * result() on the committer's; neither may call back into the run except for
 * cancel, progress and abandon.  A slow result() slows the run; a next() that
 * waits holds back the verification of documents that are under way.
 */
struct pdfpipe_callbacks {
    void *arg;
    /* Fills *job, which comes zeroed, and returns true, or returns false: no
     * more documents. */
    bool (*next)(void *arg, struct pdfpipe_job *job);
    /* Called once per job, in the order of next(). */
    void (*result)(void *arg, const struct pdfpipe_result *result);
    /* Called once, as the very last thing, when every result is reported;
     * pdfpipe_run_join() will then return without waiting.  May be NULL. */
    void (*finished)(void *arg);
};

/* Sums over a run, for a progress line and for statistics. */
struct pdfpipe_progress {
    uint64_t files_done;    /* results reported                               */
    uint64_t files_failed;  /* of these, FAILED                               */
    uint64_t bytes_done;    /* source bytes that have been read and sealed    */
    uint64_t bytes_out;     /* bytes written                                  */
    uint64_t payload_bytes; /* bytes through the cipher                       */
    uint64_t cipher_ns;     /* in the cipher calls alone, summed over workers */
    uint64_t kdf_ns;        /* in password hashes, summed over workers        */
    uint64_t read_ns;       /* reader busy: parsing and positioned reads      */
    uint64_t work_ns;       /* workers busy, summed, cipher and kdf included  */
    uint64_t write_ns;      /* writer busy                                    */
    uint64_t commit_ns;     /* committer busy: fsync, rename                  */
    uint64_t wall_ns;       /* since the start                                */
    unsigned threads;       /* workers                                        */
    const char *engine;     /* what encrypts, "evp"; constant string          */
    char current[256];      /* source being read, cut on the left             */
};

struct pdfpipe_run; /* opaque */

/*
 * Makes a run.  No thread starts yet.
 *
 * Ownership: the caller owns *out and releases it with pdfpipe_run_free().
 * Errors:    E_USAGE     an option is out of range, or this machine cannot run
 *                        the engine
 *            E_PASSWORD  no password at all; an empty owner password beside a
 *                        user password; a password that cannot be prepared
 *            E_NO_MEMORY, E_CRYPTO
 */
PDFPIPE_API enum pdfpipe_status
pdfpipe_run_new(const struct pdfpipe_options *options,
                const struct pdfpipe_callbacks *callbacks,
                struct pdfpipe_run **out, struct pdfpipe_error *err);

/* Starts the threads and returns at once.
 * Errors: E_NO_MEMORY when a thread cannot be made; nothing was touched. */
PDFPIPE_API enum pdfpipe_status pdfpipe_run_start(struct pdfpipe_run *run,
                                                  struct pdfpipe_error *err);

/*
 * Waits until every job is reported.  Returns PDFPIPE_OK when no document
 * failed; else the status that decides the exit code: a retryable failure
 * wins over a permanent one, then the first in order.
 */
PDFPIPE_API enum pdfpipe_status pdfpipe_run_join(struct pdfpipe_run *run,
                                                 struct pdfpipe_error *err);

/* Frees a run that is joined or was never started; run may be NULL. */
PDFPIPE_API void pdfpipe_run_free(struct pdfpipe_run *run);

/* Asks the run to stop: documents not yet published are discarded and
 * reported as E_CANCELLED.  Returns at once. */
PDFPIPE_API void pdfpipe_run_cancel(struct pdfpipe_run *run);

/* Removes every temporary file of the run now.  For a program that is about
 * to end without waiting; the run can only be left to the system afterwards. */
PDFPIPE_API void pdfpipe_run_abandon(struct pdfpipe_run *run);

PDFPIPE_API void pdfpipe_run_progress(const struct pdfpipe_run *run,
                                      struct pdfpipe_progress *out);

/*
 * One document, one call: encrypts source into target (NULL: in place) and
 * waits.  *result may be NULL; its strings point at the arguments.
 * Returns PDFPIPE_OK when the target is complete, else why not.
 */
PDFPIPE_API enum pdfpipe_status
pdfpipe_encrypt_file(const struct pdfpipe_options *options, const char *source,
                     const char *target, struct pdfpipe_result *result,
                     struct pdfpipe_error *err);

#ifdef __cplusplus
}
#endif
#endif
