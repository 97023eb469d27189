/* Iterative refinement: residuals in double on the host, corrections from the factors in single precision. */
#include "dense/plu.h"
#include "core/allocate.h"

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
  double inverse_norm; /* of the equilibrated matrix */
} refinement;

static clStatus allocate(refinement *f) {
  size_t n = (size_t)f->plu->rows;
  clError *error = txContextError(f->plu->context);
  f->r = txAllocate(error, f->call, n, sizeof *f->r, "vectors of the unknowns");
  f->size = txAllocate(error, f->call, n, sizeof *f->size, "vectors of the unknowns");
  f->candidate = txAllocate(error, f->call, n, sizeof *f->candidate, "vectors of the unknowns");
  f->single = txAllocate(error, f->call, n, sizeof *f->single, "vectors of the unknowns");
  if (!f->r || !f->size || !f->candidate || !f->single)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = clDenseCreate(&f->device, f->plu->context, (int)n, 1);
  if (!status && f->op == TEXLA_DENSE_TRANSPOSED) {
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

/* With S = R A C, |x - x*| <= max c ||S^-1||_1 |R (r + what rounding hides in it)|_1; beside max |x|. */
static void boundError(refinement *f, clRefineReport *report) {
  bool turned = f->op == TEXLA_DENSE_TRANSPOSED;
  const double *row = turned ? f->plu->col_scale : f->plu->row_scale;
  const double *col = turned ? f->plu->row_scale : f->plu->col_scale;
  double sum = 0, scale = largest(f->x, f->A->rows) / largest(col, f->A->rows);
  double hidden = DBL_EPSILON * (1 + (double)f->A->count / f->A->rows);
  for (int i = 0; i < f->A->rows; i++)
    sum += row[i] * (fabs(f->r[i]) + hidden * f->size[i]);
  report->forward_error = sum == 0 ? 0 : f->inverse_norm * sum / scale;
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
  boundError(f, report);
  return TEXLA_OK;
}

static clStatus check(const clPlu *plu, const char *call, const clTriplets *A, const double *x, const double *b,
                      int count) {
  clStatus status = txPluReady(plu, call);
  if (status)
    return status;
  clError *error = txContextError(plu->context);
  if (!A || !x || !b || count < 1)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "A, x and b must not be NULL, and the count (%d) at least 1", count);
  if (A->rows != plu->rows || A->cols != plu->cols)
    return txFail(error, TEXLA_BAD_SHAPE, call, "A is %d x %d but the factors are %d x %d", A->rows, A->cols, plu->rows,
                  plu->cols);
  for (int64_t i = 0; i < (int64_t)A->rows * count; i++)
    if (!isfinite(b[i]) || !isfinite(x[i]))
      return txFail(error, TEXLA_NOT_FINITE, call, "element %lld of %s is not finite", (long long)i + 1,
                    isfinite(b[i]) ? "the start value" : "b");
  return TEXLA_OK;
}

/* All vectors with one refinement: the estimate of the inverse's norm is made once. */
static clStatus refineAll(refinement *f, int count, double *x, const double *b, const clRefineOptions *o,
                          clRefineReport *reports, bool *converged) {
  double tolerance = o->tolerance > 0 ? o->tolerance : 1e-15;
  size_t n = (size_t)f->plu->rows;
  clStatus status = allocate(f);
  if (!status)
    status = txPluInverseNorm(f->plu, f->call, f->op, &f->inverse_norm);
  for (size_t k = 0; k < (size_t)count && !status; k++) {
    clRefineReport report = {0};
    f->x = x + k * n;
    f->b = b + k * n;
    status = refine(f, o, &report);
    *converged &= report.backward_error <= tolerance;
    if (!status && reports)
      reports[k] = report;
  }
  return status;
}

static clStatus refineMany(const char *call, const clPlu *plu, clDenseOp op, const clTriplets *A, int count, double *x,
                           const double *b, const clRefineOptions *options, clRefineReport *reports) {
  clRefineOptions o = options ? *options : (clRefineOptions){0};
  bool converged = true;
  clStatus status = check(plu, call, A, x, b, count);
  if (!status)
    status = txDenseCheckOp(call, plu->context, op);
  if (status)
    return status;
  refinement f = {.plu = plu, .call = call, .op = op, .A = A};
  status = refineAll(&f, count, x, b, &o, reports, &converged);
  release(&f);
  if (status)
    return status;
  return converged ? TEXLA_OK : TEXLA_NOT_CONVERGED;
}

clStatus clPluRefine(const clPlu *plu, clDenseOp op, const clTriplets *A, double *x, const double *b,
                     const clRefineOptions *options, clRefineReport *report) {
  return refineMany("clPluRefine", plu, op, A, 1, x, b, options, report);
}

clStatus clPluRefineMany(const clPlu *plu, clDenseOp op, const clTriplets *A, int count, double *x, const double *b,
                         const clRefineOptions *options, clRefineReport *reports) {
  return refineMany("clPluRefineMany", plu, op, A, count, x, b, options, reports);
}

clStatus clPluRefineDense(const clPlu *plu, clDenseOp op, const clDense *A, int count, double *x, const double *b,
                          const clRefineOptions *options, clRefineReport *reports) {
  static const char call[] = "clPluRefineDense";
  clTriplets *T = NULL;
  clStatus status = txPluReady(plu, call);
  if (!status)
    status = txDenseCheck(call, plu->context, "A", A);
  if (!status)
    status = clDenseDownloadTriplets(&T, A);
  if (!status)
    status = clTripletsCompress(T, txContextError(plu->context));
  if (!status)
    status = refineMany(call, plu, op, T, count, x, b, options, reports);
  clTripletsDestroy(T);
  return status;
}
