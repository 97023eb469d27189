/* Setting up geometric multigrid: coarse matrices, smoothers, the coarsest inverse. */
#include "multigrid/multigrid.h"
#include "core/allocate.h"
#include "gl/traits.h"

#include <math.h>
#include <stdlib.h>

/* Larger grids with varying coefficients are set up on the device. */
enum { DEVICE_POINTS = 64 * 64 };

static void sweepAll(txSweep *sweep, double factor) {
  for (int lane = 0; lane < 4; lane++)
    sweep->even[lane] = sweep->odd[lane] = (float)factor;
}

/* Roots of the Chebyshev polynomial on the part [low, high] of the spectrum of D^-1 A that the
 * coarse grid does not see. The bounds were chosen for the whole cycle: a little beyond the largest
 * eigenvalue for five points, less so for nine. */
static void chebyshev(txSweep *sweep, int count, double largest, bool nine) {
  const double pi = 3.14159265358979323846;
  double low = (nine ? 0.27 : 0.213) * largest, high = (nine ? 1.05 : 1.09) * largest;
  for (int k = 0; k < count; k++)
    sweepAll(&sweep[k],
             1 / (0.5 * (high + low) + 0.5 * (high - low) * cos(pi * (k + 0.5) / count)));
}

/* The lanes of one colour: (i + j) mod 2, or i mod 2 + 2 (j mod 2). */
static void sweepColour(txSweep *sweep, int colour, bool four) {
  for (int lane = 0; lane < 4; lane++) {
    sweep->even[lane] = colour == (lane & 1);
    sweep->odd[lane] = four ? colour == 2 + (lane & 1) : colour != (lane & 1);
  }
}

/* Chebyshev's roots once more, with the lines' matrix T instead of D. T^-1 A has eigenvalues in (0,
 * 2) when A is symmetric and positive definite, in pairs 1 +- mu (its lines are coupled with their
 * neighbours alone); those of error that oscillates across the lines lie in [1, 2]. */
static void chebyshevOfLines(txSweep *sweep, int count) {
  const double pi = 3.14159265358979323846, low = 0.9, high = 2;
  for (int k = 0; k < count; k++)
    sweepAll(&sweep[k],
             1 / (0.5 * (high + low) + 0.5 * (high - low) * cos(pi * (k + 0.5) / count)));
}

/* Sweeps over whole lines, along y and along x in turns: all lines, or every other one. */
static int planLines(txSweep *sweep, int count, const clMultigridOptions *o) {
  bool zebra = o->smoother == TEXLA_SMOOTHER_RED_BLACK;
  txSweep factor[TX_SWEEPS];
  for (int k = 0; k < count; k++)
    sweepAll(&factor[k], 2.0 / 3);
  if (o->smoother == TEXLA_SMOOTHER_CHEBYSHEV)
    chebyshevOfLines(factor, count);
  int n = 0;
  for (int k = 0; k < count; k++)
    for (int axis = 1; axis >= 0; axis--)
      for (int colour = 0; colour <= zebra; colour++, n++) {
        sweep[n] = factor[k];
        sweep[n].kind = axis ? TX_RELAX_LINES_Y : TX_RELAX_LINES_X;
        for (int lane = 0; lane < 4 && zebra; lane++) {
          sweep[n].even[lane] = axis ? colour == (lane & 1) : colour == 0;
          sweep[n].odd[lane] = axis ? colour == (lane & 1) : colour == 1;
        }
      }
  return n;
}

/* Fills the list of `count` sweeps, coloured ones in their colours; returns its length. */
static int planSweeps(txSweep *sweep, int count, const clMultigridOptions *o, bool nine,
                      double largest) {
  int colours = nine ? 4 : 2;
  if (o->smoother == TEXLA_SMOOTHER_CHEBYSHEV)
    chebyshev(sweep, count, largest, nine);
  for (int k = 0; k < count && o->smoother == TEXLA_SMOOTHER_JACOBI; k++)
    sweepAll(&sweep[k], (double)o->damping);
  if (o->smoother != TEXLA_SMOOTHER_RED_BLACK)
    return count;
  for (int k = 0; k < count * colours; k++)
    sweepColour(&sweep[k], k % colours, nine);
  return count * colours;
}

static void planSmoother(txLevel *level, const clMultigridOptions *o, bool lined, bool nine,
                         double largest) {
  if (lined) {
    level->pre = planLines(level->before, o->pre, o);
    level->post = planLines(level->after, o->post, o);
    return;
  }
  level->pre = planSweeps(level->before, o->pre, o, nine, largest);
  level->post = planSweeps(level->after, o->post, o, nine, largest);
}

