/* The setup of a system: what callers give is checked; A is looked at, scaled, sent to the device,
 * and given a solver. */
#include "core/allocate.h"
#include "core/numbers.h"
#include "core/parallel.h"
#include "core/try.h"
#include "gl/traits.h"
#include "krylov/cg_multivector.h"
#include "matrix/matrix.h"
#include "multigrid/aggregation.h"
#include "system/grid.h"
#include "system/system.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char call[] = "clSystemSolve";
/* Diagonal entries within this factor of the first one need no residual of their own. */
static const double alike = 16;

/* Up to so many rows an A that is nearly empty is solved; a short file may promise any number. */
enum { PROMISED = 1000000 };

/* Names the vector as well where there are several. */
static clStatus notFinite(clError *error, const char *what, int64_t i, int64_t rows, int count) {
  char column[32] = "";
  if (count > 1)
    snprintf(column, sizeof column, " of column %lld", (long long)(i / rows) + 1);
  return txFail(error, TEXLA_NOT_FINITE, call, "element %lld%s of %s is not finite",
                (long long)(i % rows) + 1, column, what);
}

clStatus txSystemCheckMatrix(const clTriplets *A, clError *error) {
  if (A->rows != A->cols)
    return txFail(error, TEXLA_BAD_SHAPE, call, "A is %d x %d, not square", A->rows, A->cols);
  if (A->rows > PROMISED && A->count < A->rows / 2)
    return txFail(error, TEXLA_SINGULAR, call,
                  "A is %d x %d but has %lld entries: most of its rows are zero, leave these out",
                  A->rows, A->cols, (long long)A->count);
  return TEXLA_OK;
}

clStatus txSystemCheck(clContext *context, const clTriplets *A, int count,
                       const clSystemOptions *o) {
  clError *error = txContextError(context);
  if (!context || !A || count < 1)
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "context, A, b and x must not be NULL, count (%d) at least 1", count);
  TRY(txSystemCheckMatrix(A, error));
  if (!(o->solver.tolerance >= 0) || !(o->solver.tolerance < 1))
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "the tolerance (%g) must be in [0, 1)",
                  o->solver.tolerance);
  if (!(o->roundoff >= 0) || !(o->roundoff <= 0.01))
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "the roundoff (%g) must be in [0, 0.01]",
                  o->roundoff);
  if (o->solver.columns < 0 || o->solver.columns > TX_COLUMNS)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "columns (%d) must be between 0 and %d",
                  o->solver.columns, TX_COLUMNS);
  if (o->solver.near_null_count < 0 || o->solver.near_null_count > TX_NEAR_VECTORS)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "near_null_count (%d) must be between 0 and %d",
                  o->solver.near_null_count, TX_NEAR_VECTORS);
  if (o->solver.shell.apply)
    return txFail(
        error, TEXLA_UNSUPPORTED, call,
        "A is scaled before it is solved: a preconditioner of one's own is for clSolverCreate");
  return TEXLA_OK;
}

typedef struct loop {
  const double *b, *x;
} loop;

enum {
  ODD,
  OTHER,
  /* what is added up: elements that are not finite, start values that are not zero, squares of b */
  SQUARES
};
enum { LANES = 8 };

/* One sweep over both vectors: what is not finite, what is not zero in x, and the squares of b. */
static void countOdd(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const loop *l = user;
  bool other = false;
  double square[LANES] = {0};
  int64_t i = first;
  for (; i + LANES <= last; i += LANES)
    for (int k = 0; k < LANES; k++) {
      sum[ODD] += !isfinite(l->b[i + k]) || !isfinite(l->x[i + k]);
      other |= l->x[i + k] != 0;
      square[k] += l->b[i + k] * l->b[i + k];
    }
  for (; i < last; i++) {
    sum[ODD] += !isfinite(l->b[i]) || !isfinite(l->x[i]);
    other |= l->x[i] != 0;
    square[0] += l->b[i] * l->b[i];
  }
  sum[OTHER] += other;
  for (int k = 0; k < LANES; k++)
    sum[SQUARES] += square[k];
}

/* Only where something is not finite are the vectors looked at element by element. */
clStatus txSystemCheckVectors(txSystem *s, const clTriplets *A, int count, const double *b,
                              const double *x) {
  clContext *context = s->context;
  double odd[TX_SUMS];
  if ((A->rows && (!b || !x)) || count < 1)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call,
                  "context, A, b and x must not be NULL, count (%d) at least 1", count);
  txParallel((int64_t)A->rows * count, countOdd, &(loop){b, x}, odd);
  for (int64_t i = 0; odd[ODD] > 0 && i < (int64_t)A->rows * count; i++)
    if (!isfinite(b[i]) || !isfinite(x[i]))
      return notFinite(txContextError(context), isfinite(b[i]) ? "the start value" : "b", i,
                       A->rows, count);
  /* Only finite numbers are compared: a caller may trap what is not. */
  s->from_zero = odd[OTHER] == 0;
  s->b_norm = -1;
  if (count == 1 && odd[SQUARES] > 1e-200 && odd[SQUARES] < 1e200)
    s->b_norm = sqrt(odd[SQUARES]);
  return TEXLA_OK;
}

