/* Multigrid cycles in double precision, point by point, on the stencils that the library sets
 * up. */
#ifndef TEXLA_TESTS_ORACLE_GRID_H
#define TEXLA_TESTS_ORACLE_GRID_H

#include "multigrid/stencil.h"

enum { ORACLE_LEVELS = 24, ORACLE_SWEEPS = 16 };

/* Sweeps are damped Jacobi with factors of their own (Chebyshev: the roots), or coloured
 * Gauss-Seidel. */
typedef struct oracleGrid {
  txStencil *level[ORACLE_LEVELS];
  int levels;
  /* last: of halves, the one sweep after */
  double factor[ORACLE_LEVELS][ORACLE_SWEEPS], last[ORACLE_LEVELS];
  /* before and after */
  int sweeps;
  /* Gauss-Seidel in colours */
  bool coloured;
  /* level 0 has one such sweep, never backwards */
  bool halves;
  /* sweeps over lines along y, then along x */
  bool lined;
  /* ... backwards afterwards */
  bool symmetric;
  /* the coarsest solution has mean zero */
  bool singular;
  /* 1: V, 2: W */
  int gamma;
} oracleGrid;

/* y <- A x */
void oracleGridApply(double *y, const txStencil *s, const double *x);
/* fine += P coarse;  coarse <- P^T fine */
void oracleGridProlong(double *fine, const txStencil *s, const double *coarse);
void oracleGridRestrict(double *coarse, const txStencil *s, const double *fine);
/* One cycle on level l. */
void oracleGridCycle(const oracleGrid *g, int l, double *x, const double *b);

#endif
