/**
 * @file
 * clFlow (K11): the incompressible Navier-Stokes equations in two dimensions, on a staggered grid
 * (MAC), in F/G form. Part of texla_sim.
 *
 *     F = u + dt (nu Laplace u - (u . grad) u + force_x),  G likewise
 *     u(t+dt) = F - dt p_x,  v(t+dt) = G - dt p_y,  with the p (pressure / density) that makes them
 *                            free of divergence
 *
 * Cell (i, j) is element j * nx + i of every field and covers [i h, (i+1) h] x [j h, (j+1) h]: p
 * and the dye live in its centre, u on its right face, v on its top face. Velocities through the
 * left and the bottom side are in no field; they are zero (walls) or given (inflow), those of the
 * right and the top side (periodic), or the flow keeps them (outflow). Lengths and times are in any
 * units that fit together.
 *
 * F and G start from the last step's pressure, so that only its change is solved for (incremental
 * pressure correction). A step is one pass for F and G, then corrections (divergence, pressure,
 * projection) until max |div u| h / U is at most the tolerance, U being the largest speed (bounded
 * from the faces of a cell).
 *
 * The dye, or temperature, q moves along and spreads, whatever the scheme of u and v:
 *
 *     q_t + div (u q) = diffusivity Laplace q - decay q
 *
 * by fluxes through faces, of second order and limited (van Leer 1974; Heun's rule in time): what
 * leaves a cell enters the next, and no value leaves the range of those around, but for what the
 * divergence that the tolerance leaves gathers. Half of its step lies before that of u and v, half
 * behind it. A step is divided where the flow crosses too much of a cell.
 *
 * Order: create (allocates) / obstacles or walls / upload (start values) / step / destroy.
 *
 * Errors: TEXLA_BAD_ARGUMENT (NULL, numbers that are not finite or do not fit together),
 * TEXLA_TOO_LARGE, TEXLA_OUT_OF_MEMORY, TEXLA_DEVICE_ERROR. A failed call leaves its outputs as
 * they were; of one that writes several fields (upload, restore, steps) some may have been written.
 *
 * Threads: a flow belongs to its context's thread.
 *
 * Ownership: who creates a flow, streaks or inks destroys them. Vectors that getters return belong
 * to what they were asked of, and change by its steps; arrays and vectors that are given stay the
 * caller's, and are not kept.
 *
 * Waiting: calls that return numbers or arrays block, and so do steps that look at what they have
 * reached: those whose corrections or time step are not fixed, or that move dye.
 *
 * @since 0.1, but where a comment says otherwise */
#ifndef TEXLA_FLOW_H
#define TEXLA_FLOW_H

#include "texla/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A flow in its domain. */
typedef struct clFlow clFlow;

/** What is at a side of the domain. */
typedef enum clFlowEdge {
  /** a wall; it moves along itself with `velocity` */
  TEXLA_FLOW_NO_SLIP,
  /** a wall, or a symmetry, without friction */
  TEXLA_FLOW_FREE_SLIP,
  /** `velocity` is given, on the part from..to; the rest is a wall at rest */
  TEXLA_FLOW_INFLOW,
  /** p = 0 outside, the velocity does not change across */
  TEXLA_FLOW_OUTFLOW,
  /** both sides of an axis */
  TEXLA_FLOW_PERIODIC
} clFlowEdge;

/** What carries velocities along (the dye has a way of its own, above). */
typedef enum clFlowScheme {
  /** from where the flow comes from: any time step, but smears */
  TEXLA_FLOW_SEMI_LAGRANGIAN,
  /** differences of fluxes, upwind and central ones blended by gamma */
  TEXLA_FLOW_DONOR_CELL,
  /** semi-Lagrangian there and back, and half of what that has done undone (Selle et al. 2008),
   * within the values around: smears far less */
  TEXLA_FLOW_MACCORMACK
} clFlowScheme;

