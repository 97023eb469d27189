/* The small levels of multigrid on the host, where a pass would cost more than what it computes:
 * txHostOperations in C. */
#ifndef TEXLA_MULTIGRID_HOST_H
#define TEXLA_MULTIGRID_HOST_H

#include "multigrid/stencil.h"
#include "texla/multigrid.h"

typedef struct txHostGrid txHostGrid;

/* One level, from its stencil, whose interpolation weights are there; the coarsest has an inverse
 * instead, n x n, row-major. */
clStatus txHostGridCreate(txHostGrid **out, const txStencil *s, const double *inverse,
                          const char *call, clError *error);
/* Adds what sweeps over lines need. */
clStatus txHostGridLines(txHostGrid *grid, const txStencil *s, const char *call, clError *error);
/* NULL is allowed */
void txHostGridDestroy(txHostGrid *grid);

#endif
