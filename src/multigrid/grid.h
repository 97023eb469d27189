/* Nine-point operators on a grid, on the device: sweeps of smoothers, residuals, and the transfer
 * to the next coarser grid.
 *
 * Coefficients are textures over the classes of the host's stencils (multigrid/stencil.h). Where
 * the classes have an interior it is drawn on its own, with coefficients as uniforms; at the ends
 * of a periodic axis neighbours are looked up element by element. */
#ifndef TEXLA_MULTIGRID_GRID_H
#define TEXLA_MULTIGRID_GRID_H

#include "multigrid/stencil.h"
#include "texla/tridiagonal.h"
#include "vector/run.h"

enum { TX_CORNERS = 4 };

/* A nine-point operator on the device.
 *
 * `nine`, `uniform`, `periodic`, `class`, `coarsening` and `mirrored` are those of its txStencil.
 * `split`: the interior is drawn on its own. `plain`: five points, the same everywhere, zeros
 * beyond the boundary and bilinear weights, so that colours can have textures of their own. */
typedef struct txGrid {
  clContext *context;
  txLayout layout;
  int n[2];
  bool periodic[2], nine, uniform;
  bool split, plain;
  txClasses class[2];
  /* The coefficients of the interior; `inverse` has 1 / diagonal at TX_CENTRE instead. */
  float interior[12];
  float inverse[12];
  /* The coefficients over the classes; NULL where one is zero everywhere. */
  txTexture *a[TX_STENCIL];
  txTexture *inverse_diagonal;
  txAxisCoarsening coarsening[2];
  bool mirrored[2][2];
  /* Interpolation: in the interior by the fine point's offset from the coarse one, and over the
   * classes by the four parents. */
  float weights[12];
  txTexture *weight[TX_CORNERS];
} txGrid;

/* Uploads a stencil; its weights too, when it has some. */
TX_COMPANION clStatus txGridCreate(txGrid **out, clContext *context, const txStencil *s,
                                   const char *call);
/* Without coefficients; none is constant. */
clStatus txGridMake(txGrid **out, clContext *context, const int n[2], const bool periodic[2],
                    const char *call);
/* NULL is allowed */
TX_COMPANION void txGridDestroy(txGrid *grid);

typedef enum txRelaxation { TX_RELAX_POINTS, TX_RELAX_LINES_X, TX_RELAX_LINES_Y } txRelaxation;

/* Factors of a sweep by colour: lanes of even and of odd rows. */
typedef struct txSweep {
  float even[4], odd[4];
  txRelaxation kind;
} txSweep;

/* x <- x + sweep (D^-1 (b - (A - D) x) - x). With `start`, x counts as start D^-1 b instead. */
TX_COMPANION clStatus txGridSweep(const char *call, clVector *x, const txGrid *A, const clVector *b,
                                  const txSweep *sweep, const txSweep *start);
/* r <- b - A x */
TX_COMPANION clStatus txGridResidual(const char *call, clVector *r, const txGrid *A,
                                     const clVector *x, const clVector *b);
/* y <- P^T r, with P from `coarse`'s grid to A's */
TX_COMPANION clStatus txGridRestrict(const char *call, clVector *y, const txGrid *A,
                                     const txGrid *coarse, const clVector *r);
/* y <- P^T (b - A x); r is scratch */
TX_COMPANION clStatus txGridCoarseResidual(const char *call, clVector *y, const txGrid *A,
                                           const txGrid *coarse, const clVector *x,
                                           const clVector *b, clVector *r);
/* x <- x + P e; with `start` x <- P e */
TX_COMPANION clStatus txGridProlong(const char *call, clVector *x, const txGrid *A,
                                    const txGrid *coarse, const clVector *e, bool start);

/* Cycles on a plain grid from zero for b, one after the other, with a red-black sweep before and
 * after each (src/multigrid/grid_colours.c). Textures of one colour, NULL where nothing is known:
 * `black` and `red` of the last cycle's correction (of the first one's red is `sum`), `sum` the red
 * points of x, `left` their residual after all cycles but the one that is not looked at yet. */
typedef struct txColours {
  const clVector *b;
  txTexture *black, *red;
  clVector sum, left;
} txColours;

/* From zero for b; what was there is forgotten. b NULL: for nothing */
void txColoursBegin(txColours *c, const clVector *b);
/* y <- P^T (what is left after the sweep before) */
clStatus txColoursBefore(const char *call, txColours *c, const txGrid *A, clVector *y);
/* Adds P e. */
clStatus txColoursProlong(const char *call, txColours *c, const txGrid *A, const clVector *e);
/* The red half of the sweep after it. */
clStatus txColoursRed(const char *call, txColours *c, const txGrid *A);
/* c->left <- the residual after the last cycle, at the red points; at black ones it is zero. A
 * cycle that follows needs it. */
clStatus txColoursResidual(const char *call, txColours *c, const txGrid *A);
/* x <- what was found, or x + that with `add`; nothing is kept. */
clStatus txColoursFinish(const char *call, txColours *c, const txGrid *A, clVector *x, bool add);

/* The host's setup on the device, for grids without constant coefficients
 * (src/multigrid/grid_coarsen.c): weights, coarse operator, its coefficients back on the host,
 * about the largest eigenvalue of D^-1 A (x and zero are scratch; at least 1). */
clStatus txGridInterpolate(txGrid *A, const txAxisCoarsening coarsening[2], const char *call);
clStatus txGridCoarsen(txGrid **out, const txGrid *A, const char *call);
clStatus txGridRead(txStencil **out, const txGrid *A, const char *call);
clStatus txGridLargest(double *out, const txGrid *A, clVector *x, clVector *zero, const char *call);

/* The lines along an axis, factored (src/multigrid/lines.c). s, A's stencil, is read where the
 * coefficients are constant. */
clStatus txGridLines(clTridiagonal **out, const txGrid *A, const txStencil *s, clAxis axis,
                     const char *call);

/* A dense inverse for a small grid: n x n doubles, row-major, n = the grid's points. */
clStatus txGridDenseCreate(txTexture **out, const txGrid *A, const double *inverse,
                           const char *call);
/* x <- inverse b */
clStatus txGridDense(const char *call, clVector *x, const txTexture *inverse, const clVector *b);

#endif
