/* policy.c - what stays in the clear, what is left out, and why
 *
 * Two exceptions are not in the table because they are smaller than an object:
 * /Contents of a signature dictionary is marked by the scanner (pdf/object.c)
 * and copied digit by digit, as /ByteRange points around it; and /ID stands in
 * the trailer, which is not an object.
 */
#include "seal/policy.h"

typedef bool applies_fn(const struct pp_object *object,
                        const struct pp_policy_facts *facts);

static bool
is_xref_stream(const struct pp_object *o, const struct pp_policy_facts *f)
{
    (void)f;
    return o->stream && o->type == PP_TYPE_XREF;
}

static bool
is_linearization(const struct pp_object *o, const struct pp_policy_facts *f)
{
    (void)f;
    return o->linearized && o->dictionary && !o->stream;
}

static bool
is_hint_stream(const struct pp_object *o, const struct pp_policy_facts *f)
{
    return o->stream && f->hint_stream;
}

static bool
is_dead_objstm(const struct pp_object *o, const struct pp_policy_facts *f)
{
    return o->stream && o->type == PP_TYPE_OBJSTM && f->dead_objstm;
}

static bool
is_encryption(const struct pp_object *o, const struct pp_policy_facts *f)
{
    (void)o;
    return f->encrypt_object && f->number == f->encrypt_object;
}

static bool
is_clear_metadata(const struct pp_object *o, const struct pp_policy_facts *f)
{
    return o->stream && f->clear_metadata && f->number == f->clear_metadata;
}

/* The first row that applies decides. */
/* clang-format off */
static const struct {
    applies_fn *applies;
    enum pp_treatment treatment;
    const char *reason;
} rows[] = {
    { is_xref_stream,    PP_LEAVE,   "a cross-reference stream describes the old file" },
    { is_linearization,  PP_LEAVE,   "linearization does not survive new offsets" },
    { is_hint_stream,    PP_LEAVE,   "hint tables do not survive new offsets" },
    { is_dead_objstm,    PP_PUT_OFF, "no live object is in this object stream, and nothing refers to it" },
    { is_encryption,     PP_LEAVE,   "the encryption dictionary is never encrypted" },
    { is_clear_metadata, PP_CLEAR,   "document metadata stay readable on request" },
};
/* clang-format on */

static size_t
deciding_row(const struct pp_object *object,
             const struct pp_policy_facts *facts)
{
    size_t i = 0;

    while (i < sizeof rows / sizeof rows[0] && !rows[i].applies(object, facts))
        i++;
    return i;
}

enum pp_treatment
pp_policy(const struct pp_object *object, const struct pp_policy_facts *facts)
{
    size_t i = deciding_row(object, facts);

    return i < sizeof rows / sizeof rows[0] ? rows[i].treatment : PP_ENCRYPT;
}

const char *
pp_policy_reason(const struct pp_object *object,
                 const struct pp_policy_facts *facts)
{
    size_t i = deciding_row(object, facts);

    return i < sizeof rows / sizeof rows[0] ? rows[i].reason
                                            : "everything else is encrypted";
}
