/*
 * kind_archive.c - an archive of scanned loan files
 *
 * Every page is a scanned sheet: a JPEG, a content stream that draws it with
 * the recognized text invisibly on top, and 95 small objects around it.  All
 * 98 have consecutive numbers in the order of enum part, so a page is known
 * by its first number.
 *
 * 32 sheets make a box.  A box is one node in each of the document's trees:
 * page tree, form fields, structure, its parent tree, outline.  Whatever
 * spans boxes is written at the end, from numbers given out at the start:
 * memory does not grow with the pages, but for the cross-reference.
 */
#include "kinds.h"

#include <stdio.h>
#include <string.h>

#include "scan.h"
#include "shell.h"
#include "wording.h"

enum { SCANS = 8, BOX = 32, MAX_LEVELS = 6 };
enum { NOTES = 20, LINKS = 4, WIDGETS = 19, LINES = 30, RECORDS = 18 };

/* Offset of an object's number from the page's first. */
enum part {
    PAGE,
    IMAGE,
    CONTENT,
    NOTE,
    LINK = NOTE + NOTES,
    FIELD = LINK + LINKS,
    WIDGET,
    SECTION = WIDGET + WIDGETS,
    LINE,
    PARENTS = LINE + LINES,
    PRIVATE,
    RECORD,
    OBJECTS_PER_PAGE = RECORD + RECORDS,
};
_Static_assert(OBJECTS_PER_PAGE == 98, "98 objects a page");

struct archive {
    struct pdfwriter w;
    struct noise r; /* of the page or box in work */
    uint32_t pages, boxes;
    struct scan scans[SCANS];
    uint32_t catalog, info, font, metadata, form, structure, root_element,
        parent_tree, outline;
    /* First number of one object per box. */
    uint32_t box_field, box_part, box_parents, box_item;
    /* Page tree: level 0 has a node per box, the last level the root. */
    uint32_t level_first[MAX_LEVELS], level_count[MAX_LEVELS], levels;
    uint32_t sheet[BOX][OBJECTS_PER_PAGE]; /* numbers of the box in work */
};

static uint32_t
reserve(struct archive *a, uint32_t count)
{
    uint32_t first = pdfwriter_number(&a->w);

    while (--count)
        (void)pdfwriter_number(&a->w);
    return first;
}

static void
number_all(struct archive *a)
{
    uint32_t count = a->boxes;

    a->catalog = reserve(a, 1);
    a->info = reserve(a, 1);
    a->font = reserve(a, 1);
    a->metadata = reserve(a, 1);
    a->form = reserve(a, 1);
    a->structure = reserve(a, 1);
    a->root_element = reserve(a, 1);
    a->parent_tree = reserve(a, 1);
    a->outline = reserve(a, 1);
    a->box_field = reserve(a, count);
    a->box_part = reserve(a, count);
    a->box_parents = reserve(a, count);
    a->box_item = reserve(a, count);
    for (;; count = (count + BOX - 1) / BOX) {
        a->level_count[a->levels] = count;
        a->level_first[a->levels++] = reserve(a, count);
        if (count == 1)
            break;
    }
}

static void
add_references(struct text *t, const char *key, uint32_t first, uint32_t count)
{
    text_printf(t, " /%s [", key);
    for (uint32_t i = 0; i < count; i++)
        text_printf(t, "%s%u 0 R", i ? " " : "", first + i);
    text_printf(t, "]");
}

static void
add_string(struct archive *a, struct text *t, const char *key, unsigned words)
{
    text_printf(t, " /%s ", key);
    wording_string(t, &a->r, words);
}

static void
add_date(struct archive *a, struct text *t, const char *key)
{
    text_printf(t, " /%s ", key);
    wording_date(t, &a->r);
}

static void
write_image(struct archive *a, const uint32_t *n, const struct scan *scan)
{
    char dict[200];

    (void)snprintf(dict, sizeof dict,
                   "/Type /XObject /Subtype /Image /Width %u /Height %u "
                   "/ColorSpace /DeviceGray /BitsPerComponent 8 "
                   "/Filter /DCTDecode",
                   scan->width, scan->height); /* fits: two short numbers */
    pdfwriter_stream(&a->w, n[IMAGE], dict, scan->jpeg.bytes, scan->jpeg.n);
}

