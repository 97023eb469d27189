/* Systems: dense ones by factors, sparse ones by iterations, rectangular ones by least squares,
 * many tridiagonal ones at once.
 *
 * What was put in double is solved to double accuracy, by refinement on factors in single
 * precision. Where these cannot tell whether a matrix is singular, or refinement does not
 * converge, the host decides in double (triangle/host_solve.h). */
#include "queue/kernels.h"
#include "texla/least_squares.h"
#include "texla/system.h"
#include "texla/tridiagonal.h"
#include "core/numbers.h"
#include "core/try.h"
#include "triangle/host_solve.h"

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

/* What becomes of a matrix whose reciprocal condition number in the 1-norm is below `eps`: an
 * error, or a note in Octave's words, and its answer. */
typedef struct txSingular {
  double eps;
  bool tolerated;
} txSingular;

static clStatus judgeCondition(const txCall *call, double rcond, txSingular singular) {
  if (rcond >= singular.eps)
    return TEXLA_OK;
  if (!singular.tolerated)
    return txCallFail(call, TEXLA_SINGULAR, "the matrix is singular, rcond = %.3g", rcond);
  txCallNoteSingular(call, rcond);
  return TEXLA_OK;
}

/* X <- A^-1 B in double on the host, the shortest solution where A is singular. */
static clStatus solveInDouble(txCall *call, txSingular singular) {
  double *a, *b, *x;
  txShape s = call->shape[0];
  TRY(txOperandHost(call, 0, &a));
  TRY(txOperandHost(call, 1, &b));
  /* An attempt in single precision may have left its result. */
  txValueClear(call->result[0]);
  TRY(txResultHost(call, 0, &x));
  txHostSystem host = {.call = call->name,
                       .error = call->error,
                       .rows = call->operand[0].shape.rows,
                       .cols = call->operand[0].shape.cols,
                       .A = a,
                       .eps = singular.eps};
  TRY(txHostSolve(&host, s.cols, b, x));
  return judgeCondition(call, host.rcond, singular);
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
  status = clPluRefineMany(plu, TEXLA_NO_TRANSPOSE, A, (int)s.cols, x, b, NULL, NULL);
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
  TRY(txOperandDense(call, 0, &A));
  clStatus status = txCallStatus(call, clPluFactor(plu, A, NULL));
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
  return txCallStatus(call, clPluSolve(plu, TEXLA_NO_TRANSPOSE, X, B));
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
  TRY(status);
  if (reached)
    return TEXLA_OK;
  if (to_double)
    singular.eps = double_eps;
  return solveInDouble(call, singular);
}

/* The inverse in single precision, where A is conditioned well enough for it: *reached. */
static clStatus invertByPlu(txCall *call, clPlu *plu, bool *reached) {
  clDense *A, *X;
  double rcond = 0;
  TRY(txOperandDense(call, 0, &A));
  clStatus status = txCallStatus(call, clPluFactor(plu, A, NULL));
  if (status == TEXLA_RANK_DEFICIENT)
    return TEXLA_OK;
  TRY(status);
  TRY(txCallStatus(call, clPluCondition(plu, TEXLA_NORM_ONE, &rcond)));
  if (!(rcond > 1e-3))
    return TEXLA_OK;
  TRY(txResultDense(call, 0, &X));
  *reached = true;
  return txCallStatus(call, clPluInverse(plu, X));
}

/* X <- A^-1 in single precision; by way of double where A is badly conditioned. */
clStatus txRunInverse(txCall *call) {
  clPlu *plu = NULL;
  int n = (int)call->shape[0].rows;
  bool reached = false;
  double *a, *x;
  txSingular singular = {single_eps, txOperandNumber(call, 1, 0) != 0};
  TRY(txCallStatus(call, clPluCreate(&plu, call->context, n, n, NULL)));
  clStatus status = invertByPlu(call, plu, &reached);
  clPluDestroy(plu);
  TRY(status);
  if (reached)
    return TEXLA_OK;
  if (txOperandIsDouble(call, 0))
    singular.eps = double_eps;
  TRY(txOperandHost(call, 0, &a));
  TRY(txResultHost(call, 0, &x));
  txHostSystem host = {.call = call->name, .error = call->error, .rows = n, .cols = n, .A = a};
  TRY(txHostInvert(&host, x));
  return judgeCondition(call, host.rcond, singular);
}

