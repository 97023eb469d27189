/* The table of operations, and what shapes their results have. */
#include "queue/operations.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

clStatus txCallFail(const txCall *call, clStatus status, const char *format, ...) {
  char text[512];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  return txFail(call->error, status, call->name, "%s", text);
}

clStatus txCallStatus(const txCall *call, clStatus status) {
  if (status >= 0)
    return status;
  const clError *cause = clContextError(call->context);
  return txFail(call->error, status, call->name, "%s",
                cause->status == status && cause->message[0] ? cause->message : clStatusText(status));
}

/* ---- Operands and results in a form --------------------------------------------------------------------------- */

clStatus txResultVector(txCall *call, int k, clVector **out) {
  txValue *v = call->result[k];
  clStatus status = txCallStatus(call, clVectorCreate(&v->vector, call->context, v->rows * v->cols));
  *out = v->vector;
  return status;
}

clStatus txResultDense(txCall *call, int k, clDense **out) {
  txValue *v = call->result[k];
  clStatus status = txCallStatus(call, clDenseCreate(&v->dense, call->context, (int)v->rows, (int)v->cols));
  *out = v->dense;
  return status;
}

clStatus txResultHost(txCall *call, int k, double **out) {
  txValue *v = call->result[k];
  v->host = calloc((size_t)(v->rows * v->cols), sizeof(double));
  *out = v->host;
  return v->host ? TEXLA_OK
                 : txCallFail(call, TEXLA_OUT_OF_MEMORY, "no memory for a %lld x %lld matrix", (long long)v->rows,
                              (long long)v->cols);
}

clStatus txOperandVector(txCall *call, int k, clVector **out) {
  return txValueVector(call->operand[k].value, call->context, call->name, out, call->error);
}

clStatus txOperandDense(txCall *call, int k, clDense **out) {
  return txValueDense(call->operand[k].value, call->context, call->name, out, call->error);
}

clStatus txOperandHost(txCall *call, int k, double **out) {
  return txValueHost(call->operand[k].value, call->context, call->name, out, call->error);
}

/* ---- Shapes --------------------------------------------------------------------------------------------------- */

