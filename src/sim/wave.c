/* clWave (K9, K10): the wave equation, one banded product per step, or one solve. Public operators only. */
#include "gl/context.h"
#include "texla/io.h"
#include "texla/sim.h"
#include "texla/solvers.h"

#include <math.h>
#include <stdlib.h>

struct clWave {
  clContext *context;
  clWaveInfo info;
  clMatrix *B;
  /* implicit: (1 + weight beta L) change = pull */
  clMatrix *A;
  clSolver *cg;
  clVector *change, *pull;
  clVector *now, *before; /* x(t), x(t-1) */
  clVector *work;
  clFloat *kinetic, *potential;
};

static double offsetOf(const clWaveInfo *info) {
  return info->edge == TEXLA_EDGE_FIXED ? 1 : 0.5;
}

static bool isPositive(double a) {
  return a > 0 && isfinite(a);
}

static clStatus checkOptions(clContext *context, const char *call, const clWaveOptions *o) {
  clError *error = txContextError(context);
  if (o->nx < 0 || o->ny < 0)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "the grid of %d x %d points must not be negative", o->nx, o->ny);
  if ((o->h != 0 && !isPositive(o->h)) || (o->c != 0 && !isPositive(o->c)) || (o->dt != 0 && !isPositive(o->dt)))
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "h (%g), c (%g) and dt (%g) must be positive and finite", o->h, o->c,
                  o->dt);
  if (o->edge != TEXLA_EDGE_REFLECTING && o->edge != TEXLA_EDGE_FIXED)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "unknown kind of edge %d", (int)o->edge);
  if ((unsigned)o->scheme > TEXLA_WAVE_CONSERVING || !(o->tolerance >= 0 && o->tolerance < 1))
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "unknown scheme %d, or tolerance (%g) is not in [0, 1)",
                  (int)o->scheme, o->tolerance);
  return TEXLA_OK;
}

/* beta = (c dt / h)^2, as near as single precision can hold all of beta, 2 - 2 beta, 2 - 3 beta and 2 - 4 beta. */
static double roundBeta(double beta) {
  double unit = exp2(ceil(log2(fmax(4 * beta, 2))) - 24);
  return round(beta / unit) * unit;
}

static clStatus chooseStep(clWaveInfo *info, clContext *context, const char *call) {
  const double slack = 1 + 1e-6; /* a dt copied from the message below is fine */
  clError *error = txContextError(context);
  bool implicit = info->scheme != TEXLA_WAVE_EXPLICIT;
  info->dt_max = implicit ? INFINITY : info->h / info->c * sqrt(0.5);
  if (info->dt == 0)
    info->dt = implicit ? 2 * info->h / info->c : 0.9 * info->dt_max;
  double courant = info->c * info->dt / info->h, beta = courant * courant;
  if (!implicit && !(beta <= 0.5 * slack))
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "dt = %g makes beta = (c dt / h)^2 = %g, but the explicit scheme is stable up to 1/2 only; the "
                  "largest allowed dt is %.9g",
                  info->dt, beta, info->dt_max);
  info->beta = implicit ? roundBeta(beta) : fmin(roundBeta(beta), 0.5);
  if (info->beta == 0 || !(info->beta < 1e6))
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "dt = %g makes beta = (c dt / h)^2 = %g, too %s for single precision; the %s useful dt is %g",
                  info->dt, beta, beta < 1 ? "small" : "large", beta < 1 ? "smallest" : "largest",
                  info->h / info->c * (beta < 1 ? 0x1p-11 : 999));
  return TEXLA_OK;
}

static clStatus chooseInfo(clWaveInfo *info, clContext *context, const char *call, const clWaveOptions *o) {
  clStatus status = checkOptions(context, call, o);
  if (status)
    return status;
  *info = (clWaveInfo){
      .nx = o->nx ? o->nx : 256, .ny = o->ny ? o->ny : 256, .edge = o->edge, .scheme = o->scheme, .dt = o->dt};
  info->h = o->h != 0 ? o->h : 1. / info->nx;
  info->c = o->c != 0 ? o->c : 1;
  info->width = (info->nx - 1 + 2 * offsetOf(info)) * info->h;
  info->height = (info->ny - 1 + 2 * offsetOf(info)) * info->h;
  return chooseStep(info, context, call);
}

