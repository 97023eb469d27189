/* Setting up geometric multigrid: coarse matrices, smoothers, the coarsest inverse. */
#include "multigrid/multigrid.h"
#include "core/allocate.h"
#include "core/try.h"
#include "gl/traits.h"
#include "multigrid/host_inverse.h"

#include <math.h>
#include <stdlib.h>

/* Larger grids with varying coefficients are set up on the device. */
enum { DEVICE_POINTS = 64 * 64 };

/* One factor for all points. */
static void sweepAll(txSweep *sweep, double factor) {
  for (int lane = 0; lane < 4; lane++) {
    sweep->even[lane] = (float)factor;
    sweep->odd[lane] = (float)factor;
  }
}

/* Damped Jacobi steps whose product is the Chebyshev polynomial that is smallest on [low, high]:
 * their factors are the inverses of its roots. */
static void chebyshevOn(txSweep *sweep, int count, double low, double high) {
  const double pi = 3.14159265358979323846;
  for (int k = 0; k < count; k++) {
    double root = 0.5 * (high + low) + 0.5 * (high - low) * cos(pi * (k + 0.5) / count);
    sweepAll(&sweep[k], 1 / root);
  }
}

/* Roots of the Chebyshev polynomial on the part [low, high] of the spectrum of D^-1 A that the
 * coarse grid does not see. The bounds were chosen for the whole cycle: a little beyond the largest
 * eigenvalue for five points, less so for nine. */
static void chebyshev(txSweep *sweep, int count, double largest, bool nine) {
  if (nine)
    chebyshevOn(sweep, count, 0.27 * largest, 1.05 * largest);
  else
    chebyshevOn(sweep, count, 0.213 * largest, 1.09 * largest);
}

/* The lanes of one colour: (i + j) mod 2, or i mod 2 + 2 (j mod 2). */
static void sweepColour(txSweep *sweep, int colour, bool four) {
  for (int lane = 0; lane < 4; lane++) {
    int even = lane & 1, odd = four ? 2 + even : 1 - even;
    sweep->even[lane] = colour == even;
    sweep->odd[lane] = colour == odd;
  }
}

/* Chebyshev's roots once more, with the lines' matrix T instead of D. T^-1 A has eigenvalues in (0,
 * 2) when A is symmetric and positive definite, in pairs 1 +- mu (its lines are coupled with their
 * neighbours alone); those of error that oscillates across the lines lie in [1, 2]. */
static void chebyshevOfLines(txSweep *sweep, int count) {
  chebyshevOn(sweep, count, 0.9, 2);
}

/* Every other line along `axis`, the even or the odd ones. */
static void sweepEveryOther(txSweep *sweep, int axis, int colour) {
  for (int lane = 0; lane < 4; lane++) {
    bool same_column = colour == (lane & 1);
    sweep->even[lane] = axis == 0 ? colour == 0 : same_column;
    sweep->odd[lane] = axis == 0 ? colour == 1 : same_column;
  }
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
        if (zebra)
          sweepEveryOther(&sweep[n], axis, colour);
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

/* The sweeps before and after the coarse correction. */
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

/* *out <- the inverse; with a kernel of constants the pseudo-inverse of a symmetric A, (A + s e
 * e^T)^-1 - e e^T / s, e = 1 / sqrt(n). The caller frees it. */
static clStatus invertCoarsest(double **out, const clMultigrid *mg, const txStencil *s,
                               const char *call) {
  int n = s->n[0] * s->n[1], rank = 0;
  double scale = 0, *a = txAllocate(txContextError(mg->context), call, (size_t)n * (size_t)n,
                                    sizeof *a, "the coarsest matrix");
  clStatus status = TEXLA_OK;
  if (!a)
    return TEXLA_OUT_OF_MEMORY;
  txStencilDense(a, s);
  for (int i = 0; i < n && mg->singular; i++)
    scale = fmax(scale, fabs(a[i * n + i]));
  if (mg->singular && scale == 0)
    scale = 1;
  for (int i = 0; i < n * n; i++)
    a[i] += scale / n;
  TRY_CLEANUP(txInvert(a, n, 0, &rank, call, txContextError(mg->context)));
  if (rank < n)
    TRY_CLEANUP(txFail(txContextError(mg->context), TEXLA_SINGULAR, call,
                       "the matrix on the coarsest grid, %d x %d, is singular", s->n[0], s->n[1]));
  for (int i = 0; i < n * n && mg->singular; i++)
    a[i] -= 1 / (scale * n);
  *out = a;
  a = NULL;
cleanup:
  free(a);
  return status;
}

/* P in whatever storage suits it. */
static clStatus addProlongation(clMultigrid *mg, txLevel *level, const txStencil *s) {
  clTriplets *P = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txStencilProlongation(&P, s, txContextError(mg->context)));
  TRY_CLEANUP(
      clMatrixCreate(&level->P, mg->context, P, &(clMatrixOptions){.storage = TEXLA_STORAGE_CSR}));
  TRY_CLEANUP(clMatrixCreateVector(&level->fine, level->P, TEXLA_RANGE));
  TRY_CLEANUP(clMatrixCreateVector(&level->coarse, level->P, TEXLA_DOMAIN));
cleanup:
  clTripletsDestroy(P);
  return status;
}

