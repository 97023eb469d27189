/**
 * @file
 * clWater (B9): shallow water, waves, tides and floods over any ground, on a staggered grid, by
 * implicit schemes whose time step no wave limits. Part of texla_sim.
 *
 * The shallow water equations for the level z of the surface and the velocities u, v, over ground
 * of height b; the depth is H = z - b:
 *
 *     u_t + u u_x + v u_y = -g z_x + f v - gamma u + nu (u_xx + u_yy) + wind
 *     v_t + u v_x + v v_y = -g z_y - f u - gamma v + nu (v_xx + v_yy) + wind
 *     z_t + (H u)_x + (H v)_y = 0
 *
 * Lengths, times and heights are in any units that fit together; defaults are in metres and
 * seconds. Cell (i, j), element j * nx + i, has z and b at its centre ((i + 1/2) dx, (j + 1/2) dy),
 * u in the middle of its right side, v of its top side.
 *
 * **Schemes** (V. Casulli, J. Comput. Phys. 86, 1990): the pull of the surface on the velocities
 * and the velocities' effect on the surface are implicit, transport is explicit, friction is
 * implicit. What is solved for is the *change* of the level, so that still water stays exactly
 * still over any ground. With theta = 1 they are of first order in time and damp short waves; with
 * theta = 1/2 of second order, without damping.
 *
 * **Shores**: a face between two cells is as deep as the water above the higher ground of both (in
 * deeper water: the mean depth), and closed where that is less than `dry`. No more flows out of a
 * cell than it holds, so that the depth is never negative; what leaves a cell enters the next one,
 * so that the volume stays.
 *
 * Order: create (allocates) / ground, upload, drop (start) / step (allocates nothing) / destroy.
 *
 * Errors: TEXLA_BAD_ARGUMENT (NULL, numbers that are not finite or do not fit together),
 * TEXLA_TOO_LARGE, TEXLA_OUT_OF_MEMORY, TEXLA_DEVICE_ERROR. A failed call changes nothing, but
 * where a comment says otherwise.
 *
 * Threads: water belongs to its context's thread.
 *
 * Ownership: who creates water destroys it. Vectors that getters return are the water's, and change
 * by its steps; arrays and vectors that are given stay the caller's, and are not kept.
 *
 * Waiting: calls that return numbers or arrays block, others where their comments say so.
 *
 * @since 0.2 */
#ifndef TEXLA_WATER_H
#define TEXLA_WATER_H

#include "texla/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Water over its ground. */
typedef struct clWater clWater;

/** How time goes on. */
typedef enum clWaterScheme {
  /**
   * In half a step u and z by a tridiagonal system for each row, in the other half v and z for each
   * column; u belongs to the middle of a step (the first step is only half as long for it), v and z
   * to its end. */
  TEXLA_WATER_ADI,
  /** u, v and z at once: one system with five diagonals, by preconditioned conjugate gradients. */
  TEXLA_WATER_FIVE
} clWaterScheme;

/** What carries the velocities. */
typedef enum clWaterAdvection {
  /**
   * from where the streamline through a place comes from: any time step, but smears, and shocks are
   * too fast or too slow */
  TEXLA_WATER_STREAMLINES,
  /** keeps momentum, as shocks, dam breaks and hydraulic jumps need it (G. Stelling, S. Duinmeijer,
   * Int. J. Numer. Meth. Fluids 43, 2003); velocities of at most a cell a step */
  TEXLA_WATER_CONSERVING,
  /** none: small waves */
  TEXLA_WATER_LINEAR
} clWaterAdvection;

/** What slows water down at the ground. */
typedef enum clWaterFriction {
  /** nothing */
  TEXLA_WATER_SMOOTH,
  /** gamma = g |u| / (C^2 H) */
  TEXLA_WATER_CHEZY,
  /** gamma = g n^2 |u| / H^(4/3) */
  TEXLA_WATER_MANNING
} clWaterFriction;

/** What is at a side of the domain. */
typedef enum clWaterEdge {
  /** nothing passes */
  TEXLA_WATER_WALL,
  /** waves leave; those that `level` describes come in: outflow sqrt(g H) (z - still - 2 (level -
   * still)) */
  TEXLA_WATER_OPEN,
  /** z = level(t) in the cells beside it: a tide */
  TEXLA_WATER_LEVEL,
  /** `discharge` comes in: a volume per time and length of the edge */
  TEXLA_WATER_INFLOW
} clWaterEdge;

/** A side of the domain, where level(t) = level + amplitude cos(2 pi (t / period + phase)). Zero
 * means default. */
