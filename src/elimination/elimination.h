/* What the LU factorization and Gauss-Jordan share beside their panels: options, and which pivots
 * count. */
#ifndef TEXLA_ELIMINATION_ELIMINATION_H
#define TEXLA_ELIMINATION_ELIMINATION_H

#include "elimination/equilibrate.h"

clStatus txEliminationCheck(const char *call, clContext *context,
                            const clEliminationOptions *options);

/* *value <- a norm of A. Blocks. */
clStatus txDenseNormRead(double *value, clNorm norm, const clDense *A);

/* The magnitude up to which pivots of S, the equilibrated A, do not count for its rank; `largest`
 * is max |s_ij|. */
float txEliminationTolerance(const clEliminationOptions *options, const txEquilibration *e,
                             double largest);

/* *rank <- the number of pivots above `tolerance` in the row echelon form of S, by partial pivoting
 * (rref.c). Blocks. */
clStatus txEchelonRank(const char *call, const clDense *S, float tolerance, int *rank);

#endif
