/* clWave's edges, walls, speeds and sources: against plain loops in double precision, and against
 * what waves do. */

#include "wave_loop.h"

#include "one_context.h"

static const double pi = 3.14159265358979323846;

/* of the largest height: a few products of that size each */
static const double errorPerStep = 8 * FLT_EPSILON;
/* relative, over hundreds of steps */
static const double energyDrift = 1e-5;
/* relative: the density's sum against the scheme's energy */
static const double densityError = 1e-4;
/* of the equation of a step, heights of about 1 */
static const double implicitError = 2e-5;
/* relative, over 60 steps */
static const double symmetryError = 1e-5;
/* of amplitudes and times that the grid's dispersion changes a bit */
static const double speedError = 0.02;
/* from an absorbing edge; the theory's are 2e-4, and 1.8e-3 at 45 degrees */
static const double comesBackStraight = 1e-3, comesBackSlanted = 5e-3;

static clWave *createWave(const clWaveOptions *options) {
  clWave *wave = NULL;
  CHECK(clWaveCreate(&wave, context, options));
  return wave;
}

static float *floats(int n) {
  float *values = calloc((size_t)n, sizeof *values);
  assert_non_null(values);
  return values;
}

static float *fieldOf(clWave *wave, clWaveField field) {
  const clVector *vector = NULL;
  CHECK(clWaveGet(&vector, wave, field));
  float *u = floats((int)clVectorLength(vector));
  CHECK(clVectorDownload(vector, u));
  return u;
}

static float *heightsOf(clWave *wave) {
  return fieldOf(wave, TEXLA_WAVE_HEIGHT);
}

static double largestOf(const float *u, int n) {
  double largest = 0;
  for (int k = 0; k < n; k++)
    largest = fmax(largest, fabs((double)u[k]));
  return largest;
}

static double energyOf(clWave *wave) {
  double energy = NAN;
  CHECK(clWaveEnergy(wave, &energy));
  return energy;
}

static void fillRandom(float *u, int n, uint64_t seed) {
  for (int k = 0; k < n; k++)
    u[k] = (float)randomUnit(&seed);
}

/* A lens of slower water, and walls here and there. */
static void makeMedium(float *speed, uint8_t *solid, const clWaveInfo *info) {
  for (int k = 0; k < info->nx * info->ny; k++) {
    int i = k % info->nx, j = k / info->nx;
    speed[k] =
        (float)(1 - 0.5 * exp(-(pow(i - 0.6 * info->nx, 2) + pow(j - 0.4 * info->ny, 2)) / 9));
    solid[k] = (i == info->nx / 2 && j % 4 != 1) || (i == 1 && j == 0);
  }
}

static const clWaveSource someSources[] = {
    {.x = 0.3,
     .y = 0.4,
     .radius = 0.12,
     .amplitude = 30,
     .frequency = 2.1,
     .phase = 0.15,
     .ramp = 0.4},
    {.x = 0.7,
     .y = 0.5,
     .dx = 0.05,
     .dy = 0.12,
     .radius = 0.06,
     .amplitude = -20,
     .frequency = 1.3},
    {.x = 0.2, .y = 0.1, .radius = 0.07, .amplitude = 15, .vx = 0.6, .vy = 0.45},
    {.x = 0.5,
     .y = 0.5,
     .radius = 0.1,
     .amplitude = 12,
     .frequency = 1,
     .orbit = 0.3,
     .turns = 0.7}};
enum { SOURCES = sizeof someSources / sizeof *someSources };

static void compare(clWave *wave, const WaveLoop *loop, double largest) {
  int n = loopPoints(loop);
  FREED float *u = heightsOf(wave);
  double tolerance = errorPerStep * (double)loop->info.steps * largest;
  for (int k = 0; k < n; k++)
    if (!(fabs((double)u[k] - loop->now[k]) <= tolerance))
      fail_msg("edges %d %d %d %d, step %d, point (%d, %d): %.9g instead of %.9g (tolerance %g)",
               (int)loop->info.edge[0], (int)loop->info.edge[1], (int)loop->info.edge[2],
               (int)loop->info.edge[3], (int)loop->info.steps, k % loop->info.nx, k / loop->info.nx,
               (double)u[k], loop->now[k], tolerance);
}

