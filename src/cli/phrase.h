/*
 * phrase.h - numbers, durations and file names as people read them
 *
 * A phrase is a line that grows.  It remembers when memory ran out, so that
 * only its end needs a check.
 */
#ifndef PP_CLI_PHRASE_H
#define PP_CLI_PHRASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero is an empty phrase. */
struct pp_phrase {
    char *text; /* owned, NUL-terminated unless NULL */
    size_t length;
    size_t capacity;
    bool failed;
};

void pp_phrase_fini(struct pp_phrase *p);
void pp_phrase_clear(struct pp_phrase *p);

void pp_phrase_add(struct pp_phrase *p, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* 1204 -> 1,204 */
void pp_phrase_count(struct pp_phrase *p, uint64_t n);

/* "1 file", "1,204 files" */
void pp_phrase_counted(struct pp_phrase *p, uint64_t n, const char *one,
                       const char *many);

/* 51754770432 -> "48.2 GiB"; below 1 KiB "512 B". */
void pp_phrase_bytes(struct pp_phrase *p, double bytes);

/* "61 s", "12.1 s", "0.84 s", "12 ms", "0.31 ms", "0.002 ms" */
void pp_phrase_duration(struct pp_phrase *p, uint64_t ns);

/* "809 MiB/s"; of nothing in no time: "0 B/s". */
void pp_phrase_rate(struct pp_phrase *p, uint64_t bytes, uint64_t ns);

/*
 * A file name.  As it is, unless it holds what a terminal could take for a
 * command or a reader for something else (control characters, characters
 * that change the direction of writing, bytes that are not UTF-8, a blank at
 * an end): then it stands in quotes, with \n, \t, \", \\ and \xHH.
 */
void pp_phrase_path(struct pp_phrase *p, const char *path);

/*
 * The end of a file name in at most `columns` columns of a terminal, "..." in
 * front when it was cut.  What is not printable becomes '?'.
 */
void pp_phrase_tail(struct pp_phrase *p, const char *path, unsigned columns);

#endif
