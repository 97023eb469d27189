/* Cases of algebra: odd lengths, grids, borders, all storages. References are loops over entries;
 * systems are made from their solution. */
#include <math.h>
#include <stdlib.h>

#include "cli/check.h"
#include "core/try.h"
#include "dense/product.h"

/* Half a unit in the last place of 1, and the error of double-float numbers. */
static const double unit = 0x1p-24, double_float = 0x1p-40;

/* ---- Vectors --------------------------------------------------------------------------------- */

/* Lengths, and columns and rows of grids. */
static const int shapes[][2] = {{1, 0}, {3, 0}, {67, 0}, {4096, 0}, {4097, 0}, {250001, 0},
                                {1, 1}, {5, 3}, {64, 1}, {31, 37},  {130, 67}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static int64_t lengthOf(const int shape[2]) {
  return shape[1] ? (int64_t)shape[0] * shape[1] : shape[0];
}

static void nameShape(txTrial *t, const char *what, const int shape[2]) {
  if (shape[1])
    snprintf(t->name, sizeof t->name, "%s, grid %d x %d", what, shape[0], shape[1]);
  else
    snprintf(t->name, sizeof t->name, "%s, length %d", what, shape[0]);
}

static clStatus createVector(clVector **out, clContext *context, const int shape[2]) {
  if (shape[1])
    return clVectorCreateGrid(out, context, shape[0], shape[1]);
  return clVectorCreate(out, context, shape[0]);
}

/* x of [-1, 1); y of a magnitude from 1/2 to 1. */
static void fillOperands(txTrial *t, int64_t n) {
  txTrialFill(t->x, n);
  for (int64_t i = 0; i < n; i++) {
    double r = txTrialRandom((uint64_t)(i + 1000003));
    t->y[i] = copysign(0.5 + fabs(r) / 2, r);
  }
}

/* Three vectors and three numbers of one shape. */
typedef struct Operands {
  clVector *x, *y, *z;
  clFloat *s[3];
} Operands;

static clStatus openOperands(Operands *o, txTrial *t, const int shape[2]) {
  TRY(createVector(&o->x, t->context, shape));
  TRY(clVectorCreateLike(&o->y, o->x));
  TRY(clVectorCreateLike(&o->z, o->x));
  for (int k = 0; k < 3; k++)
    TRY(clFloatCreate(&o->s[k], t->context));
  TRY(clVectorUploadDouble(o->x, t->x));
  return clVectorUploadDouble(o->y, t->y);
}

static void closeOperands(Operands *o) {
  clVectorDestroy(o->x);
  clVectorDestroy(o->y);
  clVectorDestroy(o->z);
  for (int k = 0; k < 3; k++)
    clFloatDestroy(o->s[k]);
}

/* The operators, by their names; a factor alpha = 1/2 lies on the device. */
enum { FILL, COPY, SCALE, AXPY, ADD, MUL, DIV, DIVZ, OPERATORS };
static const char *const operator_names[] = {"fill", "copy", "scale", "axpy",
                                             "add",  "mul",  "div",   "divz"};

static clStatus operate(Operands *o, int which) {
  clFloat *alpha = o->s[0];
  TRY(clFloatUpload(alpha, 0.5f));
  switch (which) {
  case FILL:
    return clVectorFill(o->z, 0.625f);
  case COPY:
    return clVectorCopy(o->z, o->x);
  case SCALE:
    return clVectorScale(o->z, -3, alpha, o->x);
  case AXPY: /* in place */
    TRY(clVectorCopy(o->z, o->y));
    return clVectorAxpy(o->z, -3, alpha, o->x);
  case ADD:
    return clVectorAdd(o->z, 3, alpha, o->x, -0.75f, NULL, o->y);
  case MUL:
    return clVectorMul(o->z, o->x, o->y);
  case DIV:
    return clVectorDiv(o->z, o->x, o->y);
  default:
    return clVectorDivZ(o->z, o->x, o->y);
  }
}

static double operateOnHost(int which, double x, double y) {
  switch (which) {
  case FILL:
    return 0.625;
  case COPY:
    return x;
  case SCALE:
    return -1.5 * x;
  case AXPY:
    return y - 1.5 * x;
  case ADD:
    return 1.5 * x - 0.75 * y;
  case MUL:
    return x * y;
  default:
    return y != 0 ? x / y : 0;
  }
}

static clStatus tryOperator(txTrial *t, int index) {
  const int which = index / SHAPES, *shape = shapes[index % SHAPES];
  int64_t n = lengthOf(shape);
  Operands o = {0};
  clStatus status = TEXLA_OK;
  nameShape(t, operator_names[which], shape);
  fillOperands(t, n);
  for (int64_t i = 0; which == DIVZ && i < n; i += 3)
    t->y[i] = 0;
  TRY_CLEANUP(openOperands(&o, t, shape));
  TRY_CLEANUP(operate(&o, which));
  TRY_CLEANUP(clVectorDownloadDouble(o.z, t->got));
  for (int64_t i = 0; i < n; i++)
    t->wanted[i] = operateOnHost(which, t->x[i], t->y[i]);
  txTrialCompare(t, n, 8 * unit);
cleanup:
  closeOperands(&o);
  return status;
}

/* The reductions, by their names. */
enum { SUM, DOT, NORM, MIN, MAX, ABSMAX, ARGMAX, REDUCTIONS };
static const char *const reduction_names[] = {"sum", "dot",    "norm",  "min",
                                              "max", "absmax", "argmax"};

static clStatus reduce(const Operands *o, int which) {
  switch (which) {
  case SUM:
    return clVectorSum(o->s[0], o->x);
  case DOT:
    return clVectorDot(o->s[0], o->x, o->y);
  case NORM:
    return clVectorNorm(o->s[0], o->x);
  case MIN:
    return clVectorMin(o->s[0], o->x);
  case MAX:
    return clVectorMax(o->s[0], o->x);
  case ABSMAX:
    return clVectorAbsMax(o->s[0], o->x);
  default:
    return clVectorArgMax(o->s[0], o->s[1], o->s[2], o->x);
  }
}

/* wanted <- the result, and of argmax the index; the size of what was summed. */
static double reduceOnHost(txTrial *t, int which, int64_t n) {
  double sum = 0, dot = 0, squares = 0, least = t->x[0], most = t->x[0], size = 0;
  int64_t at = 0;
  for (int64_t i = 0; i < n; i++) {
    sum += t->x[i];
    dot += t->x[i] * t->y[i];
    squares += t->x[i] * t->x[i];
    size += fabs(t->x[i]);
    least = fmin(least, t->x[i]);
    most = fmax(most, t->x[i]);
    if (fabs(t->x[i]) > fabs(t->x[at]))
      at = i;
  }
  const double all[] = {sum, dot, sqrt(squares), least, most, fabs(t->x[at]), t->x[at]};
  t->wanted[0] = all[which];
  t->wanted[1] = (double)at;
  return which < MIN ? size : 0;
}

static clStatus tryReduction(txTrial *t, int index) {
  const int which = index / SHAPES, *shape = shapes[index % SHAPES];
  int64_t n = lengthOf(shape);
  float value[3];
  Operands o = {0};
  clStatus status = TEXLA_OK;
  nameShape(t, reduction_names[which], shape);
  fillOperands(t, n);
  double size = reduceOnHost(t, which, n);
  TRY_CLEANUP(openOperands(&o, t, shape));
  TRY_CLEANUP(reduce(&o, which));
  for (int k = 0; k < 3; k++)
    TRY_CLEANUP(clFloatDownload(o.s[k], &value[k]));
  t->got[0] = (double)value[0];
  t->got[1] = (double)value[1] * (double)clVectorRowLength(o.x) + (double)value[2];
  txTrialCompare(t, which == ARGMAX ? 2 : 1, 4 * unit * size);
cleanup:
  closeOperands(&o);
  return status;
}

/* ---- Sparse matrices ------------------------------------------------------------------------- */

/* Sparse ones without a pattern, a grid's nine points, five constant diagonals. */
enum { SPARSE, NINE_POINTS, DIAGONALS };
static const struct {
  int rows, cols, pattern;
} matrices[] = {{37, 53, SPARSE}, {67, 67, SPARSE}, {63, 63, NINE_POINTS}, {131, 131, DIAGONALS}};
enum { MATRICES = sizeof matrices / sizeof *matrices, COLUMNS = 9, FORMS = 4 };
/* Points, the last, have no residual in double-float. */
static const clStorage storages[] = {TEXLA_STORAGE_DENSE, TEXLA_STORAGE_BANDED, TEXLA_STORAGE_CSR,
                                     TEXLA_STORAGE_SLOTS, TEXLA_STORAGE_POINTS};
enum { STORAGES = sizeof storages / sizeof *storages };
static const char *const form_names[] = {"A x", "A x + b", "A x - b", "b - A x"};

/* a_ij; 0: not stored. */
static double entry(int pattern, int i, int j) {
  double value = txTrialRandom((uint64_t)(1000 * i + j)) + 2 * (i == j);
  int k = j - i;
  if (pattern == SPARSE)
    return i == j || (k % 9 == 0 && i * j % 3 > 0) ? value : 0;
  if (pattern == NINE_POINTS) {
    bool beside = abs(i % COLUMNS - j % COLUMNS) < 2 && abs(i / COLUMNS - j / COLUMNS) < 2;
    return beside ? value : 0;
  }
  return k == 0 || k == 1 || k == -1 || k == 11 || k == -11 ? 1.75 - 0.125 * k : 0;
}

static clStatus createTriplets(clTriplets **out, int which) {
  const int rows = matrices[which].rows, cols = matrices[which].cols;
  TRY(clTripletsCreate(out, rows, cols, 0, NULL));
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++) {
      double value = entry(matrices[which].pattern, i, j);
      if (value != 0)
        TRY(clTripletsAdd(*out, i, j, value, NULL));
    }
  return clTripletsCompress(*out, NULL);
}

