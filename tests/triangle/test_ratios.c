/* LAPACK's test ratios for what is symmetric or orthogonal: A = L L^T full and packed, its
 * solutions, A D^2 A^T, A P = Q R with its reflections and solutions. */
#include "ratios.h"
#include "texla/cholesky.h"
#include "texla/qr.h"

#include "one_context.h"

enum { CHOLESKY, PACKED, SOLVE, SYRK, PACKED_SYRK, QR, ORTHOGONAL, APPLY, LEAST, CALLS };

/* B B^T + I of the kind's B, rows and columns scaled alike. */
static double *definite(int n, ratioKind kind, uint64_t *random) {
  FREED double *b = ratioMatrix(n, n, kind == RATIO_ILL ? RATIO_ILL : RATIO_RANDOM, random);
  double *a = calloc((size_t)(n * n), sizeof *a);
  ratioMultiply(a, n, n, n, 1, b, false, b, true, 0);
  for (int i = 0; i < n; i++) {
    a[i * n + i] += kind == RATIO_ILL ? 1e-3 : 1;
    for (int j = 0; j <= i; j++) {
      int e = 0;
      if (kind == RATIO_LARGE)
        e = 100;
      if (kind == RATIO_SMALL)
        e = -100;
      if (kind == RATIO_ROWS || kind == RATIO_GRADED)
        e = -(40 * i / n) - 40 * j / n;
      if (kind == RATIO_COLS)
        e = 40 * i / n + 40 * j / n;
      a[i * n + j] = (double)(float)ldexp(a[i * n + j], e);
    }
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      a[j * n + i] = a[i * n + j];
  return a;
}

/* ||S (A - L L^T) S|| / (n ||S A S|| eps), S = diag(a_ii)^(-1/2). */
static double choleskyRatio(const double *a, const double *l, int n) {
  FREED double *s = malloc((size_t)(n * n) * sizeof *s), *r = malloc((size_t)(n * n) * sizeof *r);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double scale = 1 / sqrt(a[i * n + i]) / sqrt(a[j * n + j]), sum = a[i * n + j];
      for (int k = 0; k <= i && k <= j; k++)
        sum -= l[i * n + k] * l[j * n + k];
      s[i * n + j] = a[i * n + j] * scale;
      r[i * n + j] = sum * scale;
    }
  double ratio = ratioOf(ratioNorm(r, n, n), ratioNorm(s, n, n), n);
  return ratio;
}

static void tryDefinite(ratioTally *t, int n, ratioKind kind, uint64_t *random) {
  FREED double *a = definite(n, kind, random);
  OWN(clDense) *A = ratioUpload(context, a, n, n), *L = NULL;
  CHECK(clDenseCreate(&L, context, n, n));
  for (int packed = 0; packed < 2; packed++) {
    OWN(clCholesky) *c = NULL;
    CHECK(clCholeskyCreate(&c, context, n, &(clCholeskyOptions){.packed = packed}));
    clStatus status = clCholeskyFactor(c, A, NULL);
    if (!status)
      status = clCholeskyLower(c, L);
    double *l = ratioDownload(context, L);
    double ratio = status ? NAN : choleskyRatio(a, l, n);
    ratioCount(&t[packed ? PACKED : CHOLESKY], ratio, kind, n, n);
    free(l);
    if (!status && packed) {
      double *b = calloc((size_t)n, sizeof *b), worst = 0;
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
          b[i] += a[i * n + j] / sqrt(a[j * n + j]);
      for (int i = 0; i < n; i++)
        b[i] = (double)(float)b[i];
      OWN(clDense) *X = ratioUpload(context, b, n, 1);
      CHECK(clCholeskySolve(c, X, X));
      FREED double *x = ratioDownload(context, X);
      for (int i = 0; i < n; i++) {
        double r = b[i], size = fabs(b[i]);
        for (int j = 0; j < n; j++) {
          r -= a[i * n + j] * x[j];
          size += sqrt(a[i * n + i] * a[j * n + j]) * fabs(x[j]);
        }
        worst = fmax(worst, ratioOf(fabs(r), size, n));
      }
      ratioCount(&t[SOLVE], worst, kind, n, n);
      free(b);
    }
  }
}

