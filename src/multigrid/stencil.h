/* Nine-point operators on a grid, on the host: what geometric multigrid is set up from.
 *
 * Row (i, j) couples with its neighbours (i + dx, j + dy), dx and dy in -1..1, at a[3 (dy + 1) + dx
 * + 1]; a neighbour that does not exist has coefficient zero, a periodic axis wraps. Far from the
 * boundary most operators are the same everywhere, and so are their Galerkin products: rows and
 * columns fall into classes, and a class is stored once. */
#ifndef TEXLA_MULTIGRID_STENCIL_H
#define TEXLA_MULTIGRID_STENCIL_H

#include "platform/companion.h"
#include "core/error.h"
#include "core/rows.h"

enum { TX_CENTRE = 4, TX_STENCIL = 9 };

/* Places 0..count-1 (rows, or texels of four columns). Those in [low, high) have two classes, by
 * parity; each other is its own. */
typedef struct txClasses {
  int count, low, high;
} txClasses;

static inline int txClassOf(const txClasses *c, int place) {
  if (place < c->low)
    return place;
  if (place < c->high)
    return c->low + ((place - c->low) & 1);
  return place - c->high + c->low + 2;
}
static inline int txClassCount(const txClasses *c) {
  if (c->high <= c->low)
    return c->count;
  return c->count - c->high + c->low + 2;
}
/* The first place of a class. */
static inline int txClassPlace(const txClasses *c, int class_index) {
  if (class_index < c->low + 2)
    return class_index;
  return class_index - c->low - 2 + c->high;
}

/* How one axis is coarsened: coarse point I is fine point stride I + first. With stride 1 it is
 * not coarsened. */
typedef struct txAxisCoarsening {
  int stride, first;
} txAxisCoarsening;

typedef enum txInterpolation {
  /* Weights from the matrix (Dendy 1982): robust where coefficients jump, right at boundaries. */
  TX_INTERPOLATE_OPERATOR,
  /* Halves and quarters; at a boundary what the matrix says there. */
  TX_INTERPOLATE_BILINEAR
} txInterpolation;

/* The operator on a grid of n[0] x n[1] points, and how it is coarsened.
 *
 * `uniform`: classes are in use, of texels of four columns and of rows. `nine`: some corner is not
 * zero. `a` holds nine coefficients for each stored point.
 *
 * `coarsening` leads to the next coarser grid; `weight` holds four numbers for each stored point,
 * with which the parents low-low, high-low (in x), low-high and high-high count. For the bilinear
 * weights mirrored[axis][side] says that ghost values beyond that side equal their neighbours
 * inside; else they are zero. */
typedef struct txStencil {
  int n[2];
  bool periodic[2];
  bool uniform;
  bool nine;
  txClasses class[2];
  float *a;
  txAxisCoarsening coarsening[2];
  bool mirrored[2][2];
  float *weight;
} txStencil;

/* From a coefficient to that of the next neighbour along an axis. */
static inline int txStencilStep(int axis) {
  return axis == 0 ? 1 : 3;
}

/* 1 / d, and 0 where d is 0. */
static inline float txInverse(float d) {
  return d != 0 ? 1 / d : 0;
}

/* The stored point of (i, j), which lies inside. */
static inline int64_t txStencilIndex(const txStencil *s, int i, int j) {
  int64_t column = 4 * (int64_t)txClassOf(&s->class[0], i >> 2) + (i & 3);
  return (int64_t)txClassOf(&s->class[1], j) * 4 * txClassCount(&s->class[0]) + column;
}
static inline int64_t txStencilPoints(const txStencil *s) {
  return (int64_t)txClassCount(&s->class[1]) * 4 * txClassCount(&s->class[0]);
}

/* The place of stored point p; false: there is none. */
TX_COMPANION bool txStencilPlace(const txStencil *s, int64_t p, int *i, int *j);
/* The neighbour of i at d on an axis, -1 beyond the boundary. */
int txStencilNeighbour(const txStencil *s, int axis, int i, int d);
/* Does i lie between two coarse points of an axis? */
bool txStencilBetween(const txStencil *s, int axis, int i);
/* Is a point with these nine coefficients coupled with a corner? */
static inline bool txStencilHasCorner(const float *c) {
  return c[0] != 0 || c[2] != 0 || c[6] != 0 || c[8] != 0;
}

/* From a matrix; TEXLA_BAD_SHAPE with the first offending entry when it is no such operator on this
 * grid. */
clStatus txStencilCreate(txStencil **out, const txRows *rows, int nx, int ny, bool general,
                         const char *call, clError *error);
/* All coefficients zero. `uniform`: classes are used where the grid is large enough. NULL: no
 * memory, which `error` says. */
TX_COMPANION txStencil *txStencilMake(int nx, int ny, const bool periodic[2], bool uniform,
                                      const char *call, clError *error);
/* NULL is allowed */
TX_COMPANION void txStencilDestroy(txStencil *s);

/* The coarsening that point smoothers can follow: along the axis of strong coupling, along both
 * when none is. False when both axes have one point. */
bool txStencilChooseCoarsening(txStencil *s, bool full);
/* The same from the mean coupling along x and y. */
bool txChooseCoarsening(txAxisCoarsening out[2], const int n[2], const bool periodic[2],
                        const double mean[2], bool full);
void txStencilCoupling(const txStencil *s, double mean[2]);
/* Does the direction of strong coupling change over the grid, so that no such choice is right
 * everywhere? */
bool txStencilTurns(const txStencil *s);
/* Fills s->weight. */
TX_COMPANION clStatus txStencilInterpolate(txStencil *s, txInterpolation kind, const char *call,
                                           clError *error);
/* *out <- P^T A P (Galerkin). */
clStatus txStencilCoarsen(txStencil **out, const txStencil *s, const char *call, clError *error);

/* The interpolation as a matrix, rows in the order of the fine grid. */
clStatus txStencilProlongation(clTriplets **out, const txStencil *s, clError *error);

/* Up to two parents of fine index i: *low, *high, -1 where there is none. */
void txStencilParents(const txStencil *s, int axis, int i, int *low, int *high);
/* How many points the coarse grid has along an axis. */
int txStencilCoarse(const txStencil *s, int axis);

/* max_i sum_j |a_ij| / |a_ii|: bounds the eigenvalues of D^-1 A. */
double txStencilBound(const txStencil *s);
/* About the largest eigenvalue of D^-1 A: from the symbol of a uniform operator, else by power
 * iteration. */
double txStencilLargest(const txStencil *s);
/* The first row whose diagonal is zero, -1: none. */
int64_t txStencilZeroDiagonal(const txStencil *s);
/* All row sums vanish: constants are in the kernel. */
bool txStencilSingular(const txStencil *s);
/* The diagonal of a line's matrix is enlarged by so much: a line that is coupled with nothing else
 * may be singular (a closed channel between obstacles), and then its pivots should not vanish. */
#define TX_LINE_SHIFT 1e-6

/* A as n x n doubles, row-major. */
void txStencilDense(double *out, const txStencil *s);

#endif
