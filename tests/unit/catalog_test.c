/* catalog_test.c - is every document given out once, and nothing else? */
#include "batch/catalog.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

/* The tests work in a folder of their own, with relative paths. */
static char scratch[] = "/tmp/catalog_test.XXXXXX";

static bool
run_shell(const char *command)
{
    return CHECK(system(command) == 0, "%s", command);
}

/* Makes a file, with the folders above it. */
static void
make(const char *path)
{
    char command[1024];

    (void)snprintf(command, sizeof command,
                   "mkdir -p \"$(dirname '%s')\" && printf 12345 > '%s'", path,
                   path);
    (void)run_shell(command);
}

static void
clean(void)
{
    (void)run_shell("find . -mindepth 1 -maxdepth 1 -exec rm -rf -- '{}' +");
}

static void
note(char **text, const char *a, const char *b, const char *c)
{
    char *longer = NULL;

    if (asprintf(&longer, "%s%s%s%s", *text ? *text : "", a, b, c) < 0)
        abort();
    free(*text);
    *text = longer;
}

/* Everything a catalog gives out: "source>target|backup " for a file,
 * "source?reason " for one skipped, "source!reason " for a failed one. */
static char *
walk(const struct pp_catalog_spec *spec)
{
    struct pp_catalog *c;
    struct pdfpipe_error err;
    struct pp_entry e;
    char *text = NULL;

    note(&text, "", "", "");
    if (pp_catalog_new(spec, &c, &err)) {
        note(&text, "new: ", pdfpipe_status_id(err.code), "");
        return text;
    }
    while (pp_catalog_next(c, &e)) {
        size_t n = strlen(e.source), k = strlen(e.relative);

        CHECK(n >= k && strcmp(e.source + n - k, e.relative) == 0,
              "%s is no end of %s", e.relative, e.source);
        note(&text, e.source, "", "");
        if (e.kind != PP_ENTRY_FILE) {
            CHECK(e.error.code && e.error.message[0], "no reason: %s",
                  e.source);
            note(&text, e.kind == PP_ENTRY_SKIPPED ? "?" : "!",
                 pdfpipe_status_id(e.error.code), "");
        } else {
            note(&text, e.target ? ">" : "", e.target ? e.target : "", "");
            note(&text, e.backup ? "|" : "", e.backup ? e.backup : "", "");
        }
        note(&text, " ", "", "");
    }
    CHECK(!pp_catalog_next(c, &e), "the end stays the end");
    pp_catalog_free(c);
    return text;
}

#define PATHS(...)                                                             \
    (const char *const[]) { __VA_ARGS__, NULL }

static struct pp_catalog_spec
of(const char *const *paths)
{
    struct pp_catalog_spec spec = { .paths = paths };

    while (paths[spec.count])
        spec.count++;
    return spec;
}

static void
expect(const char *what, const struct pp_catalog_spec *spec, const char *want)
{
    char *got = walk(spec);

    CHECK(strcmp(got, want) == 0, "%s: got <%s> want <%s>", what, got, want);
    free(got);
}

static void
in_which_order(void)
{
    static const char *const files[] = {
        "t/b.pdf",       "t/a.PDF",    "t/B.pdf",         "t/a/z.pdf",
        "t/a/y.pdf",     "t/a-b.pdf",  "t/a.txt",         "t/.hid/x.pdf",
        "t/c/d/e/f.pdf", "t/\xff.pdf", "t/new\nline.pdf", "t/@eaDir/x.pdf",
        "t/._a.pdf",
    };
    struct pp_catalog_spec spec = of(PATHS("t"));

    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        make(files[i]);
    (void)run_shell("mkdir t/empty");
    expect("tree", &spec,
           "t/B.pdf t/a/y.pdf t/a/z.pdf t/a-b.pdf t/a.PDF t/b.pdf "
           "t/c/d/e/f.pdf t/new\nline.pdf t/\xff.pdf ");
    spec.first_level_only = true;
    expect("first level", &spec,
           "t/B.pdf t/a-b.pdf t/a.PDF t/b.pdf t/new\nline.pdf t/\xff.pdf ");
    spec = of(PATHS("t/c/", "t/a.txt", "t/a//y.pdf", "t/.hid"));
    expect("named ones whatever their name", &spec,
           "t/c/d/e/f.pdf t/a.txt t/a//y.pdf t/.hid/x.pdf ");
    clean();
    spec = of(PATHS("."));
    expect("nothing", &spec, "");
    make("x.pdf");
    expect("dot", &spec, "./x.pdf ");
    clean();
}

