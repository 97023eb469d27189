/* Systems: dense ones by factors, sparse ones by iterations, rectangular ones by least squares,
 * many tridiagonal ones at once.
 *
 * What was put in double is solved by clSystemSolve as exactly as double allows, and its verdict is
 * the answer. What the device has computed stays there. */
#include "queue/kernels.h"
#include "texla/least_squares.h"
#include "texla/system.h"
#include "texla/tridiagonal.h"
#include "core/numbers.h"
#include "core/try.h"
#include "system/plan.h"
#include "triangle/host_solve.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Dense systems --------------------------------------------------------------------------- */

/* The roundoff of what was put as doubles, or computed on the device. */
static double roundoffOf(const txCall *call) {
  if (txOperandIsDouble(call, 0))
    return DBL_EPSILON;
  return FLT_EPSILON;
}

/* A matrix that is singular to its own precision is an error or, if operand k says so, a note in
 * Octave's words. */
static clStatus noteSingular(const txCall *call, double rcond, int k) {
  if (txOperandNumber(call, k, 0) == 0)
    return txCallFail(call, TEXLA_SINGULAR, "the matrix is singular, rcond = %.3g", rcond);
  txCallNoteSingular(call, rcond);
  return TEXLA_OK;
}

/* Factors of A in single precision; *regular: its reciprocal condition is larger than `least`. */
static clStatus factorOnDevice(txCall *call, clPlu **plu, double least, bool *regular) {
  clDense *A;
  double rcond = 0;
  int n = (int)call->shape[0].rows;
  TRY(txCallStatus(call, clPluCreate(plu, call->context, n, n, NULL)));
  TRY(txOperandDense(call, 0, &A));
  clStatus status = txCallStatus(call, clPluFactor(*plu, A, NULL));
  if (status == TEXLA_RANK_DEFICIENT || status == TEXLA_NOT_FINITE)
    return TEXLA_OK;
  TRY(status);
  TRY(txCallStatus(call, clPluCondition(*plu, TEXLA_NORM_ONE, &rcond)));
  *regular = rcond > least;
  return TEXLA_OK;
}

/* X <- A^-1 B */
static clStatus solveOnDevice(txCall *call, const clPlu *plu) {
  clDense *B, *X;
  TRY(txOperandDense(call, 1, &B));
  TRY(txResultDense(call, 0, &X));
  return txCallStatus(call, clPluSolve(plu, TEXLA_NO_TRANSPOSE, X, B));
}

/* Has clSystemSolve found the best x of a singular matrix? */
static bool isSingular(const clSystemReport *report) {
  return report->reason == TEXLA_REASON_INCONSISTENT ||
         (report->reason == TEXLA_REASON_SINGULAR && report->rank > 0);
}

/* What it has told of the columns. */
static clStatus judgeColumns(const txCall *call, int count, const clSystemReport *reports) {
  double rcond = INFINITY;
  for (int k = 0; k < count; k++) {
    if (isSingular(&reports[k]))
      rcond = reports[k].rcond;
    else if (!clReasonSolved(reports[k].reason))
      return txCallFail(call, TEXLA_SINGULAR, "column %d has a residual of %.2g: %s", k + 1,
                        reports[k].residual, reports[k].verdict);
  }
  if (rcond < INFINITY)
    return noteSingular(call, rcond, 2);
  return TEXLA_OK;
}

/* To the precision of A, dense or sparse. */
static clStatus solveSystem(txCall *call) {
  double *b, *x;
  int count = (int)call->shape[0].cols;
  clTriplets *A, *made = NULL;
  clSystemOptions options = {
      .solver.method = TEXLA_METHOD_AUTO, .refine = true, .roundoff = roundoffOf(call)};
  clSystemReport *reports = txCallAllocate(call, (size_t)count, sizeof *reports, "reports");
  if (!reports)
    return TEXLA_OUT_OF_MEMORY;
  if (!txOperandIsSparse(call, 0))
    options.solver.method = TEXLA_METHOD_PLU;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txOperandTriplets(call, 0, false, &A, &made));
  TRY_CLEANUP(txOperandHost(call, 1, &b));
  TRY_CLEANUP(txResultHost(call, 0, &x));
  status = txCallStatus(call, clSystemSolveMany(call->context, A, count, b, x, &options, reports));
  if (status >= 0)
    status = judgeColumns(call, count, reports);
