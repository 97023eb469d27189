/* The table of operations, and the checks before one runs.
 *
 * An operation is a line of the table: its name, its operands, how the shapes of its results follow
 * from theirs, what runs it, its text in GLSL where it is made of one, and help. The toolbox for
 * Octave, the Python module and the tests take all of it from here. */
#include "queue/operations.h"
#include "core/try.h"
#include "queue/moves.h"
#include "queue/shapes.h"
#include "queue/sparse.h"
#include "queue/write.h"

#include <limits.h>
#include <string.h>

/* ---- The table ------------------------------------------------------------------------------- */

#define MAP(name, operands, text, help)                                                            \
  { name, operands, 1, txShapeBroadcast, txRunMap, text, help }
#define GATHER(name, operands, shape, text, help)                                                  \
  { name, operands, 1, shape, txRunGather, text, help }
/* A gather of entries alone, which keeps doubles (moves.h). */
#define MOVE(name, operands, shape, text, help)                                                    \
  { name, operands, 1, shape, txRunMove, text, help }
#define FOLD(name, text, help)                                                                     \
  { name, "vn", 1, txShapeFold, txRunFold, text, help }
#define TRUE_IF(condition) "(" condition ") ? 1. : 0."

/* Name, operands, how many results, their shapes, what runs it, its text, help. Operands are
 * numbers (n), matrices (v) or either (m); in capitals they are optional. */
