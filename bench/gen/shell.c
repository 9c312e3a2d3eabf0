/* shell.c - the plain document around what a kind is about */
#include "shell.h"

#include <string.h>

#include "wording.h"

void
shell_open(struct shell *s, const char *path, enum pdf_form form, uint64_t seed)
{
    memset(s, 0, sizeof *s);
    s->r = noise_for(seed, 0);
    wording_id(s->id, &s->r);
    pdfwriter_open(&s->w, path, form);
    s->catalog = pdfwriter_number(&s->w);
    s->tree = pdfwriter_number(&s->w);
    s->font = pdfwriter_number(&s->w);
    s->info = pdfwriter_number(&s->w);
    text_printf(pdfwriter_begin(&s->w, s->font),
                "<</Type /Font /Subtype /Type1 /BaseFont /Helvetica "
                "/Encoding /WinAnsiEncoding>>");
    pdfwriter_end(&s->w);
}

static void
write_content(struct shell *s, uint32_t number, const char *title,
              unsigned lines, uint32_t image)
{
    struct text t = { 0 };

    if (image)
        text_printf(&t, "q 300 0 0 400 147 300 cm /Scan Do Q\n");
    text_printf(&t,
                "BT /F1 18 Tf 72 770 Td (%s) Tj\n/F1 10 Tf 14 TL 0 -30 Td\n",
                title);
    for (unsigned i = 0; i < lines; i++) {
        text_printf(&t, "(");
        wording_phrase(&t, &s->r, 9);
        text_printf(&t, ") Tj T*\n");
    }
    text_printf(&t, "ET\n");
    pdfwriter_flated(&s->w, number, "", t.bytes, t.n);
    text_free(&t);
}

void
shell_page(struct shell *s, const char *title, unsigned lines, uint32_t image)
{
    uint32_t page = pdfwriter_number(&s->w);
    uint32_t content = pdfwriter_number(&s->w);
    struct text *t;

    if (s->page_count == SHELL_PAGES)
        outfile_fail(&s->w.out, "more than %d pages", SHELL_PAGES);
    s->pages[s->page_count++] = page;
    write_content(s, content, title, lines, image);
    t = pdfwriter_begin(&s->w, page);
    text_printf(t,
                "<</Type /Page /Parent %u 0 R /MediaBox [0 0 595 842] "
                "/Contents %u 0 R /Resources <</Font <</F1 %u 0 R>>",
                s->tree, content, s->font);
    if (image)
        text_printf(t, " /XObject <</Scan %u 0 R>>", image);
    text_printf(t, ">> /LastModified ");
    wording_date(t, &s->r);
    text_printf(t, ">>");
    pdfwriter_end(&s->w);
}

static void
write_info(struct shell *s)
{
    struct text *t = pdfwriter_begin(&s->w, s->info);

    text_printf(t, "<</Producer (genpdf) /Title ");
    wording_string(t, &s->r, 4);
    text_printf(t, " /Author ");
    wording_string(t, &s->r, 2);
    text_printf(t, " /CreationDate ");
    wording_date(t, &s->r);
    text_printf(t, ">>");
    pdfwriter_end(&s->w);
}

void
shell_close(struct shell *s, const char *catalog)
{
    struct text *t;

    write_info(s);
    t = pdfwriter_begin(&s->w, s->tree);
    text_printf(t, "<</Type /Pages /Count %u /Kids [", s->page_count);
    for (uint32_t i = 0; i < s->page_count; i++)
        text_printf(t, "%s%u 0 R", i ? " " : "", s->pages[i]);
    text_printf(t, "]>>");
    pdfwriter_end(&s->w);
    text_printf(pdfwriter_begin(&s->w, s->catalog),
                "<</Type /Catalog /Pages %u 0 R%s>>", s->tree, catalog);
    pdfwriter_end(&s->w);
    pdfwriter_close(&s->w, s->catalog, s->info, s->id);
}
