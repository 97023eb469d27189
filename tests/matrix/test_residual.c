/* b - A x in double-float, in every storage, against long double. */
#include "one_context.h"

#include <math.h>

#include "matrices.h"
#include "texla/texla.h"

/* A matrix on the host, and vectors of which x nearly solves A x = b. */
typedef struct problem {
  clTriplets *A;
  double *x, *b;
} problem;

static uint64_t seed = 7;

static double value(bool short_digits) {
  double v = randomUnit(&seed) + 1.5;
  return short_digits ? (double)(float)v : v;
}

static void add(clTriplets *A, int32_t i, int32_t j, bool short_digits) {
  assert_int_equal(clTripletsAdd(A, i, j, value(short_digits), NULL), TEXLA_OK);
}

/* The exact product of a row, and with magnitudes. */
static void products(const problem *p, const double *x, long double *product, long double *size) {
  memset(product, 0, (size_t)p->A->rows * sizeof *product);
  memset(size, 0, (size_t)p->A->rows * sizeof *size);
  for (int64_t k = 0; k < p->A->count; k++) {
    long double term = (long double)p->A->value[k] * (long double)x[p->A->col[k]];
    product[p->A->row[k]] += term;
    size[p->A->row[k]] += fabsl(term);
  }
}

/* b - A x is 2^-20 to 2^-34 of b; A and x are multiplied by 2^a and 2^x. */
static problem prepareScaled(clTriplets *A, int a, int x) {
  problem p = {A, malloc((size_t)A->cols * sizeof(double)),
               malloc((size_t)A->rows * sizeof(double))};
  long double *product = malloc(2 * (size_t)A->rows * sizeof *product);
  assert_true(p.x && p.b && product);
  assert_int_equal(clTripletsCompress(A, NULL), TEXLA_OK);
  for (int64_t k = 0; k < A->count; k++)
    A->value[k] = ldexp(A->value[k], a);
  for (int32_t j = 0; j < A->cols; j++)
    p.x[j] = randomUnit(&seed) * ldexp(1, j % 7 + x);
  products(&p, p.x, product, product + A->rows);
  for (int32_t i = 0; i < A->rows; i++)
    p.b[i] = (double)(product[i] * (1 + ldexpl((long double)randomUnit(&seed), -20 - i % 15)));
  free(product);
  return p;
}

static problem prepare(clTriplets *A) {
  return prepareScaled(A, 0, 0);
}

static void forget(problem *p) {
  clTripletsDestroy(p->A);
  free(p->x);
  free(p->b);
}

static clDoubleVector *deviceVector(const clMatrix *A, clMatrixSpace side, double *values) {
  clVector *like = NULL;
  clDoubleVector *x = NULL;
  CHECK(clMatrixCreateVector(&like, A, side));
  CHECK(clDoubleVectorCreateLike(&x, like));
  CHECK(clDoubleVectorUpload(x, values));
  /* what the device has of them */
  CHECK(clDoubleVectorDownload(x, values));
  clVectorDestroy(like);
  return x;
}

/* All results of one storage: in double-float, in place, rounded and scaled. */
static void checkStorage(problem *p, clStorage storage, int nx, int ny) {
  clMatrix *A = NULL;
  clVector *rounded = NULL;
  clMatrixOptions o = {.storage = storage, .grid_nx = nx, .grid_ny = ny, .double_float = true};
  size_t m = (size_t)p->A->rows;
  double *r = malloc(m * sizeof *r);
  long double *product = malloc(2 * m * sizeof *product), *size = product + m;
  float *single = malloc(m * sizeof *single);
  CHECK(clMatrixCreate(&A, context, p->A, &o));
  clDoubleVector *x = deviceVector(A, TEXLA_DOMAIN, p->x), *b = deviceVector(A, TEXLA_RANGE, p->b);
  products(p, p->x, product, size);
  CHECK(clMatrixCreateVector(&rounded, A, TEXLA_RANGE));
  CHECK(clMatrixResidualRounded(rounded, 0x1p20f, A, x, b));
  CHECK(clVectorDownload(rounded, single));
  CHECK(clMatrixResidualDouble(b, A, x, b));
  CHECK(clDoubleVectorDownload(b, r));
  /* of a few terms */
  long double smallest = clContextInspect(context)->probes.denormals ? 0x1p-142L : 0x1p-119L;
  for (size_t i = 0; i < m; i++) {
    long double exact = (long double)p->b[i] - product[i],
                allowed = 0x1p-44L * (size[i] + fabsl((long double)p->b[i])) + smallest;
    if (!(fabsl((long double)r[i] - exact) <= allowed))
      fail_msg("%s: r_%zu is %.17g, not %.17Lg: %.3Lg times too far away", clMatrixDescription(A),
               i, r[i], exact, fabsl((long double)r[i] - exact) / allowed);
    if (!(fabsl((long double)single[i] * 0x1p-20L - exact) <= allowed + 0x1p-23L * fabsl(exact)))
      fail_msg("%s: rounded r_%zu is %.17g, not %.17Lg", clMatrixDescription(A), i,
               (double)single[i] * 0x1p-20, exact);
  }
  clVectorDestroy(rounded);
  clDoubleVectorDestroy(x);
  clDoubleVectorDestroy(b);
  clMatrixDestroy(A);
  free(r);
  free(product);
  free(single);
}

