/* policy_test.c - what is encrypted, what stays clear, what is left out? */
#include "seal/policy.h"

#include <string.h>

#include "check.h"
#include "madepdf.h"

static void
what_becomes_of_an_object(void)
{
    /* clang-format off */
    static const struct {
        const char *what, *text;
        struct pp_policy_facts facts;
        enum pp_treatment want;
    } rows[] = {
        { "string",            "5 0 obj(a)endobj",                    { .number = 5 }, PP_ENCRYPT },
        { "stream",            "5 0 obj<</Length 1>>stream\n",        { .number = 5 }, PP_ENCRYPT },
        { "catalog",           "5 0 obj<</Type/Catalog>>endobj",      { .number = 5 }, PP_ENCRYPT },
        { "xref stream",       "5 0 obj<</Type/XRef>>stream\n",       { .number = 5 }, PP_LEAVE },
        { "xref, no stream",   "5 0 obj<</Type/XRef>>endobj",         { .number = 5 }, PP_ENCRYPT },
        { "live objstm",       "5 0 obj<</Type/ObjStm>>stream\n",     { .number = 5 }, PP_ENCRYPT },
        { "dead objstm",       "5 0 obj<</Type/ObjStm>>stream\n",     { .number = 5, .dead_objstm = true }, PP_PUT_OFF },
        { "dead, no stream",   "5 0 obj<</Type/ObjStm>>endobj",       { .number = 5, .dead_objstm = true }, PP_ENCRYPT },
        { "dead, other type",  "5 0 obj<</Type/X>>stream\n",          { .number = 5, .dead_objstm = true }, PP_ENCRYPT },
        { "linearization",     "5 0 obj<</Linearized 1/L 9>>endobj",      { .number = 5 }, PP_LEAVE },
        { "linearized stream", "5 0 obj<</Linearized 1/L 9>>stream\n",    { .number = 5 }, PP_ENCRYPT },
        { "linearized catalog", "5 0 obj<</Linearized 1/L 9/Type/Catalog>>endobj", { .number = 5 }, PP_ENCRYPT },
        { "linearized array",  "5 0 obj[<</Linearized 1/L 9>>]endobj",    { .number = 5 }, PP_ENCRYPT },
        { "hint stream",       "5 0 obj<</S 1>>stream\n",             { .number = 5, .hint_stream = true }, PP_LEAVE },
        { "hint, no stream",   "5 0 obj<</S 1>>endobj",               { .number = 5, .hint_stream = true }, PP_ENCRYPT },
        { "encryption dictionary", "5 0 obj<</Filter/Standard>>endobj", { .number = 5, .encrypt_object = 5 }, PP_LEAVE },
        { "another object",    "5 0 obj<</Filter/Standard>>endobj",   { .number = 5, .encrypt_object = 6 }, PP_ENCRYPT },
        { "clear metadata",    "5 0 obj<</Type/Metadata>>stream\n",   { .number = 5, .clear_metadata = 5 }, PP_CLEAR },
        { "other metadata",    "5 0 obj<</Type/Metadata>>stream\n",   { .number = 5, .clear_metadata = 6 }, PP_ENCRYPT },
        { "metadata, not asked for", "5 0 obj<</Type/Metadata>>stream\n", { .number = 5 }, PP_ENCRYPT },
        { "metadata, no stream", "5 0 obj<</Type/Metadata>>endobj",   { .number = 5, .clear_metadata = 5 }, PP_ENCRYPT },
        { "metadata that are an xref", "5 0 obj<</Type/XRef>>stream\n", { .number = 5, .clear_metadata = 5 }, PP_LEAVE },
        { "signature",         "5 0 obj<</Type/Sig/ByteRange[]/Contents(a)>>endobj", { .number = 5 }, PP_ENCRYPT },
        { "number 0 is nobody", "0 0 obj<</A 1>>stream\n",            { .number = 0 }, PP_ENCRYPT },
    };
    /* clang-format on */
    struct pp_scanner *scanner;

    if (pp_scanner_new(&scanner, NULL))
        return;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_object o;

        CHECK(pp_object_scan(scanner, view_of(rows[i].text), 0, true,
                             PP_SCAN_INDIRECT, &o, NULL) == PDFPIPE_OK,
              "%s", rows[i].what);
        CHECK(pp_policy(&o, &rows[i].facts) == rows[i].want, "%s",
              rows[i].what);
        CHECK(strlen(pp_policy_reason(&o, &rows[i].facts)) > 10, "%s",
              rows[i].what);
        /* One reason stands for everything that is encrypted. */
        CHECK((strcmp(pp_policy_reason(&o, &rows[i].facts),
                      "everything else is encrypted") == 0) ==
                  (rows[i].want == PP_ENCRYPT),
              "%s", rows[i].what);
    }
    pp_scanner_free(scanner);
}

int
main(void)
{
    what_becomes_of_an_object();
    return check_report("policy");
}
