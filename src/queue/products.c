/* Products, and sparse matrices in one of their storages.
 *
 * A sparse matrix is multiplied by vectors, so a product with several columns goes column by column
 * through the host; with one column it stays on the device. */
#include "queue/operations.h"
#include "core/try.h"
#include "texla/triangle.h"

#include <stdlib.h>

/* A number as a matrix is only met in products: these callers ask for matrices. */
static clTranspose opOf(const txCall *call, int k) {
  if (k < call->operands && call->operand[k].number != 0)
    return TEXLA_TRANSPOSE;
  return TEXLA_NO_TRANSPOSE;
}

/* The sparse operand 0 on the device, where it stays for the next product. */
static clStatus sparseMatrix(txCall *call, clMatrix **out) {
  txValue *v = call->operand[0].value;
  const clMatrixOptions options = {.storage = v->storage};
  if (!v->matrix)
    TRY(txCallStatus(call, clMatrixCreate(&v->matrix, call->context, v->triplets, &options)));
  *out = v->matrix;
  return TEXLA_OK;
}

/* A's vectors x and y of y <- op(A) x. */
static clStatus productsCreateVectors(txCall *call, const clMatrix *A, clTranspose op, clVector **x,
                                      clVector **y) {
  clMatrixSpace from = TEXLA_DOMAIN, to = TEXLA_RANGE;
  if (op == TEXLA_TRANSPOSE) {
    from = TEXLA_RANGE;
    to = TEXLA_DOMAIN;
  }
  TRY(txCallStatus(call, clMatrixCreateVector(x, A, from)));
  return txCallStatus(call, clMatrixCreateVector(y, A, to));
}

/* c <- op(A) b for one column, through `values` */
static clStatus multiplyColumn(txCall *call, const clMatrix *A, clTranspose op, double *c,
                               const double *b, clVector *x, clVector *y, float *values) {
  for (int64_t i = 0; i < clVectorLength(x); i++)
    values[i] = (float)b[i];
  TRY(txCallStatus(call, clVectorUpload(x, values)));
  TRY(txCallStatus(call, clMatrixVectorOp(y, TEXLA_OP_AX, A, op, x, NULL)));
  TRY(txCallStatus(call, clVectorDownload(y, values)));
  for (int64_t i = 0; i < clVectorLength(y); i++)
    c[i] = (double)values[i];
  return TEXLA_OK;
}

/* result <- op(A) B with a sparse A, column by column through the host. */
static clStatus multiplySparse(txCall *call) {
  clMatrix *A;
  clVector *x = NULL, *y = NULL;
  double *b, *c;
  float *values = NULL;
  clTranspose op = opOf(call, 2);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(sparseMatrix(call, &A));
  TRY_CLEANUP(txOperandHost(call, 1, &b));
  TRY_CLEANUP(txResultHost(call, 0, &c));
  TRY_CLEANUP(productsCreateVectors(call, A, op, &x, &y));
  int64_t n = clVectorLength(x), m = clVectorLength(y), longest = n > m ? n : m;
  values = txCallAllocate(call, (size_t)longest, sizeof *values, "a column");
  if (!values)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  for (int64_t j = 0; j < call->shape[0].cols; j++)
    TRY_CLEANUP(multiplyColumn(call, A, op, c + m * j, b + n * j, x, y, values));
cleanup:
  free(values);
  clVectorDestroy(x);
  clVectorDestroy(y);
  return status;
}

/* The same for one column, on the device alone. */
static clStatus multiplySparseVector(txCall *call) {
  clMatrix *A;
  clVector *b, *x = NULL, *y = NULL, *out;
  clTranspose op = opOf(call, 2);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(sparseMatrix(call, &A));
  TRY_CLEANUP(txOperandVector(call, 1, &b));
  TRY_CLEANUP(productsCreateVectors(call, A, op, &x, &y));
  TRY_CLEANUP(txCallStatus(call, clVectorCopy(x, b)));
  TRY_CLEANUP(txCallStatus(call, clMatrixVectorOp(y, TEXLA_OP_AX, A, op, x, NULL)));
  TRY_CLEANUP(txResultVector(call, 0, &out));
  TRY_CLEANUP(txCallStatus(call, clVectorCopy(out, y)));
cleanup:
  clVectorDestroy(x);
  clVectorDestroy(y);
  return status;
}

/* result <- op(A) op(B) with a sparse B, in double on the host: entry b_kj adds multiples of
 * column k of op(A) to column j. */