static double syrkRatio(const double *a, const double *c, int m, int k) {
  double worst = 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j <= i; j++) {
      double r = c[i * m + j], size = 0;
      for (int l = 0; l < k; l++) {
        r -= a[i * k + l] * a[j * k + l];
        size += fabs(a[i * k + l] * a[j * k + l]);
      }
      worst = fmax(worst, size < 1e-30 && fabs(r) < 1e-30 ? 0 : ratioOf(fabs(r), size, k));
    }
  return worst;
}

static void trySyrk(ratioTally *t, int m, int k, ratioKind kind, uint64_t *random) {
  /* squares of these are out of range */
  if (kind == RATIO_LARGE || kind == RATIO_SMALL)
    return;
  FREED double *a = ratioMatrix(m, k, kind, random);
  OWN(clDense) *A = ratioUpload(context, a, m, k), *C = NULL;
  OWN(clPacked) *P = NULL;
  CHECK(clDenseCreate(&C, context, m, m));
  CHECK(clPackedCreate(&P, context, m, TEXLA_PACKING_2X2));
  CHECK(clDenseSyrk(C, 1, TEXLA_NO_TRANSPOSE, A, NULL, 0));
  double *c = ratioDownload(context, C);
  ratioCount(&t[SYRK], syrkRatio(a, c, m, k), kind, m, k);
  free(c);
  CHECK(clPackedSyrk(P, 1, TEXLA_NO_TRANSPOSE, A, NULL, 0));
  CHECK(clPackedToDense(C, P, false));
  c = ratioDownload(context, C);
  ratioCount(&t[PACKED_SYRK], syrkRatio(a, c, m, k), kind, m, k);
  free(c);
}

/* ||A P - Q R|| / (m ||A|| eps), and ||I - Q^T Q|| / (m eps). What is small beside the longest
 * column is no part of the rank, and so of R: the first one is that of norms. */
static void tryQr(ratioTally *t, int m, int n, ratioKind kind, uint64_t *random) {
  int steps = m < n ? m : n;
  FREED double *a = ratioMatrix(m, n, kind, random), *one = calloc((size_t)(m * m), sizeof *one);
  for (int i = 0; i < m; i++)
    one[i * m + i] = 1;
  OWN(clDense) *A = ratioUpload(context, a, m, n), *Q = ratioUpload(context, one, m, m), *R = NULL;
  OWN(clQr) *qr = NULL;
  CHECK(clQrCreate(&qr, context, m, n, NULL));
  clStatus status = clQrFactor(qr, A, NULL);
  if (status)
    fail_msg("clQrFactor, %d x %d, %s: %s", m, n, ratio_names[kind],
             clContextError(context)->message);
  CHECK(clDenseCreate(&R, context, steps, n));
  CHECK(clQrUpper(qr, R));
  CHECK(clQrApply(qr, TEXLA_NO_TRANSPOSE, Q));
  double *q = ratioDownload(context, Q), *r = ratioDownload(context, R), worst = 0, norm = 0;
  const int32_t *order = clQrCols(qr);
  for (int j = 0; j < n; j++) {
    double rest = 0, size = 0;
    for (int i = 0; i < m; i++) {
      double v = a[i * n + order[j]];
      size += fabs(v);
      for (int k = 0; k < steps; k++)
        v -= q[i * m + k] * r[k * n + j];
      rest += fabs(v);
    }
    worst = rest <= worst ? worst : rest;
    norm = fmax(norm, size);
  }
  ratioCount(&t[QR], ratioOf(worst, norm, m), kind, m, n);
  ratioMultiply(one, m, m, m, -1, q, true, q, false, 1);
  ratioCount(&t[ORTHOGONAL], ratioOf(ratioNorm(one, m, m), 1, m), kind, m, n);
  CHECK(clQrApply(qr, TEXLA_TRANSPOSE, Q));
  FREED double *back = ratioDownload(context, Q);
  for (int i = 0; i < m; i++)
    back[i * m + i] -= 1;
  ratioCount(&t[APPLY], ratioOf(ratioNorm(back, m, m), 1, m), kind, m, n);
  free(q);
  free(r);
}

