/* Multigrid: what a cycle does against the same in double precision, how fast it converges, what it
 * refuses. */

#include "oracle/grid.h"
#include "oracle/grid_problem.h"
#include "multigrid/multigrid.h"

#include "one_context.h"

static const double eps = FLT_EPSILON;

/* A x = b on a grid. */
typedef struct testSystem {
  clTriplets *A;
  clMultigrid *mg;
  clVector *x, *b, *r;
  float *host;
  int64_t n;
} testSystem;

static void randomValues(float *v, int64_t n, uint64_t seed) {
  for (int64_t i = 0; i < n; i++)
    v[i] = (float)randomUnit(&seed);
}

static testSystem makeSystem(const gridProblem *p, const clMultigridOptions *options) {
  testSystem s = {.A = gridProblemMatrix(p), .n = (int64_t)p->nx * p->ny};
  CHECK(clMultigridCreate(&s.mg, context, s.A, p->nx, p->ny, options));
  CHECK(clVectorCreateGrid(&s.x, context, p->nx, p->ny));
  CHECK(clVectorCreateLike(&s.b, s.x));
  CHECK(clVectorCreateLike(&s.r, s.x));
  s.host = calloc((size_t)s.n, sizeof *s.host);
  return s;
}

static void destroySystem(testSystem *s) {
  clTripletsDestroy(s->A);
  clMultigridDestroy(s->mg);
  clVectorDestroy(s->x);
  clVectorDestroy(s->b);
  clVectorDestroy(s->r);
  free(s->host);
}

static void upload(testSystem *s, clVector *v, uint64_t seed) {
  randomValues(s->host, s->n, seed);
  CHECK(clVectorUpload(v, s->host));
}

/* ||b - A x|| */
static double residual(testSystem *s) {
  OWN(clFloat) *norm = NULL;
  float value;
  CHECK(clFloatCreate(&norm, context));
  CHECK(txGridResidual("test", s->r, s->mg->level[0].grid, s->x, s->b));
  CHECK(clVectorNorm(norm, s->r));
  CHECK(clFloatDownload(norm, &value));
  return (double)value;
}

/* What rounding adds to the kernel of a singular matrix would hide the residual in the end. */
static void removeMean(testSystem *s) {
  double mean = 0;
  CHECK(clVectorDownload(s->x, s->host));
  for (int64_t i = 0; i < s->n; i++)
    mean += (double)s->host[i] / (double)s->n;
  for (int64_t i = 0; i < s->n; i++)
    s->host[i] -= (float)mean;
  CHECK(clVectorUpload(s->x, s->host));
}

/* The reduction of the residual by a late cycle on A x = 0. */
static double rate(const gridProblem *p, const clMultigridOptions *options) {
  enum { CYCLES = 9, LATE = 3 };
  AT_END(destroySystem) testSystem s = makeSystem(p, options);
  double norm[CYCLES + 1];
  upload(&s, s.x, 7);
  for (int k = 1; k <= CYCLES; k++) {
    CHECK(clMultigridCycle(s.mg, s.x, s.b));
    if (s.mg->singular)
      removeMean(&s);
    norm[k] = residual(&s);
  }
  double result = norm[CYCLES - LATE] > 0 ? pow(norm[CYCLES] / norm[CYCLES - LATE], 1.0 / LATE) : 0;
  return result;
}

static void checkRate(const gridProblem *p, const clMultigridOptions *options, double most) {
  double r = rate(p, options);
  print_message("%s %d x %d, smoother %d, cycle %d: %.3f\n", p->name, p->nx, p->ny,
                (int)options->smoother, (int)options->cycle, r);
  if (!(r <= most))
    fail_msg("%s %d x %d: a cycle reduces the residual by %.3f, not %.3f", p->name, p->nx, p->ny, r,
             most);
}

static gridProblem problemOf(gridKind kind, int nx, int ny) {
  return (gridProblem){.name = gridKindName(kind), .kind = kind, .nx = nx, .ny = ny};
}

/* What each smoother promises for the Laplacian, whatever the size. */
static void checkSmoothers(int nx, int ny) {
  static const double most[] = {[TEXLA_SMOOTHER_CHEBYSHEV] = 0.1,
                                [TEXLA_SMOOTHER_JACOBI] = 0.2,
                                [TEXLA_SMOOTHER_RED_BLACK] = 0.1,
                                [TEXLA_SMOOTHER_HALVES] = 0.07};
  gridProblem p = problemOf(GRID_DIRICHLET, nx, ny);
  for (int k = 0; k < 4; k++)
    checkRate(&p, &(clMultigridOptions){.smoother = (clSmoother)k}, most[k]);
}

