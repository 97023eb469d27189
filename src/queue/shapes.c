/* What shapes results have, or why operands do not fit: known at submission, before there is any
 * value. */
#include "queue/shapes.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

/* "3 x 4", "3 x 4 and 5 x 1", ... of the matrices among the operands */
static const char *shapesText(const txCall *call, char text[256]) {
  size_t used = 0;
  text[0] = 0;
  for (int k = 0; k < call->operands && used < 200; k++)
    if (call->operation->operands[k] != 'n' && call->operation->operands[k] != 'N')
      used += (size_t)snprintf(text + used, 256 - used, "%s%lld x %lld", used ? " and " : "",
                               (long long)call->operand[k].shape.rows,
                               (long long)call->operand[k].shape.cols);
  return text;
}

static clStatus unfit(txCall *call, const char *need) {
  char text[256];
  return txCallFail(call, TEXLA_BAD_SHAPE, "operands are %s (%s)", shapesText(call, text), need);
}

static double number(const txCall *call, int k, double otherwise) {
  return k < call->operands ? call->operand[k].number : otherwise;
}

/* A number that counts something. */
static clStatus countOf(txCall *call, int k, int64_t *out) {
  double n = number(call, k, -1);
  if (!(n >= 0 && n <= INT_MAX) || n != floor(n))
    return txCallFail(call, TEXLA_BAD_ARGUMENT, "operand %d is %g but must be a size", k + 1, n);
  *out = (int64_t)n;
  return TEXLA_OK;
}

clStatus txShapeBroadcast(txCall *call) {
  txShape s = call->operand[0].shape;
  for (int k = 1; k < call->operands; k++) {
    txShape b = call->operand[k].shape;
    if ((s.rows != b.rows && s.rows != 1 && b.rows != 1) ||
        (s.cols != b.cols && s.cols != 1 && b.cols != 1))
      return unfit(call, "need the same sizes, or 1");
    s = (txShape){s.rows == 1 ? b.rows : s.rows, s.cols == 1 ? b.cols : s.cols};
  }
  call->shape[0] = s;
  return TEXLA_OK;
}

clStatus txShapeSame(txCall *call) {
  call->shape[0] = call->operand[0].shape;
  return TEXLA_OK;
}

clStatus txShapeTransposed(txCall *call) {
  call->shape[0] = (txShape){call->operand[0].shape.cols, call->operand[0].shape.rows};
  return TEXLA_OK;
}

clStatus txShapeOne(txCall *call) {
  for (int k = 0; k < call->operation->results; k++)
    call->shape[k] = (txShape){1, 1};
  return TEXLA_OK;
}

clStatus txShapeDot(txCall *call) {
  txShape a = call->operand[0].shape, b = call->operand[1].shape;
  return a.rows * a.cols == b.rows * b.cols ? txShapeOne(call)
                                            : unfit(call, "need as many entries");
}

/* Operands 1 and 2 are the result's sides. */
clStatus txShapeGiven(txCall *call) {
  txShape *s = &call->shape[0];
  clStatus status = countOf(call, 1, &s->rows);
  return status ? status : countOf(call, 2, &s->cols);
}

clStatus txShapeReshaped(txCall *call) {
  txShape a = call->operand[0].shape, *s = &call->shape[0];
  clStatus status = txShapeGiven(call);
  if (status || a.rows * a.cols == s->rows * s->cols)
    return status;
  return txCallFail(call, TEXLA_BAD_SHAPE, "%lld x %lld has not as many entries as %lld x %lld",
                    (long long)a.rows, (long long)a.cols, (long long)s->rows, (long long)s->cols);
}

clStatus txShapeRepeated(txCall *call) {
  txShape a = call->operand[0].shape, *s = &call->shape[0];
  clStatus status = txShapeGiven(call);
  *s = (txShape){s->rows * a.rows, s->cols * a.cols};
  return status;
}

clStatus txShapeKron(txCall *call) {
  txShape a = call->operand[0].shape, b = call->operand[1].shape;
  call->shape[0] = (txShape){a.rows * b.rows, a.cols * b.cols};
  return TEXLA_OK;
}

clStatus txShapeHorzcat(txCall *call) {
  txShape a = call->operand[0].shape, b = call->operand[1].shape;
  call->shape[0] = (txShape){a.rows, a.cols + b.cols};
  return a.rows == b.rows ? TEXLA_OK : unfit(call, "need as many rows");
}

clStatus txShapeVertcat(txCall *call) {
  txShape a = call->operand[0].shape, b = call->operand[1].shape;
  call->shape[0] = (txShape){a.rows + b.rows, a.cols};
  return a.cols == b.cols ? TEXLA_OK : unfit(call, "need as many columns");
}

clStatus txShapeFold(txCall *call) {
  txShape a = call->operand[0].shape;
  double dim = number(call, 1, 1);
  if (dim != 1 && dim != 2)
    return txCallFail(call, TEXLA_BAD_ARGUMENT, "the dimension is %g but must be 1 or 2", dim);
  call->shape[0] = dim == 1 ? (txShape){1, a.cols} : (txShape){a.rows, 1};
  if (txShapeEmpty(a) && call->operation->text[0] == '-' && !txShapeEmpty(call->shape[0]))
    return unfit(call, "nothing to choose from");
  return TEXLA_OK;
}

