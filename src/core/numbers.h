/* Small functions of numbers. */
#ifndef TEXLA_CORE_NUMBERS_H
#define TEXLA_CORE_NUMBERS_H

#include <math.h>
#include <stdint.h>

static inline int txLeast(int a, int b) {
  return a < b ? a : b;
}

static inline int64_t txLeast64(int64_t a, int64_t b) {
  return a < b ? a : b;
}

static inline int txMost(int a, int b) {
  return a > b ? a : b;
}

static inline int64_t txMost64(int64_t a, int64_t b) {
  return a > b ? a : b;
}

/* i, or the bound beyond which it lies. */
static inline int txWithin(int i, int least, int most) {
  return txMost(least, txLeast(i, most));
}

/* The larger one; NaN where either is, which fmax would pass over. */
static inline double txLarger(double a, double b) {
  if (isnan(a) || a > b)
    return a;
  return b;
}

/* n / 2, rounded up, also for the largest int. */
static inline int txHalf(int n) {
  return n / 2 + n % 2;
}

/* a / b, rounded up; a is not negative, b at least 1. */
static inline int txCeilDiv(int a, int b) {
  return a / b + (a % b != 0);
}

static inline int64_t txCeilDiv64(int64_t a, int64_t b) {
  return a / b + (a % b != 0);
}

#endif
