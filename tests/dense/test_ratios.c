/* LAPACK's test ratios for products and triangular systems: residuals entry by entry, beside the
 * same sums of magnitudes. */
#include "ratios.h"
#include "texla/vector.h"

#include "one_context.h"

enum { PRODUCT, VECTOR, OUTER, TRIANGULAR, CALLS };

/* The worst |found - wanted| over size, entry by entry; terms: of a sum. */
static double worstRatio(const double *found, const double *wanted, const double *size, int count,
                         int terms) {
  double worst = 0;
  for (int k = 0; k < count; k++) {
    double ratio = ratioOf(fabs(found[k] - wanted[k]), size[k], terms);
    worst = ratio <= worst ? worst : ratio;
  }
  return worst;
}

static double *magnitudes(const double *a, int count) {
  double *b = malloc((size_t)count * sizeof *b);
  for (int k = 0; k < count; k++)
    b[k] = fabs(a[k]);
  return b;
}

/* C <- -0.5 op(A) op(B) + 2 C */
static double productRatio(int m, int n, int k, int ops, ratioKind kind, uint64_t *random) {
  bool turn[2] = {ops & 1, ops & 2};
  double *a = ratioMatrix(turn[0] ? k : m, turn[0] ? m : k, kind, random);
  double *b = ratioMatrix(turn[1] ? n : k, turn[1] ? k : n, RATIO_RANDOM, random);
  double *c = ratioMatrix(m, n, kind, random), *size = magnitudes(c, m * n);
  double *a_size = magnitudes(a, m * k), *b_size = magnitudes(b, k * n);
  clDense *A = ratioUpload(context, a, turn[0] ? k : m, turn[0] ? m : k);
  clDense *B = ratioUpload(context, b, turn[1] ? n : k, turn[1] ? k : n);
  clDense *C = ratioUpload(context, c, m, n);
  clTranspose op[2];
  for (int s = 0; s < 2; s++)
    op[s] = turn[s] ? TEXLA_TRANSPOSE : TEXLA_NO_TRANSPOSE;
  CHECK(clDenseMultiply(C, -0.5f, op[0], A, op[1], B, 2));
  ratioMultiply(c, m, n, k, -0.5, a, turn[0], b, turn[1], 2);
  ratioMultiply(size, m, n, k, 0.5, a_size, turn[0], b_size, turn[1], 2);
  double *found = ratioDownload(context, C), ratio = worstRatio(found, c, size, m * n, k + 1);
  double *const all[] = {a, b, c, size, a_size, b_size, found};
  for (int s = 0; s < 7; s++)
    free(all[s]);
  clDenseDestroy(A);
  clDenseDestroy(B);
  clDenseDestroy(C);
  return ratio;
}

static clVector *vectorOf(const double *x, int n) {
  clVector *v = NULL;
  float *single = malloc((size_t)n * sizeof *single);
  for (int k = 0; k < n; k++)
    single[k] = (float)x[k];
  CHECK(clVectorCreate(&v, context, n));
  CHECK(clVectorUpload(v, single));
  free(single);
  return v;
}

/* y <- 3 op(A) x - y */
static double vectorRatio(int m, int n, bool turned, ratioKind kind, uint64_t *random) {
  int rows = turned ? n : m, cols = turned ? m : n;
  double *a = ratioMatrix(m, n, kind, random), *x = ratioMatrix(cols, 1, RATIO_RANDOM, random);
  double *y = ratioMatrix(rows, 1, RATIO_RANDOM, random), *size = magnitudes(y, rows);
  double *a_size = magnitudes(a, m * n), *x_size = magnitudes(x, cols);
  clDense *A = ratioUpload(context, a, m, n);
  clVector *X = vectorOf(x, cols), *Y = vectorOf(y, rows);
  CHECK(clDenseViewMulVector(Y, 3, turned ? TEXLA_TRANSPOSE : TEXLA_NO_TRANSPOSE, clDenseViewAll(A),
                             X, -1));
  ratioMultiply(y, rows, 1, cols, 3, a, turned, x, false, -1);
  ratioMultiply(size, rows, 1, cols, 3, a_size, turned, x_size, false, 1);
  float *single = malloc((size_t)rows * sizeof *single);
  CHECK(clVectorDownload(Y, single));
  double worst = 0;
  for (int k = 0; k < rows; k++) {
    double ratio = ratioOf(fabs((double)single[k] - y[k]), size[k], cols + 1);
    worst = ratio <= worst ? worst : ratio;
  }
  double *const all[] = {a, x, y, size, a_size, x_size};
  for (int s = 0; s < 6; s++)
    free(all[s]);
  free(single);
  clVectorDestroy(X);
  clVectorDestroy(Y);
  clDenseDestroy(A);
  return worst;
}

