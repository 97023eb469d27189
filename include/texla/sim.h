/* Simulations: physics without a window, built from texla's own matrices and vectors.
 *
 * create (allocates) / upload and drop (start values) / step (allocates nothing, no read-back) / destroy. */
#ifndef TEXLA_SIM_H
#define TEXLA_SIM_H

#include "texla/flow.h"
#include "texla/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* clWave (K9): the 2D wave equation u_tt = c^2 (u_xx + u_yy) on a grid, by the explicit scheme. With the heights of all
 * nx * ny grid points in one vector x, a step is one product with a banded matrix B:
 *     x(t+1) = B x(t) - x(t-1),   B: 2 - 4 beta on the diagonal, beta for the neighbours,   beta = (c dt / h)^2
 * It is second-order accurate in space and time, stable while beta <= 1/2, and conserves clWaveEnergy.
 *
 * Point (i, j) is element j * nx + i and lies at ((i + o) h, (j + o) h), with o = 1/2 for reflecting edges (the grid
 * points are the centres of cells; a wall's diagonal entries grow by beta, u_n = 0) and o = 1 for fixed ones (u = 0 one
 * step outside of the grid). The origin is the domain's lower left corner. */
typedef struct clWave clWave;

typedef enum clWaveEdge {
  TEXLA_EDGE_REFLECTING, /* Neumann: a wall, the water rises and falls along it */
  TEXLA_EDGE_FIXED       /* Dirichlet: a clamped membrane, reflects with the opposite sign */
} clWaveEdge;

/* Zero means default. */
typedef struct clWaveOptions {
  int nx, ny;      /* grid points; 0: 256 */
  double h;        /* their distance; 0: 1 / nx */
  double c;        /* speed of the waves; 0: 1 */
  double dt;       /* time step; 0: 0.9 of the largest stable one. Too large a one is refused (TEXLA_BAD_ARGUMENT), */
                   /* and the message tells the largest allowed: h / (c sqrt(2)) */
  clWaveEdge edge; /* of all four sides */
} clWaveOptions;

/* `options` may be NULL. The water is at rest. The caller owns *out. */
TEXLA_API clStatus clWaveCreate(clWave **out, clContext *context, const clWaveOptions *options);
TEXLA_API void clWaveDestroy(clWave *wave); /* NULL is allowed */

typedef struct clWaveInfo {
  int nx, ny;
  clWaveEdge edge;
  double width, height; /* of the domain */
  double h, c, dt;
  double beta;         /* rounded to a multiple of 2^-23, so that B's rows sum to exactly 2: still water stays still */
  double dt_max;       /* the largest stable time step */
  int64_t steps;       /* done so far */
  double time;         /* steps * dt */
  const char *storage; /* the matrix B in one line (clMatrixDescription) */
} clWaveInfo;
TEXLA_API clWaveInfo clWaveInspect(const clWave *wave);

/* The heights of now, in the grid layout nx x ny. Owned by the wave; each step returns another vector. */
TEXLA_API const clVector *clWaveHeight(const clWave *wave);

/* Starts anew at time 0 with the heights u and velocities u_t (nx * ny values each; NULL: zeros). */
TEXLA_API clStatus clWaveUpload(clWave *wave, const float *height, const float *velocity);

/* Adds, now and without a velocity, a drop  height * exp(-r^2 / radius^2)  around the point (x, y). A drop outside of
 * the domain adds what reaches into it. */
TEXLA_API clStatus clWaveDrop(clWave *wave, double x, double y, double radius, double height);

/* `count` steps. A failure ends them early; those done count. */
TEXLA_API clStatus clWaveStep(clWave *wave, int64_t count);

/* The energy that the scheme conserves, with a = x(t) and b = x(t-1) a discrete 1/2 integral (u_t^2 + c^2 |grad u|^2):
 *     E = h^2 / (2 dt^2) (|a - b|^2 + a.(2 I - B) b)
 * Blocking: one read-back. */
TEXLA_API clStatus clWaveEnergy(clWave *wave, double *energy);

#ifdef __cplusplus
}
#endif
#endif
