/*
 * roster.h - the documents of a run that are under way
 *
 * The reader takes new documents from the caller and those that need another
 * pass; the writer hands over what has finished a pass; the committer decides
 * what becomes of it.  The number of documents under way is bounded, and the
 * reader waits here for one thing or the other - never for room alone, as the
 * room is made by finishing passes that it has to read.
 */
#ifndef PP_PIPE_ROSTER_H
#define PP_PIPE_ROSTER_H

#include "base/thread.h"
#include "pipe/document.h"

/* Documents under way.  Each unreported one keeps its names and counters;
 * groups of small files and their verification need a few hundred. */
#define PP_DOCUMENTS_MAX ((size_t)512)

/* First in, first out. */
struct pp_documents {
    struct pp_document *head, *tail;
};

struct pp_roster {
    struct pp_mutex mu;
    struct pp_cond reader_wakes;
    struct pp_cond committer_wakes;
    struct pp_documents again; /* mu: need another pass                     */
    struct pp_documents inbox; /* mu: have finished one                     */
    size_t under_way;          /* mu: taken from the caller, not reported   */
    size_t moving;             /* mu: of these, between reader and inbox    */
    bool reader_waits;         /* mu: the reader can only go on when the
                                  committer finishes something              */
    bool reader_done;          /* mu                                        */
};

void pp_roster_init(struct pp_roster *r);
void pp_roster_fini(struct pp_roster *r);

enum pp_roster_next {
    PP_NEXT_AGAIN,    /* *d needs another pass                        */
    PP_NEXT_NEW,      /* a new document may be taken from the caller  */
    PP_NEXT_FINISHED, /* no more will come, all are reported          */
};

/* The reader: what to read next.  more: the caller has more documents. */
enum pp_roster_next pp_roster_next(struct pp_roster *r, bool more,
                                   struct pp_document **d);
/* The reader: a new document is under way. */
void pp_roster_enter(struct pp_roster *r);
/* The reader: it reads no more. */
void pp_roster_leave(struct pp_roster *r);

/* The writer: the last unit of a pass is written. */
void pp_roster_submit(struct pp_roster *r, struct pp_document *d);

enum pp_roster_take {
    PP_TAKE_DOCUMENT, /* *d has finished a pass                          */
    PP_TAKE_IDLE,     /* nothing moves: what the committer holds back it
                         must finish now                                 */
    PP_TAKE_TIMEOUT,
    PP_TAKE_FINISHED, /* the reader is done and nothing is under way     */
};

/* The committer: waits for one of the above; deadline_ns (pp_now_ns() clock)
 * 0: no timeout.  holds: the committer holds documents back. */
enum pp_roster_take pp_roster_take(struct pp_roster *r, uint64_t deadline_ns,
                                   bool holds, struct pp_document **d);
/* The committer: the document needs another pass. */
void pp_roster_again(struct pp_roster *r, struct pp_document *d);
/* The committer: a document is reported. */
void pp_roster_retire(struct pp_roster *r);

/* True when no document is under way. */
bool pp_roster_conserved(struct pp_roster *r);

void pp_documents_push(struct pp_documents *list, struct pp_document *d);
struct pp_document *pp_documents_pop(struct pp_documents *list);

#endif
