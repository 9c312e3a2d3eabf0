/*
 * pdf_fault_test.c - what if the n-th allocation fails, for all n?
 *
 * The functions below stand before those of the C library.  A scenario runs
 * with allocation 0 failing, then 1, and so on until it comes through: each
 * failure must be reported as one and leave no memory behind.  Sanitizers and
 * valgrind have allocators of their own; there the test is skipped.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"
#include "madepdf.h"
#include "pdf/dict.h"
#include "pdf/flate.h"
#include "pdf/xrefout.h"
#include "seal/encdict.h"
#include "seal/profile.h"

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||           \
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

/* Volatile: a compiler believes that malloc() does not look at them. */
static volatile long fuse = -1; /* until one fails; negative: none does */
static volatile bool blown;
static volatile long live; /* allocations that were not given back */

#if !SANITIZED
static bool
blow(void)
{
    if (fuse < 0 || fuse-- > 0)
        return false;
    blown = true;
    errno = ENOMEM;
    return true;
}

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void __libc_free(void *p);

void *
malloc(size_t n)
{
    void *p = blow() ? NULL : __libc_malloc(n);

    live += p != NULL;
    return p;
}

void *
calloc(size_t n, size_t size)
{
    void *p = blow() ? NULL : __libc_calloc(n, size);

    live += p != NULL;
    return p;
}

void *
realloc(void *old, size_t n)
{
    void *p = blow() ? NULL : __libc_realloc(old, n);

    live += p != NULL && old == NULL;
    return p;
}

void
free(void *p)
{
    live -= p != NULL;
    __libc_free(p);
}

void *
mmap(void *at, size_t n, int prot, int flags, int fd, off_t offset)
{
    long p = blow() ? -1 : syscall(SYS_mmap, at, n, prot, flags, fd, offset);

    live += p != -1;
    return (void *)p;
}

int
munmap(void *at, size_t n)
{
    live--;
    return (int)syscall(SYS_munmap, at, n);
}

void *
mremap(void *old, size_t old_n, size_t n, int flags, ...)
{
    long p = blow() ? -1 : syscall(SYS_mremap, old, old_n, n, flags, NULL);

    return (void *)p;
}
#endif

/* Files that the scenarios read; made before anything fails. */
static struct made table_file, stream_file;

static void
make_table_file(void)
{
    struct made *m = &table_file;
    uint64_t at;

    made_text(m, "%%PDF-1.4\n");
    made_object(m, 1, "<</Type/Catalog/Extensions 2 0 R/Perms 3 0 R>>");
    made_object(m, 2, "<<>>");
    made_object(m, 3, "<</A %9000d>>", 1);
    made_here(m, 900); /* a table that outgrows its first page */
    at = made_table(m);
    made_trailer(m, "/Root 1 0 R/Info<</Title(t)>>/ID[(ab)(cd)]/X[1 2]"
                    "/Encrypt<</Filter/Standard>>");
    made_end(m, at);
}

static void
make_stream_file(void)
{
    static const char members[] = "1 0 2 40 <</Type/Catalog/Extensions 2 0 R>>"
                                  "        <</B 1>>";
    struct pp_buf z = { 0 }, file = { 0 };
    struct pp_output output = output_to(&file);
    struct made *m = &stream_file;
    struct pp_xref rows = { 0 };
    struct pp_deflater *d;
    uint64_t at;

    if (pp_deflater_new(&d, NULL) ||
        pp_deflater_add(d, members, sizeof members - 1, true, &z, NULL))
        abort();
    pp_deflater_free(d);
    made_text(m, "%%PDF-1.5\n");
    made_stream(m, 9, "/Type/ObjStm/N 2/First 9/Filter/FlateDecode", z.p, z.n);
    for (uint32_t i = 1; i <= 2; i++)
        if (pp_xref_set(&rows, i,
                        (struct pp_entry){ .kind = PP_ENTRY_COMPRESSED,
                                           .stream = 9,
                                           .index = i - 1 },
                        NULL))
            abort();
    for (uint32_t i = 9; i <= 10; i++)
        if (pp_xref_set(
                &rows, i,
                (struct pp_entry){ .kind = PP_ENTRY_OFFSET,
                                   .offset = i == 9 ? m->at[9] : m->text.n },
                NULL))
            abort();
    at = m->text.n;
    if (pp_xrefout_stream(&rows, 10, view_of("/Root 1 0 R"), at, &output, NULL))
        abort();
    made_bytes(m, file.p, file.n);
    pp_xref_fini(&rows);
    pp_buf_fini(&file);
    pp_buf_fini(&z);
}

