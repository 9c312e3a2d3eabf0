/* profile_test.c - what is known of a document before its first object? */
#include "seal/profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "madepdf.h"

/* A document with these trailer entries and objects; objects that begin with
 * '*' stand in object stream 9. */
struct document {
    const char *version; /* "1.4" */
    const char *trailer;
    const char *object[7]; /* 1 to 6 */
};

static void
write_document(const struct document *d, struct made *m)
{
    struct pp_buf pairs = { 0 }, values = { 0 }, entries = { 0 };
    unsigned inside = 0;
    uint64_t at;

    made_text(m, "%%PDF-%s\n", d->version);
    for (unsigned i = 1; i <= 6; i++) {
        const char *text = d->object[i];

        if (text && *text == '*') {
            (void)pp_buf_printf(&pairs, "%u %zu ", i, values.n);
            (void)pp_buf_printf(&values, "%s ", text + 1);
            inside++;
        } else if (text) {
            made_object(m, i, "%s", text);
        }
    }
    if (!inside) {
        if (m->count < 2)
            m->count = 2;
        at = made_table(m);
        made_trailer(m, d->trailer);
        made_end(m, at);
    } else {
        (void)pp_buf_printf(&entries, "/Type/ObjStm/N %u/First %zu", inside,
                            pairs.n);
        (void)pp_buf_append(&entries, "", 1);
        (void)pp_buf_append(&pairs, values.p, values.n);
        made_stream(m, 9, (const char *)entries.p, pairs.p, pairs.n);
        at = m->text.n;
        made_here(m, 8);
        entries.n = 0;
        for (unsigned i = 0, index = 0; i < 10; i++) {
            const char *text = i >= 1 && i <= 6 ? d->object[i] : NULL;
            uint8_t row[4] = { 0, 0, 0, 0 };

            if (text && *text == '*') {
                row[0] = 2;
                row[2] = 9;
                row[3] = (uint8_t)index++;
            } else if (m->at[i]) {
                row[0] = 1;
                row[1] = (uint8_t)(m->at[i] >> 8);
                row[2] = (uint8_t)m->at[i];
            }
            (void)pp_buf_append(&entries, row, 4);
        }
        made_text(m,
                  "8 0 obj<</Type/XRef/Size 10/W[1 2 1]%s/Length 40>>"
                  "stream\n",
                  d->trailer);
        made_bytes(m, entries.p, entries.n);
        made_text(m, "\nendstream endobj\n");
        made_end(m, at);
    }
    pp_buf_fini(&pairs);
    pp_buf_fini(&values);
    pp_buf_fini(&entries);
}

/* What the profile says, as one line; only what is not usual. */
static void
print_profile(const struct pp_profile *p, struct pp_buf *to)
{
    static const struct {
        const char *name;
        size_t at;
    } references[] = {
        { "root", offsetof(struct pp_profile, root) },
        { "info", offsetof(struct pp_profile, info) },
        { "extensions", offsetof(struct pp_profile, extensions) },
        { "metadata", offsetof(struct pp_profile, metadata) },
        { "encrypt", offsetof(struct pp_profile, encrypt) },
    }, texts[] = {
        { "root_text", offsetof(struct pp_profile, root_text) },
        { "info_text", offsetof(struct pp_profile, info_text) },
        { "extensions_text", offsetof(struct pp_profile, extensions_text) },
        { "encrypt_text", offsetof(struct pp_profile, encrypt_text) },
        { "id", offsetof(struct pp_profile, id) },
        { "extra", offsetof(struct pp_profile, extra) },
    };
    const uint8_t *base = (const uint8_t *)p;

    to->n = 0;
    (void)pp_buf_printf(to, "%u.%u", p->version.major, p->version.minor);
    for (size_t i = 0; i < sizeof references / sizeof references[0]; i++) {
        struct pp_reference r;

        memcpy(&r, base + references[i].at, sizeof r);
        if (r.number)
            (void)pp_buf_printf(to, " %s=%u.%u", references[i].name, r.number,
                                r.generation);
    }
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct pp_buf b;

        memcpy(&b, base + texts[i].at, sizeof b);
        if (b.n) {
            (void)pp_buf_printf(to, " %s=", texts[i].name);
            (void)pp_buf_append(to, b.p, b.n);
        }
    }
    if (p->usage_rights)
        (void)pp_buf_printf(to, " rights");
}

