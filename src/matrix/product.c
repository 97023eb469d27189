/* matrixVectorOp (K6): one entry point for all storages. */
#include "matrix/residual.h"

/* v must have the layout that A wants on this side. */
static clStatus checkSide(const char *call, const clMatrix *A, const char *name, const clVector *v,
                          const txLayout *wanted, const char *side) {
  char text[64], have[64];
  clContext *context = A->context;
  if (!v)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call, "%s must not be NULL", name);
  clStatus status = txContextSame(context, v->context, call);
  if (status || txLayoutEqual(&v->layout, wanted))
    return status;
  return txFail(
      txContextError(context), TEXLA_BAD_SHAPE, call,
      "A is %d x %d (%s) but %s is %s (need %s; clMatrixCreateVector(&%s, A, %s) makes it)",
      A->rows, A->cols, clStorageName(A->storage), name,
      txLayoutText(&v->layout, have, sizeof have), txLayoutText(wanted, text, sizeof text), name,
      side);
}

static clStatus checkOperands(const char *call, const clVector *y, clMatrixOp op, const clMatrix *A,
                              bool transposed, const clVector *x, const clVector *b) {
  if (!A)
    return txFail(y ? txContextError(y->context) : NULL, TEXLA_BAD_ARGUMENT, call,
                  "A must not be NULL");
  const txLayout *in = transposed ? &A->row_layout : &A->col_layout;
  const txLayout *out = transposed ? &A->col_layout : &A->row_layout;
  const char *in_side = transposed ? "TEXLA_SIDE_ROWS" : "TEXLA_SIDE_COLS";
  const char *out_side = transposed ? "TEXLA_SIDE_COLS" : "TEXLA_SIDE_ROWS";
  clStatus status = checkSide(call, A, "x", x, in, in_side);
  if (!status)
    status = checkSide(call, A, "y", y, out, out_side);
  if (!status && op != TEXLA_OP_AX)
    status = checkSide(call, A, "b", b, out, out_side);
  if (!status && x == y)
    status = txFail(txContextError(A->context), TEXLA_BAD_ARGUMENT, call, "x must not be y");
  if (!status && (op < TEXLA_OP_AX || op > TEXLA_OP_B_MINUS_AX))
    status = txFail(txContextError(A->context), TEXLA_BAD_ARGUMENT, call, "unknown operation %d",
                    (int)op);
  return status;
}

static clStatus apply(const char *call, clVector *y, clMatrixOp op, const clMatrix *A,
                      bool transposed, const clVector *x, const clVector *b) {
  static const float ca[] = {1, 1, 1, -1}, cb[] = {0, 1, -1, 1};
  clStatus status = checkOperands(call, y, op, A, transposed, x, b);
  if (status)
    return status;
  return A->operations->multiply(call, y, ca[op], A, transposed, x, cb[op],
                                 op == TEXLA_OP_AX ? NULL : b);
}

clStatus clMatrixVectorOp(clVector *y, clMatrixOp op, const clMatrix *A, clDenseOp a_op,
                          const clVector *x, const clVector *b) {
  static const char call[] = "clMatrixVectorOp";
  if (A && a_op != TEXLA_DENSE_NORMAL && a_op != TEXLA_DENSE_TRANSPOSED)
    return txFail(txContextError(A->context), TEXLA_BAD_ARGUMENT, call, "unknown form %d of A",
                  (int)a_op);
  return apply(call, y, op, A, a_op == TEXLA_DENSE_TRANSPOSED, x, b);
}

clStatus clMatrixMulVector(clVector *y, const clMatrix *A, const clVector *x) {
  return apply("clMatrixMulVector", y, TEXLA_OP_AX, A, false, x, NULL);
}

clStatus clMatrixDiagonal(clVector *d, const clMatrix *A) {
  static const char call[] = "clMatrixDiagonal";
  if (!A)
    return txFail(d ? txContextError(d->context) : NULL, TEXLA_BAD_ARGUMENT, call,
                  "A must not be NULL");
  if (A->rows != A->cols)
    return txFail(txContextError(A->context), TEXLA_BAD_SHAPE, call, "A is %d x %d, not square",
                  A->rows, A->cols);
  clStatus status = checkSide(call, A, "d", d, &A->row_layout, "TEXLA_SIDE_ROWS");
  return status ? status : A->operations->diagonal(call, d, A);
}

/* Residuals in double-float: the halves' layouts are checked as those of vectors are. */
static clStatus residual(const char *call, const clVector *result, const txResidual *r) {
  const clVector *x = r->x ? &r->x->high : NULL, *b = r->b ? &r->b->high : NULL;
  clStatus status = checkOperands(call, result, TEXLA_OP_B_MINUS_AX, r->A, false, x, b);
  return status ? status : txMatrixResidual(call, r);
}

clStatus clMatrixResidualDouble(clDoubleVector *r, const clMatrix *A, const clDoubleVector *x,
                                const clDoubleVector *b) {
  return residual("clMatrixResidualDouble", r ? &r->high : NULL,
                  &(txResidual){r, NULL, 1, A, x, b});
}

clStatus clMatrixResidualRounded(clVector *r, float factor, const clMatrix *A,
                                 const clDoubleVector *x, const clDoubleVector *b) {
  return residual("clMatrixResidualRounded", r, &(txResidual){NULL, r, factor, A, x, b});
}
