/* Grid operators, sweeps and transfers on the device against the same, point by point, in double
 * precision. */

#include "multigrid/filter.h"
#include "oracle/grid.h"
#include "oracle/grid_problem.h"

#include "one_context.h"

/* of the largest value; a point adds up nine products at most */
static const double tolerance = 32 * FLT_EPSILON;

/* On the device row sums, where jumping coefficients cancel, are single precision, too. */
static const double device_tolerance = 1024 * FLT_EPSILON;

/* the test's */
static double bound;

typedef struct testGrid {
  txStencil *fine, *coarse;
  txGrid *A, *C;
  /* points of the two */
  int64_t n, m;
  /* fine, fine, coarse, result */
  double *x, *b, *e, *y;
  clVector *vx, *vb, *ve, *vyf, *vyc;
} testGrid;

static double *randomValues(int64_t n, uint64_t seed) {
  double *v = malloc((size_t)n * sizeof *v);
  for (int64_t i = 0; i < n; i++)
    v[i] = (double)(float)randomUnit(&seed);
  return v;
}

static clVector *uploaded(const txStencil *s, const double *values) {
  clVector *v = NULL;
  int64_t n = (int64_t)s->n[0] * s->n[1];
  FREED float *single = calloc((size_t)n, sizeof *single);
  for (int64_t i = 0; i < n && values; i++)
    single[i] = (float)values[i];
  CHECK(clVectorCreateGrid(&v, context, s->n[0], s->n[1]));
  CHECK(clVectorUpload(v, single));
  return v;
}

static testGrid makeGrid(const gridProblem *p, bool general, txInterpolation kind) {
  testGrid g = {0};
  bound = tolerance;
  clTriplets *A = gridProblemMatrix(p);
  clError *error = txContextError(context);
  txRows rows;
  CHECK(txRowsFind(&rows, A, "test", error));
  CHECK(txStencilCreate(&g.fine, &rows, p->nx, p->ny, general, "test", error));
  txRowsForget(&rows);
  clTripletsDestroy(A);
  assert_true(txStencilChooseCoarsening(g.fine, p->full));
  CHECK(txStencilInterpolate(g.fine, kind, "test", error));
  CHECK(txStencilCoarsen(&g.coarse, g.fine, "test", error));
  CHECK(txGridCreate(&g.A, context, g.fine, "test"));
  CHECK(txGridCreate(&g.C, context, g.coarse, "test"));
  g.n = (int64_t)p->nx * p->ny;
  g.m = (int64_t)g.coarse->n[0] * g.coarse->n[1];
  g.x = randomValues(g.n, 1);
  g.b = randomValues(g.n, 2);
  g.e = randomValues(g.m, 3);
  g.y = calloc((size_t)g.n, sizeof *g.y);
  g.vx = uploaded(g.fine, g.x);
  g.vb = uploaded(g.fine, g.b);
  g.ve = uploaded(g.coarse, g.e);
  g.vyf = uploaded(g.fine, NULL);
  g.vyc = uploaded(g.coarse, NULL);
  return g;
}

static void destroyGrid(testGrid *g) {
  txStencilDestroy(g->fine);
  txStencilDestroy(g->coarse);
  txGridDestroy(g->A);
  txGridDestroy(g->C);
  clVector *v[] = {g->vx, g->vb, g->ve, g->vyf, g->vyc};
  for (int i = 0; i < 5; i++)
    clVectorDestroy(v[i]);
  free(g->x);
  free(g->b);
  free(g->e);
  free(g->y);
}