/* clang-format off */
static const struct {
    const char *what;
    struct document d;
    const char *want; /* or the id of an error */
} rows[] = {
    { "plain",               { "1.4", "/Root 1 0 R", { [1] = "<</Type/Catalog>>" } }, "1.4 root=1.0" },
    { "info",                { "1.4", "/Root 1 0 R/Info 2 0 R", { [1] = "<<>>", [2] = "<</Title(t)>>" } }, "1.4 root=1.0 info=2.0" },
    { "direct info",         { "1.4", "/Root 1 0 R/Info<</Title(t)>>", { [1] = "<<>>" } }, "1.4 root=1.0 info_text=<</Title(t)>>" },
    { "info, no dictionary", { "1.4", "/Root 1 0 R/Info(t)", { [1] = "<<>>" } }, "1.4 root=1.0" },
    { "version in the catalog", { "1.4", "/Root 1 0 R", { [1] = "<</Version/1.6>>" } }, "1.6 root=1.0" },
    { "older version there", { "1.7", "/Root 1 0 R", { [1] = "<</Version/1.6>>" } }, "1.7 root=1.0" },
    { "2.0 there",           { "1.7", "/Root 1 0 R", { [1] = "<</Version/2.0>>" } }, "2.0 root=1.0" },
    { "no version there",    { "1.7", "/Root 1 0 R", { [1] = "<</Version 2.0>>" } }, "1.7 root=1.0" },
    { "metadata",            { "1.4", "/Root 1 0 R", { [1] = "<</Metadata 3 0 R>>" } }, "1.4 root=1.0 metadata=3.0" },
    { "direct metadata",     { "1.4", "/Root 1 0 R", { [1] = "<</Metadata(x)>>" } }, "1.4 root=1.0" },
    /* identifiers */
    { "id",                  { "1.4", "/Root 1 0 R/ID[<4142><43>]", { [1] = "<<>>" } }, "1.4 root=1.0 id=AB" },
    { "id, literal",         { "1.4", "/Root 1 0 R/ID[(A\\102)(C)]", { [1] = "<<>>" } }, "1.4 root=1.0 id=AB" },
    { "id, one element",     { "1.4", "/Root 1 0 R/ID[(AB)]", { [1] = "<<>>" } }, "1.4 root=1.0 id=AB" },
    { "id, empty array",     { "1.4", "/Root 1 0 R/ID[]", { [1] = "<<>>" } }, "1.4 root=1.0" },
    { "id, empty string",    { "1.4", "/Root 1 0 R/ID[()()]", { [1] = "<<>>" } }, "1.4 root=1.0" },
    { "id, no strings",      { "1.4", "/Root 1 0 R/ID[1 2]", { [1] = "<<>>" } }, "1.4 root=1.0" },
    { "id, no array",        { "1.4", "/Root 1 0 R/ID(AB)", { [1] = "<<>>" } }, "1.4 root=1.0" },
    /* other entries */
    { "unknown entries",     { "1.4", "/Root 1 0 R/A 1/B[2 0 R/C]/D<</E null>>", { [1] = "<<>>" } }, "1.4 root=1.0 extra=/A 1/B [ 2 0 R /C ]/D << /E null >>" },
    { "comments in them",    { "1.4", "/Root 1 0 R/A%secret\n[1%secret\n]", { [1] = "<<>>" } }, "1.4 root=1.0 extra=/A [ 1 ]" },
    { "strings in them",     { "1.4", "/Root 1 0 R/A(s)/B[<</C<41>>>]/D 1", { [1] = "<<>>" } }, "1.4 root=1.0 extra=/D 1" },
    { "stray brackets in them", { "1.4", "/Root 1 0 R/A[s) ]/D 1", { [1] = "<<>>" } }, "1.4 root=1.0 extra=/D 1" },
    { "of the old file",     { "1.4", "/Root 1 0 R/Prev 0/XRefStm 20/Type/XRef/W[1]/Index[0 1]/Length 5/Filter/F/DecodeParms 1/F 1/FFilter 1/FDecodeParms 1/DL 1/AuthCode 1", { [1] = "<<>>" } }, "damaged_xref" },
    { "of the old file, too", { "1.4", "/Root 1 0 R/Type/XRef/W[1]/Index[0 1]/L#65ngth 5/Filter/F/DecodeParms 1/F 1/FFilter 1/FDecodeParms 1/DL 1/AuthCode 1", { [1] = "<<>>" } }, "1.4 root=1.0" },
    { "key without value",   { "1.4", "/Root 1 0 R/A", { [1] = "<<>>" } }, "1.4 root=1.0" },
    /* encryption */
    { "encrypted",           { "1.4", "/Root 1 0 R/Encrypt 2 0 R", { [1] = "<<>>", [2] = "<</V 5>>" } }, "1.4 root=1.0 encrypt=2.0 encrypt_text=<</V 5>>" },
    { "encrypted, direct",   { "1.4", "/Root 1 0 R/Encrypt<</V 5>>", { [1] = "<<>>" } }, "1.4 root=1.0 encrypt_text=<</V 5>>" },
    { "encrypted, catalog in a stream", { "1.5", "/Root 1 0 R/Encrypt<</V 5>>", { [1] = "*<</Type/Catalog/Metadata 3 0 R>>" } }, "1.5 root=1.0 encrypt_text=<</V 5>>" },
    { "encrypted, metadata", { "1.5", "/Root 1 0 R/Encrypt<</V 5>>", { [1] = "<</Metadata 3 0 R/Perms<</DocMDP 5>>>>" } }, "1.5 root=1.0 metadata=3.0 encrypt_text=<</V 5>>" },
    { "encrypted, missing",  { "1.4", "/Root 1 0 R/Encrypt 5 0 R", { [1] = "<<>>" } }, "1.4 root=1.0 encrypt=5.0" },
    /* permissions */
    { "certified",           { "1.4", "/Root 1 0 R", { [1] = "<</Perms<</DocMDP 3 0 R>>>>" } }, "1.4 root=1.0 rights" },
    { "usage rights",        { "1.4", "/Root 1 0 R", { [1] = "<</Perms 2 0 R>>", [2] = "<</UR3 3 0 R>>" } }, "1.4 root=1.0 rights" },
    { "old usage rights",    { "1.4", "/Root 1 0 R", { [1] = "<</Perms<</UR 3 0 R>>>>" } }, "1.4 root=1.0 rights" },
    { "empty permissions",   { "1.4", "/Root 1 0 R", { [1] = "<</Perms<<>>>>" } }, "1.4 root=1.0" },
    { "missing permissions", { "1.4", "/Root 1 0 R", { [1] = "<</Perms 5 0 R>>" } }, "1.4 root=1.0" },
    /* extensions */
    { "extensions, direct",  { "1.4", "/Root 1 0 R", { [1] = "<</Extensions<<>>>>" } }, "1.4 root=1.0" },
    { "extensions elsewhere", { "1.4", "/Root 1 0 R", { [1] = "<</Extensions 2 0 R>>", [2] = "<<>>" } }, "1.4 root=1.0 extensions=2.0" },
    { "extensions missing",  { "1.4", "/Root 1 0 R", { [1] = "<</Extensions 5 0 R>>" } }, "1.4 root=1.0" },
    /* object streams */
    { "catalog in a stream", { "1.5", "/Root 1 0 R", { [1] = "*<</Type/Catalog/A(b)>>" } }, "1.5 root=1.0 root_text=<</Type/Catalog/A(b)>>" },
    { "behind a comment",    { "1.5", "/Root 1 0 R", { [1] = "*% 1\n<</A(b)>>" } }, "1.5 root=1.0 root_text=<</A(b)>>" },
    { "catalog outside",     { "1.5", "/Root 1 0 R/A 1", { [1] = "<</A 1>>", [2] = "*5" } }, "1.5 root=1.0 extra=/A 1" },
    { "extensions in a stream", { "1.5", "/Root 1 0 R", { [1] = "<</Extensions 2 0 R>>", [2] = "*<</B 1>>" } }, "1.5 root=1.0 extensions=2.0 extensions_text=<</B 1>>" },
    { "both in a stream",    { "1.5", "/Root 1 0 R", { [1] = "*<</Extensions 2 0 R>>", [2] = "*<</B 1>>" } }, "1.5 root=1.0 extensions=2.0 root_text=<</Extensions 2 0 R>> extensions_text=<</B 1>>" },
    { "extensions, a number", { "1.5", "/Root 1 0 R", { [1] = "*<</Extensions 2 0 R>>", [2] = "*7" } }, "1.5 root=1.0 root_text=<</Extensions 2 0 R>>" },
    { "permissions in a stream", { "1.5", "/Root 1 0 R", { [1] = "*<</Perms 2 0 R>>", [2] = "*<</DocMDP 5>>" } }, "1.5 root=1.0 root_text=<</Perms 2 0 R>> rights" },
    /* what is no document */
    { "root direct",         { "1.4", "/Root<</Type/Catalog>>", { [1] = "<<>>" } }, "damaged_trailer" },
    { "root missing",        { "1.4", "/Root 5 0 R", { [1] = "<<>>" } }, "damaged_trailer" },
    { "root free",           { "1.4", "/Root 0 0 R", { [1] = "<<>>" } }, "damaged_trailer" },
    { "root an array",       { "1.4", "/Root 1 0 R", { [1] = "[1]" } }, "damaged_trailer" },
    { "root of another generation", { "1.4", "/Root 1 1 R", { [1] = "<<>>" } }, "damaged_trailer" },
    { "root broken",         { "1.4", "/Root 1 0 R", { [1] = "<</A(b>>" } }, "damaged_object" },
    { "root in a stream, broken", { "1.5", "/Root 1 0 R", { [1] = "*<</A(b>>" } }, "damaged_trailer" },
};
/* clang-format on */

