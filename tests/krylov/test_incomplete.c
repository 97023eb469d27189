/* Incomplete factorizations: sweeps against double precision, the fixed point against elimination
 * in order, the application. */
#include "common.h"

#include "krylov/incomplete.h"
#include "matrix/matrix.h"
#include "oracle/vector.h"
#include "texla/io.h"

#include "one_context.h"

/* z of the entry (i, j), NULL where there is none */
static double *entryOf(double *z, const clTriplets *A, int i, int j) {
  for (int64_t e = 0; e < A->count; e++)
    if (A->row[e] == i && A->col[e] == j)
      return z + e;
  return NULL;
}

/* a_e - sum of l_ik u_kj over the pattern, divided by the pivot above the diagonal; everything from
 * `from`. */
static double oracleEntry(const clTriplets *A, double *from, int64_t e) {
  int i = A->row[e], j = A->col[e];
  double v = A->value[e];
  for (int k = 0; k < (i < j ? i : j); k++) {
    const double *l = entryOf(from, A, i, k), *u = entryOf(from, A, k, j);
    if (l && u)
      v -= *l * *u;
  }
  return i < j ? v / *entryOf(from, A, i, i) : v;
}

static double *oracleStart(const clTriplets *A) {
  double *z = malloc((size_t)A->count * sizeof *z);
  memcpy(z, A->value, (size_t)A->count * sizeof *z);
  for (int64_t e = 0; e < A->count; e++)
    if (A->row[e] < A->col[e])
      z[e] /= A->value[entryOf(z, A, A->row[e], A->row[e]) - z];
  return z;
}

static double *oracleSweeps(const clTriplets *A, int sweeps) {
  double *z = oracleStart(A), *next = malloc((size_t)A->count * sizeof *next);
  for (int t = 0; t < sweeps; t++) {
    for (int64_t e = 0; e < A->count; e++)
      next[e] = oracleEntry(A, z, e);
    double *old = z;
    z = next;
    next = old;
  }
  free(next);
  return z;
}

/* In order: entries sorted by row, then column, need only what is to their left and above, so that
 * one pass in place is enough. */
static double *oracleElimination(const clTriplets *A) {
  double *z = oracleStart(A);
  for (int64_t e = 0; e < A->count; e++)
    z[e] = oracleEntry(A, z, e);
  return z;
}

static clTriplets *poisson(int nx, int ny) {
  clTriplets *A = NULL;
  assert_int_equal(clGeneratePoisson2d(&A, nx, ny, NULL), TEXLA_OK);
  return A;
}

/* Dominant, with an unsymmetric pattern that has pairs of all kinds. */
static clTriplets *scattered(int n) {
  clTriplets *A = NULL;
  assert_int_equal(clTripletsCreate(&A, n, n, 8 * n, NULL), TEXLA_OK);
  uint64_t state = 7;
  for (int i = 0; i < n; i++) {
    clTripletsAdd(A, i, i, 8 + randomUnit(&state), NULL);
    for (int k = 0; k < 5; k++)
      clTripletsAdd(A, i, (int)(randomBits(&state) % (uint32_t)n), randomUnit(&state), NULL);
  }
  assert_int_equal(clTripletsCompress(A, NULL), TEXLA_OK);
  return A;
}

static void assertNear(const double *got, const double *wanted, int64_t count, double tolerance) {
  for (int64_t e = 0; e < count; e++)
    if (!(fabs(got[e] - wanted[e]) <= tolerance * (1 + fabs(wanted[e]))))
      fail_msg("entry %d is %g instead of %g", (int)e, got[e], wanted[e]);
}

static void checkFactor(clTriplets *A, int sweeps, const double *wanted) {
  FREED double *z = malloc((size_t)A->count * sizeof *z);
  CHECK(txIncompleteFactor(z, context, A, sweeps, 0));
  assertNear(z, wanted, A->count, 2e-6);
}

static void sweeps_equal_the_oracle(void **state) {
  for (int sweeps = 0; sweeps < 5; sweeps++)
    for (int which = 0; which < 2; which++) {
      OWN(clTriplets) *A = which ? scattered(41) : poisson(7, 5);
      FREED double *wanted = oracleSweeps(A, sweeps);
      checkFactor(A, sweeps, wanted);
    }
}

static void fixed_point_is_ilu0(void **state) {
  for (int n = 1; n < 60; n += 9) {
    OWN(clTriplets) *A = n % 2 ? scattered(n) : poisson(n, 3);
    FREED double *wanted = oracleElimination(A);
    checkFactor(A, 60, wanted);
  }
}

/* y <- (1 + T)^-1 b by `sweeps` steps, T = the strict triangle of what is given, dense n x n */
static void oracleTriangle(double *y, const double *T, const double *b, int n, int sweeps) {
  FREED double *next = malloc((size_t)n * sizeof *next);
  memcpy(y, b, (size_t)n * sizeof *y);
  for (int t = 0; t < sweeps; t++) {
    for (int i = 0; i < n; i++) {
      next[i] = b[i];
      for (int j = 0; j < n; j++)
        next[i] -= T[i * n + j] * y[j];
    }
    memcpy(y, next, (size_t)n * sizeof *y);
  }
}

