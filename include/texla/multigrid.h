/**
 * @file
 * Geometric multigrid (K12) for matrices that come from a grid: five- and nine-point stencils, any
 * size, any boundary.
 *
 * Everything is taken from the matrix: coarse matrices are Galerkin products P^T A P, interpolation
 * weights come from the rows (Dendy's black box multigrid), so that coefficients may jump,
 * boundaries may be Dirichlet, Neumann, periodic or mixed, and sizes odd, even or prime. Strong
 * coupling along one axis (anisotropy) is met by coarsening only that axis; where its axis changes
 * over the grid, smoothers solve for whole lines along both. A matrix whose rows sum to zero
 * (Neumann, periodic) is singular: the constant is projected out.
 *
 * V cycles converge as fast on large grids as on small ones; where coefficients jump by orders of
 * magnitude over many cells, W or F cycles, or multigrid as a preconditioner, are the safer choice.
 * The mathematics and measured rates: docs/multigrid.md.
 *
 * A cycle is a fixed list of passes: unless levels are on the host (host_points), it reads nothing
 * back. Vectors are grids (clVectorCreateGrid) of nx * ny.
 *
 * Errors: TEXLA_BAD_ARGUMENT (NULL, an option out of range, x and b one vector), TEXLA_BAD_SHAPE (a
 * vector is not such a grid; A is no stencil), TEXLA_FOREIGN_CONTEXT, TEXLA_OUT_OF_MEMORY,
 * TEXLA_TOO_LARGE. The message is in the context (clContextError). A call that is refused leaves
 * its outputs as they were. A clMultigrid belongs to its context's thread.
 *
 * Ownership: who creates destroys. Matrices and options are not kept; what getters return is the
 * clMultigrid's.
 *
 * Waiting: clMultigridSolve blocks, cycles where levels are on the host.
 *
 * @since 0.1, but where a comment says otherwise */
#ifndef TEXLA_MULTIGRID_H
#define TEXLA_MULTIGRID_H

#include "texla/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * What removes the error that a coarser grid does not see. With D the diagonal of A, a sweep is x
 * <- x + w D^-1 (b - A x); over lines (clLineSmoothing) it has their matrix in place of D. */
typedef enum clSmoother {
  /** 1 / w are the roots of the Chebyshev polynomial whose degree is the number of sweeps */
  TEXLA_SMOOTHER_CHEBYSHEV,
  /** w = damping; 2/3 over lines */
  TEXLA_SMOOTHER_JACOBI,
  /**
   * Gauss-Seidel in two colours, where corners are coupled in four; over lines every other line
   * (zebra) */
  TEXLA_SMOOTHER_RED_BLACK,
  /**
   * where A has five points, the same everywhere: on the finest grid one red-black sweep before and
   * after, with the colours in textures of half the size; on the others Chebyshev before, one sweep
   * after. Elsewhere Chebyshev. The fastest cycles, but as a preconditioner not symmetric */
  TEXLA_SMOOTHER_HALVES
} clSmoother;

/** How a grid and the next coarser one exchange residuals and corrections. */
typedef enum clTransfer {
  /** passes written for the purpose, weights from the matrix */
  TEXLA_TRANSFER_STENCIL,
  /** the same weights as a sparse matrix and its transpose (slow; for comparison) */
  TEXLA_TRANSFER_MATRIX,
  /**
   * the device's bilinear filter (K13): halves and quarters whatever the matrix says;
   * TEXLA_UNSUPPORTED where the device has no exact one */
  TEXLA_TRANSFER_FILTER
} clTransfer;

/** Where coarse matrices with varying coefficients are multiplied out. */
typedef enum clMultigridSetup {
  /** large ones on the device, unless the host's processors run its shaders */
  TEXLA_SETUP_AUTO,
  /** in double precision */
  TEXLA_SETUP_HOST,
  /** stencil in, stencil out, in single precision */
  TEXLA_SETUP_DEVICE
} clMultigridSetup;

/**
 * Whether smoothers solve for whole lines of the grid: a sweep takes all lines along y, then all
 * lines along x. Both axes are coarsened then. @since 0.2 */
typedef enum clLineSmoothing {
  /**
   * where the direction of strong coupling changes over the grid: fewer than 98 % of the points
   * agree whether they are coupled 8 times as strongly along x, along y, or neither. Not with
   * full_coarsening */
  TEXLA_LINES_AUTO,
  TEXLA_LINES_NEVER,
  TEXLA_LINES_ALWAYS
} clLineSmoothing;

