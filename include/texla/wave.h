/**
 * @file
 * clWave (K9, K10): waves on a grid, without a window. Part of texla_sim.
 *
 * The 2D wave equation u_tt = div(s^2 grad u) + f, with a speed s that may vary from point to
 * point: water whose depth is s^2.
 *
 * **Explicit scheme.** With the heights of all nx * ny grid points in one vector x, a step is one
 * product with a banded matrix B:
 *
 *     x(t+1) = B x(t) - x(t-1),   B = 2 - beta L,   beta = (c dt / h)^2
 *
 * L is symmetric: each pair of neighbours is linked with weight w (-w off the diagonal, w on both
 * diagonal entries), the harmonic mean of their (s / c)^2. With s = c everywhere that is 2 - 4 beta
 * on B's diagonal and beta for the neighbours. It is second-order accurate in space and time,
 * stable while (s dt / h)^2 <= 1/2 for the largest s, and conserves clWaveEnergy. Walls have no
 * links: waves are reflected. One more pass per step adds sources, and one absorbs.
 *
 * **Implicit schemes** take the neighbours' pull -beta L from an average over time, are stable for
 * any dt, and solve a system by conjugate gradients in every step. From t+1 and t (K10,
 * Crank-Nicolson as the slides have it), with alpha = beta / 2:
 *
 *     (1 + alpha L) d = -alpha L (3 x(t) - x(t-1)),   x(t+1) = 2 x(t) - x(t-1) + d
 *
 * with 1 + 4 alpha on the diagonal, -alpha off it: first order in time, and each mode is damped by
 * 1 / sqrt(1 + alpha l) a step (l: its eigenvalue of L, alpha l <= 8). From t+1, t and t-1 with
 * weights 1/4, 1/2, 1/4:
 *
 *     (1 + beta / 4 L) d = -beta L x(t)
 *
 * second order, without damping: conserves clWaveEnergy. (dt^2 f comes to d's right-hand side.)
 *
 * **Places.** Point (i, j) is element j * nx + i and lies at ((i + 1/2) h, (j + 1/2) h): the points
 * are the centres of cells. Fixed edges, too, lie half a step outside of the outermost points. The
 * origin is the domain's lower left corner.
 * Lengths and times are in any units that fit together.
 *
 * Order: create (allocates) / upload and drop (start values) / step (allocates nothing, no
 * read-back) / destroy.
 *
 * Errors: TEXLA_BAD_ARGUMENT (NULL, numbers that are not finite or do not fit together),
 * TEXLA_TOO_LARGE, TEXLA_OUT_OF_MEMORY, TEXLA_DEVICE_ERROR. A failed call changes nothing, but
 * where a comment says otherwise.
 *
 * Threads: a wave belongs to its context's thread.
 *
 * Ownership: who creates a wave destroys it. Vectors that getters return are the wave's, and change
 * by its steps; arrays and vectors that are given stay the caller's, and are not kept.
 *
 * Waiting: calls that return numbers or arrays block, and steps of the implicit schemes.
 *
 * @since 0.1 */
#ifndef TEXLA_WAVE_H
#define TEXLA_WAVE_H

#include "texla/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A domain of waves. */
typedef struct clWave clWave;

/** What is at a side of the domain. */
typedef enum clWaveEdge {
  /** Neumann: a wall, the water rises and falls along it */
  TEXLA_WAVE_EDGE_REFLECTING,
  /** Dirichlet: a clamped membrane, reflects with the opposite sign */
  TEXLA_WAVE_EDGE_FIXED,
  /** Open water: a perfectly matched layer (Grote and Sim 2010) within the grid, `layer` points
   * wide, before a reflecting edge. Of 16 points, whatever the wavelength, 0.02 % of the amplitude
   * return at normal incidence, 0.2 % at 45 and 1.2 % at 60 degrees. Explicit scheme only */
  TEXLA_WAVE_EDGE_ABSORBING,
  /** Both sides of an axis: what leaves comes in again opposite */
  TEXLA_WAVE_EDGE_PERIODIC
} clWaveEdge;

/** How time goes on. */
typedef enum clWaveScheme {
  /** a product with a matrix; the time step is limited */
  TEXLA_WAVE_EXPLICIT,
  /** implicit, and damps */
  TEXLA_WAVE_CRANK_NICOLSON,
  /** implicit, conserves energy */
  TEXLA_WAVE_CONSERVING
} clWaveScheme;