/* A document as far as it is read before its first object. */
static enum pdfpipe_status
open_document(struct pp_view bytes, struct pdfpipe_error *err)
{
    struct pp_input input = pp_input_over(&bytes);
    struct pp_profile profile = { .version = { 0, 0 } };
    struct pp_scanner *scanner = NULL;
    struct pp_fetch fetch = { .data = { 0 } };
    struct pp_xref xref = { 0 };
    enum pdfpipe_status st;
    struct pp_peek peek;

    pp_peek_init(&peek, &input, 4096);
    st = pp_scanner_new(&scanner, err);
    pp_fetch_init(&fetch, &xref, &input, scanner, 1 << 20, 1 << 20);
    if (!st)
        st = pp_xref_load(&xref, &peek, scanner, NULL, err);
    if (!st)
        st = pp_profile_read(&profile, &xref, &fetch, NULL, err);
    pp_profile_fini(&profile);
    pp_fetch_fini(&fetch);
    pp_xref_fini(&xref);
    pp_peek_fini(&peek);
    pp_scanner_free(scanner);
    return st;
}

static enum pdfpipe_status
open_table(struct pdfpipe_error *err)
{
    return open_document(pp_buf_view(&table_file.text), err);
}

static enum pdfpipe_status
open_stream(struct pdfpipe_error *err)
{
    return open_document(pp_buf_view(&stream_file.text), err);
}

/* An integer that cannot be looked up is none, and no memory is lost. */
static enum pdfpipe_status
look_up_integer(struct pdfpipe_error *err)
{
    struct pp_view bytes = pp_buf_view(&stream_file.text);
    struct pp_input input = pp_input_over(&bytes);
    struct pp_scanner *scanner = NULL;
    struct pp_fetch fetch;
    struct pp_xref xref = { 0 };
    enum pdfpipe_status st = pp_scanner_new(&scanner, err);
    uint64_t value;
    bool found;

    pp_fetch_init(&fetch, &xref, &input, scanner, 1 << 20, 1 << 20);
    if (!st)
        st = pp_xref_set(&xref, 9,
                         (struct pp_entry){ .kind = PP_ENTRY_OFFSET,
                                            .offset = stream_file.at[9] },
                         err);
    if (!st)
        st = pp_xref_set(
            &xref, 1,
            (struct pp_entry){ .kind = PP_ENTRY_COMPRESSED, .stream = 9 }, err);
    if (!st) {
        pp_fetch_integer(&fetch, (struct pp_reference){ 1, 0 }, &value, &found);
        if (found)
            st = PDFPIPE_E_INTERNAL; /* it is a dictionary */
        else if (blown)
            st = pp_fail_memory(err);
    }
    pp_fetch_fini(&fetch);
    pp_xref_fini(&xref);
    pp_scanner_free(scanner);
    return st;
}

static enum pdfpipe_status
scan_many_strings(struct pdfpipe_error *err)
{
    static char text[4000];
    struct pp_scanner *scanner;
    struct pp_object o;
    enum pdfpipe_status st = pp_scanner_new(&scanner, err);

    if (st)
        return st;
    memcpy(text, "1 0 obj[", 8);
    for (size_t i = 8; i + 20 < sizeof text; i += 2)
        memcpy(text + i, "()", 2);
    memcpy(text + sizeof text - 12, "]7 0 R endob", 12);
    st = pp_object_scan(scanner,
                        (struct pp_view){ (uint8_t *)text, sizeof text }, 0,
                        true, PP_SCAN_INDIRECT, &o, err);
    pp_scanner_free(scanner);
    return st;
}

static enum pdfpipe_status
write_to(void *self, const void *p, size_t n, struct pdfpipe_error *err)
{
    (void)self, (void)p, (void)n, (void)err;
    return PDFPIPE_OK;
}

