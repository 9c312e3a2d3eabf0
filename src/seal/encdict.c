/* encdict.c - the encryption dictionary as text */
#include "seal/encdict.h"

#include <inttypes.h>
#include <string.h>

#include "pdf/dict.h"
#include "pdf/string.h"

static bool
put_hex(struct pp_buf *to, const char *name, const uint8_t *p, size_t n)
{
    if (!pp_buf_printf(to, "/%s<", name) || !pp_buf_reserve(to, 2 * n))
        return false;
    pp_hex_encode(p, n, to->p + to->n);
    to->n += 2 * n;
    return pp_buf_append(to, ">", 1);
}

enum pdfpipe_status
pp_encdict_write(const struct pp_handler *h, struct pp_buf *to,
                 struct pdfpipe_error *err)
{
    /* /P is a signed number of 32 bits in two's complement. */
    int64_t p = (int64_t)h->p - (h->p & 0x80000000u ? INT64_C(1) << 32 : 0);

    /* /Length 256 (bits) is for Acrobat and PDFium, /Length 32 (bytes) of the
     * crypt filter for Preview; equal /StmF and /StrF for PDFium. */
    if (!pp_buf_printf(to, "<</Filter/Standard/V 5/R 6/Length 256/P %" PRId64,
                       p) ||
        !put_hex(to, "O", h->o, sizeof h->o) ||
        !put_hex(to, "U", h->u, sizeof h->u) ||
        !put_hex(to, "OE", h->oe, sizeof h->oe) ||
        !put_hex(to, "UE", h->ue, sizeof h->ue) ||
        !put_hex(to, "Perms", h->perms, sizeof h->perms) ||
        !pp_buf_printf(to,
                       "/CF<</StdCF<</AuthEvent/DocOpen/CFM/AESV3/Length 32>>"
                       ">>/StmF/StdCF/StrF/StdCF%s>>",
                       h->encrypt_metadata ? "" : "/EncryptMetadata false"))
        return pp_fail_memory(err);
    return PDFPIPE_OK;
}

/* A string of at least (exact: exactly) n bytes. */
static bool
read_string(struct pp_view dict, const char *name, uint8_t *to, size_t n,
            bool exact)
{
    struct pp_token token;
    struct pp_view v;
    struct pp_lex lex;

    if (!pp_dict_find(dict, name, &v))
        return false;
    lex = pp_lex_over(v);
    pp_lex_next(&lex, &token);
    if ((token.kind != PP_TOK_LITERAL && token.kind != PP_TOK_HEX) ||
        token.decoded < n || (exact && token.decoded != n))
        return false;
    return pp_string_decode(v, to, n) == n;
}

/* /P is written signed by some and unsigned by others. */
static bool
read_p(struct pp_view dict, uint32_t *p)
{
    struct pp_token token;
    struct pp_view v;
    struct pp_lex lex;

    if (!pp_dict_find(dict, "P", &v))
        return false;
    lex = pp_lex_over(v);
    pp_lex_next(&lex, &token);
    if (token.kind != PP_TOK_INTEGER || token.value > UINT32_MAX)
        return false;
    *p = (uint32_t)(token.negative ? 0 - token.value : token.value);
    return true;
}

static bool
is_number(struct pp_view dict, const char *name, uint64_t want)
{
    struct pp_view v;
    uint64_t value;

    return pp_dict_find(dict, name, &v) && pp_value_integer(v, &value) &&
           value == want;
}

static bool
is_name(struct pp_view dict, const char *name, const char *want)
{
    struct pp_view v;

    return pp_dict_find(dict, name, &v) && pp_value_name(v, want);
}

enum pdfpipe_status
pp_encdict_read(struct pp_view dict, struct pp_handler *h,
                struct pdfpipe_error *err)
{
    struct pp_view v;

    *h = (struct pp_handler){ .encrypt_metadata = true };
    if (!is_name(dict, "Filter", "Standard"))
        return pp_fail(err, PDFPIPE_E_UNSUPPORTED,
                       "security handler is not the standard one");
    if (!is_number(dict, "V", 5) || !is_number(dict, "R", 6) ||
        !is_name(dict, "StmF", "StdCF") || !is_name(dict, "StrF", "StdCF"))
        return pp_fail(err, PDFPIPE_E_UNSUPPORTED,
                       "encryption is not /V 5 /R 6 for strings and streams");
    if (!read_string(dict, "U", h->u, sizeof h->u, false) ||
        !read_string(dict, "O", h->o, sizeof h->o, false) ||
        !read_string(dict, "UE", h->ue, sizeof h->ue, true) ||
        !read_string(dict, "OE", h->oe, sizeof h->oe, true) ||
        !read_string(dict, "Perms", h->perms, sizeof h->perms, true) ||
        !read_p(dict, &h->p))
        return pp_fail(err, PDFPIPE_E_DAMAGED_TRAILER,
                       "a value of the encryption dictionary is missing or "
                       "has the wrong length");
    if (pp_dict_find(dict, "EncryptMetadata", &v))
        h->encrypt_metadata = !pp_view_is(v, "false");
    return PDFPIPE_OK;
}
