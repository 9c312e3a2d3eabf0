/*
 * object_test.c - does the scanner see where an object ends and which of its
 *                 bytes must not be copied as they are?
 */
#include "pdf/object.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "madepdf.h"
#include "pdf/lex.h"

static struct pp_scanner *scanner;

static const char *
type_name(enum pp_object_type type)
{
    switch (type) {
    case PP_TYPE_OTHER: return "";
    case PP_TYPE_XREF: return " xref";
    case PP_TYPE_OBJSTM: return " objstm";
    case PP_TYPE_CATALOG: return " catalog";
    }
    return " ?";
}

static void
print_marks(const struct pp_object *o, struct pp_view text, struct pp_buf *to)
{
    for (size_t i = 0; i < o->marks; i++) {
        const struct pp_mark *m = &o->mark[i];
        const char *kind = m->kind == PP_MARK_COMMENT  ? "comment"
                           : m->kind == PP_MARK_LENGTH ? "length"
                           : m->signature              ? "clear"
                                                       : "string";

        (void)pp_buf_printf(to, " %s:", kind);
        (void)pp_buf_append(to, text.p + m->at, m->len);
        if (m->kind == PP_MARK_STRING)
            (void)pp_buf_printf(to, "=%zu", m->decoded);
    }
}

static void
print_flags(const struct pp_object *o, struct pp_buf *to)
{
    static const struct {
        unsigned bit;
        const char *name;
    } odd[] = {
        { PP_ODD_TOKEN, "token" },    { PP_ODD_HEX, "hex" },
        { PP_ODD_EXTRA, "extra" },    { PP_ODD_NO_ENDOBJ, "endobj" },
        { PP_ODD_STREAM_EOL, "eol" }, { PP_ODD_SIGNATURE, "signature" },
    };

    (void)pp_buf_printf(to, "%s%s%s%s%s%s%s%s", o->dictionary ? " dict" : "",
                        o->stream ? " stream" : "", type_name(o->type),
                        o->crypt ? " crypt" : "", o->external ? " /F" : "",
                        o->linearized ? " linearized" : "",
                        o->signature ? " signed" : "",
                        o->integer ? " integer" : "");
    if (o->integer)
        (void)pp_buf_printf(to, "=%" PRIu64, o->value);
    if (o->length_kind == PP_LENGTH_DIRECT)
        (void)pp_buf_printf(to, " len=%" PRIu64, o->length);
    if (o->length_kind == PP_LENGTH_REFERENCE)
        (void)pp_buf_printf(to, " len=%u.%u", o->length_ref.number,
                            o->length_ref.generation);
    if (o->highest_ref)
        (void)pp_buf_printf(to, " ref=%" PRIu64, o->highest_ref);
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++)
        if (o->odd & odd[i].bit)
            (void)pp_buf_printf(to, " odd-%s", odd[i].name);
    if (o->odd)
        (void)pp_buf_printf(to, "@%zu", o->odd_at);
}

/*
 * What a scan says, as one line: number, generation, |body|, marks, flags, and
 * behind > the text that the scan left (its data, if it is a stream).
 */
static void
print_scan(enum pdfpipe_status st, const struct pp_object *o,
           const struct pdfpipe_error *err, struct pp_view text,
           struct pp_buf *to)
{
    to->n = 0;
    if (st) {
        (void)pp_buf_printf(to, "%s @%" PRIu64 ": %s", pdfpipe_status_id(st),
                            err->offset, err->message);
        return;
    }
    (void)pp_buf_printf(to, "%u %u |", o->number, o->generation);
    (void)pp_buf_append(to, text.p + o->body, o->body_end - o->body);
    (void)pp_buf_append(to, "|", 1);
    print_marks(o, text, to);
    print_flags(o, to);
    (void)pp_buf_append(to, " >", 2);
    (void)pp_buf_append(to, text.p + o->end, text.n - o->end);
}

