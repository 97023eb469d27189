/* Sparse matrices that stay sparse.
 *
 * What may become of zeros decides: a function stays sparse where f(0) = 0, a product where one
 * factor is sparse and the other finite, since 0 times infinity is no zero. What is made of the
 * entries is in sparse_pairs.c, sparse_folds.c, sparse_moves.c and sparse_product.c. */
#include "queue/sparse.h"
#include "core/try.h"
#include "queue/sparse_parts.h"
#include "queue/write.h"

#include <math.h>
#include <string.h>

/* ---- What is sparse -------------------------------------------------------------------------- */

typedef enum rule {
  /* f(x) of each entry, with f(0) = 0. */
  FUNCTION,
  /* x y and x / y with a sparse x, entry by entry, y dense. */
  SCALE,
  /* The matrix product of two sparse matrices. */
  PRODUCT,
  /* Of a sparse operand 0, or of one of the first two. */
  FIRST,
  EITHER,
  /* Of a sparse operand 0, but dense. */
  DENSE,
  /* What is done elsewhere. */
  ELSEWHERE
} rule;

static double negative(double x) {
  return -x;
}

static double sparseSignOf(double x) {
  return (double)(x > 0) - (double)(x < 0);
}

/* Entries are finite. */
static double never(double x) {
  (void)x;
  return 0;
}

static const struct {
  const char *name;
  rule rule;
  /* one of both */
  double (*f)(double x);
  clStatus (*run)(txCall *call, clTriplets *T);
} known[] = {{"times", SCALE, NULL, txSparseScale},
             {"rdivide", SCALE, NULL, txSparseScale},
             {"multiply", PRODUCT, NULL, txSparseProduct},
             {"index", FIRST, NULL, txSparsePart},
             {"select", FIRST, NULL, txSparseSelect},
             {"tril", FIRST, NULL, txSparseTriangle},
             {"triu", FIRST, NULL, txSparseTriangle},
             {"reshape", FIRST, NULL, txSparseReshape},
             {"resize", FIRST, NULL, txSparseResize},
             {"repmat", FIRST, NULL, txSparseRepeat},
             {"diagonal_matrix", FIRST, NULL, txSparseOnDiagonal},
             {"write", FIRST, NULL, txWriteTriplets},
             {"write_select", FIRST, NULL, txWriteTriplets},
             {"horzcat", EITHER, NULL, txSparseJoin},
             {"vertcat", EITHER, NULL, txSparseJoin},
             {"kron", EITHER, NULL, txSparseKron},
             {"diagonal", DENSE, NULL, txSparseDiagonal},
             {"sum", DENSE, NULL, txSparseFold},
             {"prod", DENSE, NULL, txSparseFold},
             {"max", DENSE, NULL, txSparseFold},
             {"min", DENSE, NULL, txSparseFold},
             {"argmax", DENSE, NULL, txSparseFold},
             {"argmin", DENSE, NULL, txSparseFold},
             {"transpose", ELSEWHERE, NULL, NULL},
             {"sparse", ELSEWHERE, NULL, NULL},
             {"uminus", FUNCTION, negative, NULL},
             {"abs", FUNCTION, fabs, NULL},
             {"sign", FUNCTION, sparseSignOf, NULL},
             {"sqrt", FUNCTION, sqrt, NULL},
             {"sin", FUNCTION, sin, NULL},
             {"tan", FUNCTION, tan, NULL},
             {"asin", FUNCTION, asin, NULL},
             {"atan", FUNCTION, atan, NULL},
             {"sinh", FUNCTION, sinh, NULL},
             {"tanh", FUNCTION, tanh, NULL},
             {"floor", FUNCTION, floor, NULL},
             {"ceil", FUNCTION, ceil, NULL},
             {"round", FUNCTION, round, NULL},
             {"fix", FUNCTION, trunc, NULL},
             {"expm1", FUNCTION, expm1, NULL},
             {"log1p", FUNCTION, log1p, NULL},
             {"asinh", FUNCTION, asinh, NULL},
             {"atanh", FUNCTION, atanh, NULL},
             {"erf", FUNCTION, erf, NULL},
             {"isnan", FUNCTION, never, NULL},
             {"isinf", FUNCTION, never, NULL}};

