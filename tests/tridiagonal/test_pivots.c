/* Systems that need row exchanges where the device cannot exchange rows: long ones, folded ones,
 * periodic ones whose opened system is singular. Checked by their residuals in double and, where
 * small, against LAPACK's dgesv. */
#include "oracle/vector.h"
#include "texla/tridiagonal.h"

#include <lapacke.h>

#include "one_context.h"

enum { SUB, MAIN, SUPER, RHS, X, VALUES };

/* k systems of n rows, a row after the other. */
typedef struct batch {
  int k, n;
  bool periodic;
  float *v[VALUES];
} batch;

/* Couplings and right-hand sides in [-1, 1) without small ones, diagonals of `diagonal` times as
 * much. */
static batch newBatch(int k, int n, bool periodic, double diagonal) {
  batch b = {.k = k, .n = n, .periodic = periodic};
  for (int c = 0; c < VALUES; c++) {
    b.v[c] = oracleRandom((int64_t)k * n, (uint64_t)(n + c));
    for (int i = 0; i < k * n; i++)
      b.v[c][i] = (c == MAIN ? (float)diagonal : 1) * (b.v[c][i] + copysignf(0.25f, b.v[c][i]));
  }
  return b;
}

static void freeBatch(batch *b) {
  for (int c = 0; c < VALUES; c++)
    free(b->v[c]);
}

/* The backward error of system j, as the header has it, in double. */
static double errorOf(const batch *b, const double *x, int j) {
  double worst = 0, most = 0, size = 0;
  for (int i = 0; i < b->n; i++) {
    int64_t first = (int64_t)j * b->n, at = first + i;
    double left = i || b->periodic ? (double)b->v[SUB][at] : 0;
    double right = i + 1 < b->n || b->periodic ? (double)b->v[SUPER][at] : 0;
    double r = (double)b->v[RHS][at] - (double)b->v[MAIN][at] * x[at] -
               left * x[first + (i + b->n - 1) % b->n] - right * x[first + (i + 1) % b->n];
    double sum = fabs(left) + fabs((double)b->v[MAIN][at]) + fabs(right);
    worst = fmax(worst, fabs(r) / sum);
    size = fmax(size, fabs((double)b->v[RHS][at]) / sum);
    most = fmax(most, fabs(x[at]));
  }
  return worst / (most + size);
}

static void checkErrors(const batch *b, const double *x, double limit) {
  for (int j = 0; j < b->k; j++)
    if (!(errorOf(b, x, j) <= limit))
      fail_msg("system %d of %d rows%s: %g, not %g", j, b->n, b->periodic ? ", periodic" : "",
               errorOf(b, x, j), limit);
}

static double *widened(const batch *b, int c) {
  double *wide = malloc((size_t)b->k * (size_t)b->n * sizeof *wide);
  for (int i = 0; i < b->k * b->n; i++)
    wide[i] = (double)b->v[c][i];
  return wide;
}

/* By clTridiagonalSolveHost. */
static clStatus solveHost(const batch *b, double **x, bool refine, clTridiagonalReport *report,
                          clTridiagonalState *states) {
  double *wide[VALUES];
  for (int c = 0; c < VALUES; c++)
    wide[c] = widened(b, c);
  clStatus status = clTridiagonalSolveHost(
      context, wide[X],
      &(clTridiagonalBatch){b->k, b->n, b->periodic, wide[SUB], wide[MAIN], wide[SUPER], wide[RHS]},
      &(clTridiagonalHostOptions){.refine = refine}, report, states);
  for (int c = 0; c < X; c++)
    free(wide[c]);
  *x = wide[X];
  return status;
}

/* By clTridiagonalSolveChecked, on a grid of nx x ny along x. */
static clStatus solveChecked(const batch *b, int nx, int ny, bool folded, double **x,
                             clTridiagonalReport *report) {
  clTridiagonal *T = NULL;
  clVector *v[VALUES] = {NULL};
  CHECK(clTridiagonalCreate(&T, context, nx, ny,
                            &(clTridiagonalOptions){.periodic = b->periodic, .folded = folded}));
  for (int c = 0; c < VALUES; c++) {
    CHECK(clVectorCreateGrid(&v[c], context, nx, ny));
    CHECK(clVectorUpload(v[c], b->v[c]));
  }
  clStatus status = clTridiagonalSolveChecked(
      T, v[X], &(clTridiagonalBands){.sub = v[SUB], .main = v[MAIN], .super = v[SUPER]}, v[RHS],
      report, NULL);
  CHECK(clVectorDownload(v[X], b->v[X]));
  for (int c = 0; c < VALUES; c++)
    clVectorDestroy(v[c]);
  clTridiagonalDestroy(T);
  *x = widened(b, X);
  return status;
}

/* Zero diagonals: every pivot without exchanges is zero. Sherman and Morrison's open matrix is
 * singular for the odd sizes. */
static void periodicWithoutDiagonal(void **state) {
  for (int n = 1; n <= 67; n += n < 8 ? 1 : 7) {
    /* singular, or nearly */
    if (n % 4 == 0 || n == 2)
      continue;
    batch b = newBatch(3, n, true, n == 1 ? 1 : 0);
    for (int i = 0; i < 3 * n; i++) {
      b.v[SUB][i] = 1;
      b.v[SUPER][i] = 0.5f;
    }
    double *x = NULL;
    clTridiagonalReport report;
    CHECK(solveHost(&b, &x, false, &report, NULL));
    /* from there on systems are solved again */
    checkErrors(&b, x, 1e-5);
    free(x);
    CHECK(solveChecked(&b, n, 3, false, &x, &report));
    checkErrors(&b, x, 1e-5);
    free(x);
    freeBatch(&b);
  }
}