static void testRates(void **state) {
  static const int size[][2] = {{64, 64}, {65, 65}, {127, 97}, {200, 90}, {256, 256}, {511, 511}};
  for (size_t k = 0; k < sizeof size / sizeof *size; k++)
    if (testTakes(k))
      checkSmoothers(size[k][0], size[k][1]);
}

/* All the other boundaries and coefficients, for the default smoother and for red-black. */
static void testProblems(void **state) {
  static const struct {
    gridKind kind;
    double chebyshev, red_black;
  } limit[] = {{GRID_NEUMANN, 0.2, 0.1},
               {GRID_PERIODIC, 0.15, 0.1},
               {GRID_MIXED, 0.15, 0.1},
               {GRID_JUMPS, 0.2, 0.15},
               {GRID_NINE, 0.1, 0.1}};
  static const int size[][2] = {{128, 128}, {127, 101}, {64, 201}};
  for (size_t k = 0; k < sizeof limit / sizeof *limit; k++)
    for (size_t m = 0; m < sizeof size / sizeof *size; m++) {
      gridProblem p = problemOf(limit[k].kind, size[m][0], size[m][1]);
      checkRate(&p, &(clMultigridOptions){0}, limit[k].chebyshev);
      checkRate(&p, &(clMultigridOptions){.smoother = TEXLA_SMOOTHER_RED_BLACK},
                limit[k].red_black);
    }
}

/* Coarse matrices made by the host and by the device serve equally well. */
static void testSetups(void **state) {
  gridProblem p = problemOf(GRID_JUMPS, 150, 131);
  double host = rate(&p, &(clMultigridOptions){.setup = TEXLA_SETUP_HOST});
  double device = rate(&p, &(clMultigridOptions){.setup = TEXLA_SETUP_DEVICE});
  assert_true(fabs(host - device) < 0.02);
}

static void testAnisotropy(void **state) {
  static const double eps_of[] = {1e-1, 1e-2, 1e-4};
  for (int k = 0; k < 3; k++)
    for (int along = 0; along < 2; along++) {
      gridProblem p = problemOf(along ? GRID_ALONG : GRID_ACROSS, 150, 129);
      p.eps = eps_of[k];
      checkRate(&p, &(clMultigridOptions){0}, 0.15);
      checkRate(&p, &(clMultigridOptions){.smoother = TEXLA_SMOOTHER_JACOBI}, 0.25);
    }
}

static void testCycles(void **state) {
  gridProblem p = problemOf(GRID_DIRICHLET, 255, 255);
  double v = rate(&p, &(clMultigridOptions){.cycle = TEXLA_CYCLE_V});
  double w = rate(&p, &(clMultigridOptions){.cycle = TEXLA_CYCLE_W});
  double f = rate(&p, &(clMultigridOptions){.cycle = TEXLA_CYCLE_F});
  assert_true(w < v && f < v);
  double more = rate(&p, &(clMultigridOptions){.pre = 3, .post = 3});
  assert_true(more < v);
}

/* The levels once more, for cycles in double precision. */
static oracleGrid makeOracle(const gridProblem *p, const clMultigrid *mg, const clTriplets *A) {
  oracleGrid g = {.levels = mg->levels,
                  .sweeps = mg->options.pre,
                  .lined = mg->lined,
                  .gamma = mg->options.cycle == TEXLA_CYCLE_W ? 2 : 1,
                  .coloured = mg->options.smoother == TEXLA_SMOOTHER_RED_BLACK,
                  .halves = mg->halves,
                  .singular = mg->singular};
  clError *error = txContextError(context);
  txRows rows;
  CHECK(txRowsFind(&rows, A, "test", error));
  CHECK(txStencilCreate(&g.level[0], &rows, p->nx, p->ny, true, "test", error));
  txRowsForget(&rows);
  for (int l = 0; l < g.levels - 1; l++) {
    assert_true(txStencilChooseCoarsening(g.level[l], mg->lined));
    CHECK(txStencilInterpolate(g.level[l], TX_INTERPOLATE_OPERATOR, "test", error));
    CHECK(txStencilCoarsen(&g.level[l + 1], g.level[l], "test", error));
    /* the first of each sweep's steps */
    for (int k = 0; k < 2; k++)
      g.factor[l][k] = (double)mg->level[l]
                           .before[mg->level[l].before[0].kind ? 2 * (g.coloured + 1) * k : k]
                           .even[0];
    g.last[l] = (double)mg->level[l].after[0].even[0];
  }
  return g;
}

