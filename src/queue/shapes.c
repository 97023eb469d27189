/* What shapes results have, or why operands do not fit: known at submission, before there is any
 * value.
 *
 * So a mistake is told by the call that makes it, and not by the one that fetches a result much
 * later; and what is submitted next can be checked against results that do not exist yet. */
#include "queue/shapes.h"
#include "core/try.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

/* "3 x 4", "3 x 4 and 5 x 1", ... of the matrices among the operands */
static const char *shapesText(const txCall *call, char text[256]) {
  size_t used = 0;
  const char *separator = "";
  text[0] = 0;
  for (int k = 0; k < call->operands && used < 200; k++) {
    if (call->operation->operands[k] == 'n' || call->operation->operands[k] == 'N')
      continue;
    used += (size_t)snprintf(text + used, 256 - used, "%s%lld x %lld", separator,
                             (long long)call->operand[k].shape.rows,
                             (long long)call->operand[k].shape.cols);
    separator = " and ";
  }
  return text;
}

/* The message tells all shapes, and what they should be. */
static clStatus unfit(txCall *call, const char *need) {
  char text[256];
  return txCallFail(call, TEXLA_BAD_SHAPE, "operands are %s (%s)", shapesText(call, text), need);
}

/* What operands must be like to fit. */
static clStatus need(txCall *call, bool fits, const char *text) {
  if (!fits)
    return unfit(call, text);
  return TEXLA_OK;
}

static int64_t shapesSmaller(int64_t a, int64_t b) {
  return a < b ? a : b;
}

/* The number that is operand k, where it is given. */
static double number(const txCall *call, int k, double otherwise) {
  return k < call->operands ? call->operand[k].number : otherwise;
}

/* A number that counts something. */
static clStatus countOf(txCall *call, int k, int64_t *out) {
  double n = number(call, k, -1);
  if (!(n >= 0 && n <= INT_MAX) || n != floor(n))
    return txCallFail(call, TEXLA_BAD_ARGUMENT, "operand %d is %g but must be a size, at most %d",
                      k + 1, n, INT_MAX);
  *out = (int64_t)n;
  return TEXLA_OK;
}

/* Sides of length 1 are repeated along the other operand's. */
clStatus txShapeBroadcast(txCall *call) {
  txShape s = call->operand[0].shape;
  for (int k = 1; k < call->operands; k++) {
    txShape b = call->operand[k].shape;
    if ((s.rows != b.rows && s.rows != 1 && b.rows != 1) ||
        (s.cols != b.cols && s.cols != 1 && b.cols != 1))
      return unfit(call, "need the same sizes, or 1");
    if (s.rows == 1)
      s.rows = b.rows;
    if (s.cols == 1)
      s.cols = b.cols;
  }
  call->shape[0] = s;
  return TEXLA_OK;
}

/* The first operand's shape. */
clStatus txShapeSame(txCall *call) {
  call->shape[0] = call->operand[0].shape;
  return TEXLA_OK;
}

/* Rows become columns. */
clStatus txShapeTransposed(txCall *call) {
  call->shape[0] = (txShape){call->operand[0].shape.cols, call->operand[0].shape.rows};
  return TEXLA_OK;
}

/* All results are numbers. */
clStatus txShapeOne(txCall *call) {
  for (int k = 0; k < call->operation->results; k++)
    call->shape[k] = (txShape){1, 1};
  return TEXLA_OK;
}

/* Shapes may differ, as long as there are as many entries. */
clStatus txShapeDot(txCall *call) {
  txShape a = call->operand[0].shape, b = call->operand[1].shape;
  TRY(need(call, a.rows * a.cols == b.rows * b.cols, "need as many entries"));
  return txShapeOne(call);
}

/* Operands 1 and 2 are the result's sides. */
clStatus txShapeGiven(txCall *call) {
  txShape *s = &call->shape[0];
  TRY(countOf(call, 1, &s->rows));
  return countOf(call, 2, &s->cols);
}

/* The same number of entries, column after column. */
clStatus txShapeReshaped(txCall *call) {
  txShape a = call->operand[0].shape, *s = &call->shape[0];
  TRY(txShapeGiven(call));
  if (a.rows * a.cols == s->rows * s->cols)
    return TEXLA_OK;
  return txCallFail(call, TEXLA_BAD_SHAPE, "%lld x %lld has not as many entries as %lld x %lld",
                    (long long)a.rows, (long long)a.cols, (long long)s->rows, (long long)s->cols);
}

/* Operands 1 and 2 are the numbers of copies. */
clStatus txShapeRepeated(txCall *call) {
  txShape a = call->operand[0].shape, *s = &call->shape[0];
  TRY(txShapeGiven(call));
  *s = (txShape){s->rows * a.rows, s->cols * a.cols};
  return TEXLA_OK;
}

/* Each entry of the first becomes a block as large as the second. */
clStatus txShapeKron(txCall *call) {
  txShape a = call->operand[0].shape, b = call->operand[1].shape;
  call->shape[0] = (txShape){a.rows * b.rows, a.cols * b.cols};
  return TEXLA_OK;
}

