/* permissions.c - permission options, with the names and effects qpdf has */
#include "cli/permissions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <pdfpipe/options.h>

#define PRINT (PDFPIPE_PERMIT_PRINT | PDFPIPE_PERMIT_PRINT_HIGH)
#define CHANGE                                                                 \
    (PDFPIPE_PERMIT_MODIFY | PDFPIPE_PERMIT_ANNOTATE | PDFPIPE_PERMIT_FORM |   \
     PDFPIPE_PERMIT_ASSEMBLE)

/* clang-format off */
static const struct {
    const char *option;
    const char *word;
    uint32_t decides; /* the bits this option is about */
    uint32_t allows;  /* those of them that get set    */
} effects[] = {
    { "print",         "none",     PRINT,  0 },
    { "print",         "low",      PRINT,  PDFPIPE_PERMIT_PRINT },
    { "print",         "full",     PRINT,  PRINT },
    { "modify",        "none",     CHANGE, 0 },
    { "modify",        "assembly", CHANGE, PDFPIPE_PERMIT_ASSEMBLE },
    { "modify",        "form",     CHANGE, PDFPIPE_PERMIT_ASSEMBLE |
                                           PDFPIPE_PERMIT_FORM },
    { "modify",        "annotate", CHANGE, CHANGE & ~PDFPIPE_PERMIT_MODIFY },
    { "modify",        "all",      CHANGE, CHANGE },
    { "extract",       "y", PDFPIPE_PERMIT_EXTRACT,  PDFPIPE_PERMIT_EXTRACT },
    { "extract",       "n", PDFPIPE_PERMIT_EXTRACT,  0 },
    { "annotate",      "y", PDFPIPE_PERMIT_ANNOTATE, PDFPIPE_PERMIT_ANNOTATE },
    { "annotate",      "n", PDFPIPE_PERMIT_ANNOTATE, 0 },
    { "form",          "y", PDFPIPE_PERMIT_FORM,     PDFPIPE_PERMIT_FORM },
    { "form",          "n", PDFPIPE_PERMIT_FORM,     0 },
    { "assemble",      "y", PDFPIPE_PERMIT_ASSEMBLE, PDFPIPE_PERMIT_ASSEMBLE },
    { "assemble",      "n", PDFPIPE_PERMIT_ASSEMBLE, 0 },
    { "modify-other",  "y", PDFPIPE_PERMIT_MODIFY,   PDFPIPE_PERMIT_MODIFY },
    { "modify-other",  "n", PDFPIPE_PERMIT_MODIFY,   0 },
    /* Reading aloud is always allowed since PDF 2.0. */
    { "accessibility", "y", 0, 0 },
    { "accessibility", "n", 0, 0 },
};
/* clang-format on */

bool
pp_permission_apply(const char *option, const char *word, uint32_t *permissions)
{
    for (size_t i = 0; i < sizeof effects / sizeof effects[0]; i++) {
        if (strcmp(effects[i].option, option) != 0 ||
            strcmp(effects[i].word, word) != 0)
            continue;
        *permissions = (*permissions & ~effects[i].decides) | effects[i].allows;
        return true;
    }
    return false;
}

bool
pp_permission_raw(const char *text, uint32_t *permissions)
{
    char *end = NULL;
    long long v;

    if (*text != '-' && (*text < '0' || *text > '9'))
        return false;
    errno = 0;
    v = strtoll(text, &end, 0);
    if (errno || *end || v < INT32_MIN || v > UINT32_MAX)
        return false;
    *permissions = (uint32_t)v & PDFPIPE_PERMIT_ALL;
    return true;
}
