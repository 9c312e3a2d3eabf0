/*
 * faults.c - makes the n-th call of a library function fail
 *
 * Preloaded into a program (LD_PRELOAD=libfaults.so), or compiled into a test
 * that includes this file.  What happens is said by the environment:
 *
 *   PDFPIPE_FAULT="write:3:ENOSPC"            the third write() fails
 *   PDFPIPE_FAULT="fsync:1:EIO,unlink:1+:EIO" several rules; "1+": from then on
 *   PDFPIPE_FAULT="write:2:short"             half of the bytes (read, write)
 *   PDFPIPE_FAULT="write:2:zero"              no bytes, no error
 *   PDFPIPE_FAULT="rename:1:kill"             SIGKILL in place of the call
 *   PDFPIPE_FAULT_COUNT=FILE                  at exit, "name calls" per line
 *
 * A sweep first runs the program with a count file, then once for each n of
 * each function.  A call that fails does not happen, but a close() that fails
 * has closed.  Names are counted together with their variants: open counts
 * open64 and openat too, read those that _FORTIFY_SOURCE puts in its place.
 *
 * Counted are the calls of the program and its libraries, not those inside
 * libc.  Under a sanitizer, which owns malloc and mmap, those are left alone.
 */
#undef _FORTIFY_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HEAP_IS_OURS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||     \
    __has_feature(memory_sanitizer)
#define HEAP_IS_OURS 0
#endif
#endif
#ifndef HEAP_IS_OURS
#define HEAP_IS_OURS 1
#endif

/* clang-format off */
#define CALLS(X)                                                               \
    X(open) X(close) X(read) X(pread) X(write) X(pwrite)                       \
    X(fsync) X(fdatasync) X(syncfs) X(sync_file_range)                         \
    X(fallocate) X(ftruncate) X(posix_fadvise)                                 \
    X(rename) X(renameat2) X(link) X(unlink) X(mkdir)                          \
    X(stat) X(lstat) X(fstat) X(fstatat)                                       \
    X(fchown) X(fchmod) X(futimens)                                            \
    X(flistxattr) X(fgetxattr) X(fsetxattr) X(fremovexattr)                    \
    X(getrandom) X(pthread_create)                                             \
    X(malloc) X(calloc) X(realloc) X(aligned_alloc) X(posix_memalign)          \
    X(mmap) X(mlock)
/* clang-format on */

enum call {
#define X(name) CALL_##name,
    CALLS(X)
#undef X
        CALL_COUNT
};

static const char *const call_names[CALL_COUNT] = {
#define X(name) #name,
    CALLS(X)
#undef X
};

/* What a rule does; a positive value is an errno. */
enum effect {
    PASS = 0,
    SHORT = -1,
    ZERO = -2,
    KILL = -3,
};

static struct {
    enum call call;
    unsigned long n;
    bool onward;
    int effect;
} rules[8];
static unsigned rule_count;
static atomic_ulong seen[CALL_COUNT];

/* Exported although the build hides symbols: the dynamic linker has to find
 * them before libc's. */
#define SHOWN __attribute__((visibility("default")))

/* Sets the rules and starts counting again; NULL or "": nothing fails.
 * Returns false, with no rule set, when spec is not understood. */
SHOWN bool faults_arm(const char *spec);
/* Calls since then; 0 for an unknown name. */
SHOWN unsigned long faults_count(const char *name);

/* ---- rules ---- */

static int
call_of(const char *name, size_t n)
{
    for (int i = 0; i < CALL_COUNT; i++)
        if (strlen(call_names[i]) == n && !memcmp(call_names[i], name, n))
            return i;
    return -1;
}

static bool
effect_of(const char *word, size_t n, int *effect)
{
    static const struct {
        const char *word;
        int effect;
    } words[] = { { "short", SHORT }, { "zero", ZERO }, { "kill", KILL } };

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i].word) == n && !memcmp(words[i].word, word, n)) {
            *effect = words[i].effect;
            return true;
        }
    for (int e = 1; e < 256; e++) {
        const char *name = strerrorname_np(e);

        if (name && strlen(name) == n && !memcmp(name, word, n)) {
            *effect = e;
            return true;
        }
    }
    return false;
}