static void compareWithLoop(const clWaveOptions *options, bool medium, bool sources) {
  enum { STEPS = 60 };
  OWN(clWave) *wave = createWave(options);
  clWaveInfo info = clWaveInspect(wave);
  AT_END(loopDestroy) WaveLoop loop = loopCreate(&info);
  int n = loopPoints(&loop);
  float *u = floats(n), *v = floats(n), *speed = floats(n);
  uint8_t *solid = calloc((size_t)n, 1);
  fillRandom(u, n, (uint64_t)n);
  fillRandom(v, n, 7);
  if (medium) {
    makeMedium(speed, solid, &info);
    CHECK(clWaveSpeed(wave, speed));
    CHECK(clWaveWalls(wave, solid));
    loopMedium(&loop, speed, solid);
    loop.info = clWaveInspect(wave);
  }
  if (sources) {
    CHECK(clWaveSources(wave, someSources, SOURCES));
    memcpy(loop.source, someSources, sizeof someSources);
    loop.sources = SOURCES;
  }
  CHECK(clWaveUpload(wave, u, v));
  loopStart(&loop, u, v);
  double largest = 1;
  for (int s = 0; s < STEPS; s++) {
    CHECK(clWaveStep(wave, 1));
    loopStep(&loop);
    for (int k = 0; k < n; k++)
      largest = fmax(largest, fabs(loop.now[k]));
    if (s == 0 || s == STEPS - 1)
      compare(wave, &loop, largest);
  }
  free(u);
  free(v);
  free(speed);
  free(solid);
}

#define R TEXLA_WAVE_EDGE_REFLECTING
#define F TEXLA_WAVE_EDGE_FIXED
#define A TEXLA_WAVE_EDGE_ABSORBING
#define P TEXLA_WAVE_EDGE_PERIODIC
static const clWaveEdge pairs[][2] = {{R, F}, {F, R}, {A, F}, {R, A}, {A, A}, {P, P}};
enum { PAIRS = sizeof pairs / sizeof *pairs };

static void edgesOfAllKindsAreThoseOfALoop(void **state) {
  for (int c = 0; c < PAIRS * PAIRS; c++) {
    const clWaveEdge *x = pairs[c % PAIRS], *y = pairs[c / PAIRS];
    clWaveOptions options = {.nx = 17, .ny = 13, .layer = 4, .edge = {x[0], x[1], y[0], y[1]}};
    compareWithLoop(&options, c % 2, c % 4 > 1);
  }
}

static void sizesAreThoseOfALoop(void **state) {
  static const int sizes[][2] = {{1, 9}, {2, 2}, {3, 1}, {4, 5}, {16, 3}, {33, 18}};
  for (int s = 0; s < (int)(sizeof sizes / sizeof *sizes); s++) {
    compareWithLoop(
        &(clWaveOptions){.nx = sizes[s][0], .ny = sizes[s][1], .h = 0.06, .edge = {P, P, P, P}},
        true, true);
    compareWithLoop(
        &(clWaveOptions){.nx = sizes[s][0], .ny = sizes[s][1], .h = 0.06, .edge = {F, R, P, P}},
        false, true);
  }
  compareWithLoop(
      &(clWaveOptions){.nx = 33, .ny = 18, .layer = 5, .c = 2, .h = 0.04, .edge = {A, A, A, A}},
      true, true);
}

static void energyIsConservedAmongWallsAndSpeeds(void **state) {
  for (int p = 0; p < 2 * 3; p++) {
    clWaveScheme scheme = p < 3 ? TEXLA_WAVE_EXPLICIT : TEXLA_WAVE_CONSERVING;
    const clWaveEdge *x = pairs[p % 3 == 2 ? 5 : p % 3];
    OWN(clWave) *wave = createWave(
        &(clWaveOptions){.nx = 43, .ny = 38, .edge = {x[0], x[1], P, P}, .scheme = scheme});
    clWaveInfo info = clWaveInspect(wave);
    int n = info.nx * info.ny;
    FREED float *speed = floats(n);
    FREED uint8_t *solid = calloc((size_t)n, 1);
    makeMedium(speed, solid, &info);
    CHECK(clWaveSpeed(wave, speed));
    CHECK(clWaveWalls(wave, solid));
    CHECK(clWaveDrop(wave, 0.3, 0.05, 0.08, 1));
    CHECK(clWaveStep(wave, 1));
    double first = energyOf(wave),
           drift = scheme == TEXLA_WAVE_EXPLICIT ? energyDrift : 10 * energyDrift;
    assert_true(first > 0.01);
    for (int k = 0; k < 3; k++) {
      CHECK(clWaveStep(wave, 100));
      double now = energyOf(wave);
      if (!(fabs(now - first) <= drift * first))
        fail_msg("case %d: energy %.9g, then %.9g", p, first, now);
    }
  }
}