cleanup:
  clTripletsDestroy(made);
  for (int k = 0; k < count; k++)
    clSystemReportClear(&reports[k]);
  free(reports);
  return status;
}

/* Rectangular systems by least squares. What is on the device stays there, unless its rounding
 * decides. */
clStatus txRunSolve(txCall *call) {
  txShape a = call->operand[0].shape;
  clPlu *plu = NULL;
  bool regular = false;
  if (a.rows != a.cols)
    return txRunLeastSquares(call);
  if (txOperandIsDouble(call, 0))
    return solveSystem(call);
  clStatus status = factorOnDevice(call, &plu, FLT_EPSILON, &regular);
  if (regular)
    status = solveOnDevice(call, plu);
  clPluDestroy(plu);
  TRY(status);
  if (regular)
    return TEXLA_OK;
  return solveSystem(call);
}

static clStatus invertOnDevice(txCall *call, const clPlu *plu) {
  clDense *X;
  TRY(txResultDense(call, 0, &X));
  return txCallStatus(call, clPluInverse(plu, X));
}

static clStatus invertOnHost(txCall *call) {
  double *a, *x;
  int64_t n = call->shape[0].rows;
  TRY(txOperandHost(call, 0, &a));
  TRY(txResultHost(call, 0, &x));
  txHostSystem host = {.call = call->name, .error = call->error, .rows = n, .cols = n, .A = a};
  TRY(txHostInvert(&host, x));
  if (host.rcond >= roundoffOf(call))
    return TEXLA_OK;
  return noteSingular(call, host.rcond, 1);
}

/* X <- A^-1 in single precision; by way of double if A is badly conditioned. */
clStatus txRunInverse(txCall *call) {
  static const double good = 1e-3;
  clPlu *plu = NULL;
  bool regular = false;
  clStatus status = factorOnDevice(call, &plu, good, &regular);
  if (regular)
    status = invertOnDevice(call, plu);
  clPluDestroy(plu);
  TRY(status);
  if (regular)
    return TEXLA_OK;
  return invertOnHost(call);
}

/* ---- Least squares --------------------------------------------------------------------------- */

/* D <- the roots of the weights, operand 2. */
static clStatus weigh(txCall *call, clLeastSquares *lsq) {
  int64_t rows = call->operand[0].shape.rows;
  double *w, *d = NULL;
  TRY(txOperandHost(call, 2, &w));
  clStatus status = TEXLA_OK;
  d = txCallAllocate(call, (size_t)rows, sizeof *d, "weights");
  if (!d)
    return TEXLA_OUT_OF_MEMORY;
  for (int64_t i = 0; i < rows; i++) {
    d[i] = sqrt(w[i]);
    if (!(w[i] >= 0))
      TRY_CLEANUP(
          txCallFail(call, TEXLA_BAD_ARGUMENT, "weight %lld is %g", (long long)i + 1, w[i]));
  }
  TRY_CLEANUP(txCallStatus(call, clLeastSquaresWeigh(lsq, d)));
cleanup:
  free(d);
  return status;
}

/* All columns; *sure: each is the only solution, and known as exactly as double allows. */
static clStatus fitColumns(txCall *call, clLeastSquares *lsq, const double *b, double *x,
                           bool *sure) {
  txShape a = call->operand[0].shape, s = call->shape[0];
  for (int64_t j = 0; j < s.cols; j++) {
    clLeastSquaresReport report = {0};
    clStatus status = clLeastSquaresSolve(lsq, x + s.rows * j, b + a.rows * j, &report);
    TRY(txCallStatus(call, status));
    *sure = *sure && status == TEXLA_OK && report.rank == txLeast64(a.rows, a.cols);
  }
  return TEXLA_OK;
}