static void
are_links_left_alone(void)
{
    struct pp_catalog_spec spec = of(PATHS("t"));

    make("t/a.pdf");
    make("away/x.pdf");
    (void)run_shell("ln -s a.pdf t/l.pdf; ln -s a.pdf t/l.txt;"
                    "ln -s ../away t/folder; ln -s nowhere t/dead.pdf;"
                    "ln -s nowhere t/dead; ln -s .. t/loop; ln -s t named;"
                    "ln -s ../away t/.hidden; ln -s ../away t/skip");
    spec.filter = (struct pp_filter){ .exclude = PATHS("skip"), .excludes = 1 };
    expect("in a walk", &spec,
           "t/a.pdf t/dead.pdf?symlink t/folder?symlink t/l.pdf?symlink "
           "t/loop?symlink ");
    spec.first_level_only = true;
    expect("first level", &spec, "t/a.pdf t/dead.pdf?symlink t/l.pdf?symlink ");
    spec = of(PATHS("named", "t/l.pdf", "t/dead.pdf"));
    expect("named", &spec, "named!symlink t/l.pdf!symlink t/dead.pdf!symlink ");
    spec = of(PATHS("named/"));
    spec.filter =
        (struct pp_filter){ .include = PATHS("a.pdf"), .includes = 1 };
    spec.first_level_only = true;
    expect("a slash names the folder", &spec, "named/a.pdf ");
    clean();
}

static void
is_overlap_walked_once(void)
{
    struct pp_catalog_spec spec;

    make("t/a/x.pdf");
    make("t/b.pdf");
    make("u/b.pdf");
    (void)run_shell("ln t/b.pdf u/c.pdf; ln t/b.pdf u/d/b.pdf 2>/dev/null;"
                    "mkdir u/d && ln t/b.pdf u/d/b.pdf");
    spec = of(PATHS("t", "t", "./t", "t/../t/"));
    expect("the same", &spec, "t/a/x.pdf t/b.pdf ");
    spec = of(PATHS("t", "t/a"));
    expect("below, later", &spec, "t/a/x.pdf t/b.pdf ");
    spec = of(PATHS("t/a", "t"));
    expect("below, earlier", &spec, "t/a/x.pdf t/b.pdf ");
    spec = of(PATHS("t/b.pdf", "t", "t/a/x.pdf"));
    expect("files", &spec, "t/b.pdf t/a/x.pdf ");
    spec = of(PATHS("t/b.pdf", "./t/b.pdf", "t/a/../b.pdf"));
    expect("a file three times", &spec, "t/b.pdf ");
    spec = of(PATHS("t/b.pdf", "u"));
    expect("hard links are files of their own", &spec,
           "t/b.pdf u/b.pdf u/c.pdf u/d/b.pdf ");
    spec = of(PATHS("t", "t/a"));
    spec.first_level_only = true;
    expect("first level only", &spec, "t/b.pdf t/a/x.pdf ");
    clean();
}

