/* What the kernels of all schemes of clWater have in common: their defines, and what they read. */
#include "sim/water.h"
#include "gl/defines.h"
#include "sim/flow.h"
#include "sim/kernels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Does water come in along an axis with a velocity of its own? */
static bool hasInflow(const clWaterOptions *o, int axis) {
  return o->advection != TEXLA_WATER_LINEAR &&
         (o->side[2 * axis].velocity > 0 || o->side[2 * axis + 1].velocity > 0);
}

/* Is there anything but a wall around? */
static bool hasRim(const clWaterOptions *o) {
  return o->side[0].edge || o->side[1].edge || o->side[2].edge || o->side[3].edge;
}

/* How many cells water may come in a step for the values around a face to be all that its way
 * meets: one at the end, half of one where the last substep begins. */
static double nearWay(int substeps) {
  if (substeps <= 2)
    return 1;
  return 0.5 * substeps / (substeps - 1);
}

/* The same shaders serve both axes, by AXIS; what the options leave out is not compiled, so that a
 * step without advection or viscosity reads less. */
clStatus txWaterKernel(clKernel **out, const clWater *water, const char *name, int axis,
                       const char *file) {
  const clWaterOptions *o = &water->options;
  bool conserves = o->advection == TEXLA_WATER_CONSERVING;
  txDefines source = {""};
  char include[64];
  txDefine(&source, "AXIS", axis);
  txDefineIf(&source, o->advection == TEXLA_WATER_STREAMLINES, "STREAMLINES");
  txDefineIf(&source, conserves, "CONSERVING");
  txDefineIf(&source, conserves, "UPWIND");
  txDefineIf(&source, o->viscosity > 0, "VISCOSITY");
  txDefineIf(&source, o->scheme == TEXLA_WATER_FIVE, "FIVE");
  txDefineIf(&source, hasInflow(o, axis), "INFLOW");
  txDefineIf(&source, hasRim(o), "RIM_FLOWS");
  snprintf(include, sizeof include, "#include \"%s\"\n", file);
  txDefineText(&source, include);
  return clKernelCreate(out, water->context, name, source.text);
}

/* Where something flows through the rim only the texels at it are asked for that. */
clStatus txWaterRun(const clWater *water, clKernel *kernel, const clKernelRun *run) {
  if (hasRim(&water->options))
    return txRunFields(kernel, run);
  return clKernelExecute(kernel, run);
}

/* --- what kernels read --- */

/* A side as water_predict.frag and water.glsl want it: stiff, radiating, still, q. `stiff` is large
 * beside what a cell's neighbours do to it in a step, and small enough for single precision. */
static void sideAt(const clWater *water, int s, double time, double value[4]) {
  const double stiffness = 1e3;
  const clWaterSide *side = &water->options.side[s];
  double wave = side->amplitude;
  if (side->period > 0)
    wave *= cos(6.283185307179586 * (time / side->period + side->phase));
  memset(value, 0, 4 * sizeof *value);
  if (side->edge == TEXLA_WATER_OPEN) {
    value[1] = sqrt(water->info.gravity);
    value[2] = side->level + 2 * wave;
  } else if (side->edge == TEXLA_WATER_LEVEL) {
    value[0] = stiffness * txWaterSpacing(water, s / 2) / water->info.dt;
    value[2] = side->level + wave;
  } else if (side->edge == TEXLA_WATER_INFLOW)
    value[3] = -side->discharge;
}

void txWaterRim(clKernelRun *run, const clWater *water, double time, double duration) {
  static const char *const name[] = {"rim_left", "rim_right", "rim_bottom", "rim_top"};
  const clWaterOptions *o = &water->options;
  const clWaterSide *side = o->side;
  double v[4];
  for (int s = 0; s < 4; s++) {
    sideAt(water, s, time, v);
    txRunParameter(run, name[s], 4, v[0], v[1], v[2], v[3]);
  }
  txRunParameter(run, "parts_x", 4, side[0].from * o->ny, side[0].to * o->ny, side[1].from * o->ny,
                 side[1].to * o->ny);
  txRunParameter(run, "parts_y", 4, side[2].from * o->nx, side[2].to * o->nx, side[3].from * o->nx,
                 side[3].to * o->nx);
  txRunParameter(run, "shares", 2, duration / o->dx, duration / o->dy, 0, 0);
  txRunParameter(run, "cells", 3, o->nx, o->ny, o->dry, 0);
}

/* Can water pass that side? */
static bool isOpen(const clWater *water, int s) {
  return water->options.side[s].edge != TEXLA_WATER_WALL;
}

