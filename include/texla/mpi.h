/**
 * @file
 * texla on many processes (B10): one OpenGL context and one device for each rank of an MPI
 * communicator.
 *
 * This header belongs to the companion library texla_mpi; texla.h does not include it, and the
 * library texla knows nothing of MPI.
 *
 * **Collective calls.** All functions that take a clCluster, or an object made from one, are called
 * by all of its ranks in the same order, with the same arguments where a comment does not say
 * otherwise. They return the same status on all ranks: a rank that fails while something is set up
 * or read tells the others, and everybody's message names it ("rank 2: ..."); so does one that
 * lacks memory for what ranks are about to exchange: halos of matrices, levels of multigrid, parts
 * of files. A failure in the midst of a computation (a step of a factorization, an iteration, a
 * cycle) cannot be told to ranks that wait for a message; it ends all ranks
 * (clClusterEnd) with one line on standard error. Getters are not collective.
 *
 * **Ownership, threads, errors** are as in the other headers: who creates destroys; objects belong
 * to the thread that made the cluster, which must outlive them; a failed call leaves its outputs as
 * they were. TEXLA_BAD_ARGUMENT, TEXLA_BAD_SHAPE, TEXLA_OUT_OF_MEMORY, TEXLA_TOO_LARGE and
 * TEXLA_DEVICE_ERROR are always possible; comments name others. Messages are in clClusterError.
 * NULL for an object is TEXLA_BAD_ARGUMENT without a message, at once: all ranks must agree in
 * that, too.
 *
 * @since 0.2, but where a comment says otherwise */
#ifndef TEXLA_MPI_H
#define TEXLA_MPI_H

#include <mpi.h>

#include "texla/context.h"
#include "texla/dense.h"
#include "texla/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Ranks ----------------------------------------------------------------------------------- */

/** The ranks of a communicator, each with its context. */
typedef struct clCluster clCluster;

/** Makes a context on each rank of a communicator. Collective.
 *
 * The device "rank" (which is also what "auto" and NULL mean here) is the GPU whose number among
 * the node's GPUs is the rank's number on its node, modulo how many there are; without a GPU it is
 * llvmpipe, whose threads are those of clClusterProcessors (LP_NUM_THREADS, where it is set,
 * decides). Where the launcher has bound the calling thread to fewer processors than its share of
 * the node's, it is bound to that share instead, unless the launcher's user has asked for a binding
 * (Open MPI tells: mpirun --bind-to core).
 * @param out  the caller owns it; untouched where the call fails
 * @param comm  duplicated; MPI has been initialized
 * @param options  of each rank's context; NULL: defaults. NULL as the device: $TEXLA_DEVICE
 * @param error  says which rank failed, and why; NULL is allowed
 * @return TEXLA_OK, or on all ranks what clContextCreate returned on the first one that failed */
TEXLA_API clStatus clClusterCreate(clCluster **out, MPI_Comm comm, const clContextOptions *options,
                                   clError *error);
/** Ends the contexts of all ranks. Collective.
 * @param cluster  NULL is allowed */
TEXLA_API void clClusterDestroy(clCluster *cluster);

/** This rank's number in the communicator.
 * @param cluster  NULL: 0
 * @return from 0 */
TEXLA_API int clClusterRank(const clCluster *cluster);
/** How many ranks there are.
 * @param cluster  NULL: 0
 * @return at least 1 */
TEXLA_API int clClusterSize(const clCluster *cluster);
/** How many processors a rank uses for what the host computes.
 * @param cluster  NULL: 0
 * @return its share of those that the node's ranks may use together, or what it is bound to by the
 *         user's wish; 0: less than one, so that waiting ranks give theirs to others
 * @since 0.3 */
TEXLA_API int clClusterProcessors(const clCluster *cluster);
/** This rank's context.
 * @param cluster  NULL: NULL
 * @return owned by the cluster */
TEXLA_API clContext *clClusterContext(const clCluster *cluster);
/** The last error of a call on this cluster.
 * @param cluster  NULL: an empty error
 * @return never NULL; valid as long as the cluster, its text until the next failing call */
TEXLA_API const clError *clClusterError(const clCluster *cluster);