/* One cycle from a random start, and one as a preconditioner (from zero, backwards after), against
 * double precision. */
static void compareCycle(const gridProblem *p, const clMultigridOptions *options) {
  AT_END(destroySystem) testSystem s = makeSystem(p, options);
  oracleGrid g = makeOracle(p, s.mg, s.A);
  /* so that there is an interior */
  bool large = p->nx > 24 && p->ny > 16;
  assert_true(!s.mg->halves ||
              (options->smoother == TEXLA_SMOOTHER_HALVES && p->kind == GRID_DIRICHLET));
  assert_true(s.mg->halves || options->smoother != TEXLA_SMOOTHER_HALVES ||
              p->kind != GRID_DIRICHLET || !large);
  double *x = calloc((size_t)s.n, sizeof *x), *b = calloc((size_t)s.n, sizeof *b), largest = 0,
         error = 0;
  for (int apply = 0; apply < 2; apply++) {
    upload(&s, s.b, 3);
    for (int64_t i = 0; i < s.n; i++)
      b[i] = (double)s.host[i];
    upload(&s, s.x, 5);
    for (int64_t i = 0; i < s.n; i++)
      x[i] = apply ? 0 : (double)s.host[i];
    g.symmetric = apply;
    oracleGridCycle(&g, 0, x, b);
    CHECK(apply ? clMultigridApply(s.mg, s.x, s.b) : clMultigridCycle(s.mg, s.x, s.b));
    CHECK(clVectorDownload(s.x, s.host));
    largest = error = 0;
    for (int64_t i = 0; i < s.n; i++) {
      largest = fmax(largest, fabs(x[i]));
      error = fmax(error, fabs(x[i] - (double)s.host[i]));
    }
    /* a coarse correction is ill-conditioned: n^(1/2) eps */
    if (!(error <= 4e3 * eps * largest))
      fail_msg("%s %d x %d, smoother %d: %g off %g (apply %d)", p->name, p->nx, p->ny,
               (int)options->smoother, error, largest, apply);
  }
  for (int l = 0; l < g.levels; l++)
    txStencilDestroy(g.level[l]);
  free(x);
  free(b);
}

/* Short: each size with every fourth pair of boundary and smoother, so that each pair meets a size
 * or two. */
static bool takesPair(size_t m, int kind, int smoother) {
  return testLong() || (m + (size_t)(kind + smoother)) % 4 == 0;
}

/* Short: each case on the device, or with coarse levels on the host, by turns. */
static bool takesHost(size_t m, int smoother, int host) {
  return testLong() || (m + (size_t)smoother / 2) % 2 == (host > 0);
}

static void testAgainstDouble(void **state) {
  static const int size[][2] = {{31, 31}, {44, 27}, {17, 64}, {34, 19}, {40, 40}, {1, 200}};
  for (size_t m = 0; m < sizeof size / sizeof *size; m++)
    for (int kind = 0; kind < GRID_KINDS; kind++)
      for (int smoother = 0; smoother < 4; smoother++) {
        if (!takesPair(m, kind, smoother))
          continue;
        gridProblem p = problemOf((gridKind)kind, size[m][0], size[m][1]);
        for (int host = 0; host <= 1000; host += 1000)
          if (takesHost(m, smoother, host))
            compareCycle(&p, &(clMultigridOptions){.smoother = (clSmoother)smoother,
                                                   .coarsest = 30,
                                                   .host_points = host});
      }
  for (size_t m = 0; m < sizeof size / sizeof *size; m++)
    for (int kind = 0; kind < GRID_KINDS; kind++)
      for (int smoother = 0; smoother < 3; smoother++) {
        if (!takesPair(m, kind, smoother))
          continue;
        gridProblem p = problemOf((gridKind)kind, size[m][0], size[m][1]);
        for (int host = 0; host <= 1000; host += 1000)
          if (takesHost(m, smoother, host))
            compareCycle(&p, &(clMultigridOptions){.smoother = (clSmoother)smoother,
                                                   .lines = TEXLA_LINES_ALWAYS,
                                                   .pre = 1 + host / 1000,
                                                   .post = 1 + host / 1000,
                                                   .coarsest = 30,
                                                   .host_points = host});
      }
  gridProblem p = problemOf(GRID_DIRICHLET, 40, 40);
  compareCycle(&p, &(clMultigridOptions){.cycle = TEXLA_CYCLE_W, .coarsest = 30});
}

