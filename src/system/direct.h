/* The direct methods of clSystemSolve: factored once, solved and refined. */
#ifndef TEXLA_SYSTEM_DIRECT_H
#define TEXLA_SYSTEM_DIRECT_H

#include "texla/system.h"

/* Methods that factor A as a dense matrix. */
static inline bool txIsDirect(clMethod method) {
  return method == TEXLA_METHOD_PLU || method == TEXLA_METHOD_CHOLESKY;
}

/* For `count` right-hand sides; *reports begin as zeros and each tells why it ended. A singular A is a reason, not an error; the
 * monitor of the options is asked during the factorization, too. */
clStatus txDirectSolve(clContext *context, const clTriplets *A, int count, const double *b, double *x, double target,
                       const clSystemOptions *options, clSystemReport *reports);

/* What factoring n x n would need on this device. */
typedef struct txDirectCost {
  double bytes, seconds; /* seconds: from the speed of a product, measured now */
  bool fits;             /* into the device's memory */
} txDirectCost;
clStatus txDirectEstimate(txDirectCost *cost, clContext *context, int32_t n);

#endif