/** Tells all ranks whether one has failed.
 * @param cluster  the cluster
 * @param status  this rank's
 * @param error  in: this rank's message, if it has failed; out, where any has: "rank N: message" of
 *         the first one. NULL is allowed
 * @return on all ranks the status of the first that failed (negative), else TEXLA_OK */
TEXLA_API clStatus clClusterAgree(clCluster *cluster, clStatus status, clError *error);
/**
 * Not collective: prints one line, "NAME: rank N: message", on standard error, however many ranks
 * of a node call it, and ends all ranks with the exit status 2. Does not return.
 * @param cluster  NULL: MPI_COMM_WORLD, and no rank is named
 * @param name  the program's
 * @param error  its message is printed; NULL: "failed" */
TEXLA_API void clClusterEnd(clCluster *cluster, const char *name, const clError *error);

/**
 * What this rank has received from other ranks, and how long it has been inside of MPI. A broadcast
 * counts its length on all ranks but its root, a sum over all ranks its length on every rank (none
 * where there is one rank only). */
typedef struct clTraffic {
  /** received, and how many messages */
  int64_t bytes, messages;
  /** inside of MPI */
  double seconds;
} clTraffic;
/** What this rank has received so far. Not collective.
 * @param cluster  NULL: zeros
 * @return the sums since the cluster was made */
TEXLA_API clTraffic clClusterTraffic(const clCluster *cluster);

/* ---- Dense matrices in blocks ---------------------------------------------------------------- */

/** A square matrix in the two-dimensional block-cyclic layout of ScaLAPACK. */
typedef struct clBlockMatrix clBlockMatrix;

/**
 * Where its entries are. Block (I, J) of block x block entries belongs to the process (I mod
 * grid_rows, J mod grid_cols) of a grid whose process (p, q) is rank p * grid_cols + q (BLACS'
 * row-major grid), and the local blocks stand one after the other. */
typedef struct clBlockLayout {
  /** rows and columns of the matrix; entries on a side of a block */
  int n, block;
  /** of the process grid */
  int grid_rows, grid_cols;
  /** this rank's place; -1: it is not part of the grid */
  int grid_row, grid_col;
  /** of its local matrix: ScaLAPACK's numroc; 0: it holds nothing */
  int rows, cols;
} clBlockLayout;

/** A matrix of zeros.
 * @param out  the caller owns it; untouched where the call fails
 * @param cluster  whose ranks hold it; must outlive it
 * @param n  rows and columns, at least 1
 * @param block  entries on a side of a block (ScaLAPACK's MB = NB), at least 1; may be larger than
 *         n
 * @param grid_rows,grid_cols  the process grid; at most as many processes as ranks; ranks beyond
 *         have nothing to do
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clBlockMatrixCreate(clBlockMatrix **out, clCluster *cluster, int n, int block,
                                       int grid_rows, int grid_cols);
/** Ends a matrix. Collective.
 * @param A  NULL is allowed */
TEXLA_API void clBlockMatrixDestroy(clBlockMatrix *A);
/** Where its entries are.
 * @param A  NULL: sizes 0, no place in a grid
 * @return this rank's view of the layout */
TEXLA_API clBlockLayout clBlockMatrixLayout(const clBlockMatrix *A);
/** ScaLAPACK's array descriptor DESC of this rank's part.
 * @param A  not NULL
 * @param blacs_context  the caller's; -1 takes its place on ranks that are not part of the grid
 * @param desc  <- DTYPE, CTXT, M, N, MB, NB, RSRC, CSRC, LLD */
TEXLA_API void clBlockMatrixDescriptor(const clBlockMatrix *A, int blacs_context, int desc[9]);
/** a_ij <- uniform in [-1, 1), a function of seed, i and j alone: the same matrix in every layout.
 * @param A  the destination
 * @param seed  chooses the numbers
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT */
TEXLA_API clStatus clBlockMatrixRandom(clBlockMatrix *A, uint64_t seed);
/** A <- this rank's local array, column after column as ScaLAPACK has it.
 * @param A  the destination
 * @param local  this rank's part; NULL is allowed where that is empty
 * @param lead  numbers from one column to the next (LLD), at least the local rows
 * @return TEXLA_OK, TEXLA_NOT_FINITE (an entry that is NaN, Inf or beyond single precision, with
 *         its local place), or what the top of this file lists */
