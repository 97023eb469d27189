#include "elimination/refinement.h"
#include "core/allocate.h"
#include "core/numbers.h"
#include "core/try.h"
#include "dense/entries.h"
#include "elimination/host_lower.h"
#include "elimination/residuals.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* that are kept; corrections that gain nothing until a vector is given up */
enum { DIRECTIONS = 16, IDLE = 4 };

/* ---- One vector ------------------------------------------------------------------------------ */

typedef struct vector {
  const double *b;
  /* now; b - M x; |M| |x| + |b| */
  double *x, *r, *size;
  /* the x with the least error */
  double *best;
  /* the correction */
  double *d;
  /* componentwise backward errors of x, of `best` */
  double error, least;
  /* NULL: plain refinement; 1 / size, and after it the directions and what M makes of them */
  double *weight;
  /* that are kept; where the next one goes */
  int directions, next;
  /* corrections; of these without a gain since the last */
  int iterations, idle;
  /* rows that miss the tolerance, the fewest so far */
  int wrong;
  /* is x the best one, and so r and size those of that? */
  bool open, at_best;
} vector;

typedef struct refinement {
  const txFactor *f;
  clTranspose op;
  /* op(A) */
  const clTriplets *A;
  int count;
  double tolerance;
  int most;
  /* NULL: nobody */
  const txWatch *watch;
  /* its factors' scaling; NULL: ones */
  const double *row, *col;
  /* all; those that a step is for */
  vector *vector, **list;
  /* of all vectors */
  double *numbers;
  /* n x TX_LANES */
  double *mixed;
  /* n x count */
  float *single;
  /* n x those that are open */
  clDense *device;
} refinement;

static double largestOf(const double *v, int n) {
  double m = 0;
  for (int i = 0; i < n; i++)
    m = fmax(m, fabs(v[i]));
  return m;
}

/* r and size of those vectors' x. */
static void findResiduals(const refinement *f, vector *const *list, int count) {
  for (int k = 0; k < count; k += TX_LANES) {
    txResiduals p = {.A = f->A, .count = txLeast(count - k, TX_LANES)};
    for (int l = 0; l < p.count; l++) {
      const vector *v = list[k + l];
      p.x[l] = v->x;
      p.b[l] = v->b;
      p.r[l] = v->r;
      p.size[l] = v->size;
    }
    txResidualsFind(&p, f->mixed);
  }
}

/* The error of the x whose residual is there; the best one is kept. */
static void judge(const refinement *f, vector *v) {
  int n = f->f->n, wrong = 0;
  v->error = 0;
  for (int i = 0; i < n; i++) {
    double error = 0;
    if (v->r[i] != 0)
      error = fabs(v->r[i]) / v->size[i];
    /* So NaN stays. */
    if (!(error <= v->error || isnan(v->error)))
      v->error = error;
    wrong += !(error <= f->tolerance);
  }
  v->idle++;
  if (v->error < 0.9 * v->least || wrong < 0.9 * v->wrong)
    v->idle = 0;
  v->wrong = txLeast(wrong, v->wrong);
  v->at_best = v->error < v->least;
  if (v->at_best) {
    v->least = v->error;
    memcpy(v->best, v->x, (size_t)n * sizeof *v->x);
  }
}

/* Is v, whose residual is there, to be corrected further? */
static bool goesOn(const refinement *f, vector *v) {
  int word = 0;
  if (f->watch)
    word = f->watch->tell(f->watch->user, (int)(v - f->vector), v->r, v->error, v->iterations);
  if (word > 0) {
    memcpy(v->best, v->x, (size_t)f->f->n * sizeof *v->x);
    v->at_best = true;
  }
  return word == 0 && v->least > f->tolerance && v->iterations < f->most && v->idle < IDLE;
}

static double *directionOf(const vector *v, int n, int k) {
  return v->weight + (size_t)n * (1 + 2 * (size_t)k);
}

/* From the best x on, corrections are search directions; those before are forgotten. */
static clStatus accelerate(const refinement *f, vector *v) {
  size_t n = (size_t)f->f->n;
  int idle = v->idle;
  if (!v->weight)
    v->weight = txAllocate(txContextError(f->f->context), f->f->call, n * (1 + 2 * DIRECTIONS),
                           sizeof *v->weight, "search directions");
  if (!v->weight)
    return TEXLA_OUT_OF_MEMORY;
  memcpy(v->x, v->best, n * sizeof *v->x);
  findResiduals(f, &v, 1);
  judge(f, v);
  for (size_t i = 0; i < n; i++) {
    v->weight[i] = 0;
    if (v->size[i] > 0)
      v->weight[i] = 1 / v->size[i];
  }
  v->directions = v->next = 0;
  v->idle = idle;
  return TEXLA_OK;
}