/* wanted <- a op(A) x + b y */
static void multiplyOnHost(txTrial *t, const clTriplets *A, bool transposed, double a, double b) {
  for (int i = 0; i < (transposed ? A->cols : A->rows); i++)
    t->wanted[i] = b * t->y[i];
  for (int64_t k = 0; k < A->count; k++) {
    if (transposed)
      t->wanted[A->col[k]] += a * A->value[k] * t->x[A->row[k]];
    else
      t->wanted[A->row[k]] += a * A->value[k] * t->x[A->col[k]];
  }
}

static clStatus tryMatrix(txTrial *t, int index) {
  static const double sign[FORMS][2] = {{1, 0}, {1, 1}, {1, -1}, {-1, 1}};
  const int form = index % FORMS, which = index / FORMS % MATRICES;
  const bool transposed = index / FORMS / MATRICES % 2;
  const clStorage storage = storages[index / FORMS / MATRICES / 2];
  clTriplets *T = NULL;
  clMatrix *A = NULL;
  clVector *x = NULL, *y = NULL, *b = NULL;
  clMatrixSpace range = transposed ? TEXLA_DOMAIN : TEXLA_RANGE;
  clMatrixSpace domain = transposed ? TEXLA_RANGE : TEXLA_DOMAIN;
  clStatus status = TEXLA_OK;
  snprintf(t->name, sizeof t->name, "%s%s, %s, %d x %d", form_names[form],
           transposed ? " with A^T" : "", clStorageName(storage), matrices[which].rows,
           matrices[which].cols);
  fillOperands(t, 200);
  TRY_CLEANUP(createTriplets(&T, which));
  TRY_CLEANUP(clMatrixCreate(&A, t->context, T, &(clMatrixOptions){.storage = storage}));
  TRY_CLEANUP(clMatrixCreateVector(&x, A, domain));
  TRY_CLEANUP(clMatrixCreateVector(&y, A, range));
  TRY_CLEANUP(clVectorCreateLike(&b, y));
  TRY_CLEANUP(clVectorUploadDouble(x, t->x));
  TRY_CLEANUP(clVectorUploadDouble(b, t->y));
  TRY_CLEANUP(clMatrixVectorOp(y, (clMatrixOp)form, A,
                               transposed ? TEXLA_TRANSPOSE : TEXLA_NO_TRANSPOSE, x, b));
  TRY_CLEANUP(clVectorDownloadDouble(y, t->got));
  multiplyOnHost(t, T, transposed, sign[form][0], sign[form][1]);
  txTrialCompare(t, clVectorLength(y), 200 * unit);
cleanup:
  clVectorDestroy(x);
  clVectorDestroy(y);
  clVectorDestroy(b);
  clMatrixDestroy(A);
  clTripletsDestroy(T);
  return status;
}

