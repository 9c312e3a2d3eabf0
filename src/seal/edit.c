/* edit.c - the few places where a dictionary is changed */
#include "seal/edit.h"

#include <string.h>

#include "pdf/dict.h"
#include "pdf/ends.h"

#define LEVEL     8u /* of ADBE extensions to PDF 1.7: revision 6 */
#define DEVELOPER "<</BaseVersion/1.7/ExtensionLevel 8>>"
#define IDENTITY  "<</Type/CryptFilterDecodeParms/Name/Identity>>"

static struct pp_view
text(const char *s)
{
    return (struct pp_view){ (const uint8_t *)s, strlen(s) };
}

void
pp_edit_add(struct pp_edits *e, size_t at, size_t remove, struct pp_view insert)
{
    size_t i = e->n;

    PP_ASSERT(e->n < PP_EDITS_MAX);
    for (; i > 0 && e->edit[i - 1].at > at; i--)
        e->edit[i] = e->edit[i - 1];
    e->edit[i] = (struct pp_edit){ at, remove, insert };
    e->n++;
}

/* Where the text of a view begins within another that holds it. */
static size_t
place(struct pp_view whole, struct pp_view part)
{
    return (size_t)(part.p - whole.p);
}

/* Offset of the ">>" or "]" that ends a container's text. */
static size_t
closing(struct pp_view container, size_t length)
{
    return container.n - length;
}

/* Is the last key of a dictionary without a value? */
static bool
ends_with_key(struct pp_view dict)
{
    struct pp_view name, value = { NULL, 1 };
    struct pp_walk w;

    pp_walk_init(&w, dict);
    while (pp_walk_next(&w, &name, &value))
        continue;
    return value.n == 0;
}

void
pp_edit_append(struct pp_view dict, size_t base, struct pp_edits *e,
               struct pp_view entry)
{
    size_t at = base + closing(dict, 2);
    bool first = e->n == 0 || e->edit[e->n - 1].at < at;

    if (first && ends_with_key(dict))
        pp_edit_add(e, at, 0, text(" null"));
    pp_edit_add(e, at, 0, entry);
}

/* One developer's entry: raises its level, unless it has a later base. */
static void
edit_developer(struct pp_view extensions, struct pp_view adbe, size_t base,
               struct pp_edits *e)
{
    struct pp_version version;
    struct pp_view v;
    uint64_t level;

    base += place(extensions, adbe);
    if (pp_dict_find(adbe, "BaseVersion", &v) && v.n > 1 &&
        pp_version_parse((struct pp_view){ v.p + 1, v.n - 1 }, &version) &&
        pp_version_less((struct pp_version){ 1, 7 }, version))
        return;
    if (!pp_dict_find(adbe, "ExtensionLevel", &v)) {
        pp_edit_append(adbe, base, e, text("/ExtensionLevel 8"));
        return;
    }
    if (pp_value_integer(v, &level) && level >= LEVEL)
        return;
    pp_edit_add(e, base + place(adbe, v), v.n, text(" 8 "));
}

void
pp_edit_extensions(struct pp_view extensions, size_t base, struct pp_edits *e)
{
    struct pp_view adbe;

    if (!pp_dict_find(extensions, "ADBE", &adbe))
        pp_edit_append(extensions, base, e, text("/ADBE" DEVELOPER));
    else if (adbe.p[0] == '[')
        pp_edit_add(e, base + place(extensions, adbe) + closing(adbe, 1), 0,
                    text(DEVELOPER));
    else if (pp_value_dict(adbe))
        edit_developer(extensions, adbe, base, e);
    else
        pp_edit_add(e, base + place(extensions, adbe), adbe.n,
                    text(" " DEVELOPER));
}

void
pp_edit_catalog(struct pp_view catalog, bool indirect, struct pp_edits *e)
{
    struct pp_reference ref;
    struct pp_view v;

    if (!pp_dict_find(catalog, "Extensions", &v))
        pp_edit_append(catalog, 0, e,
                       text("/Extensions<</ADBE" DEVELOPER ">>"));
    else if (pp_value_dict(v))
        pp_edit_extensions(v, place(catalog, v), e);
    else if (!indirect || !pp_value_reference(v, &ref))
        pp_edit_add(e, place(catalog, v), v.n, text(" <</ADBE" DEVELOPER ">>"));
}

/* The first element of an array. */
static bool
first_element(struct pp_view array, struct pp_view *element)
{
    struct pp_view name;
    struct pp_walk w;

    pp_walk_init(&w, array);
    return w.array && pp_walk_next(&w, &name, element);
}

/* How many elements an array has; 1 for another value.  *crypts: how many of
 * them are the name Crypt. */
static size_t
count_elements(struct pp_view value, size_t *crypts)
{
    struct pp_view name, element;
    struct pp_walk w;
    size_t n = 0;

    *crypts = pp_value_name(value, "Crypt");
    if (value.p[0] != '[')
        return 1;
    pp_walk_init(&w, value);
    for (; pp_walk_next(&w, &name, &element); n++)
        *crypts += pp_value_name(element, "Crypt");
    return n;
}

