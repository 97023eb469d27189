/* LAPACK's test ratios for eliminations: P A = L U with all pivotings that keep entries small,
 * solutions, inverses, echelon forms, refinement. */
#include "ratios.h"

#include "one_context.h"

enum { FACTOR, COMPLETE, SOLVE, SOLVE_TRANSPOSED, INVERSE, DENSE_SOLVE, RREF, REFINE, CALLS };

/* D^-1 (P R A C Q - L U), D = diag(rows of R A C): the ratio of the scaled matrix, which is the one
 * that is factored. */
static double factorRatio(const clPlu *plu, const double *a, int m, int n) {
  FREED double *lu = ratioDownload(context, clPluFactors(plu)),
               *s = malloc((size_t)(m * n) * sizeof *s);
  const double *row = clPluRowScale(plu), *col = clPluColScale(plu);
  const int32_t *p = clPluRows(plu), *q = clPluCols(plu);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      int c = q ? q[j] : j;
      s[i * n + j] = row[p[i]] * a[p[i] * n + c] * col[c];
    }
  double norm = ratioNorm(s, m, n);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k <= i && k <= j; k++)
        s[i * n + j] -= (k == i ? 1 : lu[i * n + k]) * lu[k * n + j];
  double ratio = ratioOf(ratioNorm(s, m, n), norm, n);
  return ratio;
}

/* The largest of the columns' ||b - op(A) x|| / (||op(A)|| ||x|| eps n), where rows and columns
 * of A are brought to one size: componentwise |b - A x| / (|A| |x| + |b|) over n eps. */
static double solutionRatio(const double *a, const double *x, const double *b, int n, int k,
                            bool turned) {
  double worst = 0;
  for (int c = 0; c < k; c++)
    for (int i = 0; i < n; i++) {
      double r = b[i * k + c], size = fabs(r);
      for (int j = 0; j < n; j++) {
        double v = (turned ? a[j * n + i] : a[i * n + j]) * x[j * k + c];
        r -= v;
        size += fabs(v);
      }
      double ratio = ratioOf(fabs(r), size, n);
      worst = ratio <= worst ? worst : ratio;
    }
  return worst;
}

/* b = op(A) x of a random x, rounded. */
static double *rightSides(const double *a, int n, int k, bool turned, uint64_t *random) {
  double *b = calloc((size_t)(n * k), sizeof *b);
  for (int c = 0; c < k; c++)
    for (int j = 0; j < n; j++) {
      double x = randomUnit(random);
      for (int i = 0; i < n; i++)
        b[i * k + c] += (turned ? a[j * n + i] : a[i * n + j]) * x;
    }
  for (int i = 0; i < n * k; i++)
    b[i] = (double)(float)b[i];
  return b;
}

static void trySquare(ratioTally *t, const clPlu *plu, const double *a, int n, ratioKind kind,
                      uint64_t *random) {
  enum { SIDES = 3 };
  clDense *A = ratioUpload(context, a, n, n), *X = NULL;
  for (int turned = 0; turned < 2; turned++) {
    FREED double *b = rightSides(a, n, SIDES, turned, random);
    X = ratioUpload(context, b, n, SIDES);
    CHECK(clPluSolve(plu, turned ? TEXLA_TRANSPOSE : TEXLA_NO_TRANSPOSE, X, X));
    double *x = ratioDownload(context, X);
    ratioCount(&t[turned ? SOLVE_TRANSPOSED : SOLVE], solutionRatio(a, x, b, n, SIDES, turned),
               kind, n, n);
    clDenseDestroy(X);
    free(x);
    X = ratioUpload(context, b, n, SIDES);
    if (!turned) {
      CHECK(clDenseSolve(X, A, X, NULL));
      x = ratioDownload(context, X);
      ratioCount(&t[DENSE_SOLVE], solutionRatio(a, x, b, n, SIDES, false), kind, n, n);
      free(x);
    }
    clDenseDestroy(X);
  }
  clDenseDestroy(A);
}

static void tryRefine(ratioTally *t, const clPlu *plu, const double *a, int n, ratioKind kind,
                      uint64_t *random) {
  OWN(clTriplets) *T = NULL;
  FREED double *b = rightSides(a, n, 1, false, random), *x = calloc((size_t)n, sizeof *x);
  CHECK(clTripletsCreate(&T, n, n, (int64_t)n * n, NULL));
  for (int k = 0; k < n * n; k++)
    CHECK(clTripletsAdd(T, k / n, k % n, a[k], NULL));
  CHECK(clTripletsCompress(T, NULL));
  clStatus status = clPluRefine(plu, TEXLA_NO_TRANSPOSE, T, x, b, NULL, NULL);
  double ratio = solutionRatio(a, x, b, n, 1, false) * (double)FLT_EPSILON / DBL_EPSILON;
  ratioCount(&t[REFINE], status < 0 ? NAN : ratio, kind, n, n);
}

