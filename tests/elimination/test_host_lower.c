/* Triangles of the host, in double: norms that keep NaN, and factorizations that say where rounding
 * alone may have made a pivot. No context. */
#include "elimination/host_lower.h"

#include "common.h"

enum { MOST = 40 };

static void normsKeepNaN(void **state) {
  const double cases[][3] = {{NAN, 0, 0}, {0, NAN, 0}, {NAN, 2, 1}, {1, 2, NAN}};
  for (int k = 0; k < 4; k++)
    assert_true(isnan(txHostNorm(cases[k], 3)));
  const double large[] = {3e300, 4e300}, none[] = {0, 0}, endless[] = {1, -INFINITY};
  assert_float_equal(txHostNorm(large, 2), 5e300, 1e286);
  assert_float_equal(txHostNorm(none, 2), 0, 0);
  assert_true(isinf(txHostNorm(endless, 2)));
}

/* A <- the lower triangle of B^T B for r x n integers from -3 to 3: exact, of rank r or less. */
static void fillGram(const txHostLower *A, int n, int r, uint64_t *random) {
  int b[(MOST + 1) * MOST];
  for (int k = 0; k < r * n; k++)
    b[k] = (int)(randomBits(random) % 7) - 3;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      int sum = 0;
      for (int k = 0; k < r; k++)
        sum += b[k * n + i] * b[k * n + j];
      txHostLowerRow(A, i)[j] = sum;
    }
}

/* A matrix of lower rank has no factor, whatever rounding makes of its last pivot. A limit of 64 n
 * roundoffs of the diagonal takes some twenty of these for definite. */
static void lowerRanksAreFound(void **state) {
  double values[MOST * (MOST + 1) / 2], work[MOST];
  uint64_t random = 17;
  int tried = 0, found = 0;
  for (int k = 0; k < 2000; k++) {
    int n = 2 + k % (MOST - 1);
    txHostLower A = {.order = n, .room = n, .value = values};
    fillGram(&A, n, n - 1, &random);
    tried++;
    found += txHostLowerFactor(&A, work) >= 0;
  }
  print_message("Gram matrices of lower rank: %d tried, %d found\n", tried, found);
  assert_int_equal(found, tried);
}

/* Hilbert's matrices, 1 / (i + j + 1), have condition 1.5e10 at order 8 and 5e11 at 9. */
static void definiteOnesAreFactored(void **state) {
  double values[MOST * (MOST + 1) / 2], work[MOST];
  for (int n = 1; n <= 9; n++) {
    txHostLower A = {.order = n, .room = n, .value = values};
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++)
        txHostLowerRow(&A, i)[j] = 1.0 / (i + j + 1);
    assert_int_equal(txHostLowerFactor(&A, work), -1);
  }
  uint64_t random = 5;
  for (int k = 0; k < 200; k++) {
    int n = 2 + k % (MOST - 1);
    txHostLower A = {.order = n, .room = n, .value = values};
    fillGram(&A, n, n - 1, &random);
    for (int i = 0; i < n; i++)
      txHostLowerRow(&A, i)[i] += 1e-6;
    assert_int_equal(txHostLowerFactor(&A, work), -1);
  }
}

TEST_MAIN(NULL, NULL, normsKeepNaN, lowerRanksAreFound, definiteOnesAreFactored)