static void
what_is_known_of_a_document(void)
{
    struct pp_buf got = { 0 };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_profile p = { .version = { 0, 0 } };
        struct made m = { 0 };
        struct loaded l;
        enum pdfpipe_status st;

        write_document(&rows[i].d, &m);
        loaded_from(&l, pp_buf_view(&m.text));
        st = l.st ? l.st
                  : pp_profile_read(&p, &l.xref, &l.fetch, &l.notes, &l.err);
        if (st) {
            got.n = 0;
            (void)pp_buf_printf(&got, "%s", pdfpipe_status_id(st));
            CHECK(l.err.code == st && l.err.message[0], "%s", rows[i].what);
        } else {
            print_profile(&p, &got);
        }
        CHECK(pp_view_is(pp_buf_view(&got), rows[i].want), "%s: %.*s (%s)",
              rows[i].what, (int)got.n, (const char *)got.p,
              st ? l.err.message : "");
        CHECK(is_noted(&l.notes, PDFPIPE_W_TRAILER_KEY) ==
                  (strncmp(rows[i].what, "str", 3) == 0),
              "%s", rows[i].what);
        pp_profile_fini(&p);
        loaded_fini(&l);
        made_fini(&m);
    }
    pp_buf_fini(&got);
}

static void
when_does_the_catalog_need_edits(void)
{
    static const char catalog[] = "<</Extensions 2 0 R>>";
    struct pp_profile p = { .version = { 1, 7 } };
    struct pp_edits e = { .n = 0 };

    pp_profile_edits(&p, view_of(catalog), &e);
    CHECK(e.n == 1, "dead reference: %zu", e.n);
    p.extensions.number = 2;
    e.n = 0;
    pp_profile_edits(&p, view_of(catalog), &e);
    CHECK(e.n == 0, "the other object is edited: %zu", e.n);
    pp_profile_edits(&p, view_of("<<>>"), &e);
    CHECK(e.n == 1, "none: %zu", e.n);
    e.n = 0;
    p.version = (struct pp_version){ 2, 0 };
    pp_profile_edits(&p, view_of("<<>>"), &e);
    CHECK(e.n == 0, "2.0 knows revision 6: %zu", e.n);
}

int
main(void)
{
    what_is_known_of_a_document();
    when_does_the_catalog_need_edits();
    return check_report("profile");
}
