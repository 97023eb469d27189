#include "system/null_space.h"
#include "core/allocate.h"
#include "core/try.h"
#include "elimination/host_lower.h"
#include "system/refine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char call[] = "clSystemSolve";
/* What counts as zero of sums of A's entries, relative to the largest. */
static const double zero_sum = 1e-10;

static double *vectors(clError *error, int64_t n) {
  return txAllocate(error, call, (size_t)n, sizeof(double), "the null space of A");
}

static double largestOf(const clTriplets *A) {
  double largest = 0;
  for (int64_t k = 0; k < A->count; k++)
    largest = fmax(largest, fabs(A->value[k]));
  return largest;
}

/* v <- (I - V V^T) v with the first `count` vectors; twice, as once may not be enough. */
static void project(const txNullSpace *space, int count, double *v) {
  for (int k = 0; k < 2 * count; k++) {
    const double *q = space->v + (int64_t)(k % count) * space->n;
    double h = txHostDot(q, v, space->n);
    for (int32_t i = 0; i < space->n; i++)
      v[i] -= h * q[i];
  }
}

/* y <- A^T x */
static void multiplyTransposed(double *y, const clTriplets *A, const double *x) {
  memset(y, 0, (size_t)A->cols * sizeof *y);
  for (int64_t k = 0; k < A->count; k++)
    y[A->col[k]] += A->value[k] * x[A->row[k]];
}

/* The largest magnitude of A v and A^T v, relative to A's and v's. */
static double sizeOfProducts(const clTriplets *A, const double *v, double *work) {
  double largest = 0, of_v = 0;
  for (int32_t i = 0; i < A->rows; i++)
    of_v = fmax(of_v, fabs(v[i]));
  clTripletsMulVector(work, A, v);
  for (int32_t i = 0; i < A->rows; i++)
    largest = fmax(largest, fabs(work[i]));
  multiplyTransposed(work, A, v);
  for (int32_t i = 0; i < A->rows; i++)
    largest = fmax(largest, fabs(work[i]));
  return largest / fmax(of_v * largestOf(A), 1e-300);
}

/* The vector orthogonal to those before it, if A maps it to zero to working precision. */
static clStatus addGiven(txNullSpace *space, const clTriplets *A, const double *given, int k,
                         double *work, clError *error) {
  /* a given vector may be rounded to single precision */
  const double largest_product = 1e-6;
  double *v = space->v + (int64_t)k * space->n, length = txNorm(given, space->n);
  if (!isfinite(length) || length == 0)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "column %d of null_space is zero or not finite",
                  k + 1);
  double size = sizeOfProducts(A, given, work);
  if (size > largest_product)
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "column %d of null_space does not belong to it: A or A^T maps it to %.3g of the "
                  "largest magnitude",
                  k + 1, size);
  for (int32_t i = 0; i < space->n; i++)
    v[i] = given[i] / length;
  project(space, k, v);
  length = txNorm(v, space->n);
  if (length < 1e-8)
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "column %d of null_space depends on those before it", k + 1);
  for (int32_t i = 0; i < space->n; i++)
    v[i] /= length;
  space->count = k + 1;
  return TEXLA_OK;
}

/* Nearly always a row shows that they do not. */
bool txRowsSumToZero(const clTriplets *A, double *largest) {
  double sum = 0, size = 0;
  *largest = 0;
  for (int64_t k = 0; k < A->count; k++) {
    sum += A->value[k];
    size += fabs(A->value[k]);
    if (k + 1 < A->count && A->row[k + 1] == A->row[k])
      continue;
    if (fabs(sum) > zero_sum * size)
      return false;
    *largest = fmax(*largest, size);
    sum = size = 0;
  }
  return *largest > 0;
}

static bool columnsSumToZero(const clTriplets *A, double largest, double *work) {
  double worst = 0;
  memset(work, 0, (size_t)A->cols * sizeof *work);
  for (int64_t k = 0; k < A->count; k++)
    work[A->col[k]] += A->value[k];
  for (int32_t j = 0; j < A->cols; j++)
    worst = fmax(worst, fabs(work[j]));
  return worst <= zero_sum * largest;
}

/* The vector of ones, which Poisson's equation without walls that hold a value has. */
static clStatus addConstant(txNullSpace *space, const txRows *rows, double *work) {
  double largest;
  if (!txRowsSumToZero(rows->A, &largest) || !columnsSumToZero(rows->A, largest, work))
    return TEXLA_OK;
  for (int32_t i = 0; i < space->n; i++)
    space->v[i] = 1 / sqrt(space->n);
  space->count = 1;
  return TEXLA_OK;
}

/* Without a given null space only that of the ones is looked for, and only where the rows sum to
 * zero. */
clStatus txNullSpaceFind(txNullSpace *out, const txRows *rows, const clSystemOptions *options,
                         clError *error) {
  const clTriplets *A = rows->A;
  int given = 0;
  double largest;
  if (options->null_space && options->null_count)
    given = options->null_count;
  else if (options->null_space)
    given = 1;
  *out = (txNullSpace){.n = A->rows};
  if (given < 0 || given > TX_NULL_VECTORS || (options->null_count && !options->null_space))
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "null_count (%d) must be between 0 and %d, and null_space not NULL",
                  options->null_count, TX_NULL_VECTORS);
  if (!given && !txRowsSumToZero(rows->A, &largest))
    return TEXLA_OK;
  double *work = vectors(error, A->rows);
  out->v = vectors(error, (int64_t)A->rows * (given ? given : 1));
  clStatus status = TEXLA_OK;
  if (!work || !out->v)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  for (int k = 0; k < given; k++)
    TRY_CLEANUP(addGiven(out, A, options->null_space + (int64_t)k * A->rows, k, work, error));
  if (!given)
    TRY_CLEANUP(addConstant(out, rows, work));
