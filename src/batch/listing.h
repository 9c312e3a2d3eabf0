/*
 * listing.h - what stands in one folder, sorted by name
 *
 * Names are bytes; the order is that of strcmp, so it is the same on every
 * machine and in every locale.
 */
#ifndef PP_BATCH_LISTING_H
#define PP_BATCH_LISTING_H

#include <stdbool.h>
#include <stddef.h>

#include <pdfpipe/status.h>

enum pp_listed {
    PP_LISTED_OTHER, /* FIFO, socket, device; gone meanwhile */
    PP_LISTED_FILE,
    PP_LISTED_FOLDER,
    PP_LISTED_LINK, /* symbolic link, wherever it points */
};

struct pp_listing {
    char *names; /* kind byte, name, NUL; one after the other */
    size_t length, capacity;
    size_t *start; /* into names, sorted by name */
    size_t count, slots;
    size_t next; /* the walk's place: entries before it are done */
};

/*
 * Reads the folder open as fd, which stays open.  Only entries for which
 * keep() says yes are kept; PP_LISTED_OTHER never is.
 *
 * On an error what was read before it is kept in *l, sorted, and usable.
 * Errors: E_READ, E_NO_MEMORY.
 * Ownership: *l is released with pp_listing_fini(), also after an error.
 */
typedef bool pp_listing_keep(void *arg, const char *name, enum pp_listed kind);
enum pdfpipe_status pp_listing_read(struct pp_listing *l, int fd,
                                    pp_listing_keep *keep, void *arg,
                                    struct pdfpipe_error *err);
void pp_listing_fini(struct pp_listing *l);

/* Name and kind of the next entry; NULL at the end.  Valid until fini. */
const char *pp_listing_next(struct pp_listing *l, enum pp_listed *kind);

#endif