/* The velocities that inflows bring along an axis, and where. */
static void addInflow(clKernelRun *run, const clWater *water, int axis) {
  const clWaterSide *low = &water->options.side[2 * axis], *high = low + 1;
  const int along[] = {water->options.ny, water->options.nx};
  double cells = along[axis], share = water->info.dt / txWaterSpacing(water, axis);
  double in = 0, back = 0;
  if (low->velocity > 0)
    in = low->discharge;
  if (high->velocity > 0)
    back = high->discharge;
  txRunParameter(run, "inflow", 4, low->velocity, share * in, -high->velocity, -share * back);
  txRunParameter(run, "inflow_parts", 4, low->from * cells, low->to * cells, high->from * cells,
                 high->to * cells);
}

/* The friction of the ground is coefficient * |u| u / depth^power: Chezy's g / C^2 with the power
 * 1, Manning's g n^2 with the power 4/3. */
static double frictionOf(const clWaterOptions *o, double *power) {
  double roughness = o->roughness * o->roughness;
  *power = 1;
  if (o->friction == TEXLA_WATER_CHEZY)
    return o->gravity / roughness;
  if (o->friction != TEXLA_WATER_MANNING)
    return 0;
  *power = 4. / 3;
  return o->gravity * o->roughness * o->roughness;
}

/* Streamlines are followed back as far as there are faces whose velocities are known: an open end
 * of the axis has one more than a wall, unless its velocity is prescribed. */
static void addReach(clKernelRun *run, const clWater *water, int axis) {
  const clWaterOptions *o = &water->options;
  const clWaterSide *side = &o->side[2 * axis];
  const int cells[] = {o->nx, o->ny};
  double last = cells[axis] - 1, last_across = cells[!axis] - 1;
  double from = -1, to = last, from_across = -1, to_across = last_across;
  if (isOpen(water, 2 * axis) && !(side[0].velocity > 0))
    from = 0;
  if (isOpen(water, 2 * axis + 1) && !(side[1].velocity > 0))
    to = fmax(last - 1, 0);
  if (isOpen(water, 2 * !axis))
    from_across = 0;
  if (isOpen(water, 2 * !axis + 1))
    to_across = fmax(last_across - 1, 0);
  txRunParameter(run, "reach_w", 4, from, to, 0, last_across);
  txRunParameter(run, "reach_s", 4, 0, last, from_across, to_across);
  txRunParameter(run, "substeps", 2, o->substeps, nearWay(o->substeps), 0, 0);
}

void txWaterPredict(clKernelRun *run, const clWater *water, int axis, double dt) {
  const clWaterOptions *o = &water->options;
  const double turn[] = {o->coriolis, -o->coriolis};
  double d = txWaterSpacing(water, axis), across = txWaterSpacing(water, !axis), g = o->gravity,
         strength = hypot(o->wind[0], o->wind[1]), power, friction = frictionOf(o, &power);
  txRunInput(run, "w", water->velocity[axis]);
  txRunInput(run, "s", water->velocity[!axis]);
  txRunInput(run, "z", water->z);
  txRunInput(run, "before", water->before);
  txRunInput(run, "ground", water->ground);
  txRunInput(run, "sill", water->sill[axis]);
  txRunInput(run, "sill_across", water->sill[!axis]);
  txRunParameter(run, "cells", 3, o->nx, o->ny, o->dry, 0);
  txRunParameter(run, "rates", 4, dt, dt / d, dt / across, g * dt / d);
  txRunParameter(run, "forces", 4, turn[axis], o->wind_drag * strength, o->wind[axis], o->theta);
  txRunParameter(run, "friction", 4, friction, power, o->viscosity * dt / (d * d),
                 o->viscosity * dt / (across * across));
  if (o->advection == TEXLA_WATER_STREAMLINES)
    addReach(run, water, axis);
  if (hasInflow(o, axis))
    addInflow(run, water, axis);
  if (o->advection == TEXLA_WATER_CONSERVING) {
    /* How far ahead of the level of now the one is that pulls, in parts of a stage's change. */
    double lead = 2 * o->theta - 1;
    if (o->scheme == TEXLA_WATER_FIVE)
      lead = o->theta;
    txRunParameter(run, "open_ends", 2, isOpen(water, 2 * axis), isOpen(water, 2 * axis + 1), 0, 0);
    txRunInput(run, "earlier", water->before);
    txRunParameter(run, "lead", 1, lead, 0, 0, 0);
    txRunInput(run, "flux_a0", water->flux[axis][0]);
    txRunInput(run, "flux_a1", water->flux[axis][1]);
    txRunInput(run, "flux_c0", water->flux[!axis][0]);
    txRunInput(run, "flux_c1", water->flux[!axis][1]);
  }
}

static void swap(clVector **a, clVector **b) {
  clVector *c = *a;
  *a = *b;
  *b = c;
}

/* Nothing is copied: vectors trade their places. */
void txWaterAccept(clWater *water) {
  swap(&water->z, &water->before);
  swap(&water->flux[0][0], &water->flux[0][1]);
  swap(&water->flux[1][0], &water->flux[1][1]);
}
