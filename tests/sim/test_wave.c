/* clWave against plain loops in double precision, exact standing waves, and its own energy. */

#include "texla/wave.h"

#include "one_context.h"

static const double pi = 3.14159265358979323846;

/* One step rounds a few products of size |u|; the errors travel on and add up over the steps. */
static const double errorPerStep = 4 * FLT_EPSILON;
/* relative, over hundreds of steps */
static const double energyDrift = 1e-5;
/* of the equation of a step, heights of about 1, systems solved to 1e-6 */
static const double implicitError = 2e-5;
/* relative, of the damping in 20 steps */
static const double dampingError = 2e-4;
/* of energy, relative, over hundreds of steps */
static const double implicitDrift = 1e-4;
static const double dropError = 4 * FLT_EPSILON;

static const clWaveEdge edges[] = {TEXLA_WAVE_EDGE_REFLECTING, TEXLA_WAVE_EDGE_FIXED};
enum { EDGES = sizeof edges / sizeof *edges };
#define ALL(edge)                                                                                  \
  { edge, edge, edge, edge }

static clWave *createWave(const clWaveOptions *options) {
  clWave *wave = NULL;
  CHECK(clWaveCreate(&wave, context, options));
  return wave;
}

static float *allocate(size_t n) {
  float *values = calloc(n, sizeof *values);
  assert_non_null(values);
  return values;
}

/* The caller frees it. */
static float *heightsOf(const clWave *wave) {
  float *u = allocate((size_t)clVectorLength(clWaveHeight(wave)));
  CHECK(clVectorDownload(clWaveHeight(wave), u));
  return u;
}

/* The plain loop: levels t and t-1 of the wave equation. */
typedef struct Loop {
  clWaveInfo info;
  double *now, *before;
} Loop;

static size_t pointsOf(const clWaveInfo *info) {
  return (size_t)info->nx * (size_t)info->ny;
}

static Loop createLoop(const clWaveInfo *info) {
  Loop loop = {*info, calloc(pointsOf(info), sizeof(double)),
               calloc(pointsOf(info), sizeof(double))};
  assert_non_null(loop.now);
  assert_non_null(loop.before);
  return loop;
}

static void destroyLoop(Loop *loop) {
  free(loop->now);
  free(loop->before);
}

/* The height at (i, j), or what the edge makes of it. */
static double heightAt(const Loop *loop, const double *u, int i, int j, double here) {
  bool inside = i >= 0 && i < loop->info.nx && j >= 0 && j < loop->info.ny;
  if (inside)
    return u[j * loop->info.nx + i];
  return loop->info.edge[0] == TEXLA_WAVE_EDGE_FIXED ? -here : here;
}

/* h^2 times the Laplacian */
static double laplacianAt(const Loop *loop, const double *u, int i, int j) {
  double here = u[j * loop->info.nx + i];
  return heightAt(loop, u, i - 1, j, here) + heightAt(loop, u, i + 1, j, here) +
         heightAt(loop, u, i, j - 1, here) + heightAt(loop, u, i, j + 1, here) - 4 * here;
}

static void stepLoop(Loop *loop) {
  for (int j = 0; j < loop->info.ny; j++)
    for (int i = 0; i < loop->info.nx; i++) {
      double *old = &loop->before[j * loop->info.nx + i], here = loop->now[j * loop->info.nx + i];
      *old = 2 * here - *old + loop->info.beta * laplacianAt(loop, loop->now, i, j);
    }
  double *next = loop->before;
  loop->before = loop->now;
  loop->now = next;
}

/* now <- u, before <- u - dt v + dt^2/2 c^2 Laplace u */
static void startLoop(Loop *loop, const float *u, const float *v) {
  for (size_t k = 0; k < pointsOf(&loop->info); k++)
    loop->now[k] = (double)u[k];
  for (int j = 0; j < loop->info.ny; j++)
    for (int i = 0; i < loop->info.nx; i++) {
      int k = j * loop->info.nx + i;
      loop->before[k] = loop->now[k] - loop->info.dt * (double)v[k] +
                        loop->info.beta / 2 * laplacianAt(loop, loop->now, i, j);
    }
}

