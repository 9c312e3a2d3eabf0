/*
 * catalog.h - the documents of a run, one after the other
 *
 * Walks the named paths lazily, in a stable order: the paths as named, the
 * entries of a folder by their bytes, a folder's content in its place.  In
 * memory is one listing per level, whatever the size of the tree.
 *
 *   - Folders are opened with O_NOFOLLOW relative to the one above; symbolic
 *     links are never followed.  One that a walk meets where a file or folder
 *     would have been taken is given out as skipped; one that the user names
 *     fails.  (A slash behind a link to a folder names the folder, as usual.)
 *   - Files are never opened here, so no FIFO or device can hold the walk.
 *   - Mount points below a named folder are entered, as find(1) does.
 *   - What cannot be walked is given out as failed, never dropped.
 *   - Overlapping paths are walked once; see roots.h.  What is taken below a
 *     folder: filter.h.  Where outputs go: placement.h.
 *
 * Threads: one thread at a time.
 */
#ifndef PP_BATCH_CATALOG_H
#define PP_BATCH_CATALOG_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pdfpipe/status.h>

#include "batch/filter.h"

/* Folders below each other.  Each open level costs a descriptor. */
#define PP_CATALOG_DEPTH 1000u

/* Everything is borrowed as long as the catalog lives. */
struct pp_catalog_spec {
    const char *const *paths;
    size_t count;
    bool first_level_only;   /* folders below a named one are not entered */
    struct pp_filter filter; /* its suffix is set from the one below      */
    const char *output;      /* NULL: none; these three: placement.h      */
    const char *suffix;
    const char *backup;
};

enum pp_entry_kind {
    PP_ENTRY_FILE,    /* a document                             */
    PP_ENTRY_SKIPPED, /* left out, error says why               */
    PP_ENTRY_FAILED,  /* the walk could not go on here: error   */
};

/* The strings are valid until the next call. */
struct pp_entry {
    enum pp_entry_kind kind;
    const char *source;
    const char *relative; /* below the named folder; part of source */
    const char *target;   /* NULL: in place                         */
    bool target_named;    /* the target is a file that was named    */
    const char *backup;   /* NULL: none                             */
    struct pdfpipe_error error;
};

struct pp_catalog;

/*
 * Looks at the named paths and checks where outputs would go; walks nothing.
 * A path that does not exist is no error here: it will be given out as
 * failed.
 * Ownership: the caller owns *out and releases it with pp_catalog_free().
 * Errors: those of pp_placement_init.
 */
enum pdfpipe_status pp_catalog_new(const struct pp_catalog_spec *spec,
                                   struct pp_catalog **out,
                                   struct pdfpipe_error *err);
void pp_catalog_free(struct pp_catalog *c); /* c may be NULL */

/* The next entry in *e, or false: there is none. */
bool pp_catalog_next(struct pp_catalog *c, struct pp_entry *e);

/*
 * How many entries the same walk would give out, and how many bytes its files
 * have.  Ends early, with what it has, when *stop becomes true.
 */
struct pp_catalog_total {
    uint64_t files;
    uint64_t bytes;
};
enum pdfpipe_status pp_catalog_count(const struct pp_catalog_spec *spec,
                                     const atomic_bool *stop,
                                     struct pp_catalog_total *total,
                                     struct pdfpipe_error *err);

#endif
