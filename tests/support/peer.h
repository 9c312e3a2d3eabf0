/*
 * peer.h - qpdf, which shares no code with this project, as the judge
 */
#ifndef TESTS_PEER_H
#define TESTS_PEER_H

#include <stdbool.h>

/* Is it installed? */
bool peer_is_here(void);

/* Is the file encrypted, and does it open with the password without a
 * complaint? */
bool peer_opens(const char *file, const char *password);

/*
 * Is `output` what `source` is, but encrypted?  Both are written by qpdf in
 * its plain form and compared, up to the version and the extensions entry that
 * encryption asks for.  Makes and removes two files in the current folder.
 */
bool peer_same(const char *source, const char *output, const char *password);

#endif