bool txSystemMonitor(void *user, int64_t iteration, double residual) {
  txSystem *s = user;
  const clSystemOptions *o = s->options;
  int64_t done = s->done + iteration;
  double relative = hypot(residual * s->factor, s->outside);
  return !o->solver.monitor || o->solver.monitor(o->solver.monitor_user, done, relative);
}

/* The vectors that R A C nearly maps to zero: C^-1 times those of A, ones where none are given;
 * NULL where they are ones all the same. The caller frees *out. */
static clStatus scaleNearNullSpace(double **out, const txSystem *s) {
  const clSolverOptions *o = &s->plan.solver;
  *out = NULL;
  if (!o->near_null_space && s->scale.unit)
    return TEXLA_OK;
  int64_t n = s->A->rows;
  int count = o->near_null_space && o->near_null_count ? o->near_null_count : 1;
  double *near = txAllocate(txContextError(s->context), call, (size_t)(n * count), sizeof *near,
                            "the near null space");
  for (int64_t i = 0; i < n * count && near; i++)
    near[i] = (o->near_null_space ? o->near_null_space[i] : 1) / s->scale.col[i % n];
  *out = near;
  return near ? TEXLA_OK : TEXLA_OUT_OF_MEMORY;
}

/* The solver's part of the setup, in the solver that is there where there is one; what needs A on
 * the host takes it scaled, as the device has it. */
static clStatus setSolver(txSystem *s, const txScaled *scaled, int columns) {
  clSolverOptions o = s->plan.solver;
  bool amg = o.method == TEXLA_METHOD_AMG || o.preconditioner == TEXLA_PRECONDITIONER_AMG;
  double *near = NULL;
  clStatus status = TEXLA_OK;
  if (amg)
    TRY(scaleNearNullSpace(&near, s));
  o.host = &scaled->A;
  o.near_null_space = near;
  o.absolute = 0;
  /* each round has its own */
  o.tolerance = 0.1;
  o.monitor = txSystemMonitor;
  o.monitor_user = s;
  o.columns = columns;
  s->reused = amg && s->solver;
  if (s->solver)
    status = txSolverUpdate(s->solver, s->matrix, &o, &scaled->rows);
  else
    status = txSolverCreate(&s->solver, s->matrix, &o, &scaled->rows, true);
  free(near);
  s->columns = columns;
  return status;
}

/* A right-hand side and a solution for each column of the solver. */
static clStatus createVectors(txSystem *s, int columns) {
  for (int j = 0; j < columns; j++) {
    if (s->device_x[j])
      continue;
    TRY(clMatrixCreateVector(&s->device_x[j], s->matrix, TEXLA_DOMAIN));
    TRY(clMatrixCreateVector(&s->device_b[j], s->matrix, TEXLA_RANGE));
  }
  return TEXLA_OK;
}

static void destroyVectors(txSystem *s, int first) {
  for (int j = first; j < TX_COLUMNS; j++) {
    clVectorDestroy(s->device_x[j]);
    clVectorDestroy(s->device_b[j]);
    s->device_x[j] = s->device_b[j] = NULL;
  }
}

/* As many right-hand sides at once as the method, the device's memory and the options allow and as
 * are fast; a solver that is kept takes as many as it did. */
static clStatus createSolvers(txSystem *s, const txScaled *scaled) {
  const clSolverOptions *o = &s->plan.solver;
  if (s->solver)
    return setSolver(s, scaled, s->columns);
  int columns = txLeast(s->count, TX_COLUMNS);
  bool able = o->method == TEXLA_METHOD_CG && o->preconditioner <= TEXLA_PRECONDITIONER_JACOBI,
       worth = true;
  if (o->columns && o->columns < columns)
    columns = o->columns;
  TRY(createVectors(s, 1));
  if (able && columns > 1) {
    clStatus several = createVectors(s, columns);
    if (!several)
      several = setSolver(s, scaled, columns);
    if (!several)
      several = txManyWorthWhile(s->solver, columns, s->device_x,
                                 (const clVector *const *)s->device_b, &worth);
    if (!several && (worth || o->columns))
      return TEXLA_OK;
    clSolverDestroy(s->solver);
    s->solver = NULL;
    destroyVectors(s, 1);
  }
  return setSolver(s, scaled, 1);
}

