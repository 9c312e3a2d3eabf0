/* encdict_test.c - is the encryption dictionary the one that readers need? */
#include "seal/encdict.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "madepdf.h"
#include "pdf/dict.h"

/* A handler whose bytes all differ. */
static struct pp_handler
some_handler(void)
{
    struct pp_handler h = { .p = 0xfffffffc, .encrypt_metadata = true };

    for (unsigned i = 0; i < 48; i++) {
        h.u[i] = (uint8_t)i;
        h.o[i] = (uint8_t)(48 + i);
    }
    for (unsigned i = 0; i < 32; i++) {
        h.ue[i] = (uint8_t)(96 + i);
        h.oe[i] = (uint8_t)(128 + i);
    }
    for (unsigned i = 0; i < 16; i++)
        h.perms[i] = (uint8_t)(160 + i);
    return h;
}

static bool
is_same(const struct pp_handler *a, const struct pp_handler *b)
{
    return memcmp(a->u, b->u, 48) == 0 && memcmp(a->o, b->o, 48) == 0 &&
           memcmp(a->ue, b->ue, 32) == 0 && memcmp(a->oe, b->oe, 32) == 0 &&
           memcmp(a->perms, b->perms, 16) == 0 && a->p == b->p &&
           a->encrypt_metadata == b->encrypt_metadata;
}

static void
is_the_text_byte_exact(void)
{
    static const char want[] =
        "<</Filter/Standard/V 5/R 6/Length 256/P -4"
        "/O<303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f50"
        "5152535455565758595a5b5c5d5e5f>"
        "/U<000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20"
        "2122232425262728292a2b2c2d2e2f>"
        "/OE<808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f>"
        "/UE<606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f>"
        "/Perms<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>"
        "/CF<</StdCF<</AuthEvent/DocOpen/CFM/AESV3/Length 32>>>>"
        "/StmF/StdCF/StrF/StdCF>>";
    struct pp_handler h = some_handler();
    struct pp_buf got = { 0 };

    CHECK(pp_encdict_write(&h, &got, NULL) == PDFPIPE_OK, "written");
    CHECK(pp_view_is(pp_buf_view(&got), want), "%.*s", (int)got.n,
          (const char *)got.p);
    CHECK(pp_value_length(pp_buf_view(&got)) == got.n, "one dictionary");
    pp_buf_fini(&got);
}

static void
does_it_read_back(void)
{
    static const uint32_t permissions[] = { 0xfffffffc, 0xfffff0c0, 0x80000000,
                                            0x7fffffff, 1,          0,
                                            0xffffffff };

    for (size_t i = 0; i < sizeof permissions / sizeof permissions[0]; i++)
        for (int metadata = 0; metadata < 2; metadata++) {
            struct pp_handler h = some_handler(), back;
            struct pdfpipe_error err = { .code = PDFPIPE_OK };
            struct pp_buf text = { 0 };

            h.p = permissions[i];
            h.encrypt_metadata = metadata;
            CHECK(pp_encdict_write(&h, &text, NULL) == PDFPIPE_OK, "written");
            CHECK(pp_encdict_read(pp_buf_view(&text), &back, &err) ==
                      PDFPIPE_OK,
                  "%s", err.message);
            CHECK(is_same(&h, &back), "/P %x", permissions[i]);
            pp_buf_fini(&text);
        }
}

#define U48                                                                    \
    "<000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f2021222" \
    "32425262728292a2b2c2d2e2f"
#define O48                                                                    \
    "<303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f5051525" \
    "35455565758595a5b5c5d5e5f"
#define OE32    "<808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f"
#define UE32    "<606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f"
#define PERMS16 "<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"
#define VALUES                                                                 \
    "/U" U48 ">/O" O48 ">/UE" UE32 ">/OE" OE32 ">/Perms" PERMS16 ">/P -4"
#define NAMES "/StmF/StdCF/StrF/StdCF"