/* One rule of n bytes, "name:count[+]:effect". */
static bool
add_rule(const char *text, size_t n)
{
    const char *colon = memchr(text, ':', n);
    char *end;
    int call, effect;
    unsigned long count;
    bool onward;

    if (!colon || rule_count == sizeof rules / sizeof rules[0])
        return false;
    call = call_of(text, (size_t)(colon - text));
    count = strtoul(colon + 1, &end, 10);
    onward = *end == '+';
    end += onward;
    if (call < 0 || count == 0 || *end != ':' || end >= text + n)
        return false;
    end++;
    if (!effect_of(end, (size_t)(text + n - end), &effect))
        return false;
    rules[rule_count].call = (enum call)call;
    rules[rule_count].n = count;
    rules[rule_count].onward = onward;
    rules[rule_count].effect = effect;
    rule_count++;
    return true;
}

bool
faults_arm(const char *spec)
{
    rule_count = 0;
    for (int i = 0; i < CALL_COUNT; i++)
        atomic_store(&seen[i], 0);
    while (spec && *spec) {
        size_t n = strcspn(spec, ",");

        if (!add_rule(spec, n)) {
            rule_count = 0;
            return false;
        }
        spec += n;
        spec += *spec == ',';
    }
    return true;
}

unsigned long
faults_count(const char *name)
{
    int call = call_of(name, strlen(name));

    return call < 0 ? 0 : atomic_load(&seen[call]);
}

__attribute__((constructor)) static void
arm_from_environment(void)
{
    if (!faults_arm(getenv("PDFPIPE_FAULT"))) {
        (void)fprintf(stderr, "faults: PDFPIPE_FAULT is not understood\n");
        abort(); /* a test that tests nothing must not pass */
    }
}

__attribute__((destructor)) static void
write_counts(void)
{
    const char *name = getenv("PDFPIPE_FAULT_COUNT");
    unsigned long count[CALL_COUNT];
    FILE *f;

    for (int i = 0; i < CALL_COUNT; i++)
        count[i] = atomic_load(&seen[i]);
    rule_count = 0; /* writing the report is not part of the test */
    if (!name || !(f = fopen(name, "we")))
        return;
    for (int i = 0; i < CALL_COUNT; i++)
        if (count[i])
            (void)fprintf(f, "%s %lu\n", call_names[i], count[i]);
    if (fclose(f))
        abort();
}

/* Counts a call and says what shall become of it. */
static int
verdict(enum call call)
{
    unsigned long n = atomic_fetch_add(&seen[call], 1) + 1;

    for (unsigned i = 0; i < rule_count; i++) {
        if (rules[i].call != call)
            continue;
        if (n != rules[i].n && !(rules[i].onward && n > rules[i].n))
            continue;
        if (rules[i].effect == KILL)
            (void)raise(SIGKILL);
        return rules[i].effect;
    }
    return PASS;
}

/* ---- the functions ---- */

