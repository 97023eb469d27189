/* How much a test tries: its short form, which shows what the long one does by fewer cases, or,
 * with TEXLA_TEST_LEVEL=long (`make nightly`), all. README.md lists what the short forms leave
 * out. */
#ifndef TEXLA_TESTS_LEVEL_H
#define TEXLA_TESTS_LEVEL_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline bool testLong(void) {
  const char *level = getenv("TEXLA_TEST_LEVEL");
  return level && !strcmp(level, "long");
}

/* Does the short form take number k of a list, of which it takes every second one, beginning with
 * the first? With AddressSanitizer, which is slow and sees the same lines in each, every fourth. */
static inline bool testTakes(size_t k) {
#ifdef __SANITIZE_ADDRESS__
  size_t every = 4;
#else
  size_t every = 2;
#endif
  return testLong() || k % every == 0;
}

/* The size after n in a loop over sizes up to 67. Blocks, tiles and texels have 2, 4, 8, 16 or 64
 * rows: the short form has sizes on both sides of each of these, and of no multiple beside them. */
static inline int testNextSize(int n) {
  static const int sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33, 63, 64, 65, 67};
  for (size_t k = 0; !testLong() && k < sizeof sizes / sizeof *sizes; k++)
    if (sizes[k] > n)
      return sizes[k];
  return n + 1;
}

#endif
