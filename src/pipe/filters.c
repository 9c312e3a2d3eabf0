/* filters.c - what a stream's /Filter says when it is not said on the spot */
#include "pipe/filters.h"

#include "pdf/dict.h"

static enum pdfpipe_status
indirect_crypt(struct pdfpipe_error *err)
{
    return pp_fail(err, PDFPIPE_E_UNSUPPORTED,
                   "/Filter of the stream names /Crypt in another object");
}

/* A value that is no array: is it, or does it refer to, the name Crypt? */
static enum pdfpipe_status
check_one(struct pp_fetch *fetch, struct pp_view value,
          struct pdfpipe_error *err)
{
    struct pp_reference ref;
    enum pdfpipe_status st;
    bool found;

    if (pp_value_name(value, "Crypt"))
        return indirect_crypt(err);
    if (!pp_value_reference(value, &ref))
        return PDFPIPE_OK;
    st = pp_fetch_value(fetch, ref, &value, &found, err);
    if (st || !found)
        return st;
    return pp_value_name(value, "Crypt") ? indirect_crypt(err) : PDFPIPE_OK;
}

/* The elements of an array; its own names are looked at only when the array
 * itself is indirect. */
static enum pdfpipe_status
check_array(struct pp_fetch *fetch, struct pp_view array, bool indirect,
            struct pdfpipe_error *err)
{
    enum pdfpipe_status st = PDFPIPE_OK;
    struct pp_view name, element;
    struct pp_reference ref;
    struct pp_walk w;

    pp_walk_init(&w, array);
    while (!st && w.array && pp_walk_next(&w, &name, &element))
        if (indirect || pp_value_reference(element, &ref))
            st = check_one(fetch, element, err);
    return st;
}

enum pdfpipe_status
pp_filters_check(struct pp_fetch *fetch, struct pp_view dict,
                 struct pdfpipe_error *err)
{
    struct pp_view filter, value;
    struct pp_buf copy = { 0 };
    struct pp_reference ref;
    enum pdfpipe_status st;
    bool found;

    if (!pp_dict_find(dict, "Filter", &filter))
        return PDFPIPE_OK;
    if (!pp_value_reference(filter, &ref))
        return check_array(fetch, filter, false, err);
    st = pp_fetch_value(fetch, ref, &value, &found, err);
    if (st || !found)
        return st;
    if (value.n == 0 || value.p[0] != '[')
        return check_one(fetch, value, err);
    /* What is fetched next takes its place. */
    if (!pp_buf_append(&copy, value.p, value.n))
        return pp_fail_memory(err);
    st = check_array(fetch, pp_buf_view(&copy), true, err);
    pp_buf_fini(&copy);
    return st;
}