/* What a cycle, a cycle as a preconditioner and full multigrid make of the same x and b. The caller
 * frees it. */
static float *resultsOf(const gridProblem *p, const clMultigridOptions *options, int64_t *n) {
  AT_END(destroySystem) testSystem s = makeSystem(p, options);
  float *result = malloc((size_t)(3 * s.n) * sizeof *result);
  assert_true((s.mg->level[1].host != NULL) == (options->host_points > 0));
  assert_true((strstr(clMultigridDescription(s.mg), "on the host") != NULL) ==
              (options->host_points > 0));
  clStatus (*const calls[])(clMultigrid *, clVector *, const clVector *) = {
      clMultigridCycle, clMultigridApply, clMultigridStart};
  for (int k = 0; k < 3; k++) {
    upload(&s, s.b, 3);
    upload(&s, s.x, 5);
    clContextCounters before = clContextStatistics(context);
    CHECK(calls[k](s.mg, s.x, s.b));
    clContextCounters after = clContextStatistics(context);
    if (options->host_points > 0)
      assert_true(after.readbacks > before.readbacks && after.uploads > before.uploads);
    CHECK(clVectorDownload(s.x, result + k * s.n));
  }
  *n = 3 * s.n;
  return result;
}

static void compareHost(const gridProblem *p, clMultigridOptions o) {
  int64_t n;
  o.coarsest = 30;
  FREED float *device = resultsOf(p, &o, &n);
  o.host_points = p->nx * p->ny;
  FREED float *host = resultsOf(p, &o, &n);
  double largest = 0, error = 0;
  for (int64_t i = 0; i < n; i++) {
    largest = fmax(largest, fabs((double)device[i]));
    error = fmax(error, fabs((double)host[i] - (double)device[i]));
  }
  /* coarse corrections are ill-conditioned */
  if (!(error <= 1e3 * eps * largest) || largest == 0)
    fail_msg("%s %d x %d, smoother %d, cycle %d, transfer %d: on the host %g off %g", p->name,
             p->nx, p->ny, (int)o.smoother, (int)o.cycle, (int)o.transfer, error, largest);
}

/* Levels on the host are the same cycle. */
static void testHost(void **state) {
  static const int size[][2] = {{45, 38}, {33, 70}, {1, 60}};
  bool filter = clContextInspect(context)->probes.filterable;
  for (size_t m = 0; m < sizeof size / sizeof *size; m++)
    for (int kind = 0; kind < GRID_KINDS; kind++) {
      gridProblem p = problemOf((gridKind)kind, size[m][0], size[m][1]);
      if (!testTakes(m + (size_t)kind))
        continue;
      for (int smoother = 0; smoother < 4; smoother++)
        compareHost(
            &p, (clMultigridOptions){.smoother = (clSmoother)smoother, .pre = smoother, .post = 1});
      for (int cycle = 0; cycle < 3; cycle++)
        compareHost(
            &p, (clMultigridOptions){.cycle = (clCycle)cycle, .pre = -1, .full_coarsening = true});
      compareHost(&p,
                  (clMultigridOptions){.cycle = TEXLA_CYCLE_W, .transfer = TEXLA_TRANSFER_MATRIX});
      if (filter)
        compareHost(
            &p, (clMultigridOptions){.cycle = TEXLA_CYCLE_F, .transfer = TEXLA_TRANSFER_FILTER});
    }
}

/* ||b - A x|| in double */
static double exactResidual(testSystem *s) {
  double *x = calloc((size_t)(2 * s->n), sizeof *x), *b = x + s->n;
  CHECK(clVectorDownload(s->b, s->host));
  for (int64_t i = 0; i < s->n; i++)
    b[i] = (double)s->host[i];
  CHECK(clVectorDownload(s->x, s->host));
  for (int64_t i = 0; i < s->n; i++)
    x[i] = (double)s->host[i];
  double norm = clTripletsResidual(NULL, s->A, x, b);
  free(x);
  return norm;
}

