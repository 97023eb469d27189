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
 * or read tells the others, and everybody's message names it ("rank 2: ..."). A failure in the
 * midst of a computation cannot be told to ranks that wait for a message; it ends all ranks
 * (clClusterEnd) with one line on standard error. So does a lack of memory while ranks tell each
 * other what they will exchange: halos of matrices, levels of multigrid, parts of files.
 *
 * **Ownership, threads, errors** are as in the other headers: who creates destroys; objects belong
 * to the thread that made the cluster; a failed call leaves its outputs as they were.
 * TEXLA_BAD_ARGUMENT, TEXLA_BAD_SHAPE, TEXLA_OUT_OF_MEMORY, TEXLA_TOO_LARGE and TEXLA_DEVICE_ERROR
 * are always possible; comments name others. Messages are in clClusterError.
 *
 * @since 0.2 */
#ifndef TEXLA_MPI_H
#define TEXLA_MPI_H

#include <mpi.h>

#include "texla/context.h"
#include "texla/dense.h"
#include "texla/solver.h"
#include "texla/wave.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Ranks ----------------------------------------------------------------------------------- */

typedef struct clCluster clCluster;

/**
 * Makes a context on each rank of a communicator.
 *
 * The device "rank" (which is also what "auto" and NULL mean here) is the GPU whose number among
 * the node's GPUs is the rank's number on its node, modulo how many there are; without a GPU it is
 * llvmpipe, whose threads are the node's processors divided among the node's ranks (LP_NUM_THREADS,
 * where it is set, decides).
 * @param out      the caller owns it; untouched where the call fails
 * @param comm     duplicated; MPI has been initialized
 * @param options  of each rank's context; NULL: defaults. NULL as the device: $TEXLA_DEVICE
 * @param error    says which rank failed, and why; NULL is allowed */
TEXLA_API clStatus clClusterCreate(clCluster **out, MPI_Comm comm, const clContextOptions *options,
                                   clError *error);
/** Collective; NULL is allowed. */
TEXLA_API void clClusterDestroy(clCluster *cluster);

TEXLA_API int clClusterRank(const clCluster *cluster);
TEXLA_API int clClusterSize(const clCluster *cluster);
/** This rank's context, owned by the cluster. */
TEXLA_API clContext *clClusterContext(const clCluster *cluster);
/** The last error of a call on this cluster; never NULL. */
TEXLA_API const clError *clClusterError(const clCluster *cluster);

/**
 * Tells all ranks whether one has failed.
 * @param status  this rank's
 * @param error   in: this rank's message, if it has failed; out, where any has: "rank N: message"
 *         of the first one
 * @return on all ranks the status of the first that failed (negative), else TEXLA_OK */
TEXLA_API clStatus clClusterAgree(clCluster *cluster, clStatus status, clError *error);
/**
 * Not collective: prints one line, "NAME: rank N: message", on standard error, however many ranks
 * of a node call it, and ends all ranks with the exit status 2. Does not return. NULL as the
 * cluster: MPI_COMM_WORLD. */
TEXLA_API void clClusterEnd(clCluster *cluster, const char *name, const clError *error);

/**
 * What this rank has received from other ranks, and how long it has been inside of MPI. A broadcast
 * counts its length on all ranks but its root, a sum over all ranks its length on every rank (none
 * where there is one rank only). */
typedef struct clTraffic {
  int64_t bytes, messages;
  double seconds;
} clTraffic;
TEXLA_API clTraffic clClusterTraffic(const clCluster *cluster);

/* ---- Dense matrices in blocks ---------------------------------------------------------------- */

/** A square matrix in the two-dimensional block-cyclic layout of ScaLAPACK. */
typedef struct clBlockMatrix clBlockMatrix;

/**
 * Where its entries are. Block (I, J) of block x block entries belongs to the process (I mod
 * grid_rows, J mod grid_cols) of a grid whose process (p, q) is rank p * grid_cols + q (BLACS'
 * row-major grid), and the local blocks stand one after the other. */
typedef struct clBlockLayout {
  int n, block;
  int grid_rows, grid_cols;
  /** this rank's place; -1: it is not part of the grid */
  int grid_row, grid_col;
  /** of its local matrix: numroc; 0: it holds nothing */
  int rows, cols;
} clBlockLayout;