static void assertNear(const float *u, const double *expected, size_t n, double tolerance) {
  for (size_t k = 0; k < n; k++)
    if (!(fabs((double)u[k] - expected[k]) <= tolerance))
      fail_msg("point %zu of %zu: %.9g instead of %.9g (tolerance %g)", k, n, (double)u[k],
               expected[k], tolerance);
}

static void compareWithLoop(int nx, int ny, clWaveEdge edge) {
  enum { STEPS = 103 };
  OWN(clWave) *wave =
      createWave(&(clWaveOptions){.nx = nx, .ny = ny, .edge = ALL(edge), .c = 1.5, .h = 0.25});
  clWaveInfo info = clWaveInspect(wave);
  AT_END(destroyLoop) Loop loop = createLoop(&info);
  size_t n = pointsOf(&info);
  float *u = allocate(n), *v = allocate(n);
  uint64_t seed = (uint64_t)nx + 1000 * (uint64_t)ny;
  for (size_t k = 0; k < n; k++) {
    u[k] = (float)randomUnit(&seed);
    v[k] = (float)randomUnit(&seed);
  }
  startLoop(&loop, u, v);
  CHECK(clWaveUpload(wave, u, v));
  CHECK(clWaveStep(wave, STEPS));
  double largest = 0;
  for (int s = 0; s < STEPS; s++) {
    stepLoop(&loop);
    for (size_t k = 0; k < n; k++)
      largest = fmax(largest, fabs(loop.now[k]));
  }
  float *result = heightsOf(wave);
  assertNear(result, loop.now, n, errorPerStep * STEPS * largest);
  info = clWaveInspect(wave);
  assert_int_equal(info.steps, STEPS);
  assert_true(info.time == STEPS * info.dt);
  free(result);
  free(u);
  free(v);
}

static void stepsAreThoseOfALoop(void **state) {
  static const int sizes[][2] = {{1, 1}, {1, 7}, {6, 1},   {2, 2},   {3, 5},
                                 {4, 4}, {5, 3}, {33, 17}, {64, 31}, {131, 7}};
  for (int s = 0; s < (int)(sizeof sizes / sizeof *sizes); s++)
    for (int e = 0; e < EDGES; e++)
      compareWithLoop(sizes[s][0], sizes[s][1], edges[e]);
}

/* The shape of the standing wave with 1 and 2 half waves on the unit square. */
static double modeAt(const clWaveInfo *info, int i, int j) {
  if (info->edge[0] == TEXLA_WAVE_EDGE_FIXED)
    return sin(pi * (i + 0.5) * info->h) * sin(2 * pi * (j + 0.5) * info->h);
  return cos(pi * (i + 0.5) * info->h) * cos(2 * pi * (j + 0.5) * info->h);
}

/* The root mean square error of u = (cos wt + sin wt) mode, with the square cut into `cells` per
 * side, at a time when it is sensitive to w. */
static double standingWaveError(int cells, clWaveEdge edge, clWaveScheme scheme) {
  static const int stepsPerCell[] = {2, 8, 1};
  const double c = 1, omega = c * pi * sqrt(5);
  /* after whole periods and an eighth the height is largest: sensitive to damping alone */
  const double end = scheme == TEXLA_WAVE_CRANK_NICOLSON ? 2.25 * pi / omega : 1.2;
  int n = cells, steps = stepsPerCell[scheme] * cells;
  OWN(clWave) *wave = createWave(&(clWaveOptions){.nx = n,
                                                  .ny = n,
                                                  .h = 1. / cells,
                                                  .c = c,
                                                  .dt = end / steps,
                                                  .edge = ALL(edge),
                                                  .scheme = scheme});
  clWaveInfo info = clWaveInspect(wave);
  FREED float *u = allocate(pointsOf(&info)), *v = allocate(pointsOf(&info));
  for (int k = 0; k < n * n; k++) {
    u[k] = (float)modeAt(&info, k % n, k / n);
    v[k] = (float)(omega * modeAt(&info, k % n, k / n));
  }
  CHECK(clWaveUpload(wave, u, v));
  CHECK(clWaveStep(wave, steps));
  FREED float *result = heightsOf(wave);
  double error = 0, now = cos(omega * end) + sin(omega * end);
  for (int k = 0; k < n * n; k++)
    error += pow((double)result[k] - now * modeAt(&info, k % n, k / n), 2);
  return sqrt(error) / cells;
}

