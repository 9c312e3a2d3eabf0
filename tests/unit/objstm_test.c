/* objstm_test.c - which objects does an object stream hold? */
#include "pdf/objstm.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "madepdf.h"

/* Members as text: "7=<</A>>|8=5|" (number 0: "-"). */
static void
print_members(struct pp_view data, const struct pp_member *member, size_t n,
              struct pp_buf *to)
{
    for (size_t i = 0; i < n; i++) {
        struct pp_view v;

        if (member[i].number == 0) {
            (void)pp_buf_printf(to, "-|");
            continue;
        }
        v = pp_objstm_value(data, &member[i]);
        (void)pp_buf_printf(to, "%u=", member[i].number);
        (void)pp_buf_append(to, v.p, v.n);
        (void)pp_buf_append(to, "|", 1);
    }
}

static void
which_members_are_there(void)
{
    /* clang-format off */
    static const struct {
        const char *what, *dict, *data, *want; /* want NULL: refused */
    } rows[] = {
        { "two",                "<</N 2/First 8>>",   "7 0 8 2 5 (a)",      "7=5|8=(a)|" },
        { "none",               "<</N 0/First 0>>",   "",                   "" },
        { "none, some bytes",   "<</N 0/First 3>>",   "abc",                "" },
        { "not in order",       "<</N 2/First 8>>",   "7 2 8 0 5 (a)",      "7=(a)|8=5|" },
        { "containers",         "<</N 2/First 9>>",   "7 0 8 10 <</A[1]>> [(b)]", "7=<</A[1]>>|8=[(b)]|" },
        { "reference",          "<</N 1/First 4>>",   "7 0 5 0 R",          "7=5|" },
        { "comments",           "<</N 2/First 10>>",  "7 0 8 13 \n% 7\n<</A 1>>\n% 8\n(b)", "7=<</A 1>>|8=(b)|" },
        { "blanks before",      "<</N 1/First 4>>",   "7 0   \n 5",         "7=5|" },
        { "last not closed",    "<</N 2/First 8>>",   "7 0 8 2 5 (a",       "7=5|8=|" },
        { "fewer than /N",      "<</N 5/First 8>>",   "7 0 8 2 5 (abcdefghijk)", "7=5|8=(abcdefghijk)|" },
        { "integers are no pairs", "<</N 4/First 8>>", "7 0 8 2 5 6 9 1 3", "7=5|8=6|" },
        { "number 0",           "<</N 2/First 8>>",   "0 0 8 2 5 6",        "-|8=6|" },
        { "negative number",    "<</N 2/First 9>>",   "-7 0 8 2 5 6",       "-|8=6|" },
        { "number too high",    "<</N 2/First 14>>",  "8388607 0 8 2 5 6",  "-|8=6|" },
        { "highest number",     "<</N 1/First 10>>",  "8388606 0 5",        "8388606=5|" },
        { "offset at the end",  "<</N 2/First 8>>",   "7 3 8 2 5 6",        "-|8=6|" },
        { "offset beyond 32 bits", "<</N 2/First 17>>", "7 4294967296 8 2 5 6", "-|8=6|" },
        { "offset beyond 64 bits", "<</N 1/First 24>>", "7 99999999999999999999 5 6", "-|" },
        { "negative offset",    "<</N 1/First 5>>",   "7 -1 5 6",           "-|" },
        { "same number twice",  "<</N 2/First 8>>",   "7 0 7 2 5 6",        "7=5|7=6|" },
        { "words for pairs",    "<</N 2/First 8>>",   "a b 8 2 5 6",        "" },
        { "no /N",              "<</First 8>>",       "7 0 8 2 5 6",        NULL },
        { "no /First",          "<</N 2>>",           "7 0 8 2 5 6",        NULL },
        { "negative /N",        "<</N -1/First 8>>",  "7 0 8 2 5 6",        NULL },
        { "indirect /N",        "<</N 3 0 R/First 8>>", "7 0 8 2 5 6",      NULL },
        { "/N does not fit",    "<</N 5/First 8>>",   "7 0 8 2 5 6",        NULL },
        { "/N beyond all",      "<</N 18446744073709551614/First 8>>", "7 0 8 2 5 6", NULL },
        { "/First behind the end", "<</N 1/First 12>>", "7 0 8 2 5 6",      NULL },
        { "/First at the end",  "<</N 1/First 11>>",  "7 0 8 2 5 6",        "-|" },
        { "/First beyond all",  "<</N 1/First 18446744073709551614>>", "7 0 8 2 5 6", NULL },
    };
    /* clang-format on */

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pp_view data = view_copy(view_of(rows[i].data));
        struct pp_member *member = NULL;
        struct pp_buf got = { 0 };
        struct pdfpipe_error err;
        size_t n = 0;
        enum pdfpipe_status st =
            pp_objstm_members(view_of(rows[i].dict), data, &member, &n, &err);

        CHECK((st == PDFPIPE_OK) == (rows[i].want != NULL), "%s: %d",
              rows[i].what, (int)st);
        if (st) {
            CHECK(st == PDFPIPE_E_DAMAGED_STREAM && err.code == st &&
                      member == NULL,
                  "%s", rows[i].what);
        } else if (rows[i].want) {
            print_members(data, member, n, &got);
            CHECK(pp_view_is(pp_buf_view(&got), rows[i].want), "%s: %.*s",
                  rows[i].what, (int)got.n, (const char *)got.p);
        }
        free(member);
        pp_buf_fini(&got);
        view_free(data);
    }
}

/* Every text of up to six of these bytes is somebody's object stream. */
static void
small_scope_of_streams(void)
{
    static const char alphabet[] = "01 ([%";
    static const char *const dicts[] = { "<</N 2/First 4>>", "<</N 1/First 0>>",
                                         "<</N 2/First 6>>" };
    size_t tried = 0, wrong = 0;

    for (size_t n = 0; n <= 6; n++) {
        size_t total = 1;

        for (size_t k = 0; k < n; k++)
            total *= sizeof alphabet - 1;
        for (size_t code = 0; code < total; code++) {
            uint8_t *p = malloc(n ? n : 1); /* a sanitizer looks */
            struct pp_view data = { p, n };
            size_t c = code;

            if (!p)
                abort();
            for (size_t k = 0; k < n; k++, c /= sizeof alphabet - 1)
                p[k] = (uint8_t)alphabet[c % (sizeof alphabet - 1)];
            for (size_t d = 0; d < sizeof dicts / sizeof dicts[0]; d++) {
                struct pp_member *member = NULL;
                size_t count = 0;

                if (pp_objstm_members(view_of(dicts[d]), data, &member, &count,
                                      NULL))
                    continue;
                wrong += count > 2;
                for (size_t i = 0; i < count; i++) {
                    struct pp_view v;

                    if (member[i].number == 0)
                        continue;
                    wrong += member[i].at >= n;
                    v = pp_objstm_value(data, &member[i]);
                    wrong += v.n > n || (v.n > 0 && v.p < p + member[i].at);
                }
                free(member);
            }
            view_free(data);
            tried++;
        }
    }
    CHECK(wrong == 0, "%zu wrong", wrong);
    CHECK(tried == 55987, "tried %zu", tried);
}

int
main(void)
{
    which_members_are_there();
    small_scope_of_streams();
    return check_report("objstm");
}
