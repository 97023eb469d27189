/* Products of a dense matrix and a vector (gemv) without copies of either. */
#ifndef TEXLA_DENSE_GEMV_H
#define TEXLA_DENSE_GEMV_H

#include "dense/view.h"

/* y <- alpha op(A) x + beta b; vectors are linear and of the right lengths. b is NULL where beta is
 * 0; it may be y, and so may x. */
clStatus txGemv(const char *call, clVector *y, float alpha, clTranspose op, clDenseView A,
                const clVector *x, float beta, const clVector *b);

/* A vector of `length` elements, in `context`, which keeps the message; the name is for it. */
clStatus txGemvCheckVector(const char *call, clContext *context, const char *name,
                           const clVector *x, int64_t length);

#endif
