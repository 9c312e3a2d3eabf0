/* kind_stream.c - one page, and an attached file of any size */
#include "kinds.h"

#include <endian.h>

#include "shell.h"
#include "wording.h"

enum { PIECE = 64 * 1024 };

static void
write_noise(struct pdfwriter *w, uint64_t size, struct noise *r)
{
    uint64_t piece[PIECE / sizeof(uint64_t)];

    while (size > 0) {
        size_t n = size < sizeof piece ? (size_t)size : sizeof piece;

        for (size_t i = 0; i < PIECE / sizeof(uint64_t); i++)
            piece[i] = htole64(noise_next(r));
        pdfwriter_stream_piece(w, piece, n);
        size -= n;
    }
}

void
kind_stream(const struct gen_request *request)
{
    struct shell s;
    struct noise r = noise_for(request->seed, 1);
    struct text dict = { 0 }, catalog = { 0 };
    uint32_t file, spec;
    struct text *t;

    shell_open(&s, request->out, request->form, request->seed);
    shell_page(&s, "One large attachment", 20, 0);
    file = pdfwriter_number(&s.w);
    spec = pdfwriter_number(&s.w);

    text_printf(&dict, "/Type /EmbeddedFile /Params <</Size %llu /ModDate ",
                (unsigned long long)request->size);
    wording_date(&dict, &s.r);
    text_printf(&dict, ">>");
    text_add(&dict, "", 1);
    pdfwriter_stream_begin(&s.w, file, dict.bytes, request->size);
    write_noise(&s.w, request->size, &r);
    pdfwriter_stream_end(&s.w);

    t = pdfwriter_begin(&s.w, spec);
    text_printf(t,
                "<</Type /Filespec /F (tape.bin) /UF (tape.bin) /EF <</F %u "
                "0 R>> /Desc ",
                file);
    wording_string(t, &s.r, 5);
    text_printf(t, ">>");
    pdfwriter_end(&s.w);

    text_printf(&catalog,
                " /Names <</EmbeddedFiles <</Names [(tape.bin) %u 0 R]>>>>",
                spec);
    text_add(&catalog, "", 1);
    shell_close(&s, catalog.bytes);
    text_free(&dict);
    text_free(&catalog);
}