/* Every element, and zeros in the padding. */
static void compareWithin(double limit, const clVector *v, const double *expected, int64_t n,
                          const char *what, const gridProblem *p) {
  size_t texels = (size_t)v->layout.width * (size_t)v->layout.height;
  FREED float *values = malloc(4 * texels * sizeof *values);
  double largest = 0;
  CHECK(
      txTextureRead(v->texture, "test", (txRect){0, 0, v->layout.width, v->layout.height}, values));
  for (int64_t i = 0; i < n; i++)
    largest = fmax(largest, fabs(expected[i]));
  for (size_t k = 0; k < 4 * texels; k++) {
    int64_t column = (int64_t)(k % (4 * (size_t)v->layout.width)),
            row = (int64_t)(k / (4 * (size_t)v->layout.width));
    double e = column < v->layout.row ? expected[row * v->layout.row + column] : 0;
    if (!(fabs((double)values[k] - e) <= limit * largest))
      fail_msg("%s, %s %d x %d: (%d, %d) is %g, not %g", what, p->name, p->nx, p->ny, (int)column,
               (int)row, (double)values[k], e);
  }
}

static void compare(const clVector *v, const double *expected, int64_t n, const char *what,
                    const gridProblem *p) {
  compareWithin(bound, v, expected, n, what, p);
}

/* The filter's weights come from texture coordinates, whose rounding grows with the texture's
 * size. */
static void compareFiltered(const clVector *v, const double *expected, int64_t n, const char *what,
                            const gridProblem *p) {
  compareWithin(4 * (p->nx + p->ny) * (double)FLT_EPSILON, v, expected, n, what, p);
}

static txSweep sweepOf(double even0, double even1, double odd0, double odd1) {
  return (txSweep){{(float)even0, (float)even1, (float)even0, (float)even1},
                   {(float)odd0, (float)odd1, (float)odd0, (float)odd1}};
}

static double factorAt(const txSweep *s, int i, int j) {
  return (double)(j % 2 ? s->odd : s->even)[i % 4];
}

/* x <- x + sweep (D^-1 (b - (A - D) x) - x) = x + sweep D^-1 (b - A x) */
static void sweepDouble(double *x, const txStencil *s, const double *b, const txSweep *sweep) {
  int64_t n = (int64_t)s->n[0] * s->n[1];
  FREED double *y = malloc((size_t)n * sizeof *y);
  oracleGridApply(y, s, x);
  for (int64_t k = 0; k < n; k++) {
    int i = (int)(k % s->n[0]), j = (int)(k / s->n[0]);
    x[k] += factorAt(sweep, i, j) * (b[k] - y[k]) / (double)s->a[9 * txStencilIndex(s, i, j) + 4];
  }
}

static void checkSweeps(testGrid *g, const gridProblem *p) {
  txSweep red = sweepOf(1, 0, 0, 1), damped = sweepOf(0.8, 0.8, 0.8, 0.8),
          odd = sweepOf(0.5, 0.25, 1, 0.125);
  for (int64_t k = 0; k < g->n; k++)
    g->y[k] = g->x[k];
  sweepDouble(g->y, g->fine, g->b, &red);
  sweepDouble(g->y, g->fine, g->b, &odd);
  CHECK(clVectorCopy(g->vyf, g->vx));
  CHECK(txGridSweep("test", g->vyf, g->A, g->vb, &red, NULL));
  CHECK(txGridSweep("test", g->vyf, g->A, g->vb, &odd, NULL));
  compare(g->vyf, g->y, g->n, "two sweeps", p);
  for (int64_t k = 0; k < g->n; k++)
    g->y[k] = 0;
  sweepDouble(g->y, g->fine, g->b, &odd);
  sweepDouble(g->y, g->fine, g->b, &damped);
  CHECK(txGridSweep("test", g->vyf, g->A, g->vb, &damped, &odd));
  compare(g->vyf, g->y, g->n, "two sweeps from zero", p);
}

