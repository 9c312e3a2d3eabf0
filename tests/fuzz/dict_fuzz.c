/*
 * dict_fuzz.c - any bytes as a dictionary that is looked into and changed
 *
 * Properties: entries lie in the text, in order; a found entry is the last of
 * its name; what the scanner takes for one dictionary the walk does, too; an
 * edited dictionary is still one, with what the edit was to bring.
 */
#include <stdlib.h>
#include <string.h>

#include "pdf/dict.h"
#include "pdf/refs.h"
#include "pdf/string.h"
#include "seal/edit.h"
#include "seal/encdict.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static struct pp_scanner *scanner;

static void
need(bool holds)
{
    if (!holds)
        abort();
}

static void
check_walk(struct pp_view text)
{
    static const char *const names[] = { "Length", "Filter", "ADBE",
                                         "Extensions" };
    struct pp_view name = { NULL, 0 }, value, last[4] = { { NULL, 0 } };
    bool have[4] = { false };
    const uint8_t *at = text.p;
    struct pp_walk w;

    pp_walk_init(&w, text);
    while (pp_walk_next(&w, &name, &value)) {
        if (!w.array) {
            need(name.p >= at && name.n > 0);
            at = name.p + name.n;
        }
        need(value.p >= at && value.p + value.n <= text.p + text.n);
        at = value.p + value.n;
        for (size_t i = 0; !w.array && i < 4; i++)
            if (pp_name_is(name, names[i])) {
                last[i] = value;
                have[i] = value.n > 0 && !pp_view_is(value, "null");
            }
        (void)pp_value_has_string(value);
        (void)pp_value_dict(value);
    }
    for (size_t i = 0; i < 4; i++) {
        need(pp_dict_find(text, names[i], &value) == have[i]);
        need(!have[i] || (value.p == last[i].p && value.n == last[i].n));
    }
}

static struct pp_buf
apply(struct pp_view text, const struct pp_edits *e)
{
    struct pp_buf out = { 0 };
    size_t at = 0;

    for (size_t i = 0; i < e->n; i++) {
        need(e->edit[i].at >= at &&
             e->edit[i].remove <= text.n - e->edit[i].at);
        need(pp_buf_append(&out, text.p + at, e->edit[i].at - at));
        need(pp_buf_append(&out, e->edit[i].insert.p, e->edit[i].insert.n));
        at = e->edit[i].at + e->edit[i].remove;
    }
    need(pp_buf_append(&out, text.p + at, text.n - at));
    return out;
}

/* Still one dictionary that the scanner accepts, as odd as before. */
static struct pp_buf
edited(struct pp_view text, const struct pp_edits *e)
{
    struct pp_buf out = apply(text, e);
    struct pp_object o;

    need(pp_value_length(pp_buf_view(&out)) == out.n);
    need(pp_object_scan(scanner, pp_buf_view(&out), 0, true, PP_SCAN_MEMBER, &o,
                        NULL) == PDFPIPE_OK);
    need(o.body == 0 && o.body_end == out.n && o.dictionary);
    return out;
}

static void
check_catalog(struct pp_view dict)
{
    struct pp_edits e = { .n = 0 };
    struct pp_view v, adbe;
    struct pp_buf out;

    pp_edit_catalog(dict, false, &e);
    out = edited(dict, &e);
    need(pp_dict_find(pp_buf_view(&out), "Extensions", &v));
    need(pp_value_dict(v) && pp_dict_find(v, "ADBE", &adbe));
    pp_buf_fini(&out);
}

static void
check_crypt(struct pp_view dict)
{
    struct pp_edits e = { .n = 0 };
    struct pp_view v, name, element;
    struct pp_walk w;
    struct pp_buf out;

    if (pp_edit_remove_crypt(dict, &e, NULL) == PDFPIPE_OK) {
        out = edited(dict, &e);
        if (pp_dict_find(pp_buf_view(&out), "Filter", &v)) {
            need(!pp_value_name(v, "Crypt"));
            pp_walk_init(&w, v);
            while (w.array && pp_walk_next(&w, &name, &element))
                need(!pp_value_name(element, "Crypt"));
        }
        pp_buf_fini(&out);
    }
    e.n = 0;
    if (pp_edit_add_crypt(dict, &e, NULL) == PDFPIPE_OK) {
        out = edited(dict, &e);
        need(pp_dict_find(pp_buf_view(&out), "Filter", &v));
        pp_walk_init(&w, v);
        need(w.array && pp_walk_next(&w, &name, &element) &&
             pp_value_name(element, "Crypt"));
        pp_buf_fini(&out);
    }
    e.n = 0;
    pp_edit_only_crypt(dict, &e);
    out = edited(dict, &e);
    need(pp_dict_find(pp_buf_view(&out), "Filter", &v) &&
         pp_view_is(v, "[/Crypt]"));
    pp_buf_fini(&out);
}

static void
check_append(struct pp_view dict)
{
    static const uint8_t entry[] = "/Length 4711";
    struct pp_edits e = { .n = 0 };
    struct pp_view v;
    struct pp_buf out;

    pp_edit_append(dict, 0, &e, (struct pp_view){ entry, sizeof entry - 1 });
    out = edited(dict, &e);
    need(pp_dict_find(pp_buf_view(&out), "Length", &v) &&
         pp_view_is(v, "4711"));
    pp_buf_fini(&out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct pp_view text = { data, n };
    struct pp_handler handler;
    struct pp_object o;
    struct pp_refs refs;
    uint32_t number;

    if (n == 0 || (!scanner && pp_scanner_new(&scanner, NULL)))
        return 0;
    check_walk(text);
    pp_refs_init(&refs, text);
    while (pp_refs_next(&refs, &number))
        need(number <= PP_OBJECT_MAX);
    (void)pp_encdict_read(text, &handler, NULL);
    need(pp_value_length(text) <= n);
    if (pp_object_scan(scanner, text, 0, true, PP_SCAN_MEMBER, &o, NULL) ||
        !o.dictionary)
        return 0;
    need(pp_value_length(text) == o.body_end);
    text.p += o.body;
    text.n = o.body_end - o.body;
    check_append(text);
    check_catalog(text);
    check_crypt(text);
    return 0;
}
