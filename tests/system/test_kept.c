/* Systems that are kept (clSystemCreate), and refinement on the device as on the host. */
#include "common.h"

#include "folder.h"
#include "gl/traits.h"
#include "matrices.h"
#include "system/system.h"
#include "texla/texla.h"

/* A context that refines where it is told to, there with transfers as to a graphics card. */
static clContext *contextFor(bool device) {
  Folder folder;
  clContext *context = NULL;
  clError error = {0};
  folderCreate(&folder);
  folderWriteTuning(&folder, "pinned",
                    device ? "trait.refine_on_device 1\ntrait.upload_buffers 1\n"
                           : "trait.refine_on_device 0\n");
  const clContextOptions options = {.tuning = folderPath(&folder, "pinned"), .debug = true};
  testOk(clContextCreate(&context, &options, &error), &error, "clContextCreate", __FILE__,
         __LINE__);
  folderDestroy(&folder);
  return context;
}

static double *randomVector(int64_t n, uint64_t seed) {
  double *v = malloc((size_t)n * sizeof *v);
  assert_non_null(v);
  for (int64_t i = 0; i < n; i++)
    v[i] = randomUnit(&seed);
  return v;
}

/* ||b - A x|| / ||b|| */
static double residualOf(const clTriplets *A, const double *x, const double *b) {
  double norm = 0;
  for (int32_t i = 0; i < A->rows; i++)
    norm += b[i] * b[i];
  return clTripletsResidual(NULL, A, x, b) / sqrt(norm);
}

/* A Poisson matrix whose rows and columns are scaled by powers of two, and entries that single
 * precision rounds. */
static clTriplets *scaledPoisson(int nx, int ny) {
  clTriplets *A = poisson(nx, ny);
  for (int64_t k = 0; k < A->count; k++)
    A->value[k] *=
        ldexp(A->row[k] == A->col[k] ? 1.1 : 1.05, A->row[k] % 9 - 4) * ldexp(1, A->col[k] % 9 - 4);
  return A;
}

static void checkSolves(clContext *context, const clTriplets *A, clMethod method,
                        clPreconditioner preconditioner, double tolerance) {
  int64_t n = A->rows;
  OWN(clSystem) *system = NULL;
  clSystemReport report[3] = {{0}};
  clSystemOptions o = {
      .solver = {.method = method, .preconditioner = preconditioner, .tolerance = tolerance},
      .refine = true};
  FREED double *b = randomVector(3 * n, 1), *x = calloc((size_t)(3 * n), sizeof *x);
  assert_non_null(x);
  assertOk(context, clSystemCreate(&system, context, A, 1, &o));
  assertOk(context, clSystemSolveWith(system, 1, b, x, report));
  assert_true(report->seconds_setup > 0);
  clSystemReportClear(report);
  assertOk(context, clSystemSolveWith(system, 2, b + n, x + n, report));
  assert_true(report->seconds_setup == 0 && report->reason == TEXLA_REASON_CONVERGED);
  for (int k = 0; k < 3; k++) {
    double r = residualOf(A, x + k * n, b + k * n);
    if (!(r <= tolerance * (1 + 1e-9)))
      fail_msg("method %d, right-hand side %d: %g", (int)method, k, r);
  }
  assert_true(fabs(report[1].residual - residualOf(A, x + 2 * n, b + 2 * n)) <= 1e-3 * tolerance);
  for (int k = 0; k < 2; k++)
    clSystemReportClear(&report[k]);
  /* from the solution: nothing to do */
  assertOk(context, clSystemSolveWith(system, 1, b, x, report));
  assert_true(report->iterations == 0);
  clSystemReportClear(report);
}

static void everyMethod(void **state) {
  for (int device = 0; device < 2; device++) {
    OWN(clContext) *context = contextFor(device);
    OWN(clTriplets) *A = poisson(33, 21), *B = scaledPoisson(33, 21);
    checkSolves(context, A, TEXLA_METHOD_MG, TEXLA_PRECONDITIONER_NONE, 1e-11);
    checkSolves(context, B, TEXLA_METHOD_CG, TEXLA_PRECONDITIONER_JACOBI, 1e-11);
    checkSolves(context, A, TEXLA_METHOD_CG, TEXLA_PRECONDITIONER_AMG, 1e-11);
    checkSolves(context, B, TEXLA_METHOD_GMRES, TEXLA_PRECONDITIONER_JACOBI, 1e-9);
    checkSolves(context, A, TEXLA_METHOD_PLU, TEXLA_PRECONDITIONER_NONE, 1e-11);
    checkSolves(context, B, TEXLA_METHOD_AUTO, TEXLA_PRECONDITIONER_NONE, 1e-11);
  }
}

