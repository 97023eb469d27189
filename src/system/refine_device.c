#include "system/refine_device.h"
#include "core/allocate.h"
#include "core/parallel.h"
#include "matrix/matrix.h"
#include "matrix/residual.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static const char call[] = "clSystemSolve";

void txDeviceRefineDestroy(txDeviceRefinement *d) {
  if (!d)
    return;
  clDoubleVectorDestroy(d->c);
  clDoubleVectorDestroy(d->z);
  clDoubleVectorDestroy(d->next);
  clVectorDestroy(d->r);
  clFloatDestroy(d->square);
  free(d);
}

/* r <- 2^exponent (c - B z), *norm <- ||c - B z|| */
static clStatus measure(txDeviceRefinement *d, const clDoubleVector *z, clVector *r, double *norm) {
  float square = 0;
  clStatus status = txMatrixResidual(call, &(txResidual){NULL, r, ldexpf(1, d->exponent), d->B, z, d->c});
  if (!status)
    status = clVectorDot(d->square, r, r);
  if (!status)
    status = clFloatDownload(d->square, &square);
  if (!status)
    *norm = ldexp(sqrt((double)square), -d->exponent);
  return status;
}

typedef struct loop {
  const double *x, *factor;
  double sign, *y;
} loop;

/* y <- sign factor x */
static void multiply(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const loop *l = user;
  (void)sum;
  for (int64_t i = first; i < last; i++)
    l->y[i] = l->sign * l->factor[i] * l->x[i];
}

/* y <- x / factor */
static void divide(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const loop *l = user;
  (void)sum;
  for (int64_t i = first; i < last; i++)
    l->y[i] = l->x[i] / l->factor[i];
}

/* target <- what `change` makes of x; x itself where no factor is but 1. */
static clStatus upload(clDoubleVector *target, txLoop change, const double *x, const double *factor, double sign,
                       bool unit, clError *error) {
  int64_t n = clDoubleVectorLength(target);
  if (unit && sign == 1)
    return clDoubleVectorUpload(target, x);
  double *y = txAllocate(error, call, (size_t)n, sizeof *y, "a scaled vector");
  if (!y)
    return TEXLA_OUT_OF_MEMORY;
  txParallel(n, change, &(loop){.x = x, .factor = factor, .sign = sign, .y = y}, NULL);
  clStatus status = clDoubleVectorUpload(target, y);
  free(y);
  return status;
}

/* A vector that a pass will fill. */
static clStatus reserve(clVector **out, const clMatrix *B) {
  clVector *v = txAllocate(txContextError(B->context), call, 1, sizeof *v, "a vector");
  if (!v)
    return TEXLA_OUT_OF_MEMORY;
  *v = (clVector){.context = B->context, .layout = B->row_layout};
  clStatus status = txLayoutTexture(&v->texture, v->context, call, &v->layout);
  if (status)
    clVectorDestroy(v);
  else
    *out = v;
  return status;
}

static clStatus create(txDeviceRefinement *d, const clMatrix *B) {
  clDoubleVector **pair[] = {&d->c, &d->z, &d->next};
  d->B = B;
  clStatus status = reserve(&d->r, B);
  for (int i = 0; i < 3 && !status; i++)
    status = txDoubleVectorReserve(pair[i], B->context, call, i ? &B->col_layout : &B->row_layout);
  return status ? status : clFloatCreate(&d->square, B->context);
}

clStatus txDeviceRefineStart(txDeviceRefinement **out, const clMatrix *B, double sign, const txScaling *scaling,
                             const double *b, const double *x, bool at_zero, double norm) {
  enum {
    WIDEST = 80
  }; /* powers of two, so that residuals and corrections keep away from the ends of a float's range */
  clError *error = txContextError(clMatrixContext(B));
  *out = NULL;
  if (!(norm > ldexp(1, -WIDEST)) || !(norm < ldexp(1, WIDEST)))
    return TEXLA_OK;
  txDeviceRefinement *d = txAllocate(error, call, 1, sizeof *d, "refinement");
  clStatus status = d ? create(d, B) : TEXLA_OUT_OF_MEMORY;
  if (!status) {
    d->exponent = -ilogb(norm);
    status = upload(d->c, multiply, b, scaling->row, sign, scaling->unit, error);
  }
  if (!status)
    status = at_zero ? txDoubleVectorClear(d->z, call) : upload(d->z, divide, x, scaling->col, 1, scaling->unit, error);
  if (!status)
    status = measure(d, d->z, d->r, &d->norm);
  if (!status && isfinite(d->norm)) {
    *out = d;
    return TEXLA_OK;
  }
  txDeviceRefineDestroy(d);
  return status == TEXLA_OUT_OF_MEMORY ? TEXLA_OK : status;
}

/* So that squares of what a solver makes of r stay far from the smallest floats. */
static clStatus rescale(txDeviceRefinement *d) {
  enum { FAR = 16 };
  int shift = d->norm > 0 ? -ilogb(d->norm) - d->exponent : 0;
  if (shift < FAR || shift + d->exponent > FLT_MAX_EXP - 2)
    return TEXLA_OK;
  d->exponent += shift;
  return clVectorScale(d->r, ldexpf(1, shift), NULL, d->r);
}

clStatus txDeviceRefineStep(txDeviceRefinement *d, const clVector *y, double enough, double *gain) {
  double norm = NAN;
  clVector *r = NULL;
  clStatus status = reserve(&r, d->B);
  if (status == TEXLA_OUT_OF_MEMORY) { /* the host goes on */
    *gain = 0;
    return TEXLA_OK;
  }
  if (!status)
    status = txDoubleAddSingle(call, d->next, ldexp(1, -d->exponent), y, d->z);
  if (!status)
    status = measure(d, d->next, r, &norm);
  *gain = norm > 0 ? d->norm / norm : isnan(norm) ? 0 : INFINITY;
  if (!status && *gain >= enough) {
    clDoubleVector *z = d->z;
    clVector *last = d->r;
    d->z = d->next;
    d->next = z;
    d->r = r;
    r = last;
    d->norm = norm;
    status = rescale(d);
  }
  clVectorDestroy(r);
  return status;
}

clStatus txDeviceRefineFinish(const txDeviceRefinement *d, const txScaling *scaling, double *x) {
  clStatus status = clDoubleVectorDownload(d->z, x);
  if (!status && !scaling->unit)
    txParallel(clDoubleVectorLength(d->z), multiply, &(loop){.x = x, .factor = scaling->col, .sign = 1, .y = x}, NULL);
  return status;
}
