#ifndef TEXLA_TESTS_FAULTS_MOST_H
#define TEXLA_TESTS_FAULTS_MOST_H

#include <stdlib.h>

/* How many failures are tried of each kind: TEXLA_FAULTS, or `usually`, of which half with
 * AddressSanitizer, which takes three times as long. 0: all. */
static inline long mostFaults(long usually) {
#ifdef __SANITIZE_ADDRESS__
  usually = (usually + 1) / 2;
#endif
  const char *text = getenv("TEXLA_FAULTS");
  return text ? strtol(text, NULL, 10) : usually;
}

#endif
