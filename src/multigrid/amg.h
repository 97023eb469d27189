/* Algebraic multigrid: smoothed aggregation (multigrid/aggregation.h), cycles on the device. */
#ifndef TEXLA_MULTIGRID_AMG_H
#define TEXLA_MULTIGRID_AMG_H

#include "matrix/preconditioner.h"
#include "texla/multigrid.h"

typedef struct txAmg txAmg;

/* A is borrowed; host is A on the host, near n x vectors numbers, columns
 * that it nearly maps to zero (NULL: ones); neither is kept. With `coarse_on_host` all levels but
 * the first are computed by the host. Part of a setup: reads back. */
clStatus txAmgCreate(txAmg **out, const clMatrix *A, const clTriplets *host, const double *near,
                     int vectors, clCycle kind, bool coarse_on_host);
/* The same with other values at A's old positions: aggregates stay as long as they suit A, and with
 * them the positions of all coarser matrices, on the host and on the device. A may be another
 * clMatrix of the old layouts. After an error only this or txAmgDestroy may follow. */
clStatus txAmgUpdate(txAmg *amg, const clMatrix *A, const clTriplets *host, const double *near);
/* NULL is allowed */
void txAmgDestroy(txAmg *amg);
int txAmgLevels(const txAmg *amg);

/* z <- M r: one cycle from zero; M is symmetric when A is. Reads nothing back unless the host
 * computes levels. */
clStatus txAmgApply(txAmg *amg, clVector *z, const clVector *r);

/* Owns it. */
txPreconditioner txAmgPreconditioner(txAmg *amg);

#endif
