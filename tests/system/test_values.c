/* New values of a system that is kept: whatever they are, what comes out is what a fresh system of
 * the same values gives. Couplings vanish and come back, also those that a storage, a grid or a
 * hierarchy was chosen by. */
#include "common.h"

#include "matrices.h"
#include "texla/system.h"

/* Both solve to this, relative to b. */
static const double tolerance = 1e-9;
/* of x, relative to the largest element: the condition times the tolerance, with room */
static const double apart = 1e-6;

typedef struct Plan {
  clMethod method;
  clPreconditioner preconditioner;
  bool grid;
} Plan;

static const Plan plans[] = {
    {TEXLA_METHOD_CG, TEXLA_PRECONDITIONER_NONE, false},
    {TEXLA_METHOD_CG, TEXLA_PRECONDITIONER_JACOBI, false},
    {TEXLA_METHOD_CG, TEXLA_PRECONDITIONER_CHEBYSHEV, false},
    {TEXLA_METHOD_CG, TEXLA_PRECONDITIONER_MG, true},
    {TEXLA_METHOD_CG, TEXLA_PRECONDITIONER_AMG, false},
    {TEXLA_METHOD_CG, TEXLA_PRECONDITIONER_IC0, false},
    {TEXLA_METHOD_JACOBI, TEXLA_PRECONDITIONER_NONE, false},
    {TEXLA_METHOD_BICGSTAB, TEXLA_PRECONDITIONER_JACOBI, false},
    {TEXLA_METHOD_GMRES, TEXLA_PRECONDITIONER_ILU0, false},
    {TEXLA_METHOD_MG, TEXLA_PRECONDITIONER_NONE, true},
    {TEXLA_METHOD_AMG, TEXLA_PRECONDITIONER_NONE, false},
    {TEXLA_METHOD_AUTO, TEXLA_PRECONDITIONER_NONE, false},
    {TEXLA_METHOD_PLU, TEXLA_PRECONDITIONER_NONE, false},
    {TEXLA_METHOD_CHOLESKY, TEXLA_PRECONDITIONER_NONE, false},
};
enum { PLANS = sizeof plans / sizeof *plans };

/* One way to change the values: `v` <- those of A with some couplings, chosen by `seed`, left out;
 * the diagonal stays what it was, or becomes what keeps A regular. */
enum { ALL, NO_COLUMNS, NO_ROWS, DIAGONAL, HALF, ONE, ZEROS, KINDS };

static void choose(double *v, const clTriplets *A, int kind, int nx, uint64_t seed) {
  for (int64_t k = 0; k < A->count; k++) {
    int i = A->row[k], j = A->col[k], low = i, high = j;
    swapIf(j < i, &low, &high);
    uint64_t own = seed + 977 * (uint64_t)low + 131 * (uint64_t)high;
    double random = (randomBits(&own), randomUnit(&own));
    v[k] = A->value[k];
    if (kind == ZEROS)
      v[k] = 0;
    if (i == j)
      continue;
    bool out = kind == DIAGONAL || (kind == NO_COLUMNS && high - low >= nx) ||
               (kind == NO_ROWS && high - low < nx) || (kind == HALF && random < 0) ||
               (kind == ONE && low == A->rows / 2);
    if (out)
      v[k] = 0;
  }
}

typedef struct Outcome {
  clStatus status;
  clReason reason;
  char message[1024];
} Outcome;

static void record(clContext *context, Outcome *out, clStatus status, clSystemReport *report) {
  *out = (Outcome){.status = status, .reason = report->reason};
  if (status < 0)
    snprintf(out->message, sizeof out->message, "%s", clContextError(context)->message);
  clSystemReportClear(report);
}

static double largestDifference(const double *x, const double *y, int32_t n) {
  double most = 0, size = 0;
  for (int32_t i = 0; i < n; i++) {
    most = fmax(most, fabs(x[i] - y[i]));
    size = fmax(size, fabs(y[i]));
  }
  return size > 0 ? most / size : most;
}

