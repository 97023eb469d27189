/* Solvers over all ranks, for those who bring the vectors in the right scale. */
#ifndef TEXLA_MPI_SOLVE_H
#define TEXLA_MPI_SOLVE_H

#include "krylov/frame.h"
#include "mpi/matrix.h"

/* *out <- a solver for R A R as the device has it, with the preconditioner that the options ask
 * for, sums over all ranks, and at most 10 times all rows as many iterations where the options do
 * not say. Collective. */
clStatus txClusterSolverCreate(clSolver **out, clClusterMatrix *A, const clSolverOptions *options);

#endif
