/* Full multigrid as the start of an iteration: where b is smooth it comes closer to the exact
 * discrete solution than two cycles do; where b is noise it stays away; iterations that meet the
 * rounding of single precision end there. */

#include "oracle/grid.h"
#include "oracle/grid_problem.h"
#include "multigrid/multigrid.h"

#include "one_context.h"

enum { NX = 190, NY = 131, N = NX * NY };

/* A solution that is known, and its right-hand side, in double. */
typedef struct known {
  clTriplets *A;
  double x[N], b[N];
  float single[N];
} known;

static known *makeKnown(bool smooth) {
  known *k = calloc(1, sizeof *k);
  uint64_t seed = 11;
  k->A = gridProblemMatrix(
      &(gridProblem){.name = "known", .kind = GRID_DIRICHLET, .nx = NX, .ny = NY});
  for (int i = 0; i < N; i++) {
    double u = (double)(i % NX + 1) / (NX + 1), v = (double)(i / NX + 1) / (NY + 1);
    k->x[i] = smooth ? u * (1 - u) * v * (1 - v) * (1 + u + 2 * v) : randomUnit(&seed);
  }
  clTripletsMulVector(k->b, k->A, k->x);
  for (int i = 0; i < N; i++)
    k->single[i] = (float)k->b[i];
  return k;
}

static void destroyKnown(known *k) {
  clTripletsDestroy(k->A);
  free(k);
}

/* ||x - the solution|| / ||the solution|| */
static double errorOf(const known *k, const clVector *x) {
  double error = 0, size = 0;
  FREED float *found = malloc(N * sizeof *found);
  CHECK(clVectorDownload(x, found));
  for (int i = 0; i < N; i++) {
    error += pow((double)found[i] - k->x[i], 2);
    size += k->x[i] * k->x[i];
  }
  return sqrt(error / size);
}

static void compare(bool smooth, clSmoother smoother, int host_points) {
  known *k = makeKnown(smooth);
  clMultigrid *mg = NULL;
  clVector *x = NULL, *b = NULL;
  bool begun = !smooth;
  CHECK(clMultigridCreate(&mg, context, k->A, NX, NY,
                          &(clMultigridOptions){.smoother = smoother, .host_points = host_points}));
  CHECK(clVectorCreateGrid(&x, context, NX, NY));
  CHECK(clVectorCreateLike(&b, x));
  CHECK(clVectorUpload(b, k->single));
  txPreconditioner M = txMultigridPreconditioner(mg);
  CHECK(M.begin(M.data, x, b, &begun));
  assert_int_equal(begun, smooth);
  double full = errorOf(k, x);
  CHECK(clVectorClear(x));
  CHECK(clMultigridCycle(mg, x, b));
  CHECK(clMultigridCycle(mg, x, b));
  double twice = errorOf(k, x);
  if (smooth && !(full < 0.5 * twice && full < 3e-3))
    fail_msg("full multigrid leaves an error of %.1e, two cycles %.1e", full, twice);
  if (!smooth)
    assert_true(full == 1); /* x is zero still */
  clVectorDestroy(x);
  clVectorDestroy(b);
  clMultigridDestroy(mg);
  destroyKnown(k);
}

static void testBegin(void **state) {
  for (int host = 0; host < 2; host++)
    for (int smooth = 0; smooth < 2; smooth++) {
      compare(smooth, TEXLA_SMOOTHER_CHEBYSHEV, host * 4096);
      compare(smooth, TEXLA_SMOOTHER_HALVES, host * 4096);
    }
}

/* Single precision ends at about 1e-4 here; cycles that gain nothing are not repeated to see it. */
static void testEndsAtRounding(void **state) {
  known *k = makeKnown(true);
  clMultigrid *mg = NULL;
  clVector *x = NULL, *b = NULL;
  clSolverReport report;
  CHECK(clMultigridCreate(&mg, context, k->A, NX, NY, NULL));
  CHECK(clVectorCreateGrid(&x, context, NX, NY));
  CHECK(clVectorCreateLike(&b, x));
  CHECK(clVectorUpload(b, k->single));
  clStatus status = clMultigridSolve(mg, x, b, &(clSolverOptions){.tolerance = 1e-8}, &report);
  assert_int_equal(status, TEXLA_NOT_CONVERGED);
  assert_int_equal(report.reason, TEXLA_REASON_STAGNATED);
  if (report.iterations > 8 || !(report.residual < 1e-3) || !(errorOf(k, x) < 1e-4))
    fail_msg("%d cycles leave a residual of %.1e and an error of %.1e", (int)report.iterations,
             report.residual, errorOf(k, x));
  clVectorDestroy(x);
  clVectorDestroy(b);
  clMultigridDestroy(mg);
  destroyKnown(k);
}

TEST_MAIN(setUp, testContextDestroy, testBegin, testEndsAtRounding)