/**
 * *out <- an n x n matrix of zeros.
 * @param block  entries on a side of a block, at least 1; may be larger than n
 * @param grid_rows,grid_cols  the process grid; at most as many processes as ranks; ranks beyond
 *         have nothing to do */
TEXLA_API clStatus clBlockMatrixCreate(clBlockMatrix **out, clCluster *cluster, int n, int block,
                                       int grid_rows, int grid_cols);
/** NULL is allowed. */
TEXLA_API void clBlockMatrixDestroy(clBlockMatrix *A);
TEXLA_API clBlockLayout clBlockMatrixLayout(const clBlockMatrix *A);
/** ScaLAPACK's array descriptor DESC of this rank's part, for a BLACS context of the caller's. */
TEXLA_API void clBlockMatrixDescriptor(const clBlockMatrix *A, int blacs_context, int desc[9]);
/**
 * a_ij <- uniform in [-1, 1), a function of seed, i and j alone: the same matrix in every
 * layout. */
TEXLA_API clStatus clBlockMatrixRandom(clBlockMatrix *A, uint64_t seed);
/**
 * A <- this rank's local array, column after column as ScaLAPACK has it; `lead` is at least the
 * local rows. */
TEXLA_API clStatus clBlockMatrixUpload(clBlockMatrix *A, const double *local, int lead);
/** The same way back. */
TEXLA_API clStatus clBlockMatrixDownload(const clBlockMatrix *A, double *local, int lead);
/**
 * *out <- a matrix from a Matrix Market file, of which each rank reads a part. TEXLA_BAD_FILE,
 * TEXLA_IO_ERROR, TEXLA_BAD_SHAPE. */
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

/** Zero means default. */
typedef struct clBlockPluOptions {
  clBlockPivoting pivoting;
  /** the next panel waits until all of the update is submitted and done */
  bool no_look_ahead;
} clBlockPluOptions;

typedef struct clBlockPluReport {
  /** (2/3 n^3 + 3/2 n^2) / seconds, of the slowest rank */
  double seconds, gflops;
  /** share of the time inside of MPI, mean over the grid's ranks */
  double communication;
  /** bytes on this rank, and what docs/cluster.md's formula says */
  int64_t received, predicted;
  /** the first column without a pivot, counted from 0; -1: none */
  int zero_pivot;
} clBlockPluReport;

/**
 * Factors A. A itself is kept in double for refinement and must outlive the factorization,
 * unchanged.
 * @return TEXLA_OK; TEXLA_RANK_DEFICIENT where a pivot is zero (the factors hold all the same);
 *         TEXLA_SINGULAR for that with pivots from inside of blocks; TEXLA_NOT_FINITE */
TEXLA_API clStatus clBlockPluCreate(clBlockPlu **out, clBlockMatrix *A,
                                    const clBlockPluOptions *options, clBlockPluReport *report);
/** NULL is allowed. */
TEXLA_API void clBlockPluDestroy(clBlockPlu *plu);
/** This rank's part of L (unit, below the diagonal) and U, as clBlockMatrixDownload. */
TEXLA_API clStatus clBlockPluDownload(const clBlockPlu *plu, float *local, int lead);
/**
 * n numbers, on all ranks: in step i, row i changed places with row pivots[i] >= i (LAPACK's IPIV,
 * from 0). */
TEXLA_API const int *clBlockPluPivots(const clBlockPlu *plu);

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
/**
 * x <- A^-1 b: forward and back substitution, then refinement with A in double. x and b hold n
 * numbers, the same on all ranks. TEXLA_SINGULAR where a pivot is zero; TEXLA_NOT_CONVERGED where
 * the correction stops shrinking before the backward error is at most 4e-15; x is the best
 * reached. */
TEXLA_API clStatus clBlockPluSolve(const clBlockPlu *plu, double *x, const double *b,
                                   clBlockSolveReport *report);

/* ---- Sparse matrices, grids ------------------------------------------------------------------ */

/**
 * A square sparse matrix whose rows are spread over the ranks: rectangles of a grid, or contiguous
 * rows. A rank's vectors hold its own elements. Ranks beyond the grid's parts, or the matrix' rows,
 * have one element that stays zero and changes no sum. */