TEXLA_API clStatus clBlockMatrixUpload(clBlockMatrix *A, const double *local, int lead);
/** This rank's local array <- A, likewise. Not collective: each rank may call it alone.
 * @param A  the source
 * @param local  <- this rank's part; NULL is allowed where that is empty
 * @param lead  numbers from one column to the next, at least the local rows
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT */
TEXLA_API clStatus clBlockMatrixDownload(const clBlockMatrix *A, double *local, int lead);
/** A matrix from a Matrix Market file, of which each rank reads a part.
 * @param out  the caller owns it; untouched where the call fails
 * @param cluster  whose ranks hold it; must outlive it
 * @param path  a file that all ranks can read
 * @param block  as clBlockMatrixCreate
 * @param grid_rows,grid_cols  as clBlockMatrixCreate
 * @return TEXLA_OK, TEXLA_BAD_FILE, TEXLA_IO_ERROR, TEXLA_BAD_SHAPE (not square), or what the top
 *         of this file lists */
TEXLA_API clStatus clBlockMatrixRead(clBlockMatrix **out, clCluster *cluster, const char *path,
                                     int block, int grid_rows, int grid_cols);

/** P A = L U on all ranks. */
typedef struct clBlockPlu clBlockPlu;

/** Among which rows a pivot is searched. */
typedef enum clBlockPivoting {
  /** all rows that are left, on all ranks: true partial pivoting */
  TEXLA_BLOCK_PIVOT_PARTIAL,
  /**
   * the white paper's: the rows of the diagonal block. Some regular matrices have no such
   * factors */
  TEXLA_BLOCK_PIVOT_INSIDE
} clBlockPivoting;

/** How a matrix is factored. Zero means default. */
typedef struct clBlockPluOptions {
  /** among which rows pivots are searched */
  clBlockPivoting pivoting;
  /** the next panel waits until all of the update is submitted and done */
  bool no_look_ahead;
} clBlockPluOptions;

/** What a factorization took. */
typedef struct clBlockPluReport {
  /** of the slowest rank; and (2/3 n^3 + 3/2 n^2) / seconds, in 1e9 (HPL's count) */
  double seconds, gflops;
  /** share of the time inside of MPI, mean over the grid's ranks */
  double communication;
  /** bytes that this rank received, and what docs/cluster.md's formula says */
  int64_t received, predicted;
  /** the first column without a pivot, counted from 0; -1: none */
  int zero_pivot;
} clBlockPluReport;

/** Factors A: P A = L U. Blocks.
 * @param out  the caller owns it; untouched where the call fails
 * @param A  kept in double for refinement: must outlive the factorization, unchanged
 * @param options  NULL: defaults
 * @param report  <- what it took; NULL is allowed
 * @return TEXLA_OK; TEXLA_RANK_DEFICIENT where a pivot is zero (the factors hold all the same);
 *         TEXLA_SINGULAR for that with pivots from inside of blocks; TEXLA_NOT_FINITE; or what the
 *         top of this file lists */
TEXLA_API clStatus clBlockPluCreate(clBlockPlu **out, clBlockMatrix *A,
                                    const clBlockPluOptions *options, clBlockPluReport *report);
/** Ends a factorization; A stays.
 * @param plu  NULL is allowed */
TEXLA_API void clBlockPluDestroy(clBlockPlu *plu);
/**
 * This rank's part of L (unit, below the diagonal) and U, as clBlockMatrixDownload. Not collective.
 * @param plu  the factorization
 * @param local  <- this rank's part; NULL is allowed where that is empty
 * @param lead  numbers from one column to the next, at least the local rows
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT */
TEXLA_API clStatus clBlockPluDownload(const clBlockPlu *plu, float *local, int lead);
/**
 * The exchanges of rows: in step i, row i changed places with row pivots[i] >= i (LAPACK's IPIV,
 * from 0).
 * @param plu  NULL: NULL
 * @return n numbers, on all ranks, owned by the factorization */
TEXLA_API const int *clBlockPluPivots(const clBlockPlu *plu);

