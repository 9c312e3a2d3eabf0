/*
 * golden.c - does the same input give the same bytes?
 *
 * With a random source that is fixed by place, the output of every case is
 * compared with the one in tests/golden/NAME.txt, for 1, 2, 8 and 16 threads,
 * and for each engine that this machine can run.
 * Outputs are kept as readable text: what is binary stands there in digits, a
 * long stream as its hash, a compressed cross-reference as its rows (how well
 * it is compressed is not ours to say).
 *
 *   golden-run [--update] FOLDER     with --update the texts are rewritten
 */
#include <pdfpipe/pdfpipe.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <openssl/sha.h>

#include "batch.h"
#include "check.h"
#include "pdf/dict.h"
#include "pdf/flate.h"
#include "samples.h"
#include "scratch.h"

#define DUMPED_MAX 256u /* bytes of a stream that are shown */

static const struct variant {
    unsigned threads;
    enum pdfpipe_engine engine;
} variants[] = {
    { 1, PDFPIPE_ENGINE_EVP },
    { 2, PDFPIPE_ENGINE_AESNI },
    { 8, PDFPIPE_ENGINE_VAES },
    { 16, PDFPIPE_ENGINE_AUTO },
};

/* ---- the cases ---- */

/* Every kind of string token, and what is none. */
static struct pdftext *
tokens(unsigned seed)
{
    struct pdftext *p = pdf_new("1.4");

    (void)seed;
    sample_page(p, 0);
    pdf_object(p, 5,
               "[()(a)(\\))(a(b)c)(\\053)(\\53x)(a\\\nb)(a\r\nb)\n"
               "<><4><4 1><41\n42>/N(k)/#41#28<</K(v)/L<00>>>%%(c)\n"
               "(0123456789abcdef)(0123456789abcdef0)true null 1.5 6 0 R]");
    pdf_object(p, 6, "(alone)");
    pdf_object(p, 7, "<</Contents(an annotation's)/Type/Annot>>");
    pdf_all(p, 9);
    pdf_table(p, "/Root 1 0 R/Info 7 0 R/ID[<0011><2233>]/Own[1/Two]"
                 "/Str(dropped)");
    return p;
}

