/*
 * secret.c - memory for passwords, derived keys and file keys
 *
 *   | guard page |  granules of 64 bytes ...  | guard page |
 *
 * What is in use is written down outside of the mapping, one byte per granule,
 * so that a fault in the secrets cannot damage the book-keeping.  A vault holds
 * a few dozen parts at a time; a search from the front is all it takes.
 */
#include "crypt/secret.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <openssl/crypto.h>

#include "base/num.h"
#include "base/thread.h"

#define GRANULE 64u

enum granule {
    GRANULE_FREE,
    GRANULE_FIRST, /* a part begins here   */
    GRANULE_NEXT,  /* and goes on here     */
};

struct pp_vault {
    struct pp_mutex lock; /* protects state[] */
    uint8_t *map;         /* the mapping with its two guard pages */
    size_t map_bytes;
    uint8_t *base; /* first granule */
    size_t granules;
    bool locked;
    uint8_t *state; /* enum granule of each */
};

void
pp_wipe(void *p, size_t n)
{
    OPENSSL_cleanse(p, n);
}

/* Maps the granules between two pages that nobody may touch. */
static enum pdfpipe_status
map_granules(struct pp_vault *v, size_t page, struct pdfpipe_error *err)
{
    size_t bytes = v->granules * GRANULE;
    void *map =
        mmap(NULL, v->map_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (map == MAP_FAILED)
        return pp_fail_sys(err, errno, PDFPIPE_E_NO_MEMORY,
                           "cannot map %zu bytes for secrets", bytes);
    v->map = map;
    v->base = v->map + page;
    if (mprotect(v->base, bytes, PROT_READ | PROT_WRITE) ||
        madvise(v->base, bytes, MADV_DONTDUMP) ||
        madvise(v->base, bytes, MADV_DONTFORK))
        return pp_fail_sys(err, errno, PDFPIPE_E_NO_MEMORY,
                           "cannot protect %zu bytes for secrets", bytes);
    v->locked = mlock(v->base, bytes) == 0;
    return PDFPIPE_OK;
}

/* Takes apart what is there of a vault. */
static void
dismantle(struct pp_vault *v)
{
    if (v->map)
        PP_ASSERT(munmap(v->map, v->map_bytes) == 0);
    free(v->state);
    free(v);
}

enum pdfpipe_status
pp_vault_new(size_t bytes, struct pp_vault **out, struct pdfpipe_error *err)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    struct pp_vault *v;
    uint64_t map_bytes;
    enum pdfpipe_status st;

    /* Whole pages, at least one, and the two guards. */
    if (!pp_add(bytes ? bytes : 1, 3 * page - 1, &map_bytes) ||
        map_bytes > PTRDIFF_MAX)
        return pp_fail_memory(err);
    map_bytes -= map_bytes % page;

    v = calloc(1, sizeof *v);
    if (!v)
        return pp_fail_memory(err);
    v->map_bytes = map_bytes;
    v->granules = (map_bytes - 2 * page) / GRANULE;
    st = map_granules(v, page, err);
    if (!st) {
        v->state = calloc(v->granules, sizeof *v->state);
        if (!v->state)
            st = pp_fail_memory(err);
    }
    if (st) {
        dismantle(v);
        return st;
    }
    pp_mutex_init(&v->lock);
    *out = v;
    return PDFPIPE_OK;
}

void
pp_vault_free(struct pp_vault *v)
{
    if (!v)
        return;
    for (size_t i = 0; i < v->granules; i++)
        PP_ASSERT(v->state[i] == GRANULE_FREE);
    pp_wipe(v->base, v->granules * GRANULE);
    pp_mutex_fini(&v->lock);
    dismantle(v);
}

bool
pp_vault_locked(const struct pp_vault *v)
{
    return v->locked;
}

/* Granules that n bytes take; zero bytes take one, to have an address. */
static size_t
granules_of(size_t n)
{
    return n ? (n - 1) / GRANULE + 1 : 1;
}

/* Index of the first of `want` free granules in a row, or v->granules. */
static size_t
find_free(const struct pp_vault *v, size_t want) PP_REQUIRES(v->lock)
{
    size_t run = 0;

    for (size_t i = 0; i < v->granules; i++) {
        run = v->state[i] == GRANULE_FREE ? run + 1 : 0;
        if (run == want)
            return i + 1 - want;
    }
    return v->granules;
}

void *
pp_secret_new(struct pp_vault *v, size_t n)
{
    size_t want = granules_of(n), first;

    pp_lock(&v->lock);
    first = find_free(v, want);
    if (first < v->granules) {
        memset(v->state + first, GRANULE_NEXT, want);
        v->state[first] = GRANULE_FIRST;
    }
    pp_unlock(&v->lock);
    /* Free granules are zero: fresh from the system, or wiped. */
    return first < v->granules ? v->base + first * GRANULE : NULL;
}

void
pp_secret_free(struct pp_vault *v, void *p, size_t n)
{
    size_t offset, first, count = granules_of(n);

    if (!p)
        return;
    offset = (size_t)((uintptr_t)p - (uintptr_t)v->base);
    first = offset / GRANULE;
    PP_ASSERT(offset % GRANULE == 0 && first < v->granules &&
              count <= v->granules - first);

    pp_lock(&v->lock);
    PP_ASSERT(v->state[first] == GRANULE_FIRST);
    for (size_t i = 1; i < count; i++)
        PP_ASSERT(v->state[first + i] == GRANULE_NEXT);
    PP_ASSERT(first + count == v->granules ||
              v->state[first + count] != GRANULE_NEXT);
    /* Wiped before it is free, so that nobody can get it with its content. */
    pp_wipe(p, count * GRANULE);
    memset(v->state + first, GRANULE_FREE, count);
    pp_unlock(&v->lock);
}
