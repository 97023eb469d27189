/* clFlow (K11): the incompressible Navier-Stokes equations in two dimensions, on a staggered grid,
 * in F/G form:
 *
 *     F = u + dt (nu Laplace u - (u . grad) u + force_x),  G likewise
 *     u(t+dt) = F - dt p_x,  v(t+dt) = G - dt p_y,  with the p (pressure / density) that makes them
 *                            free of divergence
 *
 * Cell (i, j) is element j * nx + i of every field and covers [i h, (i+1) h] x [j h, (j+1) h]: p
 * and the dye live in its centre, u on its right face, v on its top face. Velocities through the
 * left and the bottom side are in no field; they are zero (walls) or given (inflow), those of the
 * right and the top side (periodic), or the flow keeps them (outflow).
 *
 * F and G start from the last step's pressure, so that only its change is solved for. A step is one
 * pass for F and G, then corrections (divergence, pressure, projection) until max |div u| h / U is
 * at most the tolerance, U being the largest speed (bounded from the faces of a cell).
 *
 * The dye, or temperature, q moves along and spreads, whatever the scheme of u and v:
 *
 *     q_t + div (u q) = diffusivity Laplace q - decay q
 *
 * by fluxes through faces, of second order and limited (van Leer 1974; Heun's rule in time): what
 * leaves a cell enters the next, and no value leaves the range of those around, but for what the
 * divergence that the tolerance leaves gathers. Half of its step lies before that of u and v, half
 * behind it. A step is divided where the flow crosses too much of a cell. */
#ifndef TEXLA_FLOW_H
#define TEXLA_FLOW_H

#include "texla/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clFlow clFlow;

typedef enum clFlowEdge {
  /* a wall; it moves along itself with `velocity` */
  TEXLA_FLOW_NO_SLIP,
  /* a wall, or a symmetry, without friction */
  TEXLA_FLOW_FREE_SLIP,
  /* `velocity` is given, on the part from..to; the rest is a wall at rest */
  TEXLA_FLOW_INFLOW,
  /* p = 0 outside, the velocity does not change across */
  TEXLA_FLOW_OUTFLOW,
  /* both sides of an axis */
  TEXLA_FLOW_PERIODIC
} clFlowEdge;

typedef enum clFlowScheme {
  /* from where the flow comes from: any time step, but smears */
  TEXLA_FLOW_SEMI_LAGRANGIAN,
  /* differences of fluxes, upwind and central ones blended by gamma */
  TEXLA_FLOW_DONOR_CELL,
  /* semi-Lagrangian there and back, and half of what that has done undone (Selle et al. 2008),
   * within the values around: smears far less */
  TEXLA_FLOW_MACCORMACK
} clFlowScheme;

typedef enum clFlowStepping {
  /* of first order in time: as above */
  TEXLA_FLOW_EULER,
  /* of second order, for the donor cell scheme: fluxes and forces of the step's middle, diffusion
   * by Crank-Nicolson's rule, without a limit of the step (docs/flows.md) */
  TEXLA_FLOW_MIDPOINT
} clFlowStepping;

typedef enum clFlowSolver {
  /* cycles; around obstacles they precondition conjugate gradients */
  TEXLA_FLOW_MULTIGRID,
  /* without a preconditioner */
  TEXLA_FLOW_CG
} clFlowSolver;

/* Zero means default. */
typedef struct clFlowSide {
  clFlowEdge edge;
  /* u, v of an inflow; of a moving wall the component along it */
  float velocity[2];
  /* the part of an inflow, 0..1 of the side; to = 0: all of it */
  float from, to;
  /* inflow: velocity 4 s (1 - s) over that part */
  bool parabolic;
  /* of the inflow, on that part */
  float dye;
  /* a wall that keeps its dye (temperature) at `dye`; otherwise nothing passes */
  bool holds_dye;
} clFlowSide;

