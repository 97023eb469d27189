/* The small levels of multigrid on the host, where a pass would cost more than what it computes: the cycle of multigrid.c in C. */
#ifndef TEXLA_SOLVERS_MULTIGRID_HOST_H
#define TEXLA_SOLVERS_MULTIGRID_HOST_H

#include "objects/stencil.h"
#include "texla/multigrid.h"

typedef struct txHostGrid txHostGrid;

/* One level, from its stencil, whose interpolation weights are there; the coarsest has an inverse instead, n x n, row-major. */
clStatus txHostGridCreate(txHostGrid **out, const txStencil *s, const double *inverse, const char *call,
                          clError *error);
void txHostGridDestroy(txHostGrid *grid); /* NULL is allowed */

/* A cycle on level l, the first on the host: x and b are vectors of the device. `zero`: x counts as zero, whatever it holds;
 * `symmetric`: the sweeps afterwards are reversed. */
clStatus txHostCycle(const clMultigrid *mg, int l, clVector *x, const clVector *b, bool zero, clCycle kind,
                     bool symmetric);
/* Full multigrid, from level l on. */
clStatus txHostStart(const clMultigrid *mg, int l, clVector *x, const clVector *b);

#endif
