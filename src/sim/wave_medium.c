/* What waves run through: options, edges, walls and local speeds, and the matrices made of them. */
#include "sim/wave.h"
#include "core/allocate.h"
#include "core/try.h"
#include "sim/options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Layers work on the explicit scheme's flux, which implicit schemes do not have. */
static clStatus checkEdges(clContext *context, const char *call, const clWaveOptions *o) {
  clError *error = txContextError(context);
  for (int s = 0; s < 4; s++) {
    if ((unsigned)o->edge[s] > TEXLA_WAVE_EDGE_PERIODIC)
      return txFail(error, TEXLA_BAD_ARGUMENT, call, "the %s edge is of an unknown kind %d",
                    txSideName(s), (int)o->edge[s]);
    if (o->edge[s] == TEXLA_WAVE_EDGE_PERIODIC && o->edge[s ^ 1] != TEXLA_WAVE_EDGE_PERIODIC)
      return txFail(error, TEXLA_BAD_ARGUMENT, call, "the %s edge is periodic, but not the %s one",
                    txSideName(s), txSideName(s ^ 1));
    if (o->edge[s] == TEXLA_WAVE_EDGE_ABSORBING && o->scheme != TEXLA_WAVE_EXPLICIT)
      return txFail(error, TEXLA_UNSUPPORTED, call,
                    "the %s edge absorbs, which takes the explicit scheme; implicit ones have "
                    "reflecting, fixed and periodic edges",
                    txSideName(s));
  }
  return TEXLA_OK;
}

/* The layers of opposite edges must leave a point between them. */
static clStatus checkLayers(const clWaveInfo *info, clContext *context, const char *call) {
  static const char *const name[] = {"columns", "rows"};
  const int n[] = {info->nx, info->ny};
  for (int axis = 0; axis < 2; axis++) {
    int layers = 0;
    for (int s = 0; s < 2; s++)
      if (info->edge[2 * axis + s] == TEXLA_WAVE_EDGE_ABSORBING)
        layers += info->layer;
    if (layers >= n[axis])
      return txFail(
          txContextError(context), TEXLA_BAD_ARGUMENT, call,
          "the absorbing layers of %d points do not fit into the %d %s; set `layer` to less",
          info->layer, n[axis], name[axis]);
  }
  return TEXLA_OK;
}

/* A length or a time that is not given is zero, and gets its default later. */
static bool isGivenOrZero(double value) {
  return value == 0 || txIsPositive(value);
}

static clStatus checkOptions(clContext *context, const char *call, const clWaveOptions *o) {
  clError *error = txContextError(context);
  if (o->nx < 0 || o->ny < 0 || o->layer < 0)
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "the grid of %d x %d points and the layer of %d must not be negative", o->nx,
                  o->ny, o->layer);
  if (!isGivenOrZero(o->h) || !isGivenOrZero(o->c) || !isGivenOrZero(o->dt))
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "h (%g), c (%g) and dt (%g) must be positive and finite", o->h, o->c, o->dt);
  if ((unsigned)o->scheme > TEXLA_WAVE_CONSERVING || !(o->tolerance >= 0 && o->tolerance < 1))
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "unknown scheme %d, or tolerance (%g) is not in [0, 1)", (int)o->scheme,
                  o->tolerance);
  if ((unsigned)o->preconditioner > TEXLA_PRECONDITIONER_MG)
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "the preconditioner must be none, jacobi, chebyshev or mg, not %s",
                  clPreconditionerName(o->preconditioner));
  return checkEdges(context, call, o);
}

/* Single precision holds all of 2 - sum of up to four links when each is a multiple of this, and at
 * most beta; in corners of fixed edges two of them count twice. */
static double unitOf(double beta) {
  return exp2(ceil(log2(fmax(6 * beta, 2))) - 24);
}

/* The multiple of a unit that is nearest. */
static double roundTo(double value, double unit) {
  return round(value / unit) * unit;
}

/* beta times the largest weight of a link: what must not exceed 1/2 when the scheme is explicit */
static double largestBeta(const clWaveInfo *info) {
  double courant = info->fastest * info->dt / info->h;
  return courant * courant;
}

/* A beta of less than half a unit is rounded to nothing, beside one above 10^6 the 2 of 2 - beta L
 * would be. The dt that is proposed lies within: its beta is 2^-22, or 999^2. */