/* Zero means default. */
typedef struct clFlowOptions {
  /* cells; 0: 128 */
  int nx, ny;
  /* their size; 0: 1 / nx */
  double h;
  /* by clGridSide */
  clFlowSide side[4];
  /* nu; diffusion is explicit: the step is limited by h^2 / (4 nu) */
  double viscosity;
  /* of the dye, likewise */
  double diffusivity;
  /* diffusion by backward Euler, with Chebyshev's weights on sweeps of Jacobi: no limit. The
   * midpoint rule is implicit anyway */
  bool implicit;
  /* of the dye: factor exp(-decay dt) */
  double decay;
  /* per mass */
  double force[2];
  /* upward force per mass of a unit of dye above `ambient` */
  double buoyancy;
  double ambient;
  /* an effect, not physics: keeps small vortices turning by a force of so much times h |vorticity|
   * (Fedkiw, Stam, Jensen 2001); 0: none, 1 to 10 are seen */
  double confinement;
  /* of u and v */
  clFlowScheme scheme;
  clFlowStepping stepping;
  /* donor cell: 0 is central, 1 upwind */
  double gamma;
  /* time step; 0: chosen before every step from the speed (one that is given may be unstable) */
  double dt;
  /* how many cells the flow crosses in a step that is chosen; 0: 1, donor cell 0.5, midpoint 0.8 */
  double cfl;
  /* a chosen step is no longer; 0: any */
  double dt_max;
  clFlowSolver solver;
  /* max |div u| h / U after each step; 0: 1e-3 */
  double tolerance;
  /* exactly so many per step, whatever the divergence (with cycles, a dt and no dye nothing is read
   * back); 0: until the tolerance is met, at most 30 */
  int corrections;
} clFlowOptions;

/* `options` may be NULL: a closed box at rest. TEXLA_BAD_ARGUMENT tells what does not fit together.
 * The caller owns *out. */
TEXLA_API clStatus clFlowCreate(clFlow **out, clContext *context, const clFlowOptions *options);
/* NULL is allowed */
TEXLA_API void clFlowDestroy(clFlow *flow);

/* Solid cells: nx * ny values, row 0 at the bottom, not 0 is solid (NULL: none). What flows there
 * is lost. Sets the pressure solver up anew, on the host. */
TEXLA_API clStatus clFlowObstacles(clFlow *flow, const uint8_t *solid);

/* Smooth walls instead: nx * ny distances of the cells' centres from the nearest wall, positive in
 * the flow, negative within obstacles. Cells are cut where the distance passes zero. For
 * TEXLA_FLOW_MIDPOINT; away from outflows at the left and the bottom. */
TEXLA_API clStatus clFlowWalls(clFlow *flow, const float *distance);

typedef struct clFlowForce {
  /* x, y */
  double pressure[2], friction[2];
} clFlowForce;
/* The force of the flow on all obstacles together, per density and depth: with the fluid's normal n
 * towards them, the integral of p n and of nu times the velocity's slope at the wall. Sums in
 * double-float (in double on the host where the device has none). Blocking: eight read-backs of a
 * number. Momentum that the donor cell scheme carries into the steps of a mask of solid cells is
 * left out; smooth walls take none. */
TEXLA_API clStatus clFlowForces(clFlow *flow, clFlowForce *force);

/* values <- the shear stress per density at a side: nu times the slope of the velocity along it, 2
 * (w - w_wall) / h, with w half a cell inside, which is the force that the scheme's walls exert. ny
 * values at the left and the right, nx at the bottom and the top, at the faces of that velocity:
 * the k-th at (k + 1) h. Where it changes its sign a flow separates, or lies down again. Where the
 * side does not hold the flow, and beside obstacles: 0. Blocking: one read-back. */
TEXLA_API clStatus clFlowShear(clFlow *flow, clGridSide side, float *values);

/* *flux <- what flows out through a side, area per time: the sum of h times the velocities through
 * its faces, in double. Blocking: one read-back. */
TEXLA_API clStatus clFlowFlux(clFlow *flow, clGridSide side, double *flux);

/* *flux <- what flows out through a side with the dye, amount times area per time: over its faces
 * the sum of h (w q - diffusivity dq/dn), w the velocity out, q the dye where the flow comes from
 * and dq/dn its slope outwards, as the scheme has them; in double. Once a flow is at rest in time,
 * those of all sides make zero. NaN at a periodic side. Blocking: two read-backs. */
TEXLA_API clStatus clFlowDyeFlux(clFlow *flow, clGridSide side, double *flux);

/* *nusselt <- the mean Nusselt number of a wall that holds its dye (temperature), as the opposite
 * one does: the flux into the fluid, in parts of what would be conducted between both at rest. NaN
 * where that is not given, or nothing is conducted. Blocking: two read-backs. */
TEXLA_API clStatus clFlowNusselt(clFlow *flow, clGridSide side, double *nusselt);

/* stretch <- from .. to of the longest part of a side, from its left or lower end, along which the
 * flow beside it goes back (the shear stress is negative): where it separates and where it lies
 * down again, interpolated linearly. NaN where it never does, or the side is not a wall that holds
 * the flow. Blocking: one read-back. */
TEXLA_API clStatus clFlowBackflow(clFlow *flow, clGridSide side, double stretch[2]);

/* *length <- how far the flow goes back (u < 0) to the right of a point on an obstacle's surface or
 * in it, interpolated linearly; 0 where it goes on. Blocking: one read-back. */
TEXLA_API clStatus clFlowWake(clFlow *flow, double x, double y, double *length);

