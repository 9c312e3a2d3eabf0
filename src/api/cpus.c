/* cpus.c - how many CPUs this process may use */
#include "api/cpus.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The set must be as large as the kernel's, which may be larger than 1,024. */
static unsigned
affinity(void)
{
    for (size_t cpus = 1024; cpus <= 65536; cpus *= 2) {
        cpu_set_t *set = CPU_ALLOC(cpus);
        size_t size = CPU_ALLOC_SIZE(cpus);
        int n;

        if (!set)
            return 1;
        n = sched_getaffinity(0, size, set) ? 0 : CPU_COUNT_S(size, set);
        CPU_FREE(set);
        if (n > 0)
            return (unsigned)n;
    }
    return 1;
}

/* The first line of a small file; false: not readable. */
static bool
first_line(const char *path, char *line, int size)
{
    FILE *f = fopen(path, "re");
    bool got;

    if (!f)
        return false;
    got = fgets(line, size, f) != NULL;
    (void)fclose(f); /* read only: nothing can be lost */
    return got;
}

/* "max 100000" or "150000 100000": quota and period in microseconds. */
static unsigned
quota_of(const char *folder)
{
    unsigned long long quota, period;
    char path[4096 + 64], line[64], *end;

    (void)snprintf(path, sizeof path, "%s/cpu.max", folder);
    if (!first_line(path, line, sizeof line))
        return 0;
    quota = strtoull(line, &end, 10);
    if (end == line || *end != ' ')
        return 0;
    period = strtoull(end + 1, NULL, 10);
    /* A whole CPU for the rest; no sum, which could wrap. */
    return period ? (unsigned)(quota / period + (quota % period != 0)) : 0;
}

/* The smallest quota from the process's control group up to the root; 0: no
 * limit. */
static unsigned
quota(void)
{
    char line[4096], folder[4096 + 32], *end;
    unsigned least = 0;

    if (!first_line("/proc/self/cgroup", line, sizeof line) ||
        strncmp(line, "0::", 3) != 0)
        return 0;
    line[strcspn(line, "\n")] = '\0';
    (void)snprintf(folder, sizeof folder, "/sys/fs/cgroup%s", line + 3);
    while (strlen(folder) >= strlen("/sys/fs/cgroup")) {
        unsigned q = quota_of(folder);

        if (q && (!least || q < least))
            least = q;
        end = strrchr(folder, '/');
        *end = '\0';
    }
    return least;
}

unsigned
pp_usable_cpus(void)
{
    unsigned cpus = affinity(), most = quota();

    if (most && most < cpus)
        cpus = most;
    return cpus ? cpus : 1;
}
