/* Matrices that elimination must survive, by kind, and what several tests do with them. */
#ifndef TEXLA_TESTS_DENSE_CASES_H
#define TEXLA_TESTS_DENSE_CASES_H

#include "dense.h"

#include <cblas.h>

static const double EPSILON = 1.1920929e-7;

typedef enum caseKind {
  RANDOM,
  ORTHOGONAL,
  GRADED,
  PERMUTATION,
  HILBERT,
  VANDERMONDE,
  WILKINSON,
  /* integers, rank caseRank(rows, cols) */
  DEFICIENT,
  HUGE_VALUES,
  TINY_VALUES,
  CASE_KINDS
} caseKind;

static const char *const caseNames[] = {"random",  "orthogonal",  "graded",    "permutation",
                                        "hilbert", "vandermonde", "wilkinson", "deficient",
                                        "huge",    "tiny"};

static inline int caseRank(int rows, int cols) {
  int n = rows < cols ? rows : cols;
  return n / 2 + (n > 2);
}

/* Uniform in [-1, 1), from a hash of the position. */
static inline double caseNoise(uint32_t seed, int i, int j) {
  uint32_t h = seed * 0x9e3779b9u + (uint32_t)i * 0x85ebca6bu + (uint32_t)j * 0xc2b2ae35u;
  h = (h ^ (h >> 16)) * 0x7feb352du;
  h = (h ^ (h >> 15)) * 0x846ca68bu;
  return (double)((h ^ (h >> 16)) >> 8) / 8388608.0 - 1.0;
}

static inline double caseInteger(uint32_t seed, int i, int j) {
  return floor(4 * caseNoise(seed, i, j));
}

static inline double caseEntry(caseKind kind, int rows, int cols, int i, int j) {
  int n = rows > cols ? rows : cols;
  double sum = 0;
  switch (kind) {
  /* sines: symmetric and orthogonal where rows = cols */
  case ORTHOGONAL:
    return sqrt(2.0 / (n + 1)) * sin(3.14159265358979 * (i + 1) * (j + 1) / (n + 1));
  case GRADED:
    return caseNoise(3, i, j) * pow(10, -5.0 * (i + j) / (2 * n));
  case PERMUTATION:
    return (i * 7 + 3) % n == j || (n % 7 == 0 && (i + 1) % n == j);
  case HILBERT:
    return 1.0 / (i + j + 1);
  case VANDERMONDE:
    return pow((i + 1.0) / rows, j);
  /* grows by 2 in every step */
  case WILKINSON:
    if (i == j || j == cols - 1)
      return 1;
    return -(i > j);
  case DEFICIENT:
    for (int k = 0; k < caseRank(rows, cols); k++)
      sum += caseInteger(5, i, k) * caseInteger(6, k, j);
    return sum;
  case HUGE_VALUES:
    return 3e37 * caseNoise(8, i, j);
  case TINY_VALUES:
    return 1e-33 * caseNoise(9, i, j);
  default:
    return caseNoise(1, i, j);
  }
}

static inline float *caseValues(caseKind kind, int rows, int cols) {
  float *a = malloc((size_t)rows * (size_t)cols * sizeof *a);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++)
      a[(size_t)i * (size_t)cols + (size_t)j] = (float)caseEntry(kind, rows, cols, i, j);
  return a;
}

static inline double *caseDoubles(const float *a, int64_t count) {
  double *d = malloc((size_t)count * sizeof *d);
  for (int64_t k = 0; k < count; k++)
    d[k] = (double)a[k];
  return d;
}

static inline double caseLargest(const float *a, int64_t count) {
  double m = 0;
  /* NaN stays */
  for (int64_t k = 0; k < count; k++)
    m = fabs((double)a[k]) <= m ? m : fabs((double)a[k]);
  return m;
}

static inline float *caseDownload(clContext *context, const clDense *A) {
  float *a = malloc((size_t)clDenseRows(A) * (size_t)clDenseCols(A) * sizeof *a);
  assertZeroPadding(A);
  assertOk(context, clDenseDownload(A, a, clDenseCols(A)));
  return a;
}

#endif
