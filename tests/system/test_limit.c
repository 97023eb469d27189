/* A limit is a limit: iterations of all restarts, corrections and plans together, by every method,
 * with refinement and without. */
#include "folder.h"
#include "oracle/vector.h"
#include "texla/io.h"
#include "texla/system.h"

#include "one_context.h"

/* Poisson's equation, whose iterations take more; or an unsymmetric one with small pivots. */
static clTriplets *create(bool symmetric) {
  clTriplets *A = NULL;
  clError error;
  testOk(clGeneratePoisson2d(&A, 24, 24, &error), &error, "clGeneratePoisson2d", __FILE__,
         __LINE__);
  for (int64_t k = 0; k < A->count && !symmetric; k++) {
    if (A->row[k] < A->col[k])
      A->value[k] *= 3;
    if (A->row[k] == A->col[k])
      A->value[k] = 0.25;
  }
  return A;
}

static void limits(void **state) {
  static const int most[] = {1, 5, 17, 60};
  int tried = 0, reached = 0;
  for (int symmetric = 0; symmetric < 2; symmetric++) {
    OWN(clTriplets) *A = create(symmetric);
    FREED double *b = malloc((size_t)A->rows * sizeof *b), *x = malloc((size_t)A->rows * sizeof *x);
    for (int i = 0; i < A->rows; i++)
      b[i] = 1 + i % 3;
    for (int c = 0; c < 4 * 2 * (TEXLA_METHOD_CHOLESKY + 1); c++) {
      clMethod method = (clMethod)(c / 8);
      bool refused = !symmetric && (method == TEXLA_METHOD_CG || method == TEXLA_METHOD_CHOLESKY);
      if (refused || method == TEXLA_METHOD_MG)
        continue;
      AT_END(clSystemReportClear) clSystemReport report = {0};
      clSystemOptions o = {.solver = {.method = method, .max_iterations = most[c % 4]},
                           .refine = c / 4 % 2};
      memset(x, 0, (size_t)A->rows * sizeof *x);
      clStatus status = clSystemSolve(context, A, b, x, &o, &report);
      if (status < 0)
        fail_msg("%s: %s", clMethodName(method), clContextError(context)->message);
      if (report.iterations > most[c % 4])
        fail_msg("%s%s: %lld iterations of at most %d, %s; %s", clMethodName(method),
                 o.refine ? ", refined" : "", (long long)report.iterations, most[c % 4],
                 clReasonText(report.reason), report.chosen_because);
      tried++;
      reached += report.reason == TEXLA_REASON_MAX_ITERATIONS;
    }
  }
  print_message("%d runs within their limits, of which %d reached them\n", tried, reached);
  assert_true(reached > tried / 2);
}

/* Cycles of multigrid gain all the time: they end converged, or at the limit, wherever that falls
 * between two rounds of refinement; and a limit in the midst of a round costs at most one cycle. */
static void checkCycles(clContext *on) {
  enum { SIDE = 64, LIMITS = 9 };
  OWN(clTriplets) *A = NULL;
  clError error;
  testOk(clGeneratePoisson2d(&A, SIDE, SIDE, &error), &error, "clGeneratePoisson2d", __FILE__,
         __LINE__);
  double *b = malloc(SIDE * SIDE * sizeof *b), *x = malloc(SIDE * SIDE * sizeof *x), before = 2;
  for (int i = 0; i < SIDE * SIDE; i++)
    b[i] = 1 + i % 3;
  for (int most = 1; most <= LIMITS; most++) {
    AT_END(clSystemReportClear) clSystemReport report = {0};
    clSystemOptions o = {.solver = {.method = TEXLA_METHOD_AMG, .max_iterations = most},
                         .refine = true};
    memset(x, 0, SIDE * SIDE * sizeof *x);
    assert_true(clSystemSolve(on, A, b, x, &o, &report) >= 0);
    bool honest =
        report.reason == TEXLA_REASON_CONVERGED || report.reason == TEXLA_REASON_MAX_ITERATIONS;
    if (!honest || !(report.residual < before))
      fail_msg("%d cycles: %s at %g, after %g", most, clReasonText(report.reason), report.residual,
               before);
    before = 4 * report.residual;
  }
  free(b);
  free(x);
}

static void limitsOfCycles(void **state) {
  checkCycles(context);
}

/* Where refinement stays on the device, cycles whose residuals nobody looks at have a round of
 * their own. */
static void limitsOfCyclesOnTheDevice(void **state) {
  Folder folder;
  OWN(clContext) *device = NULL;
  clError error = {0};
  folderCreate(&folder);
  folderWriteTuning(&folder, "pinned", "trait.refine_on_device 1\n");
  const clContextOptions options = {.tuning = folderPath(&folder, "pinned")};
  testOk(clContextCreate(&device, &options, &error), &error, "clContextCreate", __FILE__, __LINE__);
  folderDestroy(&folder);
  checkCycles(device);
}

TEST_MAIN(setUp, testContextDestroy, limits, limitsOfCycles, limitsOfCyclesOnTheDevice)
