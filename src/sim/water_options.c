/* What clWater is asked for: checks and defaults. */
#include "sim/water.h"
#include "core/try.h"

#include <math.h>

static bool isNegative(double a) {
  return !(a >= 0) || !isfinite(a);
}

static void setDefault(double *value, double otherwise) {
  if (*value == 0)
    *value = otherwise;
}

static clStatus checkSide(const clWaterSide *side, int s, clError *error, const char *call) {
  static const char *const name[] = {"left", "right", "bottom", "top"};
  if ((unsigned)side->edge > TEXLA_WATER_INFLOW)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "the %s side has an unknown kind of edge %d",
                  name[s], (int)side->edge);
  if (!isfinite(side->level) || !isfinite(side->amplitude) || !isfinite(side->phase) ||
      !isfinite(side->discharge) || isNegative(side->period))
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "level %g, amplitude %g, phase %g, discharge %g and period %g of the %s side "
                  "must be finite, the "
                  "period not negative",
                  side->level, side->amplitude, side->phase, side->discharge, side->period,
                  name[s]);
  if (isNegative(side->velocity) || (side->velocity > 0 && side->edge != TEXLA_WATER_INFLOW))
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "velocity %g of the %s side must be finite and not negative, and 0 where it is "
                  "not an inflow",
                  side->velocity, name[s]);
  if (!(side->from >= 0) || !(side->to <= 1) ||
      (side->to > 0 ? side->from >= side->to : side->from >= 1))
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "the %s side's part from %g to %g must lie in 0..1", name[s], side->from,
                  side->to);
  return TEXLA_OK;
}

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

static clStatus checkNumbers(const clWaterOptions *o, clError *error, const char *call) {
  if (o->nx < 0 || o->ny < 0 || o->substeps < 0 || o->substeps > 64)
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "the grid of %d x %d cells must not be negative, substeps (%d) must be 0..64",
                  o->nx, o->ny, o->substeps);
  if (isNegative(o->dx) || isNegative(o->dy) || isNegative(o->gravity) || isNegative(o->courant) ||
      isNegative(o->roughness) || isNegative(o->viscosity) || isNegative(o->wind_drag) ||
      isNegative(o->dry) || isNegative(o->tolerance))
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "dx (%g), dy (%g), gravity (%g), courant (%g), roughness (%g), viscosity (%g), "
                  "wind_drag (%g), dry "
                  "(%g) and tolerance (%g) must be finite and not negative",
                  o->dx, o->dy, o->gravity, o->courant, o->roughness, o->viscosity, o->wind_drag,
                  o->dry, o->tolerance);
  if (isNegative(o->dt))
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

static void fill(clWaterOptions *o) {
  o->nx = o->nx ? o->nx : 128;
  o->ny = o->ny ? o->ny : 128;
  o->substeps = o->substeps ? o->substeps : 2;
  setDefault(&o->dx, 1);
  setDefault(&o->dy, o->dx);
  setDefault(&o->gravity, 9.81);
  setDefault(&o->courant, 2);
  setDefault(&o->theta, 1);
  setDefault(&o->roughness, o->friction == TEXLA_WATER_MANNING ? 0.03 : 50);
  setDefault(&o->wind_drag, 1.6e-6);
  setDefault(&o->dry, 1e-5);
  setDefault(&o->tolerance, 1e-5);
  for (int s = 0; s < 4; s++)
    setDefault(&o->side[s].to, 1);
}

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

clStatus txWaterChooseStep(clWater *water, double deepest, const char *call) {
  const clWaterOptions *o = &water->options;
  const double most = 1e4;
  double d = fmin(o->dx, o->dy), fastest = sqrt(o->gravity * deepest);
  double dt = o->dt > 0 ? o->dt : o->courant * d / (fastest > 0 ? fastest : sqrt(o->gravity * d));
  if (!(dt * fastest <= most * d) || !isnormal((float)dt))
    return txFail(txContextError(water->context), TEXLA_BAD_ARGUMENT, call,
                  "in a time step of %g a wave over the deepest water (%g) would pass %g cells: at "
                  "most %g are allowed",
                  dt, deepest, dt * fastest / d, most);
  if (o->viscosity > 0 && dt > d * d / (4 * o->viscosity))
    return txFail(txContextError(water->context), TEXLA_BAD_ARGUMENT, call,
                  "the time step %g is unstable with eddies of viscosity %g: at most %g is allowed",
                  dt, o->viscosity, d * d / (4 * o->viscosity));
  water->info.dt = dt;
  return TEXLA_OK;
}