static const txOperation table[] = {
    MAP("plus", "mm", "x + y", "x + y"),
    MAP("minus", "mm", "x - y", "x - y"),
    MAP("times", "mm", "x * y", "x y, entry by entry"),
    MAP("rdivide", "mm", "divide(x, y)", "x / y, entry by entry"),
    MAP("power", "mm", "powerOf(x, y)",
        "x to the power of y, entry by entry; NaN where that is not real"),
    MAP("max2", "mm", "x != x ? y : y != y ? x : max(x, y)", "the larger one"),
    MAP("min2", "mm", "x != x ? y : y != y ? x : min(x, y)", "the smaller one"),
    MAP("atan2", "mm", "angle(x, y)", "the angle of (y, x)"),
    MAP("mod", "mm", "modulo(x, y)", "x - y floor(x / y)"),
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
    MAP("divz", "mm", "y == 0. ? 0. : divide(x, y)", "x / y, but 0 where y is 0"),
    MAP("rem", "mm", "remainder(x, y)", "x - y trunc(x / y)"),
    MAP("hypot", "mm", "hypotenuse(x, y)", "the root of x^2 + y^2"),
    MAP("uminus", "v", "-x", "-x"),
    MAP("not", "v", TRUE_IF("x == 0."), "1 where x = 0"),
    MAP("abs", "v", "abs(x)", "magnitudes"),
    MAP("sign", "v", "x != x ? x : sign(x)", "-1, 0 or 1"),
    MAP("sqrt", "v", "sqrt(x)", "square roots; NaN where x < 0"),
    MAP("exp", "v", "exponential(x)", "e to the power of x"),
    MAP("log", "v", "logarithm(x)", "natural logarithms; NaN where x < 0"),
    MAP("sin", "v", "sine(x)", "sines"),
    MAP("cos", "v", "cosine(x)", "cosines"),
    MAP("tan", "v", "tangent(x)", "tangents"),
    MAP("atan", "v", "angle(x, 1.)", "arc tangents"),
    MAP("asin", "v", "abs(x) <= 1. ? angle(x, sqrt((1. - x) * (1. + x))) : notANumber()",
        "inverse sines; NaN where |x| > 1"),
    MAP("acos", "v", "abs(x) <= 1. ? angle(sqrt((1. - x) * (1. + x)), x) : notANumber()",
        "inverse cosines; NaN where |x| > 1"),
    MAP("sinh", "v", "hyperbolicSine(x)", "hyperbolic sines"),
    MAP("cosh", "v", "hyperbolicCosine(x)", "hyperbolic cosines"),
    MAP("asinh", "v", "areaSine(x)", "inverse hyperbolic sines"),
    MAP("acosh", "v", "areaCosine(x)", "inverse hyperbolic cosines; NaN where x < 1"),
    MAP("atanh", "v", "areaTangent(x)", "inverse hyperbolic tangents; NaN where |x| > 1"),
    MAP("expm1", "v", "exponential1(x)", "exp (x) - 1, also for small x"),
    MAP("log1p", "v", "logarithm1(x)", "log (1 + x), also for small x"),
    MAP("erf", "v", "errorFunction(x)", "error functions"),
    MAP("erfc", "v", "errorComplement(x)", "1 - erf (x), also where that is small"),
    MAP("gamma", "v", "gammaFunction(x)", "gamma functions"),
    MAP("gammaln", "v", "logGamma(x)", "logarithms of gamma functions; NaN where x < 0"),
    MAP("log2", "v", "logarithm2(x)", "logarithms to the base of 2"),
    MAP("log10", "v", "logarithm10(x)", "logarithms to the base of 10"),
    MAP("tanh", "v", "hyperbolicTangent(x)", "hyperbolic tangents"),
    MAP("floor", "v", "floor(x)", "rounded down"),
    MAP("ceil", "v", "ceil(x)", "rounded up"),
    MAP("round", "v", "sign(x) * floor(abs(x) + .5)", "rounded to the nearest, halves away from 0"),
    MAP("fix", "v", "trunc(x)", "rounded towards 0"),
    MAP("isnan", "v", TRUE_IF("x != x"), "1 where x is NaN"),
    MAP("isfinite", "v", TRUE_IF("abs(x) <= 3.4028235e38"),
        "1 where x is neither infinite nor NaN"),
    MAP("isinf", "v", TRUE_IF("abs(x) > 3.4028235e38"), "1 where x is infinite"),

    GATHER("fill", "nnn", txShapeGiven, "return N0;",
           "a matrix of operand 1; its sides are operands 2 and 3"),
    GATHER("identity", "nnn", txShapeGiven, "return i == j ? N0 : 0.;",
           "operand 1 on the diagonal"),
    GATHER("linspace", "nnnn", txShapeGiven,
           "float n = N2 - 1.; return j == int(n) || n < 1. ? N3 : N0 + (N3 - N0) * float(j) / n;",
           "a row: from operand 1 to operand 4"),
    GATHER("random", "nnn", txShapeGiven,
           "uint h = uint(i + R * j) * 747796405u + uint(int(N0)) * 2891336453u;"
           " h = ((h >> ((h >> 28u) + 4u)) ^ h) * 277803737u; h ^= h >> 22u; h *= 2246822519u; h "
           "^= h >> 13u;"
           " return (float(h >> 8u) + .5) / 16777216.;",
           "uniform in (0, 1); operand 1 is the seed"),
    GATHER("normal", "nnn", txShapeGiven,
           "uint h = uint(i + R * j) * 747796405u + uint(int(N0)) * 2891336453u;"
           " h = ((h >> ((h >> 28u) + 4u)) ^ h) * 277803737u; h ^= h >> 22u;"
           " uint g = (h ^ 0x9e3779b9u) * 2246822519u; g ^= g >> 13u; g *= 3266489917u; g ^= g >> "
           "16u;"
           " h *= 2246822519u; h ^= h >> 13u;"
           " float u = (float(h >> 8u) + .5) / 16777216., v = float(g >> 8u) / 16777216.;"
           " return sqrt(-2. * log(u)) * cos(6.28318531 * v);",
           "normally distributed; operand 1 is the seed (Box and Muller 1958)"),
    {"transpose", "v", 1, txShapeTransposed, txRunTranspose, "return X(j, i);",
     "the transpose; of a sparse matrix sparse"},
    MOVE("full", "v", txShapeSame, "return X(i, j);", "x with its zeros"),
    MOVE("reshape", "vnn", txShapeReshaped, "int k = i + R * j; return X(k % XR, k / XR);",
         "the same entries, column after column, in another shape"),
    MOVE("resize", "vnn", txShapeGiven, "return i < XR && j < XC ? X(i, j) : 0.;",
         "cut, or with zeros at the end"),
    MOVE("repmat", "vnn", txShapeRepeated, "return X(i % XR, j % XC);",
         "copies beside and below each other"),
    MOVE("horzcat", "mm", txShapeHorzcat, "if (j < XC) return X(i, j); return Y(i, j - XC);",
         "[x, y]"),
    MOVE("vertcat", "mm", txShapeVertcat, "if (i < XR) return X(i, j); return Y(i - XR, j);",
         "[x; y]"),
    GATHER("kron", "mm", txShapeKron, "return X(i / YR, j / YC) * Y(i % YR, j % YC);",
           "the Kronecker product"),
    MOVE("tril", "vn", txShapeSame, "return j - i <= int(N1) ? X(i, j) : 0.;",
         "the lower triangle, up to diagonal n"),
    MOVE("triu", "vn", txShapeSame, "return j - i >= int(N1) ? X(i, j) : 0.;",
         "the upper triangle, from diagonal n"),
    MOVE("diagonal", "vn", txShapeDiagonal,
         "int k = int(N1); return X(i + max(-k, 0), i + max(k, 0));", "diagonal n, as a column"),
    MOVE("diagonal_matrix", "vn", txShapeDiagonalMatrix,
         "int k = min(i, j); return j - i == int(N1) ? X(k % XR, k / XR) : 0.;",
         "a vector as diagonal n"),
    MOVE("index", "vmm", txShapeIndex,
         "int r = YR * YC == 1 ? (Y(0, 0) == 0. ? i + 1 : int(Y(0, 0))) : int(Y(i % YR, i / YR));"
         " int c = ZR * ZC == 1 ? (Z(0, 0) == 0. ? j + 1 : int(Z(0, 0))) : int(Z(j % ZR, j / "
         "ZR)); return X(r - 1, c "
         "- 1);",
         "rows y and columns z, counted from 1, of x; the number 0: all"),
    MOVE("select", "vm", txShapeSelect, "int k = int(Y(i, j)) - 1; return X(k % XR, k / XR);",
         "entries y of x, counted from 1 down the columns"),
    GATHER("assign", "vmmm", txShapeSame,
           "int r = YR * YC == 1 && Y(0, 0) == 0. ? i + 1 : int(Y(i % YR, i / YR));"
           " int c = ZR * ZC == 1 && Z(0, 0) == 0. ? j + 1 : int(Z(j % ZR, j / ZR));"
           " if (r == 0 || c == 0) return X(i, j); return W(min(r, WR) - 1, min(c, WC) - 1);",
           "x with entries of w: row i takes w's row y_i, column j its column z_j, 0: none; the "
           "number 0: the same"),
    GATHER("assign_select", "vvm", txShapeSame,
           "int k = int(Y(i, j)); if (k == 0) return X(i, j); k = min(k, ZR * ZC) - 1; return Z(k "
           "% ZR, k / ZR);",
           "x with entries of z: entry number y_ij where that is not 0"),

    GATHER("lookup", "vm", txShapeSelect,
           "float v = Y(i, j); if (v != v) return 0.; int low = 0, high = XR * XC;"
           " while (low < high) { int m = (low + high) / 2;"
           " if (X(m % XR, m / XR) <= v) low = m + 1; else high = m; } return float(low);",
           "how many entries of the ascending vector x are at most y, entry by entry"),
    GATHER("interpolate", "vvmmn", txShapeThird,
           "int k = int(W(i, j)) - 1; float a = X(k, 0), b = X(k + 1, 0), p = Y(k, 0), q = Y(k + "
           "1, 0), v = Z(i, j);"
           " if (v != v) return v; if (N4 == 2.) return v - a < .5 * (b - a) ? p : q;"
           " if (N4 == 3.) return v >= b ? q : p; if (N4 == 4.) return v <= a ? p : q;"
           " if (v == b) return q; return p + (q - p) * ((v - a) / (b - a));",
           "values at z between the points (x, y), columns, of which w are the last ones below; "
           "operand 5: 1 linear, 2 nearest, 3 previous, 4 next"),
    GATHER("bilinear", "vmmnn", txShapeSelect,
           "float u = Y(i, j), v = Z(i, j);"
           " if (!(u >= 1. && u <= float(XC) && v >= 1. && v <= float(XR))) return N4;"
           " if (N3 == 2.) return X(int(floor(v + .5)) - 1, int(floor(u + .5)) - 1);"
           " int c = int(u) - 1, r = int(v) - 1, d = min(c + 1, XC - 1), b = min(r + 1, XR - 1);"
           " float s = u - floor(u), t = v - floor(v);"
           " return (X(r, c) * (1. - s) + X(r, d) * s) * (1. - t) + (X(b, c) * (1. - s) + X(b, d) "
           "* s) * t;",
           "entries of x at columns y and rows z, counted from 1, between which they are bilinear "
           "(operand 4: 2: the nearest); operand 5: outside"),
    GATHER("convolve", "vvnnnn", txShapeLastGiven,
           "int r = i + int(N2), c = j + int(N3); float s = 0.;"
           " for (int q = max(c - XC + 1, 0); q <= min(YC - 1, c); q++)"
           " for (int p = max(r - XR + 1, 0); p <= min(YR - 1, r); p++)"
           " s += X(r - p, c - q) * Y(p, q); return s;",
           "the convolution of x and y from row and column, counted from 0, operands 3 and 4 on; "
           "its sides are operands 5 and 6"),
    {"accumulate", "mmmnn", 1, txShapeLastGiven, txRunAccumulate, NULL,
     "a matrix whose entries (x, y), counted from 1, are the sums of the z; 0: nowhere. Its sides "
     "are operands 4 and 5; in double, on the host"},
    {"write", "vmmm", 1, txShapeSame, txRunWrite, NULL,
     "x with x(y, z) = w: rows y, columns z, counted from 1, the number 0: all; on the host", true},
    {"write_select", "vmm", 1, txShapeSame, txRunWriteSelect, NULL,
     "x with x(y) = z: entries y, counted from 1 down the columns; on the host", true},

    FOLD("sum", "0|a + b", "sums along dimension n"),
    FOLD("prod", "1|a * b", "products along dimension n"),
    FOLD("max", "-|a != a || b > a ? b : a", "the largest along dimension n; NaN does not count"),
    FOLD("min", "-|a != a || b < a ? b : a", "the smallest along dimension n; NaN does not count"),
    {"argmax", "vn", 1, txShapeFold, txRunPosition, "-|(a != a && b == b) || b > a",
     "where along dimension n the largest one stands, the first of several"},
    {"argmin", "vn", 1, txShapeFold, txRunPosition, "-|(a != a && b == b) || b < a",
     "the same of the smallest"},
    {"cummax", "vn", 1, txShapeAlong, txRunScan, "a != a ? b : b != b ? a : max(a, b)",
     "running maxima along dimension n; NaN does not count"},
    {"cummin", "vn", 1, txShapeAlong, txRunScan, "a != a ? b : b != b ? a : min(a, b)",
     "running minima along dimension n; NaN does not count"},
    {"cumsum", "vn", 1, txShapeAlong, txRunScan, "a + b", "running sums along dimension n"},
    {"cumprod", "vn", 1, txShapeAlong, txRunScan, "a * b", "running products along dimension n"},
    {"sort", "vnN", 2, txShapeAlong, txRunSort, NULL,
     "sorted along dimension n, NaN as the largest, and where the entries stood; operand 3: 1 for "
     "descending. Stable"},
    {"dot", "vv", 1, txShapeDot, txRunDot, NULL, "the sum of all x y"},
    {"norm2", "v", 1, txShapeOne, txRunNorm, NULL, "the root of the sum of all squares"},

    {"multiply", "mmNN", 1, txShapeMultiply, txRunMultiply, NULL,
     "the matrix product; operands 3 and 4: 1 for the transpose of x, of y. A sparse x stays "
     "sparse"},
    {"syrk", "vV", 1, txShapeSyrk, txRunSyrk, NULL,
     "the lower triangle of x d^2 x^T, d the diagonal matrix of operand 2, or 1"},
    {"sparse", "vN", 1, txShapeSparse, txRunSparse, NULL,
     "x without its zeros, for products in storage n (0 chosen, 1 dense, 2 banded, 3 points, 4 "
     "csr, 5 slots)"},
    {"rescale", "vnn", 1, txShapeResampled, txRunRescale, NULL,
     "x resampled to n rows and n columns by the device's bilinear filter, cell-centred"},
    {"solve", "vvN", 1, txShapeSolve, txRunSolve, NULL,
     "the solution of x s = y; refined to double accuracy where x was put as doubles or sparse. Of "
     "a rectangular x "
     "that of least "
     "squares (more rows), or the shortest one (more columns), to double accuracy. Operand 3: 1 "
     "where of a singular x the shortest solution is wanted, with a note, and no error"},
    {"least_squares", "vvV", 1, txShapeLeastSquares, txRunLeastSquares, NULL,
     "the s that makes sum w_i (y - x s)_i^2 least, to double accuracy; operand 3: the weights w, "
     "or 1"},
    {"tridiagonal", "mmmvN", 1, txShapeTridiagonal, txRunTridiagonal, NULL,
     "many tridiagonal systems: sub, main and super diagonal (numbers or a column for each system) "
     "and right-hand "
     "sides; operand 5: 1 "
     "for periodic ones. Refined where all of them were put as doubles"},
    {"inverse", "vN", 1, txShapeSquare, txRunInverse, NULL,
     "the inverse of a square matrix; operand 2: 1 where a singular one is noted, and no error"},
    {"determinant", "v", 1, txShapeSquareOne, txRunDeterminant, NULL,
     "the determinant of a square matrix"},
    {"rref", "vN", 3, txShapeRref, txRunRref, NULL,
     "reduced row echelon form, columns of the pivots (then zeros), rank; operand 2: the "
     "tolerance"},
    {"lu", "v", 3, txShapeLu, txRunLu, NULL, "L, U and the row p of x(p, :) = L U"},
    {"factor", "v", 2, txShapeFactor, txRunFactor, NULL,
     "L below and U on and above the diagonal of one matrix, and p"},
    {"crout", "vNNNN", 1, txShapeSquare, txRunCrout, NULL,
     "without pivoting: L on and below the diagonal, U, with ones on its diagonal, above. Operands "
     "2 to 5: rows of a section (0: chosen), order (0 antidiagonals, 1 sequential), sweep (0 "
     "tiles, "
     "1 entries), tolerance of sweeps of entries"},
    {"cholesky", "vN", 2, txShapeSquareTwo, txRunCholesky, NULL,
     "upper R with x = R^T R, from x's upper triangle (operand 2: lower L with x = L L^T, from the "
     "lower one); 0, or "
     "the column that "
     "shows that x is not positive definite, which is an error where nobody asks for it"},
    {"qr", "vNN", 3, txShapeQr, txRunQr, NULL,
     "Q, R and the column p of x(:, p) = Q R; operand 2: 1 for column pivoting, operand 3: 1 for "
     "the economic size"},
    {"cg", "vvNNNV", 2, txShapeSolve, txRunIterate, "cg",
     "conjugate gradients for x s = y: operands 3 to 6 are tolerance, iterations, preconditioner "
     "(0 chosen, 1 none, 2 "
     "jacobi,"
     " 3 chebyshev, 4 mg, 5 amg), start. Results: s; reason, true residual, iterations, restarts"},
    {"bicgstab", "vvNNNV", 2, txShapeSolve, txRunIterate, "bicgstab", "the same by BiCGStab"},
    {"gmres", "vvNNNV", 2, txShapeSolve, txRunIterate, "gmres", "the same by restarted GMRES"},
    {"iterate", "vvNNNV", 2, txShapeSolve, txRunIterate, "auto",
     "the same by a method that suits the matrix"},
    {"multigrid", "vvNNNV", 2, txShapeSolve, txRunIterate, "mg",
     "the same by multigrid cycles, for matrices from grids"},
};