/* *pressure <- that of a place, also on a wall: of the cubic polynomial that is closest to the
 * pressures of the cells in the flow that are no further than 4 cells away along each axis (also
 * behind a thin obstacle), with weights 1 / (1 + distance^2 / h^2)^4; of one of lower degree where
 * there are few, NaN where there are none. Cells that a smooth wall cuts are left out: their
 * pressures are of first order, all others of second. Blocking: one read-back. */
TEXLA_API clStatus clFlowPressure(clFlow *flow, double x, double y, double *pressure);

/* Starts anew at time 0 from u, v and dye (nx * ny values each; NULL: zeros). Prescribed velocities
 * are put in, those through outflows at the left and the bottom are those of the next faces; the
 * first step takes out divergence. TEXLA_NOT_FINITE, and nothing happens, where a value is NaN or
 * Inf. */
TEXLA_API clStatus clFlowUpload(clFlow *flow, const float *u, const float *v, const float *dye);

/* Adds  amount * exp(-r^2 / radius^2)  around the point (x, y) to the velocity and the dye, in
 * fluid. One pass. */
TEXLA_API clStatus clFlowSplat(clFlow *flow, double x, double y, double radius, double u, double v,
                               double dye);

/* Pulls velocity and dye around the point (x, y) to the given ones, in fluid: each becomes what  q'
 * = strength exp(-r^2 / radius^2) (given - q)  makes of it in a unit of time, exactly, so that
 * twice half of the strength is the same. With a rate times dt before each step, and the rate far
 * above speed / radius, that velocity is prescribed there, but for what the projection changes: a
 * jet that does not depend on the time step. `strength` (not negative) 0 does nothing. One pass. */
TEXLA_API clStatus clFlowSteer(clFlow *flow, double x, double y, double radius, double u, double v,
                               double dye, double strength);

/* `count` steps. TEXLA_NOT_CONVERGED: a step's divergence stayed above the tolerance (the steps are
 * done). TEXLA_NOT_FINITE: the flow has become NaN or Inf, or its dye would cross more than about
 * 350 cells in half a step: the time step was too long. */
TEXLA_API clStatus clFlowStep(clFlow *flow, int64_t count);

typedef struct clFlowInfo {
  int nx, ny;
  double h, width, height;
  int64_t steps;
  /* dt: of the last step, before it that of the first */
  double time, dt;
  /* the viscous limit; INFINITY where there is none */
  double dt_stable;
  /* U, of the last look */
  double speed;
  /* max |div u| h / U after the last step; NaN: not looked at */
  double divergence;
  /* of the last step: multigrid cycles or CG solves */
  int corrections;
  /* of the last step: multigrid cycles or CG iterations */
  int64_t iterations;
  /* one line */
  const char *solver;
} clFlowInfo;
TEXLA_API clFlowInfo clFlowInspect(const clFlow *flow);

/* Sum of h^2/2 (u^2 + v^2) over the stored faces, in double-float (in double on the host where the
 * device has none). Blocking: four read-backs of a number. */
TEXLA_API clStatus clFlowEnergy(clFlow *flow, double *energy);

/* How fast the velocity changes: |w - w'| / (|w| (t - t')), over all stored faces w = (u, v), with
 * w' at the last call's time t'; INFINITY at the first call, and where no time has passed.
 * Differences are taken before sums, and sums in double-float (in double on the host where the
 * device has none), so that it falls far below the rounding of an energy. Blocking: eight
 * read-backs of a number. */
TEXLA_API clStatus clFlowChange(clFlow *flow, double *change);

/* What the scheme makes of the viscosity: -(dE/dt) / (integral of vorticity^2), E the energy, from
 * that of the last call on; without friction of the scheme it is the viscosity. NaN at the first
 * call, and where energy comes from elsewhere: with inflows, outflows, moving walls, forces,
 * buoyancy, confinement. What splats add is not known: negative then. Blocking: six read-backs of a
 * number. */
TEXLA_API clStatus clFlowViscosity(clFlow *flow, double *viscosity);

typedef enum clFlowField {
  TEXLA_FLOW_U,
  TEXLA_FLOW_V,
  TEXLA_FLOW_PRESSURE,
  TEXLA_FLOW_DYE,
  /* how many are stored; the others are derived */
  TEXLA_FLOW_STORED,
  /* at the centres */
  TEXLA_FLOW_SPEED = TEXLA_FLOW_STORED,
  /* v_x - u_y, at the centres */
  TEXLA_FLOW_VORTICITY,
  TEXLA_FLOW_DIVERGENCE,
  TEXLA_FLOW_FIELDS
} clFlowField;
/* "u", "v", "pressure", ... */
TEXLA_API const char *clFlowFieldName(clFlowField field);
/* *out <- a field of now, in the grid layout; owned by the flow, valid until its next call. */
TEXLA_API clStatus clFlowGet(const clVector **out, clFlow *flow, clFlowField field);

