/* Simulations: physics without a window, built from texla's own matrices and vectors.
 *
 * create (allocates) / upload and drop (start values) / step (allocates nothing, no read-back) /
 * destroy. */
#ifndef TEXLA_WAVE_H
#define TEXLA_WAVE_H

#include "texla/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* clWave (K9, K10): the 2D wave equation u_tt = div(s^2 grad u) + f on a grid, with a speed s that
 * may vary from point to point: water whose depth is s^2. By the explicit scheme, with the heights
 * of all nx * ny grid points in one vector x, a step is one product with a banded matrix B:
 *     x(t+1) = B x(t) - x(t-1),   B = 2 - beta L,   beta = (c dt / h)^2
 * L is symmetric: each pair of neighbours is linked with weight w (-w off the diagonal, w on both
 * diagonal entries), the harmonic mean of their (s / c)^2. With s = c everywhere that is 2 - 4 beta
 * on B's diagonal and beta for the neighbours. It is second-order accurate in space and time,
 * stable while (s dt / h)^2 <= 1/2 for the largest s, and conserves clWaveEnergy. Walls have no
 * links: waves are reflected. One more pass per step adds sources, and one absorbs.
 *
 * Implicit schemes take the neighbours' pull -beta L from an average over time, are stable for any
 * dt, and solve a system by conjugate gradients in every step. From t+1 and t (K10, Crank-Nicolson
 * as the slides have it):
 *     (1 + alpha L) d = -alpha L (3 x(t) - x(t-1)),   x(t+1) = 2 x(t) - x(t-1) + d,   alpha = beta
 *                                                     / 2
 * with 1 + 4 alpha on the diagonal, -alpha off it: first order in time, and each mode is damped by
 * 1 / sqrt(1 + alpha l) a step (l: its eigenvalue of L, alpha l <= 8). From t+1, t and t-1 with
 * weights 1/4, 1/2, 1/4:
 *     (1 + beta / 4 L) d = -beta L x(t)
 * second order, without damping: conserves clWaveEnergy. (dt^2 f comes to d's right-hand side.)
 *
 * Point (i, j) is element j * nx + i and lies at ((i + o) h, (j + o) h), with o = 1 behind a fixed
 * left or bottom edge (u = 0 one step outside of the grid) and o = 1/2 behind all others (the grid
 * points are the centres of cells). The origin is the domain's lower left corner. */
typedef struct clWave clWave;

typedef enum clWaveEdge {
  /* Neumann: a wall, the water rises and falls along it */
  TEXLA_EDGE_REFLECTING,
  /* Dirichlet: a clamped membrane, reflects with the opposite sign */
  TEXLA_EDGE_FIXED,
  /* open water: a perfectly matched layer (Grote and Sim 2010) within the grid, `layer` points
   * wide, before a reflecting edge. Of 16 points, whatever the wavelength, 0.02 % of the amplitude
   * return at normal incidence, 0.2 % at 45 and 1.2 % at 60 degrees. Explicit scheme only */
  TEXLA_EDGE_ABSORBING,
  /* both sides of an axis: what leaves comes in again opposite */
  TEXLA_EDGE_PERIODIC
} clWaveEdge;

typedef enum clWaveScheme {
  TEXLA_WAVE_EXPLICIT,
  /* damps */
  TEXLA_WAVE_CRANK_NICOLSON,
  /* implicit, conserves energy */
  TEXLA_WAVE_CONSERVING
} clWaveScheme;

/* Zero means default. */
typedef struct clWaveOptions {
  /* grid points; 0: 256 */
  int nx, ny;
  /* their distance; 0: 1 / nx */
  double h;
  /* speed of the waves where clWaveSpeed does not say otherwise; 0: 1 */
  double c;
  /* time step; 0: 0.9 of the largest stable one, implicit 2 h / c. Too large a one is refused */
  double dt;
  /* (TEXLA_BAD_ARGUMENT), and the message tells the largest allowed: h / (c sqrt(2)) */
  /* by clGridSide: left, right, bottom, top */
  clWaveEdge edge[4];
  /* width of the absorbing layers in points; 0: 16 */
  int layer;
  clWaveScheme scheme;
  /* of the implicit schemes' systems, relative; 0: 1e-6 */
  double tolerance;
  /* of their conjugate gradients: any but amg (mg for long steps) */
  clPreconditioner preconditioner;
} clWaveOptions;

/* `options` may be NULL. The water is at rest. TEXLA_UNSUPPORTED: absorbing edges with an implicit
 * scheme. The caller owns *out. */
TEXLA_API clStatus clWaveCreate(clWave **out, clContext *context, const clWaveOptions *options);
/* NULL is allowed */
TEXLA_API void clWaveDestroy(clWave *wave);

typedef struct clWaveInfo {
  int nx, ny;
  clWaveEdge edge[4];
  /* 0: no edge absorbs */
  int layer;
  clWaveScheme scheme;
  /* of the domain */
  double width, height;
  double h, c, dt;
  /* the largest local speed */
  double fastest;
  /* rounded, like each link's weight times beta, to a multiple of 2^-23, so that B's rows sum to */
  double beta;
  /* exactly 2: still water stays still */
  /* the largest stable time step, for the largest local speed; INFINITY: any */
  double dt_max;
  /* done so far */
  int64_t steps;
  /* steps * dt */
  double time;
  /* of conjugate gradients, in the last step */
  int64_t iterations;
  /* theirs, relative, at the end of the last step */
  double residual;
  /* the matrix B in one line (clMatrixDescription) */
  const char *storage;
} clWaveInfo;
TEXLA_API clWaveInfo clWaveInspect(const clWave *wave);

/* Walls: nx * ny values, row 0 at the bottom, not 0 is solid (NULL: none). The water there is lost
 * and keeps the height 0. The matrices are made anew, on the host; a failed call changes
 * nothing. */
TEXLA_API clStatus clWaveWalls(clWave *wave, const uint8_t *solid);

/* Local speeds as multiples of c, positive (NULL: 1); otherwise as clWaveWalls. Speeds that make dt
 * unstable are refused, and the message tells the largest dt allowed. */
TEXLA_API clStatus clWaveSpeed(clWave *wave, const float *speed);

/* A source adds to u_tt, so that waves pass through it:
 *     amplitude * ramp(t) * cos(2 pi (frequency t + phase)) * exp(-d^2 / radius^2)
 * where d is the distance to a point or a line, and ramp rises from 0 at time 0 to 1, smoothly,
 * within the time `ramp`. */
typedef struct clWaveSource {
  /* the point, or the middle of the line */
  double x, y;
  /* from there to an end of the line; 0: a point */
  double dx, dy;
  /* must be positive */
  double radius;
  /* a height per time^2 */
  double amplitude;
  /* the phase in turns; frequency 0 is a pressure that lasts */
  double frequency, phase;
  double ramp;
  /* it moves, ... */
  double vx, vy;
  double orbit,
      /* ... and around a circle of radius `orbit`, `turns` times in a unit of time, from the right
       * on */
      turns;
} clWaveSource;
enum { TEXLA_WAVE_SOURCES = 6 };
/* Replaces the list; count <= TEXLA_WAVE_SOURCES. */
TEXLA_API clStatus clWaveSources(clWave *wave, const clWaveSource *source, int count);

/* The heights of now, in the grid layout nx x ny. Owned by the wave; each step returns another
 * vector. */
TEXLA_API const clVector *clWaveHeight(const clWave *wave);

typedef enum clWaveField {
  TEXLA_WAVE_HEIGHT,
  /* (x(t) - x(t-1)) / dt */
  TEXLA_WAVE_VELOCITY,
  /* density 1/2 (u_t^2 + s^2 |grad u|^2) half a step ago; links with fixed edges are left out */
  TEXLA_WAVE_ENERGY,
  TEXLA_WAVE_FIELDS
} clWaveField;
/* "height", ... */
TEXLA_API const char *clWaveFieldName(clWaveField field);
/* *out <- a field of now, in the grid layout; owned by the wave, valid until its next call. */
TEXLA_API clStatus clWaveGet(const clVector **out, clWave *wave, clWaveField field);

/* Starts anew at time 0 with the heights u and velocities u_t (nx * ny values each; NULL:
 * zeros). */
TEXLA_API clStatus clWaveUpload(clWave *wave, const float *height, const float *velocity);

/* Adds, now and without a velocity, a drop  height * exp(-r^2 / radius^2)  around the point (x, y).
 * A drop outside of the domain adds what reaches into it. */
TEXLA_API clStatus clWaveDrop(clWave *wave, double x, double y, double radius, double height);

/* `count` steps. A failure ends them early; those done count. TEXLA_NOT_CONVERGED: an implicit
 * scheme's system was not solved to its tolerance. */
TEXLA_API clStatus clWaveStep(clWave *wave, int64_t count);

/* The energy that the scheme conserves, with a = x(t) and b = x(t-1) a discrete 1/2 integral (u_t^2
 * + s^2 |grad u|^2):
 *     E = h^2 / (2 dt^2) (|a - b|^2 + a.(2 I - B) b),   implicit: ... + s.(2 I - B) s with s = (a +
 *                                                       b) / 2
 * Blocking: one read-back. */
TEXLA_API clStatus clWaveEnergy(clWave *wave, double *energy);

/* All that changes from step to step, for saving and going on bit for bit: the vectors x(t), x(t-1)
 * and, with absorbing edges, two of the layers, owned by the wave and valid until its next call.
 * Returns how many there are. */
enum { TEXLA_WAVE_STATE = 4 };
TEXLA_API int clWaveState(clWave *wave, clVector *state[TEXLA_WAVE_STATE]);
/* After the vectors have been filled: so many steps have been done. */
TEXLA_API clStatus clWaveResume(clWave *wave, int64_t steps);

#ifdef __cplusplus
}
#endif
#endif