/* Rendering mode 3 shows nothing: the text is there to be searched. */
static void
write_content(struct archive *a, const uint32_t *n)
{
    struct text t = { 0 };

    text_printf(&t, "/Artifact BMC q 595 0 0 842 0 0 cm /Scan Do Q EMC\n"
                    "BT 3 Tr /F1 9 Tf 24 TL 60 800 Td\n");
    for (unsigned i = 0; i < LINES; i++) {
        text_printf(&t, "/P <</MCID %u>> BDC (", i);
        wording_phrase(&t, &a->r, 12);
        text_printf(&t, ") Tj T* EMC\n");
    }
    text_printf(&t, "ET\n");
    pdfwriter_flated(&a->w, n[CONTENT], "", t.bytes, t.n);
    text_free(&t);
}

static void
write_notes(struct archive *a, const uint32_t *n)
{
    for (unsigned i = 0; i < NOTES; i++) {
        struct text *t = pdfwriter_begin(&a->w, n[NOTE + i]);

        text_printf(t,
                    "<</Type /Annot /Subtype /Text /F 2 /Rect [%u %u %u %u] "
                    "/P %u 0 R /Name /Comment",
                    20u, 20 + 40 * i, 40u, 40 + 40 * i, n[PAGE]);
        add_string(a, t, "Contents", 5);
        add_string(a, t, "T", 1);
        add_date(a, t, "M");
        text_printf(t, ">>");
        pdfwriter_end(&a->w);
    }
    for (unsigned i = 0; i < LINKS; i++) {
        text_printf(pdfwriter_begin(&a->w, n[LINK + i]),
                    "<</Type /Annot /Subtype /Link /Border [0 0 0] "
                    "/Rect [500 %u 580 %u] /A <</S /URI /URI "
                    "(https://archive.example/loan/%u?page=%u)>>>>",
                    100 * i + 60, 100 * i + 80, noise_below(&a->r, 1000000), i);
        pdfwriter_end(&a->w);
    }
}

static void
write_fields(struct archive *a, const uint32_t *n, uint32_t page)
{
    struct text *t = pdfwriter_begin(&a->w, n[FIELD]);

    text_printf(t, "<</T (sheet%u) /Parent %u 0 R", page + 1,
                a->box_field + page / BOX);
    add_references(t, "Kids", n[WIDGET], WIDGETS);
    text_printf(t, ">>");
    pdfwriter_end(&a->w);
    for (unsigned i = 0; i < WIDGETS; i++) {
        t = pdfwriter_begin(&a->w, n[WIDGET + i]);
        text_printf(t,
                    "<</Type /Annot /Subtype /Widget /FT /Tx /F 2 /T (entry%u)"
                    " /Parent %u 0 R /P %u 0 R /Rect [60 %u 200 %u] "
                    "/DA (/F1 9 Tf 0 g)",
                    i + 1, n[FIELD], n[PAGE], 40 * i + 30, 40 * i + 45);
        add_string(a, t, "V", 2);
        add_string(a, t, "TU", 1);
        text_printf(t, ">>");
        pdfwriter_end(&a->w);
    }
}

static void
write_structure(struct archive *a, const uint32_t *n, uint32_t page)
{
    struct text *t = pdfwriter_begin(&a->w, n[SECTION]);

    text_printf(t, "<</Type /StructElem /S /Sect /P %u 0 R",
                a->box_part + page / BOX);
    add_references(t, "K", n[LINE], LINES);
    add_string(a, t, "T", 2);
    text_printf(t, ">>");
    pdfwriter_end(&a->w);
    for (unsigned i = 0; i < LINES; i++) {
        t = pdfwriter_begin(&a->w, n[LINE + i]);
        text_printf(t, "<</Type /StructElem /S /P /P %u 0 R /Pg %u 0 R /K %u",
                    n[SECTION], n[PAGE], i);
        add_string(a, t, i % 4 ? "T" : "Alt", 3);
        text_printf(t, ">>");
        pdfwriter_end(&a->w);
    }
    t = pdfwriter_begin(&a->w, n[PARENTS]);
    text_printf(t, "[");
    for (unsigned i = 0; i < LINES; i++)
        text_printf(t, "%u 0 R ", n[LINE + i]);
    text_printf(t, "]");
    pdfwriter_end(&a->w);
}

