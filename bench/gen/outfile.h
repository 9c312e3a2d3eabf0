/*
 * outfile.h - the generated file: buffered, every call checked
 *
 * Any error prints one line to stderr, removes the unfinished file (when it
 * is a regular one) and ends the program with status 1.
 */
#ifndef GEN_OUTFILE_H
#define GEN_OUTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct outfile {
    const char *path; /* borrowed */
    int fd;
    bool regular;
    uint64_t at; /* offset of the next byte */
    uint8_t *buf;
    size_t used;
};

/* Ends the program with status 1 and a line on stderr. */
_Noreturn void gen_die(const char *fmt, ...)
    __attribute__((format(printf, 1, 2)));

/* malloc and realloc that end the program when memory is exhausted. */
void *gen_alloc(size_t n);
void *gen_realloc(void *p, size_t n);

void outfile_open(struct outfile *o, const char *path);
void outfile_write(struct outfile *o, const void *data, size_t n);
void outfile_printf(struct outfile *o, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* Goes on at `offset`, which is not behind; what lies between is a hole. */
void outfile_skip(struct outfile *o, uint64_t offset);
void outfile_close(struct outfile *o);
/* As gen_die(), after removing the unfinished file. */
_Noreturn void outfile_fail(struct outfile *o, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