/** How time goes on. */
typedef enum clFlowStepping {
  /** of first order in time: as above */
  TEXLA_FLOW_EULER,
  /** of second order, for the donor cell scheme: fluxes and forces of the step's middle, diffusion
   * by Crank-Nicolson's rule, without a limit of the step (docs/flows.md) */
  TEXLA_FLOW_MIDPOINT
} clFlowStepping;

/** What solves for the pressure. */
typedef enum clFlowSolver {
  /** cycles; around obstacles they precondition conjugate gradients */
  TEXLA_FLOW_MULTIGRID,
  /** without a preconditioner */
  TEXLA_FLOW_CG
} clFlowSolver;

/** A side of the domain. Zero means default: a wall at rest. */
typedef struct clFlowSide {
  /** what is there */
  clFlowEdge edge;
  /** u, v of an inflow; of a moving wall the component along it */
  float velocity[2];
  /** the part of an inflow, 0..1 of the side; to = 0: all of it */
  float from, to;
  /** inflow: velocity 4 s (1 - s) over that part */
  bool parabolic;
  /** of the inflow, on that part */
  float dye;
  /** a wall that keeps its dye (temperature) at `dye`; otherwise nothing passes */
  bool holds_dye;
} clFlowSide;

/** What the flow and its domain are like. Zero means default. */
typedef struct clFlowOptions {
  /** cells, at least 4 along a periodic axis; 0: 128 */
  int nx, ny;
  /** their size; 0: 1 / nx */
  double h;
  /** by clGridSide */
  clFlowSide side[4];
  /** nu; diffusion is explicit: the step is limited by h^2 / (4 nu) */
  double viscosity;
  /** of the dye, likewise */
  double diffusivity;
  /** diffusion by backward Euler, with Chebyshev's weights on sweeps of Jacobi: no limit. The
   * midpoint rule is implicit anyway */
  bool implicit;
  /** of the dye: factor exp(-decay dt) */
  double decay;
  /** a force per mass: x, y */
  double force[2];
  /** upward force per mass of a unit of dye above `ambient` */
  double buoyancy;
  /** dye (temperature) without buoyancy */
  double ambient;
  /** an effect, not physics: keeps small vortices turning by a force of so much times h |vorticity|
   * (Fedkiw, Stam, Jensen 2001); 0: none, 1 to 10 are seen */
  double confinement;
  /** of u and v */
  clFlowScheme scheme;
  /** how time goes on */
  clFlowStepping stepping;
  /** donor cell: 0 is central, 1 upwind */
  double gamma;
  /** time step; 0: chosen before every step from the speed (one that is given may be unstable) */
  double dt;
  /**
   * how many cells the flow crosses in a step that is chosen; 0: 1, donor cell 0.5, midpoint 0.8 */
  double cfl;
  /** a chosen step is no longer; 0: any */
  double dt_max;
  /** what solves for the pressure */
  clFlowSolver solver;
  /** max |div u| h / U after each step; 0: 1e-3 */
  double tolerance;
  /** exactly so many per step, whatever the divergence (with cycles, a dt and no dye nothing is
   * read back); 0: until the tolerance is met, at most 30 */
  int corrections;
  /** steps do not wait for what they have left, which in a browser takes as long as some of them:
   * each goes by the speed and the divergence of one of the four steps before it, and of the last
   * one where splats have pushed the flow much since (a twentieth). Where the divergence was above
   * the tolerance there is one correction more, so that it may be for some steps; they are the same
   * in each run. What changes the flow at once (start values, obstacles, a splat that is faster
   * than half of it) is looked at as otherwise.
   * @since 0.3 */
  bool late;
} clFlowOptions;

/** A flow at rest.
 * @param out  the caller owns it; untouched where the call fails
 * @param context  where it lives
 * @param options  NULL: a closed box. Copied
 * @return TEXLA_OK, or what the top of this file lists; the message of TEXLA_BAD_ARGUMENT tells
 *         what does not fit together */