/* The density adds up to the energy of the implicit scheme, that of the same mean of two levels. */
static void densityAddsUpToTheEnergy(void **state) {
  OWN(clWave) *wave = createWave(&(clWaveOptions){
      .nx = 29, .ny = 21, .c = 1.5, .edge = {P, P, R, R}, .scheme = TEXLA_WAVE_CONSERVING});
  clWaveInfo info = clWaveInspect(wave);
  FREED float *speed = floats(29 * 21);
  FREED uint8_t *solid = calloc(29 * 21, 1);
  makeMedium(speed, solid, &info);
  CHECK(clWaveSpeed(wave, speed));
  CHECK(clWaveWalls(wave, solid));
  CHECK(clWaveDrop(wave, 0.1, 0.4, 0.1, 1));
  CHECK(clWaveStep(wave, 5));
  FREED float *density = fieldOf(wave, TEXLA_WAVE_ENERGY);
  double sum = 0, energy = energyOf(wave);
  for (int k = 0; k < 29 * 21; k++)
    sum += (double)density[k] * info.h * info.h;
  if (!(fabs(sum - energy) <= densityError * energy))
    fail_msg("the density adds up to %g, the energy is %g", sum, energy);
  FREED float *before = heightsOf(wave);
  CHECK(clWaveStep(wave, 1));
  FREED float *now = heightsOf(wave), *velocity = fieldOf(wave, TEXLA_WAVE_VELOCITY);
  for (int k = 0; k < 29 * 21; k++)
    assert_true(fabs((double)velocity[k] - (double)(now[k] - before[k]) / info.dt) < 1e-4);
}

/* On a periodic grid every plane wave exp(i (k.x - w t)) is a solution, with sin^2(w dt / 2) = beta
 * (sin^2(k_x h / 2) + sin^2(k_y h / 2)). */
static void periodicWavesTravelAsPredicted(void **state) {
  enum { NX = 30, NY = 22, STEPS = 200 };
  static const int waves[][2] = {{1, 0}, {0, -2}, {3, 2}};
  for (int m = 0; m < 3; m++) {
    OWN(clWave) *wave = createWave(&(clWaveOptions){.nx = NX, .ny = NY, .edge = {P, P, P, P}});
    clWaveInfo info = clWaveInspect(wave);
    double kx = 2 * pi * waves[m][0] / NX, ky = 2 * pi * waves[m][1] / NY;
    double step = 2 * asin(sqrt(info.beta * (pow(sin(kx / 2), 2) + pow(sin(ky / 2), 2))));
    float *level[2] = {floats(NX * NY), floats(NX * NY)};
    for (int k = 0; k < NX * NY; k++)
      for (int t = 0; t < 2; t++)
        level[t][k] = (float)cos(kx * (k % NX) + ky * (k / NX) + step * t);
    clVector *vector[TEXLA_WAVE_STATE];
    assert_int_equal(clWaveState(wave, vector), 2);
    CHECK(clVectorUpload(vector[0], level[0]));
    CHECK(clVectorUpload(vector[1], level[1]));
    CHECK(clWaveStep(wave, STEPS));
    float *u = heightsOf(wave);
    for (int k = 0; k < NX * NY; k++) {
      double expected = cos(kx * (k % NX) + ky * (k / NX) - step * STEPS);
      if (!(fabs((double)u[k] - expected) <= errorPerStep * STEPS))
        fail_msg("wave %d, point %d: %g instead of %g", m, k, (double)u[k], expected);
    }
    free(u);
    free(level[0]);
    free(level[1]);
  }
}

/* A drop across a periodic edge is the drop elsewhere, moved. */
static void dropsCrossPeriodicEdges(void **state) {
  enum { N = 24 };
  OWN(clWave) *corner = createWave(&(clWaveOptions){.nx = N, .ny = N, .edge = {P, P, P, P}});
  OWN(clWave) *middle = createWave(&(clWaveOptions){.nx = N, .ny = N, .edge = {P, P, P, P}});
  CHECK(clWaveDrop(corner, 1. / N, -1 + 2. / N, 0.08, 1));
  CHECK(clWaveDrop(middle, 13. / N, 14. / N, 0.08, 1));
  CHECK(clWaveStep(corner, 30));
  CHECK(clWaveStep(middle, 30));
  FREED float *a = heightsOf(corner), *b = heightsOf(middle);
  assert_true(largestOf(a, N * N) > 0.05);
  for (int k = 0; k < N * N; k++) {
    int moved = (k / N + 12) % N * N + (k % N + 12) % N;
    assert_true(fabsf(a[k] - b[moved]) <= (float)(30 * errorPerStep));
  }
}

/* A pulse in a channel along x, from the middle of its left part to the right: u = f(x - ct). */
static void sendPulse(clWave *wave, double at, double width) {
  clWaveInfo info = clWaveInspect(wave);
  int n = info.nx * info.ny;
  FREED float *u = floats(n), *v = floats(n);
  for (int k = 0; k < n; k++) {
    double x = ((k % info.nx + 0.5) * info.h - at) / width;
    u[k] = (float)exp(-x * x);
    v[k] = (float)(info.c * 2 * x / width * exp(-x * x));
  }
  CHECK(clWaveUpload(wave, u, v));
}

static void stepUntil(clWave *wave, double time) {
  clWaveInfo info = clWaveInspect(wave);
  CHECK(clWaveStep(wave, (int64_t)ceil((time - info.time) / info.dt)));
}