static clStatus multiplyBySparse(txCall *call) {
  clTriplets *B = call->operand[1].value->triplets;
  txShape a = call->operand[0].shape;
  int64_t m = call->shape[0].rows, row = 1, col = a.rows;
  double *from, *to;
  if (opOf(call, 2) == TEXLA_TRANSPOSE) {
    row = a.rows;
    col = 1;
  }
  TRY(txOperandHost(call, 0, &from));
  TRY(txResultHost(call, 0, &to));
  for (int64_t e = 0; e < B->count; e++) {
    int64_t k = B->row[e], j = B->col[e];
    if (opOf(call, 3) == TEXLA_TRANSPOSE) {
      k = B->col[e];
      j = B->row[e];
    }
    for (int64_t i = 0; i < m; i++)
      to[i + m * j] += from[row * i + col * k] * B->value[e];
  }
  return TEXLA_OK;
}

/* A sparse first factor is used as it is, unless the second is transposed: then both are packed. */
clStatus txRunMultiply(txCall *call) {
  clDense *A, *B, *C;
  txShape a = call->operand[0].shape;
  /* The operands are empty but the result is not: sums of nothing. */
  if (txShapeEmpty(a)) {
    clVector *zero;
    return txResultVector(call, 0, &zero);
  }
  bool sparse = txOperandIsSparse(call, 0) && opOf(call, 3) == TEXLA_NO_TRANSPOSE;
  if (sparse && call->shape[0].cols == 1)
    return multiplySparseVector(call);
  if (sparse)
    return multiplySparse(call);
  if (txOperandIsSparse(call, 1) && call->operand[0].value)
    return multiplyBySparse(call);
  TRY(txOperandDense(call, 0, &A));
  TRY(txOperandDense(call, 1, &B));
  TRY(txResultDense(call, 0, &C));
  return txCallStatus(call, clDenseMultiply(C, 1, opOf(call, 2), A, opOf(call, 3), B, 0));
}

/* The lower triangle of A D^2 A^T, D = diag(operand 2) or I. */
clStatus txRunSyrk(txCall *call) {
  clDense *A, *C;
  clVector *d = NULL;
  TRY(txOperandDense(call, 0, &A));
  if (call->operands > 1)
    TRY(txOperandVector(call, 1, &d));
  TRY(txResultDense(call, 0, &C));
  return txCallStatus(call, clDenseSyrk(C, 1, TEXLA_NO_TRANSPOSE, A, d, 0));
}

/* The copy belongs to the result from the beginning, which frees it also after a failure. */
static clStatus productsCopyTriplets(txCall *call, clTriplets **to, const clTriplets *T) {
  TRY(txCallStatus(call, clTripletsCreate(to, T->rows, T->cols, T->count, call->error)));
  return txCallStatus(call,
                      clTripletsAddMany(*to, T->count, T->row, T->col, T->value, call->error));
}

/* The same matrix, sparse; its form on the device is made now, so that what the storage refuses is
 * told here. */
clStatus txRunSparse(txCall *call) {
  clTriplets *T;
  txValue *to = call->result[0];
  double storage = txOperandNumber(call, 1, 0);
  if (!(storage >= 0 && storage < TEXLA_STORAGE_SHELL))
    return txCallFail(call, TEXLA_BAD_ARGUMENT, "there is no storage %g", storage);
  TRY(txOperandTriplets(call, 0, false, &T, &to->triplets));
  to->storage = (clStorage)storage;
  if (!to->triplets)
    TRY(productsCopyTriplets(call, &to->triplets, T));
  const clMatrixOptions options = {.storage = to->storage};
  return txCallStatus(call, clMatrixCreate(&to->matrix, call->context, to->triplets, &options));
}

/* Resampled with the device's bilinear filter: rows are the x of a grid. */
clStatus txRunRescale(txCall *call) {
  clVector *in, *out, *x = NULL, *y = NULL;
  txShape from = call->operand[0].shape, to = call->shape[0];
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txOperandVector(call, 0, &in));
  TRY_CLEANUP(
      txCallStatus(call, clVectorCreateGrid(&x, call->context, (int)from.rows, (int)from.cols)));
  TRY_CLEANUP(
      txCallStatus(call, clVectorCreateGrid(&y, call->context, (int)to.rows, (int)to.cols)));
  TRY_CLEANUP(txCallStatus(call, clVectorCopy(x, in)));
  TRY_CLEANUP(txCallStatus(call, clVectorRescale(y, x)));
  TRY_CLEANUP(txResultVector(call, 0, &out));
  TRY_CLEANUP(txCallStatus(call, clVectorCopy(out, y)));
cleanup:
  clVectorDestroy(x);
  clVectorDestroy(y);
  return status;
}
