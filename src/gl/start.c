/* What creating a context takes: what a program waits for before its first pass. */
#include "gl/gl.h"
#include "platform/platform.h"

void txStarted(clContext *context, txStart part) {
  double now = txNow();
  context->seconds[part] = now - context->started;
  context->started = now;
}

bool txContextStart(const clContext *context, int index, const char **what, double *seconds) {
  static const char *const parts[TX_STARTS] = {
      [TX_START_PLATFORM] = "OpenGL context",
      [TX_START_LOAD] = "entry points",
      [TX_START_TRAITS] = "traits",
      [TX_START_PROBES] = "probes",
  };
  if (!context || index < 0 || index >= TX_STARTS)
    return false;
  *what = parts[index];
  *seconds = context->seconds[index];
  return true;
}