/* A with more rows than columns: min ||D (b - A x)||, D^2 = diag(operand 2). With fewer: the
 * shortest solution. */
static clStatus fit(txCall *call, bool weighted, bool *sure) {
  double *b, *x;
  clTriplets *A, *made = NULL;
  clLeastSquares *lsq = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txOperandTriplets(call, 0, false, &A, &made));
  TRY_CLEANUP(txOperandHost(call, 1, &b));
  TRY_CLEANUP(txResultHost(call, 0, &x));
  TRY_CLEANUP(txCallStatus(call, clLeastSquaresCreate(&lsq, call->context, A, NULL)));
  if (weighted)
    TRY_CLEANUP(weigh(call, lsq));
  TRY_CLEANUP(fitColumns(call, lsq, b, x, sure));
cleanup:
  clLeastSquaresDestroy(lsq);
  clTripletsDestroy(made);
  return status;
}

/* The shortest of all solutions, in double on the host. */
static clStatus fitShortest(txCall *call) {
  double *a, *b, *x;
  TRY(txOperandHost(call, 0, &a));
  TRY(txOperandHost(call, 1, &b));
  /* it has that of the device */
  txValueClear(call->result[0]);
  TRY(txResultHost(call, 0, &x));
  txHostSystem host = {.call = call->name,
                       .error = call->error,
                       .rows = call->operand[0].shape.rows,
                       .cols = call->operand[0].shape.cols,
                       .A = a,
                       .eps = DBL_EPSILON};
  return txHostSolve(&host, call->shape[0].cols, b, x);
}

/* Columns that depend on each other leave some unknowns zero, unless the shortest solution is asked
 * for. */
clStatus txRunLeastSquares(txCall *call) {
  bool weighted = call->operands > 2 && !call->operand[2].is_number, sure = true;
  txShape a = call->operand[0].shape;
  double *x;
  /* Without equations the shortest solution is zero. */
  if (!a.rows)
    return txResultHost(call, 0, &x);
  TRY(fit(call, weighted, &sure));
  if (sure || weighted || (a.rows >= a.cols && txOperandNumber(call, 2, 0) == 0))
    return TEXLA_OK;
  return fitShortest(call);
}

/* ---- Tridiagonal systems --------------------------------------------------------------------- */

/* grid <- the column x for each of the systems. */
static clStatus repeat(txCall *call, clVector *grid, clVector *x) {
  txShape s = call->shape[0];
  txGather g = {.body = "return X(i, 0);", .shape = s, .x = {x}, .size = {{s.rows, 1}}};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txCallStatus(call, clVectorCreate(&g.out, call->context, s.rows * s.cols)));
  TRY_CLEANUP(txGatherRun(call, &g));
  TRY_CLEANUP(txCallStatus(call, clVectorCopy(grid, g.out)));
cleanup:
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
  TRY(txCallStatus(call, clVectorCreateGrid(grid, call->context, (int)s.rows, (int)s.cols)));
  TRY(txOperandVector(call, k, &x));
  *to = *grid;
  if (o->shape.cols == s.cols)
    return txCallStatus(call, clVectorCopy(*grid, x));
  return repeat(call, *grid, x);
}

/* Diagonals that are columns or numbers are spread over the systems where that is needed. */
static clStatus tridiagonalOnDevice(txCall *call, bool periodic) {
  txShape s = call->shape[0];
  clVector *grid[4] = {NULL}, *out;
  const clVector *right = NULL;
  clTridiagonalBands A = {0};
  clTridiagonal *T = NULL;
  float none;
  const clTridiagonalOptions options = {.axis = TEXLA_AXIS_X, .periodic = periodic};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txCallStatus(
      call, clTridiagonalCreate(&T, call->context, (int)s.rows, (int)s.cols, &options)));
  TRY_CLEANUP(band(call, 0, &grid[0], &A.sub, &A.sub_value));
  TRY_CLEANUP(band(call, 1, &grid[1], &A.main, &A.main_value));
  TRY_CLEANUP(band(call, 2, &grid[2], &A.super, &A.super_value));
  TRY_CLEANUP(band(call, 3, &grid[3], &right, &none));
  TRY_CLEANUP(txCallStatus(call, clTridiagonalSolveChecked(T, grid[3], &A, right, NULL, NULL)));
  TRY_CLEANUP(txResultVector(call, 0, &out));
  TRY_CLEANUP(txCallStatus(call, clVectorCopy(out, grid[3])));