static struct pdftext *
streams(unsigned seed)
{
    static const size_t sizes[] = { 0, 1, 15, 16, 17, 31, 32, 33 };
    struct pdftext *p = pdf_new("2.0");
    uint8_t bytes[64];

    (void)seed;
    sample_page(p, 0);
    sample_noise(bytes, sizeof bytes, 1);
    for (uint32_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        pdf_stream(p, 10 + i, "/S(in the dictionary)", bytes, sizes[i]);
    pdf_all(p, 9);
    pdf_table(p, "/Root 1 0 R");
    return p;
}

static struct pdftext *
metadata(unsigned seed)
{
    static const char xmp[] = "<?xpacket begin?>a title<?xpacket end?>";
    struct pdftext *p = pdf_new("1.7");

    (void)seed;
    pdf_object(p, 1, "<</Type/Catalog/Pages 2 0 R/Metadata 5 0 R>>");
    pdf_object(p, 2, "<</Type/Pages/Kids[3 0 R]/Count 1>>");
    pdf_object(p, 3,
               "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Metadata 6 0 R>>");
    pdf_stream(p, 5, "/Type/Metadata/Subtype/XML", xmp, strlen(xmp));
    pdf_stream(p, 6, "/Type/Metadata/Subtype/XML", xmp, strlen(xmp));
    pdf_table(p, "/Root 1 0 R");
    return p;
}

/* Junk at both ends, free numbers, other generations. */
static struct pdftext *
untidy(unsigned seed)
{
    struct pdftext *p = pdf_new("1.3");

    (void)seed;
    sample_page(p, 0);
    pdf_enter_free(p, 12);
    pdf_text(p, "%% a comment between objects (not copied)\n");
    pdf_object(p, 14, "%%inside\n<</A%%x\n(b)/C%%y\n1>>");
    pdf_all(p, 9);
    pdf_table(p, "/Root 1 0 R");
    pdf_text(p, "junk behind the end\n");
    return p;
}

static void
both_passwords(struct pdfpipe_options *o)
{
    o->user_password = batch_secret("user");
    o->owner_password = batch_secret("p\xc3\xa4ssw\xc3\xb6rd");
}

static void
owner_at_random(struct pdfpipe_options *o)
{
    o->user_password = batch_secret("user");
    o->owner_password = NULL;
    o->random_owner_password = true;
}

static void
few_permissions(struct pdfpipe_options *o)
{
    o->permissions = PDFPIPE_PERMIT_PRINT;
}

static void
clear_metadata(struct pdfpipe_options *o)
{
    o->cleartext_metadata = true;
}

static void
break_signatures(struct pdfpipe_options *o)
{
    o->on_signed = PDFPIPE_PROCEED;
}

struct golden {
    const char *name;
    struct pdftext *(*make)(unsigned seed); /* NULL: the sample `sample` */
    const char *sample;
    void (*set)(struct pdfpipe_options *o); /* NULL: defaults */
    bool large;                             /* only hashes are kept */
};

static const struct golden cases[] = {
    { .name = "small", .sample = "small" },
    { .name = "tokens", .make = tokens },
    { .name = "streams", .make = streams },
    { .name = "untidy", .make = untidy },
    { .name = "both-passwords", .sample = "small", .set = both_passwords },
    { .name = "random-owner", .sample = "small", .set = owner_at_random },
    { .name = "few-permissions", .sample = "small", .set = few_permissions },
    { .name = "metadata", .make = metadata },
    { .name = "clear-metadata", .make = metadata, .set = clear_metadata },
    { .name = "signed", .sample = "signed", .set = break_signatures },
    { .name = "info-direct", .sample = "info_direct" },
    { .name = "object-streams", .sample = "object_streams" },
    { .name = "catalog-in-stream", .sample = "catalog_in_stream" },
    { .name = "length-indirect", .sample = "length_indirect" },
    { .name = "length-wrong", .sample = "length_wrong" },
    { .name = "endobj-missing", .sample = "endobj_missing" },
    { .name = "dead-entry", .sample = "dead_entry" },
    { .name = "object-stream-referred", .sample = "object_stream_referred" },
    { .name = "strings", .sample = "strings", .large = true },
    { .name = "many", .sample = "many", .large = true },
    { .name = "borders", .sample = "borders", .large = true },
    { .name = "stream-3m", .sample = "stream_3m", .large = true },
    { .name = "stream-10m", .sample = "stream_10m", .large = true },
};

/* ---- bytes as text ---- */

struct bytes {
    uint8_t *p;
    size_t n;
};

static void
put_hash(struct pdftext *to, const uint8_t *p, size_t n)
{
    uint8_t hash[SHA256_DIGEST_LENGTH];

    if (!SHA256(p, n, hash))
        abort();
    pdf_text(to, "[%zu bytes, SHA-256 ", n);
    for (size_t i = 0; i < sizeof hash; i++)
        pdf_text(to, "%02x", hash[i]);
    pdf_text(to, "]");
}

static bool
is_printable(const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i] < ' ' || p[i] > '~')
            return false;
    return true;
}

static void
put_data(struct pdftext *to, const uint8_t *p, size_t n)
{
    if (n > DUMPED_MAX) {
        put_hash(to, p, n);
        return;
    }
    pdf_text(to, "[%zu bytes]", n);
    if (n > 0 && is_printable(p, n)) {
        pdf_text(to, "\n%.*s", (int)n, (const char *)p);
        return;
    }
    for (size_t i = 0; i < n; i++)
        pdf_text(to, i % 32 ? "%02x" : "\n%02x", p[i]);
}