static void
what_is_read_from_other_writers(void)
{
    /* clang-format off */
    static const struct {
        const char *what, *dict;
        enum pdfpipe_status want;
    } rows[] = {
        { "in another order",  "<<" VALUES NAMES "/R 6/V 5/Filter/Standard>>", PDFPIPE_OK },
        { "escaped names",     "<<" VALUES NAMES "/#52 6/#56 5/Filter/St#61ndard>>", PDFPIPE_OK },
        { "padded to 127",     "<</Filter/Standard/V 5/R 6" NAMES "/U" U48 "00000000>/O" O48 "0000>/UE" UE32 ">/OE" OE32 ">/Perms" PERMS16 ">/P -4>>", PDFPIPE_OK },
        { "unsigned /P",       "<</Filter/Standard/V 5/R 6" NAMES "/U" U48 ">/O" O48 ">/UE" UE32 ">/OE" OE32 ">/Perms" PERMS16 ">/P 4294967292>>", PDFPIPE_OK },
        { "metadata true",     "<<" VALUES NAMES "/R 6/V 5/Filter/Standard/EncryptMetadata true>>", PDFPIPE_OK },
        { "other handler",     "<<" VALUES NAMES "/R 6/V 5/Filter/Adobe.PubSec>>", PDFPIPE_E_UNSUPPORTED },
        { "no handler",        "<<" VALUES NAMES "/R 6/V 5>>", PDFPIPE_E_UNSUPPORTED },
        { "revision 5",        "<<" VALUES NAMES "/R 5/V 5/Filter/Standard>>", PDFPIPE_E_UNSUPPORTED },
        { "revision 9",        "<<" VALUES NAMES "/R 9/V 5/Filter/Standard>>", PDFPIPE_E_UNSUPPORTED },
        { "no revision",       "<<" VALUES NAMES "/V 5/Filter/Standard>>", PDFPIPE_E_UNSUPPORTED },
        { "/V 4",              "<<" VALUES NAMES "/R 6/V 4/Filter/Standard>>", PDFPIPE_E_UNSUPPORTED },
        { "clear streams",     "<<" VALUES "/StmF/Identity/StrF/StdCF/R 6/V 5/Filter/Standard>>", PDFPIPE_E_UNSUPPORTED },
        { "clear strings",     "<<" VALUES "/StmF/StdCF/R 6/V 5/Filter/Standard>>", PDFPIPE_E_UNSUPPORTED },
        { "/U of 47 bytes",    "<</Filter/Standard/V 5/R 6" NAMES "/U<000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e>/O" O48 ">/UE" UE32 ">/OE" OE32 ">/Perms" PERMS16 ">/P -4>>", PDFPIPE_E_DAMAGED_TRAILER },
        { "no /O",             "<</Filter/Standard/V 5/R 6" NAMES "/U" U48 ">/UE" UE32 ">/OE" OE32 ">/Perms" PERMS16 ">/P -4>>", PDFPIPE_E_DAMAGED_TRAILER },
        { "/UE of 33 bytes",   "<</Filter/Standard/V 5/R 6" NAMES "/U" U48 ">/O" O48 ">/UE" UE32 "80>/OE" OE32 ">/Perms" PERMS16 ">/P -4>>", PDFPIPE_E_DAMAGED_TRAILER },
        { "/OE of 31 bytes",   "<</Filter/Standard/V 5/R 6" NAMES "/U" U48 ">/O" O48 ">/UE" UE32 ">/OE<808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e>/Perms" PERMS16 ">/P -4>>", PDFPIPE_E_DAMAGED_TRAILER },
        { "/Perms of 15",      "<</Filter/Standard/V 5/R 6" NAMES "/U" U48 ">/O" O48 ">/UE" UE32 ">/OE" OE32 ">/Perms<a0a1a2a3a4a5a6a7a8a9aaabacadae>/P -4>>", PDFPIPE_E_DAMAGED_TRAILER },
        { "/U a name",         "<</Filter/Standard/V 5/R 6" NAMES "/U/X/O" O48 ">/UE" UE32 ">/OE" OE32 ">/Perms" PERMS16 ">/P -4>>", PDFPIPE_E_DAMAGED_TRAILER },
        { "no /P",             "<</Filter/Standard/V 5/R 6" NAMES "/U" U48 ">/O" O48 ">/UE" UE32 ">/OE" OE32 ">/Perms" PERMS16 ">>>", PDFPIPE_E_DAMAGED_TRAILER },
        { "/P too large",      "<</Filter/Standard/V 5/R 6" NAMES "/U" U48 ">/O" O48 ">/UE" UE32 ">/OE" OE32 ">/Perms" PERMS16 ">/P 4294967296>>", PDFPIPE_E_DAMAGED_TRAILER },
        { "/P a real",         "<</Filter/Standard/V 5/R 6" NAMES "/U" U48 ">/O" O48 ">/UE" UE32 ">/OE" OE32 ">/Perms" PERMS16 ">/P -4.0>>", PDFPIPE_E_DAMAGED_TRAILER },
        { "no dictionary",     "[5]", PDFPIPE_E_UNSUPPORTED },
        { "nothing",           "", PDFPIPE_E_UNSUPPORTED },
    };
    /* clang-format on */
    struct pp_handler h = some_handler();

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_view dict = view_copy(view_of(rows[i].dict));
        struct pdfpipe_error err = { .code = PDFPIPE_OK };
        struct pp_handler got;
        enum pdfpipe_status st = pp_encdict_read(dict, &got, &err);

        CHECK(st == rows[i].want && err.code == st, "%s: %d %s", rows[i].what,
              (int)st, err.message);
        if (st == PDFPIPE_OK)
            CHECK(is_same(&h, &got), "%s", rows[i].what);
        view_free(dict);
    }
}

/* Binary strings as some writers have them, with every escape. */
static void
may_a_value_be_a_literal_string(void)
{
    struct pp_handler h = some_handler(), got;
    struct pdfpipe_error err = { .code = PDFPIPE_OK };
    struct pp_buf text = { 0 };

    for (unsigned i = 0; i < 48; i++) /* ( ) \ CR among them */
        h.u[i] = (uint8_t)(i * 37 + 3);
    h.u[0] = '(';
    h.u[1] = ')';
    h.u[2] = '\\';
    h.u[3] = '\r';
    (void)pp_buf_printf(&text, "<</Filter/Standard/V 5/R 6%s/U(", NAMES);
    for (unsigned i = 0; i < 48; i++) {
        if (strchr("()\\\r", h.u[i]) || h.u[i] == 0)
            (void)pp_buf_printf(&text, "\\%03o", h.u[i]);
        else
            (void)pp_buf_append(&text, &h.u[i], 1);
    }
    (void)pp_buf_printf(&text, ")/O%s>/UE%s>/OE%s>/Perms%s>/P -4>>", O48, UE32,
                        OE32, PERMS16);
    CHECK(pp_encdict_read(pp_buf_view(&text), &got, &err) == PDFPIPE_OK, "%s",
          err.message);
    CHECK(is_same(&h, &got), "the same values");
    pp_buf_fini(&text);
}

int
main(void)
{
    is_the_text_byte_exact();
    does_it_read_back();
    what_is_read_from_other_writers();
    may_a_value_be_a_literal_string();
    return check_report("encdict");
}