/* What returns from the right edge is what a channel twice as long does not have: the largest
 * difference left of the layer. `start` sends a wave of height 1 to the right. */
static double returned(clWaveEdge edge, int ny, double arg,
                       void (*start)(clWave *wave, double arg)) {
  enum { NX = 256 };
  float *u[2];
  for (int k = 0; k < 2; k++) {
    OWN(clWave) *wave = createWave(
        &(clWaveOptions){.nx = NX << k, .ny = ny, .h = 1. / NX, .edge = {A, k ? R : edge, P, P}});
    start(wave, arg);
    stepUntil(wave, 0.9);
    u[k] = heightsOf(wave);
  }
  double largest = 0;
  for (int p = 0; p < NX * ny; p++)
    if (p % NX < NX - 16)
      largest = fmax(largest, fabs((double)(u[0][p] - u[1][p / NX * 2 * NX + p % NX])));
  free(u[0]);
  free(u[1]);
  return largest;
}

static void sendStraight(clWave *wave, double width) {
  sendPulse(wave, 0.6, width);
}

static void absorbingEdgesAbsorb(void **state) {
  /* 4 points to more than the layer's 16 */
  static const double widths[] = {0.015, 0.03, 0.08};
  assert_true(returned(R, 4, widths[1], sendStraight) > 0.9);
  for (int w = 0; w < 3; w++) {
    double most = returned(A, 4, widths[w], sendStraight);
    print_message("normal incidence, a pulse of width %g: %.4f %% of the amplitude returns\n",
                  widths[w], 100 * most);
    assert_true(most <= comesBackStraight);
  }
}

/* A beam at 45 degrees, one wavelength high in the channel. */
static void sendSlanted(clWave *wave, double ny) {
  clWaveInfo info = clWaveInspect(wave);
  int n = info.nx * info.ny;
  FREED float *u = floats(n), *v = floats(n);
  double k = 2 * pi / (ny * info.h),
         omega = 2 * asin(sqrt(2 * info.beta) * sin(k * info.h / 2)) / info.dt;
  for (int p = 0; p < n; p++) {
    double x = (p % info.nx + 0.5) * info.h, y = (p / info.nx + 0.5) * info.h, s = (x - 0.6) / 0.12;
    double bell = exp(-s * s), slope = -2 * s / 0.12 * bell, phase = k * (x + y);
    u[p] = (float)(bell * cos(phase));
    v[p] = (float)(bell * omega * sin(phase) - slope * sqrt(0.5) * cos(phase));
  }
  CHECK(clWaveUpload(wave, u, v));
}

static void absorbingEdgesAbsorbAtAnAngle(void **state) {
  assert_true(returned(R, 16, 16, sendSlanted) > 0.8);
  for (int ny = 8; ny <= 32; ny *= 2) {
    double most = returned(A, ny, ny, sendSlanted);
    print_message("45 degrees, a wavelength of %.1f points: %.4f %% of the amplitude returns\n",
                  ny * sqrt(0.5), 100 * most);
    assert_true(most <= comesBackSlanted);
  }
}

/* Long after the last wave has left, nothing has grown again: walls and a lens within the layers,
 * too. */
static void absorbingEdgesStayCalm(void **state) {
  OWN(clWave) *wave =
      createWave(&(clWaveOptions){.nx = 48, .ny = 40, .layer = 8, .edge = {A, A, A, F}});
  clWaveInfo info = clWaveInspect(wave);
  FREED float *speed = floats(48 * 40);
  FREED uint8_t *solid = calloc(48 * 40, 1);
  makeMedium(speed, solid, &info);
  CHECK(clWaveSpeed(wave, speed));
  CHECK(clWaveWalls(wave, solid));
  CHECK(clWaveDrop(wave, 0.2, 0.5, 0.05, 1));
  CHECK(clWaveStep(wave, 6000));
  FREED float *u = heightsOf(wave);
  double largest = largestOf(u, 48 * 40);
  if (!(largest < 0.01))
    fail_msg("there are still waves of height %g", largest);
}

/* From speed 1 into speed 1/2 a pulse becomes 4/3 as high and half as long, and a third returns,
 * upside up. */
static void slowWaterRefractsAsPredicted(void **state) {
  enum { N = 800 };
  OWN(clWave) *wave =
      createWave(&(clWaveOptions){.nx = N, .ny = 4, .h = 1. / N, .edge = {A, A, P, P}});
  FREED float *speed = floats(4 * N);
  for (int k = 0; k < 4 * N; k++)
    speed[k] = k % N < N / 2 ? 1 : 0.5f;
  CHECK(clWaveSpeed(wave, speed));
  sendPulse(wave, 0.3, 0.03);
  stepUntil(wave, 0.4);
  FREED float *u = heightsOf(wave);
  int first = 0, second = N / 2;
  for (int i = 0; i < N / 2; i++) {
    first = u[i] > u[first] ? i : first;
    second = u[N / 2 + i] > u[second] ? N / 2 + i : second;
  }
  double at[] = {(first + 0.5) / N, (second + 0.5) / N},
         high[] = {(double)u[first], (double)u[second]};
  if (!(fabs(at[0] - 0.3) < 0.003 && fabs(at[1] - 0.6) < 0.003) ||
      !(fabs(high[0] - 1. / 3) < speedError / 3) || !(fabs(high[1] - 4. / 3) < speedError))
    fail_msg("%g returns to %g, %g goes on to %g", high[0], at[0], high[1], at[1]);
}