/* What the scanning station noted about the sheet (14.5, page pieces). */
static void
write_records(struct archive *a, const uint32_t *n)
{
    struct text *t = pdfwriter_begin(&a->w, n[PRIVATE]);

    text_printf(t, "<<");
    add_references(t, "Records", n[RECORD], RECORDS);
    add_string(a, t, "Operator", 1);
    text_printf(t, ">>");
    pdfwriter_end(&a->w);
    for (unsigned i = 0; i < RECORDS; i++) {
        char digest[33];

        wording_id(digest, &a->r);
        t = pdfwriter_begin(&a->w, n[RECORD + i]);
        text_printf(t, "<</Rec %u /Digest <%s> /Rate 0.0%u", i, digest,
                    noise_below(&a->r, 90) + 10);
        add_string(a, t, "Borrower#20Name", 2);
        add_string(a, t, "Remark", 4);
        add_date(a, t, "Due");
        text_printf(t, ">>");
        pdfwriter_end(&a->w);
    }
}

static void
write_page(struct archive *a, const uint32_t *n, uint32_t page)
{
    struct text *t = pdfwriter_begin(&a->w, n[PAGE]);

    text_printf(t,
                "<</Type /Page /Parent %u 0 R /MediaBox [0 0 595 842] "
                "/Contents %u 0 R /StructParents %u /Tabs /S /Resources "
                "<</Font <</F1 %u 0 R>> /XObject <</Scan %u 0 R>>>>",
                a->level_first[0] + page / BOX, n[CONTENT], page, a->font,
                n[IMAGE]);
    text_printf(t, " /Annots [");
    for (unsigned i = 0; i < NOTES + LINKS; i++)
        text_printf(t, "%u 0 R ", n[NOTE + i]);
    for (unsigned i = 0; i < WIDGETS; i++)
        text_printf(t, "%u 0 R ", n[WIDGET + i]);
    text_printf(t, "] /PieceInfo <</LoanScan <</Private %u 0 R", n[PRIVATE]);
    add_date(a, t, "LastModified");
    text_printf(t, ">>>>");
    add_date(a, t, "LastModified");
    text_printf(t, ">>");
    pdfwriter_end(&a->w);
}

static void
write_sheet(struct archive *a, uint32_t page, uint64_t seed)
{
    uint32_t *n = a->sheet[page % BOX];

    a->r = noise_for(seed, page + 1);
    n[PAGE] = reserve(a, OBJECTS_PER_PAGE);
    for (unsigned i = PAGE + 1; i < OBJECTS_PER_PAGE; i++)
        n[i] = n[PAGE] + i;
    write_page(a, n, page);
    write_image(a, n, &a->scans[noise_below(&a->r, SCANS)]);
    write_content(a, n);
    write_notes(a, n);
    write_fields(a, n, page);
    write_structure(a, n, page);
    write_records(a, n);
}

/* The same part of each sheet of the box in work. */
static void
add_sheets(struct archive *a, struct text *t, const char *key, enum part part,
           uint32_t sheets)
{
    text_printf(t, " /%s [", key);
    for (uint32_t i = 0; i < sheets; i++)
        text_printf(t, "%s%u 0 R", i ? " " : "", a->sheet[i][part]);
    text_printf(t, "]");
}

static void
write_item(struct archive *a, uint32_t box)
{
    struct text *t = pdfwriter_begin(&a->w, a->box_item + box);

    text_printf(t, "<</Parent %u 0 R /Dest [%u 0 R /Fit]", a->outline,
                a->sheet[0][PAGE]);
    if (box > 0)
        text_printf(t, " /Prev %u 0 R", a->box_item + box - 1);
    if (box + 1 < a->boxes)
        text_printf(t, " /Next %u 0 R", a->box_item + box + 1);
    add_string(a, t, "Title", 2);
    text_printf(t, ">>");
    pdfwriter_end(&a->w);
}

