/*
 * remap.c - mremap() as the thread sanitizer understands it
 *
 * The sanitizer follows mmap() and munmap() but not mremap(): what is moved to
 * an address where another thread had memory before looks like a race.  In its
 * builds this stands before libc's.
 */
#if defined(__SANITIZE_THREAD__)
#define THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define THREAD_SANITIZER 1
#endif
#endif

#ifdef THREAD_SANITIZER
#include <string.h>
#include <sys/mman.h>

__attribute__((visibility("default"))) void *
mremap(void *old, size_t old_n, size_t n, int flags, ...)
{
    void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                   -1, 0);

    (void)flags; /* it may move: nobody here asks for anything else */
    if (p == MAP_FAILED)
        return p;
    memcpy(p, old, old_n < n ? old_n : n);
    (void)munmap(old, old_n);
    return p;
}
#else
typedef int remap_is_not_needed; /* a file must not be empty */
#endif
