#include "core/error.h"

#include <stdarg.h>
#include <stdio.h>

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
  return status;
}