TEXLA_API clStatus clFlowCreate(clFlow **out, clContext *context, const clFlowOptions *options);
/** Ends a flow, with the vectors that it has lent. Its streaks and inks must have ended before.
 * @param flow  NULL is allowed */
TEXLA_API void clFlowDestroy(clFlow *flow);

/** Solid cells. What flows there is lost. Sets the pressure solver up anew, on the host. Where
 * obstacles cut an inflow off from all outflows, nothing flows in until they are taken away.
 * @param flow  the flow; where the call fails to make the solver it has the obstacles of before
 * @param solid  nx * ny values, row 0 at the bottom, not 0 is solid; copied. NULL: none
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clFlowObstacles(clFlow *flow, const uint8_t *solid);

/**
 * Smooth walls instead of clFlowObstacles (cut cells). Cells are cut where the distance passes
 * zero. Beside them the velocity's diffusion is implicit, whatever the options say; away from
 * outflows at the left and the bottom.
 * @param flow  the flow
 * @param distance  nx * ny distances of the cells' centres from the nearest wall (a signed distance
 *         function), row 0 at the bottom, positive in the flow, negative within obstacles; finite,
 *         copied
 * @return TEXLA_OK, or what the top of this file lists
 * @since 0.2 */
TEXLA_API clStatus clFlowWalls(clFlow *flow, const float *distance);

/** A force on obstacles. */
typedef struct clFlowForce {
  /** x, y: of pressure, and of friction at the walls */
  double pressure[2], friction[2];
} clFlowForce;
/**
 * The force of the flow on all obstacles together, per density and depth: with the fluid's normal n
 * towards them, the integral of p n and of nu times the velocity's slope at the wall. Sums in
 * double-float (in double on the host where the device has none). Momentum that the donor cell
 * scheme carries into the steps of a mask of solid cells is left out; smooth walls take none.
 * Blocks: eight read-backs of a number.
 * @param flow  the flow
 * @param force  <- the force; zeros where there are no obstacles
 * @return TEXLA_OK, or what the top of this file lists
 * @since 0.2 */
TEXLA_API clStatus clFlowForces(clFlow *flow, clFlowForce *force);

/**
 * values <- the shear stress per density at a side: nu times the slope of the velocity along it, 2
 * (w - w_wall) / h, with w half a cell inside, which is the force that the scheme's walls exert.
 * Where it changes its sign a flow separates, or lies down again. Where the side does not hold the
 * flow, and beside obstacles: 0. Blocks: one read-back.
 * @param flow  the flow
 * @param side  which one
 * @param values  room for ny values at the left and the right, nx at the bottom and the top, at the
 *         faces of that velocity: the k-th at (k + 1) h
 * @return TEXLA_OK, or what the top of this file lists
 * @since 0.3 */
TEXLA_API clStatus clFlowShear(clFlow *flow, clGridSide side, float *values);

/**
 * *flux <- what flows out through a side, area per time: the sum of h times the velocities through
 * its faces, in double. Blocks: one read-back.
 * @param flow  the flow
 * @param side  which one
 * @param flux  <- the sum; negative where more comes in
 * @return TEXLA_OK, or what the top of this file lists
 * @since 0.3 */
TEXLA_API clStatus clFlowFlux(clFlow *flow, clGridSide side, double *flux);

/**
 * *flux <- what flows out through a side with the dye, amount times area per time: over its faces
 * the sum of h (w q - diffusivity dq/dn), w the velocity out, q the dye where the flow comes from
 * and dq/dn its slope outwards, as the scheme has them; in double. Once a flow is at rest in time,
 * those of all sides make zero. Blocks: two read-backs.
 * @param flow  the flow
 * @param side  which one
 * @param flux  <- the sum; NaN at a periodic side
 * @return TEXLA_OK, or what the top of this file lists
 * @since 0.3 */