static void
is_what_cannot_be_walked_told(void)
{
    struct pp_catalog_spec spec = of(PATHS("nope", "t", "nope/x.pdf", ""));
    struct pp_catalog *c;
    struct pp_entry e;

    make("t/a.pdf");
    make("t/b/x.pdf");
    make("t/c.pdf");
    make("t/d/x.pdf");
    (void)run_shell("mkfifo t/fifo.pdf fifo");
    if (!CHECK(!pp_catalog_new(&spec, &c, NULL), "new"))
        return;
    CHECK(pp_catalog_next(c, &e) && e.kind == PP_ENTRY_FAILED &&
              e.error.code == PDFPIPE_E_NOT_FOUND &&
              strcmp(e.source, "nope") == 0,
          "missing");
    CHECK(pp_catalog_next(c, &e) && strcmp(e.source, "t/a.pdf") == 0, "a");
    /* Listed, but gone or another thing when its turn comes. */
    (void)run_shell("rm -r t/b; rm -r t/d; ln -s .. t/d");
    CHECK(pp_catalog_next(c, &e) && e.kind == PP_ENTRY_FAILED &&
              e.error.code == PDFPIPE_E_NOT_FOUND &&
              strcmp(e.source, "t/b") == 0,
          "vanished: %s %s", e.source, e.error.message);
    CHECK(pp_catalog_next(c, &e) && strcmp(e.source, "t/c.pdf") == 0,
          "the walk goes on: %s", e.source);
    CHECK(pp_catalog_next(c, &e) && e.kind == PP_ENTRY_FAILED &&
              strcmp(e.source, "t/d") == 0,
          "became a link: %s %s", e.source, e.error.message);
    CHECK(pp_catalog_next(c, &e) && e.kind == PP_ENTRY_FAILED &&
              strcmp(e.source, "nope/x.pdf") == 0,
          "missing, below");
    CHECK(pp_catalog_next(c, &e) && e.kind == PP_ENTRY_FAILED &&
              strcmp(e.source, "") == 0,
          "empty name");
    CHECK(!pp_catalog_next(c, &e), "end");
    pp_catalog_free(c);
    spec = of(PATHS("fifo", "/dev/null", "t/a.pdf/"));
    expect("named, no file", &spec,
           "fifo!not_regular_file /dev/null!not_regular_file "
           "t/a.pdf/!not_found ");
    clean();
}

static void
is_a_locked_folder_told(void)
{
    struct pp_catalog_spec spec = of(PATHS("t"));

    make("t/a.pdf");
    make("t/locked/x.pdf");
    make("t/z.pdf");
    (void)run_shell("chmod 755 . t; chmod 000 t/locked");
    if (geteuid() == 0 && seteuid(65534)) {
        check_skip("cannot become another user: %s", strerror(errno));
    } else {
        expect("locked", &spec, "t/a.pdf t/locked!permission_denied t/z.pdf ");
        CHECK(getuid() != 0 || seteuid(0) == 0, "root again");
    }
    (void)run_shell("chmod 755 t/locked");
    clean();
}

static void
where_outputs_go(void)
{
    struct pp_catalog_spec spec = of(PATHS("t", "u/x.pdf"));

    make("t/a.pdf");
    make("t/s/B.PDF");
    make("t/s/c.enc.pdf");
    make("u/x.pdf");
    make("u/noext");
    spec.output = "out/";
    expect("mirror", &spec,
           "t/a.pdf>out/a.pdf t/s/B.PDF>out/s/B.PDF "
           "t/s/c.enc.pdf>out/s/c.enc.pdf u/x.pdf>out/x.pdf ");
    spec.output = "out";
    spec.suffix = "enc";
    expect("mirror with suffix", &spec,
           "t/a.pdf>out/a.enc.pdf t/s/B.PDF>out/s/B.enc.PDF "
           "u/x.pdf>out/x.enc.pdf ");
    spec.output = NULL;
    expect("suffix", &spec,
           "t/a.pdf>t/a.enc.pdf t/s/B.PDF>t/s/B.enc.PDF "
           "u/x.pdf>u/x.enc.pdf ");
    spec.suffix = NULL;
    spec.backup = "bak";
    expect("backup", &spec,
           "t/a.pdf|bak/a.pdf t/s/B.PDF|bak/s/B.PDF "
           "t/s/c.enc.pdf|bak/s/c.enc.pdf u/x.pdf|bak/x.pdf ");
    spec = of(PATHS("u/x.pdf"));
    spec.output = "new.pdf";
    expect("file", &spec, "u/x.pdf>new.pdf ");
    spec.output = "new/";
    expect("folder to be", &spec, "u/x.pdf>new/x.pdf ");
    spec.output = "t";
    expect("folder that is", &spec, "u/x.pdf>t/x.pdf ");
    spec.output = "/";
    expect("root", &spec, "u/x.pdf>/x.pdf ");
    spec = of(PATHS("u/noext"));
    spec.suffix = "enc";
    expect("no extension", &spec, "u/noext>u/noext.enc.pdf ");
    clean();
}

