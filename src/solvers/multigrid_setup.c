/* Setting up geometric multigrid: coarse matrices, smoothers, the coarsest inverse. */
#include "solvers/multigrid.h"

#include <math.h>
#include <stdlib.h>

static void sweepAll(txSweep *sweep, double factor) {
  for (int lane = 0; lane < 4; lane++)
    sweep->even[lane] = sweep->odd[lane] = (float)factor;
}

/* Roots of the Chebyshev polynomial on the part [low, high] of the spectrum of D^-1 A that the coarse grid does not see. The bounds were
 * chosen for the whole cycle: a little beyond the largest eigenvalue for five points, less so for nine. */
static void chebyshev(txSweep *sweep, int count, double largest, bool nine) {
  const double pi = 3.14159265358979323846;
  double low = (nine ? 0.27 : 0.213) * largest, high = (nine ? 1.05 : 1.09) * largest;
  for (int k = 0; k < count; k++)
    sweepAll(&sweep[k], 1 / (0.5 * (high + low) + 0.5 * (high - low) * cos(pi * (k + 0.5) / count)));
}

/* The lanes of one colour: (i + j) mod 2, or i mod 2 + 2 (j mod 2). */
static void sweepColour(txSweep *sweep, int colour, bool four) {
  for (int lane = 0; lane < 4; lane++) {
    sweep->even[lane] = four ? colour == (lane & 1) : colour == (lane & 1);
    sweep->odd[lane] = four ? colour == 2 + (lane & 1) : colour != (lane & 1);
  }
}

static void planSmoother(txLevel *level, const clMultigridOptions *o, const txStencil *s) {
  int colours = o->smoother != TEXLA_SMOOTHER_RED_BLACK ? 1 : s->nine ? 4 : 2;
  double largest = o->smoother == TEXLA_SMOOTHER_CHEBYSHEV ? txStencilLargest(s) : 0;
  level->pre = o->pre * colours;
  level->post = o->post * colours;
  int most = level->pre > level->post ? level->pre : level->post;
  if (o->smoother == TEXLA_SMOOTHER_CHEBYSHEV)
    chebyshev(level->sweep, most, largest, s->nine);
  for (int k = 0; k < most && o->smoother != TEXLA_SMOOTHER_CHEBYSHEV; k++)
    if (colours > 1)
      sweepColour(&level->sweep[k], k % colours, s->nine);
    else
      sweepAll(&level->sweep[k], (double)o->damping);
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

/* The inverse; with a kernel of constants the pseudo-inverse of a symmetric A, (A + s e e^T)^-1 - e e^T / s, e = 1 / sqrt(n). */
static clStatus invertCoarsest(clMultigrid *mg, const txStencil *s, const char *call) {
  int n = s->n[0] * s->n[1];
  double *a = malloc((size_t)n * (size_t)n * sizeof *a), scale = 0;
  int *order = malloc((size_t)n * sizeof *order);
  clStatus status = TEXLA_OK;
  if (!a || !order)
    status = txFail(txContextError(mg->context), TEXLA_OUT_OF_MEMORY, call, "no memory for the coarsest matrix");
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
  if (!status)
    status = txGridDenseCreate(&mg->inverse, mg->level[mg->levels - 1].grid, a, call);
  free(order);
  free(a);
  return status;
}

/* P in whatever storage suits it. */
static clStatus addProlongation(clMultigrid *mg, txLevel *level, const txStencil *s) {
  clTriplets *P = NULL;
  clStatus status = txStencilProlongation(&P, s, txContextError(mg->context));
  if (!status)
    status = clMatrixCreate(&level->P, mg->context, P, &(clMatrixOptions){.storage = TEXLA_STORAGE_CSR});
  if (!status)
    status = clMatrixCreateVector(&level->fine, level->P, TEXLA_SIDE_ROWS);
  if (!status)
    status = clMatrixCreateVector(&level->coarse, level->P, TEXLA_SIDE_COLS);
  clTripletsDestroy(P);
  return status;
}

/* One level from its stencil, and the stencil of the next one; NULL: this is the coarsest. */
static clStatus addLevel(clMultigrid *mg, txStencil *s, txStencil **next, const char *call) {
  clError *error = txContextError(mg->context);
  const clMultigridOptions *o = &mg->options;
  txLevel *level = &mg->level[mg->levels];
  bool coarsest = (int64_t)s->n[0] * s->n[1] <= o->coarsest || mg->levels == TX_LEVELS - 1 ||
                  !txStencilChooseCoarsening(s, o->full_coarsening);
  clStatus status = TEXLA_OK;
  if (!coarsest)
    status = txStencilInterpolate(
        s, o->transfer == TEXLA_TRANSFER_FILTER ? TX_INTERPOLATE_BILINEAR : TX_INTERPOLATE_OPERATOR, call, error);
  if (!status)
    status = txGridCreate(&level->grid, mg->context, s, call);
  if (status)
    return status;
  mg->levels++;
  clVector **vector[] = {&level->r, &level->x, &level->b};
  for (int i = 0; i < (mg->levels > 1 ? 3 : 1) && !status; i++)
    status = txVectorCreate(vector[i], mg->context, call, &level->grid->layout);
  if (status)
    return status;
  if (coarsest)
    return invertCoarsest(mg, s, call);
  planSmoother(level, o, s);
  if (o->transfer == TEXLA_TRANSFER_MATRIX)
    status = addProlongation(mg, level, s);
  return status ? status : txStencilCoarsen(next, s, call, error);
}

clStatus txMultigridSetUp(clMultigrid *mg, const clTriplets *A, int nx, int ny, const char *call) {
  txStencil *s = NULL;
  clStatus status = txStencilCreate(&s, A, nx, ny, false, call, txContextError(mg->context));
  if (!status)
    mg->singular = txStencilSingular(s);
  while (s && !status) {
    txStencil *next = NULL;
    status = addLevel(mg, s, &next, call);
    txStencilDestroy(s);
    s = next;
  }
  txStencilDestroy(s);
  return status;
}
