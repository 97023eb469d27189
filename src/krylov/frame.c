/* What methods call: operands, scalars from the history, reductions into it. */
#include "krylov/frame.h"
#include "core/try.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* FLT_MAX is never reached by a square of a float. */
float txSquareOf(double v) {
  return v * v < (double)FLT_MAX ? (float)(v * v) : FLT_MAX;
}

clStatus txSolverPrecondition(clSolver *s, clVector *z, clVector *r, clVector **out) {
  const txPreconditioner *M = &s->preconditioner;
  *out = r;
  if (!M->apply)
    return TEXLA_OK;
  *out = z;
  return M->apply(M->data, z, r);
}

clStatus txSolverResidual(clSolver *s, clVector *r, const clVector *x, const clVector *b) {
  return clMatrixVectorOp(r, TEXLA_OP_B_MINUS_AX, s->A, TEXLA_NO_TRANSPOSE, x, b);
}

clStatus txSolverFirst(clSolver *s, clVector *r, const clVector *x, const clVector *b) {
  if (s->from_zero) {
    TRY(clVectorCopy(r, b));
    return clFloatCopy(s->rr0, s->bb);
  }
  TRY(txSolverResidual(s, r, x, b));
  return txSolverDot(s, s->rr0, r, r);
}

void txSolverScalars(clSolver *s, txPass *pass, const char *variant, int64_t k) {
  const char *free = s->free_running ? "#define FREE\n" : "";
  snprintf(s->defines, sizeof s->defines, "%s%s", variant, free);
  txPassSource(pass, "history", s->history, TX_EDGE);
  pass->scalar[0] = s->bb->texture;
  pass->scalar[1] = s->rr0->texture;
  pass->scalar[2] = s->ww->texture;
  pass->vertex = "iteration";
  pass->defines = s->defines;
  txPassUniform(pass, (txUniform){"slot",
                                  2,
                                  {(float)(k % TX_HISTORY), (float)((k + 1) % TX_HISTORY)},
                                  .integer = true});
  float divergence = FLT_MAX;
  if (s->options.divergence >= 0)
    divergence = txSquareOf(s->options.divergence);
  txPassUniform(pass, (txUniform){"limit",
                                  3,
                                  {txSquareOf(s->column[0].tolerance),
                                   txSquareOf(s->options.absolute), divergence}});
}

clStatus txSolverPass(clSolver *s, const char *call, txPass *pass, const char *variant, int64_t k,
                      clVector *const *output, int count) {
  txSolverScalars(s, pass, variant, k);
  return txVectorsRun(call, pass, output, count);
}

/* The components of a texel <- their sums over all processes, if there are several. */
static clStatus sumOverProcesses(clSolver *s, const char *call, txTexture *t, txRect rect) {
  float value[4] = {0};
  if (!s->options.sum.apply)
    return TEXLA_OK;
  TRY(txTextureRead(t, call, rect, value));
  double sum[4] = {(double)value[0], (double)value[1], (double)value[2], (double)value[3]};
  int count = t->format == TX_RGBA32F ? 4 : 1;
  TRY(s->options.sum.apply(s->options.sum.user, sum, count));
  for (int k = 0; k < count; k++)
    value[k] = (float)sum[k];
  return txTextureWrite(t, call, rect, value);
}

clStatus txSolverDot(clSolver *s, clFloat *out, const clVector *x, const clVector *y) {
  TRY(clVectorDot(out, x, y));
  return sumOverProcesses(s, "clSolver", out->texture, (txRect){0, 0, 1, 1});
}

clStatus txSolverReduce(clSolver *s, const char *call, const txReduction *reduction, int64_t k,
                        int row) {
  txRect rect = {(int)(k % TX_HISTORY), row, 1, 1};
  txPass final = {.kernel = "reduce_vec4", .target = {s->history}, .rect = rect};
  TRY(txReduce(call, reduction, &final));
  return sumOverProcesses(s, call, s->history, rect);
}

/* Of a positive definite A every curvature is positive; zero means that p itself has vanished. */
clReason txJudgeCurvature(float pq) {
  if (pq > 0)
    return TEXLA_REASON_NONE;
  if (isnan(pq))
    return TEXLA_REASON_NAN;
  if (pq < 0)
    return TEXLA_REASON_NOT_POSITIVE_DEFINITE;
  return TEXLA_REASON_BREAKDOWN;
}