static void
are_two_inputs_kept_apart(void)
{
    struct pp_catalog_spec spec = of(PATHS("a", "b", "c/x.pdf"));

    make("a/x.pdf");
    make("b/x.pdf");
    make("b/y.pdf");
    make("c/x.pdf");
    spec.output = "out";
    expect("one target", &spec,
           "a/x.pdf>out/x.pdf b/x.pdf!target_exists b/y.pdf>out/y.pdf "
           "c/x.pdf!target_exists ");
    clean();
}

static void
are_senseless_outputs_refused(void)
{
    /* clang-format off */
    static const struct {
        const char *what;
        const char *path;
        const char *output, *suffix, *backup;
        bool first_level_only;
        bool good;
    } rows[] = {
        { "in the tree",           "t",       "t/out",     NULL,  NULL, false, false },
        { "the tree itself",       "t",       "t",         NULL,  NULL, false, false },
        { "by another spelling",   "t",       "u/../t/a",  NULL,  NULL, false, false },
        { "through a link",        "t",       "link/out",  NULL,  NULL, false, false },
        { "deep and not there",    "t",       "t/n/e/w",   NULL,  NULL, false, false },
        { "up from nowhere",       "t",       "t/.n/../w", NULL,  NULL, false, false },
        { "hidden in the tree",    "t",       "t/.out",    NULL,  NULL, false, true },
        { "below hidden",          "t",       "t/.out/x",  NULL,  NULL, false, true },
        { "excluded",              "t",       "t/skip",    NULL,  NULL, false, true },
        { "below the first level", "t",       "t/out",     NULL,  NULL, true,  true },
        { "first level itself",    "t",       "t/.",       NULL,  NULL, true,  false },
        { "beside",                "t",       "t2",        NULL,  NULL, false, true },
        { "above",                 "t/s",     "t",         NULL,  NULL, false, true },
        { "around dot",            ".",       "out",       NULL,  NULL, false, false },
        { "a file for a folder",   "t",       "u/x.pdf",   NULL,  NULL, false, false },
        { "the input",             "u/x.pdf", "u/x.pdf",   NULL,  NULL, false, false },
        { "the input, hard link",  "u/x.pdf", "u/h.pdf",   NULL,  NULL, false, false },
        { "file with suffix",      "u/x.pdf", "n.pdf",     "enc", NULL, false, false },
        { "empty output",          "t",       "",          NULL,  NULL, false, false },
        { "backup in the tree",    "t",       NULL,        NULL,  "t/b",  false, false },
        { "backup hidden",         "t",       NULL,        NULL,  "t/.b", false, true },
        { "backup of copies",      "t",       "out",       NULL,  "b",  false, false },
        { "backup beside suffix",  "t",       NULL,        "enc", "b",  false, false },
        { "empty backup",          "t",       NULL,        NULL,  "",   false, false },
        { "suffix with slash",     "t",       NULL,        "a/b", NULL, false, false },
        { "suffix with dot",       "t",       NULL,        ".enc", NULL, false, false },
        { "empty suffix",          "t",       NULL,        "",    NULL, false, false },
    };
    /* clang-format on */

    make("t/s/a.pdf");
    make("u/x.pdf");
    (void)run_shell("ln -s t link; ln u/x.pdf u/h.pdf");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_catalog_spec spec = of(PATHS(rows[i].path));
        struct pp_catalog *c;
        struct pdfpipe_error err;
        enum pdfpipe_status st;

        spec.filter =
            (struct pp_filter){ .exclude = PATHS("skip"), .excludes = 1 };
        spec.output = rows[i].output;
        spec.suffix = rows[i].suffix;
        spec.backup = rows[i].backup;
        spec.first_level_only = rows[i].first_level_only;
        st = pp_catalog_new(&spec, &c, &err);
        CHECK(st == (rows[i].good ? PDFPIPE_OK : PDFPIPE_E_USAGE), "%s: %s",
              rows[i].what, st ? err.message : "accepted");
        CHECK(!st == (c != NULL), "%s: a catalog or an error", rows[i].what);
        pp_catalog_free(c);
    }
    (void)run_shell("test ! -e t/n && test ! -e t/.n && test ! -e out");
    clean();
}