/* clang-format off */
static const struct {
    const char *what;
    const char *text;
    const char *want;
} rows[] = {
    /* values */
    { "integer",            "1 0 obj 5 endobj",             "1 0 |5| integer=5 >" },
    { "negative integer",   "1 0 obj -5 endobj",            "1 0 |-5| integer=0 >" },
    { "saturated integer",  "1 0 obj 99999999999999999999 endobj", "1 0 |99999999999999999999| integer=18446744073709551615 >" },
    { "real",               "1 0 obj 5.0 endobj",           "1 0 |5.0| >" },
    { "null",               "1 0 obj null endobj",          "1 0 |null| >" },
    { "true",               "1 0 obj true endobj",          "1 0 |true| >" },
    { "name",               "1 0 obj/A endobj",             "1 0 |/A| >" },
    { "string",             "1 0 obj(a)endobj",             "1 0 |(a)| string:(a)=1 >" },
    { "hexadecimal string", "1 0 obj<41>endobj",            "1 0 |<41>| string:<41>=1 >" },
    { "array",              "1 0 obj[1(a)2]endobj",         "1 0 |[1(a)2]| string:(a)=1 >" },
    { "dictionary",         "1 0 obj<</A(a)>>endobj",       "1 0 |<</A(a)>>| string:(a)=1 dict >" },
    { "nothing",            "1 0 obj endobj",               "1 0 || >" },
    { "nothing, comment",   "1 0 obj%secret\nendobj",       "1 0 || comment:%secret >" },
    { "reference",          "1 0 obj 7 2 R endobj",         "1 0 |7 2 R| comment:  comment:  ref=7 >" },
    { "reference, comments", "1 0 obj 7%a\n2%b\nR endobj",  "1 0 |7%a\n2%b\nR| comment:%a\n comment:%b\n ref=7 >" },
    { "two integers",       "1 0 obj 7 2 endobj",           "1 0 |7| integer=7 odd-extra@10 >" },
    { "three integers",     "1 0 obj 7 2 3 endobj",         "1 0 |7| integer=7 odd-extra@10 >" },
    { "unknown word",       "1 0 obj foo endobj",           "1 0 |foo| odd-token@8 >" },
    { "generation",         "12 3 obj 5 endobj",            "12 3 |5| integer=5 >" },
    { "white space",        " \r\n%c\n1%c\n0 %c\nobj\t5\0\nendobj ", "1 0 |5| integer=5 odd-endobj@20 >" },
    { "what follows",       "1 0 obj 5 endobj\n2 0 obj",    "1 0 |5| integer=5 >\n2 0 obj" },
    /* the header */
    { "no object",          "5",                            "damaged_object @0: no object begins here" },
    { "text",               "abc def ghi",                  "damaged_object @0: no object begins here" },
    { "empty",              "",                             "damaged_object @0: no object begins here" },
    { "negative number",    "-1 0 obj 5 endobj",            "damaged_object @0: no object begins here" },
    { "number too large",   "4294967296 0 obj 5 endobj",    "damaged_object @0: no object begins here" },
    { "largest number",     "4294967295 4294967295 obj 5 endobj", "4294967295 4294967295 |5| integer=5 >" },
    { "obj glued",          "1 0 obj5 endobj",              "damaged_object @0: no object begins here" },
    { "obj in capitals",    "1 0 OBJ 5 endobj",             "damaged_object @0: no object begins here" },
    { "cut header",         "1 0",                          "damaged_object @0: no object begins here" },
    { "cut behind header",  "1 0 obj",                      "damaged_object @7: object has no value" },
    /* the end */
    { "no endobj, end",     "1 0 obj 5 ",                   "1 0 |5| integer=5 odd-endobj@10 > " },
    { "no endobj, object",  "1 0 obj 5\n2 0 obj 6 endobj",  "1 0 |5| integer=5 odd-endobj@14 >\n2 0 obj 6 endobj" },
    { "no endobj, object, dict", "1 0 obj<<>>2 0 obj 6 endobj", "1 0 |<<>>| dict odd-endobj@15 >2 0 obj 6 endobj" },
    { "no endobj, xref",    "1 0 obj(a)\nxref\n0 1",        "1 0 |(a)| string:(a)=1 odd-endobj@11 >\nxref\n0 1" },
    { "no endobj, trailer", "1 0 obj(a)trailer<<>>",        "1 0 |(a)| string:(a)=1 odd-endobj@10 >trailer<<>>" },
    { "no endobj, startxref", "1 0 obj(a)startxref 5",      "1 0 |(a)| string:(a)=1 odd-endobj@10 >startxref 5" },
    { "nothing, then object", "1 0 obj xref",               "1 0 || odd-endobj@8 >xref" },
    { "endobj glued",       "1 0 obj 5 endobj2 0 obj",      "1 0 |5| integer=5 >2 0 obj" },
    { "endobj misspelt",    "1 0 obj(a)endobjx endobj",     "1 0 |(a)| string:(a)=1 odd-extra@10 >" },
    { "comment before endobj", "1 0 obj(a)%secret\nendobj", "1 0 |(a)| string:(a)=1 >" },
    { "extra string",       "1 0 obj(a)(b)endobj",          "1 0 |(a)| string:(a)=1 odd-extra@10 >" },
    { "extra integer",      "1 0 obj(a)5 endobj",           "1 0 |(a)| string:(a)=1 odd-extra@10 >" },
    { "extra, then object", "1 0 obj(a)4 5 6 obj",          "1 0 |(a)| string:(a)=1 odd-extra odd-endobj@10 >4 5 6 obj" },
    { "extra, open string", "1 0 obj(a)(b endobj",          "damaged_object @10: string is not closed" },
    { "no value, next object", "1 0 obj 2 0 obj 5 endobj",  "1 0 |2| integer=2 odd-extra@10 >" },
    /* streams */
    { "stream, LF",         "1 0 obj<<>>stream\nDATA",      "1 0 |<<>>| dict stream >DATA" },
    { "stream, CR LF",      "1 0 obj<<>>stream\r\nDATA",    "1 0 |<<>>| dict stream >DATA" },
    { "stream, CR",         "1 0 obj<<>>stream\rDATA",      "1 0 |<<>>| dict stream odd-eol@17 >DATA" },
    { "stream, blanks",     "1 0 obj<<>>stream \t\nDATA",   "1 0 |<<>>| dict stream odd-eol@17 >DATA" },
    { "stream, blanks, CR", "1 0 obj<<>>stream \rDATA",     "1 0 |<<>>| dict stream odd-eol@17 >DATA" },
    { "stream, nothing",    "1 0 obj<<>>stream<DATA",       "1 0 |<<>>| dict stream odd-eol@17 ><DATA" },
    { "stream, blank only", "1 0 obj<<>>stream DATA",       "1 0 |<<>>| dict stream odd-eol@17 > DATA" },
    { "stream, data with LF", "1 0 obj<<>>stream\n\nDATA",  "1 0 |<<>>| dict stream >\nDATA" },
    { "stream, data with CR", "1 0 obj<<>>stream\n\rDATA",  "1 0 |<<>>| dict stream >\rDATA" },
    { "stream, no data",    "1 0 obj<<>>stream",            "1 0 |<<>>| dict stream odd-eol@17 >" },
    { "stream, comment",    "1 0 obj<<>>%c\nstream\nDATA",  "1 0 |<<>>| dict stream >DATA" },
    { "stream of no dictionary", "1 0 obj[]stream\nendobj", "1 0 |[]| odd-extra@9 >" },
    /* /Length */
    { "direct",             "1 0 obj<</Length 5>>stream\n", "1 0 |<</Length 5>>| length:5 dict stream len=5 >" },
    { "indirect",           "1 0 obj<</Length 5 0 R>>stream\n", "1 0 |<</Length 5 0 R>>| length:5 0 R dict stream len=5.0 ref=5 >" },
    { "escaped name",       "1 0 obj<</Le#6Egth 5>>stream\n", "1 0 |<</Le#6Egth 5>>| length:5 dict stream len=5 >" },
    { "negative",           "1 0 obj<</Length -5>>stream\n", "1 0 |<</Length -5>>| length:-5 dict stream >" },
    { "real length",        "1 0 obj<</Length 5.0>>stream\n", "1 0 |<</Length 5.0>>| length:5.0 dict stream >" },
    { "missing",            "1 0 obj<</A 5>>stream\n",      "1 0 |<</A 5>>| dict stream >" },
    { "no value",           "1 0 obj<</Length>>stream\n",   "1 0 |<</Length>>| dict stream odd-token@16 >" },
    { "two, the last counts", "1 0 obj<</Length 5/Length 6>>stream\n", "1 0 |<</Length 5/Length 6>>| length:5 length:6 dict stream len=6 >" },
    { "direct, then indirect", "1 0 obj<</Length 5/Length 6 0 R>>stream\n", "1 0 |<</Length 5/Length 6 0 R>>| length:5 length:6 0 R dict stream len=6.0 ref=6 >" },
    { "indirect, then direct", "1 0 obj<</Length 6 0 R/Length 5>>stream\n", "1 0 |<</Length 6 0 R/Length 5>>| length:6 0 R length:5 dict stream len=5 ref=6 >" },
    { "direct, then null",  "1 0 obj<</Length 5/Length null>>stream\n", "1 0 |<</Length 5/Length null>>| length:5 length:null dict stream >" },
    { "a name",             "1 0 obj<</Length/X>>stream\n", "1 0 |<</Length/X>>| length:/X dict stream >" },
    { "a string",           "1 0 obj<</Length(x)>>stream\n", "1 0 |<</Length(x)>>| length:(x) string:(x)=1 dict stream >" },
    { "an array",           "1 0 obj<</Length[5(x)%c\n]/A(y)>>stream\n", "1 0 |<</Length[5(x)%c\n]/A(y)>>| length:[5(x)%c\n] string:(x)=1 comment:%c string:(y)=1 dict stream >" },
    { "a dictionary",       "1 0 obj<</Length<</Length 5>>>>stream\n", "1 0 |<</Length<</Length 5>>>>| length:<</Length 5>> dict stream >" },
    { "no value, then a key", "1 0 obj<</Length/A/B(c)>>stream\n", "1 0 |<</Length/A/B(c)>>| length:/A string:(c)=1 dict stream >" },
    { "no stream",          "1 0 obj<</Length 5/A(b)>>endobj", "1 0 |<</Length 5/A(b)>>| string:(b)=1 dict len=5 >" },
    { "no stream, string",  "1 0 obj<</Length(x)/A(b)>>endobj", "1 0 |<</Length(x)/A(b)>>| string:(x)=1 string:(b)=1 dict >" },
    { "no stream, array",   "1 0 obj<</Length[(x)%c\n]>>endobj", "1 0 |<</Length[(x)%c\n]>>| string:(x)=1 comment:%c dict >" },
    { "no stream, reference", "1 0 obj<</Length 5 0%c\nR>>endobj", "1 0 |<</Length 5 0%c\nR>>| comment:%c dict len=5.0 ref=5 >" },
    { "comment in the reference", "1 0 obj<</Length 5%x\n0%y\n%z\nR>>stream\n", "1 0 |<</Length 5%x\n0%y\n%z\nR>>| length:5%x\n0%y\n%z\nR comment:%x comment:%y comment:%z dict stream len=5.0 ref=5 >" },
    { "comment before the value", "1 0 obj<</Length%x\n5 0 R>>stream\n", "1 0 |<</Length%x\n5 0 R>>| comment:%x length:5 0 R dict stream len=5.0 ref=5 >" },
    { "three integers",     "1 0 obj<</Length 5 6 0 R>>stream\n", "1 0 |<</Length 5 6 0 R>>| length:5 dict stream len=5 ref=6 odd-token@19 >" },
    { "not of the stream",  "1 0 obj<</A<</Length 5>>>>stream\n", "1 0 |<</A<</Length 5>>>>| dict stream >" },
    { "in an array",        "1 0 obj[<</Length 5>>]endobj", "1 0 |[<</Length 5>>]| >" },
    { "saturated",          "1 0 obj<</Length 99999999999999999999>>stream\n", "1 0 |<</Length 99999999999999999999>>| length:99999999999999999999 dict stream len=18446744073709551615 >" },
    /* what kind of object */
    { "xref stream",        "1 0 obj<</Type/XRef>>stream\n", "1 0 |<</Type/XRef>>| dict stream xref >" },
    { "object stream",      "1 0 obj<</Type /ObjStm>>stream\n", "1 0 |<</Type /ObjStm>>| dict stream objstm >" },
    { "catalog",            "1 0 obj<</Type/Cat#61log>>endobj", "1 0 |<</Type/Cat#61log>>| dict catalog >" },
    { "type inside",        "1 0 obj<</A<</Type/XRef>>>>endobj", "1 0 |<</A<</Type/XRef>>>>| dict >" },
    { "type, the last",     "1 0 obj<</Type/XRef/Type/X>>endobj", "1 0 |<</Type/XRef/Type/X>>| dict >" },
    { "crypt filter",       "1 0 obj<</Filter/Crypt>>stream\n", "1 0 |<</Filter/Crypt>>| dict stream crypt >" },
    { "crypt in an array",  "1 0 obj<</Filter[/Crypt/A]>>stream\n", "1 0 |<</Filter[/Crypt/A]>>| dict stream crypt >" },
    { "crypt, second",      "1 0 obj<</Filter[/A/C#72ypt]>>stream\n", "1 0 |<</Filter[/A/C#72ypt]>>| dict stream crypt >" },
    { "crypt elsewhere",    "1 0 obj<</A/Crypt/B[/Crypt]>>stream\n", "1 0 |<</A/Crypt/B[/Crypt]>>| dict stream >" },
    { "crypt deeper",       "1 0 obj<</A<</Filter/Crypt>>>>stream\n", "1 0 |<</A<</Filter/Crypt>>>>| dict stream >" },
    { "external",           "1 0 obj<</F(x)>>stream\n",     "1 0 |<</F(x)>>| string:(x)=1 dict stream /F >" },
    { "linearized",         "1 0 obj<</Linearized 1.0/L 9/H[5 6]>>endobj", "1 0 |<</Linearized 1.0/L 9/H[5 6]>>| dict linearized >" },
    { "no parameters",      "1 0 obj<</Linearized 1/H[5 6]>>endobj", "1 0 |<</Linearized 1/H[5 6]>>| dict >" },
    { "only a word",        "1 0 obj<</Linearized false/L 9>>endobj", "1 0 |<</Linearized false/L 9>>| dict >" },
    { "linearized catalog", "1 0 obj<</Linearized 1/L 9/Type/Catalog>>endobj", "1 0 |<</Linearized 1/L 9/Type/Catalog>>| dict catalog >" },
    { "linearized page",    "1 0 obj<</Type/Page/Linearized 1>>endobj", "1 0 |<</Type/Page/Linearized 1>>| dict >" },
    /* references */
    { "highest",            "1 0 obj[3 0 R 9 0 R 4 0 R]endobj", "1 0 |[3 0 R 9 0 R 4 0 R]| ref=9 >" },
    { "highest that can be", "1 0 obj[8388606 0 R 8388607 0 R]endobj", "1 0 |[8388606 0 R 8388607 0 R]| ref=8388606 >" },
    { "in a string",        "1 0 obj(9 0 R)endobj",         "1 0 |(9 0 R)| string:(9 0 R)=5 >" },
    { "in a comment",       "1 0 obj[%9 0 R\n]endobj",      "1 0 |[%9 0 R\n]| comment:%9 0 R >" },
    { "comment between",    "1 0 obj[9%a\n0%b\nR]endobj",   "1 0 |[9%a\n0%b\nR]| comment:%a comment:%b ref=9 >" },
    { "negative reference", "1 0 obj[-9 0 R]endobj",        "1 0 |[-9 0 R]| odd-token@13 >" },
    { "R alone",            "1 0 obj[9 R]endobj",           "1 0 |[9 R]| odd-token@10 >" },
    { "R glued",            "1 0 obj[9 0 R7 0 R]endobj",    "damaged_object @12: a number is glued to a reference" },
    { "in a dictionary",    "1 0 obj<</A 9 0 R/B 7 0 R>>endobj", "1 0 |<</A 9 0 R/B 7 0 R>>| dict ref=9 >" },
    /* comments */
    { "comments everywhere", "1 0 obj%1\n<<%2\n/A%3\n[%4\n(%n)%5\n]%6\n>>%7\nendobj", "1 0 |<<%2\n/A%3\n[%4\n(%n)%5\n]%6\n>>| comment:%1 comment:%2 comment:%3 comment:%4 string:(%n)=2 comment:%5 comment:%6 dict >" },
    { "comment with endobj", "1 0 obj[%endobj\n]endobj",    "1 0 |[%endobj\n]| comment:%endobj >" },
    { "comment with brackets", "1 0 obj[%)>>]<</(\n]endobj", "1 0 |[%)>>]<</(\n]| comment:%)>>]<</( >" },
    /* signatures */
    { "signature",          "1 0 obj<</Type/Sig/ByteRange[0 1]/Contents<00>/Reason(r)>>endobj", "1 0 |<</Type/Sig/ByteRange[0 1]/Contents<00>/Reason(r)>>| clear:<00>=1 string:(r)=1 dict signed >" },
    { "contents first",     "1 0 obj<</Contents<00>/ByteRange[0 1]/Type/Sig>>endobj", "1 0 |<</Contents<00>/ByteRange[0 1]/Type/Sig>>| clear:<00>=1 dict signed >" },
    { "time stamp",         "1 0 obj<</Type/DocTimeStamp/Contents(a)/ByteRange[]>>endobj", "1 0 |<</Type/DocTimeStamp/Contents(a)/ByteRange[]>>| clear:(a)=1 dict signed >" },
    { "no type",            "1 0 obj<</Contents(a)/ByteRange[]>>endobj", "1 0 |<</Contents(a)/ByteRange[]>>| clear:(a)=1 dict signed >" },
    { "other type",         "1 0 obj<</Type/Annot/Contents(a)/ByteRange[]>>endobj", "1 0 |<</Type/Annot/Contents(a)/ByteRange[]>>| string:(a)=1 dict >" },
    { "other type behind",  "1 0 obj<</Contents(a)/ByteRange[]/Type/Annot>>endobj", "1 0 |<</Contents(a)/ByteRange[]/Type/Annot>>| string:(a)=1 dict >" },
    { "annotation",         "1 0 obj<</Type/Annot/Contents(secret)>>endobj", "1 0 |<</Type/Annot/Contents(secret)>>| string:(secret)=6 dict >" },
    { "range by reference", "1 0 obj<</Contents(a)/ByteRange 5 0 R>>endobj", "1 0 |<</Contents(a)/ByteRange 5 0 R>>| clear:(a)=1 dict signed ref=5 >" },
    { "range no array",     "1 0 obj<</Contents(a)/ByteRange 5>>endobj", "1 0 |<</Contents(a)/ByteRange 5>>| string:(a)=1 dict >" },
    { "no range",           "1 0 obj<</Type/Sig/Contents(a)>>endobj", "1 0 |<</Type/Sig/Contents(a)>>| string:(a)=1 dict odd-signature@30 >" },
    { "indirect contents",  "1 0 obj<</Type/Sig/Contents 5 0 R/ByteRange[]>>endobj", "1 0 |<</Type/Sig/Contents 5 0 R/ByteRange[]>>| dict signed ref=5 odd-signature@45 >" },
    { "contents an array",  "1 0 obj<</Contents[(a)]/ByteRange[]>>endobj", "1 0 |<</Contents[(a)]/ByteRange[]>>| string:(a)=1 dict signed odd-signature@35 >" },
    { "nested",             "1 0 obj<</V<</ByteRange[]/Contents(a)>>/Contents(b)>>endobj", "1 0 |<</V<</ByteRange[]/Contents(a)>>/Contents(b)>>| clear:(a)=1 string:(b)=1 dict signed >" },
    { "range outside",      "1 0 obj<</ByteRange[]/V<</Contents(a)>>>>endobj", "1 0 |<</ByteRange[]/V<</Contents(a)>>>>| string:(a)=1 dict signed >" },
    { "range deeper",       "1 0 obj<</A[/ByteRange[]]/Contents(a)>>endobj", "1 0 |<</A[/ByteRange[]]/Contents(a)>>| string:(a)=1 dict >" },
    { "in an array",        "1 0 obj[<</ByteRange[]/Contents(a)>>(b)]endobj", "1 0 |[<</ByteRange[]/Contents(a)>>(b)]| clear:(a)=1 string:(b)=1 signed >" },
    { "escaped names",      "1 0 obj<</#42yteRange[]/C#6fntents(a)>>endobj", "1 0 |<</#42yteRange[]/C#6fntents(a)>>| clear:(a)=1 dict signed >" },
    { "string behind contents", "1 0 obj<</ByteRange[]/Contents(a)(b)>>endobj", "1 0 |<</ByteRange[]/Contents(a)(b)>>| clear:(a)=1 string:(b)=1 dict signed odd-token@33 >" },
    { "contents twice",     "1 0 obj<</ByteRange[]/Contents(a)/Contents(b)>>endobj", "1 0 |<</ByteRange[]/Contents(a)/Contents(b)>>| string:(a)=1 clear:(b)=1 dict signed >" },
    /* oddities */
    { "key without value",  "1 0 obj<</A>>endobj",          "1 0 |<</A>>| dict odd-token@11 >" },
    { "string for a key",   "1 0 obj<<(a)/B 1>>endobj",     "1 0 |<<(a)/B 1>>| string:(a)=1 dict odd-token@9 >" },
    { "dictionary for a key", "1 0 obj<<<</A(a)>>/B 1>>endobj", "1 0 |<<<</A(a)>>/B 1>>| string:(a)=1 dict odd-token@9 >" },
    { "integer for a key",  "1 0 obj<<5/B 1>>endobj",       "1 0 |<<5/B 1>>| dict odd-token@9 >" },
    { "two values",         "1 0 obj<</A 1 2/B 3>>endobj",  "1 0 |<</A 1 2/B 3>>| dict odd-token@14 >" },
    { "three values",       "1 0 obj<</A 1 2 3/B 3>>endobj", "1 0 |<</A 1 2 3/B 3>>| dict odd-token@14 >" },
    { "null for a key",     "1 0 obj<<null/B 1>>endobj",    "1 0 |<<null/B 1>>| dict odd-token@9 >" },
    { "real for a key",     "1 0 obj<<1.5/B 1>>endobj",     "1 0 |<<1.5/B 1>>| dict odd-token@9 >" },
    { "unknown value",      "1 0 obj<</A b(c)>>endobj",     "1 0 |<</A b(c)>>| string:(c)=1 dict odd-token@12 >" },
    { "braces inside",      "1 0 obj[{(a)}]endobj",         "1 0 |[{(a)}]| string:(a)=1 odd-token@8 >" },
    { "brace alone",        "1 0 obj{endobj",               "damaged_object @7: a bracket without its partner" },
    { "bad digit",          "1 0 obj<4z>endobj",            "1 0 |<4z>| string:<4z>=1 odd-hex@7 >" },
    /* what would leave a string in the clear */
    { "one ) too many",     "1 0 obj<</A(a)b)/C 1>>endobj", "damaged_object @15: a bracket without its partner" },
    { "one > too many",     "1 0 obj<</A<41>42>/C 1>>endobj", "damaged_object @17: a bracket without its partner" },
    { "one ( too many",     "1 0 obj<</A((a)>>endobj",      "damaged_object @11: string is not closed" },
    { "hex not closed",     "1 0 obj<</A<41 endobj",        "damaged_object @11: string is not closed" },
    { "dictionary open",    "1 0 obj<</A 1 endobj",         "damaged_object @14: container is not closed" },
    { "array open",         "1 0 obj[1 endobj",             "damaged_object @10: container is not closed" },
    { "open at the end",    "1 0 obj[1",                    "damaged_object @9: container is not closed" },
    { "open, next object",  "1 0 obj[1 2 0 obj",            "damaged_object @14: container is not closed" },
    { "open, xref",         "1 0 obj<</A xref",             "damaged_object @12: container is not closed" },
    { "closed by the wrong one", "1 0 obj[1>>endobj",       "damaged_object @9: >> without its <<" },
    { "closed by the other", "1 0 obj<</A 1]endobj",        "damaged_object @13: ] without its [" },
    { "closed, never opened", "1 0 obj]endobj",             "damaged_object @7: ] without its [" },
    { "closed twice",       "1 0 obj[]]endobj",             "1 0 |[]| odd-extra@9 >" },
};
/* clang-format on */
#define ROWS (sizeof rows / sizeof rows[0])