static enum pdfpipe_status
write_xref(struct pdfpipe_error *err)
{
    struct pp_output output = { NULL, write_to };
    struct pp_xref rows = { 0 };
    enum pdfpipe_status st = PDFPIPE_OK;
    uint32_t *order = NULL;
    size_t n;

    for (uint32_t i = 1; !st && i < 2000; i += 1 + i % 3)
        st = pp_xref_set(&rows, i,
                         (struct pp_entry){ .kind = PP_ENTRY_OFFSET,
                                            .offset = i * 7919 % 10007 + 1 },
                         err);
    if (!st)
        st = pp_xref_order(&rows, &order, &n, err);
    if (!st)
        st = pp_xrefout_table(&rows, view_of("/Root 1 0 R"), 9, &output, err);
    if (!st)
        st = pp_xref_set(
            &rows, 8000000,
            (struct pp_entry){ .kind = PP_ENTRY_OFFSET, .offset = 1 }, err);
    if (!st)
        st = pp_xrefout_stream(&rows, 8000000, view_of("/Root 1 0 R"), 9,
                               &output, err);
    free(order);
    pp_xref_fini(&rows);
    return st;
}

static enum pdfpipe_status
write_encdict(struct pdfpipe_error *err)
{
    struct pp_handler h = { .p = 0xfffffffc };
    struct pp_buf to = { 0 };
    enum pdfpipe_status st = pp_encdict_write(&h, &to, err);

    pp_buf_fini(&to);
    return st;
}

static enum pdfpipe_status
decode_rows(struct pdfpipe_error *err)
{
    static const uint8_t rows[50000];
    const struct pp_filter filter = { PP_FILTER_FLATE, 12, 4, 1 };
    struct pp_buf z = { 0 }, out = { 0 };
    struct pp_deflater *d = NULL;
    enum pdfpipe_status st = pp_deflater_new(&d, err);
    struct pp_input input;
    struct pp_view v;

    if (!st)
        st = pp_deflater_add(d, rows, sizeof rows, true, &z, err);
    pp_deflater_free(d);
    v = pp_buf_view(&z);
    input = pp_input_over(&v);
    if (!st)
        st = pp_decode_all(&input, 0, v.n, &filter, 1 << 20, &out, err);
    if (!st && out.n != 40000)
        st = PDFPIPE_E_INTERNAL;
    pp_buf_fini(&z);
    pp_buf_fini(&out);
    return st;
}

typedef enum pdfpipe_status scenario_fn(struct pdfpipe_error *err);

static void
does_every_failure_come_through(const char *what, scenario_fn *run,
                                long at_least)
{
    for (long n = 0; n < 10000; n++) {
        struct pdfpipe_error err = { .code = PDFPIPE_OK };
        long before = live;
        enum pdfpipe_status st;

        fuse = n;
        blown = false;
        st = run(&err);
        fuse = -1;
        CHECK(live == before, "%s: %ld lost, failure %ld", what, live - before,
              n);
        if (!blown) {
            CHECK(st == PDFPIPE_OK, "%s: %s", what, err.message);
            CHECK(n >= at_least, "%s: only %ld allocations", what, n);
            return;
        }
        CHECK(st == PDFPIPE_E_NO_MEMORY && err.code == st,
              "%s: %s for failure %ld", what, pdfpipe_status_id(st), n);
    }
    CHECK(false, "%s: never comes through", what);
}

/* A sanitizer or valgrind may have put its own functions before ours. */
static bool
are_allocations_ours(void)
{
    struct pp_buf b = { 0 };
    bool made;

    fuse = 0;
    made = pp_buf_append(&b, "x", 1);
    fuse = -1;
    pp_buf_fini(&b);
    return !made && live == 0;
}

int
main(void)
{
    if (SANITIZED || !are_allocations_ours()) {
        check_skip("allocations cannot be made to fail here");
        return check_report("pdf_fault");
    }
    make_table_file();
    make_stream_file();
    does_every_failure_come_through("open, table", open_table, 10);
    does_every_failure_come_through("open, stream", open_stream, 10);
    does_every_failure_come_through("integer", look_up_integer, 8);
    does_every_failure_come_through("scan", scan_many_strings, 3);
    does_every_failure_come_through("write", write_xref, 8);
    does_every_failure_come_through("dictionary", write_encdict, 3);
    does_every_failure_come_through("decode", decode_rows, 8);
    made_fini(&table_file);
    made_fini(&stream_file);
    return check_report("pdf_fault");
}
