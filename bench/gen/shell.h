/*
 * shell.h - the plain document around what a kind is about
 *
 * One flat page tree, one font, a catalog, an information dictionary.
 */
#ifndef GEN_SHELL_H
#define GEN_SHELL_H

#include <stdint.h>

#include "noise.h"
#include "pdfwriter.h"

enum { SHELL_PAGES = 8 };

struct shell {
    struct pdfwriter w;
    struct noise r;
    char id[33];
    uint32_t catalog, tree, font, info;
    uint32_t pages[SHELL_PAGES];
    uint32_t page_count;
};

void shell_open(struct shell *s, const char *path, enum pdf_form form,
                uint64_t seed);

/* A page with `lines` lines of words under the title; image: number of an
 * image to draw above them, or 0.  At most SHELL_PAGES pages. */
void shell_page(struct shell *s, const char *title, unsigned lines,
                uint32_t image);

/* Writes the rest and closes the file.  catalog: further entries of the
 * catalog, "" for none. */
void shell_close(struct shell *s, const char *catalog);

#endif