typedef struct clClusterMatrix clClusterMatrix;

/**
 * *out <- Poisson's equation, -1 -1 4 -1 -1 on nx x ny points with u = 0 around them, in px x py
 * rectangles; both 0: those with the shortest rims. Made where it lives. */
TEXLA_API clStatus clClusterPoisson2d(clClusterMatrix **out, clCluster *cluster, int nx, int ny,
                                      int px, int py);
/**
 * *out <- a matrix from a Matrix Market file, in contiguous rows; each rank reads a part of the
 * file and holds its rows. TEXLA_BAD_FILE, TEXLA_IO_ERROR, TEXLA_BAD_SHAPE, TEXLA_NOT_FINITE. */
TEXLA_API clStatus clClusterMatrixRead(clClusterMatrix **out, clCluster *cluster, const char *path);
/** NULL is allowed. */
TEXLA_API void clClusterMatrixDestroy(clClusterMatrix *A);
/** Rows of all ranks together, and of this rank. */
TEXLA_API int64_t clClusterMatrixRows(const clClusterMatrix *A);
TEXLA_API int64_t clClusterMatrixLocal(const clClusterMatrix *A);
/** The number among all rows of one of this rank's; in grids point (i, j) is j * nx + i. */
TEXLA_API int64_t clClusterMatrixNumber(const clClusterMatrix *A, int64_t local);
/** How this rank stores its own columns. */
TEXLA_API const char *clClusterMatrixDescription(const clClusterMatrix *A);
/** A zero vector: this rank's elements. At least one element, see clClusterMatrix. */
TEXLA_API clStatus clClusterMatrixCreateVector(clVector **out, const clClusterMatrix *A);
/** y <- A x. The interior is multiplied while the halo travels. */
TEXLA_API clStatus clClusterMatrixMultiply(clVector *y, const clClusterMatrix *A,
                                           const clVector *x);
/**
 * y <- A x in double, on the host, with the matrix as it was read or made, which stays with A in
 * double from then on.
 * @param y,x  this rank's elements, clClusterMatrixLocal of them; may be the same
 * @since 0.2 */
TEXLA_API clStatus clClusterMatrixMultiplyHost(double *y, clClusterMatrix *A, const double *x);
/**
 * b <- this rank's elements of an n x 1 matrix in a Matrix Market file, n being the rows of A; each
 * rank reads a part of the file. TEXLA_BAD_FILE, TEXLA_IO_ERROR, TEXLA_BAD_SHAPE, TEXLA_NOT_FINITE.
 * @since 0.2 */
TEXLA_API clStatus clClusterVectorRead(double *b, clClusterMatrix *A, const char *path);

/**
 * Solves A x = b from the start value in x, as clSolverSolve: the same iteration, options and
 * reasons. A matrix from a file whose diagonal varies is scaled as clSystemSolve does it: with
 * powers of two R, R A R has a diagonal near 1, and tolerances and residuals of this call are those
 * of R (b - A x) beside R b. clClusterRefine looks at b - A x itself.
 * @param A        of both vectors
 * @param options  cg or bicgstab; no preconditioner, jacobi, mg (grids: a V cycle over all ranks,
 *         whose coarsest grids are gathered on rank 0) or amg (files: one of aggregates, which stay
 *         within ranks). `host` is not needed, max_iterations 0: 10 times all rows
 * @param report   may be NULL; the same on all ranks, but for passes and read-backs
 * @return TEXLA_OK, TEXLA_NOT_CONVERGED, TEXLA_UNSUPPORTED, TEXLA_SINGULAR, TEXLA_BAD_ARGUMENT (cg,
 *         and A is not symmetric: two products with A in double, which stays with it) */
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
/**
 * clClusterSolve with checkpoints; iterations in the report are those of all runs together.
 * @param checkpoint NULL: none
 * @return also TEXLA_IO_ERROR, TEXLA_BAD_FILE, TEXLA_BAD_SHAPE, TEXLA_BAD_ARGUMENT (a checkpoint of
 *         another method) */
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
 * from then on.
 * @param x,b      this rank's elements, clClusterMatrixLocal of them; x is the start value, too
 * @param options  as for clClusterSolve; tolerance 0: 1e-12; max_iterations: of all rounds together
 * @param report   may be NULL; the same on all ranks
 * @return as clClusterSolve, also TEXLA_OUT_OF_MEMORY. x is never worse than at the start
 * @since 0.2 */