/* ---- Least squares --------------------------------------------------------------------------- */

/* The residual of a least squares problem is no measure of success; its last correction is. */
static clStatus judged(txCall *call, clStatus status, const clLeastSquaresReport *report,
                       int64_t column) {
  if (status < 0)
    return txCallStatus(call, status);
  if (status != TEXLA_NOT_CONVERGED || report->error_estimate < 1e-8)
    return TEXLA_OK;
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
  clStatus status = TEXLA_OK;
  if (!y)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  TRY_CLEANUP(judged(call, clLeastSquaresSolveNormal(lsq, y, b, &report), &report, column));
  if (report.rank < A->rows)
    TRY_CLEANUP(txCallFail(call, TEXLA_SINGULAR, "the rows depend on each other: rank %d of %d",
                           report.rank, (int)A->rows));
  TRY_CLEANUP(txCallStatus(call, clTripletsTranspose(&turned, A, call->error)));
  clTripletsMulVector(x, turned, y);
cleanup:
  clTripletsDestroy(turned);
  free(y);
  return status;
}

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

/* x <- what comes closest to b. Where the number operand 2 asks for the shortest of several
 * solutions, columns that depend on each other are an error, which leads to it. */
static clStatus fitColumn(txCall *call, clLeastSquares *lsq, const double *b, double *x,
                          int64_t column) {
  clLeastSquaresReport report = {0};
  int64_t cols = call->operand[0].shape.cols;
  TRY(judged(call, clLeastSquaresSolve(lsq, x, b, &report), &report, column));
  if (report.rank < cols && txOperandNumber(call, 2, 0) != 0)
    return txCallFail(call, TEXLA_SINGULAR, "the columns depend on each other: rank %d of %lld",
                      report.rank, (long long)cols);
  return TEXLA_OK;
}

/* A with more rows than columns: min ||D (b - A x)||, D^2 = diag(operand 2). With fewer: the
 * shortest solution. */
static clStatus leastSquares(txCall *call) {
  txShape a = call->operand[0].shape, s = call->shape[0];
  bool wide = a.rows < a.cols;
  double *b, *x;
  clTriplets *A, *made = NULL, *turned = NULL;
  clLeastSquares *lsq = NULL;
  clStatus status = TEXLA_OK;
  /* Without equations the shortest solution is zero. */
  if (!a.rows)
    return txResultHost(call, 0, &x);
  TRY_CLEANUP(txOperandTriplets(call, 0, false, &A, &made));
  if (wide)
    TRY_CLEANUP(txCallStatus(call, clTripletsTranspose(&turned, A, call->error)));
  TRY_CLEANUP(txOperandHost(call, 1, &b));
  TRY_CLEANUP(txResultHost(call, 0, &x));
  const clTriplets *tall = wide ? turned : A;
  TRY_CLEANUP(txCallStatus(call, clLeastSquaresCreate(&lsq, call->context, tall, NULL)));
  if (call->operands > 2 && !call->operand[2].is_number)
    TRY_CLEANUP(weigh(call, lsq));
  for (int64_t j = 0; j < s.cols; j++) {
    double *to = x + s.rows * j;
    const double *from = b + a.rows * j;
    if (wide)
      TRY_CLEANUP(shortest(call, lsq, A, from, to, j));
    else
      TRY_CLEANUP(fitColumn(call, lsq, from, to, j));
  }
cleanup:
  clLeastSquaresDestroy(lsq);
  clTripletsDestroy(turned);
  clTripletsDestroy(made);
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
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txOperandTriplets(call, 0, false, &A, &made));
  TRY_CLEANUP(txOperandHost(call, 1, &b));
  TRY_CLEANUP(txResultHost(call, 0, &x));
  if (call->results > 1)
    TRY_CLEANUP(txResultHost(call, 1, &info));
  TRY_CLEANUP(startFrom(call, 5, x));
  status = solveSystem(call, A, b, x, &options, &report);
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