/* A <- A - 2 x y^T */
static double outerRatio(int m, int n, ratioKind kind, uint64_t *random) {
  double *a = ratioMatrix(m, n, kind, random), *size = magnitudes(a, m * n);
  double *x = ratioMatrix(m, 1, RATIO_RANDOM, random), *y = ratioMatrix(n, 1, RATIO_RANDOM, random);
  clDense *A = ratioUpload(context, a, m, n);
  clVector *X = vectorOf(x, m), *Y = vectorOf(y, n);
  CHECK(clDenseViewAddOuter(clDenseViewAll(A), -2, X, Y));
  for (int k = 0; k < m * n; k++) {
    a[k] -= 2 * x[k / n] * y[k % n];
    size[k] += 2 * fabs(x[k / n] * y[k % n]);
  }
  double *found = ratioDownload(context, A), ratio = worstRatio(found, a, size, m * n, 2);
  double *const all[] = {a, size, x, y, found};
  for (int s = 0; s < 5; s++)
    free(all[s]);
  clVectorDestroy(X);
  clVectorDestroy(Y);
  clDenseDestroy(A);
  return ratio;
}

/* op(T) X = B: what is left of B, beside |op(T)| |X| + |B|. Other entries are divided by n, so that
 * solutions stay within single precision. */
static double triangularRatio(int n, int columns, int choice, ratioKind kind, uint64_t *random) {
  bool upper = choice & 1, turned = choice & 2, unit = choice & 4;
  double *t = ratioMatrix(n, n, kind, random), *b = ratioMatrix(n, columns, RATIO_RANDOM, random);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double *v = &t[i * n + j];
      if (i == j)
        *v = unit ? 1 : *v;
      else if ((j > i) != upper)
        *v = 0;
      else
        *v /= n;
      *v = (double)(float)*v;
    }
  clDense *T = ratioUpload(context, t, n, n), *X = ratioUpload(context, b, n, columns);
  CHECK(clDenseTriangularSolve(X, TEXLA_DENSE_LEFT,
                               upper ? TEXLA_TRIANGLE_UPPER : TEXLA_TRIANGLE_LOWER, unit,
                               turned ? TEXLA_TRANSPOSE : TEXLA_NO_TRANSPOSE, 1, T, X));
  double *x = ratioDownload(context, X), *zero = calloc((size_t)(n * columns), sizeof *zero);
  double *size = magnitudes(b, n * columns), *t_size = magnitudes(t, n * n),
         *x_size = magnitudes(x, n * columns);
  ratioMultiply(b, n, columns, n, -1, t, turned, x, false, 1);
  ratioMultiply(size, n, columns, n, 1, t_size, turned, x_size, false, 1);
  double ratio = worstRatio(b, zero, size, n * columns, n);
  double *const all[] = {t, b, x, zero, size, t_size, x_size};
  for (int s = 0; s < 7; s++)
    free(all[s]);
  clDenseDestroy(T);
  clDenseDestroy(X);
  return ratio;
}

static void ratios(void **state) {
  (void)state;
  static const int orders[] = {1, 2, 3, 5, 17, 32, 33, 66, 130};
  ratioTally t[CALLS] = {[PRODUCT] = {.call = "clDenseMultiply"},
                         [VECTOR] = {.call = "clDenseViewMulVector"},
                         [OUTER] = {.call = "clDenseViewAddOuter"},
                         [TRIANGULAR] = {.call = "clDenseTriangularSolve"}};
  uint64_t random = 11;
  for (int c = 0; c < 9 * RATIO_KINDS; c++) {
    int m = orders[c / RATIO_KINDS], n = orders[(c * 5 + 2) % 9], k = orders[(c * 7 + 4) % 9];
    ratioKind kind = (ratioKind)(c % RATIO_KINDS);
    for (int ops = 0; ops < 4; ops++)
      ratioCount(&t[PRODUCT], productRatio(m, n, k, ops, kind, &random), kind, m, n);
    for (int turned = 0; turned < 2; turned++)
      ratioCount(&t[VECTOR], vectorRatio(m, n, turned, kind, &random), kind, m, n);
    ratioCount(&t[OUTER], outerRatio(m, n, kind, &random), kind, m, n);
    /* nearly equal entries make triangles whose solutions grow without bound */
    for (int choice = 0; choice < 8 && kind < RATIO_ROWS; choice++)
      if (kind == RATIO_RANDOM || choice < 4)
        ratioCount(&t[TRIANGULAR], triangularRatio(m, n, choice, kind, &random), kind, m, n);
  }
  ratioAssert(t, CALLS);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ratios)};
  return cmocka_run_group_tests(tests, setUp, testContextDestroy);
}
