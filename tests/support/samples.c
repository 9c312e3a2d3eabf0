/* samples.c - documents of every kind, and what becomes of them */
#include "samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIB ((size_t)1024 * 1024)

void
sample_noise(uint8_t *to, size_t n, unsigned seed)
{
    uint64_t x = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;

    for (size_t i = 0; i < n; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        to[i] = (uint8_t)(x >> 24);
    }
}

void
sample_page(struct pdftext *p, unsigned seed)
{
    char text[64];

    pdf_object(p, 1, "<</Type/Catalog/Pages 2 0 R/Lang(en-%u)/All 9 0 R>>",
               seed);
    pdf_object(p, 2, "<</Type/Pages/Kids[3 0 R]/Count 1>>");
    pdf_object(p, 3,
               "<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R"
               "/Resources<<>>>>");
    (void)snprintf(text, sizeof text, "q %u 0 m Q", seed);
    pdf_stream(p, 4, "", text, strlen(text));
}

static struct pdftext *
page(unsigned seed)
{
    struct pdftext *p = pdf_new("1.7");

    sample_page(p, seed);
    return p;
}

static struct pdftext *
small(unsigned seed)
{
    struct pdftext *p = page(seed);

    pdf_object(p, 5, "<</Title(Number %u)/Author<feff00e4>>>", seed);
    pdf_all(p, 9);
    pdf_table(p, "/Root 1 0 R/Info 5 0 R/ID[<00112233><44556677>]");
    return p;
}

static struct pdftext *
strings(unsigned seed)
{
    struct pdftext *p = page(seed);

    for (uint32_t i = 0; i < 300; i++) {
        char text[301];

        for (unsigned k = 0; k < i; k++)
            text[k] = (char)('a' + (k + seed) % 26);
        text[i] = '\0';
        pdf_object(p, 10 + i, "<</A(%s)/B[<%02x>(\\(%u\\))]/C null%%(no)\n>>",
                   text, i & 255, i);
    }
    pdf_all(p, 9);
    pdf_table(p, "/Root 1 0 R");
    return p;
}

/* More objects than begin in one unit. */
static struct pdftext *
many(unsigned seed)
{
    struct pdftext *p = page(seed);

    for (uint32_t i = 0; i < 9000; i++)
        pdf_object(p, 10 + i, "%u", seed + i);
    pdf_all(p, 9);
    pdf_table(p, "/Root 1 0 R");
    return p;
}

static struct pdftext *
with_stream(unsigned seed, size_t n)
{
    struct pdftext *p = page(seed);
    uint8_t *bytes = malloc(n);

    if (!bytes)
        exit(99);
    sample_noise(bytes, n, seed);
    pdf_object(p, 5, "<</Before(the stream)>>");
    pdf_stream(p, 6, "/T(in its dictionary)", bytes, n);
    pdf_object(p, 7, "<</Behind(it)>>");
    pdf_all(p, 9);
    pdf_table(p, "/Root 1 0 R");
    free(bytes);
    return p;
}

static struct pdftext *
stream_3m(unsigned seed)
{
    return with_stream(seed, 3 * MIB + seed);
}

static struct pdftext *
stream_10m(unsigned seed)
{
    return with_stream(seed, 10 * MIB + seed % 16);
}

