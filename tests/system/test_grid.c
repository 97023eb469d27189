/* The method auto sees the grid in a matrix's offsets, and takes geometric multigrid only where its
 * cycles are known to converge. */
#include "common.h"

#include "system/grid.h"
#include "texla/system.h"

/* Nine factors of -1 for couplings along the directions (dx, dy), 3 (dy + 1) + dx + 1. */
typedef struct grid {
  const char *name;
  int nx, ny;
  bool periodic[2];
  double coupling[9];
  /* Added to the diagonal beyond minus the sum of the couplings. */
  double shift;
  /* Couplings at x >= nx / 2 are so many times those before. */
  double jump;
  /* The whole matrix has this factor. */
  double factor;
  bool seen;
} grid;

#define FIVE                                                                                       \
  { 0, 1, 0, 1, 0, 1, 0, 1, 0 }
#define NINE                                                                                       \
  { 1, 1, 1, 1, 0, 1, 1, 1, 1 }

static double couplingOf(const grid *g, int k, int i) {
  if (i >= g->nx / 2 && g->jump != 0)
    return g->coupling[k] * g->jump;
  return g->coupling[k];
}

/* The neighbour of (i, j) in direction k, -1: none. A coupling is that of the lower column. */
static int32_t neighbour(const grid *g, int k, int i, int j, double *coupling) {
  int n[2] = {g->nx, g->ny}, to[2] = {i + k % 3 - 1, j + k / 3 - 1};
  for (int axis = 0; axis < 2; axis++) {
    if (g->periodic[axis])
      to[axis] = (to[axis] + n[axis]) % n[axis];
    if (to[axis] < 0 || to[axis] >= n[axis])
      return -1;
  }
  *coupling = couplingOf(g, k, i < to[0] ? i : to[0]);
  return to[1] * g->nx + to[0];
}

/* Without periodic sides the boundary is Dirichlet's: the diagonal is that of the interior. */
static clTriplets *assemble(const grid *g) {
  clTriplets *A = NULL;
  assert_int_equal(clTripletsCreate(&A, g->nx * g->ny, g->nx * g->ny, 0, NULL), TEXLA_OK);
  for (int32_t row = 0; row < A->rows; row++) {
    double diagonal = g->shift, coupling = 0;
    for (int k = 0; k < 9; k++) {
      int32_t to = neighbour(g, k, row % g->nx, row / g->nx, &coupling);
      if (to < 0)
        coupling = couplingOf(g, k, row % g->nx);
      diagonal += coupling;
      if (to >= 0 && coupling != 0)
        assert_int_equal(clTripletsAdd(A, row, to, -g->factor * coupling, NULL), TEXLA_OK);
    }
    assert_int_equal(clTripletsAdd(A, row, row, g->factor * diagonal, NULL), TEXLA_OK);
  }
  assert_int_equal(clTripletsCompress(A, NULL), TEXLA_OK);
  return A;
}

static const grid grids[] = {
    {"square", 64, 64, {0}, FIVE, 0, 0, 1, true},
    {"wide", 250, 16, {0}, FIVE, 0, 0, 1, true},
    {"high", 17, 211, {0}, FIVE, 0, 0, 1, true},
    {"negative", 70, 50, {0}, FIVE, 0, 0, -3, true},
    {"nine points", 63, 65, {0}, NINE, 0, 0, 1, true},
    {"anisotropic", 64, 64, {0}, {0, 1, 0, 1e-3, 0, 1e-3, 0, 1, 0}, 0, 0, 1, true},
    {"anisotropic the other way", 64, 64, {0}, {0, 1e-3, 0, 1, 0, 1, 0, 1e-3, 0}, 0, 0, 1, true},
    {"periodic along x", 64, 60, {true, false}, FIVE, 0, 0, 1, true},
    {"periodic along y", 60, 64, {false, true}, FIVE, 0, 0, 1, true},
    {"periodic, shifted", 64, 62, {true, true}, FIVE, 0.01, 0, 1, true},
    {"periodic, odd", 65, 63, {true, true}, FIVE, 0.01, 0, 1, true},
    {"periodic, nine points", 64, 64, {true, true}, NINE, 0.01, 0, 1, true},
    {"singular", 64, 64, {true, true}, FIVE, 0, 0, 1, true},
    {"mild", 64, 64, {0}, FIVE, 0, 5, 1, true},
    {"jumps", 64, 64, {0}, FIVE, 0, 1e4, 1, false},
    {"lines along x", 64, 64, {0}, {0, 0, 0, 1, 0, 1, 0, 0, 0}, 0.1, 0, 1, false},
    {"not dominant", 64, 64, {0}, FIVE, -0.5, 0, 1, false},
    {"too narrow", 8, 512, {0}, FIVE, 0, 0, 1, false},
    {"too few rows", 2048, 2, {0}, FIVE, 0, 0, 1, false},
};

