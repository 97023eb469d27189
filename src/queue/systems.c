/* Systems: dense ones by factors, sparse ones by iterations, rectangular ones by least squares,
 * many tridiagonal ones at once. */
#include "queue/kernels.h"
#include "texla/least_squares.h"
#include "texla/system.h"
#include "texla/tridiagonal.h"
#include "core/try.h"
#include "queue/double_systems.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Dense systems --------------------------------------------------------------------------- */

/* Below this, an estimate in single precision, refinement is not trusted: errors of the factors are
 * then no longer small against 1. */
static const double trusted = 1e-5;
/* What Octave takes for singular: the machine epsilon of the class. */
static const double double_eps = DBL_EPSILON, single_eps = FLT_EPSILON;

/* X <- A^-1 B in double on the host, the shortest solution where A is singular. */
static clStatus solveInDouble(txCall *call, txSingular singular) {
  double *a, *b, *x;
  txShape s = call->shape[0];
  TRY(txOperandHost(call, 0, &a));
  TRY(txOperandHost(call, 1, &b));
  /* what was tried before */
  txValueClear(call->result[0]);
  TRY(txResultHost(call, 0, &x));
  return txDoubleSolve(call, call->operand[0].shape, a, s.cols, b, x, singular);
}

/* All right-hand sides to the accuracy of A's doubles. *reached: they are. */
static clStatus refine(txCall *call, const clPlu *plu, bool *reached) {
  txShape s = call->shape[0];
  double *b, *x;
  clTriplets *A, *made = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txOperandHost(call, 1, &b));
  TRY_CLEANUP(txResultHost(call, 0, &x));
  TRY_CLEANUP(txOperandTriplets(call, 0, true, &A, &made));
  status = clPluRefineMany(plu, TEXLA_DENSE_NORMAL, A, (int)s.cols, x, b, NULL, NULL);
  *reached = status == TEXLA_OK;
  if (status == TEXLA_SINGULAR || status == TEXLA_NOT_CONVERGED)
    status = TEXLA_OK;
  status = txCallStatus(call, status);
cleanup:
  clTripletsDestroy(made);
  return status;
}

/* Single precision where that will do: *reached. */
static clStatus solveByPlu(txCall *call, clPlu *plu, bool to_double, bool *reached) {
  clDense *A, *B, *X;
  double rcond = 0;
  clStatus status = txOperandDense(call, 0, &A);
  if (!status)
    status = txCallStatus(call, clPluFactor(plu, A, NULL));
  if (status == TEXLA_RANK_DEFICIENT || status == TEXLA_NOT_FINITE)
    return TEXLA_OK;
  TRY(status);
  TRY(txCallStatus(call, clPluCondition(plu, TEXLA_NORM_ONE, &rcond)));
  if (to_double && rcond > trusted)
    return refine(call, plu, reached);
  if (to_double || !(rcond > single_eps))
    return TEXLA_OK;
  TRY(txOperandDense(call, 1, &B));
  TRY(txResultDense(call, 0, &X));
  *reached = true;
  return txCallStatus(call, clPluSolve(plu, TEXLA_DENSE_NORMAL, X, B));
}

/* To the precision of A. Where single precision cannot tell, double decides. */
static clStatus solveDense(txCall *call) {
  clPlu *plu = NULL;
  bool to_double = txOperandIsDouble(call, 0), reached = false;
  txSingular singular = {single_eps, txOperandNumber(call, 2, 0) != 0};
  int n = (int)call->shape[0].rows;
  TRY(txCallStatus(call, clPluCreate(&plu, call->context, n, n, NULL)));
  clStatus status = solveByPlu(call, plu, to_double, &reached);
  clPluDestroy(plu);
  if (status || reached)
    return status;
  if (to_double)
    singular.eps = double_eps;
  return solveInDouble(call, singular);
}

/* X <- A^-1 in single precision; by way of double where A is badly conditioned. */
clStatus txRunInverse(txCall *call) {
  clDense *A, *X;
  clPlu *plu = NULL;
  int n = (int)call->shape[0].rows;
  double rcond = 0, *a, *x;
  txSingular singular = {single_eps, txOperandNumber(call, 1, 0) != 0};
  TRY(txOperandDense(call, 0, &A));
  TRY(txCallStatus(call, clPluCreate(&plu, call->context, n, n, NULL)));
  clStatus status = txCallStatus(call, clPluFactor(plu, A, NULL));
  if (!status)
    status = txCallStatus(call, clPluCondition(plu, TEXLA_NORM_ONE, &rcond));
  if (!status && rcond > 1e-3) {
    status = txResultDense(call, 0, &X);
    if (!status)
      status = txCallStatus(call, clPluInverse(plu, X));
    goto cleanup;
  }
  if (status == TEXLA_RANK_DEFICIENT)
    status = TEXLA_OK;
  TRY_CLEANUP(status);
  if (txOperandIsDouble(call, 0))
    singular.eps = double_eps;
  TRY_CLEANUP(txOperandHost(call, 0, &a));
  TRY_CLEANUP(txResultHost(call, 0, &x));
  TRY_CLEANUP(txDoubleInverse(call, n, a, x, singular));
cleanup:
  clPluDestroy(plu);
  return status;
}

