/*
 * policy.h - what stays in the clear, what is left out, and why
 *
 * Everything is encrypted unless a row here says otherwise: under /V 5 the
 * list is closed (ISO 32000-2, 7.6.2), and a doubt is decided by encrypting.
 */
#ifndef PP_SEAL_POLICY_H
#define PP_SEAL_POLICY_H

#include "pdf/object.h"

enum pp_treatment {
    PP_ENCRYPT, /* its strings and its stream             */
    PP_CLEAR,   /* its strings encrypted, its stream not  */
    PP_LEAVE,   /* not written: it has no place in the output */
    PP_PUT_OFF, /* not written unless something refers to it, then encrypted */
};

/* What decides about one object, besides the object itself. */
struct pp_policy_facts {
    uint32_t number;
    uint32_t clear_metadata; /* the catalog's /Metadata stream, if it shall
                                stay clear; 0: none                         */
    uint32_t encrypt_object; /* the encryption dictionary of the file that
                                is read; 0: it has none                     */
    bool hint_stream;        /* the linearization dictionary points here    */
    bool dead_objstm;        /* an object stream without a live member      */
};

enum pp_treatment pp_policy(const struct pp_object *object,
                            const struct pp_policy_facts *facts);

/* The reason of the row that decided, for messages; constant text. */
const char *pp_policy_reason(const struct pp_object *object,
                             const struct pp_policy_facts *facts);

#endif
