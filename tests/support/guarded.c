/* guarded.c - buffers that end at a page nobody can touch */
#include "guarded.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t
page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* Whole pages for n bytes, without the guard. */
static size_t
whole_pages(size_t n)
{
    return (n + page_size() - 1) / page_size() * page_size();
}

uint8_t *
guarded_new(size_t n)
{
    size_t usable = whole_pages(n);
    uint8_t *map = mmap(NULL, usable + page_size(), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (map == MAP_FAILED ||
        mprotect(map + usable, page_size(), PROT_NONE) != 0)
        abort();
    return map + (usable - n);
}

void
guarded_free(uint8_t *p, size_t n)
{
    size_t usable = whole_pages(n);

    if (munmap(p - (usable - n), usable + page_size()) != 0)
        abort();
}
