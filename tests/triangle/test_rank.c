/* Ranks of matrices of small integers, whose rank is known exactly: products of an m x r and an
 * r x n matrix, intercepts beside dummy variables, observations without weight. What single
 * precision cannot tell, double decides before a rank is claimed. */

#include "common.h"
#include "texla/cholesky.h"
#include "texla/least_squares.h"

#include "one_context.h"

/* What was tried and what was right of one kind. */
typedef struct tally {
  int tried, right;
} tally;

static void assertAllRight(const char *what, tally t) {
  print_message("%s: %d tried, %d right\n", what, t.tried, t.right);
  assert_int_equal(t.right, t.tried);
}

static clTriplets *tripletsOf(const double *a, int m, int n) {
  clTriplets *A = NULL;
  CHECK(clTripletsCreate(&A, m, n, (int64_t)m * n, NULL));
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      if (a[i * n + j] != 0)
        CHECK(clTripletsAdd(A, i, j, a[i * n + j], NULL));
  CHECK(clTripletsCompress(A, NULL));
  return A;
}

static int randomInteger(uint64_t *random, int most) {
  return (int)(randomBits(random) % (2 * (uint32_t)most + 1)) - most;
}

/* a <- the product of random m x r and r x n matrices of small integers. */
static void fillProduct(double *a, int m, int n, int r, uint64_t *random) {
  FREED double *left = malloc((size_t)(m * r) * sizeof *left);
  FREED double *right = malloc((size_t)(r * n) * sizeof *right);
  for (int k = 0; k < m * r; k++)
    left[k] = randomInteger(random, 3);
  for (int k = 0; k < r * n; k++)
    right[k] = randomInteger(random, 3);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      a[i * n + j] = 0;
      for (int k = 0; k < r; k++)
        a[i * n + j] += left[i * r + k] * right[k * n + j];
    }
}

/* The rank of small integers modulo a prime: that of the rationals, but for rare accidents. */
static int rankOf(const double *a, int m, int n) {
  const int64_t prime = 1000003;
  FREED int64_t *w = malloc((size_t)(m * n) * sizeof *w);
  int rank = 0;
  for (int k = 0; k < m * n; k++)
    w[k] = (((int64_t)a[k]) % prime + prime) % prime;
  for (int j = 0; j < n && rank < m; j++) {
    int at = rank;
    while (at < m && w[at * n + j] == 0)
      at++;
    if (at == m)
      continue;
    for (int k = 0; k < n; k++) {
      int64_t v = w[at * n + k];
      w[at * n + k] = w[rank * n + k];
      w[rank * n + k] = v;
    }
    for (int i = rank + 1; i < m; i++) {
      int64_t pivot = w[rank * n + j], factor = w[i * n + j];
      for (int k = j; k < n; k++)
        w[i * n + k] = ((w[i * n + k] * pivot - w[rank * n + k] * factor) % prime + prime) % prime;
    }
    rank++;
  }
  return rank;
}

/* Every method tells the rank; Cholesky alone may only say that there is none of its factors. */
static void tryLeastSquares(tally *t, const double *a, const double *d, int m, int n, int rank) {
  FREED double *b = malloc((size_t)m * sizeof *b), *x = malloc((size_t)n * sizeof *x);
  OWN(clTriplets) *A = tripletsOf(a, m, n);
  for (int i = 0; i < m; i++)
    b[i] = i % 5 - 1.5;
  for (int method = 0; method < 3; method++) {
    clLeastSquaresOptions o = {.method = (clLeastSquaresMethod)method};
    clLeastSquaresReport report = {0};
    OWN(clLeastSquares) *s = NULL;
    CHECK(clLeastSquaresCreate(&s, context, A, &o));
    if (d)
      CHECK(clLeastSquaresWeigh(s, d));
    clStatus status = clLeastSquaresSolve(s, x, b, &report);
    bool refused = method == TEXLA_LEAST_SQUARES_CHOLESKY && rank < (m < n ? m : n);
    bool right = refused ? status == TEXLA_SINGULAR : status == TEXLA_OK && report.rank == rank;
    if (!right)
      print_message("%d x %d of rank %d by %s: status %d, rank %d, %s\n", m, n, rank,
                    clLeastSquaresMethodName(o.method), (int)status, report.rank,
                    clReasonText(report.reason));
    t->tried++;
    t->right += right;
  }
}

