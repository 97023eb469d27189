#ifndef TEXLA_TESTS_FAULTS_MOST_H
#define TEXLA_TESTS_FAULTS_MOST_H

#include "level.h"

/* How many failures are tried of each kind: TEXLA_FAULTS (0: all) where it is set. Otherwise all in
 * the long form, and in the short one a quarter of `usually`, at least one. */
static inline long mostFaults(long usually) {
  const char *text = getenv("TEXLA_FAULTS");
  if (text)
    return strtol(text, NULL, 10);
  return testLong() ? 0 : (usually + 3) / 4;
}

#endif