/* x += alpha d, so that the weighted residual becomes as small as d and those before can make it.
 *
 * The method is that of system/refine.h, and only the loop that makes q and d orthogonal is
 * common to both: there rows may belong to several processes and residuals to the device, and
 * the first direction's q is not even kept; here rows are weighed anew by the x that is reached,
 * and one solve corrects many vectors. */
static void takeDirection(const refinement *f, vector *v) {
  int n = f->f->n;
  double *d = directionOf(v, n, v->next), *q = d + n, along = 0;
  memcpy(d, v->d, (size_t)n * sizeof *d);
  txResidualsFind(&(txResiduals){.A = f->A, .count = 1, .x = {d}, .r = {q}}, NULL);
  for (int i = 0; i < n; i++)
    q[i] *= -v->weight[i];
  for (int k = 0; k < v->directions; k++) {
    const double *e = directionOf(v, n, k), *p = e + n;
    /* That one is being replaced. */
    if (k == v->next)
      continue;
    double beta = txHostDot(q, p, n);
    for (int i = 0; i < n && beta != 0; i++) {
      q[i] -= beta * p[i];
      d[i] -= beta * e[i];
    }
  }
  double length = txHostNorm(q, n);
  /* it leads nowhere */
  if (!(length > 0 && isfinite(length))) {
    v->idle = IDLE;
    return;
  }
  for (int i = 0; i < n; i++) {
    q[i] /= length;
    d[i] /= length;
    along += q[i] * v->weight[i] * v->r[i];
  }
  for (int i = 0; i < n; i++)
    v->x[i] += along * d[i];
  v->next = (v->next + 1) % DIRECTIONS;
  v->directions += v->directions < DIRECTIONS;
}

/* x <- x + d */
static void move(const refinement *f, vector *v) {
  if (v->weight)
    takeDirection(f, v);
  for (int i = 0; i < f->f->n && !v->weight; i++)
    v->x[i] += v->d[i];
  v->iterations++;
}

/* What follows from the error that is left. */
static clStatus conclude(const refinement *f, vector *v) {
  double before = v->error;
  judge(f, v);
  v->open = goesOn(f, v);
  bool stalls = !(v->error <= 0.5 * before);
  if (v->weight)
    stalls = v->idle == IDLE / 2;
  if (v->open && stalls)
    return accelerate(f, v);
  return TEXLA_OK;
}

/* ---- All of them ----------------------------------------------------------------------------- */

/* single <- op(A)^-1 single, n x open numbers. */
static clStatus solveOnDevice(refinement *f, int open) {
  if (clDenseCols(f->device) != open) {
    clDenseDestroy(f->device);
    f->device = NULL;
    TRY(clDenseCreate(&f->device, f->f->context, f->f->n, open));
  }
  TRY(clDenseUpload(f->device, f->single, open));
  TRY(f->f->solve(f->f->factor, f->f->call, f->op, false, f->device));
  return clDenseDownload(f->device, f->single, open);
}

/* d <- diag(factor) r; NULL: ones */
static void scale(double *d, const double *factor, const double *r, int n) {
  if (d != r)
    memcpy(d, r, (size_t)n * sizeof *d);
  for (int i = 0; i < n && factor; i++)
    d[i] *= factor[i];
}

/* d <- r, as the factors scale it. Where rows are weighed, those whose residual is rounding would
 * hide those that are much smaller. */
static void rightOf(const refinement *f, vector *v) {
  int n = f->f->n;
  scale(v->d, f->row, v->r, n);
  for (int i = 0; i < n && v->weight; i++)
    if (fabs(v->r[i]) <= 2 * DBL_EPSILON * v->size[i])
      v->d[i] = 0;
}

/* d <- op(A)^-1 r for the `open` vectors in the list; each r is scaled by a power of two, so that
 * it fits single precision. */
