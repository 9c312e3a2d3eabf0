/* secret_test.c - is memory for secrets handed out, fenced and wiped right? */
#include "crypt/secret.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"
#include "dies.h"

/* Stand before those of the C library: errno of the next call, 0 to do it. */
static int mlock_errno, madvise_errno, mprotect_errno;

static int
answer(int sys_errno, long result)
{
    if (sys_errno) {
        errno = sys_errno;
        return -1;
    }
    return (int)result;
}

int
mlock(const void *p, size_t n)
{
    return answer(mlock_errno, mlock_errno ? 0 : syscall(SYS_mlock, p, n));
}

int
madvise(void *p, size_t n, int advice)
{
    return answer(madvise_errno,
                  madvise_errno ? 0 : syscall(SYS_madvise, p, n, advice));
}

int
mprotect(void *p, size_t n, int prot)
{
    return answer(mprotect_errno,
                  mprotect_errno ? 0 : syscall(SYS_mprotect, p, n, prot));
}

static struct pp_vault *
vault_of(size_t bytes)
{
    struct pp_vault *v = NULL;
    struct pdfpipe_error err = { 0 };

    if (!CHECK(pp_vault_new(bytes, &v, &err) == PDFPIPE_OK, "%zu: %s", bytes,
               err.message))
        exit(check_report("secret"));
    return v;
}

static bool
all_are(uint8_t value, const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i] != value)
            return false;
    return true;
}

static bool
all_zero(const uint8_t *p, size_t n)
{
    return all_are(0, p, n);
}

static void
parts_are_zeroed_aligned_and_apart(void)
{
    static const size_t sizes[] = { 0, 1, 32, 63, 64, 65, 127, 1000 };
    enum { N = sizeof sizes / sizeof sizes[0] };
    struct pp_vault *v = vault_of(8192);
    uint8_t *part[N];

    for (size_t i = 0; i < N; i++) {
        part[i] = pp_secret_new(v, sizes[i]);
        if (!CHECK(part[i] != NULL, "size %zu", sizes[i]))
            return;
        CHECK((uintptr_t)part[i] % 64 == 0, "size %zu", sizes[i]);
        CHECK(all_zero(part[i], sizes[i]), "size %zu", sizes[i]);
        memset(part[i], (int)i + 1, sizes[i]);
    }
    for (size_t i = 0; i < N; i++)
        CHECK(all_are((uint8_t)(i + 1), part[i], sizes[i]), "part %zu", i);
    for (size_t i = 0; i < N; i++)
        pp_secret_free(v, part[i], sizes[i]);
    pp_vault_free(v);
}

static void
freed_parts_are_wiped_and_used_again(void)
{
    struct pp_vault *v = vault_of(4096);
    uint8_t *a = pp_secret_new(v, 100), *b = pp_secret_new(v, 100), *c;

    memset(a, 0xaa, 100);
    memset(b, 0xbb, 100);
    pp_secret_free(v, a, 100);
    CHECK(all_zero(a, 100), "wiped at once");
    CHECK(b[0] == 0xbb && b[99] == 0xbb, "the neighbour is left alone");
    c = pp_secret_new(v, 128);
    CHECK(c == a, "first fit");
    CHECK(pp_secret_new(v, 4096) == NULL, "more than is left");
    pp_secret_free(v, c, 128);
    pp_secret_free(v, b, 100);
    pp_secret_free(v, NULL, 100);
    c = pp_secret_new(v, 4096);
    CHECK(c == a, "all of it, when all is back");
    pp_secret_free(v, c, 4096);
    pp_vault_free(v);
    pp_vault_free(NULL);
}

static void
holes_are_found_by_size(void)
{
    struct pp_vault *v = vault_of(4096);
    uint8_t *part[64], *two;

    for (size_t i = 0; i < 64; i++)
        part[i] = pp_secret_new(v, 64);
    CHECK(part[63] == part[0] + (size_t)63 * 64, "64 granules in a row");
    CHECK(pp_secret_new(v, 1) == NULL, "full");
    pp_secret_free(v, part[3], 64);
    pp_secret_free(v, part[40], 64);
    pp_secret_free(v, part[41], 64);
    two = pp_secret_new(v, 65);
    CHECK(two == part[40], "a hole too small is passed over");
    CHECK(pp_secret_new(v, 65) == NULL, "no second one of that size");
    pp_secret_free(v, two, 65);
    for (size_t i = 0; i < 64; i++)
        if (i != 3 && i != 40 && i != 41)
            pp_secret_free(v, part[i], 64);
    pp_vault_free(v);
}