enum { KNOWN = sizeof known / sizeof *known };

/* The operation's place in the table of this file. */
static int sparseFind(const txCall *call) {
  int k = 0;
  while (k < KNOWN && (!call->operation || strcmp(known[k].name, call->operation->name)))
    k++;
  return k;
}

/* Repeated along its sides of length 1, has b the shape of a? */
static bool covers(txShape a, txShape b) {
  return (b.rows == a.rows || b.rows == 1) && (b.cols == a.cols || b.cols == 1);
}

/* A quotient with a whole matrix is dense, since where both are 0 it is NaN. */
static bool scales(const txCall *call) {
  const txOperand *a = &call->operand[0], *b = &call->operand[1];
  if (a->is_number || b->is_number || a->sparse == b->sparse)
    return false;
  if (!strcmp(call->operation->name, "rdivide"))
    return a->sparse && covers(a->shape, b->shape) && (b->shape.rows == 1 || b->shape.cols == 1);
  if (b->sparse)
    return covers(b->shape, a->shape);
  return covers(a->shape, b->shape);
}

static bool isTurned(const txCall *call, int k) {
  return k < call->operands && call->operand[k].number != 0;
}

/* Known from the operands alone, so that callers can ask before anything was computed. */
bool txSparseResult(const txCall *call) {
  int k = sparseFind(call);
  const txOperand *a = &call->operand[0], *b = &call->operand[1];
  if (txSparseIsPair(call))
    return true;
  if (k == KNOWN)
    return false;
  switch (known[k].rule) {
  case SCALE:
    return scales(call);
  case PRODUCT:
    return a->sparse && b->sparse && !isTurned(call, 2) && !isTurned(call, 3);
  case EITHER:
    return a->sparse || b->sparse;
  case DENSE:
    return false;
  default:
    return a->sparse || !strcmp(known[k].name, "sparse");
  }
}

/* The result is sparse, or it is a fold or a diagonal of a sparse matrix. */
bool txSparseHas(const txCall *call) {
  int k = sparseFind(call);
  if (k < KNOWN && known[k].rule == ELSEWHERE)
    return false;
  return call->sparse || (k < KNOWN && known[k].rule == DENSE && call->operand[0].sparse);
}

/* ---- Runs ------------------------------------------------------------------------------------ */

/* A function with f(0) = 0 of each entry. */
static clStatus function(txCall *call, clTriplets *T, double (*f)(double x)) {
  const clTriplets *A = txSparseOperand(call, 0);
  for (int64_t k = 0; k < A->count; k++)
    TRY(txSparseAdd(call, T, A->row[k], A->col[k], f(A->value[k])));
  return TEXLA_OK;
}

static clStatus sparseFill(txCall *call, clTriplets *T) {
  if (txSparseIsPair(call))
    return txSparsePair(call, T);
  int k = sparseFind(call);
  if (known[k].rule == FUNCTION)
    return function(call, T, known[k].f);
  return known[k].run(call, T);
}

clStatus txSparseRun(txCall *call) {
  txShape s = call->shape[0];
  clTriplets *T = NULL;
  clStatus status = TEXLA_OK;
  if (!call->sparse)
    return sparseFill(call, NULL);
  TRY_CLEANUP(clTripletsCreate(&T, (int32_t)s.rows, (int32_t)s.cols, 16, call->error));
  TRY_CLEANUP(sparseFill(call, T));
  TRY_CLEANUP(clTripletsCompress(T, call->error));
  call->result[0]->triplets = T;
  return TEXLA_OK;
cleanup:
  clTripletsDestroy(T);
  return status;
}
