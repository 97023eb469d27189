/* Lists of objects of JSON in memory, one object a line. */
#include "trace/trace.h"

/* Objects are separated here, so that a list needs no end but a bracket, which the page adds. */
void txTraceBegin(txTraceList *list, txJson *json) {
  if (list->count)
    fputs(",\n", list->file);
  txJsonStart(json, list->file);
  json->compact = true;
  txJsonObject(json, NULL);
}

/* The file is flushed, as the limit of a trace is held against list->size. */
int64_t txTraceEnd(txTraceList *list, txJson *json) {
  txJsonClose(json);
  fflush(list->file);
  list->size = (size_t)ftell(list->file);
  return list->count++;
}

/* Base64 (RFC 4648): three bytes are four digits; the last group may have one or two bytes. */
void txTraceBase64(txJson *json, const char *key, const void *bytes, size_t count) {
  static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const unsigned char *b = bytes;
  fprintf(json->file, ",\"%s\":\"", key);
  for (size_t i = 0; i < count; i += 3) {
    size_t n = count - i;
    uint32_t v = (uint32_t)b[i] << 16;
    if (n > 1)
      v |= (uint32_t)b[i + 1] << 8;
    if (n > 2)
      v |= b[i + 2];
    char four[4] = {digit[v >> 18], digit[v >> 12 & 63], '=', '='};
    if (n > 1)
      four[2] = digit[v >> 6 & 63];
    if (n > 2)
      four[3] = digit[v & 63];
    fwrite(four, 1, 4, json->file);
  }
  putc('"', json->file);
}

/* Where a pass has drawn, or what has changed: x, y, width and height in texels. */
void txTraceRect(txJson *json, txRect rect) {
  const int value[] = {rect.x, rect.y, rect.width, rect.height};
  txJsonArray(json, "rect");
  for (int i = 0; i < 4; i++)
    txJsonInteger(json, NULL, value[i]);
  txJsonClose(json);
}
