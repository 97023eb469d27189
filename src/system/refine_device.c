#include "system/refine_device.h"
#include "core/allocate.h"
#include "core/parallel.h"
#include "core/try.h"
#include "matrix/matrix.h"
#include "matrix/residual.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static const char call[] = "clSystemSolve";

void txDeviceRefineDestroy(txDeviceRefinement *d) {
  if (!d)
    return;
  clDoubleVectorDestroy(d->rest);
  clDoubleVectorDestroy(d->next);
  clDoubleVectorDestroy(d->z);
  clVectorDestroy(d->part[0]);
  clVectorDestroy(d->part[1]);
  clVectorDestroy(d->zero);
  clFloatDestroy(d->square);
  free(d);
}

const clVector *txDeviceRefineRight(const txDeviceRefinement *d) {
  return &d->rest->high;
}

/* Of pointers: the residual and the one that follows it change places. */
static void exchange(clDoubleVector **a, clDoubleVector **b) {
  clDoubleVector *t = *a;
  *a = *b;
  *b = t;
}

/* *norm <- 2^-exponent ||v|| */
static clStatus measure(const txDeviceRefinement *d, const clDoubleVector *v, double *norm) {
  float square = 0;
  TRY(clVectorDot(d->square, &v->high, &v->high));
  TRY(clFloatDownload(d->square, &square));
  *norm = ldexp(sqrt((double)square), -d->exponent);
  return TEXLA_OK;
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
static clStatus upload(clDoubleVector *target, txLoop change, const double *x, const double *factor,
                       double sign, bool unit, clError *error) {
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

static clStatus create(txDeviceRefinement *d, const clMatrix *B) {
  d->B = B;
  TRY(txDoubleVectorReserve(&d->rest, B->context, call, &B->row_layout));
  TRY(txDoubleVectorReserve(&d->next, B->context, call, &B->row_layout));
  TRY(txVectorCreate(&d->zero, B->context, call, &B->col_layout));
  return clFloatCreate(&d->square, B->context);
}

/* z <- x, rest <- c - B z */
static clStatus beginAt(txDeviceRefinement *d, const txScaling *scaling, const double *x,
                        clError *error) {
  TRY(txDoubleVectorReserve(&d->z, d->B->context, call, &d->B->col_layout));
  TRY(upload(d->z, divide, x, scaling->col, 1, scaling->unit, error));
  TRY(txMatrixResidual(call, &(txResidual){d->next, NULL, 1, d->B, d->z, d->rest}));
  exchange(&d->rest, &d->next);
  return TEXLA_OK;
}

/* So that squares of what a solver makes of the rest stay far from the ends of a float's range. */
static clStatus rescale(txDeviceRefinement *d) {
  enum { FAR = 16 };
  int shift = 0;
  if (d->norm > 0)
    shift = -ilogb(d->norm) - d->exponent;
  if (abs(shift) < FAR || abs(shift + d->exponent) > FLT_MAX_EXP - 2)
    return TEXLA_OK;
  TRY(clVectorScale(&d->rest->high, ldexpf(1, shift), NULL, &d->rest->high));
  TRY(clVectorScale(&d->rest->low, ldexpf(1, shift), NULL, &d->rest->low));
  d->exponent += shift;
  return TEXLA_OK;
}

/* From x = 0 the residual is b, which needs no product. */
static clStatus begin(txDeviceRefinement *d, double sign, const txScaling *scaling, const double *b,
                      const double *x, bool at_zero, clError *error) {
  TRY(upload(d->rest, multiply, b, scaling->row, sign, scaling->unit, error));
  if (!at_zero)
    TRY(beginAt(d, scaling, x, error));
  if (!at_zero)
    TRY(measure(d, d->rest, &d->norm));
  return rescale(d);
}

clStatus txDeviceRefineStart(txDeviceRefinement **out, const clMatrix *B, double sign,
                             const txScaling *scaling, const double *b, const double *x,
                             bool at_zero, double norm) {
  /* powers of two, so that residuals and corrections keep away from the ends of a float's range */
  enum { WIDEST = 80 };
  clError *error = txContextError(clMatrixContext(B));
  *out = NULL;
  if (!(norm > ldexp(1, -WIDEST)) || !(norm < ldexp(1, WIDEST)))
    return TEXLA_OK;
  txDeviceRefinement *d = txAllocate(error, call, 1, sizeof *d, "refinement");
  if (!d)
    return TEXLA_OK;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(create(d, B));
  d->norm = norm;
  TRY_CLEANUP(begin(d, sign, scaling, b, x, at_zero, error));
  if (isfinite(d->norm)) {
    *out = d;
    d = NULL;
  }
cleanup:
  txDeviceRefineDestroy(d);
  return status == TEXLA_OUT_OF_MEMORY ? TEXLA_OK : status;
}

/* A vector that a pass will fill. */
static clStatus reserve(clVector **out, const clMatrix *B) {
  clVector *v = txAllocate(txContextError(B->context), call, 1, sizeof *v, "a vector");
  if (!v)
    return TEXLA_OUT_OF_MEMORY;
  *v = (clVector){.context = B->context, .layout = B->col_layout};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txLayoutTexture(&v->texture, v->context, call, &v->layout));
  *out = v;
  v = NULL;
cleanup:
  clVectorDestroy(v);
  return status;
}

/* z <- the sum of both parts */
static clStatus addParts(txDeviceRefinement *d) {
  clDoubleVector first = {.high = *d->part[0], .low = *d->zero}, *z = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txDoubleVectorReserve(&z, d->B->context, call, &d->B->col_layout));
  TRY_CLEANUP(
      txDoubleAddSingle(call, z, ldexp(1, -d->at[1]), d->part[1], ldexp(1, -d->at[0]), &first));
  d->z = z;
  z = NULL;
  for (; d->parts > 0; d->part[d->parts] = NULL)
    clVectorDestroy(d->part[--d->parts]);
cleanup:
  clDoubleVectorDestroy(z);
  return status;
}