static void otherValues(void **state) {
  OWN(clContext) *context = contextFor(true);
  OWN(clTriplets) *A = poisson(40, 30);
  int64_t n = A->rows;
  OWN(clSystem) *system = NULL;
  clSystemOptions o = {.solver = {.method = TEXLA_METHOD_CG,
                                  .preconditioner = TEXLA_PRECONDITIONER_AMG,
                                  .tolerance = 1e-10}};
  FREED double *b = randomVector(n, 3), *x = calloc((size_t)n, sizeof *x),
               *values = malloc((size_t)A->count * sizeof *values);
  assert_true(x && values);
  assertOk(context, clSystemCreate(&system, context, A, 1, &o));
  for (int64_t k = 0; k < A->count; k++)
    values[k] = A->value[k] *= A->row[k] == A->col[k] ? 1.3 : 0.9;
  assertOk(context, clSystemUpdateValues(system, values));
  /* they were copied */
  memset(values, 0, (size_t)A->count * sizeof *values);
  assertOk(context, clSystemSolveWith(system, 1, b, x, NULL));
  assert_true(residualOf(A, x, b) <= 1e-10);
  memcpy(values, A->value, (size_t)A->count * sizeof *values);
  values[1] *= 2;
  assertFails(context, clSystemUpdateValues(system, values), TEXLA_BAD_ARGUMENT,
              "A is not symmetric");
  assertFails(context, clSystemSolveWith(system, 1, b, x, NULL), TEXLA_BAD_ARGUMENT,
              "clSystemUpdateValues failed");
  assertOk(context, clSystemUpdateValues(system, A->value));
  memset(x, 0, (size_t)n * sizeof *x);
  assertOk(context, clSystemSolveWith(system, 1, b, x, NULL));
  assert_true(residualOf(A, x, b) <= 1e-10);
  b[3] = INFINITY;
  assertFails(context, clSystemSolveWith(system, 1, b, x, NULL), TEXLA_NOT_FINITE,
              "element 4 of b");
  assertFails(context, clSystemUpdateValues(system, NULL), TEXLA_BAD_ARGUMENT, "must not be NULL");
  assertFails(context, clSystemCreate(NULL, context, A, 1, NULL), TEXLA_BAD_ARGUMENT, "out");
  assertFails(context, clSystemCreate(&system, context, A, 0, NULL), TEXLA_BAD_ARGUMENT,
              "count (0)");
  clSystemDestroy(NULL);
}

/* Neighbours here and there, and two rows that know many: symmetric and dominant, in the pattern of
 * all values of `kind`. */
static clTriplets *network(int32_t n, int kind) {
  clTriplets *A = NULL;
  clError error = {0};
  uint64_t seed = 7, value = (uint64_t)kind + 11;
  testOk(clTripletsCreate(&A, n, n, 0, &error), &error, "clTripletsCreate", __FILE__, __LINE__);
  for (int32_t i = 1; i < n; i++)
    for (int k = 0; k < 4; k++) {
      int32_t j = k ? (int32_t)(fabs(randomUnit(&seed)) * i) % i : i % 2;
      double v = 0.1 + fabs(randomUnit(&value));
      if (j == i)
        continue;
      const int32_t row[] = {i, j, i, j}, col[] = {j, i, i, j};
      for (int e = 0; e < 4; e++)
        assert_int_equal(
            clTripletsAdd(A, row[e], col[e], e < 2 ? -v : v * (1.1 + 0.2 * kind), &error),
            TEXLA_OK);
    }
  assert_int_equal(clTripletsCompress(A, &error), TEXLA_OK);
  return A;
}

typedef struct Outcome {
  int64_t uploads, iterations;
  double *x;
} Outcome;

