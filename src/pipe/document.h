/*
 * document.h - one PDF on its way through a run
 *
 * A document goes through the pipeline once to be encrypted and, if its output
 * is verified in full, twice more: to open the output with the passwords, and
 * to decrypt what is on disk.  Such a trip is a pass; the units of a pass are
 * numbered in one sequence with those of all other documents.
 *
 *   roster -> reader -> units ... last unit -> writer -> committer -+-> report
 *      ^                                                            |
 *      +------------------- next pass (verification) ---------------+
 *
 * Each field has one owner at a time.  The tag says whose it is: R the
 * reader's until it has pushed the last unit of a pass; K read by workers, not
 * changed while units of the pass are under way; W the writer's between the
 * first and the last unit of a pass; C the committer's between passes.  The
 * hand-over of the last unit makes what R and K used W's, and W's list to the
 * committer makes all of it C's.
 */
#ifndef PP_PIPE_DOCUMENT_H
#define PP_PIPE_DOCUMENT_H

#include <stdatomic.h>

#include <pdfpipe/pdfpipe.h>

#include "crypt/secret.h"
#include "io/meta.h"
#include "io/sink.h"
#include "io/source.h"
#include "seal/encdict.h"
#include "seal/profile.h"
#include "seal/sealer.h"

enum pp_pass {
    PP_PASS_SEAL,  /* read the source, write the output                   */
    PP_PASS_OPEN,  /* read the output's dictionary, derive the key        */
    PP_PASS_CHECK, /* read the output, decrypt, digest                    */
};

/* A file that is being read, with all that is known of its structure. */
struct pp_reading {
    struct pp_source source;
    struct pp_input input;      /* over source                             */
    struct pp_scanner *scanner; /* for fetch, which works beside the reader */
    struct pp_xref xref;
    struct pp_fetch fetch;
    struct pp_profile profile;
    bool live; /* the members above are to be freed        */
};

struct pp_document {
    struct pp_document *link; /* roster's and committer's lists            */
    uint64_t number;          /* from 1, in the order of next()            */
    enum pp_pass pass;        /* R W C                                     */

    /* The job, copied. */
    char *source_path;
    char *target_path; /* equal to source_path when in place               */
    char *backup_path; /* NULL: none                                       */
    char shown[128];   /* end of the source's name, for a document whose
                          names found no memory                            */
    bool in_place;
    bool keep_target;
    bool refused; /* the job came with an error of the caller ...     */
    bool skip;    /* ... which is no failure                          */
    bool opened;  /* R sets: source_seen says what the source was     */
    bool replace; /* R sets: an existing target will be replaced      */
    void *tag;

    struct pp_reading reading;    /* R K: source, or output when verifying */
    struct pp_source source_seen; /* C: what the source was when opened    */
    uint8_t *file_key;            /* R sets, K: 32 bytes in the vault      */
    uint8_t *read_key;            /* K sets in pass OPEN: from the output  */
    uint8_t *owner;               /* R sets, K: random owner password      */
    size_t owner_n;
    uint8_t id[2][PP_IV_BYTES]; /* R sets, W: new file identifiers       */
    uint32_t info_number;       /* R sets, W: number of a promoted /Info */
    struct pp_handler handler;  /* K sets, W: made, or read back         */

    struct pp_sink sink;  /* W, then C                                    */
    uint64_t sync_ticket; /* W sets, C: of the sync group                 */
    struct pp_document *temp_link; /* pipeline's list, under its mutex     */
    bool temp_listed;              /* ... is it in there?                  */
    struct pp_meta meta;  /* R reads, W applies                           */
    struct pp_xref rows;  /* W: cross-reference of the output             */
    uint64_t highest_ref; /* W: highest number referred to                */
    uint64_t rows_sum;    /* W sets, C compares: pp_xref_sum of rows      */
    uint32_t rows_count;
    struct pp_tally tally[2]; /* W: [0] while sealing, [1] while checking  */
    struct pp_buf encdict;    /* W sets, C compares: dictionary as written    */
    struct pp_reference root, info; /* the same: of the trailer as written  */

    struct pp_notes notes;         /* W                                   */
    struct pdfpipe_error error;    /* W, C: the first in file order       */
    struct pdfpipe_result result;  /* W, C                                */
    uint64_t began_ns;             /* R                                   */
    struct pp_notes reading_notes; /* R sets, W: about the file as a whole */
    bool tally_wanted;             /* R sets, K: digests are taken         */

    /* Set by the writer at the first failed unit, looked at by the reader:
     * no more units of this pass are wanted.  Relaxed: only saves work. */
    atomic_bool stop;
};

/* An empty one, made before the caller is asked for a job: a job that was
 * taken must be reported.  Errors: E_NO_MEMORY. */
enum pdfpipe_status pp_document_new(struct pp_document **out,
                                    struct pdfpipe_error *err);

/*
 * Copies a job.  Errors: E_NO_MEMORY, or that with which the job came; the
 * document can be reported in any case.
 */
enum pdfpipe_status pp_document_take(struct pp_document *d,
                                     const struct pdfpipe_job *job,
                                     uint64_t number,
                                     struct pdfpipe_error *err);

/* The names for a report, never NULL. */
const char *pp_document_source(const struct pp_document *d);
const char *pp_document_target(const struct pp_document *d);

/* Discards what is not published and frees all; secrets go back to vault. */
void pp_document_free(struct pp_document *d, struct pp_vault *vault);

/* Closes what is being read; the file key goes too. */
void pp_document_close(struct pp_document *d, struct pp_vault *vault);

/* The name that people know the file by that is read in this pass. */
const char *pp_document_reading_path(const struct pp_document *d);

#endif