/* Reads the flags of the mapping that holds p from /proc/self/smaps. */
static bool
read_flags(const void *p, char *flags, size_t cap)
{
    FILE *f = fopen("/proc/self/smaps", "re");
    char line[512];
    bool inside = false, found = false;

    while (f && !found && fgets(line, sizeof line, f)) {
        char *dash, *end;
        uintptr_t from = strtoul(line, &dash, 16), to;

        if (*dash == '-') {
            to = strtoul(dash + 1, &end, 16);
            inside = from <= (uintptr_t)p && (uintptr_t)p < to;
        } else if (inside && strncmp(line, "VmFlags:", 8) == 0) {
            found = true;
            (void)snprintf(flags, cap, "%s", line + 8);
        }
    }
    if (f)
        (void)fclose(f);
    return found;
}

static void
memory_is_locked_and_stays_out_of_dumps_and_children(void)
{
    struct pp_vault *v = vault_of(4096);
    uint8_t *p = pp_secret_new(v, 32);
    char flags[512];

    if (!read_flags(p, flags, sizeof flags)) {
        check_skip("no /proc/self/smaps");
    } else {
        CHECK(strstr(flags, " dd") != NULL, "not dumped:%s", flags);
        CHECK(strstr(flags, " dc") != NULL, "not inherited:%s", flags);
        CHECK((strstr(flags, " lo") != NULL) == pp_vault_locked(v),
              "locked %d:%s", pp_vault_locked(v), flags);
        CHECK(read_flags(p - 1, flags, sizeof flags) && !strstr(flags, " rd"),
              "fenced before:%s", flags);
        CHECK(read_flags(p + 4096, flags, sizeof flags) &&
                  !strstr(flags, " rd"),
              "fenced behind:%s", flags);
    }
    pp_secret_free(v, p, 32);
    pp_vault_free(v);
}

static void
a_refused_lock_is_no_error(void)
{
    static const int errnos[] = { ENOMEM, EPERM, EAGAIN };

    for (size_t i = 0; i < sizeof errnos / sizeof errnos[0]; i++) {
        struct pp_vault *v;
        void *p;

        mlock_errno = errnos[i];
        v = vault_of(4096);
        mlock_errno = 0;
        CHECK(!pp_vault_locked(v), "errno %d", errnos[i]);
        p = pp_secret_new(v, 32);
        CHECK(p != NULL, "errno %d", errnos[i]);
        pp_secret_free(v, p, 32);
        pp_vault_free(v);
    }
}

static void
a_vault_that_cannot_be_made_is_an_error(void)
{
    struct pp_vault *v = NULL;
    struct pdfpipe_error err = { 0 };

    CHECK(pp_vault_new(SIZE_MAX, &v, &err) == PDFPIPE_E_NO_MEMORY, "wraps");
    CHECK(pp_vault_new(SIZE_MAX / 2, &v, &err) == PDFPIPE_E_NO_MEMORY, "half");
    CHECK(pp_vault_new((size_t)1 << 47, &v, &err) == PDFPIPE_E_NO_MEMORY,
          "more than there are addresses");
    CHECK(err.sys_errno != 0, "%s", err.message);
    CHECK(pp_vault_new(SIZE_MAX, &v, NULL) == PDFPIPE_E_NO_MEMORY, "no record");

    mprotect_errno = ENOMEM;
    CHECK(pp_vault_new(4096, &v, &err) == PDFPIPE_E_NO_MEMORY, "mprotect");
    mprotect_errno = 0;
    madvise_errno = EINVAL;
    CHECK(pp_vault_new(4096, &v, &err) == PDFPIPE_E_NO_MEMORY, "madvise");
    CHECK(err.sys_errno == EINVAL, "%s", err.message);
    madvise_errno = 0;
    CHECK(v == NULL, "out is left alone");
}

static void
zero_bytes_make_a_vault_of_one_page(void)
{
    struct pp_vault *v = vault_of(0);
    void *p = pp_secret_new(v, (size_t)sysconf(_SC_PAGESIZE));

    CHECK(p != NULL, "a page");
    pp_secret_free(v, p, (size_t)sysconf(_SC_PAGESIZE));
    pp_vault_free(v);
}

/* Misuse.  A child gets no vault of its parent, so each makes its own: three
 * parts of two granules. */
struct misuse {
    const char *what;
    ptrdiff_t offset; /* from the second part */
    size_t n;         /* freed with this length */
    bool twice;
    bool right; /* must not die */
};

static void
do_misuse(void *arg)
{
    const struct misuse *m = arg;
    struct pp_vault *v = vault_of(4096);
    uint8_t *a = pp_secret_new(v, 128), *b = pp_secret_new(v, 128),
            *c = pp_secret_new(v, 128);

    if (!a || !b || !c)
        return;
    pp_secret_free(v, b + m->offset, m->n);
    if (m->twice)
        pp_secret_free(v, b + m->offset, m->n);
    if (!m->right)
        return; /* not stopped by the call itself: too late */
    pp_secret_free(v, a, 128);
    pp_secret_free(v, c, 128);
    pp_vault_free(v);
}