/** What a solution has reached. */
typedef struct clBlockSolveReport {
  /** of refinement */
  int iterations;
  /** ||b - A x||_2 / ||b||_2 */
  double residual;
  /** max_i |b - A x|_i / (|A| |x| + |b|)_i */
  double backward_error;
  /** HPL's scaled residual of the first solution, with eps = 2^-24; below 16 is a pass */
  double hpl_single;
  /** of the refined one, with eps = 2^-53 */
  double hpl;
} clBlockSolveReport;
/** x <- A^-1 b: forward and back substitution, then refinement with A in double. Blocks.
 * @param plu  the factorization
 * @param x  <- n numbers, the same on all ranks
 * @param b  n numbers, the same on all ranks; not x
 * @param report  <- what was reached; NULL is allowed
 * @return TEXLA_OK; TEXLA_SINGULAR where a pivot is zero; TEXLA_NOT_CONVERGED where the correction
 *         stops shrinking before the backward error is at most 4e-15: x is the best reached; or
 *         what the top of this file lists */
TEXLA_API clStatus clBlockPluSolve(const clBlockPlu *plu, double *x, const double *b,
                                   clBlockSolveReport *report);

/* ---- Sparse matrices, grids ------------------------------------------------------------------ */

/**
 * A square sparse matrix whose rows are spread over the ranks: rectangles of a grid, or contiguous
 * rows. A rank's vectors hold its own elements. Ranks beyond the grid's parts, or the matrix' rows,
 * have one element that stays zero and changes no sum. */
typedef struct clClusterMatrix clClusterMatrix;

/** Poisson's equation, -1 -1 4 -1 -1 on nx x ny points with u = 0 around them. Made where it lives.
 * @param out  the caller owns it; untouched where the call fails
 * @param cluster  whose ranks hold it; must outlive it
 * @param nx,ny  points along both axes, at least 1
 * @param px,py  rectangles along both axes, at most as many as ranks; both 0: those with the
 *         shortest rims
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clClusterPoisson2d(clClusterMatrix **out, clCluster *cluster, int nx, int ny,
                                      int px, int py);
/**
 * A matrix from a Matrix Market file, in contiguous rows; each rank reads a part of the file and
 * holds its rows.
 * @param out  the caller owns it; untouched where the call fails
 * @param cluster  whose ranks hold it; must outlive it
 * @param path  a file that all ranks can read
 * @return TEXLA_OK, TEXLA_BAD_FILE, TEXLA_IO_ERROR, TEXLA_BAD_SHAPE (not square), TEXLA_NOT_FINITE,
 *         or what the top of this file lists */
TEXLA_API clStatus clClusterMatrixRead(clClusterMatrix **out, clCluster *cluster, const char *path);
/** Ends a matrix.
 * @param A  NULL is allowed */
TEXLA_API void clClusterMatrixDestroy(clClusterMatrix *A);
/** Rows of all ranks together.
 * @param A  NULL: 0
 * @return how many */
TEXLA_API int64_t clClusterMatrixRows(const clClusterMatrix *A);
/** Rows of this rank.
 * @param A  NULL: 0
 * @return how many; 0 on ranks that have nothing to do */
TEXLA_API int64_t clClusterMatrixLocal(const clClusterMatrix *A);
/** The number among all rows of one of this rank's; in grids point (i, j) is j * nx + i.
 * @param A  not NULL
 * @param local  from 0, below clClusterMatrixLocal(A)
 * @return from 0 */
TEXLA_API int64_t clClusterMatrixNumber(const clClusterMatrix *A, int64_t local);
/** How this rank stores its own columns.
 * @param A  NULL: an empty text
 * @return one line, valid as long as A */
TEXLA_API const char *clClusterMatrixDescription(const clClusterMatrix *A);
/** A zero vector: this rank's elements. At least one element, see clClusterMatrix.
 * @param out  the caller owns it; untouched where the call fails
 * @param A  for whose products it is
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clClusterMatrixCreateVector(clVector **out, const clClusterMatrix *A);
/** y <- A x (a distributed SpMV). Collective: all ranks tell the same status, and where one of them
 * fails before elements are exchanged none waits for it.
 * @param y  this rank's elements, from clClusterMatrixCreateVector; unknown after a failure
 * @param A  the matrix, whose buffers the exchange fills
 * @param x  likewise; not y
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clClusterMatrixMultiply(clVector *y, clClusterMatrix *A, const clVector *x);
/**
 * y <- A x in double, on the host, with the matrix as it was read or made, which stays with A in
 * double from then on.
 * @param y  <- this rank's elements, clClusterMatrixLocal of them; may be x
 * @param A  the matrix
 * @param x  as many
 * @return TEXLA_OK, or what the top of this file lists
 * @since 0.3 */
