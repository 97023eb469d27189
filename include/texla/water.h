/* Shallow water: waves, tides and floods over any ground (B9), on a staggered grid, by implicit
 * schemes whose time step no wave limits.
 *
 * create (allocates) / ground, upload, drop (start) / step (allocates nothing) / destroy. One
 * thread at a time per context. */
#ifndef TEXLA_WATER_H
#define TEXLA_WATER_H

#include "texla/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* clWater: the shallow water equations for the level z of the surface and the velocities u, v, over
 * ground of height b; the depth is H = z - b:
 *     u_t + u u_x + v u_y = -g z_x + f v - gamma u + nu (u_xx + u_yy) + wind,     v likewise with -f u
 *     z_t + (H u)_x + (H v)_y = 0
 * Lengths, times and heights are in any units that fit together; defaults are in metres and
 * seconds. Cell (i, j), element j * nx + i, has z and b at its centre ((i + 1/2) dx, (j + 1/2) dy),
 * u in the middle of its right side, v of its top side.
 *
 * Schemes (V. Casulli, J. Comput. Phys. 86, 1990): the pull of the surface on the velocities and
 * the velocities' effect on the surface are implicit, transport is explicit, friction is implicit.
 * What is solved for is the *change* of the level, so that still water stays exactly still over any
 * ground.
 *   TEXLA_WATER_ADI    in half a step u and z by a tridiagonal system for each row, in the other
 *                      half v and z for each column; u belongs to the middle of a step (the first
 *                      step is only half as long for it), v and z to its end
 *   TEXLA_WATER_FIVE   u, v and z at once: one system with five diagonals, by preconditioned
 *                      conjugate gradients
 * With theta = 1 they are of first order in time and damp short waves; with theta = 1/2 of second
 * order, without damping.
 *
 * Shores: a face between two cells is as deep as the water above the higher ground of both (in
 * deeper water: the mean depth), and closed where that is less than `dry`. No more flows out of a
 * cell than it holds, so that the depth is never negative; what leaves a cell enters the next one,
 * so that the volume stays.
 *
 * @since 0.2 */
typedef struct clWater clWater;

typedef enum clWaterScheme { TEXLA_WATER_ADI, TEXLA_WATER_FIVE } clWaterScheme;

typedef enum clWaterAdvection {
  /* from where the streamline through a place comes from: any time step, but smears, and shocks are
   * too fast or too slow */
  TEXLA_WATER_STREAMLINES,
  /* keeps momentum, as shocks, dam breaks and hydraulic jumps need it (G. Stelling, S. Duinmeijer,
   * Int. J. Numer. Meth. Fluids 43, 2003); velocities of at most a cell a step */
  TEXLA_WATER_CONSERVING,
  /* none: small waves */
  TEXLA_WATER_LINEAR
} clWaterAdvection;

typedef enum clWaterFriction {
  TEXLA_WATER_SMOOTH,
  /* gamma = g |u| / (C^2 H) */
  TEXLA_WATER_CHEZY,
  /* gamma = g n^2 |u| / H^(4/3) */
  TEXLA_WATER_MANNING
} clWaterFriction;

typedef enum clWaterEdge {
  TEXLA_WATER_WALL,
  /* waves leave; those that `level` describes come in: outflow sqrt(g H) (z - still - 2 (level -
   * still)) */
  TEXLA_WATER_OPEN,
  /* z = level(t) in the cells beside it: a tide */
  TEXLA_WATER_LEVEL,
  /* `discharge` comes in: a volume per time and length of the edge */
  TEXLA_WATER_INFLOW
} clWaterEdge;

/* Zero means default. level(t) = level + amplitude cos(2 pi (t / period + phase)). */
typedef struct clWaterSide {
  clWaterEdge edge;
  double level, amplitude;
  /* 0: the amplitude counts as part of the level (of waves that come in for TEXLA_WATER_OPEN) */
  double period;
  /* in turns */
  double phase;
  double discharge;
  /* the part that is not a wall, 0..1 of the side; to = 0: all of it */
  double from, to;
  /* of what an inflow brings, and with it momentum: a flow faster than its waves can only come in
   * this way; 0: that of the water it meets */
  double velocity;
} clWaterSide;

/* Zero means default. */
typedef struct clWaterOptions {
  /* cells; 0: 128 */
  int nx, ny;
  /* their size; 0: dx 1, dy as dx */
  double dx, dy;
  /* 0: 9.81; must not be negative */
  double gravity;
  /* time step; 0: `courant` cells for a wave over the deepest water when the run starts */
  double dt;
  /* sqrt(g H) dt / min(dx, dy), for dt = 0; 0: 2 */
  double courant;
  /* 1/2 .. 1; 0: 1 */
  double theta;
  clWaterScheme scheme;
  clWaterAdvection advection;
  /* of a streamline in a time step, each explicit; 0: 2 */
  int substeps;
  clWaterFriction friction;
  /* Chezy's C or Manning's n; 0: 50, 0.03 */
  double roughness;
  /* f */
  double coriolis;
  /* nu of eddies; explicit: dt <= d^2 / (4 nu) is required */
  double viscosity;
  /* its velocity; its stress is wind_drag |wind| (wind - u) */
  double wind[2];
  /* 0: 1.6e-6 */
  double wind_drag;
  /* depth below which nothing flows; 0: 1e-5 */
  double dry;
  /* by clGridSide */
  clWaterSide side[4];
  /* of the five-diagonal systems: */
  /* relative; 0: 1e-5 */
  double tolerance;
  /* none, jacobi (taken for 0) or mg */
  clPreconditioner preconditioner;
} clWaterOptions;