static bool sees(clContext *context, const clTriplets *A, int n[2]) {
  txRows rows;
  assertOk(context, txRowsFind(&rows, A, "test", NULL));
  bool seen = txSystemGrid(n, context, &rows);
  txRowsForget(&rows);
  return seen;
}

/* Whatever auto takes, it solves; where a grid is seen, in some cycles. */
static void solves(clContext *context, const clTriplets *A, bool seen, const char *name) {
  size_t n = (size_t)A->rows;
  FREED double *x = calloc(n, sizeof *x), *b = calloc(n, sizeof *b);
  for (size_t i = 0; i < n; i++)
    x[i] = (double)(i * 7919 % 1000) / 1000 - 0.5;
  clTripletsMulVector(b, A, x);
  memset(x, 0, n * sizeof *x);
  AT_END(clSystemReportClear) clSystemReport report = {0};
  clSystemOptions options = {.solver = {.method = TEXLA_METHOD_AUTO, .tolerance = 1e-6}};
  assertOk(context, clSystemSolve(context, A, b, x, &options, &report));
  bool taken = report.preconditioner == TEXLA_PRECONDITIONER_MG;
  if (taken != seen || report.reason != TEXLA_REASON_CONVERGED || (seen && report.iterations > 20))
    fail_msg("%s: %s, %lld iterations, %s", name, report.chosen_because,
             (long long)report.iterations, clReasonText(report.reason));
}

static void testGrids(void **state) {
  for (size_t k = 0; k < sizeof grids / sizeof *grids; k++) {
    const grid *g = &grids[k];
    int n[2] = {0, 0};
    OWN(clTriplets) *A = assemble(g);
    if (sees(*state, A, n) != g->seen || (g->seen && (n[0] != g->nx || n[1] != g->ny)))
      fail_msg("%s, %d x %d: seen as %d x %d", g->name, g->nx, g->ny, n[0], n[1]);
    if (g->shift >= 0)
      solves(*state, A, g->seen, g->name);
  }
}

/* Diagonals that rows' ends do not break, three axes, and offsets at random. */
static void testOthers(void **state) {
  static const int32_t offsets[][7] = {
      {-64, -1, 0, 1, 64}, {-256, -16, -1, 0, 1, 16, 256}, {-1000, -37, -5, 0, 5, 37, 1000}};
  static const int count[] = {5, 7, 7};
  enum { N = 4096 };
  for (int t = 0; t < 3; t++) {
    OWN(clTriplets) *A = NULL;
    int n[2];
    assert_int_equal(clTripletsCreate(&A, N, N, 0, NULL), TEXLA_OK);
    for (int32_t i = 0; i < N; i++)
      for (int k = 0; k < count[t]; k++) {
        int32_t j = i + offsets[t][k];
        int far = abs(offsets[t][k]);
        bool broken =
            t == 1 && ((far == 1 && i / 16 != j / 16) || (far == 16 && i / 256 != j / 256));
        if (j >= 0 && j < N && !broken)
          assert_int_equal(clTripletsAdd(A, i, j, offsets[t][k] ? -1 : count[t] - 1, NULL),
                           TEXLA_OK);
      }
    assert_false(sees(*state, A, n));
  }
}

TEST_MAIN(testContextCreate, testContextDestroy, testGrids, testOthers)
