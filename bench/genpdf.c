/*
 * genpdf - makes the PDF files that pdfpipe is measured with
 *
 * Every file is valid, has the same bytes for the same options (wherever zlib
 * is the same), and is written in one pass with little memory, whatever its
 * size.
 *
 *   genpdf.c       options
 *   gen/kind_*.c   what is in a file of each kind
 *   gen/shell.c    the plain document around most kinds
 *   gen/pdfwriter.c, outfile.c, text.c     how it gets on disk
 *   gen/scan.c, jpeg.c, wording.c, noise.h what pages and strings consist of
 */
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/kinds.h"

static const char help[] =
    "Usage: genpdf --kind=KIND [OPTION]... -o PATH\n"
    "Makes PDF files to test and measure with.\n"
    "\n"
    "Kinds:\n"
    "  archive   scanned loan files: --pages N (4200: 412,000 objects, 1.7 "
    "GB)\n"
    "  stream    one attached file of --size BYTES (1G) in one stream\n"
    "  objects   --count N (1000000) small objects with strings\n"
    "  small     --count N (500) files of 3 to 40 KB; PATH is the folder\n"
    "  sparse    two pages, the second behind a hole up to --offset BYTES "
    "(10G)\n"
    "\n"
    "Options:\n"
    "  -o, --out PATH   the file, or the folder, to write\n"
    "  --form FORM      classic: cross-reference table (default)\n"
    "                   objstm: cross-reference stream and object streams;\n"
    "                   needed beyond 9,999,999,999 bytes\n"
    "  --seed N         other contents (default 1)\n"
    "  --help           this text\n"
    "\n"
    "BYTES may end in K, M or G (powers of 1024). Exit status: 0 the file is\n"
    "complete, 1 it could not be written, 2 wrong usage.\n";

struct kind {
    const char *name;
    void (*make)(const struct gen_request *);
    uint32_t count; /* default of --count */
};

static const struct kind kinds[] = {
    { "archive", kind_archive, 0 },       { "stream", kind_stream, 0 },
    { "objects", kind_objects, 1000000 }, { "small", kind_small, 500 },
    { "sparse", kind_sparse, 0 },
};

_Noreturn static void
usage(const char *what, const char *value)
{
    fprintf(stderr, "genpdf: %s%s\nTry 'genpdf --help'.\n", what, value);
    exit(2);
}

static uint64_t
parse_number(const char *text, const char *suffixes, uint64_t most)
{
    unsigned long long value;
    const char *suffix;
    char *end;
    unsigned shift = 0;

    errno = 0;
    value = strtoull(text, &end, 10);
    if (errno || end == text || *text == '-' || *text == '+')
        usage("not a number: ", text);
    if (*end && (suffix = strchr(suffixes, *end)) != NULL) {
        shift = (unsigned)(suffix - suffixes + 1) * 10;
        end++;
    }
    if (*end)
        usage("not a number: ", text);
    if (value > most >> shift)
        usage("too large: ", text);
    return value << shift;
}

static uint64_t
parse_bytes(const char *text)
{
    return parse_number(text, "KMG", INT64_MAX / 2);
}

static uint32_t
parse_count(const char *text)
{
    uint32_t n = (uint32_t)parse_number(text, "", 8000000);

    if (n == 0)
        usage("must be 1 or more: ", text);
    return n;
}

static const struct kind *
parse_kind(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(name, kinds[i].name) == 0)
            return &kinds[i];
    usage("no such kind: ", name);
}

static enum pdf_form
parse_form(const char *name)
{
    if (strcmp(name, "classic") == 0)
        return PDF_CLASSIC;
    if (strcmp(name, "objstm") == 0)
        return PDF_OBJSTM;
    usage("no such form: ", name);
}

static const struct kind *
parse_options(int argc, char **argv, struct gen_request *request)
{
    static const struct option options[] = {
        { "kind", required_argument, NULL, 'k' },
        { "form", required_argument, NULL, 'f' },
        { "pages", required_argument, NULL, 'p' },
        { "size", required_argument, NULL, 's' },
        { "count", required_argument, NULL, 'c' },
        { "offset", required_argument, NULL, 'x' },
        { "seed", required_argument, NULL, 'r' },
        { "out", required_argument, NULL, 'o' },
        { "help", no_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 },
    };
    const struct kind *kind = NULL;
    int c;

    while ((c = getopt_long(argc, argv, "o:h", options, NULL)) != -1)
        switch (c) {
        case 'k': kind = parse_kind(optarg); break;
        case 'f': request->form = parse_form(optarg); break;
        case 'p': request->pages = parse_count(optarg); break;
        case 's': request->size = parse_bytes(optarg); break;
        case 'c': request->count = parse_count(optarg); break;
        case 'x': request->offset = parse_bytes(optarg); break;
        case 'r': request->seed = parse_number(optarg, "", UINT64_MAX); break;
        case 'o': request->out = optarg; break;
        case 'h': exit(fputs(help, stdout) < 0 || fflush(stdout) != 0);
        default: usage("wrong usage", "");
        }
    if (optind < argc)
        usage("unexpected argument: ", argv[optind]);
    if (!kind)
        usage("--kind is missing", "");
    if (!request->out)
        usage("--out is missing", "");
    return kind;
}

int
main(int argc, char **argv)
{
    struct gen_request request = {
        .form = PDF_CLASSIC,
        .seed = 1,
        .pages = 4200,
        .size = UINT64_C(1) << 30,
        .offset = UINT64_C(10) << 30,
    };
    const struct kind *kind = parse_options(argc, argv, &request);

    if (request.count == 0)
        request.count = kind->count;
    kind->make(&request);
    return 0;
}
