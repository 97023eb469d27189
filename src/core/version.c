/* The version that was built. */
#include "texla/version.h"

const char *clVersion(void) {
  return TEXLA_VERSION;
}