/* Where s = 1 + x, between fixed ends at 0 and 1, u = (1 + x)^(-1/2) sin(pi ln(1 + x) / ln 2) cos(w
 * t) is a standing wave with w^2 = 1/4 + (pi / ln 2)^2. Returns the largest error after about a
 * period. */
static double standingWaveError(int cells) {
  const double omega = sqrt(0.25 + pow(pi / log(2), 2)), end = 1.3;
  int nx = cells, n = 3 * nx, steps = 4 * cells;
  OWN(clWave) *wave = createWave(&(clWaveOptions){
      .nx = nx, .ny = 3, .h = 1. / cells, .c = 2, .dt = end / steps, .edge = {F, F, P, P}});
  FREED float *u = floats(n), *speed = floats(n);
  for (int k = 0; k < n; k++) {
    double x = 1 + (k % nx + 0.5) / cells;
    speed[k] = (float)(x / 2);
    u[k] = (float)(sin(pi * log(x) / log(2)) / sqrt(x));
  }
  CHECK(clWaveSpeed(wave, speed));
  CHECK(clWaveUpload(wave, u, NULL));
  CHECK(clWaveStep(wave, steps));
  FREED float *result = heightsOf(wave);
  double largest = 0;
  for (int k = 0; k < n; k++)
    largest = fmax(largest, fabs((double)result[k] - (double)u[k] * cos(omega * end)));
  return largest;
}

static void varyingSpeedsConvergeInSecondOrder(void **state) {
  double coarse = standingWaveError(32);
  for (int cells = 64; cells <= 128; cells *= 2) {
    double fine = standingWaveError(cells), order = log2(coarse / fine);
    if (!(order > 1.85 && order < 2.15))
      fail_msg("from %d to %d cells the error goes from %g to %g, order %.3f", cells / 2, cells,
               coarse, fine, order);
    coarse = fine;
  }
}

static void pointSourcesAreSymmetric(void **state) {
  enum { N = 41 };
  const clWaveSource source = {
      .x = 0.5, .y = 0.5, .radius = 0.05, .amplitude = 200, .frequency = 5, .ramp = 0.1};
  OWN(clWave) *wave =
      createWave(&(clWaveOptions){.nx = N, .ny = N, .layer = 6, .edge = {A, A, A, A}});
  CHECK(clWaveSources(wave, &source, 1));
  CHECK(clWaveStep(wave, 60));
  FREED float *u = heightsOf(wave);
  double largest = largestOf(u, N * N);
  assert_true(largest > 0.1);
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++) {
      double here = (double)u[j * N + i], turned = (double)u[i * N + j],
             mirrored = (double)u[j * N + N - 1 - i];
      assert_true(fabs(here - turned) <= symmetryError * largest &&
                  fabs(here - mirrored) <= symmetryError * largest);
    }
}

/* A line across a channel sends plane waves of height amplitude * radius sqrt(pi) / (2 c w) exp(-(w
 * radius / 2c)^2). */
static void lineSourcesSendPlaneWaves(void **state) {
  enum { N = 300 };
  const double radius = 0.02, frequency = 5, omega = 2 * pi * frequency;
  const clWaveSource source = {.x = 0.5,
                               .y = 0.02,
                               .dy = 1,
                               .radius = radius,
                               .amplitude = 1000,
                               .frequency = frequency,
                               .ramp = 0.2};
  OWN(clWave) *wave =
      createWave(&(clWaveOptions){.nx = N, .ny = 12, .h = 1. / N, .edge = {A, A, R, R}});
  CHECK(clWaveSources(wave, &source, 1));
  stepUntil(wave, 1.2);
  FREED float *u = heightsOf(wave);
  double expected = 1000 * radius * sqrt(pi) / (2 * omega) * exp(-pow(omega * radius / 2, 2)),
         high = 0;
  for (int i = 200; i < 270; i++) {
    high = fmax(high, (double)u[6 * N + i]);
    assert_true(fabsf(u[i] - u[6 * N + i]) <= (float)(symmetryError * expected));
  }
  if (!(fabs(high - expected) <= speedError * expected))
    fail_msg("waves of height %g instead of %g", high, expected);
}