static void solveThree(clContext *context, clSystem *system, const clTriplets *A, const double *b,
                       Outcome *out) {
  int64_t n = A->rows;
  clSystemReport report[3] = {{0}};
  out->x = calloc((size_t)(3 * n), sizeof *out->x);
  assert_non_null(out->x);
  assertOk(context, clSystemSolveWith(system, 3, b, out->x, report));
  out->iterations = report->iterations;
  if (report->storage == TEXLA_STORAGE_SLOTS)
    assert_non_null(strstr(report->description, "long rows in csr"));
  for (int k = 0; k < 3; k++) {
    assert_true(residualOf(A, out->x + k * n, b + k * n) <= 1e-10);
    clSystemReportClear(&report[k]);
  }
}

/* New values on the old pattern: what comes out is what a system made of them computes, bit for
 * bit, but positions are not sent again. Algebraic multigrid, whose new values are close to the old
 * ones, keeps its transfers, too: there x is as good, but another one. Returns by how many uploads
 * less. */
static int64_t uploadsSaved(clContext *context, clStorage storage,
                            clPreconditioner preconditioner) {
  enum { N = 500 };
  bool near = preconditioner == TEXLA_PRECONDITIONER_AMG;
  clSystemOptions o = {.solver = {.method = TEXLA_METHOD_CG,
                                  .preconditioner = preconditioner,
                                  .tolerance = 1e-10,
                                  .columns = 3},
                       .matrix = {.storage = storage}};
  clTriplets *A = network(N, 0), *B = network(N, !near);
  for (int64_t k = 0; k < B->count; k++)
    B->value[k] *= near ? 1 + 1e-4 * cos(B->row[k] + B->col[k]) : 1;
  double *b = randomVector(3 * N, 9);
  clSystem *kept = NULL, *fresh = NULL;
  Outcome first = {0}, updated = {0}, anew = {0};
  assertOk(context, clSystemCreate(&kept, context, A, 3, &o));
  solveThree(context, kept, A, b, &first);
  int64_t before = clContextStatistics(context).uploads;
  assertOk(context, clSystemUpdateValues(kept, B->value));
  updated.uploads = clContextStatistics(context).uploads - before;
  assertOk(context, clSystemCreate(&fresh, context, B, 3, &o));
  anew.uploads = clContextStatistics(context).uploads - before - updated.uploads;
  solveThree(context, kept, B, b, &updated);
  solveThree(context, fresh, B, b, &anew);
  assertWithin(updated.iterations, anew.iterations - near, anew.iterations + near);
  for (int i = 0; i < 3 * N; i++)
    assert_true(fabs(updated.x[i] - anew.x[i]) <= near * 1e-8);
  assert_memory_not_equal(updated.x, first.x, 3 * N * sizeof *anew.x);
  clSystemDestroy(kept);
  clSystemDestroy(fresh);
  clTripletsDestroy(A);
  clTripletsDestroy(B);
  free(b);
  free(first.x);
  free(updated.x);
  free(anew.x);
  return anew.uploads - updated.uploads;
}

static void positionsStay(void **state) {
  for (int device = 0; device < 2; device++) {
    OWN(clContext) *context = contextFor(device);
    static const clPreconditioner preconditioners[] = {
        TEXLA_PRECONDITIONER_JACOBI, TEXLA_PRECONDITIONER_CHEBYSHEV, TEXLA_PRECONDITIONER_IC0,
        TEXLA_PRECONDITIONER_AMG};
    for (size_t k = 0; k < sizeof preconditioners / sizeof *preconditioners; k++) {
      clPreconditioner p = preconditioners[k];
      /* short: two of them on the device, the others on the host */
      if (!testTakes(k + (size_t)device))
        continue;
      /* of the slots, columns and rows of the rest */
      assert_true(uploadsSaved(context, TEXLA_STORAGE_SLOTS, p) >= 3);
      /* columns, rows */
      assert_true(uploadsSaved(context, TEXLA_STORAGE_CSR, p) >= 2);
      /* the matrix is created anew */
      assert_true(uploadsSaved(context, TEXLA_STORAGE_POINTS, p) >= 0);
    }
  }
}

/* Diffusion on a grid of EDGE x EDGE points, whose conductivity along x and along y each `kind` has
 * its own way to set. */
enum { EDGE = 64, WAYS = 6 };

static double conductivity(int kind, int axis, int i, int j) {
  bool strip = j > 0.45 * EDGE && j < 0.52 * EDGE;
  const double way[WAYS][2] = {
      {1, 1},
      {1 + 0.9 * sin(0.1 * i) * cos(0.07 * j), 1 + 0.9 * sin(0.1 * i) * cos(0.07 * j)},
      {strip ? 1e-4 : 1, 1},
      {1e-3, 1},
      {1, 1e-3},
      {exp(2 * sin(0.3 * i + 0.2 * j)), exp(2 * cos(0.25 * i - 0.3 * j))}};
  return way[kind][axis];
}

