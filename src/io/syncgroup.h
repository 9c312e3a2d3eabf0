/*
 * syncgroup.h - many files brought to disk by one call per file system
 *
 * One syncfs() for a few hundred sealed files costs little more than one
 * fsync() for one of them.  syncfs reports a failed write-back only to
 * descriptors that were open before it happened, and once; so the group keeps
 * one descriptor per file system, opened when the first file on it is
 * announced, which must be before that file is written.
 *
 *   announce --> sink written, sealed --> flush --> holds --> published
 *
 * announce may be called by one thread while another one flushes; flush and
 * holds are for one thread (the committer).
 */
#ifndef PP_IO_SYNCGROUP_H
#define PP_IO_SYNCGROUP_H

#include <stdint.h>

#include "base/fail.h"

#define PP_SYNCGROUP_DEVICES 256u

struct pp_syncgroup;
enum pdfpipe_status pp_syncgroup_new(struct pp_syncgroup **out,
                                     struct pdfpipe_error *err);
void pp_syncgroup_free(struct pp_syncgroup *g); /* g may be NULL */

/*
 * A file is going to be written in the folder that holds `path`.  *ticket
 * stands for it in pp_syncgroup_holds().
 * Errors: E_LIMIT (more than PP_SYNCGROUP_DEVICES file systems),
 * E_PERMISSION (the folder may not be read), E_NOT_FOUND, E_WRITE,
 * E_NO_MEMORY.
 */
enum pdfpipe_status pp_syncgroup_announce(struct pp_syncgroup *g,
                                          const char *path, uint64_t *ticket,
                                          struct pdfpipe_error *err);

/*
 * Brings every file system announced so far to disk.  After an error every
 * file of the group that is not published must be discarded.
 * Errors: E_WRITE, E_NO_SPACE, E_READ_ONLY, naming a folder on it.
 */
enum pdfpipe_status pp_syncgroup_flush(struct pp_syncgroup *g,
                                       struct pdfpipe_error *err);

/*
 * May the file with this ticket, sealed before the last flush, be published?
 * A failed flush also takes with it the files that were being written then:
 * the kernel reports an error once and does not say whose bytes it lost, so
 * the next flush would succeed without them.
 * Errors: those of the flush that failed.
 */
enum pdfpipe_status pp_syncgroup_holds(struct pp_syncgroup *g, uint64_t ticket,
                                       struct pdfpipe_error *err);

#endif
