/* Double-float numbers: two clFloats, and vectors of two clVectors, so that what is done with one
 * float is done by what there is. */
#ifndef TEXLA_VECTOR_DOUBLE_H
#define TEXLA_VECTOR_DOUBLE_H

#include "texla/double.h"
#include "vector/run.h"

struct clDouble {
  clFloat high, low;
};

struct clDoubleVector {
  /* The halves are no vectors that somebody created: they lie here, with textures of their own. */
  clVector high, low;
};

/* Where calls on this vector leave their message; NULL for NULL. */
static inline clError *txDoubleVectorError(const clDoubleVector *x) {
  return x ? txVectorError(&x->high) : NULL;
}

/* A zero vector of a layout that was made for this context. */
clStatus txDoubleVectorCreate(clDoubleVector **out, clContext *context, const char *call,
                              const txLayout *layout);
/* The same, but it holds nothing yet: it must be rendered whole before it is read. */
clStatus txDoubleVectorReserve(clDoubleVector **out, clContext *context, const char *call,
                               const txLayout *layout);
clStatus txDoubleVectorClear(clDoubleVector *x, const char *call);

/* z <- a x + b y (y double-float, x single); z may be y. Operands were checked. */
clStatus txDoubleAddSingle(const char *call, clDoubleVector *z, double a, const clVector *x,
                           double b, const clDoubleVector *y);

/* *out <- x, a number (hi, lo) to a texel: RG32F, a row of x to a row. */
clStatus txDoubleUnpack(txTexture **out, const char *call, const clDoubleVector *x);
/* values <- scale (factor[0] high + factor[1] low), in double on the host; scale NULL: 1. The
 * vectors have the same layout. */
clStatus txDoublePartsDownload(const char *call, const clVector *high, const clVector *low,
                               const double factor[2], const double *scale, double *values);

/* hi + lo is nearest to v. Infinities and NaN have no lower part. */
static inline void txDoubleSplit(double v, float *hi, float *lo) {
  *hi = (float)v;
  *lo = 0;
  if (*hi - *hi == 0)
    *lo = (float)(v - (double)*hi);
}

/* Runs a pass whose shader includes df64.glsl, with two outputs for each of y. `defines` is the
 * shader's own text. */
clStatus txDoubleRun(const char *call, txPass *pass, const char *defines, clDoubleVector *y);

#endif