/* `real` becomes the function that ours stands before. */
#define FIND_REAL(name)                                                        \
    static __typeof__(name) *_Atomic real_##name;                              \
    __typeof__(name) *real = atomic_load(&real_##name);                        \
    if (!real) {                                                               \
        void *found = dlsym(RTLD_NEXT, #name);                                 \
        if (!found)                                                            \
            abort();                                                           \
        memcpy(&real, &found, sizeof real);                                    \
        atomic_store(&real_##name, real);                                      \
    }

/* Returns `bad` with errno set when the call shall fail. */
#define MAY_FAIL(call, bad)                                                    \
    do {                                                                       \
        int effect = verdict(CALL_##call);                                     \
        if (effect > 0) {                                                      \
            errno = effect;                                                    \
            return bad;                                                        \
        }                                                                      \
    } while (0)

/* A function `type name(params)` that is counted as `call`. */
#define WRAP(type, name, call, params, args, bad)                              \
    SHOWN type name params                                                     \
    {                                                                          \
        FIND_REAL(name)                                                        \
        MAY_FAIL(call, bad);                                                   \
        return real args;                                                      \
    }

/* The same for one that moves bytes: n may be made smaller. */
#define WRAP_BYTES(name, call, params, args)                                   \
    SHOWN ssize_t name params                                                  \
    {                                                                          \
        FIND_REAL(name)                                                        \
        int effect = verdict(CALL_##call);                                     \
        if (effect > 0) {                                                      \
            errno = effect;                                                    \
            return -1;                                                         \
        }                                                                      \
        if (effect == ZERO)                                                    \
            return 0;                                                          \
        if (effect == SHORT && n > 1)                                          \
            n /= 2;                                                            \
        return real args;                                                      \
    }

#define OPEN_MODE(flags)                                                       \
    mode_t mode = 0;                                                           \
    if ((flags) & (O_CREAT | __O_TMPFILE)) {                                   \
        va_list more;                                                          \
        va_start(more, flags);                                                 \
        mode = va_arg(more, mode_t);                                           \
        va_end(more);                                                          \
    }

#define WRAP_OPEN(name)                                                        \
    SHOWN int name(const char *path, int flags, ...)                           \
    {                                                                          \
        FIND_REAL(name)                                                        \
        OPEN_MODE(flags)                                                       \
        MAY_FAIL(open, -1);                                                    \
        return real(path, flags, mode);                                        \
    }

#define WRAP_OPENAT(name)                                                      \
    SHOWN int name(int folder, const char *path, int flags, ...)               \
    {                                                                          \
        FIND_REAL(name)                                                        \
        OPEN_MODE(flags)                                                       \
        MAY_FAIL(open, -1);                                                    \
        return real(folder, path, flags, mode);                                \
    }

/* What _FORTIFY_SOURCE calls in place of open, read and pread. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
ssize_t __read_chk(int fd, void *p, size_t n, size_t room);
ssize_t __pread_chk(int fd, void *p, size_t n, off_t at, size_t room);
ssize_t __pread64_chk(int fd, void *p, size_t n, off64_t at, size_t room);

/* clang-format off */
WRAP_OPEN(open)
WRAP_OPEN(open64)
WRAP_OPENAT(openat)
WRAP_OPENAT(openat64)
WRAP(int, __open_2, open, (const char *path, int flags), (path, flags), -1)
WRAP(int, __open64_2, open, (const char *path, int flags), (path, flags), -1)

WRAP_BYTES(read, read, (int fd, void *p, size_t n), (fd, p, n))
WRAP_BYTES(__read_chk, read, (int fd, void *p, size_t n, size_t room), (fd, p, n, room))
WRAP_BYTES(pread, pread, (int fd, void *p, size_t n, off_t at), (fd, p, n, at))
WRAP_BYTES(pread64, pread, (int fd, void *p, size_t n, off64_t at), (fd, p, n, at))
WRAP_BYTES(__pread_chk, pread, (int fd, void *p, size_t n, off_t at, size_t room), (fd, p, n, at, room))
WRAP_BYTES(__pread64_chk, pread, (int fd, void *p, size_t n, off64_t at, size_t room), (fd, p, n, at, room))
WRAP_BYTES(write, write, (int fd, const void *p, size_t n), (fd, p, n))
WRAP_BYTES(pwrite, pwrite, (int fd, const void *p, size_t n, off_t at), (fd, p, n, at))
WRAP_BYTES(pwrite64, pwrite, (int fd, const void *p, size_t n, off64_t at), (fd, p, n, at))
WRAP_BYTES(getrandom, getrandom, (void *p, size_t n, unsigned flags), (p, n, flags))

WRAP(int, fsync, fsync, (int fd), (fd), -1)
WRAP(int, fdatasync, fdatasync, (int fd), (fd), -1)
WRAP(int, syncfs, syncfs, (int fd), (fd), -1)
WRAP(int, sync_file_range, sync_file_range, (int fd, off64_t at, off64_t n, unsigned flags), (fd, at, n, flags), -1)
WRAP(int, fallocate, fallocate, (int fd, int mode, off_t at, off_t n), (fd, mode, at, n), -1)
WRAP(int, fallocate64, fallocate, (int fd, int mode, off64_t at, off64_t n), (fd, mode, at, n), -1)
WRAP(int, ftruncate, ftruncate, (int fd, off_t n), (fd, n), -1)
WRAP(int, ftruncate64, ftruncate, (int fd, off64_t n), (fd, n), -1)
WRAP(int, posix_fadvise, posix_fadvise, (int fd, off_t at, off_t n, int advice), (fd, at, n, advice), errno)
WRAP(int, posix_fadvise64, posix_fadvise, (int fd, off64_t at, off64_t n, int advice), (fd, at, n, advice), errno)

WRAP(int, rename, rename, (const char *from, const char *to), (from, to), -1)
WRAP(int, renameat, rename, (int a, const char *from, int b, const char *to), (a, from, b, to), -1)
WRAP(int, renameat2, renameat2, (int a, const char *from, int b, const char *to, unsigned flags), (a, from, b, to, flags), -1)
WRAP(int, link, link, (const char *from, const char *to), (from, to), -1)
WRAP(int, linkat, link, (int a, const char *from, int b, const char *to, int flags), (a, from, b, to, flags), -1)
WRAP(int, unlink, unlink, (const char *path), (path), -1)
WRAP(int, unlinkat, unlink, (int folder, const char *path, int flags), (folder, path, flags), -1)
WRAP(int, mkdir, mkdir, (const char *path, mode_t mode), (path, mode), -1)
WRAP(int, mkdirat, mkdir, (int folder, const char *path, mode_t mode), (folder, path, mode), -1)

WRAP(int, stat, stat, (const char *path, struct stat *st), (path, st), -1)
WRAP(int, lstat, lstat, (const char *path, struct stat *st), (path, st), -1)
WRAP(int, fstat, fstat, (int fd, struct stat *st), (fd, st), -1)
WRAP(int, fstatat, fstatat, (int folder, const char *path, struct stat *st, int flags), (folder, path, st, flags), -1)
WRAP(int, stat64, stat, (const char *path, struct stat64 *st), (path, st), -1)
WRAP(int, lstat64, lstat, (const char *path, struct stat64 *st), (path, st), -1)
WRAP(int, fstat64, fstat, (int fd, struct stat64 *st), (fd, st), -1)
WRAP(int, fstatat64, fstatat, (int folder, const char *path, struct stat64 *st, int flags), (folder, path, st, flags), -1)

WRAP(int, fchown, fchown, (int fd, uid_t uid, gid_t gid), (fd, uid, gid), -1)
WRAP(int, fchmod, fchmod, (int fd, mode_t mode), (fd, mode), -1)
WRAP(int, futimens, futimens, (int fd, const struct timespec times[2]), (fd, times), -1)
WRAP(ssize_t, flistxattr, flistxattr, (int fd, char *list, size_t n), (fd, list, n), -1)
WRAP(ssize_t, fgetxattr, fgetxattr, (int fd, const char *name, void *p, size_t n), (fd, name, p, n), -1)
WRAP(int, fsetxattr, fsetxattr, (int fd, const char *name, const void *p, size_t n, int flags), (fd, name, p, n, flags), -1)
WRAP(int, fremovexattr, fremovexattr, (int fd, const char *name), (fd, name), -1)
WRAP(int, mlock, mlock, (const void *p, size_t n), (p, n), -1)
WRAP(int, pthread_create, pthread_create, (pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *arg), (t, a, f, arg), errno)
/* clang-format on */

/* On Linux the descriptor is closed even when close() reports an error. */
SHOWN int
close(int fd)
{
    FIND_REAL(close)
    int effect = verdict(CALL_close);
    int result = real(fd);

    if (effect <= 0)
        return result;
    errno = effect;
    return -1;
}

#if HEAP_IS_OURS
/*
 * dlsym may allocate and the loader allocates before dlsym works, so these
 * call glibc's other names for them.
 */
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void *__libc_memalign(size_t alignment, size_t n);

SHOWN void *
malloc(size_t n)
{
    MAY_FAIL(malloc, NULL);
    return __libc_malloc(n);
}

SHOWN void *
calloc(size_t n, size_t size)
{
    MAY_FAIL(calloc, NULL);
    return __libc_calloc(n, size);
}

SHOWN void *
realloc(void *p, size_t n)
{
    MAY_FAIL(realloc, NULL);
    return __libc_realloc(p, n);
}

SHOWN void *
aligned_alloc(size_t alignment, size_t n)
{
    MAY_FAIL(aligned_alloc, NULL);
    return __libc_memalign(alignment, n);
}

SHOWN int
posix_memalign(void **p, size_t alignment, size_t n)
{
    void *got;

    MAY_FAIL(posix_memalign, errno);
    got = __libc_memalign(alignment, n);
    if (!got)
        return ENOMEM;
    *p = got;
    return 0;
}

/* clang-format off */
WRAP(void *, mmap, mmap, (void *p, size_t n, int prot, int flags, int fd, off_t at), (p, n, prot, flags, fd, at), MAP_FAILED)
WRAP(void *, mmap64, mmap, (void *p, size_t n, int prot, int flags, int fd, off64_t at), (p, n, prot, flags, fd, at), MAP_FAILED)
/* clang-format on */
#endif
