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

/* clWave (K9, K10): the 2D wave equation u_tt = c^2 (u_xx + u_yy) on a grid. By the explicit scheme, with the heights of
 * all nx * ny grid points in one vector x, a step is one product with a banded matrix B:
 *     x(t+1) = B x(t) - x(t-1),   B: 2 - 4 beta on the diagonal, beta for the neighbours,   beta = (c dt / h)^2
 * It is second-order accurate in space and time, stable while beta <= 1/2, and conserves clWaveEnergy.
 *
 * Implicit schemes take the neighbours' pull -beta L (B = 2 - beta L) from an average over time, are stable for any dt, and
 * solve a system by conjugate gradients in every step. From t+1 and t (K10, Crank-Nicolson as the slides have it):
 *     (1 + alpha L) d = -alpha L (3 x(t) - x(t-1)),   x(t+1) = 2 x(t) - x(t-1) + d,   alpha = beta / 2
 * with 1 + 4 alpha on the diagonal, -alpha off it: first order in time, and each mode is damped by 1 / sqrt(1 + alpha l)
 * a step (l: its eigenvalue of L, alpha l <= 8). From t+1, t and t-1 with weights 1/4, 1/2, 1/4:
 *     (1 + beta / 4 L) d = -beta L x(t)
 * second order, without damping: conserves clWaveEnergy.
 *
 * Point (i, j) is element j * nx + i and lies at ((i + o) h, (j + o) h), with o = 1/2 for reflecting edges (the grid
 * points are the centres of cells; a wall's diagonal entries grow by beta, u_n = 0) and o = 1 for fixed ones (u = 0 one
 * step outside of the grid). The origin is the domain's lower left corner. */
typedef struct clWave clWave;

typedef enum clWaveEdge {
  TEXLA_EDGE_REFLECTING, /* Neumann: a wall, the water rises and falls along it */
  TEXLA_EDGE_FIXED       /* Dirichlet: a clamped membrane, reflects with the opposite sign */
} clWaveEdge;

typedef enum clWaveScheme {
  TEXLA_WAVE_EXPLICIT,
  TEXLA_WAVE_CRANK_NICOLSON, /* damps */
  TEXLA_WAVE_CONSERVING      /* implicit, conserves energy */
} clWaveScheme;

/* Zero means default. */
typedef struct clWaveOptions {
  int nx, ny;      /* grid points; 0: 256 */
  double h;        /* their distance; 0: 1 / nx */
  double c;        /* speed of the waves; 0: 1 */
  double dt;       /* time step; 0: 0.9 of the largest stable one, implicit 2 h / c. Too large a one is refused */
                   /* (TEXLA_BAD_ARGUMENT), and the message tells the largest allowed: h / (c sqrt(2)) */
  clWaveEdge edge; /* of all four sides */
  clWaveScheme scheme;
  double tolerance; /* of the implicit schemes' systems, relative; 0: 1e-6 */
} clWaveOptions;

/* `options` may be NULL. The water is at rest. The caller owns *out. */
TEXLA_API clStatus clWaveCreate(clWave **out, clContext *context, const clWaveOptions *options);
TEXLA_API void clWaveDestroy(clWave *wave); /* NULL is allowed */

typedef struct clWaveInfo {
  int nx, ny;
  clWaveEdge edge;
  clWaveScheme scheme;
  double width, height; /* of the domain */
  double h, c, dt;
  double beta;         /* rounded to a multiple of 2^-23, so that B's rows sum to exactly 2: still water stays still */
  double dt_max;       /* the largest stable time step; INFINITY: any */
  int64_t steps;       /* done so far */
  double time;         /* steps * dt */
  int64_t iterations;  /* of conjugate gradients, in the last step */
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

/* `count` steps. A failure ends them early; those done count. TEXLA_NOT_CONVERGED: an implicit scheme's system was not
 * solved to its tolerance. */
TEXLA_API clStatus clWaveStep(clWave *wave, int64_t count);

/* The energy that the scheme conserves, with a = x(t) and b = x(t-1) a discrete 1/2 integral (u_t^2 + c^2 |grad u|^2):
 *     E = h^2 / (2 dt^2) (|a - b|^2 + a.(2 I - B) b),   implicit: ... + s.(2 I - B) s with s = (a + b) / 2
 * Blocking: one read-back. */
TEXLA_API clStatus clWaveEnergy(clWave *wave, double *energy);

#ifdef __cplusplus
}
#endif
#endif