cleanup:
  free(work);
  if (status)
    txNullSpaceForget(out);
  return status;
}

void txNullSpaceForget(txNullSpace *space) {
  free(space->v);
  *space = (txNullSpace){0};
}

/* b_r is the goal's own; its limit is what the part outside leaves of the tolerance, else it has to
 * be small beside that. */
static void takeOwn(txGoal *goal, int32_t n) {
  goal->b = goal->own;
  goal->norm = txNorm(goal->own, n);
  goal->limit = goal->wanted;
  if (goal->outside <= 0.99 * goal->wanted)
    goal->limit = sqrt((goal->wanted - goal->outside) * (goal->wanted + goal->outside));
}

/* What b has in A's null space no x can meet: it is taken off, and its length kept. */
clStatus txGoalSet(txGoal *goal, const txNullSpace *space, const double *b, int32_t n,
                   double b_norm, double tolerance, clError *error) {
  *goal = (txGoal){.given = b, .b = b, .b_norm = b_norm};
  if (b_norm < 0)
    goal->b_norm = txNorm(b, n);
  goal->wanted = goal->limit = tolerance * goal->b_norm;
  goal->norm = goal->b_norm;
  if (!space->count)
    return TEXLA_OK;
  goal->own = vectors(error, n);
  if (!goal->own)
    return TEXLA_OUT_OF_MEMORY;
  memcpy(goal->own, b, (size_t)n * sizeof *b);
  project(space, space->count, goal->own);
  double outside[TX_NULL_VECTORS];
  for (int k = 0; k < space->count; k++)
    outside[k] = txHostDot(space->v + (int64_t)k * n, b, n);
  goal->outside = txNorm(outside, space->count);
  takeOwn(goal, n);
  return TEXLA_OK;
}

clStatus txGoalLeaveOut(txGoal *goal, const double *unit, int32_t n, clError *error) {
  double outside = 0;
  if (!goal->own) {
    goal->own = vectors(error, n);
    if (!goal->own)
      return TEXLA_OUT_OF_MEMORY;
    memcpy(goal->own, goal->b, (size_t)n * sizeof *goal->own);
  }
  for (int32_t i = 0; i < n; i++)
    if (unit[i] == 0) {
      outside = hypot(outside, goal->own[i]);
      goal->own[i] = 0;
    }
  goal->outside = hypot(goal->outside, outside);
  takeOwn(goal, n);
  return TEXLA_OK;
}

void txGoalForget(txGoal *goal) {
  free(goal->own);
  *goal = (txGoal){0};
}

/* Both parts are orthogonal: the residual of all is their hypotenuse. */
double txGoalResidual(const txGoal *goal, double norm) {
  double all = hypot(norm, goal->outside);
  if (goal->b_norm > 0)
    all /= goal->b_norm;
  return all;
}

clReason txGoalReached(const txGoal *goal) {
  if (goal->outside <= 0.99 * goal->wanted)
    return TEXLA_REASON_CONVERGED;
  return TEXLA_REASON_INCONSISTENT;
}

/* g <- C A^T r with the columns of A scaled to length 1 by C. Of one that is spread over processes
 * the rows are at hand, which will do if A is symmetric. */
static void findGradient(const txRefinement *ref, double *r, double *g, double *squares) {
  const clTriplets *A = ref->A;
  const int32_t *to = A->col, *from = A->row;
  if (ref->ranks) {
    to = A->row;
    from = A->col;
    ref->ranks->fetch(ref->ranks->user, r);
  }
  for (int64_t k = 0; k < A->count; k++) {
    g[to[k]] += A->value[k] * r[from[k]];
    squares[to[k]] += A->value[k] * A->value[k];
  }
  for (int32_t j = 0; j < A->rows; j++)
    if (squares[j] > 0)
      g[j] /= sqrt(squares[j]);
    else
      g[j] = 0;
}

/* By the angle between r and what A^T maps to zero: scales of A, b and x do not matter. */
clStatus txIsLeastSquares(const txRefinement *ref, bool symmetric, bool *yes, clError *error) {
  const double zero = 1e-8;
  const clTriplets *A = ref->A;
  size_t n = (size_t)A->cols;
  *yes = false;
  if (ref->ranks && !symmetric)
    return TEXLA_OK;
  double *r = vectors(error, 3 * A->cols), *g = r + n;
  if (!r)
    return TEXLA_OUT_OF_MEMORY;
  if (ref->ranks)
    ref->ranks->fetch(ref->ranks->user, ref->x);
  clTripletsMulVector(r, A, ref->x);
  for (int32_t i = 0; i < A->rows; i++)
    r[i] = ref->b[i] - r[i];
  findGradient(ref, r, g, g + n);
  *yes = txRefineNormOf(ref, g) <= zero * txRefineNormOf(ref, r);
  free(r);
  return TEXLA_OK;
}
