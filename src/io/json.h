/* A JSON writer: pretty-printed with two spaces, strings escaped, NaN and Inf written as null.
 *
 * It writes to a FILE (to a string through open_memstream) and leaves errors to whoever closes that FILE. Inside an
 * object every value has a key; inside an array, and for the outermost value, the key is NULL. */
#ifndef TEXLA_IO_JSON_H
#define TEXLA_IO_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { TX_JSON_DEPTH = 32 }; /* deepest nesting */

typedef struct txJson {
  FILE *file;
  int depth;
  bool compact;                /* without spaces and line breaks */
  bool empty;                  /* nothing was written yet at this depth */
  char bracket[TX_JSON_DEPTH]; /* what closes each depth */
} txJson;

void txJsonStart(txJson *json, FILE *file);
void txJsonObject(txJson *json, const char *key); /* opens { */
void txJsonArray(txJson *json, const char *key);  /* opens [ */
void txJsonClose(txJson *json);                   /* closes the innermost of the two */
/* text = NULL gives null; bytes that are not UTF-8 become U+FFFD. */
void txJsonString(txJson *json, const char *key, const char *text);
void txJsonNumber(txJson *json, const char *key, double value);
void txJsonInteger(txJson *json, const char *key, int64_t value);
void txJsonBool(txJson *json, const char *key, bool value);

#endif