TEXLA_API clStatus clClusterMatrixMultiplyHost(double *y, clClusterMatrix *A, const double *x);
/**
 * b <- this rank's elements of an n x 1 matrix in a Matrix Market file; each rank reads a part of
 * the file.
 * @param b  <- clClusterMatrixLocal numbers
 * @param A  with n rows
 * @param path  a file that all ranks can read
 * @return TEXLA_OK, TEXLA_BAD_FILE, TEXLA_IO_ERROR, TEXLA_BAD_SHAPE (not n x 1), TEXLA_NOT_FINITE,
 *         or what the top of this file lists
 * @since 0.3 */
TEXLA_API clStatus clClusterVectorRead(double *b, clClusterMatrix *A, const char *path);

/**
 * Solves A x = b from the start value in x, as clSolverSolve: the same iteration, options and
 * reasons. A matrix from a file whose diagonal varies is scaled as clSystemSolve does it: with
 * powers of two R, R A R has a diagonal near 1, and tolerances and residuals of this call are those
 * of R (b - A x) beside R b. clClusterRefine looks at b - A x itself. Blocks.
 * @param A  of both vectors
 * @param x  this rank's elements; in: start value, out: the solution. Not b
 * @param b  this rank's elements
 * @param options  cg or bicgstab; no preconditioner, jacobi, mg (grids: a V cycle over all ranks,
 *         whose coarsest grids are gathered on rank 0) or amg (files: one of aggregates, which stay
 *         within ranks). `host` is not needed, max_iterations 0: 10 times all rows. NULL: defaults
 * @param report  <- what came of it; NULL is allowed; the same on all ranks, but for passes and
 *         read-backs
 * @return TEXLA_OK, TEXLA_NOT_CONVERGED, TEXLA_UNSUPPORTED, TEXLA_SINGULAR, TEXLA_BAD_ARGUMENT (cg,
 *         and A is not symmetric: two products with A in double, which stays with it), or what the
 *         top of this file lists */
TEXLA_API clStatus clClusterSolve(clClusterMatrix *A, clVector *x, const clVector *b,
                                  const clSolverOptions *options, clSolverReport *report);
/**
 * Checkpoints of a solve, which can go on from them as if it had not been interrupted: x, the
 * vectors of the method and its scalars, bit for bit. On as many ranks the iterations are the same
 * then, on another number within rounding. */
typedef struct clClusterCheckpoint {
  /**
   * the file that is written from time to time; what stood there stays until all is written. NULL:
   * none */
  const char *save;
  /** iterations between two, at least; 0: 100 */
  int64_t every;
  /**
   * a file to go on from, of the same method and preconditioner; x then needs no start value. NULL:
   * none */
  const char *restart;
} clClusterCheckpoint;
/** clClusterSolve with checkpoints; iterations in the report are those of all runs together.
 * @param A  of both vectors
 * @param x  as clClusterSolve; overwritten where a checkpoint is read
 * @param b  this rank's elements
 * @param options  as clClusterSolve
 * @param checkpoint  NULL: none
 * @param report  <- what came of it; NULL is allowed
 * @return as clClusterSolve; also TEXLA_IO_ERROR, TEXLA_BAD_FILE, TEXLA_BAD_SHAPE,
 *         TEXLA_BAD_ARGUMENT (a checkpoint of another method) */
TEXLA_API clStatus clClusterSolveFrom(clClusterMatrix *A, clVector *x, const clVector *b,
                                      const clSolverOptions *options,
                                      const clClusterCheckpoint *checkpoint,
                                      clSolverReport *report);