/* Nothing passes a wall, walls stay at 0, and an opening lets waves through. */
static void wallsHoldWavesBack(void **state) {
  enum { N = 40 };
  uint8_t solid[N * N] = {0};
  for (int j = 0; j < N; j++)
    solid[j * N + 20] = 1;
  OWN(clWave) *wave = createWave(&(clWaveOptions){.nx = N, .ny = N});
  CHECK(clWaveWalls(wave, solid));
  /* its foot reaches across the wall */
  CHECK(clWaveDrop(wave, 0.4, 0.5, 0.05, 1));
  CHECK(clWaveUpload(wave, NULL, NULL));
  CHECK(clWaveDrop(wave, 0.2, 0.5, 0.05, 1));
  for (int open = 0; open < 2; open++) {
    CHECK(clWaveStep(wave, 70));
    float *u = heightsOf(wave);
    double left = 0, behind = 0;
    for (int k = 0; k < N * N; k++) {
      if (k % N == 20 && solid[k])
        assert_true(u[k] == 0);
      double *side = k % N < 20 ? &left : &behind;
      *side = fmax(*side, fabs((double)u[k]));
    }
    assert_true(left > 0.02);
    assert_true(open ? behind > 0.005 : behind == 0);
    free(u);
    solid[18 * N + 20] = solid[19 * N + 20] = 0;
    CHECK(clWaveWalls(wave, solid));
  }
  memset(solid, 1, sizeof solid);
  CHECK(clWaveWalls(wave, solid));
  assert_true(energyOf(wave) == 0);
  CHECK(clWaveWalls(wave, NULL));
  CHECK(clWaveDrop(wave, 0.2, 0.5, 0.05, 1));
  CHECK(clWaveStep(wave, 1));
  assert_true(energyOf(wave) > 0);
}

static void takeState(clWave *wave, float *u[TEXLA_WAVE_STATE], bool save) {
  clVector *vector[TEXLA_WAVE_STATE];
  int count = clWaveState(wave, vector);
  assert_int_equal(count, 4);
  for (int k = 0; k < count; k++)
    CHECK(save ? clVectorDownload(vector[k], u[k]) : clVectorUpload(vector[k], u[k]));
}

static void savedWavesGoOnBitForBit(void **state) {
  enum { NX = 33, NY = 27, N = NX * NY };
  float *u[TEXLA_WAVE_STATE];
  for (int k = 0; k < TEXLA_WAVE_STATE; k++)
    u[k] = floats(N);
  const clWaveOptions options = {.nx = NX, .ny = NY, .layer = 5, .edge = {A, A, P, P}};
  OWN(clWave) *first = createWave(&options), *second = createWave(&options);
  CHECK(clWaveSources(first, someSources, SOURCES));
  CHECK(clWaveSources(second, someSources, SOURCES));
  CHECK(clWaveDrop(first, 0.3, 0.3, 0.1, 1));
  CHECK(clWaveStep(first, 41));
  takeState(first, u, true);
  takeState(second, u, false);
  CHECK(clWaveResume(second, 41));
  assert_true(clWaveInspect(second).time == clWaveInspect(first).time);
  CHECK(clWaveStep(first, 30));
  CHECK(clWaveStep(second, 30));
  float *a = heightsOf(first), *b = heightsOf(second);
  assert_memory_equal(a, b, N * sizeof *a);
  free(a);
  free(b);
  for (int k = 0; k < TEXLA_WAVE_STATE; k++)
    free(u[k]);
}

/* One pass; one more for sources, and one for layers. Nothing is read back, uploaded, compiled or
 * allocated. */
static void stepsAreFewPasses(void **state) {
  for (int c = 0; c < 4; c++) {
    bool absorbs = c & 1, forced = c & 2;
    OWN(clWave) *wave = createWave(
        &(clWaveOptions){.nx = 40, .ny = 36, .layer = 4, .edge = {absorbs ? A : R, R, P, P}});
    if (forced)
      CHECK(clWaveSources(wave, someSources, SOURCES));
    CHECK(clWaveDrop(wave, 0.5, 0.3, 0.1, 1));
    CHECK(clWaveStep(wave, 2));
    clContextCounters before = clContextStatistics(context);
    CHECK(clWaveStep(wave, 50));
    clContextCounters after = clContextStatistics(context);
    assert_int_equal(after.passes - before.passes, 50 * (1 + forced + absorbs));
    assert_int_equal(after.readbacks, before.readbacks);
    assert_int_equal(after.uploads, before.uploads);
    assert_int_equal(after.programs, before.programs);
    assert_int_equal(after.bytes_used, before.bytes_used);
    assert_int_equal(after.bytes_peak, before.bytes_peak);
  }
}

/* The equation of an implicit step, in double from three levels on the device:
 * x(t+1) - 2 x(t) + x(t-1) = beta div(s^2 grad) of an average over time + dt^2 f. */