/* ---- Dense matrices -------------------------------------------------------------------------- */

static clStatus createDense(clDense **out, txTrial *t, int rows, int cols, const double *values) {
  for (int k = 0; k < rows * cols; k++)
    t->single[k] = (float)values[k];
  TRY(clDenseCreate(out, t->context, rows, cols));
  return clDenseUpload(*out, t->single, cols);
}

static clStatus takeDense(txTrial *t, const clDense *A) {
  const int count = clDenseRows(A) * clDenseCols(A);
  TRY(clDenseDownload(A, t->single, clDenseCols(A)));
  for (int k = 0; k < count; k++)
    t->got[k] = (double)t->single[k];
  return TEXLA_OK;
}

/* op(A)_ij of a matrix that op turns into one of so many rows and columns. */
static double read(const double *A, bool transposed, int rows, int cols, int i, int j) {
  return transposed ? A[j * rows + i] : A[i * cols + j];
}

/* wanted <- op(A) op(B), m x k and k x n */
static void productOnHost(txTrial *t, int m, int k, int n, bool a_op, bool b_op) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int l = 0; l < k; l++)
        sum += read(t->x, a_op, m, k, i, l) * read(t->y, b_op, k, n, l, j);
      t->wanted[i * n + j] = sum;
    }
}

static const int products[][3] = {{1, 1, 1}, {5, 7, 3}, {33, 65, 17}, {64, 64, 64}, {131, 70, 101}};
enum { PRODUCTS = sizeof products / sizeof *products };

