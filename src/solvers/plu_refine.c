/* Iterative refinement: residuals in double on the host, corrections from the factors in single precision. */
#include "solvers/plu.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct refinement {
  const clPlu *plu;
  const char *call;
  clDenseOp op;
  const clTriplets *A; /* op(A) */
  clTriplets *turned;  /* owned, where op is a transposition */
  const double *b;
  double *x;
  double *r, *size, *candidate; /* b - A x, |A| |x| + |b| */
  float *single;
  clDense *device;
} refinement;

static clStatus allocate(refinement *f) {
  size_t n = (size_t)f->plu->rows;
  clError *error = txContextError(f->plu->context);
  f->r = malloc(n * sizeof *f->r);
  f->size = malloc(n * sizeof *f->size);
  f->candidate = malloc(n * sizeof *f->candidate);
  f->single = malloc(n * sizeof *f->single);
  if (!f->r || !f->size || !f->candidate || !f->single)
    return txFail(error, TEXLA_OUT_OF_MEMORY, f->call, "no memory for %zu unknowns", n);
  clStatus status = clDenseCreate(&f->device, f->plu->context, (int)n, 1);
  if (!status && f->op == TEXLA_TRANSPOSED) {
    status = clTripletsTranspose(&f->turned, f->A, error);
    f->A = f->turned;
  }
  return status;
}

static void release(refinement *f) {
  clDenseDestroy(f->device);
  clTripletsDestroy(f->turned);
  free(f->r);
  free(f->size);
  free(f->candidate);
  free(f->single);
}

/* r <- b - A x; the componentwise backward error of x */
static double measure(refinement *f, const double *x) {
  double worst = 0;
  clTripletsResidual(f->r, f->A, x, f->b);
  for (int i = 0; i < f->A->rows; i++)
    f->size[i] = fabs(f->b[i]);
  for (int64_t k = 0; k < f->A->count; k++)
    f->size[f->A->row[k]] += fabs(f->A->value[k] * x[f->A->col[k]]);
  for (int i = 0; i < f->A->rows; i++) {
    double error = f->r[i] == 0 ? 0 : fabs(f->r[i]) / f->size[i];
    worst = error <= worst ? worst : error; /* NaN stays */
  }
  return worst;
}

static double largest(const double *v, int n) {
  double m = 0;
  for (int i = 0; i < n; i++)
    m = fmax(m, fabs(v[i]));
  return m;
}

/* candidate <- x + A^-1 r; *size is the largest correction. r is scaled, so that it fits single precision. */
static clStatus correct(refinement *f, double *size) {
  int n = f->A->rows, e = 0;
  frexp(largest(f->r, n), &e);
  for (int i = 0; i < n; i++)
    f->single[i] = (float)ldexp(f->r[i], -e);
  clStatus status = txPluSolveVector(f->plu, f->op, f->device, f->single);
  *size = 0;
  for (int i = 0; i < n && !status; i++) {
    double d = ldexp((double)f->single[i], e);
    f->candidate[i] = f->x[i] + d;
    *size = fabs(d) <= *size ? *size : fabs(d);
  }
  return status;
}

/* Corrects until the backward error is below the tolerance, or nothing is gained. */
static clStatus iterate(refinement *f, const clRefineOptions *o, clRefineReport *report) {
  double tolerance = o->tolerance > 0 ? o->tolerance : 1e-15, last = INFINITY, size = 0;
  int most = o->max_iterations > 0 ? o->max_iterations : 30;
  double error = measure(f, f->x);
  while (error > tolerance && report->iterations < most) {
    clStatus status = correct(f, &size);
    if (status)
      return status;
    report->iterations++;
    double next = measure(f, f->candidate);
    bool better = next < error;
    if (better) {
      memcpy(f->x, f->candidate, (size_t)f->A->rows * sizeof *f->x);
      error = next;
    } else {
      measure(f, f->x);
    }
    if (!better || !(size < 0.9 * last))
      break;
    last = size;
  }
  report->backward_error = error;
  return TEXLA_OK;
}

/* ||A^-1||_1 (|r|_1 + what rounding hides in r) / max |x| */
static clStatus boundError(refinement *f, clRefineReport *report) {
  double inverse = 0, sum = 0, scale = largest(f->x, f->A->rows);
  clStatus status = txPluInverseNorm(f->plu, f->call, f->op, &inverse);
  double hidden = DBL_EPSILON * (1 + (double)f->A->count / f->A->rows);
  for (int i = 0; i < f->A->rows; i++)
    sum += fabs(f->r[i]) + hidden * f->size[i];
  report->forward_error = sum == 0 ? 0 : inverse * sum / scale;
  return status;
}

static clStatus refine(refinement *f, const clRefineOptions *o, clRefineReport *report) {
  clStatus status = iterate(f, o, report);
  if (status)
    return status;
  double zero = 0, b_norm = 0;
  for (int i = 0; i < f->A->rows; i++)
    b_norm = hypot(b_norm, f->b[i]);
  zero = clTripletsResidual(f->r, f->A, f->x, f->b);
  report->residual = b_norm > 0 ? zero / b_norm : zero;
  return boundError(f, report);
}

static clStatus check(const clPlu *plu, const char *call, const clTriplets *A, const double *x, const double *b) {
  clStatus status = txPluReady(plu, call);
  if (status)
    return status;
  clError *error = txContextError(plu->context);
  if (!A || !x || !b)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "A, x and b must not be NULL");
  if (A->rows != plu->rows || A->cols != plu->cols)
    return txFail(error, TEXLA_BAD_SHAPE, call, "A is %d x %d but the factors are %d x %d", A->rows, A->cols, plu->rows,
                  plu->cols);
  for (int i = 0; i < A->rows; i++)
    if (!isfinite(b[i]) || !isfinite(x[i]))
      return txFail(error, TEXLA_NOT_FINITE, call, "element %d of %s is not finite", i + 1,
                    isfinite(b[i]) ? "the start value" : "b");
  return TEXLA_OK;
}

clStatus clPluRefine(const clPlu *plu, clDenseOp op, const clTriplets *A, double *x, const double *b,
                     const clRefineOptions *options, clRefineReport *report) {
  static const char call[] = "clPluRefine";
  clRefineOptions o = options ? *options : (clRefineOptions){0};
  clRefineReport result = {0};
  clStatus status = check(plu, call, A, x, b);
  if (status)
    return status;
  refinement f = {.plu = plu, .call = call, .op = op, .A = A, .b = b, .x = x};
  status = allocate(&f);
  if (!status)
    status = refine(&f, &o, &result);
  release(&f);
  if (status)
    return status;
  if (report)
    *report = result;
  return result.backward_error <= (o.tolerance > 0 ? o.tolerance : 1e-15) ? TEXLA_OK : TEXLA_NOT_CONVERGED;
}
