#include "scenes.h"

#include <math.h>

clStatus sceneDrop(clWave *wave, double x, double y, double radius, double height) {
  clWaveInfo info = clWaveInspect(wave);
  clStatus status = clWaveDrop(wave, x * info.width, y * info.height, radius, height);
  return status ? status : clWaveDrop(wave, x * info.width, y * info.height, 2 * radius, -height / 4);
}

/* Does the time pass `at` with the next step? */
static bool isTime(const clWaveInfo *info, double at) {
  return info->time <= at && at < info->time + info->dt;
}

/* --- pond: an ellipse. What falls into one focus meets in the other one. --- */

static const double pondA = 0.62, pondB = 0.455;

static bool pondShore(double x, double y, double width) {
  return pow((x - width / 2) / pondA, 2) + pow((y - 0.5) / pondB, 2) > 1;
}

/* One drop into the left focus; when its waves have met twice, rain at random. */
static clStatus pondRain(clWave *wave, const demoShow *show) {
  const double quiet = 4, every = 0.9, focus = sqrt(pondA * pondA - pondB * pondB);
  clWaveInfo info = clWaveInspect(wave);
  if (info.steps == 0)
    return sceneDrop(wave, 0.5 - focus / info.width, 0.5, 0.022, 1);
  double count = ceil((info.time - quiet) / every);
  if (count < 0 || !isTime(&info, quiet + every * count))
    return TEXLA_OK;
  int64_t k = 4 * (int64_t)count;
  double angle = 6.2831853 * demoRandom(show, k), r = 0.85 * sqrt(demoRandom(show, k + 1));
  return sceneDrop(wave, 0.5 + r * cos(angle) * pondA / info.width, 0.5 + r * sin(angle) * pondB,
                   0.014 + 0.01 * demoRandom(show, k + 2), 0.5 + 0.5 * demoRandom(show, k + 3));
}

/* --- double slit --- */

static bool slitWall(double x, double y, double width) {
  (void)width;
  return fabs(x - 0.24) < 0.009 && fabs(fabs(y - 0.5) - 0.12) > 0.028;
}

/* --- lens: between two screens --- */

static const double lensX = 0.36, lensR = 0.66, lensHalf = 0.36, lensIndex = 1.6;

/* How deep a place lies within the lens, in its own thickness at the axis; negative outside. */
static double lensDepth(double x, double y) {
  double centre = sqrt(lensR * lensR - lensHalf * lensHalf);
  double left = lensR - hypot(x - lensX - centre, y - 0.5), right = lensR - hypot(x - lensX + centre, y - 0.5);
  return fmin(left, right);
}

static double lensSpeed(double x, double y, double width) {
  (void)width;
  double t = fmin(fmax(lensDepth(x, y) / 0.012 + 0.5, 0), 1); /* a rim that reflects little */
  return 1 / (1 + (lensIndex - 1) * t * t * (3 - 2 * t));
}

static bool lensScreen(double x, double y, double width) {
  (void)width;
  return fabs(x - lensX) < 0.009 && fabs(y - 0.5) > lensHalf - 0.005;
}

/* --- membrane: struck out of its middle --- */

static clStatus membraneStrike(clWave *wave, const demoShow *show) {
  (void)show;
  return clWaveInspect(wave).steps == 0 ? clWaveDrop(wave, 0.5, 0.5, 0.035, 1) : TEXLA_OK;
}

#define ALL(edge)                                                                                                      \
  { edge, edge, edge, edge }

const Scene sceneList[SCENES] = {
    {.scene = {.name = "pond", .title = "elliptic pond", .size = {480, 360}, .steps = 4, .field = FIELD_SURFACE},
     .least = 0.08,
     .height_map = TEXLA_COLORMAP_VIRIDIS,
     .edge = ALL(TEXLA_EDGE_REFLECTING),
     .solid = pondShore,
     .feed = pondRain},
    {.scene = {.name = "double-slit", .title = "double slit", .size = {480, 320}, .steps = 3, .field = FIELD_HEIGHT},
     .most = 0.8,
     .height_map = TEXLA_COLORMAP_DIVERGING,
     .edge = ALL(TEXLA_EDGE_ABSORBING),
     .solid = slitWall,
     .source = {{.x = 0.09, .y = 0.5, .dy = 0.5, .radius = 0.012, .amplitude = 1.36e4, .frequency = 16, .ramp = 0.15}}},
    {.scene = {.name = "lens", .title = "lens", .size = {480, 320}, .steps = 3, .field = FIELD_ENERGY},
     .most = 2,
     .height_map = TEXLA_COLORMAP_DIVERGING,
     .edge = ALL(TEXLA_EDGE_ABSORBING),
     .solid = lensScreen,
     .speed = lensSpeed,
     .source = {{.x = 0.09, .y = 0.5, .dy = 0.5, .radius = 0.012, .amplitude = 1.36e4, .frequency = 16, .ramp = 0.15}}},
    {.scene = {.name = "membrane", .title = "struck membrane", .size = {360, 360}, .steps = 3, .field = FIELD_SURFACE},
     .least = 0.05,
     .height_map = TEXLA_COLORMAP_MAGMA,
     .edge = ALL(TEXLA_EDGE_FIXED),
     .feed = membraneStrike},
};