static void standingWavesConvergeInSecondOrder(void **state) {
  for (int e = 0; e < EDGES; e++) {
    double coarse = standingWaveError(16, edges[e], TEXLA_WAVE_EXPLICIT);
    for (int cells = 32; cells <= 128; cells *= 2) {
      double fine = standingWaveError(cells, edges[e], TEXLA_WAVE_EXPLICIT),
             order = log2(coarse / fine);
      if (!(order > 1.9 && order < 2.1))
        fail_msg("edge %d: from %d to %d cells the error goes from %g to %g, order %.3f",
                 (int)edges[e], cells / 2, cells, coarse, fine, order);
      coarse = fine;
    }
  }
}

/* h^2 grad a . grad b around (i, j): the links to the four neighbours, which two points share
 * unless one is outside. */
static double linksAt(const Loop *loop, int i, int j) {
  static const int dx[] = {-1, 1, 0, 0}, dy[] = {0, 0, -1, 1};
  const clWaveInfo *info = &loop->info;
  double a = loop->now[j * info->nx + i], b = loop->before[j * info->nx + i], sum = 0;
  for (int d = 0; d < 4; d++) {
    int x = i + dx[d], y = j + dy[d];
    bool inside = x >= 0 && x < info->nx && y >= 0 && y < info->ny;
    double link =
        (a - heightAt(loop, loop->now, x, y, a)) * (b - heightAt(loop, loop->before, x, y, b));
    sum += inside ? link / 2 : link;
  }
  return sum;
}

/* 1/2 integral (u_t^2 + c^2 |grad u|^2) */
static double loopEnergy(const Loop *loop) {
  const clWaveInfo *info = &loop->info;
  double kinetic = 0, potential = 0;
  for (int j = 0; j < info->ny; j++)
    for (int i = 0; i < info->nx; i++) {
      double change = (loop->now[j * info->nx + i] - loop->before[j * info->nx + i]) / info->dt;
      kinetic += change * change * info->h * info->h;
      potential += info->c * info->c * linksAt(loop, i, j);
    }
  return (kinetic + potential) / 2;
}

/* Fills the loop's levels from the device: the wave before and after one step. */
static Loop watchStep(clWave *wave) {
  clWaveInfo info = clWaveInspect(wave);
  Loop loop = createLoop(&info);
  FREED float *before = heightsOf(wave);
  CHECK(clWaveStep(wave, 1));
  FREED float *now = heightsOf(wave);
  for (size_t k = 0; k < pointsOf(&info); k++) {
    loop.before[k] = (double)before[k];
    loop.now[k] = (double)now[k];
  }
  return loop;
}

static double energyOf(clWave *wave) {
  double energy = NAN;
  CHECK(clWaveEnergy(wave, &energy));
  return energy;
}

static void energyIsConserved(void **state) {
  for (int e = 0; e < EDGES; e++) {
    OWN(clWave) *wave =
        createWave(&(clWaveOptions){.nx = 65, .ny = 43, .edge = ALL(edges[e]), .c = 2});
    assert_true(energyOf(wave) == 0);
    CHECK(clWaveDrop(wave, 0.3, 0.4, 0.08, 1));
    Loop loop = watchStep(wave);
    double first = energyOf(wave), expected = loopEnergy(&loop);
    assert_true(first > 0.1);
    assert_true(fabs(first - expected) <= energyDrift * expected);
    destroyLoop(&loop);
    for (int i = 0; i < 5; i++) {
      CHECK(clWaveStep(wave, 97));
      assert_true(fabs(energyOf(wave) - first) <= energyDrift * first);
    }
    CHECK(clWaveDrop(wave, 0.6, 0.2, 0.05, -1));
    assert_true(energyOf(wave) > 1.01 * first);
  }
}