static const clStorage storages[] = {TEXLA_STORAGE_DENSE, TEXLA_STORAGE_BANDED, TEXLA_STORAGE_CSR,
                                     TEXLA_STORAGE_SLOTS};
enum { STORAGES = sizeof storages / sizeof *storages };

static void everywhere(clTriplets *A, int nx, int ny) {
  problem p = prepare(A);
  for (int k = 0; k < STORAGES; k++)
    checkStorage(&p, storages[k], nx, ny);
  forget(&p);
}

static void squareMatrices(void **state) {
  (void)state;
  /* diagonals on both sides, some constant, entries with and without lower parts */
  clTriplets *A = emptyMatrix(77, 77);
  for (int32_t i = 0; i < 77; i++)
    for (int32_t k = -7; k <= 7; k++) {
      if (i + k < 0 || i + k >= 77 || k % 3 == 1)
        continue;
      if (k == 2)
        assert_int_equal(clTripletsAdd(A, i, i + k, 0.1, NULL), TEXLA_OK);
      else if (k == -5)
        assert_int_equal(clTripletsAdd(A, i, i + k, -3, NULL), TEXLA_OK);
      else
        add(A, i, i + k, k > 0);
    }
  everywhere(A, 0, 0);
  everywhere(poisson(9, 7), 0, 0);
  everywhere(poisson(9, 7), 9, 7);
  everywhere(poisson(1, 1), 0, 0);
}

static void rectangularMatrices(void **state) {
  (void)state;
  static const int shape[][2] = {{5, 23}, {23, 5}, {1, 300}, {300, 1}, {60, 61}};
  for (size_t k = 0; k < sizeof shape / sizeof *shape; k++) {
    clTriplets *A = emptyMatrix(shape[k][0], shape[k][1]);
    for (int32_t i = 0; i < A->rows; i++)
      for (int32_t j = 0; j < A->cols; j++)
        if ((i + 2 * j) % 3)
          add(A, i, j, (i + j) % 2);
    everywhere(A, 0, 0);
  }
}

/* Products of 10^-30 to 10^30, and such that vanish among the smallest floats. */
static void manyMagnitudes(void **state) {
  (void)state;
  static const int exponent[][2] = {{-50, -50}, {-100, 5}, {5, -100}, {-75, 75},
                                    {75, -75},  {48, 48},  {0, -145}};
  for (size_t e = 0; e < sizeof exponent / sizeof *exponent; e++) {
    problem p = prepareScaled(poisson(9, 7), exponent[e][0], exponent[e][1]);
    for (int k = 0; k < STORAGES; k++)
      checkStorage(&p, storages[k], 0, 0);
    forget(&p);
  }
}

/* Where x or b is NaN or infinite no finite number comes out, and of b nothing else is touched. */
static void infiniteAndNan(void **state) {
  enum { N = 63, AT = 30 };
  static const double odd[] = {NAN, INFINITY, -INFINITY};
  (void)state;
  for (int k = 0; k < STORAGES; k++)
    for (int e = 0; e < 6; e++) {
      problem p = prepare(poisson(9, 7));
      clMatrix *A = NULL;
      double r[N];
      (e < 3 ? p.x : p.b)[AT] = odd[e % 3];
      CHECK(clMatrixCreate(&A, context, p.A,
                           &(clMatrixOptions){.storage = storages[k], .double_float = true}));
      clDoubleVector *x = deviceVector(A, TEXLA_DOMAIN, p.x),
                     *b = deviceVector(A, TEXLA_RANGE, p.b);
      CHECK(clMatrixResidualDouble(b, A, x, b));
      CHECK(clDoubleVectorDownload(b, r));
      for (int64_t i = 0; i < p.A->count && e < 3; i++)
        assert_true(p.A->col[i] != AT || !isfinite(r[p.A->row[i]]));
      for (int i = 0; i < N && e >= 3; i++)
        assert_true(isfinite(r[i]) == (i != AT));
      clDoubleVectorDestroy(x);
      clDoubleVectorDestroy(b);
      clMatrixDestroy(A);
      forget(&p);
    }
}

/* Many diagonals take several passes, long rows several levels; linear vectors of more than a
 * row. */