/** What a domain is like. Zero means default. */
typedef struct clWaveOptions {
  /** grid points; 0: 256 */
  int nx, ny;
  /** their distance; 0: 1 / nx */
  double h;
  /** speed of the waves where clWaveSpeed does not say otherwise; 0: 1 */
  double c;
  /** Time step; 0: 0.9 of the largest stable one, implicit 2 h / c. Too large a one is refused
   * (TEXLA_BAD_ARGUMENT), and the message tells the largest allowed: h / (c sqrt(2)). */
  double dt;
  /** by clGridSide: left, right, bottom, top */
  clWaveEdge edge[4];
  /** width of the absorbing layers in points; 0: 16 */
  int layer;
  /** how time goes on */
  clWaveScheme scheme;
  /** of the implicit schemes' systems, relative; 0: 1e-6 */
  double tolerance;
  /** of their conjugate gradients: any but amg (mg for long steps) */
  clPreconditioner preconditioner;
} clWaveOptions;

/** Makes a domain whose water is at rest.
 * @param out  the caller owns it
 * @param context  where it lives
 * @param options  NULL: all defaults
 * @return TEXLA_OK, TEXLA_UNSUPPORTED (absorbing edges with an implicit scheme), or what the top of
 *         this file lists */
TEXLA_API clStatus clWaveCreate(clWave **out, clContext *context, const clWaveOptions *options);
/** Ends a domain, with the vectors that it has lent.
 * @param wave  NULL is allowed */
TEXLA_API void clWaveDestroy(clWave *wave);

/** What a domain is, and how far it is. */
typedef struct clWaveInfo {
  /** grid points */
  int nx, ny;
  /** by clGridSide */
  clWaveEdge edge[4];
  /** width of the absorbing layers in points; 0: no edge absorbs */
  int layer;
  /** how time goes on */
  clWaveScheme scheme;
  /** of the domain */
  double width, height;
  /** distance of points, speed, time step */
  double h, c, dt;
  /** the largest local speed */
  double fastest;
  /** (c dt / h)^2, rounded, like each link's weight times beta, to a multiple of 2^-23, so that B's
   * rows sum to exactly 2: still water stays still */
  double beta;
  /** the largest stable time step, for the largest local speed; INFINITY: any */
  double dt_max;
  /** done so far */
  int64_t steps;
  /** steps * dt */
  double time;
  /** of conjugate gradients, in the last step */
  int64_t iterations;
  /** theirs, relative, at the end of the last step */
  double residual;
  /** the matrix B in one line (clMatrixDescription); valid as long as the domain */
  const char *storage;
} clWaveInfo;
/** What the domain is, and how far it is. Does not wait.
 * @param wave  NULL: all zeros, and an empty text
 * @return numbers of this moment */
TEXLA_API clWaveInfo clWaveInspect(const clWave *wave);

/** Puts walls into the water. The matrices are made anew, on the host.
 * @param wave  the domain; the water where walls come is lost, and keeps the height 0
 * @param solid  nx * ny values, row 0 at the bottom, not 0 is solid. NULL: no walls
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clWaveWalls(clWave *wave, const uint8_t *solid);

/** Sets local speeds. The matrices are made anew, on the host.
 * @param wave  the domain
 * @param speed  nx * ny positive multiples of c, row 0 at the bottom. NULL: 1 everywhere
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT (also for speeds that make dt unstable: the message tells
 *         the largest dt allowed), or what the top of this file lists */
TEXLA_API clStatus clWaveSpeed(clWave *wave, const float *speed);

/** A source adds to u_tt, so that waves pass through it:
 *
 *     amplitude * ramp(t) * cos(2 pi (frequency t + phase)) * exp(-d^2 / radius^2)
 *
 * where d is the distance to a point or a line, and ramp rises from 0 at time 0 to 1, smoothly,
 * within the time `ramp`. */
