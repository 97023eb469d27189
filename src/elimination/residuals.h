/* Residuals in double on the host, of several vectors at once and on several threads: what
 * refinement of dense factors spends most of its time on. */
#ifndef TEXLA_ELIMINATION_RESIDUALS_H
#define TEXLA_ELIMINATION_RESIDUALS_H

#include "texla/triplets.h"

enum { TX_LANES = 8 };

/* r <- b - A x, size <- |A| |x| + |b| for up to TX_LANES vectors; b NULL: zero, size NULL: not
 * wanted. A is compressed. */
typedef struct txResiduals {
  const clTriplets *A;
  int count;
  const double *x[TX_LANES], *b[TX_LANES];
  double *r[TX_LANES], *size[TX_LANES];
} txResiduals;

/* mixed: room for cols x TX_LANES numbers, NULL where there is but one vector. Each result depends
 * on its own vector alone. */
void txResidualsFind(const txResiduals *residuals, double *mixed);

#endif