TEXLA_API clStatus clFlowDyeFlux(clFlow *flow, clGridSide side, double *flux);

/**
 * *nusselt <- the mean Nusselt number of a wall that holds its dye (temperature), as the opposite
 * one does: the flux into the fluid, in parts of what would be conducted between both at rest.
 * Blocks: two read-backs.
 * @param flow  the flow
 * @param side  which one
 * @param nusselt  <- the number; NaN where not both walls hold their dye, or nothing is conducted
 * @return TEXLA_OK, or what the top of this file lists
 * @since 0.3 */
TEXLA_API clStatus clFlowNusselt(clFlow *flow, clGridSide side, double *nusselt);

/**
 * Where the flow beside a side goes back (the shear stress is negative): where it separates and
 * where it lies down again, interpolated linearly. Blocks: one read-back.
 * @param flow  the flow
 * @param side  which one
 * @param stretch  <- from .. to of the longest such part, as lengths from the side's left or lower
 *         end. NaN where it never does, or the side is not a wall that holds the flow
 * @return TEXLA_OK, or what the top of this file lists
 * @since 0.3 */
TEXLA_API clStatus clFlowBackflow(clFlow *flow, clGridSide side, double stretch[2]);

/**
 * How far the flow goes back (u < 0) behind an obstacle, interpolated linearly. Blocks: one
 * read-back.
 * @param flow  the flow
 * @param x  of a point on the obstacle's surface or in it
 * @param y  of that point
 * @param length  <- how far to the right of the point; 0 where the flow goes on
 * @return TEXLA_OK, or what the top of this file lists
 * @since 0.3 */
TEXLA_API clStatus clFlowWake(clFlow *flow, double x, double y, double *length);

/**
 * The pressure of a place, also on a wall: of the cubic polynomial that is closest to the pressures
 * of the cells in the flow that are no further than 4 cells away along each axis (also behind a
 * thin obstacle), with weights 1 / (1 + distance^2 / h^2)^4; of one of lower degree where there are
 * few. Cells that a smooth wall cuts are left out: their pressures are of first order, all others
 * of second. Blocks: one read-back.
 * @param flow  the flow
 * @param x  of the place, within the domain
 * @param y  of the place
 * @param pressure  <- pressure / density; NaN where there are no such cells
 * @return TEXLA_OK, or what the top of this file lists
 * @since 0.3 */
TEXLA_API clStatus clFlowPressure(clFlow *flow, double x, double y, double *pressure);

/**
 * Starts anew at time 0. Prescribed velocities are put in, those through outflows at the left and
 * the bottom are those of the next faces; the first step takes out divergence.
 * @param flow  the flow
 * @param u  nx * ny velocities at the cells' right faces, row 0 at the bottom. NULL: zeros
 * @param v  as many at their top faces. NULL: zeros
 * @param dye  as many at their centres; none stays in obstacles. NULL: zeros
 * @return TEXLA_OK, TEXLA_NOT_FINITE, and nothing happens, where a value is NaN or Inf, or what the
 *         top of this file lists */
TEXLA_API clStatus clFlowUpload(clFlow *flow, const float *u, const float *v, const float *dye);

/**
 * Adds amount * exp(-r^2 / radius^2) around a point to the velocity and the dye, in fluid. One
 * pass; does not wait.
 * @param flow  the flow
 * @param x  of the point
 * @param y  of the point
 * @param radius  must be positive
 * @param u  the amount of u
 * @param v  the amount of v
 * @param dye  the amount of dye
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clFlowSplat(clFlow *flow, double x, double y, double radius, double u, double v,
                               double dye);

/**
 * Pulls velocity and dye around a point to the given ones, in fluid: each becomes what q' =
 * strength exp(-r^2 / radius^2) (given - q) makes of it in a unit of time, exactly, so that twice
 * half of the strength is the same. With a rate times dt before each step, and the rate far above
 * speed / radius, that velocity is prescribed there, but for what the projection changes: a jet
 * that does not depend on the time step. One pass; does not wait.
 * @param flow  the flow
 * @param x  of the point
 * @param y  of the point
 * @param radius  must be positive
 * @param u  the given u
 * @param v  the given v
 * @param dye  the given dye
 * @param strength  not negative; 0 does nothing
 * @return TEXLA_OK, or what the top of this file lists
 * @since 0.3 */