/* z <- z + 2^-exponent y; y's texture may go with it. */
static clStatus take(txDeviceRefinement *d, clVector *y) {
  if (d->parts == 2)
    TRY(addParts(d));
  if (d->z)
    return txDoubleAddSingle(call, d->z, ldexp(1, -d->exponent), y, 1, d->z);
  TRY(reserve(&d->part[d->parts], d->B));
  txTextureExchange(&d->part[d->parts]->texture, &y->texture);
  d->at[d->parts++] = d->exponent;
  return TEXLA_OK;
}

/* The correction is taken only if it gains enough; otherwise the host goes on with what it has. */
clStatus txDeviceRefineStep(txDeviceRefinement *d, clVector *y, double enough, double *gain) {
  const clDoubleVector correction = {.high = *y, .low = *d->zero};
  double norm = NAN;
  TRY(txMatrixResidual(call, &(txResidual){d->next, NULL, 1, d->B, &correction, d->rest}));
  TRY(measure(d, d->next, &norm));
  *gain = INFINITY;
  if (norm > 0)
    *gain = d->norm / norm;
  else if (isnan(norm))
    *gain = 0;
  if (!(*gain >= enough))
    return TEXLA_OK;
  TRY(take(d, y));
  exchange(&d->rest, &d->next);
  d->norm = norm;
  return rescale(d);
}

clStatus txDeviceRefineFinish(txDeviceRefinement *d, const txScaling *scaling, double *x) {
  const clVector *high = d->part[0], *low = d->part[1];
  double unit[2] = {ldexp(1, -d->at[0]), ldexp(1, -d->at[1])};
  if (d->z) {
    high = &d->z->high;
    low = &d->z->low;
    unit[0] = 1;
    unit[1] = 1;
  }
  if (!high)
    high = d->zero;
  if (!low)
    low = d->zero;
  const double *col = scaling->col;
  if (scaling->unit)
    col = NULL;
  return txDoublePartsDownload(call, high, low, unit, col, x);
}