static void
wrong_frees_stop_the_program(void)
{
    static const struct misuse rows[] = {
        { "right", 0, 128, false, true },
        { "right, as long when rounded", 0, 65, false, true },
        { "twice", 0, 128, true, false },
        { "too short", 0, 64, false, false },
        { "too long", 0, 129, false, false },
        { "longer than the vault", 0, SIZE_MAX, false, false },
        { "in the middle", 64, 64, false, false },
        { "not aligned", 1, 128, false, false },
        { "free memory", 256, 128, false, false },
        { "before the vault", -192, 128, false, false },
        { "behind the vault", 4096, 128, false, false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct misuse row = rows[i];
        int signal = dies_of(do_misuse, &row);

        CHECK(signal == (row.right ? 0 : SIGABRT), "%s: signal %d", row.what,
              signal);
    }
}

static void
leak_a_part(void *arg)
{
    struct pp_vault *v = vault_of(4096);

    (void)arg;
    if (pp_secret_new(v, 1))
        pp_vault_free(v);
}

static void
touch_guard(void *arg)
{
    const ptrdiff_t *offset = arg;
    struct pp_vault *v = vault_of(4096);
    uint8_t *p = pp_secret_new(v, 4096);

    *(volatile uint8_t *)(p + *offset) = 1;
    pp_secret_free(v, p, 4096);
    pp_vault_free(v);
}

static void
read_byte(void *arg)
{
    (void)*(volatile uint8_t *)arg;
}

static void
leaks_and_stray_accesses_stop_the_program(void)
{
    ptrdiff_t before = -1, behind = 4096, inside = 4095;
    struct pp_vault *v = vault_of(4096);
    void *p = pp_secret_new(v, 32);

    CHECK(dies_of(leak_a_part, NULL) == SIGABRT, "a part is not given back");
    CHECK(dies_of(touch_guard, &inside) == 0, "the last byte");
    CHECK(dies_of(touch_guard, &before) == SIGSEGV, "the byte before");
    CHECK(dies_of(touch_guard, &behind) == SIGSEGV, "the byte behind");
    CHECK(dies_of(read_byte, p) == SIGSEGV, "a child reads");
    pp_secret_free(v, p, 32);
    pp_vault_free(v);
}

static void
wiping_clears_exactly_n_bytes(void)
{
    uint8_t a[40];

    memset(a, 7, sizeof a);
    pp_wipe(a + 1, 32);
    CHECK(all_zero(a + 1, 32) && a[0] == 7 && a[33] == 7, "32 of 40");
    pp_wipe(a, 0);
    CHECK(a[0] == 7, "none");
}

/* Each thread writes its own number into its parts and looks again later. */
static void *
use_vault(void *arg)
{
    struct pp_vault *v = arg;
    static unsigned char next = 1;
    unsigned char mine = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED);

    for (unsigned round = 0; round < 3000; round++) {
        size_t n = 1 + (round * 37u + mine * 11u) % 300;
        uint8_t *p = pp_secret_new(v, n);

        if (!p)
            continue; /* full for the moment */
        if (!CHECK(all_zero(p, n), "thread %u round %u", mine, round))
            break;
        memset(p, mine, n);
        CHECK(all_are(mine, p, n), "thread %u round %u", mine, round);
        pp_secret_free(v, p, n);
    }
    return NULL;
}

static void
threads_share_a_vault(void)
{
    enum { THREADS = 4 };
    struct pp_vault *v = vault_of(1024);
    pthread_t thread[THREADS];

    for (int i = 0; i < THREADS; i++)
        if (!CHECK(pthread_create(&thread[i], NULL, use_vault, v) == 0, "%d",
                   i))
            exit(check_report("secret"));
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_join(thread[i], NULL) == 0, "%d", i);
    pp_vault_free(v);
}

int
main(void)
{
    parts_are_zeroed_aligned_and_apart();
    freed_parts_are_wiped_and_used_again();
    holes_are_found_by_size();
    memory_is_locked_and_stays_out_of_dumps_and_children();
    a_refused_lock_is_no_error();
    a_vault_that_cannot_be_made_is_an_error();
    zero_bytes_make_a_vault_of_one_page();
    wrong_frees_stop_the_program();
    leaks_and_stray_accesses_stop_the_program();
    wiping_clears_exactly_n_bytes();
    threads_share_a_vault();
    return check_report("secret");
}