TEXLA_API clStatus clFlowSteer(clFlow *flow, double x, double y, double radius, double u, double v,
                               double dye, double strength);

/**
 * Goes `count` steps on. Reads numbers back, but with cycles, a given dt, a given number of
 * corrections and no dye.
 * @param flow  the flow. A failure ends the steps early; those that are done count
 * @param count  at least 0
 * @return TEXLA_OK, TEXLA_NOT_CONVERGED (a step's divergence stayed above the tolerance; the steps
 *         are done), TEXLA_NOT_FINITE (the flow has become NaN or Inf, or its dye would cross more
 *         than about 350 cells in half a step: the time step was too long), or what the top of this
 *         file lists */
TEXLA_API clStatus clFlowStep(clFlow *flow, int64_t count);

/** What a flow is, and how far it is. */
typedef struct clFlowInfo {
  /** cells */
  int nx, ny;
  /** of a cell; of the domain */
  double h, width, height;
  /** done so far */
  int64_t steps;
  /** now; and the time step, the last one, or before it the first one */
  double time, dt;
  /** the viscous limit; INFINITY where there is none */
  double dt_stable;
  /** U, of the last look */
  double speed;
  /** max |div u| h / U after the last step; NaN: not looked at */
  double divergence;
  /** of the last step: multigrid cycles or CG solves */
  int corrections;
  /** of the last step: multigrid cycles or CG iterations */
  int64_t iterations;
  /** what solves for the pressure, in one line; valid as long as the flow */
  const char *solver;
} clFlowInfo;
/** What the flow is, and how far it is. Does not wait.
 * @param flow  NULL: all zeros, and an empty text
 * @return numbers of this moment */
TEXLA_API clFlowInfo clFlowInspect(const clFlow *flow);

/**
 * *energy <- the sum of h^2/2 (u^2 + v^2) over the stored faces, in double-float (in double on the
 * host where the device has none). Blocks: four read-backs of a number.
 * @param flow  the flow
 * @param energy  <- the kinetic energy per density and depth
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clFlowEnergy(clFlow *flow, double *energy);

/**
 * How fast the velocity changes: |w - w'| / (|w| (t - t')), over all stored faces w = (u, v), with
 * w' at the last call's time t'. Differences are taken before sums, and sums in double-float (in
 * double on the host where the device has none), so that it falls far below the rounding of an
 * energy. Blocks: eight read-backs of a number.
 * @param flow  the flow, which keeps a copy of the velocity
 * @param change  <- per time; INFINITY at the first call, and where no time has passed
 * @return TEXLA_OK, or what the top of this file lists
 * @since 0.2 */
TEXLA_API clStatus clFlowChange(clFlow *flow, double *change);

/**
 * What the scheme makes of the viscosity (the effective viscosity): -(dE/dt) / (integral of
 * vorticity^2), E the energy, from that of the last call on; without friction of the scheme it is
 * the viscosity. Blocks: six read-backs of a number.
 * @param flow  the flow, which keeps these numbers
 * @param viscosity  <- as the options' viscosity. NaN at the first call, and where energy comes
 *         from elsewhere: with inflows, outflows, moving walls, forces, buoyancy, confinement. What
 *         splats add is not known: negative then
 * @return TEXLA_OK, or what the top of this file lists
 * @since 0.2 */
TEXLA_API clStatus clFlowViscosity(clFlow *flow, double *viscosity);

