/*
 * inbox.h - results on their way from the library's thread to the main one
 *
 *   committer: put, finish  --->  [bounded ring]  --->  main thread: take
 *
 * put() waits while the ring is full: when the reader of --json is slow, the
 * run is, and memory does not grow.  The main thread never waits here.
 */
#ifndef PP_CLI_INBOX_H
#define PP_CLI_INBOX_H

#include <pdfpipe/pdfpipe.h>

/* Results under way.  Enough that the main thread may draw a progress line
 * meanwhile; each takes about 700 bytes and its two names. */
#define PP_INBOX_SLOTS 256u

struct pp_inbox;

/* wake(arg) is called after each put and finish, with the ring locked; it
 * must not block.  Ownership: the caller owns *out.  Errors: E_NO_MEMORY. */
enum pdfpipe_status pp_inbox_new(void (*wake)(void *arg), void *arg,
                                 struct pp_inbox **out,
                                 struct pdfpipe_error *err);
void pp_inbox_free(struct pp_inbox *box); /* may be NULL */

/* Copies the result and its strings.  Any one thread but the main one. */
void pp_inbox_put(struct pp_inbox *box, const struct pdfpipe_result *result);

/* Nothing comes any more. */
void pp_inbox_finish(struct pp_inbox *box);

/*
 * The oldest result.  Its strings are the caller's, see pp_result_fini().
 * False: there is none now; *finished says whether there will be none.
 */
bool pp_inbox_take(struct pp_inbox *box, struct pdfpipe_result *result,
                   bool *finished);
void pp_result_fini(struct pdfpipe_result *result);

#endif