typedef struct clWaterSide {
  /** what is there */
  clWaterEdge edge;
  /** of level(t) */
  double level, amplitude;
  /** 0: the amplitude counts as part of the level (of waves that come in for TEXLA_WATER_OPEN) */
  double period;
  /** in turns */
  double phase;
  /** for TEXLA_WATER_INFLOW: a volume per time and length */
  double discharge;
  /** the part that is not a wall, 0..1 of the side; to = 0: all of it */
  double from, to;
  /** of what an inflow brings, and with it momentum: a flow faster than its waves can only come in
   * this way; 0: that of the water it meets */
  double velocity;
} clWaterSide;

/** What the water and its domain are like. Zero means default. */
typedef struct clWaterOptions {
  /** cells; 0: 128 */
  int nx, ny;
  /** their size; 0: dx 1, dy as dx */
  double dx, dy;
  /** 0: 9.81; must not be negative */
  double gravity;
  /** time step; 0: `courant` cells for a wave over the deepest water when the run starts */
  double dt;
  /** sqrt(g H) dt / min(dx, dy), for dt = 0; 0: 2 */
  double courant;
  /** 1/2 .. 1; 0: 1 */
  double theta;
  /** how time goes on */
  clWaterScheme scheme;
  /** what carries the velocities */
  clWaterAdvection advection;
  /** parts of a streamline in a time step, each explicit; 0: 2 */
  int substeps;
  /** what slows water down */
  clWaterFriction friction;
  /** Chezy's C or Manning's n; 0: 50, 0.03 */
  double roughness;
  /** f */
  double coriolis;
  /** nu of eddies; explicit: dt <= d^2 / (4 nu) is required */
  double viscosity;
  /** its velocity; its stress is wind_drag |wind| (wind - u) */
  double wind[2];
  /** 0: 1.6e-6 */
  double wind_drag;
  /** depth below which nothing flows; 0: 1e-5 */
  double dry;
  /** by clGridSide */
  clWaterSide side[4];
  /** of the five-diagonal systems, relative; 0: 1e-5 */
  double tolerance;
  /** of the five-diagonal systems: none, jacobi (taken for 0) or mg */
  clPreconditioner preconditioner;
} clWaterOptions;

/** Makes a domain with its ground at 0, and no water.
 * @param out  the caller owns it
 * @param context  where it lives
 * @param options  NULL: all defaults
 * @return TEXLA_OK, or what the top of this file lists; the message of TEXLA_BAD_ARGUMENT tells
 *         what does not fit together */
TEXLA_API clStatus clWaterCreate(clWater **out, clContext *context, const clWaterOptions *options);
/** Ends a domain, with the vectors that it has lent.
 * @param water  NULL is allowed */
TEXLA_API void clWaterDestroy(clWater *water);

/** Sets the ground and the walls. Water keeps its level where that is above the new ground, dry
 * ground stays dry, and what was in new walls is lost.
 * @param water  the domain
 * @param height  of the ground: height[j * nx + i], row 0 at the bottom. NULL: 0 everywhere
 * @param solid  walls where it is not 0, in the same order. NULL: none
 * @param nx  columns of both, as the domain's
 * @param ny  rows of both, as the domain's
 * @return TEXLA_OK, TEXLA_BAD_SHAPE (other nx or ny), TEXLA_NOT_FINITE (NaN, Inf and heights beyond
 *         1e8, with their place), or what the top of this file lists */
TEXLA_API clStatus clWaterGround(clWater *water, const float *height, const uint8_t *solid, int nx,
                                 int ny);

/** Starts anew at time 0, and chooses dt where the options do not.
 * @param water  the domain
 * @param z  levels, nx * ny values, row 0 at the bottom; where they lie below the ground it is dry.
 *           NULL: 0
 * @param u  velocities at the cells' right sides, as many; those through closed faces are lost.
 *           NULL: 0
 * @param v  velocities at the cells' top sides. NULL: 0
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT (also where all is dry and nothing can flow in, or a wave
 *         would pass 10000 cells in a step), TEXLA_NOT_FINITE (with the place), or what the top of
 *         this file lists */
TEXLA_API clStatus clWaterUpload(clWater *water, const float *z, const float *u, const float *v);

