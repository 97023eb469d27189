/* Anisotropy whose direction changes over the grid: relaxation of lines along both axes, and when
 * it is chosen. */
#include "multigrid/multigrid.h"
#include "oracle/grid_problem.h"
#include "one_context.h"

static gridProblem problemOf(gridKind kind, int nx, int ny) {
  return (gridProblem){.name = gridKindName(kind), .kind = kind, .nx = nx, .ny = ny, .eps = 1e-3};
}

static void uploadRandom(clVector *v) {
  int64_t n = clVectorLength(v);
  FREED float *values = malloc((size_t)n * sizeof *values);
  uint64_t seed = 3;
  for (int64_t i = 0; i < n; i++)
    values[i] = (float)randomUnit(&seed);
  CHECK(clVectorUpload(v, values));
}

/* ||A x|| */
static double normOf(const clMultigrid *mg, clVector *r, const clVector *x, const clVector *zero) {
  OWN(clFloat) *norm = NULL;
  float value;
  CHECK(clFloatCreate(&norm, context));
  CHECK(txGridResidual("test", r, mg->level[0].grid, x, zero));
  CHECK(clVectorNorm(norm, r));
  CHECK(clFloatDownload(norm, &value));
  return (double)value;
}

/* The reduction of the residual by a late cycle on A x = 0, 0 where nothing is left. */
static double rateOf(clMultigrid *mg, int nx, int ny) {
  enum { CYCLES = 9, LATE = 3 };
  OWN(clVector) *x = NULL, *zero = NULL, *r = NULL;
  double norm[CYCLES + 1];
  CHECK(clVectorCreateGrid(&x, context, nx, ny));
  CHECK(clVectorCreateLike(&zero, x));
  CHECK(clVectorCreateLike(&r, x));
  uploadRandom(x);
  for (int k = 1; k <= CYCLES; k++) {
    CHECK(clMultigridCycle(mg, x, zero));
    norm[k] = normOf(mg, r, x, zero);
  }
  return norm[CYCLES - LATE] > 0 ? pow(norm[CYCLES] / norm[CYCLES - LATE], 1.0 / LATE) : 0;
}

static double rate(const gridProblem *p, const clMultigridOptions *options) {
  clTriplets *A = gridProblemMatrix(p);
  OWN(clMultigrid) *mg = NULL;
  CHECK(clMultigridCreate(&mg, context, A, p->nx, p->ny, options));
  clTripletsDestroy(A);
  double result = rateOf(mg, p->nx, p->ny);
  return result;
}

static void checkRate(const gridProblem *p, const clMultigridOptions *options, double most) {
  double r = rate(p, options);
  print_message("%s %d x %d, smoother %d: %.3f\n", p->name, p->nx, p->ny, (int)options->smoother,
                r);
  if (!(r <= most))
    fail_msg("%s %d x %d: a cycle reduces the residual by %.3f, not %.3f", p->name, p->nx, p->ny, r,
             most);
}

/* What no choice of one direction can do, whatever the size. */
static void testRates(void **state) {
  static const struct {
    gridKind kind;
    double most;
  } limit[] = {{GRID_BENDING, 0.2}, {GRID_STRETCHED, 0.2}, {GRID_PATCHES, 0.8}};
  static const int size[][2] = {{48, 48}, {101, 90}, {192, 192}};
  for (size_t k = 0; k < sizeof limit / sizeof *limit; k++)
    for (size_t m = 0; m < sizeof size / sizeof *size; m++) {
      gridProblem p = problemOf(limit[k].kind, size[m][0], size[m][1]);
      for (int smoother = 0; smoother < 3; smoother++)
        checkRate(&p, &(clMultigridOptions){.smoother = (clSmoother)smoother}, limit[k].most);
      checkRate(&p, &(clMultigridOptions){.host_points = 100000}, limit[k].most);
    }
}

/* As a preconditioner: as many iterations on all grids. Sweeps over points would need 38 to 72. */
static void testIterations(void **state) {
  static const struct {
    gridKind kind;
    int most;
  } limit[] = {{GRID_BENDING, 5}, {GRID_STRETCHED, 5}, {GRID_PATCHES, 13}};
  for (size_t k = 0; k < sizeof limit / sizeof *limit; k++)
    for (int n = 64; n <= 256; n *= 2) {
      gridProblem p = problemOf(limit[k].kind, n, n);
      OWN(clTriplets) *A = gridProblemMatrix(&p);
      OWN(clMatrix) *matrix = NULL;
      OWN(clSolver) *solver = NULL;
      OWN(clVector) *x = NULL, *b = NULL;
      clSolverReport report;
      CHECK(clMatrixCreate(&matrix, context, A, &(clMatrixOptions){.grid_nx = n, .grid_ny = n}));
      CHECK(clVectorCreateGrid(&x, context, n, n));
      CHECK(clVectorCreateLike(&b, x));
      uploadRandom(b);
      CHECK(clSolverCreate(&solver, matrix,
                           &(clSolverOptions){.method = TEXLA_METHOD_CG,
                                              .preconditioner = TEXLA_PRECONDITIONER_MG,
                                              .tolerance = 1e-4,
                                              .host = A}));
      CHECK(clSolverSolve(solver, x, b, &report));
      print_message("%s %d x %d: %d iterations\n", p.name, n, n, (int)report.iterations);
      assert_true(report.iterations <= limit[k].most);
    }
}

