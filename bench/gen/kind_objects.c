/*
 * kind_objects.c - very many small objects
 *
 * Each record is a dictionary or an array with one to three strings.  A
 * number tree (ISO 32000-2, 7.9.7) of three levels in the catalog leads to
 * them, so that no object is large and all can be reached.
 */
#include "kinds.h"

#include "shell.h"
#include "wording.h"

enum { FAN_OUT = 256 };

static void
write_record(struct pdfwriter *w, uint32_t number, uint32_t key,
             struct noise *r)
{
    struct text *t = pdfwriter_begin(w, number);

    switch (noise_below(r, 4)) {
    case 0: wording_string(t, r, 2); break;
    case 1:
        text_printf(t, "[%u ", key);
        wording_string(t, r, 1);
        wording_date(t, r);
        text_printf(t, "]");
        break;
    default:
        text_printf(t, "<</No %u /Name ", key);
        wording_string(t, r, 2);
        text_printf(t, " /Due ");
        wording_date(t, r);
        text_printf(t, " /Amount %u", noise_below(r, 100000));
        text_printf(t, ".%02u", noise_below(r, 100));
        text_printf(t, " /Open %s>>", noise_below(r, 2) ? "true" : "false");
        break;
    }
    pdfwriter_end(w);
}

/* One leaf with its records; returns its number. */
static uint32_t
write_leaf(struct pdfwriter *w, uint32_t first, uint32_t count, struct noise *r)
{
    uint32_t records[FAN_OUT], leaf;
    struct text *t;

    for (uint32_t i = 0; i < count; i++) {
        records[i] = pdfwriter_number(w);
        write_record(w, records[i], first + i, r);
    }
    leaf = pdfwriter_number(w);
    t = pdfwriter_begin(w, leaf);
    text_printf(t, "<</Limits [%u %u] /Nums [", first, first + count - 1);
    for (uint32_t i = 0; i < count; i++)
        text_printf(t, "%u %u 0 R ", first + i, records[i]);
    text_printf(t, "]>>");
    pdfwriter_end(w);
    return leaf;
}

/* A node over up to FAN_OUT leaves; returns its number. */
static uint32_t
write_node(struct pdfwriter *w, uint32_t first, uint32_t count, struct noise *r)
{
    uint32_t kids[FAN_OUT], n = 0, node;
    struct text *t;

    for (uint32_t done = 0; done < count; done += FAN_OUT) {
        uint32_t in_leaf = count - done < FAN_OUT ? count - done : FAN_OUT;

        kids[n++] = write_leaf(w, first + done, in_leaf, r);
    }
    node = pdfwriter_number(w);
    t = pdfwriter_begin(w, node);
    text_printf(t, "<</Limits [%u %u] /Kids [", first, first + count - 1);
    for (uint32_t i = 0; i < n; i++)
        text_printf(t, "%u 0 R ", kids[i]);
    text_printf(t, "]>>");
    pdfwriter_end(w);
    return node;
}

void
kind_objects(const struct gen_request *request)
{
    const uint32_t in_node = FAN_OUT * FAN_OUT;
    struct shell s;
    struct text catalog = { 0 };

    shell_open(&s, request->out, request->form, request->seed);
    shell_page(&s, "Many small objects", 20, 0);
    text_printf(&catalog, " /GenRecords <</Kids [");
    for (uint32_t done = 0; done < request->count; done += in_node) {
        uint32_t left = request->count - done;

        text_printf(
            &catalog, "%u 0 R ",
            write_node(&s.w, done, left < in_node ? left : in_node, &s.r));
    }
    text_printf(&catalog, "]>>");
    text_add(&catalog, "", 1);
    shell_close(&s, catalog.bytes);
    text_free(&catalog);
}
