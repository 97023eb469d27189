/* LAPACK's test ratios: residuals of what was computed, in double, beside norms, orders and the
 * roundoff of single precision, over matrices of all kinds. A ratio below 30 passes, as in LAPACK's
 * own tests. */
#ifndef TEXLA_TESTS_RATIOS_H
#define TEXLA_TESTS_RATIOS_H

#include "dense.h"

typedef enum ratioKind {
  RATIO_RANDOM,
  /* times 2^100 and 2^-100 */
  RATIO_LARGE,
  RATIO_SMALL,
  /* rows, columns, both times powers of two that are further and further apart */
  RATIO_ROWS,
  RATIO_COLS,
  RATIO_GRADED,
  /* of condition 1e4 or so */
  RATIO_ILL,
  RATIO_KINDS
} ratioKind;
static const char *const ratio_names[] = {
    "random", "large", "small", "scaled rows", "scaled columns", "graded", "ill-conditioned"};
static const double RATIO_LIMIT = 30;

/* What was tried of one call, what was right, and the worst ratio. */
typedef struct ratioTally {
  const char *call;
  int tried, right;
  double worst;
} ratioTally;

static inline void ratioCount(ratioTally *t, double ratio, ratioKind kind, int m, int n) {
  bool right = ratio < RATIO_LIMIT;
  t->tried++;
  t->right += right;
  /* NaN stays */
  t->worst = ratio <= t->worst ? t->worst : ratio;
  if (!right)
    print_message("%s, %d x %d, %s: ratio %g\n", t->call, m, n, ratio_names[kind], ratio);
}

static inline void ratioAssert(const ratioTally *t, int calls) {
  int wrong = 0;
  for (int k = 0; k < calls; k++) {
    print_message("%-28s %4d tried, %4d right, largest ratio %.3g\n", t[k].call, t[k].tried,
                  t[k].right, t[k].worst);
    wrong += t[k].tried - t[k].right;
  }
  assert_int_equal(wrong, 0);
}

/* Of rounded values, so that single precision holds the matrix exactly. */
static inline double *ratioMatrix(int m, int n, ratioKind kind, uint64_t *random) {
  double *a = malloc((size_t)m * (size_t)n * sizeof *a);
  int longest = m > n ? m : n;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      double v = randomUnit(random), row = floor(40.0 * i / longest),
             col = floor(40.0 * j / longest);
      if (kind == RATIO_LARGE)
        v = ldexp(v, 100);
      if (kind == RATIO_SMALL)
        v = ldexp(v, -100);
      if (kind == RATIO_ROWS)
        v = ldexp(v, (int)(row - 20));
      if (kind == RATIO_COLS)
        v = ldexp(v, (int)(col - 20));
      if (kind == RATIO_GRADED)
        v = ldexp(v, (int)(-row - col) / 2);
      /* nearly of rank 1 */
      if (kind == RATIO_ILL)
        v = 1 + 1e-3 * v;
      a[(size_t)i * (size_t)n + (size_t)j] = (double)(float)v;
    }
  return a;
}

static inline clDense *ratioUpload(clContext *c, const double *a, int m, int n) {
  FREED float *single = malloc((size_t)m * (size_t)n * sizeof *single);
  for (int64_t k = 0; k < (int64_t)m * n; k++)
    single[k] = (float)a[k];
  clDense *A = denseUpload(c, single, m, n);
  return A;
}

/* The caller frees it. */
static inline double *ratioDownload(clContext *c, const clDense *A) {
  int m = clDenseRows(A), n = clDenseCols(A);
  FREED float *single = malloc((size_t)m * (size_t)n * sizeof *single);
  double *a = malloc((size_t)m * (size_t)n * sizeof *a);
  assertOk(c, clDenseDownload(A, single, n));
  for (int64_t k = 0; k < (int64_t)m * n; k++)
    a[k] = (double)single[k];
  return a;
}

/* c <- beta c + alpha op(a) op(b), op(a) m x k */
static inline void ratioMultiply(double *c, int m, int n, int k, double alpha, const double *a,
                                 bool a_turned, const double *b, bool b_turned, double beta) {
  int a_lead = k, b_lead = n;
  if (a_turned)
    a_lead = m;
  if (b_turned)
    b_lead = k;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int l = 0; l < k; l++)
        sum += a[placeIn(a_turned, a_lead, i, l)] * b[placeIn(b_turned, b_lead, l, j)];
      c[i * n + j] = (beta == 0 ? 0 : beta * c[i * n + j]) + alpha * sum;
    }
}

/* The largest sum of magnitudes in a column. */
static inline double ratioNorm(const double *a, int m, int n) {
  double most = 0;
  for (int j = 0; j < n; j++) {
    double sum = 0;
    for (int i = 0; i < m; i++)
      sum += fabs(a[i * n + j]);
    most = sum <= most ? most : sum;
  }
  return most;
}

/* residual / (n norm eps), 0 where there is nothing. */
static inline double ratioOf(double residual, double norm, int n) {
  if (residual == 0)
    return 0;
  return residual / (n * norm * (double)FLT_EPSILON / 2);
}

#endif