enum { OPERATIONS = sizeof table / sizeof *table };

/* The table as callers see it. */
bool clQueueOperation(int index, clQueueOperationInfo *out) {
  if (index < 0 || index >= OPERATIONS || !out)
    return false;
  const txOperation *o = &table[index];
  *out = (clQueueOperationInfo){o->name, o->operands, o->help, o->results};
  return true;
}

/* The table is short, and looked through once for each submission. */
const txOperation *txOperationFind(const char *name) {
  for (int k = 0; k < OPERATIONS; k++)
    if (name && !strcmp(table[k].name, name))
      return &table[k];
  return NULL;
}

/* By the letter of its kind. */
static bool isOptional(char kind) {
  return kind == 'N' || kind == 'V' || kind == 'M';
}

/* Optional operands, in upper case, stand at the end. */
static clStatus operationsCheckOperands(const txCall *call) {
  const char *kinds = call->operation->operands;
  int most = (int)strlen(kinds), least = most;
  while (least && isOptional(kinds[least - 1]))
    least--;
  if (call->operands < least || call->operands > most)
    return txCallFail(call, TEXLA_BAD_ARGUMENT, "%d operands instead of %d to %d", call->operands,
                      least, most);
  for (int k = 0; k < call->operands; k++) {
    bool is_number = call->operand[k].is_number, optional = isOptional(kinds[k]);
    if ((kinds[k] == 'n' || kinds[k] == 'N') && !is_number)
      return txCallFail(call, TEXLA_BAD_ARGUMENT, "operand %d must be a number, not a matrix",
                        k + 1);
    if (kinds[k] == 'v' && is_number && !optional)
      return txCallFail(call, TEXLA_BAD_ARGUMENT, "operand %d must be a matrix, not a number",
                        k + 1);
  }
  return TEXLA_OK;
}