/* A <- a I - b L, where L is the five-point matrix of the zero boundary; at a wall that reflects, the missing neighbour
 * equals the point itself. */
static void fillMatrix(clTriplets *A, const clWaveInfo *info, double a, double b) {
  for (int64_t k = 0, first = 0; k < A->count; k = first) {
    int64_t diagonal = k;
    for (; first < A->count && A->row[first] == A->row[k]; first++) {
      if (A->col[first] == A->row[k])
        diagonal = first;
      A->value[first] = b;
    }
    int64_t neighbours = info->edge == TEXLA_EDGE_FIXED ? 4 : first - k - 1;
    A->value[diagonal] = a - (double)neighbours * b;
  }
}

static clStatus createMatrix(clMatrix **out, clWave *wave, double a, double b) {
  const clWaveInfo *info = &wave->info;
  clTriplets *A = NULL;
  clStatus status = clGeneratePoisson2d(&A, info->nx, info->ny, txContextError(wave->context));
  if (!status) {
    fillMatrix(A, info, a, b);
    clMatrixOptions options = {.storage = TEXLA_STORAGE_BANDED, .grid_nx = info->nx, .grid_ny = info->ny};
    status = clMatrixCreate(out, wave->context, A, &options);
  }
  clTripletsDestroy(A);
  return status;
}

/* What stands in the implicit schemes' matrix 1 + weight beta L. */
static double weightOf(const clWave *wave) {
  return wave->info.scheme == TEXLA_WAVE_CRANK_NICOLSON ? 0.5 : 0.25;
}

static clStatus allocateSolver(clWave *wave, double tolerance) {
  clSolverOptions options = {.method = TEXLA_METHOD_CG, .tolerance = tolerance > 0 ? tolerance : 1e-6};
  clStatus status = createMatrix(&wave->A, wave, 1, -weightOf(wave) * wave->info.beta);
  if (!status)
    status = clVectorCreateLike(&wave->change, wave->now);
  if (!status)
    status = clVectorCreateLike(&wave->pull, wave->now);
  return status ? status : clSolverCreate(&wave->cg, wave->A, &options);
}

static clStatus allocate(clWave *wave, double tolerance) {
  clStatus status = createMatrix(&wave->B, wave, 2, wave->info.beta);
  if (!status)
    status = clMatrixCreateVector(&wave->now, wave->B, TEXLA_SIDE_COLS);
  if (!status)
    status = clVectorCreateLike(&wave->before, wave->now);
  if (!status)
    status = clVectorCreateLike(&wave->work, wave->now);
  if (!status)
    status = clFloatCreate(&wave->kinetic, wave->context);
  if (!status)
    status = clFloatCreate(&wave->potential, wave->context);
  if (!status && wave->info.scheme != TEXLA_WAVE_EXPLICIT)
    status = allocateSolver(wave, tolerance);
  return status;
}

clStatus clWaveCreate(clWave **out, clContext *context, const clWaveOptions *options) {
  static const char call[] = "clWaveCreate";
  static const clWaveOptions defaults = {0};
  clWaveInfo info;
  if (!out || !context)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call, "out and context must not be NULL");
  clStatus status = chooseInfo(&info, context, call, options ? options : &defaults);
  if (status)
    return status;
  clWave *wave = calloc(1, sizeof *wave);
  if (!wave)
    return txFail(txContextError(context), TEXLA_OUT_OF_MEMORY, call, "no memory for a clWave");
  wave->context = context;
  wave->info = info;
  status = allocate(wave, options ? options->tolerance : 0);
  if (status) {
    clWaveDestroy(wave);
    return status;
  }
  wave->info.storage = clMatrixDescription(wave->B);
  *out = wave;
  return TEXLA_OK;
}

void clWaveDestroy(clWave *wave) {
  if (!wave)
    return;
  clFloatDestroy(wave->potential);
  clFloatDestroy(wave->kinetic);
  clVectorDestroy(wave->work);
  clVectorDestroy(wave->before);
  clVectorDestroy(wave->now);
  clVectorDestroy(wave->pull);
  clVectorDestroy(wave->change);
  clSolverDestroy(wave->cg);
  clMatrixDestroy(wave->A);
  clMatrixDestroy(wave->B);
  free(wave);
}

