/* Which rank has which unknowns: contiguous rows of a matrix, or rectangles of a grid. */
#ifndef TEXLA_MPI_NUMBERING_H
#define TEXLA_MPI_NUMBERING_H

#include "mpi/cluster.h"

/* px x py ranks have nx x ny unknowns; element (i, j) has the number j nx + i. Rows of a matrix are
 * a grid of n x 1. Ranks beyond px py have nothing. */
typedef struct txNumbering {
  int nx, ny, px, py;
  int *x,
      /* px + 1 and py + 1: rank (p, q), which is number q px + p, has the points from (x[p], y[q])
       * to the next ones */
      *y;
} txNumbering;

/* Even parts. */
clStatus txNumberingCreate(txNumbering *out, const char *call, clError *error, int nx, int ny,
                           int px, int py);
/* Every other point, from the second on, along both axes: the grid that multigrid coarsens to. */
clStatus txNumberingCoarsen(txNumbering *out, const char *call, clError *error,
                            const txNumbering *fine);
void txNumberingDestroy(txNumbering *n);

typedef struct txRectangle {
  /* nx ny = 0: nothing */
  int x, y, nx, ny;
} txRectangle;
txRectangle txNumberingPart(const txNumbering *n, int rank);

int txNumberingOwner(const txNumbering *n, int64_t global);
/* The number of an unknown among its owner's. */
int64_t txNumberingLocal(const txNumbering *n, int64_t global);
int64_t txNumberingGlobal(const txNumbering *n, int rank, int64_t local);

#endif