/* A drop at run time adds the same wave as one in still water does. */
static void dropsAddUp(void **state) {
  for (int e = 0; e < EDGES; e++) {
    clWaveOptions options = {.nx = 47, .ny = 30, .edge = ALL(edges[e])};
    OWN(clWave) *both = createWave(&options), *first = createWave(&options),
                *second = createWave(&options);
    CHECK(clWaveDrop(both, 0.2, 0.3, 0.07, 1));
    CHECK(clWaveDrop(first, 0.2, 0.3, 0.07, 1));
    CHECK(clWaveStep(both, 20));
    CHECK(clWaveDrop(both, 0.8, 0.25, 0.05, -0.5));
    CHECK(clWaveDrop(second, 0.8, 0.25, 0.05, -0.5));
    CHECK(clWaveStep(both, 30));
    CHECK(clWaveStep(first, 50));
    CHECK(clWaveStep(second, 30));
    FREED float *sum = heightsOf(both), *a = heightsOf(first), *b = heightsOf(second);
    for (int k = 0; k < 47 * 30; k++)
      assert_true(fabsf(sum[k] - a[k] - b[k]) <= (float)(50 * errorPerStep));
  }
}

/* The height of the drop at a grid point, and after one step what a wave at rest becomes: u +
 * dt^2/2 u_tt. */
static void dropsAreBellsAtRest(void **state) {
  for (int e = 0; e < EDGES; e++) {
    OWN(clWave) *wave =
        createWave(&(clWaveOptions){.nx = 37, .ny = 22, .h = 0.5, .edge = ALL(edges[e])});
    clWaveInfo info = clWaveInspect(wave);
    AT_END(destroyLoop) Loop loop = createLoop(&info);
    float *bell = allocate(pointsOf(&info)), *rest = allocate(pointsOf(&info));
    double offset = 0.5, x = 17.2, y = 3.3, radius = 1.7;
    for (int k = 0; k < 37 * 22; k++) {
      double dx = (k % 37 + offset) * 0.5 - x, dy = (k / 37 + offset) * 0.5 - y;
      bell[k] = (float)(2.5 * exp(-(dx * dx + dy * dy) / (radius * radius)));
    }
    startLoop(&loop, bell, rest);
    CHECK(clWaveDrop(wave, x, y, radius, 2.5));
    float *drawn = heightsOf(wave);
    assertNear(drawn, loop.now, pointsOf(&info), 2.5 * dropError);
    stepLoop(&loop);
    CHECK(clWaveStep(wave, 1));
    float *stepped = heightsOf(wave);
    assertNear(stepped, loop.now, pointsOf(&info), 2.5 * errorPerStep);
    free(bell);
    free(rest);
    free(drawn);
    free(stepped);
  }
}

static void dropsFarAwayAddNothing(void **state) {
  static const double places[][2] = {{-9, 0.5}, {9, 0.5}, {0.5, -9}, {0.5, 9}, {-1e300, 1e300}};
  OWN(clWave) *wave = createWave(&(clWaveOptions){.nx = 20, .ny = 20});
  for (int p = 0; p < (int)(sizeof places / sizeof *places); p++)
    CHECK(clWaveDrop(wave, places[p][0], places[p][1], 0.5, 1));
  FREED float *u = heightsOf(wave);
  for (int k = 0; k < 400; k++)
    assert_true(u[k] == 0);
}

/* The constant mode has the double eigenvalue 1: rows of B that summed to 2 + 1e-7 would make it
 * grow. */
static void stillWaterStaysStill(void **state) {
  for (int dt = 1; dt <= 5; dt++) {
    OWN(clWave) *wave =
        createWave(&(clWaveOptions){.nx = 19, .ny = 13, .h = 1, .dt = 0.1234567 * dt});
    FREED float *u = allocate(19 * 13);
    for (int k = 0; k < 19 * 13; k++)
      u[k] = 1;
    CHECK(clWaveUpload(wave, u, NULL));
    CHECK(clWaveStep(wave, 300));
    FREED float *result = heightsOf(wave);
    for (int k = 0; k < 19 * 13; k++)
      assert_true(result[k] == 1);
  }
}

/* K9: a step is one product, and nothing is read back. */
static void aStepIsOnePass(void **state) {
  OWN(clWave) *wave = createWave(&(clWaveOptions){.nx = 41, .ny = 29});
  CHECK(clWaveDrop(wave, 0.5, 0.3, 0.1, 1));
  CHECK(clWaveStep(wave, 1));
  clContextCounters before = clContextStatistics(context);
  CHECK(clWaveStep(wave, 50));
  clContextCounters after = clContextStatistics(context);
  assert_int_equal(after.passes - before.passes, 50);
  assert_int_equal(after.readbacks, before.readbacks);
  assert_int_equal(after.uploads, before.uploads);
}

