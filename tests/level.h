/* How much a test tries: its short form, which shows what the long one does by fewer cases, or, with
 * TEXLA_TEST_LEVEL=long (`make nightly`), all. README.md lists what the short forms leave out. */
#ifndef TEXLA_TESTS_LEVEL_H
#define TEXLA_TESTS_LEVEL_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline bool testLong(void) {
  const char *level = getenv("TEXLA_TEST_LEVEL");
  return level && !strcmp(level, "long");
}

#endif
