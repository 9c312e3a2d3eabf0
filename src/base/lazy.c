/* lazy.c - a zeroed array over anonymous pages */
#include "base/lazy.h"

#include <sys/mman.h>

#define ITEMS_MIN ((size_t)512) /* one page */

bool
pp_lazy_grow(struct pp_lazy *a, size_t n)
{
    size_t room = a->room ? a->room : ITEMS_MIN;
    void *p;

    if (n <= a->room)
        return true;
    while (room < n) {
        if (room > SIZE_MAX / 2 / sizeof *a->item)
            return false;
        room *= 2;
    }
    if (a->item)
        p = mremap(a->item, a->room * sizeof *a->item, room * sizeof *a->item,
                   MREMAP_MAYMOVE);
    else
        p = mmap(NULL, room * sizeof *a->item, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return false;
    a->item = p;
    a->room = room;
    return true;
}

void
pp_lazy_fini(struct pp_lazy *a)
{
    if (a->item)
        (void)munmap(a->item, a->room * sizeof *a->item); /* our own mapping */
    *a = (struct pp_lazy){ 0 };
}