static void
what_does_the_scanner_see(void)
{
    struct pp_buf got = { 0 };

    for (size_t i = 0; i < ROWS; i++) {
        struct pp_view text = view_copy(view_of(rows[i].text));
        struct pdfpipe_error err;
        struct pp_object o;
        enum pdfpipe_status st =
            pp_object_scan(scanner, text, 0, true, PP_SCAN_INDIRECT, &o, &err);

        CHECK(st || !o.more, "%s: more than all", rows[i].what);
        print_scan(st, &o, &err, text, &got);
        CHECK(pp_view_is(pp_buf_view(&got), rows[i].want), "%s:\n%.*s\n%s",
              rows[i].what, (int)got.n, (const char *)got.p, rows[i].want);
        view_free(text);
    }
    pp_buf_fini(&got);
}

/* A part of the text may give "more", or what all of it gives; never a third
 * answer. */
static void
is_a_cut_text_never_misread(void)
{
    struct pp_buf got = { 0 };

    for (size_t i = 0; i < ROWS; i++) {
        struct pp_view all = view_of(rows[i].text);

        for (size_t cut = 0; cut <= all.n; cut++) {
            struct pp_view part = view_copy((struct pp_view){ all.p, cut });
            struct pdfpipe_error err;
            struct pp_object o;
            enum pdfpipe_status st = pp_object_scan(scanner, part, 0, false,
                                                    PP_SCAN_INDIRECT, &o, &err);

            if (!st && o.more) {
                view_free(part);
                continue;
            }
            /* The ranges hold in all of the text. */
            print_scan(st, &o, &err, all, &got);
            CHECK(pp_view_is(pp_buf_view(&got), rows[i].want),
                  "%s, cut at %zu:\n%.*s\n%s", rows[i].what, cut, (int)got.n,
                  (const char *)got.p, rows[i].want);
            view_free(part);
        }
    }
    pp_buf_fini(&got);
}

