/* The JSON writer: commas, line breaks, brackets and escapes (RFC 8259). */
#include "io/json.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "io/number.h"

/* The length of the valid UTF-8 sequence at `text`; 0 if there is none. By RFC 3629 there are no
 * overlong forms, no surrogates, and nothing above U+10FFFF. */
static int utf8Length(const unsigned char *text) {
  static const struct {
    unsigned char mask, lead;
    uint32_t smallest;
  } form[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
  int n = 0;
  while (n < 4 && (text[0] & form[n].mask) != form[n].lead)
    n++;
  if (n == 4)
    return 0;
  uint32_t code = text[0] & (unsigned char)~form[n].mask;
  for (int k = 1; k <= n; k++) {
    if ((text[k] & 0xc0) != 0x80)
      return 0;
    code = code << 6 | (text[k] & 0x3f);
  }
  bool valid = code >= form[n].smallest && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  if (!valid)
    return 0;
  return n + 1;
}

/* U+2028 and U+2029 end a line of JavaScript, but not of JSON. */
static bool isLineEnd(const char *text) {
  return !strncmp(text, "\xe2\x80\xa8", 3) || !strncmp(text, "\xe2\x80\xa9", 3);
}

/* A string with its quotes (RFC 8259, section 7): quotes, backslashes and control characters are
 * escaped, and each byte that is part of no character is replaced. Characters that mean something
 * to HTML or JavaScript are escaped, too: the text may stand in a page. */
static void writeQuoted(FILE *file, const char *text) {
  static const char special[] = "\"\\\n\t\r\b\f", letter[] = "\"\\ntrbf";
  putc('"', file);
  for (const char *p = text; *p;) {
    const char *escape = strchr(special, *p);
    int length = utf8Length((const unsigned char *)p);
    if (escape)
      fprintf(file, "\\%c", letter[escape - special]);
    else if ((unsigned char)*p < 0x20 || strchr("<>&", *p))
      fprintf(file, "\\u%04x", (unsigned)*p);
    else if (isLineEnd(p))
      fprintf(file, "\\u20%02x", (unsigned char)p[2] - 0x80);
    else if (length == 0)
      fputs("\\ufffd", file);
    else
      fwrite(p, 1, (size_t)length, file);
    p += length > 0 ? length : 1;
  }
  putc('"', file);
}

/* Two spaces a depth. */
static void newLine(const txJson *json) {
  if (!json->compact)
    fprintf(json->file, "\n%*s", 2 * json->depth, "");
}

/* Everything that stands before a value: comma, line break, key. */
static void beginValue(txJson *json, const char *key) {
  if (!json->empty)
    putc(',', json->file);
  if (json->depth > 0)
    newLine(json);
  if (key) {
    writeQuoted(json->file, key);
    fputs(json->compact ? ":" : ": ", json->file);
  }
}

/* The outermost value ends with a line. */
static void endValue(txJson *json) {
  json->empty = false;
  if (json->depth == 0)
    putc('\n', json->file);
}

/* A value whose text is JSON already. */
static void writeValue(txJson *json, const char *key, const char *text) {
  beginValue(json, key);
  fputs(text, json->file);
  endValue(json);
}

/* Deeper than TX_JSON_DEPTH would be a slip of the program, not of its input. */
static void openBracket(txJson *json, const char *key, char opening, char closing) {
  assert(json->depth < TX_JSON_DEPTH);
  beginValue(json, key);
  putc(opening, json->file);
  json->bracket[json->depth++] = closing;
  json->empty = true;
}

/* Nothing is written before the first value. */
void txJsonStart(txJson *json, FILE *file) {
  *json = (txJson){.file = file, .empty = true};
}

void txJsonObject(txJson *json, const char *key) {
  openBracket(json, key, '{', '}');
}

void txJsonArray(txJson *json, const char *key) {
  openBracket(json, key, '[', ']');
}

/* The bracket stands on a line of its own, unless nothing is between the two. */
void txJsonClose(txJson *json) {
  assert(json->depth > 0);
  json->depth--;
  if (!json->empty)
    newLine(json);
  putc(json->bracket[json->depth], json->file);
  endValue(json);
}

/* What is no UTF-8 must not make the whole file unreadable. */
void txJsonString(txJson *json, const char *key, const char *text) {
  beginValue(json, key);
  if (text)
    writeQuoted(json->file, text);
  else
    fputs("null", json->file);
  endValue(json);
}

/* JSON has no NaN and no infinities. */
void txJsonNumber(txJson *json, const char *key, double value) {
  char text[TX_NUMBER_SIZE] = "null";
  if (isfinite(value))
    txNumberFormat(text, value);
  writeValue(json, key, text);
}

void txJsonInteger(txJson *json, const char *key, int64_t value) {
  char text[TX_NUMBER_SIZE];
  txIntegerFormat(text, value);
  writeValue(json, key, text);
}

void txJsonBool(txJson *json, const char *key, bool value) {
  writeValue(json, key, value ? "true" : "false");
}