static void checkTransfers(testGrid *g, const gridProblem *p) {
  oracleGridApply(g->y, g->fine, g->x);
  for (int64_t k = 0; k < g->n; k++)
    g->y[k] = g->b[k] - g->y[k];
  CHECK(txGridResidual("test", g->vyf, g->A, g->vx, g->vb));
  compare(g->vyf, g->y, g->n, "residual", p);
  double *residual = g->y;
  g->y = calloc((size_t)g->n, sizeof *g->y);
  oracleGridRestrict(g->y, g->fine, residual);
  CHECK(txGridCoarseResidual("test", g->vyc, g->A, g->C, g->vx, g->vb, g->vyf));
  compare(g->vyc, g->y, g->m, "restricted residual", p);
  free(residual);
  oracleGridRestrict(g->y, g->fine, g->b);
  CHECK(txGridRestrict("test", g->vyc, g->A, g->C, g->vb));
  compare(g->vyc, g->y, g->m, "restriction", p);
  for (int64_t k = 0; k < g->n; k++)
    g->y[k] = g->x[k];
  oracleGridProlong(g->y, g->fine, g->e);
  CHECK(clVectorCopy(g->vyf, g->vx));
  CHECK(txGridProlong("test", g->vyf, g->A, g->C, g->ve, false));
  compare(g->vyf, g->y, g->n, "prolongation", p);
  for (int64_t k = 0; k < g->n; k++)
    g->y[k] = 0;
  oracleGridProlong(g->y, g->fine, g->e);
  CHECK(txGridProlong("test", g->vyf, g->A, g->C, g->ve, true));
  compare(g->vyf, g->y, g->n, "prolongation alone", p);
}

static void checkProblem(const gridProblem *p) {
  for (int general = 0; general < 2; general++) {
    AT_END(destroyGrid) testGrid g = makeGrid(p, general, TX_INTERPOLATE_OPERATOR);
    checkSweeps(&g, p);
    checkTransfers(&g, p);
  }
}

static void testOperators(void **state) {
  static const int size[][2] = {{1, 9}, {5, 1},   {2, 2},   {4, 4},   {7, 5},
                                {8, 3}, {33, 18}, {38, 21}, {64, 64}, {67, 31}};
  for (size_t k = 0; k < sizeof size / sizeof *size; k++)
    for (int kind = 0; kind < GRID_KINDS; kind++)
      if (testTakes(k + (size_t)kind))
        checkProblem(
            &(gridProblem){gridKindName((gridKind)kind), (gridKind)kind, size[k][0], size[k][1]});
}

/* Large enough for an interior of its own. */
static void testInteriors(void **state) {
  static const int size[][2] = {{257, 256}, {258, 257}, {259, 258}, {256, 259}};
  /* short: each size with every second kind, by turns */
  for (size_t k = 0; k < sizeof size / sizeof *size; k++)
    for (int kind = 0; kind < GRID_KINDS; kind++)
      if (testTakes(k + (size_t)kind))
        checkProblem(
            &(gridProblem){gridKindName((gridKind)kind), (gridKind)kind, size[k][0], size[k][1]});
}

/* The bilinear filter, the pass with weights and the matrix product agree. */
static void compareWays(const gridProblem *p) {
  AT_END(destroyGrid) testGrid g = makeGrid(p, false, TX_INTERPOLATE_BILINEAR);
  clTriplets *P = NULL, *R = NULL;
  CHECK(txStencilProlongation(&P, g.fine, txContextError(context)));
  CHECK(clTripletsTranspose(&R, P, txContextError(context)));
  clTripletsMulVector(g.y, R, g.b);
  CHECK(txGridRestrict("test", g.vyc, g.A, g.C, g.vb));
  compare(g.vyc, g.y, g.m, "restriction", p);
  CHECK(txFilterRestrict("test", g.vyc, g.A, g.C, g.vb));
  compareFiltered(g.vyc, g.y, g.m, "restriction by the filter", p);
  clTripletsMulVector(g.y, P, g.e);
  CHECK(txFilterProlong("test", g.vyf, g.A, g.C, g.ve, true));
  compareFiltered(g.vyf, g.y, g.n, "prolongation by the filter alone", p);
  for (int64_t k = 0; k < g.n; k++)
    g.y[k] += g.x[k];
  CHECK(clVectorCopy(g.vyf, g.vx));
  CHECK(txFilterProlong("test", g.vyf, g.A, g.C, g.ve, false));
  compareFiltered(g.vyf, g.y, g.n, "prolongation by the filter", p);
  CHECK(clVectorCopy(g.vyf, g.vx));
  CHECK(txGridProlong("test", g.vyf, g.A, g.C, g.ve, false));
  compare(g.vyf, g.y, g.n, "prolongation", p);
  clTripletsDestroy(P);
  clTripletsDestroy(R);
}

