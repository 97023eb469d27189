/* Factors as what solves: solutions on the device, and the norm of the inverse. */
#include "core/allocate.h"
#include "core/try.h"
#include "dense/entries.h"
#include "elimination/norm_estimate.h"
#include "elimination/refinement.h"

#include <stdlib.h>

clStatus txFactorSolve(const txFactor *f, clTranspose op, clDense *X, const clDense *B) {
  clDense *Y = NULL;
  TRY(txDenseCheckPacked(f->call, f->context, "X", X));
  TRY(txDenseCheckPacked(f->call, f->context, "B", B));
  TRY(txDenseCheckOp(f->call, f->context, op));
  if (B->rows != f->n || X->rows != f->n || X->cols != B->cols)
    return txFail(txContextError(f->context), TEXLA_BAD_SHAPE, f->call,
                  "A is %d x %d, B %d x %d and X %d x %d", f->n, f->n, B->rows, B->cols, X->rows,
                  X->cols);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clDenseClone(&Y, B));
  TRY_CLEANUP(f->solve(f->factor, f->call, op, false, Y));
  txTextureExchange(&X->texture, &Y->texture);
cleanup:
  clDenseDestroy(Y);
  return status;
}

typedef struct inverse {
  const txFactor *f;
  clTranspose op;
  clDense *device;
  float *single;
} inverse;

/* x <- op(S)^-1 x, or its transpose */
static clStatus factorApplyInverse(void *user, bool transposed, double *x) {
  const inverse *v = user;
  int n = v->f->n;
  clTranspose op = txTransposeWhen((v->op == TEXLA_TRANSPOSE) != transposed);
  for (int i = 0; i < n; i++)
    v->single[i] = (float)x[i];
  TRY(clDenseUpload(v->device, v->single, 1));
  TRY(v->f->solve(v->f->factor, v->f->call, op, true, v->device));
  TRY(clDenseDownload(v->device, v->single, 1));
  for (int i = 0; i < n; i++)
    x[i] = (double)v->single[i];
  return TEXLA_OK;
}

clStatus txFactorInverseNorm(const txFactor *f, clTranspose op, double *norm) {
  inverse v = {.f = f, .op = op};
  clError *error = txContextError(f->context);
  double *work =
      txAllocate(error, f->call, 2 * (size_t)f->n, sizeof *work, "vectors of the unknowns");
  v.single = txAllocate(error, f->call, (size_t)f->n, sizeof *v.single, "vectors of the unknowns");
  clStatus status = TEXLA_OUT_OF_MEMORY;
  if (!work || !v.single)
    goto cleanup;
  TRY_CLEANUP(clDenseCreate(&v.device, f->context, f->n, 1));
  TRY_CLEANUP(txNormEstimate(norm, f->n, factorApplyInverse, &v, work));
cleanup:
  clDenseDestroy(v.device);
  free(v.single);
  free(work);
  return status;
}