/* All that a step changes. */
typedef struct clFlowState {
  /* by clFlowField, nx * ny values each: the caller's */
  float *field[TEXLA_FLOW_STORED];
  /* ny + nx values: the velocities through the left and the bottom side */
  float *low;
  int64_t steps;
  /* as in clFlowInfo */
  double time, dt, speed, divergence;
  /* speed is that of now */
  bool looked;
} clFlowState;
/* Copies it out, and back into a flow with the same options and obstacles, which then goes on
 * exactly as that one. Blocking. */
TEXLA_API clStatus clFlowSave(const clFlow *flow, clFlowState *state);
TEXLA_API clStatus clFlowRestore(clFlow *flow, const clFlowState *state);

/* Streaks: particles that drift with a flow and leave trails that fade. */
typedef struct clFlowStreaks clFlowStreaks;

/* Zero means default. */
typedef struct clFlowStreaksOptions {
  /* elements of the trails per cell, along each axis; 0: 1 */
  int scale;
  /* particles; 0: one per 250 elements */
  int count;
  /* time after which a particle starts anew elsewhere; 0: 4 fadings */
  double life;
  /* time in which a trail fades to 1 / e; 0: the time of 60 steps like the flow's next */
  double fade;
  /* of the places where particles start */
  int seed;
} clFlowStreaksOptions;

/* `options` may be NULL. The flow must outlive it. TEXLA_UNSUPPORTED where the device cannot blend
 * (clProbes). */
TEXLA_API clStatus clFlowStreaksCreate(clFlowStreaks **out, clFlow *flow,
                                       const clFlowStreaksOptions *options);
/* NULL is allowed */
TEXLA_API void clFlowStreaksDestroy(clFlowStreaks *streaks);

/* After a step of the flow: particles go as far as the flow does in that time, and draw their
 * ways. */
TEXLA_API clStatus clFlowStreaksStep(clFlowStreaks *streaks);

/* The trails, scale nx x scale ny in the grid layout: 1 along the fresh trail of one particle,
 * summed over its width. Owned by the streaks. */
TEXLA_API const clVector *clFlowStreaksTrails(const clFlowStreaks *streaks);

/* Copies all that a step changes to `values`, clFlowStreaksLength of them, and back. Blocking. */
TEXLA_API int64_t clFlowStreaksLength(const clFlowStreaks *streaks);
TEXLA_API clStatus clFlowStreaksSave(const clFlowStreaks *streaks, float *values);
TEXLA_API clStatus clFlowStreaksRestore(clFlowStreaks *streaks, const float *values);

/* Inks: dyes in several colours on a grid finer than the flow's, carried along by MacCormack's
 * transport without changing the flow. Each place has four values: red, green, blue, and one more
 * for any use. */
typedef struct clFlowInks clFlowInks;

/* Zero means default. */
typedef struct clFlowInksOptions {
  /* places per cell along each axis, at most 64; 0: 2 */
  int scale;
  /* factor exp(-decay dt) */
  double decay;
} clFlowInksOptions;

/* Without any ink. `options` may be NULL. The flow must outlive it. TEXLA_TOO_LARGE where a row
 * does not fit into a texture of the device. */
TEXLA_API clStatus clFlowInksCreate(clFlowInks **out, clFlow *flow,
                                    const clFlowInksOptions *options);
/* NULL is allowed */
TEXLA_API void clFlowInksDestroy(clFlowInks *inks);

/* After a step of the flow: inks go as far as the flow does in that time. They stay within the
 * values around; obstacles hold none, and through an inflow comes what is beside it. */
TEXLA_API clStatus clFlowInksStep(clFlowInks *inks);

/* Adds  amount * exp(-r^2 / radius^2)  around the point (x, y), in fluid. One pass. */
TEXLA_API clStatus clFlowInksSplat(clFlowInks *inks, double x, double y, double radius,
                                   const float amount[4]);

/* 4 scale nx x scale ny in the grid layout: the four values of a place side by side, in one texel.
 * Owned by the inks. */
TEXLA_API const clVector *clFlowInksValues(const clFlowInks *inks);

/* Copies these values to `values`, clFlowInksLength of them, and back. Blocking. */
TEXLA_API int64_t clFlowInksLength(const clFlowInks *inks);
TEXLA_API clStatus clFlowInksSave(const clFlowInks *inks, float *values);
TEXLA_API clStatus clFlowInksRestore(clFlowInks *inks, const float *values);

#ifdef __cplusplus
}
#endif
#endif
