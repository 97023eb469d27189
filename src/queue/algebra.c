/* Operations of linear algebra: products, eliminations, systems. */
#include "queue/operations.h"
#include "texla/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool isSparse(const txOperand *o) {
  return o->value && o->value->triplets;
}

/* A number as a matrix is only met in products: these callers ask for matrices. */
static clDenseOp opOf(const txCall *call, int k) {
  return k < call->operands && call->operand[k].number != 0 ? TEXLA_DENSE_TRANSPOSED : TEXLA_DENSE_NORMAL;
}

static clStatus sparseMatrix(txCall *call, clMatrix **out) {
  txValue *v = call->operand[0].value;
  clStatus status = TEXLA_OK;
  if (!v->matrix)
    status = txCallStatus(call, clMatrixCreate(&v->matrix, call->context, v->triplets, NULL));
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
    status = txCallStatus(call, clMatrixCreateVector(&x, A, turned ? TEXLA_SIDE_ROWS : TEXLA_SIDE_COLS));
  if (!status)
    status = txCallStatus(call, clMatrixCreateVector(&y, A, turned ? TEXLA_SIDE_COLS : TEXLA_SIDE_ROWS));
  int64_t n = clVectorLength(x), m = clVectorLength(y), longest = n > m ? n : m;
  float *values = malloc((size_t)(longest ? longest : 1) * sizeof *values);
  if (!status && !values)
    status = txCallFail(call, TEXLA_OUT_OF_MEMORY, "no memory for a column");
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
    status = txCallStatus(call, clMatrixCreateVector(&x, A, turned ? TEXLA_SIDE_ROWS : TEXLA_SIDE_COLS));
  if (!status)
    status = txCallStatus(call, clMatrixCreateVector(&y, A, turned ? TEXLA_SIDE_COLS : TEXLA_SIDE_ROWS));
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
  if (txShapeEmpty(a)) { /* the result is not empty: sums of nothing */
    clVector *zero;
    return txResultVector(call, 0, &zero);
  }
  if (isSparse(&call->operand[0]) && opOf(call, 3) == TEXLA_DENSE_NORMAL)
    return call->shape[0].cols == 1 ? multiplySparseVector(call) : multiplySparse(call);
  clStatus status = txOperandDense(call, 0, &A);
  if (!status)
    status = txOperandDense(call, 1, &B);
  if (!status)
    status = txResultDense(call, 0, &C);
  return status ? status : txCallStatus(call, clDenseMultiply(C, 1, opOf(call, 2), A, opOf(call, 3), B, 0));
}

/* Column by column to the accuracy of A's doubles. */
static clStatus refine(txCall *call, const clPlu *plu, const clDense *X) {
  const txValue *a = call->operand[0].value;
  txShape s = call->shape[0];
  double *b, *x;
  clTriplets *A = NULL;
  clRefineReport report = {0};
  clStatus status = txOperandHost(call, 1, &b);
  if (!status)
    status = txResultHost(call, 0, &x);
  if (!status)
    status = clTripletsCreate(&A, (int32_t)a->rows, (int32_t)a->cols, txValueLength(a), call->error);
  for (int64_t i = 0; i < a->rows && !status; i++)
    for (int64_t j = 0; j < a->cols && !status; j++)
      status = clTripletsAdd(A, (int32_t)i, (int32_t)j, a->host[i + a->rows * j], call->error);
  if (!status)
    status = clTripletsCompress(A, call->error);
  float *start = malloc((size_t)(s.rows * s.cols) * sizeof *start);
  if (!status)
    status = start ? txCallStatus(call, clDenseDownload(X, start, s.cols))
                   : txCallFail(call, TEXLA_OUT_OF_MEMORY, "no memory for the solution");
  for (int64_t j = 0; j < s.cols && !status; j++) {
    for (int64_t i = 0; i < s.rows; i++)
      x[i + s.rows * j] = (double)start[i * s.cols + j];
    status = txCallStatus(call, clPluRefine(plu, TEXLA_DENSE_NORMAL, A, x + s.rows * j, b + s.rows * j, NULL, &report));
    if (status == TEXLA_NOT_CONVERGED)
      status = report.backward_error < 1e-10 /* x is the best that was reached */
                   ? TEXLA_OK
                   : txCallFail(call, TEXLA_SINGULAR, "column %d of the solution has a backward error of %.2g",
                                (int)j + 1, report.backward_error);
  }
  free(start);
  clTripletsDestroy(A);
  return status;
}

