/*
 * placement.h - where an output and the backup of its source go
 *
 *   no output, no suffix   in place: no target
 *   suffix S               NAME.S.pdf beside the source
 *   output FILE            that file; for one input that is a file
 *   output FOLDER          the tree below each named folder is mirrored in it
 *   backup FOLDER          the same mirror, for sources replaced in place
 */
#ifndef PP_BATCH_PLACEMENT_H
#define PP_BATCH_PLACEMENT_H

#include "batch/filter.h"
#include "batch/pathset.h"
#include "batch/roots.h"

struct pp_placement {
    const char *output; /* borrowed, NULL: none */
    const char *suffix;
    const char *backup;
    bool output_is_file;
    bool may_collide; /* two inputs could have one target */
    struct pp_pathset taken;
    char *target_name; /* owned, of the last call */
    char *backup_name;
};

/*
 * Checks what is asked for against what stands there; nothing is made.
 * output, suffix and backup may be NULL and are borrowed as long as *p lives;
 * roots, filter and recurse (is a named folder walked below its first level?)
 * only for this call.
 *
 * Errors: E_USAGE  the suffix is no part of a name; options that exclude each
 *                  other; several inputs for one output file; the output is
 *                  the input; the output or backup folder lies inside a tree
 *                  that is walked
 *         E_INTERNAL, E_NO_MEMORY
 */
enum pdfpipe_status pp_placement_init(struct pp_placement *p,
                                      const char *output, const char *suffix,
                                      const char *backup,
                                      const struct pp_roots *roots,
                                      const struct pp_filter *filter,
                                      bool recurse, struct pdfpipe_error *err);
void pp_placement_fini(struct pp_placement *p);

/*
 * Names for the file at source, which is `relative` below its named folder:
 * *target NULL: in place; *backup NULL: none.  Valid until the next call.
 * Errors: E_TARGET_EXISTS  an earlier input of this run has the same target
 *         E_LIMIT          a name is too long for the system
 *         E_NO_MEMORY
 */
enum pdfpipe_status pp_placement_find(struct pp_placement *p,
                                      const char *source, const char *relative,
                                      const char **target, const char **backup,
                                      struct pdfpipe_error *err);

#endif