/* x <- what so many steps of the iteration find for b, or x + that with `add`; the norm of the
 * residual that the iteration tells. */
static double iterate(testSystem *s, int steps, bool add) {
  txPreconditioner M = txMultigridPreconditioner(s->mg);
  const clVector *left = NULL, *found = NULL;
  OWN(clFloat) *norm = NULL;
  float value = 0;
  assert_non_null(M.iteration);
  CHECK(clFloatCreate(&norm, context));
  M.iteration->begin(M.data, s->b);
  for (int k = 0; k < steps; k++)
    CHECK(M.iteration->step(M.data));
  CHECK(M.iteration->residual(M.data, &left, &found));
  CHECK(clVectorNorm(norm, left));
  CHECK(clFloatDownload(norm, &value));
  CHECK(M.iteration->finish(M.data, s->x, add));
  return (double)value;
}

/* Cycles that keep half of x and of the residual are the same as cycles one by one. */
static void compareIteration(int nx, int ny, int steps) {
  gridProblem p = problemOf(GRID_DIRICHLET, nx, ny);
  AT_END(destroySystem)
  testSystem s = makeSystem(&p, &(clMultigridOptions){.smoother = TEXLA_SMOOTHER_HALVES});
  float *wanted = calloc((size_t)(2 * s.n), sizeof *wanted), *before = wanted + s.n;
  double largest = 0;
  upload(&s, s.b, 3);
  CHECK(clVectorClear(s.x));
  for (int k = 0; k < steps; k++)
    CHECK(clMultigridCycle(s.mg, s.x, s.b));
  CHECK(clVectorDownload(s.x, wanted));
  double told = iterate(&s, steps, false), exact = exactResidual(&s);
  if (!(fabs(told - exact) <= 0.01 * exact))
    fail_msg("%d x %d: the residual is %g, not %g", nx, ny, exact, told);
  for (int64_t i = 0; i < s.n; i++)
    largest = fmax(largest, fabs((double)wanted[i]));
  for (int add = 0; add < 2; add++) {
    if (add)
      iterate(&s, steps, true);
    CHECK(clVectorDownload(s.x, s.host));
    for (int64_t i = 0; i < s.n; i++) {
      double expected = (double)wanted[i] + add * (double)before[i];
      if (!(fabs((double)s.host[i] - expected) <= 100 * eps * largest))
        fail_msg("%d x %d: %g is not %g at %d", nx, ny, (double)s.host[i], expected, (int)i);
    }
    memcpy(before, s.host, (size_t)s.n * sizeof *before);
  }
  free(wanted);
}

static void testIteration(void **state) {
  static const int size[][2] = {{50, 41}, {33, 64}, {31, 17}, {64, 48}};
  for (int k = 0; k < 4; k++)
    compareIteration(size[k][0], size[k][1], 1 + k % 3);
}

/* The ways to transfer: the same matrices, nearly the same cycle. */
static void testTransfers(void **state) {
  static const clTransfer way[] = {TEXLA_TRANSFER_STENCIL, TEXLA_TRANSFER_MATRIX,
                                   TEXLA_TRANSFER_FILTER};
  /* here the weights from the matrix are bilinear */
  gridProblem p = problemOf(GRID_DIRICHLET, 63, 63);
  float *first = NULL;
  for (int k = 0; k < 3; k++) {
    AT_END(destroySystem) testSystem s = makeSystem(&p, &(clMultigridOptions){.transfer = way[k]});
    upload(&s, s.b, 3);
    CHECK(clMultigridApply(s.mg, s.x, s.b));
    CHECK(clVectorDownload(s.x, s.host));
    for (int64_t i = 0; i < s.n && first; i++)
      if (!(fabs((double)s.host[i] - (double)first[i]) <= 1e3 * eps * fabs((double)first[s.n / 2])))
        fail_msg("%d: %g is not %g at %d", k, (double)s.host[i], (double)first[i], (int)i);
    if (!first) {
      first = s.host;
      s.host = NULL;
    }
  }
  free(first);
  for (int kind = 0; kind < GRID_KINDS; kind++) {
    p = problemOf((gridKind)kind, 90, 77);
    if (kind != GRID_JUMPS && clContextInspect(context)->probes.filterable)
      checkRate(&p, &(clMultigridOptions){.transfer = TEXLA_TRANSFER_FILTER}, 0.2);
    checkRate(&p, &(clMultigridOptions){.transfer = TEXLA_TRANSFER_MATRIX}, 0.2);
  }
}