/* An object that is shown with one byte behind it is complete. */
static void
does_a_whole_object_suffice(void)
{
    struct pp_buf text = { 0 }, got = { 0 };

    for (size_t i = 0; i < ROWS; i++) {
        struct pp_view all = view_of(rows[i].text);
        struct pdfpipe_error err;
        struct pp_object o;
        enum pdfpipe_status st;

        if (all.n < 6 || memcmp(all.p + all.n - 6, "endobj", 6) != 0 ||
            strstr(rows[i].want, "string is not closed"))
            continue;
        text.n = 0;
        (void)pp_buf_printf(&text, "%s\n", rows[i].text);
        st = pp_object_scan(scanner, pp_buf_view(&text), 0, false,
                            PP_SCAN_INDIRECT, &o, &err);
        CHECK(st || !o.more, "%s: wants more", rows[i].what);
        print_scan(st, &o, &err, all, &got);
        CHECK(pp_view_is(pp_buf_view(&got), rows[i].want), "%s: %.*s",
              rows[i].what, (int)got.n, (const char *)got.p);
    }
    pp_buf_fini(&text);
    pp_buf_fini(&got);
}

static void
is_a_member_a_bare_value(void)
{
    /* clang-format off */
    static const struct {
        const char *what, *text, *want;
    } members[] = {
        { "dictionary",  "<</A(b)>> 7",  "0 0 |<</A(b)>>| string:(b)=1 dict > 7" },
        { "comment",     "% 95\n<</A 9 0 R>>", "0 0 |<</A 9 0 R>>| comment:% 95 dict ref=9 >" },
        { "integer",     "5",            "0 0 |5| integer=5 >" },
        { "reference",   "5 0 R",        "0 0 |5 0 R| comment:  comment:  ref=5 >" },
        { "open",        "<</A",         "damaged_object @4: container is not closed" },
        { "nothing",     " ",            "damaged_object @1: object has no value" },
        { "unbalanced",  "[(a)b)]",      "damaged_object @5: a bracket without its partner" },
    };
    /* clang-format on */
    struct pp_buf got = { 0 };

    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        struct pp_view text = view_copy(view_of(members[i].text));
        struct pdfpipe_error err;
        struct pp_object o;
        enum pdfpipe_status st =
            pp_object_scan(scanner, text, 0, true, PP_SCAN_MEMBER, &o, &err);

        print_scan(st, &o, &err, text, &got);
        CHECK(pp_view_is(pp_buf_view(&got), members[i].want), "%s: %.*s",
              members[i].what, (int)got.n, (const char *)got.p);
        view_free(text);
    }
    pp_buf_fini(&got);
}

