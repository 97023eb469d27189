/* clWave (K9): the explicit wave equation, one banded product per step. Public operators only. */
#include "gl/context.h"
#include "texla/io.h"
#include "texla/sim.h"

#include <math.h>
#include <stdlib.h>

struct clWave {
  clContext *context;
  clWaveInfo info;
  clMatrix *B;
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
  return TEXLA_OK;
}

/* beta = (c dt / h)^2, as near as single precision can hold all of beta, 2 - 2 beta, 2 - 3 beta and 2 - 4 beta. */
static clStatus chooseStep(clWaveInfo *info, clContext *context, const char *call) {
  const double slack = 1 + 1e-6; /* a dt copied from the message below is fine */
  clError *error = txContextError(context);
  info->dt_max = info->h / info->c * sqrt(0.5);
  if (info->dt == 0)
    info->dt = 0.9 * info->dt_max;
  double courant = info->c * info->dt / info->h, beta = courant * courant;
  if (!(beta <= 0.5 * slack))
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "dt = %g makes beta = (c dt / h)^2 = %g, but the explicit scheme is stable up to 1/2 only; the "
                  "largest allowed dt is %.9g",
                  info->dt, beta, info->dt_max);
  info->beta = fmin(round(beta * 0x1p23) * 0x1p-23, 0.5);
  if (info->beta == 0)
    return txFail(
        error, TEXLA_BAD_ARGUMENT, call,
        "dt = %g makes beta = (c dt / h)^2 = %g, too small for single precision; the smallest useful dt is %g",
        info->dt, beta, info->h / info->c * 0x1p-11);
  return TEXLA_OK;
}

static clStatus chooseInfo(clWaveInfo *info, clContext *context, const char *call, const clWaveOptions *o) {
  clStatus status = checkOptions(context, call, o);
  if (status)
    return status;
  *info = (clWaveInfo){.nx = o->nx ? o->nx : 256, .ny = o->ny ? o->ny : 256, .edge = o->edge, .dt = o->dt};
  info->h = o->h != 0 ? o->h : 1. / info->nx;
  info->c = o->c != 0 ? o->c : 1;
  info->width = (info->nx - 1 + 2 * offsetOf(info)) * info->h;
  info->height = (info->ny - 1 + 2 * offsetOf(info)) * info->h;
  return chooseStep(info, context, call);
}

/* B = 2 I - beta L, where L is the five-point matrix of the zero boundary; at a wall that reflects, the missing neighbour
 * equals the point itself. */
static void fillMatrix(clTriplets *A, const clWaveInfo *info) {
  for (int64_t k = 0, first = 0; k < A->count; k = first) {
    int64_t diagonal = k;
    for (; first < A->count && A->row[first] == A->row[k]; first++) {
      if (A->col[first] == A->row[k])
        diagonal = first;
      A->value[first] = info->beta;
    }
    int64_t neighbours = info->edge == TEXLA_EDGE_FIXED ? 4 : first - k - 1;
    A->value[diagonal] = 2 - (double)neighbours * info->beta;
  }
}

static clStatus createMatrix(clWave *wave) {
  const clWaveInfo *info = &wave->info;
  clTriplets *A = NULL;
  clStatus status = clGeneratePoisson2d(&A, info->nx, info->ny, txContextError(wave->context));
  if (!status) {
    fillMatrix(A, info);
    clMatrixOptions options = {.storage = TEXLA_STORAGE_BANDED, .grid_nx = info->nx, .grid_ny = info->ny};
    status = clMatrixCreate(&wave->B, wave->context, A, &options);
  }
  clTripletsDestroy(A);
  return status;
}

static clStatus allocate(clWave *wave) {
  clStatus status = createMatrix(wave);
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
  status = allocate(wave);
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
  clMatrixDestroy(wave->B);
  free(wave);
}

clWaveInfo clWaveInspect(const clWave *wave) {
  return wave ? wave->info : (clWaveInfo){.storage = ""};
}

const clVector *clWaveHeight(const clWave *wave) {
  return wave ? wave->now : NULL;
}

/* before <- before + B work / 2: what was x(t-1) when x(t) = work had no velocity. Then work <- u, now <- now + u. */
static clStatus addAtRest(clWave *wave, const float *u) {
  clStatus status = clVectorUpload(wave->work, u);
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

clStatus clWaveStep(clWave *wave, int64_t count) {
  if (!wave || count < 0)
    return txFail(wave ? txContextError(wave->context) : NULL, TEXLA_BAD_ARGUMENT, "clWaveStep",
                  "wave must not be NULL, count (%lld) not negative", (long long)count);
  for (; count > 0; count--) {
    clStatus status = clMatrixVectorOp(wave->before, TEXLA_AX_MINUS_B, wave->B, false, wave->now, wave->before);
    if (status)
      return status;
    clVector *next = wave->before;
    wave->before = wave->now;
    wave->now = next;
    wave->info.time = (double)++wave->info.steps * wave->info.dt;
  }
  return TEXLA_OK;
}

/* The differences are formed before they are multiplied: the sums of squares would cancel. */
clStatus clWaveEnergy(clWave *wave, double *energy) {
  if (!wave || !energy)
    return txFail(wave ? txContextError(wave->context) : NULL, TEXLA_BAD_ARGUMENT, "clWaveEnergy",
                  "wave and energy must not be NULL");
  float sum = 0;
  clStatus status = clVectorScale(wave->work, 2, NULL, wave->before);
  if (!status) /* work <- B b - 2 b */
    status = clMatrixVectorOp(wave->work, TEXLA_AX_MINUS_B, wave->B, false, wave->before, wave->work);
  if (!status)
    status = clVectorDot(wave->potential, wave->now, wave->work);
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
