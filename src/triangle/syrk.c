/* C <- alpha op(A) D^2 op(A)^T + beta C by its lower triangle (J1): one operand, op(A) D, is made,
 * and multiplied by its own transpose. */
#include "core/numbers.h"
#include "core/try.h"
#include "dense/view.h"
#include "triangle/lower.h"
#include "vector/run.h"

#include <math.h>

typedef struct syrk {
  const char *call;
  float alpha, beta;
  clTranspose op;
  const clDense *A;
  const clVector *d;
} syrk;

/* Fails unless C has the order of op(A) op(A)^T. */
static clStatus check(const syrk *s, clContext *context, int order, clPacking packing) {
  clError *error = txContextError(context);
  TRY(txDenseCheckPacked(s->call, context, "A", s->A));
  if (s->d)
    TRY(txContextSame(context, clVectorContext(s->d), s->call));
  txViewSize size = txViewSizeOf(s->op, clDenseViewAll(s->A));
  int rows = size.rows, inner = size.cols;
  if (packing != TEXLA_PACKING_2X2 && packing != TEXLA_PACKING_1X1)
    return txFail(error, TEXLA_UNSUPPORTED, s->call, "C is in %s packing but must be in 2x2 or 1x1",
                  clPackingName(packing));
  if (rows != order || (s->d && clVectorLength(s->d) != inner))
    return txFail(error, TEXLA_BAD_SHAPE, s->call,
                  "op(A) is %d x %d, so C must be %d x %d, not %d, and d %d long%s", rows, inner,
                  rows, rows, order, inner, txWhen(s->d, ", which it is not"));
  if (!isfinite(s->alpha) || !isfinite(s->beta))
    return txFail(error, TEXLA_BAD_ARGUMENT, s->call, "alpha (%g) and beta (%g) must be finite",
                  (double)s->alpha, (double)s->beta);
  return TEXLA_OK;
}

/* C += alpha op(A) D^2 op(A)^T, summed over a stretch of the inner dimension: `inner` texels from
 * `from` on. */
static clStatus addStretch(const syrk *s, const txLower *C, int from, int inner) {
  txLowerRows rows = {0};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txLowerRowsScale(&rows, s->call, C, s->op, s->A, s->d, from, inner));
  TRY_CLEANUP(txLowerAdd(s->call, C, s->alpha, &rows, 0, C->texels));
cleanup:
  txLowerRowsDestroy(&rows);
  return status;
}

/* Into a fresh texture, so that a failed call leaves C as it was; it takes the place of
 * *texture. */
static clStatus run(const syrk *s, const txLower *C, clPacking packing, txTexture **texture) {
  txLower fresh = *C;
  /* or a failure would free C's */
  fresh.texture = NULL;
  int inner = txViewSizeOf(s->op, clDenseViewAll(s->A)).cols;
  int limit = clContextInspect(C->context)->max_texture_size;
  if (!C->single)
    inner = txHalf(inner);
  /* With beta = 0 C may hold anything, also NaN. */
  const txLower *old = C;
  if (s->beta == 0)
    old = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txLowerTexture(&fresh.texture, C->context, s->call, C->order, packing, C->folded));
  TRY_CLEANUP(txLowerCopy(s->call, &fresh, s->beta, old, false));
  /* Without a factor A is not read: it may hold NaN. */
  if (s->alpha == 0)
    inner = 0;
  for (int from = 0; from < inner; from += limit)
    TRY_CLEANUP(addStretch(s, &fresh, from, txLeast(inner - from, limit)));
cleanup:
  return txTextureReplace(texture, fresh.texture, status);
}

/* C's upper triangle stays as it is. */
clStatus clDenseSyrk(clDense *C, float alpha, clTranspose op, const clDense *A, const clVector *d,
                     float beta) {
  const syrk s = {"clDenseSyrk", alpha, beta, op, A, d};
  TRY(txDenseCheck(s.call, txDenseFirstContext(C, A), "C", C));
  if (C->rows != C->cols)
    return txFail(txContextError(C->context), TEXLA_BAD_SHAPE, s.call, "C is %d x %d, not square",
                  C->rows, C->cols);
  TRY(check(&s, C->context, C->rows, C->packing));
  txLower lower = txLowerOfDense(C);
  return run(&s, &lower, C->packing, &C->texture);
}

clStatus clPackedSyrk(clPacked *C, float alpha, clTranspose op, const clDense *A, const clVector *d,
                      float beta) {
  const syrk s = {"clPackedSyrk", alpha, beta, op, A, d};
  if (!C)
    return txFail(txContextError(clDenseContext(A)), TEXLA_BAD_ARGUMENT, s.call,
                  "C must not be NULL");
  TRY(check(&s, C->context, C->order, C->packing));
  txLower lower = txLowerOfPacked(C);
  return run(&s, &lower, C->packing, &C->texture);
}