static clStatus correct(refinement *f, int open) {
  int n = f->f->n;
  int *exponent = txAllocate(txContextError(f->f->context), f->f->call, (size_t)open,
                             sizeof *exponent, "scales");
  if (!exponent)
    return TEXLA_OUT_OF_MEMORY;
  for (int k = 0; k < open; k++) {
    vector *v = f->list[k];
    rightOf(f, v);
    frexp(largestOf(v->d, n), &exponent[k]);
    for (int i = 0; i < n; i++)
      f->single[(size_t)i * (size_t)open + (size_t)k] = (float)ldexp(v->d[i], -exponent[k]);
  }
  clStatus status = solveOnDevice(f, open);
  for (int k = 0; k < open && status == TEXLA_OK; k++) {
    vector *v = f->list[k];
    for (int i = 0; i < n; i++)
      v->d[i] = ldexp((double)f->single[(size_t)i * (size_t)open + (size_t)k], exponent[k]);
    scale(v->d, f->col, v->d, n);
  }
  free(exponent);
  return status;
}

/* How many there are; they are in the list. */
static int listOpen(refinement *f) {
  int open = 0;
  for (int k = 0; k < f->count; k++)
    if (f->vector[k].open)
      f->list[open++] = &f->vector[k];
  return open;
}

/* All open vectors take a step at once, since a solve costs about the same for one as for
 * several. */
static clStatus iterate(refinement *f) {
  for (int open = listOpen(f); open > 0; open = listOpen(f)) {
    TRY(correct(f, open));
    for (int k = 0; k < open; k++)
      move(f, f->list[k]);
    findResiduals(f, f->list, open);
    for (int k = 0; k < open; k++)
      TRY(conclude(f, f->list[k]));
  }
  return TEXLA_OK;
}

/* Of x = 0 the residual is b. */
static void startAtZero(vector *v, size_t n) {
  memcpy(v->r, v->b, n * sizeof *v->r);
  for (size_t i = 0; i < n; i++)
    v->size[i] = fabs(v->b[i]);
}

/* Five vectors of n numbers for each of the unknowns, and the residuals of the start values. */
static clStatus start(refinement *f, const double *x, const double *b) {
  size_t n = (size_t)f->f->n, count = (size_t)f->count;
  clError *error = txContextError(f->f->context);
  f->vector = txAllocate(error, f->f->call, count, sizeof *f->vector, "vectors of the unknowns");
  f->numbers =
      txAllocate(error, f->f->call, 5 * n * count, sizeof *f->numbers, "vectors of the unknowns");
  f->single =
      txAllocate(error, f->f->call, n * count, sizeof *f->single, "vectors of the unknowns");
  f->list = txAllocate(error, f->f->call, count, sizeof *f->list, "vectors of the unknowns");
  size_t mixed = 1;
  if (count > 1)
    mixed = n * TX_LANES;
  f->mixed = txAllocate(error, f->f->call, mixed, sizeof *f->mixed, "vectors of the unknowns");
  if (!f->vector || !f->numbers || !f->single || !f->list || !f->mixed)
    return TEXLA_OUT_OF_MEMORY;
  int moved = 0;
  for (size_t k = 0; k < count; k++) {
    vector *v = &f->vector[k];
    double *own = f->numbers + 5 * n * k;
    *v = (vector){.b = b + n * k,
                  .x = own,
                  .r = own + n,
                  .size = own + 2 * n,
                  .best = own + 3 * n,
                  .d = own + 4 * n};
    memcpy(v->x, x + n * k, n * sizeof *x);
    memcpy(v->best, v->x, n * sizeof *x);
    v->least = INFINITY;
    v->wrong = f->f->n;
    if (largestOf(x + n * k, f->f->n) > 0)
      f->list[moved++] = v;
    else
      startAtZero(v, n);
  }
  findResiduals(f, f->list, moved);
  for (vector *v = f->vector; v < f->vector + count; v++) {
    judge(f, v);
    v->idle = 0;
    v->open = goesOn(f, v);
  }
  return TEXLA_OK;
}

static void release(refinement *f) {
  for (int k = 0; k < f->count && f->vector; k++)
    free(f->vector[k].weight);
  clDenseDestroy(f->device);
  free(f->vector);
  free(f->list);
  free(f->mixed);
  free(f->numbers);
  free(f->single);
}

/* Of the best x, whose residual is there. With S = R A C, |x - x*| <= max c ||S^-1||_1 |R (r + what
 * rounding hides in it)|_1; beside max |x|. */