static void testFilter(void **state) {
  static const int size[][2] = {{1, 9}, {2, 2}, {7, 5}, {8, 3}, {38, 21}, {64, 63}};
  if (!clContextInspect(context)->probes.filterable)
    testSkip("the device filters no 32-bit floats");
  for (size_t k = 0; k < sizeof size / sizeof *size; k++)
    for (int kind = 0; kind < GRID_KINDS; kind++)
      compareWays(
          &(gridProblem){gridKindName((gridKind)kind), (gridKind)kind, size[k][0], size[k][1]});
}

/* P^T A P, multiplied out. */
static void testGalerkin(void **state) {
  static const int size[][2] = {{3, 9}, {8, 7}, {38, 21}, {64, 33}};
  for (size_t k = 0; k < sizeof size / sizeof *size; k++)
    for (int kind = 0; kind < GRID_KINDS; kind++) {
      gridProblem p = {gridKindName((gridKind)kind), (gridKind)kind, size[k][0], size[k][1]};
      AT_END(destroyGrid) testGrid g = makeGrid(&p, k % 2, TX_INTERPOLATE_OPERATOR);
      double *pe = calloc((size_t)g.n, sizeof *pe), *ce = calloc((size_t)g.m, sizeof *ce),
             largest = 0, error = 0;
      oracleGridProlong(pe, g.fine, g.e);
      oracleGridApply(g.y, g.fine, pe);
      /* P^T A P e */
      oracleGridRestrict(ce, g.fine, g.y);
      oracleGridApply(g.y, g.coarse, g.e);
      for (int64_t i = 0; i < g.m; i++) {
        largest = fmax(largest, fabs(ce[i]));
        error = fmax(error, fabs(ce[i] - g.y[i]));
      }
      if (!(error <= tolerance * largest))
        fail_msg("%s %d x %d: off by %g of %g", p.name, p.nx, p.ny, error, largest);
      free(pe);
      free(ce);
    }
}

/* Coefficients of two operators; `scale` is their largest. */
static void compareStencils(const txStencil *a, const txStencil *b, const char *what,
                            const gridProblem *p) {
  double largest = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int j = 0; j < a->n[1]; j++)
      for (int i = 0; i < a->n[0]; i++)
        for (int k = 0; k < 9; k++) {
          double x = (double)a->a[9 * txStencilIndex(a, i, j) + k],
                 y = (double)b->a[9 * txStencilIndex(b, i, j) + k];
          largest = pass ? largest : fmax(largest, fabs(x));
          if (pass && !(fabs(x - y) <= device_tolerance * largest))
            fail_msg("%s, %s %d x %d: coefficient %d at (%d, %d) is %g, not %g", what, p->name,
                     p->nx, p->ny, k, i, j, y, x);
        }
}

/* Weights and P^T A P made on the device against those of the host. */
static void testDeviceGalerkin(void **state) {
  static const int size[][2] = {{1, 9}, {3, 9}, {8, 7}, {38, 21}, {64, 33}};
  for (size_t k = 0; k < sizeof size / sizeof *size; k++)
    for (int kind = 0; kind < GRID_KINDS; kind++) {
      gridProblem p = {gridKindName((gridKind)kind), (gridKind)kind, size[k][0], size[k][1]};
      AT_END(destroyGrid) testGrid g = makeGrid(&p, true, TX_INTERPOLATE_OPERATOR);
      txGrid *coarse = NULL;
      txStencil *read = NULL;
      CHECK(txGridInterpolate(g.A, g.fine->coarsening, "test"));
      bound = device_tolerance;
      checkTransfers(&g, &p);
      CHECK(txGridCoarsen(&coarse, g.A, "test"));
      CHECK(txGridRead(&read, coarse, "test"));
      compareStencils(g.coarse, read, "device", &p);
      txStencilDestroy(read);
      txGridDestroy(coarse);
    }
}

TEST_MAIN(setUp, testContextDestroy, testOperators, testInteriors, testFilter, testGalerkin,
          testDeviceGalerkin)
