/* (1 - c lap) x = b on a grid of cells, lap in units of the cells, for a c that may be another one
 * in each call: a fixed number of multigrid cycles, made for moderate c. Nothing is set up and
 * nothing is read back.
 *
 * Cells are halved on both axes until c is small. A coarse cell is the mean of its four, a fine one
 * is interpolated from the middles of the coarse cells around it, and coarse grids have the same
 * equation with a quarter of c. */
#ifndef TX_SIM_HELMHOLTZ_H
#define TX_SIM_HELMHOLTZ_H

#include "texla/kernel.h"

typedef struct txHelmholtz txHelmholtz;

/* What is beyond a side that is not periodic: `fixed`, x is zero at so many cells from the middle
 * of the outermost ones (1/2: their edge; 0: they are zero themselves); otherwise nothing flows. */
typedef struct txHelmholtzSide {
  bool fixed;
  double distance;
} txHelmholtzSide;

/* How many cycles reduce the error 10^5 times; 0: the grid cannot be halved so often. */
int txHelmholtzCycles(int nx, int ny, double c);

/* So many sweeps of Jacobi's method over the grid take about as long as the cycles do. */
int txHelmholtzMostSweeps(const clContext *context, int nx, int ny);

clStatus txHelmholtzCreate(txHelmholtz **out, clContext *context, int nx, int ny, bool around_x,
                           bool around_y);
/* NULL is allowed */
void txHelmholtzDestroy(txHelmholtz *h);

/* x <- the solution, from zero by so many cycles (txHelmholtzCycles, or fewer for a rough one).
 * Both are grids of nx * ny, and two vectors; sides count as those of a grid do (clGridSide). */
clStatus txHelmholtzSolve(txHelmholtz *h, clVector *x, const clVector *b, double c, int cycles,
                          const txHelmholtzSide side[4]);

#endif