/* ---- Least squares --------------------------------------------------------------------------- */

/* The residual of a least squares problem is no measure of success; its last correction is. */
static clStatus judged(txCall *call, clStatus status, const clLeastSquaresReport *report,
                       int64_t column) {
  if (status != TEXLA_NOT_CONVERGED || report->error_estimate < 1e-8)
    return txCallStatus(call, status < 0 ? status : TEXLA_OK);
  return txCallFail(call, TEXLA_SINGULAR, "column %lld of the solution is only known to %.2g (%s)",
                    (long long)column + 1, report->error_estimate, clReasonText(report->reason));
}

/* x <- A^T (A A^T)^-1 b, the shortest one of the solutions of A x = b; B = A^T. */
static clStatus shortest(txCall *call, clLeastSquares *lsq, const clTriplets *A, const double *b,
                         double *x, int64_t column) {
  clLeastSquaresReport report = {0};
  clTriplets *turned = NULL;
  double *y =
      txCallAllocate(call, (size_t)A->rows, sizeof *y, "the unknowns of the normal equations");
  clStatus status = y ? TEXLA_OK : TEXLA_OUT_OF_MEMORY;
  if (!status)
    status = judged(call, clLeastSquaresSolveNormal(lsq, y, b, &report), &report, column);
  if (!status && report.rank < A->rows)
    status = txCallFail(call, TEXLA_SINGULAR, "the rows depend on each other: rank %d of %d",
                        report.rank, (int)A->rows);
  if (!status)
    status = txCallStatus(call, clTripletsTranspose(&turned, A, call->error));
  if (!status)
    clTripletsMulVector(x, turned, y);
  clTripletsDestroy(turned);
  free(y);
  return status;
}

/* A with more rows than columns: min ||D (b - A x)||, D^2 = diag(operand 2). With fewer: the
 * shortest solution. */
static clStatus leastSquares(txCall *call) {
  txShape a = call->operand[0].shape, s = call->shape[0];
  bool wide = a.rows < a.cols;
  double *b, *x, *w = NULL, *d = NULL;
  clTriplets *A, *made = NULL, *turned = NULL;
  clLeastSquares *lsq = NULL;
  clStatus status = txOperandTriplets(call, 0, false, &A, &made);
  if (!status && wide)
    status = txCallStatus(call, clTripletsTranspose(&turned, A, call->error));
  if (!status)
    status = txOperandHost(call, 1, &b);
  if (!status && call->operands > 2 && !call->operand[2].is_number)
    status = txOperandHost(call, 2, &w);
  if (!status)
    status = txResultHost(call, 0, &x);
  if (!status)
    status = txCallStatus(call, clLeastSquaresCreate(&lsq, call->context, wide ? turned : A, NULL));
  if (!status && w && !(d = txCallAllocate(call, (size_t)a.rows, sizeof *d, "weights")))
    status = TEXLA_OUT_OF_MEMORY;
  for (int64_t i = 0; i < a.rows && !status && w; i++) {
    d[i] = sqrt(w[i]);
    if (!(w[i] >= 0))
      status = txCallFail(call, TEXLA_BAD_ARGUMENT, "weight %lld is %g", (long long)i + 1, w[i]);
  }
  if (!status && w)
    status = txCallStatus(call, clLeastSquaresWeigh(lsq, d));
  for (int64_t j = 0; j < s.cols && !status; j++) {
    clLeastSquaresReport report = {0};
    double *to = x + s.rows * j;
    const double *from = b + a.rows * j;
    status = wide ? shortest(call, lsq, A, from, to, j)
                  : judged(call, clLeastSquaresSolve(lsq, to, from, &report), &report, j);
    bool dependent = !wide && !status && report.rank < a.cols;
    if (dependent && txOperandNumber(call, 2, 0) != 0)
      status = txCallFail(call, TEXLA_SINGULAR, "the columns depend on each other: rank %d of %lld",
                          report.rank, (long long)a.cols);
  }
  clLeastSquaresDestroy(lsq);
  clTripletsDestroy(turned);
  clTripletsDestroy(made);
  free(d);
  return status;
}