/** z += height exp(-r^2 / radius^2), at most down to the ground; r is the distance to (x, y). One
 * pass; does not wait.
 * @param water  the domain
 * @param x  of the middle
 * @param y  of the middle
 * @param radius  must be positive
 * @param height  in the middle; negative takes water away
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clWaterDrop(clWater *water, double x, double y, double radius, double height);

/**
 * Sets level(t) = level + amplitude cos(2 pi (t / period + phase)) of a side. What is there, and on
 * which part of it, stays.
 * @param water  the domain
 * @param side  which one
 * @param level  the mean
 * @param amplitude  around it
 * @param period  0: the amplitude counts as part of the level
 * @param phase  in turns
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clWaterTide(clWater *water, clGridSide side, double level, double amplitude,
                               double period, double phase);

/** Goes `count` steps on. TEXLA_WATER_ADI reads nothing back.
 * @param water  the domain
 * @param count  at least 0
 * @return TEXLA_OK, TEXLA_NOT_CONVERGED (a five-diagonal system was not solved to its tolerance;
 *         the steps are done, and the volume stays all the same), or what the top of this file
 *         lists */
TEXLA_API clStatus clWaterStep(clWater *water, int64_t count);

/** What a domain is, and how far it is. */
typedef struct clWaterInfo {
  /** cells */
  int nx, ny;
  /** of a cell; of the domain */
  double dx, dy, width, height;
  /** as the options say */
  double gravity, theta;
  /** time step; 0: not chosen yet */
  double dt;
  /** now */
  double time;
  /** done so far */
  int64_t steps;
  /** of the last five-diagonal system */
  int64_t iterations;
  /** its relative residual */
  double residual;
  /** what solves these systems, in one line; valid as long as the domain */
  const char *solver;
} clWaterInfo;
/** What the domain is, and how far it is. Does not wait.
 * @param water  NULL: all zeros, and an empty text
 * @return numbers of this moment */
TEXLA_API clWaterInfo clWaterInspect(const clWater *water);

/** What all the water amounts to. */
typedef struct clWaterTotals {
  /** the integral of the depth */
  double volume;
  /** 1/2 integral (H (u^2 + v^2) + g (z^2 - max(b, 0)^2)), per density: 0 for water at rest at
   * level 0 */
  double energy;
  /** largest depth */
  double deepest;
  /** largest velocity */
  double speed;
  /** largest sqrt(g H) dt / min(dx, dy) */
  double courant;
} clWaterTotals;
/** Adds up what there is. Blocks.
 * @param water  the domain
 * @param totals  <- the sums
 * @return TEXLA_OK, TEXLA_NOT_FINITE (the water is not finite any more), or what the top of this
 *         file lists */
TEXLA_API clStatus clWaterMeasure(clWater *water, clWaterTotals *totals);

/** What can be looked at. */
typedef enum clWaterField {
  /** level; in dry cells that of the ground, in walls 1e9 */
  TEXLA_WATER_Z,
  /** velocity to the right, at the right sides */
  TEXLA_WATER_U,
  /** velocity upwards, at the top sides */
  TEXLA_WATER_V,
  /** 1e9 in walls */
  TEXLA_WATER_GROUND,
  /** how many are stored; the others are derived */
  TEXLA_WATER_STORED,
  /** H */
  TEXLA_WATER_DEPTH = TEXLA_WATER_STORED,
  /** at the centres */
  TEXLA_WATER_SPEED,
  /** v_x - u_y at the centres */
  TEXLA_WATER_VORTICITY,
  /** density, as in clWaterTotals */
  TEXLA_WATER_ENERGY,
  /** z where it is wet, 0 elsewhere */
  TEXLA_WATER_LEVELS,
  TEXLA_WATER_FIELDS
} clWaterField;
/** A field's name: "level", "u", ...
 * @param field  any value
 * @return a constant; "?" for values that are not in the list */
TEXLA_API const char *clWaterFieldName(clWaterField field);
/** *out <- a field of now, in the grid layout. Does not wait.
 * @param out  <- a vector that the water owns, valid until its next call
 * @param water  the domain
 * @param field  which one
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clWaterGet(const clVector **out, clWater *water, clWaterField field);

/** The most vectors of a state. */
enum { TEXLA_WATER_STATE = 8 };
/** All that a step changes, for saving and going on bit for bit.
 * @param water  owns the vectors
 * @param state  <- the vectors, valid until the water's next call
 * @return how many there are */
TEXLA_API int clWaterState(clWater *water, clVector *state[TEXLA_WATER_STATE]);
/** Goes on from a state, after its vectors have been filled.
 * @param water  the domain
 * @param steps  so many have been done until then
 * @param time  until then
 * @param dt  the time step
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clWaterResume(clWater *water, int64_t steps, double time, double dt);

#ifdef __cplusplus
}
#endif
#endif