static void checkEquation(const WaveLoop *loop, float *const level[3], const double weight[3]) {
  const clWaveInfo *info = &loop->info;
  FREED double *mean = calloc((size_t)loopPoints(loop), sizeof *mean);
  for (int k = 0; k < loopPoints(loop); k++)
    for (int t = 0; t < 3; t++)
      mean[k] += weight[t] * (double)level[t][k];
  for (int k = 0; k < loopPoints(loop); k++) {
    int i = k % info->nx, j = k / info->nx;
    double change = (double)level[2][k] - 2 * (double)level[1][k] + (double)level[0][k];
    double pull =
        info->beta * loopLaplacian(loop, mean, i, j) + info->dt * info->dt * loopForce(loop, i, j);
    if (!(fabs(change - pull) <= implicitError * (1 + info->beta)))
      fail_msg("scheme %d, point %d: %g instead of %g", (int)info->scheme, k, change, pull);
  }
}

static void implicitStepsSolveTheirEquation(void **state) {
  enum { NX = 17, NY = 14 };
  static const double weights[][3] = {
      [TEXLA_WAVE_CRANK_NICOLSON] = {0, 0.5, 0.5}, [TEXLA_WAVE_CONSERVING] = {0.25, 0.5, 0.25}};
  static const clPreconditioner preconditioners[] = {
      TEXLA_PRECONDITIONER_NONE, TEXLA_PRECONDITIONER_JACOBI, TEXLA_PRECONDITIONER_MG};
  for (int c = 0; c < 12; c++) {
    clWaveScheme scheme = c % 2 ? TEXLA_WAVE_CRANK_NICOLSON : TEXLA_WAVE_CONSERVING;
    const clWaveEdge *x = pairs[c / 2 % 2 ? 5 : 0];
    OWN(clWave) *wave = createWave(&(clWaveOptions){.preconditioner = preconditioners[c / 4],
                                                    .nx = NX,
                                                    .ny = NY,
                                                    .edge = {x[0], x[1], P, P},
                                                    .scheme = scheme,
                                                    .dt = 0.1,
                                                    .tolerance = 1e-7});
    clWaveInfo info = clWaveInspect(wave);
    AT_END(loopDestroy) WaveLoop loop = loopCreate(&info);
    float *u = floats(NX * NY), *v = floats(NX * NY), *speed = floats(NX * NY), *level[3];
    uint8_t *solid = calloc(NX * NY, 1);
    makeMedium(speed, solid, &info);
    loopMedium(&loop, speed, solid);
    fillRandom(u, NX * NY, 3);
    CHECK(clWaveSpeed(wave, speed));
    CHECK(clWaveWalls(wave, solid));
    CHECK(clWaveSources(wave, someSources, SOURCES));
    memcpy(loop.source, someSources, sizeof someSources);
    loop.sources = SOURCES;
    CHECK(clWaveUpload(wave, u, v));
    for (int t = 0; t < 3; t++) {
      level[t] = heightsOf(wave);
      loop.info.time = t == 1 ? clWaveInspect(wave).time : loop.info.time;
      CHECK(clWaveStep(wave, 1));
    }
    assert_true(clWaveInspect(wave).residual > 0 && clWaveInspect(wave).residual <= 1e-6);
    checkEquation(&loop, level, weights[scheme]);
    for (int t = 0; t < 3; t++)
      free(level[t]);
    free(u);
    free(v);
    free(speed);
    free(solid);
  }
}

static void refuses(const clWaveOptions *options, clStatus status, const char *text) {
  clWave *wave = NULL;
  assert_int_equal(clWaveCreate(&wave, context, options), status);
  assert_null(wave);
  if (!strstr(clContextError(context)->message, text))
    fail_msg("the message is \"%s\", without \"%s\"", clContextError(context)->message, text);
}

static void combinationsThatCannotBeAreRefused(void **state) {
  refuses(&(clWaveOptions){.edge = {P}}, TEXLA_BAD_ARGUMENT,
          "the left edge is periodic, but not the right one");
  refuses(&(clWaveOptions){.edge = {R, R, A, P}}, TEXLA_BAD_ARGUMENT,
          "the top edge is periodic, but not the bottom");
  refuses(&(clWaveOptions){.edge = {R, R, (clWaveEdge)9}}, TEXLA_BAD_ARGUMENT, "the bottom edge");
  refuses(&(clWaveOptions){.edge = {R, A}, .scheme = TEXLA_WAVE_CONSERVING}, TEXLA_UNSUPPORTED,
          "the right edge absorbs, which takes the explicit scheme");
  refuses(&(clWaveOptions){.nx = 32, .edge = {A, A}}, TEXLA_BAD_ARGUMENT,
          "do not fit into the 32 columns");
  refuses(&(clWaveOptions){.preconditioner = TEXLA_PRECONDITIONER_AMG}, TEXLA_BAD_ARGUMENT,
          "not amg");
  refuses(&(clWaveOptions){.layer = -1}, TEXLA_BAD_ARGUMENT, "layer");
}