static clStatus failAsImprecise(const clWaveInfo *info, double beta, clError *error,
                                const char *call) {
  const char *too = "large", *last = "largest";
  double courant = 999;
  if (beta < 1) {
    too = "small";
    last = "smallest";
    courant = 0x1p-11;
  }
  return txFail(error, TEXLA_BAD_ARGUMENT, call,
                "dt = %g makes beta = (c dt / h)^2 = %g, too %s for single precision; the %s "
                "useful dt is %g",
                info->dt, beta, too, last, info->h / info->c * courant);
}

/* The explicit scheme is stable while (fastest dt / h)^2 <= 1/2; implicit ones always are, and two
 * cells a step are what they are still accurate with. */
clStatus txWaveChooseStep(clWaveInfo *info, double fastest, clContext *context, const char *call) {
  /* a dt copied from the message below is fine */
  const double slack = 1 + 1e-6;
  clError *error = txContextError(context);
  bool implicit = txWaveImplicit(info);
  double usual = 2 * info->h / fastest, most_beta = INFINITY;
  info->fastest = fastest;
  info->dt_max = INFINITY;
  if (!implicit) {
    info->dt_max = info->h / fastest * sqrt(0.5);
    usual = 0.9 * info->dt_max;
    most_beta = 0.5;
  }
  txUsual(&info->dt, usual);
  double courant = info->c * info->dt / info->h, beta = courant * courant,
         largest = largestBeta(info);
  if (!implicit && !(largest <= 0.5 * slack))
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "dt = %g makes beta = (c dt / h)^2 = %g where the speed c is %g, but the "
                  "explicit scheme is stable up to 1/2 only; the largest allowed dt is %.9g",
                  info->dt, largest, fastest, info->dt_max);
  info->beta = fmin(roundTo(beta, unitOf(largest)), most_beta);
  if (info->beta == 0 || !(largest < 1e6))
    return failAsImprecise(info, beta, error, call);
  return TEXLA_OK;
}

/* By default the domain is one unit wide, waves have the speed 1, and layers 16 points. */
clStatus txWaveChoose(clWaveInfo *info, clContext *context, const char *call,
                      const clWaveOptions *o) {
  TRY(checkOptions(context, call, o));
  *info = (clWaveInfo){
      .nx = o->nx, .ny = o->ny, .scheme = o->scheme, .dt = o->dt, .h = o->h, .c = o->c};
  txUsualInteger(&info->nx, 256);
  txUsualInteger(&info->ny, 256);
  txUsual(&info->h, 1. / info->nx);
  txUsual(&info->c, 1);
  for (int s = 0; s < 4; s++) {
    info->edge[s] = o->edge[s];
    if (o->edge[s] == TEXLA_WAVE_EDGE_ABSORBING)
      info->layer = o->layer;
    if (o->edge[s] == TEXLA_WAVE_EDGE_ABSORBING)
      txUsualInteger(&info->layer, 16);
  }
  info->width = info->nx * info->h;
  info->height = info->ny * info->h;
  TRY(checkLayers(info, context, call));
  return txWaveChooseStep(info, info->c, context, call);
}

/* The weight of the link from (i, j) in direction (dx, dy), and the point there: -1 across a fixed
 * edge, where the height is the opposite of that of (i, j). 0: no link. The weight is the harmonic
 * mean of both points' (s / c)^2, as where currents flow through two resistors: a point in a wall,
 * 0, has no links. */
static double linkOf(const clWave *wave, const float *medium, int i, int j, int dx, int dy,
                     int64_t *other) {
  const clWaveInfo *info = &wave->info;
  const int n[] = {info->nx, info->ny};
  int axis = dy != 0, at[] = {i + dx, j + dy};
  double a = (double)medium[(int64_t)j * info->nx + i];
  *other = -1;
  if (at[axis] < 0 || at[axis] >= n[axis]) {
    clWaveEdge edge = info->edge[2 * axis + (at[axis] >= n[axis])];
    if (edge == TEXLA_WAVE_EDGE_FIXED)
      return a;
    if (edge != TEXLA_WAVE_EDGE_PERIODIC)
      return 0;
    at[axis] = (at[axis] + n[axis]) % n[axis];
  }
  *other = (int64_t)at[1] * info->nx + at[0];
  double b = (double)medium[*other];
  if (!(a + b > 0))
    return 0;
  return 2 * a * b / (a + b);
}