static void destroySolver(txSystem *s) {
  clSolverDestroy(s->solver);
  s->solver = NULL;
  s->worn = false;
  s->effort = 0;
  destroyVectors(s, 0);
}

static void destroyMatrix(txSystem *s) {
  clMatrixDestroy(s->matrix);
  s->matrix = NULL;
}

void txSystemReleaseDevice(txSystem *s) {
  destroySolver(s);
  txScalingDestroy(&s->scale);
}

/* The pattern is always A's: a matrix that is there needs only values where it was created with the
 * same options. */
static clStatus fillMatrix(txSystem *s, const txScaled *scaled, const clMatrixOptions *o) {
  const clMatrixOptions *had = &s->matrix_options;
  clStorage storage = clMatrixStorage(s->matrix);
  txLayout layout = {0};
  if (s->matrix)
    layout = s->matrix->row_layout;
  if (had->grid_nx != o->grid_nx || had->grid_ny != o->grid_ny ||
      had->double_float != o->double_float)
    destroyMatrix(s);
  s->matrix_options = *o;
  TRY(txMatrixSetRows(&s->matrix, s->context, &scaled->rows, o));
  /* The solver and its vectors may count on both: couplings that vanish can end a grid. */
  if (clMatrixStorage(s->matrix) != storage || !txLayoutEqual(&s->matrix->row_layout, &layout))
    destroySolver(s);
  return TEXLA_OK;
}

/* A solver for other values may not suit these: then it is made anew, as for a first setup. */
static clStatus createMatrix(txSystem *s, const txScaled *scaled, const clMatrixOptions *o) {
  TRY(fillMatrix(s, scaled, o));
  bool kept = s->solver != NULL;
  clStatus status = createSolvers(s, scaled);
  if (status >= 0 || !kept)
    return status;
  destroySolver(s);
  return createSolvers(s, scaled);
}

/* With the lower parts of A's values where refinement on the device is faster, unless they do not
 * fit. */
static clStatus createAll(txSystem *s, const txScaled *scaled, clMatrixOptions o) {
  const txTraits *traits = txContextTraits(s->context);
  bool asked = o.double_float;
  s->refines_on_device =
      traits->refine_on_device && traits->double_float && o.storage != TEXLA_STORAGE_POINTS;
  o.double_float = asked || s->refines_on_device;
  clStatus status = createMatrix(s, scaled, &o);
  if (status != TEXLA_OUT_OF_MEMORY || asked || !s->refines_on_device)
    return status;
  destroySolver(s);
  destroyMatrix(s);
  s->refines_on_device = o.double_float = false;
  return createMatrix(s, scaled, &o);
}

/* Does single precision take an entry on the diagonal of the scaled matrix for zero? */
static bool losesDiagonal(const clTriplets *A) {
  for (int64_t k = 0; k < A->count; k++)
    if (A->row[k] == A->col[k] && fabs(A->value[k]) < (double)FLT_MIN)
      return true;
  return false;
}

/* Jacobi's preconditioner divides by the diagonal: one that nobody asked for is left out where that
 * is not possible. */
static void leaveOutJacobi(txSystem *s, const txScaled *scaled) {
  clSolverOptions *o = &s->plan.solver;
  if (s->plan.scaling == TX_SCALE_ROWS_COLS && o->preconditioner == TEXLA_PRECONDITIONER_JACOBI &&
      !s->plan.preconditioner_given && losesDiagonal(&scaled->A))
    o->preconditioner = TEXLA_PRECONDITIONER_NONE;
}

clStatus txSystemSetUpDevice(txSystem *s) {
  txScaled scaled = {0};
  clMatrixOptions o = s->options->matrix;
  clError *error = txContextError(s->context);
  if (s->plan.solver.grid_nx || s->plan.solver.grid_ny) {
    o.grid_nx = s->plan.solver.grid_nx;
    o.grid_ny = s->plan.solver.grid_ny;
  }
  TRY(txScalingCreate(&s->scale, &s->rows, s->plan.scaling, error));
  if (!s->solver)
    s->columns = TX_COLUMNS;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txScalingApply(&scaled, &s->scale, s->plan.sign, error));
  bool direct = s->plan.on_host || txIsDirect(s->plan.solver.method);
  if (direct)
    s->columns = TX_DIRECT_COLUMNS;
  if (direct && !s->plan.on_host)
    TRY_CLEANUP(txDirectCreate(&s->direct, s, &scaled.A));
  if (!direct) {
    leaveOutJacobi(s, &scaled);
    TRY_CLEANUP(createAll(s, &scaled, o));
  }