/* Sizes differ by classes, whose variants (dense/product.h) are numbered alike. */
static int pinProduct(txTrial *t, int index) {
  static const char *const classes[] = {"small", "tall", "wide", "medium"};
  const int variant = index % TX_PRODUCT_VARIANTS;
  for (int k = 0; k < 4; k++) {
    char key[32];
    snprintf(key, sizeof key, "dense.product.%s", classes[k]);
    txTrialPin(t, key, variant);
  }
  return variant;
}

/* C <- op(A) op(B) */
static clStatus tryProduct(txTrial *t, int index) {
  const int *size = products[index / 4], m = size[0], k = size[1], n = size[2];
  const int rows[] = {m, k}, cols[] = {k, n};
  static const char *const exponent[] = {"", "^T"};
  const bool a_op = index & 1, b_op = index >> 1 & 1;
  clDense *A = NULL, *B = NULL, *C = NULL;
  clStatus status = TEXLA_OK;
  snprintf(t->name, sizeof t->name, "A%s B%s, %d x %d x %d, variant %d", exponent[a_op],
           exponent[b_op], m, k, n, pinProduct(t, index));
  fillOperands(t, (int64_t)(m > n ? m : n) * k);
  TRY_CLEANUP(createDense(&A, t, rows[a_op], rows[!a_op], t->x));
  TRY_CLEANUP(createDense(&B, t, cols[b_op], cols[!b_op], t->y));
  TRY_CLEANUP(clDenseCreate(&C, t->context, m, n));
  TRY_CLEANUP(clDenseMultiply(C, 1, (clTranspose)a_op, A, (clTranspose)b_op, B, 0));
  TRY_CLEANUP(takeDense(t, C));
  productOnHost(t, m, k, n, a_op, b_op);
  txTrialCompare(t, (int64_t)m * n, 2 * unit * k);
cleanup:
  clDenseDestroy(A);
  clDenseDestroy(B);
  clDenseDestroy(C);
  return status;
}

/* Orders of the factored matrices, and right-hand sides. */
static const int orders[] = {1, 2, 3, 5, 8, 33, 64, 129};
enum { ORDERS = sizeof orders / sizeof *orders, SIDES = 3 };

/* x <- a matrix whose condition is small; its largest entries lie on the diagonal, or with `moved`
 * beside it, so that rows change places. y <- numbers; wanted <- op(A) y */
