#include "scenes.h"
#include "core/try.h"
#include "io/number.h"

#include <string.h>

#include <math.h>
#include <stdlib.h>

static const char *const edges[] = {"reflecting", "fixed", "absorbing", "periodic", NULL};
static const char *const maps[] = {"viridis", "magma", "turbo", "diverging", "grey", NULL};

static const demoEntry edgeEntries[] = {{.kind = DEMO_WORD, .words = edges}, {0}};
static const demoEntry formulaEntries[] = {{.kind = DEMO_FORMULAS}, {0}};
static const demoEntry colourEntries[] = {
    {.kind = DEMO_WORD, .offset = offsetof(Scene, colours), .words = maps},
    {"most", DEMO_NUMBER, offsetof(Scene, most), .least = 1e-12, .most = 1e12},
    {"least", DEMO_NUMBER, offsetof(Scene, least), .least = 1e-12, .most = 1e12},
    {0}};
static const demoEntry startEntries[] = {{"height", DEMO_FORMULAS, offsetof(Scene, height)},
                                         {"velocity", DEMO_FORMULAS, offsetof(Scene, velocity)},
                                         {0}};
#define NUMBER(member)                                                                             \
  { #member, DEMO_NUMBER, offsetof(clWaveSource, member) }
static const demoEntry sourceEntries[] = {
    NUMBER(x),
    NUMBER(y),
    NUMBER(dx),
    NUMBER(dy),
    {"radius", DEMO_NUMBER, offsetof(clWaveSource, radius), .least = 1e-6, .most = 10},
    NUMBER(amplitude),
    NUMBER(frequency),
    NUMBER(phase),
    NUMBER(ramp),
    NUMBER(vx),
    NUMBER(vy),
    NUMBER(orbit),
    NUMBER(turns),
    {0}};
static const demoEntry dropEntries[] = {
    {"at", DEMO_NUMBER, offsetof(Drop, at)},
    {"every", DEMO_NUMBER, offsetof(Drop, every), .least = 1e-6, .most = 1e9},
    {"x", DEMO_FORMULAS, offsetof(Drop, x)},
    {"y", DEMO_FORMULAS, offsetof(Drop, y)},
    {"radius", DEMO_FORMULAS, offsetof(Drop, radius)},
    {"height", DEMO_FORMULAS, offsetof(Drop, height)},
    {0}};

static const demoEntry markEntries[] = {{"sources", DEMO_FLAG, offsetof(Scene, marked)}, {0}};

#define LIST(entries, member, counter, most)                                                       \
#member, entries, offsetof(Scene, member), false, most, sizeof(((Scene *)0)->member[0]),         \
      offsetof(Scene, counter)

const demoRule sceneRules[] = {{"left", edgeEntries, offsetof(Scene, edge[0])},
                               {"right", edgeEntries, offsetof(Scene, edge[1])},
                               {"bottom", edgeEntries, offsetof(Scene, edge[2])},
                               {"top", edgeEntries, offsetof(Scene, edge[3])},
                               {"colours", colourEntries},
                               {"speed", formulaEntries, offsetof(Scene, speed)},
                               {"start", startEntries},
                               {LIST(formulaEntries, solid, solids, SCENE_SOLIDS)},
                               {LIST(sourceEntries, source, sources, TEXLA_WAVE_SOURCES)},
                               {LIST(dropEntries, drop, drops, SCENE_DROPS)},
                               {"marks", markEntries},
                               DEMO_STROKE_RULES,
                               DEMO_STROKE_RULE("slow"),
                               DEMO_STROKE_RULE("absorb"),
                               DEMO_STROKE_RULE("clear"),
                               {0}};

/* What a line does not say is 0. */
void sceneWriteSource(FILE *file, const clWaveSource *source) {
  const char *before = "source";
  for (const demoEntry *e = sourceEntries; e->name; e++) {
    double value;
    char number[TX_NUMBER_SIZE];
    memcpy(&value, (const char *)source + e->offset, sizeof value);
    if (value == 0)
      continue;
    txNumberFormat(number, value);
    fprintf(file, "%s %s = %s", before, e->name, number);
    before = ",";
  }
  fprintf(file, "\n");
}

/* A drop is a hump in a wide shallow dip, so that the mean height stays: a hump's volume goes with
 * height times radius^2, and h r^2 - h / 4 (2 r)^2 = 0. */
clStatus sceneDrop(clWave *wave, double x, double y, double radius, double height) {
  clWaveInfo info = clWaveInspect(wave);
  TRY(clWaveDrop(wave, x * info.width, y * info.height, radius, height));
  return clWaveDrop(wave, x * info.width, y * info.height, 2 * radius, -height / 4);
}

/* Height and velocity at time 0, from the scene's formulas; without any the water is at rest. */
clStatus sceneBegin(const Scene *scene, clWave *wave, demoShow *show) {
  const int *size = show->options.size;
  size_t n = (size_t)size[0] * (size_t)size[1];
  double variable[DEMO_VARIABLES];
  if (!scene->height.count && !scene->velocity.count)
    return TEXLA_OK;
  float *values = malloc(2 * n * sizeof *values);
  if (!values)
    return demoOutOfMemory(show);
  demoVariables(show, variable);
  demoTabulate(values, &scene->height, variable, size, (double[]){0.5, 0.5});
  demoTabulate(values + n, &scene->velocity, variable, size, (double[]){0.5, 0.5});
  clStatus status = demoCheck(show, clWaveUpload(wave, values, values + n));
  free(values);
  return status;
}

/* How many have fallen before, if one falls within the next step; -1: none does. */
static double falls(const Drop *drop, const clWaveInfo *info) {
  double count = 0;
  if (drop->every > 0)
    count = ceil((info->time - drop->at) / drop->every);
  double at = drop->at + drop->every * count;
  if (count < 0 || at < info->time || at >= info->time + info->dt)
    return -1;
  return count;
}

/* What falls within the next step. */
clStatus sceneFeed(const Scene *scene, clWave *wave, demoShow *show) {
  clWaveInfo info = clWaveInspect(wave);
  double variable[DEMO_VARIABLES];
  clStatus status = TEXLA_OK;
  demoVariables(show, variable);
  variable[DEMO_T] = info.time;
  for (int k = 0; k < scene->drops && !status; k++) {
    const Drop *drop = &scene->drop[k];
    if ((variable[DEMO_N] = falls(drop, &info)) < 0)
      continue;
    double x = demoFormulaAt(&drop->x, variable), y = demoFormulaAt(&drop->y, variable);
    status =
        demoCheck(show, sceneDrop(wave, x / info.width, y, demoFormulaAt(&drop->radius, variable),
                                  demoFormulaAt(&drop->height, variable)));
  }
  return status;
}

/* How strongly a source of so many wavelengths in a unit shakes the water around it. */
static double sourceAt(const clWaveSource *s, const double *variable) {
  const double turn = 2 * 3.14159265358979323846;
  double x = variable[DEMO_X] - s->x, y = variable[DEMO_Y] - s->y;
  double along = s->dx * s->dx + s->dy * s->dy, t = 0;
  if (along > 0)
    t = fmin(fmax((x * s->dx + y * s->dy) / along, -1), 1);
  double r = hypot(x - t * s->dx, y - t * s->dy);
  return cos(turn * r * fmin(s->frequency, 8)) * exp(-4 * r);
}

/* The rings around a drop, as they are a while after it has fallen, for the small picture of a
 * scene. */
static double dropAt(const Drop *d, const double *variable) {
  double x = variable[DEMO_X] - demoFormulaAt(&d->x, variable),
         y = variable[DEMO_Y] - demoFormulaAt(&d->y, variable), r = 12 * hypot(x, y);
  return cos(3 * r) * exp(-0.5 * r);
}

/* The height at the beginning with the rings of sources and drops; slow media are darker, walls
 * grey. */
void sceneSketch(const demoScene *any, const double variable[DEMO_VARIABLES], uint8_t rgb[3]) {
  const Scene *scene = (const Scene *)(const void *)any;
  double height = demoFormulaAt(&scene->height, variable), most = 1, dark = 1;
  bool stone = false;
  if (scene->most > 0)
    most = scene->most;
  for (int k = 0; k < scene->sources; k++)
    height += 0.8 * most * sourceAt(&scene->source[k], variable);
  for (int k = 0; k < scene->drops; k++)
    height += 0.8 * most * dropAt(&scene->drop[k], variable);
  for (int k = 0; k < scene->solids; k++)
    stone |= demoFormulaAt(&scene->solid[k], variable) != 0;
  if (scene->speed.count)
    dark = fmin(fmax(demoFormulaAt(&scene->speed, variable), 0.35), 1);
  clColormapColor(rgb, TEXLA_COLORMAP_DIVERGING, fmin(fmax(0.5 + 0.5 * height / most, 0), 1));
  for (int c = 0; c < 3; c++)
    rgb[c] = (uint8_t)(dark * rgb[c]);
  if (stone)
    memcpy(rgb, (uint8_t[]){88, 92, 104}, 3);
}
