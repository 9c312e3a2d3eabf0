/*
 * json.h - writes JSON into memory (RFC 8259)
 *
 * The calls give the values in order; commas and colons come by themselves.
 * Nothing is allocated per value.  When memory runs out the writer remembers
 * it (failed) and ignores the rest, so that only the end needs a check.
 * There is no floating point: fractions are scaled integers.
 */
#ifndef PP_BATCH_JSON_H
#define PP_BATCH_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero is an empty writer. */
struct pp_json {
    char *text; /* owned; not NUL-terminated        */
    size_t length;
    size_t capacity;
    bool comma;  /* a value stands before this place */
    bool failed; /* memory ran out; text is cut      */
};

void pp_json_begin(struct pp_json *j); /* { */
void pp_json_end(struct pp_json *j);   /* } */
void pp_json_begin_array(struct pp_json *j);
void pp_json_end_array(struct pp_json *j);

/* Key of the next value; plain ASCII without characters to escape. */
void pp_json_key(struct pp_json *j, const char *key);

/* n bytes as a string.  Bytes that are not UTF-8 become U+FFFD each. */
void pp_json_bytes(struct pp_json *j, const char *p, size_t n);
void pp_json_text(struct pp_json *j, const char *text);
void pp_json_number(struct pp_json *j, uint64_t value);
void pp_json_bool(struct pp_json *j, bool value);

/* value / 10^decimals, with exactly that many decimals (at most 9). */
void pp_json_fixed(struct pp_json *j, uint64_t value, unsigned decimals);

/*
 * A file name under `key`.  When it is not UTF-8 a second member KEY_b64 has
 * its exact bytes (base64, RFC 4648), because the first has lost some.
 */
void pp_json_path(struct pp_json *j, const char *key, const char *path);

/* End of a line: "\n", and no comma before the next value. */
void pp_json_newline(struct pp_json *j);

/* Forgets the text, keeps the memory. */
void pp_json_clear(struct pp_json *j);
void pp_json_fini(struct pp_json *j);

#endif