static clTriplets *diffusion(int kind) {
  clTriplets *A = emptyMatrix(EDGE * EDGE, EDGE * EDGE);
  for (int j = 0; j < EDGE; j++)
    for (int i = 0; i < EDGE; i++) {
      const double k[] = {conductivity(kind, 0, i, j), conductivity(kind, 0, i + 1, j),
                          conductivity(kind, 1, i, j), conductivity(kind, 1, i, j + 1)};
      const int at[][2] = {{i - 1, j}, {i + 1, j}, {i, j - 1}, {i, j + 1}};
      assert_int_equal(
          clTripletsAdd(A, j * EDGE + i, j * EDGE + i, k[0] + k[1] + k[2] + k[3], NULL), TEXLA_OK);
      for (int e = 0; e < 4; e++)
        if (at[e][0] >= 0 && at[e][0] < EDGE && at[e][1] >= 0 && at[e][1] < EDGE)
          assert_int_equal(clTripletsAdd(A, j * EDGE + i, at[e][1] * EDGE + at[e][0], -k[e], NULL),
                           TEXLA_OK);
    }
  assert_int_equal(clTripletsCompress(A, NULL), TEXLA_OK);
  return A;
}

/* Iterations with A's values in a system that is there, or in one of their own (NULL). */
static int64_t iterationsWith(clContext *context, clSystem *kept, const clTriplets *A,
                              const clSystemOptions *o) {
  clSystem *system = kept;
  clSystemReport report = {0};
  FREED double *b = randomVector(A->rows, 4), *x = calloc((size_t)A->rows, sizeof *x);
  assert_non_null(x);
  if (kept)
    assertOk(context, clSystemUpdateValues(kept, A->value));
  else
    assertOk(context, clSystemCreate(&system, context, A, 1, o));
  assertOk(context, clSystemSolveWith(system, 1, b, x, &report));
  assert_true(residualOf(A, x, b) <= o->solver.tolerance * (1 + 1e-9));
  int64_t iterations = report.iterations;
  clSystemReportClear(&report);
  if (!kept)
    clSystemDestroy(system);
  return iterations;
}

/* Values that change again and again: each system is solved, in hardly more iterations than by one
 * of its own, and memory stays what it was. */
static void valuesInSequence(void **state) {
  static const clPreconditioner preconditioners[] = {
      TEXLA_PRECONDITIONER_AMG, TEXLA_PRECONDITIONER_IC0, TEXLA_PRECONDITIONER_CHEBYSHEV,
      TEXLA_PRECONDITIONER_JACOBI};
  /* short: only multigrid, whose hierarchy may wear out, sees all values */
  static const int sequence[] = {0, 1, 5, 3, 4, 1, 0}, few = 3;
  OWN(clContext) *context = contextFor(true);
  clTriplets *A[WAYS];
  for (int k = 0; k < WAYS; k++)
    A[k] = diffusion(k);
  for (size_t p = 0; p < sizeof preconditioners / sizeof *preconditioners; p++) {
    clSystemOptions o = {.solver = {.method = TEXLA_METHOD_CG,
                                    .preconditioner = preconditioners[p],
                                    .tolerance = 1e-8},
                         .matrix = {.storage = TEXLA_STORAGE_SLOTS}};
    OWN(clSystem) *system = NULL;
    size_t bytes = 0;
    int length = p && !testLong() ? few : (int)(sizeof sequence / sizeof *sequence);
    assertOk(context, clSystemCreate(&system, context, A[0], 1, &o));
    for (int k = 0; k < 2 * length; k++) {
      const clTriplets *now = A[sequence[k % length]];
      int64_t own = p ? 0 : iterationsWith(context, NULL, now, &o),
              kept = iterationsWith(context, system, now, &o);
      if (!p && kept > own + 2)
        fail_msg("values %d: %lld iterations, %lld by themselves", k, (long long)kept,
                 (long long)own);
      if (k + 1 == length)
        bytes = clContextStatistics(context).bytes_used;
      if (k + 1 == 2 * length)
        assert_int_equal(clContextStatistics(context).bytes_used, bytes);
    }
  }
  for (int k = 0; k < WAYS; k++)
    clTripletsDestroy(A[k]);
}