/* Below a grid smoothed in halves: one sweep less, with a factor that makes up for it. */
static void planLess(txLevel *level, double largest) {
  level->post = 1;
  sweepAll(level->after, 1.07 / largest);
}

/* a <- a^-1 by Gauss-Jordan elimination with row pivots; false when it is singular. */
static bool invert(double *a, int n, int *order) {
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int i = k + 1; i < n; i++)
      p = fabs(a[i * n + k]) > fabs(a[p * n + k]) ? i : p;
    order[k] = p;
    if (a[p * n + k] == 0 || !isfinite(a[p * n + k]))
      return false;
    for (int j = 0; j < n && p != k; j++) {
      double t = a[k * n + j];
      a[k * n + j] = a[p * n + j];
      a[p * n + j] = t;
    }
    double pivot = 1 / a[k * n + k];
    a[k * n + k] = 1;
    for (int j = 0; j < n; j++)
      a[k * n + j] *= pivot;
    for (int i = 0; i < n; i++) {
      double f = a[i * n + k];
      if (i == k || f == 0)
        continue;
      a[i * n + k] = 0;
      for (int j = 0; j < n; j++)
        a[i * n + j] -= f * a[k * n + j];
    }
  }
  for (int k = n - 1; k >= 0; k--)
    for (int i = 0; i < n && order[k] != k; i++) {
      double t = a[i * n + k];
      a[i * n + k] = a[i * n + order[k]];
      a[i * n + order[k]] = t;
    }
  return true;
}

/* *out <- the inverse; with a kernel of constants the pseudo-inverse of a symmetric A, (A + s e
 * e^T)^-1 - e e^T / s, e = 1 / sqrt(n). The caller frees it. */
static clStatus invertCoarsest(double **out, const clMultigrid *mg, const txStencil *s,
                               const char *call) {
  int n = s->n[0] * s->n[1];
  double *a = txAllocate(txContextError(mg->context), call, (size_t)n * (size_t)n, sizeof *a,
                         "the coarsest matrix"),
         scale = 0;
  int *order = txAllocate(txContextError(mg->context), call, (size_t)n, sizeof *order,
                          "the coarsest matrix");
  clStatus status = TEXLA_OK;
  if (!a || !order)
    status = TEXLA_OUT_OF_MEMORY;
  if (!status)
    txStencilDense(a, s);
  for (int i = 0; i < n && !status && mg->singular; i++)
    scale = fmax(scale, fabs(a[i * n + i]));
  if (mg->singular && scale == 0)
    scale = 1;
  for (int i = 0; i < n * n && !status; i++)
    a[i] += scale / n;
  if (!status && !invert(a, n, order))
    status = txFail(txContextError(mg->context), TEXLA_SINGULAR, call,
                    "the matrix on the coarsest grid, %d x %d, is singular", s->n[0], s->n[1]);
  for (int i = 0; i < n * n && !status && mg->singular; i++)
    a[i] -= 1 / (scale * n);
  free(order);
  if (status)
    free(a);
  else
    *out = a;
  return status;
}

/* P in whatever storage suits it. */
static clStatus addProlongation(clMultigrid *mg, txLevel *level, const txStencil *s) {
  clTriplets *P = NULL;
  clStatus status = txStencilProlongation(&P, s, txContextError(mg->context));
  if (!status)
    status =
        clMatrixCreate(&level->P, mg->context, P, &(clMatrixOptions){.storage = TEXLA_STORAGE_CSR});
  if (!status)
    status = clMatrixCreateVector(&level->fine, level->P, TEXLA_SIDE_ROWS);
  if (!status)
    status = clMatrixCreateVector(&level->coarse, level->P, TEXLA_SIDE_COLS);
  clTripletsDestroy(P);
  return status;
}

static clStatus addVectors(clMultigrid *mg, txLevel *level, const char *call) {
  clVector **vector[] = {&level->r, &level->x, &level->rhs};
  clStatus status = TEXLA_OK;
  for (int i = level->host ? 1 : 0; i < (mg->levels > 1 ? 3 : 1) && !status; i++)
    status = txVectorCreate(vector[i], mg->context, call, &level->grid->layout);
  level->b = level->rhs;
  return status;
}

