/* Test problems on grids. */
#ifndef TEXLA_TESTS_ORACLE_GRID_PROBLEM_H
#define TEXLA_TESTS_ORACLE_GRID_PROBLEM_H

#include "texla/triplets.h"

typedef enum gridKind {
  GRID_DIRICHLET,
  GRID_NEUMANN,
  GRID_PERIODIC,
  GRID_MIXED,  /* periodic in x, Neumann below, Dirichlet above */
  GRID_JUMPS,  /* coefficients 1 and 1000, Dirichlet */
  GRID_NINE,   /* bilinear elements, Dirichlet */
  GRID_ACROSS, /* -u_xx - eps u_yy with eps = 0.01, Dirichlet */
  GRID_ALONG,  /* -eps u_xx - u_yy */
  GRID_KINDS,
  /* anisotropic by eps, in a direction that changes over the grid; Dirichlet */
  GRID_PATCHES = GRID_KINDS, /* along x or y, in 4 x 4 patches */
  GRID_BENDING,              /* along x below, more and more along y above */
  GRID_WHIRL,                /* along circles: bilinear elements, nine points */
  GRID_STRETCHED             /* cells that get narrow towards all four sides, down to eps^(1/2) */
} gridKind;

typedef struct gridProblem {
  const char *name;
  gridKind kind;
  int nx, ny;
  bool full;  /* coarsening of both axes */
  double eps; /* of the anisotropic ones; 0: 0.01 */
} gridProblem;

const char *gridKindName(gridKind kind);

/* The matrix, compressed; the caller owns it. */
clTriplets *gridProblemMatrix(const gridProblem *p);

#endif
