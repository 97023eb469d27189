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

/* The size after n in a loop over sizes. Short: all up to 9, then those on both sides of multiples
 * of 16, and all from 63 on. Blocks, tiles and texels have 2, 4, 8 or 16 rows, so that every
 * residue that they tell apart is there. */
static inline int testNextSize(int n) {
  if (testLong() || n < 9 || n >= 63)
    return n + 1;
  if (n == 9)
    return 15;
  return n % 16 == 1 ? n + 14 : n + 1;
}

#endif