/* Adds to an entry of the row that begins at `first`, its columns ascending. */
static void addEntry(clTriplets *A, int64_t first, int32_t row, int32_t column, double value) {
  int64_t k = A->count;
  while (k > first && A->col[k - 1] > column)
    k--;
  if (k > first && A->col[k - 1] == column) {
    A->value[k - 1] += value;
    return;
  }
  for (int64_t e = A->count++; e > k; e--) {
    A->row[e] = A->row[e - 1];
    A->col[e] = A->col[e - 1];
    A->value[e] = A->value[e - 1];
  }
  A->row[k] = row;
  A->col[k] = column;
  A->value[k] = value;
}

/* Row (i, j) of a - b L; `a` comes in walls only where `keeps`. Links are rounded first and summed
 * then, so that a row sums to a exactly, and a wave that is the same everywhere stays so. */
static void addRow(clTriplets *A, const clWave *wave, const float *medium, int i, int j, double a,
                   double b, bool keeps) {
  static const int way[4][2] = {{0, -1}, {-1, 0}, {1, 0}, {0, 1}};
  const double unit = unitOf(largestBeta(&wave->info));
  double limit = 0.5;
  if (txWaveImplicit(&wave->info))
    limit = INFINITY;
  int64_t first = A->count;
  int32_t row = j * wave->info.nx + i;
  double sum = 0;
  for (int d = 0; d < 4; d++) {
    int64_t other;
    double link = fmin(
        roundTo(fabs(b) * linkOf(wave, medium, i, j, way[d][0], way[d][1], &other), unit), limit);
    link = copysign(link, b);
    if (other < 0)
      link *= 2;
    if (link == 0 || other == row)
      continue;
    sum += link;
    if (other >= 0)
      addEntry(A, first, row, (int32_t)other, link);
  }
  if (keeps || medium[row] > 0)
    addEntry(A, first, row, row, a - sum);
}

/* a - b L; the caller destroys *triplets, also after a failure. */
static clStatus createMatrix(clMatrix **out, clTriplets **triplets, const clWave *wave,
                             const float *medium, double a, double b, bool keeps) {
  const clWaveInfo *info = &wave->info;
  int64_t n = (int64_t)info->nx * info->ny;
  clTriplets *A = NULL;
  TRY(clTripletsCreate(&A, (int32_t)n, (int32_t)n, 5 * n, txWaveError(wave)));
  for (int j = 0; j < info->ny; j++)
    for (int i = 0; i < info->nx; i++)
      addRow(A, wave, medium, i, j, a, b, keeps);
  clMatrixOptions options = {
      .storage = TEXLA_STORAGE_BANDED, .grid_nx = info->nx, .grid_ny = info->ny};
  *triplets = A;
  return clMatrixCreate(out, wave->context, A, &options);
}

/* What stands in the implicit schemes' matrix 1 + weight beta L: how much of the pull is that of
 * the next level. */
static double weightOf(const clWave *wave) {
  if (wave->info.scheme == TEXLA_WAVE_CRANK_NICOLSON)
    return 0.5;
  return 0.25;
}

/* (s / c)^2, and 0 in walls */
static void fillMedium(float *medium, const clWave *wave) {
  for (int64_t k = 0; k < (int64_t)wave->info.nx * wave->info.ny; k++) {
    medium[k] = 0;
    if (!wave->solid[k])
      medium[k] = wave->speed[k] * wave->speed[k];
  }
}

/* wave->A and its solver */
static clStatus createSolver(clWave *wave, const float *medium) {
  clTriplets *triplets = NULL;
  clSolverOptions options = wave->solver;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(
      createMatrix(&wave->A, &triplets, wave, medium, 1, -weightOf(wave) * wave->info.beta, true));
  options.host = triplets;
  TRY_CLEANUP(clSolverCreate(&wave->cg, wave->A, &options));
cleanup:
  clTripletsDestroy(triplets);
  return status;
}

/* All that is made of the medium. */
static clStatus create(clWave *wave, const float *medium) {
  clTriplets *triplets = NULL;
  clStatus status = createMatrix(&wave->B, &triplets, wave, medium, 2, wave->info.beta, false);
  clTripletsDestroy(triplets);
  if (status)
    return status;
  if (txWaveImplicit(&wave->info))
    TRY(createSolver(wave, medium));
  TRY(clMatrixCreateVector(&wave->medium, wave->B, TEXLA_DOMAIN));
  return clVectorUpload(wave->medium, medium);
}

/* The same things, and no others. */
static void destroy(clWave *wave) {
  clVectorDestroy(wave->medium);
  clSolverDestroy(wave->cg);
  clMatrixDestroy(wave->A);
  clMatrixDestroy(wave->B);
}