/* The finest level gets x and b with each call; r is not needed on the host. */
static clStatus addVectors(clMultigrid *mg, txLevel *level, const char *call) {
  const txLayout *layout = &level->grid->layout;
  if (!level->host)
    TRY(txVectorCreate(&level->r, mg->context, call, layout));
  if (mg->levels == 1)
    return TEXLA_OK;
  TRY(txVectorCreate(&level->x, mg->context, call, layout));
  TRY(txVectorCreate(&level->rhs, mg->context, call, layout));
  level->b = level->rhs;
  return TEXLA_OK;
}

/* A grid of one line is smoothed point by point: where A is singular that line's matrix is, too. */
static bool isLined(const clMultigrid *mg, const int n[2]) {
  return mg->lined && n[0] > 1 && n[1] > 1;
}

/* Only Chebyshev's factors for points depend on the spectrum. */
static bool needsLargest(const clMultigrid *mg, const int n[2]) {
  return mg->options.smoother == TEXLA_SMOOTHER_CHEBYSHEV && !isLined(mg, n);
}

static clStatus addLines(txLevel *level, const txStencil *s, const char *call) {
  TRY(txGridLines(&level->lines[0], level->grid, s, TEXLA_AXIS_X, call));
  return txGridLines(&level->lines[1], level->grid, s, TEXLA_AXIS_Y, call);
}

/* The level's matrix where it is to be used: on the host, on the device, or in between. */
static clStatus placeLevel(clMultigrid *mg, txLevel *level, const txStencil *s, bool coarsest,
                           const char *call) {
  bool finest = mg->levels == 1,
       host = !finest && (int64_t)s->n[0] * s->n[1] <= mg->options.host_points;
  double *inverse = NULL;
  clStatus status = TEXLA_OK;
  if (coarsest)
    TRY_CLEANUP(invertCoarsest(&inverse, mg, s, call));
  level->n[0] = s->n[0];
  level->n[1] = s->n[1];
  if (host)
    TRY_CLEANUP(txHostGridCreate(&level->host, s, inverse, call, txContextError(mg->context)));
  if (!(host && level[-1].host))
    TRY_CLEANUP(txGridCreate(&level->grid, mg->context, s, call));
  if (level->grid)
    TRY_CLEANUP(addVectors(mg, level, call));
  bool lined = isLined(mg, s->n) && !coarsest;
  if (lined && host)
    TRY_CLEANUP(txHostGridLines(level->host, s, call, txContextError(mg->context)));
  else if (lined)
    TRY_CLEANUP(addLines(level, s, call));
  if (coarsest && !host)
    TRY_CLEANUP(txGridDenseCreate(&level->inverse, level->grid, inverse, call));
cleanup:
  free(inverse);
  return status;
}

