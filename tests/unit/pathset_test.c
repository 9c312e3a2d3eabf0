/* pathset_test.c - does the set know what it was given, and only that? */
#include "batch/pathset.h"

#include <stdio.h>

#include "check.h"

#define PATHS 200000

static void
is_every_path_new_once(void)
{
    struct pp_pathset s;
    unsigned wrong = 0;
    char path[64];

    if (!CHECK(pp_pathset_init(&s), "key"))
        return;
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < PATHS; i++) {
            /* Lengths around the words of the hash, too. */
            (void)snprintf(path, sizeof path, "%d/%d%.*s", i % 77, i, i % 9,
                           ".........");
            wrong += pp_pathset_add(&s, path) !=
                     (round ? PP_PATH_SEEN : PP_PATH_NEW);
        }
    CHECK(wrong == 0, "%u wrong answers", wrong);
    CHECK(s.used == PATHS, "%zu kept", s.used);
    CHECK(s.slots >= s.used && (s.slots & (s.slots - 1)) == 0, "%zu slots",
          s.slots);
    pp_pathset_fini(&s);
}

static void
are_short_paths_told_apart(void)
{
    static const char *const paths[] = { "", "a", "b", "aa", "ab", "\xff" };
    struct pp_pathset s;

    if (!CHECK(pp_pathset_init(&s), "key"))
        return;
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        CHECK(pp_pathset_add(&s, paths[i]) == PP_PATH_NEW, "%s", paths[i]);
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        CHECK(pp_pathset_add(&s, paths[i]) == PP_PATH_SEEN, "%s", paths[i]);
    pp_pathset_fini(&s);
}

static void
does_each_set_have_its_own_key(void)
{
    struct pp_pathset a, b;

    if (!CHECK(pp_pathset_init(&a) && pp_pathset_init(&b), "keys"))
        return;
    CHECK(a.key[0] != b.key[0] || a.key[1] != b.key[1], "two equal keys");
    pp_pathset_fini(&a);
    pp_pathset_fini(&b);
}

int
main(void)
{
    is_every_path_new_once();
    are_short_paths_told_apart();
    does_each_set_have_its_own_key();
    return check_report("pathset");
}
