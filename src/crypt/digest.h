/*
 * digest.h - do two documents have the same content, whatever their order?
 *
 * Every object is cut into parts (its text; each 64 KiB of its stream), each
 * part is hashed with SHA-256 together with its name (object, generation, part
 * number), and the hashes are added up.  Addition commutes, so workers hash
 * parts in any order, and no list of digests is kept: 40 bytes stand for a
 * document of any size.  Both sides of the comparison are made by this
 * program from the file on disk; the sum guards against faults of memory,
 * disk and program, not against somebody who chooses the hashes' input.
 */
#ifndef PP_CRYPT_DIGEST_H
#define PP_CRYPT_DIGEST_H

#include "base/fail.h"

#define PP_DIGEST_BLOCK 65536u /* bytes of a stream in one part */

/* Sum of the hashes of some parts.  All zero: of none. */
struct pp_tally {
    uint64_t sum[4];
    uint64_t parts;
};

struct pp_suite;
struct pp_digest; /* one per thread */

enum pdfpipe_status pp_digest_new(const struct pp_suite *suite,
                                  struct pp_digest **out,
                                  struct pdfpipe_error *err);
void pp_digest_free(struct pp_digest *d);

/* One part: begin with its name, any number of updates, end adds it to
 * *tally.  part 0 is the text, 1.. are blocks of the stream.  A part that was
 * begun and not ended counts for nothing when the next one begins.
 * Errors: E_CRYPTO; the part must be begun again then. */
enum pdfpipe_status pp_digest_begin(struct pp_digest *d, uint32_t object,
                                    uint32_t generation, uint64_t part,
                                    struct pdfpipe_error *err);
enum pdfpipe_status pp_digest_update(struct pp_digest *d, const void *p,
                                     size_t n, struct pdfpipe_error *err);
enum pdfpipe_status pp_digest_end(struct pp_digest *d, struct pp_tally *tally,
                                  struct pdfpipe_error *err);

void pp_tally_add(struct pp_tally *to, const struct pp_tally *from);
bool pp_tally_equal(const struct pp_tally *a, const struct pp_tally *b);

#endif