/* <u, M v> = <M u, v> */
static void testSymmetric(void **state) {
  for (int smoother = 0; smoother < 3; smoother++)
    for (int kind = 0; kind < GRID_KINDS; kind++) {
      gridProblem p = problemOf((gridKind)kind, 45, 38);
      AT_END(destroySystem)
      testSystem s = makeSystem(&p, &(clMultigridOptions){.smoother = (clSmoother)smoother});
      float *u = calloc((size_t)s.n, sizeof *u);
      double product[2] = {0, 0}, size = 0;
      for (int k = 0; k < 2; k++) {
        upload(&s, s.b, k ? 12 : 11);
        CHECK(clMultigridApply(s.mg, s.x, s.b));
        CHECK(clVectorDownload(s.x, s.host));
        randomValues(u, s.n, k ? 11 : 12);
        for (int64_t i = 0; i < s.n; i++) {
          product[k] += (double)u[i] * (double)s.host[i];
          size += fabs((double)u[i] * (double)s.host[i]);
        }
      }
      if (!(fabs(product[0] - product[1]) <= 100 * eps * size))
        fail_msg("%s, smoother %d: %g is not %g", p.name, smoother, product[0], product[1]);
      free(u);
    }
}

static void testNoReadBack(void **state) {
  gridProblem p = problemOf(GRID_NEUMANN, 100, 80);
  AT_END(destroySystem)
  testSystem s = makeSystem(&p, &(clMultigridOptions){.cycle = TEXLA_CYCLE_F});
  upload(&s, s.b, 3);
  clContextCounters before = clContextStatistics(context);
  CHECK(clMultigridCycle(s.mg, s.x, s.b));
  CHECK(clMultigridApply(s.mg, s.x, s.b));
  CHECK(clMultigridStart(s.mg, s.x, s.b));
  clContextCounters after = clContextStatistics(context);
  assert_int_equal(after.readbacks, before.readbacks);
  assert_int_equal(after.uploads, before.uploads);
  assert_true(after.passes > before.passes);
}

/* 100 x 80 halves to 50 x 40 and on to at most `coarsest` unknowns, and says so. */
static void testDescribesItself(void **state) {
  gridProblem p = problemOf(GRID_DIRICHLET, 100, 80);
  for (int coarsest = 10; coarsest <= 1000; coarsest *= 10) {
    AT_END(destroySystem)
    testSystem s = makeSystem(
        &p,
        &(clMultigridOptions){.cycle = TEXLA_CYCLE_W, .pre = 3, .post = 1, .coarsest = coarsest});
    int nx = 100, ny = 80, levels = 1;
    for (; nx * ny > coarsest; levels++) {
      nx /= 2;
      ny /= 2;
    }
    char text[80];
    snprintf(text, sizeof text, "%d grids from 100 x 80 to %d x %d", levels, nx, ny);
    assert_int_equal(s.mg->levels, levels);
    if (!strstr(clMultigridDescription(s.mg), text))
      fail_msg("no '%s' in '%s'", text, clMultigridDescription(s.mg));
    assert_non_null(strstr(clMultigridDescription(s.mg), "W(3,1) cycles"));
  }
}

/* A x = b for known x: full multigrid alone comes close, cycles come closer. */
static void testSolve(void **state) {
  for (int kind = 0; kind < GRID_KINDS; kind++) {
    gridProblem p = problemOf((gridKind)kind, 90, 67);
    clMultigridOptions o = {.full = kind % 2};
    AT_END(destroySystem) testSystem s = makeSystem(&p, &o);
    upload(&s, s.b, 3);
    clSolverReport report;
    clSolverOptions options = {.tolerance = 1e-4};
    if (clMultigridSolve(s.mg, s.x, s.b, &options, &report))
      fail_msg("%s: %s after %d cycles, %g", p.name, clReasonText(report.reason),
               (int)report.iterations, report.residual);
    assert_true(report.iterations < 15);
    double sum = 0, size = 0;
    CHECK(clVectorDownload(s.x, s.host));
    for (int64_t i = 0; i < s.n; i++) {
      sum += (double)s.host[i];
      size += fabs((double)s.host[i]);
    }
    if (s.mg->singular)
      assert_true(fabs(sum) <= 100 * eps * size);
  }
}