/* Lines are chosen where the direction changes, and nowhere else. */
static void testChoice(void **state) {
  static const gridKind turning[] = {GRID_PATCHES, GRID_BENDING, GRID_STRETCHED, GRID_WHIRL};
  for (int kind = 0; kind < GRID_KINDS; kind++) {
    gridProblem p = problemOf((gridKind)kind, 70, 64);
    OWN(clTriplets) *A = gridProblemMatrix(&p);
    OWN(clMultigrid) *mg = NULL;
    CHECK(clMultigridCreate(&mg, context, A, p.nx, p.ny, NULL));
    assert_null(strstr(clMultigridDescription(mg), "lines"));
  }
  for (size_t k = 0; k < sizeof turning / sizeof *turning; k++) {
    gridProblem p = problemOf(turning[k], 70, 64);
    OWN(clTriplets) *A = gridProblemMatrix(&p);
    for (int lines = TEXLA_LINES_AUTO; lines <= TEXLA_LINES_ALWAYS; lines++) {
      OWN(clMultigrid) *mg = NULL;
      CHECK(clMultigridCreate(&mg, context, A, p.nx, p.ny,
                              &(clMultigridOptions){.lines = (clLineSmoothing)lines}));
      assert_true((strstr(clMultigridDescription(mg), "lines along x and y") != NULL) ==
                  (lines != TEXLA_LINES_NEVER));
    }
    assert_true(k == 3 || rate(&p, &(clMultigridOptions){.lines = TEXLA_LINES_NEVER}) > 0.8);
  }
}

/* Boundaries of all kinds, constant coefficients, coarse matrices made on the device. */
static void testEverywhere(void **state) {
  for (int kind = 0; kind < GRID_KINDS; kind++) {
    gridProblem p = problemOf((gridKind)kind, 131, 160);
    /* singular: rounding adds constants */
    if (kind != GRID_NEUMANN && kind != GRID_PERIODIC)
      checkRate(&p, &(clMultigridOptions){.lines = TEXLA_LINES_ALWAYS}, 0.2);
  }
  for (gridKind kind = GRID_PATCHES; kind <= GRID_BENDING; kind++) {
    gridProblem p = problemOf(kind, 120, 131);
    double host = rate(&p, &(clMultigridOptions){.setup = TEXLA_SETUP_HOST});
    double device = rate(&p, &(clMultigridOptions){.setup = TEXLA_SETUP_DEVICE});
    assert_true(fabs(host - device) < 0.02);
  }
}

/* Rows and columns that are coupled with nothing else, between walls: their lines are singular. */
static void testClosedChannels(void **state) {
  enum { N = 40 };
  OWN(clTriplets) *A = NULL;
  CHECK(clTripletsCreate(&A, N * N, N * N, 5 * N * N, NULL));
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++) {
      double sum = 0;
      int row = j * N + i;
      for (int k = 0; k < 4; k++) {
        int x = i + (k == 0) - (k == 1), y = j + (k == 2) - (k == 3);
        bool wall = x < 0 || x >= N || y < 0 || y >= N ||
                    (k < 2 && (i + (k == 0)) % 10 < 2 && j < N / 2) ||
                    (k >= 2 && (j + (k == 2)) % 10 < 2 && j > N / 2 + 2);
        if (!wall)
          CHECK(clTripletsAdd(A, row, y * N + x, -1, NULL));
        sum += !wall;
      }
      CHECK(clTripletsAdd(A, row, row, sum > 0 ? sum : 1, NULL));
    }
  CHECK(clTripletsCompress(A, NULL));
  for (int host = 0; host <= 10000; host += 10000) {
    OWN(clMultigrid) *mg = NULL;
    CHECK(
        clMultigridCreate(&mg, context, A, N, N,
                          &(clMultigridOptions){.lines = TEXLA_LINES_ALWAYS, .host_points = host}));
    double r = rateOf(mg, N, N);
    print_message("closed channels: %.3f\n", r);
    assert_true(r < 1.01);
  }
}

static void testRefusal(void **state) {
  gridProblem p = problemOf(GRID_DIRICHLET, 8, 8);
  OWN(clTriplets) *A = gridProblemMatrix(&p);
  clMultigrid *mg = NULL;
  assert_int_equal(
      clMultigridCreate(&mg, context, A, 8, 8, &(clMultigridOptions){.lines = (clLineSmoothing)3}),
      TEXLA_BAD_ARGUMENT);
  assert_null(mg);
}

TEST_MAIN(setUp, testContextDestroy, testRates, testIterations, testChoice, testEverywhere,
          testClosedChannels, testRefusal)