/** What can be looked at. */
typedef enum clFlowField {
  /** velocity to the right, at the right faces */
  TEXLA_FLOW_U,
  /** velocity upwards, at the top faces */
  TEXLA_FLOW_V,
  /** pressure / density, at the centres */
  TEXLA_FLOW_PRESSURE,
  /** at the centres */
  TEXLA_FLOW_DYE,
  /** how many are stored; the others are derived */
  TEXLA_FLOW_STORED,
  /** at the centres */
  TEXLA_FLOW_SPEED = TEXLA_FLOW_STORED,
  /** v_x - u_y, at the centres */
  TEXLA_FLOW_VORTICITY,
  /** u_x + v_y, at the centres */
  TEXLA_FLOW_DIVERGENCE,
  /** how many there are */
  TEXLA_FLOW_FIELDS
} clFlowField;
/** A field's name: "u", "v", "pressure", ...
 * @param field  any value
 * @return a constant; "?" for values that are not in the list */
TEXLA_API const char *clFlowFieldName(clFlowField field);
/** *out <- a field of now, in the grid layout. Does not wait.
 * @param out  <- a vector that the flow owns, valid until its next call
 * @param flow  the flow
 * @param field  which one
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clFlowGet(const clVector **out, clFlow *flow, clFlowField field);

/** All that a step changes. */
typedef struct clFlowState {
  /** by clFlowField, nx * ny values each: the caller's */
  float *field[TEXLA_FLOW_STORED];
  /** ny + nx values: the velocities through the left and the bottom side */
  float *low;
  /** as in clFlowInfo */
  int64_t steps;
  /** as in clFlowInfo */
  double time, dt, speed, divergence;
  /** speed is that of now */
  bool looked;
} clFlowState;
/** Copies all that a step changes out. Blocks.
 * @param flow  the flow
 * @param state  whose arrays the caller has allocated, none of them NULL
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clFlowSave(const clFlow *flow, clFlowState *state);
/**
 * Copies it back into a flow with the same options and obstacles, which then goes on exactly as
 * that one.
 * @param flow  the flow
 * @param state  of clFlowSave; not kept
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clFlowRestore(clFlow *flow, const clFlowState *state);

/** Streaks: particles that drift with a flow and leave trails that fade. */
typedef struct clFlowStreaks clFlowStreaks;

/** How streaks look. Zero means default. */
typedef struct clFlowStreaksOptions {
  /** elements of the trails per cell, along each axis; 0: 1 */
  int scale;
  /** particles; 0: one per 250 elements */
  int count;
  /** time after which a particle starts anew elsewhere; 0: 4 fadings */
  double life;
  /** time in which a trail fades to 1 / e; 0: the time of 60 steps like the flow's next */
  double fade;
  /** of the places where particles start */
  int seed;
} clFlowStreaksOptions;

/** Streaks without trails yet.
 * @param out  the caller owns it; untouched where the call fails
 * @param flow  must outlive *out
 * @param options  NULL: defaults; copied
 * @return TEXLA_OK, TEXLA_UNSUPPORTED where the device cannot blend (clProbes), or what the top of
 *         this file lists */
TEXLA_API clStatus clFlowStreaksCreate(clFlowStreaks **out, clFlow *flow,
                                       const clFlowStreaksOptions *options);
/** Ends streaks, with the vector that they have lent.
 * @param streaks  NULL is allowed */
TEXLA_API void clFlowStreaksDestroy(clFlowStreaks *streaks);

/**
 * After a step of the flow: particles go as far as the flow does in that time, and draw their ways.
 * Does not wait.
 * @param streaks  the streaks
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clFlowStreaksStep(clFlowStreaks *streaks);

/** The trails: 1 along the fresh trail of one particle, summed over its width.
 * @param streaks  own the vector. NULL: NULL
 * @return scale nx x scale ny in the grid layout, valid until the next step */
TEXLA_API const clVector *clFlowStreaksTrails(const clFlowStreaks *streaks);

