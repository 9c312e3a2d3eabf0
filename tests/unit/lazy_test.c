/* lazy_test.c - is an array zero until it is written, and cheap until then? */
#include "base/lazy.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "pdf/object.h"

static void
is_new_room_zero(void)
{
    struct pp_lazy a = { 0 };
    unsigned wrong = 0;
    size_t before = 0;

    for (size_t n = 1; n <= 100000; n = n * 3 + 1) {
        CHECK(pp_lazy_grow(&a, n) && a.room >= n, "%zu", n);
        for (size_t i = 0; i < before; i++)
            wrong += a.item[i] != i + 1;
        for (size_t i = before; i < a.room; i++) {
            wrong += a.item[i] != 0;
            a.item[i] = i + 1;
        }
        before = a.room;
    }
    CHECK(wrong == 0, "%u items", wrong);
    CHECK(pp_lazy_grow(&a, 1) && a.room == before, "never shrinks");
    pp_lazy_fini(&a);
    CHECK(a.item == NULL && a.room == 0, "empty again");
    pp_lazy_fini(&a);
}

static void
is_a_size_that_cannot_be_refused(void)
{
    struct pp_lazy a = { 0 };
    size_t room;

    CHECK(!pp_lazy_grow(&a, SIZE_MAX), "from nothing");
    CHECK(a.item == NULL && a.room == 0, "unchanged");
    CHECK(pp_lazy_grow(&a, 1), "1");
    room = a.room;
    a.item[0] = 7;
    CHECK(!pp_lazy_grow(&a, SIZE_MAX / 8), "no bytes for so many items");
    CHECK(!pp_lazy_grow(&a, SIZE_MAX / 32), "more than the machine has");
    CHECK(a.room == room && a.item[0] == 7, "unchanged");
    pp_lazy_fini(&a);
}

/* Pages of the array that are in memory. */
static size_t
resident(const struct pp_lazy *a)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t pages = a->room * sizeof *a->item / page, n = 0;
    unsigned char *map = calloc(pages, 1);

    if (!map || mincore(a->item, pages * page, map) != 0)
        abort();
    for (size_t i = 0; i < pages; i++)
        n += map[i] & 1;
    free(map);
    return n;
}

static void
does_a_page_cost_only_when_written(void)
{
    struct pp_lazy a = { 0 };
    size_t huge = (size_t)2 << 20, page = (size_t)sysconf(_SC_PAGESIZE);

    CHECK(pp_lazy_grow(&a, PP_OBJECT_MAX + 1), "highest object number");
    a.item[0] = 1;
    a.item[PP_OBJECT_MAX] = 1;
    /* Two touched places: two huge pages at worst. */
    CHECK(resident(&a) <= 2 * huge / page, "%zu pages", resident(&a));
    pp_lazy_fini(&a);
}

int
main(void)
{
    is_new_room_zero();
    is_a_size_that_cannot_be_refused();
    does_a_page_cost_only_when_written();
    return check_report("lazy");
}