static void
are_long_names_refused(void)
{
    struct pp_catalog_spec spec = of(PATHS("t"));
    char name[300], file[320];
    char *got;

    memset(name, 'n', 251);
    (void)snprintf(name + 251, sizeof name - 251, ".pdf");
    (void)snprintf(file, sizeof file, "t/%s", name);
    make(file);
    spec.suffix = "enc";
    got = walk(&spec);
    CHECK(strstr(got, "!limit ") != NULL, "%s", got);
    free(got);
    clean();
}

static int
open_descriptors(void)
{
    DIR *d = opendir("/proc/self/fd");
    int n = 0;

    while (d && readdir(d))
        n++;
    if (d)
        (void)closedir(d);
    return n;
}

/* Makes `depth` folders below each other, each with this name and a file. */
static bool
dig(const char *name, unsigned depth)
{
    int at = open(".", O_RDONLY | O_DIRECTORY), fd;

    for (unsigned i = 0; i < depth && at >= 0; i++) {
        fd = openat(at, "x.pdf", O_WRONLY | O_CREAT, 0666);
        if (fd >= 0)
            (void)close(fd);
        if (mkdirat(at, name, 0777))
            break;
        fd = openat(at, name, O_RDONLY | O_DIRECTORY);
        (void)close(at);
        at = fd;
    }
    if (at >= 0)
        (void)close(at);
    return at >= 0;
}

static void
is_depth_bounded(void)
{
    struct pp_catalog_spec spec = of(PATHS("."));
    struct pp_catalog *c;
    struct pp_entry e;
    unsigned files = 0, limits = 0, others = 0;
    int before = open_descriptors();

    if (!CHECK(dig("d", PP_CATALOG_DEPTH + 5), "dig"))
        return;
    if (!CHECK(!pp_catalog_new(&spec, &c, NULL), "new"))
        return;
    while (pp_catalog_next(c, &e)) {
        files += e.kind == PP_ENTRY_FILE;
        limits += e.kind == PP_ENTRY_FAILED && e.error.code == PDFPIPE_E_LIMIT;
        others += e.kind != PP_ENTRY_FILE && e.error.code != PDFPIPE_E_LIMIT;
    }
    CHECK(files == PP_CATALOG_DEPTH, "%u files", files);
    CHECK(limits == 1 && others == 0, "%u limits, %u others", limits, others);
    pp_catalog_free(c);
    CHECK(open_descriptors() == before, "descriptors left open");
    clean();
}

static void
is_path_length_bounded(void)
{
    struct pp_catalog_spec spec = of(PATHS("."));
    struct pp_catalog *c;
    struct pp_entry e;
    unsigned files = 0, limits = 0, others = 0;
    char name[201];

    memset(name, 'd', 200);
    name[200] = '\0';
    if (!CHECK(dig(name, 30), "dig"))
        return;
    if (!CHECK(!pp_catalog_new(&spec, &c, NULL), "new"))
        return;
    while (pp_catalog_next(c, &e)) {
        CHECK(e.kind != PP_ENTRY_FILE || strlen(e.source) < PATH_MAX,
              "a path of %zu", strlen(e.source));
        files += e.kind == PP_ENTRY_FILE;
        limits += e.kind == PP_ENTRY_FAILED && e.error.code == PDFPIPE_E_LIMIT;
        others += e.kind != PP_ENTRY_FILE && e.error.code != PDFPIPE_E_LIMIT;
    }
    /* 1 + 201 n + 5 bytes and a NUL in 4096. */
    CHECK(files == 21 && limits == 1 && others == 0,
          "%u files, %u limits, %u others", files, limits, others);
    pp_catalog_free(c);
    clean();
}

