/* Geometric multigrid (K12) for matrices that come from a grid: five- and nine-point stencils, any size, any boundary.
 *
 * Everything is taken from the matrix: coarse matrices are Galerkin products P^T A P, interpolation weights come from the
 * rows (Dendy's black box multigrid), so that coefficients may jump, boundaries may be Dirichlet, Neumann, periodic or
 * mixed, and sizes odd, even or prime. Strong coupling along one axis (anisotropy) is met by coarsening only that axis.
 * A matrix whose rows sum to zero (Neumann, periodic) is singular: the constant is projected out.
 *
 * V cycles converge as fast on large grids as on small ones; where coefficients jump by orders of magnitude over many cells,
 * W or F cycles, or multigrid as a preconditioner, are the safer choice.
 *
 * A cycle is a fixed list of passes: unless levels are on the host (host_points), it reads nothing back. The vectors are in the grid
 * layout (clVectorCreateGrid). */
#ifndef TEXLA_MULTIGRID_H
#define TEXLA_MULTIGRID_H

#include "texla/solvers.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum clSmoother {
  TEXLA_SMOOTHER_CHEBYSHEV, /* Jacobi sweeps damped by the roots of the polynomial whose degree is their number */
  TEXLA_SMOOTHER_JACOBI,
  TEXLA_SMOOTHER_RED_BLACK, /* Gauss-Seidel in two colours, where corners are coupled in four */
  TEXLA_SMOOTHER_HALVES /* where A has five points, the same everywhere: on the finest grid one red-black sweep before and after, with
                           the colours in textures of half the size; on the others Chebyshev before, one sweep after. Elsewhere
                           Chebyshev. The fastest cycles, but as a preconditioner not symmetric */
} clSmoother;

typedef enum clTransfer {
  TEXLA_TRANSFER_STENCIL, /* passes written for the purpose, weights from the matrix */
  TEXLA_TRANSFER_MATRIX,  /* the same weights as a sparse matrix and its transpose (slow; for comparison) */
  TEXLA_TRANSFER_FILTER   /* the device's bilinear filter (K13): halves and quarters whatever the matrix says */
} clTransfer;

/* Where coarse matrices with varying coefficients are multiplied out. */
typedef enum clMultigridSetup {
  TEXLA_SETUP_AUTO,  /* large ones on the device, unless that is a software renderer */
  TEXLA_SETUP_HOST,  /* in double */
  TEXLA_SETUP_DEVICE /* stencil in, stencil out, in single precision */
} clMultigridSetup;

/* Zero means default. */
typedef struct clMultigridOptions {
  clCycle cycle;
  clSmoother smoother;
  clTransfer transfer;
  int pre, post;        /* sweeps before and after the coarse correction; 0: 2, negative: none; at most 8 */
  float damping;        /* of Jacobi; 0: 0.8 */
  bool full;            /* clMultigridSolve starts with full multigrid instead of the x given */
  bool full_coarsening; /* always halve both axes */
  clMultigridSetup setup;
  int coarsest; /* grids of at most so many points are solved by a dense inverse; 0: 256, at most 1024 */
  int host_points; /* levels of at most so many points, but the finest, are computed on the host, for which each cycle waits: worth
                      while on a software renderer, where small passes are dear; 0: none */
} clMultigridOptions;

typedef struct clMultigrid clMultigrid;

/* Sets up for the matrix A of nx * ny rows, row = j * nx + i, which couples a point with its eight neighbours at most
 * (TEXLA_BAD_SHAPE names an entry that does not fit); no diagonal entry may be zero (TEXLA_SINGULAR). A is not kept. The caller owns *out. */
TEXLA_API clStatus clMultigridCreate(clMultigrid **out, clContext *context, const clTriplets *A, int nx, int ny,
                                     const clMultigridOptions *options);
TEXLA_API void clMultigridDestroy(clMultigrid *multigrid); /* NULL is allowed */

/* One cycle for A x = b: x is improved. x and b are two vectors. */
TEXLA_API clStatus clMultigridCycle(clMultigrid *multigrid, clVector *x, const clVector *b);
/* z <- M r, one cycle from zero with the smoothing afterwards reversed: M is symmetric when A is and pre = post: a preconditioner. */
TEXLA_API clStatus clMultigridApply(clMultigrid *multigrid, clVector *z, const clVector *r);
/* Full multigrid: x <- a solution of A x = b as good as one cycle on each grid, from the coarsest up, makes it. */
TEXLA_API clStatus clMultigridStart(clMultigrid *multigrid, clVector *x, const clVector *b);

/* Cycles until a tolerance is met; `options` as for clSolverSolve (method, preconditioner and damping are ignored;
 * max_iterations 0: 100). A singular A: b is projected, and the x that comes out has mean zero. Blocking. */
TEXLA_API clStatus clMultigridSolve(clMultigrid *multigrid, clVector *x, const clVector *b,
                                    const clSolverOptions *options, clSolverReport *report);

TEXLA_API int clMultigridLevels(const clMultigrid *multigrid);
TEXLA_API const char *clMultigridDescription(const clMultigrid *multigrid); /* grids, smoother, cycle: one line */

#ifdef __cplusplus
}
#endif
#endif