TEXLA_API clStatus clClusterRefine(clClusterMatrix *A, double *x, const double *b,
                                   const clSolverOptions *options, clClusterRefineReport *report);
/**
 * clClusterRefine with checkpoints, which hold x in double. A run that goes on from one begins a
 * new correction: another number of ranks, method or preconditioner will do, and so will a file of
 * clClusterSolveFrom or clClusterVectorSave.
 * @param checkpoint NULL: none
 * @return also TEXLA_IO_ERROR, TEXLA_BAD_FILE, TEXLA_BAD_SHAPE
 * @since 0.2 */
TEXLA_API clStatus clClusterRefineFrom(clClusterMatrix *A, double *x, const double *b,
                                       const clSolverOptions *options,
                                       const clClusterCheckpoint *checkpoint,
                                       clClusterRefineReport *report);
/** *residual <- ||b - A x|| / ||b||, in single precision. */
TEXLA_API clStatus clClusterResidual(clClusterMatrix *A, const clVector *x, const clVector *b,
                                     double *residual);

/**
 * Writes x, all ranks at once, in the order of all rows, with a number that stands beside it; what
 * stood in the file stays until all is written. Any number of ranks can read it. TEXLA_IO_ERROR. */
TEXLA_API clStatus clClusterVectorSave(clClusterMatrix *A, const clVector *x, const char *path,
                                       int64_t iterations);
/** The same in double.
 * @param x  this rank's elements, clClusterMatrixLocal of them
 * @since 0.2 */
TEXLA_API clStatus clClusterVectorSaveHost(clClusterMatrix *A, const double *x, const char *path,
                                           int64_t iterations);
/**
 * Reads it, or the x of a checkpoint, rounded where it stands there in double. TEXLA_BAD_FILE,
 * TEXLA_BAD_SHAPE, TEXLA_IO_ERROR. */
TEXLA_API clStatus clClusterVectorLoad(clClusterMatrix *A, clVector *x, const char *path,
                                       int64_t *iterations);
/** all <- the elements of all ranks in their order, on rank 0; elsewhere NULL is fine. */
TEXLA_API clStatus clClusterVectorGather(clClusterMatrix *A, const clVector *x, double *all);

/* ---- Waves ----------------------------------------------------------------------------------- */

/**
 * The explicit wave equation (clWave) on a domain that may be larger than one texture. Each point
 * is, bit for bit, what one process would make of it: the same passes, on rectangles with four
 * points more on the sides where other ranks are. */
typedef struct clClusterWave clClusterWave;
/**
 * *out <- water at rest. The explicit scheme, edges all reflecting or all fixed; TEXLA_UNSUPPORTED
 * else.
 * @param options  of the whole domain: nx, ny, h, c, dt, edge
 * @param px,py    parts along x and y, of at least four points; both 0: strips across the longer
 *         side */
TEXLA_API clStatus clClusterWaveCreate(clClusterWave **out, clCluster *cluster,
                                       const clWaveOptions *options, int px, int py);
/** NULL is allowed. */
TEXLA_API void clClusterWaveDestroy(clClusterWave *wave);
/** A height for point (i, j) of the whole domain: the same on all ranks that ask. */
typedef float (*clWaveHeightAt)(void *user, int64_t i, int64_t j);
/** Starts anew with these heights, at rest. */
TEXLA_API clStatus clClusterWaveUpload(clClusterWave *wave, clWaveHeightAt height, void *user);
/** `count` steps; ranks exchange four rows or columns after every fourth. */
TEXLA_API clStatus clClusterWaveStep(clClusterWave *wave, int64_t count);
/** all <- the heights of the whole domain, row after row, on rank 0; elsewhere NULL is fine. */
TEXLA_API clStatus clClusterWaveGather(clClusterWave *wave, float *all);

#ifdef __cplusplus
}
#endif
#endif
