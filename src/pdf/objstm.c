/* objstm.c - the members of an object stream */
#include "pdf/objstm.h"

#include <stdlib.h>

#include "base/num.h"
#include "pdf/dict.h"

/* One pair takes at least four bytes: two digits, two blanks. */
#define PAIR_MIN 4u

enum pdfpipe_status
pp_pairs_init(struct pp_pairs *p, struct pp_view dict, uint64_t size,
              struct pdfpipe_error *err)
{
    uint64_t n, first;
    struct pp_view v;

    *p = (struct pp_pairs){ 0 };
    if (!pp_dict_find(dict, "N", &v) || !pp_value_integer(v, &n) ||
        !pp_dict_find(dict, "First", &v) || !pp_value_integer(v, &first) ||
        n > size / PAIR_MIN + 1 || n > PP_OBJECT_MAX || first > size ||
        size > UINT32_MAX)
        return pp_fail(err, PDFPIPE_E_DAMAGED_STREAM,
                       "/N or /First of the object stream does not fit its "
                       "data");
    *p = (struct pp_pairs){ .left = n, .first = first, .size = size };
    return PDFPIPE_OK;
}

void
pp_pairs_feed(struct pp_pairs *p, struct pp_view piece)
{
    /* The numbers of objects that are integers are no pairs. */
    piece.n = (size_t)pp_min(piece.n, p->first - p->fed);
    p->fed += piece.n;
    pp_words_feed(&p->words, piece, p->fed == p->first);
}

bool
pp_pairs_next(struct pp_pairs *p, struct pp_member *member)
{
    struct pp_word word;

    while (p->left && pp_words_next(&p->words, &word)) {
        if (word.kind != PP_WORD_INTEGER) {
            p->left = 0; /* fewer than /N says: the rest does not exist */
            return false;
        }
        p->half = !p->half;
        if (p->half) {
            p->number = word;
            continue;
        }
        p->left--;
        *member = (struct pp_member){ 0, 0 };
        if (!p->number.negative && !word.negative &&
            p->number.value <= PP_OBJECT_MAX &&
            word.value < p->size - p->first) {
            member->number = (uint32_t)p->number.value;
            member->at = (uint32_t)(p->first + word.value);
        }
        return true;
    }
    return false;
}

enum pdfpipe_status
pp_objstm_members(struct pp_view dict, struct pp_view data,
                  struct pp_member **out, size_t *count,
                  struct pdfpipe_error *err)
{
    struct pp_pairs pairs;
    enum pdfpipe_status st = pp_pairs_init(&pairs, dict, data.n, err);

    if (st)
        return st;
    *out = calloc((size_t)pairs.left + 1, sizeof **out);
    if (!*out)
        return pp_fail_memory(err);
    pp_pairs_feed(&pairs, data);
    *count = 0;
    while (pp_pairs_next(&pairs, &(*out)[*count]))
        ++*count;
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