/* Beside each other. */
clStatus txShapeHorzcat(txCall *call) {
  txShape a = call->operand[0].shape, b = call->operand[1].shape;
  call->shape[0] = (txShape){a.rows, a.cols + b.cols};
  return need(call, a.rows == b.rows, "need as many rows");
}

/* Below each other. */
clStatus txShapeVertcat(txCall *call) {
  txShape a = call->operand[0].shape, b = call->operand[1].shape;
  call->shape[0] = (txShape){a.rows + b.rows, a.cols};
  return need(call, a.cols == b.cols, "need as many columns");
}

/* Dimension 1 runs down the columns, dimension 2 along the rows. */
static clStatus checkDimension(txCall *call, double dim) {
  if (dim != 1 && dim != 2)
    return txCallFail(call, TEXLA_BAD_ARGUMENT, "the dimension is %g but must be 1 or 2", dim);
  return TEXLA_OK;
}

/* One entry for each row or column. Sums of nothing are zero, but of nothing nothing is the
 * largest. */
clStatus txShapeFold(txCall *call) {
  txShape a = call->operand[0].shape;
  double dim = number(call, 1, 1);
  TRY(checkDimension(call, dim));
  call->shape[0] = (txShape){1, a.cols};
  if (dim == 2)
    call->shape[0] = (txShape){a.rows, 1};
  if (txShapeEmpty(a) && call->operation->text[0] == '-' && !txShapeEmpty(call->shape[0]))
    return unfit(call, "nothing to choose from");
  return TEXLA_OK;
}

/* Diagonals beyond the matrix are empty. */
clStatus txShapeDiagonal(txCall *call) {
  txShape a = call->operand[0].shape;
  double k = number(call, 1, 0);
  double rows = fmin((double)a.rows + fmin(k, 0), (double)a.cols - fmax(k, 0));
  rows = fmax(fmin(rows, (double)shapesSmaller(a.rows, a.cols)), 0);
  call->shape[0] = (txShape){(int64_t)rows, 1};
  return TEXLA_OK;
}

/* So large that the vector fits on diagonal n. */
clStatus txShapeDiagonalMatrix(txCall *call) {
  txShape a = call->operand[0].shape;
  int64_t n = a.rows * a.cols + (int64_t)fabs(number(call, 1, 0));
  call->shape[0] = (txShape){n, n};
  return need(call, a.rows == 1 || a.cols == 1, "need a vector");
}

/* An index along a side: the number 0 for all of it, a number, or a vector. */
static clStatus shapesIndexed(txCall *call, int k, int64_t side, int64_t *out) {
  const txOperand *o = &call->operand[k];
  *out = o->shape.rows * o->shape.cols;
  if (!o->is_number)
    return TEXLA_OK;
  if (o->number == 0)
    *out = side;
  if (o->number < 0 || o->number > (double)side)
    return txCallFail(call, TEXLA_BAD_ARGUMENT, "index %g is out of bound %lld", o->number,
                      (long long)side);
  return TEXLA_OK;
}

/* Rows and columns are chosen apart. */
clStatus txShapeIndex(txCall *call) {
  txShape a = call->operand[0].shape, *s = &call->shape[0];
  TRY(shapesIndexed(call, 1, a.rows, &s->rows));
  return shapesIndexed(call, 2, a.cols, &s->cols);
}

/* The shape of the index. */
clStatus txShapeSelect(txCall *call) {
  call->shape[0] = call->operand[1].shape;
  return TEXLA_OK;
}

/* Operands 2 and 3 ask for transposes. */
/* As operand 2. */
clStatus txShapeThird(txCall *call) {
  call->shape[0] = call->operand[2].shape;
  return TEXLA_OK;
}

/* The last two operands are the result's sides. */
clStatus txShapeLastGiven(txCall *call) {
  txShape *s = &call->shape[0];
  TRY(countOf(call, call->operands - 2, &s->rows));
  return countOf(call, call->operands - 1, &s->cols);
}

clStatus txShapeMultiply(txCall *call) {
  bool a_turned = number(call, 2, 0) != 0, b_turned = number(call, 3, 0) != 0;
  txShape a = call->operand[0].shape, b = call->operand[1].shape;
  if (a_turned)
    a = (txShape){a.cols, a.rows};
  if (b_turned)
    b = (txShape){b.cols, b.rows};
  call->shape[0] = (txShape){a.rows, b.cols};
  return need(call, a.cols == b.rows, "inner sizes must agree");
}

/* As large as the operand. */
clStatus txShapeSquare(txCall *call) {
  txShape a = call->operand[0].shape;
  call->shape[0] = a;
  return need(call, a.rows == a.cols, "need a square matrix");
}

/* A number of a square matrix. */
clStatus txShapeSquareOne(txCall *call) {
  TRY(txShapeSquare(call));
  return txShapeOne(call);
}