/* Where rows or columns depend on each other and that is tolerated: the shortest of all solutions,
 * in double. */
clStatus txRunLeastSquares(txCall *call) {
  clStatus status = leastSquares(call);
  bool weighted = call->operands > 2 && !call->operand[2].is_number;
  if (status != TEXLA_SINGULAR || weighted || txOperandNumber(call, 2, 0) == 0)
    return status;
  return solveInDouble(call, (txSingular){double_eps, true});
}

/* ---- Tridiagonal systems --------------------------------------------------------------------- */

/* grid <- the column x for each of the systems. */
static clStatus repeat(txCall *call, clVector *grid, clVector *x) {
  txShape s = call->shape[0];
  txGather g = {.body = "return X(i, 0);", .shape = s, .x = {x}, .size = {{s.rows, 1}}};
  clStatus status = txCallStatus(call, clVectorCreate(&g.out, call->context, s.rows * s.cols));
  if (!status)
    status = txGatherRun(call, &g);
  if (!status)
    status = txCallStatus(call, clVectorCopy(grid, g.out));
  clVectorDestroy(g.out);
  return status;
}

/* Diagonal k as the grid of the batch, or as a number. */
static clStatus band(txCall *call, int k, clVector **grid, const clVector **to, float *number) {
  const txOperand *o = &call->operand[k];
  txShape s = call->shape[0];
  clVector *x;
  *number = (float)o->number;
  if (o->is_number)
    return TEXLA_OK;
  clStatus status =
      txCallStatus(call, clVectorCreateGrid(grid, call->context, (int)s.rows, (int)s.cols));
  if (!status)
    status = txOperandVector(call, k, &x);
  if (!status)
    status = o->shape.cols == s.cols ? txCallStatus(call, clVectorCopy(*grid, x))
                                     : repeat(call, *grid, x);
  *to = *grid;
  return status;
}

static clStatus tridiagonalOnDevice(txCall *call, bool periodic) {
  txShape s = call->shape[0];
  clVector *grid[4] = {NULL}, *out;
  const clVector *right = NULL;
  clTridiagonalBands A = {0};
  clTridiagonal *T = NULL;
  float none;
  const clTridiagonalOptions options = {.axis = TEXLA_AXIS_X, .periodic = periodic};
  clStatus status = txCallStatus(
      call, clTridiagonalCreate(&T, call->context, (int)s.rows, (int)s.cols, &options));
  if (!status)
    status = band(call, 0, &grid[0], &A.sub, &A.sub_value);
  if (!status)
    status = band(call, 1, &grid[1], &A.main, &A.main_value);
  if (!status)
    status = band(call, 2, &grid[2], &A.super, &A.super_value);
  if (!status)
    status = band(call, 3, &grid[3], &right, &none);
  if (!status)
    status = txCallStatus(call, clTridiagonalSolveChecked(T, grid[3], &A, right, NULL, NULL));
  if (!status)
    status = txResultVector(call, 0, &out);
  if (!status)
    status = txCallStatus(call, clVectorCopy(out, grid[3]));
  for (int k = 0; k < 4; k++)
    clVectorDestroy(grid[k]);
  clTridiagonalDestroy(T);
  return status;
}

/* Operand k as doubles for all systems: in its own memory, or numbers and columns repeated in
 * `room`. */
static clStatus spreadOut(txCall *call, int k, double *room, double **out) {
  const txOperand *o = &call->operand[k];
  txShape s = call->shape[0];
  double *from;
  clStatus status = o->is_number ? TEXLA_OK : txOperandHost(call, k, &from);
  if (status || (!o->is_number && o->shape.cols == s.cols)) {
    *out = from;
    return status;
  }
  for (int64_t i = 0; i < s.rows * s.cols; i++)
    room[i] = o->is_number ? o->number : from[i % s.rows];
  *out = room;
  return TEXLA_OK;
}

/* To double accuracy. */
static clStatus tridiagonalOnHost(txCall *call, bool periodic) {
  txShape s = call->shape[0];
  int64_t n = s.rows * s.cols;
  double *x, *from[4], *room = txCallAllocate(call, 3 * (size_t)n, sizeof *room, "three diagonals");
  clStatus status = room ? TEXLA_OK : TEXLA_OUT_OF_MEMORY;
  for (int k = 0; k < 4 && !status; k++)
    status = spreadOut(call, k, room ? room + (k < 3 ? k : 0) * n : NULL, &from[k]);
  if (!status)
    status = txResultHost(call, 0, &x);
  if (!status) {
    const clTridiagonalBatch batch = {s.cols, s.rows, periodic, from[0], from[1], from[2], from[3]};
    const clTridiagonalHostOptions options = {.refine = true};
    status =
        txCallStatus(call, clTridiagonalSolveHost(call->context, x, &batch, &options, NULL, NULL));
  }
  free(room);
  return status < 0 ? status : TEXLA_OK;
}

