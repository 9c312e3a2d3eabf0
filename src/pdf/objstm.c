/* objstm.c - the members of an object stream */
#include "pdf/objstm.h"

#include <stdlib.h>

#include "pdf/dict.h"

/* One pair takes at least four bytes: two digits, two blanks. */
#define PAIR_MIN 4u

enum pdfpipe_status
pp_objstm_members(struct pp_view dict, struct pp_view data,
                  struct pp_member **out, size_t *count,
                  struct pdfpipe_error *err)
{
    uint64_t n, first;
    struct pp_view v;
    struct pp_lex lex;

    if (!pp_dict_find(dict, "N", &v) || !pp_value_integer(v, &n) ||
        !pp_dict_find(dict, "First", &v) || !pp_value_integer(v, &first) ||
        n > data.n / PAIR_MIN + 1 || n > PP_OBJECT_MAX || first > data.n ||
        data.n > UINT32_MAX)
        return pp_fail(err, PDFPIPE_E_DAMAGED_STREAM,
                       "/N or /First of the object stream does not fit its "
                       "data");
    *out = calloc((size_t)n + 1, sizeof **out);
    if (!*out)
        return pp_fail_memory(err);
    /* The numbers of objects that are integers are no pairs. */
    lex = pp_lex_over((struct pp_view){ data.p, (size_t)first });
    for (*count = 0; *count < n; ++*count) {
        struct pp_member *m = &(*out)[*count];
        struct pp_token number, offset;

        pp_lex_next(&lex, &number);
        pp_lex_next(&lex, &offset);
        if (number.kind != PP_TOK_INTEGER || offset.kind != PP_TOK_INTEGER)
            break; /* fewer than /N says: the rest does not exist */
        if (number.negative || offset.negative ||
            number.value > PP_OBJECT_MAX || offset.value >= data.n - first)
            continue;
        m->number = (uint32_t)number.value;
        m->at = (uint32_t)(first + offset.value);
    }
    return PDFPIPE_OK;
}

struct pp_view
pp_objstm_value(struct pp_view data, const struct pp_member *member)
{
    struct pp_view v = { data.p + member->at, data.n - member->at };
    struct pp_lex lex = pp_lex_over(v);
    struct pp_token token;

    v.n = pp_value_length(v);
    /* Some writers put a comment before each member. */
    pp_lex_next(&lex, &token);
    if (v.n == 0)
        return v;
    return (struct pp_view){ v.p + token.at, v.n - token.at };
}
