/* What tests choose by a condition in many places. */
#ifndef TEXLA_TESTS_CHOOSE_H
#define TEXLA_TESTS_CHOOSE_H

#include <stdbool.h>

/* Rows and columns of op(A), a row and a column: exchanged if `turned`. */
static inline void swapIf(bool turned, int *a, int *b) {
  if (!turned)
    return;
  int kept = *a;
  *a = *b;
  *b = kept;
}

/* Place of entry (i, j) of op(A) among the row-major values of A, with `lead` entries to a row. */
static inline int placeIn(bool turned, int lead, int i, int j) {
  swapIf(turned, &i, &j);
  return i * lead + j;
}

/* i, moved into [0, n). */
static inline int clampTo(int i, int n) {
  if (i < 0)
    return 0;
  return i < n ? i : n - 1;
}

#endif