static void
are_places_counted_from_the_base(void)
{
    struct pdfpipe_error err;
    struct pp_object o;
    enum pdfpipe_status st =
        pp_object_scan(scanner, view_of("7 2 obj[)]endobj"), 1000, true,
                       PP_SCAN_INDIRECT, &o, &err);

    CHECK(st == PDFPIPE_E_DAMAGED_OBJECT && err.offset == 1008, "%llu",
          (unsigned long long)err.offset);
    CHECK(err.object == 7 && err.generation == 2, "object %u", err.object);
}

/* depth times open, then close. */
static struct pp_view
nested(size_t depth, const char *open, const char *inside, const char *close)
{
    struct pp_buf b = { 0 };

    (void)pp_buf_printf(&b, "1 0 obj ");
    for (size_t i = 0; i < depth; i++)
        (void)pp_buf_append(&b, open, strlen(open));
    (void)pp_buf_append(&b, inside, strlen(inside));
    for (size_t i = 0; i < depth; i++)
        (void)pp_buf_append(&b, close, strlen(close));
    if (!pp_buf_printf(&b, " endobj"))
        abort();
    return pp_buf_view(&b);
}

static void
how_deep_may_containers_be(void)
{
    static const struct {
        const char *what;
        size_t depth;
        const char *open, *close;
        enum pdfpipe_status want;
    } depths[] = {
        { "70 arrays", 70, "[", "]", PDFPIPE_OK },
        { "499 arrays", 499, "[", "]", PDFPIPE_OK },
        { "500 arrays", 500, "[", "]", PDFPIPE_OK },
        { "501 arrays", 501, "[", "]", PDFPIPE_E_LIMIT },
        { "500 dictionaries", 500, "<</A", ">>", PDFPIPE_OK },
        { "501 dictionaries", 501, "<</A", ">>", PDFPIPE_E_LIMIT },
        { "250 of both", 250, "[<</A", ">>]", PDFPIPE_OK },
        { "251 of both", 251, "[<</A", ">>]", PDFPIPE_E_LIMIT },
        { "100,000 arrays", 100000, "[", "]", PDFPIPE_E_LIMIT },
        { "never closed", 1000000, "[", "", PDFPIPE_E_LIMIT },
        { "100,000 brackets in a string", 1, "", "", PDFPIPE_OK },
    };

    for (size_t i = 0; i < sizeof depths / sizeof depths[0]; i++) {
        struct pp_view text =
            nested(depths[i].depth, depths[i].open, "(s)", depths[i].close);
        struct pdfpipe_error err = { .code = PDFPIPE_OK };
        struct pp_object o;
        enum pdfpipe_status st =
            pp_object_scan(scanner, text, 0, true, PP_SCAN_INDIRECT, &o, &err);

        CHECK(st == depths[i].want && err.code == st, "%s: %d %s",
              depths[i].what, (int)st, err.message);
        if (st == PDFPIPE_OK)
            CHECK(o.marks == 1 && o.mark[0].decoded == 1, "%s", depths[i].what);
        view_free(text);
    }
}

