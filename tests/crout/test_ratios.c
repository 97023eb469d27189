/* LAPACK's test ratios for Crout's factorization of dominant matrices: A - L U, and solutions. */
#include "ratios.h"
#include "texla/crout.h"

#include "one_context.h"

enum { FACTOR, SOLVE, TRANSPOSED, CALLS };

/* |A - L U| over |L| |U|, entry by entry, n eps; z: L below the diagonal and on it or U, as
 * clCroutSplit tells. */
static double factorRatio(const clCrout *c, const double *a, int n) {
  OWN(clDense) *L = NULL, *U = NULL;
  CHECK(clDenseCreate(&L, context, n, n));
  CHECK(clDenseCreate(&U, context, n, n));
  CHECK(clCroutSplit(c, L, U));
  double *l = ratioDownload(context, L), *u = ratioDownload(context, U), worst = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double r = a[i * n + j], size = 0;
      for (int k = 0; k <= i && k <= j; k++) {
        double v = l[i * n + k] * u[k * n + j];
        r -= v;
        size += fabs(v);
      }
      double ratio = ratioOf(fabs(r), size, n);
      worst = ratio <= worst ? worst : ratio;
    }
  free(l);
  free(u);
  return worst;
}

static double solveRatio(const clCrout *c, const double *a, int n, bool turned, uint64_t *random) {
  double *b = calloc((size_t)n, sizeof *b), worst = 0;
  for (int j = 0; j < n; j++) {
    double x = randomUnit(random);
    for (int i = 0; i < n; i++)
      b[i] += (turned ? a[j * n + i] : a[i * n + j]) * x;
  }
  for (int i = 0; i < n; i++)
    b[i] = (double)(float)b[i];
  OWN(clDense) *X = ratioUpload(context, b, n, 1);
  CHECK(clCroutSolve(c, turned ? TEXLA_TRANSPOSE : TEXLA_NO_TRANSPOSE, X, X));
  FREED double *x = ratioDownload(context, X);
  for (int i = 0; i < n; i++) {
    double r = b[i], size = fabs(b[i]);
    for (int j = 0; j < n; j++) {
      double v = (turned ? a[j * n + i] : a[i * n + j]) * x[j];
      r -= v;
      size += fabs(v);
    }
    double ratio = ratioOf(fabs(r), size, n);
    worst = ratio <= worst ? worst : ratio;
  }
  free(b);
  return worst;
}

static void ratios(void **state) {
  static const int orders[] = {1, 2, 3, 10, 31, 33, 66, 130, 257};
  ratioTally t[CALLS] = {[FACTOR] = {.call = "clCroutFactor"},
                         [SOLVE] = {.call = "clCroutSolve"},
                         [TRANSPOSED] = {.call = "clCroutSolve, transposed"}};
  uint64_t random = 47;
  for (int c = 0; c < 9 * RATIO_ILL; c++) {
    int n = orders[c / RATIO_ILL];
    ratioKind kind = (ratioKind)(c % RATIO_ILL);
    FREED double *a = ratioMatrix(n, n, kind, &random);
    /* dominant before it was scaled */
    for (int i = 0; i < n; i++) {
      double v = a[i * n + i] == 0 ? 1 : a[i * n + i];
      a[i * n + i] = (double)(float)(n * copysign(ldexp(4, ilogb(v)), v));
    }
    OWN(clDense) *A = ratioUpload(context, a, n, n);
    OWN(clCrout) *crout = NULL;
    clCroutReport report = {0};
    CHECK(clCroutCreate(&crout, context, n, NULL));
    clStatus status = clCroutFactor(crout, A, &report);
    ratioCount(&t[FACTOR], status ? NAN : factorRatio(crout, a, n), kind, n, n);
    for (int turned = 0; turned < 2 && !status; turned++)
      ratioCount(&t[turned ? TRANSPOSED : SOLVE], solveRatio(crout, a, n, turned, &random), kind, n,
                 n);
  }
  ratioAssert(t, CALLS);
}

TEST_MAIN(setUp, testContextDestroy, ratios)
