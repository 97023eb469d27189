/* Matrices on the host that several tests begin with; the caller owns them. */
#ifndef TEXLA_TESTS_MATRICES_H
#define TEXLA_TESTS_MATRICES_H

#include "common.h"

#include "texla/io.h"

static inline clTriplets *emptyMatrix(int32_t rows, int32_t cols) {
  clTriplets *A = NULL;
  assert_int_equal(clTripletsCreate(&A, rows, cols, 0, NULL), TEXLA_OK);
  return A;
}

static inline clTriplets *poisson(int nx, int ny) {
  clTriplets *A = NULL;
  assert_int_equal(clGeneratePoisson2d(&A, nx, ny, NULL), TEXLA_OK);
  return A;
}

/* n x n from a row-major list */
static inline clTriplets *matrixOf(int n, const double *values) {
  clTriplets *A = emptyMatrix(n, n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (values[i * n + j] != 0)
        assert_int_equal(clTripletsAdd(A, i, j, values[i * n + j], NULL), TEXLA_OK);
  assert_int_equal(clTripletsCompress(A, NULL), TEXLA_OK);
  return A;
}

#endif
