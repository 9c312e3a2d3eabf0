/*
 * pipe.pml - model of the pipeline's protocol, checked in every interleaving
 *
 * One reader, NW workers, one ordered writer, one committer; UNITS units bound
 * memory.  The run is a batch of documents; a document has UNITS_OF units per
 * pass, and document 0 comes back for a second pass, as outputs that are
 * verified do.  Its units are pieces of one stream: they are sealed in order
 * through a chain, by whatever worker has them.  A worker holds up to HOLD
 * units, as one with many lanes does: it takes more if there are any, and
 * never waits with a unit in its hands.
 *
 * Checked: no deadlock (spin's invalid end states); strict output order; a
 * failed unit stops the output of its document and of no other; every document
 * is reported exactly once; every unit and every byte of the budget is back.
 *
 *   -DTWO_POOLS     workers take a separate output slot: deadlock
 *   -DWAIT_TURN     a worker waits for its piece's turn while it holds
 *                   another unit: deadlock
 *   -DROOM_ONLY     the reader waits for room among the documents without
 *                   looking at those that want a second pass: deadlock
 *   -DBUG_DROP      a worker drops a failed unit: deadlock
 *   -DBUG_NOSTOP    the writer goes on after a failure: assertion
 *   -DBUG_NOIDLE    the committer holds a group back without noticing that
 *                   nothing moves: deadlock
 *   -DBUDGET        the reader also takes bytes at the gate: sound
 *   -DBARE          the last unit of a pass, which carries hashes and no piece
 *                   of a stream, comes from a pool of its own: sound
 */
#ifndef NW
#define NW 2
#endif
#define UNITS 3
#define DOCS 2
#define UNITS_OF 2
#define HOLD 2
#ifndef ROOM
#define ROOM 2                  /* documents under way                      */
#endif
#define END 255                 /* "queue is closed"                        */

#define LAST(piece) ((piece) == UNITS_OF - 1)

/* A unit's fields; one owner at a time. */
byte unit_doc[UNITS];
byte unit_piece[UNITS];
bool unit_failed[UNITS];

chan gate  = [UNITS] of { byte };             /* free units                 */
#ifdef BARE
chan bare  = [1] of { byte };                 /* free units without buffers */
#define FULL_UNITS (UNITS - 1)
#define CHAINED(u) (unit_doc[u] == 0 && (u) < FULL_UNITS)
#else
#define FULL_UNITS UNITS
#define CHAINED(u) (unit_doc[u] == 0)
#endif
chan queue = [UNITS + NW] of { byte, byte };  /* unit, sequence number      */
byte slot[UNITS];                             /* window: unit + 1, or 0     */

#ifdef TWO_POOLS
byte out_free = 1;
#endif
#ifdef BUDGET
#define FULL 3
byte budget = FULL;
#define WEIGHT(piece) (1 + (piece) * 4)       /* 1, 5: one is over the whole */
#define CHARGE(piece) (WEIGHT(piece) > FULL -> FULL : WEIGHT(piece))
#endif

/* The chain of document 0's current pass. */
byte chain_next;
byte chain_parked[UNITS];                     /* by piece: unit + 1, or 0   */
byte chain_seq[UNITS];

/* The roster. */
chan again = [DOCS] of { byte };              /* wants another pass         */
chan inbox = [DOCS] of { byte };              /* has finished one           */
byte under_way;
byte moving;
bool reader_waits;
bool reader_done;

byte issued, next_seq, reported, exited;
byte pass[DOCS];
bool failed[DOCS];
byte written[DOCS];                           /* units of the current pass  */
byte report_count[DOCS];

#define SECOND(doc) ((doc) == 0)

inline read_pass(doc) {
    piece = 0;
    if
    :: doc == 0 -> d_step { chain_next = 0 }
    :: else -> skip
    fi;
    do
    :: piece < UNITS_OF ->
#ifdef BARE
        if                                    /* the one place that waits   */
        :: LAST(piece) -> bare?u
        :: else -> gate?u
        fi;
#else
        gate?u;                               /* the one place that waits   */
#endif
#ifdef BUDGET
        atomic { budget >= CHARGE(piece) -> budget = budget - CHARGE(piece) };
#endif
        d_step {
            unit_doc[u] = doc;
            unit_piece[u] = piece;
            unit_failed[u] = false;
        };
        queue!u,issued;
        issued = (issued + 1) % 64;
        piece++
    :: else -> break
    od
}

active proctype reader() {
    byte u, piece, doc, fresh = 0, i;

    do
    :: atomic { nempty(again) -> again?doc; moving++; reader_waits = false };
        read_pass(doc)
    :: atomic { fresh < DOCS && under_way < ROOM && empty(again) ->
            doc = fresh; fresh++; under_way++; moving++;
            reader_waits = false };
        read_pass(doc)
#ifdef ROOM_ONLY
    :: fresh < DOCS && under_way >= ROOM -> (under_way < ROOM)
#endif
    :: atomic { fresh == DOCS && under_way == 0 -> break }
    :: atomic { empty(again) && !(fresh < DOCS && under_way < ROOM) &&
            !(fresh == DOCS && under_way == 0) && !reader_waits ->
            reader_waits = true }
    od;
    reader_done = true;
    for (i : 1 .. NW) { queue!0,END }
    exited++
}

