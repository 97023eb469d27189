/* The inverse of a small dense matrix on the host, in double: what coarsest levels solve with. */
#ifndef TEXLA_MULTIGRID_HOST_INVERSE_H
#define TEXLA_MULTIGRID_HOST_INVERSE_H

#include "texla/status.h"

/* a, n x n by rows, <- its inverse, by Gauss-Jordan elimination in place. With a tolerance of 0
 * each column's pivot is its largest entry (partial pivoting); else pivots are the largest of all
 * that is left (complete pivoting), and of a singular matrix those larger than `tolerance` times
 * the first one count: `a` becomes a generalized inverse. *rank <- how many pivots there were: n
 * where there is an inverse. */
clStatus txInvert(double *a, int n, double tolerance, int *rank, const char *call, clError *error);

#endif