clWaveInfo clWaveInspect(const clWave *wave) {
  return wave ? wave->info : (clWaveInfo){.storage = ""};
}

const clVector *clWaveHeight(const clWave *wave) {
  return wave ? wave->now : NULL;
}

/* change <- A^-1 (-factor beta L z), by conjugate gradients from zero */
static clStatus solveChange(clWave *wave, const clVector *z, float factor) {
  clSolverReport report = {0};
  clStatus status = clVectorScale(wave->change, 2, NULL, z);
  if (!status)
    status = clMatrixVectorOp(wave->pull, TEXLA_AX_MINUS_B, wave->B, false, z, wave->change);
  if (!status)
    status = clVectorScale(wave->pull, factor, NULL, wave->pull);
  if (!status)
    status = clVectorClear(wave->change);
  if (!status)
    status = clSolverSolve(wave->cg, wave->change, wave->pull, &report);
  wave->info.iterations = report.iterations;
  return status;
}

/* The same for the implicit schemes: before <- before + u + change / 2, with the change of u from rest. */
static clStatus addAtRestImplicit(clWave *wave) {
  clStatus status = solveChange(wave, wave->work, 1);
  if (status >= 0)
    status = clVectorAxpy(wave->before, 1, NULL, wave->work);
  if (!status)
    status = clVectorAxpy(wave->before, 0.5f, NULL, wave->change);
  return status ? status : clVectorAxpy(wave->now, 1, NULL, wave->work);
}

/* before <- before + B work / 2: what was x(t-1) when x(t) = work had no velocity. Then work <- u, now <- now + u. */
static clStatus addAtRest(clWave *wave, const float *u) {
  clStatus status = clVectorUpload(wave->work, u);
  if (!status && wave->cg)
    return addAtRestImplicit(wave);
  if (!status)
    status = clVectorScale(wave->work, 0.5f, NULL, wave->work);
  if (!status)
    status = clMatrixVectorOp(wave->before, TEXLA_AX_PLUS_B, wave->B, false, wave->work, wave->before);
  return status ? status : clVectorAxpy(wave->now, 2, NULL, wave->work);
}

/* x(t-1) = x(t) - dt u_t + 1/2 dt^2 u_tt, and dt^2 u_tt = B x - 2 x */
clStatus clWaveUpload(clWave *wave, const float *height, const float *velocity) {
  if (!wave)
    return TEXLA_BAD_ARGUMENT;
  clStatus status = clVectorClear(wave->now);
  if (!status)
    status = clVectorClear(wave->before);
  if (!status && height)
    status = addAtRest(wave, height);
  if (!status && velocity)
    status = clVectorUpload(wave->work, velocity);
  if (!status && velocity)
    status = clVectorAxpy(wave->before, -(float)wave->info.dt, NULL, wave->work);
  wave->info.steps = 0;
  wave->info.time = 0;
  return status;
}

/* The first and the last grid point (exclusive) of `count` that lie within `reach` of the point at; in grid steps. */
static void clip(int range[2], double at, double reach, int count) {
  range[0] = (int)fmin(fmax(ceil(at - reach), 0), count);
  range[1] = (int)fmin(fmax(floor(at + reach) + 1, range[0]), count);
}

static void drawDrop(float *u, const clWaveInfo *info, double x, double y, double radius, double height) {
  const double reach = 4.5; /* exp(-reach^2) is below single precision's resolution */
  int columns[2], rows[2];
  double cx = x / info->h - offsetOf(info), cy = y / info->h - offsetOf(info), r = radius / info->h;
  clip(columns, cx, reach * r, info->nx);
  clip(rows, cy, reach * r, info->ny);
  for (int j = rows[0]; j < rows[1]; j++)
    for (int i = columns[0]; i < columns[1]; i++) {
      double dx = (i - cx) / r, dy = (j - cy) / r;
      u[(size_t)j * (size_t)info->nx + (size_t)i] = (float)(height * exp(-(dx * dx + dy * dy)));
    }
}