static void dependentColumns(void **state) {
  tally t = {0};
  const double halves[18] = {1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 1, 0, 1};
  tryLeastSquares(&t, halves, NULL, 6, 3, 2);
  uint64_t random = 7;
  for (int k = 0; k < 40; k++) {
    int n = 2 + k % 13, m = n + k % 23, r = 1 + (k * 5) % n;
    FREED double *a = malloc((size_t)(m * n) * sizeof *a);
    fillProduct(a, m, n, r, &random);
    tryLeastSquares(&t, a, NULL, m, n, rankOf(a, m, n));
  }
  assertAllRight("products of thin matrices", t);
}

/* An intercept, and dummy variables for all groups: their sum is the intercept. */
static void dummyVariables(void **state) {
  enum { ROWS = 30, COLS = 7 };
  tally t = {0};
  uint64_t random = 11;
  for (int k = 0; k < 16; k++) {
    double a[ROWS * COLS] = {0};
    for (int i = 0; i < ROWS; i++) {
      a[i * COLS] = 1;
      a[i * COLS + 1 + (int)(randomBits(&random) % (COLS - 1))] = 1;
    }
    tryLeastSquares(&t, a, NULL, ROWS, COLS, rankOf(a, ROWS, COLS));
  }
  assertAllRight("an intercept and dummy variables", t);
}

static void weightsLeaveTooFew(void **state) {
  enum { ROWS = 12, COLS = 5 };
  tally t = {0};
  uint64_t random = 13;
  for (int k = 0; k < 16; k++) {
    double a[ROWS * COLS], d[ROWS], left[ROWS * COLS] = {0};
    for (int e = 0; e < ROWS * COLS; e++)
      a[e] = randomInteger(&random, 9);
    for (int i = 0; i < ROWS; i++)
      d[i] = i % 3 == k % 3;
    for (int e = 0; e < ROWS * COLS; e++)
      left[e] = a[e] * d[e / COLS];
    tryLeastSquares(&t, a, d, ROWS, COLS, rankOf(left, ROWS, COLS));
  }
  assertAllRight("weights that leave 4 observations", t);
}

/* G = B^T B, exact in single precision. */
static void trySemidefinite(tally *t, int n, int r, bool packed, uint64_t *random) {
  FREED double *b = malloc((size_t)(r * n) * sizeof *b);
  FREED float *g = calloc((size_t)(n * n), sizeof *g);
  for (int k = 0; k < r * n; k++)
    b[k] = randomInteger(random, 3);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < r; k++)
        g[i * n + j] += (float)(b[k * n + i] * b[k * n + j]);
  int rank = rankOf(b, r, n);
  OWN(clDense) *A = NULL;
  OWN(clCholesky) *c = NULL;
  clCholeskyReport report = {0};
  CHECK(clDenseCreate(&A, context, n, n));
  CHECK(clDenseUpload(A, g, n));
  CHECK(clCholeskyCreate(&c, context, n, &(clCholeskyOptions){.packed = packed}));
  clStatus status = clCholeskyFactor(c, A, &report);
  bool right = status == (rank < n ? TEXLA_SINGULAR : TEXLA_OK);
  if (!right)
    print_message("order %d, rank %d: status %d, smallest pivot %g\n", n, rank, (int)status,
                  report.smallest_pivot);
  t->tried++;
  t->right += right;
}

static void semidefiniteMatrices(void **state) {
  tally t = {0};
  uint64_t random = 17;
  for (int k = 0; k < 120; k++) {
    int n = 2 + k % 40;
    trySemidefinite(&t, n, n - 1 + k % 3, k % 2 == 0, &random);
  }
  assertAllRight("semidefinite matrices of integers", t);
  const float halves[9] = {6, 3, 3, 3, 3, 0, 3, 0, 3};
  OWN(clDense) *A = NULL;
  OWN(clCholesky) *c = NULL;
  CHECK(clDenseCreate(&A, context, 3, 3));
  CHECK(clDenseUpload(A, halves, 3));
  CHECK(clCholeskyCreate(&c, context, 3, NULL));
  assertFails(context, clCholeskyFactor(c, A, NULL), TEXLA_SINGULAR,
              "column 3 has no positive pivot");
}

TEST_MAIN(setUp, testContextDestroy, dependentColumns, dummyVariables, weightsLeaveTooFew,
          semidefiniteMatrices)