static void fillSystem(txTrial *t, int n, bool symmetric, bool transposed) {
  txTrialFill(t->x, (int64_t)n * n);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i && symmetric; j++)
      t->x[i * n + j] = t->x[j * n + i];
    double *large = &t->x[i * n + (symmetric ? i : (i + 1) % n)];
    *large = (double)(float)(*large + 2 + 3 * sqrt(n));
  }
  txTrialFill(t->y, (int64_t)SIDES * n);
  productOnHost(t, n, n, SIDES, transposed, false);
}

/* The solution X of op(A) X = B, with B = op(A) Y, must be Y. */
static void compareSolution(txTrial *t, int n) {
  for (int k = 0; k < SIDES * n; k++)
    t->wanted[k] = t->y[k];
  txTrialCompare(t, (int64_t)SIDES * n, 8 * unit * (n + 4));
}

static clStatus tryPlu(txTrial *t, int index) {
  const int n = orders[index / 2];
  const bool transposed = index % 2;
  clDense *A = NULL, *X = NULL;
  clPlu *plu = NULL;
  clStatus status = TEXLA_OK;
  snprintf(t->name, sizeof t->name, "A%s X = B, %d unknowns", transposed ? "^T" : "", n);
  fillSystem(t, n, false, transposed);
  TRY_CLEANUP(createDense(&A, t, n, n, t->x));
  TRY_CLEANUP(createDense(&X, t, n, SIDES, t->wanted));
  TRY_CLEANUP(clPluCreate(&plu, t->context, n, n, NULL));
  TRY_CLEANUP(clPluFactor(plu, A, NULL));
  TRY_CLEANUP(clPluSolve(plu, (clTranspose)transposed, X, X));
  TRY_CLEANUP(takeDense(t, X));
  compareSolution(t, n);
cleanup:
  clPluDestroy(plu);
  clDenseDestroy(A);
  clDenseDestroy(X);
  return status;
}

static clStatus tryCholesky(txTrial *t, int index) {
  const int n = orders[index / 2];
  const bool packed = index % 2;
  clDense *A = NULL, *X = NULL;
  clCholesky *cholesky = NULL;
  clStatus status = TEXLA_OK;
  snprintf(t->name, sizeof t->name, "A X = B, %d unknowns%s", n, packed ? ", packed" : "");
  fillSystem(t, n, true, false);
  TRY_CLEANUP(createDense(&A, t, n, n, t->x));
  TRY_CLEANUP(createDense(&X, t, n, SIDES, t->wanted));
  TRY_CLEANUP(clCholeskyCreate(&cholesky, t->context, n, &(clCholeskyOptions){.packed = packed}));
  TRY_CLEANUP(clCholeskyFactor(cholesky, A, NULL));
  TRY_CLEANUP(clCholeskySolve(cholesky, X, X));
  TRY_CLEANUP(takeDense(t, X));
  compareSolution(t, n);
cleanup:
  clCholeskyDestroy(cholesky);
  clDenseDestroy(A);
  clDenseDestroy(X);
  return status;
}

/* ---- Iterations ------------------------------------------------------------------------------ */

/* Five points of a grid, u = 0 outside: neighbours are coupled by 1, or by 1 to 2 where `varies`.
 * y <- numbers; wanted <- A y */