/** How many numbers clFlowStreaksSave writes.
 * @param streaks  NULL: 0
 * @return places of all particles, and the trails */
TEXLA_API int64_t clFlowStreaksLength(const clFlowStreaks *streaks);
/** Copies all that a step changes out. Blocks.
 * @param streaks  the streaks
 * @param values  room for clFlowStreaksLength numbers
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clFlowStreaksSave(const clFlowStreaks *streaks, float *values);
/** Copies it back, into streaks with the same options.
 * @param streaks  the streaks
 * @param values  of clFlowStreaksSave
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clFlowStreaksRestore(clFlowStreaks *streaks, const float *values);

/**
 * Inks: dyes in several colours on a grid finer than the flow's, carried along by MacCormack's
 * transport without changing the flow. Each place has four values: red, green, blue, and one more
 * for any use.
 * @since 0.3 */
typedef struct clFlowInks clFlowInks;

/** What inks are like. Zero means default. */
typedef struct clFlowInksOptions {
  /** places per cell along each axis, at most 64; 0: 2 */
  int scale;
  /** factor exp(-decay dt) */
  double decay;
} clFlowInksOptions;

/** Inks, of which there is none yet.
 * @param out  the caller owns it; untouched where the call fails
 * @param flow  must outlive *out
 * @param options  NULL: defaults; copied
 * @return TEXLA_OK, TEXLA_TOO_LARGE where a row does not fit into a texture of the device, or what
 *         the top of this file lists
 * @since 0.3 */
TEXLA_API clStatus clFlowInksCreate(clFlowInks **out, clFlow *flow,
                                    const clFlowInksOptions *options);
/** Ends inks, with the vector that they have lent.
 * @param inks  NULL is allowed
 * @since 0.3 */
TEXLA_API void clFlowInksDestroy(clFlowInks *inks);

/**
 * After a step of the flow: inks go as far as the flow does in that time. They stay within the
 * values around; obstacles hold none, and through an inflow comes what is beside it. Does not wait.
 * @param inks  the inks
 * @return TEXLA_OK, or what the top of this file lists
 * @since 0.3 */
TEXLA_API clStatus clFlowInksStep(clFlowInks *inks);

/** Adds amount * exp(-r^2 / radius^2) around a point, in fluid. One pass; does not wait.
 * @param inks  the inks
 * @param x  of the point, in the flow's units
 * @param y  of the point
 * @param radius  must be positive
 * @param amount  for each of the four values
 * @return TEXLA_OK, or what the top of this file lists
 * @since 0.3 */
TEXLA_API clStatus clFlowInksSplat(clFlowInks *inks, double x, double y, double radius,
                                   const float amount[4]);

/** The inks of now: the four values of a place side by side, in one texel.
 * @param inks  own the vector. NULL: NULL
 * @return 4 scale nx x scale ny in the grid layout, valid until the next step
 * @since 0.3 */
TEXLA_API const clVector *clFlowInksValues(const clFlowInks *inks);

/** How many numbers clFlowInksSave writes.
 * @param inks  NULL: 0
 * @return 4 scale^2 nx ny
 * @since 0.3 */
TEXLA_API int64_t clFlowInksLength(const clFlowInks *inks);
/** Copies the values of clFlowInksValues out. Blocks.
 * @param inks  the inks
 * @param values  room for clFlowInksLength numbers
 * @return TEXLA_OK, or what the top of this file lists
 * @since 0.3 */
TEXLA_API clStatus clFlowInksSave(const clFlowInks *inks, float *values);
/** Copies them back.
 * @param inks  the inks
 * @param values  of clFlowInksSave
 * @return TEXLA_OK, or what the top of this file lists
 * @since 0.3 */
TEXLA_API clStatus clFlowInksRestore(clFlowInks *inks, const float *values);

#ifdef __cplusplus
}
#endif
#endif
