/* The direct methods of clSystemSolve: plans whose corrections come from dense factors. */
#ifndef TEXLA_SYSTEM_DIRECT_H
#define TEXLA_SYSTEM_DIRECT_H

#include "texla/system.h"

struct txSystem;

/* Right-hand sides that factors take at once. */
enum { TX_DIRECT_COLUMNS = 256 };

/* Methods that factor A as a dense matrix. */
static inline bool txIsDirect(clMethod method) {
  return method == TEXLA_METHOD_PLU || method == TEXLA_METHOD_CHOLESKY;
}

/* Factors of the scaled matrix by the plan's method. A singular A is the reason for which solutions
 * end, not an error; the monitor of the options is asked during the factorization, too. */
typedef struct txDirect txDirect;
clStatus txDirectCreate(txDirect **out, const struct txSystem *s, const clTriplets *scaled);
/* NULL is allowed */
void txDirectDestroy(txDirect *direct);
/* Corrections of all right-hand sides that are open, until their reasons are known. */
clStatus txDirectRounds(struct txSystem *s);
/* Solutions of all that are open by a factorization in double on the host. */
clStatus txHostRounds(struct txSystem *s);

/* What factoring n x n would need on this device. */
typedef struct txDirectCost {
  /* seconds: from the speed of a product, measured now */
  double bytes, seconds;
  /* into the device's memory */
  bool fits;
} txDirectCost;
clStatus txDirectEstimate(txDirectCost *cost, clContext *context, int32_t n);

#endif