/* Refined where the right-hand side and all diagonals are known in double. */
clStatus txRunTridiagonal(txCall *call) {
  bool periodic = txOperandNumber(call, 4, 0) != 0, to_double = true;
  for (int k = 0; k < 4; k++)
    to_double = to_double && (call->operand[k].is_number || txOperandIsDouble(call, k));
  return to_double ? tridiagonalOnHost(call, periodic) : tridiagonalOnDevice(call, periodic);
}

/* ---- Iterations, sparse systems -------------------------------------------------------------- */

static clMethod methodNamed(const char *name) {
  static const clMethod methods[] = {
#define METHOD(method, ...) method,
      TEXLA_METHOD_LIST(METHOD)};
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
    if (!strcmp(clMethodName(methods[k]), name))
      return methods[k];
  return TEXLA_METHOD_AUTO;
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
                      (long long)given_shape.rows * given_shape.cols, (long long)s.rows * s.cols);
  clStatus status = txOperandHost(call, k, &start);
  if (!status)
    memcpy(x, start, (size_t)(s.rows * s.cols) * sizeof *x);
  return status;
}

/* With conjugate gradients and no preconditioner given, a multigrid cycle where A comes from a
 * grid; without one where that fails. On llvmpipe, Poisson 256 x 256 to 1e-5: 6 iterations in 0.03
 * s instead of 793 in 0.4 s. */
static clStatus solveSystem(txCall *call, const clTriplets *A, const double *b, double *x,
                            clSystemOptions *options, clSystemReport *report) {
  bool choose = options->solver.method == TEXLA_METHOD_CG && txOperandNumber(call, 4, 0) == 0;
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
  options.solver.tolerance = txOperandNumber(call, 2, 0);
  options.solver.max_iterations = (int64_t)txOperandNumber(call, 3, 0);
  int preconditioner = (int)txOperandNumber(call, 4, 0);
  if (preconditioner < 0 || preconditioner > TEXLA_PRECONDITIONER_AMG + 1)
    return txCallFail(call, TEXLA_BAD_ARGUMENT, "there is no preconditioner %d", preconditioner);
  options.solver.preconditioner =
      preconditioner ? (clPreconditioner)(preconditioner - 1) : TEXLA_PRECONDITIONER_NONE;
  clStatus status = txOperandTriplets(call, 0, false, &A, &made);
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
    const double told[4] = {(double)report.reason, report.residual, (double)report.iterations,
                            (double)report.restarts};
    memcpy(info, told, sizeof told);
  }
  /* the report says so */
  if (status == TEXLA_NOT_CONVERGED)
    status = TEXLA_OK;
  clSystemReportClear(&report);
  clTripletsDestroy(made);
  return status;
}

/* A sparse system: all right-hand sides, to double accuracy or not at all. */
static clStatus solveSparse(txCall *call) {
  double *b, *x;
  int count = (int)call->shape[0].cols;
  clSystemOptions options = {.solver = {.method = TEXLA_METHOD_AUTO}, .refine = true};
  clSystemReport *reports = txCallAllocate(call, (size_t)count, sizeof *reports, "reports");
  clStatus status = reports ? TEXLA_OK : TEXLA_OUT_OF_MEMORY;
  if (!status)
    status = txOperandHost(call, 1, &b);
  if (!status)
    status = txResultHost(call, 0, &x);
  if (!status)
    status = txCallStatus(call, clSystemSolveMany(call->context, call->operand[0].value->triplets,
                                                  count, b, x, &options, reports));
  for (int k = 0; k < count && status == TEXLA_NOT_CONVERGED; k++)
    if (reports[k].reason != TEXLA_REASON_CONVERGED && !(reports[k].residual <= 1e-8))
      status =
          txCallFail(call, TEXLA_SINGULAR, "column %d of the solution has a residual of %.2g (%s)",
                     k + 1, reports[k].residual, clReasonText(reports[k].reason));
  for (int k = 0; k < count && reports; k++)
    clSystemReportClear(&reports[k]);
  free(reports);
  return status < 0 ? status : TEXLA_OK;
}

clStatus txRunSolve(txCall *call) {
  txShape a = call->operand[0].shape;
  if (a.rows != a.cols)
    return txRunLeastSquares(call);
  return txOperandIsSparse(call, 0) ? solveSparse(call) : solveDense(call);
}
