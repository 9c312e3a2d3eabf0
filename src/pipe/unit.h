/*
 * unit.h - what travels through the pipeline
 *
 *   gate --> reader --> queue --> worker (one of N) --> window --> writer --+
 *     ^                                                                    |
 *     +--------------------------------------------------------------------+
 *
 * A unit is a stretch of one document's output with its own memory.  It is the
 * only thing that moves between threads, and one thread owns it at a time;
 * gate, queue, chain and window hand it over under their mutex, so its fields
 * need no lock.  The tags say who touches a field while the unit is his:
 * R reader, K worker, W writer.
 *
 * A unit carries its input and its output buffer, so a worker never waits for
 * anything while it holds one.  That is what keeps the pipeline free of
 * deadlock: tests/model/pipe.pml checks it, and shows the deadlock that a
 * second pool would bring.
 */
#ifndef PP_PIPE_UNIT_H
#define PP_PIPE_UNIT_H

#include "pipe/document.h"
#include "seal/plan.h"

/*
 * Bytes of the buffers of a unit.  The output buffer is the unit of work: 256
 * KiB to 1 MiB measured alike; smaller means more hand-overs, larger means
 * more cold memory, which costs more than encrypting it.  Three quarters of
 * the text buffer would do for the densest text, as strings grow by it.
 */
#define PP_UNIT_OUT    ((size_t)512 * 1024)
#define PP_UNIT_TEXT   ((size_t)256 * 1024)
#define PP_UNIT_SPANS  ((size_t)4096)
#define PP_UNIT_PLACED ((size_t)4096)

/* What a usual unit is charged at the gate. */
#define PP_UNIT_CHARGE ((uint64_t)(PP_UNIT_OUT + PP_UNIT_TEXT))

/* Plaintext in one piece of a stream that does not fit a unit: a multiple of
 * PP_DIGEST_BLOCK, with room for IV, padding and the text around it. */
#define PP_PIECE_PLAIN (PP_UNIT_OUT - PP_DIGEST_BLOCK)

/* What a worker shall do with a unit. */
enum pp_task {
    PP_TASK_NONE,  /* pass it on: it only carries an error or an end  */
    PP_TASK_SEAL,  /* encrypt the stretch                             */
    PP_TASK_MAKE,  /* make the handler's values from the passwords    */
    PP_TASK_OPEN,  /* derive the file key from both passwords         */
    PP_TASK_CHECK, /* decrypt and digest the stretch                 */
};

struct pp_chain;

struct pp_unit {
    struct pp_unit *link;         /* of the list that it is in               */
    bool bare;                    /* constant: it has no buffers             */
    uint64_t seq;                 /* R sets: its place in the output         */
    uint64_t charge;              /* R sets, W gives back: bytes of budget   */
    struct pp_document *document; /* R sets                                  */
    enum pp_task task;            /* R sets                                  */
    bool last;                    /* R sets: of its pass                     */
    struct pp_chain *chain;       /* R sets, W releases: its first span goes
                                     on with a stream; NULL: it does not     */
    uint64_t piece;               /* R sets: number of that piece, from 0    */
    bool turn;                    /* K sets: handed over by its chain        */
    uint64_t source_bytes;        /* R sets: of the source, for progress     */
    struct pp_stretch stretch;    /* R lays out, K fills, W writes           */
    struct pdfpipe_error err;     /* R K set, W reads: code is the verdict   */
    uint8_t *text, *out;          /* the unit's own buffers                  */
};

/*
 * All units of a run, their buffers in one mapping of huge pages where there
 * are any.  Bare units only carry a task or an end: with them, the passwords of
 * many small documents are hashed at a time.
 */
struct pp_units {
    struct pp_unit *unit; /* n with buffers, then the bare ones */
    size_t n, bare;
    void *memory;
    size_t memory_n;
};

/* Errors: E_NO_MEMORY. */
enum pdfpipe_status pp_units_init(struct pp_units *u, size_t n, size_t bare,
                                  struct pdfpipe_error *err);
void pp_units_fini(struct pp_units *u);

/* Bytes of memory that n units with buffers take. */
uint64_t pp_units_bytes(size_t n);

/* Makes an empty unit's buffers at least this large, for an object that does
 * not fit a usual one.  Errors: E_NO_MEMORY. */
enum pdfpipe_status pp_unit_enlarge(struct pp_unit *u,
                                    const struct pp_room *room,
                                    struct pdfpipe_error *err);

/* Empties it; buffers that were enlarged are given back to the system. */
void pp_unit_reset(struct pp_unit *u);

#endif