/* "3 x 4", "3 x 4 and 5 x 1", ... of the matrices among the operands */
static const char *shapesText(const txCall *call, char text[256]) {
  size_t used = 0;
  text[0] = 0;
  for (int k = 0; k < call->operands && used < 200; k++)
    if (call->operation->operands[k] != 'n' && call->operation->operands[k] != 'N')
      used += (size_t)snprintf(text + used, 256 - used, "%s%lld x %lld", used ? " and " : "",
                               (long long)call->operand[k].shape.rows, (long long)call->operand[k].shape.cols);
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

static clStatus shapeBroadcast(txCall *call) {
  txShape s = call->operand[0].shape;
  for (int k = 1; k < call->operands; k++) {
    txShape b = call->operand[k].shape;
    if ((s.rows != b.rows && s.rows != 1 && b.rows != 1) || (s.cols != b.cols && s.cols != 1 && b.cols != 1))
      return unfit(call, "need the same sizes, or 1");
    s = (txShape){s.rows == 1 ? b.rows : s.rows, s.cols == 1 ? b.cols : s.cols};
  }
  call->shape[0] = s;
  return TEXLA_OK;
}

static clStatus shapeSame(txCall *call) {
  call->shape[0] = call->operand[0].shape;
  return TEXLA_OK;
}

static clStatus shapeTransposed(txCall *call) {
  call->shape[0] = (txShape){call->operand[0].shape.cols, call->operand[0].shape.rows};
  return TEXLA_OK;
}

static clStatus shapeOne(txCall *call) {
  for (int k = 0; k < call->operation->results; k++)
    call->shape[k] = (txShape){1, 1};
  return TEXLA_OK;
}

static clStatus shapeDot(txCall *call) {
  txShape a = call->operand[0].shape, b = call->operand[1].shape;
  return a.rows * a.cols == b.rows * b.cols ? shapeOne(call) : unfit(call, "need as many entries");
}

/* Operands 1 and 2 are the result's sides. */
static clStatus shapeGiven(txCall *call) {
  txShape *s = &call->shape[0];
  clStatus status = countOf(call, 1, &s->rows);
  return status ? status : countOf(call, 2, &s->cols);
}

static clStatus shapeReshaped(txCall *call) {
  txShape a = call->operand[0].shape, *s = &call->shape[0];
  clStatus status = shapeGiven(call);
  if (status || a.rows * a.cols == s->rows * s->cols)
    return status;
  return txCallFail(call, TEXLA_BAD_SHAPE, "%lld x %lld has not as many entries as %lld x %lld", (long long)a.rows,
                    (long long)a.cols, (long long)s->rows, (long long)s->cols);
}

static clStatus shapeRepeated(txCall *call) {
  txShape a = call->operand[0].shape, *s = &call->shape[0];
  clStatus status = shapeGiven(call);
  *s = (txShape){s->rows * a.rows, s->cols * a.cols};
  return status;
}

static clStatus shapeKron(txCall *call) {
  txShape a = call->operand[0].shape, b = call->operand[1].shape;
  call->shape[0] = (txShape){a.rows * b.rows, a.cols * b.cols};
  return TEXLA_OK;
}

static clStatus shapeHorzcat(txCall *call) {
  txShape a = call->operand[0].shape, b = call->operand[1].shape;
  call->shape[0] = (txShape){a.rows, a.cols + b.cols};
  return a.rows == b.rows ? TEXLA_OK : unfit(call, "need as many rows");
}

static clStatus shapeVertcat(txCall *call) {
  txShape a = call->operand[0].shape, b = call->operand[1].shape;
  call->shape[0] = (txShape){a.rows + b.rows, a.cols};
  return a.cols == b.cols ? TEXLA_OK : unfit(call, "need as many columns");
}

static clStatus shapeFold(txCall *call) {
  txShape a = call->operand[0].shape;
  double dim = number(call, 1, 1);
  if (dim != 1 && dim != 2)
    return txCallFail(call, TEXLA_BAD_ARGUMENT, "the dimension is %g but must be 1 or 2", dim);
  call->shape[0] = dim == 1 ? (txShape){1, a.cols} : (txShape){a.rows, 1};
  if (txShapeEmpty(a) && call->operation->text[0] == '-' && !txShapeEmpty(call->shape[0]))
    return unfit(call, "nothing to choose from");
  return TEXLA_OK;
}

static clStatus shapeDiagonal(txCall *call) {
  txShape a = call->operand[0].shape;
  double k = number(call, 1, 0);
  double rows = fmin((double)a.rows + fmin(k, 0), (double)a.cols - fmax(k, 0));
  call->shape[0] = (txShape){rows > 0 ? (int64_t)fmin(rows, fmin((double)a.rows, (double)a.cols)) : 0, 1};
  return TEXLA_OK;
}

static clStatus shapeDiagonalMatrix(txCall *call) {
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
    return txCallFail(call, TEXLA_BAD_ARGUMENT, "index %g is out of bound %lld", o->number, (long long)side);
  return TEXLA_OK;
}

static clStatus shapeIndex(txCall *call) {
  txShape a = call->operand[0].shape, *s = &call->shape[0];
  clStatus status = indexed(call, 1, a.rows, &s->rows);
  return status ? status : indexed(call, 2, a.cols, &s->cols);
}

static clStatus shapeSelect(txCall *call) {
  call->shape[0] = call->operand[1].shape;
  return TEXLA_OK;
}

static clStatus shapeMultiply(txCall *call) {
  bool a_turned = number(call, 2, 0) != 0, b_turned = number(call, 3, 0) != 0;
  txShape a = call->operand[0].shape, b = call->operand[1].shape;
  int64_t a_inner = a_turned ? a.rows : a.cols, b_inner = b_turned ? b.cols : b.rows;
  call->shape[0] = (txShape){a_turned ? a.cols : a.rows, b_turned ? b.rows : b.cols};
  return a_inner == b_inner ? TEXLA_OK : unfit(call, "inner sizes must agree");
}

static clStatus shapeSquare(txCall *call) {
  txShape a = call->operand[0].shape;
  call->shape[0] = a;
  return a.rows == a.cols ? TEXLA_OK : unfit(call, "need a square matrix");
}

static clStatus shapeSquareOne(txCall *call) {
  clStatus status = shapeSquare(call);
  return status ? status : shapeOne(call);
}

/* x of A x = b, and where there is a second result, the report of an iteration. */
static clStatus shapeSolve(txCall *call) {
  txShape a = call->operand[0].shape, b = call->operand[1].shape;
  call->shape[0] = (txShape){a.cols, b.cols};
  call->shape[1] = (txShape){1, 4};
  if (a.rows != a.cols)
    return unfit(call, "the first must be square");
  if (a.rows != b.rows)
    return unfit(call, "need as many rows");
  return call->operation->results == 1 || b.cols == 1 ? TEXLA_OK : unfit(call, "need one right-hand side");
}

static clStatus shapeLu(txCall *call) {
  txShape a = call->operand[0].shape;
  int64_t k = a.rows < a.cols ? a.rows : a.cols;
  call->shape[0] = (txShape){a.rows, k};
  call->shape[1] = (txShape){k, a.cols};
  call->shape[2] = (txShape){1, a.rows};
  return TEXLA_OK;
}

static clStatus shapeFactor(txCall *call) {
  txShape a = call->operand[0].shape;
  call->shape[0] = a;
  call->shape[1] = (txShape){1, a.rows};
  return txShapeEmpty(a) ? unfit(call, "nothing to factor") : TEXLA_OK;
}

static clStatus shapeRref(txCall *call) {
  txShape a = call->operand[0].shape;
  call->shape[0] = a;
  call->shape[1] = (txShape){1, a.rows < a.cols ? a.rows : a.cols};
  call->shape[2] = (txShape){1, 1};
  return TEXLA_OK;
}

/* ---- The table ------------------------------------------------------------------------------------------------ */

#define MAP(name, operands, text, help)                                                                                \
  { name, operands, 1, shapeBroadcast, txRunMap, text, help }
#define GATHER(name, operands, shape, text, help)                                                                      \
  { name, operands, 1, shape, txRunGather, text, help }
#define FOLD(name, text, help)                                                                                         \
  { name, "vn", 1, shapeFold, txRunFold, text, help }
#define TRUE_IF(condition) "(" condition ") ? 1. : 0."

static const txOperation table[] = {
    MAP("plus", "mm", "x + y", "x + y"),
    MAP("minus", "mm", "x - y", "x - y"),
    MAP("times", "mm", "x * y", "x y, entry by entry"),
    MAP("rdivide", "mm", "x / y", "x / y, entry by entry"),
    /* whole exponents by multiplication: exact where the result is a small integer, and right for negative x */
    MAP("power", "mm",
        "y == 0. ? 1. : abs(y) <= 32. && y == floor(y) ? whole(x, int(y)) : y == .5 ? sqrt(x) : pow(x, y)",
        "x to the power of y, entry by entry; NaN where that is not real"),
    MAP("max2", "mm", "x != x ? y : y != y ? x : max(x, y)", "the larger one"),
    MAP("min2", "mm", "x != x ? y : y != y ? x : min(x, y)", "the smaller one"),
    MAP("atan2", "mm", "atan(x, y)", "the angle of (y, x)"),
    MAP("mod", "mm", "y == 0. ? x : x - y * floor(x / y)", "x - y floor(x / y)"),
    MAP("lt", "mm", TRUE_IF("x < y"), "1 where x < y"),
    MAP("le", "mm", TRUE_IF("x <= y"), "1 where x <= y"),
    MAP("gt", "mm", TRUE_IF("x > y"), "1 where x > y"),
    MAP("ge", "mm", TRUE_IF("x >= y"), "1 where x >= y"),
    MAP("eq", "mm", TRUE_IF("x == y"), "1 where x = y"),
    MAP("ne", "mm", TRUE_IF("x != y"), "1 where x differs from y"),
    MAP("and", "mm", TRUE_IF("x != 0. && y != 0."), "1 where neither is 0"),
    MAP("or", "mm", TRUE_IF("x != 0. || y != 0."), "1 where one is not 0"),
    MAP("axpy", "mmm", "x + y * z", "x + y z, entry by entry"),
    MAP("merge", "mmm", "x != 0. ? y : z", "y where x is not 0, else z"),
    MAP("uminus", "v", "-x", "-x"),
    MAP("not", "v", TRUE_IF("x == 0."), "1 where x = 0"),
    MAP("abs", "v", "abs(x)", "magnitudes"),
    MAP("sign", "v", "sign(x)", "-1, 0 or 1"),
    MAP("sqrt", "v", "sqrt(x)", "square roots; NaN where x < 0"),
    MAP("exp", "v", "exp(x)", "e to the power of x"),
    MAP("log", "v", "log(x)", "natural logarithms; NaN where x < 0"),
    MAP("sin", "v", "sin(x)", "sines"),
    MAP("cos", "v", "cos(x)", "cosines"),
    MAP("tan", "v", "tan(x)", "tangents"),
    MAP("atan", "v", "atan(x)", "arc tangents"),
    MAP("tanh", "v", "1. - 2. / (exp(2. * x) + 1.)", "hyperbolic tangents"),
    MAP("floor", "v", "floor(x)", "rounded down"),
    MAP("ceil", "v", "ceil(x)", "rounded up"),
    MAP("round", "v", "sign(x) * floor(abs(x) + .5)", "rounded to the nearest, halves away from 0"),
    MAP("fix", "v", "trunc(x)", "rounded towards 0"),
    MAP("isnan", "v", TRUE_IF("x != x"), "1 where x is NaN"),
    MAP("isinf", "v", TRUE_IF("abs(x) > 3.4028235e38"), "1 where x is infinite"),

    GATHER("fill", "nnn", shapeGiven, "return N0;", "a matrix of operand 1; its sides are operands 2 and 3"),
    GATHER("identity", "nnn", shapeGiven, "return i == j ? N0 : 0.;", "operand 1 on the diagonal"),
    GATHER("linspace", "nnnn", shapeGiven,
           "float n = N2 - 1.; return j == int(n) || n < 1. ? N3 : N0 + (N3 - N0) * float(j) / n;",
           "a row: from operand 1 to operand 4"),
    GATHER("random", "nnn", shapeGiven,
           "uint h = uint(i + R * j) * 747796405u + uint(int(N0)) * 2891336453u;"
           " h = ((h >> ((h >> 28u) + 4u)) ^ h) * 277803737u; h ^= h >> 22u; h *= 2246822519u; h ^= h >> 13u;"
           " return (float(h >> 8u) + .5) / 16777216.;",
           "uniform in (0, 1); operand 1 is the seed"),
    GATHER("transpose", "v", shapeTransposed, "return X(j, i);", "the transpose"),
    GATHER("reshape", "vnn", shapeReshaped, "int k = i + R * j; return X(k % XR, k / XR);",
           "the same entries, column after column, in another shape"),
    GATHER("resize", "vnn", shapeGiven, "return i < XR && j < XC ? X(i, j) : 0.;", "cut, or with zeros at the end"),
    GATHER("repmat", "vnn", shapeRepeated, "return X(i % XR, j % XC);", "copies beside and below each other"),
    GATHER("horzcat", "mm", shapeHorzcat, "if (j < XC) return X(i, j); return Y(i, j - XC);", "[x, y]"),
    GATHER("vertcat", "mm", shapeVertcat, "if (i < XR) return X(i, j); return Y(i - XR, j);", "[x; y]"),
    GATHER("kron", "mm", shapeKron, "return X(i / YR, j / YC) * Y(i % YR, j % YC);", "the Kronecker product"),
    GATHER("tril", "vn", shapeSame, "return j - i <= int(N1) ? X(i, j) : 0.;", "the lower triangle, up to diagonal n"),
    GATHER("triu", "vn", shapeSame, "return j - i >= int(N1) ? X(i, j) : 0.;", "the upper triangle, from diagonal n"),
    GATHER("diagonal", "vn", shapeDiagonal, "int k = int(N1); return X(i + max(-k, 0), i + max(k, 0));",
           "diagonal n, as a column"),
    GATHER("diagonal_matrix", "vn", shapeDiagonalMatrix,
           "int k = min(i, j); return j - i == int(N1) ? X(k % XR, k / XR) : 0.;", "a vector as diagonal n"),
    GATHER("index", "vmm", shapeIndex,
           "int r = YR * YC == 1 ? (Y(0, 0) == 0. ? i + 1 : int(Y(0, 0))) : int(Y(i % YR, i / YR));"
           " int c = ZR * ZC == 1 ? (Z(0, 0) == 0. ? j + 1 : int(Z(0, 0))) : int(Z(j % ZR, j / ZR)); return X(r - 1, c "
           "- 1);",
           "rows y and columns z, counted from 1, of x; the number 0: all"),
    GATHER("select", "vm", shapeSelect, "int k = int(Y(i, j)) - 1; return X(k % XR, k / XR);",
           "entries y of x, counted from 1 down the columns"),
    GATHER("assign", "vmmm", shapeSame,
           "int r = YR * YC == 1 && Y(0, 0) == 0. ? i + 1 : int(Y(i % YR, i / YR));"
           " int c = ZR * ZC == 1 && Z(0, 0) == 0. ? j + 1 : int(Z(j % ZR, j / ZR));"
           " if (r == 0 || c == 0) return X(i, j); return W(min(r, WR) - 1, min(c, WC) - 1);",
           "x with entries of w: row i takes w's row y_i, column j its column z_j, 0: none; the number 0: the same"),
    GATHER("assign_select", "vvm", shapeSame,
           "int k = int(Y(i, j)); if (k == 0) return X(i, j); k = min(k, ZR * ZC) - 1; return Z(k % ZR, k / ZR);",
           "x with entries of z: entry number y_ij where that is not 0"),

    FOLD("sum", "0|a + b", "sums along dimension n"),
    FOLD("prod", "1|a * b", "products along dimension n"),
    FOLD("max", "-|a != a || b > a ? b : a", "the largest along dimension n; NaN does not count"),
    FOLD("min", "-|a != a || b < a ? b : a", "the smallest along dimension n; NaN does not count"),
    {"dot", "vv", 1, shapeDot, txRunDot, NULL, "the sum of all x y"},
    {"norm2", "v", 1, shapeOne, txRunNorm, NULL, "the root of the sum of all squares"},

    {"multiply", "mmNN", 1, shapeMultiply, txRunMultiply, NULL,
     "the matrix product; operands 3 and 4: 1 for the transpose of x, of y. A sparse x stays sparse"},
    {"solve", "vv", 1, shapeSolve, txRunSolve, NULL,
     "the solution of x s = y for a square x; refined to double accuracy where x was put as doubles or sparse"},
    {"inverse", "v", 1, shapeSquare, txRunInverse, NULL, "the inverse of a square matrix"},
    {"determinant", "v", 1, shapeSquareOne, txRunDeterminant, NULL, "the determinant of a square matrix"},
    {"rref", "vN", 3, shapeRref, txRunRref, NULL,
     "reduced row echelon form, columns of the pivots (then zeros), rank; operand 2: the tolerance"},
    {"lu", "v", 3, shapeLu, txRunLu, NULL, "L, U and the row p of x(p, :) = L U"},
    {"factor", "v", 2, shapeFactor, txRunFactor, NULL, "L below and U on and above the diagonal of one matrix, and p"},
    {"cg", "vvNNNV", 2, shapeSolve, txRunIterate, "cg",
     "conjugate gradients for x s = y: operands 3 to 6 are tolerance, iterations, preconditioner (0 chosen, 1 none, 2 "
     "jacobi,"
     " 3 chebyshev, 4 mg, 5 amg), start. Results: s; reason, true residual, iterations, restarts"},
    {"bicgstab", "vvNNNV", 2, shapeSolve, txRunIterate, "bicgstab", "the same by BiCGStab"},
    {"gmres", "vvNNNV", 2, shapeSolve, txRunIterate, "gmres", "the same by restarted GMRES"},
    {"iterate", "vvNNNV", 2, shapeSolve, txRunIterate, "auto", "the same by a method that suits the matrix"},
    {"multigrid", "vvNNNV", 2, shapeSolve, txRunIterate, "mg", "the same by multigrid cycles, for matrices from grids"},
};

enum { OPERATIONS = sizeof table / sizeof *table };

bool clQueueOperation(int index, clQueueOperationInfo *out) {
  if (index < 0 || index >= OPERATIONS || !out)
    return false;
  const txOperation *o = &table[index];
  *out = (clQueueOperationInfo){o->name, o->operands, o->help, o->results};
  return true;
}

const txOperation *txOperationFind(const char *name) {
  for (int k = 0; k < OPERATIONS; k++)
    if (name && !strcmp(table[k].name, name))
      return &table[k];
  return NULL;
}

static bool isOptional(char kind) {
  return kind == 'N' || kind == 'V' || kind == 'M';
}

static clStatus checkOperands(const txCall *call) {
  const char *kinds = call->operation->operands;
  int most = (int)strlen(kinds), least = most;
  while (least && isOptional(kinds[least - 1]))
    least--;
  if (call->operands < least || call->operands > most)
    return txCallFail(call, TEXLA_BAD_ARGUMENT, "%d operands instead of %d to %d", call->operands, least, most);
  for (int k = 0; k < call->operands; k++) {
    bool is_number = call->operand[k].is_number, optional = isOptional(kinds[k]);
    if ((kinds[k] == 'n' || kinds[k] == 'N') && !is_number)
      return txCallFail(call, TEXLA_BAD_ARGUMENT, "operand %d must be a number, not a matrix", k + 1);
    if (kinds[k] == 'v' && is_number && !optional)
      return txCallFail(call, TEXLA_BAD_ARGUMENT, "operand %d must be a matrix, not a number", k + 1);
  }
  return TEXLA_OK;
}

clStatus txOperationCheck(txCall *call) {
  clStatus status = checkOperands(call);
  if (!status)
    status = call->operation->shape(call);
  for (int k = 0; k < call->operation->results && !status; k++) {
    txShape s = call->shape[k];
    if (s.rows > INT_MAX || s.cols > INT_MAX || (s.cols && s.rows > (INT64_C(1) << 40) / s.cols))
      status =
          txCallFail(call, TEXLA_TOO_LARGE, "the result would be %lld x %lld", (long long)s.rows, (long long)s.cols);
  }
  return status;
}

static bool allEmpty(const txCall *call) {
  for (int k = 0; k < call->results; k++)
    if (!txShapeEmpty(call->shape[k]))
      return false;
  return true;
}

clStatus txOperationRun(txCall *call) {
  return allEmpty(call) ? TEXLA_OK : call->operation->run(call);
}