static void
how_many_marks_are_kept(void)
{
    struct pp_buf b = { 0 };
    struct pdfpipe_error err;
    struct pp_object o;
    unsigned wrong = 0;

    (void)pp_buf_printf(&b, "1 0 obj[");
    for (unsigned i = 0; i < 200000; i++)
        (void)pp_buf_printf(&b, "(%u)", i);
    (void)pp_buf_printf(&b, "]endobj");
    for (int round = 0; round < 2; round++) {
        CHECK(pp_object_scan(scanner, pp_buf_view(&b), 0, true,
                             PP_SCAN_INDIRECT, &o, &err) == PDFPIPE_OK,
              "%s", err.message);
        CHECK(o.marks == 200000, "%zu", o.marks);
        for (size_t i = 0; i < o.marks; i++)
            wrong += o.mark[i].len != o.mark[i].decoded + 2 ||
                     b.p[o.mark[i].at] != '(';
    }
    CHECK(wrong == 0, "%u marks", wrong);
    pp_buf_fini(&b);
}

/* A reference gets two marks behind however many comments. */
static void
do_marks_never_overflow(void)
{
    for (unsigned n = 0; n < 1100; n++) {
        struct pp_buf b = { 0 };
        struct pp_object o;

        (void)pp_buf_printf(&b, "1 0 obj");
        for (unsigned i = 0; i < n; i++)
            (void)pp_buf_append(&b, "%\n", 2);
        (void)pp_buf_printf(&b, " 5 0 R endobj");
        /* A scanner of its own: its room begins small. */
        pp_scanner_free(scanner);
        if (pp_scanner_new(&scanner, NULL))
            abort();
        CHECK(pp_object_scan(scanner, pp_buf_view(&b), 0, true,
                             PP_SCAN_INDIRECT, &o, NULL) == PDFPIPE_OK &&
                  o.marks == n + 2,
              "%u comments", n);
        pp_buf_fini(&b);
    }
}