/* A grid of one line is smoothed point by point: where A is singular that line's matrix is, too. */
static bool isLined(const clMultigrid *mg, const int n[2]) {
  return mg->lined && n[0] > 1 && n[1] > 1;
}

static clStatus addLines(txLevel *level, const txStencil *s, const char *call) {
  clStatus status = TEXLA_OK;
  for (int axis = 0; axis < 2 && !status; axis++)
    status =
        txGridLines(&level->lines[axis], level->grid, s, axis ? TEXLA_AXIS_Y : TEXLA_AXIS_X, call);
  return status;
}

/* The level's matrix where it is to be used: on the host, on the device, or in between. */
static clStatus placeLevel(clMultigrid *mg, txLevel *level, const txStencil *s, bool coarsest,
                           const char *call) {
  bool finest = mg->levels == 1,
       host = !finest && (int64_t)s->n[0] * s->n[1] <= mg->options.host_points;
  double *inverse = NULL;
  clStatus status = coarsest ? invertCoarsest(&inverse, mg, s, call) : TEXLA_OK;
  level->n[0] = s->n[0];
  level->n[1] = s->n[1];
  if (!status && host)
    status = txHostGridCreate(&level->host, s, inverse, call, txContextError(mg->context));
  if (!status && !(host && level[-1].host))
    status = txGridCreate(&level->grid, mg->context, s, call);
  if (!status && level->grid)
    status = addVectors(mg, level, call);
  if (!status && isLined(mg, s->n) && !coarsest)
    status = host ? txHostGridLines(level->host, s, call, txContextError(mg->context))
                  : addLines(level, s, call);
  if (!status && coarsest && !host)
    status = txGridDenseCreate(&level->inverse, level->grid, inverse, call);
  free(inverse);
  return status;
}

/* One level from its stencil, and the stencil of the next one; none: this is the coarsest. */
static clStatus addLevel(clMultigrid *mg, txStencil *s, txStencil **next, const char *call) {
  clError *error = txContextError(mg->context);
  const clMultigridOptions *o = &mg->options;
  txLevel *level = &mg->level[mg->levels];
  bool filter = o->transfer == TEXLA_TRANSFER_FILTER;
  bool coarsest = (int64_t)s->n[0] * s->n[1] <= o->coarsest || mg->levels == TX_LEVELS - 1 ||
                  !txStencilChooseCoarsening(s, o->full_coarsening || mg->lined);
  clStatus status = TEXLA_OK;
  if (!coarsest)
    status = txStencilInterpolate(s, filter ? TX_INTERPOLATE_BILINEAR : TX_INTERPOLATE_OPERATOR,
                                  call, error);
  if (status)
    return status;
  mg->levels++;
  status = placeLevel(mg, level, s, coarsest, call);
  if (status || coarsest)
    return status;
  double largest =
      o->smoother == TEXLA_SMOOTHER_CHEBYSHEV && !isLined(mg, s->n) ? txStencilLargest(s) : 0;
  planSmoother(level, o, isLined(mg, s->n), s->nine, largest);
  if (mg->halves && mg->levels > 1 && mg->level[0].grid->plain)
    planLess(level, largest);
  if (o->transfer == TEXLA_TRANSFER_MATRIX && !level->host)
    status = addProlongation(mg, level, s);
  return status ? status : txStencilCoarsen(next, s, call, error);
}

/* Coefficients that vary on a large grid are multiplied out on the device. */
static bool worthTheDevice(const clMultigrid *mg, const txStencil *s) {
  bool wanted =
      mg->options.setup == TEXLA_SETUP_DEVICE ||
      (mg->options.setup == TEXLA_SETUP_AUTO && !txContextTraits(mg->context)->setup_on_host);
  return wanted && !s->uniform && mg->options.transfer == TEXLA_TRANSFER_STENCIL &&
         (int64_t)s->n[0] * s->n[1] > DEVICE_POINTS;
}

/* One level on the device; *grid becomes the next one. How coarsening changes the coupling is
 * known. */
