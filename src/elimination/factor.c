/* Factors as what solves: solutions on the device, and the norm of the inverse. */
#include "core/allocate.h"
#include "dense/entries.h"
#include "elimination/norm_estimate.h"
#include "elimination/refinement.h"

#include <stdlib.h>

clStatus txFactorSolve(const txFactor *f, clTranspose op, clDense *X, const clDense *B) {
  clDense *Y = NULL;
  clStatus status = txDenseCheckPacked(f->call, f->context, "X", X);
  if (!status)
    status = txDenseCheckPacked(f->call, f->context, "B", B);
  if (!status)
    status = txDenseCheckOp(f->call, f->context, op);
  if (status)
    return status;
  if (B->rows != f->n || X->rows != f->n || X->cols != B->cols)
    return txFail(txContextError(f->context), TEXLA_BAD_SHAPE, f->call,
                  "A is %d x %d, B %d x %d and X %d x %d", f->n, f->n, B->rows, B->cols, X->rows,
                  X->cols);
  status = clDenseClone(&Y, B);
  if (!status)
    status = f->solve(f->factor, f->call, op, false, Y);
  if (!status)
    txTextureExchange(&X->texture, &Y->texture);
  clDenseDestroy(Y);
  return status;
}

clStatus txFactorSolveVector(const txFactor *f, clTranspose op, clDense *device, float *x) {
  clStatus status = clDenseUpload(device, x, 1);
  if (!status)
    status = f->solve(f->factor, f->call, op, false, device);
  return status ? status : clDenseDownload(device, x, 1);
}

typedef struct inverse {
  const txFactor *f;
  clTranspose op;
  clDense *device;
  float *single;
} inverse;

/* x <- op(S)^-1 x, or its transpose */
static clStatus applyInverse(void *user, bool transposed, double *x) {
  const inverse *v = user;
  int n = v->f->n;
  bool turned = (v->op == TEXLA_TRANSPOSE) != transposed;
  for (int i = 0; i < n; i++)
    v->single[i] = (float)x[i];
  clStatus status = clDenseUpload(v->device, v->single, 1);
  if (!status)
    status = v->f->solve(v->f->factor, v->f->call, turned ? TEXLA_TRANSPOSE : TEXLA_NO_TRANSPOSE,
                         true, v->device);
  if (!status)
    status = clDenseDownload(v->device, v->single, 1);
  for (int i = 0; i < n && !status; i++)
    x[i] = (double)v->single[i];
  return status;
}

clStatus txFactorInverseNorm(const txFactor *f, clTranspose op, double *norm) {
  inverse v = {.f = f, .op = op};
  clError *error = txContextError(f->context);
  double *work =
      txAllocate(error, f->call, 2 * (size_t)f->n, sizeof *work, "vectors of the unknowns");
  v.single =
      work ? txAllocate(error, f->call, (size_t)f->n, sizeof *v.single, "vectors of the unknowns")
           : NULL;
  clStatus status = v.single ? clDenseCreate(&v.device, f->context, f->n, 1) : TEXLA_OUT_OF_MEMORY;
  if (!status)
    status = txNormEstimate(norm, f->n, applyInverse, &v, work);
  clDenseDestroy(v.device);
  free(v.single);
  free(work);
  return status;
}