/* A column that did not converge may still be good enough. */
static clStatus judgeColumns(const txCall *call, int count, const clSystemReport *reports) {
  for (int k = 0; k < count; k++)
    if (reports[k].reason != TEXLA_REASON_CONVERGED && !(reports[k].residual <= 1e-8))
      return txCallFail(call, TEXLA_SINGULAR,
                        "column %d of the solution has a residual of %.2g (%s)", k + 1,
                        reports[k].residual, clReasonText(reports[k].reason));
  return TEXLA_OK;
}

/* r <- b - A x; true where that is rounding, at most 2 eps (||A|| ||x|| + ||b||) in the largest
 * norm. */
static bool residualOf(const clTriplets *A, const double *b, const double *x, double *r,
                       double *size) {
  double largest = 0, bound = 0;
  clTripletsMulVector(r, A, x);
  for (int32_t i = 0; i < A->rows; i++) {
    r[i] = b[i] - r[i];
    largest = fmax(largest, fabs(b[i]));
    *size = fmax(*size, fabs(r[i]));
  }
  for (int64_t k = 0; k < A->count; k++)
    bound = fmax(bound, fabs(A->value[k] * x[A->col[k]]));
  return *size <= 2 * DBL_EPSILON * fmax(bound, largest);
}

/* Corrections of a column, each a solution for the residual, while they halve it. */
static clStatus correctColumn(txCall *call, clSystem *system, const clTriplets *A, const double *b,
                              double *x) {
  size_t n = (size_t)A->rows;
  double *room = txCallAllocate(call, 3 * n + 1, sizeof *room, "a residual"), size = 0, next = 0;
  double *r = room, *d = room + n, *y = room + 2 * n;
  if (!room)
    return TEXLA_OUT_OF_MEMORY;
  bool done = residualOf(A, b, x, r, &size);
  for (int round = 0; round < 3 && !done; round++, size = next) {
    memset(d, 0, n * sizeof *d);
    done = clSystemSolveWith(system, 1, r, d, NULL) < 0;
    for (size_t i = 0; i < n; i++)
      y[i] = x[i] + d[i];
    next = 0;
    done = residualOf(A, b, y, r, &next) || done || !(next < size / 2);
    if (next < size)
      memcpy(x, y, n * sizeof *x);
  }
  free(room);
  return TEXLA_OK;
}

/* A sparse system: all right-hand sides, to double accuracy or not at all. Eight digits and
 * corrections with the same system give what Gauss's elimination in double would. */
static clStatus solveSparse(txCall *call) {
  double *b, *x;
  int count = (int)call->shape[0].cols;
  const clTriplets *A = call->operand[0].value->triplets;
  clSystemOptions options = {.solver = {.method = TEXLA_METHOD_AUTO, .tolerance = 1e-8},
                             .refine = true};
  clSystem *system = NULL;
  clSystemReport *reports = txCallAllocate(call, (size_t)count, sizeof *reports, "reports");
  if (!reports)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txOperandHost(call, 1, &b));
  TRY_CLEANUP(txResultHost(call, 0, &x));
  TRY_CLEANUP(txCallStatus(call, clSystemCreate(&system, call->context, A, count, &options)));
  status = txCallStatus(call, clSystemSolveWith(system, count, b, x, reports));
  if (status == TEXLA_NOT_CONVERGED)
    TRY_CLEANUP(judgeColumns(call, count, reports));
  TRY_CLEANUP(txLeast(status, TEXLA_OK));
  for (int k = 0; k < count; k++)
    TRY_CLEANUP(correctColumn(call, system, A, b + (int64_t)A->rows * k, x + (int64_t)A->rows * k));
cleanup:
  clSystemDestroy(system);
  for (int k = 0; k < count; k++)
    clSystemReportClear(&reports[k]);
  free(reports);
  return status;
}

/* Rectangular systems by least squares, sparse ones by what clSystemSolve finds. Where that
 * gives up on a small one, double decides as it does of a dense one: it may be singular. */
clStatus txRunSolve(txCall *call) {
  enum { SMALL = 1000 };
  txShape a = call->operand[0].shape;
  if (a.rows != a.cols)
    return txRunLeastSquares(call);
  if (!txOperandIsSparse(call, 0))
    return solveDense(call);
  clStatus status = solveSparse(call);
  if (status != TEXLA_SINGULAR || a.rows > SMALL)
    return status;
  return solveInDouble(call, (txSingular){double_eps, txOperandNumber(call, 2, 0) != 0});
}