/* The new ones stand beside the old ones until all of them are there; then one of both goes. */
clStatus txWaveBuild(clWave *wave, const char *call) {
  float *medium = txAllocate(txWaveError(wave), call, (size_t)wave->info.nx * (size_t)wave->info.ny,
                             sizeof *medium, "the matrices");
  if (!medium)
    return TEXLA_OUT_OF_MEMORY;
  clWave old = *wave;
  wave->A = wave->B = NULL;
  wave->cg = NULL;
  wave->medium = NULL;
  fillMedium(medium, wave);
  clStatus status = create(wave, medium);
  free(medium);
  if (status) {
    destroy(wave);
    *wave = old;
    return status;
  }
  destroy(&old);
  wave->info.storage = clMatrixDescription(wave->B);
  return TEXLA_OK;
}

/* now, before <- 0 in walls */
static clStatus clearWalls(clWave *wave) {
  for (int64_t k = 0; k < clVectorLength(wave->work); k++)
    wave->host[k] = !wave->solid[k];
  TRY(clVectorUpload(wave->work, wave->host));
  TRY(clVectorMul(wave->now, wave->now, wave->work));
  return clVectorMul(wave->before, wave->before, wave->work);
}

static void *allocate(const clWave *wave, const char *call, size_t size) {
  size_t points = (size_t)wave->info.nx * (size_t)wave->info.ny;
  return txAllocate(txWaveError(wave), call, points, size, "the points of a wave");
}

/* The matrices are made from wave->solid, so that it changes first and comes back if they cannot
 * be made. */
clStatus clWaveWalls(clWave *wave, const uint8_t *solid) {
  static const char call[] = "clWaveWalls";
  if (!wave)
    return TEXLA_BAD_ARGUMENT;
  size_t n = (size_t)wave->info.nx * (size_t)wave->info.ny;
  uint8_t *old = wave->solid;
  wave->solid = allocate(wave, call, 1);
  if (!wave->solid) {
    wave->solid = old;
    return TEXLA_OUT_OF_MEMORY;
  }
  for (size_t k = 0; k < n && solid; k++)
    wave->solid[k] = solid[k] != 0;
  clStatus status = txWaveBuild(wave, call);
  if (status) {
    free(wave->solid);
    wave->solid = old;
    return status;
  }
  free(old);
  return clearWalls(wave);
}

/* *fastest <- the largest local speed; fails where one is not positive. */
static clStatus checkSpeed(const clWave *wave, const float *speed, double *fastest,
                           const char *call) {
  *fastest = 0;
  for (int64_t k = 0; k < (int64_t)wave->info.nx * wave->info.ny; k++) {
    if (!txIsPositive((double)speed[k]) || !isnormal(speed[k] * speed[k]))
      return txFail(txWaveError(wave), TEXLA_BAD_ARGUMENT, call,
                    "speed %g of point (%d, %d) must be positive and finite (walls: clWaveWalls)",
                    (double)speed[k], (int)(k % wave->info.nx), (int)(k / wave->info.nx));
    *fastest = fmax(*fastest, (double)speed[k]);
  }
  *fastest *= wave->info.c;
  return TEXLA_OK;
}

/* beta and all that is made of it, for wave->speed */
static clStatus rebuild(clWave *wave, const char *call) {
  double fastest;
  TRY(checkSpeed(wave, wave->speed, &fastest, call));
  TRY(txWaveChooseStep(&wave->info, fastest, wave->context, call));
  return txWaveBuild(wave, call);
}

/* Faster points may need a shorter step, which a given dt may not be: then nothing changes. */
clStatus clWaveSpeed(clWave *wave, const float *speed) {
  static const char call[] = "clWaveSpeed";
  if (!wave)
    return TEXLA_BAD_ARGUMENT;
  size_t n = (size_t)wave->info.nx * (size_t)wave->info.ny;
  float *local = allocate(wave, call, sizeof *local), *old = wave->speed;
  if (!local)
    return TEXLA_OUT_OF_MEMORY;
  for (size_t k = 0; k < n; k++) {
    local[k] = 1;
    if (speed)
      local[k] = speed[k];
  }
  clWaveInfo info = wave->info;
  wave->speed = local;
  clStatus status = rebuild(wave, call);
  if (status) {
    wave->speed = old;
    wave->info = info;
    old = local;
  }
  free(old);
  return status;
}
