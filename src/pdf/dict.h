/*
 * dict.h - single entries of a dictionary, as text
 *
 * For the few dictionaries that are looked into (trailer, catalog, headers of
 * cross-reference and object streams).  Values are byte ranges of the
 * dictionary's own text; nothing is copied.
 */
#ifndef PP_PDF_DICT_H
#define PP_PDF_DICT_H

#include "base/fail.h"
#include "pdf/lex.h"
#include "pdf/object.h"

/* Walks over the entries of one dictionary, or the elements of one array. */
struct pp_walk {
    struct pp_lex lex;
    bool array;
    bool failed; /* the text is no dictionary (array), or is not closed */
};

/* text begins with "<<" or "[" (white space may precede). */
void pp_walk_init(struct pp_walk *w, struct pp_view text);

/* The next entry: name with slash (dictionary only) and value, which is a
 * token, a whole container, or "n g R".  false at the end. */
bool pp_walk_next(struct pp_walk *w, struct pp_view *name,
                  struct pp_view *value);

/*
 * The value of the entry with this name; of several, the last, as all readers
 * do.  A value null is no entry.  false: there is none.
 */
bool pp_dict_find(struct pp_view dict, const char *name, struct pp_view *value);

/* Values.  false: it is something else (a real, negative, too large, ...). */
bool pp_value_integer(struct pp_view value, uint64_t *out);
bool pp_value_reference(struct pp_view value, struct pp_reference *out);
bool pp_value_name(struct pp_view value, const char *name);
bool pp_value_dict(struct pp_view value);

/* Does the value hold a string, at any depth, or a stray bracket that may be
 * left of one? */
bool pp_value_has_string(struct pp_view value);

/* How many bytes the value takes at the beginning of text, with leading white
 * space; 0: none begins there or it is not closed. */
size_t pp_value_length(struct pp_view text);

#endif