static void uploadStartsAnew(void **state) {
  OWN(clWave) *wave = createWave(&(clWaveOptions){.nx = 11, .ny = 9});
  CHECK(clWaveDrop(wave, 0.5, 0.3, 0.1, 1));
  CHECK(clWaveStep(wave, 5));
  CHECK(clWaveUpload(wave, NULL, NULL));
  assert_int_equal(clWaveInspect(wave).steps, 0);
  CHECK(clWaveStep(wave, 5));
  assert_true(energyOf(wave) == 0);
}

/* The equation of a step, in double from three levels on the device: x(t+1) - 2 x(t) + x(t-1) =
 * beta c^2 Laplace of an average over time. */
static void checkEquation(const clWaveInfo *info, const float *level[3], const double weight[3]) {
  AT_END(destroyLoop) Loop loop = createLoop(info);
  for (size_t k = 0; k < pointsOf(info); k++)
    for (int t = 0; t < 3; t++)
      loop.now[k] += weight[t] * (double)level[t][k];
  for (int k = 0; k < (int)pointsOf(info); k++) {
    double change = (double)level[2][k] - 2 * (double)level[1][k] + (double)level[0][k];
    double pull = info->beta * laplacianAt(&loop, loop.now, k % info->nx, k / info->nx);
    if (!(fabs(change - pull) <= implicitError * (1 + info->beta)))
      fail_msg("scheme %d, point %d: %g instead of %g", (int)info->scheme, k, change, pull);
  }
}

static void implicitStepsSolveTheirEquation(void **state) {
  static const double weights[][3] = {
      [TEXLA_WAVE_CRANK_NICOLSON] = {0, 0.5, 0.5}, [TEXLA_WAVE_CONSERVING] = {0.25, 0.5, 0.25}};
  static const int sizes[][2] = {{1, 7}, {6, 1}, {5, 3}, {33, 17}};
  for (int c = 0; c < 4 * EDGES * 2; c++) {
    clWaveScheme scheme = c % 2 ? TEXLA_WAVE_CRANK_NICOLSON : TEXLA_WAVE_CONSERVING;
    const int *size = sizes[c / 4];
    OWN(clWave) *wave = createWave(&(clWaveOptions){.nx = size[0],
                                                    .ny = size[1],
                                                    .h = 0.5,
                                                    .c = 1.5,
                                                    .dt = 0.7,
                                                    .edge = ALL(edges[c / 2 % 2]),
                                                    .scheme = scheme});
    clWaveInfo info = clWaveInspect(wave);
    float *u = allocate(pointsOf(&info)), *v = allocate(pointsOf(&info)), *level[3];
    uint64_t seed = (uint64_t)c;
    for (size_t k = 0; k < pointsOf(&info); k++) {
      u[k] = (float)randomUnit(&seed);
      v[k] = (float)randomUnit(&seed);
    }
    CHECK(clWaveUpload(wave, u, v));
    for (int t = 0; t < 3; t++) {
      level[t] = heightsOf(wave);
      CHECK(clWaveStep(wave, 1));
    }
    assert_true(isinf(info.dt_max) && clWaveInspect(wave).iterations > 0);
    checkEquation(&info, (const float *[]){level[0], level[1], level[2]}, weights[scheme]);
    for (int t = 0; t < 3; t++)
      free(level[t]);
    free(u);
    free(v);
  }
}

static void implicitWavesConvergeInTheirOrder(void **state) {
  for (int e = 0; e < EDGES; e++) {
    double second = log2(standingWaveError(32, edges[e], TEXLA_WAVE_CONSERVING) /
                         standingWaveError(64, edges[e], TEXLA_WAVE_CONSERVING));
    double first = log2(standingWaveError(12, edges[e], TEXLA_WAVE_CRANK_NICOLSON) /
                        standingWaveError(24, edges[e], TEXLA_WAVE_CRANK_NICOLSON));
    if (!(second > 1.85 && second < 2.15) || !(first > 0.8 && first < 1.2))
      fail_msg("edge %d: orders %.3f and %.3f instead of 2 and 1", (int)edges[e], second, first);
  }
}