/** What came of a refinement. */
typedef struct clClusterRefineReport {
  /** converged: the residual in double is small enough; stagnated: a round no longer helped */
  clReason reason;
  /** corrections from single precision */
  int rounds;
  /** of all of them, and of the runs before this one (clClusterRefineFrom) */
  int64_t iterations;
  /** ||b - A x|| / ||b||, the true one, in double */
  double residual;
} clClusterRefineReport;
/**
 * Solves A x = b to double accuracy: residuals are computed in double, with the matrix as it was
 * read or made, and corrected in single precision, until ||b - A x|| <= tolerance ||b||.
 * Corrections are search directions (GCR), as in clSystemSolve. The matrix in double stays with A
 * from then on. Blocks.
 * @param A  the matrix
 * @param x  this rank's elements, clClusterMatrixLocal of them; in: start value, out: the solution
 * @param b  this rank's elements
 * @param options  as for clClusterSolve; tolerance 0: 1e-12; max_iterations: of all rounds together
 * @param report  <- what came of it; NULL is allowed; the same on all ranks
 * @return as clClusterSolve, also TEXLA_OUT_OF_MEMORY. x is never worse than at the start
 * @since 0.3 */
TEXLA_API clStatus clClusterRefine(clClusterMatrix *A, double *x, const double *b,
                                   const clSolverOptions *options, clClusterRefineReport *report);
/**
 * clClusterRefine with checkpoints, which hold x in double. A run that goes on from one begins a
 * new correction: another number of ranks, method or preconditioner will do, and so will a file of
 * clClusterSolveFrom or clClusterVectorSave.
 * @param A  the matrix
 * @param x  this rank's elements; in: start value, out: the solution
 * @param b  this rank's elements
 * @param options  as clClusterRefine
 * @param checkpoint  NULL: none
 * @param report  <- what came of it; NULL is allowed
 * @return as clClusterRefine; also TEXLA_IO_ERROR, TEXLA_BAD_FILE, TEXLA_BAD_SHAPE
 * @since 0.3 */
TEXLA_API clStatus clClusterRefineFrom(clClusterMatrix *A, double *x, const double *b,
                                       const clSolverOptions *options,
                                       const clClusterCheckpoint *checkpoint,
                                       clClusterRefineReport *report);
/** *residual <- ||b - A x|| / ||b||, in single precision. Blocks.
 * @param A  the matrix
 * @param x  this rank's elements
 * @param b  this rank's elements
 * @param residual  <- the same on all ranks
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clClusterResidual(clClusterMatrix *A, const clVector *x, const clVector *b,
                                     double *residual);

/**
 * Writes x, all ranks at once, in the order of all rows, with a number that stands beside it; what
 * stood in the file stays until all is written. Any number of ranks can read it.
 * @param A  whose rows they are
 * @param x  this rank's elements
 * @param path  a file that all ranks can write
 * @param iterations  the number that stands beside it
 * @return TEXLA_OK, TEXLA_IO_ERROR, or what the top of this file lists */
TEXLA_API clStatus clClusterVectorSave(clClusterMatrix *A, const clVector *x, const char *path,
                                       int64_t iterations);
/** As clClusterVectorSave, in double.
 * @param A  whose rows they are
 * @param x  this rank's elements, clClusterMatrixLocal of them
 * @param path  a file that all ranks can write
 * @param iterations  the number that stands beside it
 * @return as clClusterVectorSave
 * @since 0.3 */
TEXLA_API clStatus clClusterVectorSaveHost(clClusterMatrix *A, const double *x, const char *path,
                                           int64_t iterations);
/** Reads it, or the x of a checkpoint, rounded where it stands there in double.
 * @param A  whose rows they are
 * @param x  <- this rank's elements
 * @param path  a file that all ranks can read
 * @param iterations  <- the number that stands beside it; NULL is allowed
 * @return TEXLA_OK, TEXLA_BAD_FILE, TEXLA_BAD_SHAPE, TEXLA_IO_ERROR, or what the top of this file
 *         lists */
TEXLA_API clStatus clClusterVectorLoad(clClusterMatrix *A, clVector *x, const char *path,
                                       int64_t *iterations);
/** all <- the elements of all ranks in their order, on rank 0.
 * @param A  whose rows they are
 * @param x  this rank's elements
 * @param all  <- clClusterMatrixRows numbers on rank 0; elsewhere NULL is fine
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT */
TEXLA_API clStatus clClusterVectorGather(clClusterMatrix *A, const clVector *x, double *all);

#ifdef __cplusplus
}
#endif
#endif