clStatus clWaveDrop(clWave *wave, double x, double y, double radius, double height) {
  static const char call[] = "clWaveDrop";
  if (!wave)
    return TEXLA_BAD_ARGUMENT;
  if (!isfinite(x) || !isfinite(y) || !isPositive(radius) || !isfinite((float)height))
    return txFail(txContextError(wave->context), TEXLA_BAD_ARGUMENT, call,
                  "x (%g), y (%g) and height (%g) must be finite, radius (%g) also positive", x, y, height, radius);
  float *u = calloc((size_t)clVectorLength(wave->now), sizeof *u);
  if (!u)
    return txFail(txContextError(wave->context), TEXLA_OUT_OF_MEMORY, call, "no memory for a drop");
  drawDrop(u, &wave->info, x, y, radius, height);
  clStatus status = addAtRest(wave, u);
  free(u);
  return status;
}

/* before <- 2 now - before + change */
static clStatus stepImplicit(clWave *wave) {
  bool damps = wave->info.scheme == TEXLA_WAVE_CRANK_NICOLSON;
  clStatus status = TEXLA_OK, solved = TEXLA_OK;
  if (damps)
    status = clVectorAdd(wave->work, 3, NULL, wave->now, -1, NULL, wave->before);
  if (!status)
    status = solved = solveChange(wave, damps ? wave->work : wave->now, damps ? 0.5f : 1);
  if (status >= 0)
    status = clVectorAdd(wave->before, 2, NULL, wave->now, -1, NULL, wave->before);
  if (!status)
    status = clVectorAxpy(wave->before, 1, NULL, wave->change);
  return status ? status : solved;
}

static clStatus stepOnce(clWave *wave) {
  return wave->cg ? stepImplicit(wave)
                  : clMatrixVectorOp(wave->before, TEXLA_AX_MINUS_B, wave->B, false, wave->now, wave->before);
}

clStatus clWaveStep(clWave *wave, int64_t count) {
  clStatus result = TEXLA_OK;
  if (!wave || count < 0)
    return txFail(wave ? txContextError(wave->context) : NULL, TEXLA_BAD_ARGUMENT, "clWaveStep",
                  "wave must not be NULL, count (%lld) not negative", (long long)count);
  for (; count > 0; count--) {
    clStatus status = stepOnce(wave);
    if (status < 0)
      return status;
    result = status ? status : result;
    clVector *next = wave->before;
    wave->before = wave->now;
    wave->now = next;
    wave->info.time = (double)++wave->info.steps * wave->info.dt;
  }
  return result;
}

/* The differences are formed before they are multiplied: the sums of squares would cancel. */
clStatus clWaveEnergy(clWave *wave, double *energy) {
  if (!wave || !energy)
    return txFail(wave ? txContextError(wave->context) : NULL, TEXLA_BAD_ARGUMENT, "clWaveEnergy",
                  "wave and energy must not be NULL");
  float sum = 0;
  const clVector *a = wave->now, *b = wave->before;
  clStatus status = TEXLA_OK;
  if (wave->cg) {
    status = clVectorAdd(wave->change, 0.5f, NULL, a, 0.5f, NULL, b);
    a = b = wave->change;
  }
  if (!status)
    status = clVectorScale(wave->work, 2, NULL, b);
  if (!status) /* work <- B b - 2 b */
    status = clMatrixVectorOp(wave->work, TEXLA_AX_MINUS_B, wave->B, false, b, wave->work);
  if (!status)
    status = clVectorDot(wave->potential, a, wave->work);
  if (!status)
    status = clVectorAdd(wave->work, 1, NULL, wave->now, -1, NULL, wave->before);
  if (!status)
    status = clVectorDot(wave->kinetic, wave->work, wave->work);
  if (!status)
    status = clFloatSub(wave->kinetic, wave->kinetic, wave->potential);
  if (!status)
    status = clFloatDownload(wave->kinetic, &sum);
  if (!status) {
    double rate = wave->info.h / wave->info.dt;
    *energy = 0.5 * rate * rate * (double)sum;
  }
  return status;
}