static void speedsThatCannotBeAreRefused(void **state) {
  enum { N = 10 };
  OWN(clWave) *wave = createWave(&(clWaveOptions){.nx = N, .ny = N, .dt = 0.05, .c = 1});
  float speed[N * N];
  for (int k = 0; k < N * N; k++)
    speed[k] = k == 37 ? 1.5f : 1;
  assert_int_equal(clWaveSpeed(wave, speed), TEXLA_BAD_ARGUMENT);
  const char *allowed = strstr(clContextError(context)->message, "allowed dt is ");
  assert_non_null(allowed);
  assert_true(fabs(strtod(allowed + 14, NULL) - 0.1 / 1.5 / sqrt(2)) < 1e-8);
  assert_true(clWaveInspect(wave).fastest == 1);
  speed[37] = 1.4f;
  CHECK(clWaveSpeed(wave, speed));
  assert_true(fabs(clWaveInspect(wave).fastest - 1.4) < 1e-6 &&
              fabs(clWaveInspect(wave).dt_max - 0.1 / 1.4 / sqrt(2)) < 1e-8);
  CHECK(clWaveDrop(wave, 0.4, 0.4, 0.2, 1));
  CHECK(clWaveStep(wave, 1000));
  float *u = heightsOf(wave);
  assert_true(largestOf(u, N * N) < 4);
  free(u);
  static const float bad[] = {0, -1, NAN, INFINITY, 1e30f, 1e-30f};
  for (int b = 0; b < 6; b++) {
    speed[3] = bad[b];
    assert_int_equal(clWaveSpeed(wave, speed), TEXLA_BAD_ARGUMENT);
    assert_non_null(strstr(clContextError(context)->message, "point (3, 0)"));
  }
  CHECK(clWaveSpeed(wave, NULL));
  assert_true(clWaveInspect(wave).fastest == 1);
}

static void sourcesThatCannotBeAreRefused(void **state) {
  OWN(clWave) *wave = createWave(&(clWaveOptions){.nx = 20, .ny = 20});
  const clWaveSource bad[] = {{.radius = 0},
                              {.radius = -1},
                              {.radius = 1, .x = NAN},
                              {.radius = INFINITY},
                              {.radius = 1, .ramp = -1},
                              {.radius = 1, .frequency = 100}};
  for (int k = 0; k < (int)(sizeof bad / sizeof *bad); k++)
    assert_int_equal(clWaveSources(wave, &bad[k], 1), TEXLA_BAD_ARGUMENT);
  assert_non_null(strstr(clContextError(context)->message, "cannot follow frequency 100"));
  clWaveSource many[TEXLA_WAVE_SOURCES + 1];
  for (int k = 0; k <= TEXLA_WAVE_SOURCES; k++)
    many[k] = (clWaveSource){.x = 0.1 * k, .y = 0.5, .radius = 0.1, .amplitude = 1};
  assert_int_equal(clWaveSources(wave, many, TEXLA_WAVE_SOURCES + 1), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clWaveSources(wave, NULL, 1), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clWaveSources(wave, many, -1), TEXLA_BAD_ARGUMENT);
  CHECK(clWaveStep(wave, 3));
  assert_true(energyOf(wave) == 0);
  CHECK(clWaveSources(wave, many, TEXLA_WAVE_SOURCES));
  CHECK(clWaveStep(wave, 3));
  double energy = energyOf(wave);
  assert_true(energy > 0);
  CHECK(clWaveSources(wave, NULL, 0));
  CHECK(clWaveStep(wave, 30));
  CHECK(clWaveStep(wave, 1));
  const clVector *field = NULL;
  assert_int_equal(clWaveGet(&field, wave, TEXLA_WAVE_FIELDS), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clWaveResume(wave, -1), TEXLA_BAD_ARGUMENT);
}

TEST_MAIN(setUp, testContextDestroy, edgesOfAllKindsAreThoseOfALoop, sizesAreThoseOfALoop,
          energyIsConservedAmongWallsAndSpeeds, densityAddsUpToTheEnergy,
          periodicWavesTravelAsPredicted, dropsCrossPeriodicEdges, absorbingEdgesAbsorb,
          absorbingEdgesAbsorbAtAnAngle, absorbingEdgesStayCalm, slowWaterRefractsAsPredicted,
          varyingSpeedsConvergeInSecondOrder, pointSourcesAreSymmetric, lineSourcesSendPlaneWaves,
          wallsHoldWavesBack, savedWavesGoOnBitForBit, stepsAreFewPasses,
          implicitStepsSolveTheirEquation, combinationsThatCannotBeAreRefused,
          speedsThatCannotBeAreRefused, sourcesThatCannotBeAreRefused)
