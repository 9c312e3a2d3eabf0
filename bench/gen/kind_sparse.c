/*
 * kind_sparse.c - a file with a hole, and objects far behind it
 *
 * The hole reads as NUL bytes, white space between two objects, and takes no
 * room on disk.  Page 2, its content, the page tree, the catalog and the
 * cross-reference lie behind it.
 */
#include "kinds.h"

#include "shell.h"

void
kind_sparse(const struct gen_request *request)
{
    struct shell s;
    struct text catalog = { 0 };
    uint32_t edge;

    shell_open(&s, request->out, request->form, request->seed);
    shell_page(&s, "Before the hole", 30, 0);
    edge = pdfwriter_skip(&s.w, request->offset);
    shell_page(&s, "Behind the hole", 30, 0);
    text_printf(&catalog, " /GenEdge %u 0 R", edge);
    text_add(&catalog, "", 1);
    shell_close(&s, catalog.bytes);
    text_free(&catalog);
}
