/* Smoothed aggregation on the host, in double (Vanek, Mandel and Brezina 1996): what algebraic multigrid is set up from. */
#ifndef TEXLA_SOLVERS_AGGREGATION_H
#define TEXLA_SOLVERS_AGGREGATION_H

#include "core/error.h"
#include "texla/triplets.h"

/* A coarser matrix and the way to it. */
typedef struct txCoarsening {
  clTriplets *P, *R; /* prolongation, and its transpose */
  clTriplets *A;     /* R A P */
  double *near;      /* what A nearly maps to zero */
} txCoarsening;

/* Aggregates unknowns that are coupled by |a_ij| > theta sqrt(|a_ii a_jj|), lets P reproduce `near` on them, and smooths it by a Jacobi
 * step: P = (I - 4 / (3 largest) D^-1 A') T, where A' has weak entries moved to the diagonal and `largest` bounds the eigenvalues of
 * D^-1 A. P is NULL, and all else, when nothing could be aggregated. */
clStatus txCoarsen(txCoarsening *out, const clTriplets *A, const double *near, double theta, double largest,
                   clError *error);
void txCoarseningDestroy(txCoarsening *coarsening);

/* *out <- A B, compressed */
clStatus txTripletsProduct(clTriplets **out, const clTriplets *A, const clTriplets *B, clError *error);

/* a, n x n by rows, <- its inverse, or where it is singular a generalized inverse of the part whose pivots are larger than `tolerance`
 * times the first one. Returns the rank, or -1 when there is no memory. */
int txInvert(double *a, int n, double tolerance);

#endif
