/* Products, and sparse matrices in one of their storages. */
#include "queue/operations.h"
#include "texla/triangle.h"

#include <stdlib.h>

/* A number as a matrix is only met in products: these callers ask for matrices. */
static clDenseOp opOf(const txCall *call, int k) {
  return k < call->operands && call->operand[k].number != 0 ? TEXLA_DENSE_TRANSPOSED
                                                            : TEXLA_DENSE_NORMAL;
}

static clStatus sparseMatrix(txCall *call, clMatrix **out) {
  txValue *v = call->operand[0].value;
  const clMatrixOptions options = {.storage = v->storage};
  clStatus status = TEXLA_OK;
  if (!v->matrix)
    status = txCallStatus(call, clMatrixCreate(&v->matrix, call->context, v->triplets, &options));
  *out = v->matrix;
  return status;
}

/* result <- op(A) B with a sparse A, column by column through the host. */
static clStatus multiplySparse(txCall *call) {
  clMatrix *A;
  clVector *x = NULL, *y = NULL;
  double *b, *c;
  clDenseOp op = opOf(call, 2);
  bool turned = op == TEXLA_DENSE_TRANSPOSED;
  clStatus status = sparseMatrix(call, &A);
  if (!status)
    status = txOperandHost(call, 1, &b);
  if (!status)
    status = txResultHost(call, 0, &c);
  if (!status)
    status =
        txCallStatus(call, clMatrixCreateVector(&x, A, turned ? TEXLA_SIDE_ROWS : TEXLA_SIDE_COLS));
  if (!status)
    status =
        txCallStatus(call, clMatrixCreateVector(&y, A, turned ? TEXLA_SIDE_COLS : TEXLA_SIDE_ROWS));
  int64_t n = clVectorLength(x), m = clVectorLength(y), longest = n > m ? n : m;
  float *values = status ? NULL : txCallAllocate(call, (size_t)longest, sizeof *values, "a column");
  if (!status && !values)
    status = TEXLA_OUT_OF_MEMORY;
  for (int64_t j = 0; j < call->shape[0].cols && !status; j++) {
    for (int64_t i = 0; i < n; i++)
      values[i] = (float)b[i + n * j];
    status = txCallStatus(call, clVectorUpload(x, values));
    if (!status)
      status = txCallStatus(call, clMatrixVectorOp(y, TEXLA_OP_AX, A, op, x, NULL));
    if (!status)
      status = txCallStatus(call, clVectorDownload(y, values));
    for (int64_t i = 0; i < m && !status; i++)
      c[i + m * j] = (double)values[i];
  }
  free(values);
  clVectorDestroy(x);
  clVectorDestroy(y);
  return status;
}

/* The same for one column, on the device alone. */
static clStatus multiplySparseVector(txCall *call) {
  clMatrix *A;
  clVector *b, *x = NULL, *y = NULL, *out;
  clDenseOp op = opOf(call, 2);
  bool turned = op == TEXLA_DENSE_TRANSPOSED;
  clStatus status = sparseMatrix(call, &A);
  if (!status)
    status = txOperandVector(call, 1, &b);
  if (!status)
    status =
        txCallStatus(call, clMatrixCreateVector(&x, A, turned ? TEXLA_SIDE_ROWS : TEXLA_SIDE_COLS));
  if (!status)
    status =
        txCallStatus(call, clMatrixCreateVector(&y, A, turned ? TEXLA_SIDE_COLS : TEXLA_SIDE_ROWS));
  if (!status)
    status = txCallStatus(call, clVectorCopy(x, b));
  if (!status)
    status = txCallStatus(call, clMatrixVectorOp(y, TEXLA_OP_AX, A, op, x, NULL));
  if (!status)
    status = txResultVector(call, 0, &out);
  if (!status)
    status = txCallStatus(call, clVectorCopy(out, y));
  clVectorDestroy(x);
  clVectorDestroy(y);
  return status;
}

clStatus txRunMultiply(txCall *call) {
  clDense *A, *B, *C;
  txShape a = call->operand[0].shape;
  /* the result is not empty: sums of nothing */
  if (txShapeEmpty(a)) {
    clVector *zero;
    return txResultVector(call, 0, &zero);
  }
  if (txOperandIsSparse(call, 0) && opOf(call, 3) == TEXLA_DENSE_NORMAL)
    return call->shape[0].cols == 1 ? multiplySparseVector(call) : multiplySparse(call);
  clStatus status = txOperandDense(call, 0, &A);
  if (!status)
    status = txOperandDense(call, 1, &B);
  if (!status)
    status = txResultDense(call, 0, &C);
  return status ? status
                : txCallStatus(call, clDenseMultiply(C, 1, opOf(call, 2), A, opOf(call, 3), B, 0));
}

/* The lower triangle of A D^2 A^T, D = diag(operand 2) or I. */
clStatus txRunSyrk(txCall *call) {
  clDense *A, *C;
  clVector *d = NULL;
  clStatus status = txOperandDense(call, 0, &A);
  if (!status && call->operands > 1)
    status = txOperandVector(call, 1, &d);
  if (!status)
    status = txResultDense(call, 0, &C);
  return status ? status : txCallStatus(call, clDenseSyrk(C, 1, TEXLA_DENSE_NORMAL, A, d, 0));
}

/* The same matrix, sparse; its form on the device is made now, so that what the storage refuses is
 * told here. */
clStatus txRunSparse(txCall *call) {
  clTriplets *T, *made;
  txValue *to = call->result[0];
  double storage = txOperandNumber(call, 1, 0);
  if (!(storage >= 0 && storage < TEXLA_STORAGE_SHELL))
    return txCallFail(call, TEXLA_BAD_ARGUMENT, "there is no storage %g", storage);
  clStatus status = txOperandTriplets(call, 0, false, &T, &made);
  if (!status && !made) {
    status = txCallStatus(call, clTripletsCreate(&made, T->rows, T->cols, T->count, call->error));
    if (!status)
      status = txCallStatus(
          call, clTripletsAddMany(made, T->count, T->row, T->col, T->value, call->error));
  }
  to->triplets = made;
  to->storage = (clStorage)storage;
  const clMatrixOptions options = {.storage = to->storage};
  return status ? status
                : txCallStatus(call, clMatrixCreate(&to->matrix, call->context, made, &options));
}

/* Resampled with the device's bilinear filter: rows are the x of a grid. */
clStatus txRunRescale(txCall *call) {
  clVector *in, *out, *x = NULL, *y = NULL;
  txShape from = call->operand[0].shape, to = call->shape[0];
  clStatus status = txOperandVector(call, 0, &in);
  if (!status)
    status =
        txCallStatus(call, clVectorCreateGrid(&x, call->context, (int)from.rows, (int)from.cols));
  if (!status)
    status = txCallStatus(call, clVectorCreateGrid(&y, call->context, (int)to.rows, (int)to.cols));
  if (!status)
    status = txCallStatus(call, clVectorCopy(x, in));
  if (!status)
    status = txCallStatus(call, clVectorRescale(y, x));
  if (!status)
    status = txResultVector(call, 0, &out);
  if (!status)
    status = txCallStatus(call, clVectorCopy(out, y));
  clVectorDestroy(x);
  clVectorDestroy(y);
  return status;
}