/*
 * The promise that matters: whatever the object, each string and each comment
 * in its value is in a mark, and its brackets match.
 */
static bool
covers(const struct pp_mark *m, size_t at, const struct pp_token *t)
{
    if (t->kind == PP_TOK_COMMENT)
        return m->at <= at && at + t->len <= m->at + m->len;
    return m->kind == PP_MARK_STRING && m->at == at && m->len == t->len &&
           m->decoded == t->decoded;
}

static bool
is_nothing_missed(struct pp_view text, const struct pp_object *o)
{
    struct pp_lex lex = pp_lex_over(
        (struct pp_view){ text.p + o->body, o->body_end - o->body });
    struct pp_token t;
    size_t i = 0;
    long open = 0;

    lex.comments = true;
    for (pp_lex_next(&lex, &t); t.kind != PP_TOK_END; pp_lex_next(&lex, &t)) {
        size_t at = o->body + t.at;

        open += t.kind == PP_TOK_ARRAY_OPEN || t.kind == PP_TOK_DICT_OPEN;
        open -= t.kind == PP_TOK_ARRAY_CLOSE || t.kind == PP_TOK_DICT_CLOSE;
        if (t.kind == PP_TOK_OPEN_STRING)
            return false;
        if (t.kind != PP_TOK_LITERAL && t.kind != PP_TOK_HEX &&
            t.kind != PP_TOK_COMMENT)
            continue;
        for (i = 0; i < o->marks; i++)
            if (covers(&o->mark[i], at, &t))
                break;
        if (i == o->marks)
            return false;
    }
    for (i = 1; i < o->marks; i++)
        if (o->mark[i].at < o->mark[i - 1].at)
            return false;
    return open == 0;
}

