#include "gauges.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/numbers.h"
#include "io/number.h"
#include "core/try.h"

/* "X,Y;X,Y", in parts of the domain; a second number that is missing stays NaN, which no bound
 * holds. */
static clStatus parsePlaces(Gauges *g, const char *text, clError *error) {
  const char *at = text;
  for (g->count = 0; at && g->count < GAUGES; g->count++) {
    double *place = g->gauge[g->count].place;
    place[0] = place[1] = NAN;
    at = txNumberParse(at, &place[0]);
    if (at && *at == ',')
      at = txNumberParse(at + 1, &place[1]);
    if (!at || !(place[0] >= 0 && place[0] < 1 && place[1] >= 0 && place[1] < 1) ||
        (*at && *at != ';'))
      return txFail(error, TEXLA_BAD_ARGUMENT, "--gauges",
                    "'%s' is not like 0.3,0.5;0.7,0.5 with numbers from 0 to 1", text);
    if (!*at++) {
      g->count++;
      return TEXLA_OK;
    }
  }
  return txFail(error, TEXLA_BAD_ARGUMENT, "--gauges", "'%s' has more than %d places", text,
                GAUGES);
}

clStatus gaugesCreate(Gauges *g, const Gauge own[GAUGES], const char *places, const char *path,
                      clError *error) {
  *g = (Gauges){.path = path};
  clStatus status = TEXLA_OK;
  if (places)
    status = parsePlaces(g, places, error);
  while (!places && g->count < GAUGES && own[g->count].place[0] > 0) {
    g->gauge[g->count] = own[g->count];
    g->count++;
  }
  for (int k = 0; k < g->count; k++)
    if (!*g->gauge[k].name)
      snprintf(g->gauge[k].name, sizeof g->gauge[k].name, "gauge %d", k + 1);
  if (status || !path)
    return status;
  g->file = fopen(path, "w");
  if (!g->file)
    return txFail(error, TEXLA_IO_ERROR, "--gauge-csv", "cannot write %s: %s", path,
                  strerror(errno));
  fprintf(g->file, "time");
  for (int k = 0; k < g->count; k++)
    fprintf(g->file, ",%s (m) at %.4g;%.4g", g->gauge[k].name, g->gauge[k].place[0],
            g->gauge[k].place[1]);
  fprintf(g->file, "\n");
  return TEXLA_OK;
}

/* The file becomes whole, or is given up where there is no place for a message. */
clStatus gaugesClose(Gauges *g, clError *error) {
  FILE *file = g->file;
  bool failed = file && ferror(file);
  g->file = NULL;
  if (file && (fclose(file) != 0 || failed))
    return txFail(error, TEXLA_IO_ERROR, "--gauge-csv", "cannot write %s", g->path);
  return TEXLA_OK;
}

/* Also those that have never been made. */
void gaugesDestroy(Gauges *g) {
  gaugesClose(g, NULL);
  clKernelDestroy(g->kernel);
  clVectorDestroy(g->levels);
  *g = (Gauges){0};
}

_Static_assert(GAUGES == 4, "the levels of all gauges are one texel");
static const char gather[] = "uniform sampler2D z;\n"
                             "uniform vec4 columns, rows;\n"
                             "float at(float column, float row) {\n"
                             "  int c = int(column);\n"
                             "  return texelFetch(z, ivec2(c >> 2, int(row)), 0)[c & 3];\n"
                             "}\n"
                             "vec4 kernel() {\n"
                             "  return vec4(at(columns.x, rows.x), at(columns.y, rows.y), "
                             "at(columns.z, rows.z), at(columns.w, rows.w));\n"
                             "}\n";

/* level <- z at the gauges; of those that are not there, at the first cell. */
static clStatus readLevels(Gauges *g, const clVector *z, clWaterInfo info, float level[GAUGES]) {
  clContext *context = clVectorContext(z);
  clKernelRun run = {.input = {{"z", z, true}},
                     .parameter = {{"columns", GAUGES, {0}}, {"rows", GAUGES, {0}}}};
  for (int k = 0; k < g->count; k++) {
    run.parameter[0].value[k] = (float)(int)(g->gauge[k].place[0] * info.nx);
    run.parameter[1].value[k] = (float)(int)(g->gauge[k].place[1] * info.ny);
  }
  if (!g->levels)
    TRY(clVectorCreate(&g->levels, context, GAUGES));
  if (!g->kernel)
    TRY(clKernelCreate(&g->kernel, context, "demo gauges", gather));
  run.output[0] = g->levels;
  TRY(clKernelExecute(g->kernel, &run));
  return clVectorDownload(g->levels, level);
}

/* One read-back for all gauges: a kernel gathers their levels in one texel. */
clStatus gaugesRead(Gauges *g, clWater *water) {
  const clVector *z = NULL;
  clWaterInfo info = clWaterInspect(water);
  float level[GAUGES];
  if (!g->count)
    return TEXLA_OK;
  TRY(clWaterGet(&z, water, TEXLA_WATER_Z));
  TRY(readLevels(g, z, info, level));
  /* A line for each step: the time, then the level of each gauge. */
  if (g->file)
    fprintf(g->file, "%.9g", info.time);
  for (int k = 0; k < g->count; k++) {
    float *sample = &g->level[k][g->samples % GAUGE_SAMPLES];
    *sample = level[k];
    /* a wall has been drawn there */
    if (!(level[k] < 1e8f))
      *sample = NAN;
    if (g->file)
      fprintf(g->file, ",%.9g", (double)level[k]);
  }
  if (g->file)
    fprintf(g->file, "\n");
  g->samples++;
  return TEXLA_OK;
}

void gaugesWrite(const Gauges *g, FILE *file) {
  const double least = 1e-6;
  for (int k = 0; k < g->count; k++) {
    const double *place = g->gauge[k].place;
    fprintf(file, "gauge %.9g, %.9g\n", fmax(place[0], least), fmax(place[1], least));
  }
}

/* Crosses in the picture, and the levels over time beside it; the first name has the unit. */
void gaugesDraw(const Gauges *g, demoOverlay *overlay, bool hidden) {
  char label[GAUGES][DEMO_TEXT + 8];
  const char *names[GAUGES + 1] = {NULL};
  int box[4];
  for (int k = 0; k < g->count; k++) {
    snprintf(label[k], sizeof label[k], "%s%.*s", g->gauge[k].name, 4 * (k == 0), " (m)");
    names[k] = label[k];
  }
  for (int k = 0; k < g->count && !hidden; k++)
    demoPlotCross(overlay, g->gauge[k].place[0] * overlay->field.aspect, g->gauge[k].place[1], k);
  if (!g->count)
    return;
  demoPlotSlot(overlay, box);
  if (box[3] - box[1] >= 24)
    demoPlot(overlay, box,
             &(demoCurves){.value = g->level[0],
                           .room = GAUGE_SAMPLES,
                           .count = g->count,
                           .samples = g->samples,
                           .names = names});
}
