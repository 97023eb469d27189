/* Incomplete factorizations ILU(0) and IC(0) by fixed-point sweeps (Chow and Patel 2015), applied
 * by Jacobi sweeps.
 *
 * A is approximated by L U on its own pattern: L lower triangular, U upper triangular with ones on
 * its diagonal, and
 *     l_ij <- a_ij - sum of l_ik u_kj                 i >= j
 *     u_ij <- (a_ij - sum of l_ik u_kj) / l_ii        i <  j
 * for the entries (i, j) of A, the sums over those k < min(i, j) for which both (i, k) and (k, j)
 * are entries. Every sweep computes all entries at once from those of the sweep before; a few
 * sweeps are as good a preconditioner as the exact factors.
 *
 * With L = (1 + E) D and U = 1 + F, where E and F have zero diagonals, z = U^-1 L^-1 r is
 *     w <- r - E w  a few times,  y = D^-1 w,  z <- y - F z  a few times
 * from w = r and z = y: each step a product with a matrix. For a symmetric A F = E^T, and M is
 * symmetric as well. */
#ifndef TEXLA_KRYLOV_INCOMPLETE_H
#define TEXLA_KRYLOV_INCOMPLETE_H

#include "matrix/preconditioner.h"

/* `symmetric` asks for IC(0), of a symmetric A only: the pivots must be positive, and the diagonal
 * is enlarged until they are. `triangle_sweeps` are those of each triangle in an application. 0
 * stands for TX_FACTOR_SWEEPS and TX_TRIANGLE_SWEEPS. */
typedef struct txIncompleteOptions {
  bool symmetric;
  int factor_sweeps;
  int triangle_sweeps;
} txIncompleteOptions;
enum { TX_FACTOR_SWEEPS = 8, TX_TRIANGLE_SWEEPS = 4 };

/* M for A, of which `host` is the copy on the host (compressed); it is not kept. Part of a setup:
 * reads back. TEXLA_SINGULAR where a diagonal entry is missing or a pivot is zero or not finite. */
clStatus txIncompleteCreate(txPreconditioner *out, const clMatrix *A, const clTriplets *host,
                            const txIncompleteOptions *options);

/* The factors themselves, entry by entry of `host` (l_ij on and below the diagonal, u_ij above it)
 * with the diagonal of A multiplied by 1 + shift: for setups and tests. */
clStatus txIncompleteFactor(double *z, clContext *context, const clTriplets *host, int sweeps,
                            double shift);

#endif