/* ||I - A X|| / (n ||A|| ||X|| eps) of the scaled matrix and its inverse. */
static void tryInverse(ratioTally *t, const clPlu *plu, const double *a, int n, ratioKind kind) {
  OWN(clDense) *X = NULL;
  const double *row = clPluRowScale(plu), *col = clPluColScale(plu);
  CHECK(clDenseCreate(&X, context, n, n));
  clStatus status = clPluInverse(plu, X);
  if (status == TEXLA_OK) {
    FREED double *x = ratioDownload(context, X), *s = malloc((size_t)(n * n) * sizeof *s);
    FREED double *r = malloc((size_t)(n * n) * sizeof *r);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        s[i * n + j] = row[i] * a[i * n + j] * col[j];
        x[i * n + j] /= col[i] * row[j];
        r[i * n + j] = i == j;
      }
    ratioMultiply(r, n, n, n, -1, s, false, x, false, 1);
    ratioCount(&t[INVERSE], ratioOf(ratioNorm(r, n, n), ratioNorm(s, n, n) * ratioNorm(x, n, n), n),
               kind, n, n);
  } else {
    ratioCount(&t[INVERSE], NAN, kind, n, n);
  }
}

/* A - A(:, pivots) R, column by column beside that of |A| |R|. */
static void tryRref(ratioTally *t, const clDense *A, const double *a, int m, int n,
                    ratioKind kind) {
  OWN(clDense) *R = NULL;
  int rank = 0, *pivots = calloc((size_t)(m < n ? m : n), sizeof *pivots);
  CHECK(clDenseCreate(&R, context, m, n));
  clStatus status = clDenseRref(R, A, NULL, &rank, pivots);
  double *r = ratioDownload(context, R), worst = status < 0 ? NAN : 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      double rest = a[i * n + j], size = fabs(rest), largest = 0;
      for (int k = 0; k < rank; k++) {
        double v = a[i * n + pivots[k]] * r[k * n + j];
        rest -= v;
        size += fabs(v);
      }
      for (int k = 0; k < n; k++)
        largest = fmax(largest, fabs(a[i * n + k]));
      double ratio = ratioOf(fabs(rest), size, m > n ? m : n);
      worst = ratio <= worst || fabs(rest) < 1e-30 * largest ? worst : ratio;
    }
  int full = m < n ? m : n;
  ratioCount(&t[RREF], rank == full ? worst : NAN, kind, m, n);
  free(r);
  free(pivots);
}

static void tryShape(ratioTally *t, int m, int n, ratioKind kind, uint64_t *random) {
  FREED double *a = ratioMatrix(m, n, kind, random);
  OWN(clDense) *A = ratioUpload(context, a, m, n);
  for (int complete = 0; complete < 2; complete++) {
    clPluOptions o = {.elimination.pivoting =
                          complete ? TEXLA_PIVOT_COMPLETE : TEXLA_PIVOT_PARTIAL};
    OWN(clPlu) *plu = NULL;
    CHECK(clPluCreate(&plu, context, m, n, &o));
    clStatus status = clPluFactor(plu, A, NULL);
    double ratio = status ? NAN : factorRatio(plu, a, m, n);
    ratioCount(&t[complete ? COMPLETE : FACTOR], ratio, kind, m, n);
    if (!complete && !status && m == n) {
      trySquare(t, plu, a, n, kind, random);
      tryInverse(t, plu, a, n, kind);
      tryRefine(t, plu, a, n, kind, random);
    }
  }
  if (kind != RATIO_ILL)
    tryRref(t, A, a, m, n, kind);
}

static void ratios(void **state) {
  static const int shapes[][2] = {{1, 1},   {2, 2},   {3, 3}, {5, 5},    {10, 10},
                                  {31, 31}, {65, 65}, {7, 3}, {3, 7},    {40, 17},
                                  {17, 40}, {1, 9},   {9, 1}, {130, 130}};
  ratioTally t[CALLS] = {
      [FACTOR] = {.call = "clPluFactor"},   [COMPLETE] = {.call = "clPluFactor, complete"},
      [SOLVE] = {.call = "clPluSolve"},     [SOLVE_TRANSPOSED] = {.call = "clPluSolve, transposed"},
      [INVERSE] = {.call = "clPluInverse"}, [DENSE_SOLVE] = {.call = "clDenseSolve"},
      [RREF] = {.call = "clDenseRref"},     [REFINE] = {.call = "clPluRefine"}};
  uint64_t random = 41;
  for (int s = 0; s < (int)(sizeof shapes / sizeof *shapes); s++)
    for (int kind = 0; kind < RATIO_KINDS; kind++)
      tryShape(t, shapes[s][0], shapes[s][1], (ratioKind)kind, &random);
  ratioAssert(t, CALLS);
}

TEST_MAIN(setUp, testContextDestroy, ratios)