static clStatus solveDense(txCall *call) {
  clDense *A, *B, *X = NULL;
  clPlu *plu = NULL;
  bool to_double = call->operand[0].value->host != NULL;
  txShape s = call->shape[0];
  clStatus status = txOperandDense(call, 0, &A);
  if (!status)
    status = txOperandDense(call, 1, &B);
  if (!status)
    status = txCallStatus(call, clPluCreate(&plu, call->context, (int)s.rows, (int)s.rows, NULL));
  if (!status)
    status = txCallStatus(call, clPluFactor(plu, A, NULL));
  if (status == TEXLA_RANK_DEFICIENT)
    status = TEXLA_OK; /* clPluSolve says that it has no solution */
  if (!status && to_double)
    status = txCallStatus(call, clDenseCreate(&X, call->context, (int)s.rows, (int)s.cols));
  clDense *to = X;
  if (!status && !to_double)
    status = txResultDense(call, 0, &to);
  if (!status)
    status = txCallStatus(call, clPluSolve(plu, TEXLA_DENSE_NORMAL, to, B));
  if (!status && to_double)
    status = refine(call, plu, X);
  clDenseDestroy(X);
  clPluDestroy(plu);
  return status;
}

static clMethod methodNamed(const char *name) {
  static const clMethod methods[] = {
#define METHOD(method, ...) method,
      TEXLA_METHOD_LIST(METHOD)};
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
    if (!strcmp(clMethodName(methods[k]), name))
      return methods[k];
  return TEXLA_METHOD_AUTO;
}

/* A sparse operand as it is, a dense one without its zeros; *made: the caller destroys it. */
static clStatus tripletsOf(txCall *call, clTriplets **out, clTriplets **made) {
  const txValue *v = call->operand[0].value;
  double *a;
  *made = NULL;
  *out = v->triplets;
  if (v->triplets)
    return TEXLA_OK;
  clStatus status = txOperandHost(call, 0, &a);
  if (!status)
    status = clTripletsCreate(made, (int32_t)v->rows, (int32_t)v->cols, 0, call->error);
  for (int64_t k = 0; k < txValueLength(v) && !status; k++)
    if (a[k] != 0)
      status = clTripletsAdd(*made, (int32_t)(k % v->rows), (int32_t)(k / v->rows), a[k], call->error);
  if (!status)
    status = clTripletsCompress(*made, call->error);
  *out = *made;
  return status;
}

static double given(const txCall *call, int k, double otherwise) {
  return k < call->operands && call->operand[k].is_number && call->operand[k].number != 0 ? call->operand[k].number
                                                                                          : otherwise;
}

/* x from where the caller says, or from zero. */
static clStatus startFrom(txCall *call, int k, double *x) {
  txShape s = call->shape[0];
  if (k >= call->operands || call->operand[k].is_number)
    return TEXLA_OK;
  double *start;
  txShape given_shape = call->operand[k].shape;
  if (given_shape.rows * given_shape.cols != s.rows * s.cols)
    return txCallFail(call, TEXLA_BAD_SHAPE, "the start has %lld entries instead of %lld",
                      (long long)(given_shape.rows * given_shape.cols), (long long)(s.rows * s.cols));
  clStatus status = txOperandHost(call, k, &start);
  if (!status)
    memcpy(x, start, (size_t)(s.rows * s.cols) * sizeof *x);
  return status;
}

/* With conjugate gradients and no preconditioner given, a multigrid cycle where A comes from a grid; without one where that fails. On
 * llvmpipe, Poisson 256 x 256 to 1e-5: 6 iterations in 0.03 s instead of 793 in 0.4 s. */