/* At the borders of inline data, pieces and blocks. */
static struct pdftext *
borders(unsigned seed)
{
    static const size_t sizes[] = { 0,     1,      15,     16,     17,
                                    16383, 16384,  16385,  65535,  65536,
                                    65537, 458735, 458736, 458752, 458753 };
    struct pdftext *p = page(seed);
    static uint8_t bytes[458753];

    sample_noise(bytes, sizeof bytes, seed);
    for (uint32_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        pdf_stream(p, 10 + i, "", bytes, sizes[i]);
    pdf_all(p, 9);
    pdf_table(p, "/Root 1 0 R");
    return p;
}

static struct pdftext *
info_direct(unsigned seed)
{
    struct pdftext *p = page(seed);

    pdf_object(p, 5, "[9 0 R 700 0 R]"); /* dangling */
    pdf_all(p, 9);
    pdf_table(p, "/Root 1 0 R/Info<</Title(direct)/Producer(it)>>");
    return p;
}

static struct pdftext *
object_streams(unsigned seed)
{
    static const struct pdf_member first[] = {
        { 5, "<</Title(in an object stream)>>" },
        { 6, "[(a)(b) 5 0 R]" },
        { 7, "700" },
    };
    static const struct pdf_member second[] = {
        { 8, "<</K[7 0 R]>>" },
        { 10, "null" },
    };
    struct pdftext *p = page(seed);

    pdf_objstm(p, 20, first, 3);
    pdf_objstm(p, 21, second, 2);
    pdf_all(p, 9);
    pdf_xref_stream(p, 30, "/Root 1 0 R/Info 5 0 R");
    return p;
}

static struct pdftext *
catalog_in_stream(unsigned seed)
{
    static const struct pdf_member members[] = {
        { 2, "<</Type/Pages/Kids[3 0 R]/Count 1>>" },
        { 1, "<</Type/Catalog/Pages 2 0 R/Extensions 6 0 R/T(secret)/All 9 0 "
             "R>>" },
        { 6, "<</ADBE<</BaseVersion/1.7/ExtensionLevel 8>>>>" },
    };
    struct pdftext *p = pdf_new("1.5");

    pdf_object(p, 3,
               "<</Type/Page/Parent 2 0 R/MediaBox[0 0 %u 99]/Contents 4 0 R"
               "/Resources<<>>>>",
               9 + seed);
    pdf_stream(p, 4, "", "q Q", 3);
    pdf_objstm(p, 20, members, 3);
    pdf_all(p, 9);
    pdf_xref_stream(p, 21, "/Root 1 0 R");
    return p;
}

/* The 4,096th object that begins in a unit is an object stream, which must be
 * in one unit with its data. */
static struct pdftext *
object_stream_at_border(unsigned seed)
{
    static const struct pdf_member member = { 5, "<</Title(last)>>" };
    struct pdftext *p = page(seed);

    for (uint32_t i = 0; i < 4096 - 5; i++)
        pdf_object(p, 10 + i, "%u", i);
    pdf_objstm(p, 9000, &member, 1);
    pdf_all(p, 9);
    pdf_xref_stream(p, 9001, "/Root 1 0 R/Info 5 0 R");
    return p;
}

/* An object stream without a byte behind the strings that fill a unit. */
static struct pdftext *
object_stream_empty(unsigned seed)
{
    struct pdftext *p = page(seed);

    pdf_text(p, "%%\n");
    pdf_enter_offset(p, 9, pdf_size(p));
    pdf_text(p, "9 0 obj\n[");
    for (unsigned i = 0; i < 4096 - 2; i++)
        pdf_text(p, "()");
    pdf_text(p, "]\nendobj\n");
    pdf_stream(p, 20, "/Type/ObjStm/N 0/First 0", "", 0);
    pdf_enter_member(p, 40, 20, 0);
    pdf_xref_stream(p, 50, "/Root 1 0 R");
    return p;
}

static struct pdftext *
length_indirect(unsigned seed)
{
    static const struct pdf_member member = { 7, "21" };
    struct pdftext *p = page(seed);

    pdf_stream_length(p, 5, "", "6 0 R", "endstream endobj data", 21);
    pdf_object(p, 6, "21");
    pdf_stream_length(p, 8, "", "7 0 R", "endstream endobj data", 21);
    pdf_objstm(p, 20, &member, 1);
    pdf_all(p, 9);
    pdf_xref_stream(p, 21, "/Root 1 0 R");
    return p;
}

static struct pdftext *
length_wrong(unsigned seed)
{
    struct pdftext *p = page(seed);

    pdf_stream_length(p, 5, "", "3", "too short a length", 18);
    pdf_stream_length(p, 6, "", "99999999", "too long a length", 17);
    pdf_stream_length(p, 7, "", "/None", "no length", 9);
    pdf_stream_length(p, 8, "", "99 0 R", "lost length", 11);
    pdf_stream_length(p, 9, "", "4", "the word endstream is data here", 31);
    pdf_all(p, 10);
    pdf_table(p, "/Root 1 0 R");
    return p;
}

static struct pdftext *
endobj_missing(unsigned seed)
{
    struct pdftext *p = page(seed);

    pdf_enter_offset(p, 5, pdf_size(p));
    pdf_text(p, "5 0 obj\n<</A(b)>>\n");
    pdf_object(p, 6, "(c)");
    pdf_all(p, 9);
    pdf_table(p, "/Root 1 0 R");
    return p;
}

/* An entry behind which nothing stands, and nobody refers to it. */
static struct pdftext *
dead_entry(unsigned seed)
{
    struct pdftext *p = page(seed);

    pdf_all(p, 9);
    pdf_enter_offset(p, 7, 12);
    pdf_table(p, "/Root 1 0 R");
    return p;
}

static struct pdftext *
dead_entry_wanted(unsigned seed)
{
    struct pdftext *p = page(seed);

    pdf_object(p, 6, "[7 0 R]");
    pdf_enter_offset(p, 7, 12);
    pdf_all(p, 9);
    pdf_table(p, "/Root 1 0 R");
    return p;
}

/* The object stream of a member that is wanted does not stand there. */
static struct pdftext *
dead_object_stream(unsigned seed)
{
    static const struct pdf_member member = { 5, "<</Title(lost)>>" };
    struct pdftext *p = page(seed);

    pdf_objstm(p, 20, &member, 1);
    pdf_enter_offset(p, 20, 12);
    pdf_xref_stream(p, 21, "/Root 1 0 R/Info 5 0 R");
    return p;
}

/* Object streams without a live member: 20 and 24 are referred to, 21 by 20,
 * and 22 by nothing but 23, which nothing refers to. */
static struct pdftext *
object_stream_referred(unsigned seed)
{
    static const struct pdf_member member = { 6, "[24 0 R]" };
    struct pdftext *p = page(seed);

    pdf_object(p, 5, "<</Data 20 0 R/No(22 0 R)>>");
    pdf_all(p, 9);
    pdf_stream(p, 21, "/Type/ObjStm/N 0/First 0/A(21)", "kept", 4);
    pdf_stream(p, 20, "/Type/ObjStm/N 0/First 0/Extends 21 0 R", "", 0);
    pdf_stream(p, 22, "/Type/ObjStm/N 0/First 0/A(22)", "left", 4);
    pdf_stream(p, 23, "/Type/ObjStm/N 0/First 0/Extends 22 0 R", "left", 4);
    pdf_objstm(p, 25, &member, 1);
    pdf_stream(p, 24, "/Type/ObjStm/N 1/First 4/A(24)", "8 0 (kept)", 10);
    pdf_xref_stream(p, 26, "/Root 1 0 R");
    return p;
}

/* The catalog is taken out of a stream in which nothing else lives; what it
 * refers to lives. */
static struct pdftext *
catalog_alone_in_stream(unsigned seed)
{
    static const struct pdf_member member = {
        1, "<</Type/Catalog/Pages 2 0 R/Data 21 0 R>>"
    };
    struct pdftext *p = pdf_new("1.5");

    pdf_object(p, 2, "<</Type/Pages/Kids[3 0 R]/Count 1>>");
    pdf_object(p, 3, "<</Type/Page/Parent 2 0 R/MediaBox[0 0 %u 99]>>",
               9 + seed);
    pdf_objstm(p, 20, &member, 1);
    pdf_stream(p, 21, "/Type/ObjStm/N 0/First 0/A(21)", "kept", 4);
    pdf_xref_stream(p, 22, "/Root 1 0 R");
    return p;
}

/* The object stream is there, the member not. */
static struct pdftext *
lost_member(unsigned seed)
{
    static const struct pdf_member member = { 5, "<</Title(there)>>" };
    struct pdftext *p = page(seed);

    pdf_objstm(p, 20, &member, 1);
    pdf_object(p, 8, "[6 0 R]");
    pdf_enter_member(p, 6, 20, 1);
    pdf_all(p, 9);
    pdf_xref_stream(p, 21, "/Root 1 0 R/Info 5 0 R");
    return p;
}

/* What should be an object stream is none, or not there. */
static struct pdftext *
no_object_stream(unsigned seed)
{
    struct pdftext *p = page(seed);

    pdf_object(p, 20, "<</Type/ObjStm/N 1/First 4>>");
    pdf_object(p, 8, "[6 0 R]");
    pdf_enter_member(p, 6, 20, 0);
    pdf_xref_stream(p, 21, "/Root 1 0 R");
    return p;
}

static struct pdftext *
other_stream(unsigned seed)
{
    struct pdftext *p = page(seed);

    pdf_stream(p, 20, "/N 1/First 4", "6 0 (a)", 7);
    pdf_object(p, 8, "[6 0 R]");
    pdf_enter_member(p, 6, 20, 0);
    pdf_xref_stream(p, 21, "/Root 1 0 R");
    return p;
}

static struct pdftext *
missing_object_stream(unsigned seed)
{
    struct pdftext *p = page(seed);

    pdf_object(p, 8, "[6 0 R]");
    pdf_enter_member(p, 6, 20, 0);
    pdf_xref_stream(p, 21, "/Root 1 0 R");
    return p;
}

static struct pdftext *
lost_member_unwanted(unsigned seed)
{
    static const struct pdf_member member = { 5, "<</Title(there)>>" };
    struct pdftext *p = page(seed);

    pdf_objstm(p, 20, &member, 1);
    pdf_all(p, 9);
    pdf_enter_member(p, 6, 20, 1);
    pdf_enter_member(p, 7, 19, 0);
    pdf_xref_stream(p, 21, "/Root 1 0 R/Info 5 0 R");
    return p;
}

static struct pdftext *
empty(unsigned seed)
{
    (void)seed;
    return pdf_new(NULL);
}

static struct pdftext *
no_pdf(unsigned seed)
{
    struct pdftext *p = pdf_new(NULL);

    pdf_text(p, "<html>%u</html>\n", seed);
    return p;
}

static struct pdftext *
encrypted(unsigned seed)
{
    struct pdftext *p = page(seed);

    pdf_object(p, 5, "<</Filter/Standard/V 5/R 6>>");
    pdf_table(p, "/Root 1 0 R/Encrypt 5 0 R/ID[<00><00>]");
    return p;
}

static struct pdftext *
is_signed(unsigned seed)
{
    struct pdftext *p = page(seed);

    pdf_object(p, 5,
               "<</Type/Sig/Filter/Adobe.PPKLite/ByteRange[0 1 2 3]"
               "/Contents<3000>>>");
    pdf_all(p, 9);
    pdf_table(p, "/Root 1 0 R");
    return p;
}

static struct pdftext *
truncated(unsigned seed)
{
    struct pdftext *p = stream_3m(seed);

    pdf_cut(p, 100000);
    return p;
}

/* In the middle of a large file, so that much is under way. */
static struct pdftext *
damaged(unsigned seed)
{
    struct pdftext *p = page(seed);
    uint8_t *bytes = malloc(MIB);

    if (!bytes)
        exit(99);
    sample_noise(bytes, MIB, seed);
    pdf_stream(p, 5, "", bytes, MIB);
    pdf_enter_offset(p, 6, pdf_size(p));
    pdf_text(p, "6 0 obj\n<</A(open>>\nendobj\n");
    pdf_object(p, 7, "[6 0 R]");
    pdf_stream(p, 8, "", bytes, MIB);
    pdf_all(p, 9);
    pdf_table(p, "/Root 1 0 R");
    free(bytes);
    return p;
}

static struct pdftext *
damaged_stream(unsigned seed)
{
    struct pdftext *p = page(seed);

    pdf_enter_offset(p, 5, pdf_size(p));
    pdf_text(p, "5 0 obj\n<</Length 1000>>\nstream\nno end\n");
    pdf_object(p, 6, "(next)");
    pdf_all(p, 9);
    pdf_table(p, "/Root 1 0 R");
    return p;
}

/* One stream inside the other, a hundred deep: each would be copied with all
 * that it holds. */
static struct pdftext *
overlapping(unsigned seed)
{
    /* An object: 45 bytes up to its data, noise, end of line, what is in it,
     * and 18 bytes behind its data. */
    struct pdftext *p = page(seed);
    uint8_t noise[100];

    sample_noise(noise, sizeof noise, seed);
    for (uint32_t i = 0; i < 100; i++) {
        size_t rest = 101 + (99 - i) * (size_t)(45 + 101 + 18);

        pdf_enter_offset(p, 10 + i, pdf_size(p));
        pdf_text(p, "%08u 0 obj\n<</Length %010zu>>\nstream\n", 10 + i, rest);
        pdf_bytes(p, noise, sizeof noise);
        pdf_text(p, "\n");
    }
    for (uint32_t i = 0; i < 100; i++)
        pdf_text(p, "\nendstream\nendobj\n");
    pdf_all(p, 9);
    pdf_table(p, "/Root 1 0 R");
    return p;
}

/* A stream whose /Filter is `filter`; object 6 is `six`. */
static struct pdftext *
filtered(unsigned seed, const char *filter, const char *six)
{
    struct pdftext *p = page(seed);

    pdf_stream(p, 5, filter, "data", 4);
    pdf_object(p, 6, "%s", six);
    pdf_object(p, 7, "/Crypt");
    pdf_all(p, 8);
    pdf_table(p, "/Root 1 0 R");
    return p;
}

static struct pdftext *
filter_indirect(unsigned seed)
{
    return filtered(seed, "/Filter 6 0 R", "[/ASCIIHexDecode 99 0 R]");
}

static struct pdftext *
crypt_indirect(unsigned seed)
{
    return filtered(seed, "/Filter 7 0 R", "null");
}

static struct pdftext *
crypt_element_indirect(unsigned seed)
{
    return filtered(seed, "/Filter[7 0 R/FlateDecode]", "null");
}

static struct pdftext *
crypt_twice_indirect(unsigned seed)
{
    return filtered(seed, "/Filter 6 0 R", "[7 0 R]");
}

/* clang-format off */
const struct sample samples[] = {
    { "small",              small,              PDFPIPE_ENCRYPTED, PDFPIPE_OK, false, false },
    { "strings",            strings,            PDFPIPE_ENCRYPTED, PDFPIPE_OK, false, false },
    { "many",               many,               PDFPIPE_ENCRYPTED, PDFPIPE_OK, false, false },
    { "stream_3m",          stream_3m,          PDFPIPE_ENCRYPTED, PDFPIPE_OK, true, false },
    { "stream_10m",         stream_10m,         PDFPIPE_ENCRYPTED, PDFPIPE_OK, true, false },
    { "borders",            borders,            PDFPIPE_ENCRYPTED, PDFPIPE_OK, true, false },
    { "info_direct",        info_direct,        PDFPIPE_ENCRYPTED, PDFPIPE_OK, false, true },
    { "object_streams",     object_streams,     PDFPIPE_ENCRYPTED, PDFPIPE_OK, false, false },
    { "catalog_in_stream",  catalog_in_stream,  PDFPIPE_ENCRYPTED, PDFPIPE_OK, false, false },
    { "object_stream_at_border", object_stream_at_border, PDFPIPE_ENCRYPTED, PDFPIPE_OK, false, false },
    { "object_stream_empty", object_stream_empty, PDFPIPE_ENCRYPTED, PDFPIPE_OK, false, false },
    { "length_indirect",    length_indirect,    PDFPIPE_ENCRYPTED, PDFPIPE_OK, false, false },
    { "length_wrong",       length_wrong,       PDFPIPE_ENCRYPTED, PDFPIPE_OK, false, true },
    { "endobj_missing",     endobj_missing,     PDFPIPE_ENCRYPTED, PDFPIPE_OK, false, false },
    { "dead_entry",         dead_entry,         PDFPIPE_ENCRYPTED, PDFPIPE_OK, false, false },
    { "object_stream_referred", object_stream_referred, PDFPIPE_ENCRYPTED, PDFPIPE_OK, false, false },
    { "catalog_alone_in_stream", catalog_alone_in_stream, PDFPIPE_ENCRYPTED, PDFPIPE_OK, false, false },
    { "lost_member_unwanted", lost_member_unwanted, PDFPIPE_ENCRYPTED, PDFPIPE_OK, false, false },
    { "filter_indirect",    filter_indirect,    PDFPIPE_ENCRYPTED, PDFPIPE_OK, false, false },
    { "encrypted",          encrypted,          PDFPIPE_SKIPPED, PDFPIPE_E_ENCRYPTED, false, false },
    { "signed",             is_signed,          PDFPIPE_SKIPPED, PDFPIPE_E_SIGNED, false, false },
    { "dead_entry_wanted",  dead_entry_wanted,  PDFPIPE_FAILED, PDFPIPE_E_DAMAGED_XREF, false, false },
    { "dead_object_stream", dead_object_stream, PDFPIPE_FAILED, PDFPIPE_E_DAMAGED_XREF, false, false },
    { "lost_member",        lost_member,        PDFPIPE_FAILED, PDFPIPE_E_DAMAGED_XREF, false, false },
    { "no_object_stream",   no_object_stream,   PDFPIPE_FAILED, PDFPIPE_E_DAMAGED_XREF, false, false },
    { "other_stream",       other_stream,       PDFPIPE_FAILED, PDFPIPE_E_DAMAGED_XREF, false, false },
    { "missing_object_stream", missing_object_stream, PDFPIPE_FAILED, PDFPIPE_E_DAMAGED_XREF, false, false },
    { "empty",              empty,              PDFPIPE_FAILED, PDFPIPE_E_NOT_PDF, false, false },
    { "no_pdf",             no_pdf,             PDFPIPE_FAILED, PDFPIPE_E_NOT_PDF, false, false },
    { "truncated",          truncated,          PDFPIPE_FAILED, PDFPIPE_E_DAMAGED_XREF, false, false },
    { "damaged",            damaged,            PDFPIPE_FAILED, PDFPIPE_E_DAMAGED_OBJECT, true, false },
    { "damaged_stream",     damaged_stream,     PDFPIPE_FAILED, PDFPIPE_E_DAMAGED_STREAM, false, false },
    { "crypt_indirect",     crypt_indirect,     PDFPIPE_FAILED, PDFPIPE_E_UNSUPPORTED, false, false },
    { "crypt_element_indirect", crypt_element_indirect, PDFPIPE_FAILED, PDFPIPE_E_UNSUPPORTED, false, false },
    { "crypt_twice_indirect", crypt_twice_indirect, PDFPIPE_FAILED, PDFPIPE_E_UNSUPPORTED, false, false },
    { "overlapping",        overlapping,        PDFPIPE_FAILED, PDFPIPE_E_LIMIT, false, false },
};
/* clang-format on */
const size_t sample_count = sizeof samples / sizeof samples[0];

const struct sample *
sample_named(const char *name)
{
    for (size_t i = 0; i < sample_count; i++)
        if (strcmp(samples[i].name, name) == 0)
            return &samples[i];
    (void)fprintf(stderr, "no sample is named %s\n", name);
    exit(99);
}

void
sample_put(const struct sample *s, unsigned seed, const char *path)
{
    struct pdftext *p = s->make(seed);

    pdf_put(p, path);
    pdf_free(p);
}
