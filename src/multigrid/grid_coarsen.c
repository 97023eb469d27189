/* Coarse grids made on the device: interpolation weights from coefficients, then P^T A P; stencil
 * in, stencil out. */
#include "multigrid/grid.h"
#include "core/allocate.h"
#include "core/try.h"
#include "multigrid/grid_render.h"

#include <math.h>
#include <stdlib.h>

/* What shaders/multigrid/grid_weights.frag and grid_galerkin.frag read of the fine grid A. */
static void addPoints(txPass *pass, const txGrid *A, const int coarse[2]) {
  static const char *const name[TX_STENCIL] = {"a0", "a1", "a2", "a3", "a4",
                                               "a5", "a6", "a7", "a8"};
  for (int k = 0; k < TX_STENCIL; k++)
    pass->source[k] = (txSource){name[k], A->a[k], TX_EDGE};
  txGridAddSize(pass, A);
  txGridAddCoarsening(pass, A, coarse);
}

static void coarseSize(int n[2], const txGrid *A) {
  for (int axis = 0; axis < 2; axis++)
    n[axis] = (A->n[axis] - 1 - A->coarsening[axis].first) / A->coarsening[axis].stride + 1;
}

/* Corners that are zero everywhere have no texture yet. */
static clStatus completeCorners(txGrid *A, const char *call) {
  for (int k = 0; k < TX_STENCIL; k++) {
    if (!A->a[k]) {
      TRY(txLayoutTexture(&A->a[k], A->context, call, &A->layout));
      TRY(txTextureClear(A->a[k], call));
    }
  }
  return TEXLA_OK;
}

clStatus txGridInterpolate(txGrid *A, const txAxisCoarsening coarsening[2], const char *call) {
  int coarse[2];
  A->coarsening[0] = coarsening[0];
  A->coarsening[1] = coarsening[1];
  coarseSize(coarse, A);
  TRY(completeCorners(A, call));
  txPass pass = {.kernel = "grid_weights", .work = 256};
  for (int p = 0; p < TX_CORNERS; p++) {
    if (!A->weight[p])
      TRY(txLayoutTexture(&A->weight[p], A->context, call, &A->layout));
    pass.target[p] = A->weight[p];
  }
  addPoints(&pass, A, coarse);
  return txPassRun(A->context, call, &pass);
}

/* Five of the ten textures of a coarse operator: coefficients 0 to 4, or 5 to 8 and the inverse
 * diagonal. */
static clStatus multiplyHalf(txGrid *coarse, const txGrid *A, bool first, const char *call) {
  static const char *const name[TX_CORNERS] = {"w0", "w1", "w2", "w3"};
  txPass pass = {
      .kernel = "grid_galerkin", .defines = first ? "#define FIRST\n" : NULL, .work = 2048};
  addPoints(&pass, A, coarse->n);
  for (int p = 0; p < TX_CORNERS; p++)
    pass.source[TX_STENCIL + p] = (txSource){name[p], A->weight[p], TX_EDGE};
  for (int k = 0; k < 5; k++) {
    txTexture **t = &coarse->inverse_diagonal;
    if (first)
      t = &coarse->a[k];
    else if (k < 4)
      t = &coarse->a[5 + k];
    TRY(txLayoutTexture(t, A->context, call, &coarse->layout));
    pass.target[k] = *t;
  }
  return txPassRun(A->context, call, &pass);
}

clStatus txGridCoarsen(txGrid **out, const txGrid *A, const char *call) {
  int n[2];
  coarseSize(n, A);
  txGrid *coarse = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txGridMake(&coarse, A->context, n, A->periodic, call));
  TRY_CLEANUP(multiplyHalf(coarse, A, true, call));
  TRY_CLEANUP(multiplyHalf(coarse, A, false, call));
  *out = coarse;
  coarse = NULL;
cleanup:
  txGridDestroy(coarse);
  return status;
}

/* The coefficients come back one texture after the other, so that little memory is needed for
 * them. */
clStatus txGridRead(txStencil **out, const txGrid *A, const char *call) {
  clError *error = txContextError(A->context);
  txStencil *s = txStencilMake(A->n[0], A->n[1], A->periodic, false, call, error);
  size_t points = (size_t)A->layout.width * (size_t)A->layout.height * 4;
  clStatus status = TEXLA_OK;
  if (!s)
    return TEXLA_OUT_OF_MEMORY;
  float *values = txAllocate(error, call, points, sizeof *values, "coefficients that are read");
  if (!values)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  for (int k = 0; k < TX_STENCIL; k++) {
    if (!A->a[k])
      continue;
    TRY_CLEANUP(
        txTextureRead(A->a[k], call, (txRect){0, 0, A->layout.width, A->layout.height}, values));
    for (size_t p = 0; p < points; p++) {
      s->a[TX_STENCIL * p + (size_t)k] = values[p];
      s->nine |= k % 2 == 0 && k != TX_CENTRE && values[p] != 0;
    }
  }
  *out = s;
  s = NULL;
cleanup:
  free(values);
  txStencilDestroy(s);
  return status;
}

/* x <- x - 2 D^-1 A x, whose largest eigenvalue is 2 largest - 1 when largest is at least 1. */
static clStatus powerSteps(clVector *x, const txGrid *A, const clVector *zero, int steps,
                           clFloat *const norm[2], const char *call) {
  static const txSweep sweep = {{2, 2, 2, 2}, {2, 2, 2, 2}};
  for (int k = 0; k < steps; k++) {
    if (k == steps - 1)
      TRY(clVectorNorm(norm[0], x));
    TRY(txGridSweep(call, x, A, zero, &sweep, NULL));
  }
  return clVectorNorm(norm[1], x);
}

/* Noise is where the large eigenvalues are. */
static clStatus uploadNoise(clVector *x, const char *call) {
  float *values = txAllocate(txContextError(x->context), call, (size_t)x->layout.length,
                             sizeof *values, "a start value");
  uint32_t seed = 1;
  if (!values)
    return TEXLA_OUT_OF_MEMORY;
  for (int64_t i = 0; i < x->layout.length; i++) {
    seed = seed * 1664525u + 1013904223u;
    values[i] = (float)((int32_t)seed >> 8) * 1e-9f;
  }
  clStatus status = clVectorUpload(x, values);
  free(values);
  return status;
}

clStatus txGridLargest(double *out, const txGrid *A, clVector *x, clVector *zero,
                       const char *call) {
  enum { STEPS = 10 };
  clFloat *norm[2] = {NULL, NULL};
  float value[2] = {0, 0};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(uploadNoise(x, call));
  TRY_CLEANUP(clVectorClear(zero));
  for (int i = 0; i < 2; i++)
    TRY_CLEANUP(clFloatCreate(&norm[i], A->context));
  TRY_CLEANUP(powerSteps(x, A, zero, STEPS, norm, call));
  for (int i = 0; i < 2; i++)
    TRY_CLEANUP(clFloatDownload(norm[i], &value[i]));
  *out = 1;
  if (value[0] > 0)
    *out = fmax(1, 0.5 * (1 + (double)value[1] / (double)value[0]));
cleanup:
  clFloatDestroy(norm[0]);
  clFloatDestroy(norm[1]);
  return status;
}