/* Results that no texture can hold are refused before anything waits for them; sparse ones can have
 * any sides. */
static clStatus operationsCheckSize(txCall *call, int k) {
  txShape s = call->shape[k];
  bool sparse = call->sparse && k == 0, from = false;
  int64_t most = INT64_C(1) << 40;
  if (sparse)
    most = INT64_MAX;
  for (int operand = 0; operand < call->operands; operand++)
    from = from || call->operand[operand].sparse;
  if (from && !sparse)
    most = INT_MAX;
  if (s.rows <= INT_MAX && s.cols <= INT_MAX && (!s.cols || s.rows <= most / s.cols))
    return TEXLA_OK;
  if (from && !sparse)
    return txCallFail(call, TEXLA_TOO_LARGE,
                      "the result would have all of %lld x %lld entries; use parts of the sparse "
                      "operand, or fetch it and compute with the host's own sparse matrices",
                      (long long)s.rows, (long long)s.cols);
  return txCallFail(call, TEXLA_TOO_LARGE, "the result would be %lld x %lld", (long long)s.rows,
                    (long long)s.cols);
}

/* When an operation is submitted: shapes are known then, values are not. call->shape and
 * call->sparse are filled in. */
clStatus txOperationCheck(txCall *call) {
  TRY(operationsCheckOperands(call));
  TRY(call->operation->shape(call));
  call->sparse = txSparseResult(call);
  for (int k = 0; k < call->operation->results; k++)
    TRY(operationsCheckSize(call, k));
  return TEXLA_OK;
}

/* Of an empty result the shape is all there is. */
static bool allEmpty(const txCall *call) {
  for (int k = 0; k < call->results; k++)
    if (!txShapeEmpty(call->shape[k]))
      return false;
  return true;
}

/* Sparse results come from the host, all others from the operation's own function. */
clStatus txOperationRun(txCall *call) {
  if (allEmpty(call))
    return TEXLA_OK;
  if (txSparseHas(call))
    return txSparseRun(call);
  return call->operation->run(call);
}