/* x of A x = b, and where there is a second result, the report of an iteration. */
clStatus txShapeSolve(txCall *call) {
  txShape a = call->operand[0].shape, b = call->operand[1].shape;
  call->shape[0] = (txShape){a.cols, b.cols};
  call->shape[1] = (txShape){1, 4};
  if (a.rows != b.rows)
    return unfit(call, "need as many rows");
  if (a.rows != a.cols && call->operation->results > 1)
    return unfit(call, "the first must be square");
  return need(call, call->operation->results == 1 || b.cols == 1, "need one right-hand side");
}

/* L is m x k, U k x n, with k the smaller side. */
clStatus txShapeLu(txCall *call) {
  txShape a = call->operand[0].shape;
  int64_t k = a.rows < a.cols ? a.rows : a.cols;
  call->shape[0] = (txShape){a.rows, k};
  call->shape[1] = (txShape){k, a.cols};
  call->shape[2] = (txShape){1, a.rows};
  return TEXLA_OK;
}

/* Both factors in a matrix of the same shape, and the order of rows. */
clStatus txShapeFactor(txCall *call) {
  txShape a = call->operand[0].shape;
  call->shape[0] = a;
  call->shape[1] = (txShape){1, a.rows};
  return need(call, !txShapeEmpty(a), "nothing to factor");
}

/* A factor, and a number. */
clStatus txShapeSquareTwo(txCall *call) {
  TRY(txShapeSquare(call));
  call->shape[1] = (txShape){1, 1};
  return need(call, !txShapeEmpty(call->shape[0]), "nothing to factor");
}

/* Q m x m, R m x n, or with operand 2 Q m x min(m, n), R min(m, n) x n. */
clStatus txShapeQr(txCall *call) {
  txShape a = call->operand[0].shape;
  int64_t k = a.rows;
  if (number(call, 2, 0) != 0)
    k = shapesSmaller(a.rows, a.cols);
  call->shape[0] = (txShape){a.rows, k};
  call->shape[1] = (txShape){k, a.cols};
  call->shape[2] = (txShape){1, a.cols};
  return need(call, !txShapeEmpty(a), "nothing to factor");
}

/* x of min ||D (b - A x)||, one weight for each row. */
clStatus txShapeLeastSquares(txCall *call) {
  txShape a = call->operand[0].shape, b = call->operand[1].shape;
  call->shape[0] = (txShape){a.cols, b.cols};
  if (a.rows != b.rows || a.rows < a.cols)
    return unfit(call, "need as many rows, and not fewer rows than columns");
  if (call->operands > 2 && !call->operand[2].is_number) {
    txShape w = call->operand[2].shape;
    if (w.rows * w.cols != a.rows)
      return unfit(call, "need a weight for each row");
  }
  return need(call, !txShapeEmpty(a) || txShapeEmpty(call->shape[0]), "nothing to fit");
}

/* Each column of the last matrix is a right-hand side; diagonals are numbers, columns for all
 * systems, or of its shape. */
clStatus txShapeTridiagonal(txCall *call) {
  txShape b = call->operand[3].shape;
  call->shape[0] = b;
  for (int k = 0; k < 3; k++) {
    const txOperand *o = &call->operand[k];
    if (!o->is_number &&
        (o->shape.rows != b.rows || (o->shape.cols != b.cols && o->shape.cols != 1)))
      return unfit(call, "need the same sizes, columns, or numbers");
  }
  return TEXLA_OK;
}

/* As operand 0, worked on along dimension operand 1. */
clStatus txShapeAlong(txCall *call) {
  double dim = number(call, 1, 1);
  call->shape[0] = call->operand[0].shape;
  call->shape[1] = call->operand[0].shape;
  return checkDimension(call, dim);
}

/* The weights are as many as columns. */
clStatus txShapeSyrk(txCall *call) {
  txShape a = call->operand[0].shape;
  call->shape[0] = (txShape){a.rows, a.rows};
  if (txShapeEmpty(a))
    return unfit(call, "nothing to multiply");
  if (call->operands > 1 && call->operand[1].shape.rows * call->operand[1].shape.cols != a.cols)
    return unfit(call, "need as many entries as the first has columns");
  return TEXLA_OK;
}

/* From nothing, nothing can be interpolated. */
clStatus txShapeResampled(txCall *call) {
  TRY(txShapeGiven(call));
  return need(call, !txShapeEmpty(call->operand[0].shape), "nothing to resample");
}

/* A sparse matrix has rows and columns. */
clStatus txShapeSparse(txCall *call) {
  call->shape[0] = call->operand[0].shape;
  return need(call, !txShapeEmpty(call->shape[0]), "nothing to store");
}

/* The echelon form, columns of pivots, the rank. */
clStatus txShapeRref(txCall *call) {
  txShape a = call->operand[0].shape;
  call->shape[0] = a;
  call->shape[1] = (txShape){1, shapesSmaller(a.rows, a.cols)};
  call->shape[2] = (txShape){1, 1};
  return TEXLA_OK;
}
