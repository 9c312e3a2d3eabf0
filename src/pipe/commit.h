/*
 * commit.h - the thread that decides what becomes of a finished document
 *
 * Bytes on disk, verification, the rename, the folder on disk, the report: in
 * this order, and each step only when the one before succeeded.
 *
 *   written --> [on disk] --> [verified] --> renamed --> [folder on disk] --> report
 *                   |              |
 *                   +--------------+--- any failure: discarded, report
 *
 * Small files wait for each other before a step that touches the disk, so that
 * one call serves a group of them (durability "group"); a large one goes by
 * itself.  Reports are made in the order of the jobs.
 */
#ifndef PP_PIPE_COMMIT_H
#define PP_PIPE_COMMIT_H

#include "pipe/open.h"
#include "pipe/pipeline.h"

struct pp_committer {
    struct pp_pipeline *p;
    struct pp_peek peek; /* to read outputs back               */
    struct pp_scanner *scanner;
    struct pp_documents written; /* bytes not known to be on disk      */
    struct pp_documents renamed; /* names not known to be on disk      */
    size_t held;                 /* in both lists                      */
    size_t held_max;             /* constant                           */
    uint64_t held_bytes;
    uint64_t deadline_ns; /* when the lists are worked off      */
    struct pp_document *done[PP_DOCUMENTS_MAX]; /* by number, unreported */
    uint64_t next_report; /* number of the next document        */
    bool failing_fast;    /* the run stops because one failed   */
};

/* Errors: E_NO_MEMORY. */
enum pdfpipe_status pp_committer_init(struct pp_committer *c,
                                      struct pp_pipeline *p,
                                      struct pdfpipe_error *err);
void pp_committer_fini(struct pp_committer *c);

/* Thread main; arg is the committer. */
void *pp_committer_main(void *arg);

#endif