static void reportOn(const refinement *f, const vector *v, double inverse_norm,
                     clRefineReport *report) {
  const double *row = f->f->row, *col = f->f->col;
  if (f->op == TEXLA_TRANSPOSE) {
    row = f->f->col;
    col = f->f->row;
  }
  int n = f->f->n;
  double sum = 0, scale = largestOf(v->best, n), b_norm = txHostNorm(v->b, n);
  double hidden = DBL_EPSILON * (1 + (double)f->A->count / n);
  if (col)
    scale /= largestOf(col, n);
  for (int i = 0; i < n; i++) {
    double term = fabs(v->r[i]) + hidden * v->size[i];
    if (row)
      term *= row[i];
    sum += term;
  }
  *report = (clRefineReport){
      .iterations = v->iterations, .residual = txHostNorm(v->r, n), .backward_error = v->least};
  if (b_norm > 0)
    report->residual /= b_norm;
  if (sum != 0)
    report->forward_error = inverse_norm * sum / scale;
}

/* Of vectors that are not at their best the best one comes back, with its residual. */
static clStatus reportOnAll(const refinement *f, clRefineReport *reports) {
  double inverse_norm = 0;
  TRY(txFactorInverseNorm(f->f, f->op, &inverse_norm));
  int left = 0;
  for (vector *v = f->vector; v < f->vector + f->count; v++) {
    if (!v->at_best) {
      memcpy(v->x, v->best, (size_t)f->f->n * sizeof *v->x);
      f->list[left++] = v;
    }
  }
  findResiduals(f, f->list, left);
  for (int k = 0; k < f->count; k++)
    reportOn(f, &f->vector[k], inverse_norm, &reports[k]);
  return TEXLA_OK;
}

/* x: in: start values, out: the best solutions. */
static clStatus refine(refinement *f, double *x, const double *b, clRefineReport *reports) {
  size_t n = (size_t)f->f->n;
  bool converged = true;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(start(f, x, b));
  TRY_CLEANUP(iterate(f));
  if (reports)
    TRY_CLEANUP(reportOnAll(f, reports));
  for (int k = 0; k < f->count; k++) {
    memcpy(x + n * (size_t)k, f->vector[k].best, n * sizeof *x);
    converged &= f->vector[k].least <= f->tolerance;
  }
  if (!converged)
    status = TEXLA_NOT_CONVERGED;
cleanup:
  release(f);
  return status;
}

/* Fails where an argument is not what it must be; values count, too, since NaN would never
 * converge. */
static clStatus check(const txFactor *f, clTranspose op, const clTriplets *A, int count,
                      const double *x, const double *b) {
  clError *error = txContextError(f->context);
  TRY(txDenseCheckOp(f->call, f->context, op));
  if (!A || !x || !b || count < 1)
    return txFail(error, TEXLA_BAD_ARGUMENT, f->call,
                  "A, x and b must not be NULL, and the count (%d) at least 1", count);
  if (A->rows != f->n || A->cols != f->n)
    return txFail(error, TEXLA_BAD_SHAPE, f->call, "A is %d x %d but the factors are %d x %d",
                  A->rows, A->cols, f->n, f->n);
  for (int64_t i = 0; i < (int64_t)f->n * count; i++) {
    if (!isfinite(b[i]) || !isfinite(x[i]))
      return txFail(error, TEXLA_NOT_FINITE, f->call, "element %lld of %s is not finite",
                    (long long)i + 1, isfinite(b[i]) ? "the start value" : "b");
  }
  return TEXLA_OK;
}

static clStatus refineWith(refinement *all, const clRefineOptions *o, double *x, const double *b,
                           clRefineReport *reports) {
  all->tolerance = 1e-15;
  all->most = 30;
  if (o && o->tolerance > 0)
    all->tolerance = o->tolerance;
  if (o && o->max_iterations > 0)
    all->most = o->max_iterations;
  return refine(all, x, b, reports);
}

clStatus txRefineTriplets(const txFactor *f, clTranspose op, const clTriplets *A, int count,
                          double *x, const double *b, const clRefineOptions *options,
                          clRefineReport *reports) {
  clTriplets *turned = NULL;
  TRY(check(f, op, A, count, x, b));
  if (op == TEXLA_TRANSPOSE)
    TRY(clTripletsTranspose(&turned, A, txContextError(f->context)));
  refinement all = {.f = f, .op = op, .A = A, .count = count};
  if (turned)
    all.A = turned;
  clStatus status = refineWith(&all, options, x, b, reports);
  clTripletsDestroy(turned);
  return status;
}

clStatus txRefineWatched(const txFactor *f, const clTriplets *A, int count, double *x,
                         const double *b, const clRefineOptions *options, const txWatch *watch) {
  refinement all = {.f = f,
                    .op = TEXLA_NO_TRANSPOSE,
                    .A = A,
                    .count = count,
                    .watch = watch,
                    .row = watch->row,
                    .col = watch->col};
  return refineWith(&all, options, x, b, NULL);
}