cleanup:
  txScaledDestroy(&scaled);
  return status;
}

/* The plan for A's values. A solver that is there, for values before these, stays if it does what
 * this plan wants and did it well. */
static void keepSolver(txSystem *s) {
  clSolverOptions had = s->plan.solver;
  txPlanMake(&s->plan, &s->facts, s->A->rows, s->options);
  const clSolverOptions *o = &s->plan.solver;
  if (s->worn || o->method != had.method || o->preconditioner != had.preconditioner ||
      o->restart != had.restart)
    destroySolver(s);
}

/* Methods for symmetric matrices that were asked for. */
static clStatus checkSymmetric(const txSystem *s) {
  clMethod method = s->plan.solver.method;
  if (s->facts.symmetric || (method != TEXLA_METHOD_CG && method != TEXLA_METHOD_CHOLESKY))
    return TEXLA_OK;
  if (method == TEXLA_METHOD_CG)
    return txFail(txContextError(s->context), TEXLA_BAD_ARGUMENT, call,
                  "A is not symmetric, but conjugate gradients need a symmetric positive definite "
                  "matrix: take the method auto (--solver auto), bicgstab or gmres");
  return txFail(txContextError(s->context), TEXLA_BAD_ARGUMENT, call,
                "the method cholesky is for symmetric positive definite matrices, but A, %d x %d, "
                "is not symmetric: plu takes it",
                s->A->rows, s->A->cols);
}

/* What a row is measured by: the magnitude of its diagonal entry, the largest one if that is 0. */
static double sizeOfRow(const clTriplets *A, int64_t i, int64_t k, int64_t end) {
  double largest = 0;
  for (; k < end; k++) {
    double v = fabs(A->value[k]);
    if (A->col[k] == i && v > 0)
      return v;
    largest = txLarger(largest, v);
  }
  return largest;
}

typedef struct units {
  const txRows *rows;
  double first, *unit;
} units;
enum { UNLIKE, EMPTY /* rows that are counted */ };

/* Rows whose size is far from the first one's, and rows without entries; their inverses, if there
 * is room for them. */
static void measureRows(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const units *u = user;
  const txRows *rows = u->rows;
  for (txRun run = txRunAt(rows, first, last); run.row < last; run = txRunNext(rows, &run, last))
    for (int64_t i = 0, k = run.entry; i < run.count; i += run.alike, k += run.alike * run.length) {
      double size = sizeOfRow(rows->A, run.row + i, k, k + run.length), unit = 0;
      sum[UNLIKE] += !(size <= alike * u->first && size * alike >= u->first);
      sum[EMPTY] += size == 0;
      if (size > 0 && isfinite(1 / size))
        unit = 1 / size;
      for (int64_t j = 0; u->unit && j < run.alike; j++)
        u->unit[run.row + i + j] = unit;
    }
}

/* D^-1, if residuals with and without it can be far apart. */
static clStatus findUnits(txSystem *s) {
  double sum[TX_SUMS];
  txRun run = txRunAt(&s->rows, 0, 1);
  units u = {.rows = &s->rows, .first = sizeOfRow(s->A, 0, run.entry, run.entry + run.length)};
  txParallel(s->A->rows, measureRows, &u, sum);
  s->zero_rows = sum[EMPTY] > 0;
  if (sum[UNLIKE] == 0 && !s->zero_rows)
    return TEXLA_OK;
  s->unit = u.unit = txAllocate(txContextError(s->context), call, (size_t)s->A->rows,
                                sizeof *s->unit, "the sizes of rows");
  if (!s->unit)
    return TEXLA_OUT_OF_MEMORY;
  txParallel(s->A->rows, measureRows, &u, NULL);
  return TEXLA_OK;
}

clStatus txSystemLookAt(txSystem *s) {
  size_t n = (size_t)s->A->rows;
  if (!s->single)
    s->single = txAllocate(txContextError(s->context), call, n, sizeof *s->single,
                           "vectors of the unknowns");
  if (!s->single)
    return TEXLA_OUT_OF_MEMORY;
  TRY(txRowsFind(&s->rows, s->A, call, txContextError(s->context)));
  TRY(txRowsCheckFinite(&s->rows, call, txContextError(s->context)));
  TRY(txNullSpaceFind(&s->null_space, &s->rows, s->options, txContextError(s->context)));
  TRY(findUnits(s));
  txMatrixLookAt(&s->facts, &s->rows, s->options);
  if (txPlanAsksForGrid(&s->facts, s->A->rows, s->options))
    s->facts.grid = txSystemGrid(s->facts.seen, s->context, &s->rows);
  keepSolver(s);
  return checkSymmetric(s);
}