static void
is_a_walk_without_descriptors_told(void)
{
    struct pp_catalog_spec spec = of(PATHS("."));
    struct rlimit old, few;
    int taken[200], n = 0;
    char *got;

    make("a/b/c/d/e/f/x.pdf");
    if (!CHECK(getrlimit(RLIMIT_NOFILE, &old) == 0, "limit"))
        return;
    few = old;
    few.rlim_cur = 100;
    CHECK(setrlimit(RLIMIT_NOFILE, &few) == 0, "few");
    while (n < 200 && (taken[n] = dup(STDOUT_FILENO)) >= 0)
        n++;
    for (int i = 0; i < 3 && n; i++)
        (void)close(taken[--n]);
    got = walk(&spec);
    while (n)
        (void)close(taken[--n]);
    CHECK(setrlimit(RLIMIT_NOFILE, &old) == 0, "as before");
    CHECK(strstr(got, "!busy ") != NULL, "%s", got);
    free(got);
    clean();
}

static void
does_the_count_agree(void)
{
    struct pp_catalog_spec spec = of(PATHS("t", "u.pdf", "gone"));
    struct pp_catalog_total total;
    atomic_bool stop = false;

    make("t/a.pdf");
    make("t/b/c.pdf");
    make("t/b/c.enc.pdf");
    make("t/no.txt");
    make("u.pdf");
    (void)run_shell("ln -s a.pdf t/l.pdf");
    spec.suffix = "enc";
    CHECK(!pp_catalog_count(&spec, &stop, &total, NULL), "count");
    CHECK(total.files == 5 && total.bytes == 15, "%llu files, %llu bytes",
          (unsigned long long)total.files, (unsigned long long)total.bytes);
    stop = true;
    CHECK(!pp_catalog_count(&spec, &stop, &total, NULL), "stopped");
    CHECK(total.files == 0, "stopped at once");
    clean();
}

static void
can_a_catalog_be_left_early(void)
{
    struct pp_catalog_spec spec = of(PATHS("t"));
    struct pp_catalog *c;
    struct pp_entry e;
    int before = open_descriptors();

    make("t/a/b/x.pdf");
    make("t/a/b/y.pdf");
    CHECK(!pp_catalog_new(&spec, &c, NULL) && pp_catalog_next(c, &e),
          "first one");
    pp_catalog_free(c);
    pp_catalog_free(NULL);
    CHECK(open_descriptors() == before, "descriptors left open");
    clean();
}

int
main(void)
{
    struct rlimit limit;

    /* Depth costs descriptors. */
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 &&
        limit.rlim_cur < PP_CATALOG_DEPTH + 50) {
        limit.rlim_cur = PP_CATALOG_DEPTH + 50;
        CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0, "descriptors");
    }
    if (!CHECK(mkdtemp(scratch) && chdir(scratch) == 0, "%s", scratch))
        return check_report("catalog");
    in_which_order();
    are_links_left_alone();
    is_overlap_walked_once();
    is_what_cannot_be_walked_told();
    is_a_locked_folder_told();
    where_outputs_go();
    are_two_inputs_kept_apart();
    are_senseless_outputs_refused();
    are_long_names_refused();
    is_depth_bounded();
    is_path_length_bounded();
    is_a_walk_without_descriptors_told();
    does_the_count_agree();
    can_a_catalog_be_left_early();
    CHECK(chdir("/") == 0 && rmdir(scratch) == 0, "%s is empty", scratch);
    return check_report("catalog");
}