static void
write_parents(struct archive *a, uint32_t box, uint32_t sheets)
{
    struct text *t = pdfwriter_begin(&a->w, a->box_parents + box);

    text_printf(t, "<</Limits [%u %u] /Nums [", box * BOX,
                box * BOX + sheets - 1);
    for (uint32_t i = 0; i < sheets; i++)
        text_printf(t, "%u %u 0 R ", box * BOX + i, a->sheet[i][PARENTS]);
    text_printf(t, "]>>");
    pdfwriter_end(&a->w);
}

static void
add_page_parent(struct archive *a, struct text *t, uint32_t level, uint32_t i)
{
    if (level + 1 < a->levels)
        text_printf(t, " /Parent %u 0 R", a->level_first[level + 1] + i / BOX);
}

static void
write_box(struct archive *a, uint32_t box, uint32_t sheets)
{
    struct text *t = pdfwriter_begin(&a->w, a->level_first[0] + box);

    text_printf(t, "<</Type /Pages /Count %u", sheets);
    add_sheets(a, t, "Kids", PAGE, sheets);
    add_page_parent(a, t, 0, box);
    text_printf(t, ">>");
    pdfwriter_end(&a->w);

    t = pdfwriter_begin(&a->w, a->box_field + box);
    text_printf(t, "<</T (box%u)", box + 1);
    add_sheets(a, t, "Kids", FIELD, sheets);
    text_printf(t, ">>");
    pdfwriter_end(&a->w);

    t = pdfwriter_begin(&a->w, a->box_part + box);
    text_printf(t, "<</Type /StructElem /S /Part /P %u 0 R", a->root_element);
    add_sheets(a, t, "K", SECTION, sheets);
    add_string(a, t, "T", 2);
    text_printf(t, ">>");
    pdfwriter_end(&a->w);

    write_parents(a, box, sheets);
    write_item(a, box);
}

/* The page tree's levels above the boxes. */
static void
write_page_tree(struct archive *a)
{
    uint64_t span = BOX; /* pages under a full node of the level below */

    for (uint32_t level = 1; level < a->levels; level++) {
        uint32_t below = a->level_count[level - 1];
        uint64_t full = span * BOX;

        for (uint32_t i = 0; i < a->level_count[level]; i++) {
            uint32_t kids = below - i * BOX < BOX ? below - i * BOX : BOX;
            uint64_t left = a->pages - i * full;
            struct text *t = pdfwriter_begin(&a->w, a->level_first[level] + i);

            text_printf(t, "<</Type /Pages /Count %llu",
                        (unsigned long long)(left < full ? left : full));
            add_references(t, "Kids", a->level_first[level - 1] + i * BOX,
                           kids);
            add_page_parent(a, t, level, i);
            text_printf(t, ">>");
            pdfwriter_end(&a->w);
        }
        span = full;
    }
}

static void
write_trees(struct archive *a)
{
    struct text *t = pdfwriter_begin(&a->w, a->form);

    text_printf(t, "<</DR <</Font <</F1 %u 0 R>>>> /DA (/F1 0 Tf 0 g)",
                a->font);
    add_references(t, "Fields", a->box_field, a->boxes);
    text_printf(t, ">>");
    pdfwriter_end(&a->w);

    text_printf(pdfwriter_begin(&a->w, a->structure),
                "<</Type /StructTreeRoot /K %u 0 R /ParentTree %u 0 R "
                "/ParentTreeNextKey %u>>",
                a->root_element, a->parent_tree, a->pages);
    pdfwriter_end(&a->w);

    t = pdfwriter_begin(&a->w, a->root_element);
    text_printf(t, "<</Type /StructElem /S /Document /P %u 0 R", a->structure);
    add_references(t, "K", a->box_part, a->boxes);
    text_printf(t, ">>");
    pdfwriter_end(&a->w);

    t = pdfwriter_begin(&a->w, a->parent_tree);
    text_printf(t, "<<");
    add_references(t, "Kids", a->box_parents, a->boxes);
    text_printf(t, ">>");
    pdfwriter_end(&a->w);

    text_printf(pdfwriter_begin(&a->w, a->outline),
                "<</Type /Outlines /First %u 0 R /Last %u 0 R /Count %u>>",
                a->box_item, a->box_item + a->boxes - 1, a->boxes);
    pdfwriter_end(&a->w);
}

