/*
 * kind_small.c - a folder of small files: letters of one to three pages, both
 * forms in turn, 3 to 40 KB, some with a small picture
 */
#include "kinds.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "scan.h"
#include "shell.h"

enum { PICTURES = 4 };

static uint32_t
write_picture(struct pdfwriter *w, const struct scan *scan)
{
    uint32_t number = pdfwriter_number(w);
    char dict[200];

    (void)snprintf(dict, sizeof dict,
                   "/Type /XObject /Subtype /Image /Width %u /Height %u "
                   "/ColorSpace /DeviceGray /BitsPerComponent 8 "
                   "/Filter /DCTDecode",
                   scan->width, scan->height); /* fits: two short numbers */
    pdfwriter_stream(w, number, dict, scan->jpeg.bytes, scan->jpeg.n);
    return number;
}

static void
write_letter(const struct gen_request *request, uint32_t i, const char *path,
             const struct scan *pictures)
{
    struct shell s;
    unsigned pages, lines;
    uint32_t image = 0;

    shell_open(&s, path, i % 2 ? PDF_OBJSTM : PDF_CLASSIC,
               request->seed + 1 + i);
    pages = i % 3 == 2 ? 3 : 1 + noise_below(&s.r, 3);
    lines = 44 - noise_below(&s.r, 8);
    if (i % 3 != 2)
        image = write_picture(&s.w, &pictures[noise_below(&s.r, PICTURES)]);
    for (unsigned p = 0; p < pages; p++)
        shell_page(&s, "Statement of account", lines, p == 0 ? image : 0);
    shell_close(&s, " /Lang (en-GB)");
}

void
kind_small(const struct gen_request *request)
{
    struct scan pictures[PICTURES];
    struct text path = { 0 };

    if (mkdir(request->out, 0777) != 0 && errno != EEXIST)
        gen_die("cannot create %s: %s", request->out, strerror(errno));
    for (unsigned i = 0; i < PICTURES; i++)
        scan_make(&pictures[i], 300, 400, 6000 + i * 9000, request->seed + i);
    for (uint32_t i = 0; i < request->count; i++) {
        text_clear(&path);
        text_printf(&path, "%s/letter-%05u.pdf", request->out, i + 1);
        text_add(&path, "", 1);
        write_letter(request, i, path.bytes, pictures);
    }
    for (unsigned i = 0; i < PICTURES; i++)
        scan_free(&pictures[i]);
    text_free(&path);
}
