/* Transfers between a grid and the next coarser one by the device's bilinear filter (K13). */
#ifndef TEXLA_MULTIGRID_FILTER_H
#define TEXLA_MULTIGRID_FILTER_H

#include "multigrid/grid.h"

/* What txGridRestrict and txGridProlong do, when A's weights are bilinear. */
clStatus txFilterRestrict(const char *call, clVector *y, const txGrid *A, const txGrid *coarse,
                          const clVector *r);
clStatus txFilterProlong(const char *call, clVector *x, const txGrid *A, const txGrid *coarse,
                         const clVector *e, bool start);

#endif
