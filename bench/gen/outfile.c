/* outfile.c - the generated file */
#include "outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER_SIZE = 256 * 1024 };

__attribute__((format(printf, 1, 0))) static void
complain(const char *fmt, va_list args)
{
    fprintf(stderr, "genpdf: ");
    vfprintf(stderr, fmt, args);
    fprintf(stderr, "\n");
}

_Noreturn void
gen_die(const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    complain(fmt, args);
    va_end(args);
    exit(1);
}

_Noreturn void
outfile_fail(struct outfile *o, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    complain(fmt, args);
    va_end(args);
    if (o->regular && unlink(o->path) != 0)
        fprintf(stderr, "genpdf: cannot remove %s: %s\n", o->path,
                strerror(errno));
    exit(1);
}

void *
gen_alloc(size_t n)
{
    void *p = malloc(n ? n : 1);

    if (!p)
        gen_die("out of memory (%zu bytes)", n);
    return p;
}

void *
gen_realloc(void *p, size_t n)
{
    p = realloc(p, n ? n : 1);
    if (!p)
        gen_die("out of memory (%zu bytes)", n);
    return p;
}

void
outfile_open(struct outfile *o, const char *path)
{
    struct stat st;

    memset(o, 0, sizeof *o);
    o->path = path;
    o->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (o->fd < 0 || fstat(o->fd, &st) != 0)
        gen_die("cannot create %s: %s", path, strerror(errno));
    o->regular = S_ISREG(st.st_mode);
    o->buf = gen_alloc(BUFFER_SIZE);
}

static void
write_all(struct outfile *o, const uint8_t *data, size_t n)
{
    while (n > 0) {
        ssize_t done = write(o->fd, data, n);

        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            outfile_fail(o, "cannot write %s: %s", o->path, strerror(errno));
        data += done;
        n -= (size_t)done;
    }
}

static void
flush(struct outfile *o)
{
    write_all(o, o->buf, o->used);
    o->used = 0;
}

void
outfile_write(struct outfile *o, const void *data, size_t n)
{
    const uint8_t *p = data;

    o->at += n;
    while (n > 0) {
        size_t piece = BUFFER_SIZE - o->used;

        if (piece > n)
            piece = n;
        memcpy(o->buf + o->used, p, piece);
        o->used += piece;
        p += piece;
        n -= piece;
        if (o->used == BUFFER_SIZE)
            flush(o);
    }
}

void
outfile_printf(struct outfile *o, const char *fmt, ...)
{
    char line[512];
    va_list args;
    int n;

    va_start(args, fmt);
    n = vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    if (n < 0 || (size_t)n >= sizeof line)
        outfile_fail(o, "line of %d bytes is too long", n);
    outfile_write(o, line, (size_t)n);
}

void
outfile_skip(struct outfile *o, uint64_t offset)
{
    if (offset < o->at || offset > INT64_MAX)
        outfile_fail(o, "cannot go on at byte %llu of %s",
                     (unsigned long long)offset, o->path);
    flush(o);
    if (lseek(o->fd, (off_t)offset, SEEK_SET) < 0)
        outfile_fail(o, "cannot seek in %s: %s", o->path, strerror(errno));
    o->at = offset;
}

void
outfile_close(struct outfile *o)
{
    flush(o);
    if (close(o->fd) != 0)
        outfile_fail(o, "cannot write %s: %s", o->path, strerror(errno));
    free(o->buf);
    o->buf = NULL;
    o->fd = -1;
}