/** Zero means default. */
typedef struct clMultigridOptions {
  /** zero: V */
  clCycle cycle;
  /** zero: Chebyshev */
  clSmoother smoother;
  /** zero: by stencils */
  clTransfer transfer;
  /** zero: where it is needed */
  clLineSmoothing lines;
  /**
   * sweeps before and after the coarse correction; 0: 2, over lines 1; negative: none; at most 8 */
  int pre, post;
  /** of Jacobi over points; 0: 0.8 */
  float damping;
  /** clMultigridSolve starts with full multigrid instead of the x given */
  bool full;
  /** always halve both axes, whatever the coupling */
  bool full_coarsening;
  /** where coarse matrices are made */
  clMultigridSetup setup;
  /** grids of at most so many points are solved by a dense inverse; 0: 256, at most 1024 */
  int coarsest;
  /**
   * levels of at most so many points, but the finest, are computed on the host, for which each
   * cycle waits: worth while on a software renderer, where small passes are dear; 0: none. The
   * solvers of solver.h choose it by what the device was measured to be */
  int host_points;
} clMultigridOptions;

/** The grids of one matrix: create / cycle, apply or solve / destroy. */
typedef struct clMultigrid clMultigrid;

/** Sets up cycles for a matrix on a grid of nx * ny points.
 * @param out  the caller owns it; untouched where the call fails
 * @param context  where its vectors will be
 * @param A  nx ny rows and columns, row j nx + i for point (i, j), which is coupled with its eight
 *         neighbours at most, around the ends of an axis too (TEXLA_BAD_SHAPE names an entry that
 *         does not fit); no diagonal entry may be zero (TEXLA_SINGULAR). It is not kept
 * @param nx,  ny  at least 1
 * @param options  NULL: defaults
 * @return TEXLA_OK, TEXLA_SINGULAR, TEXLA_UNSUPPORTED (the transfer), or what the top of this file
 *         lists */
TEXLA_API clStatus clMultigridCreate(clMultigrid **out, clContext *context, const clTriplets *A,
                                     int nx, int ny, const clMultigridOptions *options);
/** Ends a clMultigrid.
 * @param multigrid  NULL is allowed */
TEXLA_API void clMultigridDestroy(clMultigrid *multigrid);

/** One cycle for A x = b: x <- x + M (b - A x). Does not wait, but for levels on the host.
 * @param multigrid  of A
 * @param x  the iterate; not b
 * @param b  the right-hand side; stays
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clMultigridCycle(clMultigrid *multigrid, clVector *x, const clVector *b);
/**
 * z <- M r: one cycle from zero, with the smoothing afterwards reversed. M is symmetric when A is
 * and pre = post, unless the smoother is TEXLA_SMOOTHER_HALVES: a preconditioner for conjugate
 * gradients.
 * @param multigrid  of A
 * @param z  the correction; not r
 * @param r  the residual; stays
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clMultigridApply(clMultigrid *multigrid, clVector *z, const clVector *r);
/**
 * Full multigrid (FMG): x <- a solution of A x = b as good as one cycle on each grid, from the
 * coarsest up, makes it.
 * @param multigrid  of A
 * @param x  the solution; what it held does not matter. Not b
 * @param b  the right-hand side; stays
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clMultigridStart(clMultigrid *multigrid, clVector *x, const clVector *b);

/**
 * Cycles until a tolerance is met. Blocking.
 * @param multigrid  of A
 * @param x          in: where to start (unless the option `full` is set); out: the solution. Of a
 *         singular A it has mean zero
 * @param b          the right-hand side. Of a singular A its mean is left out
 * @param options    as for clSolverSolve; method, preconditioner and damping are ignored,
 *         max_iterations 0: 100. NULL: defaults
 * @param report     how it ended; NULL: not wanted
 * @return TEXLA_OK, or TEXLA_NOT_CONVERGED for all other ends than the tolerance */
TEXLA_API clStatus clMultigridSolve(clMultigrid *multigrid, clVector *x, const clVector *b,
                                    const clSolverOptions *options, clSolverReport *report);

/** How many grids there are.
 * @param multigrid  NULL: 0
 * @return levels, the finest one and the coarsest included */
TEXLA_API int clMultigridLevels(const clMultigrid *multigrid);
/** Grids, smoother, cycle in one line.
 * @param multigrid  NULL: an empty text
 * @return a text that lives as long as `multigrid` */
TEXLA_API const char *clMultigridDescription(const clMultigrid *multigrid);

#ifdef __cplusplus
}
#endif
#endif
