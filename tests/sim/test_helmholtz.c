/* (1 - c lap) x = b by cycles: a right-hand side that a loop in double makes of a known x gives it
 * back, with all kinds of sides and sizes. */

#include "one_context.h"
#include "sim/helmholtz.h"

/* Cycles leave 1e-5 of an error of all wavelengths, where faces lie on a side of a small grid some
 * more. */
static const double tolerance = 2e-5;

typedef struct Case {
  const char *name;
  bool around[2];
  txHelmholtzSide side[4];
} Case;

static const Case cases[] = {
    {"periodic", {true, true}, {{false, 0}}},
    {"no flux", {false, false}, {{false, 0}}},
    {"fixed", {false, false}, {{true, 0.5}, {true, 0.5}, {true, 0.5}, {true, 0.5}}},
    {"faces", {false, false}, {{true, 1}, {true, 0}, {true, 0.5}, {false, 0}}},
    {"mixed", {true, false}, {{false, 0}, {false, 0}, {true, 1}, {true, 0}}},
};

/* The value in the cell, or what stands for it beyond a side: on the line through the outermost
 * cell that is zero at its place; where that is the cell itself, nothing is asked for there. */
static double valueAt(const Case *c, const double *x, int nx, int ny, int i, int j) {
  const int n[] = {nx, ny};
  int at[] = {i, j};
  double times = 1;
  for (int axis = 0; axis < 2; axis++) {
    if (at[axis] >= 0 && at[axis] < n[axis])
      continue;
    const txHelmholtzSide *side = &c->side[2 * axis + (at[axis] > 0)];
    if (c->around[axis]) {
      at[axis] = (at[axis] + n[axis]) % n[axis];
      continue;
    }
    at[axis] = at[axis] < 0 ? 0 : n[axis] - 1;
    if (side->fixed && side->distance > 0)
      times *= 1 - 1 / side->distance;
  }
  return times * x[at[1] * nx + at[0]];
}

static double noise(uint32_t *seed) {
  *seed = *seed * 1664525 + 1013904223;
  return *seed / 2147483648. - 1;
}

static double distance(const float *a, const double *b, int n) {
  double sum = 0, all = 0;
  for (int k = 0; k < n; k++) {
    sum += ((double)a[k] - b[k]) * ((double)a[k] - b[k]);
    all += b[k] * b[k];
  }
  return sqrt(sum / all);
}

/* Is the value of this cell zero, because the side at the end of its row or column lies there? */
static bool isZero(const Case *c, int nx, int ny, int i, int j) {
  const txHelmholtzSide *right = &c->side[TEXLA_SIDE_RIGHT], *top = &c->side[TEXLA_SIDE_TOP];
  return (i == nx - 1 && right->fixed && right->distance == 0) ||
         (j == ny - 1 && top->fixed && top->distance == 0);
}

/* x <- noise or waves; b <- (1 - c lap) x */
static void makeProblem(double *x, float *b, const Case *which, int nx, int ny, double c,
                        bool smooth) {
  uint32_t seed = 7;
  for (int k = 0; k < nx * ny; k++) {
    int i = k % nx, j = k / nx;
    x[k] = noise(&seed);
    if (smooth)
      x[k] = 1 + sin(7. * i / nx) * cos(5. * j / ny);
    if (isZero(which, nx, ny, i, j))
      x[k] = 0;
  }
  for (int k = 0; k < nx * ny; k++) {
    int i = k % nx, j = k / nx;
    double sum = -4 * x[k];
    for (int d = -1; d <= 1; d += 2)
      sum += valueAt(which, x, nx, ny, i + d, j) + valueAt(which, x, nx, ny, i, j + d);
    b[k] = (float)(x[k] - c * sum);
    if (isZero(which, nx, ny, i, j))
      b[k] = 0;
  }
}

static void solveOne(const Case *which, int nx, int ny, double c, bool smooth) {
  int n = nx * ny;
  FREED double *x = malloc((size_t)n * sizeof *x);
  FREED float *b = malloc((size_t)n * sizeof *b);
  makeProblem(x, b, which, nx, ny, c, smooth);
  OWN(clVector) *right = NULL, *solution = NULL;
  txHelmholtz *h = NULL;
  CHECK(clVectorCreateGrid(&right, context, nx, ny));
  CHECK(clVectorCreateGrid(&solution, context, nx, ny));
  CHECK(clVectorUpload(right, b));
  CHECK(txHelmholtzCreate(&h, context, nx, ny, which->around[0], which->around[1]));
  /* What it has been before does not matter, nor does another c. */
  CHECK(clVectorFill(solution, NAN));
  CHECK(txHelmholtzSolve(h, solution, right, 3 * c, txHelmholtzCycles(nx, ny, 3 * c), which->side));
  CHECK(txHelmholtzSolve(h, solution, right, c, txHelmholtzCycles(nx, ny, c), which->side));
  CHECK(clVectorDownload(solution, b));
  double error = distance(b, x, n);
  print_message("%s, %d x %d, c = %g, %s: %.1e\n", which->name, nx, ny, c,
                smooth ? "smooth" : "noise", error);
  /* Rounding of right-hand sides and residuals, whose terms are 8 c times as large as x */
  assert_true(error <= tolerance + 8 * c * 6e-8);
  txHelmholtzDestroy(h);
}

static void knownSolutions(void **state) {
  for (int k = 0; k < (int)(sizeof cases / sizeof *cases); k++) {
    /* texels at the ends of rows that are not full: on the finest grid, on a coarse one */
    solveOne(&cases[k], 70, 36, 3.4, false);
    solveOne(&cases[k], 72, 40, 15.5, false);
    solveOne(&cases[k], 256, 256, 27, false);
    solveOne(&cases[k], 256, 256, 27, true);
    solveOne(&cases[k], 128, 64, 150, true);
    solveOne(&cases[k], 64, 128, 15.5, false);
    if (k < 3) /* by sweeps alone */
      solveOne(&cases[k], 33, 8, 0.3, false);
  }
}

/* Grids that cannot be halved until c is small have none. */
static void grids(void **state) {
  assert_int_equal(txHelmholtzCycles(1024, 1024, 27), 4);
  assert_int_equal(txHelmholtzCycles(1024, 1024, 100), 5);
  assert_int_equal(txHelmholtzCycles(1024, 1024, 5000), 6);
  assert_int_equal(txHelmholtzCycles(255, 256, 27), 0);
  assert_int_equal(txHelmholtzCycles(252, 252, 100), 0);
  assert_int_equal(txHelmholtzCycles(16, 16, 1e3), 0);
}

TEST_MAIN(setUp, testContextDestroy, knownSolutions, grids)