static void
write_metadata(struct archive *a)
{
    struct text t = { 0 };

    text_printf(&t, "<?xpacket begin=\"\xEF\xBB\xBF\" "
                    "id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n"
                    "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\n"
                    "<rdf:RDF xmlns:rdf="
                    "\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n"
                    "<rdf:Description rdf:about=\"\" "
                    "xmlns:dc=\"http://purl.org/dc/elements/1.1/\" "
                    "xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\">\n"
                    "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">");
    wording_phrase(&t, &a->r, 5);
    text_printf(&t, "</rdf:li></rdf:Alt></dc:title>\n"
                    "<xmp:CreatorTool>genpdf</xmp:CreatorTool>\n"
                    "</rdf:Description>\n</rdf:RDF>\n</x:xmpmeta>\n");
    for (unsigned i = 0; i < 20; i++) /* room for changes in place */
        text_printf(&t, "%100s\n", "");
    text_printf(&t, "<?xpacket end=\"w\"?>");
    pdfwriter_stream(&a->w, a->metadata, "/Type /Metadata /Subtype /XML",
                     t.bytes, t.n);
    text_free(&t);
}

static void
write_document(struct archive *a)
{
    struct text *t = pdfwriter_begin(&a->w, a->info);

    text_printf(t, "<</Producer (genpdf)");
    add_string(a, t, "Title", 4);
    add_string(a, t, "Author", 2);
    add_string(a, t, "Subject", 6);
    add_date(a, t, "CreationDate");
    add_date(a, t, "ModDate");
    text_printf(t, ">>");
    pdfwriter_end(&a->w);

    text_printf(pdfwriter_begin(&a->w, a->font),
                "<</Type /Font /Subtype /Type1 /BaseFont /Helvetica "
                "/Encoding /WinAnsiEncoding>>");
    pdfwriter_end(&a->w);

    text_printf(pdfwriter_begin(&a->w, a->catalog),
                "<</Type /Catalog /Pages %u 0 R /Outlines %u 0 R /AcroForm %u "
                "0 R /StructTreeRoot %u 0 R /Metadata %u 0 R /MarkInfo "
                "<</Marked true>> /Lang (en-GB) /PageMode /UseOutlines>>",
                a->level_first[a->levels - 1], a->outline, a->form,
                a->structure, a->metadata);
    pdfwriter_end(&a->w);
}

static void
make_scans(struct archive *a, uint64_t seed)
{
    /* 150 dots per inch on A4; 310 to 450 kB, 381 on average */
    for (unsigned i = 0; i < SCANS; i++)
        scan_make(&a->scans[i], 1240, 1754, 313000 + i * 20000, seed + i);
}

void
kind_archive(const struct gen_request *request)
{
    struct archive a = { 0 };
    char id[33];

    a.pages = request->pages;
    a.boxes = (a.pages + BOX - 1) / BOX;
    a.r = noise_for(request->seed, 0);
    wording_id(id, &a.r);
    pdfwriter_open(&a.w, request->out, request->form);
    number_all(&a);
    make_scans(&a, request->seed);
    write_metadata(&a);
    for (uint32_t page = 0; page < a.pages; page++) {
        write_sheet(&a, page, request->seed);
        if (page % BOX == BOX - 1 || page + 1 == a.pages)
            write_box(&a, page / BOX, page % BOX + 1);
    }
    write_page_tree(&a);
    write_trees(&a);
    write_document(&a);
    pdfwriter_close(&a.w, a.catalog, a.info, id);
    for (unsigned i = 0; i < SCANS; i++)
        scan_free(&a.scans[i]);
}