/* One level from its stencil, and the stencil of the next one; none: this is the coarsest. */
static clStatus setupAddLevel(clMultigrid *mg, txStencil *s, txStencil **next, const char *call) {
  clError *error = txContextError(mg->context);
  const clMultigridOptions *o = &mg->options;
  txLevel *level = &mg->level[mg->levels];
  bool filter = o->transfer == TEXLA_TRANSFER_FILTER;
  bool coarsest = (int64_t)s->n[0] * s->n[1] <= o->coarsest || mg->levels == TX_LEVELS - 1 ||
                  !txStencilChooseCoarsening(s, o->full_coarsening || mg->lined);
  txInterpolation kind = filter ? TX_INTERPOLATE_BILINEAR : TX_INTERPOLATE_OPERATOR;
  if (!coarsest)
    TRY(txStencilInterpolate(s, kind, call, error));
  mg->levels++;
  TRY(placeLevel(mg, level, s, coarsest, call));
  if (coarsest)
    return TEXLA_OK;
  double largest = 0;
  if (needsLargest(mg, s->n))
    largest = txStencilLargest(s);
  planSmoother(level, o, isLined(mg, s->n), s->nine, largest);
  if (mg->halves && mg->levels > 1 && mg->level[0].grid->plain)
    planLess(level, largest);
  if (o->transfer == TEXLA_TRANSFER_MATRIX && !level->host)
    TRY(addProlongation(mg, level, s));
  return txStencilCoarsen(next, s, call, error);
}

/* Coefficients that vary on a large grid are multiplied out on the device. */
static bool worthTheDevice(const clMultigrid *mg, const txStencil *s) {
  bool wanted =
      mg->options.setup == TEXLA_SETUP_DEVICE ||
      (mg->options.setup == TEXLA_SETUP_AUTO && !txContextTraits(mg->context)->setup_on_host);
  return wanted && !s->uniform && mg->options.transfer == TEXLA_TRANSFER_STENCIL &&
         (int64_t)s->n[0] * s->n[1] > DEVICE_POINTS;
}

/* About the largest eigenvalue of D^-1 A of a level on the device. */
static clStatus setupFindLargest(double *largest, txLevel *level, const char *call) {
  clVector *zero = NULL;
  TRY(clVectorCreateLike(&zero, level->r));
  clStatus status = txGridLargest(largest, level->grid, level->r, zero, call);
  clVectorDestroy(zero);
  return status;
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
  TRY(addVectors(mg, level, call));
  if (needsLargest(mg, level->n))
    TRY(setupFindLargest(&largest, level, call));
  planSmoother(level, &mg->options, isLined(mg, level->n), level->grid->nine, largest);
  if (isLined(mg, level->n))
    TRY(addLines(level, NULL, call));
  TRY(txGridInterpolate(level->grid, coarsening, call));
  return txGridCoarsen(grid, level->grid, call);
}

/* Levels on the device until they are small; *s becomes the first of the rest. */
static clStatus addDeviceLevels(clMultigrid *mg, txStencil **s, const char *call) {
  txGrid *grid = NULL;
  double coupling[2];
  txStencilCoupling(*s, coupling);
  TRY(txGridCreate(&grid, mg->context, *s, call));
  txStencilDestroy(*s);
  *s = NULL;
  clStatus status = TEXLA_OK;
  while ((int64_t)grid->n[0] * grid->n[1] > DEVICE_POINTS)
    TRY_CLEANUP(addDeviceLevel(mg, &grid, coupling, call));
  TRY_CLEANUP(txGridRead(s, grid, call));
cleanup:
  txGridDestroy(grid);
  return status;
}

/* What no setting can mend. */
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

/* The option's number of sweeps: negative asks for none, 0 for the usual number. */
static int setupSweepsOf(int option, int usual) {
  if (option < 0)
    return 0;
  if (option == 0)
    return usual;
  return option;
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
  o->pre = setupSweepsOf(o->pre, usual);
  o->post = setupSweepsOf(o->post, usual);
}

/* From the finest grid to the coarsest: each stencil becomes a level and yields the next one. */
clStatus txMultigridSetUp(clMultigrid *mg, txStencil *s, const char *call) {
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(checkOperator(mg, s, call));
  mg->singular = txStencilSingular(s);
  chooseSmoother(mg, s);
  if (worthTheDevice(mg, s))
    TRY_CLEANUP(addDeviceLevels(mg, &s, call));
  while (s) {
    txStencil *next = NULL;
    TRY_CLEANUP(setupAddLevel(mg, s, &next, call));
    txStencilDestroy(s);
    s = next;
  }
  mg->halves = mg->halves && mg->level[0].grid->plain;
cleanup:
  txStencilDestroy(s);
  return status;
}