static void largerMatrices(void **state) {
  (void)state;
  clTriplets *A = emptyMatrix(9000, 9000);
  for (int32_t i = 0; i < 9000; i++)
    for (int32_t k = -29; k <= 29; k++)
      if (i + 140 * k >= 0 && i + 140 * k < 9000 && k % 2 == 0)
        add(A, i, i + 140 * k, k < 10);
  problem p = prepare(A);
  checkStorage(&p, TEXLA_STORAGE_BANDED, 0, 0);
  checkStorage(&p, TEXLA_STORAGE_BANDED, 100, 90);
  checkStorage(&p, TEXLA_STORAGE_SLOTS, 0, 0);
  forget(&p);
  A = emptyMatrix(2000, 2000);
  for (int32_t i = 0; i < 2000; i++) {
    add(A, i, i, true);
    for (int32_t j = 0; j < 2000; j++)
      if (j != i && (i == 3 || i == 1500))
        add(A, i, j, j % 2);
  }
  p = prepare(A);
  checkStorage(&p, TEXLA_STORAGE_CSR, 0, 0);
  checkStorage(&p, TEXLA_STORAGE_SLOTS, 0, 0);
  forget(&p);
}

static clStatus nothing(void *user, clVector *y, const clVector *x) {
  (void)user;
  return clVectorCopy(y, x);
}

static void refusals(void **state) {
  (void)state;
  clTriplets *T = poisson(4, 4);
  clMatrix *A = NULL, *shell = NULL;
  clDoubleVector *x = NULL, *b = NULL, *other = NULL;
  CHECK(clDoubleVectorCreate(&x, context, 16));
  CHECK(clDoubleVectorCreate(&b, context, 16));
  CHECK(clDoubleVectorCreate(&other, context, 15));
  CHECK(clMatrixCreate(&A, context, T, &(clMatrixOptions){.storage = TEXLA_STORAGE_POINTS}));
  assertFails(context, clMatrixResidualDouble(b, A, x, b), TEXLA_UNSUPPORTED, "the storage points");
  assertFails(context, clMatrixResidualDouble(b, A, b, b), TEXLA_BAD_ARGUMENT, "x must not be y");
  assertFails(context, clMatrixResidualDouble(b, A, other, b), TEXLA_BAD_SHAPE,
              "x is linear of length 15");
  assertFails(context, clMatrixResidualDouble(b, A, x, NULL), TEXLA_BAD_ARGUMENT,
              "b must not be NULL");
  assertFails(context, clMatrixResidualRounded(NULL, 1, A, x, b), TEXLA_BAD_ARGUMENT,
              "y must not be NULL");
  CHECK(
      clMatrixCreateShell(&shell, context, 16, 16, &(clShellOptions){.product = {nothing, NULL}}));
  assertFails(context, clMatrixResidualDouble(b, shell, x, b), TEXLA_UNSUPPORTED,
              "operator of one's own");
  clMatrixDestroy(A);
  clMatrixDestroy(shell);
  clDoubleVectorDestroy(x);
  clDoubleVectorDestroy(b);
  clDoubleVectorDestroy(other);
  clTripletsDestroy(T);
}

/* What an operator of the caller's may do wrong. */
static clStatus wrong(void *user, clVector *y, const clVector *x) {
  (void)y, (void)x;
  const int *what = user;
  if (*what == 1)
    clContextDestroy(context);
  return (clStatus)(*what == 1 ? 0 : *what);
}

static void operatorsThatFailSaySo(void **state) {
  (void)state;
  static const struct {
    int what;
    clStatus status;
    const char *message;
  } cases[] = {{TEXLA_IO_ERROR, TEXLA_IO_ERROR, "the operator has failed: a file could not be"},
               {-77, TEXLA_BAD_ARGUMENT, "the operator has returned -77, which is no clStatus"},
               {77, TEXLA_BAD_ARGUMENT, "the operator has returned 77, which is no clStatus"},
               {1, TEXLA_BAD_ARGUMENT, "the operator has tried to destroy its context"}};
  clMatrix *shell = NULL;
  clVector *x = NULL, *y = NULL;
  int what = 0;
  CHECK(clMatrixCreateShell(&shell, context, 16, 16, &(clShellOptions){.product = {wrong, &what}}));
  CHECK(clVectorCreate(&x, context, 16));
  CHECK(clVectorCreate(&y, context, 16));
  for (int k = 0; k < 4; k++) {
    what = cases[k].what;
    assertFails(context, clMatrixMulVector(y, shell, x), cases[k].status, cases[k].message);
  }
  what = 0;
  CHECK(clMatrixMulVector(y, shell, x));
  clVectorDestroy(x);
  clVectorDestroy(y);
  clMatrixDestroy(shell);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(squareMatrices), cmocka_unit_test(rectangularMatrices),
      cmocka_unit_test(manyMagnitudes), cmocka_unit_test(infiniteAndNan),
      cmocka_unit_test(largerMatrices), cmocka_unit_test(operatorsThatFailSaySo),
      cmocka_unit_test(refusals)};
  return cmocka_run_group_tests_name("residual", tests, setUp, testContextDestroy);
}