/* The rows of a cross-reference stream with /W [1 a b]. */
static void
put_rows(struct pdftext *to, struct pp_view dict, const uint8_t *p, size_t n)
{
    struct pp_view data = { p, n }, w;
    struct pp_input input = pp_input_over(&data);
    struct pp_filter filter;
    struct pp_buf rows = { 0 };
    unsigned width[3];

    pp_filter_parse(dict, &filter);
    if (!pp_dict_find(dict, "W", &w) ||
        sscanf((const char *)w.p, "[%u %u %u]", &width[0], &width[1],
               &width[2]) != 3 ||
        pp_decode_all(&input, 0, n, &filter, 1 << 20, &rows, NULL)) {
        pdf_text(to, "[rows that cannot be read]");
        return;
    }
    pdf_text(to, "[rows]");
    for (size_t at = 0; at < rows.n;) {
        for (int i = 0; i < 3; i++) {
            uint64_t v = 0;

            for (unsigned k = 0; k < width[i] && at < rows.n; k++)
                v = v << 8 | rows.p[at++];
            pdf_text(to, "%c%" PRIu64, i ? ' ' : '\n', v);
        }
    }
    pp_buf_fini(&rows);
}

static void
put_text(struct pdftext *to, const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i] == '\n' || (p[i] >= ' ' && p[i] < 0x7f && p[i] != '\\'))
            pdf_bytes(to, p + i, 1);
        else
            pdf_text(to, "\\x%02x", p[i]);
}

/* Of a cross-reference stream, /Length says how well it was compressed. */
static void
put_masked(struct pdftext *to, const uint8_t *p, size_t n)
{
    const uint8_t *at = memmem(p, n, "/Length ", 8);
    size_t before = at ? (size_t)(at - p) + 8 : n, digits = 0;

    put_text(to, p, before);
    while (before + digits < n && p[before + digits] >= '0' &&
           p[before + digits] <= '9')
        digits++;
    if (before < n)
        pdf_text(to, "[n]");
    put_text(to, p + before + digits, n - before - digits);
}

static void
put_file(struct pdftext *to, const uint8_t *p, size_t n)
{
    static const char begin[] = ">>\nstream\n", end[] = "\nendstream";
    size_t at = 0;

    for (;;) {
        const uint8_t *s = memmem(p + at, n - at, begin, strlen(begin));
        struct pp_view dict, v;
        const uint8_t *object, *data, *stop;
        uint64_t length = 0;
        bool xref;

        if (!s)
            break;
        data = s + strlen(begin);
        object = s;
        while (object > p + at && memcmp(object, " obj\n", 5) != 0)
            object--;
        dict = (struct pp_view){ object + 5, (size_t)(s + 2 - object) - 5 };
        stop = memmem(data, n - (size_t)(data - p), end, strlen(end));
        if (pp_dict_find(dict, "Length", &v) && pp_value_integer(v, &length) &&
            length <= n - (size_t)(data - p) - strlen(end) &&
            !memcmp(data + length, end, strlen(end)))
            stop = data + length;
        if (!stop)
            break;
        xref = pp_dict_find(dict, "Type", &v) && pp_value_name(v, "XRef");
        put_text(to, p + at, (size_t)(dict.p - p) - at);
        if (xref)
            put_masked(to, dict.p, (size_t)(data - dict.p));
        else
            put_text(to, dict.p, (size_t)(data - dict.p));
        if (xref)
            put_rows(to, dict, data, (size_t)(stop - data));
        else
            put_data(to, data, (size_t)(stop - data));
        at = (size_t)(stop - p);
    }
    put_text(to, p + at, n - at);
}

/* ---- running them ---- */

static struct bytes
read_file(const char *name)
{
    FILE *f = fopen(name, "re");
    struct bytes b = { NULL, 0 };
    long size;

    if (!f)
        return b;
    if (!fseek(f, 0, SEEK_END) && (size = ftell(f)) >= 0) {
        rewind(f);
        b.p = malloc((size_t)size + 1);
        if (b.p)
            b.n = fread(b.p, 1, (size_t)size, f);
    }
    (void)fclose(f);
    return b;
}