/* How much of the mode is in the heights. */
static double modeOf(const clWave *wave) {
  clWaveInfo info = clWaveInspect(wave);
  FREED float *u = heightsOf(wave);
  double sum = 0, squares = 0;
  for (int k = 0; k < info.nx * info.ny; k++) {
    double mode = modeAt(&info, k % info.nx, k / info.nx);
    sum += mode * (double)u[k];
    squares += mode * mode;
  }
  return sum / squares;
}

/* With lambda = alpha l of a mode, (1 + lambda) x(t+1) = (2 - lambda) x(t) - x(t-1): the form Q =
 * (1 + lambda) x(t)^2 - (2 - lambda) x(t) x(t-1) + x(t-1)^2 shrinks by 1 / (1 + lambda) in every
 * step. */
static void crankNicolsonDampsAsPredicted(void **state) {
  enum { N = 24, STEPS = 20 };
  for (int courant = 1; courant <= 4; courant *= 2) {
    OWN(clWave) *wave = createWave(&(clWaveOptions){.nx = N,
                                                    .ny = N,
                                                    .dt = (double)courant / N,
                                                    .scheme = TEXLA_WAVE_CRANK_NICOLSON,
                                                    .tolerance = 1e-7});
    clWaveInfo info = clWaveInspect(wave);
    double s1 = sin(pi / 2 / N), s2 = sin(pi / N), lambda = info.beta / 2 * 4 * (s1 * s1 + s2 * s2),
           q[2];
    FREED float *u = allocate(N * N);
    for (int k = 0; k < N * N; k++)
      u[k] = (float)modeAt(&info, k % N, k / N);
    CHECK(clWaveUpload(wave, u, NULL));
    for (int end = 0; end < 2; end++) {
      double before = modeOf(wave);
      CHECK(clWaveStep(wave, 1));
      double now = modeOf(wave);
      q[end] = (1 + lambda) * now * now - (2 - lambda) * now * before + before * before;
      if (!end)
        CHECK(clWaveStep(wave, STEPS - 1));
    }
    double wanted = pow(1 + lambda, -STEPS);
    if (!(fabs(q[1] / q[0] - wanted) <= dampingError * wanted))
      fail_msg("Courant number %d: damped by %g instead of %g", courant, q[1] / q[0], wanted);
  }
}

/* Long steps, many times the explicit limit. */
static void implicitEnergy(void **state) {
  for (int e = 0; e < EDGES; e++)
    for (int s = TEXLA_WAVE_CRANK_NICOLSON; s <= TEXLA_WAVE_CONSERVING; s++) {
      OWN(clWave) *wave = createWave(&(clWaveOptions){
          .nx = 65, .ny = 43, .edge = ALL(edges[e]), .dt = 3. / 65, .scheme = (clWaveScheme)s});
      CHECK(clWaveDrop(wave, 0.3, 0.4, 0.08, 1));
      CHECK(clWaveStep(wave, 1));
      double first = energyOf(wave);
      assert_true(first > 0.01);
      CHECK(clWaveStep(wave, 300));
      double last = energyOf(wave);
      if (s == TEXLA_WAVE_CONSERVING ? !(fabs(last - first) <= implicitDrift * first)
                                     : !(last < 0.2 * first))
        fail_msg("scheme %d, edge %d: energy %g, then %g", s, e, first, last);
    }
}

static void defaults(void **state) {
  clWave *wave = createWave(NULL);
  clWaveInfo info = clWaveInspect(wave);
  assert_int_equal(info.nx, 256);
  assert_int_equal(info.ny, 256);
  for (int s = 0; s < 4; s++)
    assert_int_equal(info.edge[s], TEXLA_WAVE_EDGE_REFLECTING);
  assert_true(info.h == 1. / 256 && info.c == 1 && info.width == 1 && info.height == 1);
  assert_true(fabs(info.dt - 0.9 * info.h / sqrt(2)) < 1e-12);
  assert_true(fabs(info.beta - 0.405) < 1e-6);
  assert_non_null(strstr(info.storage, "banded"));
  clWaveDestroy(wave);
  wave = createWave(&(clWaveOptions){.nx = 9, .ny = 4, .h = 2, .edge = ALL(TEXLA_WAVE_EDGE_FIXED)});
  info = clWaveInspect(wave);
  assert_true(info.width == 18 && info.height == 8);
  clWaveDestroy(wave);
}