/* ||A^T (b - A x)|| / ||A|| ||b - A x|| ... of least squares by QR: columns brought to one
 * length. */
static void tryLeastSquares(ratioTally *t, int m, int n, ratioKind kind, uint64_t *random) {
  /* rows of very different sizes want row exchanges, too (Powell and Reid 1969); of columns the
   * small ones are no part of the rank */
  if (m < n || kind == RATIO_ROWS || kind == RATIO_COLS || kind == RATIO_GRADED)
    return;
  double *a = ratioMatrix(m, n, kind, random), *b = malloc((size_t)m * sizeof *b), worst = 0;
  double rest = 0;
  int exponent = 100 * ((kind == RATIO_LARGE) - (kind == RATIO_SMALL));
  for (int i = 0; i < m; i++)
    b[i] = (double)(float)ldexp(randomUnit(random), exponent);
  OWN(clDense) *A = ratioUpload(context, a, m, n), *B = ratioUpload(context, b, m, 1), *X = NULL;
  OWN(clQr) *qr = NULL;
  CHECK(clDenseCreate(&X, context, n, 1));
  CHECK(clQrCreate(&qr, context, m, n, NULL));
  CHECK(clQrFactor(qr, A, NULL));
  CHECK(clQrSolve(qr, X, B));
  double *x = ratioDownload(context, X), size = 0;
  for (int i = 0; i < m; i++) {
    double s = fabs(b[i]);
    for (int j = 0; j < n; j++) {
      s += fabs(a[i * n + j] * x[j]);
      b[i] -= a[i * n + j] * x[j];
    }
    size = fmax(size, s);
    rest = fmax(rest, fabs(b[i]));
  }
  for (int j = 0; j < n; j++) {
    double sum = 0, length = 0;
    for (int i = 0; i < m; i++) {
      sum += a[i * n + j] * b[i];
      length += fabs(a[i * n + j]);
    }
    worst = fmax(worst, ratioOf(fabs(sum), length * size, m));
  }
  ratioCount(&t[LEAST], worst, kind, m, n);
  free(a);
  free(b);
  free(x);
}

static void ratios(void **state) {
  static const int shapes[][2] = {{1, 1},   {2, 2}, {3, 3},    {10, 10},  {31, 31},
                                  {66, 66}, {7, 3}, {3, 7},    {40, 17},  {17, 40},
                                  {1, 9},   {9, 1}, {120, 70}, {129, 129}};
  ratioTally t[CALLS] = {[CHOLESKY] = {.call = "clCholeskyFactor"},
                         [PACKED] = {.call = "clCholeskyFactor, packed"},
                         [SOLVE] = {.call = "clCholeskySolve"},
                         [SYRK] = {.call = "clDenseSyrk"},
                         [PACKED_SYRK] = {.call = "clPackedSyrk"},
                         [QR] = {.call = "clQrFactor"},
                         [ORTHOGONAL] = {.call = "clQrApply: I - Q'Q"},
                         [APPLY] = {.call = "clQrApply: I - Q'(Q I)"},
                         [LEAST] = {.call = "clQrSolve"}};
  uint64_t random = 43;
  for (int s = 0; s < (int)(sizeof shapes / sizeof *shapes); s++)
    for (int kind = 0; kind < RATIO_KINDS; kind++) {
      int m = shapes[s][0], n = shapes[s][1];
      if (m == n)
        tryDefinite(t, n, (ratioKind)kind, &random);
      trySyrk(t, m, n, (ratioKind)kind, &random);
      tryQr(t, m, n, (ratioKind)kind, &random);
      tryLeastSquares(t, m, n, (ratioKind)kind, &random);
    }
  ratioAssert(t, CALLS);
}

TEST_MAIN(setUp, testContextDestroy, ratios)