static clStatus addDeviceLevel(clMultigrid *mg, txGrid **grid, double coupling[2],
                               const char *call) {
  txLevel *level = &mg->level[mg->levels++];
  txAxisCoarsening coarsening[2];
  double largest = 0;
  level->grid = *grid;
  level->n[0] = level->grid->n[0];
  level->n[1] = level->grid->n[1];
  *grid = NULL;
  txChooseCoarsening(coarsening, level->grid->n, level->grid->periodic, coupling,
                     mg->options.full_coarsening || mg->lined);
  for (int axis = 0; axis < 2; axis++)
    coupling[axis] /= coarsening[axis].stride * coarsening[axis].stride;
  clStatus status = addVectors(mg, level, call);
  if (!status && mg->options.smoother == TEXLA_SMOOTHER_CHEBYSHEV && !isLined(mg, level->n)) {
    clVector *zero = NULL;
    status = clVectorCreateLike(&zero, level->r);
    if (!status)
      status = txGridLargest(&largest, level->grid, level->r, zero, call);
    clVectorDestroy(zero);
  }
  planSmoother(level, &mg->options, isLined(mg, level->n), level->grid->nine, largest);
  if (!status && isLined(mg, level->n))
    status = addLines(level, NULL, call);
  if (!status)
    status = txGridInterpolate(level->grid, coarsening, call);
  return status ? status : txGridCoarsen(grid, level->grid, call);
}

/* Levels on the device until they are small; *s becomes the first of the rest. */
static clStatus addDeviceLevels(clMultigrid *mg, txStencil **s, const char *call) {
  txGrid *grid = NULL;
  double coupling[2];
  txStencilCoupling(*s, coupling);
  clStatus status = txGridCreate(&grid, mg->context, *s, call);
  txStencilDestroy(*s);
  *s = NULL;
  while (!status && (int64_t)grid->n[0] * grid->n[1] > DEVICE_POINTS)
    status = addDeviceLevel(mg, &grid, coupling, call);
  if (!status)
    status = txGridRead(s, grid, call);
  txGridDestroy(grid);
  return status;
}

static clStatus checkOperator(const clMultigrid *mg, const txStencil *s, const char *call) {
  clError *error = txContextError(mg->context);
  int64_t row = txStencilZeroDiagonal(s);
  if (row >= 0)
    return txFail(error, TEXLA_SINGULAR, call,
                  "the diagonal of A is zero in row %lld: no smoother applies", (long long)row + 1);
  if (mg->options.transfer == TEXLA_TRANSFER_FILTER &&
      !clContextInspect(mg->context)->probes.filterable)
    return txFail(error, TEXLA_UNSUPPORTED, call,
                  "this device has no exact bilinear filter for single-precision textures");
  return TEXLA_OK;
}

/* Points or lines, and how many sweeps. One along y and one along x before and after do as much as
 * two over points do where those converge: a factor of 0.08 to 0.16 a cycle; two of each, 0.03 to
 * 0.1 for twice the work. */
static void chooseSmoother(clMultigrid *mg, const txStencil *s) {
  clMultigridOptions *o = &mg->options;
  mg->lined = o->lines == TEXLA_LINES_ALWAYS ||
              (o->lines == TEXLA_LINES_AUTO && !o->full_coarsening && txStencilTurns(s));
  mg->halves = mg->halves && !mg->lined;
  int usual = mg->lined ? 1 : 2;
  o->pre = o->pre < 0 ? 0 : o->pre ? o->pre : usual;
  o->post = o->post < 0 ? 0 : o->post ? o->post : usual;
}

clStatus txMultigridSetUp(clMultigrid *mg, const txRows *rows, int nx, int ny, const char *call) {
  txStencil *s = NULL;
  clStatus status = txStencilCreate(&s, rows, nx, ny, false, call, txContextError(mg->context));
  if (!status)
    status = checkOperator(mg, s, call);
  if (!status)
    mg->singular = txStencilSingular(s);
  if (!status)
    chooseSmoother(mg, s);
  if (!status && worthTheDevice(mg, s))
    status = addDeviceLevels(mg, &s, call);
  while (s && !status) {
    txStencil *next = NULL;
    status = addLevel(mg, s, &next, call);
    txStencilDestroy(s);
    s = next;
  }
  txStencilDestroy(s);
  mg->halves = !status && mg->halves && mg->level[0].grid->plain;
  return status;
}

clStatus clMultigridCreate(clMultigrid **out, clContext *context, const clTriplets *A, int nx,
                           int ny, const clMultigridOptions *options) {
  static const char call[] = "clMultigridCreate";
  if (!out || !context || !A)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call,
                  "out, context and A must not be NULL");
  txRows rows;
  clStatus status = txRowsFind(&rows, A, call, txContextError(context));
  if (status)
    return status;
  status = txMultigridCreate(out, context, &rows, nx, ny, options);
  txRowsForget(&rows);
  return status;
}