cleanup:
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
  *out = room;
  if (o->is_number) {
    for (int64_t i = 0; i < s.rows * s.cols; i++)
      room[i] = o->number;
    return TEXLA_OK;
  }
  TRY(txOperandHost(call, k, &from));
  if (o->shape.cols == s.cols)
    *out = from;
  for (int64_t i = 0; i < s.rows * s.cols && *out == room; i++)
    room[i] = from[i % s.rows];
  return TEXLA_OK;
}

/* To double accuracy. That this was not reached everywhere is no failure. */
static clStatus tridiagonalOnHost(txCall *call, bool periodic) {
  txShape s = call->shape[0];
  int64_t n = s.rows * s.cols;
  double *x, *band[3], *b;
  const clTridiagonalHostOptions options = {.refine = true};
  double *room = txCallAllocate(call, 3 * (size_t)n, sizeof *room, "three diagonals");
  if (!room)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  for (int k = 0; k < 3; k++)
    TRY_CLEANUP(spreadOut(call, k, room + k * n, &band[k]));
  /* The right-hand sides have the result's shape, and need no room. */
  TRY_CLEANUP(txOperandHost(call, 3, &b));
  TRY_CLEANUP(txResultHost(call, 0, &x));
  const clTridiagonalBatch batch = {s.cols, s.rows, periodic, band[0], band[1], band[2], b};
  status =
      txCallStatus(call, clTridiagonalSolveHost(call->context, x, &batch, &options, NULL, NULL));
  if (status > 0)
    status = TEXLA_OK;
cleanup:
  free(room);
  return status;
}

/* Refined where the right-hand side and all diagonals are known in double. */
clStatus txRunTridiagonal(txCall *call) {
  bool periodic = txOperandNumber(call, 4, 0) != 0, to_double = true;
  for (int k = 0; k < 4; k++)
    to_double = to_double && (call->operand[k].is_number || txOperandIsDouble(call, k));
  if (to_double)
    return tridiagonalOnHost(call, periodic);
  return tridiagonalOnDevice(call, periodic);
}

/* ---- Iterations, sparse systems -------------------------------------------------------------- */

/* The table of operations names methods as the command line does. */
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
  TRY(txOperandHost(call, k, &start));
  memcpy(x, start, (size_t)(s.rows * s.cols) * sizeof *x);
  return TEXLA_OK;
}

/* Not to converge is a result here, and told in the second one. */
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
  options.solver.preconditioner = TEXLA_PRECONDITIONER_NONE;
  if (preconditioner)
    options.solver.preconditioner = (clPreconditioner)(preconditioner - 1);
  else if (options.solver.method == TEXLA_METHOD_CG)
    options.solver.preconditioner = (clPreconditioner)TX_PRECONDITIONER_CHOSEN;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txOperandTriplets(call, 0, false, &A, &made));
  TRY_CLEANUP(txOperandHost(call, 1, &b));
  TRY_CLEANUP(txResultHost(call, 0, &x));
  if (call->results > 1)
    TRY_CLEANUP(txResultHost(call, 1, &info));
  TRY_CLEANUP(startFrom(call, 5, x));
  status = txCallStatus(call, clSystemSolve(call->context, A, b, x, &options, &report));
  if (status >= 0 && call->results > 1) {
    const double told[4] = {(double)report.reason, report.residual, (double)report.iterations,
                            (double)report.restarts};
    memcpy(info, told, sizeof told);
  }
  /* The report says that it did not converge. */
  if (status == TEXLA_NOT_CONVERGED)
    status = TEXLA_OK;
cleanup:
  clSystemReportClear(&report);
  clTripletsDestroy(made);
  return status;
}