/* A strip whose couplings along it have become weak is too small for other aggregates, but the
 * solution takes longer: then the next values get their own. */
static void wornHierarchies(void **state) {
  OWN(clContext) *context = contextFor(true);
  OWN(clTriplets) *A = diffusion(0), *B = diffusion(2);
  clSystemOptions o = {.solver = {.method = TEXLA_METHOD_CG,
                                  .preconditioner = TEXLA_PRECONDITIONER_AMG,
                                  .tolerance = 1e-8},
                       .matrix = {.storage = TEXLA_STORAGE_SLOTS}};
  OWN(clSystem) *system = NULL;
  int64_t own = iterationsWith(context, NULL, B, &o);
  FREED double *b = randomVector(A->rows, 4), *x = calloc((size_t)A->rows, sizeof *x);
  assert_non_null(x);
  assertOk(context, clSystemCreate(&system, context, A, 1, &o));
  assertOk(context, clSystemSolveWith(system, 1, b, x, NULL));
  assert_true(iterationsWith(context, system, B, &o) > own + own / 2);
  assert_int_equal(iterationsWith(context, system, B, &o), own);
}

/* On the device x is as good as on the host, and its residual is known there as well, until it is
 * as small as double-float allows. */
static void deviceKeepsTheResidual(void **state) {
  OWN(clContext) *context = contextFor(true);
  OWN(clTriplets) *A = scaledPoisson(24, 24);
  int64_t n = A->rows;
  txRows rows;
  txScaling scaling;
  txScaled scaled;
  clMatrix *B = NULL;
  clVector *y = NULL;
  txDeviceRefinement *d = NULL;
  double *b = randomVector(n, 5), *x = randomVector(n, 6), *got = malloc((size_t)n * sizeof *got),
         gain;
  FREED float *narrow = calloc((size_t)n, sizeof *narrow);
  assert_true(got && narrow);
  assertOk(context, txRowsFind(&rows, A, "test", txContextError(context)));
  assertOk(context, txScalingCreate(&scaling, &rows, TX_SCALE_DIAGONAL, txContextError(context)));
  assertOk(context, txScalingApply(&scaled, &scaling, -1, txContextError(context)));
  assert_false(scaling.unit);
  assertOk(context,
           clMatrixCreate(&B, context, &scaled.A, &(clMatrixOptions){.double_float = true}));
  assertOk(context, txDeviceRefineStart(&d, B, -1, &scaling, b, x, false, 10));
  assert_non_null(d);
  double norm = 0;
  clTripletsResidual(got, A, x, b);
  for (int64_t i = 0; i < n; i++)
    norm += scaling.row[i] * got[i] * scaling.row[i] * got[i];
  assert_true(fabs(d->norm - sqrt(norm)) <= 1e-5 * sqrt(norm));
  assertOk(context, clMatrixCreateVector(&y, B, TEXLA_DOMAIN));
  narrow[5] = NAN;
  assertOk(context, clVectorUpload(y, narrow));
  assertOk(context, txDeviceRefineStep(d, y, 10, &gain));
  assert_false(gain >= 10);
  narrow[5] = 0.25f;
  assertOk(context, clVectorUpload(y, narrow));
  /* taken, for it may be any */
  assertOk(context, txDeviceRefineStep(d, y, 1e-3, &gain));
  assertOk(context, txDeviceRefineFinish(d, &scaling, got));
  for (int64_t i = 0; i < n; i++) {
    double moved = i == 5 ? scaling.col[5] * ldexp(0.25, -d->exponent) : 0;
    assert_true(fabs(got[i] - x[i] - moved) <= 0x1p-46 * (fabs(x[i]) + fabs(moved)));
  }
  txDeviceRefineDestroy(d);
  /* too large for floats: the host's */
  assertOk(context, txDeviceRefineStart(&d, B, -1, &scaling, b, x, false, 1e40));
  assert_null(d);
  clVectorDestroy(y);
  clMatrixDestroy(B);
  txScaledDestroy(&scaled);
  txScalingDestroy(&scaling);
  txRowsForget(&rows);
  free(b);
  free(x);
  free(got);
}

