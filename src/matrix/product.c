/* matrixVectorOp (K6): one entry point for all storages. */
#include "matrix/residual.h"
#include "core/try.h"

/* v must have the layout that A wants on this side. */
static clStatus productCheckSide(const char *call, const clMatrix *A, const char *name,
                                 const clVector *v, const txLayout *wanted, const char *side) {
  char text[64], have[64];
  clContext *context = A->context;
  if (!v)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call, "%s must not be NULL", name);
  TRY(txContextSame(context, v->context, call));
  if (txLayoutEqual(&v->layout, wanted))
    return TEXLA_OK;
  return txFail(
      txContextError(context), TEXLA_BAD_SHAPE, call,
      "A is %d x %d (%s) but %s is %s (need %s; clMatrixCreateVector(&%s, A, %s) makes it)",
      A->rows, A->cols, clStorageName(A->storage), name,
      txLayoutText(&v->layout, have, sizeof have), txLayoutText(wanted, text, sizeof text), name,
      side);
}

/* Every product is checked here, whatever the storage: contexts, lengths, layouts, and that x is
 * not y. */
static clStatus productCheckOperands(const char *call, const clVector *y, clMatrixOp op,
                                     const clMatrix *A, bool transposed, const clVector *x,
                                     const clVector *b) {
  if (!A)
    return txFail(txVectorError(y), TEXLA_BAD_ARGUMENT, call, "A must not be NULL");
  const txLayout *in = &A->col_layout, *out = &A->row_layout;
  const char *in_side = "TEXLA_DOMAIN", *out_side = "TEXLA_RANGE";
  if (transposed) {
    in = &A->row_layout;
    out = &A->col_layout;
    in_side = "TEXLA_RANGE";
    out_side = "TEXLA_DOMAIN";
  }
  TRY(productCheckSide(call, A, "x", x, in, in_side));
  TRY(productCheckSide(call, A, "y", y, out, out_side));
  if (op != TEXLA_OP_AX)
    TRY(productCheckSide(call, A, "b", b, out, out_side));
  if (x == y)
    return txFail(txContextError(A->context), TEXLA_BAD_ARGUMENT, call, "x must not be y");
  if (op < TEXLA_OP_AX || op > TEXLA_OP_B_MINUS_AX)
    return txFail(txContextError(A->context), TEXLA_BAD_ARGUMENT, call, "unknown operation %d",
                  (int)op);
  return TEXLA_OK;
}

/* The four operations differ in the factors of A x and of b. */
static clStatus productApply(const char *call, clVector *y, clMatrixOp op, const clMatrix *A,
                             bool transposed, const clVector *x, const clVector *b) {
  static const float ca[] = {1, 1, 1, -1}, cb[] = {0, 1, -1, 1};
  TRY(productCheckOperands(call, y, op, A, transposed, x, b));
  return A->operations->multiply(call, y, ca[op], A, transposed, x, cb[op],
                                 op == TEXLA_OP_AX ? NULL : b);
}

clStatus clMatrixVectorOp(clVector *y, clMatrixOp op, const clMatrix *A, clTranspose a_op,
                          const clVector *x, const clVector *b) {
  static const char call[] = "clMatrixVectorOp";
  if (A && a_op != TEXLA_NO_TRANSPOSE && a_op != TEXLA_TRANSPOSE)
    return txFail(txContextError(A->context), TEXLA_BAD_ARGUMENT, call, "unknown form %d of A",
                  (int)a_op);
  return productApply(call, y, op, A, a_op == TEXLA_TRANSPOSE, x, b);
}

clStatus clMatrixMulVector(clVector *y, const clMatrix *A, const clVector *x) {
  return productApply("clMatrixMulVector", y, TEXLA_OP_AX, A, false, x, NULL);
}

clStatus clMatrixDiagonal(clVector *d, const clMatrix *A) {
  static const char call[] = "clMatrixDiagonal";
  if (!A)
    return txFail(txVectorError(d), TEXLA_BAD_ARGUMENT, call, "A must not be NULL");
  if (A->rows != A->cols)
    return txFail(txContextError(A->context), TEXLA_BAD_SHAPE, call, "A is %d x %d, not square",
                  A->rows, A->cols);
  TRY(productCheckSide(call, A, "d", d, &A->row_layout, "TEXLA_RANGE"));
  return A->operations->diagonal(call, d, A);
}

/* The half whose layout is checked; NULL for NULL. */
static const clVector *productHigh(const clDoubleVector *x) {
  return x ? &x->high : NULL;
}

/* Residuals in double-float: the halves' layouts are checked as those of vectors are. */
static clStatus productResidual(const char *call, const clVector *result, const txResidual *r) {
  TRY(productCheckOperands(call, result, TEXLA_OP_B_MINUS_AX, r->A, false, productHigh(r->x),
                           productHigh(r->b)));
  return txMatrixResidual(call, r);
}

clStatus clMatrixResidualDouble(clDoubleVector *r, const clMatrix *A, const clDoubleVector *x,
                                const clDoubleVector *b) {
  return productResidual("clMatrixResidualDouble", productHigh(r),
                         &(txResidual){r, NULL, 1, A, x, b});
}

clStatus clMatrixResidualRounded(clVector *r, float factor, const clMatrix *A,
                                 const clDoubleVector *x, const clDoubleVector *b) {
  return productResidual("clMatrixResidualRounded", r, &(txResidual){NULL, r, factor, A, x, b});
}