static void testFullMultigrid(void **state) {
  gridProblem p = problemOf(GRID_DIRICHLET, 200, 200);
  AT_END(destroySystem) testSystem s = makeSystem(&p, NULL);
  for (int64_t i = 0; i < s.n; i++)
    s.host[i] = 1;
  CHECK(clVectorUpload(s.b, s.host));
  double before = residual(&s);
  CHECK(clMultigridStart(s.mg, s.x, s.b));
  double full = residual(&s);
  CHECK(clVectorClear(s.x));
  CHECK(clMultigridCycle(s.mg, s.x, s.b));
  assert_true(full < 0.5 * residual(&s));
  assert_true(full < 0.05 * before);
}

static void testReasons(void **state) {
  gridProblem p = problemOf(GRID_DIRICHLET, 30, 30);
  AT_END(destroySystem) testSystem s = makeSystem(&p, NULL);
  clSolverReport report;
  upload(&s, s.b, 3);
  assert_int_equal(
      clMultigridSolve(s.mg, s.x, s.b, &(clSolverOptions){.max_iterations = 2}, &report),
      TEXLA_NOT_CONVERGED);
  assert_int_equal(report.reason, TEXLA_REASON_MAX_ITERATIONS);
  assert_int_equal(report.iterations, 2);
  assert_int_equal(
      clMultigridSolve(s.mg, s.x, s.b, &(clSolverOptions){.tolerance = 1e-30}, &report),
      TEXLA_NOT_CONVERGED);
  assert_int_equal(report.reason, TEXLA_REASON_STAGNATED);
  s.host[17] = NAN;
  CHECK(clVectorUpload(s.b, s.host));
  assert_int_equal(clMultigridSolve(s.mg, s.x, s.b, NULL, &report), TEXLA_NOT_CONVERGED);
  assert_int_equal(report.reason, TEXLA_REASON_NAN);
}

static void testRefusals(void **state) {
  gridProblem p = problemOf(GRID_DIRICHLET, 12, 10);
  OWN(clTriplets) *A = gridProblemMatrix(&p);
  OWN(clMultigrid) *mg = NULL;
  assert_int_equal(clMultigridCreate(&mg, context, A, 10, 11, NULL), TEXLA_BAD_SHAPE);
  assert_int_equal(clMultigridCreate(&mg, context, A, 10, 12, NULL), TEXLA_BAD_SHAPE);
  assert_non_null(strstr(clContextError(context)->message, "no neighbours"));
  assert_int_equal(clMultigridCreate(&mg, context, A, 12, 10, &(clMultigridOptions){.pre = 9}),
                   TEXLA_BAD_ARGUMENT);
  assert_int_equal(
      clMultigridCreate(&mg, context, A, 12, 10, &(clMultigridOptions){.host_points = -1}),
      TEXLA_BAD_ARGUMENT);
  assert_int_equal(clMultigridCreate(&mg, context, NULL, 12, 10, NULL), TEXLA_BAD_ARGUMENT);
  for (int64_t k = 0; k < A->count; k++)
    if (A->row[k] == 37 && A->col[k] == 37) {
      A->value[k] = 0;
      assert_int_equal(clMultigridCreate(&mg, context, A, 12, 10, NULL), TEXLA_SINGULAR);
      assert_non_null(strstr(clContextError(context)->message, "row 38"));
      A->value[k] = 4;
    }
  assert_null(mg);
  CHECK(clMultigridCreate(&mg, context, A, 12, 10, NULL));
  OWN(clVector) *x = NULL, *y = NULL;
  CHECK(clVectorCreate(&x, context, 120));
  CHECK(clVectorCreateGrid(&y, context, 12, 10));
  assert_int_equal(clMultigridCycle(mg, x, y), TEXLA_BAD_SHAPE);
  assert_int_equal(clMultigridCycle(mg, y, y), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clMultigridCycle(NULL, y, x), TEXLA_BAD_ARGUMENT);
}

TEST_MAIN(setUp, testContextDestroy, testRates, testProblems, testSetups, testAnisotropy,
          testCycles, testAgainstDouble, testSymmetric, testTransfers, testNoReadBack, testSolve,
          testFullMultigrid, testReasons, testRefusals, testIteration, testHost,
          testDescribesItself)