static clStatus createGrid(clTriplets **out, txTrial *t, int nx, int ny, double shift,
                           bool varies) {
  static const int step[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
  TRY(clTripletsCreate(out, nx * ny, nx * ny, 0, NULL));
  for (int k = 0; k < nx * ny; k++) {
    double diagonal = shift;
    for (int s = 0; s < 4; s++) {
      int i = k % nx + step[s][0], j = k / nx + step[s][1], other = j * nx + i;
      uint64_t key = (uint64_t)(1000 * (k < other ? k : other) + s / 2);
      double weight = varies ? 1.5 + txTrialRandom(key) / 2 : 1;
      weight = (double)(float)weight;
      diagonal += weight;
      if (i >= 0 && j >= 0 && i < nx && j < ny)
        TRY(clTripletsAdd(*out, k, other, -weight, NULL));
    }
    TRY(clTripletsAdd(*out, k, k, diagonal, NULL));
  }
  TRY(clTripletsCompress(*out, NULL));
  txTrialFill(t->y, nx * ny);
  clTripletsMulVector(t->wanted, *out, t->y);
  return TEXLA_OK;
}

/* As compareSolution. */
static clStatus takeSolution(txTrial *t, const clVector *x, double allowed) {
  TRY(clVectorDownloadDouble(x, t->got));
  for (int64_t i = 0; i < clVectorLength(x); i++)
    t->wanted[i] = t->y[i];
  txTrialCompare(t, clVectorLength(x), allowed);
  return TEXLA_OK;
}

static const int grids[][2] = {{17, 13}, {40, 23}, {64, 48}};
enum { GRIDS = sizeof grids / sizeof *grids };

/* Methods with their preconditioners; those without one take any storage. */
static const struct {
  clMethod method;
  clPreconditioner preconditioner;
  clStorage storage;
} solvers[] = {{TEXLA_METHOD_CG, TEXLA_PRECONDITIONER_NONE, TEXLA_STORAGE_AUTO},
               {TEXLA_METHOD_CG, TEXLA_PRECONDITIONER_NONE, TEXLA_STORAGE_SLOTS},
               {TEXLA_METHOD_CG, TEXLA_PRECONDITIONER_JACOBI, TEXLA_STORAGE_AUTO},
               {TEXLA_METHOD_CG, TEXLA_PRECONDITIONER_MG, TEXLA_STORAGE_AUTO},
               {TEXLA_METHOD_CG, TEXLA_PRECONDITIONER_AMG, TEXLA_STORAGE_AUTO},
               {TEXLA_METHOD_CG, TEXLA_PRECONDITIONER_IC0, TEXLA_STORAGE_AUTO}};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

static clStatus trySolver(txTrial *t, int index) {
  const int which = index / GRIDS, nx = grids[index % GRIDS][0], ny = grids[index % GRIDS][1];
  clSolverOptions options = {.method = solvers[which].method,
                             .preconditioner = solvers[which].preconditioner,
                             .grid_nx = nx,
                             .grid_ny = ny};
  clTriplets *T = NULL;
  clMatrix *A = NULL;
  clVector *x = NULL, *b = NULL;
  clSolver *solver = NULL;
  clStatus status = TEXLA_OK;
  snprintf(t->name, sizeof t->name, "%s, %s, %s, grid %d x %d", clMethodName(options.method),
           clPreconditionerName(options.preconditioner), clStorageName(solvers[which].storage), nx,
           ny);
  TRY_CLEANUP(createGrid(&T, t, nx, ny, 0.25, true));
  options.host = T;
  TRY_CLEANUP(
      clMatrixCreate(&A, t->context, T, &(clMatrixOptions){solvers[which].storage, nx, ny}));
  TRY_CLEANUP(clMatrixCreateVector(&x, A, TEXLA_DOMAIN));
  TRY_CLEANUP(clMatrixCreateVector(&b, A, TEXLA_RANGE));
  TRY_CLEANUP(clVectorUploadDouble(b, t->wanted));
  TRY_CLEANUP(clSolverCreate(&solver, A, &options));
  TRY_CLEANUP(clSolverSolve(solver, x, b, NULL));
  TRY_CLEANUP(takeSolution(t, x, 1e-4));
cleanup:
  clSolverDestroy(solver);
  clVectorDestroy(x);
  clVectorDestroy(b);
  clMatrixDestroy(A);
  clTripletsDestroy(T);
  return status;
}

/* Cycles of multigrid, and whether the coefficients vary. */
static const struct {
  const char *name;
  clMultigridOptions options;
  bool varies;
} cycles[] = {{"chebyshev", {.smoother = TEXLA_SMOOTHER_CHEBYSHEV}, false},
              {"chebyshev, W cycles", {.cycle = TEXLA_CYCLE_W}, true},
              {"jacobi", {.smoother = TEXLA_SMOOTHER_JACOBI}, true},
              {"red-black", {.smoother = TEXLA_SMOOTHER_RED_BLACK}, true},
              {"halves", {.smoother = TEXLA_SMOOTHER_HALVES}, false},
              {"set up on the device", {.setup = TEXLA_SETUP_DEVICE}, true}};
enum { CYCLES = sizeof cycles / sizeof *cycles, COUNT = 12 };

/* So many cycles take all of the error but rounding; without the coarse grids most of it stays. */
static clStatus tryMultigrid(txTrial *t, int index) {
  const int which = index / GRIDS, nx = grids[index % GRIDS][0], ny = grids[index % GRIDS][1];
  clMultigridOptions options = cycles[which].options;
  clTriplets *T = NULL;
  clVector *x = NULL, *b = NULL;
  clMultigrid *multigrid = NULL;
  clStatus status = TEXLA_OK;
  snprintf(t->name, sizeof t->name, "%s, grid %d x %d", cycles[which].name, nx, ny);
  options.coarsest = 16;
  TRY_CLEANUP(createGrid(&T, t, nx, ny, 0, cycles[which].varies));
  TRY_CLEANUP(clVectorCreateGrid(&x, t->context, nx, ny));
  TRY_CLEANUP(clVectorCreateLike(&b, x));
  TRY_CLEANUP(clVectorUploadDouble(b, t->wanted));
  TRY_CLEANUP(clMultigridCreate(&multigrid, t->context, T, nx, ny, &options));
  for (int k = 0; k < COUNT; k++)
    TRY_CLEANUP(clMultigridCycle(multigrid, x, b));
  TRY_CLEANUP(takeSolution(t, x, 1e-3));
cleanup:
  clMultigridDestroy(multigrid);
  clVectorDestroy(x);
  clVectorDestroy(b);
  clTripletsDestroy(T);
  return status;
}

/* ---- Double-float ---------------------------------------------------------------------------- */

/* What is computed of vectors, then residuals in all storages. */
enum { DOUBLE_ADD, DOUBLE_SCALE, DOUBLE_DOT, DOUBLE_NORM, SINGLE_DOT, DOUBLES };
static const char *const double_names[] = {"double add", "double scale", "double dot",
                                           "double norm", "dot of singles in double"};
enum { DOUBLE_CASES = DOUBLES * SHAPES };

/* x and y with 53 bits. */
static void fillDoubles(txTrial *t, int64_t n) {
  fillOperands(t, n);
  for (int64_t i = 0; i < n; i++) {
    t->x[i] += txTrialRandom((uint64_t)(i + 7000003)) * 0x1p-26;
    t->y[i] += txTrialRandom((uint64_t)(i + 8000003)) * 0x1p-26;
  }
}

/* Two vectors, their result, and a number. */
typedef struct Doubles {
  clVector *like;
  clDoubleVector *x, *y, *z;
  clDouble *s;
} Doubles;

static clStatus openDoubles(Doubles *d, txTrial *t, const int shape[2]) {
  TRY(createVector(&d->like, t->context, shape));
  TRY(clDoubleVectorCreateLike(&d->x, d->like));
  TRY(clDoubleVectorCreateLike(&d->y, d->like));
  TRY(clDoubleVectorCreateLike(&d->z, d->like));
  TRY(clDoubleCreate(&d->s, t->context));
  TRY(clDoubleVectorUpload(d->x, t->x));
  return clDoubleVectorUpload(d->y, t->y);
}

static void closeDoubles(Doubles *d) {
  clVectorDestroy(d->like);
  clDoubleVectorDestroy(d->x);
  clDoubleVectorDestroy(d->y);
  clDoubleVectorDestroy(d->z);
  clDoubleDestroy(d->s);
}

static clStatus operateDoubles(const Doubles *d, int which) {
  switch (which) {
  case DOUBLE_ADD:
    return clDoubleVectorAdd(d->z, 1.5, NULL, d->x, -0.75, NULL, d->y);
  case DOUBLE_SCALE:
    return clDoubleVectorScale(d->z, 1 / 3., NULL, d->x);
  case DOUBLE_DOT:
    return clDoubleVectorDot(d->s, d->x, d->y);
  case DOUBLE_NORM:
    return clDoubleVectorNorm(d->s, d->x);
  default: /* the halves of larger magnitude are y in single precision */
    TRY(clDoubleVectorToSingle(d->like, d->y));
    return clVectorDotDouble(d->s, d->like, d->like);
  }
}

/* wanted <- the numbers; how large their terms are. */
static double doublesOnHost(txTrial *t, int which, int64_t n) {
  double sum = 0;
  for (int64_t i = 0; i < n; i++) {
    double x = t->x[i], y = t->y[i], single = (double)(float)y;
    const double term[] = {1.5 * x - 0.75 * y, x / 3, x * y, x * x, single * single};
    t->wanted[i] = term[which];
    sum += term[which];
  }
  if (which < DOUBLE_DOT)
    return 1;
  t->wanted[0] = which == DOUBLE_NORM ? sqrt(sum) : sum;
  return (double)n;
}

static clStatus tryDoubleVector(txTrial *t, int index) {
  const int which = index / SHAPES, *shape = shapes[index % SHAPES];
  int64_t n = lengthOf(shape);
  Doubles d = {0};
  clStatus status = TEXLA_OK;
  nameShape(t, double_names[which], shape);
  fillDoubles(t, n);
  TRY_CLEANUP(openDoubles(&d, t, shape));
  TRY_CLEANUP(operateDoubles(&d, which));
  if (which < DOUBLE_DOT)
    TRY_CLEANUP(clDoubleVectorDownload(d.z, t->got));
  else
    TRY_CLEANUP(clDoubleDownload(d.s, t->got));
  double size = doublesOnHost(t, which, n);
  txTrialCompare(t, which < DOUBLE_DOT ? n : 1, double_float * size);
cleanup:
  closeDoubles(&d);
  return status;
}

/* r <- b - A x, whose entries have more digits than single precision */
static clStatus tryResidual(txTrial *t, int index) {
  const int which = index % MATRICES;
  const clMatrixOptions options = {.storage = storages[index / MATRICES], .double_float = true};
  clTriplets *T = NULL;
  clMatrix *A = NULL;
  clVector *x = NULL, *y = NULL;
  clDoubleVector *dx = NULL, *db = NULL;
  clStatus status = TEXLA_OK;
  snprintf(t->name, sizeof t->name, "double b - A x, %s, %d x %d", clStorageName(options.storage),
           matrices[which].rows, matrices[which].cols);
  fillDoubles(t, 200);
  TRY_CLEANUP(createTriplets(&T, which));
  for (int64_t k = 0; k < T->count; k++)
    T->value[k] *= 1 + 0x1p-30;
  TRY_CLEANUP(clMatrixCreate(&A, t->context, T, &options));
  TRY_CLEANUP(clMatrixCreateVector(&x, A, TEXLA_DOMAIN));
  TRY_CLEANUP(clMatrixCreateVector(&y, A, TEXLA_RANGE));
  TRY_CLEANUP(clDoubleVectorCreateLike(&dx, x));
  TRY_CLEANUP(clDoubleVectorCreateLike(&db, y));
  TRY_CLEANUP(clDoubleVectorUpload(dx, t->x));
  TRY_CLEANUP(clDoubleVectorUpload(db, t->y));
  TRY_CLEANUP(clMatrixResidualDouble(db, A, dx, db));
  TRY_CLEANUP(clDoubleVectorDownload(db, t->got));
  multiplyOnHost(t, T, false, -1, 1);
  txTrialCompare(t, T->rows, 40 * double_float);
cleanup:
  clDoubleVectorDestroy(dx);
  clDoubleVectorDestroy(db);
  clVectorDestroy(x);
  clVectorDestroy(y);
  clMatrixDestroy(A);
  clTripletsDestroy(T);
  return status;
}

static clStatus tryDouble(txTrial *t, int index) {
  if (index < DOUBLE_CASES)
    return tryDoubleVector(t, index);
  return tryResidual(t, index - DOUBLE_CASES);
}

const txTrialGroup *txTrialsAlgebra(int index) {
  static const txTrialGroup groups[] = {
      {"operators", OPERATORS * SHAPES, tryOperator},
      {"reductions", REDUCTIONS * SHAPES, tryReduction},
      {"matrices", STORAGES * 2 * MATRICES * FORMS, tryMatrix},
      {"products", PRODUCTS * 4, tryProduct},
      {"plu", ORDERS * 2, tryPlu},
      {"cholesky", ORDERS * 2, tryCholesky},
      {"solvers", SOLVERS * GRIDS, trySolver},
      {"multigrid", CYCLES * GRIDS, tryMultigrid},
      {"double-float", DOUBLE_CASES + (STORAGES - 1) * MATRICES, tryDouble}};
  return index < (int)(sizeof groups / sizeof *groups) ? &groups[index] : NULL;
}
