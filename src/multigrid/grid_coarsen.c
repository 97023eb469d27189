/* Coarse grids made on the device: interpolation weights from coefficients, then P^T A P; stencil
 * in, stencil out. */
#include "multigrid/grid.h"
#include "core/allocate.h"

#include <math.h>
#include <stdlib.h>

static void addPoints(txPass *pass, const txGrid *A, const int coarse[2]) {
  static const char *const name[TX_STENCIL] = {"a0", "a1", "a2", "a3", "a4",
                                               "a5", "a6", "a7", "a8"};
  const txAxisCoarsening *c = A->coarsening;
  for (int k = 0; k < TX_STENCIL; k++)
    pass->source[k] = (txSource){name[k], A->a[k], TX_EDGE};
  txPassUniform(
      pass, (txUniform){.name = "grid",
                        .count = 4,
                        .value = {(float)A->n[0], (float)A->n[1], A->periodic[0], A->periodic[1]},
                        .integer = true});
  txPassUniform(pass, (txUniform){.name = "coarsening",
                                  .count = 4,
                                  .value = {(float)c[0].stride, (float)c[1].stride,
                                            (float)c[0].first, (float)c[1].first},
                                  .integer = true});
  txPassUniform(pass, (txUniform){.name = "coarse",
                                  .count = 2,
                                  .value = {(float)coarse[0], (float)coarse[1]},
                                  .integer = true});
}

static void coarseSize(int n[2], const txGrid *A) {
  for (int axis = 0; axis < 2; axis++)
    n[axis] = (A->n[axis] - 1 - A->coarsening[axis].first) / A->coarsening[axis].stride + 1;
}

/* Corners that are zero everywhere have no texture yet. */
static clStatus completeCorners(txGrid *A, const char *call) {
  clStatus status = TEXLA_OK;
  for (int k = 0; k < TX_STENCIL && !status; k++)
    if (!A->a[k]) {
      status = txLayoutTexture(&A->a[k], A->context, call, &A->layout);
      if (!status)
        status = txTextureClear(A->a[k], call);
    }
  return status;
}

clStatus txGridInterpolate(txGrid *A, const txAxisCoarsening coarsening[2], const char *call) {
  int coarse[2];
  A->coarsening[0] = coarsening[0];
  A->coarsening[1] = coarsening[1];
  coarseSize(coarse, A);
  clStatus status = completeCorners(A, call);
  txPass pass = {.kernel = "grid_weights", .work = 256};
  for (int p = 0; p < TX_CORNERS && !status; p++) {
    if (!A->weight[p])
      status = txLayoutTexture(&A->weight[p], A->context, call, &A->layout);
    pass.target[p] = A->weight[p];
  }
  if (status)
    return status;
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
    txTexture **t = first ? &coarse->a[k] : k < 4 ? &coarse->a[5 + k] : &coarse->inverse_diagonal;
    clStatus status = txLayoutTexture(t, A->context, call, &coarse->layout);
    if (status)
      return status;
    pass.target[k] = *t;
  }
  return txPassRun(A->context, call, &pass);
}

clStatus txGridCoarsen(txGrid **out, const txGrid *A, const char *call) {
  int n[2];
  coarseSize(n, A);
  txGrid *coarse = NULL;
  clStatus status = txGridMake(&coarse, A->context, n, A->periodic, call);
  if (!status)
    status = multiplyHalf(coarse, A, true, call);
  if (!status)
    status = multiplyHalf(coarse, A, false, call);
  if (status)
    txGridDestroy(coarse);
  else
    *out = coarse;
  return status;
}

clStatus txGridRead(txStencil **out, const txGrid *A, const char *call) {
  clError *error = txContextError(A->context);
  txStencil *s = txStencilMake(A->n[0], A->n[1], A->periodic, false, call, error);
  size_t points = (size_t)A->layout.width * (size_t)A->layout.height * 4;
  float *values =
      s ? txAllocate(error, call, points, sizeof *values, "coefficients that are read") : NULL;
  clStatus status = values ? TEXLA_OK : TEXLA_OUT_OF_MEMORY;
  for (int k = 0; k < TX_STENCIL && !status; k++) {
    if (!A->a[k])
      continue;
    status =
        txTextureRead(A->a[k], call, (txRect){0, 0, A->layout.width, A->layout.height}, values);
    for (size_t p = 0; p < points && !status; p++) {
      s->a[TX_STENCIL * p + (size_t)k] = values[p];
      s->nine |= k % 2 == 0 && k != TX_CENTRE && values[p] != 0;
    }
  }
  free(values);
  if (status)
    txStencilDestroy(s);
  else
    *out = s;
  return status;
}

/* x <- x - 2 D^-1 A x, whose largest eigenvalue is 2 largest - 1 when largest is at least 1. */
static clStatus powerSteps(clVector *x, const txGrid *A, const clVector *zero, int steps,
                           clFloat *const norm[2], const char *call) {
  static const txSweep sweep = {{2, 2, 2, 2}, {2, 2, 2, 2}};
  clStatus status = TEXLA_OK;
  for (int k = 0; k < steps && !status; k++) {
    if (k == steps - 1)
      status = clVectorNorm(norm[0], x);
    if (!status)
      status = txGridSweep(call, x, A, zero, &sweep, NULL);
  }
  return status ? status : clVectorNorm(norm[1], x);
}

static clStatus uploadNoise(clVector *x, const char *call) {
  float *values = txAllocate(txContextError(x->context), call, (size_t)x->layout.length,
                             sizeof *values, "a start value");
  uint32_t seed = 1;
  if (!values)
    return TEXLA_OUT_OF_MEMORY;
  for (int64_t i = 0; i < x->layout.length; i++)
    values[i] = (float)((int32_t)(seed = seed * 1664525u + 1013904223u) >> 8) * 1e-9f;
  clStatus status = clVectorUpload(x, values);
  free(values);
  return status;
}

clStatus txGridLargest(double *out, const txGrid *A, clVector *x, clVector *zero,
                       const char *call) {
  enum { STEPS = 10 };
  clFloat *norm[2] = {NULL, NULL};
  float value[2] = {0, 0};
  clStatus status = uploadNoise(x, call);
  if (!status)
    status = clVectorClear(zero);
  for (int i = 0; i < 2 && !status; i++)
    status = clFloatCreate(&norm[i], A->context);
  if (!status)
    status = powerSteps(x, A, zero, STEPS, norm, call);
  for (int i = 0; i < 2; i++) {
    if (!status)
      status = clFloatDownload(norm[i], &value[i]);
    clFloatDestroy(norm[i]);
  }
  if (!status)
    *out = value[0] > 0 ? fmax(1, 0.5 * (1 + (double)value[1] / (double)value[0])) : 1;
  return status;
}
