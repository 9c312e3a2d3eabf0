/* measure.c - contenders in turn, the fastest turn of each counts */
#include "measure.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>

#include "api/cpus.h"
#include "base/clock.h"

#define HUGE_PAGE_BYTES ((size_t)2 << 20)

void
measure_fail(const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    fprintf(stderr, "bench: ");
    vfprintf(stderr, fmt, args);
    fprintf(stderr, "\n");
    va_end(args);
    exit(1);
}

_Noreturn static void
usage(const char *help)
{
    fputs(help, stderr);
    exit(2);
}

/* "AMD EPYC", or the architecture where the kernel does not tell. */
static void
tell_machine(const struct measure_options *o)
{
    char line[256], model[256] = "";
    struct utsname system;
    FILE *f = fopen("/proc/cpuinfo", "r");

    while (f && !*model && fgets(line, sizeof line, f))
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':'))
            (void)sscanf(strchr(line, ':') + 1, " %255[^\n]", model);
    if (f)
        (void)fclose(f);
    if (uname(&system) != 0)
        measure_fail("the kernel does not tell its name");
    printf("machine: %s, %u CPUs, Linux %s; %u rounds, fastest of each%s\n",
           *model ? model : system.machine, pp_usable_cpus(), system.release,
           o->rounds, o->quick ? "; quick: the numbers say nothing" : "");
}

struct measure_options
measure_begin(int argc, char **argv, const char *help)
{
    static const struct option options[] = {
        { "quick", no_argument, NULL, 'q' },
        { "rounds", required_argument, NULL, 'r' },
        { "help", no_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 },
    };
    const char *env = getenv("BENCH_QUICK");
    struct measure_options o = { .quick = env && strcmp(env, "1") == 0 };
    long rounds = 0;
    int c;

    while ((c = getopt_long(argc, argv, "", options, NULL)) != -1)
        switch (c) {
        case 'q': o.quick = true; break;
        case 'r':
            rounds = strtol(optarg, NULL, 10);
            if (rounds < 1 || rounds > 1000)
                usage(help);
            break;
        case 'h': exit(fputs(help, stdout) < 0 || fflush(stdout) != 0);
        default: usage(help);
        }
    if (optind < argc)
        usage(help);
    o.rounds = rounds ? (unsigned)rounds : o.quick ? 1 : 5;
    o.turn_ns = o.quick ? 1000000 : 100000000;
    tell_machine(&o);
    return o;
}

static uint64_t
turn(const struct contender *c, uint64_t least_ns)
{
    uint64_t began = pp_now_ns(), took, runs = 0;

    do {
        c->run(c->arg);
        runs++;
        took = pp_now_ns() - began;
    } while (took < least_ns);
    return took / runs;
}

void
measure_rounds(const struct measure_options *o, struct contender *c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        c[i].best_ns = UINT64_MAX;
    for (unsigned round = 0; round < o->rounds; round++)
        for (size_t i = 0; i < n; i++) {
            struct contender *now = &c[round % 2 ? n - 1 - i : i];
            uint64_t ns = turn(now, o->turn_ns);

            if (ns < now->best_ns)
                now->best_ns = ns;
        }
}

static double
ratio(const struct contender *c, const struct contender *other)
{
    return (double)other->best_ns / (double)c->best_ns;
}

static double
speed(const struct measure_case *m, const struct contender *c)
{
    double ns = (double)c->best_ns;

    return m->payload_bytes ? (double)m->payload_bytes * 1e3 / ns
                            : (double)m->files * 1e9 / ns;
}

static void
tell_people(const struct measure_case *m, const struct contender *c,
            const struct contender *const *others, size_t n)
{
    const char *before = "; ";

    if (m->place)
        printf("%-8s %-6s", m->input, m->place);
    else
        printf("%-15s", m->input);
    printf(" %-10s %9.1f %s", c->name, speed(m, c),
           m->payload_bytes ? "MB/s" : "files/s");
    for (size_t i = 0; i < n; i++)
        if (others[i] != c) {
            printf("%s%.2fx %s", before, ratio(c, others[i]), others[i]->name);
            before = ", ";
        }
    printf("\n");
}

static void
tell_scripts(const struct measure_case *m, const struct contender *c,
             unsigned threads, const struct contender *const *others, size_t n)
{
    const char *before = "";

    printf("{\"bench\":\"%s\",\"input\":\"%s\",", m->bench, m->input);
    if (m->place)
        printf("\"place\":\"%s\",", m->place);
    printf("\"contender\":\"%s\",\"threads\":%u,", c->name, threads);
    if (m->payload_bytes)
        printf("\"mb_s\":%.1f,\"payload_bytes\":%llu,", speed(m, c),
               (unsigned long long)m->payload_bytes);
    else
        printf("\"files_s\":%.1f,\"files\":%llu,", speed(m, c),
               (unsigned long long)m->files);
    printf("\"rounds\":%u,\"ratios\":{", m->rounds);
    for (size_t i = 0; i < n; i++)
        if (others[i] != c) {
            printf("%s\"%s\":%.3f", before, others[i]->name,
                   ratio(c, others[i]));
            before = ",";
        }
    printf("}}\n");
}

void
measure_tell(const struct measure_case *m, const struct contender *c,
             unsigned threads, const struct contender *const *others, size_t n)
{
    tell_people(m, c, others, n);
    tell_scripts(m, c, threads, others, n);
    (void)fflush(stdout); /* main() looks at the stream's state */
}

/* As the kernel tells; the C library guesses wrong in virtual machines. */
static size_t
cache_bytes(unsigned level, size_t otherwise_kib)
{
    char path[80];
    size_t kib;
    FILE *f;

    /* Fits.  Index 0 and 1 are the two halves of level 1. */
    (void)snprintf(path, sizeof path,
                   "/sys/devices/system/cpu/cpu0/cache/index%u/size", level);
    f = fopen(path, "r");
    if (!f || fscanf(f, "%zuK", &kib) != 1)
        kib = otherwise_kib;
    if (f)
        (void)fclose(f);
    return kib * 1024 / 4 * 3;
}

size_t
measure_l2_bytes(void)
{
    return cache_bytes(2, 1024);
}

size_t
measure_l3_bytes(void)
{
    return cache_bytes(3, 32768);
}

const char *
measure_place(size_t bytes)
{
    if (bytes <= measure_l2_bytes())
        return "L2";
    return bytes <= measure_l3_bytes() ? "L3" : "memory";
}

void *
measure_alloc(size_t bytes)
{
    size_t whole = (bytes + HUGE_PAGE_BYTES - 1) & ~(HUGE_PAGE_BYTES - 1);
    void *p = aligned_alloc(HUGE_PAGE_BYTES, whole);

    if (!p)
        measure_fail("no memory for %zu bytes", bytes);
    (void)madvise(p, whole, MADV_HUGEPAGE); /* a hint */
    memset(p, 0, whole);
    return p;
}
