/* syncgroup_test.c - is each file system flushed once, whoever announces? */
#include "io/syncgroup.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "scratch.h"

static unsigned
descriptors(void)
{
    return scratch_count("/proc/self/fd", "");
}

static void
does_a_file_system_take_one_descriptor(void)
{
    unsigned before = descriptors();
    struct pp_syncgroup *g;
    struct pdfpipe_error err;
    uint64_t ticket[5] = { 0 };

    CHECK(!pp_syncgroup_new(&g, NULL), "new");
    CHECK(!pp_syncgroup_flush(g, NULL), "nothing announced");
    CHECK(!mkdir("a", 0755) && !mkdir("a/b", 0755), "mkdir");
    CHECK(!pp_syncgroup_announce(g, "f", &ticket[0], &err), "%s", err.message);
    CHECK(!pp_syncgroup_announce(g, "a/f", &ticket[1], NULL), "a");
    CHECK(!pp_syncgroup_announce(g, "a/b/f", &ticket[2], NULL), "a/b");
    CHECK(!pp_syncgroup_announce(g, "f", &ticket[3], NULL), "again");
    CHECK(descriptors() == before + 1, "%u", descriptors() - before);
    if (access("/dev/shm", W_OK) == 0) {
        CHECK(!pp_syncgroup_announce(g, "/dev/shm/f", &ticket[4], NULL), "shm");
        CHECK(descriptors() <= before + 2, "%u", descriptors() - before);
    }
    for (int i = 1; i < 4; i++)
        CHECK(ticket[i] > ticket[i - 1], "in order");
    CHECK(!pp_syncgroup_flush(g, &err), "%s", err.message);
    CHECK(!pp_syncgroup_flush(g, &err), "%s", err.message);
    for (int i = 0; i < 4; i++)
        CHECK(!pp_syncgroup_holds(g, ticket[i], NULL), "%d", i);
    pp_syncgroup_free(g);
    pp_syncgroup_free(NULL);
    CHECK(descriptors() == before, "%u", descriptors());
}

static void
is_a_folder_that_cannot_be_opened_told(void)
{
    unsigned before = descriptors();
    struct pp_syncgroup *g;
    struct pdfpipe_error err;
    uint64_t ticket = 7;

    CHECK(!pp_syncgroup_new(&g, NULL), "new");
    CHECK(pp_syncgroup_announce(g, "none/f", &ticket, &err) ==
              PDFPIPE_E_NOT_FOUND,
          "%s", err.message);
    CHECK(strstr(err.message, "none") != NULL, "%s", err.message);
    scratch_put("file", "x", 1);
    CHECK(pp_syncgroup_announce(g, "file/f", &ticket, &err) ==
              PDFPIPE_E_NOT_FOUND,
          "%s", err.message);
    CHECK(!mkdir("box", 0333) && !chmod("box", 0333), "mkdir");
    if (geteuid() == 0 && seteuid(65534)) {
        check_skip("cannot become another user");
    } else {
        CHECK(pp_syncgroup_announce(g, "box/f", &ticket, &err) ==
                  PDFPIPE_E_PERMISSION,
              "%s", err.message);
        CHECK(getuid() != 0 || !seteuid(0), "seteuid");
    }
    CHECK(!chmod("box", 0700), "chmod");
    CHECK(ticket == 7, "no ticket for a failure");
    pp_syncgroup_free(g);
    CHECK(descriptors() == before, "%u", descriptors());
}

static void
is_there_a_limit_to_file_systems(void)
{
    struct pp_syncgroup *g;
    struct pdfpipe_error err;
    struct rlimit limit;
    unsigned known = 0;
    uint64_t ticket;
    char path[64];

    CHECK(!getrlimit(RLIMIT_NOFILE, &limit), "getrlimit");
    CHECK(!pp_syncgroup_new(&g, NULL), "new");
    while (known < PP_SYNCGROUP_DEVICES + 1) {
        (void)snprintf(path, sizeof path, "fs%u", known);
        if (known + 20 > limit.rlim_cur || !scratch_tmpfs(path, "size=4k"))
            break;
        (void)strcat(path, "/f");
        if (pp_syncgroup_announce(g, path, &ticket, &err))
            break;
        known++;
    }
    if (known == 0)
        check_skip("mounting is not permitted");
    else if (CHECK(known == PP_SYNCGROUP_DEVICES, "%u", known)) {
        CHECK(err.code == PDFPIPE_E_LIMIT, "%s", err.message);
        CHECK(!pp_syncgroup_announce(g, "fs3/f", &ticket, NULL), "known one");
        CHECK(!pp_syncgroup_flush(g, NULL), "flush");
    }
    pp_syncgroup_free(g);
}

/* ---- several threads ---- */

#define ANNOUNCERS 3
#define EACH       3000

struct shared {
    struct pp_syncgroup *g;
    atomic_uint running;
    uint64_t tickets[ANNOUNCERS][EACH];
};

struct announcer {
    struct shared *shared;
    int number;
};

static void *
announce_many(void *arg)
{
    struct announcer *a = arg;
    static const char *const paths[] = { "f", "/dev/shm/f", "/proc/f", "a/f" };

    for (int i = 0; i < EACH; i++)
        CHECK(!pp_syncgroup_announce(a->shared->g, paths[i % 4],
                                     &a->shared->tickets[a->number][i], NULL),
              "%s", paths[i % 4]);
    atomic_fetch_sub(&a->shared->running, 1);
    return NULL;
}

static int
compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static void
may_files_be_announced_while_others_are_flushed(void)
{
    static struct shared shared;
    struct announcer announcers[ANNOUNCERS];
    pthread_t thread[ANNOUNCERS];
    uint64_t *all = &shared.tickets[0][0];
    unsigned flushes = 0, before = descriptors();

    CHECK(!pp_syncgroup_new(&shared.g, NULL), "new");
    atomic_store(&shared.running, ANNOUNCERS);
    for (int i = 0; i < ANNOUNCERS; i++) {
        announcers[i] = (struct announcer){ &shared, i };
        CHECK(!pthread_create(&thread[i], NULL, announce_many, &announcers[i]),
              "create");
    }
    do {
        CHECK(!pp_syncgroup_flush(shared.g, NULL), "flush");
        flushes++;
    } while (atomic_load(&shared.running) > 0);
    for (int i = 0; i < ANNOUNCERS; i++)
        CHECK(!pthread_join(thread[i], NULL), "join");
    qsort(all, (size_t)ANNOUNCERS * EACH, sizeof *all, compare);
    for (uint64_t i = 0; i < (uint64_t)ANNOUNCERS * EACH; i++)
        CHECK(all[i] == i + 1, "ticket %ju is %ju", (uintmax_t)i,
              (uintmax_t)all[i]);
    CHECK(flushes > 0, "flushes");
    CHECK(descriptors() <= before + 3, "one for each of three file systems");
    pp_syncgroup_free(shared.g);
}

int
main(void)
{
    scratch_enter(NULL);
    CHECK(!chmod(".", 0711), "chmod");
    does_a_file_system_take_one_descriptor();
    is_a_folder_that_cannot_be_opened_told();
    may_files_be_announced_while_others_are_flushed();
    is_there_a_limit_to_file_systems();
    scratch_leave();
    return check_report("syncgroup");
}