/* Every sequence of up to five of these tokens is somebody's object. */
static void
small_scope_of_objects(void)
{
    static const char *const words[] = {
        "<<",        ">>",          "[",       "]",        "(s)", "<41>",
        "/Length",   "5 ",          "R ",      "0 ",       ")",   "%c\n",
        "/Contents", "/ByteRange ", "endobj ", "stream\n",
    };
    enum { WORDS = sizeof words / sizeof words[0] };
    size_t tried = 0, good = 0, wrong = 0, cut_wrong = 0;
    struct pp_buf b = { 0 }, want = { 0 }, got = { 0 };

    for (size_t n = 0; n <= 5; n++) {
        size_t total = 1;

        for (size_t k = 0; k < n; k++)
            total *= WORDS;
        for (size_t code = 0; code < total; code++) {
            struct pdfpipe_error err;
            struct pp_object o;
            struct pp_view text;
            enum pdfpipe_status st;
            size_t c = code;

            b.n = 0;
            (void)pp_buf_append(&b, "1 0 obj ", 8);
            for (size_t k = 0; k < n; k++, c /= WORDS)
                (void)pp_buf_append(&b, words[c % WORDS],
                                    strlen(words[c % WORDS]));
            text = pp_buf_view(&b);
            st = pp_object_scan(scanner, text, 0, true, PP_SCAN_INDIRECT, &o,
                                &err);
            tried++;
            good += st == PDFPIPE_OK;
            if (!st)
                wrong += o.more || o.end > text.n || o.body > o.body_end ||
                         o.body_end > o.end || !is_nothing_missed(text, &o);
            if (n > 3)
                continue;
            print_scan(st, &o, &err, text, &want);
            for (size_t cut = 0; cut <= text.n; cut++) {
                struct pp_view part =
                    view_copy((struct pp_view){ text.p, cut });

                st = pp_object_scan(scanner, part, 0, false, PP_SCAN_INDIRECT,
                                    &o, &err);
                if (st || !o.more) {
                    print_scan(st, &o, &err, text, &got);
                    cut_wrong += !pp_view_is_equal(pp_buf_view(&want),
                                                   pp_buf_view(&got));
                }
                view_free(part);
            }
        }
    }
    CHECK(wrong == 0, "%zu of %zu", wrong, tried);
    CHECK(cut_wrong == 0, "%zu cuts", cut_wrong);
    CHECK(tried == 1118481, "tried %zu", tried);
    CHECK(good > 100000 && good < tried, "%zu good ones", good);
    pp_buf_fini(&b);
    pp_buf_fini(&want);
    pp_buf_fini(&got);
}

static void
does_endstream_stand_here(void)
{
    /* clang-format off */
    static const struct {
        const char *what, *text;
        bool here, endobj;
        const char *rest;
    } ends[] = {
        { "alone",              "endstream",               true,  false, "" },
        { "LF before",          "\nendstream\nendobj\nx",  true,  true,  "\nx" },
        { "CR LF before",       "\r\nendstream endobj",    true,  true,  "" },
        { "blanks before",      " \t\r\n\n endstream\n",   true,  false, "\n" },
        { "glued",              "endstreamendobj x",       true,  true,  " x" },
        { "other word behind",  "endstream 5 0 obj",       true,  false, " 5 0 obj" },
        { "comment behind",     "endstream%c\nendobj",     true,  true,  "" },
        { "longer word",        "endstreams",              false, false, "" },
        { "glued, digit",       "endstream5",              false, false, "" },
        { "shorter word",       "endstrea",                false, false, "" },
        { "data before",        "x endstream",             false, false, "" },
        { "comment is data",    "%%EOF\nendstream",        false, false, "" },
        { "string is data",     "(a)endstream",            false, false, "" },
        { "nothing",            "",                        false, false, "" },
        { "white space only",   "\n\n",                    false, false, "" },
    };
    /* clang-format on */

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        struct pp_view text = view_copy(view_of(ends[i].text));
        size_t end = 0;
        bool endobj = false, here = pp_endstream_here(text, &end, &endobj);

        CHECK(here == ends[i].here && endobj == ends[i].endobj, "%s",
              ends[i].what);
        if (here)
            CHECK(text.n - end == strlen(ends[i].rest) &&
                      memcmp(text.p + end, ends[i].rest, text.n - end) == 0,
                  "%s: at %zu", ends[i].what, end);
        view_free(text);
    }
}

int
main(void)
{
    if (pp_scanner_new(&scanner, NULL))
        return 1;
    what_does_the_scanner_see();
    is_a_cut_text_never_misread();
    does_a_whole_object_suffice();
    is_a_member_a_bare_value();
    are_places_counted_from_the_base();
    how_deep_may_containers_be();
    how_many_marks_are_kept();
    do_marks_never_overflow();
    small_scope_of_objects();
    does_endstream_stand_here();
    pp_scanner_free(scanner);
    pp_scanner_free(NULL);
    return check_report("object");
}