static void unstableStepsAreRefused(void **state) {
  const clWaveOptions options = {.nx = 8, .ny = 8, .h = 0.1, .c = 3, .dt = 0.03};
  OWN(clWave) *wave = NULL;
  assert_int_equal(clWaveCreate(&wave, context, &options), TEXLA_BAD_ARGUMENT);
  assert_null(wave);
  const char *message = clContextError(context)->message,
             *allowed = strstr(message, "allowed dt is ");
  assert_non_null(allowed);
  double dt = strtod(allowed + strlen("allowed dt is "), NULL);
  assert_true(fabs(dt - 0.1 / 3 / sqrt(2)) < 1e-8);

  clWaveOptions stable = options, unstable = options;
  stable.dt = dt;
  unstable.dt = 1.00001 * dt;
  assert_int_equal(clWaveCreate(&wave, context, &unstable), TEXLA_BAD_ARGUMENT);
  assert_null(wave);
  wave = createWave(&stable);
  CHECK(clWaveDrop(wave, 0.4, 0.4, 0.2, 1));
  CHECK(clWaveStep(wave, 1000));
  FREED float *u = heightsOf(wave);
  for (int k = 0; k < 64; k++)
    assert_true(fabsf(u[k]) < 4);
}

static void badArgumentsAreRefused(void **state) {
  static const clWaveOptions bad[] = {{.nx = -1},
                                      {.ny = -5},
                                      {.h = -1},
                                      {.h = NAN},
                                      {.c = INFINITY},
                                      {.c = -2},
                                      {.dt = -1},
                                      {.dt = NAN},
                                      {.dt = 1e-9},
                                      {.edge = {(clWaveEdge)7}},
                                      {.scheme = (clWaveScheme)3},
                                      {.tolerance = 2}};
  OWN(clWave) *wave = NULL;
  for (int k = 0; k < (int)(sizeof bad / sizeof *bad); k++)
    assert_int_equal(clWaveCreate(&wave, context, &bad[k]), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clWaveCreate(&wave, context, &(clWaveOptions){.nx = 65536, .ny = 65536}),
                   TEXLA_TOO_LARGE);
  assert_int_equal(clWaveCreate(NULL, context, NULL), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clWaveCreate(&wave, NULL, NULL), TEXLA_BAD_ARGUMENT);
  assert_null(wave);
  clWaveDestroy(NULL);

  wave = createWave(&(clWaveOptions){.nx = 5, .ny = 5});
  float u[25] = {0};
  u[7] = NAN;
  assert_int_equal(clWaveUpload(wave, u, NULL), TEXLA_NOT_FINITE);
  assert_string_equal(clContextError(context)->message,
                      "clWaveUpload: the height of point (2, 1) is nan");
  u[7] = INFINITY;
  assert_int_equal(clWaveUpload(wave, NULL, u), TEXLA_NOT_FINITE);
  assert_int_equal(clWaveDrop(wave, NAN, 0, 1, 1), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clWaveDrop(wave, 0, INFINITY, 1, 1), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clWaveDrop(wave, 0, 0, 0, 1), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clWaveDrop(wave, 0, 0, 1, 1e300), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clWaveStep(wave, -1), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clWaveEnergy(wave, NULL), TEXLA_BAD_ARGUMENT);
  assert_true(energyOf(wave) == 0);
}

TEST_MAIN(setUp, testContextDestroy, stepsAreThoseOfALoop, standingWavesConvergeInSecondOrder,
          energyIsConserved, dropsAddUp, dropsAreBellsAtRest, dropsFarAwayAddNothing,
          stillWaterStaysStill, aStepIsOnePass, uploadStartsAnew, implicitStepsSolveTheirEquation,
          implicitWavesConvergeInTheirOrder, crankNicolsonDampsAsPredicted, implicitEnergy,
          defaults, unstableStepsAreRefused, badArgumentsAreRefused)