/* Random periodic systems of any kind against dgesv: errors of x by the condition of small random
 * matrices. */
static void periodicLikeDense(void **state) {
  for (int n = 1; n <= 13; n++) {
    batch b = newBatch(1, n, true, 0.2);
    double *x = NULL, *dense = calloc((size_t)n * (size_t)n, sizeof *dense),
           *wanted = widened(&b, RHS);
    lapack_int pivots[13];
    for (int i = 0; i < n; i++) {
      dense[i * n + (i + n - 1) % n] += (double)b.v[SUB][i];
      dense[i * n + i] += (double)b.v[MAIN][i];
      dense[i * n + (i + 1) % n] += (double)b.v[SUPER][i];
    }
    assert_int_equal(LAPACKE_dgesv(LAPACK_ROW_MAJOR, n, 1, dense, n, pivots, wanted, 1), 0);
    CHECK(solveHost(&b, &x, true, NULL, NULL));
    for (int i = 0; i < n; i++)
      if (!(fabs(x[i] - wanted[i]) <= 1e-9 * (1 + fabs(wanted[i]))))
        fail_msg("n = %d: x_%d is %.12g, not %.12g", n, i, x[i], wanted[i]);
    free(x);
    free(dense);
    free(wanted);
    freeBatch(&b);
  }
}

/* Longer than a texture is high, so that the device cannot exchange rows. */
static void longSystems(void **state) {
  enum { N = 20002 };
  batch b = newBatch(3, N, false, 3);
  /* system 1; an even number of rows: regular */
  for (int i = 0; i < N; i++)
    b.v[MAIN][N + i] = 0;
  for (int i = 0; i < N; i++)
    b.v[SUB][N + i] = b.v[SUPER][N + i] = i % 2 ? 0.5f : 0.75f;
  double *x = NULL;
  clTridiagonalReport report;
  CHECK(solveChecked(&b, N, 3, false, &x, &report));
  checkErrors(&b, x, 1e-6);
  assert_true(report.exchanged >= 1 && report.failed == 0);
  free(x);
  /* a row of zeros */
  for (int i = 0; i < 3; i++)
    b.v[i][2 * N + 777] = 0;
  assertFails(context, solveChecked(&b, N, 3, false, &x, &report), TEXLA_SINGULAR,
              "system 2 is singular");
  assert_true(report.failed == 1 && x[2 * N + 5] == 0);
  checkErrors(&(batch){2, N, false, {b.v[0], b.v[1], b.v[2], b.v[3], NULL}}, x, 1e-6);
  free(x);
  freeBatch(&b);
}

static void foldedSystems(void **state) {
  /* an even number of rows */
  enum { NX = 31, NY = 22 };
  for (int periodic = 0; periodic < 2; periodic++) {
    batch b = newBatch(1, NX * NY, periodic, 0);
    for (int i = 0; i < NX * NY; i++) {
      /* so that x does not grow along the rows */
      b.v[SUB][i] = b.v[SUPER][i] = i % 2 ? 0.25f : 0.5f;
    }
    double *x = NULL;
    clTridiagonalReport report;
    CHECK(solveChecked(&b, NX, NY, true, &x, &report));
    checkErrors(&b, x, 1e-6);
    assert_int_equal(report.exchanged, 1);
    free(x);
    b.v[RHS][NX * 5] = NAN;
    assertFails(context, solveChecked(&b, NX, NY, true, &x, &report), TEXLA_NOT_FINITE,
                "system 0 has a coefficient");
    assert_true(report.first == 0 && x[0] == 0 && x[NX * NY - 1] == 0);
    free(x);
    b.v[RHS][NX * 5] = 1;
    b.v[SUB][99] = b.v[SUPER][99] = 0;
    assertFails(context, solveChecked(&b, NX, NY, true, &x, &report), TEXLA_SINGULAR,
                "system 0 is singular");
    free(x);
    freeBatch(&b);
  }
}

/* So long that SolveHost folds them; 70001 is a prime number and cannot be folded when periodic. */
static void longOnTheHost(void **state) {
  static const struct {
    int n;
    bool periodic;
    double diagonal;
  } c[] = {{70002, false, 0}, {70002, true, 3}, {70001, true, 3}, {70001, true, 0}};
  for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
    batch b = newBatch(1, c[i].n, c[i].periodic, c[i].diagonal);
    for (int k = 0; k < c[i].n; k++) {
      b.v[SUB][k] = k % 2 ? 0.5f : 0.75f;
      b.v[SUPER][k] = c[i].periodic ? 0.25f : b.v[SUB][k];
    }
    double *x = NULL;
    clTridiagonalReport report;
    clTridiagonalState outcome;
    CHECK(solveHost(&b, &x, true, &report, &outcome));
    checkErrors(&b, x, 2e-15);
    assert_true(outcome == TEXLA_TRIDIAGONAL_SOLVED && report.failed == 0);
    free(x);
    b.v[MAIN][5] = b.v[SUB][5] = b.v[SUPER][5] = 0;
    assertFails(context, solveHost(&b, &x, true, &report, &outcome), TEXLA_SINGULAR,
                "system 0 is singular");
    assert_true(outcome == TEXLA_TRIDIAGONAL_SINGULAR && report.first == 0);
    free(x);
    freeBatch(&b);
  }
}

TEST_MAIN(setUp, testContextDestroy, periodicWithoutDiagonal, periodicLikeDense, longSystems,
          foldedSystems, longOnTheHost)
