/* Systems whose rows and columns are of very different sizes: D1 T D2 with powers of ten, solved to
 * double accuracy and compared with T's own solution, which is known. */
#include "oracle/vector.h"
#include "texla/dense.h"
#include "texla/system.h"

#include "one_context.h"

enum { MOST = 100 };

typedef enum kind { COLUMNS, ROWS, BOTH, KINDS } kind;
static const char *const kind_names[] = {"columns", "rows", "both"};

/* Tridiagonal where dense is false; diagonals dominant, so that T is well conditioned. */
static double entryOf(int i, int j, int n, bool dense, uint64_t *random) {
  double v = randomUnit(random);
  if (i == j)
    return (dense ? n : 3) * (1.1 + 0.5 * v);
  bool near = i - j <= 1 && j - i <= 1;
  return dense || near ? v : 0;
}

/* The nearest double, which not every C library's pow is: the systems are the same everywhere. */
static double powerOfTen(double exponent) {
  char text[16];
  snprintf(text, sizeof text, "1e%.0f", exponent);
  return strtod(text, NULL);
}

/* A = D1 T D2, b = D1 T (1, 2, ...): x = D2^-1 (1, 2, ...). */
static clTriplets *create(int n, kind k, bool dense, double decades, double *b, double *x) {
  uint64_t random = (uint64_t)(1000 * n + 10 * (int)k + dense);
  double row[MOST], col[MOST];
  clTriplets *A = NULL;
  for (int i = 0; i < n; i++) {
    row[i] = k == COLUMNS ? 1 : powerOfTen(round(decades * randomUnit(&random)));
    col[i] = k == ROWS ? 1 : powerOfTen(round(decades * randomUnit(&random)));
    x[i] = (i % 7 + 1) / col[i];
  }
  CHECK(clTripletsCreate(&A, n, n, 3 * n, NULL));
  for (int i = 0; i < n; i++) {
    b[i] = 0;
    for (int j = 0; j < n; j++) {
      double v = entryOf(i, j, n, dense, &random);
      if (v == 0)
        continue;
      CHECK(clTripletsAdd(A, i, j, row[i] * v * col[j], NULL));
      b[i] += row[i] * v * (j % 7 + 1);
    }
  }
  CHECK(clTripletsCompress(A, NULL));
  return A;
}

/* The largest error of an element, beside that element. */
static double errorOf(const double *found, const double *x, int n) {
  double worst = 0;
  for (int i = 0; i < n; i++)
    worst = fmax(worst, fabs(found[i] / x[i] - 1));
  return worst;
}

static void systems(void **state) {
  static const int sizes[] = {3, 25, 60, 100};
  static const double decades[] = {12, 30, 60};
  static const clMethod methods[] = {TEXLA_METHOD_PLU, TEXLA_METHOD_AUTO};
  int tried = 0, right = 0;
  double b[MOST], x[MOST], found[MOST];
  for (int c = 0; c < 4 * 3 * KINDS * 2 * 2; c++) {
    int n = sizes[c % 4];
    double d = decades[c / 4 % 3];
    kind k = (kind)(c / 12 % KINDS);
    bool dense = c / 36 % 2;
    clSystemOptions o = {.solver = {.method = methods[c / 72]}, .refine = true};
    AT_END(clSystemReportClear) clSystemReport report = {0};
    OWN(clTriplets) *A = create(n, k, dense, d, b, x);
    memset(found, 0, sizeof found);
    o.solver.tolerance = 1e-15;
    clStatus status = clSystemSolve(context, A, b, found, &o, &report);
    double error = errorOf(found, x, n);
    /* rows of all sizes: what converges is the residual's norm, of which the small ones are no
     * part */
    bool good = status >= 0 && error < (k == BOTH ? 1e-6 : 1e-9);
    const char *why = report.chosen_because;
    if (status < 0)
      why = clContextError(context)->message;
    if (!good)
      print_message("%s, order %d, %s of 10^+-%g, by %s: %s, error %.2g: %s\n",
                    dense ? "dense" : "tridiagonal", n, kind_names[k], d,
                    clMethodName(o.solver.method), clReasonText(report.reason), error, why);
    tried++;
    right += good;
  }
  print_message("%d systems, %d right\n", tried, right);
  assert_int_equal(right, tried);
}

/* What single precision holds of such a matrix has its full rank. */
static void ranks(void **state) {
  static const int sizes[] = {3, 25, 60, 100};
  int tried = 0, right = 0;
  double b[MOST], x[MOST];
  for (int c = 0; c < 4 * KINDS * 2; c++) {
    int n = sizes[c % 4];
    kind k = (kind)(c / 4 % KINDS);
    OWN(clTriplets) *A = create(n, k, c / 12, k == BOTH ? 14 : 24, b, x);
    OWN(clDense) *dense = NULL;
    OWN(clPlu) *plu = NULL;
    clPluReport report = {0};
    CHECK(clDenseCreate(&dense, context, n, n));
    CHECK(clDenseUploadTriplets(dense, A));
    CHECK(clPluCreate(&plu, context, n, n, NULL));
    clStatus status = clPluFactor(plu, dense, &report);
    bool good = status == TEXLA_OK && report.rank == n && report.growth < 10;
    if (!good)
      print_message("%s, order %d, %s: status %d, rank %d, growth %g\n",
                    c / 12 ? "dense" : "tridiagonal", n, kind_names[k], (int)status, report.rank,
                    report.growth);
    tried++;
    right += good;
  }
  print_message("%d factorizations, %d right\n", tried, right);
  assert_int_equal(right, tried);
}

TEST_MAIN(setUp, testContextDestroy, systems, ranks)