static clStatus solveSystem(txCall *call, const clTriplets *A, const double *b, double *x, clSystemOptions *options,
                            clSystemReport *report) {
  bool choose = options->solver.method == TEXLA_METHOD_CG && given(call, 4, 0) == 0;
  if (choose) {
    options->solver.preconditioner = TEXLA_PRECONDITIONER_MG;
    clStatus status = clSystemSolve(call->context, A, b, x, options, report);
    if (status == TEXLA_OK)
      return status;
    clSystemReportClear(report);
    *report = (clSystemReport){0};
    options->solver.preconditioner = TEXLA_PRECONDITIONER_NONE;
  }
  return txCallStatus(call, clSystemSolve(call->context, A, b, x, options, report));
}

clStatus txRunIterate(txCall *call) {
  clTriplets *A, *made = NULL;
  double *b, *x, *info;
  clSystemReport report = {0};
  clSystemOptions options = {.refine = true};
  options.solver.method = methodNamed(call->operation->text);
  options.solver.tolerance = given(call, 2, 0);
  options.solver.max_iterations = (int64_t)given(call, 3, 0);
  int preconditioner = (int)given(call, 4, 0);
  if (preconditioner < 0 || preconditioner > TEXLA_PRECONDITIONER_AMG + 1)
    return txCallFail(call, TEXLA_BAD_ARGUMENT, "there is no preconditioner %d", preconditioner);
  options.solver.preconditioner = preconditioner ? (clPreconditioner)(preconditioner - 1) : TEXLA_PRECONDITIONER_NONE;
  clStatus status = tripletsOf(call, &A, &made);
  if (!status)
    status = txOperandHost(call, 1, &b);
  if (!status)
    status = txResultHost(call, 0, &x);
  if (!status && call->results > 1)
    status = txResultHost(call, 1, &info);
  if (!status)
    status = startFrom(call, 5, x);
  if (!status)
    status = solveSystem(call, A, b, x, &options, &report);
  if (status >= 0 && call->results > 1) {
    const double told[4] = {(double)report.reason, report.residual, (double)report.iterations, (double)report.restarts};
    memcpy(info, told, sizeof told);
  }
  if (status == TEXLA_NOT_CONVERGED)
    status = TEXLA_OK; /* the report says so */
  clSystemReportClear(&report);
  clTripletsDestroy(made);
  return status;
}

/* A sparse system: all right-hand sides, to double accuracy or not at all. */
static clStatus solveSparse(txCall *call) {
  double *b, *x;
  int count = (int)call->shape[0].cols;
  clSystemOptions options = {.solver = {.method = TEXLA_METHOD_AUTO}, .refine = true};
  clSystemReport *reports = calloc((size_t)count, sizeof *reports);
  clStatus status = reports ? TEXLA_OK : txCallFail(call, TEXLA_OUT_OF_MEMORY, "no memory for %d reports", count);
  if (!status)
    status = txOperandHost(call, 1, &b);
  if (!status)
    status = txResultHost(call, 0, &x);
  if (!status)
    status = txCallStatus(
        call, clSystemSolveMany(call->context, call->operand[0].value->triplets, count, b, x, &options, reports));
  for (int k = 0; k < count && status == TEXLA_NOT_CONVERGED; k++)
    if (reports[k].reason != TEXLA_REASON_CONVERGED && !(reports[k].residual <= 1e-8))
      status = txCallFail(call, TEXLA_SINGULAR, "column %d of the solution has a residual of %.2g (%s)", k + 1,
                          reports[k].residual, clReasonText(reports[k].reason));
  for (int k = 0; k < count && reports; k++)
    clSystemReportClear(&reports[k]);
  free(reports);
  return status < 0 ? status : TEXLA_OK;
}

clStatus txRunSolve(txCall *call) {
  return isSparse(&call->operand[0]) ? solveSparse(call) : solveDense(call);
}

