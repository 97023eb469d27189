/* An estimate of a matrix's 1-norm from a few products with it (Hager 1984; Higham, Algorithm 15.4
 * with one column): for inverses, which are only known by their solutions. */
#ifndef TEXLA_ELIMINATION_NORM_ESTIMATE_H
#define TEXLA_ELIMINATION_NORM_ESTIMATE_H

#include "texla/status.h"

#include <stdbool.h>

/* x <- M x, or with `transposed` M^T x, in place. */
typedef clStatus (*txApply)(void *user, bool transposed, double *x);

/* *norm <- an estimate of ||M||_1, M n x n; never above it but for rounding. work: 2 n numbers. */
clStatus txNormEstimate(double *norm, int n, txApply apply, void *user, double *work);

#endif