/* Corrections of any sizes: x is their sum, and what is left of c is c - B x. */
static void correctionsAddUp(void **state) {
  enum { N = 20, STEPS = 5 };
  OWN(clContext) *context = contextFor(true);
  OWN(clTriplets) *A = poisson(5, 4);
  txRows rows;
  txScaling scaling;
  clMatrix *B = NULL;
  assertOk(context, txRowsFind(&rows, A, "test", txContextError(context)));
  assertOk(context, txScalingCreate(&scaling, &rows, TX_SCALE_UNIFORM, txContextError(context)));
  assertOk(context, clMatrixCreate(&B, context, A, &(clMatrixOptions){.double_float = true}));
  for (int size = -40; size <= 40; size += 20) {
    OWN(clVector) *y = NULL;
    txDeviceRefinement *d = NULL;
    double b[N], x[N] = {0}, got[N], r[N], gain, norm = 0;
    float narrow[N], right[N];
    uint64_t seed = 3;
    for (int i = 0; i < N; i++) {
      b[i] = ldexp(randomUnit(&seed), size);
      norm += b[i] * b[i];
    }
    assertOk(context, txDeviceRefineStart(&d, B, 1, &scaling, b, x, true, sqrt(norm)));
    assertOk(context, clMatrixCreateVector(&y, B, TEXLA_DOMAIN));
    for (int k = 0; k <= STEPS; k++) {
      double length = sqrt(norm), unit = ldexp(1, -d->exponent);
      assertOk(context, txDeviceRefineFinish(d, &scaling, got));
      assertOk(context, clVectorDownload(txDeviceRefineRight(d), right));
      clTripletsResidual(r, A, x, b);
      for (int i = 0; i < N; i++) {
        assert_true(fabs(got[i] - x[i]) <= 0x1p-44 * length);
        assert_true(fabs(unit * (double)right[i] - r[i]) <=
                    0x1p-22 * fabs(r[i]) + 0x1p-42 * length);
        narrow[i] = (float)ldexp(randomUnit(&seed), size + d->exponent - 3 * k);
        x[i] += unit * (double)narrow[i];
      }
      assertOk(context, clVectorUpload(y, narrow));
      assertOk(context, txDeviceRefineStep(d, y, 1e-3, &gain));
      assert_true(gain >= 1e-3);
    }
    txDeviceRefineDestroy(d);
  }
  clMatrixDestroy(B);
  txScalingDestroy(&scaling);
  txRowsForget(&rows);
}

/* The residual that cycles tell does not see the rounding of x, so that they go all the way in one
 * round where that rounding does not matter. */
static void oneRound(void **state) {
  enum { SIDE = 200 };
  OWN(clContext) *context = contextFor(false);
  OWN(clTriplets) *A = poisson(SIDE, SIDE);
  clSystemOptions o = {.solver = {.method = TEXLA_METHOD_MG, .tolerance = 1e-5}};
  AT_END(clSystemReportClear) clSystemReport report = {0};
  FREED double *b = randomVector(A->rows, 8), *x = calloc((size_t)A->rows, sizeof *x);
  assertOk(context, clSystemSolve(context, A, b, x, &o, &report));
  assert_true(residualOf(A, x, b) <= 1e-5);
  assert_true(report.restarts == 0 && report.iterations == 4);
}

/* Large solutions come back through a buffer, and x is worked on in place: from zero, or as it was
 * where that fails. */
static void largeSolutions(void **state) {
  enum { SIDE = 400 };
  OWN(clContext) *context = contextFor(true);
  OWN(clTriplets) *A = poisson(SIDE, SIDE);
  int64_t n = A->rows;
  clSystemOptions o = {.solver = {.method = TEXLA_METHOD_MG, .tolerance = 1e-10}, .refine = true};
  FREED double *b = randomVector(n, 8), *x = calloc((size_t)n, sizeof *x);
  OWN(clSystem) *system = NULL;
  assertOk(context, clSystemCreate(&system, context, A, 1, &o));
  /* then from a start */
  for (int k = 0; k < 2; k++) {
    for (int64_t i = 0; i < n; i++)
      x[i] *= 0.5;
    assertOk(context, clSystemSolveWith(system, 1, b, x, NULL));
    assert_true(residualOf(A, x, b) <= 1e-10);
  }
}

TEST_MAIN(NULL, NULL, everyMethod, otherValues, positionsStay, valuesInSequence, wornHierarchies,
          deviceKeepsTheResidual, correctionsAddUp, largeSolutions, oneRound)