static struct pdftext *
input_of(const struct golden *g)
{
    return g->make ? g->make(0) : sample_named(g->sample)->make(0);
}

/* The output; NULL when there is none. */
static struct bytes
output_of(const struct golden *g, const struct variant *v,
          struct pdfpipe_result *r)
{
    struct pdfpipe_job job = { .source = "in.pdf", .target = "out.pdf" };
    struct batch b = { .job = &job, .jobs = 1 };
    struct bytes out;

    job.tag = &job;
    batch_options(&b.options);
    b.options.threads = v->threads;
    if (pdfpipe_engine_name(v->engine))
        b.options.engine = v->engine;
    if (g->set)
        g->set(&b.options);
    batch_run(&b);
    *r = b.result[0];
    batch_free(&b);
    out = read_file("out.pdf");
    (void)unlink("out.pdf");
    return out;
}

static struct pdftext *
as_text(const struct golden *g, const struct pdftext *input,
        const struct bytes *output, const struct pdfpipe_result *r)
{
    struct pdftext *t = pdf_new(NULL);

    if (!g->large) {
        pdf_text(t, "==== input\n");
        put_file(t, pdf_data(input), pdf_size(input));
    }
    pdf_text(t, "==== output\n");
    if (!output->p)
        pdf_text(t, "none: %s", r->error.message);
    else if (g->large)
        put_hash(t, output->p, output->n);
    else
        put_file(t, output->p, output->n);
    pdf_text(t,
             "\n==== result\n%" PRIu64 " objects, %" PRIu64 " streams, %" PRIu64
             " strings, %" PRIu64 " bytes of payload\n",
             r->objects, r->streams, r->strings, r->payload_bytes);
    for (unsigned i = 0; i < r->warnings_kept; i++)
        pdf_text(t, "%s, object %u\n", pdfpipe_warning_id(r->warning[i].code),
                 r->warning[i].object);
    return t;
}

/* Says where they part. */
static void
compare(const struct golden *g, const struct pdftext *got,
        const struct bytes *want)
{
    size_t n = pdf_size(got), at = 0, line = 1;
    const uint8_t *p = pdf_data(got);

    while (at < n && at < want->n && p[at] == want->p[at])
        line += p[at++] == '\n';
    CHECK(at == n && at == want->n, "%s.txt: line %zu differs", g->name, line);
}

static void
try_case(const struct golden *g, const char *folder, bool update)
{
    struct pdftext *input = input_of(g), *text = NULL;
    struct bytes first = { NULL, 0 }, want;
    char name[4096 + 64];

    pdf_put(input, "in.pdf");
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        struct pdfpipe_result r;
        struct bytes out = output_of(g, &variants[i], &r);

        if (i == 0) {
            first = out;
            text = as_text(g, input, &out, &r);
            continue;
        }
        CHECK(out.p && out.n == first.n && !memcmp(out.p, first.p, out.n),
              "%s: %u threads, engine %d", g->name, variants[i].threads,
              (int)variants[i].engine);
        free(out.p);
    }
    (void)snprintf(name, sizeof name, "%s/%s.txt", folder, g->name);
    if (update)
        pdf_put(text, name);
    want = read_file(name);
    if (CHECK(want.p != NULL, "%s is missing: run with --update", name))
        compare(g, text, &want);
    free(want.p);
    free(first.p);
    pdf_free(text);
    pdf_free(input);
}

int
main(int argc, char **argv)
{
    bool update = argc > 1 && strcmp(argv[1], "--update") == 0;
    char folder[4096];

    if (argc != (update ? 3 : 2) || !realpath(argv[argc - 1], folder)) {
        (void)fprintf(stderr, "usage: golden-run [--update] FOLDER\n");
        return 2;
    }
    scratch_enter(NULL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        try_case(&cases[i], folder, update);
    batch_secrets_free();
    scratch_leave();
    return check_report("golden");
}