clStatus txShapeDiagonal(txCall *call) {
  txShape a = call->operand[0].shape;
  double k = number(call, 1, 0);
  double rows = fmin((double)a.rows + fmin(k, 0), (double)a.cols - fmax(k, 0));
  call->shape[0] =
      (txShape){rows > 0 ? (int64_t)fmin(rows, fmin((double)a.rows, (double)a.cols)) : 0, 1};
  return TEXLA_OK;
}

clStatus txShapeDiagonalMatrix(txCall *call) {
  txShape a = call->operand[0].shape;
  int64_t n = a.rows * a.cols + (int64_t)fabs(number(call, 1, 0));
  call->shape[0] = (txShape){n, n};
  return a.rows == 1 || a.cols == 1 ? TEXLA_OK : unfit(call, "need a vector");
}

/* An index along a side: the number 0 for all of it, a number, or a vector. */
static clStatus indexed(txCall *call, int k, int64_t side, int64_t *out) {
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

clStatus txShapeIndex(txCall *call) {
  txShape a = call->operand[0].shape, *s = &call->shape[0];
  clStatus status = indexed(call, 1, a.rows, &s->rows);
  return status ? status : indexed(call, 2, a.cols, &s->cols);
}

clStatus txShapeSelect(txCall *call) {
  call->shape[0] = call->operand[1].shape;
  return TEXLA_OK;
}

clStatus txShapeMultiply(txCall *call) {
  bool a_turned = number(call, 2, 0) != 0, b_turned = number(call, 3, 0) != 0;
  txShape a = call->operand[0].shape, b = call->operand[1].shape;
  int64_t a_inner = a_turned ? a.rows : a.cols, b_inner = b_turned ? b.cols : b.rows;
  call->shape[0] = (txShape){a_turned ? a.cols : a.rows, b_turned ? b.rows : b.cols};
  return a_inner == b_inner ? TEXLA_OK : unfit(call, "inner sizes must agree");
}

clStatus txShapeSquare(txCall *call) {
  txShape a = call->operand[0].shape;
  call->shape[0] = a;
  return a.rows == a.cols ? TEXLA_OK : unfit(call, "need a square matrix");
}

clStatus txShapeSquareOne(txCall *call) {
  clStatus status = txShapeSquare(call);
  return status ? status : txShapeOne(call);
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
  return call->operation->results == 1 || b.cols == 1 ? TEXLA_OK
                                                      : unfit(call, "need one right-hand side");
}

clStatus txShapeLu(txCall *call) {
  txShape a = call->operand[0].shape;
  int64_t k = a.rows < a.cols ? a.rows : a.cols;
  call->shape[0] = (txShape){a.rows, k};
  call->shape[1] = (txShape){k, a.cols};
  call->shape[2] = (txShape){1, a.rows};
  return TEXLA_OK;
}

clStatus txShapeFactor(txCall *call) {
  txShape a = call->operand[0].shape;
  call->shape[0] = a;
  call->shape[1] = (txShape){1, a.rows};
  return txShapeEmpty(a) ? unfit(call, "nothing to factor") : TEXLA_OK;
}

clStatus txShapeSquareTwo(txCall *call) {
  clStatus status = txShapeSquare(call);
  call->shape[1] = (txShape){1, 1};
  return status || !txShapeEmpty(call->shape[0]) ? status : unfit(call, "nothing to factor");
}

/* Q m x m, R m x n, or with operand 2 Q m x min(m, n), R min(m, n) x n. */
clStatus txShapeQr(txCall *call) {
  txShape a = call->operand[0].shape;
  int64_t k = number(call, 2, 0) == 0 ? a.rows : a.rows < a.cols ? a.rows : a.cols;
  call->shape[0] = (txShape){a.rows, k};
  call->shape[1] = (txShape){k, a.cols};
  call->shape[2] = (txShape){1, a.cols};
  return txShapeEmpty(a) ? unfit(call, "nothing to factor") : TEXLA_OK;
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
  return txShapeEmpty(a) && !txShapeEmpty(call->shape[0]) ? unfit(call, "nothing to fit")
                                                          : TEXLA_OK;
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
  call->shape[0] = call->shape[1] = call->operand[0].shape;
  return dim == 1 || dim == 2
             ? TEXLA_OK
             : txCallFail(call, TEXLA_BAD_ARGUMENT, "the dimension is %g but must be 1 or 2", dim);
}

clStatus txShapeSyrk(txCall *call) {
  txShape a = call->operand[0].shape;
  call->shape[0] = (txShape){a.rows, a.rows};
  if (txShapeEmpty(a))
    return unfit(call, "nothing to multiply");
  if (call->operands > 1 && call->operand[1].shape.rows * call->operand[1].shape.cols != a.cols)
    return unfit(call, "need as many entries as the first has columns");
  return TEXLA_OK;
}

clStatus txShapeResampled(txCall *call) {
  clStatus status = txShapeGiven(call);
  return status || !txShapeEmpty(call->operand[0].shape) ? status
                                                         : unfit(call, "nothing to resample");
}

clStatus txShapeSparse(txCall *call) {
  call->shape[0] = call->operand[0].shape;
  return txShapeEmpty(call->shape[0]) ? unfit(call, "nothing to store") : TEXLA_OK;
}

clStatus txShapeRref(txCall *call) {
  txShape a = call->operand[0].shape;
  call->shape[0] = a;
  call->shape[1] = (txShape){1, a.rows < a.cols ? a.rows : a.cols};
  call->shape[2] = (txShape){1, 1};
  return TEXLA_OK;
}