inline into_window(u, seq) {
    d_step {
        assert(slot[seq % UNITS] == 0);
        slot[seq % UNITS] = u + 1
    }
}

/* The cipher: may fail. */
inline seal(u) {
    if
    :: unit_failed[u] = true
    :: skip
    fi
}

/* One unit through the cipher, and with a chain those that waited for it. */
inline handle(u, seq) {
    if
    :: CHAINED(u) ->
#ifdef WAIT_TURN
        (chain_next == unit_piece[u]);        /* holds a unit and waits     */
        seal(u);
        d_step { chain_next++ };
        into_window(u, seq)
#else
        if
        :: atomic { chain_next != unit_piece[u] ->
                k = unit_piece[u];
                chain_parked[k] = u + 1; chain_seq[k] = seq }
        :: else ->
            do
            :: seal(u);
                atomic {                      /* leave: take the next along */
                    chain_next++;
                    k = chain_next;
                    if
                    :: k < UNITS && chain_parked[k] != 0 -> skip
                    :: else -> k = END
                    fi
                };
                into_window(u, seq);
                if
                :: k != END -> d_step {
                        u = chain_parked[k] - 1; seq = chain_seq[k];
                        chain_parked[k] = 0 }
                :: else -> break
                fi
            od
        fi
#endif
    :: else ->
        seal(u);
#ifdef BUG_DROP
        if
        :: unit_failed[u] -> gate!u
        :: else -> into_window(u, seq)
        fi
#else
        into_window(u, seq)
#endif
    fi
}

active [NW] proctype worker() {
    byte u, seq, k, n = 0;
    byte held[HOLD], held_seq[HOLD];
    bool closing = false;

    do
    :: n < HOLD && !closing && (n == 0 || nempty(queue)) ->
        if
        :: queue?u,seq ->                     /* waits only with n == 0     */
            if
            :: seq == END -> closing = true
            :: else ->
#ifdef TWO_POOLS
                atomic { out_free > 0 -> out_free-- };
#endif
                d_step { held[n] = u; held_seq[n] = seq; n++ }
            fi
        :: n > 0 && empty(queue) -> skip      /* somebody else was faster   */
        fi
    :: n > 0 ->
        d_step { n--; u = held[n]; seq = held_seq[n] };
        handle(u, seq)
    :: closing && n == 0 -> break
    od;
    exited++
}

active proctype writer() {
    byte u, doc, piece;

    do
    :: slot[next_seq % UNITS] != 0 ->
        d_step {
            u = slot[next_seq % UNITS] - 1;
            slot[next_seq % UNITS] = 0;
            next_seq = (next_seq + 1) % 64;
            doc = unit_doc[u];
            piece = unit_piece[u];
            if
            :: unit_failed[u] -> failed[doc] = true
            :: else -> skip
            fi
        };
        if
#ifdef BUG_NOSTOP
        :: !unit_failed[u] ->
#else
        :: !unit_failed[u] && !failed[doc] ->
#endif
            assert(!failed[doc] && written[doc] == piece);
            written[doc]++
        :: else -> skip
        fi;
#ifdef TWO_POOLS
        out_free++;
#endif
#ifdef BUDGET
        budget = budget + CHARGE(piece);
#endif
#ifdef BARE
        if
        :: u >= FULL_UNITS -> bare!u
        :: else -> gate!u
        fi;
#else
        gate!u;
#endif
        if
        :: LAST(piece) ->
            atomic { inbox!doc; moving-- }
        :: else -> skip
        fi
    :: atomic { reader_done && next_seq == issued && slot[next_seq % UNITS] == 0
            -> break }
    od;
    exited++
}

/* Holds finished documents back, to serve a group at once. */
active proctype committer() {
    byte doc, held[DOCS], n = 0, i;

    do
    :: inbox?doc -> d_step { held[n] = doc; n++ }
#ifndef BUG_NOIDLE
    :: atomic { n > 0 && reader_waits && moving == 0 && empty(inbox) &&
            empty(again) -> skip };
#else
    :: n == DOCS ->
#endif
        for (i : 0 .. n - 1) {
            doc = held[i];
            assert(failed[doc] || written[doc] == UNITS_OF);
            if
            :: !failed[doc] && pass[doc] == 0 && SECOND(doc) ->
                d_step { pass[doc] = 1; written[doc] = 0 };
                again!doc
            :: else ->
                atomic { report_count[doc]++; reported++; under_way-- }
            fi
        };
        n = 0
    :: atomic { reader_done && under_way == 0 && n == 0 -> break }
    od;
    exited++
}

init {
    byte i;

    atomic { for (i : 0 .. (FULL_UNITS - 1)) { gate!i } };
#ifdef BARE
    bare!FULL_UNITS;
#endif
    (exited == NW + 3);
    assert(len(gate) == FULL_UNITS && len(queue) == 0);
#ifdef BARE
    assert(len(bare) == 1);
#endif
    assert(reported == DOCS && under_way == 0 && moving == 0);
    for (i : 0 .. (DOCS - 1)) { assert(report_count[i] == 1) };
#ifdef BUDGET
    assert(budget == FULL);
#endif
#ifdef TWO_POOLS
    assert(out_free == 1);
#endif
}