/* z <- M r from the factors, in double */
static void oracleApply(double *z, const clTriplets *A, double *factors, const double *r,
                        bool symmetric, int sweeps) {
  int n = A->rows;
  FREED double *E = calloc((size_t)(n * n), sizeof *E), *F = calloc((size_t)(n * n), sizeof *F);
  FREED double *w = malloc((size_t)n * sizeof *w);
  for (int64_t e = 0; e < A->count; e++) {
    int i = A->row[e], j = A->col[e];
    if (i > j)
      E[i * n + j] = factors[e] / *entryOf(factors, A, j, j);
    if (i > j && symmetric)
      F[j * n + i] = E[i * n + j];
    if (i < j && !symmetric)
      F[i * n + j] = factors[e];
  }
  oracleTriangle(w, E, r, n, sweeps);
  for (int i = 0; i < n; i++)
    w[i] /= *entryOf(factors, A, i, i);
  oracleTriangle(z, F, w, n, sweeps);
}

static void application(void **state) {
  for (int sweeps = 1; sweeps < 5; sweeps++)
    for (int which = 0; which < 2; which++) {
      OWN(clTriplets) *A = which ? scattered(33) : poisson(6, 5);
      int n = A->rows;
      txIncompleteOptions options = {
          .symmetric = !which, .factor_sweeps = 5, .triangle_sweeps = sweeps};
      txPreconditioner M = {0};
      OWN(clMatrix) *device = NULL;
      OWN(clVector) *z = NULL, *r = NULL;
      FREED float *values = oracleRandom(n, 3);
      /* linear: the triangles of a grid's matrix must not become grids when it is none */
      CHECK(clMatrixCreate(&device, context, A, &(clMatrixOptions){.linear = sweeps % 2}));
      CHECK(txIncompleteCreate(&M, device, A, &options));
      CHECK(clMatrixCreateVector(&z, device, TEXLA_DOMAIN));
      CHECK(clMatrixCreateVector(&r, device, TEXLA_RANGE));
      CHECK(clVectorUpload(r, values));
      CHECK(M.apply(M.data, z, r));
      FREED double *factors = oracleSweeps(A, 5), *b = malloc((size_t)n * sizeof *b),
                   *wanted = malloc((size_t)n * sizeof *wanted);
      for (int i = 0; i < n; i++)
        b[i] = (double)values[i];
      oracleApply(wanted, A, factors, b, options.symmetric, sweeps);
      FREED double *scale = malloc((size_t)n * sizeof *scale);
      for (int i = 0; i < n; i++)
        scale[i] = 1;
      assert_true(oracleHolds("M r", z, wanted, scale, 2e-6));
      M.destroy(M.data);
    }
}

/* A diagonal matrix has no triangles: M is its inverse. */
static void diagonal_matrix(void **state) {
  OWN(clTriplets) *A = NULL;
  assert_int_equal(clTripletsCreate(&A, 9, 9, 9, NULL), TEXLA_OK);
  for (int i = 0; i < 9; i++)
    clTripletsAdd(A, i, i, i + 1, NULL);
  OWN(clMatrix) *device = NULL;
  OWN(clVector) *z = NULL;
  txPreconditioner M = {0};
  float ones[9];
  for (int i = 0; i < 9; i++)
    ones[i] = 1;
  CHECK(clMatrixCreate(&device, context, A, NULL));
  CHECK(txIncompleteCreate(&M, device, A, &(txIncompleteOptions){.symmetric = true}));
  CHECK(clMatrixCreateVector(&z, device, TEXLA_DOMAIN));
  CHECK(clVectorUpload(z, ones));
  OWN(clVector) *out = NULL;
  CHECK(clVectorCreateLike(&out, z));
  CHECK(M.apply(M.data, out, z));
  CHECK(clVectorDownload(out, ones));
  for (int i = 0; i < 9; i++)
    assert_true(fabsf(ones[i] * (float)(i + 1) - 1) < 1e-6f);
  M.destroy(M.data);
}

static void what_cannot_be_factored(void **state) {
  clTriplets *A = NULL;
  txPreconditioner M = {0};
  clMatrix *device = NULL;
  assert_int_equal(clTripletsCreate(&A, 3, 3, 9, NULL), TEXLA_OK);
  clTripletsAdd(A, 0, 0, 1, NULL);
  clTripletsAdd(A, 1, 2, 1, NULL);
  clTripletsAdd(A, 2, 2, 1, NULL);
  assert_int_equal(clTripletsCompress(A, NULL), TEXLA_OK);
  CHECK(clMatrixCreate(&device, context, A, NULL));
  assertFails(context, txIncompleteCreate(&M, device, A, &(txIncompleteOptions){0}), TEXLA_SINGULAR,
              "zero in row 2");
  clMatrixDestroy(device);
  clTripletsDestroy(A);
  /* indefinite: no enlargement of the diagonal makes a negative entry positive */
  assert_int_equal(clTripletsCreate(&A, 2, 2, 4, NULL), TEXLA_OK);
  clTripletsAdd(A, 0, 0, 1, NULL);
  clTripletsAdd(A, 1, 1, -1, NULL);
  CHECK(clMatrixCreate(&device, context, A, NULL));
  assertFails(context, txIncompleteCreate(&M, device, A, &(txIncompleteOptions){.symmetric = true}),
              TEXLA_SINGULAR, "breaks down in row 2");
  CHECK(txIncompleteCreate(&M, device, A, &(txIncompleteOptions){0}));
  M.destroy(M.data);
  clMatrixDestroy(device);
  clTripletsDestroy(A);
}

TEST_MAIN(setUp, testContextDestroy, sweeps_equal_the_oracle, fixed_point_is_ilu0, application,
          diagonal_matrix, what_cannot_be_factored)