clStatus txRunInverse(txCall *call) {
  clDense *A, *X;
  clStatus status = txOperandDense(call, 0, &A);
  if (!status)
    status = txResultDense(call, 0, &X);
  return status ? status : txCallStatus(call, clDenseInverse(X, A, NULL));
}

clStatus txRunDeterminant(txCall *call) {
  clDense *A;
  double *out;
  clDeterminant determinant = {.value = 1};
  clStatus status = txResultHost(call, 0, &out);
  if (!status && call->operand[0].shape.rows) {
    status = txOperandDense(call, 0, &A);
    if (!status)
      status = txCallStatus(call, clDenseDeterminant(&determinant, A, NULL));
  }
  if (!status)
    *out = determinant.value;
  return status;
}

clStatus txRunRref(txCall *call) {
  clDense *A, *R;
  double *cols = NULL, *out = NULL;
  int rank = 0, most = (int)call->shape[1].cols;
  if (!most) /* an empty matrix: its rank is 0 */
    return call->results > 2 ? txResultHost(call, 2, &out) : TEXLA_OK;
  clEliminationOptions options = {.tolerance = given(call, 1, 0)};
  int *pivots = malloc((size_t)most * sizeof *pivots);
  clStatus status =
      pivots ? txOperandDense(call, 0, &A) : txCallFail(call, TEXLA_OUT_OF_MEMORY, "no memory for pivots");
  if (!status)
    status = txResultDense(call, 0, &R);
  if (!status)
    status = txCallStatus(call, clDenseRref(R, A, &options, &rank, pivots));
  if (!status && call->results > 1)
    status = txResultHost(call, 1, &cols);
  for (int k = 0; k < rank && cols; k++)
    cols[k] = pivots[k] + 1;
  if (!status && call->results > 2)
    status = txResultHost(call, 2, &out);
  if (out)
    *out = rank;
  free(pivots);
  return status;
}

clStatus txRunLu(txCall *call) {
  clDense *A, *L, *U = NULL;
  clPlu *plu = NULL;
  double *p;
  txShape a = call->operand[0].shape;
  clStatus status = TEXLA_OK;
  if (!txShapeEmpty(a)) {
    status = txOperandDense(call, 0, &A);
    if (!status)
      status = txCallStatus(call, clPluCreate(&plu, call->context, (int)a.rows, (int)a.cols, NULL));
    if (!status)
      status = txCallStatus(call, clPluFactor(plu, A, NULL));
    if (status == TEXLA_RANK_DEFICIENT)
      status = TEXLA_OK; /* P A = L U holds all the same */
    if (!status)
      status = txResultDense(call, 0, &L);
    if (!status && call->results > 1)
      status = txResultDense(call, 1, &U);
    if (!status)
      status = txCallStatus(call, clPluSplit(plu, L, U));
  }
  if (!status && call->results > 2)
    status = txResultHost(call, 2, &p);
  for (int64_t i = 0; i < a.rows && !status && call->results > 2; i++)
    p[i] = plu ? clPluRows(plu)[i] + 1 : (double)(i + 1);
  clPluDestroy(plu);
  return status;
}

clStatus txRunFactor(txCall *call) {
  clDense *A, *F;
  clPlu *plu = NULL;
  double *p;
  txShape a = call->operand[0].shape;
  clStatus status = txOperandDense(call, 0, &A);
  if (!status)
    status = txCallStatus(call, clPluCreate(&plu, call->context, (int)a.rows, (int)a.cols, NULL));
  if (!status)
    status = txCallStatus(call, clPluFactor(plu, A, NULL));
  if (!status)
    status = txResultDense(call, 0, &F);
  if (!status)
    status = txCallStatus(call, clDenseCopy(F, clPluFactors(plu)));
  if (!status && call->results > 1)
    status = txResultHost(call, 1, &p);
  for (int64_t i = 0; i < a.rows && !status && call->results > 1; i++)
    p[i] = clPluRows(plu)[i] + 1;
  clPluDestroy(plu);
  return status;
}