typedef struct clWaveSource {
  /** the point, or the middle of the line */
  double x, y;
  /** from there to an end of the line; 0: a point */
  double dx, dy;
  /** must be positive */
  double radius;
  /** a height per time^2 */
  double amplitude;
  /** the phase in turns; frequency 0 is a pressure that lasts */
  double frequency, phase;
  /** the time within which it rises; 0: it begins at once */
  double ramp;
  /** the velocity with which it moves */
  double vx, vy;
  /** It also moves around a circle of radius `orbit`, `turns` times in a unit of time, from the
   * right on. */
  double orbit, turns;
} clWaveSource;
/** The most sources of a domain. */
enum { TEXLA_WAVE_SOURCES = 6 };
/** Replaces the list of sources.
 * @param wave  the domain
 * @param source  `count` sources; copied
 * @param count  0 to TEXLA_WAVE_SOURCES
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clWaveSources(clWave *wave, const clWaveSource *source, int count);

/** The heights of now, in the grid layout nx x ny. Does not wait.
 * @param wave  owns the vector. NULL: NULL
 * @return valid until the next step, which returns another one */
TEXLA_API const clVector *clWaveHeight(const clWave *wave);

/** What can be looked at. */
typedef enum clWaveField {
  /** x(t) */
  TEXLA_WAVE_HEIGHT,
  /** (x(t) - x(t-1)) / dt */
  TEXLA_WAVE_VELOCITY,
  /** density 1/2 (u_t^2 + s^2 |grad u|^2) half a step ago; links with fixed edges are left out */
  TEXLA_WAVE_ENERGY,
  TEXLA_WAVE_FIELDS
} clWaveField;
/** A field's name: "height", ...
 * @param field  any value
 * @return a constant; "?" for values that are not in the list */
TEXLA_API const char *clWaveFieldName(clWaveField field);
/** *out <- a field of now, in the grid layout. Does not wait.
 * @param out  <- a vector that the wave owns, valid until its next call
 * @param wave  the domain
 * @param field  which one
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clWaveGet(const clVector **out, clWave *wave, clWaveField field);

/** Starts anew at time 0.
 * @param wave  the domain
 * @param height  u, nx * ny values, row 0 at the bottom. NULL: zeros
 * @param velocity  u_t, as many. NULL: zeros
 * @return TEXLA_OK, TEXLA_NOT_FINITE, or what the top of this file lists */
TEXLA_API clStatus clWaveUpload(clWave *wave, const float *height, const float *velocity);

/** u += height exp(-r^2 / radius^2), now and without a velocity; r is the distance to (x, y).
 * @param wave  the domain
 * @param x  of the middle, which may lie outside: what reaches into the domain is added
 * @param y  of the middle
 * @param radius  must be positive
 * @param height  in the middle
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clWaveDrop(clWave *wave, double x, double y, double radius, double height);

/** Goes `count` steps on. Does not wait with the explicit scheme.
 * @param wave  the domain. A failure ends the steps early; those that are done count
 * @param count  at least 0
 * @return TEXLA_OK, TEXLA_NOT_CONVERGED (an implicit scheme's system was not solved to its
 *         tolerance; the steps are done), or what the top of this file lists */
TEXLA_API clStatus clWaveStep(clWave *wave, int64_t count);

/** The energy that the scheme conserves, a discrete 1/2 integral (u_t^2 + s^2 |grad u|^2). With
 * a = x(t) and b = x(t-1):
 *
 *     explicit   E = h^2 / (2 dt^2) (|a - b|^2 + a.(2 I - B) b)
 *     implicit   E = h^2 / (2 dt^2) (|a - b|^2 + s.(2 I - B) s),   s = (a + b) / 2
 *
 * Blocks: one read-back.
 * @param wave  the domain
 * @param energy  <- E
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clWaveEnergy(clWave *wave, double *energy);

/** The most vectors of a state. */
enum { TEXLA_WAVE_STATE = 4 };
/** All that changes from step to step, for saving and going on bit for bit: the vectors x(t),
 * x(t-1) and, with absorbing edges, two of the layers.
 * @param wave  owns the vectors
 * @param state  <- the vectors, valid until the wave's next call
 * @return how many there are */
TEXLA_API int clWaveState(clWave *wave, clVector *state[TEXLA_WAVE_STATE]);
/** Goes on from a state, after its vectors have been filled.
 * @param wave  the domain
 * @param steps  so many have been done until then
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clWaveResume(clWave *wave, int64_t steps);

#ifdef __cplusplus
}
#endif
#endif
