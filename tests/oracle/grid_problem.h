/* Test problems on grids. */
#ifndef TEXLA_TESTS_ORACLE_GRID_PROBLEM_H
#define TEXLA_TESTS_ORACLE_GRID_PROBLEM_H

#include "texla/triplets.h"

typedef enum gridKind {
  GRID_DIRICHLET,
  GRID_NEUMANN,
  GRID_PERIODIC,
  /* periodic in x, Neumann below, Dirichlet above */
  GRID_MIXED,
  /* coefficients 1 and 1000, Dirichlet */
  GRID_JUMPS,
  /* bilinear elements, Dirichlet */
  GRID_NINE,
  /* -u_xx - eps u_yy with eps = 0.01, Dirichlet */
  GRID_ACROSS,
  /* -eps u_xx - u_yy */
  GRID_ALONG,
  GRID_KINDS,
  /* anisotropic by eps, in a direction that changes over the grid; Dirichlet */
  /* along x or y, in 4 x 4 patches */
  GRID_PATCHES = GRID_KINDS,
  /* along x below, more and more along y above */
  GRID_BENDING,
  /* along circles: bilinear elements, nine points */
  GRID_WHIRL,
  /* cells that get narrow towards all four sides, down to eps^(1/2) */
  GRID_STRETCHED
} gridKind;

typedef struct gridProblem {
  const char *name;
  gridKind kind;
  int nx, ny;
  /* coarsening of both axes */
  bool full;
  /* of the anisotropic ones; 0: 0.01 */
  double eps;
} gridProblem;

const char *gridKindName(gridKind kind);

/* The matrix, compressed; the caller owns it. */
clTriplets *gridProblemMatrix(const gridProblem *p);

#endif
