#include "core/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *clStatusText(clStatus status) {
  switch (status) {
#define TEXLA_STATUS_CASE(name, value, text)                                                       \
  case name:                                                                                       \
    return text;
    TEXLA_STATUS_LIST(TEXLA_STATUS_CASE)
#undef TEXLA_STATUS_CASE
  }
  return "unknown status";
}

size_t txControl(const char *text) {
  unsigned char first = (unsigned char)text[0], second = 0;
  if (first)
    second = (unsigned char)text[1];
  if (first == 0xc2 && second >= 0x80 && second < 0xa0)
    return 2;
  return (first && first < 0x20 && first != '\n' && first != '\t') || first == 0x7f;
}

void txDisarm(char *text) {
  for (; *text; text++)
    memset(text, '?', txControl(text));
}

/* The message is cut off where it is longer than the room for it. */
clStatus txFail(clError *error, clStatus status, const char *call, const char *format, ...) {
  if (!error)
    return status;
  error->status = status;
  int n = snprintf(error->message, sizeof error->message, "%s: ", call);
  if (n > 0 && (size_t)n < sizeof error->message) {
    va_list args;
    va_start(args, format);
    vsnprintf(error->message + n, sizeof error->message - (size_t)n, format, args);
    va_end(args);
  }
  txDisarm(error->message);
  return status;
}
