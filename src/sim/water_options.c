/* What clWater is asked for: checks and defaults. */
#include "sim/water.h"
#include "core/try.h"
#include "sim/options.h"

#include <math.h>

/* A velocity belongs to an inflow: elsewhere the water's own one counts. */
static clStatus checkSide(const clWaterSide *side, int s, clError *error, const char *call) {
  const char *name = txSideName(s);
  if ((unsigned)side->edge > TEXLA_WATER_INFLOW)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "the %s side has an unknown kind of edge %d",
                  name, (int)side->edge);
  if (!isfinite(side->level) || !isfinite(side->amplitude) || !isfinite(side->phase) ||
      !isfinite(side->discharge) || !txIsAtLeastZero(side->period))
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "level %g, amplitude %g, phase %g, discharge %g and period %g of the %s side "
                  "must be finite, the period not negative",
                  side->level, side->amplitude, side->phase, side->discharge, side->period, name);
  if (!txIsAtLeastZero(side->velocity) || (side->velocity > 0 && side->edge != TEXLA_WATER_INFLOW))
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "velocity %g of the %s side must be finite and not negative, and 0 where it is "
                  "not an inflow",
                  side->velocity, name);
  if (!txIsPartOfSide(side->from, side->to))
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "the %s side's part from %g to %g must lie in 0..1", name, side->from, side->to);
  return TEXLA_OK;
}

/* Other preconditioners are built on the host, from a matrix that is new in every step here. */
static clStatus checkKinds(const clWaterOptions *o, clError *error, const char *call) {
  if ((unsigned)o->scheme > TEXLA_WATER_FIVE || (unsigned)o->advection > TEXLA_WATER_LINEAR ||
      (unsigned)o->friction > TEXLA_WATER_MANNING)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "unknown scheme %d, advection %d or friction %d",
                  (int)o->scheme, (int)o->advection, (int)o->friction);
  if (o->preconditioner != TEXLA_PRECONDITIONER_NONE &&
      o->preconditioner != TEXLA_PRECONDITIONER_JACOBI &&
      o->preconditioner != TEXLA_PRECONDITIONER_MG)
    return txFail(error, TEXLA_UNSUPPORTED, call, "the preconditioner must be none, jacobi or mg");
  return TEXLA_OK;
}

/* Numbers that are not given are zeros, which get their defaults afterwards. */
static clStatus checkNumbers(const clWaterOptions *o, clError *error, const char *call) {
  if (o->nx < 0 || o->ny < 0 || o->substeps < 0 || o->substeps > 64)
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "the grid of %d x %d cells must not be negative, substeps (%d) must be 0..64",
                  o->nx, o->ny, o->substeps);
  if (!txIsAtLeastZero(o->dx) || !txIsAtLeastZero(o->dy) || !txIsAtLeastZero(o->gravity) ||
      !txIsAtLeastZero(o->courant) || !txIsAtLeastZero(o->roughness) ||
      !txIsAtLeastZero(o->viscosity) || !txIsAtLeastZero(o->wind_drag) ||
      !txIsAtLeastZero(o->dry) || !txIsAtLeastZero(o->tolerance))
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "dx (%g), dy (%g), gravity (%g), courant (%g), roughness (%g), viscosity (%g), "
                  "wind_drag (%g), dry (%g) and tolerance (%g) must be finite and not negative",
                  o->dx, o->dy, o->gravity, o->courant, o->roughness, o->viscosity, o->wind_drag,
                  o->dry, o->tolerance);
  if (!txIsAtLeastZero(o->dt))
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "the time step %g must be positive and finite",
                  o->dt);
  if (!isfinite(o->coriolis) || !isfinite(o->wind[0]) || !isfinite(o->wind[1]))
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "coriolis (%g) and the wind (%g, %g) must be finite", o->coriolis, o->wind[0],
                  o->wind[1]);
  if (o->theta != 0 && !(o->theta >= 0.5 && o->theta <= 1))
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "theta (%g) must lie in 0.5..1", o->theta);
  if (o->gravity != 0 && !isnormal((float)o->gravity))
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "gravity (%g) must be a positive number of single precision", o->gravity);
  return TEXLA_OK;
}

/* The roughness has two scales: Manning's n grows with it, Chezy's coefficient falls. The wind's
 * drag is a usual coefficient of it, 1.3e-3, times the density of air in that of water. */
static void fill(clWaterOptions *o) {
  double roughness = 50;
  if (o->friction == TEXLA_WATER_MANNING)
    roughness = 0.03;
  txUsualInteger(&o->nx, 128);
  txUsualInteger(&o->ny, 128);
  txUsualInteger(&o->substeps, 2);
  txUsual(&o->dx, 1);
  txUsual(&o->dy, o->dx);
  txUsual(&o->gravity, 9.81);
  txUsual(&o->courant, 2);
  txUsual(&o->theta, 1);
  txUsual(&o->roughness, roughness);
  txUsual(&o->wind_drag, 1.6e-6);
  txUsual(&o->dry, 1e-5);
  txUsual(&o->tolerance, 1e-5);
  for (int s = 0; s < 4; s++)
    txUsual(&o->side[s].to, 1);
}

/* Checks come first, on what the caller has given: messages show the caller's own numbers. */
clStatus txWaterChoose(clWaterOptions *o, clWaterInfo *info, clContext *context, const char *call) {
  clError *error = txContextError(context);
  TRY(checkKinds(o, error, call));
  for (int s = 0; s < 4; s++)
    TRY(checkSide(&o->side[s], s, error, call));
  TRY(checkNumbers(o, error, call));
  fill(o);
  if ((int64_t)o->nx * o->ny > INT32_MAX)
    return txFail(error, TEXLA_TOO_LARGE, call, "%d x %d cells are more than %d", o->nx, o->ny,
                  INT32_MAX);
  *info = (clWaterInfo){.nx = o->nx,
                        .ny = o->ny,
                        .dx = o->dx,
                        .dy = o->dy,
                        .width = o->nx * o->dx,
                        .height = o->ny * o->dy,
                        .gravity = o->gravity,
                        .theta = o->theta,
                        .dt = o->dt};
  return TEXLA_OK;
}

/* The alternating scheme is stable for any step; by default waves, whose speed is sqrt(g depth),
 * pass a few cells in one, beyond which they would lose their shape. Where nothing is wet yet, the
 * depth is taken for that of a cell's width. */
clStatus txWaterChooseStep(clWater *water, double deepest, const char *call) {
  const clWaterOptions *o = &water->options;
  const double most = 1e4;
  double d = fmin(o->dx, o->dy), fastest = sqrt(o->gravity * deepest);
  double dt = o->dt, speed = fastest;
  txUsual(&speed, sqrt(o->gravity * d));
  txUsual(&dt, o->courant * d / speed);
  if (!(dt * fastest <= most * d) || !isnormal((float)dt))
    return txFail(txWaterError(water), TEXLA_BAD_ARGUMENT, call,
                  "in a time step of %g a wave over the deepest water (%g) would pass %g cells: at "
                  "most %g are allowed",
                  dt, deepest, dt * fastest / d, most);
  if (o->viscosity > 0 && dt > d * d / (4 * o->viscosity))
    return txFail(txWaterError(water), TEXLA_BAD_ARGUMENT, call,
                  "the time step %g is unstable with eddies of viscosity %g: at most %g is allowed",
                  dt, o->viscosity, d * d / (4 * o->viscosity));
  water->info.dt = dt;
  return TEXLA_OK;
}
