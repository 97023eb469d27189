/* A JSON writer: pretty-printed with two spaces, NaN and Inf written as null. Strings are escaped
 * for HTML and JavaScript, too: <, >, &, U+2028 and U+2029 are written as their numbers.
 *
 * It writes to a FILE (to a string through open_memstream) and leaves errors to whoever closes that
 * FILE. Inside an object every value has a key; inside an array, and for the outermost value, the
 * key is NULL. */
#ifndef TEXLA_IO_JSON_H
#define TEXLA_IO_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Objects and arrays are nested no deeper. */
enum { TX_JSON_DEPTH = 32 };

/* The state of writing: `bracket` closes each depth that is open, and `empty` says that nothing was
 * written yet at this one. `compact` leaves out spaces and line breaks. */
typedef struct txJson {
  FILE *file;
  int depth;
  bool compact;
  bool empty;
  char bracket[TX_JSON_DEPTH];
} txJson;

void txJsonStart(txJson *json, FILE *file);
/* An object or an array begins, until txJsonClose, which closes the innermost of them. */
void txJsonObject(txJson *json, const char *key);
void txJsonArray(txJson *json, const char *key);
void txJsonClose(txJson *json);
/* text = NULL gives null; bytes that are not UTF-8 become U+FFFD. */
void txJsonString(txJson *json, const char *key, const char *text);
void txJsonNumber(txJson *json, const char *key, double value);
void txJsonInteger(txJson *json, const char *key, int64_t value);
void txJsonBool(txJson *json, const char *key, bool value);

#endif