/* Removes the value, or the first element if it is an array. */
static void
remove_first(struct pp_view dict, struct pp_view value, const char *instead,
             struct pp_edits *e)
{
    struct pp_view element;

    if (first_element(value, &element))
        pp_edit_add(e, place(dict, element), element.n, text(" "));
    else
        pp_edit_add(e, place(dict, value), value.n, text(instead));
}

enum pdfpipe_status
pp_edit_remove_crypt(struct pp_view dict, struct pp_edits *e,
                     struct pdfpipe_error *err)
{
    struct pp_view filter, parms, first, name, only;
    size_t filters, crypts;

    if (!pp_dict_find(dict, "Filter", &filter))
        return PDFPIPE_OK;
    first = filter;
    if (filter.p[0] == '[' && !first_element(filter, &first))
        return PDFPIPE_OK;
    if (!pp_value_name(first, "Crypt"))
        return pp_fail(err, PDFPIPE_E_UNSUPPORTED,
                       "/Crypt is not the first filter of the stream");
    filters = count_elements(filter, &crypts);
    if (crypts > 1)
        return pp_fail(err, PDFPIPE_E_UNSUPPORTED,
                       "stream has several /Crypt filters");
    remove_first(dict, filter, " null", e);
    if (!pp_dict_find(dict, "DecodeParms", &parms))
        return PDFPIPE_OK;
    only = parms;
    if (parms.p[0] == '[' && !first_element(parms, &only))
        return PDFPIPE_OK;
    if (filters > 1 && parms.p[0] != '[')
        return pp_fail(err, PDFPIPE_E_UNSUPPORTED,
                       "/DecodeParms of a stream with several filters is no "
                       "array");
    if (pp_value_dict(only)) {
        if (pp_dict_find(only, "Name", &name) &&
            !pp_value_name(name, "Identity"))
            return pp_fail(err, PDFPIPE_E_UNSUPPORTED,
                           "crypt filter of the stream is not Identity");
    } else if (!pp_view_is(only, "null")) {
        return pp_fail(err, PDFPIPE_E_UNSUPPORTED,
                       "/DecodeParms of a /Crypt filter is indirect");
    }
    /* With one filter in an array, the dictionary may stand alone. */
    remove_first(dict, parms, " null", e);
    return PDFPIPE_OK;
}

enum pdfpipe_status
pp_edit_add_crypt(struct pp_view dict, struct pp_edits *e,
                  struct pdfpipe_error *err)
{
    struct pp_view filter, parms;
    struct pp_reference ref;
    bool has_filter = pp_dict_find(dict, "Filter", &filter);
    bool has_parms = pp_dict_find(dict, "DecodeParms", &parms);

    if ((has_filter && filter.p[0] != '/' && filter.p[0] != '[') ||
        (has_parms && pp_value_reference(parms, &ref)))
        return pp_fail(err, PDFPIPE_E_UNSUPPORTED,
                       "/Filter or /DecodeParms of the metadata is indirect");
    if (!has_filter) {
        pp_edit_append(dict, 0, e, text("/Filter[/Crypt]"));
        if (has_parms) { /* without a filter they meant nothing */
            pp_edit_add(e, place(dict, parms), parms.n, text("[" IDENTITY "]"));
            return PDFPIPE_OK;
        }
    } else if (filter.p[0] == '[') {
        pp_edit_add(e, place(dict, filter) + 1, 0, text("/Crypt "));
    } else {
        pp_edit_add(e, place(dict, filter), 0, text("[/Crypt"));
        pp_edit_add(e, place(dict, filter) + filter.n, 0, text("]"));
    }
    if (!has_parms) {
        pp_edit_append(dict, 0, e, text("/DecodeParms[" IDENTITY "]"));
    } else if (parms.p[0] == '[') {
        pp_edit_add(e, place(dict, parms) + 1, 0, text(IDENTITY));
    } else {
        pp_edit_add(e, place(dict, parms), 0, text("[" IDENTITY));
        pp_edit_add(e, place(dict, parms) + parms.n, 0, text("]"));
    }
    return PDFPIPE_OK;
}

void
pp_edit_only_crypt(struct pp_view dict, struct pp_edits *e)
{
    struct pp_view v;

    if (pp_dict_find(dict, "Filter", &v))
        pp_edit_add(e, place(dict, v), v.n, text("[/Crypt]"));
    else
        pp_edit_append(dict, 0, e, text("/Filter[/Crypt]"));
    if (pp_dict_find(dict, "DecodeParms", &v))
        pp_edit_add(e, place(dict, v), v.n, text("[" IDENTITY "]"));
    else
        pp_edit_append(dict, 0, e, text("/DecodeParms[" IDENTITY "]"));
}