/* `options` may be NULL. Ground at 0, no water. TEXLA_BAD_ARGUMENT tells what does not fit
 * together. The caller owns *out. */
TEXLA_API clStatus clWaterCreate(clWater **out, clContext *context, const clWaterOptions *options);
/* NULL is allowed */
TEXLA_API void clWaterDestroy(clWater *water);

/* The ground: height[j * nx + i], row 0 at the bottom (NULL: 0), and walls where solid is not 0
 * (NULL: none). nx and ny must be the water's own (TEXLA_BAD_SHAPE); NaN, Inf and heights beyond
 * 1e8 are refused with their place. Water keeps its level where that is above the new ground, dry
 * ground stays dry, and what was in new walls is lost. A failed call changes nothing. */
TEXLA_API clStatus clWaterGround(clWater *water, const float *height, const uint8_t *solid, int nx,
                                 int ny);

/* Starts anew at time 0: levels z (NULL: 0; where they lie below the ground it is dry) and
 * velocities (NULL: 0; those through closed faces are lost), nx * ny values each; chooses dt where
 * the options do not. TEXLA_BAD_ARGUMENT: all is dry and nothing can flow in, or a wave would pass
 * 10000 cells in a step. TEXLA_NOT_FINITE tells the place. A failed call changes nothing. */
TEXLA_API clStatus clWaterUpload(clWater *water, const float *z, const float *u, const float *v);

/* Adds  height * exp(-r^2 / radius^2)  around the point (x, y) to the level, at most down to the
 * ground. One pass. */
TEXLA_API clStatus clWaterDrop(clWater *water, double x, double y, double radius, double height);

/* Replaces what the edge's level is (kind of edge and part stay). */
TEXLA_API clStatus clWaterTide(clWater *water, clGridSide side, double level, double amplitude,
                               double period, double phase);

/* `count` steps. TEXLA_WATER_ADI reads nothing back; TEXLA_NOT_CONVERGED: a five-diagonal system
 * was not solved to its tolerance (the steps are done, and the volume stays all the same). */
TEXLA_API clStatus clWaterStep(clWater *water, int64_t count);

typedef struct clWaterInfo {
  int nx, ny;
  double dx, dy, width, height;
  double gravity, theta;
  /* 0: not chosen yet */
  double dt;
  double time;
  int64_t steps;
  /* of the last five-diagonal system */
  int64_t iterations;
  /* its relative residual */
  double residual;
  /* one line */
  const char *solver;
} clWaterInfo;
TEXLA_API clWaterInfo clWaterInspect(const clWater *water);

/* What all the water amounts to. */
typedef struct clWaterTotals {
  double volume;
  /* 1/2 integral (H (u^2 + v^2) + g (z^2 - max(b, 0)^2)), per density: 0 for water at rest at level
   * 0 */
  double energy;
  /* largest depth */
  double deepest;
  /* largest */
  double speed;
  /* largest sqrt(g H) dt / min(dx, dy) */
  double courant;
} clWaterTotals;
/* Blocking. TEXLA_NOT_FINITE: the water is not finite any more. */
TEXLA_API clStatus clWaterMeasure(clWater *water, clWaterTotals *totals);

typedef enum clWaterField {
  /* level; in dry cells that of the ground, in walls 1e9 */
  TEXLA_WATER_Z,
  TEXLA_WATER_U,
  TEXLA_WATER_V,
  /* 1e9 in walls */
  TEXLA_WATER_GROUND,
  /* how many are stored; the others are derived */
  TEXLA_WATER_STORED,
  TEXLA_WATER_DEPTH = TEXLA_WATER_STORED,
  /* at the centres */
  TEXLA_WATER_SPEED,
  /* v_x - u_y at the centres */
  TEXLA_WATER_VORTICITY,
  /* density, as in clWaterTotals */
  TEXLA_WATER_ENERGY,
  /* z where it is wet, 0 elsewhere */
  TEXLA_WATER_LEVELS,
  TEXLA_WATER_FIELDS
} clWaterField;
/* "level", "u", ... */
TEXLA_API const char *clWaterFieldName(clWaterField field);
/* *out <- a field of now, in the grid layout; owned by the water, valid until its next call. */
TEXLA_API clStatus clWaterGet(const clVector **out, clWater *water, clWaterField field);

/* All that a step changes, for saving and going on bit for bit: vectors owned by the water, valid
 * until its next call. Returns how many there are. */
enum { TEXLA_WATER_STATE = 8 };
TEXLA_API int clWaterState(clWater *water, clVector *state[TEXLA_WATER_STATE]);
/* After the vectors have been filled: so many steps of length dt have been done, until that
 * time. */
TEXLA_API clStatus clWaterResume(clWater *water, int64_t steps, double time, double dt);

#ifdef __cplusplus
}
#endif
#endif