/* Values in sequence, in a system that is kept and in one of their own each. */
static void follow(clContext *context, const clTriplets *pattern, int nx, const Plan *plan,
                   const int *kinds, int count, uint64_t seed) {
  int32_t n = pattern->rows;
  OWN(clSystem) *kept = NULL;
  OWN(clTriplets) *now = NULL;
  FREED double *v = malloc((size_t)pattern->count * sizeof *v), *b = malloc((size_t)n * sizeof *b),
               *x = malloc((size_t)n * sizeof *x), *y = malloc((size_t)n * sizeof *y);
  assert_true(v && b && x && y);
  clSystemOptions o = {.solver = {.method = plan->method,
                                  .preconditioner = plan->preconditioner,
                                  .tolerance = tolerance,
                                  .max_iterations = 2000},
                       .refine = true};
  if (plan->grid) {
    o.solver.grid_nx = nx;
    o.solver.grid_ny = n / nx;
  }
  for (int32_t i = 0; i < n; i++)
    b[i] = randomUnit(&seed);
  assert_int_equal(clTripletsCreate(&now, n, n, pattern->count, NULL), TEXLA_OK);
  for (int64_t k = 0; k < pattern->count; k++)
    assert_int_equal(clTripletsAdd(now, pattern->row[k], pattern->col[k], 1, NULL), TEXLA_OK);
  assert_int_equal(clTripletsCompress(now, NULL), TEXLA_OK);
  for (int k = 0; k < count; k++) {
    clSystemReport report = {0};
    Outcome updated, fresh;
    choose(v, pattern, kinds[k], nx, seed);
    memcpy(now->value, v, (size_t)pattern->count * sizeof *v);
    clStatus status =
        kept ? clSystemUpdateValues(kept, v) : clSystemCreate(&kept, context, now, 1, &o);
    for (int32_t i = 0; i < n; i++)
      x[i] = y[i] = 0;
    if (!status)
      status = clSystemSolveWith(kept, 1, b, x, &report);
    record(context, &updated, status, &report);
    status = clSystemSolve(context, now, b, y, &o, &report);
    record(context, &fresh, status, &report);
    bool same = updated.status == fresh.status && !strcmp(updated.message, fresh.message) &&
                (fresh.status || largestDifference(x, y, n) < apart);
    if (!same)
      fail_msg("%s with %s, values %d of step %d: status %d (%s) %s; fresh: %d (%s) %s; x apart "
               "by %g",
               clMethodName(plan->method), clPreconditionerName(plan->preconditioner), kinds[k], k,
               (int)updated.status, clReasonText(updated.reason), updated.message,
               (int)fresh.status, clReasonText(fresh.reason), fresh.message,
               largestDifference(x, y, n));
  }
}

/* A grid whose couplings along one direction vanish, all of them, some of them, and come back. */
static void couplingsOfAGrid(void **state) {
  static const int sequences[][6] = {{ALL, NO_COLUMNS, ALL, NO_ROWS, DIAGONAL, ALL},
                                     {DIAGONAL, ALL, HALF, ONE, NO_COLUMNS, ALL},
                                     {NO_ROWS, NO_COLUMNS, ZEROS, ALL, ZEROS, HALF}};
  OWN(clTriplets) *A = poisson(8, 8);
  for (int p = 0; p < PLANS; p++)
    for (int s = 0; s < 3; s++)
      if (testTakes((size_t)(p + s)))
        follow(*state, A, 8, &plans[p], sequences[s], 6, 5);
}

/* Symmetric and dominant on a random pattern. */
static clTriplets *randomMatrix(int32_t n, uint64_t *seed) {
  clTriplets *A = emptyMatrix(n, n);
  for (int32_t i = 0; i < n; i++)
    assert_int_equal(clTripletsAdd(A, i, i, 4 + fabs(randomUnit(seed)), NULL), TEXLA_OK);
  for (int32_t k = 0; k < 2 * n; k++) {
    int32_t i = (int32_t)(randomBits(seed) % (uint32_t)n),
            j = (int32_t)(randomBits(seed) % (uint32_t)n);
    double v = -0.4 * fabs(randomUnit(seed));
    if (i == j)
      continue;
    assert_int_equal(clTripletsAdd(A, i, j, v, NULL), TEXLA_OK);
    assert_int_equal(clTripletsAdd(A, j, i, v, NULL), TEXLA_OK);
    assert_int_equal(clTripletsAdd(A, i, i, 0.5, NULL), TEXLA_OK);
    assert_int_equal(clTripletsAdd(A, j, j, 0.5, NULL), TEXLA_OK);
  }
  assert_int_equal(clTripletsCompress(A, NULL), TEXLA_OK);
  return A;
}

static void randomPatterns(void **state) {
  uint64_t seed = 11;
  const int sizes[] = {1, 7, 40};
  for (int round = 0; round < 3; round++) {
    OWN(clTriplets) *A = randomMatrix(sizes[round], &seed);
    for (int p = 0; p < PLANS; p++) {
      int kinds[5];
      for (int k = 0; k < 5; k++)
        kinds[k] = (int)(randomBits(&seed) % KINDS);
      if (!plans[p].grid && testTakes((size_t)(p + round)))
        follow(*state, A, 3, &plans[p], kinds, 5, seed);
    }
  }
}

TEST_MAIN(testContextCreate, testContextDestroy, couplingsOfAGrid, randomPatterns)
