/* The direct methods of clSystemSolve: factored once, solved and refined. */
#ifndef TEXLA_SYSTEM_DIRECT_H
#define TEXLA_SYSTEM_DIRECT_H

#include "texla/system.h"

/* Methods that factor A as a dense matrix. */
static inline bool txIsDirect(clMethod method) {
  return method == TEXLA_METHOD_PLU || method == TEXLA_METHOD_CHOLESKY;
}

/* A's factors by such a method. A singular A is the reason for which solutions end, not an error;
 * the monitor of the options is asked during the factorization, too. A and the options are
 * borrowed. */
typedef struct txDirect txDirect;
clStatus txDirectCreate(txDirect **out, clContext *context, const clTriplets *A, clMethod method,
                        const clSystemOptions *options);
/* NULL is allowed */
void txDirectDestroy(txDirect *direct);
/* One right-hand side, from the x that is there; *report begins as zeros and tells why it ended. */
clStatus txDirectSolve(txDirect *direct, const double *b, double *x, double target, int64_t most,
                       clSystemReport *report);

/* What factoring n x n would need on this device. */
typedef struct txDirectCost {
  /* seconds: from the speed of a product, measured now */
  double bytes, seconds;
  /* into the device's memory */
  bool fits;
} txDirectCost;
clStatus txDirectEstimate(txDirectCost *cost, clContext *context, int32_t n);

#endif
